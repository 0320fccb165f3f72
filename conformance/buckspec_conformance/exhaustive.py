"""The exhaustive tables, as cases: who takes a trick, which cards may follow, and what a hand is worth.

python -m buckspec_conformance.exhaustive      how many rows there are, and in how many hands
"""

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence, Set

from buckspec import typed as t
from buckspec.load import load_profile
from buckspec.rules import Rules
from buckspec_conformance.case import Case, Layer
from buckspec_conformance.requesting import EVENTS, Request, hands_of
from buckspec_conformance.score_table import ScoreHand, score_hands
from buckspec_conformance.trick_table import TrickHand, trick_hands

TRICKS, SCORE = "tricks", "scoring"
_TABLE: Layer = "table"
USUAL = "ohio"
"""The profile of the tables where none is named."""
_SETTLED = ("contract", "trump", "maker", "active")
"""What is observed and has its say in both tables, but is not what they are about."""


def exhaustive_cases(rules: Rules | None = None) -> Iterator[Case]:
    """All cases of the tables by these rules, or by those of the usual profile. The ids stay the same.

    Raises ValueError if no hand is found for a row.
    """
    known = rules or load_profile(USUAL)
    clauses = _trick_clauses(known)
    for number, hand in enumerate(trick_hands(known), start=1):
        yield _trick_case(hand, number, clauses)
    clauses = _score_clauses(known)
    seen: Counter[str] = Counter()
    for scored in score_hands(known):
        yield _score_case(scored, clauses, seen)


def _trick_case(hand: TrickHand, number: int, clauses: tuple[str, ...]) -> Case:
    counts = Counter(type(row).__name__.lower() for row in hand.rows)
    told = ", ".join(f"{name} {count}" for name, count in sorted(counts.items()))
    why = f"Who takes a trick and which cards may follow; rows of the table that are new here: {told}."
    return Case(f"{_TABLE}/{TRICKS}/{number:04}", _TABLE, clauses, why, hand.request, (_TABLE, TRICKS))


def _score_case(hand: ScoreHand, clauses: tuple[str, ...], seen: Counter[str]) -> Case:
    row = hand.split
    maker = "" if row.maker is None else f"-by-{row.maker}"
    tricks = "" if row.tricks is None else "/" + "-".join(map(str, row.tricks))
    name = f"{_TABLE}/{SCORE}/{row.contract}{maker}/" + "-".join(map(str, sorted(row.active))) + tricks
    seen[name] += 1
    id_ = name if seen[name] == 1 else f"{name}/{seen[name]}"
    split = "not played" if row.tricks is None else f"tricks {list(row.tricks)}"
    by = "no maker" if row.maker is None else f"maker {row.maker}"
    why = (
        f"What a hand is worth, and who then has won: {row.contract}, {by}, in the hand {sorted(row.active)}, {split}."
    )
    return Case(id_, _TABLE, clauses, why, hand.request, (_TABLE, SCORE))


# ---------------------------------------------------------------------- the clauses that they are about


def _trick_clauses(rules: Rules) -> tuple[str, ...]:
    """What decides who takes a trick, and what is asked of an event by the same definitions."""
    best = [one.value for one in rules.lists]
    names = _used(rules, best) - _settled(rules)
    found = _clauses(rules, names)
    for event in rules.events.values():
        for asked in event.requires:
            terms = [term for term in (asked.applies, asked.that) if term is not None]
            used = _used(rules, terms) - _settled(rules)
            if used & names:
                found += [other.clause.id for other in event.requires] + _clauses(rules, used)
    return tuple(dict.fromkeys(found))


def _score_clauses(rules: Rules) -> tuple[str, ...]:
    """What changes the totals, and who has won by them."""
    observed = rules.book.observations
    totals = {node.variable for node in t.walk(observed["totals"].value) if isinstance(node, t.Read)}
    terms, found = [observed["winners"].value, observed["ended"].value], []
    for event in rules.events.values():
        for effect in event.effects:
            if any(part.variable in totals for part in effect.sets):
                found.append(effect.clause.id)
                terms += [part.value for part in effect.sets]
    return tuple(dict.fromkeys((*found, *_clauses(rules, _used(rules, terms) - _settled(rules)))))


def _settled(rules: Rules) -> set[str]:
    return _used(rules, [rules.book.observations[name].value for name in _SETTLED])


def _clauses(rules: Rules, names: Set[str]) -> list[str]:
    """The clauses of the definitions of these names."""
    found = [definition for name, definition in rules.definitions.items() if name in names]
    return [case.clause.id for definition in found for case in definition.alternatives]


def _used(rules: Rules, terms: Iterable[t.Term]) -> set[str]:
    """The names of the definitions on which terms depend."""
    found: set[str] = set()
    left = list(terms)
    while left:
        for node in t.walk(left.pop()):
            if isinstance(node, t.Use) and node.definition not in found:
                found.add(node.definition)
                left += rules.definitions[node.definition].terms()
    return found


# ---------------------------------------------------------------------- as a program


def counts(rules: Rules) -> Iterator[tuple[str, int]]:
    """What there is in the tables, in words, and how much of it."""
    hands = list(trick_hands(rules))
    rows = Counter(type(row) for hand in hands for row in hand.rows)
    for kind, number in rows.items():
        yield f"{kind.__name__.lower()}: {kind.__doc__}".splitlines()[0], number
    yield "hands in which all of that is tried", len(hands)
    yield "events that are tried in them", sum(_events(hand.request) for hand in hands)
    scored = list(score_hands(rules))
    yield "ways to split the tricks, by contract, maker and players in the hand", len({hand.split for hand in scored})
    yield "ways in which totals can stand after a hand", sum(hand.finish is not None for hand in scored)
    yield "hands in which all of that is played", len(scored)
    yield "events in them", sum(_events(hand.request) for hand in scored)


def _events(request: Request) -> int:
    return sum(len(hand[EVENTS]) for hand in hands_of(request))


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the counts."""
    parser = argparse.ArgumentParser(prog="python -m buckspec_conformance.exhaustive", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("profile", nargs="?", default=USUAL)
    for told, number in counts(load_profile(parser.parse_args(arguments).profile)):
        sys.stdout.write(f"{number:7}  {told}\n")


if __name__ == "__main__":
    main()
