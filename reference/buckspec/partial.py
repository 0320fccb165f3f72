"""Plays a hand of which some cards are not known, as far as what is known says what happens.

What cannot be known is UNKNOWN in the state. Events are let stand: whether they are legal is not asked here.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from operator import itemgetter

from buckspec import interpret
from buckspec import typed as t
from buckspec.cardwise import TooHidden
from buckspec.depend import Candidate, Dependencies, successors
from buckspec.evaluate import UNDEFINED, UNKNOWN, Answer, Evaluator, Locals, Missing, RuleError, missing
from buckspec.rulebook import PHASE, Alternative, Assignment, EventRule
from buckspec.rules import Rules
from buckspec.state import Event, State
from buckspec.types import NONE

_FEW = 12
"""Definitions that read no more values than this are remembered from one state to the next."""
_MOST = 100_000
"""So many are remembered."""


class Memory:
    """What definitions are worth, by the values that they read. It serves all states of some rules."""

    def __init__(self, rules: Rules):
        depend = self.depend = Dependencies(rules)
        self.slots: dict[str, tuple[int, ...]] = {}
        self.read: dict[str, Callable[[Sequence[object]], object]] = {}
        self.following: dict[tuple[str, int], tuple[Candidate, ...]] = {}
        self.cases: dict[str, list[Alternative]] = {}
        self.answers: dict[object, Answer] = {}
        for name in rules.definitions:
            read = [rules.slots[variable] for variable in sorted(depend.definition_reads(name))]
            slots = tuple(at for slot in read for at in range(slot.offset, slot.offset + slot.width))
            if len(slots) <= _FEW:
                self.slots[name] = slots
                self.read[name] = itemgetter(*slots) if slots else lambda _: None

    def after(self, rule: EventRule, phase: int) -> tuple[Candidate, ...]:
        """The phases that can follow an event of a phase."""
        key = (rule.id, phase)
        if key not in self.following:
            self.following[key] = successors(self.depend, rule, phase)
        return self.following[key]


@lru_cache
def memory_of(rules: Rules) -> Memory:
    """The memory of these rules."""
    return Memory(rules)


class _Evaluator(Evaluator):
    """Remembers from state to state what definitions are worth."""

    def __init__(self, partial: "Partial"):
        super().__init__(partial.rules, partial.values)  # type: ignore[arg-type]
        self.given, self.memory = partial.given, partial.memory

    def definition(self, name: str, argument: Answer = NONE) -> Answer:
        key = (name, argument)
        if key in self.known:
            return self.known[key]
        slots = self.memory.slots.get(name)
        if slots is None or not self.given.isdisjoint(slots):
            return super().definition(name, argument)
        longer, answers = (name, argument, self.memory.read[name](self.values)), self.memory.answers
        found = answers.get(longer)
        if found is None:
            found = super().definition(name, argument)
            if len(answers) >= _MOST:
                answers.clear()
            answers[longer] = found
        self.known[key] = found
        return found

    def alternative(self, name: str, argument: Answer = NONE) -> Alternative | Missing:
        """Of rules in which no two cases hold at once, the first that holds."""
        if not self.rules.is_shipped:
            return super().alternative(name, argument)
        definition = self.rules.definitions[name]
        local: Locals = {} if definition.parameter is None else {definition.parameter: argument}
        truths = []
        order = self.memory.cases.setdefault(name, list(definition.alternatives))
        for place, alternative in enumerate(order):
            truth = self.holds(alternative.when, local)
            if truth is not UNKNOWN and truth is not UNDEFINED and truth:
                order.insert(0, order.pop(place))  # what holds now is likely to hold next
                return alternative
            truths.append(truth)
        return missing(*truths) or UNDEFINED


class _Given(_Evaluator):
    """Knows of some values that they have been given, though not which they are."""

    def term(self, term: t.Term, local: Locals) -> Answer:
        match term:
            case t.Equal(left=t.Read() as read, right=t.Const(value=value)) if value == NONE:
                if self._slot(read, local) in self.given:
                    return term.negated
        return super().term(term, local)

    def _slot(self, read: t.Read, local: Locals) -> int | None:
        index = 0 if read.index is None else self.term(read.index, local)
        return None if isinstance(index, Missing) else self.rules.slots[read.variable].offset + index


@dataclass(frozen=True)
class Partial(State):
    """A state that is known in part; of what is not known, `given` has the slots that are not `none`.

    `found` is the phase, where it has been found out already.
    """

    given: frozenset[int] = field(default=frozenset(), compare=False)
    found: int | None = field(default=None, compare=False)
    memory: Memory = field(kw_only=True, compare=False, repr=False)

    @cached_property
    def evaluator(self) -> Evaluator:
        return _Given(self) if self.given else _Evaluator(self)


@dataclass(frozen=True)
class Step:
    """One event: the state before it, what happens, and which event of the log it belongs to (-1 for the deal)."""

    before: Partial
    rule: EventRule
    event: Event
    at: int

    @cached_property
    def local(self) -> Locals:
        """The names that the clauses see. What is not known is not among them."""
        return interpret.locals_of(self.rule, self.event) if not self.rule.by_chance else {}

    @cached_property
    def writes(self) -> tuple[tuple[Assignment, int], ...]:
        """What the event sets for one member of a domain, each with its place in the values. Raises TooHidden."""
        parts = (part for effect in self.rule.effects for part in effect.sets if part.each is None)
        return tuple((part, self.slot(part.variable, part.index)) for part in parts)

    def slot(self, variable: str, index: t.Term | None) -> int:
        """Where an assignment stands in the values of a state. Raises TooHidden."""
        place = 0 if index is None else self.before.evaluator.term(index, self.local)
        if isinstance(place, Missing) or place == NONE:
            raise TooHidden(f"which {variable} is set")
        return self.before.rules.slots[variable].offset + place


def dealt(before: State, rule: EventRule, known: Sequence[int | None], memory: Memory) -> Partial:
    """The state just after a deal of which only some places of the pack are known.

    A set that is dealt is UNKNOWN as a whole, whatever is known of its cards.
    """
    book, places = before.rules.book, tuple(range(len(known)))
    after = interpret.happen(before, rule, Event(rule.id, None, places))
    values: list[object] = list(after.values)
    for variable in {step.variable for effect in rule.effects for step in effect.deals}:
        slot = before.rules.slots[variable]
        for offset in range(slot.offset, slot.offset + slot.width):
            place = after.values[offset]
            if book.variables[variable].type.many:
                values[offset] = UNKNOWN
            elif isinstance(place, int):
                card = known[place]
                values[offset] = UNKNOWN if card is None else card
    return Partial(before.rules, tuple(values), memory=memory)  # type: ignore[arg-type]


def happened(step: Step) -> Partial:
    """The state after an event. Raises TooHidden."""
    try:
        after = interpret.happen(step.before, step.rule, step.event)
    except RuleError as error:
        raise TooHidden(str(error)) from error
    given = set(step.before.given)
    for part, slot in step.writes:
        given.discard(slot)
        if after.values[slot] is UNKNOWN and not part.value.type.many and not part.value.type.optional:
            given.add(slot)
    kept = frozenset(slot for slot in given if after.values[slot] is UNKNOWN)
    state = Partial(after.rules, after.values, given=kept, memory=step.before.memory)
    return replace(state, found=_reached(state, step.rule, phase_of(step.before)))


def _reached(state: Partial, rule: EventRule, phase: int) -> int | None:
    """The phase after an event, where a short look tells it: the one that can follow and of which the rest holds."""
    if not state.rules.is_shipped:
        return None
    for candidate in state.memory.after(rule, phase):
        truths = [(state.evaluator.term(literal.atom, {}), literal.positive) for literal in candidate.open]
        value = candidate.alternative.value
        if isinstance(value, t.Const) and all(
            not isinstance(truth, Missing) and bool(truth) is wanted for truth, wanted in truths
        ):
            return value.value
    return None


def settled(state: Partial, at: int) -> tuple[list[Step], Partial]:
    """What happens by itself from a state on, and the state after it. Raises TooHidden."""
    steps: list[Step] = []
    while len(steps) < interpret.MOST_AUTOMATIC:
        automatic = [rule for rule in current_events(state) if rule.is_automatic]
        if not automatic:
            return steps, state
        steps.append(Step(state, automatic[0], Event(automatic[0].id), at))
        state = happened(steps[-1])
    raise TooHidden("events happen by themselves without an end")


def current_events(state: State) -> tuple[EventRule, ...]:
    """The events that the phase admits. Raises TooHidden where it depends on what is not known."""
    return state.rules.by_phase[phase_of(state)]


def phase_of(state: State) -> int:
    """The phase. Raises TooHidden where it depends on what is not known."""
    if isinstance(state, Partial) and state.found is not None:
        return state.found
    phase = state.evaluator.definition(PHASE)
    if isinstance(phase, Missing):
        raise TooHidden(f"the phase is {phase.value}")
    return phase


def is_in_turn(state: State, rule: EventRule, event: Event) -> bool:
    """Whether it is time for an event and its seat may act. Raises TooHidden."""
    if rule not in current_events(state):
        return False
    if rule.by is None:
        return True
    try:
        return event.seat is not None and bool(interpret.actors(state, rule) >> event.seat & 1)
    except RuleError as error:
        raise TooHidden(str(error)) from error


@dataclass(frozen=True)
class Followed:
    """The steps of a hand after its deal, and the state after them.

    `stop` is the first event at the wrong time or by the wrong seat, and `stopped` the latter; `unclear` says why it is
    not known what follows.
    """

    steps: tuple[Step, ...]
    after: Partial
    stop: int | None = None
    stopped: Step | None = None
    unclear: TooHidden | None = None


def followed(first: Partial, events: Sequence[Event]) -> Followed:
    """Follows a hand as far as that can be told, and lets every event stand whose time and seat are right."""
    steps: list[Step] = []
    state = first
    try:
        steps, state = settled(first, -1)
        for at, event in enumerate(events):
            rule = state.rules.events.get(event.id)
            if rule is None or not is_in_turn(state, rule, event):
                is_time = rule is not None and rule in current_events(state)
                stopped = Step(state, rule, event, at) if rule is not None and is_time else None
                return Followed(tuple(steps), state, stop=at, stopped=stopped)
            steps.append(Step(state, rule, event, at))
            automatic, state = settled(happened(steps[-1]), at)
            steps += automatic
    except TooHidden as unclear:
        return Followed(tuple(steps), state, unclear=unclear)
    return Followed(tuple(steps), state)
