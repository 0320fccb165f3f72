"""What of a state any rule asks for. The rest is there for the invariants, and for people who look at a state."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from buckspec import typed as t
from buckspec.evaluate import Answer
from buckspec.rulebook import PHASE, EventRule, RuleBook
from buckspec.rules import Rules
from buckspec.types import NONE

_Read = tuple[str, bool]
"""A name that a term reads, and whether it only asks if there is something."""


@dataclass(frozen=True, eq=False)
class Live:
    """The definitions and variables on which play depends, or what is seen of it, in any of some rule books."""

    books: tuple[RuleBook, ...]

    @cached_property
    def _reads(self) -> frozenset[_Read]:
        """All that is read in the end, by whatever decides what happens or can be seen."""
        found: set[_Read] = set()
        left = [(PHASE, False), *(read for book in self.books for term in _roots(book) for read in _in(term))]
        while left:
            read = left.pop()
            if read not in found:
                found.add(read)
                left += [more for book in self.books for term in _behind(book, read[0]) for more in _in(term)]
        return frozenset(found)

    @cached_property
    def names(self) -> frozenset[str]:
        """The names of all that is read."""
        return frozenset(name for name, _ in self._reads)

    def only_whether(self, variable: str) -> bool:
        """It is only asked whether the variable is `none`, never what it is."""
        return (variable, False) not in self._reads

    def essence(self, rules: Rules, values: tuple[Answer | tuple[int, ...], ...]) -> tuple[object, ...]:
        """What of the values of a state makes a difference."""
        found: list[object] = []
        for name, slot in rules.slots.items():
            held = values[slot.offset : slot.offset + slot.width]
            if name not in rules.book.variables:
                found += held  # a list that can be seen
            elif name in self.names:
                found += [value == NONE for value in held] if self.only_whether(name) else held
        return tuple(found)


def _roots(book: RuleBook) -> Iterator[t.Term]:
    """What decides who may act and what is legal, whom something is set for, and what is seen."""
    for observation in book.observations.values():
        yield observation.value
    for variable in book.variables.values():
        yield from (end for end in (variable.low, variable.high) if end is not None)
        if variable.low is not None:  # what leaves its range is a fault
            yield t.Read(variable.name, None, variable.type)
    for event in book.events.values():
        yield from _decisive(event)


def _decisive(event: EventRule) -> Iterator[t.Term]:
    terms = [event.by, *(term for part in event.requires for term in (part.applies, part.that))]
    terms += [end for taken in event.takes for end in (taken.low, taken.high)]
    for effect in event.effects:
        terms += [part.index for part in effect.sets]
        terms += [step.start for step in effect.deals]
    yield from (term for term in terms if term is not None)


def _behind(book: RuleBook, name: str) -> Iterator[t.Term]:
    """What the value of a name comes from."""
    if name in book.definitions:
        yield from book.definitions[name].terms()
    elif name in book.variables:
        first = book.variables[name].first
        yield from [] if first is None else [first]
        for event in book.events.values():
            yield from (part.value for effect in event.effects for part in effect.sets if part.variable == name)


def _in(term: t.Term) -> Iterator[_Read]:
    """What a term reads."""
    match term:
        case t.Equal(left=t.Read() as asked, right=t.Const(value=value)) if value == NONE and asked.type.optional:
            yield asked.variable, True
            if asked.index is not None:
                yield from _in(asked.index)
            return
        case t.Read():
            yield term.variable, False
        case t.Use():
            yield term.definition, False
        case t.Sum():
            yield term.function, False
    for part in t.parts(term):
        yield from _in(part)
