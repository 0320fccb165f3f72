"""Which objectives a request meets, where the rules are asked for what an engine has to answer.

The request is walked by the interpreter. Looked at are the evaluations that its answers need, and no others: whether
each event is legal, what follows from it, which events are legal in each state that is reported, and what can be
observed of it.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Any

from buckspec import interpret
from buckspec import typed as t
from buckspec.evaluate import Answer, Evaluator, Locals, Missing
from buckspec.observe import interpreted
from buckspec.replay import deal_of, opening
from buckspec.rulebook import Alternative, RuleBook
from buckspec.rules import Rules
from buckspec.state import Event, State
from buckspec.types import NONE, members
from buckspec.words import from_log, words_of
from buckspec_conformance.coverage.decisions import Decision, decisions, owner_of, uses, whole
from buckspec_conformance.requesting import DEALER, EVENTS, Request, hands_of, totals_of


@dataclass(frozen=True)
class Found:
    """The ids of the objectives that have been met. With an owner, those of other clauses are not looked for."""

    owner: str | None = None
    ids: set[str] = field(default_factory=set)

    def wanted(self) -> frozenset[str]:
        """The objectives of the owner that have been met."""
        return frozenset(id_ for id_ in self.ids if self.owner in (None, owner_of(id_)))


def met(rules: Rules, request: Request, owner: str | None = None) -> frozenset[str]:
    """The objectives that a request meets; with `owner`, those of one clause or definition, which is quicker."""
    found = Found(owner)
    totals = totals_of(request)
    dealer = hands_of(request)[0].get(DEALER, 0)
    state = opening(rules, dealer, None if totals is None else tuple(totals))
    for hand in hands_of(request):
        state = _hand(state, hand, found)
    return found.wanted()


def _hand(state: State, hand: Mapping[str, Any], found: Found) -> State:
    """The state after a hand, or as much of it as can be tried."""
    rules = state.rules
    cards = words_of(rules).cards
    deal = Event(deal_of(rules).rule.id, None, tuple(cards[card] for card in hand["deck"]))
    after = attempt(state, deal, found)
    if after is None:
        return state
    state = after
    for logged in hand[EVENTS]:
        try:
            event = from_log(rules, logged)
        except ValueError:  # no event of these rules: they are not asked about it
            continue
        state = attempt(state, event, found) or state
    return state


def attempt(state: State, event: Event, found: Found) -> State | None:
    """The state after an event and all that follows by itself, as it is reported; None if the event is refused."""
    watched = Watched(state.rules, state.values, found=found)
    if interpret.broken(watched, event):
        return None
    after = watched.after(event)
    while automatic := [rule for rule in interpret.current_events(after) if rule.is_automatic]:
        after = after.after(Event(automatic[0].id))
    interpret.legal(after)
    for name in state.rules.book.observations:
        interpreted(after, name)
    return after


@dataclass(frozen=True)
class Watched(State):
    """A state that notes what is asked of it, and what that shows."""

    found: Found = field(default_factory=Found, compare=False, repr=False)

    @cached_property
    def evaluator(self) -> Evaluator:
        return Watching(self.rules, self.values, self.found)  # type: ignore[arg-type]

    def after(self, event: Event) -> "Watched":
        """The state just after an event that is legal."""
        rule = self.rules.events[event.id]
        self.found.ids.update(effect.clause.id for effect in rule.effects)
        return Watched(self.rules, interpret.happen(self, rule, event).values, found=self.found)


class Watching(Evaluator):
    """An evaluator that notes which objectives are met by what it is asked."""

    def __init__(self, rules: Rules, values: tuple[Answer, ...], found: Found):
        super().__init__(rules, values)
        self.found = found
        self.index = _index(rules.book, found.owner)
        self.used = uses(rules.book)
        self.held: dict[tuple[str, Answer], Alternative | Missing] = {}
        self.probe = _Probe(rules, values, self.known)

    def term(self, term: t.Term, local: Locals) -> Answer:
        answer = super().term(term, local)
        for decision in self.index.get(id(term), ()):
            if not _ids(decision) <= self.found.ids:
                self.found.ids.update(shown(self.probe, decision, local))
        return answer

    def alternative(self, name: str, argument: Answer = NONE) -> Alternative | Missing:
        key = (name, argument)
        if key not in self.held:  # every candidate for an event asks for the phase again
            held = self.held[key] = super().alternative(name, argument)
            if not isinstance(held, Missing) and held.clause.id in self.used:
                self.found.ids.add(held.clause.id)
        return self.held[key]


class _Probe(Evaluator):
    """Asks what nobody has asked; nothing of that counts. What is known already it need not work out again."""

    def __init__(self, rules: Rules, values: tuple[Answer, ...], asked: Mapping[tuple[str, Answer], Answer]):
        super().__init__(rules, values)
        self.asked = asked

    def definition(self, name: str, argument: Answer = NONE) -> Answer:
        key = (name, argument)
        return self.asked[key] if key in self.asked else super().definition(name, argument)


@cache
def _index(book: RuleBook, owner: str | None) -> Mapping[int, list[Decision]]:
    """The decisions by the term at whose evaluation they are taken: themselves, or the quantifier around them."""
    found: dict[int, list[Decision]] = {}
    for decision in decisions(book):
        if owner in (None, decision.owner):
            found.setdefault(id(decision.quantifier or decision.term), []).append(decision)
    return found


@cache
def _ids(decision: Decision) -> frozenset[str]:
    return frozenset(objective.id for objective in decision.objectives)


_SHOWN: dict[object, tuple[str, ...]] = {}
"""What a decision shows, by the values of its conditions: nothing else has a say in it."""


def shown(evaluator: Evaluator, decision: Decision, local: Locals) -> tuple[str, ...]:
    """The objectives that a decision meets where it is taken, with these names."""
    rows = tuple(_rows(evaluator, decision, local))
    key = (decision, rows)
    if key not in _SHOWN:
        _SHOWN[key] = tuple(dict.fromkeys(id_ for row in rows for id_ in _by(evaluator, decision, local, row)))
    return _SHOWN[key]


Row = tuple[int | None, tuple[Answer, ...]]
"""A member of the set that a quantifier is about, if there is one, and the values of the conditions for it."""


def _rows(evaluator: Evaluator, decision: Decision, local: Locals) -> Iterator[Row]:
    if decision.quantifier is None:
        yield None, tuple(evaluator.term(condition, local) for condition in decision.conditions)
        return
    target = evaluator.term(decision.quantifier.target, local)
    for member in () if isinstance(target, Missing) else members(target):
        inner = {**local, decision.quantifier.variable.name: member}
        yield member, tuple(evaluator.term(condition, inner) for condition in decision.conditions)


def _by(evaluator: Evaluator, decision: Decision, local: Locals, row: Row) -> Iterator[str]:
    """What one row shows. `local` are the names outside of the quantifier."""
    member, values = row
    inner = local if decision.quantifier is None else {**local, decision.quantifier.variable.name: member}
    outcome = evaluator.term(decision.term, inner)  # type: ignore[arg-type]
    for objective in decision.objectives:
        number, value = objective.condition, objective.value
        if number is None:
            if _is(outcome, value):
                yield objective.id
        elif _is(values[number], value):
            held, other = (evaluator.term(_whole(decision, number, one, member), local) for one in (value, not value))
            if held != other:
                yield objective.id


_whole = cache(whole)


def _is(answer: Answer, value: bool) -> bool:
    return not isinstance(answer, Missing) and bool(answer) is value
