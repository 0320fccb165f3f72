"""Hands in which something happens: each is played by the interpreter, and what cannot happen is shown to be so."""

from itertools import product
from random import Random

import msgspec
import pytest

from buckspec import interpret, load_profile
from buckspec.formats.game_log import GameLog
from buckspec.play import legal
from buckspec.problem import SpecError
from buckspec.replay import opening, replay
from buckspec.rules import Rules, choose
from buckspec.state import State
from buckspec.verdict import INCOMPLETE, LEGAL, Source
from buckspec_conformance.logs import log_of
from buckspec_conformance.possible.find import Answer, find
from buckspec_conformance.possible.hand import Hand, granted, just_after
from buckspec_conformance.possible.start import Start
from buckspec_conformance.possible.wish import holds, moments, wish
from buckspec_conformance.random_hands import pack

DEALER_THREE = Start(dealer=3)


@pytest.fixture(scope="module")
def ohio() -> Rules:
    return load_profile("ohio")


def sought(rules: Rules, text: str, at: str = "end", dealt: str | None = None, **how: object) -> Answer:
    return find(rules, wish(rules, text, at, dealt), DEALER_THREE, **{"tries": 200, **how})  # type: ignore[arg-type]


def verdict_on(hand: Hand) -> str:
    rules = hand.before.rules
    log = msgspec.convert(log_of(hand.game(), rules.name, {}), GameLog)
    return replay(log, rules, Source("a hand")).word


@pytest.mark.parametrize(
    ("text", "at", "dealt"),
    [
        ("tricks(0) == 1 && tricks(1) == 2 && maker == 0", "end", None),
        ("passes == 8", "any", None),
        ("last_winner == 2", "play", None),
        ("table(0) == JH", "any", "JH in hand(0) && upcard == 9C"),
        ("0 in dropped && [1, 2] == dropped.remove(0)", "end", None),
    ],
)
def test_a_hand_that_is_found_is_legal_and_the_condition_holds_in_it(
    ohio: Rules, text: str, at: str, dealt: str | None
) -> None:
    answer = sought(ohio, text, at, dealt)
    (hand,) = answer.hands
    asked = wish(ohio, text, at, dealt)
    assert holds(next(just_after(hand.before, hand.events[0], "deal")), asked.dealt)
    if at != "play":
        assert holds(hand.after[-1], asked.parts)
    assert hand.before.known("next_dealer") == 3


@pytest.mark.parametrize(
    ("text", "at", "parts", "invariant"),
    [
        ("maker == 0 && tricks(0) == 3 && tricks(1) == 3", "end", ["tricks(0) == 3", "tricks(1) == 3"], "keep.tricks"),
        ("maker == 0 && 0 in dropped", "any", ["maker == 0", "0 in dropped"], "keep.no-maker-no-drop"),
        ("totals(0) == 10", "end", ["totals(0) == 10"], "keep.points"),
        ("dealt && 1 == 2", "end", ["1 == 2"], None),
    ],
)
def test_what_cannot_happen_is_told_with_the_parts_and_the_invariant_that_are_to_blame(
    ohio: Rules, text: str, at: str, parts: list[str], invariant: str | None
) -> None:
    answer = sought(ohio, text, at)
    assert (answer.hands, answer.undecided) == ((), "")
    assert answer.because is not None
    assert [part.text for part in answer.because.parts] == parts
    assert invariant is None or invariant in answer.because.invariants


def test_the_search_of_all_beginnings_finds_what_can_be_said_in_an_auction_and_nothing_else(ohio: Rules) -> None:
    """It is compared with an interpreter that says everything that can be said over some packs."""
    said = spoken(ohio)
    for passes, maker in product((0, 3, 5), range(2)):
        text = f"passes == {passes} && maker == {maker}"
        answer = sought(ohio, text, "any", tries=0)
        assert not answer.undecided, text
        assert bool(answer.hands) is ((passes, maker) in said), text
        for hand in answer.hands:
            assert hand.after[-1].known("maker") == maker
            assert len([event for event in hand.events if event.id == "pass"]) == passes
            assert answer.is_simplest


def spoken(rules: Rules) -> set[tuple[int, int]]:
    """How often was passed before whom, as the interpreter says it, became maker."""
    found: set[tuple[int, int]] = set()
    for seed in range(4):
        before = opening(rules, 3, None)
        state = interpret.apply(before, pack(Random(seed), before))
        left = [state] if isinstance(state, State) else []
        while left:
            state = left.pop()
            maker = state.known("maker")
            if maker >= 0:
                found.add((state.known("passes"), maker))
                continue
            acts = [event for event in legal(state) if event.id in ("pass", "order", "name")]
            left += [after for event in acts if isinstance(after := interpret.apply(state, event), State)]
    return found


@pytest.mark.parametrize("dealer", range(4))
def test_what_is_wished_of_the_deal_may_be_about_what_is_left_open(ohio: Rules, dealer: int) -> None:
    asked = wish(ohio, "maker == 1", "any", f"dealer == {dealer} && JH in hand(1)")
    (hand,) = find(ohio, asked, Start(), tries=200).hands
    assert hand.after[-1].known("dealer") == dealer


def test_several_hands_differ_and_the_shortest_comes_first(ohio: Rules) -> None:
    answer = sought(ohio, "maker == 0", "any", count=3)
    assert len({hand.key() for hand in answer.hands}) == 3
    sizes = [hand.size for hand in answer.hands]
    assert sizes == sorted(sizes)
    assert sizes[0] == 1
    assert answer.is_simplest


def test_with_all_readings_open_a_hand_may_be_one_under_another_reading(ohio: Rules) -> None:
    assert sought(ohio, "totals(0) == 0 && opened_at(0) == 3 && worth(0) < -3", every_reading=False).because is not None
    start = Start(dealer=3, totals=(3, 25, 25, 25))
    asked = wish(ohio, "totals(0) == 0 && worth(0) < -3")
    (hand,) = find(ohio, asked, start, every_reading=True, tries=500).hands
    assert hand.before.rules.readings["below-zero"] == "cut"
    for question in {name for name, one in hand.before.rules.readings.items() if ohio.readings[name] != one}:
        readings = {**hand.before.rules.readings, question: ohio.readings[question]}
        try:
            rules = choose(ohio.book, "ohio", {}, readings, is_shipped=True)
        except SpecError:  # it does not go with the others
            continue
        again = granted(State(rules, hand.before.values), hand.events, asked)
        assert again is None or again.size != hand.size, f"{question} does not matter: it is that of the profile"


def test_the_same_question_has_the_same_answer(ohio: Rules) -> None:
    once, again = (sought(ohio, "swept == 2").hands[0].key() for _ in range(2))
    assert once == again


def test_a_search_that_takes_too_long_is_undecided_and_no_proof(ohio: Rules) -> None:
    answer = sought(ohio, "tricks(0) == 1 && tricks(1) == 2", tries=0, timeout=0.01)
    assert answer == Answer(undecided="the time is up")


def test_a_condition_is_refused_at_its_place_and_a_moment_that_is_none_too(ohio: Rules) -> None:
    with pytest.raises(SpecError, match="the condition:1:8: there is no such Seat; found 4; expected 0 to 3"):
        wish(ohio, "tricks(4) == 1")
    with pytest.raises(LookupError):
        wish(ohio, "dealt", "dinner")
    assert {"end", "any", "play"} <= set(moments(ohio))


def test_words_of_verdicts(ohio: Rules) -> None:
    assert verdict_on(sought(ohio, "maker == 0").hands[0]) == LEGAL
    assert verdict_on(sought(ohio, "maker == 0", "any").hands[0]) == INCOMPLETE
