"""The suite as tests of pytest; see `buckspec_conformance.plugin`. Collected only where `--buck-engine` is given."""

import pytest

from buckspec_conformance.stream import BROKEN, CaseRecord, Run
from buckspec_conformance.table import failures, rows

_SHOWN = 3


def test_the_engine_answers(buck_run: Run) -> None:
    """It was greeted, and everything was asked."""
    footer = buck_run.footer
    if buck_run.header.hello is None or footer is None:
        pytest.fail(f"hello was not answered: {footer.message if footer else ''}", pytrace=False)
    if footer.stopped is not None:
        pytest.fail(f"the run was ended early ({footer.stopped})", pytrace=False)


def test_clause(buck_run: Run, buck_clause: str) -> None:
    """Nothing that went wrong goes back to this clause, and something shows that it is kept."""
    for reading in buck_run.readings:
        if buck_clause in reading.clauses:
            pytest.fail(
                f"it plays another reading of {reading.question} than it says: {reading.reading}, "
                f"not {reading.instead_of}. {reading.says}",
                pytrace=False,
            )
    for group in failures(buck_run):
        if group.clause == buck_clause:
            pytest.fail(_told(group.cases), pytrace=False)
    row = next(row for row in rows(buck_run) if row.clause == buck_clause)
    if row.standing == "not-covered":
        pytest.skip(row.why or row.standing)


def test_property(buck_run: Run, buck_property: str) -> None:
    """No game was found in which the property does not hold."""
    found = [case for case in buck_run.cases if case.id == buck_property]
    if any(case.outcome in BROKEN for case in found):
        pytest.fail(_told(found), pytrace=False)
    if not any(case.outcome == "passed" for case in found):
        pytest.skip("; ".join(case.found.message for case in found if case.found) or "it was not asked")


def test_nothing_else_is_wrong(buck_run: Run) -> None:
    """Nothing went wrong that goes back to no clause."""
    known = set(buck_run.header.in_force)
    wrong = [case for group in failures(buck_run) if group.clause not in known for case in group.cases]
    if wrong:
        pytest.fail(_told(wrong), pytrace=False)


def _told(cases: "list[CaseRecord] | tuple[CaseRecord, ...]") -> str:
    """The smallest of these cases in words, and how many there are."""
    lines = []
    for case in cases[:_SHOWN]:
        lines.append(f"{case.id} {case.outcome}: {case.why}")
        if case.found is not None:
            lines += [f"  {case.found.message}", f"  {case.found.reproduce or ''}"]
    if len(cases) > _SHOWN:
        lines.append(f"and {len(cases) - _SHOWN} more")
    return "\n".join(line.rstrip() for line in lines)
