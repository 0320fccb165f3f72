"""`buckspec prove`: what it prints, and what it ends with."""

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from buckspec.formats.validate import problems
from buckspec_tools.cli import cli
from buckspec_tools.names import profiles

HOUSE_RULES = sorted((Path(__file__).resolve().parents[2] / "spec" / "examples" / "house-rules").glob("*.yaml"))
HOLE = """\
profile: holed
title: With a hole
extends: ohio
questions:
  empty-hand:
    asks: What does a hand without a trick cost?
    because: It is a test.
    readings: {unsaid: Nobody says., usual: The usual penalty.}
    clauses: {house.set: {instead-of: score.set, under: empty-hand is unsaid, because: It is a test.,
      says: A player with too few tricks pays if there is one., is: penalty,
      when: seat in active && tricks(seat) < duty(seat) && tricks(seat) > 0}}
"""


def run(*args: str) -> Result:
    return CliRunner().invoke(cli, ["prove", *args])


def lines(found: Result) -> list[dict[str, object]]:
    return [json.loads(line) for line in found.stdout.splitlines()]


@pytest.mark.slow
def test_a_profile_is_proven_and_nothing_but_totals_is_shown_if_asked_for() -> None:
    found = run("ohio", "--summary")
    assert (found.exit_code, found.stderr) == (0, "")
    head, obligations, *kinds, counts, time = found.stdout.splitlines()
    assert head == "ohio, with its own readings"
    told = re.fullmatch(r"(\d+) obligations in (\d+) parts", obligations)
    assert told is not None
    number = int(told[1])
    assert counts == f"{number} proven, 0 refuted, 0 undecided"
    counted = {kind: int(count) for kind, _, count in (line.strip().partition(": ") for line in kinds)}
    assert sum(counted.values()) == number
    assert {"possible", "exactly one", "keeps", "defined", "flow", "theorem", "table"} == set(counted)
    assert re.fullmatch(r"[\d.]+ s; the longest: .+, [\d.]+ s", time)


@pytest.mark.slow
def test_a_hole_in_a_rule_of_ones_own_is_refuted_with_a_state(tmp_path: Path) -> None:
    own = tmp_path / "holed.yaml"
    own.write_text(HOLE, encoding="utf-8")
    found = run(str(own), "--summary")
    assert found.exit_code == 1
    text = found.stdout
    assert "refuted    one of worth" in text
    assert ": no clause holds" in text
    assert "state: " in text
    assert "proven    " not in text
    assert "the interpreter finds nothing wrong" not in text
    printed = lines(run(str(own), "--summary", "--format", "json"))
    assert [problems(line, "proof") for line in printed] == [[] for _ in printed]
    (worth,) = [line for line in printed if line["id"] == "one of worth"]
    assert (worth["outcome"], worth["kind"], worth["readings"]) == ("refuted", "exactly one", "own")
    assert str(worth["profile"]).startswith("holed@")


def test_json_is_one_object_a_line_and_all_of_them_fit_the_schema() -> None:
    found = run("ohio-15", "--format", "json")
    assert found.exit_code == 0
    printed = lines(found)
    assert [problems(line, "proof") for line in printed[::20]] == [[] for _ in printed[::20]]
    assert {line["outcome"] for line in printed} == {"proven"}
    ids = [line["id"] for line in printed]
    assert len(set(ids)) == len(ids)
    assert {"possible play", "one of phase", "keep.one-place after play", "comes to rest", "table 0"} <= set(ids)


def test_what_there_is_no_time_for_is_undecided() -> None:
    found = run("ohio", "--summary", "--timeout", "0.001")
    assert found.exit_code == 1
    assert "  undecided  " in found.stdout
    assert "refuted  " not in found.stdout
    undecided = re.search(r"(\d+) proven, 0 refuted, (\d+) undecided", found.stdout)
    assert undecided is not None
    assert int(undecided[2]) == found.stdout.count("  undecided  ") > 0


def test_an_unknown_profile_is_told_what_there_is() -> None:
    found = run("ohoi")
    assert found.exit_code == 2
    assert "did you mean ohio" in found.stderr
    assert found.stdout == ""


def test_a_file_that_is_no_rule_book_is_refused_with_its_place(tmp_path: Path) -> None:
    own = tmp_path / "mine.yaml"
    own.write_text("profile: mine\ntitle: Ours\nextends: ohio\nparameters: {penalty: lots}\n", encoding="utf-8")
    found = run(str(own))
    assert found.exit_code == 2
    assert "mine.yaml:4:" in found.stderr
    assert found.stdout == ""


@pytest.mark.parametrize(
    "wrong", [("--readings", "all"), ("--timeout", "0"), ("--timeout", "soon"), ("--format", "xml")]
)
def test_a_wrong_option_is_refused(wrong: tuple[str, str]) -> None:
    found = run("ohio", *wrong)
    assert found.exit_code == 2
    assert wrong[0] in found.stderr


@pytest.mark.slow
def test_all_profiles_are_proven_with_all_readings_left_open() -> None:
    found = run("--summary")
    assert found.exit_code == 0, found.stdout
    heads = [line for line in found.stdout.splitlines() if ", with all readings left open" in line]
    assert [head.partition(",")[0] for head in heads] == profiles()
    assert "several is first-seat and ties is another-hand: Where the first player" in found.stdout


@pytest.mark.slow
@pytest.mark.parametrize("readings", ["own", "any"])
@pytest.mark.parametrize("file", HOUSE_RULES, ids=lambda file: file.stem)
def test_the_house_rules_that_are_given_as_examples_are_proven(file: Path, readings: str) -> None:
    found = run(str(file), "--summary", "--readings", readings)
    assert found.exit_code == 0, found.stdout
