"""The tables are complete: what the hands come to, counted once more from what the rules say of them, is every row."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations
from random import Random

import pytest

from buckspec import load_profile
from buckspec.observe import observe
from buckspec.rules import Rules
from buckspec.state import State
from buckspec.types import members
from buckspec_conformance.auctions import suits_printed, ways
from buckspec_conformance.case import Case
from buckspec_conformance.exhaustive import counts, exhaustive_cases
from buckspec_conformance.oracle import Expectation, expected
from buckspec_conformance.protocol import prepare
from buckspec_conformance.reference_engine import ReferenceEngine
from buckspec_conformance.requesting import hands_of
from buckspec_conformance.score_table import Finish, Split, finish, finishes, splits
from buckspec_conformance.trick_table import trick_rows
from buckspec_conformance.tricks import (
    Beats,
    Follows,
    Holds,
    Leads,
    Order,
    Row,
    Shape,
    beats_rows,
    follows_rows,
    holds_rows,
    orders,
    patterns,
    settled,
)

from .conftest import Asked


@pytest.fixture(scope="module")
def cases(rules: Rules) -> list[Case]:
    return list(exhaustive_cases(rules))


# ---------------------------------------------------------------------- the order of the cards, by the rule book


def taken(state: State, cards: Sequence[int]) -> int:
    """At which place the trick of these cards is won, by the rule book."""
    rules, leader = state.rules, state.known("leader")
    values = list(state.values)
    offset = rules.slots["table"].offset
    for place, card in enumerate(cards):
        values[offset + (leader + place) % 4] = card
    return (State(rules, tuple(values)).known("best") - leader) % 4


def states(rules: Rules) -> Iterator[tuple[Order, State]]:
    """A state for each trump suit, with all players in the hand."""
    for name, order in orders(rules).items():
        way = next(way for way in ways(rules) if way.trump == name and len(way.active) == 4)
        yield order, settled(rules, way)


def test_two_cards_stand_as_the_rule_book_says(rules: Rules) -> None:
    for order, state in states(rules):
        for pair in permutations(range(24), 2):
            assert order.winner(pair) == taken(state, pair)


def test_tricks_are_won_card_by_card(rules: Rules) -> None:
    """One trick of each pattern for each trump suit, at random, by the rule book."""
    rng = Random(1)
    for order, state in states(rules):
        seen = set()
        for _ in range(900):
            cards = rng.sample(range(24), rng.randint(3, 4))
            pattern = order.pattern(cards)
            if pattern not in seen:
                seen.add(pattern)
                assert order.winner(cards) == taken(state, cards), (order.trump, cards)
        assert len(seen) > 30


@pytest.mark.slow
def test_every_trick_of_three_cards_is_won_card_by_card(rules: Rules) -> None:
    for order, state in states(rules):
        for cards in permutations(range(24), 3):
            assert order.winner(cards) == taken(state, cards), (order.trump, cards)


def test_the_rows_are_every_step_of_every_trick(rules: Rules) -> None:
    """All tricks of up to four cards lead through these rows and no others; so does the pattern of each."""
    for order in orders(rules).values():
        steps, shapes = set(), set()
        for cards in permutations(range(24), 3):
            led = order.suit_of[cards[0]]
            best = cards[order.winner(cards[:2])]
            steps.add(Beats(order.trump, led, cards[0], cards[1]))
            steps.add(Beats(order.trump, led, best, cards[2]))
            shapes.add(order.pattern(cards))
        assert steps == set(beats_rows(order))
        assert shapes == set(patterns(order.trump is not None, 3))


def test_the_patterns_of_four_cards_are_all(rules: Rules) -> None:
    rng = Random(2)
    for order in orders(rules).values():
        seen = {order.pattern(rng.sample(range(24), 4)) for _ in range(30_000)}
        assert seen <= set(patterns(order.trump is not None, 4))
        assert len(seen) > 0.97 * len(patterns(order.trump is not None, 4))


def test_how_many_rows_there_are(rules: Rules) -> None:
    """Counted by hand: with trumps 7, 5, 6 and 6 cards belong to the suits, without 6 to each."""
    known = orders(rules).values()
    printed = printed_suits(rules)
    assert len(known) == 5
    assert sum(len(list(beats_rows(order))) for order in known) == 4 * 45 * 23 + 24 * 23
    assert sum(len(list(follows_rows(order))) for order in known) == 4 * (122 + 2 * 430) + (120 + 2 * 432)
    assert sum(len(list(holds_rows(order, printed, 5))) for order in known) == 4 * 4 * 31 + 4 * 15
    assert [len(patterns(True, size)) for size in (1, 2, 3, 4)] == [2, 7, 30, 155]
    assert [len(patterns(False, size)) for size in (1, 2, 3, 4)] == [1, 3, 11, 49]
    assert sum(isinstance(row, Shape) for row in trick_rows(rules)) == 155 * 4 + 4 * 3 * 30 + 6 * 2 * 7 + 4 * 2 + 4 * 49


def printed_suits(rules: Rules) -> list[int]:
    suits = rules.book.domains["Suit"]
    return [suits.index[name] for name in suits_printed(rules)]


# ---------------------------------------------------------------------- what the hands come to


def rows_of(rules: Rules, by_trump: Mapping[int | None, Order], steps: Sequence[Expectation]) -> Iterator[Row]:
    """The rows of the table in a hand, from the states by the rules and nothing else."""
    trick: list[tuple[int, int]] = []
    refused: set[int] = set()
    printed = printed_suits(rules)
    for step in steps[1:]:
        event, before = step.event, step.before
        if event is None or event.id != "play" or not before.known("settled"):
            continue
        seat, card = event.seat, event.about[0]
        assert seat is not None
        trump = before.known("trump")
        order = by_trump[None if trump < 0 else trump]
        held = members(before.known("hand", seat))
        led = order.suit_of[trick[0][1]] if trick else None
        can = any(order.suit_of[one] == led for one in held)
        if not step.accepted:
            if card in held and led is not None:
                assert {one.clause.id for one in step.violations} == {"play.follow"}
                yield Follows(order.trump, trick[0][1], card, can)
                refused.add(card)
            continue
        if led is None:
            yield Leads(order.trump, card)
        else:
            yield Follows(order.trump, trick[0][1], card, can)
            yield Beats(order.trump, led, trick[order.winner([one for _, one in trick])][1], card)
            if refused == ({one for one in held if order.suit_of[one] != led} if can else set()):
                yield Holds(order.trump, led, frozenset(order.group(one, printed) for one in held))
        trick.append((seat, card))
        refused = set()
        if len(trick) == before.known("active").bit_count():
            played = [one for _, one in trick]
            winners: list[int] = observe(step.state)["trick_winners"]  # type: ignore[assignment]
            assert winners[-1] == trick[order.winner(played)][0], "the rules say who took it"
            yield Shape(order.trump is not None, tuple(one for one, _ in trick), order.pattern(played))
            trick = []


def test_the_hands_go_through_every_row(rules: Rules, cases: list[Case]) -> None:
    by_trump = {order.trump: order for order in orders(rules).values()}
    found: set[Row] = set()
    for case in cases:
        if "tricks" in case.tags:
            (steps,) = expected(rules, case.request)
            assert steps[0].accepted
            assert not steps[-1].state.known("dealt"), "whole hands"
            found |= set(rows_of(rules, by_trump, steps))
    missing = set(trick_rows(rules)) - found
    assert not missing
    assert found == set(trick_rows(rules)), "and there is no other row"


def test_what_is_not_held_is_tried_from_everywhere(cases: list[Case], rules: Rules) -> None:
    tried = 0
    for case in cases:
        if "tricks" in case.tags and "elsewhere" in case.why:
            (steps,) = expected(rules, case.request)
            broken = [{one.clause.id for one in step.violations} for step in steps if not step.accepted]
            tried += sum(one == {"play.own-card"} for one in broken)
    assert tried == 12


def test_the_hands_are_split_in_every_way(rules: Rules, cases: list[Case]) -> None:
    found: dict[Split, int] = {}
    ends: set[Finish] = set()
    worth: dict[Split, tuple[int, ...]] = {}
    for case in cases:
        if "scoring" not in case.tags:
            continue
        (steps,) = expected(rules, case.request)
        assert all(step.accepted for step in steps)
        last = steps[-1].state
        seen = observe(last)
        split = Split(
            str(seen["contract"]),
            seen["maker"],  # type: ignore[arg-type]
            frozenset(members(last.known("active"))),
            tuple(seen["tricks"]),  # type: ignore[arg-type]
        )
        found[split] = found.get(split, 0) + 1
        if last.known("swept") < 0:
            totals: list[int] = seen["totals"]  # type: ignore[assignment]
            ends.add(finish(totals, last.known("dealer")))
            worth[split] = tuple(seen["points"])  # type: ignore[arg-type]
    assert set(found) == set(splits(rules))
    assert len(found) == 2 * 4 * (56 + 3 * 21 + 3 * 6 + 1) + 2 * 56
    possible = {end for points in set(worth.values()) for dealer in range(4) for _, end in finishes(points, dealer)}
    assert ends == possible, "every way in which totals can stand after a hand"


def test_the_finishes_have_what_matters(rules: Rules, cases: list[Case]) -> None:
    wins = set()
    sweeps = set()
    for case in cases:
        if "scoring" in case.tags:
            (steps,) = expected(rules, case.request)
            seen = observe(steps[-1].state)
            wins.add(len(seen["winners"]))  # type: ignore[arg-type]
            if seen["ended"] == "sweep":
                by = seen["winners"][0]  # type: ignore[index]
                sweeps.add("nobody makes" if seen["maker"] is None else "maker" if by == seen["maker"] else "defender")
                assert hands_of(case.request)
                assert case.request["start"] == {"totals": [1, 1, 1, 1]}
    assert wins >= {0, 1, 2}
    assert sweeps == {"nobody makes", "maker", "defender"}


def test_the_cases_are_cases(rules: Rules, cases: list[Case]) -> None:
    assert len({case.id for case in cases}) == len(cases)
    assert all(case.layer == "table" and case.clauses and case.why for case in cases)
    assert {clause for case in cases for clause in case.clauses} <= set(rules.book.clauses())
    for case in cases[::40]:
        prepare(case.request)


def test_the_cases_are_the_same_each_time(rules: Rules, cases: list[Case]) -> None:
    again = exhaustive_cases(rules)
    for case in cases[:60]:
        assert next(again) == case


def test_the_reference_plays_them(cases: list[Case], asked: Asked) -> None:
    ask = asked(ReferenceEngine())
    for case in cases[::25]:
        assert ask(case).outcome == "passed"


@pytest.mark.slow
def test_the_reference_plays_all_of_them(cases: list[Case], asked: Asked) -> None:
    ask = asked(ReferenceEngine())
    assert {ask(case).outcome for case in cases} == {"passed"}


@pytest.mark.slow
def test_other_readings_have_their_own_tables(rules: Rules) -> None:
    for question in rules.book.questions.values():
        for reading in question.readings:
            if reading != rules.readings[question.id]:
                other = load_profile("ohio", {}, {question.id: reading})
                assert len(list(exhaustive_cases(other))) > 1500


@pytest.mark.slow
def test_the_counts_are_told(rules: Rules) -> None:
    told = dict(counts(rules))
    assert sorted(told.values(), reverse=True)[2:6] == [4912, 4692, 1290, 1268]
