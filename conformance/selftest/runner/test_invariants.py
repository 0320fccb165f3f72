"""The invariants of the rule book, on what engines report."""

from typing import Any

from conftest import Changed, by_id, exit_of, played

from buckspec_conformance.runner import CONFORMS, Options
from buckspec_conformance.select import Selection
from buckspec_conformance.table import rows


def test_a_card_that_is_in_two_places_breaks_an_invariant() -> None:
    def change(request: Any, answer: dict[str, Any]) -> dict[str, Any]:
        for hand in answer.get("hands", ()):
            for step in hand["steps"]:
                if "hands" in step and step["hands"][0]:
                    step["hands"][1] = [*step["hands"][1], step["hands"][0][0]]
        return answer

    found = by_id(played(Changed(change)))
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
