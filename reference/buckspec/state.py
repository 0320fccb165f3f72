"""A state of a game, and the events that change it, as values."""

from dataclasses import dataclass, field
from functools import cached_property

from buckspec.evaluate import Answer, Evaluator, Missing
from buckspec.rulebook import PHASE, Clause
from buckspec.rules import Rules
from buckspec.types import NONE


@dataclass(frozen=True)
class Event:
    """Something that happens: the id of its rule, the seat that acts (None for chance), and what it is about.

    `about` holds indexes in the order of the event's `takes`; for the deal it is the pack in dealing order.
    """

    id: str
    seat: int | None = None
    about: tuple[int, ...] = ()


@dataclass(frozen=True)
class State:
    """A state under some rules: one value for each slot, sets as bit masks. Two equal states have equal values."""

    rules: Rules = field(compare=False, repr=False)
    values: tuple[Answer | tuple[int, ...], ...]
    reached: int | None = field(default=None, compare=False, repr=False)

    @cached_property
    def phase(self) -> int:
        """The phase, as its index. Raises LookupError where it is not known."""
        return self.known(PHASE) if self.reached is None else self.reached

    @cached_property
    def evaluator(self) -> Evaluator:
        """Works out definitions in this state, and remembers them."""
        return Evaluator(self.rules, self.values)  # type: ignore[arg-type]

    def value(self, name: str, argument: int | None = None) -> Answer:
        """A variable or definition, of one member of its domain where it has one. Raises KeyError for another name."""
        if name in self.rules.definitions:
            return self.evaluator.definition(name, NONE if argument is None else argument)
        return self.values[self.rules.slots[name].offset + (argument or 0)]  # type: ignore[return-value]

    def known(self, name: str, argument: int | None = None) -> int:
        """The same, where it must be known. Raises LookupError where it is not."""
        answer = self.value(name, argument)
        if isinstance(answer, Missing):
            raise LookupError(f"{name} is {answer.value}")
        return answer


@dataclass(frozen=True)
class Violation:
    """A clause that an event breaks, and the values that made its condition fail, by the name each has in it."""

    clause: Clause
    found: tuple[tuple[str, object], ...] = ()


@dataclass(frozen=True)
class Refused:
    """An event that is not legal: every clause that it breaks, and the state, which it leaves as it was."""

    state: State
    event: Event
    violations: tuple[Violation, ...]
