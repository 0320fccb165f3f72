"""What the tests of properties and tables have in common: the rules, and engines to ask."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from buckspec import load_profile
from buckspec.rules import Rules
from buckspec_conformance.in_process import InProcess
from buckspec_conformance.messages import HelloResponse
from buckspec_conformance.reference_engine import ReferenceEngine
from buckspec_conformance.search import Answered, asking

Json = dict[str, Any]
Asked = Callable[..., Callable[..., Answered]]


@pytest.fixture(scope="session")
def rules() -> Rules:
    return load_profile("ohio")


class Changed:
    """The reference, with a change made to each answer to play."""

    def __init__(self, change: Callable[[Mapping[str, Any], Json], Json], readings: Mapping[str, str] | None = None):
        self.reference, self.change = ReferenceEngine(readings, declares=False), change

    def answer(self, request: Mapping[str, object]) -> Mapping[str, object]:
        found = dict(self.reference.answer(request))
        return self.change(request, found) if request["op"] == "play" else found


@pytest.fixture(scope="session")
def asked(rules: Rules) -> Asked:
    """What asks an engine in this process, and judges it."""

    def ask(engine: object, judged: frozenset[str] | None = None) -> Callable[..., Answered]:
        transport = InProcess(engine)  # type: ignore[arg-type]
        hello = transport.start()
        assert isinstance(hello, HelloResponse)
        return asking(transport, rules, hello, judged)

    return ask
