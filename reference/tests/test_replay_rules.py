"""By which rules a log is judged: what it names, what the one who asks chooses, and house rules, sound and broken."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from buckspec.formats.game_log import from_value
from buckspec.load import load_profile
from buckspec.problem import SpecError
from buckspec.replay import ReplayError, in_words, quick, replay, rules_for, walk
from buckspec.state import Event, State
from buckspec.verdict import Overrides, Source, to_json
from buckspec.words import from_log, to_log, words_of

HOUSE = """
profile: our-table
title: The rules of our table
extends: ohio
questions:
  misers:
    asks: What does a player add who takes too few tricks?
    cites: survey.I-16
    readings:
      double: Twice the penalty.
      usual: The penalty.
    clauses:
      house.misers:
        instead-of: score.set
        says: Too few tricks cost {penalty} points, twice.
        under: misers is double
        is: penalty * 2
        because: We like it.
"""
BROKEN = HOUSE.replace("is: penalty * 2", "when: seat in active")


@pytest.fixture
def house(tmp_path: Path) -> str:
    path = tmp_path / "our-table.yaml"
    path.write_text(HOUSE)
    return str(path)


def problems(error: pytest.ExceptionInfo[SpecError]) -> str:
    return str(error.value)


# ---------------------------------------------------------------------- what is chosen


def test_a_log_chooses_its_rules(one_hand: Any) -> None:
    one_hand |= {"profile": "clubs-like-any-suit", "parameters": {"penalty": 7}, "readings": {"sweep": "maker"}}
    rules = rules_for(from_value(one_hand))
    assert rules.name == "clubs-like-any-suit"
    assert rules.parameters["penalty"] == 7
    assert (rules.readings["sweep"], rules.readings["turned-club"]) == ("maker", "auctioned")
    assert rules_for(from_value(one_hand)) is rules


def test_the_one_who_asks_overrides_the_log_and_the_verdict_says_so(judge: Any, one_hand: Any) -> None:
    one_hand |= {"parameters": {"penalty": 7}, "readings": {"sweep": "maker"}}
    chosen = {"parameters": {"penalty": 5, "promise": 3}, "readings": {"sweep": "never", "ties": "shared"}}
    verdict = judge(one_hand, **chosen)
    assert verdict.word == "legal"
    assert verdict.overrides == Overrides(None, {"penalty": 5}, {"sweep": "never"})
    told = to_json(verdict)
    assert told["overrides"] == {"parameters": {"penalty": 5}, "readings": {"sweep": "never"}}
    assert (told["parameters"], told["readings"]) == ({"penalty": 5}, {"sweep": "never"})


def test_another_profile_overrides_too(judge: Any, one_hand: Any) -> None:
    del one_hand["parameters"]
    verdict = judge(one_hand, profile="ohio-15")
    assert (verdict.profile, verdict.overrides.profile) == ("ohio-15", "ohio-15")
    assert "overrides" not in to_json(judge(one_hand, profile="ohio"))


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"profile": "ohoi"}, "unknown profile; found ohoi; expected a shipped profile; did you mean ohio?"),
        ({"profile": "./ohio.yaml"}, "unknown profile"),
        ({"profile": "../../spec/profiles/ohio.yaml"}, "unknown profile"),
        ({"profile": "our-table@5e06f1a39d73"}, "the profile of the log is a file of somebody's own"),
        ({"parameters": {"start_totals": 3}}, "unknown parameter; found start_totals; did you mean start_total?"),
        ({"parameters": {"start_total": 0}}, "start_total is out of its range; found 0; expected 1 to 1000"),
        ({"readings": {"swep": "never"}}, "unknown question; found swep; did you mean sweep?"),
        ({"readings": {"sweep": "nevr"}}, "unknown reading of sweep; found nevr"),
        ({"readings": {"sweep": "never", "all-drop": "unplayed-wins"}}, "these readings contradict each other"),
    ],
)
def test_what_a_log_names_has_to_exist(one_hand: Any, changed: Any, told: str) -> None:
    with pytest.raises(SpecError) as error:
        rules_for(from_value(one_hand | changed))
    assert told in problems(error)


def test_no_file_is_read_for_a_log(one_hand: Any, house: str) -> None:
    with pytest.raises(SpecError, match="unknown profile"):
        rules_for(from_value(one_hand | {"profile": house}))


# ---------------------------------------------------------------------- house rules


def test_a_house_rule_changes_the_verdict_and_is_named_with_its_state(judge: Any, one_hand: Any, house: str) -> None:
    verdict = judge(one_hand, profile=house)
    assert verdict.word == "claims-differ"
    assert [claim.computed for claim in verdict.claims if "points" in claim.path] == [10]
    assert verdict.profile is not None
    assert verdict.profile.startswith("our-table@")
    assert verdict.overrides == Overrides(verdict.profile)
    assert judge(one_hand, profile=house, readings={"misers": "usual"}).word == "legal"


def test_a_log_may_name_the_state_of_a_profile(judge: Any, one_hand: Any, house: str) -> None:
    name = judge(one_hand, profile=house).profile
    same = judge(one_hand | {"profile": name}, profile=house)
    assert (same.word, same.overrides) == ("claims-differ", Overrides())


def test_another_state_of_the_profile_is_refused(judge: Any, one_hand: Any, house: str) -> None:
    name = judge(one_hand, profile=house).profile
    Path(house).write_text(HOUSE.replace("penalty * 2", "penalty * 3"))
    with pytest.raises(SpecError) as error:
        judge(one_hand | {"profile": name}, profile=house)
    assert "another state of the profile" in problems(error)
    assert str(name) in problems(error)
    assert [claim.computed for claim in judge(one_hand, profile=house).claims if "points" in claim.path] == [15]


def test_a_broken_house_rule_is_an_error_and_names_its_clauses(judge: Any, one_hand: Any, tmp_path: Path) -> None:
    path = tmp_path / "broken.yaml"
    path.write_text(BROKEN)
    with pytest.raises(ReplayError, match=r"our-table@.* fail in hands\[0\]: .*score\.made and house\.misers"):
        judge(one_hand, profile=str(path))
    assert judge(one_hand, profile=str(path), readings={"misers": "usual"}).word == "legal"


def test_a_sentence_is_told_with_its_numbers() -> None:
    rules = load_profile("ohio")
    clause = rules.book.clauses()["score.set"]
    assert in_words(clause, rules).startswith("A player who takes too few tricks adds 5 to the total")


# ---------------------------------------------------------------------- how a hand is played


def test_any_player_may_play_the_hands(whole_game: Any) -> None:
    log = from_value(whole_game)
    rules = rules_for(log)
    seen: list[int] = []

    def player(state: State, events: Sequence[Event]) -> tuple[State, int]:
        seen.append(len(events))
        return walk(state, events)

    slow = replay(log, rules, Source("x"), play=player)
    assert slow == replay(log, rules, Source("x"), play=quick)
    assert seen == [len(hand["events"]) + 1 for hand in whole_game["hands"]]


def test_the_quick_player_stops_where_the_other_does(one_hand: Any) -> None:
    one_hand["hands"][0]["events"][9]["seat"] = 1
    log = from_value(one_hand)
    rules = rules_for(log)
    assert replay(log, rules, Source("x"), play=quick) == replay(log, rules, Source("x"), play=walk)


# ---------------------------------------------------------------------- words


def test_every_event_of_a_log_has_one_form() -> None:
    rules = load_profile("ohio")
    words = words_of(rules)
    assert len(set(words.events.values())) == len(words.events)
    for (seat, do, card, suit), event in words.events.items():
        form = {"seat": seat, "do": do} | ({"card": card} if card else {}) | ({"suit": suit} if suit else {})
        assert to_log(rules, event) == form
        assert from_log(rules, form) == event


def test_words_are_made_once_for_a_rule_book() -> None:
    assert words_of(load_profile("ohio")) is words_of(load_profile("ohio", {"start_total": 3}, {"sweep": "never"}))


@pytest.mark.parametrize(
    ("written", "code"),
    [("10♥", "TH"), ("Jh", "JH"), ("V♣", "JC"), ("v♣", "JC"), ("dd", "QD"), ("10?", "T?"), ("?♠", "?S"), ("9c", "9C")],
)
def test_other_ways_to_write_a_card(written: str, code: str) -> None:
    assert words_of(load_profile("ohio")).vocabulary.spellings[written] == code


@pytest.mark.parametrize("written", ["H10", "♥10", "s9", "1H", "JJ", "XH", "TH", "?"])
def test_what_is_no_other_way_to_write_a_card(written: str) -> None:
    assert written not in words_of(load_profile("ohio")).vocabulary.spellings


@pytest.mark.parametrize(
    "logged",
    [
        {"seat": True, "do": "pass"},
        {"seat": 4, "do": "pass"},
        {"seat": 1, "do": "pass", "card": "JS"},
        {"seat": 1, "do": "play"},
        {"seat": 1, "do": "play", "card": "??"},
        {"seat": [1], "do": "pass"},
        {"do": "pass"},
        {"seat": 1, "do": "pass", "suit": None},
    ],
)
def test_what_is_no_event(logged: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="no event of these rules"):
        from_log(load_profile("ohio"), logged)
