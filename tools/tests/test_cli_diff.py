"""`buckspec diff`: what it prints, and what it ends with."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from buckspec.formats.validate import problems
from buckspec_tools.cli import cli

TOP = Path(__file__).resolve().parents[2]
HOUSE_RULES = sorted((TOP / "spec" / "examples" / "house-rules").glob("*.yaml"))
THREE_PLAYERS = str(TOP / "reference" / "tests" / "language" / "later" / "three-players")


def run(*args: str) -> Result:
    return CliRunner().invoke(cli, ["diff", *args])


def test_two_readings_are_told_apart_by_clauses_and_a_hand() -> None:
    found = run("ohio", "ohio+all-pass=deal-passes")
    assert (found.exit_code, found.stderr) == (1, "")
    lines = found.stdout.splitlines()
    assert lines[:2] == ["readings", "  all-pass  no-trump-hand | deal-passes"]
    assert any(line.startswith("  auction.no-trump ") for line in lines)
    assert "They part after 8 events:" in lines
    assert sum(line.endswith(" passes") for line in lines) == 8
    assert lines[-1] == "  contract  no trumps | thrown in"


@pytest.mark.parametrize("file", HOUSE_RULES, ids=lambda file: file.stem)
def test_a_house_rule_is_shown_with_a_hand_in_which_it_matters(file: Path) -> None:
    found = run("ohio", str(file), "--format", "json")
    assert found.exit_code == 1
    told = json.loads(found.stdout)
    assert problems(told, "diff") == []
    assert problems(told["log"], "game-log") == []
    assert told["clauses"]["second"] or told["clauses"]["other"] or told["parameters"]
    assert told["said"]


def test_games_that_only_begin_otherwise_are_told_so() -> None:
    found = run("ohio", "ohio-15")
    assert found.exit_code == 1
    assert found.stdout.startswith(
        "numbers\n  start_total  25 | 15\n\nA game begins with the totals 25, 25, 25, 25 | 15, "
    )
    assert found.stdout.endswith("tells them apart: that is proven.\n")


def test_what_nobody_can_tell_apart_ends_with_0() -> None:
    found = run("ohio+decisions=private", "ohio+decisions=any-order")
    assert found.exit_code == 0
    assert "From the same totals, nothing that can be seen at the table tells them apart" in found.stdout


def test_a_game_of_three_is_compared_by_its_clauses_alone() -> None:
    found = run("ohio", THREE_PLAYERS)
    assert found.exit_code == 1
    assert "near-zero.no-drop" in found.stdout
    assert found.stdout.endswith("They are played with other cards, or by another number of players.\n")


@pytest.mark.parametrize(
    ("form", "told"),
    [
        ("ohiu", "unknown profile; found ohiu"),
        ("ohio+", "expected each question once, as NAME+QUESTION=READING"),
        ("ohio+sweep=maker+sweep=maker", "found sweep=maker; expected each question once"),
        ("+sweep=maker", "found +sweep=maker; expected a profile, such as ohio"),
        ("", "found nothing; expected a profile, such as ohio"),
        ("ohio+sweep=dealer", "unknown reading of sweep; found dealer"),
    ],
)
def test_what_is_no_form_is_refused(form: str, told: str) -> None:
    found = run("ohio", form)
    assert found.exit_code == 2
    assert told in found.stderr
    assert found.stdout == ""
