"""What the strategies draw is what they say, and it shrinks to what is small."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, find, given, settings
from hypothesis import strategies as st

from buckspec import interpret, load_profile
from buckspec.play import legal
from buckspec.rules import Rules
from buckspec.state import Refused
from buckspec.words import to_log, words_of
from buckspec_conformance import strategies as drawn
from buckspec_conformance.near_legal import near_legal
from buckspec_conformance.oracle import expected
from buckspec_conformance.protocol import prepare
from buckspec_conformance.random_hands import Game
from buckspec_conformance.requesting import hands_of, request_of

RULES = load_profile("ohio")
SOME = settings(
    max_examples=25, deadline=None, database=None, derandomize=True, suppress_health_check=list(HealthCheck)
)
SMALL = settings(
    SOME, max_examples=2000, phases=[Phase.generate, Phase.shrink]
)  # fmt: skip


@SOME
@given(drawn.games(RULES, most_hands=2))
def test_games_are_legal_as_the_rules_are_written(game: Game) -> None:
    state = game.before
    for events, after in zip(game.hands, game.after, strict=True):
        for event in events:
            found = interpret.apply(state, event)
            assert not isinstance(found, Refused)
            state = found
        assert state == after
        assert not legal(state)


@SOME
@given(drawn.almost_legal_games(RULES))
def test_one_event_of_an_almost_legal_game_is_not(found: drawn.AlmostLegal) -> None:
    steps = expected(RULES, found.request)
    refused = [(at, step) for at, hand in enumerate(steps) for step, one in enumerate(hand) if not one.accepted]
    assert refused == [(found.hand, found.at)]
    step = steps[found.hand][found.at]
    assert step.logged == found.event
    assert step.state == step.before


@SOME
@given(drawn.requests(RULES))
def test_requests_are_of_the_protocol(request: dict[str, Any]) -> None:
    prepare(request)
    assert all(hand[0].accepted for hand in expected(RULES, request))


@SOME
@given(drawn.packs(RULES, up=["QH", "9D"]), drawn.cards(RULES), drawn.deals(RULES))
def test_packs_hold_each_card_once(pack: tuple[str, ...], card: str, dealt: Game) -> None:
    assert sorted(pack) == sorted(RULES.pack.by_code)
    assert pack[20] in ("QH", "9D")
    assert card in RULES.pack.by_code
    assert dealt.after[0].known("dealt")
    assert hands_of(request_of(dealt))[0]["events"] == []


@SOME
@given(drawn.hands(RULES, near=True, up=["AC"]), drawn.hands(RULES, near=False))
def test_hands_begin_as_asked(near: Game, far: Game) -> None:
    assert hands_of(request_of(near))[0]["upcard"] == "AC"
    assert all(1 <= near.before.known("totals", seat) <= 6 for seat in range(4))
    assert len(far.hands) == 1


@pytest.mark.parametrize(
    "chosen", [{"decisions": "any-order"}, {"all-pass": "deal-passes"}, {"all-drop": "unplayed-scores"}]
)
def test_they_follow_any_readings(chosen: dict[str, str]) -> None:
    rules = load_profile("ohio", {}, chosen)

    @SOME
    @given(drawn.almost_legal_games(rules))
    def check(found: drawn.AlmostLegal) -> None:
        assert not expected(rules, found.request)[found.hand][found.at].accepted

    check()


# ---------------------------------------------------------------------- near-legal events


@SOME
@given(drawn.hands(RULES))
def test_near_legal_is_never_legal(game: Game) -> None:
    for state in list(drawn.states(game, 0))[::6]:
        near, allowed = near_legal(state), [to_log(RULES, event) for event in legal(state)]
        assert near
        assert not [event for event in near if event in allowed]
        for seat, do in {(event["seat"], event["do"]) for event in allowed if "card" in event}:
            same = [event for event in near if (event["seat"], event["do"]) == (seat, do)]
            held = [event for event in allowed if (event["seat"], event["do"]) == (seat, do)]
            assert len(same) + len(held) == 24, "every other card by the one whose turn it is"


def test_after_the_end_one_of_each_kind_is_near() -> None:
    game = find(drawn.hands(RULES), lambda _: True, settings=SMALL)
    near = near_legal(game.after[-1])
    kinds = {(event.id, event.seat) for event in words_of(RULES).events.values()}
    assert len(near) == len(kinds)


# ---------------------------------------------------------------------- shrinking


def smallest(rules: Rules, condition: Callable[[Game], bool], hands: int = 2) -> Game:
    return find(drawn.games(rules, most_hands=hands), condition, settings=SMALL)


def test_the_smallest_game_is_a_pack_in_order_and_a_short_hand() -> None:
    game = smallest(RULES, lambda _: True)
    assert game.hands[0][0].about == tuple(range(24))
    assert len(game.hands) == 1
    assert [event.id for event in game.hands[0][1:]] == ["order", "discard", *["drop"] * 3, *["play"] * 5]
    assert len(repr(game)) < 1500, "what Hypothesis shows can be read"


def test_the_smallest_game_in_which_two_stay_has_nothing_else() -> None:
    game = smallest(RULES, lambda game: sum(event.id == "stay" for event in game.hands[0]) == 2)
    assert len(game.hands) == 1
    assert [event.id for event in game.hands[0]][1:3] == ["order", "discard"]
    assert sum(one > other for one, other in zip(game.hands[0][0].about, range(24), strict=True)) < 4


def test_a_tape_beyond_its_end_is_the_first_choice() -> None:
    tape = drawn.Tape(bytes([255, 128]))
    assert [tape.below(4), tape.below(1), tape.below(4), tape.below(4)] == [3, 0, 2, 0]
    assert find(st.just(tape), lambda _: True, settings=SMALL) is tape
