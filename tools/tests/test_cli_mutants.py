"""`buckspec mutants`: what it prints, and what it ends with."""

import json
import re

import pytest
from click.testing import CliRunner, Result

from buckspec_conformance.mutants import score
from buckspec_conformance.mutants.mutant import Mutant
from buckspec_tools.cli import cli


def run(*args: str) -> Result:
    return CliRunner().invoke(cli, ["mutants", *args])


def test_all_changes_of_a_clause_are_counted_by_operator_and_the_equivalent_ones_told_with_their_reason() -> None:
    found = run("--only", "auction.discard")
    assert (found.exit_code, found.stderr) == (0, "")
    first, *counts, score_line = found.stdout.splitlines()
    number = re.fullmatch(r"(\d+) changes", first)
    told = [[int(word) for word in re.findall(r"(\d+) [a-z]+", line)] for line in counts if re.match("  .*open$", line)]
    assert number is not None
    assert sum(map(sum, told)) == int(number[1])
    assert "equivalent: auction.discard: actor → dealer\n  The dealer alone discards.\n" in found.stdout
    assert score_line.endswith("are killed or proven equivalent: 100.0%")


def test_as_json_each_change_names_the_vector_that_killed_it_or_why_it_is_none() -> None:
    found = run("--only", "auction.discard", "--format", "json")
    lines = [json.loads(line) for line in found.stdout.splitlines()]
    assert found.exit_code == 0
    assert {line["where"] for line in lines} == {"auction.discard"}
    assert {line["outcome"] for line in lines} == {"killed", "refused", "equivalent"}
    assert all(line["by"].startswith("v-") for line in lines if line["outcome"] == "killed")
    assert all(line["because"] for line in lines if line["outcome"] == "equivalent")


def test_what_is_open_is_told_and_ends_with_one(monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing(_mutant: Mutant) -> score.Fate:
        return score.Fate(_mutant, score.OPEN, "not proven: the end")

    monkeypatch.setattr(score, "fate", nothing)
    found = run("--sample", "1")
    assert found.exit_code == 1
    assert "\n  not proven: the end\n" in found.stdout
    assert "0 of 1 changes that the loader takes are killed or proven equivalent: 0.0%" in found.stdout


def test_two_processes_find_the_same_as_one() -> None:
    assert run("--only", "auction.order", "--jobs", "2").stdout == run("--only", "auction.order").stdout


def test_an_unknown_place_is_refused_with_a_suggestion() -> None:
    found = run("--only", "play.folow")
    assert found.exit_code == 2
    assert "found play.folow" in found.stderr
    assert "did you mean play.follow?" in found.stderr
