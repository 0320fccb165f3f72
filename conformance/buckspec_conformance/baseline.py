"""A file of known failures: what is known to fail does not fail a run, and everything else about it is strict.

YAML, one entry for each case or clause::

    # issue 12: the left bower
    play.follow/left-bower-led: failed
    score.set: {outcome: failed, because: "the penalty is charged for each trick"}

An entry for a clause stands for all cases that are blamed on it. A known failure that passes, that fails in another
way, or that the engine now declines, fails the run: the file says what is so, or it is mended.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import get_args

import msgspec

from buckspec.document import Node, Scalar, Table, load_document, plain
from buckspec.problem import Place, Problem, SpecError, listed, nearest
from buckspec_conformance.case import Outcome
from buckspec_conformance.stream import BROKEN, CaseRecord, Found, Run

_STALE: Outcome = "stale-known-failure"
_KNOWN: Outcome = "known-failure"
KNOWABLE: tuple[Outcome, ...] = tuple(outcome for outcome in BROKEN if outcome not in (_STALE, "suite-error"))
"""The outcomes that can be known beforehand."""
_HEAD = (
    "# Known failures. Written by `--update-baseline`; comments stay.\n"
    "# Each line is a case or a clause, and how it fails. Write above it why.\n"
)
_KEYS = ("outcome", "because")


@dataclass(frozen=True)
class Entry:
    """What is known: the case or clause, how it fails, why if that is said, and the line where it stands."""

    name: str
    outcome: Outcome
    because: str | None = None
    line: int = 0


class Baseline:
    """Known failures, and which of them were met."""

    def __init__(self, entries: Iterable[Entry] = ()) -> None:
        self.entries = {entry.name: entry for entry in entries}
        self._met: set[str] = set()
        self._asked: set[str] = set()

    def judged(self, record: CaseRecord) -> CaseRecord:
        """The record as it stands beside what is known."""
        self._asked.update((record.id, *record.clauses))
        entry = self.entries.get(record.id)
        if entry is None and record.outcome in KNOWABLE:
            named = record.blame[:1] or record.clauses
            entry = next((self.entries[clause] for clause in named if clause in self.entries), None)
        if entry is None:
            return record
        self._met.add(entry.name)
        if record.outcome == entry.outcome:
            return msgspec.structs.replace(record, outcome=_KNOWN, was=entry.outcome, because=entry.because)
        if record.outcome not in ("passed", "unsupported"):
            return msgspec.structs.replace(record, because=f"known as {entry.outcome}, in line {entry.line}")
        said = "it passes now" if record.outcome == "passed" else "the engine declines it now"
        message = f"known as {entry.outcome}, in line {entry.line}: {said}; take the entry out"
        return msgspec.structs.replace(
            record, outcome=_STALE, was=entry.outcome, because=entry.because, found=Found(message=message)
        )

    def stale(self) -> Iterator[CaseRecord]:
        """A record for each clause that is known to fail and did not, though cases that test it were asked."""
        for entry in self.entries.values():
            if entry.name not in self._met and entry.name in self._asked:
                message = f"known as {entry.outcome}, in line {entry.line}: no case is blamed on it; take the entry out"
                yield CaseRecord(
                    id=f"known/{entry.name}",
                    layer="vector",
                    outcome=_STALE,
                    why=f"{entry.name} is known to fail.",
                    clauses=(entry.name,),
                    was=entry.outcome,
                    because=entry.because,
                    found=Found(message=message),
                )

    @property
    def unused(self) -> tuple[str, ...]:
        """The entries of which nothing was asked."""
        return tuple(name for name in self.entries if name not in self._met | self._asked)


# ---------------------------------------------------------------------- the file


def read(text: str, file: str) -> Baseline:
    """The known failures of a file. Raises SpecError with every fault found."""
    if not any(line.split("#")[0].strip() for line in text.splitlines()):
        return Baseline()
    return Baseline(_entries(_table(text, file)))


def _table(text: str, file: str) -> Table:
    found = load_document(text, file)
    if not isinstance(found, Table):
        raise SpecError([Problem(found.place, "not known failures", expected="an entry for each case or clause")])
    return found


def _entries(table: Table) -> list[Entry]:
    entries: list[Entry] = []
    problems: list[Problem] = []
    for name, node in table.entries.items():
        try:
            entries.append(_entry(name, node, table.keys[name]))
        except SpecError as error:
            problems += error.problems
    if problems:
        raise SpecError(problems)
    return entries


def _entry(name: str, node: Node, place: Place) -> Entry:
    held = plain(node)
    told = held if isinstance(held, dict) else {_KEYS[0]: held}
    for key in told:
        if key not in _KEYS:
            raise SpecError([Problem(place, "unknown key", key, listed(_KEYS), nearest(key, _KEYS))])
    outcome = str(told.get(_KEYS[0]))
    if not isinstance(node, Scalar | Table) or outcome not in KNOWABLE:
        known = [word for word in get_args(Outcome) if word in KNOWABLE]
        raise SpecError([Problem(place, "not an outcome that can be known", outcome, listed(known))])
    because = told.get(_KEYS[1])
    return Entry(
        name, next(word for word in KNOWABLE if word == outcome), str(because) if because else None, place.line
    )


def actual(record: CaseRecord) -> Outcome | None:
    """How a case fails, whether that was known or not; None if it does not."""
    outcome = record.was if record.outcome == _KNOWN else record.outcome
    return outcome if outcome in KNOWABLE else None


def updated(text: str, run: Run, file: str) -> str:
    """The text of the file as this run would have it. Comments, order and reasons of what stays are kept.

    Only entries of what was asked change. Raises SpecError.
    """
    entries = read(text, file).entries
    failing: dict[str, tuple[Outcome, CaseRecord]] = {}
    for case in run.cases:
        outcome = actual(case)
        if outcome is not None:
            failing[case.id] = outcome, case
    asked = {case.id for case in run.cases} | {clause for case in run.cases for clause in case.clauses}
    by_clause = {name for name in entries if any(_stands_for(name, case) for _, case in failing.values())}
    lines = text.splitlines()
    starts = sorted(entry.line - 1 for entry in entries.values())
    for entry in sorted(entries.values(), key=lambda one: -one.line):
        first = entry.line - 1
        after = next((start for start in starts if start > first), len(lines))
        last = max(at for at in range(first, after) if at == first or _is_of_entry(lines[at]))
        if entry.name in failing:
            lines[first : last + 1] = _with_outcome(lines[first : last + 1], entry, failing[entry.name][0])
        elif entry.name in asked and entry.name not in by_clause:
            del lines[first : last + 1]
    kept = {name for name in entries if name in by_clause}
    for name, (outcome, case) in sorted(failing.items()):
        if name not in entries and not any(_stands_for(clause, case) for clause in kept):
            lines.append(f"{name}: {outcome}")
    body = "\n".join(lines)
    return (body if text.strip() else _HEAD + body).rstrip("\n") + "\n"


def _stands_for(clause: str, case: CaseRecord) -> bool:
    return clause in (case.blame[:1] or case.clauses)


def _is_of_entry(line: str) -> bool:
    """A line that goes on with an entry: indented, and no comment."""
    return bool(line.strip()) and line[:1].isspace() and not line.lstrip().startswith("#")


def _with_outcome(lines: list[str], entry: Entry, outcome: Outcome) -> list[str]:
    """The lines of an entry with another outcome."""
    if outcome == entry.outcome:
        return lines
    value = re.compile(rf"(?<=[\s:{{\"']){re.escape(entry.outcome)}(?=$|[\s,}}\"'])")
    head, text = lines[0][: len(entry.name)], "\n".join([lines[0][len(entry.name) :], *lines[1:]])
    return (head + value.sub(outcome, text, count=1)).split("\n")
