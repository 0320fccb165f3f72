"""What the vectors show of each clause: every objective is met, proven to be impossible, or no answer depends on it.

The quick tests look at the few vectors that are there for each objective; `buckspec coverage --jobs 2` looks at all.
"""

import importlib
import json
import sys
from collections import Counter
from pathlib import Path
from random import Random
from types import ModuleType

import pytest
import yaml

from buckspec.load import load_profile
from buckspec.rules import Rules
from buckspec_conformance import random_hands
from buckspec_conformance.coverage.decisions import Objective, decisions, objectives, uses
from buckspec_conformance.coverage.infeasible import Searcher
from buckspec_conformance.coverage.measure import met
from buckspec_conformance.coverage.reasons import reasons, unseen
from buckspec_conformance.coverage.table import (
    COVERED,
    IMPOSSIBLE,
    OPEN,
    UNSEEN,
    WITNESSES,
    Met,
    Table,
    measured,
    owners,
)
from buckspec_conformance.requesting import request_of
from buckspec_conformance.vectors import Vector, vectors

SCRIPTS = str(Path(__file__).resolve().parents[2] / "tools" / "vectors")
EVERY = 16
"""Of the objectives that are met, one in so many is put to the solver in a quick test."""
GAMES = 30


@pytest.fixture(scope="module")
def rules() -> Rules:
    return load_profile("ohio")


@pytest.fixture(scope="module")
def every(rules: Rules) -> dict[str, Objective]:
    found = {id_: objective for id_, (_, objective) in objectives(rules.book).items()}
    return found | {use.id: use for use in uses(rules.book).values()}


@pytest.fixture(scope="module")
def witnesses() -> dict[str, str]:
    found: dict[str, str] = json.loads(WITNESSES.read_text(encoding="utf-8"))
    return found


@pytest.fixture(scope="module")
def shown(witnesses: dict[str, str]) -> Met:
    """What the vectors show that are there for some objective."""
    return measured(chosen(witnesses))


@pytest.fixture(scope="module")
def searcher(rules: Rules) -> Searcher:
    return Searcher(rules)


def chosen(witnesses: dict[str, str]) -> list[Vector]:
    return [vector for vector in vectors() if vector.id in set(witnesses.values())]


def named(id_: str) -> Vector:
    return next(vector for vector in vectors() if vector.id == id_)


# ---------------------------------------------------------------------- what is counted


def test_every_clause_that_decides_something_has_an_objective(rules: Rules) -> None:
    held = {decision.owner for decision in decisions(rules.book)} | set(uses(rules.book))
    assert held == set(owners(rules.book))
    assert held >= set(rules.book.clauses()) - set(rules.book.invariants)


def test_both_outcomes_of_each_decision_and_both_values_of_each_of_its_conditions_are_wanted(rules: Rules) -> None:
    (follow,) = [one for one in decisions(rules.book) if one.id == "play.follow/applies"]
    assert [objective.id.removeprefix(follow.id) for objective in follow.objectives] == [
        "=true", "=false", "#1=true", "#1=false", "#2=true", "#2=false", "#3=true", "#3=false",
    ]  # fmt: skip
    (that,) = [one for one in decisions(rules.book) if one.id == "play.follow/that"]
    assert [objective.id for objective in that.objectives] == ["play.follow/that=true", "play.follow/that=false"]


def test_a_decision_is_taken_at_one_place_only(rules: Rules) -> None:
    places = Counter(id(decision.quantifier or decision.term) for decision in decisions(rules.book))
    assert max(places.values()) == 1


# ---------------------------------------------------------------------- what a vector shows


def test_a_hand_shows_what_it_asks_and_no_more(rules: Rules) -> None:
    request = named("v-follow-trump-while-suit-held").case.request
    found = met(rules, request)
    assert {"play.follow/that=false", "play.follow/applies#3=true", "flow.play/when=true"} <= found
    assert not {"score.totals", "flow.score/when=true", "game.sweep", "auction.named/when=true"} & found


def test_a_condition_counts_only_where_it_alone_decides(rules: Rules) -> None:
    """In a hand that is not over, nobody has won: `flow.deal` fails by the first of its two conditions alone."""
    request = {**named("v-auction-order-by-0").case.request}
    found = met(rules, request)
    assert "flow.deal/when#1=false" in found
    assert "flow.deal/when#2=false" not in found


def test_asked_for_one_clause_a_vector_shows_the_same_of_it(rules: Rules) -> None:
    request = named("v-follow-trump-while-suit-held").case.request
    some = met(rules, request, "play.follow")
    assert some == {id_ for id_ in met(rules, request) if id_.startswith("play.follow/")}
    assert some


# ---------------------------------------------------------------------- everything is shown, or cannot be


def test_each_objective_has_a_vector_or_a_reason(every: dict[str, Objective], witnesses: dict[str, str]) -> None:
    counts = Counter([*witnesses, *reasons(), *unseen()])
    assert set(counts) == set(every)
    assert {id_ for id_, count in counts.items() if count > 1} == set()


def test_the_vectors_that_are_there_for_an_objective_meet_it(witnesses: dict[str, str], shown: Met) -> None:
    assert [id_ for id_, vector in witnesses.items() if vector not in shown.get(id_, ())] == []


def test_nothing_is_open_by_these_vectors_alone(rules: Rules, shown: Met) -> None:
    fates = {finding.objective.id: finding.fate for row in Table(rules, shown).rows() for finding in row.findings}
    assert {id_ for id_, fate in fates.items() if fate == OPEN} == set()
    assert {id_ for id_, fate in fates.items() if fate == IMPOSSIBLE} == set(reasons())
    assert {id_ for id_, fate in fates.items() if fate == UNSEEN} == set(unseen())
    assert {id_ for id_, fate in fates.items() if fate == COVERED} == set(shown)


def test_without_the_only_vector_for_an_objective_it_is_open(
    rules: Rules, witnesses: dict[str, str], shown: Met
) -> None:
    id_ = "game.first-seat-wins/when#1=false"
    left = {other: tuple(one for one in ids if one != witnesses[id_]) for other, ids in shown.items()}
    (row,) = Table(rules, {other: ids for other, ids in left.items() if ids}).rows(["game.first-seat-wins"])
    assert [finding.objective.id for finding in row.findings if finding.fate == OPEN] == [id_]


# ---------------------------------------------------------------------- proofs


def test_what_is_called_impossible_follows_from_the_invariants_that_are_named(searcher: Searcher) -> None:
    assert [id_ for id_, reason in reasons().items() if not searcher.is_infeasible(id_, reason.by)] == []


def test_none_of_the_invariants_that_are_named_can_be_left_out(searcher: Searcher) -> None:
    idle = [
        (id_, name)
        for id_, reason in reasons().items()
        for name in reason.by
        if searcher.is_infeasible(id_, [other for other in reason.by if other != name])
    ]
    assert idle == []


def test_what_a_vector_shows_is_not_called_impossible(searcher: Searcher, witnesses: dict[str, str]) -> None:
    decided = [id_ for id_ in witnesses if id_ in objectives(searcher.book)]
    assert [id_ for id_ in decided[::EVERY] if searcher.is_infeasible(id_)] == []


@pytest.mark.slow
def test_nothing_that_a_vector_shows_is_called_impossible(searcher: Searcher, witnesses: dict[str, str]) -> None:
    decided = [id_ for id_ in witnesses if id_ in objectives(searcher.book)]
    assert [id_ for id_ in decided if searcher.is_infeasible(id_)] == []


def test_random_games_under_any_readings_show_nothing_that_is_called_impossible(rules: Rules) -> None:
    rng = Random(7)
    found: set[str] = set()
    for _ in range(GAMES):
        readings = random_hands.readings(rng, rules.book)
        played = random_hands.game(rng, load_profile("ohio", {}, readings), random_hands.RARE, most_hands=2)
        found |= met(played.before.rules, request_of(played))
    assert found & {*reasons(), *unseen()} == set()
    assert len(found) > len(reasons())


# ---------------------------------------------------------------------- the scripts


def test_few_vectors_are_chosen_and_always_the_same() -> None:
    found = [named(id_) for id_ in ("v-auction-order-by-1", "v-auction-order-by-0", "v-follow-trump-while-suit-held")]
    one, other, most = (vector.id for vector in found)
    shown_by = {"a": (one, other), "b": (most,), "c": (most,)}
    assert script("witnesses").witnesses(shown_by, found) == {"a": other, "b": most, "c": most}


@pytest.mark.slow
def test_the_file_of_the_chosen_vectors_is_as_it_is_built() -> None:
    assert script("witnesses").text() == WITNESSES.read_text(encoding="utf-8")


def test_a_hand_that_is_found_for_an_objective_can_be_pasted_and_meets_it() -> None:
    gaps, id_ = script("gaps"), "auction.keep-upcard/that=true"
    found = gaps.smallest(id_, count=6, seed=1)
    pasted = yaml.safe_load("\n".join(gaps.entry(id_, found)))
    assert pasted["readings"] == {"discard-upcard": "forbidden"}
    rules = load_profile("ohio", {}, pasted["readings"])
    request, refused = script("notation").played(rules, "a key", pasted)
    assert (refused, id_ in met(rules, request)) == (None, True)
    again = gaps.smallest(id_, count=6, seed=1)
    assert list(gaps.entry(id_, again)) == list(gaps.entry(id_, found))


def script(name: str) -> ModuleType:
    """A script that works on the vectors; they import each other from their folder."""
    if SCRIPTS not in sys.path:
        sys.path.append(SCRIPTS)
    return importlib.import_module(name)
