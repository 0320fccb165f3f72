"""Logs with missing cards: what was seen settles the verdict, or two completions show that it does not."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from buckspec.data import spec_dir
from buckspec.formats.game_log import from_value, to_value
from buckspec.formats.reader import Readable, read_path
from buckspec.formats.validate import problems
from buckspec.hidden import courses
from buckspec.missing import judge
from buckspec.other_readings import under_others
from buckspec.replay import deal_of, opening, replay, rules_for
from buckspec.standing import let_stand
from buckspec.verdict import At, Source, Verdict, to_json
from buckspec.words import words_of

Judge = Callable[..., Verdict]
SOURCE = Source("game.json")


@pytest.fixture
def judged() -> Judge:
    def verdict(log: Any, **chosen: Any) -> Verdict:
        value = from_value(log, None)
        found = judge(value, rules_for(value, **chosen), SOURCE)
        assert problems(to_json(found), "verdict") == []
        return found

    return verdict


@pytest.fixture
def hand(one_hand: Any) -> Any:
    """The only hand of the log, of which nothing is known but the up-card and what happened; no claims."""
    hand = one_hand["hands"][0]
    hand |= {"dealt": [["??"] * 5 for _ in range(4)], "upcard": "KH"}
    del hand["deck"], hand["claims"], one_hand["claims"]
    return hand


def clauses(verdict: Verdict) -> list[str]:
    return [broken.clause for broken in verdict.violations]


def test_nobody_has_revoked_where_every_card_was_seen(judged: Judge, one_hand: Any, hand: Any) -> None:
    hand["events"][2]["card"] = "??"
    verdict = judged(one_hand)
    assert (verdict.word, verdict.totals, verdict.missing) == ("legal", (24, 30, 23, 25), ())


def test_a_log_without_any_word_of_the_deal(judged: Judge, one_hand: Any, hand: Any) -> None:
    del hand["dealt"], hand["upcard"]
    hand["events"][2]["card"] = "??"
    verdict = judged(one_hand)
    # the suit that was ordered up is not known, and with it the trumps
    assert verdict.word == "undetermined"
    assert {one.word for one in verdict.completions} == {"legal", "illegal"}


def test_two_completions_agree_with_all_that_was_seen(judged: Judge, one_hand: Any, hand: Any) -> None:
    del hand["events"][-1]
    hand["events"] = hand["events"][:8]
    hand["events"][7]["card"] = "9H"  # on the king of clubs; nobody knows what else was held
    verdict = judged(one_hand)
    assert [one.word for one in verdict.completions] == ["incomplete", "illegal"]
    for one in verdict.completions:
        assert replay(one.log, rules_for(one.log), SOURCE).word == one.word
        assert [event["card"] for event in to_value(one.log)["hands"][0]["events"] if "card" in event] == [  # type: ignore[index]
            "9D",
            "KC",
            "9H",
        ]


def test_a_revoke_that_a_later_card_proves(judged: Judge, one_hand: Any, hand: Any) -> None:
    plays = {event["card"]: at for at, event in enumerate(hand["events"]) if event["do"] == "play"}
    first, second = plays["AC"], plays["9H"]  # both of seat 1; the bower of seat 2 takes the first trick either way
    hand["events"][first]["card"], hand["events"][second]["card"] = "9H", "AC"
    hand["events"] = hand["events"][: second + 1]
    verdict = judged(one_hand)
    assert (verdict.word, verdict.conflict) == ("impossible", (At(0, first, 1), At(0, second, 1)))


def test_the_example_of_the_rule_book() -> None:
    (read,) = read_path(spec_dir() / "examples" / "missing" / "revoke-proven-later.json")
    assert isinstance(read, Readable)
    verdict = judge(read.log, rules_for(read.log), SOURCE)
    events = read.log.hands[0].events or ()
    assert (verdict.word, len(verdict.conflict)) == ("impossible", 2)
    assert [(events[at.event or 0].seat, events[at.event or 0].card) for at in verdict.conflict] == [
        (1, "9H"),
        (1, "AC"),
    ]


def test_the_wrong_seat_is_illegal_whatever_the_cards(judged: Judge, one_hand: Any, hand: Any) -> None:
    hand["events"][1]["seat"] = 2
    verdict = judged(one_hand)
    assert (verdict.word, verdict.at, clauses(verdict)) == ("illegal", At(0, 1, 2), ["auction.in-turn"])
    assert verdict.legal == ()


def test_a_revoke_with_a_hand_that_was_written_down(judged: Judge, one_hand: Any, hand: Any) -> None:
    hand["dealt"][1] = ["9H", "JS", "JH", "QH", "AC"]
    hand["events"] = hand["events"][:8]
    hand["events"][7]["card"] = "9H"
    verdict = judged(one_hand)
    assert (verdict.word, verdict.at, clauses(verdict)) == ("illegal", At(0, 7, 1), ["play.follow"])


def test_the_deck_and_the_dealt_cards_each_tell_some(judged: Judge, one_hand: Any, hand: Any) -> None:
    hand["deck"] = ["9C", "KC", *["??"] * 22]
    hand["dealt"][0][:2] = ["9C", "TH"]
    assert judged(one_hand).word == "legal"
    hand["dealt"][0][:2] = ["9C", "AD"]  # which is played by another seat
    verdict = judged(one_hand)
    assert (verdict.word, clauses(verdict)) == ("illegal", ["play.own-card"])


def test_more_cards_of_a_kind_than_there_are(judged: Judge, one_hand: Any, hand: Any) -> None:
    hand["dealt"][0] = ["?H"] * 5
    hand["dealt"][1][0] = "?H"
    verdict = judged(one_hand)
    assert (verdict.word, verdict.conflict) == ("impossible", (At(0),))


def test_no_event_of_a_conflict_can_be_left_out(judged: Judge, one_hand: Any, hand: Any) -> None:
    """Two seats play the same card: each play alone can be right."""
    events = hand["events"]
    events[8]["card"] = events[6]["card"]
    hand["events"] = events[:9]
    verdict = judged(one_hand)
    assert verdict.word == "impossible"
    assert [at.event for at in verdict.conflict] == [6, 8]


def test_a_claim_is_judged_where_the_cards_do_not_matter(judged: Judge, one_hand: Any, hand: Any) -> None:
    hand["claims"] = {"totals": [24, 30, 23, 30]}
    verdict = judged(one_hand)
    assert (verdict.word, [claim.path for claim in verdict.claims]) == ("claims-differ", ["hands[0].claims.totals[3]"])


def test_a_hand_that_is_known_after_one_that_is_not(judged: Judge, whole_game: Any) -> None:
    first = whole_game["hands"][0]
    first["dealt"], first["upcard"] = [["??"] * 5] * 4, first.pop("deck")[20]
    assert judged(whole_game).word == "legal"
    second = whole_game["hands"][1]
    second["events"][0]["seat"] ^= 1
    verdict = judged(whole_game)
    assert (verdict.word, verdict.at) == ("illegal", At(1, 0, second["events"][0]["seat"]))


def test_a_completion_is_whole_even_after_an_event_out_of_turn(one_hand: Any, hand: Any) -> None:
    hand["events"] = hand["events"][:9]
    hand["events"][8] |= {"seat": 3, "card": "?H"}
    value = from_value(one_hand, None)
    rules = rules_for(value)
    state = opening(rules, hand["dealer"], None)
    (course,) = courses(value.hands[0], state, deal_of(rules), words_of(rules))
    assert course.stop == 8
    found = course.breaking()
    assert found is not None
    assert not [card for card in (*found.deck, *(event.card or "" for event in found.events)) if "?" in card]


# ---------------------------------------------------------------------- what else can be asked


def test_the_score_if_a_revoke_counts_as_played(contract_case: Callable[[str], Any]) -> None:
    log = contract_case("log-revoke")
    value = from_value(log, None)
    stand = let_stand(value, rules_for(value))
    assert stand is not None
    assert stand.totals == (25, 25, 25, 25)


def test_what_comes_after_the_end_cannot_stand(one_hand: Any) -> None:
    one_hand["hands"][0]["events"].append({"seat": 0, "do": "pass"})
    value = from_value(one_hand, None)
    assert let_stand(value, rules_for(value)) is None


def test_the_same_score_stands_where_cards_are_missing(one_hand: Any, hand: Any) -> None:
    value = from_value(one_hand, None)
    stand = let_stand(value, rules_for(value))
    assert stand is not None
    assert (stand.totals, stand.winners, stand.ended) == ((24, 30, 23, 25), (), None)


def test_the_readings_under_which_a_log_is_legal(one_hand: Any) -> None:
    one_hand = json.loads(json.dumps(one_hand))
    value = from_value(one_hand, None)

    def under(readings: Any) -> Verdict:
        return judge(value, rules_for(value, readings=readings), SOURCE)

    found = {next(iter(one.readings.items())): one for one in under_others(rules_for(value), under)}
    assert found["pick-up", "before-decisions"].word == "legal"
    assert found["pick-up", "before-decisions"].because is None
    other = found["pick-up", "after-decisions"]
    assert (other.word, other.because) == ("illegal", "hands[0].events[2]: flow.stay")


def test_two_readings_together_where_no_single_one_will_do(one_hand: Any) -> None:
    value = from_value(one_hand, None)
    wrong = {"batches": "two-three", "pick-up": "after-decisions"}

    def under(readings: Any) -> Verdict:
        return judge(value, rules_for(value, readings={**wrong, **readings}), SOURCE)

    found = [one for one in under_others(rules_for(value, readings=wrong), under) if one.word == "legal"]
    assert {"batches": "three-two", "pick-up": "before-decisions"} in [dict(one.readings) for one in found]


def test_a_game_that_can_have_gone_in_too_many_ways_stays_undetermined(
    judged: Judge, whole_game: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody wrote down an up-card, in hand after hand: each has many courses, which multiply."""
    hands = [{key: value for key, value in hand.items() if key == "events"} for hand in whole_game["hands"]]
    whole_game["hands"] = [{**hands[0], "dealer": whole_game["hands"][0]["dealer"]}, *hands[1:]]
    whole_game.pop("claims", None)
    assert judged(whole_game).completions
    monkeypatch.setattr("buckspec.missing._MOST_COURSES", 20)
    verdict = judged(whole_game)
    assert (verdict.word, verdict.completions) == ("undetermined", ())
    assert "hands[0].deck: the cards dealt" in verdict.missing
