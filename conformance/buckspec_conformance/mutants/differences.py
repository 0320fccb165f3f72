"""What is different in a changed rule book, and in which states that makes a difference at first."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from buckspec import typed as t
from buckspec.evaluate import Evaluator, RuleError
from buckspec.rulebook import DealStep, Definition, EventRule, RuleBook, Variable
from buckspec.rules import Rules
from buckspec.state import State
from buckspec.types import NONE
from buckspec_conformance.mutants.live import Live
from buckspec_conformance.mutants.walked import Course, Values

FAILURES = (RuleError, ArithmeticError, LookupError, TypeError, ValueError)
"""How rules end that make no sense."""


@dataclass(frozen=True, eq=False)
class Differences:
    """Two rule books of which one is a change of the other."""

    book: RuleBook
    changed: RuleBook

    @cached_property
    def live(self) -> Live:
        """What matters in either."""
        return Live((self.book, self.changed))

    @cached_property
    def definitions(self) -> tuple[str, ...]:
        """The definitions that matter whose text, or a table or number in it, is another."""
        new = self.changed.definitions
        return tuple(
            name for name, old in self.book.definitions.items()
            if name in self.live.names and (new[name] != old or self._mention([*old.terms(), *new[name].terms()]))
        )  # fmt: skip

    @cached_property
    def events(self) -> tuple[str, ...]:
        """The events that are others in what matters, or which begin a variable that is."""
        begun = {variable.life for variable in self._variables}
        found = []
        for id_, old in self.book.events.items():
            new = self.changed.events[id_]
            begins = any(variable.life in begun for variable in self.book.begun_by(old.begins))
            if self._alive(new) != self._alive(old) or begins or self._mention([*old.terms(), *new.terms()]):
                found.append(id_)
        return tuple(found)

    @cached_property
    def is_start(self) -> bool:
        """The state before the first hand may be another, or what is dealt."""
        return bool(self._variables)

    @cached_property
    def is_deal(self) -> bool:
        """Something else is dealt, or in another order, to where it matters."""
        return any(
            list(self._deals(old)) != list(self._deals(self.changed.events[id_]))
            for id_, old in self.book.events.items()
        )

    def _alive(self, event: EventRule) -> EventRule:
        """The event, less what it sets that no rule asks for."""
        effects = [
            replace(effect, sets=tuple(part for part in effect.sets if part.variable in self.live.names))
            for effect in event.effects
        ]
        return replace(event, effects=tuple(effect for effect in effects if effect.sets or effect.deals))

    def _deals(self, event: EventRule) -> Iterator[tuple[str, tuple[DealStep, ...]]]:
        """What is dealt by each clause, up to the last step that matters."""
        for effect in event.effects:
            steps = effect.deals
            while steps and steps[-1].variable not in self.live.names:
                steps = steps[:-1]
            if steps:
                yield effect.clause.id, steps

    @cached_property
    def has_other_numbers(self) -> bool:
        """A parameter or a table is another."""
        return bool(self._tables or self._numbers)

    @cached_property
    def _variables(self) -> list[Variable]:
        return [
            old
            for name, old in self.book.variables.items()
            if name in self.live.names and self._begins_otherwise(old, self.changed.variables[name])
        ]

    def _begins_otherwise(self, old: Variable, new: Variable) -> bool:
        return new != old or self._mention([first for first in (old.first, new.first) if first is not None])

    @cached_property
    def _tables(self) -> frozenset[str]:
        return frozenset(name for name, table in self.book.tables.items() if self.changed.tables[name] != table)

    @cached_property
    def _numbers(self) -> frozenset[str]:
        new = self.changed.parameters
        return frozenset(name for name, number in self.book.parameters.items() if new[name] != number)

    def _mention(self, terms: list[t.Term]) -> bool:
        return self.has_other_numbers and any(
            (isinstance(node, t.Look) and node.table in self._tables)
            or (isinstance(node, t.Parameter) and node.name in self._numbers)
            for term in terms
            for node in t.walk(term)
        )


def inputs(book: RuleBook, definition: Definition) -> frozenset[str]:
    """The variables and plain definitions on which a definition depends directly, or through functions."""
    found: set[str] = set()
    for term in definition.terms():
        for node in t.walk(term):
            match node:
                case t.Read():
                    found.add(node.variable)
                case t.Use(argument=None):
                    found.add(node.definition)
                case t.Use():
                    found |= inputs(book, book.definitions[node.definition])
                case t.Sum():
                    found |= {node.function} if node.is_variable else inputs(book, book.definitions[node.function])
    return frozenset(found)


def other_values(course: Course, differences: Differences, changed: Rules) -> set[Values]:
    """The states of a course in which a changed definition has another value."""
    book = course.rules.book
    found: set[Values] = set()
    for name in differences.definitions:
        needed = inputs(book, book.definitions[name]) | inputs(book, changed.book.definitions[name])
        for group in _alike(course, needed):
            if _answers(group[0], course.rules, name) != _answers(group[0], changed, name):
                found.update(state.values for state in group)
    return found


def _alike(course: Course, needed: frozenset[str]) -> list[list[State]]:
    """The states by the values of some variables and definitions."""
    if needed not in course.groups:
        groups: dict[tuple[object, ...], list[State]] = {}
        for state in course.states:
            groups.setdefault(tuple(value for one in sorted(needed) for value in _value(state, one)), []).append(state)
        course.groups[needed] = list(groups.values())
    return course.groups[needed]


def _value(state: State, name: str) -> Iterator[object]:
    if name in state.rules.slots:
        slot = state.rules.slots[name]
        yield from state.values[slot.offset : slot.offset + slot.width]
    else:
        yield state.evaluator.definition(name)


def _answers(state: State, rules: Rules, name: str) -> list[object]:
    """The values of a definition in a state, by these rules; everything else that it uses is as it was."""
    definition = rules.definitions[name]
    evaluator = Evaluator(rules, state.values)  # type: ignore[arg-type]
    evaluator.known.update({key: value for key, value in state.evaluator.known.items() if key[0] != name})
    domain = rules.book.domains[definition.domain].size if definition.domain else None
    try:
        return [evaluator.definition(name, one) for one in ([NONE] if domain is None else range(domain))]
    except FAILURES:
        return ["the rules fail"]
