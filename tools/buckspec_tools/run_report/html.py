"""A run as one HTML file that needs nothing else."""

from collections.abc import Iterator
from html import escape

from buckspec.formats.wording import harmless
from buckspec_conformance.table import Group
from buckspec_tools.run_report import facts
from buckspec_tools.run_report.game import shown
from buckspec_tools.run_report.view import View

_STYLE = """
:root { color-scheme: light dark }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem }
table { border-collapse: collapse } th, td { text-align: left; padding: .15rem .8rem .15rem 0; vertical-align: top }
td.count { text-align: right } dt { font-weight: bold }
pre { overflow-x: auto; padding: .6rem; border: 1px solid #8888 }
.passed { color: #2a7f3f } .failed { color: #b3261e; font-weight: bold } summary { cursor: pointer; font-weight: bold }
"""


def render(view: View) -> str:
    """The whole file."""
    return "\n".join(_lines(view))


def _lines(view: View) -> Iterator[str]:
    title = escape(f"Buck Euchre: {view.engine}")
    yield f'<!doctype html>\n<html lang="{escape(view.language)}"><head><meta charset="utf-8"><title>{title}</title>'
    yield '<meta name="viewport" content="width=device-width">'
    yield f"<style>{_STYLE}</style></head><body><main>\n<h1>{title}</h1>"
    yield f"<p><strong>{escape(facts.conclusion(view))}</strong></p>"
    if view.next_step is not None:
        yield f"<p>Next: {escape(view.next_step)}</p>"
    yield from _entries([*facts.about(view), ("cases", facts.outcomes(view))])
    footer = view.run.footer
    if footer is not None and footer.message:
        yield f"<pre>{_text([footer.message, *footer.detail.splitlines()])}</pre>"
    readings = list(facts.readings(view))
    if readings:
        yield "<h2>Open questions</h2>"
        yield from _entries(readings)
    if view.failures:
        yield "<h2>What fails</h2>"
    for group in view.failures:
        yield from _group(view, group)
    yield from _clauses(view)
    yield "</main></body></html>"


def _entries(entries: list[tuple[str, str]]) -> Iterator[str]:
    yield "<dl>"
    yield from (f"<dt>{escape(label)}</dt><dd>{escape(text)}</dd>" for label, text in entries)
    yield "</dl>"


def _group(view: View, group: Group) -> Iterator[str]:
    first, *others = group.cases
    name = escape(facts.heading(group))
    yield f'<section id="{name.replace(" ", "-")}"><h3>{name}</h3>'
    if group.clause:
        yield f"<p>{escape(view.sentence(group.clause))}</p>"
    yield f"<p>{escape(harmless(first.id))} ({first.outcome}): {escape(harmless(first.why))}</p>"
    yield f"<pre>{_text(shown(view, first).lines)}</pre>"
    yield f"<p>Reproduce: <code>{escape(view.reproduce(first))}</code></p>"
    if others:
        named = "".join(f"<li>{escape(harmless(case.id))} ({case.outcome})</li>" for case in others)
        yield f"<details><summary>{len(others)} more</summary><ul>{named}</ul></details>"
    if facts.advice(view, group):
        yield f"<p>Next: {escape(facts.advice(view, group))}</p>"
    yield "</section>"


def _clauses(view: View) -> Iterator[str]:
    yield "<h2>Clauses</h2>"
    names = "".join(f"<th>{name}</th>" for _, name in facts.COLUMNS)
    for chapter, every in view.chapters():
        rows = [row for row in every if not facts.is_left_out(view, row)]
        if not rows:
            continue
        passed = sum(1 for row in rows if row.standing == "passed")
        is_open = "" if passed == len(rows) else " open"
        yield f"<details{is_open}><summary>{escape(chapter)}: {passed} of {len(rows)} passed</summary>"
        yield f"<table><tr><th>clause</th>{names}<th></th></tr>"
        for row in rows:
            counts = "".join(f'<td class="count">{count}</td>' for count in facts.cells(row))
            kind = row.standing if row.standing in ("passed", "failed") else "other"
            clause = f'<td title="{escape(view.sentence(row.clause))}">{escape(row.clause)}</td>'
            yield f'<tr>{clause}{counts}<td class="{kind}">{escape(str(facts.standing(view, row)))}</td></tr>'
        yield "</table></details>"


def _text(lines: list[str]) -> str:
    return "\n".join(escape(harmless(line)) for line in lines)
