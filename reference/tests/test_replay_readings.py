"""Every reading of every question matters: for each two there is a log that they judge differently.

`find_readings.py` finds the logs.
"""

import json
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from buckspec.formats.game_log import from_value
from buckspec.interpret import view
from buckspec.load import load_profile
from buckspec.replay import rules_for
from buckspec.verdict import Verdict, to_json

CASES = sorted((Path(__file__).with_name("cases") / "readings").glob("*.json"))
QUESTIONS = load_profile("ohio").book.questions
PAIRS = {(name, *pair) for name, question in QUESTIONS.items() for pair in combinations(question.readings, 2)}
# In private or aloud, in any order: the same may be said, and what differs is who hears it.
ONLY_SEEN = ("decisions", "any-order", "private")


def essence(verdict: Verdict) -> dict[str, Any]:
    told = to_json(verdict)
    kept = {name: told[name] for name in ("verdict", "at", "totals", "winners", "ended")}
    return {**kept, "violations": [broken.clause for broken in verdict.violations]}


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_two_readings_judge_a_log_differently(judge: Any, path: Path) -> None:
    case = json.loads(path.read_text(encoding="utf-8"))
    question, verdicts = case["question"], case["verdicts"]
    assert path.stem == ".".join((question, *verdicts))
    found = {reading: essence(judge(case["log"], readings={question: reading})) for reading in verdicts}
    assert found == verdicts
    first, second = verdicts.values()
    assert first != second


def test_every_pair_of_readings_has_its_log() -> None:
    assert {tuple(path.stem.split(".")) for path in CASES} == PAIRS - {ONLY_SEEN}


def test_two_readings_differ_in_what_a_player_hears(judge: Any) -> None:
    """A decision that others have not made yet is heard by one reading and not by the other; all else is the same."""
    question, *readings = ONLY_SEEN
    path = next(path for path in CASES if path.stem == "decisions.in-turn.any-order")
    log = json.loads(path.read_text(encoding="utf-8"))["log"]
    found = {reading: judge(log, readings={question: reading}) for reading in readings}
    assert len({json.dumps(essence(verdict)) for verdict in found.values()}) == 1
    views = {reading: view(verdict.state, 0) for reading, verdict in found.items() if verdict.state}
    aloud, private = (views[reading] for reading in readings)
    assert set(aloud) - set(private) == {"stayed", "dropped"}
    assert all(private[name] == aloud[name] for name in private)


def test_the_same_log_is_judged_by_the_same_rules_once() -> None:
    log = from_value(json.loads(CASES[0].read_text(encoding="utf-8"))["log"])
    assert rules_for(log, None, None, {"ties": "shared"}) is rules_for(log, None, None, {"ties": "shared"})
