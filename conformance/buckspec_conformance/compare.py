"""Where an answer first differs from what the rules say. The first step that differs decides; no more is judged."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from msgspec import UNSET, UnsetType, structs

from buckspec_conformance.messages import PlayResponse, Step
from buckspec_conformance.oracle import Expectation, Key, key_of

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
        pairs = enumerate(zip(plain(self.field, self.expected, self.at), self.actual, strict=False))  # type: ignore[call-overload]
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
    names_clauses = "clause" in reports
    count = 0
    for index, (steps, told) in enumerate(zip(hands, answer.hands, strict=False)):
        for number, expectation in enumerate(steps):
            if number >= len(told.steps):
                return Comparison(
                    Difference(index, number, "steps", len(steps), len(told.steps), expectation, {}), count
                )
            count += 1
            found = _step(expectation, told.steps[number], fields, names_clauses)
            if found is not None:
                name, wanted, actual, message = found
                seen = {field: plain(field, getattr(told.steps[number], field), expectation) for field in fields}
                return Comparison(Difference(index, number, name, wanted, actual, expectation, seen, message), count)
    return Comparison(None, count)


def _step(
    wanted: Expectation, step: Step, fields: Sequence[str], names_clauses: bool
) -> tuple[str, object, object, str | None] | None:
    if step.error is not UNSET:
        return "error", None, step.error, str(step.error)
    message = None if isinstance(step.reason, UnsetType) else step.reason
    accepted = wanted.accepted if wanted.is_deal and step.accepted is UNSET else step.accepted
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
