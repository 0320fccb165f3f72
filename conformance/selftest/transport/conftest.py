"""Bad engines, requests for them, and a look whether anything of them still lives."""

import json
import sys
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from buckspec.formats.validate import schema
from buckspec_conformance.protocol import Prepared, prepare
from buckspec_conformance.transport import Limits

ENGINES = Path(__file__).parent / "engines"
RUN = f"import sys; sys.path.insert(0, {str(ENGINES)!r}); import bad; bad.main()"

Command = Callable[..., list[str]]


def living(mark: str) -> list[str]:
    """The command lines of all processes, but for dead ones, that have this mark."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            command = (process / "cmdline").read_bytes()
            state = (process / "stat").read_text().rpartition(")")[2].split()[0]
        except (OSError, IndexError):
            continue
        if mark.encode() in command and state != "Z":
            found.append(command.decode())
    return found


@pytest.fixture
def mark() -> Iterator[str]:
    """A word in the command line of every process of a test. None of them may outlive it."""
    word = f"mark-{uuid.uuid4()}"
    yield word
    assert living(word) == []


@pytest.fixture
def bad(mark: str) -> Command:
    """The command of the engine that is wrong in this way."""
    return lambda way, *more: [sys.executable, "-S", "-E", "-c", RUN, way, mark, *map(str, more)]


@pytest.fixture(scope="session")
def limits() -> Limits:
    return Limits(answer=0.3, start=5.0, stop=0.6, line=1 << 20, noise=1 << 12)


@pytest.fixture(scope="session")
def sample() -> dict[str, Any]:
    """A request to play one hand, of the profile with which the engines are wrong."""
    found: dict[str, Any] = json.loads(json.dumps(schema("engine-play-request")["examples"][0]))
    return {**found, "profile": "bad"}


@pytest.fixture(scope="session")
def good_one(sample: dict[str, Any]) -> Prepared:
    return prepare({**sample, "profile": "ohio"})


@pytest.fixture(scope="session")
def bad_one(sample: dict[str, Any]) -> Prepared:
    return prepare(sample)
