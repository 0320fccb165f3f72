"""`buckspec coverage`: what it prints, and what it ends with.

It looks at few vectors here, those that are there for some objective.
"""

import json
import re

import pytest
from click.testing import CliRunner, Result

from buckspec_conformance import vectors as published
from buckspec_conformance.coverage.table import WITNESSES
from buckspec_tools.cli import cli

NEEDED: dict[str, str] = json.loads(WITNESSES.read_text(encoding="utf-8"))
SWEEP = "game.first-seat-wins/when#1=false"


def run(*args: str) -> Result:
    return CliRunner().invoke(cli, ["coverage", *args])


def keep(monkeypatch: pytest.MonkeyPatch, *without: str) -> None:
    """Publish no vectors but those needed, and of these not all."""
    left = [vector for vector in published.vectors() if vector.id in set(NEEDED.values()) - set(without)]
    monkeypatch.setattr(published, "vectors", lambda: tuple(left))


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    keep(monkeypatch)


def test_there_is_a_line_for_each_clause_with_how_many_vectors_show_it_to_hold_and_to_fail() -> None:
    found = run()
    assert (found.exit_code, found.stderr) == (0, "")
    rows = {line.split()[0]: line.split()[1:] for line in found.stdout.splitlines()}
    holds, fails, *rest = rows["play.follow"]
    assert int(holds) > 0
    assert int(fails) > 0
    assert " ".join(rest) == "13 of 14, 1 impossible"
    assert rows["deal.next-dealer"] == [str(len(set(NEEDED.values()))), "-", "1", "of", "1"]
    assert rows["stay.in-public"] == ["unseen", "-", "0", "of", "1,", "1", "unseen"]
    assert "are covered or proven impossible: 100.0%" in found.stdout.splitlines()[-1]
    assert "\nopen: " not in found.stdout


def test_of_one_clause_the_vectors_are_named_and_why_something_is_impossible() -> None:
    found = run("--clause", "flow.take")
    assert found.exit_code == 0
    assert "When everybody in the hand has played to it, the trick is taken." in found.stdout
    assert re.search(r"flow\.take/when=true\n    \d+ vectors: v-[\w-]+, v-[\w-]+ and \d+ more\n", found.stdout)
    assert (
        "  flow.take/when#3=true\n"
        "    proven impossible: In a conceded hand no card is played, so the maker would have still to play."
        " (by keep.conceded)\n"
    ) in found.stdout


def test_of_a_definition_it_tells_the_same() -> None:
    found = run("--clause", "lowest", "--summary")
    assert (found.exit_code, found.stdout.splitlines()[0]) == (0, "lowest")
    assert found.stdout.splitlines()[-1] == "8 of 8"


def test_without_the_vector_for_an_objective_it_is_open_and_ends_with_one(monkeypatch: pytest.MonkeyPatch) -> None:
    keep(monkeypatch, NEEDED[SWEEP])
    found = run("--summary")
    assert found.exit_code == 1
    assert f"open: {SWEEP}\n" in found.stdout
    assert run("--clause", "game.first-seat-wins").exit_code == 1
    assert run("--clause", "flow.take").exit_code == 0


def test_as_json_there_is_a_line_for_each_objective_with_all_its_vectors() -> None:
    found = run("--clause", "stay.in-private", "--format", "json")
    lines = [json.loads(line) for line in found.stdout.splitlines()]
    assert [(line["objective"], line["fate"], line["vectors"]) for line in lines] == [
        ("stay.in-private", "unseen", []),
        ("stay.in-private/is=true", "unseen", []),
        ("stay.in-private/is=false", "unseen", []),
    ]
    assert all(line["because"] for line in lines)
    lines = [json.loads(line) for line in run("--clause", "deal.next-dealer", "--format", "json").stdout.splitlines()]
    assert [(line["clause"], line["kind"], len(line["vectors"])) for line in lines] == [
        ("deal.next-dealer", "use", len(set(NEEDED.values())))
    ]


def test_as_json_the_summary_is_one_line() -> None:
    found = json.loads(run("--summary", "--format", "json").stdout)
    assert found.pop("profile") == "ohio"
    assert found.pop("covered") == len(NEEDED)
    assert found.pop("open") == 0
    assert set(found) == {"impossible", "unseen"}


def test_two_processes_find_the_same_as_one() -> None:
    args = ("--clause", "play.follow", "--format", "json")
    assert run(*args, "--jobs", "2").stdout == run(*args).stdout


@pytest.mark.parametrize(
    ("args", "found", "meant"),
    [
        (["ohoi"], "found ohoi", "did you mean ohio?"),
        (["--clause", "play.folow"], "found play.folow", "did you mean play.follow?"),
        (["--clause", "keep.tricks"], "found keep.tricks", "expected a clause or definition that decides something"),
    ],
)
def test_an_unknown_profile_or_clause_is_refused_with_a_suggestion(args: list[str], found: str, meant: str) -> None:
    result = run(*args)
    assert result.exit_code == 2
    assert found in result.stderr
    assert meant in result.stderr
