"""What the tests of the runner share: a small suite, and runs of the reference by different readings."""

import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from buckspec_conformance import readings, suite
from buckspec_conformance.in_process import InProcess
from buckspec_conformance.reference_engine import ReferenceEngine
from buckspec_conformance.runner import Options, run
from buckspec_conformance.stream import CaseRecord, Run, run_of

sys.path.insert(0, str(Path(__file__).resolve().parent))

SMALL = suite.Sources(lambda _: readings.cases(), lambda _: (), lambda _: iter(()))
"""Only the cases that tell readings apart, and records."""


class Changed(ReferenceEngine):
    """The reference, whose every answer is changed by a function of request and answer."""

    def __init__(self, change: Callable[[Mapping[str, Any], dict[str, Any]], Any], **more: Any) -> None:
        super().__init__(**more)
        self.change = change

    def answer(self, request: Mapping[str, object]) -> Mapping[str, object]:
        found: Mapping[str, object] = self.change(request, dict(super().answer(request)))
        return found


def played(
    engine: Any, options: Options | None = None, sources: suite.Sources = SMALL, before: Run | None = None
) -> Run:
    """The run of an engine that is an object."""
    return run_of(run(lambda: InProcess(engine), options or Options(level="smoke"), sources, before))


def exit_of(found: Run) -> int:
    """With which code a run ended."""
    assert found.footer is not None
    return found.footer.exit


def by_id(found: Run) -> dict[str, CaseRecord]:
    """The cases of a run by their names."""
    return {case.id: case for case in found.cases}


@pytest.fixture(scope="session")
def right() -> Run:
    """The run of the reference."""
    return played(ReferenceEngine())
