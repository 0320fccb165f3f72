"""`buckspec replay` of games with missing cards, and what else can be asked of a game."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from buckspec.data import spec_dir
from buckspec_tools.cli import cli

REVOKE = spec_dir() / "examples" / "missing" / "revoke-proven-later.json"


def replay(*args: str) -> Result:
    return CliRunner().invoke(cli, ["replay", *args])


def verdict(*args: str) -> Any:
    return json.loads(replay("--format", "json", *args).stdout)


@pytest.fixture
def unsettled(tmp_path: Path) -> str:
    """The same game up to the card on which it depends whether a club was kept back."""
    log = json.loads(REVOKE.read_text())
    log["hands"][0]["events"] = log["hands"][0]["events"][:8]
    file = tmp_path / "unsettled.json"
    file.write_text(json.dumps(log))
    return str(file)


def test_an_impossible_game_is_wrong_and_its_contradiction_is_told() -> None:
    shown = replay(str(REVOKE))
    assert shown.exit_code == 1
    lines = [line.strip() for line in shown.stdout.splitlines()]
    at = lines.index("these contradict each other:")
    assert [line.partition(": ")[2] for line in lines[at + 1 : at + 3]] == ["Bo plays 9♥", "Bo plays A♣"]


def test_both_completions_are_shown(unsettled: str) -> None:
    shown = replay(unsettled)
    assert shown.exit_code == 0
    assert "one way in which it can turn out: incomplete" in shown.stdout
    assert "Bo plays 9♥  (play.follow)" in shown.stdout
    assert replay("--strict", unsettled).exit_code == 1


@pytest.mark.parametrize(("lang", "words"), [("es", "se contradicen entre sí"), ("pt-BR", "contradizem-se entre si")])
def test_in_other_languages(lang: str, words: str) -> None:
    assert words in replay("--lang", lang, str(REVOKE)).stdout


def test_every_reading_is_judged_and_the_reason_told() -> None:
    revoke = str(spec_dir() / "examples" / "revoke.json")
    under = verdict("--readings", "any", revoke)["under"]
    assert {"readings": {"sweep": "never"}, "verdict": "illegal", "because": "hands[0].events[7]: play.follow"} in under
    assert "hands[0].events[7]: play.follow" in replay("--readings", "any", revoke).stdout
    assert "under" not in verdict(revoke)


def test_a_revoke_may_be_let_stand() -> None:
    revoke = str(spec_dir() / "examples" / "revoke.json")
    found = verdict("--let-stand", revoke)
    assert found["let_stand"] == {"totals": found["totals"], "winners": [], "ended": None}
    assert "if the illegal events count as played:" in replay("--let-stand", revoke).stdout
    assert "let_stand" not in verdict(revoke)


def test_a_line_of_a_score_sheet_that_cannot_be(tmp_path: Path) -> None:
    log = json.loads((spec_dir() / "examples" / "whole-game.json").read_text())
    log["hands"] = [{**hand, "claims": {"totals": hand["claims"]["totals"]}} for hand in log["hands"][:2]]
    log.pop("claims", None)
    for hand in log["hands"]:
        del hand["deck"], hand["events"]
    file = tmp_path / "sheet.json"
    file.write_text(json.dumps(log))
    assert verdict(str(file))["verdict"] == "undetermined"
    log["hands"][0]["claims"]["totals"][0] += 1
    file.write_text(json.dumps(log))
    found = verdict(str(file))
    assert (found["verdict"], found["conflict"]) == ("impossible", [{"hand": 0, "event": None, "seat": None}])
    assert "hand 1 (hands[0])" in replay(str(file)).stdout


def test_no_other_word_than_any() -> None:
    shown = replay("--readings", "all", str(REVOKE))
    assert shown.exit_code == 2
    assert "expected any" in shown.stderr
