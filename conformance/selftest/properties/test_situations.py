"""The situations are those of the rules, and what is rare does come about in what is drawn."""

from collections import Counter
from random import Random

import pytest

from buckspec import load_profile
from buckspec.rules import Rules
from buckspec.syntax import ExpressionError
from buckspec_conformance.oracle import expected
from buckspec_conformance.properties import PROPERTIES
from buckspec_conformance.random_hands import RARE, game
from buckspec_conformance.rarities import main
from buckspec_conformance.reference_engine import ReferenceEngine
from buckspec_conformance.requesting import request_of
from buckspec_conformance.search import search
from buckspec_conformance.situations import Watch, clauses_met, condition, situations

from .conftest import Asked


def test_every_situation_can_be_told_by_the_usual_rules(rules: Rules) -> None:
    found = situations(rules)
    assert len(found) == 30
    assert len({one.id for one in found}) == len(found)
    assert all(one.means.endswith(".") for one in found)


def test_a_condition_of_the_rule_language_is_checked(rules: Rules) -> None:
    assert condition(rules.book, "maker == none && passes == 2 * seats.size()").type.base == "bool"
    with pytest.raises(ExpressionError):
        condition(rules.book, "makers == none")


def test_they_are_counted_by_hand_and_by_the_rules(rules: Rules) -> None:
    rng = Random(1)
    watch, counted = Watch(rules), Counter[str]()
    for _ in range(60):
        played = game(rng, rules, RARE, 2)
        for steps, events, after in zip(expected(rules, request_of(played)), played.hands, played.after, strict=True):
            watch.hand(steps)
            ids = Counter(event.id for event in events)
            counted["all-pass-twice"] += ids["pass"] == 8
            counted["nobody-drops"] += ids["stay"] == 3
            counted["two-drop"] += ids["drop"] == 2
            counted["sweep-alone"] += ids["drop"] == 3
            counted["automatic"] += after.known("contract") == after.rules.book.domains["Contract"].index["automatic"]
            counted["tie"] += after.known("winners").bit_count() > 1
    assert {name: watch.counts[name] for name in counted} == dict(counted)
    assert watch.hands >= 60


def test_walking_the_rules_finds_the_same(rules: Rules) -> None:
    own = load_profile("ohio")
    walked = Rules(own.book, own.name, own.readings, own.parameters, own.definitions, own.events, is_shipped=False)
    played = game(Random(3), rules, RARE, 2)
    quick, slow = Watch(rules), Watch(walked)
    for hand in expected(rules, request_of(played)):
        quick.hand(hand)
    for hand in expected(walked, request_of(played)):
        slow.hand(hand)
    assert quick.counts == slow.counts


def test_the_clauses_that_have_a_say(rules: Rules) -> None:
    steps = expected(rules, request_of(game(Random(4), rules)))[0]
    assert {"deal.three-two", "deal.next-dealer"} <= clauses_met(steps[0])
    last = clauses_met(steps[-1])
    assert {"play.to-the-table", "play.own-card", "play.take-trick"} <= last
    assert {"score.totals", "game.sweep"} & last
    assert "deal.three-two" not in last


@pytest.mark.slow
def test_everything_rare_comes_about_in_a_standard_search(rules: Rules, asked: Asked) -> None:
    ask, seen = asked(ReferenceEngine()), Counter[str]()
    for one in PROPERTIES:
        found = search(one, rules, ask, 0, one.examples["standard"])
        assert found.failing is None
        seen.update(found.rare)
    assert all(seen[one.id] > 0 for one in situations(rules)), seen


def test_the_counts_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    main(["--level", "smoke", "--seed", "3"])
    said = capsys.readouterr().out
    assert "whole-games: passed" in said
    assert "  The left bower is led." in said
