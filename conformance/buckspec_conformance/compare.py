"""Where an answer first differs from what the rules say. The first step that differs decides; no more is judged."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from msgspec import UNSET, UnsetType, structs

from buckspec.play import legal
from buckspec.rules import Rules
from buckspec.state import State
from buckspec.typed import Read
from buckspec.words import to_log
from buckspec_conformance.messages import PlayResponse, Step
from buckspec_conformance.oracle import Expectation, Key, key_of, tried

ACCEPTED = "accepted"
"""The field that tells what became of an event."""
LEGAL = "legal"
"""The field that lists what can be done next."""


@dataclass(frozen=True)
class Difference:
    """The first difference: which hand and step, in which field, what the rules say and what the engine says.

    `told` holds everything that the engine reports in this step, to be compared with what the rules say; `message` is
    its own word on a refusal.
    """

    hand: int
    step: int
    field: str
    expected: object
    actual: object
    at: Expectation
    told: Mapping[str, object]
    message: str | None = None

    @property
    def members(self) -> frozenset[int] | None:
        """For a list by seat, the seats at which it differs; else None."""
        if not isinstance(self.expected, list) or not isinstance(self.actual, list):
            return None
        wanted: Any = plain(self.field, self.expected, self.at)
        pairs = enumerate(zip(wanted, self.actual, strict=False))
        return frozenset(index for index, (one, other) in pairs if one != other)

    @property
    def is_reason(self) -> bool:
        """Only the reason for a refusal is wrong."""
        return self.field == "clause"


@dataclass(frozen=True)
class Comparison:
    """How an answer compares: its first difference, if any, and how many steps were held against the rules."""

    difference: Difference | None
    judged: int


def compare(
    hands: Sequence[Sequence[Expectation]], answer: PlayResponse, reports: Sequence[str], judged: frozenset[str]
) -> Comparison:
    """Hold an answer against what the rules say, in the fields that the engine reports and that are `judged`."""
    fields = [name for name in reports if name in judged]
    if hands:
        fields.sort(key=lambda name: _depth(name, hands[0][0].state.rules))
    names_clauses = "clause" in reports
    count = 0
    for index, (steps, told) in enumerate(zip(hands, answer.hands, strict=False)):
        ahead = Ahead()
        for number, planned in enumerate(steps):
            if number >= len(told.steps):
                return Comparison(Difference(index, number, "steps", len(steps), len(told.steps), planned, {}), count)
            count += 1
            expectation = ahead.expected(planned)
            forced = ahead.follow(expectation, told.steps[number].also)
            if forced is None:
                made = [event_key(event) for event in told.steps[number].also or ()]
                return Comparison(Difference(index, number, "also", [], made, expectation, {}), count)
            expectation = forced
            found = _step(expectation, told.steps[number], fields, names_clauses)
            if found is not None:
                name, wanted, actual, message = found
                values = {field: getattr(told.steps[number], field) for field in fields}
                seen = {field: plain(field, one, expectation) for field, one in values.items() if one is not UNSET}
                return Comparison(Difference(index, number, name, wanted, actual, expectation, seen, message), count)
    return Comparison(None, count)


def _depth(name: str, rules: Rules) -> tuple[bool, bool, bool]:
    """What is stored comes first, then what follows from it, and last who acts and how: so the cause is named."""
    observation = rules.book.observations.get(name)
    is_stored = observation is not None and isinstance(observation.value, Read)
    return name == LEGAL, observation is None, not is_stored


class Ahead:
    """Events that an engine has made by itself, because nothing else could be done, before they were asked for.

    Asked for afterwards, such an event is accepted and changes nothing.
    """

    def __init__(self) -> None:
        self.made: list[Key] = []
        self.state: State | None = None

    def expected(self, planned: Expectation) -> Expectation:
        """What has to be true of a step, with what the engine has made by itself."""
        if self.state is None or planned.logged is None:
            return planned
        if self.made and key_of(planned.logged) == self.made[0]:
            self.made.pop(0)
            return Expectation(self.state, self.state, planned.logged, planned.event, accepted=True)
        found = tried(self.state, planned.logged)
        self.state = found.state
        return found

    def follow(self, step: Expectation, also: tuple[object, ...] | UnsetType) -> Expectation | None:
        """The step after what the engine made by itself in it; None if one of those was not the only legal event."""
        if isinstance(also, UnsetType) or not also:
            return step
        state = step.state
        for event in also:
            (only, *others) = (*(key_of(to_log(state.rules, one)) for one in legal(state)), None)
            if only != event_key(event) or others != [None]:
                return None
            self.made.append(only)
            state = tried(state, dict(only)).state  # type: ignore[arg-type]
        self.state = state
        return replace(step, state=state)


def _step(
    wanted: Expectation, step: Step, fields: Sequence[str], names_clauses: bool
) -> tuple[str, object, object, str | None] | None:
    if step.error is not UNSET:
        return "error", None, step.error, str(step.error)
    message = None if isinstance(step.reason, UnsetType) else step.reason
    accepted = (
        True if wanted.is_deal and step.accepted is UNSET else step.accepted
    )  # a deal is told by the state after it
    if accepted is not wanted.accepted:
        return ACCEPTED, wanted.accepted, step.accepted, message
    if wanted.is_deal and not wanted.accepted:
        return None
    for name in fields:
        told = plain(name, getattr(step, name), wanted)
        if told != plain(name, wanted.fields[name], wanted):
            return name, wanted.fields[name], told, message
    if names_clauses and not wanted.accepted and wanted.violations:
        broken = [violation.clause.id for violation in wanted.violations]
        if step.clause is not UNSET and step.clause not in broken:
            return "clause", broken, step.clause, message
    return None


def plain(name: str, value: object, at: Expectation) -> object:
    """A reported value as something to compare: sets where the order says nothing, lists by seat where it does."""
    if name == LEGAL:
        return value if isinstance(value, frozenset) else frozenset(event_key(event) for event in value)  # type: ignore[attr-defined]
    if not isinstance(value, tuple | list):
        return value
    observation = at.state.rules.book.observations.get(name)
    if observation is None or not observation.type.many:
        return list(value)
    return frozenset(value) if observation.domain is None else [frozenset(held) for held in value]


def event_key(event: object) -> Key:
    """An event of an answer, to be compared with one of the rules."""
    named: Mapping[str, object] = structs.asdict(event)  # type: ignore[arg-type]
    return key_of({**named, "do": event.do})  # type: ignore[attr-defined]
