"""`buckspec replay`: verdicts and exit codes, batches with bad inputs, and choices."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from buckspec.formats.validate import problems
from buckspec_tools.cli import cli

CASES = Path(__file__).resolve().parents[2] / "reference" / "tests" / "cases"
Log = dict[str, Any]
Save = Callable[..., str]


def replay(*args: str, **more: Any) -> Result:
    return CliRunner().invoke(cli, ["replay", *args], **more)


def verdicts(shown: Result) -> list[dict[str, Any]]:
    """The verdicts printed, each of which must have the form of the schema and stand on a line of its own."""
    found = [json.loads(line) for line in shown.stdout.splitlines()]
    assert [problems(verdict, "verdict") for verdict in found] == [[]] * len(found)
    return found


def words(shown: Result) -> list[str]:
    return [verdict["verdict"] for verdict in verdicts(shown)]


# ---------------------------------------------------------------------- verdicts and exit codes


@pytest.mark.parametrize(
    ("names", "loose", "strict"),
    [
        (["legal"], 0, 0),
        (["unfinished"], 0, 1),
        (["unknown"], 0, 1),
        (["illegal"], 1, 1),
        (["wrong"], 1, 1),
        (["legal", "wrong", "unfinished"], 1, 1),
        (["illegal", "{"], 3, 3),
        (["{", "legal"], 3, 3),
    ],
)
def test_exit_codes(names: list[str], loose: int, strict: int, save: Save, request: pytest.FixtureRequest) -> None:
    file = save(*(name if name == "{" else request.getfixturevalue(name) for name in names))
    for args, code in (((), loose), (("--strict",), strict), (("--format", "json"), loose)):
        shown = replay(*args, file)
        assert (shown.exit_code, shown.stderr) == (code, ""), shown.output


def test_each_log_gets_its_verdict_in_order(
    save: Save, tmp_path: Path, legal: Log, illegal: Log, wrong: Log, unfinished: Log, unknown: Log
) -> None:
    good = save(legal, name="good.json")
    many = save(illegal, "{", wrong, unfinished, "[]", unknown, legal)
    missing, folder = str(tmp_path / "missing.json"), str(tmp_path)
    shown = replay("--format", "json", missing, good, folder, many)
    assert words(shown) == [
        "unreadable", "legal", "unreadable",
        "illegal", "unreadable", "claims-differ", "incomplete", "unreadable", "undetermined", "legal",
    ]  # fmt: skip
    sources = [verdict["source"] for verdict in verdicts(shown)]
    assert [source["file"] for source in sources] == [missing, good, folder, *[many] * 7]
    assert [source["line"] for source in sources[3:]] == [1, 2, 3, 4, 5, 6, 7]
    assert shown.exit_code == 3


def test_a_file_without_permission_is_unreadable(save: Save, legal: Log, monkeypatch: pytest.MonkeyPatch) -> None:
    file, other = save(legal, name="a.json"), save(legal, name="b.json")
    usual = Path.open

    def refusing(path: Path, *args: Any, **more: Any) -> Any:
        if str(path) == file:
            raise PermissionError(13, "Permission denied", file)
        return usual(path, *args, **more)

    monkeypatch.setattr(Path, "open", refusing)
    assert words(replay("--format", "json", file, other)) == ["unreadable", "legal"]


def test_an_unknown_profile_in_a_log_is_its_own_fault(save: Save, legal: Log) -> None:
    shown = replay("--format", "json", save({**legal, "profile": "ohoi"}, {**legal, "readings": {"x": "y"}}, legal))
    assert words(shown) == ["unreadable", "unreadable", "legal"]
    assert "did you mean ohio?" in verdicts(shown)[0]["problem"]["message"]


def test_the_standard_input_is_a_file_like_others(legal: Log, illegal: Log) -> None:
    shown = replay("--format", "json", "-", input=f"{json.dumps(legal)}\n{json.dumps(illegal)}\n")
    assert words(shown) == ["legal", "illegal"]
    assert {verdict["source"]["file"] for verdict in verdicts(shown)} == {"<stdin>"}


def test_nothing_on_the_standard_input_is_unreadable() -> None:
    shown = replay("-", input="")
    assert shown.exit_code == 3
    assert shown.stdout.startswith("<stdin>: unreadable")


def test_only_bad_leaves_out_what_is_fine(save: Save, legal: Log, illegal: Log, unfinished: Log) -> None:
    file = save(legal, illegal, unfinished, "{")
    assert words(replay("--only-bad", "--format", "json", file)) == ["illegal", "unreadable"]
    assert words(replay("--only-bad", "--strict", "--format", "json", file)) == ["illegal", "incomplete", "unreadable"]


def test_the_summary_counts_on_stderr(save: Save, legal: Log, illegal: Log) -> None:
    file = save(legal, illegal, legal, "{")
    shown = replay("--summary", "--format", "json", file)
    assert shown.stderr == "4: 2 legal, 1 illegal, 1 unreadable\n"
    assert len(verdicts(shown)) == 4
    assert replay("--summary", "--lang", "es", file).stderr == "4: 2 legal, 1 ilegal, 1 ilegible\n"


def test_the_same_log_gets_the_same_verdict_again(save: Save, legal: Log, illegal: Log) -> None:
    shown = verdicts(replay("--format", "json", save(*[legal, illegal] * 4)))
    for verdict in shown:
        del verdict["source"]
    assert [shown[number] for number in (2, 4, 6)] == [shown[0]] * 3
    assert [shown[number] for number in (3, 5, 7)] == [shown[1]] * 3


# ---------------------------------------------------------------------- choices


def test_what_is_chosen_overrides_the_log_and_is_told(save: Save, legal: Log) -> None:
    legal.pop("start")
    del legal["claims"], legal["hands"][0]["claims"]
    args = ["--set", "start_total=15", "--reading", "all-pass=deal-passes", save(legal)]
    (verdict,) = verdicts(replay("--format", "json", *args))
    assert verdict["parameters"] == {"start_total": 15}
    assert verdict["readings"] == {"all-pass": "deal-passes"}
    assert verdict["overrides"] == {"parameters": {"start_total": 15}, "readings": {"all-pass": "deal-passes"}}
    assert verdict["totals"] == [14, 20, 13, 15]
    text = replay(*args).stdout
    assert "parameters: start_total = 15 (as asked for)" in text
    assert "readings: all-pass = deal-passes (as asked for)" in text


def test_a_choice_that_the_profile_of_the_log_lacks_is_a_mistake(save: Save, legal: Log) -> None:
    shown = replay("--set", "promis=2", save(legal))
    assert shown.exit_code == 2
    assert "unknown parameter; found promis; did you mean promise?" in shown.stderr


def test_a_profile_of_ones_own(save: Save, legal: Log, tmp_path: Path) -> None:
    own = tmp_path / "mine.yaml"
    own.write_text("profile: mine\ntitle: Ours\nextends: ohio\nparameters: {penalty: 2}\n", encoding="utf-8")
    (verdict,) = verdicts(replay("--format", "json", "--profile", str(own), save(legal)))
    assert verdict["verdict"] == "claims-differ"
    assert verdict["profile"].startswith("mine@")
    assert verdict["overrides"]["profile"] == verdict["profile"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("profile: mine\ntitle: x\nextends: ohoi\n", "mine.yaml:3:10: unknown profile; found ohoi; did you mean ohio?"),
        ("profile: [\n", "mine.yaml:2:1: not YAML"),
        ("profile: mine\n", "a profile lacks a key; expected title"),
    ],
)
def test_a_broken_profile_is_a_mistake(text: str, told: str, save: Save, legal: Log, tmp_path: Path) -> None:
    own = tmp_path / "mine.yaml"
    own.write_text(text, encoding="utf-8")
    shown = replay("--profile", str(own), save(legal))
    assert (shown.exit_code, shown.stdout) == (2, "")
    assert told in shown.stderr
    assert all(line.startswith("error: ") for line in shown.stderr.splitlines())


HOUSE_RULE = """\
profile: mine
title: Ours
extends: ohio
questions:
  no-lead:
    asks: Must somebody lead?
    readings: {by-chance: Only with a card on the table., always: Always.}
    clauses:
      mine.no-suit-led:
        instead-of: play.no-suit-led
        says: Nobody leads.
        under: no-lead is by-chance
        when: "true"
"""


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_rules_that_fail_in_play_are_the_fault_of_the_profile(
    jobs: str, save: Save, legal: Log, tmp_path: Path
) -> None:
    own = tmp_path / "mine.yaml"
    own.write_text(HOUSE_RULE, encoding="utf-8")
    file = save("{", legal)
    shown = replay("--profile", str(own), "--jobs", jobs, file)
    assert shown.exit_code == 2
    assert shown.stderr.startswith(f"error: {file}:2: the rules of mine@")
    assert shown.stderr.endswith("two clauses of “led” hold at once: play.suit-led and mine.no-suit-led\n")


def test_another_rule_book_is_noted_once(save: Save, legal: Log) -> None:
    file = save(*[{**legal, "spec": "9.0.0"}] * 2, {**legal, "spec": "1.7"})
    shown = replay("--format", "json", file)
    assert shown.stderr == f"note: {file}: written with rule book 9.0.0, judged by 1.0.0\n"
    assert shown.exit_code == 0
