"""How clauses stand, by what came of the cases that are about them."""

from buckspec_conformance.stream import BlameRecord, CaseRecord, Header, Run
from buckspec_conformance.table import Row, rows

CLAUSES = ("play.follow", "play.turn", "score.set")
HEADER = Header(
    format="buckspec-run/1", time="", spec="", formats={}, level="standard", seed=0, command=(), in_force=CLAUSES
)


def standing(*cases: CaseRecord, blames: dict[str, BlameRecord] | None = None) -> dict[str, Row]:
    return {row.clause: row for row in rows(Run(HEADER, cases, blames or {}))}


def a_property(outcome: str, *blame: str) -> CaseRecord:
    return CaseRecord(id="property/x", layer="property", outcome=outcome, why="", clauses=CLAUSES, blame=blame)  # type: ignore[arg-type]


VECTOR = CaseRecord(id="v", layer="vector", outcome="passed", why="", clauses=("play.turn",), earned=("play.turn",))


def test_a_property_that_fails_speaks_only_against_the_clauses_to_blame() -> None:
    found = standing(VECTOR, a_property("failed", "play.follow"))
    assert {clause: row.standing for clause, row in found.items()} == {
        "play.follow": "failed",
        "play.turn": "passed",
        "score.set": "not-covered",
    }
    assert found["play.turn"].tested == {"vector": 1}
    assert found["score.set"].why == "a property that is about it fails, but not by it"


def test_a_second_look_moves_the_failure_of_a_property() -> None:
    later = BlameRecord(id="property/x", clauses=("score.set",))
    found = standing(a_property("failed", "play.follow"), blames={"property/x": later})
    assert (found["score.set"].standing, found["play.follow"].standing) == ("failed", "not-covered")


def test_a_property_that_crashes_speaks_against_no_clause() -> None:
    assert {row.standing for row in standing(a_property("crashed")).values()} == {"not-covered"}


def test_a_property_that_passes_covers_what_it_earned() -> None:
    found = standing(
        CaseRecord(id="p", layer="property", outcome="passed", why="", clauses=CLAUSES, earned=CLAUSES[:1])
    )
    assert {clause for clause, row in found.items() if row.standing == "passed"} == {"play.follow"}
    assert found["score.set"].why == "what its cases show of it is not among what the engine reports"
