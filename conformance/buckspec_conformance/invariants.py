"""The invariants of the rule book, evaluated on what an engine itself reports.

What it reports of a state is put in the place of what the rules say: a variable, where an observation shows it, or a
definition. What can be seen but is not reported is unknown, and unknown is what most invariants then are. What cannot
be seen at all follows from the events that the engine accepted, legal or not.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from msgspec import UNSET

from buckspec import interpret
from buckspec import typed as t
from buckspec.evaluate import UNKNOWN, Answer, Evaluator, Missing, RuleError
from buckspec.play import apply
from buckspec.replay import deal_of, opening
from buckspec.rulebook import Invariant, Observation
from buckspec.rules import Rules
from buckspec.state import Event, Refused, State
from buckspec.types import NONE, Type
from buckspec.words import from_log, words_of
from buckspec_conformance.case import Case, Layer
from buckspec_conformance.messages import PlayResponse, Step

INVARIANT: Layer = "invariant"


@dataclass(frozen=True)
class Watched:
    """An invariant as something to choose; see `buckspec_conformance.select`."""

    clause: str
    tags: tuple[str, ...] = (INVARIANT,)

    @property
    def id(self) -> str:
        """The name of its case."""
        return f"{INVARIANT}/{self.clause}"

    @property
    def clauses(self) -> tuple[str, ...]:
        """The one clause."""
        return (self.clause,)


def watched(rules: Rules) -> tuple[Watched, ...]:
    """The invariants that are in force by some rules."""
    return tuple(Watched(one.clause.id) for one in _in_force(rules))


def _in_force(rules: Rules) -> list[Invariant]:
    return [one for one in rules.book.invariants.values() if one.clause.under.holds(rules.readings)]


@dataclass(frozen=True)
class Broken:
    """An invariant that is false of what an engine reports, and where."""

    hand: int
    step: int
    reported: Mapping[str, object]


@dataclass
class Kept:
    """What was found of one invariant: on how many right states it was true, on how many unknown, where false.

    `case` is the name of what was asked where it was false.
    """

    clause: str
    says: str
    true: int = 0
    unknown: int = 0
    broken: Broken | None = None
    request: Mapping[str, object] | None = None
    case: str = ""


class Invariants:
    """Keeps an eye on the invariants while an engine answers."""

    def __init__(self, reports: Collection[str]) -> None:
        self.reports = frozenset(reports)
        self.kept: dict[str, Kept] = {}

    def look(self, rules: Rules, case: Case, answer: PlayResponse, *, is_right: bool) -> None:
        """Evaluate the invariants on the states of the answer to a case.

        That one is true counts only where the answer is right: much is true of a state that never changes.
        """
        request: Mapping[str, Any] = case.request
        inv = _in_force(rules)
        for hand, step, state, told in followed(rules, request, answer):
            evaluator = reported(state, told, self.reports)
            for one in inv:
                kept = self.kept.setdefault(one.clause.id, Kept(one.clause.id, one.clause.says))
                truth = _truth(evaluator, one.when, one.that)
                if isinstance(truth, Missing):
                    kept.unknown += 1
                elif truth:
                    kept.true += is_right
                elif kept.broken is None or size(request) < size(kept.request or {}):
                    kept.broken, kept.request, kept.case = Broken(hand, step, _fields(told)), request, case.id

    def unseen(self, rules: Rules, clause: str) -> str | None:
        """Why the invariant is not tested by what this engine reports; None if it is."""
        invariant = rules.book.invariants[clause]
        terms = [term for term in (invariant.when, invariant.that) if term is not None]
        variables, definitions = _mentioned(rules, terms)
        shown = []
        for observation in rules.book.observations.values():
            place = _place(observation)
            if place is not None and place[1] in (variables if place[0] else definitions):
                shown.append(observation.name)
        lacking = [name for name in shown if name not in self.reports]
        if lacking:
            return f"it needs {', '.join(lacking)}, which the engine does not report"
        return None if shown else "nothing of what it speaks of can be seen from outside"


def size(request: Mapping[str, Any]) -> int:
    """How many events a request has."""
    return sum(len(hand["events"]) for hand in request.get("hands", ()))


def _truth(evaluator: Evaluator, when: t.Term | None, that: t.Term) -> Answer:
    """Whether an invariant holds; where its condition is false it does."""
    try:
        applies = evaluator.holds(when, {})
        if not isinstance(applies, Missing) and not applies:
            return True
        holds = evaluator.term(that, {})
    except RuleError:  # what is reported does not fit together, for which other clauses have the word
        return UNKNOWN
    if isinstance(holds, Missing):
        return UNKNOWN
    return True if holds else applies if isinstance(applies, Missing) else False


def _mentioned(rules: Rules, terms: list[t.Term]) -> tuple[set[str], set[str]]:
    """The variables and definitions that terms depend on, but nothing behind a definition that can be seen."""
    seen = {place[1] for one in rules.book.observations.values() if (place := _place(one)) and not place[0]}
    variables: set[str] = set()
    definitions: set[str] = set()
    while terms:
        for node in t.walk(terms.pop()):
            name = node.function if isinstance(node, t.Sum) else getattr(node, "definition", None)
            if isinstance(node, t.Read) or (isinstance(node, t.Sum) and node.is_variable):
                variables.add(node.variable if isinstance(node, t.Read) else node.function)
            elif name is not None and name not in definitions:
                definitions.add(name)
                if name not in seen:
                    terms += rules.definitions[name].terms()
    return variables, definitions


# ---------------------------------------------------------------------- the states of an engine


def followed(rules: Rules, request: Mapping[str, Any], answer: PlayResponse) -> Iterator[tuple[int, int, State, Step]]:
    """Each step that the engine reports, with the state to which the events that it accepted lead.

    It ends where the engine says that it went wrong, or where the rules do not say what follows from an event that
    should have been refused.
    """
    start = request.get("start") or {}
    totals = start.get("totals")
    state = opening(rules, request["hands"][0]["dealer"], None if totals is None else tuple(totals))
    for number, (hand, told) in enumerate(zip(request["hands"], answer.hands, strict=False)):
        cards = words_of(rules).cards
        deal = Event(deal_of(rules).rule.id, None, tuple(cards[card] for card in hand["deck"]))
        first, *rest = told.steps
        after = _let_stand(state, deal) if first.accepted is not False and first.error is UNSET else None
        if after is None:
            return
        state = after
        yield number, 0, state, first
        for place, (logged, step) in enumerate(zip(hand["events"], rest, strict=False), 1):
            if step.error is not UNSET:
                return
            if step.accepted is True:
                after = _accepted(state, logged)
                if after is None:
                    return
                state = after
            yield number, place, state, step


def _accepted(state: State, logged: Mapping[str, object]) -> State | None:
    try:
        event = from_log(state.rules, logged)
    except ValueError:
        return None
    return _let_stand(state, event)


def _let_stand(state: State, event: Event) -> State | None:
    """The state after an event that counts although it may be illegal; None where the rules cannot say."""
    try:
        after = apply(state, event)
        if not isinstance(after, Refused):
            return after
        rule = state.rules.events.get(event.id)
        unproven = State(replace(state.rules, is_shipped=False), state.values)
        return None if rule is None else interpret.settled(interpret.happen(unproven, rule, event))
    except (RuleError, LookupError, TypeError, ValueError):
        return None


def reported(state: State, told: Step, reports: Collection[str]) -> Evaluator:
    """An evaluator of a state in which what is reported stands in the place of what the rules say."""
    rules = state.rules
    values = list(state.values)
    known: dict[tuple[str, Answer], Answer] = {}
    for observation in rules.book.observations.values():
        place = _place(observation)
        if place is None:
            continue
        is_variable, name = place
        value = getattr(told, observation.name, UNSET)
        is_told = observation.name in reports and value is not UNSET
        if is_variable:
            slot = rules.slots[name]
            found = _values(rules, observation, value) if is_told else [UNKNOWN] * slot.width
            if found is not None and len(found) == slot.width:
                values[slot.offset : slot.offset + slot.width] = found
        else:
            known[name, NONE] = _defined(rules, observation, value) if is_told else UNKNOWN
    evaluator = Evaluator(rules, values)  # type: ignore[arg-type]
    evaluator.known.update(known)
    return evaluator


def _place(observation: Observation) -> tuple[bool, str] | None:
    """Whether an observation shows a variable, and which variable or definition; None if it is worked out."""
    match observation:
        case Observation(at=str()):
            return None
        case Observation(value=t.Read(variable=name, index=None | t.Local())):
            return True, name
        case Observation(value=t.Use(definition=name, argument=None)):
            return False, name
        case Observation(value=t.Among(element=t.Local(), target=t.Use(definition=name, argument=None))):
            return False, name
    return None


def _values(rules: Rules, observation: Observation, value: Any) -> list[Answer] | None:
    parts = [value] if observation.domain is None else list(value)
    try:
        return [_value(rules, observation.type, part) for part in parts]
    except KeyError:
        return None


def _defined(rules: Rules, observation: Observation, value: Any) -> Answer:
    """The value of a definition that an observation shows, member by member where it shows who is in a set."""
    try:
        if observation.domain is not None:
            return sum(1 << index for index, part in enumerate(value) if part)
        return _value(rules, observation.type, value)
    except KeyError:
        return UNKNOWN


def _value(rules: Rules, kind: Type, told: Any) -> int:
    """A value as the rules have it, of one as a log writes it. Raises KeyError for what is none."""
    if kind.many:
        return sum(1 << _value(rules, Type(kind.base), one) for one in dict.fromkeys(told))
    if told is None:
        return NONE
    domain = rules.book.domains.get(kind.base)
    if domain is None or domain.circular:
        return int(told)
    return domain.by_code[told]


def _fields(told: Step) -> dict[str, object]:
    return {name: getattr(told, name) for name in told.__struct_fields__ if getattr(told, name) is not UNSET}
