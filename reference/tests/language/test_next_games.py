"""Games that are not in the rule book yet, in `later/`: the language carries them as it is.

Each is loaded and checked like any rule book, and random hands of it are played to the end by the interpreter.
"""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from buckspec import interpret
from buckspec.evaluate import Evaluator
from buckspec.load import load_profile
from buckspec.rules import Rules
from buckspec.state import Event, Refused, State

LATER = Path(__file__).with_name("later")
MOST = 1500  # events of a game


def three_players(**choices: dict[str, str] | dict[str, int]) -> Rules:
    """Rules of a folder of one's own, most of whose chapters are those of the shipped rule book."""
    return load_profile(str(LATER / "three-players"), **choices)  # type: ignore[arg-type]


def standing_alone(name: str, **choices: dict[str, str] | dict[str, int]) -> Rules:
    """Rules of a rule book of its own."""
    return load_profile(name, spec=LATER / name, **choices)  # type: ignore[arg-type]


def played(rules: Rules, seed: int) -> Iterator[tuple[State, Event]]:
    """A random game, hand after hand until somebody has won: each event, and the state before it."""
    dice = random.Random(seed)  # noqa: S311
    state = interpret.start(rules, {"next_dealer": dice.randrange(rules.seats.size)})
    for _ in range(MOST):
        for id_, invariant in rules.book.invariants.items():
            if invariant.clause.under.holds(rules.readings):
                assert holds(state.evaluator, invariant.when) <= holds(state.evaluator, invariant.that), id_
        events = interpret.legal(state)
        if not events and not any(rule.by_chance for rule in interpret.current_events(state)):
            return
        event = dice.choice(events) if events else dealt(rules, dice)
        yield state, event
        outcome = interpret.apply(state, event)
        assert isinstance(outcome, State)
        state = outcome
    raise AssertionError("the game does not end")


def holds(evaluator: Evaluator, term: object) -> bool:
    return evaluator.holds(term, {}) is True  # type: ignore[arg-type]


def dealt(rules: Rules, dice: random.Random) -> Event:
    return Event("deal", None, tuple(dice.sample(range(rules.pack.size), rules.pack.size)))


def members(rules: Rules, domain: str, mask: int) -> list[str]:
    return [value.code for index, value in enumerate(rules.book.domains[domain].values) if mask >> index & 1]


# Three players: another number of seats, a hand that nobody sees, and one more requirement


@pytest.mark.parametrize("seed", range(2))
def test_three_players_play_to_the_end(seed: int) -> None:
    rules = three_players(parameters={"start_total": 4, "near_zero": 2})
    kinds = {event.id for _, event in played(rules, seed)}
    assert rules.seats.size == 3
    assert {"deal", "play", "stay"} <= kinds


def test_the_fourth_hand_is_dealt_and_seen_by_nobody() -> None:
    rules = three_players()
    state = interpret.apply(interpret.start(rules, {"next_dealer": 0}), dealt(rules, random.Random(1)))  # noqa: S311
    assert isinstance(state, State)
    assert len(members(rules, "Card", state.known("hidden"))) == 5
    assert len(members(rules, "Card", state.known("stock"))) == 24 - 4 * 5 - 1
    assert all("hidden" not in interpret.view(state, seat) for seat in range(3))


def test_near_zero_nobody_drops() -> None:
    """A clause that a chapter adds to an event of another one."""
    for start_total, may_drop in ((5, False), (6, True)):
        rules = three_players(parameters={"start_total": start_total})
        before = next(state for seed in range(9) for state, event in played(rules, seed) if event.id == "stay")
        (seat,) = interpret.to_act(before)
        assert any(event.id == "drop" for event in interpret.legal(before)) is may_drop
        outcome = interpret.apply(before, Event("drop", seat))
        if not may_drop:
            assert isinstance(outcome, Refused)
            (violation,) = outcome.violations
            assert (violation.clause.id, dict(violation.found)) == ("near-zero.no-drop", {f"totals({seat})": 5})


# Dirty Clubs: bids by number, and a card exchanged


@pytest.mark.parametrize("exchange", ["before-decisions", "after-decisions"])
@pytest.mark.parametrize("all_pass", ["dealer-stuck", "thrown-in"])
def test_dirty_clubs_is_played_to_the_end(exchange: str, all_pass: str) -> None:
    rules = standing_alone(
        "dirty-clubs", readings={"exchange": exchange, "all-pass": all_pass}, parameters={"start_total": 4}
    )
    kinds = {event.id for seed in range(2) for _, event in played(rules, seed)}
    assert kinds >= {"deal", "bid", "pass", "name", "exchange", "play"}


def test_a_bid_lies_between_two_parameters_and_is_higher_than_the_last() -> None:
    rules = standing_alone("dirty-clubs", parameters={"minimum_bid": 3})
    state = interpret.apply(interpret.start(rules, {"next_dealer": 3}), dealt(rules, random.Random(1)))  # noqa: S311
    assert isinstance(state, State)
    bids = [event.about for event in interpret.legal(state) if event.id == "bid"]
    assert bids == [(3,), (4,), (5,)]
    state = interpret.apply(state, Event("bid", 0, (4,)))
    assert isinstance(state, State)
    refused = interpret.apply(state, Event("bid", 1, (4,)))
    assert isinstance(refused, Refused)
    assert [(found.clause.id, found.found) for found in refused.violations] == [
        ("bids.higher", (("number", 4), ("high_bid", 4)))
    ]


def test_the_dealer_must_bid_when_nobody_has() -> None:
    rules = standing_alone("dirty-clubs")
    state = interpret.apply(interpret.start(rules, {"next_dealer": 3}), dealt(rules, random.Random(1)))  # noqa: S311
    for seat in range(3):
        assert isinstance(state, State)
        state = interpret.apply(state, Event("pass", seat))
    assert isinstance(state, State)
    assert {event.id for event in interpret.legal(state)} == {"bid"}


# Partners: sides, lone hands and a joker


@pytest.mark.parametrize("reading", ["four", "two"])
def test_partners_play_to_the_end(reading: str) -> None:
    rules = standing_alone("partners", readings={"lone-march": reading}, parameters={"target": 4})
    *_, (last, _) = played(rules, 0)
    assert rules.pack.size == 33
    assert max(last.known("totals", side) for side in range(2)) < 4


def test_the_partner_of_a_lone_maker_sits_out_and_the_trick_counts_for_the_side() -> None:
    rules = standing_alone("partners", parameters={"target": 6})
    lone = [(state, event) for seed in range(2) for state, event in played(rules, seed) if state.known("lone")]
    sides = rules.book.tables["side"]
    assert lone
    for state, event in lone:
        maker = state.known("maker")
        if maker >= 0 and event.id == "play":
            assert event.seat != (maker + 2) % 4
            assert sides[maker] == sides[(maker + 2) % 4]
    assert max(state.known("taken", side) for state, _ in lone for side in range(2)) >= 3


def test_the_joker_has_no_suit_and_is_the_highest_trump() -> None:
    rules = standing_alone("partners")
    joker = rules.pack.index["joker"]
    assert rules.pack.values[joker].code == "JK"
    state = next(state for state, event in played(rules, 0) if event.id == "play")
    assert state.known("suit_of", joker) == state.known("trump")
    assert rules.book.tables["height"][rules.book.domains["Rank"].index["joker"]] == 1


def test_what_an_event_is_about_can_be_a_truth_value() -> None:
    rules = standing_alone("partners")
    state = interpret.apply(interpret.start(rules, {"next_dealer": 3}), dealt(rules, random.Random(1)))  # noqa: S311
    assert isinstance(state, State)
    assert interpret.legal(state) == (Event("pass", 0), Event("order", 0, (0,)), Event("order", 0, (1,)))
