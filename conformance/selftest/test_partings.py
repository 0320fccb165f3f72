"""Where two forms of the game part: every two readings do, but for those that nobody can tell apart."""

from itertools import combinations

import pytest

from buckspec import load_profile
from buckspec.play import apply
from buckspec.rulebook import Question
from buckspec.state import State
from buckspec_conformance.clauses import compared
from buckspec_conformance.partings import comparable, never_part, openings, parting

OHIO = load_profile("ohio")
PAIRS = [
    (question, pair) for question in OHIO.book.questions.values() for pair in combinations(question.readings, 2)
]  # fmt: skip


@pytest.mark.parametrize(("question", "pair"), PAIRS, ids=[f"{q.id}: {a} or {b}" for q, (a, b) in PAIRS])
def test_every_two_readings_part_or_are_proven_not_to(question: Question, pair: tuple[str, str]) -> None:
    one, other = (load_profile("ohio", {}, {question.id: reading}) for reading in pair)
    found = parting(one, other)
    if found is None:
        assert never_part(one, other, 20)
        assert (question.id, pair) == ("decisions", ("any-order", "private"))
        return
    state = found.before
    for event in found.events:
        after = apply(state, event)
        assert isinstance(after, State), "the hand is legal by the first of them"
        state = after
    assert all(own != theirs for own, theirs in found.said.values())
    assert found.said


def test_what_differs_between_two_readings_is_told_by_clause() -> None:
    cut = load_profile("ohio", {}, {"below-zero": "cut"})
    assert compared(OHIO, cut).only_first == ("score.totals",)
    assert compared(OHIO, cut).only_second == ("score.totals-stop-at-zero",)
    assert compared(OHIO, cut).other == ()


def test_a_form_does_not_part_from_itself_and_a_proof_needs_no_luck() -> None:
    assert parting(OHIO, OHIO, tries=20) is None
    assert never_part(OHIO, OHIO, 20)
    assert not never_part(OHIO, load_profile("ohio", {}, {"below-zero": "cut"}), 20)


def test_games_that_begin_with_other_totals_are_told_so() -> None:
    shorter = load_profile("ohio-15")
    assert openings(OHIO, shorter) == ([25] * 4, [15] * 4)
    assert comparable(OHIO, shorter)
    assert parting(OHIO, shorter, tries=100) is None, "both begin with the same totals"
