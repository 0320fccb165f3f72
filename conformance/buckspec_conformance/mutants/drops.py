"""Rule books from which something is left out: a requirement, an alternative, an effect, or one thing that it sets."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from buckspec.rulebook import EventRule, RuleBook

EFFECT, CLAUSE = "dropped effect", "dropped clause"


@dataclass(frozen=True)
class Drop:
    """What is left out of the clause `where`."""

    kind: str
    where: str
    what: str

    def __str__(self) -> str:
        return f"{self.where}: {self.what} left out"


def drops(book: RuleBook) -> Iterator[tuple[Drop, RuleBook]]:
    """Each thing that can be left out, with the rule book without it."""
    for name, definition in book.definitions.items():
        for case in definition.alternatives:
            kept = tuple(one for one in definition.alternatives if one is not case)
            changed = replace(definition, alternatives=kept)
            yield Drop(CLAUSE, case.clause.id, "all"), replace(book, definitions={**book.definitions, name: changed})
    for event in book.events.values():
        for drop, lesser in _of_event(event):
            yield drop, replace(book, events={**book.events, event.id: lesser})


def _of_event(event: EventRule) -> Iterator[tuple[Drop, EventRule]]:
    for part in event.requires:
        kept = tuple(one for one in event.requires if one is not part)
        yield Drop(CLAUSE, part.clause.id, "all"), replace(event, requires=kept)
    for effect in event.effects:
        others = tuple(one for one in event.effects if one is not effect)
        yield Drop(CLAUSE, effect.clause.id, "all"), replace(event, effects=others)
        for assignment in effect.sets if len(effect.sets) > 1 else ():
            sets = tuple(one for one in effect.sets if one is not assignment)
            lesser = tuple(replace(effect, sets=sets) if one is effect else one for one in event.effects)
            yield Drop(EFFECT, effect.clause.id, f"what sets {assignment.variable}"), replace(event, effects=lesser)
