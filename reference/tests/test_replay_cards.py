"""What a log says of the deal: the pack, the hands and the up-card, both, or not enough."""

from typing import Any

import pytest

from buckspec.verdict import Verdict

DEALT = [
    ["9C", "KC", "TC", "QC", "TH"],
    ["9H", "JS", "JH", "QH", "AC"],
    ["AS", "JD", "QS", "TS", "AD"],
    ["9S", "AH", "QD", "TD", "9D"],
]
UPCARD = "KH"


def clauses(verdict: Verdict) -> list[str]:
    return [broken.clause for broken in verdict.violations]


@pytest.fixture
def hand(one_hand: Any) -> Any:
    """The only hand of the log, with what was dealt beside the deck."""
    found = one_hand["hands"][0]
    found |= {"dealt": [list(cards) for cards in DEALT], "upcard": UPCARD}
    return found


def test_deck_and_dealt_hands_agree(judge: Any, one_hand: Any, hand: Any) -> None:
    assert judge(one_hand).word == "legal"


def test_the_dealt_hands_and_the_upcard_are_enough(judge: Any, one_hand: Any, hand: Any) -> None:
    del hand["deck"]
    hand["dealt"] = [cards[::-1] for cards in hand["dealt"]]
    verdict = judge(one_hand)
    assert (verdict.word, verdict.totals) == ("legal", (24, 30, 23, 25))


@pytest.mark.parametrize("other", [["??"] * 24, ["9?", *["??"] * 22, "KD"]])
def test_the_dealt_hands_are_enough_for_a_deck_that_is_not_known(
    judge: Any, one_hand: Any, hand: Any, other: Any
) -> None:
    hand["deck"] = other
    assert judge(one_hand).word == "legal"


@pytest.mark.parametrize("other", ["??", "?S", "A?"])
def test_the_deck_is_enough_for_dealt_hands_that_are_not_known(
    judge: Any, one_hand: Any, hand: Any, other: str
) -> None:
    hand["dealt"][2][0] = other  # the ace of spades
    assert judge(one_hand).word == "legal"
    hand["upcard"] = "?H"
    assert judge(one_hand).word == "legal"


def test_a_dealt_hand_that_the_deck_does_not_give(judge: Any, one_hand: Any, hand: Any) -> None:
    hand["dealt"][0][0], hand["dealt"][1][0] = hand["dealt"][1][0], hand["dealt"][0][0]
    verdict = judge(one_hand)
    assert (verdict.word, verdict.at.hand, verdict.at.event, verdict.at.seat) == ("illegal", 0, None, None)
    assert clauses(verdict) == ["deal.three-two"]
    assert set(verdict.violations[0].found) == {"hand(0)", "hands[0].dealt[0]", "hand(1)", "hands[0].dealt[1]"}
    assert verdict.violations[0].found["hands[0].dealt[0]"] == hand["dealt"][0]
    assert verdict.totals == (25, 25, 25, 25)


def test_an_upcard_that_the_deck_does_not_give(judge: Any, one_hand: Any, hand: Any) -> None:
    hand["upcard"] = "KD"
    verdict = judge(one_hand)
    assert clauses(verdict) == ["deal.three-two"]
    assert verdict.violations[0].found == {"upcard": ["KH"], "hands[0].upcard": ["KD"]}


def test_a_deck_agrees_only_under_the_batches_by_which_it_was_dealt(judge: Any, one_hand: Any, hand: Any) -> None:
    assert clauses(judge(one_hand, readings={"batches": "two-three"})) == ["deal.two-three"]
    del hand["deck"]
    assert judge(one_hand, readings={"batches": "two-three"}).word == "legal"


@pytest.mark.parametrize(
    ("deck", "seat", "card"),
    [
        (["9C", *["??"] * 23], 0, "9H"),  # the deck gives seat 0 a card that it was not dealt
        ([*["??"] * 23, "9C"], None, ""),  # a card of seat 0 lies at the bottom of the pack
        (["9C", *["?C"] * 23], None, ""),  # seat 0 would hold clubs only
    ],
)
def test_what_is_known_of_a_deck_and_cannot_be(
    judge: Any, one_hand: Any, hand: Any, deck: list[str], seat: int | None, card: str
) -> None:
    hand["deck"] = deck
    if seat is not None:
        hand["dealt"][0][0], hand["dealt"][1][0] = card, "9C"
    assert clauses(judge(one_hand)) == ["deal.three-two"]


# ---------------------------------------------------------------------- missing


def test_without_any_card_of_the_deal(judge: Any, one_hand: Any, hand: Any) -> None:
    for key in ("deck", "dealt", "upcard"):
        del hand[key]
    verdict = judge(one_hand)
    assert (verdict.word, verdict.missing) == ("undetermined", ("hands[0].deck: the cards dealt",))
    assert (verdict.at, verdict.claims, verdict.legal, verdict.totals) == (None, (), (), (25, 25, 25, 25))


def test_every_card_that_is_missing_is_told(judge: Any, one_hand: Any, hand: Any) -> None:
    hand["deck"][3] = "??"
    hand["deck"][23] = "K?"
    hand["dealt"][1][4] = "?C"
    hand["upcard"] = "??"
    assert judge(one_hand).missing == (
        "hands[0].deck[3]: the card ??",
        "hands[0].deck[23]: the card K?",
        "hands[0].dealt[1][4]: the card ?C",
        "hands[0].upcard: the card ??",
    )


def test_no_play_is_called_illegal_where_a_card_is_missing(judge: Any, one_hand: Any, hand: Any) -> None:
    del hand["dealt"], hand["upcard"]
    hand["deck"][0] = "??"
    hand["events"][7]["card"] = "9H"
    assert judge(one_hand).word == "undetermined"


def test_a_discard_that_nobody_saw(judge: Any, one_hand: Any, hand: Any) -> None:
    hand["events"][2]["card"] = "??"
    verdict = judge(one_hand)
    assert (verdict.word, verdict.missing) == ("undetermined", ("hands[0].events[2].card: the card ??",))
    hand["events"][1]["seat"] = 2
    assert judge(one_hand).word == "illegal", "what comes before it is known"


def test_a_score_sheet_is_undetermined_and_the_hands_before_it_are_judged(judge: Any, whole_game: Any) -> None:
    last = whole_game["hands"][-1]
    del last["events"], last["deck"]
    verdict = judge(whole_game)
    index = len(whole_game["hands"]) - 1
    assert verdict.word == "undetermined"
    assert verdict.missing == (
        f"hands[{index}].deck: the cards dealt",
        f"hands[{index}].events: what was said and done",
    )
    assert len(verdict.hands) == index
    whole_game["hands"][0]["events"][0]["seat"] ^= 1
    assert judge(whole_game).word == "illegal"


def test_a_dealer_is_checked_without_cards_too(judge: Any, whole_game: Any) -> None:
    del whole_game["hands"][1]["deck"]
    whole_game["hands"][1]["dealer"] = whole_game["hands"][0]["dealer"]
    assert clauses(judge(whole_game)) == ["deal.next-dealer"]
