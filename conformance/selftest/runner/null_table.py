"""What comes of the null engines: the table of conformance/NULL-ENGINES.md."""

import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from buckspec_conformance import readings, suite
from buckspec_conformance.piped import Piped
from buckspec_conformance.runner import Options, run
from buckspec_conformance.stream import Run, run_of
from buckspec_conformance.table import rows
from buckspec_conformance.transport import Limits

HERE = Path(__file__).resolve().parent
OUT = HERE.parents[1] / "NULL-ENGINES.md"
SOURCES = suite.Sources(lambda _: readings.cases(), lambda _: (), lambda _: iter(()))

_HEAD = """\
# Null engines

Engines that cannot play, and what the suite makes of them. No clause counts as passed that an engine did not earn:
silence, a crash or garbage is never a pass, and neither is a yes or a no to everything.
Written by `conformance/selftest/runner/null_engines.py --write`; a test compares it.

| engine | what it does | what comes of its cases | clauses passed | exit code |
|---|---|---|---|---|
"""


def outcome(kind: str, sources: suite.Sources = SOURCES) -> Run:
    """The run of a null engine."""
    command = (sys.executable, str(HERE / "null_engines.py"), kind)
    limits = Limits(answer=20.0 if kind != "hang" else 1.0)
    options = Options(level="smoke", command=("null", kind), confirm=2, patience=2)
    return run_of(run(lambda: Piped(command, limits, pin=False), options, sources))


def earned(found: Run) -> int:
    """How many clauses count as passed."""
    return sum(row.standing == "passed" for row in rows(found))


def line(kind: str, what: str, found: Run) -> str:
    """A line of the table. What depends on how many cases there are is left out."""
    came = ", ".join(sorted({case.outcome for case in found.cases})) or "there are none"
    passed = "what it answered rightly" if kind == "crash-later" else str(earned(found))
    return f"| {kind} | {what} | {came} | {passed} | {found.footer.exit if found.footer else ''} |"


def table() -> str:
    """The whole file."""
    from null_engines import KINDS

    with ThreadPoolExecutor(len(KINDS)) as threads:  # most of them are waited for
        found = list(threads.map(outcome, KINDS))
    lines = [line(kind, what, one) for (kind, (what, _, _)), one in zip(KINDS.items(), found, strict=True)]
    return _HEAD + "\n".join(lines) + "\n"
