"""Requests tell the deal in both ways, and the logs made from them are judged by `buckspec replay`."""

from random import Random

import pytest

from buckspec import Source, Verdict, load_profile, replay
from buckspec.formats.game_log import from_value
from buckspec.rules import Rules
from buckspec_conformance.forms import PLAY
from buckspec_conformance.oracle import expected
from buckspec_conformance.protocol import prepare
from buckspec_conformance.random_hands import RARE, game
from buckspec_conformance.requesting import (
    Hand,
    asked_hands,
    hands_of,
    log_of,
    play_request,
    remade,
    request_of,
    state_before,
)


def judged(rules: Rules, log: dict[str, object]) -> Verdict:
    return replay(from_value(log), rules, Source("request"))


@pytest.mark.parametrize("chosen", [{}, {"batches": "two-three"}])
def test_the_deal_is_told_as_it_is(chosen: dict[str, str]) -> None:
    rules = load_profile("ohio", {}, chosen)
    rng = Random(1)
    for _ in range(10):
        request = request_of(game(rng, rules, RARE, 3))
        prepare(request)
        for hand, steps in zip(hands_of(request), expected(rules, request), strict=True):
            seen = steps[0].fields["hands"]
            taken = [{card for card in held if card != hand["upcard"]} for held in seen]  # type: ignore[attr-defined]
            assert [set(held) - {hand["upcard"]} for held in hand["dealt"]] == taken
    assert request["readings"] == chosen


def test_a_request_says_what_is_not_as_in_the_profile() -> None:
    rules = load_profile("ohio", {"promise": 4}, {"sweep": "maker"})
    request = request_of(game(Random(2), rules))
    assert (request["op"], request["profile"]) == (PLAY, "ohio")
    assert (request["parameters"], request["readings"]) == ({"promise": 4}, {"sweep": "maker"})


def test_totals_are_told_where_they_are_not_the_usual_ones(rules: Rules) -> None:
    told = {bool("start" in request_of(game(Random(seed), rules, RARE))) for seed in range(12)}
    assert told == {True, False}


def test_a_request_taken_apart_is_the_same_again(rules: Rules) -> None:
    request = request_of(game(Random(3), rules, RARE, 3))
    assert remade(rules, request, asked_hands(request)) == request
    assert state_before(rules, request, 0).known("next_dealer") == hands_of(request)[0]["dealer"]


def test_a_log_is_judged_by_the_replay(rules: Rules) -> None:
    for seed in range(8):
        request = request_of(game(Random(seed), rules, RARE, 2))
        assert judged(rules, log_of(rules, request)).word == "legal"


def test_what_is_refused_is_left_out_but_for_the_last(rules: Rules) -> None:
    request = request_of(game(Random(5), rules))
    hand = asked_hands(request)[0]
    wrong = {"seat": 0, "do": "play", "card": hand.deck[-1]}
    asked = remade(rules, request, [Hand(hand.deck, (wrong, *hand.events[:2], wrong))])
    whole = log_of(rules, asked)
    assert judged(rules, whole).word == "incomplete"
    assert len(whole["hands"][0]["events"]) == 2  # type: ignore[index]
    ended = log_of(rules, asked, 0, 4)
    assert ended["hands"][0]["events"][-1] == wrong  # type: ignore[index]
    assert judged(rules, ended).word == "illegal"


def test_what_an_engine_says_is_a_claim(rules: Rules) -> None:
    request = request_of(game(Random(6), rules))
    log = log_of(rules, request, claim=("totals", [7, 7, 7, 7]))
    found = judged(rules, log)
    assert found.word == "claims-differ"
    assert {claim.path for claim in found.claims} <= {f"hands[0].claims.totals[{seat}]" for seat in range(4)}


def test_hands_that_cannot_begin_are_in_no_log(rules: Rules) -> None:
    hand = asked_hands(request_of(game(Random(7), rules)))[0]
    request = play_request(rules, 1, [Hand(hand.deck, hand.events[:1]), hand])
    assert len(log_of(rules, request)["hands"]) == 1  # type: ignore[arg-type]
