"""Finds out whether a changed rule book judges anything differently, on the states of many random hands.

A game of the changed rules leaves the games of the original ones at some state that the original ones reach, and
there something differs: what may be done, by whom, which clause refuses what, what follows, what is seen. So each
state is asked by itself, and only where a changed definition has another value, or a changed event can happen.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property, partial
from random import Random
from typing import TypeVar

from rules_text import single_readings

from buckspec import interpret
from buckspec import typed as t
from buckspec.evaluate import Answer, Evaluator, Missing, RuleError
from buckspec.observe import observed
from buckspec.problem import SpecError
from buckspec.rulebook import Definition, EventRule, RuleBook, Under
from buckspec.rules import Rules, choose
from buckspec.state import Event, State
from buckspec.types import NONE, members
from buckspec_conformance.random_hands import RARE, UNIFORM, Style, deals, hand, opening, readings

STACKED = Style(moods=(1, 2, 30), stacked=0.8, near=0.9, nearness=4)
_ALIKE = 100  # states kept for each set of values that a definition depends on
_ASKED = 40  # states asked in each phase for a verdict; of those in which one thing alone can happen, so many times
_TIMES = 10
_HANDS = 4  # hands of a game at most; with large penalties, random play may never end
_MIXED = 24  # corpora of mixed readings
Change = TypeVar("Change", bound=Hashable)
FAILURES = (RuleError, ArithmeticError, LookupError, TypeError, ValueError)
"""How rules that make no sense end; a crash is noticed too."""

Values = tuple[Answer | tuple[int, ...], ...]


def outcome(state: State) -> object:
    """All that the rules say of a state; a failure of the rules is an outcome too."""
    try:
        rules = state.rules
        said: list[object] = [interpret.phase_clause(state).id]
        said += [_seen(state, name) for name in rules.book.observations]
        said += [interpret.view(state, seat) for seat in range(rules.seats.size)]
        for rule in interpret.current_events(state):
            said += [(event, *_judged(state, rule, event)) for event in _tried(state, rule)]
    except FAILURES:
        return "the rules fail"
    return said


def _seen(state: State, name: str) -> object:
    try:
        return observed(state, name)
    except RuleError:
        return "nothing"


def _tried(state: State, rule: EventRule) -> Iterator[Event]:
    """Every event by who may act, and one by each who may not."""
    if rule.by_chance:
        yield Event(rule.id, None, tuple(range(state.rules.pack.size)))
    elif rule.is_automatic:
        yield Event(rule.id)
    else:
        yield from interpret.candidates(state, rule)
        for seat in set(range(state.rules.seats.size)) - set(members(interpret.actors(state, rule))):
            yield Event(rule.id, seat, (0,) * len(rule.takes))


def _judged(state: State, rule: EventRule, event: Event) -> tuple[object, ...]:
    """The clauses that refuse an event, or the state just after it."""
    broken = () if rule.is_automatic else interpret.broken(state, event)
    if broken:
        return tuple(violation.clause.id for violation in broken)
    return interpret.happen(state, rule, event).values


@dataclass(eq=False)
class Corpus:
    """The states of random hands under one choice of readings."""

    rules: Rules
    hands: int
    outcomes: dict[Values, object] = field(default_factory=dict)
    groups: dict[frozenset[str], list[list[State]]] = field(default_factory=dict)

    @cached_property
    def states(self) -> list[State]:
        """Every state that the hands lead through, each once."""
        rng = Random(1)
        found: dict[Values, State] = {}
        played = 0
        while played < self.hands:
            style = rng.choice([UNIFORM, RARE, STACKED])
            state = opening(rng, self.rules, style)
            found[state.values] = state
            for _ in range(_HANDS):
                if not deals(state):
                    break
                events, after = hand(rng, state, style)
                for event in events:
                    steps = list(_steps(state, event))
                    found.update((step.values, step) for step in steps)
                    state = steps[-1]
                assert state == after
                played += 1
        states = list(found.values())
        rng.shuffle(states)
        return states

    def alike(self, needed: frozenset[str]) -> list[list[State]]:
        """The states by the values of some variables and definitions, a few of each kind."""
        if needed in self.groups:
            return self.groups[needed]
        groups: dict[tuple[object, ...], list[State]] = {}
        for state in self.states:
            key = tuple(value for one in sorted(needed) for value in _value(state, one))
            group = groups.setdefault(key, [])
            if len(group) < _ALIKE:
                group.append(state)
        self.groups[needed] = list(groups.values())
        return self.groups[needed]

    def differs(self, changed: Rules) -> bool | None:
        """Whether changed rules judge any of the states differently; None if nothing gave cause to ask."""
        if _start(self.rules) != _start(changed):
            return True
        answers = map(partial(self.judged_otherwise, changed), self.suspicious(changed))
        first = next(answers, None)
        return first if first is None else first or any(answers)

    def suspicious(self, changed: Rules) -> Iterator[State]:
        """States in which something that was changed has another value or can happen, some of each phase."""
        asked: dict[int, int] = {}
        events = [id_ for id_, event in self.rules.events.items() if changed.events.get(id_) != event]
        begins = changed.book.variables != self.rules.book.variables
        found = self.other_values(changed)
        for state in (*found.values(), *(self.states if events or begins else ())):
            phase = state.known("phase")
            here = self.rules.by_phase[phase]
            touched = any(event.id in events or (begins and event.begins) for event in here)
            most = _ASKED * (_TIMES if here and here[0].is_automatic else 1)
            if (touched or state.values in found) and asked.setdefault(phase, 0) < most:
                asked[phase] += 1
                yield state

    def other_values(self, changed: Rules) -> dict[Values, State]:
        """The states in which a changed definition has another value."""
        found = {}
        for name in changed_definitions(self.rules.book, changed.book):
            definition = changed.book.definitions[name]
            needed = _inputs(self.rules, self.rules.book.definitions[name]) | _inputs(self.rules, definition)
            for group in self.alike(frozenset(needed)):
                if _answers(group[0], self.rules, name) != _answers(group[0], changed, name):
                    found.update((state.values, state) for state in group)
        return found

    def judged_otherwise(self, changed: Rules, state: State) -> bool:
        if state.values not in self.outcomes:
            self.outcomes[state.values] = outcome(state)
        return outcome(State(changed, state.values)) != self.outcomes[state.values]


def _steps(state: State, event: Event) -> Iterator[State]:
    state = interpret.happen(state, state.rules.events[event.id], event)
    yield state
    while automatic := [rule for rule in interpret.current_events(state) if rule.is_automatic]:
        state = interpret.happen(state, automatic[0], Event(automatic[0].id))
        yield state


def _start(rules: Rules) -> Values:
    first = {
        variable.name: 0
        for variable in rules.book.variables.values()
        if variable.life == "game" and variable.first is None
    }
    try:
        return interpret.start(rules, first).values
    except FAILURES:
        return ()


# ---------------------------------------------------------------------- definitions


def changed_definitions(book: RuleBook, other: RuleBook) -> list[str]:
    """The definitions whose text, or a table or parameter in it, is another."""
    tables = {name for name in book.tables if book.tables[name] != other.tables[name]}
    numbers = {name for name in book.parameters if book.parameters[name] != other.parameters[name]}
    return [
        name
        for name, definition in other.definitions.items()
        if definition != book.definitions[name]
        or any(
            (isinstance(node, t.Look) and node.table in tables)
            or (isinstance(node, t.Parameter) and node.name in numbers)
            for term in definition.terms()
            for node in t.walk(term)
        )
    ]


def _inputs(rules: Rules, definition: Definition) -> set[str]:
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
                    found |= _inputs(rules, rules.book.definitions[node.definition])
                case t.Sum():
                    is_plain = node.is_variable
                    found |= {node.function} if is_plain else _inputs(rules, rules.book.definitions[node.function])
    return found


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
    arguments = [NONE] if domain is None else list(range(domain))
    try:
        return [(_case(evaluator, definition, one), evaluator.definition(name, one)) for one in arguments]
    except FAILURES:
        return ["the rules fail"]


def _case(evaluator: Evaluator, definition: Definition, argument: int) -> str | None:
    held = evaluator.alternative(definition.name, argument) if definition.alternatives else None
    return None if held is None or isinstance(held, Missing) else held.clause.id


# ---------------------------------------------------------------------- all readings


Choice = tuple[dict[str, int], dict[str, str]]
"""Parameters and readings."""


def choices(rules: Rules) -> list[Choice]:
    """The usual one, those for the readings that a clause asks for, and some for mixed readings with other numbers."""
    rng = Random(2)
    mixed = [(_apart(rules.book), readings(rng, rules.book)) for _ in range(_MIXED)]
    return [*(({}, chosen) for chosen in single_readings(rules)), *mixed]


def concerned(book: RuleBook, changed: RuleBook, rules: Rules) -> bool:
    """Whether something that was changed belongs to these rules."""
    unders = list(_changed_clauses(book, changed))
    return not unders or any(under.holds(rules.readings) for under in unders)


def fates(
    rules: Rules, changes: Iterable[tuple[Change, Callable[[], RuleBook]]], hands: int, most: int
) -> dict[Change, str]:
    """What becomes of changed rule books: refused by the loader, noticed by a game, or survived.

    Each is asked about under one choice of readings after the other, until it is noticed or so many of those that
    gave any cause to ask have not noticed it.
    """
    found: dict[Change, str] = {}
    left: dict[Change, RuleBook] = {}
    causes: Counter[Change] = Counter()

    def ask(change: Change, book: RuleBook) -> None:
        left[change] = book
        if concerned(rules.book, book, corpus.rules):
            differs = corpus.differs(choose(book, "changed", *choice, is_shipped=False))
            causes[change] += differs is not None
            if differs or causes[change] == most:
                found[change] = "noticed" if differs else "survived"
                del left[change]

    first, *others = choices(rules)
    choice, corpus = first, Corpus(choose(rules.book, "original", *first, is_shipped=True), hands)
    for change, load in changes:
        try:
            book = load()
        except SpecError:
            found[change] = "refused"
        else:
            ask(change, book)
    for choice in others:
        corpus = Corpus(choose(rules.book, "original", *choice, is_shipped=True), hands)
        for change, book in list(left.items()):
            ask(change, book)
    return found | dict.fromkeys(left, "survived")


def _apart(book: RuleBook) -> dict[str, int]:
    """Values of parameters, each another one as far as their ranges admit."""
    chosen: dict[str, int] = {}
    for name, parameter in sorted(book.parameters.items(), key=lambda item: item[1].high - item[1].low):
        free = [value for value in range(parameter.low, parameter.high + 1) if value not in chosen.values()]
        chosen[name] = parameter.value if parameter.value in free else free[-1] if len(free) < 10 else free[9]
    return chosen


def _changed_clauses(book: RuleBook, other: RuleBook) -> Iterator[Under]:
    """The readings of each clause that is another; of a definition or event without clauses, none in particular."""
    for name, definition in other.definitions.items():
        before = book.definitions[name]
        if definition.value != before.value:
            yield Under()
        for case, was in zip(definition.alternatives, before.alternatives, strict=True):
            if case != was:
                yield case.clause.under
    for name, event in other.events.items():
        old = book.events[name]
        if event.by != old.by:
            yield event.under
        for part, former in zip((*event.requires, *event.effects), (*old.requires, *old.effects), strict=True):
            if part != former:
                yield Under((*event.under.choices, *part.clause.under.choices))
