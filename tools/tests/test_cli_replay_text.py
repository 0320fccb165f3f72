"""`buckspec replay`: what people read, in three languages, on any output; and the same as JSON."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from textwrap import indent
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


def test_an_illegal_event_is_told_as_a_referee_would(save: Save, illegal: Log) -> None:
    file = save(illegal, name="game.json")
    assert (
        replay(file).stdout
        == f"""\
{file}:1  table-7: illegal
  An event breaks the rules.

  hand 1, event 8 (hands[0].events[7]): Bo plays 9♥
    play.follow  Follow the suit led if you can. The left bower belongs to trumps.
      found: card = 9♥, led = ♣

  to act                 Bo (seat 1)
  dealer                 Di
  trumps                 ♥ (ordered up), maker: Bo
  on the table           Ana K♣
  Bo holds               A♣ Q♥ J♥ 9♥ J♠
  would have been legal  Bo plays A♣

  hand          dealer  maker  trumps  Ana  Bo  Cy  Di
  at the start                         25   25  25  25

  nobody has won yet
"""
    )


def test_the_readme_shows_what_is_printed(save: Save, illegal: Log, legal: Log) -> None:
    readme = (Path(__file__).resolve().parents[2] / "README.md").read_text(encoding="utf-8")
    told = replay(save(illegal, name="game.json")).stdout.partition("\n\n  hand ")[0]
    told = told.replace(str(Path(save(illegal, name="game.json")).parent) + "/", "")
    assert indent(told, "    ") in readme
    sheet = replay(save(legal)).stdout.partition("\n")[2].partition("\n\n")[0]
    assert indent(sheet, "    ") in readme


def test_of_many_unknown_cards_the_first_are_listed(save: Save, unknown: Log) -> None:
    text = replay(save(unknown)).stdout
    assert text.count("not known: ") == 5
    assert "… (+19)" in text


def test_a_legal_game_is_told_shortly(save: Save, legal: Log) -> None:
    file = save(legal)
    assert (
        replay(file).stdout
        == f"""\
{file}:1  table-7: legal
  hand          dealer  maker  trumps  Ana         Bo          Cy          Di
  at the start                         25          25          25          25
  1             Di      Bo     ♥       1: −1 → 24  2: +5 → 30  2: −2 → 23  dropped → 25
  tricks: points → total

  nobody has won yet
"""
    )


def test_claims_that_differ_stand_in_a_table(save: Save, wrong: Log) -> None:
    lines = replay(save(wrong)).stdout.splitlines()
    at = next(number for number, line in enumerate(lines) if line.split() == ["claim", "claimed", "computed"])
    assert lines[at + 1].split() == ["claims.totals[2]", "(Cy)", "24", "23"]


@pytest.mark.parametrize(
    ("lang", "told"),
    [
        ("en", ["An event breaks the rules.", "Bo plays 9♥", "Follow the suit led if you can."]),
        ("es", ["Una acción incumple las reglas.", "Bo juega 9♥", "Asiste al palo de salida si puedes."]),
        ("pt-BR", ["Uma ação viola as regras.", "Bo joga 9♥", "teria sido legal"]),
    ],
)
def test_three_languages(lang: str, told: list[str], save: Save, illegal: Log) -> None:
    shown = replay("--lang", lang, save(illegal))
    assert shown.exit_code == 1
    for sentence in told:
        assert sentence in shown.stdout


def test_an_output_without_card_signs_gets_codes(save: Save, illegal: Log) -> None:
    shown = CliRunner(charset="ascii").invoke(cli, ["replay", "--lang", "es", save(illegal)])
    assert shown.exit_code == 1
    assert "Bo juega 9H" in shown.stdout
    assert "encontrado: card = 9H, led = tr?boles" in shown.stdout


def test_json_to_an_ascii_output_is_the_same_json(save: Save, legal: Log) -> None:
    legal["id"] = "mesa ñ"
    shown = CliRunner(charset="ascii").invoke(cli, ["replay", "--format", "json", save(legal)])
    assert verdicts(shown)[0]["source"]["id"] == "mesa ñ"


def test_nothing_in_a_log_reaches_the_terminal_as_a_command(save: Save, illegal: Log) -> None:
    illegal["players"] = ["\x1b[31mAna", "B\u202eo", "C\ny", "\x00"]
    illegal["id"] = "\x1b]0;owned\x07"
    shown = replay(save(illegal, '{"\x1b[2J": 1}', "\x1b[31m"))
    assert all(sign.isprintable() for sign in shown.stdout.replace("\n", ""))
    assert "\\x1b[31mAna" in shown.stdout
    assert "B\\u202eo" in shown.stdout


def test_json_lets_nothing_through_that_a_terminal_obeys(save: Save, legal: Log, wrong: Log) -> None:
    odd = "\x9b31m\u2028\u2029\x85\u202e\u2066\u200f\x7f\x00\U000e0001ñ♥😀"
    shown = replay("--format", "json", save({**legal, "id": odd}, {**wrong, "players": [odd, "b", "c", "d"]}))
    assert all(line.isprintable() for line in shown.stdout.split("\n"))
    assert len(shown.stdout.splitlines()) == 2
    assert verdicts(shown)[0]["source"]["id"] == odd
    assert "\\u009b31m\\u2028\\u2029\\u0085\\u202e\\u2066\\u200f\\u007f\\u0000\\udb40\\udc01ñ♥😀" in shown.stdout


def test_a_note_lets_nothing_through_either(save: Save, legal: Log) -> None:
    shown = replay(save({**legal, "spec": "9.0.0"}, name="\x1b[31m\u202e.jsonl"))
    assert shown.stderr.startswith("note: ")
    assert all(line.isprintable() for line in shown.stderr.split("\n"))


def test_a_claimed_number_below_zero_has_the_sign_of_the_score_sheet(save: Save, legal: Log) -> None:
    legal["claims"]["totals"][0] = -7
    assert " −7 " in replay(save(legal)).stdout
    assert " -7 " in CliRunner(charset="ascii").invoke(cli, ["replay", save(legal)]).stdout


def test_players_without_names_or_with_the_same_are_told_apart(save: Save, illegal: Log) -> None:
    illegal["players"] = ["Ana", "Ana", "", "Di"]
    shown = replay(save(illegal)).stdout
    assert "Ana seat 1 plays 9♥" in shown
    assert "seat 2" in shown
    del illegal["players"]
    assert "seat 1 plays 9♥" in replay(save(illegal)).stdout


@pytest.mark.parametrize("number", range(1, 41))
def test_every_kind_of_illegal_event_can_be_told(number: int, save: Save) -> None:
    line = (CASES / "ohio" / "illegal.jsonl").read_text(encoding="utf-8").splitlines()[number * 10 - 1]
    shown = replay(save(line))
    assert shown.exit_code == 1, shown.output
    assert "would have been legal" in shown.stdout


def test_a_hand_that_stops_before_another_is_told(save: Save, legal: Log) -> None:
    del legal["claims"], legal["hands"][0]["claims"]
    events = legal["hands"][0]["events"]
    legal["hands"] = [{**legal["hands"][0], "events": events[:-1]}, legal["hands"][0] | {"dealer": 0}]
    text = replay(save(legal)).stdout
    assert f"hand 1, event {len(events)} (hands[0].events[{len(events) - 1}]): the log of this hand stops here" in text


def test_a_dealer_out_of_turn_is_told(save: Save, legal: Log) -> None:
    del legal["claims"], legal["hands"][0]["claims"]
    legal["hands"].append(legal["hands"][0] | {"dealer": 1})
    text = replay(save(legal)).stdout
    assert "hand 2 (hands[1])" in text
    assert "deal.next-dealer" in text
    assert "hands[1].dealer = Bo" in text


def test_a_pipe_through_two_real_programs(save: Save, illegal: Log) -> None:
    program = [sys.executable, "-m", "buckspec_tools", "replay", "--format", "json", "-"]
    ended = subprocess.run(program, input=json.dumps(illegal), capture_output=True, text=True, check=False)
    assert ended.returncode == 1
    assert json.loads(ended.stdout)["violations"][0]["clause"] == "play.follow"
