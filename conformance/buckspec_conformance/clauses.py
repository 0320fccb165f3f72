"""Which clauses are in force by rules, and which of two rule books say something else."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any

from buckspec.rulebook import RuleBook
from buckspec.rules import Rules


@dataclass(frozen=True)
class Clauses:
    """The clauses that only one of two has in force, and those that both have, with another content."""

    only_first: tuple[str, ...]
    only_second: tuple[str, ...]
    other: tuple[str, ...]


def compared(one: Rules, other: Rules) -> Clauses:
    """What two rule books say otherwise, by their readings."""
    first, second = _in_force(one), _in_force(other)
    return Clauses(
        tuple(name for name in first if name not in second),
        tuple(name for name in second if name not in first),
        tuple(name for name, said in first.items() if name in second and second[name] != said),
    )


def _in_force(rules: Rules) -> Mapping[str, tuple[object, ...]]:
    """What each clause in force says, without its words and its place."""
    return {
        part.clause.id: (where, *(getattr(part, field.name) for field in fields(part) if field.name != "clause"))
        for where, part in _parts(rules.book)
        if part.clause.under.holds(rules.readings)
    }


def _parts(book: RuleBook) -> Iterator[tuple[str, Any]]:
    """Every clause that has a say in a game, with what it is part of. Invariants follow from the others."""
    for definition in book.definitions.values():
        yield from ((definition.name, part) for part in definition.alternatives)
    for event in book.events.values():
        yield from ((event.id, part) for part in (*event.requires, *event.effects))
