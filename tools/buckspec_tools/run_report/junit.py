"""A run as JUnit XML: a test case for each case, in a suite for each layer."""

from collections.abc import Iterator
from html import escape

from buckspec.formats.wording import harmless
from buckspec_conformance.stream import BROKEN, CaseRecord
from buckspec_conformance.table import KNOWN, blamed
from buckspec_tools.run_report import facts
from buckspec_tools.run_report.game import shown
from buckspec_tools.run_report.view import View

_ERRORS = ("crashed", "timeout", "protocol-error", "suite-error", "flaky")
"""The outcomes in which nothing could be judged; the others that are wrong are failures."""
_SKIPPED = ("unsupported", KNOWN)


def render(view: View) -> str:
    """The whole file."""
    return "\n".join(_lines(view))


def _lines(view: View) -> Iterator[str]:
    cases, footer = view.run.cases, view.run.footer
    seconds = footer.seconds if footer else 0.0
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield f"<testsuites {_told(name=f'buckspec: {view.engine}', time=f'{seconds:.3f}', **_counts(cases))}>"
    for layer in dict.fromkeys(case.layer for case in cases):
        own = [case for case in cases if case.layer == layer]
        yield f"  <testsuite {_told(name=layer, timestamp=view.run.header.time, **_counts(own))}>"
        for case in own:
            yield from _case(view, case)
        yield "  </testsuite>"
    if not cases:
        message = _told(message=facts.conclusion(view))
        yield '  <testsuite name="hello" tests="1" errors="1" failures="0" skipped="0">'
        detail = escape(harmless(footer.message or "") if footer else "")
        yield f'    <testcase name="hello" classname="buckspec"><error {message}>{detail}</error></testcase>'
        yield "  </testsuite>"
    yield "</testsuites>"


def _counts(cases: tuple[CaseRecord, ...] | list[CaseRecord]) -> dict[str, str]:
    errors = sum(1 for case in cases if case.outcome in _ERRORS)
    broken = sum(1 for case in cases if case.outcome in BROKEN)
    skipped = sum(1 for case in cases if case.outcome in _SKIPPED)
    found = {"tests": len(cases), "failures": broken - errors, "errors": errors, "skipped": skipped}
    return {name: str(count) for name, count in found.items()}


def _case(view: View, case: CaseRecord) -> Iterator[str]:
    first = next(iter(blamed(view.run, case) or case.clauses), case.layer)
    head = f"<testcase {_told(name=case.id, classname=f'buckspec.{first}', time=f'{case.seconds:.6f}')}"
    message = harmless(case.found.message if case.found else "")
    if case.outcome in _SKIPPED:
        yield f"    {head}><skipped {_told(message=case.because or message or case.outcome)}/></testcase>"
    elif case.outcome in BROKEN:
        kind = "error" if case.outcome in _ERRORS else "failure"
        text = "\n".join([case.why, *shown(view, case).lines, f"Reproduce: {view.reproduce(case)}"])
        wrong = _told(type=case.outcome, message=message or case.why)
        yield f"    {head}><{kind} {wrong}>{_text(text)}</{kind}></testcase>"
    else:
        yield f"    {head}/>"


def _told(**attributes: str) -> str:
    return " ".join(f'{name}="{escape(harmless(value))}"' for name, value in attributes.items())


def _text(text: str) -> str:
    """Text with nothing in it that XML forbids; its lines stay."""
    return "\n".join(escape(harmless(line), quote=False) for line in text.split("\n"))
