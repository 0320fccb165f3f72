"""How clauses stand, by what came of the cases that are about them."""

from buckspec_conformance.stream import BlameRecord, CaseRecord, Header, Run
from buckspec_conformance.table import Row, failures, rows

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
    assert found["score.set"].why == "no game of its properties came to it where the engine reports it"


def test_a_clause_to_which_failures_go_back_does_not_hold_though_none_of_its_own_cases_was_asked() -> None:
    asked = CaseRecord(id="v", layer="vector", outcome="failed", why="", clauses=("play.turn",), blame=("score.set",))
    row = standing(asked)["score.set"]
    assert (row.standing, row.blamed, row.why) == ("failed", 1, None)


def test_a_known_failure_that_is_none_any_more_speaks_for_its_clause_and_not_against_it() -> None:
    mended = CaseRecord(
        id="v", layer="vector", outcome="stale-known-failure", why="", clauses=CLAUSES[:1], earned=CLAUSES[:1]
    )
    row = standing(mended)["play.follow"]
    assert (row.standing, row.failed, row.earned) == ("passed", 0, 1)


def test_failures_without_a_clause_to_blame_are_grouped_by_what_they_came_to() -> None:
    cases = [
        CaseRecord(id=name, layer="vector", outcome=outcome, why="", clauses=CLAUSES)  # type: ignore[arg-type]
        for name, outcome in (("a", "crashed"), ("b", "timeout"), ("c", "crashed"))
    ]
    found = failures(Run(HEADER, tuple(cases), {}))
    assert [[case.id for case in group.cases] for group in found] == [["a", "c"], ["b"]]
