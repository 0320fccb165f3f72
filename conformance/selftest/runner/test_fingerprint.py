"""An engine that plays another reading than it says is told so by name."""

import json
from itertools import combinations

import find_readings
import pytest
from conftest import Changed, played

from buckspec.load import load_profile
from buckspec_conformance import readings
from buckspec_conformance.oracle import expected
from buckspec_conformance.plan import rules_of
from buckspec_conformance.reference_engine import ReferenceEngine
from buckspec_conformance.table import failures, rows

BOOK = load_profile("ohio").book
OTHERS = [
    (question.id, reading)
    for question in BOOK.questions.values()
    for reading in question.readings
    if reading != BOOK.readings[question.id]
]
QUICK = [("first-lead", "maker"), ("all-drop", "unplayed-wins"), ("batches", "two-three"), ("turned-club", "dealers")]
SAME_IN_PLAY = {"private": "any-order"}
"""Readings that differ only in what one seat may see are recognised as one of them."""


def recognised(chosen: dict[str, str]) -> dict[str, str]:
    """What is recognised of the reference, playing these readings and saying nothing of them, as an `ohio` engine."""

    def only_ohio(request: object, answer: dict[str, object]) -> dict[str, object]:
        return {**answer, "profiles": ["ohio"]} if "profiles" in answer else answer

    found = played(Changed(only_ohio, readings=chosen, declares=False))
    assert failures(found) == (), [case.id for group in failures(found) for case in group.cases]
    assert {row.standing for row in rows(found)} <= {"passed", "not-covered", "not-in-force", "other-reading"}
    assert found.footer is not None
    assert found.footer.exit == 1
    return {one.question: one.reading for one in found.readings}


@pytest.mark.parametrize(("question", "reading"), QUICK)
def test_another_reading_is_recognised(question: str, reading: str) -> None:
    assert recognised({question: reading}) == {question: reading}


@pytest.mark.slow
@pytest.mark.parametrize(("question", "reading"), OTHERS)
def test_every_other_reading_is_recognised(question: str, reading: str) -> None:
    assert recognised({question: reading}) == {question: SAME_IN_PLAY.get(reading, reading)}


def test_several_other_readings_are_recognised() -> None:
    chosen = {"first-lead": "maker", "below-zero": "cut", "discard-upcard": "forbidden"}
    assert recognised(chosen) == chosen


def test_a_fault_is_no_reading() -> None:
    def change(_: object, answer: dict[str, object]) -> dict[str, object]:
        hands = answer.get("hands", ())
        for hand in hands if isinstance(hands, list) else ():
            for step in hand["steps"]:
                step["turn"] = 0 if step.get("turn") == 1 else step.get("turn")
        return answer

    found = played(Changed(change))
    assert found.readings == ()
    assert failures(found)


def test_a_reading_that_is_not_played_throughout_is_none() -> None:
    class Now(ReferenceEngine):
        count = 0

        def answer(self, request: object) -> dict[str, object]:  # type: ignore[override]
            self.count += 1
            self.readings = {"first-lead": "maker"} if self.count % 2 else {}
            return dict(super().answer(request))  # type: ignore[arg-type]

    assert played(Now(declares=False)).readings == ()


# ---------------------------------------------------------------------- the cases


def test_every_case_tells_its_readings_apart() -> None:
    for case in readings.cases():
        _, question, one, other, *_ = case.tags
        both = [rules_of("ohio", (), ((question, reading),)) for reading in (one, other)]
        first, second = ([step for hand in expected(rules, case.request) for step in hand] for rules in both)
        assert any(
            before.accepted is not after.accepted or before.fields != after.fields
            for before, after in zip(first, second, strict=False)
        ), case.id


def test_there_is_a_case_for_every_two_readings_that_a_game_can_tell_apart() -> None:
    known = {frozenset(case.tags[1:4]) for case in readings.cases()}
    for question in BOOK.questions.values():
        for one, other in combinations(question.readings, 2):
            if {one, other} != {"any-order", "private"}:
                assert frozenset((question.id, one, other)) in known


@pytest.mark.slow
def test_the_file_is_as_it_would_be_written() -> None:
    assert json.loads(find_readings.OUT.read_text(encoding="utf-8")) == find_readings.found()
