"""Recorded games with which something is wrong, or nothing, and a place to write them to."""

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

CASES = Path(__file__).resolve().parents[2] / "reference" / "tests" / "cases"
Log = dict[str, Any]
Save = Callable[..., str]


@pytest.fixture
def legal() -> Log:
    found: Log = json.loads((CASES / "contract" / "log.json").read_text(encoding="utf-8"))
    return found


@pytest.fixture
def illegal(legal: Log) -> Log:
    """The same game with a revoke: nine of hearts instead of ace of clubs."""
    found = copy.deepcopy(legal)
    hand = found["hands"][0]
    hand["events"] = [*hand["events"][:7], {**hand["events"][7], "card": "9H"}]
    return found


@pytest.fixture
def wrong(legal: Log) -> Log:
    found = copy.deepcopy(legal)
    found["claims"]["totals"][2] += 1
    return found


@pytest.fixture
def unfinished(legal: Log) -> Log:
    found = copy.deepcopy(legal)
    del found["claims"], found["hands"][0]["claims"], found["hands"][0]["events"][-1]
    return found


@pytest.fixture
def unknown(legal: Log) -> Log:
    found = copy.deepcopy(legal)
    found["hands"][0]["deck"] = ["??"] * len(found["hands"][0]["deck"])
    return found


@pytest.fixture
def save(tmp_path: Path) -> Save:
    """Write logs as JSON Lines; a text stands for itself."""

    def saved(*logs: Log | str, name: str = "games.jsonl") -> str:
        path = tmp_path / name
        lines = [log if isinstance(log, str) else json.dumps(log) for log in logs]
        path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
        return str(path)

    return saved
