"""A case: one request to an engine, what it is for, and what came of it.

All layers of the suite (vectors, properties, tables) are sources of cases; all cases are judged in one way.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from buckspec.rules import Rules
from buckspec_conformance.asking import Answer, Failure
from buckspec_conformance.compare import Difference, compare
from buckspec_conformance.messages import HelloResponse, PlayResponse
from buckspec_conformance.oracle import expected

Layer: TypeAlias = Literal["vector", "property", "table", "invariant", "record"]

Outcome: TypeAlias = Literal[
    "passed",
    "failed",
    "wrong-reason",
    "crashed",
    "timeout",
    "protocol-error",
    "unsupported",
    "known-failure",
    "stale-known-failure",
    "flaky",
    "suite-error",
]
"""The closed list of what can come of a case."""


@dataclass(frozen=True)
class Case:
    """A request (`play`, without an id), the clauses for whose sake it is asked, and one sentence why.

    `id` stays the same from run to run and from version to version; `tags` are for choosing cases.
    """

    id: str
    layer: Layer
    clauses: tuple[str, ...]
    why: str
    request: Mapping[str, object]
    tags: tuple[str, ...] = ()


@dataclass(frozen=True)
class Result:
    """What came of a case. `steps` were held against the rules; the first difference, if any, decided."""

    case: Case
    outcome: Outcome
    steps: int = 0
    difference: Difference | None = None
    failure: Failure | None = None
    seconds: float = 0.0


def judge(case: Case, rules: Rules, hello: HelloResponse, found: Answer | Failure, judged: frozenset[str]) -> Result:
    """The result of a case from what the engine answered. `judged` are the fields that the suite compares."""
    if isinstance(found, Failure):
        return Result(case, found.kind, failure=found)
    message = found.message
    if not isinstance(message, PlayResponse):
        return Result(case, "protocol-error", failure=Failure("protocol-error", "not an answer to play"))
    comparison = compare(expected(rules, case.request), message, hello.reports, judged)
    difference = comparison.difference
    if difference is None:
        return Result(case, "passed", comparison.judged, seconds=found.seconds)
    if difference.field == "error":
        failure = Failure("crashed", str(difference.actual))
        return Result(case, "crashed", comparison.judged, difference, failure, found.seconds)
    outcome: Outcome = "wrong-reason" if difference.is_reason else "failed"
    return Result(case, outcome, comparison.judged, difference, seconds=found.seconds)
