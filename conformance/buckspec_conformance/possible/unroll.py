"""A whole hand as a sequence of events of which a solver chooses the cards.

What is said (who passes, orders, stays) is tried out, one event after the other; what cards are dealt and played, and
who then takes a trick, is left to the solver. So the phases of a hand are known, and its formulas stay small. Each
state gets names of its own for its small values, with the fact that each has one value: a proof then goes trick by
trick. What is not shown of the rules, but relied on, is that they do not fail: a hand in which two clauses of a
definition hold at once, or none, is no hand.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import chain

import z3

from buckspec import typed as t
from buckspec.depend import Dependencies, successors
from buckspec.interpret import locals_of
from buckspec.rulebook import PHASE, EventRule
from buckspec.rules import Rules
from buckspec.state import Event
from buckspec.types import NONE
from buckspec_conformance.possible.counting import Counting, is_known, one_of
from buckspec_conformance.possible.patience import Patience
from buckspec_conformance.solver import values as v
from buckspec_conformance.solver.events import happen, requirements
from buckspec_conformance.solver.guards import Guard, conj, disj, equal, neg
from buckspec_conformance.solver.selection import Selection
from buckspec_conformance.solver.states import Values, any_value, places, value_in
from buckspec_conformance.solver.symbolic import Locals, Symbolic
from buckspec_conformance.solver.values import Bits, Pick, Symbol


@dataclass(frozen=True, eq=False)
class Step:
    """An event, with the values of its actor and of what it is about, and the state just after it."""

    rule: EventRule
    local: Mapping[str, Pick]
    after: Symbolic


@dataclass(frozen=True, eq=False)
class Line:
    """The beginning of a hand: its events up to a moment at which a seat has to act, or nothing more happens.

    `facts` say, event by event, what holds in the states; `asked` what the rules ask of the cards. `acts` counts the
    events that somebody does. Every hand that begins so is a model of both.
    """

    state: Symbolic
    phase: int
    steps: tuple[Step, ...] = ()
    facts: tuple[tuple[Guard, ...], ...] = ()
    asked: tuple[Guard, ...] = ()
    acts: int = 0

    def guards(self) -> Iterable[Guard]:
        """Everything that holds of these hands."""
        return chain(chain.from_iterable(self.facts), self.asked)


@dataclass
class Unrolling:
    """The hands of some rules under a selection of readings, from any state before the deal.

    `rules` are those of the profile; where the readings are left to the solver, only their numbers are used.
    """

    rules: Rules
    selection: Selection
    patience: Patience
    lines: dict[Line, tuple[Line, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.counting = Counting(self.rules.book, self.patience)

    def begin(self, values: Values, condition: Guard = True) -> Iterator[Line]:
        """The lines without any event, from a state before the deal."""
        yield from self._settled(Line(Symbolic(self.rules.book, self.selection, values), NONE, facts=((condition,),)))

    def following(self, line: Line) -> tuple[Line, ...]:
        """The line after one more event, by chance or of a seat, and all that then happens by itself."""
        if line not in self.lines:
            rules = [] if self.is_over(line) else self.events_in(line.phase)
            self.lines[line] = tuple(
                after for rule in rules for after in self._settled(self._after(line, rule))
            )  # fmt: skip
        return self.lines[line]

    def is_over(self, line: Line) -> bool:
        """The hand has been played to its end, or the game is over."""
        rules = self.events_in(line.phase)
        return not rules or (bool(line.steps) and any(rule.by_chance for rule in rules))

    def events_in(self, phase: int) -> list[EventRule]:
        """The events of a phase that some reading in force may allow."""
        book = self.rules.book
        name = book.domains[book.definitions[PHASE].type.base].values[phase].name
        found = [rule for rule in book.events.values() if name in rule.phases]
        return [rule for rule in found if self.selection.under(rule.under) is not False]

    def _settled(self, line: Line) -> Iterator[Line]:
        """The line in every phase that it can be in, with what happens by itself."""
        for at in self._phases(line):
            automatic = [rule for rule in self.events_in(at.phase) if rule.is_automatic]
            if not automatic:
                yield at
            for rule in automatic:
                yield from self._settled(self._after(at, rule))

    # ---------------------------------------------------------------------- one event

    def _after(self, line: Line, rule: EventRule) -> Line:
        """The line with one more event, the phase not known yet."""
        before, name = line.state, f"{len(line.steps)} {rule.id}: "
        facts: list[Guard] = [self.selection.under(rule.under)]
        asked: list[Guard] = []
        local: dict[str, Pick] = {}
        if rule.by is not None:
            local = {"actor": self._actor(before, rule, name, facts), **self._about(rule, name, facts)}
            asked.append(requirements(before, rule, local).yes)
        facts += self._targets(before, rule, local)
        after = happen(before, rule, local, name)
        asked.append(after.condition)
        values = self._named(before, after.values, name, facts)
        earlier = list(zip((None, *(step.rule for step in line.steps)), line.facts, strict=True))
        state = self.counting.after(before, rule, values, earlier, facts)
        return Line(
            state, NONE, (*line.steps, Step(rule, local, state)), (*line.facts, tuple(facts)), (*line.asked, *asked),
            line.acts + (rule.by is not None),
        )  # fmt: skip

    @staticmethod
    def _actor(before: Symbolic, rule: EventRule, name: str, facts: list[Guard]) -> Pick:
        """Who acts: the one whose turn it is, or any of several."""
        assert rule.by is not None  # noqa: S101
        by = before.term(rule.by, {})
        assert isinstance(by, Bits | Pick)  # noqa: S101 those who may act are seats
        able = {at: guard for at, guard in by.guards.items() if guard is not False and at != NONE}
        facts.append(by.defined)
        if isinstance(by, Pick) or len(able) < 2:
            facts += one_of(able.values())
            return Pick(able)
        chosen: dict[int, Guard] = {at: z3.Bool(f"{name}actor is {at}") for at in able}
        facts += [*one_of(chosen.values()), *(disj(neg(guard), able[at]) for at, guard in chosen.items())]
        return Pick(chosen)

    def _about(self, rule: EventRule, name: str, facts: list[Guard]) -> dict[str, Pick]:
        """What the event is about: anything, within what it requires."""
        found = {}
        for taken in rule.takes:
            guards: dict[int, Guard] = {at: z3.Bool(f"{name}{taken.name} is {at}") for at in self.rules.choices(taken)}
            facts += one_of(guards.values())
            found[taken.name] = Pick(guards)
        return found

    def _targets(self, before: Symbolic, rule: EventRule, local: Locals) -> Iterator[Guard]:
        """That it is clear of whom a variable is set: the rules would fail else."""
        for effect in rule.effects:
            chosen = self.selection.under(effect.clause.under)
            for part in effect.sets:
                if part.index is not None and chosen is not False:
                    index = before.member(part.index, local)
                    for fact in (index.defined, *one_of(index.guards.values())):
                        yield disj(neg(chosen), fact)

    def _named(self, before: Symbolic, after: Values, name: str, facts: list[Guard]) -> Values:
        """The values with a name for each that is small and not known; cards are too many to be named."""
        book, found = self.rules.book, dict(after)
        for key, value in after.items():
            if value is before.values.get(key) or not isinstance(value, Pick) or is_known(value):
                continue
            if book.variables[key[0]].type.base == self.rules.pack.name:
                continue
            names: dict[int, Guard] = {at: z3.Bool(f"{name}{key[0]}({key[1]}) is {at}") for at in value.guards}
            facts += [equal(names[at], guard) for at, guard in value.guards.items()]
            facts += one_of(names.values())
            found[key] = replace(value, guards=names)
        return found

    # ---------------------------------------------------------------------- what time it is

    def _phases(self, line: Line) -> Iterator[Line]:
        """The line in each phase that can be; what cannot be is found out from as little as will do."""
        phase = line.state.definition(PHASE)
        assert isinstance(phase, Pick)  # noqa: S101
        options = {at: conj(phase.defined, guard) for at, guard in phase.guards.items() if guard is not False}
        window = 2
        while len(options) > 1 and window < len(line.facts):
            options = self._left(options, list(chain.from_iterable(line.facts[-window:])))
            window *= window
        if len(options) > 1:
            options = self._left(options, list(chain.from_iterable(line.facts)))
        if len(options) > 1 and any(rule.by is not None for at in options for rule in self.events_in(at)):
            options = self._left(options, list(line.guards()))
        for at, guard in options.items():
            yield replace(line, phase=at, facts=(*line.facts[:-1], (*line.facts[-1], guard)))

    def _left(self, options: Mapping[int, Guard], facts: list[Guard]) -> dict[int, Guard]:
        return {at: guard for at, guard in options.items() if self.patience.possible([*facts, guard])}


# ---------------------------------------------------------------------- what a model has chosen


def events_in(model: z3.ModelRef, line: Line) -> list[tuple[Step, Event]]:
    """The events after the deal that somebody does, as a model has chosen them."""
    found = []
    for step in line.steps:
        if step.rule.by is not None:
            about = tuple(value_in(model, step.local[taken.name]) for taken in step.rule.takes)
            found.append((step, Event(step.rule.id, value_in(model, step.local["actor"]), about)))
    return found


def same_events(chosen: Iterable[tuple[Step, Event]]) -> Guard:
    """Where the events of a line are these."""
    parts = []
    for step, event in chosen:
        known = {name: value for name, value in locals_of(step.rule, event).items() if isinstance(value, int)}
        parts += [v.at(symbol, known[name]) for name, symbol in step.local.items()]
    return conj(*parts)


# ---------------------------------------------------------------------- what can still come


def changed_from(rules: Rules) -> Mapping[int, frozenset[str]]:
    """For each phase the variables that events can still change before the next hand is dealt."""
    depend = Dependencies(rules)
    written: dict[int, set[str]] = {}
    after: dict[int, set[int]] = {}
    for phase, events in rules.by_phase.items():
        ends = any(rule.by_chance for rule in events)
        written[phase] = set() if ends else {name for rule in events for name in depend.writes(rule)}
        after[phase] = set() if ends else set(_next(rules, depend, events, phase))
    grows = True
    while grows:
        grows = False
        for phase, targets in after.items():
            more = set().union(*(written[target] for target in targets)) - written[phase]
            written[phase] |= more
            grows = grows or bool(more)
    return {phase: frozenset(names) for phase, names in written.items()}


def _next(rules: Rules, depend: Dependencies, events: Iterable[EventRule], phase: int) -> Iterator[int]:
    """The phases that may come after these events."""
    for rule in events:
        for case in successors(depend, rule, phase):
            value = case.alternative.value
            yield from [value.value] if isinstance(value, t.Const) else rules.by_phase


def loosened(state: Symbolic, names: Iterable[str]) -> tuple[Symbolic, Guard]:
    """The state with any value of these variables, and the condition that each has one value of its type."""
    values: dict[tuple[str, int], Symbol] = dict(state.values)
    conditions = []
    for name in names:
        variable = state.book.variables[name]
        for at in places(state.book, variable):
            values[name, at], condition = any_value(state.book, state.selection, variable, f"later {name}({at})")
            conditions.append(condition)
    return Symbolic(state.book, state.selection, values), conj(*conditions)
