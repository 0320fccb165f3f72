"""Finds, for objectives that no vector meets, the smallest random hand that does, to be pasted into a source.

    python tools/vectors/gaps.py                                       all that `buckspec coverage` calls open
    python tools/vectors/gaps.py "game.first-seat-wins/when#1=false"   this one

Hands are played by the readings under which the clause is in force, all else being usual; where none of these meets
the objective, by any readings. The same seed finds the same hands. What was found is pasted, gets a sentence and a key,
and from then on stands as it is.
"""

import argparse
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random

TOP = Path(__file__).resolve().parents[2]
if __name__ == "__main__":
    sys.path[:0] = [str(TOP / name) for name in ("reference", "conformance", "tools/vectors")]

from search import words  # noqa: E402

from buckspec.load import load_profile  # noqa: E402
from buckspec.observe import observe  # noqa: E402
from buckspec.rulebook import RuleBook  # noqa: E402
from buckspec.rules import Rules  # noqa: E402
from buckspec.words import words_of  # noqa: E402
from buckspec_conformance.coverage.decisions import owner_of  # noqa: E402
from buckspec_conformance.coverage.measure import met  # noqa: E402
from buckspec_conformance.coverage.table import OPEN, Table, measured  # noqa: E402
from buckspec_conformance.random_hands import RARE, Game, game, readings  # noqa: E402
from buckspec_conformance.requesting import request_of, totals_of  # noqa: E402
from buckspec_conformance.vectors import vectors  # noqa: E402

_PROFILE = "ohio"


def smallest(id_: str, count: int, seed: int) -> Game | None:
    """The hand with the fewest events, of so many, that meets an objective: with usual totals, if one does."""
    rng = Random(seed)  # noqa: S311
    for usual in (1.0, 0.5):  # the share of questions that are read as usual
        hands = [one for one in _games(rng, id_, count, usual) if id_ in met(*_asked(one), owner_of(id_))]
        if hands:
            return min(hands, key=lambda one: ("start" in _asked(one)[1], sum(map(len, one.hands))))
    return None


def _games(rng: Random, id_: str, count: int, usual: float) -> Iterator[Game]:
    book = load_profile(_PROFILE).book
    forced = _forced(book, id_)
    for _ in range(count):
        chosen = {**readings(rng, book, usual), **forced}
        if not any(exclusion.under.holds(chosen) for exclusion in book.exclusions):
            yield game(rng, load_profile(_PROFILE, {}, chosen), RARE, 1)


def _forced(book: RuleBook, id_: str) -> Mapping[str, str]:
    """The readings under which the clause of an objective is in force."""
    clause = book.clauses().get(owner_of(id_))
    if clause is None:
        return {}
    return {
        question: next(name for name in book.questions[question].readings if name in admitted)
        for question, admitted in clause.under.choices
    }


def _asked(one: Game) -> tuple[Rules, Mapping[str, object]]:
    return one.before.rules, request_of(one)


def entry(id_: str, one: Game) -> Iterator[str]:
    """A hand as the lines of a source."""
    rules, request = _asked(one)
    seen, codes, events = observe(one.after[0]), words_of(rules).codes, one.hands[0]
    yield f"  # {id_}"
    yield f"    clauses: [{owner_of(id_)}]"
    if request["readings"]:
        yield f"    readings: {{{', '.join(f'{name}: {one}' for name, one in request['readings'].items())}}}"  # type: ignore[attr-defined]
    if (totals := totals_of(request)) is not None:
        yield f"    totals: {list(totals)}"
    yield f"    hands: [{{dealer: {seen['dealer']}, deck: {' '.join(codes[card] for card in events[0].about)},"
    yield f'      events: "{" ".join(words(rules, events))}",'
    yield f"      then: {{tricks: {seen['tricks']}, totals: {seen['totals']}, winners: {seen['winners']}}}}}]"


def _open() -> list[str]:
    rows = Table(load_profile(_PROFILE), measured(vectors())).rows()
    return [finding.objective.id for row in rows for finding in row.findings if finding.fate == OPEN]


def main() -> None:
    """Search and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("objective", nargs="*")
    parser.add_argument("--count", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    for id_ in chosen.objective or _open():
        found = smallest(id_, chosen.count, chosen.seed)
        lines = [f"  # {id_}: not found"] if found is None else entry(id_, found)
        sys.stdout.write("\n".join([*lines, ""]))


if __name__ == "__main__":
    main()
