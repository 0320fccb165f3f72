"""What a run says, as pure functions of its record: by clause, by outcome, the failures, and what changed since."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

from buckspec_conformance.case import Layer
from buckspec_conformance.stream import BROKEN, CaseRecord, ReadingRecord, Run
from buckspec_conformance.uncovered import why as reason

Standing: TypeAlias = Literal["passed", "failed", "known-failure", "other-reading", "not-covered", "not-in-force"]
"""What a run says of a clause. `other-reading`: it fails, and all of it by a reading that the engine plays instead."""

PASSED = "passed"
KNOWN = "known-failure"
STALE = "stale-known-failure"


@dataclass(frozen=True)
class Row:
    """A clause: what tested it in each layer, how many of these passed and failed, and why it is not covered.

    `earned` counts the cases that passed and are evidence for it; `unsupported` those that were not asked or that the
    engine declined. `blamed` counts the failures of the run for which it is the first clause to look at: a case that
    fails counts as failed for every clause that it is for, though mostly one of them is at fault.
    """

    clause: str
    standing: Standing
    tested: Mapping[Layer, int] = field(default_factory=dict)
    earned: int = 0
    failed: int = 0
    unsupported: int = 0
    why: str | None = None
    blamed: int = 0


def rows(run: Run) -> tuple[Row, ...]:
    """Every clause of the engine's profiles, those by which it is judged first."""
    by_clause: dict[str, list[CaseRecord]] = {clause: [] for clause in run.header.in_force}
    spoilt: set[str] = set()
    for case in run.cases:
        for clause in concerned(run, case):
            if clause in by_clause or case.outcome != "unsupported":
                by_clause.setdefault(clause, []).append(case)
        spoilt.update(set(case.clauses).difference(concerned(run, case)))
    explained = {case for reading in run.readings for case in reading.cases}
    blames = Counter(next(iter(blamed(run, case)), None) for case in run.cases if case.outcome in BROKEN)
    found = []
    for clause, cases in by_clause.items():
        if any(clause in reading.clauses for reading in run.readings):
            found.append(_row(run, clause, cases, explained))
        else:  # what a reading explains says nothing of the clauses that do not belong to it
            found.append(_row(run, clause, [case for case in cases if case.id not in explained], set()))
    found = [_spoilt(row) if row.clause in spoilt else row for row in found]
    found = [replace(row, blamed=blames[row.clause]) for row in found]
    meant = {next(iter(blamed(run, case)), None) for case in run.cases if _is_fault(case) and case.id not in explained}
    found = [_at_fault(row) if row.clause in meant else row for row in found]
    elsewhere = (Row(clause, "not-in-force", why=why) for clause, why in run.header.elsewhere.items())
    return (*found, *(row for row in elsewhere if row.clause not in by_clause))


def concerned(run: Run, case: CaseRecord) -> tuple[str, ...]:
    """The clauses of which a case tells anything.

    A property is about many clauses at once: where it fails, it speaks against those that are to blame, and of the
    others it says nothing.
    """
    is_broad = case.layer == "property" and case.outcome not in (PASSED, "unsupported")
    return blamed(run, case) if is_broad else case.clauses


def _spoilt(row: Row) -> Row:
    """The row of a clause, where a property is about it that does not fail by it."""
    if row.standing != "not-covered" or row.tested or row.unsupported:
        return row
    return replace(row, why="a property that is about it fails, but not by it")


def _is_fault(case: CaseRecord) -> bool:
    return case.outcome in BROKEN and case.outcome != STALE


def _at_fault(row: Row) -> Row:
    """The row of a clause that failures go back to, though no case of the run is for its sake."""
    return replace(row, standing="failed", why=None) if row.standing == "not-covered" else row


def _row(run: Run, clause: str, cases: Iterable[CaseRecord], explained: set[str]) -> Row:
    judged = [case for case in cases if case.outcome != "unsupported"]
    declined = [case for case in cases if case.outcome == "unsupported"]
    broken = [case for case in judged if _is_fault(case)]
    known = [case for case in judged if case.outcome == KNOWN]
    earned = [case for case in judged if case.outcome in (PASSED, STALE) and clause in case.earned]
    why = run.header.uncovered.get(clause)
    standing: Standing
    if broken:
        standing = "other-reading" if all(case.id in explained for case in broken) else "failed"
    elif known:
        standing = "known-failure"
    elif earned and why is None:
        standing = "passed"
    else:
        standing = "not-covered"
        why = why or reason(run, clause, judged, declined)
    tested: Counter[Layer] = Counter(case.layer for case in judged)
    return Row(clause, standing, dict(tested), len(earned), len(broken) + len(known), len(declined), why)


# ---------------------------------------------------------------------- outcomes and failures


def counts(run: Run) -> dict[str, int]:
    """How many cases came to each outcome."""
    return dict(Counter(case.outcome for case in run.cases))


@dataclass(frozen=True)
class Group:
    """Failures that go back to one clause, the smallest game first. `clause` is None where none can be named; then all
    of them came to the same outcome.
    """

    clause: str | None
    cases: tuple[CaseRecord, ...]


def blamed(run: Run, case: CaseRecord) -> tuple[str, ...]:
    """The clauses to look at for a failed case, the most likely first."""
    later = run.blames.get(case.id)
    return later.clauses if later is not None and later.clauses else case.blame


def failures(run: Run) -> tuple[Group, ...]:
    """What failed and is not explained by a reading, grouped by the clause to look at; the largest group first."""
    explained = {case for reading in run.readings for case in reading.cases}
    groups: dict[tuple[str | None, str], list[CaseRecord]] = {}
    for case in run.cases:
        if case.outcome in BROKEN and case.id not in explained:
            clause = next(iter(blamed(run, case)), None)
            groups.setdefault((clause, "" if clause else case.outcome), []).append(case)
    found = [Group(clause, tuple(sorted(cases, key=_smallest))) for (clause, _), cases in groups.items()]
    return tuple(sorted(found, key=lambda group: (-len(group.cases), group.clause or "")))


def _smallest(case: CaseRecord) -> tuple[int, int, str]:
    found = case.found
    asked = None if found is None or found.request is None else found.request.get("hands")
    if asked is None:
        return 1, case.size, case.id
    return 0, sum(len(hand["events"]) for hand in asked), case.id


# ---------------------------------------------------------------------- two runs


@dataclass(frozen=True)
class Change:
    """A case whose outcome is another than before; None: it was not in that run."""

    id: str
    before: str | None
    after: str | None

    @property
    def is_worse(self) -> bool:
        """It is wrong now, and was not before, or it passed and is not tested any more."""
        return (self.after in BROKEN and self.before not in BROKEN) or (self.before == PASSED and self.after != PASSED)


@dataclass(frozen=True)
class Changes:
    """What is different in a later run: cases by id, clauses by their standing, readings."""

    cases: tuple[Change, ...]
    clauses: tuple[Change, ...]
    readings_before: tuple[ReadingRecord, ...]
    readings_after: tuple[ReadingRecord, ...]


def diff(before: Run, after: Run) -> Changes:
    """What changed from one run to a later one."""
    return Changes(
        _changes({case.id: case.outcome for case in before.cases}, {case.id: case.outcome for case in after.cases}),
        _changes({row.clause: row.standing for row in rows(before)}, {row.clause: row.standing for row in rows(after)}),
        tuple(one for one in before.readings if one not in after.readings),
        tuple(one for one in after.readings if one not in before.readings),
    )


def _changes(before: Mapping[str, str], after: Mapping[str, str]) -> tuple[Change, ...]:
    names = dict.fromkeys([*before, *after])
    pairs = (Change(name, before.get(name), after.get(name)) for name in names)
    return tuple(pair for pair in pairs if pair.before != pair.after)
