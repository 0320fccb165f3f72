"""Random hands are legal by the interpreter, come again from the same seed, and the biased ones are what is rare."""

from collections import Counter
from random import Random

import pytest

from buckspec import interpret, load_profile
from buckspec.rules import Rules
from buckspec.state import Refused
from buckspec_conformance.random_hands import RARE, UNIFORM, Game, Style, attempt, deals, game, hand, readings


@pytest.fixture(scope="module")
def rules() -> Rules:
    return load_profile("ohio")


def games(rules: Rules, style: Style, count: int) -> list[Game]:
    rng = Random(1)
    return [game(rng, rules, style) for _ in range(count)]


@pytest.mark.parametrize("style", [UNIFORM, RARE])
def test_they_are_legal_as_the_rules_are_written(rules: Rules, style: Style) -> None:
    for one in games(rules, style, 15):
        state = one.before
        for event in one.hands[0]:
            after = interpret.apply(state, event)
            assert not isinstance(after, Refused)
            state = after
        assert state == one.after[0]
        assert not interpret.legal(state)


def test_the_same_seed_gives_the_same_games(rules: Rules) -> None:
    assert games(rules, RARE, 20) == games(rules, RARE, 20)


def test_a_game_ends_where_it_is_over_or_cut_off(rules: Rules) -> None:
    for seed in range(20):
        one = game(Random(seed), rules, RARE, 4)
        assert len(one.hands) == len(one.after)
        assert len(one.hands) == 4 or not deals(one.after[-1])
    with pytest.raises(ValueError, match="no hand"):
        hand(Random(1), interpret.apply(one.before, one.hands[0][0]))  # type: ignore[arg-type]


def test_the_biased_ones_are_what_is_rare(rules: Rules) -> None:
    seen: Counter[str] = Counter()
    for one in games(rules, RARE, 400):
        ids = Counter(event.id for event in one.hands[0])
        after = one.after[0]
        seen["everybody passes twice"] += ids["pass"] == 8
        seen["everybody drops"] += ids["drop"] == 3
        seen["nobody drops"] += ids["stay"] == 3
        seen["a sweep against others"] += after.known("swept") >= 0 and after.known("active").bit_count() > 1
        seen["a win at zero"] += after.known("swept") < 0 and after.known("winners") > 0
        seen["a shared win"] += after.known("winners").bit_count() > 1
    assert len(seen) == 6
    assert all(count >= 4 for count in seen.values()), seen


def test_attempts_are_legal_and_not(rules: Rules) -> None:
    rng = Random(1)
    state = game(rng, rules).before
    state = interpret.apply(state, game(rng, rules).hands[0][0])  # type: ignore[assignment]
    outcomes = Counter(bool(interpret.broken(state, attempt(rng, state))) for _ in range(200))
    assert min(outcomes[True], outcomes[False]) > 20


def test_readings_never_exclude_each_other(rules: Rules) -> None:
    rng = Random(1)
    for _ in range(300):
        chosen = readings(rng, rules.book, usual=0.2)
        assert not any(exclusion.under.holds(chosen) for exclusion in rules.book.exclusions)
    assert readings(rng, rules.book, usual=1) == rules.book.readings
