"""A file of known failures: what is known to fail does not fail a run, and everything else about it is strict.

YAML, one entry for each case or clause::

    # issue 12: the left bower
    play.follow/left-bower-led: {outcome: failed, blame: play.follow}
    score.set: {outcome: failed, because: "the penalty is charged for each trick"}
    play.follow/first: crashed

An entry for a clause stands for all cases that are blamed on it. A known failure that passes, that fails in another
way or by another clause, or that the engine now declines, fails the run, and so does the name of nothing: the file
says what is so, or it is mended.
"""

import re
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import get_args

import msgspec

from buckspec.document import Node, Scalar, Table, load_document, plain
from buckspec.problem import Place, Problem, SpecError, listed, nearest
from buckspec_conformance.case import Outcome
from buckspec_conformance.stream import BROKEN, CaseRecord, Found, Run

KNOWN = "known/"
"""How the ids of those records begin that are of an entry, and not of a case."""
_STALE: Outcome = "stale-known-failure"
_KNOWN: Outcome = "known-failure"
KNOWABLE: tuple[Outcome, ...] = tuple(outcome for outcome in BROKEN if outcome not in (_STALE, "suite-error"))
"""The outcomes that can be known beforehand."""
_BY_WORD: Mapping[str, Outcome] = {outcome: outcome for outcome in KNOWABLE}
_HEAD = (
    "# Known failures. Written by `--update-baseline`; comments stay.\n"
    "# Each line is a case or a clause, how it fails and the clause that is to blame. Write above it why.\n"
)
_OUTCOME, _BLAME, _BECAUSE = "outcome", "blame", "because"
_KEYS = (_OUTCOME, _BLAME, _BECAUSE)
_APART = "/"
"""What is in the name of every case, and of no clause."""


@dataclass(frozen=True)
class Entry:
    """What is known: the case or clause, how it fails, why if that is said, and the line where it stands.

    `blame` is the clause that a failed case goes back to; without it, any will do.
    """

    name: str
    outcome: Outcome
    because: str | None = None
    line: int = 0
    blame: str | None = None

    def __str__(self) -> str:
        by = f" by {self.blame}" if self.blame else ""
        return f"known as {self.outcome}{by}, in line {self.line}"

    def fits(self, record: CaseRecord) -> bool:
        """Whether a case fails as is known."""
        return record.outcome == self.outcome and self.blame in (None, *record.blame[:1])


class Baseline:
    """Known failures, and which of them were met."""

    def __init__(self, entries: Iterable[Entry] = ()) -> None:
        self.entries = {entry.name: entry for entry in entries}
        self._met: set[str] = set()
        self._asked: set[str] = set()
        self._answered: set[str] = set()
        """The clauses of which a case was not declined."""

    def judged(self, record: CaseRecord) -> CaseRecord:
        """The record as it stands beside what is known."""
        self._asked.update((record.id, *record.clauses))
        self._answered.update(record.clauses if record.outcome != "unsupported" else ())
        entry = self.entries.get(record.id)
        if entry is None and record.outcome in KNOWABLE:
            named = record.blame[:1] or record.clauses
            entry = next((self.entries[clause] for clause in named if clause in self.entries), None)
        if entry is None:
            return record
        self._met.add(entry.name)
        if entry.fits(record):
            return msgspec.structs.replace(record, outcome=_KNOWN, was=entry.outcome, because=entry.because)
        if record.outcome not in ("passed", "unsupported"):
            by = f" by {record.blame[0]}" if record.blame else ""
            return msgspec.structs.replace(record, because=f"{entry}; now it is {record.outcome}{by}")
        said = "it passes now" if record.outcome == "passed" else "the engine declines it now"
        message = f"{entry}: {said}; take the entry out"
        return msgspec.structs.replace(
            record, outcome=_STALE, was=entry.outcome, because=entry.because, found=Found(message=message)
        )

    def stale(self, of: Container[str] | None = None) -> Iterator[CaseRecord]:
        """A record for each clause that is known to fail and did not, though cases that test it were asked.

        `of` are the clauses of which all cases were asked; None means any.
        """
        for entry in self.entries.values():
            if entry.name in self._met or entry.name not in self._asked or (of is not None and entry.name not in of):
                continue
            is_declined = entry.name not in self._answered
            said = "the engine declines all its cases now" if is_declined else "no case is blamed on it"
            yield _outdated(entry, f"{entry.name} is known to fail.", said, entry.name)

    def nothing(self, names: Mapping[str, str | None]) -> Iterator[CaseRecord]:
        """A record for each entry whose name is none, with the one that may have been meant."""
        self._met.update(names)
        for name, meant in names.items():
            said = f"nothing is called {name}" + (f"; did you mean {meant}?" if meant else "")
            yield _outdated(self.entries[name], "A known failure names a case or a clause.", said)

    @property
    def unused(self) -> tuple[str, ...]:
        """The entries of which nothing was asked."""
        return tuple(name for name in self.entries if name not in self._met | self._asked)


def _outdated(entry: Entry, why: str, said: str, *clauses: str) -> CaseRecord:
    """The record of an entry that is not true, where there is no case to say so of."""
    return CaseRecord(
        id=f"{KNOWN}{entry.name}",
        layer="vector",
        outcome=_STALE,
        why=why,
        clauses=clauses,
        was=entry.outcome,
        because=entry.because,
        found=Found(message=f"{entry}: {said}; take the entry out"),
    )


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
    told = held if isinstance(held, dict) else {_OUTCOME: held}
    for key in told:
        if key not in _KEYS:
            raise SpecError([Problem(place, "unknown key", key, listed(_KEYS), nearest(key, _KEYS))])
    outcome = str(told.get(_OUTCOME))
    if not isinstance(node, Scalar | Table) or outcome not in _BY_WORD:
        known = [word for word in get_args(Outcome) if word in KNOWABLE]
        raise SpecError([Problem(place, "not an outcome that can be known", outcome, listed(known))])
    because, blame = told.get(_BECAUSE), told.get(_BLAME)
    if blame and _APART not in name:
        raise SpecError([Problem(place, "an entry for a clause is about what is blamed on it", _BLAME, "none")])
    return Entry(name, _BY_WORD[outcome], str(because) if because else None, place.line, str(blame) if blame else None)


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
    asked = {case.id.removeprefix(KNOWN) for case in run.cases}
    kept = {name for name in entries if any(_stands_for(entries[name], *found) for found in failing.values())}
    lines = text.splitlines()
    starts = sorted(entry.line - 1 for entry in entries.values())
    for entry in sorted(entries.values(), key=lambda one: -one.line):
        first = entry.line - 1
        after = next((start for start in starts if start > first), len(lines))
        last = max(at for at in range(first, after) if at == first or _is_of_entry(lines[at]))
        if entry.name in failing:
            lines[first : last + 1] = _corrected(lines[first : last + 1], entry, *failing[entry.name])
        elif entry.name in asked and entry.name not in kept:
            del lines[first : last + 1]
    for name, (outcome, case) in sorted(failing.items()):
        if name not in entries and not any(_stands_for(entries[clause], outcome, case) for clause in kept):
            blame = next(iter(case.blame), None)
            lines.append(f"{name}: {{outcome: {outcome}, blame: {blame}}}" if blame else f"{name}: {outcome}")
    body = "\n".join(lines)
    return (body if text.strip() else _HEAD + body).rstrip("\n") + "\n"


def _stands_for(entry: Entry, outcome: Outcome, case: CaseRecord) -> bool:
    """Whether the entry of a clause says how a case fails."""
    return entry.name in (case.blame[:1] or case.clauses) and entry.outcome == outcome


def _is_of_entry(line: str) -> bool:
    """A line that goes on with an entry: indented, and no comment."""
    return bool(line.strip()) and line[:1].isspace() and not line.lstrip().startswith("#")


def _corrected(lines: list[str], entry: Entry, outcome: Outcome, case: CaseRecord) -> list[str]:
    """The lines of an entry as it is now. One that names no clause to blame goes on to name none."""
    blame = case.blame[0] if case.blame else None
    head, text = lines[0][: len(entry.name)], "\n".join([lines[0][len(entry.name) :], *lines[1:]])
    if outcome != entry.outcome:
        value = re.compile(rf"(?<=[\s:{{\"']){re.escape(entry.outcome)}(?=$|[\s,}}\"'])")
        text = value.sub(outcome, text, count=1)
    if entry.blame is not None and entry.blame != blame:
        key, old = rf"[\"']?{_BLAME}[\"']?:\s*", rf"[\"']?{re.escape(entry.blame)}[\"']?"
        if blame is not None:
            text = re.sub(rf"(?<=[\s{{,])({key}){old}", rf"\g<1>{blame}", text, count=1)
        else:  # with the comma or the line that it stood in
            text = re.sub(rf",\s*{key}{old}|{key}{old}\s*,\s*|\n[ \t]+{key}{old}[^\n]*", "", text, count=1)
    return (head + text).split("\n")
