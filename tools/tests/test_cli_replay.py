"""`buckspec replay`: verdicts and exit codes, batches with bad inputs, choices, forms and languages."""

import copy
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


def words(shown: Result) -> list[str]:
    return [verdict["verdict"] for verdict in verdicts(shown)]


@pytest.fixture
def legal() -> Log:
    found: Log = json.loads((CASES / "contract" / "log.json").read_text(encoding="utf-8"))
    return found


@pytest.fixture
def illegal(legal: Log) -> Log:
    """The same game with a revoke: nine of hearts instead of ace of clubs."""
    found = copy.deepcopy(legal)
    hand = found["hands"][0]
    hand["events"] = [*hand["events"][:7], {**hand["events"][7], "card": "9H"}]
    return found


@pytest.fixture
def wrong(legal: Log) -> Log:
    found = copy.deepcopy(legal)
    found["claims"]["totals"][2] += 1
    return found


@pytest.fixture
def unfinished(legal: Log) -> Log:
    found = copy.deepcopy(legal)
    del found["claims"], found["hands"][0]["claims"], found["hands"][0]["events"][-1]
    return found


@pytest.fixture
def unknown(legal: Log) -> Log:
    found = copy.deepcopy(legal)
    found["hands"][0]["deck"] = ["??"] * len(found["hands"][0]["deck"])
    return found


@pytest.fixture
def save(tmp_path: Path) -> Save:
    """Write logs as JSON Lines; a text stands for itself."""

    def saved(*logs: Log | str, name: str = "games.jsonl") -> str:
        path = tmp_path / name
        lines = [log if isinstance(log, str) else json.dumps(log) for log in logs]
        path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
        return str(path)

    return saved


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


# ---------------------------------------------------------------------- the text


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
