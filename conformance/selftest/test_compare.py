"""A hand that must not begin, or that is not begun, is a difference like any other."""

from typing import Any

from buckspec import load_profile
from buckspec_conformance.blame import blame_all
from buckspec_conformance.compare import compare
from buckspec_conformance.oracle import expected
from buckspec_conformance.protocol import response_from_value

RULES = load_profile("ohio")
HAND = {"dealer": 0, "deck": [card.code for card in RULES.pack.values], "events": []}
FIELDS = ("turn", "totals")
DEALT = {"turn": 1, "totals": [25, 25, 25, 25]}


def difference(request: dict[str, Any], steps: list[dict[str, Any]]) -> Any:
    answer = response_from_value({"id": 1, "hands": [{"steps": steps}]}, "play")
    return compare(expected(RULES, request), answer, FIELDS, frozenset(FIELDS)).difference


def test_a_hand_that_the_engine_does_not_begin_is_told() -> None:
    found = difference({"hands": [HAND]}, [{"accepted": False, "reason": "no"}])
    assert (found.field, found.expected, found.actual) == ("accepted", True, False)
    assert blame_all([found])[0].clauses, "somebody has to be blamed"


def test_a_hand_that_is_dealt_after_the_game_is_told_and_the_end_of_the_game_blamed() -> None:
    over = {"start": {"totals": [0, 25, 25, 25]}, "hands": [HAND]}
    found = difference(over, [{**DEALT, "totals": [0, 25, 25, 25]}])
    assert (found.field, found.expected) == ("accepted", False)
    assert blame_all([found])[0].clauses[0] == "flow.over"


def test_a_hand_refused_after_the_game_is_right() -> None:
    over = {"start": {"totals": [0, 25, 25, 25]}, "hands": [HAND]}
    assert difference(over, [{"accepted": False, "reason": "it is over"}]) is None
