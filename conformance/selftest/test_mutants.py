"""Changes of the rule book are noticed by the published vectors, or proven to change no game.

The quick tests take a sample; `buckspec mutants --jobs 2` takes all, and so does the slow test.
"""

from dataclasses import replace

import pytest

from buckspec.load import load_profile
from buckspec.rulebook import RuleBook
from buckspec_conformance.mutants.differences import Differences
from buckspec_conformance.mutants.generate import PROFILE, mutants, sampled
from buckspec_conformance.mutants.kill import killer
from buckspec_conformance.mutants.live import Live
from buckspec_conformance.mutants.mutant import Mutant, changed_book
from buckspec_conformance.mutants.operators import OPERATORS
from buckspec_conformance.mutants.proof import CLOSE, UNREAD, WIDE, equivalent
from buckspec_conformance.mutants.score import EQUIVALENT, KILLED, OPEN, REFUSED, Fate, fate, fates, reasons
from buckspec_conformance.mutants.walked import courses
from buckspec_conformance.vectors import vectors

SAMPLE = 24


@pytest.fixture(scope="module")
def every() -> dict[str, Mutant]:
    return {mutant.id: mutant for mutant in mutants()}


@pytest.fixture(scope="module")
def book() -> RuleBook:
    return load_profile(PROFILE).book


def told(found: list[Fate]) -> str:
    return "\n".join(f"{one.mutant.id}: {one.by}" for one in found)


# ---------------------------------------------------------------------- the changes


def test_there_are_changes_by_every_operator_and_each_has_a_name_of_its_own(every: dict[str, Mutant]) -> None:
    assert {mutant.operator for mutant in every.values()} == set(OPERATORS)
    assert len(every) == len(mutants())


def test_every_clause_that_decides_play_is_left_out_once(every: dict[str, Mutant], book: RuleBook) -> None:
    dropped = {mutant.spot.where for mutant in every.values() if mutant.operator == "dropped clause"}
    assert dropped == set(book.clauses()) - set(book.invariants)


def test_a_change_changes_one_thing(every: dict[str, Mutant], book: RuleBook) -> None:
    found = Differences(book, changed_book(PROFILE, every["flow.play: > → >="]))
    assert (found.definitions, found.events, found.is_start, found.is_deal) == (("phase",), (), False, False)
    found = Differences(book, changed_book(PROFILE, every["play.take-trick: + → -"]))
    assert (found.definitions, found.events) == ((), ("take-trick",))


def test_a_change_of_nothing_is_no_difference(book: RuleBook) -> None:
    found = Differences(book, book)
    assert (found.definitions, found.events, found.is_start, found.is_deal) == ((), (), False, False)
    assert killer(book, courses(PROFILE), "play.follow") is None
    assert equivalent(PROFILE, book).how == UNREAD


def test_a_sample_is_always_the_same_and_in_order(every: dict[str, Mutant]) -> None:
    found = sampled(list(every.values()), SAMPLE)
    assert found == sampled(list(every.values()), SAMPLE)
    assert [one for one in every.values() if one in found] == found
    assert len(found) == SAMPLE


# ---------------------------------------------------------------------- what becomes of them


def test_a_sample_is_killed_or_changes_no_game(every: dict[str, Mutant]) -> None:
    found = list(fates(sampled(list(every.values()), SAMPLE)))
    assert {one.outcome for one in found} >= {KILLED, REFUSED}
    left = [one for one in found if one.outcome == OPEN]
    assert not left, told(left)


@pytest.mark.slow
def test_every_change_is_killed_or_changes_no_game_for_a_reason_that_is_written_down(every: dict[str, Mutant]) -> None:
    found = list(fates(every.values()))
    left = [one for one in found if one.outcome == OPEN]
    assert not left, told(left)
    alike = {one.mutant.said for one in found if one.outcome == EQUIVALENT}
    assert alike == set(reasons())


def test_each_reason_is_about_a_change_that_there_is(every: dict[str, Mutant]) -> None:
    assert set(reasons()) <= {mutant.said for mutant in every.values()}


@pytest.mark.parametrize(
    ("change", "near"),
    [
        ("play.follow: the clause → nothing", "v-follow"),
        ("auction.other-suit: != → ==", "v-"),
        ("score.totals: + → -", "v-"),
    ],
)
def test_what_matters_is_killed_by_a_vector_that_is_made_for_the_clause(
    every: dict[str, Mutant], change: str, near: str
) -> None:
    found = fate(every[change])
    assert (found.outcome, found.by.startswith(near)) == (KILLED, True)
    (vector,) = [one for one in vectors() if one.id == found.by]
    assert every[change].spot.where in vector.case.clauses


@pytest.mark.parametrize(
    ("change", "how"),
    [
        ("play.to-the-table: played → cards", UNREAD),
        ("stay.in-private: 0 → 1", UNREAD),
        ("auction.discard: actor → dealer", CLOSE),
        ("auction.discard: card → upcard (2)", CLOSE),
        ("deal.three-two: the rest to stock → nothing", CLOSE),
        ("game.sweeper-wins: swept → next_player", CLOSE),
        ("score.dealer-promise: seat → next_player", WIDE),
    ],
)
def test_what_changes_no_game_is_proven(every: dict[str, Mutant], change: str, how: str) -> None:
    assert equivalent(PROFILE, changed_book(PROFILE, every[change])).how == how


@pytest.mark.parametrize(
    "change",
    [
        "play.follow: the clause → nothing",  # another legality
        "play.take-trick: tricks(best) → nothing",  # another effect
        "score.made: >= → >",  # another value
        "flow.play: > → >=",  # two clauses at once
        "totals: start_total → one_trick",  # another beginning
        "tricks: 0 → 1",  # the same, of a hand
        "play.first-lead: == → !=",  # other seats that may act
        "penalty: 5 → 6",  # another number
        "clubs: black → red",  # another table
        "deal.three-two: 1 to upcard → nothing",  # another deal
    ],
)
def test_what_changes_a_game_is_not_proven(every: dict[str, Mutant], change: str) -> None:
    assert equivalent(PROFILE, changed_book(PROFILE, every[change])).how is None


def test_two_clauses_at_once_are_never_equivalent_to_one(book: RuleBook) -> None:
    definition = book.definitions["leader"]
    first, *others = definition.alternatives
    twice = replace(definition, alternatives=(first, first, *others))
    changed = replace(book, definitions={**book.definitions, "leader": twice})
    assert equivalent(PROFILE, changed).how is None


def test_another_order_of_the_deal_is_never_proven(book: RuleBook) -> None:
    rule = next(event for event in book.events.values() if event.by_chance)
    effect = next(one for one in rule.effects if one.deals)
    first, second, *rest = effect.deals
    swapped = replace(effect, deals=(second, first, *rest))
    effects = tuple(swapped if one is effect else one for one in rule.effects)
    changed = replace(book, events={**book.events, rule.id: replace(rule, effects=effects)})
    assert equivalent(PROFILE, changed).how is None


def test_no_rule_asks_for_what_is_only_there_to_be_looked_at(book: RuleBook) -> None:
    live = Live((book,))
    assert {"stock", "played", "decisions_open"}.isdisjoint(live.names)
    assert {"table", "totals", "trump", "laid_away"} <= live.names
    assert [name for name in book.variables if name in live.names and live.only_whether(name)] == ["laid_away"]
