"""A fault of ours in one log costs the verdict on this one, and on no other."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from buckspec.formats import reader
from buckspec_tools import batch, exits, judge
from buckspec_tools.cli import cli

LOG = Path(__file__).resolve().parents[2] / "reference" / "tests" / "cases" / "contract" / "log.json"
GOOD = json.dumps(json.loads(LOG.read_text(encoding="utf-8")))
MARK = "table-13"


def failing(usual: Callable[..., Any]) -> Callable[..., Any]:
    """The same, but it fails where the log has a mark."""

    def run(first: Any, *more: Any, **named: Any) -> Any:
        if MARK in str(first):
            raise IndexError("list index\nout of range")
        return usual(first, *more, **named)

    return run


def replay(*args: str) -> Result:
    return CliRunner().invoke(cli, [*args])


@pytest.fixture
def games(tmp_path: Path) -> str:
    path = tmp_path / "games.jsonl"
    path.write_text("\n".join([GOOD, GOOD.replace("table-7", MARK), GOOD]), encoding="utf-8")
    return str(path)


@pytest.fixture(params=["decode", "judged"])
def faulty(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """A reader, or a judge, that fails with one log."""
    where: Any = {"decode": reader, "judged": judge}[request.param]
    monkeypatch.setattr(where, request.param, failing(getattr(where, request.param)))


@pytest.mark.usefixtures("faulty")
def test_a_fault_of_ours_costs_no_other_log_its_verdict(games: str) -> None:
    shown = replay("replay", "--format", "json", "--summary", games)
    assert [json.loads(line)["verdict"] for line in shown.stdout.splitlines()] == ["legal", "legal"]
    fault = f"error: a fault in buckspec itself: {games}:2: IndexError: list index out of range. Please report it"
    assert shown.stderr.splitlines()[0].startswith(fault)
    assert shown.stderr.splitlines()[1] == "2: 2 legal"
    assert shown.exit_code == exits.INTERNAL


@pytest.mark.usefixtures("faulty")
def test_the_traceback_is_shown_if_it_is_asked_for(games: str) -> None:
    assert "Traceback" not in replay("replay", games).stderr
    assert "Traceback (most recent call last)" in replay("--debug", "replay", games).stderr


def test_a_fault_while_yaml_is_read_costs_no_other_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, text in (("a.yaml", "a: 1"), ("b.json", GOOD)):
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.setattr("buckspec.document.load_document", lambda *_: [].pop())
    shown = replay("replay", "--format", "json", str(tmp_path / "a.yaml"), str(tmp_path / "b.json"))
    assert [json.loads(line)["verdict"] for line in shown.stdout.splitlines()] == ["legal"]
    assert (shown.exit_code, "a.yaml:1: IndexError" in shown.stderr) == (exits.INTERNAL, True)


def test_what_is_no_fault_of_ours_still_ends_the_run(games: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any, **__: Any) -> Any:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(judge, "judged", refuse)
    with pytest.raises(OSError, match="No space left"):
        list(batch.outcomes([games], judge.Request(), 1))


@pytest.mark.parametrize(
    ("strange", "choice"),
    [
        ({"parameters": {"nope": 3}}, ["--profile", "ohio-15"]),
        ({"parameters": {"nope": 3}}, ["--set", "start_total=20"]),
        ({"readings": {"several": "first-seat"}}, ["--reading", "ties=another-hand"]),
        ({"profile": "ohio@0123456789ab"}, ["--reading", "ties=another-hand"]),
    ],
)
def test_what_goes_against_one_log_only_is_a_matter_of_that_log(
    tmp_path: Path, strange: dict[str, Any], choice: list[str]
) -> None:
    path = tmp_path / "games.jsonl"
    path.write_text("\n".join([json.dumps({**json.loads(GOOD), **strange}), GOOD]), encoding="utf-8")
    shown = replay("replay", "--format", "json", *choice, str(path))
    verdicts = [json.loads(line)["verdict"] for line in shown.stdout.splitlines()]
    assert verdicts[0] == "unreadable"
    assert len(verdicts) == 2, "the other log has lost its verdict"
    assert shown.exit_code == 3
