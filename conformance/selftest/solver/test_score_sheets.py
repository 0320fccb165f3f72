"""Score sheets: what no hand can come to is found, and a true sheet is never called impossible."""

import json
import sys
from pathlib import Path

import pytest

from buckspec.missing import judge
from buckspec.replay import rules_for
from buckspec.verdict import At, Verdict
from buckspec_conformance.solver.score_sheets import contradiction

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "reference" / "tests"))
from hidden_logs import SOURCE, Log, read, recorded


def judged(log: Log, **readings: str) -> Verdict:
    value = read(log)
    return judge(value, rules_for(value, readings=readings), SOURCE, sheets=contradiction)


def sheet(log: Log, *kept: str) -> Log:
    """The log as a score sheet, with these claims of each hand only."""
    log = json.loads(json.dumps(log))
    for hand in log["hands"]:
        del hand["deck"], hand["events"]
        hand["claims"] = {name: hand["claims"][name] for name in kept}
    return log


@pytest.fixture
def game() -> Log:
    return min((log for log in recorded("games") if len(log["hands"]) > 2), key=lambda log: len(log["hands"]))


@pytest.mark.parametrize("kept", [("totals",), ("tricks", "points"), ("maker", "trump", "active", "tricks", "totals")])
def test_a_true_sheet_is_not_contradicted(game: Log, kept: tuple[str, ...]) -> None:
    verdict = judged(sheet(game, *kept))
    assert (verdict.word, verdict.conflict) == ("undetermined", ())


def test_a_total_that_no_hand_can_add_up_to(game: Log) -> None:
    log = sheet(game, "totals")
    del log["claims"]
    for hand in log["hands"][1:]:
        hand["claims"] = {}
    log["hands"][0]["claims"]["totals"][2] += 1000
    verdict = judged(log)
    assert (verdict.word, verdict.conflict) == ("impossible", (At(0),))


def test_two_lines_that_are_right_alone(game: Log) -> None:
    """Four tricks in one hand and nobody set: no hand comes to that, but two hands together come to either line."""
    log = sheet(game, "totals")
    del log["claims"]
    log |= {"start": {"totals": [25] * 4}, "hands": log["hands"][:2]}
    first, second = (hand["claims"] for hand in log["hands"])
    first["totals"] = [22, 24, 24, 30]
    second["totals"] = [total - 1 for total in first["totals"]]
    verdict = judged(log)
    assert (verdict.word, verdict.conflict) == ("impossible", (At(0), At(1)))
    del first["totals"]
    assert judged(log).word == "undetermined"


def test_a_reading_that_explains_a_sheet() -> None:
    """A sweep that is scored for its player only."""
    log = sheet(next(log for log in recorded("games") if len(log["hands"]) == 1), "tricks", "totals")
    claims = log["hands"][0]["claims"]
    claims["totals"] = [total - tricks for total, tricks in zip(claims["totals"], claims["tricks"], strict=True)]
    log["claims"]["totals"] = claims["totals"]
    assert judged(log).word == "impossible"
    assert judged(log, **{"sweep-points": "winner"}).word == "undetermined"


def test_a_hand_that_was_seen_before_the_sheet_begins(game: Log) -> None:
    log = sheet(game, "tricks", "totals")
    log["hands"][0] = json.loads(json.dumps(game["hands"][0]))
    assert judged(log).word == "undetermined"
    log["hands"][1]["claims"]["tricks"][0] += 1
    assert (judged(log).word, judged(log).conflict) == ("impossible", (At(1),))
