"""The record of a run: JSON Lines, one record each, only ever added to. Every report is made from it alone.

`schemas/run.schema.json` describes it. A run that was killed leaves a file that can be read as far as it goes; a last
line that was not written to its end does not count.
"""

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from types import TracebackType
from typing import Any, Self, TypeAlias

import msgspec
from msgspec import Struct

from buckspec.problem import listed
from buckspec_conformance.case import Layer, Outcome

FORMAT = "buckspec-run/1"
BROKEN: tuple[Outcome, ...] = (
    "failed",
    "wrong-reason",
    "crashed",
    "timeout",
    "protocol-error",
    "flaky",
    "suite-error",
    "stale-known-failure",
)
"""The outcomes with which an engine does not conform."""
_SYNC_EVERY = 1.0


class _Record(Struct, frozen=True, omit_defaults=True, tag_field="type", kw_only=True):
    """What all records have in common: `type` tells which one it is."""


class Header(_Record, frozen=True, tag="header"):
    """What is run, against whom. `hello` is the engine's own answer; without one nothing was ever answered. `rules`
    tells one state of the rule text from another.

    `in_force` are the clauses by which the engine is judged, `elsewhere` those that belong to readings or chapters
    that it does not play by, each with why. `uncovered` are those of `in_force` that it cannot be tested on, each
    with why, `untested` those for which there is no case. `again` says that only what had failed was asked.
    """

    format: str
    time: str
    spec: str
    formats: dict[str, int]
    level: str
    seed: int
    command: tuple[str, ...]
    rules: str = ""
    layers: tuple[str, ...] = ()
    only: tuple[str, ...] = ()
    hello: dict[str, Any] | None = None
    in_force: tuple[str, ...] = ()
    elsewhere: dict[str, str] = {}
    uncovered: dict[str, str] = {}
    untested: dict[str, str] = {}
    again: bool = False


class Found(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """What was found where a case did not pass: in which hand and step, in which field, what the rules say of it and
    what the engine says. `request` ends with that step. `reason` is the engine's own word, `detail` more to look at.
    """

    message: str
    request: dict[str, Any] | None = None
    hand: int | None = None
    step: int | None = None
    field: str | None = None
    expected: Any = None
    actual: Any = None
    reason: str | None = None
    detail: str = ""
    received: str = ""
    asked_again: str | None = None
    reproduce: str | None = None


class CaseRecord(_Record, frozen=True, tag="case"):
    """What came of a case. `clauses` are those for whose sake it was asked and that are in force; `earned` those of
    them for which it is evidence, if it passed. `size` counts the events asked, `steps` those that were judged.

    `was` is the outcome of a known failure, or what a known failure was; `because` the reason given for it. `blame`
    are the clauses to look at, the most likely first. `cases` is how many were asked in search of this one.
    """

    id: str
    layer: Layer
    outcome: Outcome
    why: str
    clauses: tuple[str, ...] = ()
    earned: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    size: int = 0
    steps: int = 0
    seconds: float = 0.0
    cases: int = 1
    blame: tuple[str, ...] = ()
    was: Outcome | None = None
    because: str | None = None
    found: Found | None = None


class BlameRecord(_Record, frozen=True, tag="blame"):
    """A second look at a failed case, once all are known: the clauses to look at, and those that explain it."""

    id: str
    clauses: tuple[str, ...]
    explaining: tuple[str, ...] = ()


class ReadingRecord(_Record, frozen=True, tag="reading"):
    """The engine plays another reading of a question than it is judged by: all these cases are explained by it.

    `clauses` are those by which it is judged and does not play.
    """

    question: str
    reading: str
    instead_of: str
    says: str
    cases: tuple[str, ...]
    clauses: tuple[str, ...] = ()


class ResumedRecord(_Record, frozen=True, tag="resumed"):
    """The run went on from here."""

    time: str


class Footer(_Record, frozen=True, tag="footer"):
    """The end: how many cases came to what, why it stopped early if it did, and the exit code.

    `unused` are known failures of which nothing was asked, `unshown` clauses that did not show in what the engine
    reports, each with the fields in which they would.
    """

    counts: dict[str, int]
    exit: int
    seconds: float
    stopped: str | None = None
    message: str | None = None
    detail: str = ""
    unused: tuple[str, ...] = ()
    unshown: dict[str, tuple[str, ...]] = {}


Record: TypeAlias = Header | CaseRecord | BlameRecord | ReadingRecord | ResumedRecord | Footer

_DECODE = msgspec.json.Decoder(Record).decode
_ENCODE = msgspec.json.Encoder().encode


class RunError(ValueError):
    """A file that is not a run, or not one that can be gone on with. The message says why, and what to do."""


# ---------------------------------------------------------------------- reading


@dataclass(frozen=True)
class Run:
    """A run as it was read. `length` is how many bytes of the file are whole records."""

    header: Header
    cases: tuple[CaseRecord, ...] = ()
    blames: Mapping[str, BlameRecord] = field(default_factory=dict)
    readings: tuple[ReadingRecord, ...] = ()
    footer: Footer | None = None
    length: int = 0

    @property
    def is_complete(self) -> bool:
        """The run came to its end."""
        return self.footer is not None and self.footer.stopped is None


def run_of(records: Iterable[Record], length: int = 0) -> Run:
    """The run that these records tell of; of a case that was judged twice the last word counts.

    Raises RunError if they do not begin with a header.
    """
    header: Header | None = None
    footer: Footer | None = None
    cases: dict[str, CaseRecord] = {}
    blames: dict[str, BlameRecord] = {}
    readings: tuple[ReadingRecord, ...] = ()
    for record in records:
        if header is None and not isinstance(record, Header):
            raise RunError("the first record is no header; this is not the record of a run")
        match record:
            case Header():
                if header is not None:
                    raise RunError("a second header; two runs were written to one file")
                header = record
            case CaseRecord():
                cases[record.id] = record
            case BlameRecord():
                blames[record.id] = record
            case ReadingRecord():
                readings = (*(one for one in readings if one.question != record.question), record)
            case ResumedRecord():
                footer, readings = None, ()
            case Footer():
                footer = record
    if header is None:
        raise RunError("there is no record in it")
    return Run(header, tuple(cases.values()), blames, readings, footer, length)


def read_run(path: Path) -> Run:
    """The run in a file. Raises OSError, RunError."""
    raw = path.read_bytes()
    whole = raw.rfind(b"\n") + 1
    try:
        return run_of(_records(raw[:whole]), whole)
    except RunError as error:
        raise RunError(f"{path}: {error}") from None


def _records(raw: bytes) -> Iterator[Record]:
    for number, line in enumerate(raw.splitlines(), 1):
        try:
            yield _DECODE(line)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise RunError(f"line {number} is no record of a run: {error}") from None


_SAME = {
    "format": "format",
    "spec": "rule book",
    "rules": "rule text",
    "hello": "engine",
    "command": "command of the engine",
    "level": "level",
    "seed": "seed",
    "only": "selection",
    "again": "selection",
    "layers": "level",
}
"""What must be alike in two parts of one run, and how it is called."""


def check_same(run: Run, header: Header) -> None:
    """Raise RunError unless a run can go on as this one: the same engine, rules, seed, level and selection."""
    before = run.header
    differing = list(
        dict.fromkeys(said for name, said in _SAME.items() if getattr(before, name) != getattr(header, name))
    )
    if differing:
        raise RunError(f"another {listed(differing)} than the run to go on with; begin a new run")


# ---------------------------------------------------------------------- writing


class Stream:
    """A file that records are added to. With `after`, a run that was read from it, it goes on where that stops.

    Every record is handed to the system at once, so that killing this process loses none; now and then, and at the
    beginning and the end, the system is told to write them down. Raises OSError.
    """

    def __init__(self, path: Path, after: Run | None = None) -> None:
        self._file = path.open("wb" if after is None else "r+b", buffering=0)
        if after is not None:
            self._file.truncate(after.length)
            self._file.seek(after.length)
        self._synced = 0.0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def write(self, record: Record) -> None:
        """Add a record."""
        self._file.write(line_of(record))
        if isinstance(record, Header | Footer) or monotonic() - self._synced > _SYNC_EVERY:
            self._sync()

    def _sync(self) -> None:
        os.fsync(self._file.fileno())
        self._synced = monotonic()

    def close(self) -> None:
        """Write down what is left. Closing twice does nothing."""
        if not self._file.closed:
            self._sync()
            self._file.close()


def line_of(record: Record) -> bytes:
    """A record as its line."""
    return _ENCODE(record) + b"\n"


def kept(records: Iterable[Record], stream: Stream) -> Iterator[Record]:
    """The same records, each one written before it is handed on."""
    for record in records:
        stream.write(record)
        yield record
