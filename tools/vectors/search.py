"""Finds the smallest random hand of a kind, in the notation of the sources, to be pasted into one of them.

    python tools/vectors/search.py "maker is not None and tricks[maker] == 3 and min(tricks) == 0"
    python tools/vectors/search.py --by "(contract, sorted(tricks))" "maker is None"

The condition is Python over what can be observed after the hand (`tricks`, `totals`, `maker`, `active`, `winners`,
`contract`, …), over `words`, what was said and done in order, and over `before`, the totals. With `--by` one hand is
found for each value of the expression. What was found is pasted and from then on stands as it is: the same search can
find another hand when the rules have changed, a vector cannot.
"""

import argparse
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Any

TOP = Path(__file__).resolve().parents[2]
if __name__ == "__main__":
    sys.path[:0] = [str(TOP / name) for name in ("reference", "conformance")]

from buckspec.load import load_profile  # noqa: E402
from buckspec.observe import observe  # noqa: E402
from buckspec.rules import Rules  # noqa: E402
from buckspec.state import Event  # noqa: E402
from buckspec.words import to_log, words_of  # noqa: E402
from buckspec_conformance.random_hands import Game, Style, game  # noqa: E402

_MOODS = (1, 2, 30)


def smallest(
    rules: Rules, condition: str, by: str, *, count: int, seed: int, near: float, nearness: int
) -> Mapping[str, Game]:
    """The random hand with the fewest events that fulfils the condition, for each value of `by`."""
    rng = Random(seed)  # noqa: S311
    style = Style(moods=_MOODS, stacked=0.3, near=near, nearness=nearness)
    wanted, kind = compile(condition, "condition", "eval"), compile(by, "by", "eval")
    found: dict[str, Game] = {}
    for _ in range(count):
        one = game(rng, rules, style, 1)
        names = {**observe(one.after[0]), "words": words(rules, one.hands[0]), "before": totals(one)}
        if eval(wanted, names):  # noqa: S307 - it is the user's own expression
            key = repr(eval(kind, names))  # noqa: S307
            if key not in found or len(one.hands[0]) < len(found[key].hands[0]):
                found[key] = one
    return found


def totals(one: Game) -> list[int]:
    """The totals before the hand."""
    return [one.before.known("totals", seat) for seat in range(one.before.rules.seats.size)]


def words(rules: Rules, events: tuple[Event, ...]) -> list[str]:
    """What was said and done after the deal, in the notation of the sources."""
    return [_word(to_log(rules, event)) for event in events[1:]]


def _word(logged: Mapping[str, Any]) -> str:
    about = logged.get("card") or logged.get("suit")
    if logged["do"] == "play":
        return str(about)
    return f"{logged['do']}:{about}" if about else str(logged["do"])


def entry(rules: Rules, one: Game) -> Iterator[str]:
    """A hand as the lines of a source."""
    seen, codes, events = observe(one.after[0]), words_of(rules).codes, one.hands[0]
    yield f"    totals: {totals(one)}"
    yield f"    hands: [{{dealer: {seen['dealer']}, deck: {' '.join(codes[card] for card in events[0].about)},"
    yield f'      events: "{" ".join(words(rules, events))}",'
    yield f"      then: {{tricks: {seen['tricks']}, totals: {seen['totals']}, winners: {seen['winners']}}}}}]"


def main() -> None:
    """Search and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("condition")
    parser.add_argument("--by", default="0", help="find one hand for each value of this expression")
    parser.add_argument("--reading", action="append", default=[], metavar="QUESTION=READING")
    parser.add_argument("--count", type=int, default=20000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--near", type=float, default=0.0, help="share of games that begin with small totals")
    parser.add_argument("--nearness", type=int, default=4, help="how small those are")
    chosen = parser.parse_args()
    rules = load_profile("ohio", {}, dict(pair.split("=", 1) for pair in chosen.reading))
    found = smallest(
        rules, chosen.condition, chosen.by,
        count=chosen.count, seed=chosen.seed, near=chosen.near, nearness=chosen.nearness,
    )  # fmt: skip
    for key, one in sorted(found.items()):
        sys.stdout.write("\n".join([f"  # {key}", *entry(rules, one), ""]))


if __name__ == "__main__":
    main()
