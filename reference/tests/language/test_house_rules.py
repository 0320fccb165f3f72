"""House rules that are not in the box: ten lines of YAML each, no code, nothing edited and nothing ordered.

The shipped examples lie in `spec/examples/house-rules/`. Each is tried on a game that it judges otherwise than `ohio`.
"""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from buckspec.data import spec_dir
from buckspec.formats.game_log import from_value
from buckspec.load import load_profile
from buckspec.problem import SpecError
from buckspec.replay import ReplayError, replay, rules_for
from buckspec.verdict import Source, Verdict

HOUSE = spec_dir() / "examples" / "house-rules"
CASES = Path(__file__).parents[1] / "cases"
EXAMPLES = sorted(HOUSE.glob("*.yaml"))


def judged(log: dict[str, Any], profile: str | Path, **choices: dict[str, Any]) -> Verdict:
    return replay(from_value(log), load_profile(str(profile), **choices), Source("a game"))


def claims(verdict: Verdict) -> list[tuple[str, object, object]]:
    return [(found.path, found.claimed, found.computed) for found in verdict.claims]


@pytest.fixture
def game() -> dict[str, Any]:
    """One hand from 25 each: player 1 orders and is set with two tricks, player 3 drops."""
    found: dict[str, Any] = json.loads((CASES / "contract" / "log.json").read_text())
    return found


@pytest.fixture
def clubs_named() -> dict[str, Any]:
    """One hand in which player 0 names clubs in the second round and takes just three tricks."""
    logs = map(json.loads, (CASES / "ohio" / "legal.jsonl").read_text().splitlines())
    found: dict[str, Any] = next(log for log in logs if is_clubs_with_three_tricks(log["hands"][0]))
    return found


def is_clubs_with_three_tricks(hand: dict[str, Any]) -> bool:
    return any(event == {"seat": 0, "do": "name", "suit": "C"} for event in hand["events"]) and (
        hand["claims"]["tricks"][0] == 3
    )


# The examples


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_is_short_and_changes_nothing_that_is_there(path: Path) -> None:
    lines = path.read_text().splitlines()
    assert len(lines) <= 10
    mine, shipped = load_profile(str(path)), load_profile("ohio")
    assert mine.book.clauses().keys() >= shipped.book.clauses().keys()
    name, _, fingerprint = mine.name.partition("@")
    assert name == path.stem
    assert len(fingerprint) == 12


def test_every_example_is_told_of() -> None:
    told = (HOUSE / "README.md").read_text()
    assert all(f"| `{path.name}` |" in told for path in EXAMPLES)
    assert len(EXAMPLES) == 4
    assert f"`{load_profile(str(HOUSE / 'near-zero-stay.yaml')).name}`" in told


def test_a_set_maker_pays_double(game: dict[str, Any]) -> None:
    assert judged(game, "ohio").word == "legal"
    verdict = judged(game, HOUSE / "set-maker-pays-double.yaml")
    assert verdict.word == "claims-differ"
    assert claims(verdict)[:2] == [("hands[0].claims.points[1]", 5, 10), ("hands[0].claims.totals[1]", 30, 35)]
    assert verdict.totals == (24, 35, 23, 25)


def test_the_other_reading_is_the_game_without_the_house_rule(game: dict[str, Any]) -> None:
    path = HOUSE / "set-maker-pays-double.yaml"
    assert judged(game, path, readings={"set-maker": "single"}).word == "legal"


def test_a_replaced_clause_is_left_to_the_other_readings() -> None:
    clauses = load_profile(str(HOUSE / "set-maker-pays-double.yaml")).book.clauses()
    assert str(clauses["score.set"].under) == "set-maker is single"
    assert str(clauses["house.set-maker"].under) == "set-maker is double"


def test_who_names_clubs_promises_four_tricks(clubs_named: dict[str, Any]) -> None:
    assert judged(clubs_named, "ohio").word == "legal"
    verdict = judged(clubs_named, HOUSE / "clubs-promise-four.yaml")
    assert claims(verdict)[0] == ("hands[0].claims.points[0]", -3, 5)


def test_near_zero_nobody_drops(game: dict[str, Any]) -> None:
    near = {**game, "start": {"totals": [25, 25, 25, 5]}}
    near["hands"] = [{key: value for key, value in hand.items() if key != "claims"} for hand in game["hands"]]
    del near["claims"]
    assert judged(near, "ohio").word == "legal"
    verdict = judged(near, HOUSE / "near-zero-stay.yaml")
    assert verdict.word == "illegal"
    assert verdict.at is not None
    assert game["hands"][0]["events"][verdict.at.event or 0] == {"seat": 3, "do": "drop"}
    (broken,) = verdict.violations
    assert (broken.clause, broken.says) == ("house.near-zero", "A player with 5 points or fewer may not drop.")
    assert verdict.legal == ({"seat": 3, "do": "stay"},)
    assert judged(near, HOUSE / "near-zero-stay.yaml", parameters={"near_zero": 4}).word == "legal"


def test_a_profile_that_sets_a_number_only(game: dict[str, Any]) -> None:
    verdict = judged(game, HOUSE / "dear-tricks.yaml")
    assert claims(verdict)[0] == ("hands[0].claims.points[1]", 5, 10)
    assert judged(game, "ohio", parameters={"penalty": 10}).claims == verdict.claims
    assert load_profile(str(HOUSE / "dear-tricks.yaml")).is_shipped  # every clause is proven, so it is as quick as ohio


# Together, in any order, and in a folder of one's own

TOGETHER = """
profile: our-table
title: Two house rules at once
extends: ohio
questions:
"""
DOUBLE = """
  set-maker:
    asks: What does a maker pay?
    readings: {double: Twice., single: Once.}
    clauses:
      house.double: {instead-of: score.set, under: set-maker is double, says: Twice.,
        is: "seat == maker ? 2 * penalty : penalty"}
"""
CLUBS = """
  clubs-promise:
    asks: What does who names clubs promise?
    readings: {four: Four., usual: Three.}
    clauses:
      house.clubs: {instead-of: score.maker-promise, under: clubs-promise is four, says: Four.,
        is: "named != none && named == Suit.clubs ? 4 : promise"}
"""


@pytest.mark.parametrize("questions", [DOUBLE + CLUBS, CLUBS + DOUBLE], ids=["double first", "clubs first"])
def test_house_rules_work_together_in_any_order(questions: str, clubs_named: dict[str, Any], tmp_path: Path) -> None:
    (tmp_path / "ours.yaml").write_text(TOGETHER + questions)
    verdict = judged(clubs_named, tmp_path / "ours.yaml")
    assert claims(verdict)[0] == ("hands[0].claims.points[0]", -3, 10)


def test_a_folder_of_ones_own_holds_chapters_of_its_own(game: dict[str, Any], tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    (mine / "rules").mkdir(parents=True)
    (mine / "profile.yaml").write_text("profile: mine\ntitle: Mine\nextends: ohio\nchapters: [patience]\n")
    (mine / "rules" / "patience.yaml").write_text("""
chapter: patience
requires of drop:
  mine.patience: {says: Nobody drops with a black card., that: "hand(actor).all(c, colour(suit(c)) == Colour.red)"}
""")
    verdict = judged(game, mine)
    assert [broken.clause for broken in verdict.violations] == ["mine.patience"]
    before = load_profile(str(mine)).name
    (mine / "rules" / "patience.yaml").write_text((mine / "rules" / "patience.yaml").read_text() + "# changed\n")
    assert load_profile(str(mine)).name != before


def test_a_chapter_of_ones_own_can_take_the_place_of_a_shipped_one(tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    (mine / "rules").mkdir(parents=True)
    (mine / "profile.yaml").write_text("profile: mine\ntitle: Mine\nextends: ohio\n")
    shutil.copy(spec_dir() / "rules" / "score.yaml", mine / "rules")
    rules = load_profile(str(mine))
    assert not rules.is_shipped
    assert rules.book.clauses()["score.set"].place.file == (mine / "rules" / "score.yaml").as_posix()


NEAR = "chapter: near\nrequires of drop:\n  mine.near: {says: Nobody drops below 1., that: totals(actor) > 0}\n"


def own_folder(folder: Path, text: str = "extends: ohio\nchapters: [near]\n") -> Path:
    (folder / "rules").mkdir(parents=True)
    (folder / "profile.yaml").write_text(f"profile: mine\ntitle: Mine\n{text}")
    (folder / "rules" / "near.yaml").write_text(NEAR)
    return folder


def test_the_fingerprint_is_of_the_files_that_make_up_the_profile(tmp_path: Path) -> None:
    mine = own_folder(tmp_path / "mine")
    name = load_profile(str(mine)).name
    assert load_profile(str(mine / "profile.yaml")).name == name
    # a log in the folder, a chapter that is not used, what is no file: nothing of this makes another profile
    (mine / "log.yaml").write_text("format: buckspec-log/1\n")
    (mine / "rules" / "other.yaml").write_text("no chapter at all: [")
    (mine / "rules" / "dangling.yaml").symlink_to(mine / "nowhere")
    (mine / "rules" / "folder.yaml").mkdir()
    (mine / "deep.yaml").mkdir()
    assert load_profile(str(mine)).name == name
    shutil.copytree(mine / "rules", tmp_path / "elsewhere" / "rules", symlinks=True)
    shutil.copy(mine / "profile.yaml", tmp_path / "elsewhere")
    assert load_profile(str(tmp_path / "elsewhere")).name == name
    (mine / "rules" / "near.yaml").write_text(NEAR.replace("> 0", "> 1"))
    assert load_profile(str(mine)).name != name


def test_a_changed_chapter_is_seen_by_the_next_log(game: dict[str, Any], tmp_path: Path) -> None:
    mine = own_folder(tmp_path / "mine")
    log = from_value(game)
    before = rules_for(log, str(mine))
    assert rules_for(log, str(mine)) is before
    (mine / "rules" / "near.yaml").write_text(NEAR.replace("> 0", "> 1"))
    assert rules_for(log, str(mine)).name != before.name


def test_a_file_stands_alone_whatever_lies_beside_it(game: dict[str, Any], tmp_path: Path) -> None:
    """A chapter beside it would change the game, and neither the file nor its fingerprint would tell."""
    for other in ("rules/score.yaml", "rules/ranks.yaml"):
        (tmp_path / other).parent.mkdir(exist_ok=True)
        (tmp_path / other).write_text("chapter: nothing\n")
    shutil.copy(HOUSE / "dear-tricks.yaml", tmp_path)
    beside, alone = load_profile(str(tmp_path / "dear-tricks.yaml")), load_profile(str(HOUSE / "dear-tricks.yaml"))
    assert (beside.name, beside.is_shipped) == (alone.name, alone.is_shipped)
    assert judged(game, tmp_path / "dear-tricks.yaml") == judged(game, HOUSE / "dear-tricks.yaml")


def test_chapters_put_together_anew_are_not_taken_as_proven(tmp_path: Path) -> None:
    """Each chapter is shipped, but nobody has proven this choice of them, or these ranges: it is interpreted."""
    shipped = (spec_dir() / "profiles" / "ohio.yaml").read_text()
    (tmp_path / "mine.yaml").write_text(shipped.replace("profile: ohio", "profile: mine"))
    assert not load_profile(str(tmp_path / "mine.yaml")).is_shipped


# What is refused


def refused(tmp_path: Path, text: str, extends: str = "extends: ohio\n") -> list[str]:
    path = tmp_path / "mine.yaml"
    path.write_text(f"profile: mine\ntitle: Mine\n{extends}{text}")
    with pytest.raises(SpecError) as caught:
        load_profile(str(path))
    return [str(problem).removeprefix(tmp_path.as_posix() + "/") for problem in caught.value.problems]


def question(clause: str) -> str:
    readings = "{so: It is so., not: It is not.}"
    return f"questions:\n  mine:\n    asks: Mine?\n    readings: {readings}\n    clauses:\n      mine.x: {clause}\n"


UNDER = "under: mine is so, says: Mine."


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("extend: ohio\n", ("mine.yaml:4:1: a profile has no such key; found extend; expected profile, title, extends, "
         "chapters, parameters, readings, questions, rules or excludes; did you mean extends?")),
        ("parameters: {penalti: 10}\n", ("mine.yaml:4:23: unknown parameter; found penalti; expected one that the "
         "profile has, or {value, type, means} for a new one; did you mean penalty?")),
        ("parameters: {penalty: -1}\n", "mine.yaml:4:23: penalty is out of its range; found -1; expected 0 to 1000"),
        ("parameters: {penalty: ten}\n", "mine.yaml:4:23: “penalty” is a whole number; found 'ten'"),
        ("readings: {sweep: nobody}\n", ("mine.yaml:4:12: unknown reading of sweep; found nobody; "
         "expected anybody or maker or never; did you mean anybody?")),
        (question(f"{{instead-of: score.st, {UNDER}, is: '1'}}"),
         "mine.yaml:9:28: unknown clause; found score.st; did you mean score.set?"),
        (question(f"{{{UNDER}, is: '1'}}"),
         "mine.yaml:9:7: a clause of a question says which clause it replaces; expected instead-of: clause"),
        (question("{instead-of: score.set, says: Mine., is: '1'}"), ("mine.yaml:9:7: a clause that replaces another "
         "belongs to readings of one question; found no under")),
        (question("{instead-of: score.set, under: mine is so or not, says: Mine., is: '1'}"),
         "mine.yaml:9:7: no reading is left to the clause that is replaced; found score.set"),
        (question(f"{{instead-of: score.set, {UNDER}, is: penalti}}"),
         "mine.yaml:9:75: unknown name; found penalti; did you mean penalty?"),
        (question(f"{{instead-of: score.set, {UNDER}, that: dealt}}"), ("mine.yaml:9:71: the clause mine.x has no such "
         "key; found that; expected says, is, when, under, cites or because")),
        ("rules:\n  - chapter: mine\n    requires of drp:\n      mine.x: {says: Mine., that: dealt}\n",
         "mine.yaml:6:5: unknown event; found drp; did you mean drop?"),
        ("rules:\n  - chapter: mine\n    requires of drop:\n      play.follow: {says: Mine., that: dealt}\n",
         "mine.yaml:7:7: the clause exists already; found play.follow; "),
        ("rules:\n  - chapter: mine\n    orders: {trump_order: [ace, king]}\n",
         "mine.yaml:6:27: the order takes a name that is in use; found trump_order; expected another name"),
    ],
)  # fmt: skip
def test_a_broken_house_rule_is_refused_with_its_place(text: str, fault: str, tmp_path: Path) -> None:
    (found,) = refused(tmp_path, text)
    assert found.startswith(fault)


@pytest.mark.parametrize("name", ["../rules/cards", "../../spec/rules/cards", "/etc/x", "x" * 5000, "a\\0b", ""])
def test_a_name_that_is_no_name_of_a_chapter_or_profile_is_refused(name: str, tmp_path: Path) -> None:
    (chapter,) = refused(tmp_path, f'chapters: ["{name}"]\n')
    assert chapter.startswith("mine.yaml:4:11: unknown chapter; found ")
    (profile,) = refused(tmp_path, f'extends: "{name}"\n', extends="")
    assert profile.startswith("mine.yaml:3:10: unknown profile; found ")


def test_a_chapter_beside_a_file_is_refused_with_the_way_to_have_one(tmp_path: Path) -> None:
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "near.yaml").write_text(NEAR)
    expected = "a shipped chapter; those of your own stand in rules/ beside a profile.yaml"
    assert refused(tmp_path, "chapters: [near]\n") == [
        f"mine.yaml:4:11: unknown chapter; found near; expected {expected}"
    ]


@pytest.mark.parametrize("text", ["", "chapters: []\n", "rules: []\n"])
def test_a_profile_without_a_chapter_is_told_of_itself(text: str, tmp_path: Path) -> None:
    fault = "mine.yaml:1:1: a profile without a chapter; expected extends, or chapters"
    assert refused(tmp_path, text, extends="") == [fault]


def test_no_rules_and_no_exclusions_are_fine_too(tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text("profile: mine\ntitle: Mine\nextends: ohio\nrules: []\nexcludes: []\n")
    assert load_profile(str(tmp_path / "mine.yaml")).is_shipped


def test_a_house_rule_that_overlaps_is_told_when_it_is_met(game: dict[str, Any], tmp_path: Path) -> None:
    """Nobody has proven it, so it is interpreted, and two clauses that hold at once are named."""
    path = tmp_path / "mine.yaml"
    clause = f"{{instead-of: score.set, {UNDER}, when: seat in active, is: '1'}}"
    path.write_text(f"profile: mine\ntitle: Mine\nextends: ohio\n{question(clause)}")
    with pytest.raises(ReplayError, match=r"two clauses of “worth” hold at once: score\.made and mine\.x"):
        judged(game, path)
