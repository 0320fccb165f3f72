"""A run as Markdown, for the summary of a build or an issue."""

import re
from collections.abc import Iterator

from buckspec.formats.wording import harmless
from buckspec_tools.run_report import facts
from buckspec_tools.run_report.game import shown
from buckspec_tools.run_report.view import View

_SIGNS = re.compile(r"([\\`*_\[\]<>|#])")


def render(view: View) -> str:
    """The whole text."""
    return "\n".join(_lines(view))


def _lines(view: View) -> Iterator[str]:
    yield from [f"## Buck Euchre: {_safe(view.engine)}", "", f"**{_safe(facts.conclusion(view))}**", ""]
    yield from (f"- {_safe(label)}: {_safe(text)}" for label, text in facts.about(view))
    yield f"- cases: {_safe(facts.outcomes(view))}"
    if view.next_step is not None:
        yield from ["", f"Next: {_safe(view.next_step)}"]
        return
    yield from _block("Open questions", [f"- {_safe(label)}: {_safe(text)}" for label, text in facts.readings(view)])
    yield from _block("What fails", list(_failures(view)))
    yield from _block("Clauses", list(_clauses(view)))


def _block(heading: str, lines: list[str]) -> Iterator[str]:
    if lines:
        yield from ["", f"### {heading}", "", *lines]


def _failures(view: View) -> Iterator[str]:
    for group in view.failures:
        first = group.cases[0]
        sentence = f": {_safe(view.sentence(group.clause))}" if group.clause else ""
        many = facts.number(len(group.cases), "case")
        yield from [f"**{_safe(facts.heading(group))}**{sentence} ({many})", ""]
        # indented, so that nothing in it can end the block
        told = [harmless(first.why), *shown(view, first).lines, f"Reproduce: {view.reproduce(first)}"]
        yield from [*(f"    {line}" for line in told), ""]


def _clauses(view: View) -> Iterator[str]:
    names = [name for _, name in facts.COLUMNS]
    yield f"| clause | {' | '.join(names)} | |"
    yield f"|---|{'--:|' * len(names)}---|"
    for _, rows in view.chapters():
        for row in (row for row in rows if not facts.is_left_out(view, row)):
            yield f"| {row.clause} | {' | '.join(facts.cells(row))} | {_safe(str(facts.standing(view, row)))} |"


def _safe(text: str) -> str:
    return _SIGNS.sub(r"\\\1", text)
