"""A run as annotations: the lines that GitHub Actions shows beside a build."""

from collections.abc import Iterator

from buckspec.formats.wording import harmless
from buckspec_tools.run_report import facts
from buckspec_tools.run_report.game import shown
from buckspec_tools.run_report.view import View


def render(view: View) -> str:
    """One annotation for each clause that is to blame, for each reading, and one for the whole."""
    return "\n".join(_lines(view))


def _lines(view: View) -> Iterator[str]:
    for group in view.failures:
        first = group.cases[0]
        title = group.clause or f"{first.outcome} in {harmless(first.id)}"
        sentence = view.sentence(group.clause) if group.clause else harmless(first.why)
        again = f"Reproduce: {view.reproduce(first)}"
        yield _line("error", title, "\n".join([sentence, *shown(view, first).lines, again]))
    for question, text in facts.readings(view):
        if question in {one.question for one in view.run.readings}:
            yield _line("warning", question, text)
    footer = view.run.footer
    level = "notice" if footer is not None and footer.exit == 0 else "error"
    yield _line(level, f"buckspec: {view.engine}", facts.conclusion(view))


def _line(level: str, title: str, message: str) -> str:
    head = _escaped(title).replace(":", "%3A").replace(",", "%2C")
    return f"::{level} title={head}::{_escaped(message)}"


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
