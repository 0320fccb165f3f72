"""`buckspec explain`, `profiles` and `lint`: what they print, in which language, and what they end with."""

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from buckspec.data import spec_dir
from buckspec.sentences import load_sentences
from buckspec_tools import examples
from buckspec_tools.cli import cli
from buckspec_tools.library import open_library
from buckspec_tools.report.explain import Explainer

TOP = Path(__file__).resolve().parents[2]
CASES = TOP / "reference" / "tests" / "cases"


def run(*args: str) -> Result:
    return CliRunner().invoke(cli, list(args))


def said(*args: str) -> str:
    shown = run(*args)
    assert (shown.exit_code, shown.stderr) == (0, "")
    return shown.stdout


@pytest.fixture
def recorded(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Let the examples be one recorded hand and one recorded game."""
    (tmp_path / "examples").mkdir()
    shutil.copy(CASES / "contract" / "log.json", tmp_path / "examples" / "hand.json")
    games = (CASES / "ohio" / "games.jsonl").read_text(encoding="utf-8").splitlines()
    (tmp_path / "examples" / "whole.jsonl").write_text("\n".join(games[:2]) + "\n", encoding="utf-8")
    monkeypatch.setattr(examples, "spec_dir", lambda: tmp_path)


# ---------------------------------------------------------------------- explain


def test_a_clause_with_its_condition_as_it_is_written() -> None:
    text = said("explain", "play.follow")
    assert text.startswith("play.follow  (clause: Playing the tricks)\n  Follow the suit led if you can.")
    lines = (spec_dir() / "rules" / "play.yaml").read_text(encoding="utf-8").splitlines()
    number = next(number for number, line in enumerate(lines, 1) if line.strip() == "play.follow:")
    assert f"condition (spec/rules/play.yaml:{number}:" in text
    for key in ("applies:", "that:"):
        (written,) = [line.strip() for line in lines[number : number + 5] if line.strip().startswith(key)]
        assert written in text
    assert "ohio.04.5     When hearts are trumps" in text


def test_effects_and_conditions_on_several_lines_are_shown_whole() -> None:
    text = said("explain", "play.to-the-table")
    assert "set:\n      hand(actor): hand(actor).remove(card)\n      table(actor): card\n" in text
    assert "seats.filter(s, hand(s)" not in text
    assert "c == laid_away" in said("explain", "keep.one-place")


def test_the_readings_to_which_a_clause_belongs() -> None:
    chosen, other = said("explain", "auction.no-trump"), said("explain", "auction.thrown-in")
    assert "all-pass=no-trump-hand  The hand is played without trumps." in chosen
    assert "(chosen by the profile)" in chosen
    assert "(not chosen by the profile)" in other


def test_a_clause_of_a_profile_of_ones_own(tmp_path: Path) -> None:
    own = tmp_path / "mine.yaml"
    own.write_text("profile: mine\ntitle: Ours\nextends: ohio\nreadings: {all-pass: deal-passes}\n", encoding="utf-8")
    assert "(chosen by the profile)" in said("explain", "auction.thrown-in", "--profile", str(own))


@pytest.mark.parametrize(
    ("clause", "told"),
    [
        ("play.follow", ["hand.json, hand 1, event 8: Bo plays A♣", "illegal: Bo plays 9♥"]),
        ("play.own-card", ["illegal: Ana plays"]),
        ("auction.order", ["hand.json, hand 1, event 2: Bo orders up the up-card"]),
        ("cards.left-bower", ["standing(J♦) = left bower"]),
        ("score.set", ["worth(Bo) = 5"]),
        ("play.take-trick", ["The trick is taken."]),
        ("deal.next-dealer", ["hand 1: The cards are dealt."]),
        ("game.lowest-wins", ["winners = "]),
        ("play.maker-leads", ["readings: first-lead = maker", "leader = seat 2"]),
    ],
)
def test_an_example_is_looked_for_in_the_recorded_games(recorded: None, clause: str, told: list[str]) -> None:
    text = said("explain", clause)
    for part in told:
        assert part in text


def test_an_example_in_another_language(recorded: None) -> None:
    assert "ilegal: Bo juega 9♥" in said("explain", "play.follow", "--lang", "es")


HOUSE = spec_dir() / "examples" / "house-rules"


def test_a_clause_that_replaces_another_says_which_and_what_it_takes_over() -> None:
    text = said("explain", "house.set-maker", "--profile", str(HOUSE / "set-maker-pays-double.yaml"))
    sentence = open_library("ohio").clauses["score.set"]
    assert f"instead-of: {sentence.id}  A player who takes too few tricks" in text
    assert "    is: seat == maker ? 2 * penalty : penalty\n" in text
    assert f"  condition: score.set ({sentence.place})\n    when: seat in active && tricks(seat) < duty(seat)\n" in text
    assert "set-maker=double  The penalty twice." in text


def test_a_clause_on_one_line_is_shown_key_by_key() -> None:
    text = said("explain", "house.near-zero", "--profile", str(HOUSE / "near-zero-stay.yaml"))
    assert "    that: totals(actor) > near_zero\n\n" in text
    assert "}" not in text


def test_a_clause_takes_over_from_the_one_that_the_replaced_one_replaces(tmp_path: Path) -> None:
    own = tmp_path / "twice.yaml"
    own.write_text(
        """\
profile: twice
title: Two house rules
extends: ohio
questions:
  one:
    asks: One?
    because: A test.
    readings: {new: New., old: Old.}
    clauses: {house.one: {instead-of: score.set, under: one is new, because: A test., says: One., is: penalty + 1}}
  two:
    asks: Two?
    because: A test.
    readings: {new: New., old: Old.}
    clauses: {house.two: {instead-of: house.one, under: two is new, because: A test., says: Two., is: penalty + 2}}
""",
        encoding="utf-8",
    )
    text = said("explain", "house.two", "--profile", str(own))
    assert "    instead-of: house.one  One.\n    is: penalty + 2\n" in text
    assert f"  condition: house.one ({own.as_posix()}:9:15)\n    under: one is new\n" in text
    assert "  condition: score.set (spec/rules/score.yaml:" in text
    assert "    when: seat in active" in text
    assert "    is: penalty\n" not in text
    assert "penalty + 1" not in text


@pytest.mark.parametrize("question", open_library("ohio").book.questions)
def test_a_question_shows_a_log_that_tells_its_readings_apart(question: str) -> None:
    text = said("explain", question)
    head, *rows = text[text.index(f"spec/examples/readings/{question}.json") :].splitlines()
    assert head.endswith(".json")
    told = [row.split() for row in rows if row.strip().startswith(f"{question}=")]
    assert len({" ".join(row[1:]) for row in told}) == len(told) > 1


def test_a_question_without_such_a_log_says_nothing_of_examples(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(examples, "spec_dir", lambda: tmp_path)
    assert "\n  example\n" not in said("explain", "batches")


def test_a_question_of_ones_own_is_tried_on_the_recorded_games() -> None:
    text = said("explain", "set-maker", "--profile", str(HOUSE / "set-maker-pays-double.yaml"))
    assert "set-maker=double  claims differ; totals: 35, 23, 24, 30" in text
    assert "set-maker=single  legal; totals: 30, 23, 24, 30" in text


def test_the_logs_that_tell_readings_apart_are_listed() -> None:
    folder = spec_dir() / "examples" / "readings"
    readme = (folder / "README.md").read_text(encoding="utf-8")
    listed = [line.split("`")[1] for line in readme.splitlines() if line.startswith("| `")]
    assert sorted(listed) == sorted(path.name for path in folder.glob("*.json"))
    for name in listed:
        assert json.loads((folder / name).read_text(encoding="utf-8"))["id"] == name.removesuffix(".json")


def test_where_no_example_shows_a_clause_that_is_said(recorded: None) -> None:
    assert "No recorded example shows it." in said("explain", "keep.tricks")


def test_a_question_with_its_readings_and_who_chooses_them() -> None:
    text = said("explain", "turned-club")
    assert "What does a club as up-card do?" in text
    assert "turned-club=dealers" in text
    assert "clubs-like-any-suit  auctioned" in text
    assert "auction.club-is-dealers" in text
    assert "survey.I-01" in text


@pytest.mark.parametrize("name", [["left-bower"], ["left bower"], ["left", "bower"]])
def test_a_term_by_its_id_or_its_words(name: list[str]) -> None:
    text = said("explain", *name)
    assert "(term)" in text
    assert "es     bower izquierdo" in text
    assert "left jack" in text
    assert "play.follow" in text


@pytest.mark.parametrize(
    ("name", "lang"),
    [("bower izquierdo", "es"), ("Bowers izquierdos", "es"), ("bower esquerdo", "pt-BR"), ("left bower", "es")],
)
def test_a_term_by_its_name_in_the_language_chosen(name: str, lang: str) -> None:
    assert said("explain", name, "--lang", lang).startswith("left-bower  (t")


def test_a_name_in_another_language_that_is_nearly_right() -> None:
    shown = run("explain", "bower izqierdo", "--lang", "es")
    assert shown.exit_code == 2
    assert "did you mean bower izquierdo?" in shown.stderr


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("ohio.02.7", "clubs are trumps without more ado"),
        ("ohio", "Short rules in eight numbered sections"),
        ("penalty", "penalty = 5 (0–1000)"),
        ("score", "(chapter: Scoring the hand)"),
        ("worth", "worth(Seat) -> int"),
        ("totals", "What a player still has to get rid of."),
    ],
)
def test_other_things_that_have_a_name(name: str, told: str) -> None:
    assert told in said("explain", name)


def test_the_plural_of_a_term_comes_after_what_has_that_name() -> None:
    text = said("explain", "passes")
    assert text.startswith("passes  (definition)")
    assert "\npass  (term)" in text


def test_what_has_one_name_is_explained_together() -> None:
    text = said("explain", "sweep")
    assert "sweep  (question)" in text
    assert "sweep  (term)" in text


@pytest.mark.parametrize("lang", ["en", "es", "pt-BR"])
def test_everything_that_has_a_name_can_be_explained(lang: str) -> None:
    library = open_library("ohio")
    explainer = Explainer(library, load_sentences(lang), lambda _: None)
    for name in library.names():
        assert explainer.all_of(name)[0].startswith(f"{name}  ("), name


def test_without_a_name_everything_is_listed() -> None:
    listed = set(said("explain").replace(",", " ").split())
    assert {"play.follow", "all-pass", "left-bower", "ohio", "score", "penalty", "worth"} <= listed


# ---------------------------------------------------------------------- profiles


def test_the_list_says_how_profiles_differ() -> None:
    text = said("profiles")
    assert text.startswith("ohio  Buck Euchre")
    assert "ohio-15  The short game, from 15\n  start_total=15  The total with which every player starts.\n" in text
    assert "turned-club=auctioned  It is offered in the auction like any other suit." in text


def test_one_profile_in_full_and_in_another_language() -> None:
    text = said("profiles", "ohio-15", "--lang", "es")
    assert "start_total=15" in text
    assert "all-pass=no-trump-hand" in text
    assert "La mano se juega sin triunfo." in text


def test_profiles_as_json() -> None:
    found = [json.loads(line) for line in said("profiles", "--format", "json").splitlines()]
    by_name = {profile["profile"]: profile for profile in found}
    assert by_name["ohio"]["differs"] == {"parameters": {}, "readings": {}}
    assert by_name["ohio-15"]["differs"] == {"parameters": {"start_total": 15}, "readings": {}}
    assert [json.loads(said("profiles", "ohio", "--format", "json"))] == [by_name["ohio"]]


# ---------------------------------------------------------------------- lint


def test_the_shipped_rule_book_has_nothing_to_report() -> None:
    text = said("lint")
    assert text.endswith(" questions, nothing to report\n")
    assert int(text.split()[0]) >= len(open_library("ohio").clauses)


def test_a_fault_is_shown_in_its_line(tmp_path: Path) -> None:
    copy = tmp_path / "spec"
    shutil.copytree(spec_dir(), copy)
    file = copy / "rules" / "play.yaml"
    file.write_text(
        file.read_text(encoding="utf-8").replace("that: suit_of(card) == led", "that: suitof(card) == led"),
        encoding="utf-8",
    )
    shown = run("lint", str(copy))
    assert shown.exit_code == 1
    lines = shown.stdout.splitlines()
    at = next(number for number, line in enumerate(lines) if "found suitof" in line)
    place, line, mark = lines[at : at + 3]
    assert place.startswith("spec/rules/play.yaml:")
    assert place.endswith("unknown function; found suitof; did you mean suit_of?")
    assert line.endswith("that: suitof(card) == led")
    assert mark.index("^") == line.index("suitof")


def test_a_profile_of_ones_own_is_checked(tmp_path: Path) -> None:
    own = tmp_path / "mine.yaml"
    own.write_text("profile: mine\ntitle: Ours\nextends: ohio\nreadings: {ties: shred}\n", encoding="utf-8")
    shown = run("lint", str(own), "--format", "json")
    assert shown.exit_code == 1
    (problem,) = [json.loads(line) for line in shown.stdout.splitlines()]
    assert (problem["file"], problem["line"], problem["meant"]) == (own.as_posix(), 4, "shared")
    own.write_text(
        "profile: mine\ntitle: Our own form of the game\nextends: ohio\nreadings: {ties: another-hand}\n",
        encoding="utf-8",
    )
    assert said("lint", str(own)).endswith("nothing to report\n")


def test_a_folder_without_rules_is_a_mistake(tmp_path: Path) -> None:
    shown = run("lint", str(tmp_path))
    assert shown.exit_code == 2
    assert "no rules in this folder; expected a copy of the rule book, with domains.yaml, or" in shown.stderr
