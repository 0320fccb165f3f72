"""What the tests of replays share: recorded logs as plain values, and a judge that also checks the form of verdicts."""

import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Protocol

import pytest

from buckspec.formats.game_log import from_value
from buckspec.formats.validate import problems
from buckspec.load import load_profile
from buckspec.replay import overrides_of, replay, rules_for
from buckspec.verdict import Source, Verdict, to_json
from buckspec.words import words_of

sys.path.insert(0, str(Path(__file__).parent))  # where `import` finds what tests share

CASES = Path(__file__).with_name("cases")
Log = dict[str, Any]


class Judge(Protocol):
    def __call__(
        self,
        log: Log,
        profile: str | None = None,
        parameters: Mapping[str, int] | None = None,
        readings: Mapping[str, str] | None = None,
    ) -> Verdict: ...


@pytest.fixture(scope="session")
def judge() -> Judge:
    """The verdict on a log, whose form is checked too. Raises as `rules_for` and `replay` do."""

    def judged(
        log: Log,
        profile: str | None = None,
        parameters: Mapping[str, int] | None = None,
        readings: Mapping[str, str] | None = None,
    ) -> Verdict:
        read = from_value(log, words_of(load_profile("ohio")).vocabulary)
        rules = rules_for(read, profile, parameters, readings)
        overrides = overrides_of(read, rules, parameters, readings)
        found = replay(read, rules, Source("game.json", 1, read.id), overrides)
        assert problems(to_json(found), "verdict") == []
        return found

    return judged


@pytest.fixture
def one_hand() -> Log:
    """The log of the contract: one hand, legal and complete, with claims."""
    return contract("log")


@pytest.fixture
def contract_case() -> Callable[[str], Log]:
    return contract


def contract(name: str) -> Log:
    found: Log = json.loads((CASES / "contract" / f"{name}.json").read_text())
    return found


@pytest.fixture
def whole_game() -> Log:
    """A recorded game of several hands to its end, with claims for each."""
    lines = (CASES / "ohio" / "games.jsonl").read_text().splitlines()
    found: Log = min((json.loads(line) for line in lines), key=lambda log: (len(log["hands"]) < 3, len(log["hands"])))
    return found


@pytest.fixture
def cases_legal() -> list[Log]:
    """The recorded legal hands."""
    return [json.loads(line) for line in (CASES / "ohio" / "legal.jsonl").read_text().splitlines()]
