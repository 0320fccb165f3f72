"""What is said of an engine depends on the engine, the rules, the level and the seed, and on nothing else."""

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from msgspec.structs import replace

from buckspec.rules import Rules
from buckspec_conformance import readings
from buckspec_conformance.in_process import InProcess
from buckspec_conformance.properties import Searchable, properties
from buckspec_conformance.reference_engine import ReferenceEngine
from buckspec_conformance.runner import Options, run
from buckspec_conformance.stream import CaseRecord, Footer, Header, Record, line_of
from buckspec_conformance.suite import Ask, Result, Sources

ENGINES = {
    "right": ReferenceEngine,
    "wrong": lambda: ReferenceEngine({"below-zero": "cut", "sweep": "never"}, declares=False),
}
_NAMES = ("property/whole-games", "property/rotated-seats", "property/hands-too-many")
_SHARE = 20


@dataclass(frozen=True)
class Fewer:
    """A property, searched in a share of the games."""

    whole: Searchable

    @property
    def id(self) -> str:
        return self.whole.id

    @property
    def clauses(self) -> tuple[str, ...]:
        return self.whole.clauses

    @property
    def why(self) -> str:
        return self.whole.why

    @property
    def tags(self) -> tuple[str, ...]:
        return self.whole.tags

    def search(self, ask: Ask, seed: int, tries: int) -> Result | None:
        return self.whole.search(ask, seed, tries // _SHARE)


def _some(rules: Rules) -> list[Fewer]:
    return [Fewer(one) for one in properties(rules) if one.id in _NAMES]


def told(kind: str) -> bytes:
    """All records of a run, without what time they tell."""
    sources = Sources(lambda _: readings.cases(), _some, lambda _: iter(()))
    records = run(lambda: InProcess(ENGINES[kind]()), Options(level="standard", seed=7), sources)
    return b"".join(line_of(record) for record in _timeless(records))


def _timeless(records: Iterator[Record]) -> Iterator[Record]:
    for record in records:
        if isinstance(record, Header):
            yield replace(record, time="")
        elif isinstance(record, CaseRecord | Footer):
            yield replace(record, seconds=0.0)
        else:
            yield record


@pytest.mark.parametrize("kind", ENGINES)
def test_the_same_is_said_twice_and_in_another_process(kind: str) -> None:
    first = told(kind)
    assert told(kind) == first
    ask = f"import sys, test_same_bytes; sys.stdout.buffer.write(test_same_bytes.told({kind!r}))"
    place = os.pathsep.join([str(Path(__file__).resolve().parent), *sys.path])
    known = {**os.environ, "PYTHONPATH": place, "PYTHONHASHSEED": "1948"}
    fresh = subprocess.run([sys.executable, "-c", ask], capture_output=True, env=known, check=True)
    assert fresh.stdout == first
