"""How a log is followed: what is legal, what is not and by which clause, and what a verdict then says."""

from collections.abc import Callable
from typing import Any

import pytest

from buckspec.verdict import At, Verdict, exit_code, to_json


def clauses(verdict: Verdict) -> list[str]:
    return [broken.clause for broken in verdict.violations]


def at(verdict: Verdict) -> tuple[int, int | None, int | None] | None:
    return verdict.at and (verdict.at.hand, verdict.at.event, verdict.at.seat)


# ---------------------------------------------------------------------- the contract


def test_the_cases_of_the_contract(judge: Any, contract_case: Callable[[str], Any]) -> None:
    wanted = contract_case("verdict-revoke")
    assert to_json(judge(contract_case("log-revoke"))) == wanted
    wrong = judge(contract_case("log-wrong-claim"))
    assert wrong.word == "claims-differ"
    told = to_json(wrong)["claims"]
    assert told == [{"path": "hands[0].claims.totals[2]", "claimed": 24, "computed": 23}]
    assert judge(contract_case("log")).word == "legal"


def test_a_legal_log_tells_how_the_game_stands(judge: Any, whole_game: Any) -> None:
    verdict = judge(whole_game)
    assert (verdict.word, verdict.at, verdict.violations, verdict.legal) == ("legal", None, (), ())
    assert list(verdict.winners) == whole_game["claims"]["winners"]
    assert verdict.ended == whole_game["claims"]["ended"]
    assert len(verdict.hands) == len(whole_game["hands"])


# ---------------------------------------------------------------------- one event


def test_at_the_wrong_time_only_the_clause_of_the_time_is_broken(judge: Any, one_hand: Any) -> None:
    one_hand["hands"][0]["events"][2] = {"seat": 1, "do": "play", "card": "9C"}
    verdict = judge(one_hand)
    assert (verdict.word, at(verdict), clauses(verdict)) == ("illegal", (0, 2, 1), ["flow.discard"])
    assert {event["do"] for event in verdict.legal} == {"discard"}
    assert len(verdict.legal) == 6


def test_for_a_wrong_seat_the_turn_and_the_requirements_are_broken(judge: Any, one_hand: Any) -> None:
    one_hand["hands"][0]["events"][7]["seat"] = 2
    verdict = judge(one_hand)
    assert (at(verdict), clauses(verdict)) == ((0, 7, 2), ["play.in-turn", "play.own-card"])
    one_hand["hands"][0]["events"][7]["card"] = "JD"  # seat 2 holds it, and has no club to follow with
    assert clauses(judge(one_hand)) == ["play.in-turn"]


def test_a_card_that_is_not_held_and_one_that_was_played(judge: Any, one_hand: Any) -> None:
    events = one_hand["hands"][0]["events"]
    events[7]["card"] = "KC"
    assert clauses(judge(one_hand)) == ["play.own-card"]
    events[7]["card"] = "9D"  # lies with the discard
    assert clauses(judge(one_hand)) == ["play.own-card"]


def test_a_call_that_the_readings_do_not_allow_is_illegal_and_not_unreadable(judge: Any, one_hand: Any) -> None:
    passes = [{"seat": seat, "do": "pass"} for seat in range(4)]
    one_hand["hands"][0] |= {"events": [*passes, {"seat": 0, "do": "name", "suit": "NT"}], "claims": {}}
    del one_hand["claims"]
    verdict = judge(one_hand)
    assert (verdict.word, clauses(verdict)) == ("illegal", ["flow.second-round"])
    allowed = judge(one_hand, readings={"call-no-trump": "second-round"})
    assert allowed.word == "incomplete"
    assert {"seat": 1, "do": "stay"} in [dict(event) for event in allowed.legal]


def test_what_is_not_in_the_pack_is_unreadable_whatever_stands_before(judge: Any, one_hand: Any) -> None:
    one_hand["hands"][0]["events"][0]["seat"] = 3
    one_hand["hands"][0]["deck"][23] = "7C"
    verdict = judge(one_hand)
    assert verdict.word == "unreadable"
    assert verdict.message is not None
    assert verdict.message.startswith('hands[0].deck[23]: found "7C"')
    assert verdict.problem["path"] == "hands[0].deck[23]"


def test_cards_may_be_spelt_as_people_do(judge: Any, one_hand: Any) -> None:
    spelt = {"TH": "10♥", "JD": "Vd", "KC": "r♣", "QS": "DS"}
    hand = one_hand["hands"][0]
    hand["deck"] = [spelt.get(card, card) for card in hand["deck"]]
    hand["events"] = [
        event | ({"card": spelt[event["card"]]} if event.get("card") in spelt else {}) for event in hand["events"]
    ]
    assert judge(one_hand).word == "legal"


# ---------------------------------------------------------------------- the end of a hand, and the next


def test_without_its_last_event_a_log_is_incomplete(judge: Any, one_hand: Any) -> None:
    last = one_hand["hands"][0]["events"].pop()
    verdict = judge(one_hand)
    assert (verdict.word, verdict.at) == ("incomplete", None)
    assert [dict(event) for event in verdict.legal] == [last]
    assert verdict.totals == (25, 25, 25, 25)


def test_a_hand_with_no_event_yet_is_incomplete(judge: Any, one_hand: Any) -> None:
    one_hand["hands"][0]["events"] = []
    assert judge(one_hand).word == "incomplete"


def test_an_event_after_the_end_of_a_hand(judge: Any, one_hand: Any) -> None:
    one_hand["hands"][0]["events"].append({"seat": 0, "do": "pass"})
    verdict = judge(one_hand)
    assert (verdict.word, at(verdict), clauses(verdict)) == ("illegal", (0, 21, 0), ["flow.deal"])
    assert verdict.totals == (24, 30, 23, 25)
    assert verdict.legal == ()


def test_an_event_after_the_end_of_the_game(judge: Any, whole_game: Any) -> None:
    last = whole_game["hands"][-1]
    last["events"].append({"seat": 0, "do": "play", "card": last["deck"][0]})
    verdict = judge(whole_game)
    assert (at(verdict), clauses(verdict)) == (
        (len(whole_game["hands"]) - 1, len(last["events"]) - 1, 0),
        ["flow.over"],
    )
    assert list(verdict.winners) == whole_game["claims"]["winners"]


def test_a_hand_after_a_game_that_is_won(judge: Any, whole_game: Any) -> None:
    whole_game["hands"].append(whole_game["hands"][0])
    verdict = judge(whole_game)
    assert (at(verdict), clauses(verdict)) == ((len(whole_game["hands"]) - 1, None, None), ["flow.over"])


def test_every_hand_but_the_last_is_complete(judge: Any, whole_game: Any) -> None:
    events = whole_game["hands"][1]["events"]
    events.pop()
    verdict = judge(whole_game)
    assert (verdict.word, at(verdict), clauses(verdict)) == ("illegal", (1, len(events), None), ["flow.play"])
    assert {event["do"] for event in verdict.legal} == {"play"}


def test_a_hand_without_events_is_not_complete_either(judge: Any, whole_game: Any) -> None:
    whole_game["hands"][0]["events"] = []
    verdict = judge(whole_game)
    assert (verdict.word, at(verdict)) == ("illegal", (0, 0, None))


def test_a_hand_thrown_in_is_complete(judge: Any, one_hand: Any) -> None:
    passes = [{"seat": seat, "do": "pass"} for seat in (0, 1, 2, 3) * 2]
    thrown = {"dealer": 3, "deck": one_hand["hands"][0]["deck"], "events": passes, "claims": {"contract": "thrown-in"}}
    again = {"deck": thrown["deck"], "events": [{"seat": 1, "do": "pass"}]}
    log = {**one_hand, "readings": {"all-pass": "deal-passes"}, "hands": [thrown, again]}
    del log["claims"]
    assert judge(log).word == "incomplete"
    log["hands"] = [thrown]
    assert judge(log).word == "legal"


# ---------------------------------------------------------------------- who deals


@pytest.mark.parametrize("named", [True, False])
def test_the_dealer_of_a_later_hand_need_not_be_named(judge: Any, whole_game: Any, named: bool) -> None:
    first = whole_game["hands"][0]["dealer"]
    for index, hand in enumerate(whole_game["hands"][1:], 1):
        hand.pop("dealer", None)
        if named:
            hand["dealer"] = (first + index) % 4
    assert judge(whole_game).word == "legal"


def test_a_dealer_that_does_not_follow(judge: Any, whole_game: Any) -> None:
    first = whole_game["hands"][0]["dealer"]
    whole_game["hands"][1]["dealer"] = first
    verdict = judge(whole_game)
    assert (verdict.word, at(verdict), clauses(verdict)) == ("illegal", (1, None, None), ["deal.next-dealer"])
    assert verdict.violations[0].found == {"next_dealer": (first + 1) % 4, "hands[1].dealer": first}


# ---------------------------------------------------------------------- where a game starts


def test_the_totals_at_the_start_win_over_the_parameter(judge: Any, one_hand: Any) -> None:
    one_hand["parameters"] = {"start_total": 10}
    assert judge(one_hand).word == "legal"
    del one_hand["start"]
    assert judge(one_hand).totals == (9, 15, 8, 10)


@pytest.mark.parametrize("totals", [[0, 25, 25, 25], [25, -3, 0, 4], [0, 0, 25, 25]])
def test_a_game_that_is_over_at_the_start(judge: Any, one_hand: Any, totals: list[int]) -> None:
    one_hand["start"]["totals"] = totals
    verdict = judge(one_hand)
    assert (verdict.word, at(verdict), clauses(verdict)) == ("illegal", (0, None, None), ["flow.over"])
    assert verdict.totals == tuple(totals)
    assert verdict.ended == "zero"


def test_a_reading_may_let_a_game_go_on_from_zero(judge: Any, one_hand: Any) -> None:
    one_hand["start"]["totals"] = [0, 0, 25, 25]
    one_hand["hands"][0]["claims"]["totals"] = [-1, 5, 23, 25]
    one_hand["claims"] = {"totals": [-1, 5, 23, 25], "winners": [0], "ended": "zero"}
    assert judge(one_hand, readings={"ties": "another-hand"}).word == "legal"


# ---------------------------------------------------------------------- which verdict, and what follows


def test_of_several_verdicts_the_gravest_is_given(judge: Any, one_hand: Any) -> None:
    hand = one_hand["hands"][0]
    one_hand["claims"]["totals"] = [0, 0, 0, 0]
    assert judge(one_hand).word == "claims-differ"
    hand["events"].pop()
    assert judge(one_hand).word == "incomplete", "what the game claims of its end cannot be computed yet"
    hand["claims"]["maker"] = 2
    differing = judge(one_hand)
    assert (differing.word, differing.claims[0].path) == ("claims-differ", "hands[0].claims.maker")
    hand["events"].append({"seat": 0, "do": "pass"})
    illegal = judge(one_hand)
    assert (illegal.word, illegal.claims) == ("illegal", differing.claims)


def test_a_wrong_claim_weighs_more_than_a_missing_card(judge: Any, whole_game: Any) -> None:
    whole_game["hands"][0]["claims"]["points"][0] += 1
    del whole_game["hands"][1]["deck"]
    verdict = judge(whole_game)
    assert verdict.word == "claims-differ"
    assert verdict.missing[0] == "hands[1].deck: the cards dealt"


@pytest.mark.parametrize(
    ("words", "code", "strict"),
    [
        ([], 0, 0),
        (["legal"], 0, 0),
        (["legal", "incomplete"], 0, 1),
        (["undetermined"], 0, 1),
        (["illegal", "legal"], 1, 1),
        (["impossible"], 1, 1),
        (["claims-differ", "incomplete"], 1, 1),
        (["legal", "unreadable", "illegal"], 3, 3),
    ],
)
def test_exit_codes(words: list[str], code: int, strict: int) -> None:
    assert exit_code(words, strict=False) == code
    assert exit_code(words, strict=True) == strict


def test_a_place_without_an_event_is_written_with_null(judge: Any, whole_game: Any) -> None:
    whole_game["hands"][1]["dealer"] = whole_game["hands"][0]["dealer"]
    verdict = judge(whole_game)
    assert verdict.at == At(1)
    assert to_json(verdict)["at"] == {"hand": 1, "event": None, "seat": None}
