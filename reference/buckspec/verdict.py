"""A verdict on one log, `buckspec-verdict/1`: what it says, its JSON form, and the exit code that follows."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from buckspec.formats.game_log import GameLog, to_value
from buckspec.formats.reader import Unreadable
from buckspec.rules import Rules
from buckspec.state import State

FORMAT = "buckspec-verdict/1"

UNREADABLE = "unreadable"
ILLEGAL = "illegal"
IMPOSSIBLE = "impossible"
CLAIMS_DIFFER = "claims-differ"
UNDETERMINED = "undetermined"
INCOMPLETE = "incomplete"
LEGAL = "legal"

PRECEDENCE = (UNREADABLE, ILLEGAL, IMPOSSIBLE, CLAIMS_DIFFER, UNDETERMINED, INCOMPLETE, LEGAL)
"""The words of verdicts; where several hold, the first is the verdict."""

_EXIT_FINE, _EXIT_WRONG, _EXIT_UNREADABLE = 0, 1, 3
_WRONG = {ILLEGAL, IMPOSSIBLE, CLAIMS_DIFFER}
_OPEN = {UNDETERMINED, INCOMPLETE}


@dataclass(frozen=True)
class Source:
    """Where a log was read: the file as it was named, the line at which the log begins, the id that it has."""

    file: str
    line: int | None = None
    id: str | None = None


@dataclass(frozen=True)
class At:
    """A place in a log: a hand and an event in it, from 0, and who acted.

    The event is the number of the hand's events if one is missing, None for the hand as a whole.
    """

    hand: int
    event: int | None = None
    seat: int | None = None


@dataclass(frozen=True)
class Broken:
    """A clause that was broken, its sentence, and the values that made it fail, by name."""

    clause: str
    says: str
    found: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True)
class ClaimDifference:
    """A claim that is wrong: where it stands, what it says, what the rules say."""

    path: str
    claimed: object
    computed: object


@dataclass(frozen=True)
class Completion:
    """A log in which everything that was missing is filled in, and the verdict on it."""

    word: str
    log: GameLog


@dataclass(frozen=True)
class Outcome:
    """How a game stands: the totals, who has won, and how it ended."""

    totals: tuple[int, ...]
    winners: tuple[int, ...]
    ended: str | None


@dataclass(frozen=True)
class Under:
    """The verdict under one choice of readings, and what makes the difference: an event, a claim or a clause."""

    readings: Mapping[str, str]
    word: str
    because: str | None = None


@dataclass(frozen=True)
class Overrides:
    """What the one who asked chose otherwise than the log, or than the profile that it names; false if nothing."""

    profile: str | None = None
    parameters: Mapping[str, int] = field(default_factory=dict)
    readings: Mapping[str, str] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.profile or self.parameters or self.readings)


NO_OVERRIDES = Overrides()


@dataclass(frozen=True)
class Verdict:
    """What the rules make of one log.

    `profile`, `totals` and all that needs rules are empty for an unreadable log; `message` and `problem` say why it is,
    `message` in one line. `parameters` and `readings` hold what was set by the log or by the one who asked. `totals`,
    `winners` and `ended` are those after the last legal event. Of a log with missing cards `completions` are full logs,
    one for each way in which it can turn out, and `conflict` places that cannot all be as they are told; no place of
    them can be left out. `under` and `let_stand` are there if they were asked for.

    For reports in words: `state` is the state after the last legal event, `hands` the state in which each hand ended,
    or, of the last, stopped.
    """

    word: str
    source: Source
    profile: str | None = None
    parameters: Mapping[str, int] = field(default_factory=dict)
    readings: Mapping[str, str] = field(default_factory=dict)
    at: At | None = None
    violations: tuple[Broken, ...] = ()
    legal: tuple[Mapping[str, object], ...] = ()
    totals: tuple[int, ...] = ()
    winners: tuple[int, ...] = ()
    ended: str | None = None
    claims: tuple[ClaimDifference, ...] = ()
    missing: tuple[str, ...] = ()
    completions: tuple[Completion, ...] = ()
    conflict: tuple[At, ...] = ()
    under: tuple[Under, ...] = ()
    let_stand: Outcome | None = None
    overrides: Overrides = NO_OVERRIDES
    message: str | None = None
    problem: Mapping[str, object] = field(default_factory=dict)
    state: State | None = field(default=None, repr=False, compare=False)
    hands: tuple[State, ...] = field(default=(), repr=False, compare=False)
    rules: Rules | None = field(default=None, repr=False, compare=False)
    log: GameLog | None = field(default=None, repr=False, compare=False)


def unreadable(source: Source, message: str, **details: object) -> Verdict:
    """The verdict on a log that cannot be read. `details` are fields of `problem` in the schema, such as `path`."""
    known = {name: value for name, value in details.items() if value is not None}
    return Verdict(UNREADABLE, source, message=message, problem=known)


def of_unreadable(fault: Unreadable) -> Verdict:
    """The verdict on what the reader could not read."""
    details = {name: getattr(fault, name) for name in ("path", "line", "column", "found", "expected")}
    return unreadable(Source(fault.file, fault.line), fault.message, **details)


def to_json(verdict: Verdict) -> dict[str, object]:
    """The verdict as `schemas/verdict.schema.json` has it, ready for a JSON encoder."""
    source = {"file": verdict.source.file, "line": verdict.source.line, "id": verdict.source.id}
    shown_source = {name: value for name, value in source.items() if value is not None}
    if verdict.word == UNREADABLE:
        problem = {"message": verdict.message, **verdict.problem}
        return {"format": FORMAT, "verdict": verdict.word, "source": shown_source, "problem": problem}
    shown: dict[str, object] = {
        "format": FORMAT,
        "verdict": verdict.word,
        "profile": verdict.profile,
        "parameters": dict(verdict.parameters),
        "readings": dict(verdict.readings),
        "source": shown_source,
        "at": None if verdict.at is None else _place(verdict.at),
        "violations": [_broken(broken) for broken in verdict.violations],
        "legal": [dict(event) for event in verdict.legal],
        "totals": list(verdict.totals),
        "winners": list(verdict.winners),
        "ended": verdict.ended,
        "claims": [_claim(claim) for claim in verdict.claims],
    }
    if verdict.missing:
        shown["missing"] = list(verdict.missing)
    shown |= dict(_further(verdict))
    if verdict.overrides:
        shown["overrides"] = _overrides(verdict.overrides)
    return shown


def _further(verdict: Verdict) -> Iterator[tuple[str, object]]:
    """What only some verdicts have."""
    if verdict.completions:
        yield "completions", [{"verdict": one.word, "log": to_value(one.log)} for one in verdict.completions]
    if verdict.conflict:
        yield "conflict", [_place(at) for at in verdict.conflict]
    if verdict.under:
        yield "under", [_under(one) for one in verdict.under]
    if verdict.let_stand is not None:
        stand = verdict.let_stand
        yield "let_stand", {"totals": list(stand.totals), "winners": list(stand.winners), "ended": stand.ended}


def _under(under: Under) -> dict[str, object]:
    shown: dict[str, object] = {"readings": dict(under.readings), "verdict": under.word}
    return shown if under.because is None else {**shown, "because": under.because}


def exit_code(words: Iterable[str], strict: bool = False) -> int:
    """What a command exits with after such verdicts: 3 if one is unreadable, else 1 if one is wrong, else 0.

    `strict` counts what is not settled, undetermined or incomplete, as wrong.
    """
    found = set(words)
    if UNREADABLE in found:
        return _EXIT_UNREADABLE
    return _EXIT_WRONG if found & (_WRONG | _OPEN if strict else _WRONG) else _EXIT_FINE


def _place(at: At) -> dict[str, object]:
    return {"hand": at.hand, "event": at.event, "seat": at.seat}


def _broken(broken: Broken) -> dict[str, object]:
    return {"clause": broken.clause, "says": broken.says, "found": dict(broken.found)}


def _claim(claim: ClaimDifference) -> dict[str, object]:
    return {"path": claim.path, "claimed": claim.claimed, "computed": claim.computed}


def _overrides(overrides: Overrides) -> dict[str, object]:
    parts = {
        "profile": overrides.profile,
        "parameters": dict(overrides.parameters),
        "readings": dict(overrides.readings),
    }
    return {name: value for name, value in parts.items() if value}
