"""`lint` on the rule book of this package, and on rules of a user's own. Single faults: test_lint_bad_specs.py."""

import shutil
from pathlib import Path

import pytest

from buckspec.document import Scalar
from buckspec.problem import Place
from buckspec_tools.lint import lint
from buckspec_tools.lint.forms import Style, check_sentence

SPEC = Path(__file__).resolve().parents[2] / "spec"

HOUSE = """\
profile: our-table
title: Our table
extends: ohio
parameters: {penalty: 3}
questions:
  revoke-late:
    asks: Must the left bower follow its printed suit?
    because: We grew up with it.
    readings:
      ours: Yes.
      usual: No.
    clauses:
      table.follow-printed:
        instead-of: play.follow
        under: revoke-late is ours
        says: Follow the suit printed on the card led, if you can.
        because: We grew up with it.
"""


def told(own: Path) -> list[str]:
    """What lint says of a profile of one's own, with the name of the folder left out."""
    folder = own if own.is_dir() else own.parent
    return [str(problem).replace(f"{folder.as_posix()}/", "") for problem in lint(SPEC, own)]


@pytest.fixture
def house(tmp_path: Path) -> Path:
    file = tmp_path / "house.yaml"
    file.write_text(HOUSE, encoding="utf-8")
    return file


def change(file: Path, old: str, new: str) -> None:
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")


def test_the_rule_book_of_this_package_has_nothing_to_report() -> None:
    assert [str(problem) for problem in lint(SPEC)] == []


def test_several_faults_are_told_in_one_run_by_place(tmp_path: Path) -> None:
    spec = Path(shutil.copytree(SPEC, tmp_path / "spec"))
    change(spec / "rules" / "score.yaml", "tricks(seat) >= duty(seat)", "tricks(seat) >= dutty(seat)")
    change(spec / "rules" / "play.yaml", "is: last_winner\n", "is: last_winer\n")
    change(spec / "sources.yaml", "    status: damaged\n    through", "    through")
    problems = lint(spec)
    assert [problem.place.file for problem in problems] == [
        "spec/rules/play.yaml", "spec/rules/score.yaml", "spec/sources.yaml"
    ]  # fmt: skip
    assert problems == sorted(problems, key=lambda problem: problem.place)


def test_a_file_that_cannot_be_read_hides_what_would_only_follow_from_that(tmp_path: Path) -> None:
    spec = Path(shutil.copytree(SPEC, tmp_path / "spec"))
    (spec / "glossary.yaml").write_bytes(b"\xff")
    assert [str(problem) for problem in lint(spec)] == ["spec/glossary.yaml: not UTF-8 text; found byte 0"]


def test_a_file_that_is_no_mapping(tmp_path: Path) -> None:
    spec = Path(shutil.copytree(SPEC, tmp_path / "spec"))
    change(spec / "i18n" / "es.yaml", (spec / "i18n" / "es.yaml").read_text(encoding="utf-8"), "- es\n")
    assert "spec/i18n/es.yaml:1:1: a rule file is a mapping" in map(str, lint(spec))


# Rules of a user's own


def test_a_sound_house_rule_has_nothing_to_report(house: Path) -> None:
    assert told(house) == []


def test_a_house_rule_needs_no_translation_but_a_reason(house: Path) -> None:
    change(house, "        because: We grew up with it.\n", "")
    expected = (
        "a clause cites a source or says why it is there; found table.follow-printed; expected cites: or because:"
    )
    assert told(house) == [f"house.yaml:13:7: {expected}"]


def test_a_house_rule_may_cite_a_source_that_exists(house: Path) -> None:
    change(house, "        because: We grew up with it.\n", "        cites: [survey.I-16, survey.I-99]\n")
    (line,) = told(house)
    assert line.startswith("house.yaml:17:30: no source says this; found survey.I-99")


def test_the_sentence_of_a_house_rule_has_the_form_of_all_sentences(house: Path) -> None:
    change(house, "Follow the suit printed", "Follow the lead suit printed")
    change(house, "asks: Must", "asks: Must ({penalty} or {penalties})")
    known = "{start_total}, {seat_count}, {hand_size}, {promise}, {dealer_promise}, {one_trick} or {penalty}"
    unknown = f"unknown placeholder; found {{penalties}}; expected {known}; did you mean {{penalty}}?"
    assert told(house) == [
        "house.yaml:7:16: a sign that cannot be read out; found (; expected words",
        f"house.yaml:7:30: {unknown}",
        "house.yaml:16:26: a word to avoid; found “lead suit”; expected “suit led”",
    ]


def test_what_the_loader_refuses_is_told(house: Path) -> None:
    change(house, "instead-of: play.follow", "instead-of: play.folow")
    assert told(house) == ["house.yaml:14:21: unknown clause; found play.folow; did you mean play.follow?"]


def test_what_only_the_schema_refuses_is_told(house: Path) -> None:
    change(house, "profile: our-table", "profile: Our Table")
    (line,) = told(house)
    assert line.startswith('house.yaml:1:1: profile is not as profile.schema.json has it; found "Our Table"')


def test_a_folder_with_chapters_of_its_own(tmp_path: Path) -> None:
    profile = "profile: our-table\ntitle: Our table\nextends: ohio\nchapters: [revoke]\n"
    (tmp_path / "profile.yaml").write_text(profile, encoding="utf-8")
    (tmp_path / "rules").mkdir()
    chapter = tmp_path / "rules" / "revoke.yaml"
    chapter.write_text(
        "chapter: revoke\n"
        "define:\n"
        "  may_ruff -> bool:\n"
        "    exactly one of:\n"
        "      revoke.ruff:\n"
        "        says: Anybody may ruff.\n"
        "        is: true\n",
        encoding="utf-8",
    )
    what = "a clause cites a source or says why it is there; found revoke.ruff; expected cites: or because:"
    assert told(tmp_path) == [f"rules/revoke.yaml:5:7: {what}"]
    change(chapter, "        is: true\n", "        is: true\n        because: It is fun.\n")
    assert told(tmp_path) == []


def test_a_place_without_rules(tmp_path: Path) -> None:
    assert told(tmp_path) == [f"{tmp_path.as_posix()}: the folder has no profile.yaml"]


# The form of a sentence


@pytest.mark.parametrize(
    ("sentence", "found"),
    [
        ("The maker leads.", []),
        ("The maker’s card.", ["’"]),
        ("Take all the cards: jack, ten; or none.", []),
        ("A hand_size of cards.", ["hand_size"]),
        ("See the trumpSuit.", ["trumpSuit"]),
        ("See play.maker-leads.", ["play.maker-leads"]),
        ("Decks and DECK.", ["“Decks”", "“DECK”"]),
        ("Two  blanks and a fine man.", []),
        ("No stop", ["stop"]),
        ("{a} and {b}.", ["{b}"]),
    ],
)
def test_forms(sentence: str, found: list[str]) -> None:
    held = Scalar(sentence, Place("a.yaml", 1, 7))
    style = Style(avoid={"deck": "pack"})
    assert [problem.found for problem in check_sentence(held, style, ["a"])] == found


def test_letters_of_a_language() -> None:
    held = Scalar("¿Quién señala?", Place("a.yaml", 1, 7))
    assert list(check_sentence(held, Style("éñ"), [], is_question=True)) == []
    assert [str(p) for p in check_sentence(held, Style("é"), [], is_question=True)] == [
        "a.yaml:1:16: a sign that cannot be read out; found ñ; expected words"
    ]
