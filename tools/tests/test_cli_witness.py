"""`buckspec witness`: what it prints, and what it ends with."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from buckspec.formats.validate import problems
from buckspec_tools.cli import cli


def run(*args: str) -> Result:
    return CliRunner().invoke(cli, ["witness", *args])


def test_a_hand_is_told_in_words_and_cards() -> None:
    found = run("ohio", "passes == 1 && maker == 1", "--at", "any", "--dealer", "3")
    assert (found.exit_code, found.stderr) == (0, "")
    first, dealt, *lines, last = found.stdout.splitlines()
    assert first == "A hand of 2 events after the deal:"
    assert dealt.startswith("  dealer: seat 3; up-card: ")
    assert [line.strip() for line in lines[-2:]] == ["1  seat 0 passes", "2  seat 1 orders up the up-card"]
    assert last == "No hand has fewer events."


def test_as_json_it_is_a_log_that_replay_accepts(tmp_path: Path) -> None:
    found = run("ohio", "totals(0) < 0", "--totals", "3,25,25,25", "--format", "json")
    assert found.exit_code == 0
    assert problems(json.loads(found.stdout), "game-log") == []
    log = tmp_path / "hand.json"
    log.write_text(found.stdout, encoding="utf-8")
    replayed = CliRunner().invoke(cli, ["replay", str(log)])
    assert replayed.exit_code == 0
    assert "legal" in replayed.stdout


@pytest.mark.parametrize(
    ("shape", "told"),
    [
        ("text", "cannot happen: tricks(0) == 3 and tricks(1) == 3 do not go together\n  keep.tricks: "),
        (
            "json",
            '{"format":"buckspec-witness/1","answer":"cannot happen","parts":["tricks(0) == 3","tricks(1) == 3"],',
        ),
    ],
)
def test_what_cannot_happen_is_told_and_ends_with_1(shape: str, told: str) -> None:
    found = run("ohio", "maker == 0 && tricks(0) == 3 && tricks(1) == 3", "--format", shape)
    assert found.exit_code == 1
    assert found.stdout.startswith(told)
    if shape == "json":
        assert problems(json.loads(found.stdout), "witness") == []


def test_what_is_not_found_in_time_is_undecided_and_ends_with_4() -> None:
    rare = "passes == 7 && maker == 0 && upcard == AS && tricks(1) == 1 && tricks(2) == 1 && tricks(3) == 2"
    found = run("ohio", rare, "--dealer", "0", "--timeout", "0.001")
    assert found.exit_code == 4
    assert found.stdout.startswith("undecided: ")


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (["trick(0) == 1"], "unknown function; found trick; did you mean tricks?\n  trick(0) == 1\n  ^\n"),
        (["dealt &&\ntricks(7) == 1"], "found 7; expected 0 to 3\n  dealt && tricks(7) == 1\n                  ^\n"),
        (["dealt", "--dealt", "9H in hand(0) and dealt"], "error: --dealt:1:15: "),
        (["tricks(0)"], "found int; expected bool"),
        (["dealt", "--at", "plai"], "expected end, any, deal"),
        (["dealt", "--dealer", "4"], "found 4; expected a seat, 0 to 3"),
        (["dealt", "--totals", "1,2,3"], "expected 4 whole numbers of 18 digits at most, with commas between, or any"),
        (["dealt", "--totals", "0,2,3,4"], "the game is over"),
    ],
)  # fmt: skip
def test_what_makes_no_sense_is_refused_with_its_place(args: list[str], told: str) -> None:
    found = run("ohio", *args)
    assert found.exit_code == 2
    assert told in found.stderr
    assert found.stdout == ""


def test_a_hand_is_found_in_which_something_holds_by_one_form_and_not_by_another(tmp_path: Path) -> None:
    asked = ["totals(0) < 0", "--totals", "3,25,25,25", "--dealer", "3"]
    found = run("ohio", *asked, "--unless", "ohio+below-zero=cut", "--format", "json")
    assert found.exit_code == 0
    log = tmp_path / "hand.json"
    log.write_text(found.stdout, encoding="utf-8")
    by_both = (
        CliRunner().invoke(cli, ["replay", "--format", "json", str(log)]),
        CliRunner().invoke(cli, ["replay", "--format", "json", "--reading", "below-zero=cut", str(log)]),
    )
    first, second = (json.loads(one.stdout)["totals"][0] for one in by_both)
    assert first < 0
    assert second == 0


def test_the_same_form_is_no_other() -> None:
    found = run("ohio", "passes == 8", "--at", "any", "--unless", "ohio", "--timeout", "2")
    assert found.exit_code == 4
    assert "none among the hands at random" in found.stdout
