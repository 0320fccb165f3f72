"""Why a clause is not covered: the reason that is told is the true one."""

from typing import Any

import pytest
from conftest import Changed, played

from buckspec_conformance.reference_engine import ReferenceEngine
from buckspec_conformance.runner import Options
from buckspec_conformance.select import Selection
from buckspec_conformance.stream import CaseRecord, Footer, Found, Header, ReadingRecord, Run
from buckspec_conformance.suite import shipped
from buckspec_conformance.table import rows

CLAUSE = "score.set"
HEADER = Header(
    format="buckspec-run/1", time="", spec="", formats={}, level="smoke", seed=0, command=(), in_force=(CLAUSE,)
)
FOOTER = Footer(counts={}, exit=0, seconds=0.0)


def case(id_: str, outcome: str, message: str = "", request: Any = None, layer: str = "vector") -> CaseRecord:
    found = Found(message=message, request=request) if message else None
    return CaseRecord(id=id_, layer=layer, outcome=outcome, why="", clauses=(CLAUSE,), found=found)  # type: ignore[arg-type]


def why(*cases: CaseRecord, header: dict[str, Any] | None = None, footer: Any = FOOTER, readings: Any = ()) -> str:
    told = Header(**{name: getattr(HEADER, name) for name in HEADER.__struct_fields__} | (header or {}))
    found = {row.clause: row for row in rows(Run(told, cases, {}, readings, footer))}
    assert found[CLAUSE].standing == "not-covered"
    return str(found[CLAUSE].why)


@pytest.mark.parametrize(
    ("header", "footer", "told"),
    [
        ({}, FOOTER, "no case of this run tests it"),
        ({"only": ("play",)}, FOOTER, "not asked, as only play was asked for"),
        ({"only": ("score",)}, None, "not asked, as the run did not come to its end"),
        ({"again": True}, FOOTER, "not asked, as nothing that failed in the earlier run is for it"),
        ({}, None, "not asked, as the run did not come to its end"),
        ({}, Footer(counts={}, exit=0, seconds=1.0, stopped="max-time"),
         "not asked, as the run was ended early (max-time)"),
        ({"only": ("play",), "untested": {CLAUSE: "no case of level smoke is for it"}}, FOOTER,
         "no case of level smoke is for it"),
    ],
)  # fmt: skip
def test_what_was_not_asked(header: dict[str, Any], footer: Footer | None, told: str) -> None:
    assert why(header=header, footer=footer) == told


def test_what_was_declined_and_what_could_not_be_asked_are_told_apart() -> None:
    elsewhere = [case(name, "unsupported", "hello does not list the profile ohio") for name in "ab"]
    declined = case("c", "unsupported", "no such hand", {"op": "play"})
    assert why(*elsewhere) == "hello does not list the profile ohio"
    assert why(declined) == "the engine declined: no such hand"
    assert why(*elsewhere, declined) == "hello does not list the profile ohio; and for other reasons"


def test_what_does_not_show_names_the_fields_in_which_it_would() -> None:
    footer = Footer(counts={}, exit=0, seconds=0.0, unshown={CLAUSE: ("points", "totals")})
    passed = case("a", "passed")
    assert why(passed, footer=footer) == "it shows only in points or totals, which the engine does not report"
    assert why(passed) == "what its cases show of it is not among what the engine reports"
    assert why(case("p", "passed", layer="property")).startswith("no game of its properties came to it")


def test_what_another_reading_explains_is_not_called_unasked() -> None:
    reading = ReadingRecord(question="ties", reading="a", instead_of="b", says="", cases=("a",))
    assert why(case("a", "failed"), readings=(reading,)) == "all its cases come from another reading of ties"


def test_of_an_engine_that_reports_little_only_the_fields_that_would_show_it_are_named() -> None:
    def change(request: Any, answer: dict[str, Any]) -> dict[str, Any]:
        if request["op"] == "hello":
            answer["reports"] = ["turn", "legal", "hands"]
        return answer

    options = Options(level="smoke", selection=Selection(("game.ended-by-sweep",)))
    found = {row.clause: row for row in rows(played(Changed(change), options, shipped()))}
    assert found["game.ended-by-sweep"].why == "it shows only in ended, which the engine does not report"


def test_a_clause_without_a_case_at_this_level_is_called_that_whatever_was_asked() -> None:
    options = Options(level="smoke", selection=Selection(("game.ended-by-sweep",)))
    found = {row.clause: row for row in rows(played(ReferenceEngine(), options, shipped()))}
    assert found["stay.in-public"].why == "no case of level smoke is for it"
    assert found["stay.drop"].why == "not asked, as only game.ended-by-sweep was asked for"
