"""How often what is rare came about, and which clauses had a say: what the tests of a run have met.

The situations stand in `situations.yaml`, as expressions of the rule language.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources

import yaml

from buckspec import interpret
from buckspec import typed as t
from buckspec.check import Scope, check
from buckspec.evaluate import Answer, Evaluator, Missing
from buckspec.machine import machine
from buckspec.observe import interpreted
from buckspec.rulebook import Alternative, Observation, RuleBook
from buckspec.rules import Rules
from buckspec.state import Event, State
from buckspec.syntax import ExpressionError, parse
from buckspec.types import BOOL, NONE
from buckspec_conformance.oracle import Expectation

_FILE = "situations.yaml"


@dataclass(frozen=True)
class Situation:
    """Something rare: `when` it holds at the end of a hand or, with `during`, in any state of it."""

    id: str
    means: str
    when: t.Term
    during: bool


@cache
def situations(rules: Rules) -> tuple[Situation, ...]:
    """The situations that can be told under these rules."""
    written = yaml.safe_load(resources.files(__package__ or __name__).joinpath(_FILE).read_text(encoding="utf-8"))
    found = []
    for name, one in written.items():
        try:
            term = condition(rules.book, one["when"])
        except ExpressionError:
            continue  # these rules have no such word
        found.append(Situation(name, one["means"], term, bool(one.get("during"))))
    return tuple(found)


def condition(book: RuleBook, text: str) -> t.Term:
    """A condition of the rule language, checked against a rule book. Raises ExpressionError."""
    return check(parse(text), Scope(book.symbols, {}), BOOL)


class Watch:
    """Counts, over the hands that it is shown, in how many each situation came about."""

    def __init__(self, rules: Rules) -> None:
        self.situations = situations(rules)
        self.hands = 0
        self.counts: Counter[str] = Counter({one.id: 0 for one in self.situations})
        seen = {one.id: Observation(one.id, None, BOOL, one.means, one.when, None) for one in self.situations}
        lists = {one.name: one for one in rules.lists}
        book = replace(rules.book, observations={**seen, **lists})
        self._rules = replace(rules, book=book)
        self._during = {one.id for one in self.situations if one.during}

    def hand(self, steps: Sequence[Expectation]) -> None:
        """Look at a hand: its steps, as they have to be."""
        if not steps or not steps[0].accepted:
            return
        self.hands += 1
        met: set[str] = set()
        states = [step.state for step in steps if step.accepted]
        ended = states[-1]
        for state in states[:-1]:
            met |= self._during & self._holding(state)
        found = self._holding(ended)
        met |= found if not ended.known("dealt") else found & self._during
        self.counts.update(met)

    def _holding(self, state: State) -> set[str]:
        look = machine(self._rules).observe if state.rules.is_shipped else None
        if look is not None:
            return {name for name, holds in look(state.values).items() if holds is True}
        evaluator = Evaluator(state.rules, state.values)  # type: ignore[arg-type]
        return {one.id for one in self.situations if evaluator.term(one.when, {}) is True}


# ---------------------------------------------------------------------- clauses


class _Tracer(Evaluator):
    """An evaluator that keeps the clauses by which it decided."""

    def __init__(self, state: State, chosen: set[str]):
        super().__init__(state.rules, state.values)  # type: ignore[arg-type]
        self.chosen = chosen

    def alternative(self, name: str, argument: Answer = NONE) -> Alternative | Missing:
        held = super().alternative(name, argument)
        if not isinstance(held, Missing):
            self.chosen.add(held.clause.id)
        return held


def _traced(state: State, chosen: set[str]) -> State:
    """The same state, whose evaluator keeps the clauses by which it decides."""
    traced = State(state.rules, state.values)
    vars(traced)["evaluator"] = _Tracer(traced, chosen)
    return traced


def clauses_met(step: Expectation) -> frozenset[str]:
    """The clauses that had a say in a step: in whether its event may happen, in what follows, in what then is seen."""
    found: set[str] = set()
    state = _traced(step.before, found)
    rule = state.rules.events.get(step.event.id) if step.event is not None else None
    if step.event is None or rule is None or rule not in interpret.current_events(state):
        found.add(interpret.phase_clause(state).id)
        return frozenset(found)
    found.update(violation.clause.id for violation in interpret.broken(state, step.event))
    local: Mapping[str, Answer] = {} if rule.by_chance else interpret.locals_of(rule, step.event)
    for requirement in rule.requires:
        if state.evaluator.holds(requirement.applies, local) is True:
            found.add(requirement.clause.id)
    event = step.event if step.accepted else None
    while event is not None:
        rule = state.rules.events[event.id]
        found.update(effect.clause.id for effect in rule.effects)
        state = _traced(interpret.happen(state, rule, event), found)
        automatic = [one for one in interpret.current_events(state) if one.is_automatic]
        event = Event(automatic[0].id) if automatic else None
    for name, observation in state.rules.book.observations.items():
        if observation.at is None:  # compiled, it would not pass the tracer by
            interpreted(state, name)
    return frozenset(found)
