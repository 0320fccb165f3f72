"""The invariants of the rule book, on what engines report."""

from typing import Any

import pytest
from conftest import Changed, by_id, exit_of, played

from buckspec_conformance.reference_engine import ReferenceEngine
from buckspec_conformance.runner import CONFORMS, DIFFERS, Options
from buckspec_conformance.select import NothingSelected, Selection
from buckspec_conformance.table import rows

PLACE = "keep.one-place"


def twice(_: Any, answer: dict[str, Any]) -> dict[str, Any]:
    """The same answer, with a card in two hands."""
    for hand in answer.get("hands", ()):
        for step in hand["steps"]:
            if "hands" in step and step["hands"][0]:
                step["hands"][1] = [*step["hands"][1], step["hands"][0][0]]
    return answer


def test_a_card_that_is_in_two_places_breaks_an_invariant() -> None:
    found = by_id(played(Changed(twice)))
    assert found["invariant/keep.one-place"].outcome == "failed"
    assert found["invariant/keep.one-place"].blame == ("keep.one-place",)


def test_an_engine_that_hides_the_hands_is_not_covered_for_conservation() -> None:
    def change(request: Any, answer: dict[str, Any]) -> dict[str, Any]:
        if request["op"] == "hello":
            answer["reports"] = [name for name in answer["reports"] if name != "hands"]
        return answer

    found = played(Changed(change))
    assert exit_of(found) == CONFORMS
    case = by_id(found)["invariant/keep.one-place"]
    assert case.outcome == "unsupported"
    assert case.found is not None
    assert "hands" in case.found.message
    standing = {row.clause: row.standing for row in rows(found)}
    assert standing["keep.one-place"] == "not-covered"


def test_an_engine_that_reports_little_earns_little() -> None:
    def change(request: Any, answer: dict[str, Any]) -> dict[str, Any]:
        if request["op"] == "hello":
            answer["reports"] = ["turn"]
        return answer

    selection = Selection(("reading",))
    found = played(Changed(change), Options(level="smoke", selection=selection))
    standing = {row.clause: row.standing for row in rows(found)}
    assert standing["score.totals"] == "not-covered"
    assert standing["play.first-lead"] == "passed"


@pytest.mark.parametrize("word", [PLACE, f"invariant/{PLACE}", "invariant/keep.one-*"])
def test_an_invariant_can_be_asked_alone(word: str) -> None:
    options = Options(level="smoke", selection=Selection((word,)))
    right, wrong = played(ReferenceEngine(), options), played(Changed(twice), options)
    assert [(case.id, case.outcome) for case in right.cases] == [(f"invariant/{PLACE}", "passed")]
    assert exit_of(right) == CONFORMS
    assert [(case.id, case.outcome) for case in wrong.cases] == [(f"invariant/{PLACE}", "failed")]
    assert exit_of(wrong) == DIFFERS
    assert wrong.blames == {}


def test_all_invariants_can_be_asked_and_what_else_was_chosen_is_told_too() -> None:
    everything = {case.id for case in played(ReferenceEngine()).cases if case.layer == "invariant"}
    found = played(ReferenceEngine(), Options(level="smoke", selection=Selection(("invariant",))))
    assert {case.id for case in found.cases} == everything
    both = played(ReferenceEngine(), Options(level="smoke", selection=Selection((PLACE, "reading/batches"))))
    assert {case.layer for case in both.cases} == {"vector", "invariant"}
    assert all(case.id.startswith("reading/batches/") for case in both.cases if case.layer == "vector")


def test_an_invariant_that_failed_is_asked_when_what_failed_is_asked_again() -> None:
    found = played(
        ReferenceEngine(), Options(level="smoke", selection=Selection(ids=frozenset([f"invariant/{PLACE}"])))
    )
    assert [(case.id, case.outcome) for case in found.cases] == [(f"invariant/{PLACE}", "passed")]


def test_a_misspelt_invariant_is_told_a_better_name() -> None:
    with pytest.raises(NothingSelected, match=r"did you mean invariant/keep.one-place\?"):
        played(ReferenceEngine(), Options(level="smoke", selection=Selection(("invariant/keep.one-plac",))))
