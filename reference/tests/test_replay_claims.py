"""Claims: each kind is recomputed, and a wrong one is told with its path, what it says and what the rules say."""

from typing import Any

import pytest

from buckspec.verdict import Verdict


def told(verdict: Verdict) -> list[tuple[str, object, object]]:
    return [(claim.path, claim.claimed, claim.computed) for claim in verdict.claims]


RIGHT = {
    "maker": 1,
    "trump": "H",
    "contract": "ordered",
    "active": [True, True, True, False],
    "trick_winners": [2, 0, 1, 1, 2],
    "tricks": [1, 2, 2, 0],
    "points": [-1, 5, -2, 0],
    "totals": [24, 30, 23, 25],
}


@pytest.fixture
def claims(one_hand: Any) -> Any:
    """The claims of the only hand of the log: every one, and right."""
    found = one_hand["hands"][0]["claims"]
    found |= {name: list(value) if isinstance(value, list) else value for name, value in RIGHT.items()}
    return found


@pytest.fixture
def right(judge: Any, one_hand: Any, claims: Any) -> Any:
    one_hand["claims"]["ended"] = None
    found = judge(one_hand)
    trick_winners = [claim.computed for claim in found.claims if "trick_winners" in claim.path]
    assert told(found) == [], trick_winners
    return one_hand


@pytest.mark.parametrize(
    ("name", "wrong", "differences"),
    [
        ("maker", 2, [("", 2, 1)]),
        ("maker", None, [("", None, 1)]),
        ("trump", None, [("", None, "H")]),
        ("contract", "named", [("", "named", "ordered")]),
        ("contract", None, [("", None, "ordered")]),
        ("active", [True, True, True, True], [("[3]", True, False)]),
        ("trick_winners", [2, 0, 1, 1, 0], [("[4]", 0, 2)]),
        ("trick_winners", [2, 0, 1, 1], [("", [2, 0, 1, 1], [2, 0, 1, 1, 2])]),
        ("tricks", [0, 2, 3, 0], [("[0]", 0, 1), ("[2]", 3, 2)]),
        ("points", [-1, -2, -2, 0], [("[1]", -2, 5)]),
        ("totals", [24, 30, 23, 30], [("[3]", 30, 25)]),
    ],
)
def test_a_wrong_claim_of_a_hand(judge: Any, right: Any, name: str, wrong: object, differences: list[Any]) -> None:
    right["hands"][0]["claims"][name] = wrong
    verdict = judge(right)
    assert verdict.word == "claims-differ"
    path = f"hands[0].claims.{name}"
    assert told(verdict) == [(path + place, claimed, computed) for place, claimed, computed in differences]


@pytest.mark.parametrize(
    ("name", "wrong", "differences"),
    [
        ("totals", [24, 30, 23, 24], [("[3]", 24, 25)]),
        ("winners", [2], [("", [2], [])]),
        ("ended", "zero", [("", "zero", None)]),
    ],
)
def test_a_wrong_claim_of_the_game(judge: Any, right: Any, name: str, wrong: object, differences: list[Any]) -> None:
    right["claims"][name] = wrong
    verdict = judge(right)
    assert verdict.word == "claims-differ"
    path = f"claims.{name}"
    assert told(verdict) == [(path + place, claimed, computed) for place, claimed, computed in differences]


def test_winners_may_stand_in_any_order(judge: Any, one_hand: Any) -> None:
    one_hand["start"]["totals"] = [1, 25, 2, 25]
    one_hand["hands"][0]["claims"] = {}
    one_hand["claims"] = {"winners": [2, 0]}
    assert judge(one_hand).word == "legal"
    one_hand["claims"] = {"winners": [2]}
    assert told(judge(one_hand)) == [("claims.winners", [2], [0, 2])]


def test_points_are_what_the_hand_added_whatever_the_start(judge: Any, right: Any) -> None:
    right["start"]["totals"] = [1, 2, 3, 4]
    verdict = judge(right)
    assert {claim.path.rpartition("[")[0] for claim in verdict.claims} == {
        "hands[0].claims.totals",
        "claims.totals",
        "",
    }
    assert [claim.computed for claim in verdict.claims if claim.path.startswith("hands[0]")] == [0, 7, 1, 4]


def test_a_hand_that_wins_by_every_trick_adds_nothing(judge: Any, sweep: Any) -> None:
    assert judge(sweep).word == "legal"
    assert judge(sweep, readings={"sweep-points": "everybody"}).word == "claims-differ"


@pytest.fixture
def sweep(cases_legal: list[Any]) -> Any:
    """A recorded hand that is won by every trick, with claims."""
    return next(log for log in cases_legal if 5 in log["hands"][0]["claims"].get("tricks", []))


# ---------------------------------------------------------------------- of a hand that has not ended


@pytest.mark.parametrize("end", ["stops", "is illegal"])
def test_only_what_is_settled_is_compared(judge: Any, right: Any, end: str) -> None:
    hand = right["hands"][0]
    hand["events"] = hand["events"][:12]  # two tricks: taken by 2 and 0
    if end == "is illegal":
        hand["events"].append({"seat": 2, "do": "pass"})
    word = "incomplete" if end == "stops" else "illegal"
    assert (judge(right).word, told(judge(right))) == (word, [])
    hand["claims"] |= {"tricks": [5, 0, 0, 0], "points": [1, 1, 1, 1], "totals": [9, 9, 9, 9], "active": [False] * 4}
    right["claims"] = {"totals": [9, 9, 9, 9], "winners": [3], "ended": "sweep"}
    assert (judge(right).word, told(judge(right))) == (word, [])
    hand["claims"] |= {"maker": 0, "trump": "S", "contract": "named", "trick_winners": [2, 1, 1, 1, 1]}
    assert told(judge(right)) == [
        ("hands[0].claims.maker", 0, 1),
        ("hands[0].claims.trump", "S", "H"),
        ("hands[0].claims.contract", "named", "ordered"),
        ("hands[0].claims.trick_winners[1]", 1, 0),
    ]


def test_nothing_is_settled_in_the_auction(judge: Any, right: Any) -> None:
    right["hands"][0]["events"] = right["hands"][0]["events"][:1]
    right["hands"][0]["claims"] |= {"maker": 3, "trump": None, "contract": "named"}
    assert told(judge(right)) == []


def test_the_hands_before_an_illegal_event_are_compared(judge: Any, whole_game: Any) -> None:
    whole_game["hands"][0]["claims"]["maker"] = 3 if whole_game["hands"][0]["claims"]["maker"] != 3 else 2
    whole_game["hands"][1]["events"].append({"seat": 0, "do": "pass"})
    whole_game["hands"][2]["claims"]["totals"] = [0, 0, 0, 0]
    verdict = judge(whole_game)
    assert verdict.word == "illegal"
    assert [claim.path for claim in verdict.claims] == ["hands[0].claims.maker"]
