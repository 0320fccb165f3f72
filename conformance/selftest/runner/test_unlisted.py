"""Readings that an engine does not offer: it is asked for them, and declines."""

from collections.abc import Mapping
from typing import Any

import pytest
from conftest import Changed, exit_of, played

from buckspec_conformance.reference_engine import ReferenceEngine
from buckspec_conformance.runner import CONFORMS, DIFFERS, Options
from buckspec_conformance.select import Selection
from buckspec_conformance.stream import Run

ONLY = Options(level="smoke", selection=Selection(("unlisted",)))


class Careless(ReferenceEngine):
    """Offers no reading, and plays by its own whatever it is asked for."""

    def __init__(self, readings: Mapping[str, str] | None = None) -> None:
        super().__init__(readings, declares=False)

    def answer(self, request: Mapping[str, object]) -> Mapping[str, object]:
        return super().answer({**request, "readings": {}})


def outcomes(found: Run) -> set[str]:
    return {case.outcome for case in found.cases if case.id.startswith("unlisted/")}


def test_what_is_offered_is_not_asked_for_like_that() -> None:
    assert outcomes(played(ReferenceEngine())) == set()


def test_to_decline_is_right() -> None:
    found = played(ReferenceEngine(declares=False), ONLY)
    assert (outcomes(found), exit_of(found)) == ({"passed"}, CONFORMS)
    assert all(case.earned == () for case in found.cases)


def test_to_play_by_ones_own_reading_without_a_word_is_a_fault() -> None:
    found = played(Careless(), ONLY)
    assert (outcomes(found), exit_of(found)) == ({"failed"}, DIFFERS)
    case = next(case for case in found.cases if case.id == "unlisted/sweep/maker")
    assert case.found is not None
    assert case.found.message.startswith("it was asked for the reading maker of sweep and played anybody")
    assert case.blame == ()
    assert found.readings == ()


def test_to_play_what_was_asked_for_is_no_fault() -> None:
    found = played(Careless({"sweep": "maker"}), Options(level="smoke", selection=Selection(("unlisted/sweep/maker",))))
    assert outcomes(found) == {"passed"}


@pytest.mark.parametrize("field", ["totals", "hands"])
def test_an_answer_that_is_wrong_by_either_reading_says_nothing(field: str) -> None:
    def change(request: Any, answer: dict[str, Any]) -> dict[str, Any]:
        for step in answer["hands"][0]["steps"] if request["op"] == "play" else ():
            step[field] = [*step[field][1:], step[field][0]] if field == "hands" else [7] * 4
        return {**answer, "choices": {}} if request["op"] == "hello" else answer

    assert outcomes(played(Changed(change), ONLY)) == {"unsupported"}
