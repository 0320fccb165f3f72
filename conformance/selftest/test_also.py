"""An engine may play forced cards by itself, if it says so and nothing else could be done."""

import random
from collections.abc import Mapping
from typing import Any

from buckspec import Refused, apply, deal, from_log, legal, load_profile, start
from buckspec.observe import observe
from buckspec.words import to_log
from buckspec_conformance.compare import compare
from buckspec_conformance.oracle import expected
from buckspec_conformance.protocol import response_from_value

RULES = load_profile("ohio")
FIELDS = ("turn", "legal", "tricks", "totals", "winners", "hands", "table")


def shown(state: Any) -> dict[str, Any]:
    seen = observe(state)
    choices = legal(state)
    seats = {event.seat for event in choices}
    turn = seats.pop() if len(seats) == 1 else None
    return {**{name: seen[name] for name in FIELDS[2:]}, "turn": turn, "legal": [to_log(RULES, one) for one in choices]}


def a_request() -> dict[str, Any]:
    """A hand with automatic clubs, played to its end."""
    rng = random.Random(4)
    pack = [card.code for card in RULES.pack.values]
    rng.shuffle(pack)
    club = next(card for card in pack if card.endswith("C"))
    pack.remove(club)
    pack.insert(20, club)
    state = deal(start(RULES, {"next_dealer": 3}), pack)
    events = []
    while choices := legal(state):  # type: ignore[arg-type]
        events.append(to_log(RULES, rng.choice(choices)))
        state = apply(state, from_log(RULES, events[-1]))  # type: ignore[arg-type]
    return {"hands": [{"dealer": 3, "deck": pack, "events": events}]}


def answer(request: Mapping[str, Any], lie: bool = False) -> Any:
    """What an engine answers that plays every forced card as soon as it can."""
    hand = request["hands"][0]
    state: Any = deal(start(RULES, {"next_dealer": 3}), hand["deck"])
    made: list[Any] = []
    steps = [{**shown(state)}]
    for logged in hand["events"]:
        if made and made[0] == logged:
            made.pop(0)
            steps.append({"accepted": True, **shown(state)})
            continue
        state = apply(state, from_log(RULES, logged))
        assert not isinstance(state, Refused)
        also = []
        while len(legal(state)) == 1 or (lie and not also):
            also.append(to_log(RULES, legal(state)[0]))
            state = apply(state, legal(state)[0])
        made += also
        if lie:
            steps += [{"accepted": True, "also": also, **shown(state)}] * len(hand["events"])
            break
        steps.append({"accepted": True, **({"also": also} if also else {}), **shown(state)})
    return response_from_value({"id": 1, "hands": [{"steps": steps[: len(hand["events"]) + 1]}]}, "play")


def test_forced_cards_that_an_engine_plays_by_itself_are_right() -> None:
    request = a_request()
    told = answer(request)
    assert any(step.also for step in told.hands[0].steps if step.also), "the hand has no forced card"
    found = compare(expected(RULES, request), told, FIELDS, frozenset(FIELDS))
    assert found.difference is None


def test_a_card_that_was_not_forced_is_a_difference() -> None:
    request = a_request()
    found = compare(expected(RULES, request), answer(request, lie=True), FIELDS, frozenset(FIELDS))
    assert found.difference is not None
    assert found.difference.field == "also"
