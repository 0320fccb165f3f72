"""The report on a run for a terminal."""

import shlex
from collections.abc import Iterator

import click

from buckspec.formats.wording import harmless
from buckspec_conformance.stream import CaseRecord
from buckspec_conformance.table import Group, Row
from buckspec_tools.report.columns import aligned, indented, labelled, wrapped
from buckspec_tools.run_report import facts
from buckspec_tools.run_report.game import shown
from buckspec_tools.run_report.view import View

_GROUPS, _NAMED = 10, 4
"""How many clauses are told in full, and how many other cases are named for each."""


def render(view: View) -> str:
    """The whole report."""
    return "\n".join(_lines(view))


def _lines(view: View) -> Iterator[str]:
    yield from labelled(list(facts.about(view)))
    footer = view.run.footer
    if footer is not None and footer.stopped == "no hello":
        yield from _silent(view)
    elif view.next_step is not None and not view.verbose:
        yield from ["", facts.outcomes(view), "", _strong(f"Next: {view.next_step}", "yellow")]
    else:
        yield from _block("Open questions", labelled(list(facts.readings(view))))
        yield from _block("Clauses", list(_clauses(view)))
        yield from _failures(view)
        yield from _block("Cases", [facts.outcomes(view), *facts.declined(view)])
        unused = ", ".join(map(harmless, facts.stale(view)))
        if unused:
            yield f"  known failures of which nothing was asked: {unused}"
    color = "green" if footer is not None and footer.exit == 0 else "magenta"
    yield from ["", _strong(facts.conclusion(view), color)]


def _silent(view: View) -> Iterator[str]:
    footer = view.run.footer
    if footer is None:
        return
    yield from ["", *wrapped(harmless(footer.message or ""))]
    yield from indented(map(harmless, footer.detail.splitlines()))
    yield from ["", f"Next: buckspec doctor -- {view.command}"]


def _block(heading: str, lines: list[str]) -> Iterator[str]:
    if lines:
        yield from ["", _strong(heading), *indented(lines)]


def _strong(text: str, color: str | None = None) -> str:
    return click.style(text, bold=True, fg=color)


# ---------------------------------------------------------------------- the table


def _clauses(view: View) -> Iterator[str]:
    """A line for each chapter, and below it its clauses that did not pass; with `verbose` all of them."""
    table = [["", *(name for _, name in facts.COLUMNS), ""]]
    for chapter, every in view.chapters():
        rows = [row for row in every if view.verbose or not facts.is_left_out(view, row)]
        told = [row for row in rows if view.verbose or not _is_dull(view, row)]
        if not rows:
            continue
        together = _together(view, rows)
        if together:
            table.append([chapter, *_sums(rows), together])
            continue
        table.append([chapter, *_sums(rows), _word(view, rows)])
        table += [[f"  {row.clause}", *facts.cells(row), str(facts.standing(view, row))] for row in told]
    yield from aligned(table, right=range(1, len(facts.COLUMNS) + 1))
    if view.verbose:
        elsewhere = [(row.clause, row.why or "") for row in view.rows if row.standing == "not-in-force"]
        yield from (["", "not in force", *indented(labelled(elsewhere))] if elsewhere else [])


def _together(view: View, rows: list[Row]) -> str:
    """One word for all clauses of a chapter that is not covered for one reason; nothing where that is not so."""
    said = {str(facts.standing(view, row)) for row in rows}
    if view.verbose or len(rows) == 1 or len(said) > 1 or any(row.standing != "not-covered" for row in rows):
        return ""
    return f"0 of {len(rows)} passed, all {said.pop()}"


def _is_dull(view: View, row: Row) -> bool:
    """There is nothing to say of it beside the others of its chapter."""
    return row.standing == "passed" or facts.is_in_doubt(view, row)


def _word(view: View, rows: list[Row]) -> str:
    passed = sum(1 for row in rows if row.standing == "passed")
    doubt = sum(1 for row in rows if facts.is_in_doubt(view, row))
    if passed == len(rows):
        return f"all {passed} passed" if passed > 1 else "passed"
    return f"{passed} of {len(rows)} passed" + (f", {doubt} in doubt" if doubt else "")


def _sums(rows: list[Row]) -> list[str]:
    return [str(sum(row.tested.get(layer, 0) for row in rows) or "") for layer, _ in facts.COLUMNS]  # type: ignore[call-overload]


# ---------------------------------------------------------------------- failures


def _failures(view: View) -> Iterator[str]:
    groups = view.failures if view.verbose else view.failures[:_GROUPS]
    for group in groups:
        yield from ["", *_group(view, group)]
    rest = view.failures[len(groups) :]
    if rest:
        named = ", ".join(group.clause or "no clause" for group in rest)
        yield from ["", *wrapped(f"Also blamed: {named}. --verbose shows all.")]


def _group(view: View, group: Group) -> Iterator[str]:
    """One clause with the smallest game that shows it."""
    first, *others = group.cases
    many = f"   ({len(group.cases)} cases)" if others else ""
    yield _strong(facts.heading(group) + many, "magenta")
    yield from indented(wrapped(view.sentence(group.clause) if group.clause else ""))
    yield from [""] if group.clause else []
    yield from indented(_case(view, first))
    if others:
        named = others if view.verbose else others[:_NAMED]
        more = f" and {len(others) - len(named)} more" if len(others) > len(named) else ""
        yield from indented(wrapped(f"Also: {', '.join(harmless(case.id) for case in named)}{more}"))
    if facts.advice(view, group):
        yield f"  Next: {facts.advice(view, group)}"


def _case(view: View, case: CaseRecord) -> Iterator[str]:
    yield from wrapped(f"{harmless(case.id)} ({case.outcome}): {harmless(case.why)}")
    yield from indented(shown(view, case).lines)
    if case.layer != "invariant" or case.found is not None:
        yield f"Reproduce: {view.reproduce(case)}"
    if case.id in view.logs:
        yield f"Replay:    buckspec replay {harmless(shlex.quote(view.logs[case.id]))}"
