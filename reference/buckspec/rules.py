"""The rules of one game: a rule book in which every question has been answered."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from operator import add, mul, sub
from typing import TypeVar
from weakref import WeakKeyDictionary

from buckspec import typed as t
from buckspec.nodes import Collector, refuse
from buckspec.problem import Place, Problem, SpecError, nearest
from buckspec.profiles import with_value
from buckspec.rulebook import (
    PHASE,
    WHOLE_GAME,
    Alternative,
    Definition,
    Effect,
    EventRule,
    Observation,
    Question,
    Requirement,
    RuleBook,
    Taken,
)
from buckspec.types import BOOL, NONE, Domain, Type, members

_Part = TypeVar("_Part", Alternative, Requirement, Effect)
# by what play reads of a choice, the first rules that chose it: all who choose alike share what is compiled for these
_AS_PLAYED: "WeakKeyDictionary[RuleBook, dict[object, Rules]]" = WeakKeyDictionary()


@dataclass(frozen=True)
class Slot:
    """Where a variable stands in the values of a state: `width` values from `offset`."""

    offset: int
    width: int


@dataclass(frozen=True, eq=False)
class Rules:
    """What is in force: `definitions` and `events` hold only clauses of the chosen readings.

    `name` is what logs and verdicts call the profile; one of a user's own carries the fingerprint of its files.
    `is_shipped` says that every clause comes from the rule book of this package, whose cases are known to be
    complete and without overlap.
    """

    book: RuleBook
    name: str
    readings: Mapping[str, str]
    parameters: Mapping[str, int]
    definitions: Mapping[str, Definition]
    events: Mapping[str, EventRule]
    is_shipped: bool

    @cached_property
    def slots(self) -> Mapping[str, Slot]:
        """The slots of all variables, and after them one for each observation that is a list."""
        slots = {}
        offset = 0
        for variable in self.book.variables.values():
            width = self.book.domains[variable.domain].size if variable.domain else 1
            slots[variable.name] = Slot(offset, width)
            offset += width
        for observation in self.lists:
            slots[observation.name] = Slot(offset, 1)
            offset += 1
        return slots

    @cached_property
    def lists(self) -> tuple[Observation, ...]:
        """The observations that grow by one at each of certain events."""
        return tuple(observation for observation in self.book.observations.values() if observation.at)

    @cached_property
    def seats(self) -> Domain:
        """The domain of those who act."""
        return next(domain for domain in self.book.domains.values() if domain.circular)

    @cached_property
    def pack(self) -> Domain:
        """The domain of what is dealt."""
        dealt = {
            step.variable for event in self.book.events.values() for effect in event.effects for step in effect.deals
        }
        return self.book.domains[self.book.variables[min(dealt)].type.base]

    @cached_property
    def by_phase(self) -> Mapping[int, tuple[EventRule, ...]]:
        """The events that can happen in each phase."""
        phases = self.book.domains[self.definitions[PHASE].type.base]
        return {
            index: tuple(event for event in self.events.values() if value.name in event.phases)
            for index, value in enumerate(phases.values)
        }

    @cached_property
    def as_played(self) -> "Rules":
        """One and the same rules for all values of parameters that only the start of a game reads."""
        terms = [term for definition in self.definitions.values() for term in definition.terms()]
        terms += [term for event in self.events.values() for term in event.terms()]
        begun = [variable.first for variable in self.book.variables.values() if variable.life != WHOLE_GAME]
        terms += [term for term in begun if term is not None]
        read = {node.name for term in terms for node in t.walk(term) if isinstance(node, t.Parameter)}
        key = (tuple(sorted(self.readings.items())), tuple((name, self.parameters[name]) for name in sorted(read)))
        return _AS_PLAYED.setdefault(self.book, {}).setdefault(key, self)

    def choices(self, taken: Taken) -> range:
        """The values that an event can be about."""
        if taken.low is not None and taken.high is not None:
            return range(self._constant(taken.low), self._constant(taken.high) + 1)
        return range(2) if taken.type == BOOL else range(self.book.domains[taken.type.base].size)

    def _constant(self, term: t.Term) -> int:
        """A number that only parameters and the sizes of domains go into."""
        match term:
            case t.Const():
                return term.value
            case t.Parameter():
                return self.parameters[term.name]
            case t.Size():
                return self._constant(term.target).bit_count()
            case t.Negative():
                return -self._constant(term.operand)
            case t.Arithmetic():
                operators = {"+": add, "-": sub, "*": mul}
                return int(operators[term.operator](self._constant(term.left), self._constant(term.right)))
        raise ValueError("the end of a range depends on the state")

    def code(self, kind: Type, value: int) -> object:
        """A value as a log writes it: seats and numbers as numbers, the rest as codes, sets as lists."""
        if kind.many:
            return [self.code(Type(kind.base), member) for member in members(value)]
        if kind.base == "bool":
            return bool(value)
        domain = self.book.domains.get(kind.base)
        if domain is None:
            return value
        if value == NONE:
            return None
        return value if domain.circular else domain.values[value].code


def choose(
    book: RuleBook, name: str, parameters: Mapping[str, int], readings: Mapping[str, str], is_shipped: bool
) -> Rules:
    """The rules of a profile with some parameters and readings chosen otherwise. Raises SpecError."""
    collector = Collector()
    chosen = dict(book.readings)
    for question, reading in readings.items():
        with collector.collecting():
            chosen[question] = checked_reading(book.questions, question, reading, Place(f"readings.{question}"))
    values = {key: parameter.value for key, parameter in book.parameters.items()}
    for key, value in parameters.items():
        with collector.collecting():
            place = Place(f"parameters.{key}")
            if key not in book.parameters:
                raise refuse(place, "unknown parameter", key, meant=nearest(key, book.parameters))
            values[key] = with_value(book.parameters[key], value, place).value
    collector.finish()
    for exclusion in book.exclusions:
        if exclusion.under.holds(chosen):
            raise refuse(
                Place("readings"), f"these readings contradict each other ({exclusion.because})", str(exclusion.under)
            )
    return Rules(book, name, chosen, values, _definitions(book, chosen), _events(book, chosen), is_shipped)


def checked_reading(questions: Mapping[str, Question], question: str, reading: str, place: Place) -> str:
    """The reading, if the question exists and has it. Raises SpecError."""
    if question not in questions:
        raise refuse(place, "unknown question", question, meant=nearest(question, questions))
    known = questions[question].readings
    if reading not in known:
        raise refuse(place, f"unknown reading of {question}", reading, " or ".join(known), nearest(reading, known))
    return reading


def _definitions(book: RuleBook, readings: Mapping[str, str]) -> dict[str, Definition]:
    chosen = {}
    problems = []
    for name, definition in book.definitions.items():
        alternatives = _in_force(definition.alternatives, readings)
        chosen[name] = replace(definition, alternatives=alternatives)
        if definition.alternatives and not alternatives:
            problems.append(Problem(definition.place, "under these readings no clause gives this", name))
    if problems:
        raise SpecError(problems)
    return chosen


def _events(book: RuleBook, readings: Mapping[str, str]) -> dict[str, EventRule]:
    return {
        id_: replace(
            event,
            requires=_in_force(event.requires, readings),
            effects=_in_force(event.effects, readings),
        )
        for id_, event in book.events.items()
        if event.under.holds(readings)
    }


def _in_force(clauses: Iterable[_Part], readings: Mapping[str, str]) -> tuple[_Part, ...]:
    return tuple(part for part in clauses if part.clause.under.holds(readings))
