"""A run: what comes of an engine, right or wrong, and with which code it ends."""

from itertools import chain
from typing import Any

from conftest import Changed, by_id, exit_of, played
from msgspec import json

from buckspec.formats.validate import problems
from buckspec_conformance import readings, suite
from buckspec_conformance.case import Case
from buckspec_conformance.reference_engine import ReferenceEngine
from buckspec_conformance.runner import CONFORMS, DIFFERS, NO_HELLO, NOTHING, Options
from buckspec_conformance.select import Selection
from buckspec_conformance.stream import Run, line_of
from buckspec_conformance.table import failures, rows

# ---------------------------------------------------------------------- what conforms


def test_the_reference_conforms(right: Run) -> None:
    assert exit_of(right) == CONFORMS
    assert {case.outcome for case in right.cases} <= {"passed", "unsupported"}
    assert right.is_complete
    assert right.readings == ()


def test_every_record_of_every_run_is_as_the_schema_has_it(right: Run) -> None:
    wrong = played(ReferenceEngine({"sweep": "never"}, declares=False))
    for found in (right, wrong):
        records = [found.header, *found.cases, *found.blames.values(), *found.readings, found.footer]
        for record in records:
            assert record is not None
            assert problems(json.decode(line_of(record)), "run") == []


def test_every_clause_stands_in_the_table_once(right: Run) -> None:
    table = rows(right)
    assert len({row.clause for row in table}) == len(table)
    assert {row.clause for row in table} == {*right.header.in_force, *right.header.elsewhere}
    assert all(row.why for row in table if row.standing in ("not-covered", "not-in-force"))


def test_an_engine_is_judged_by_the_readings_that_it_declares() -> None:
    found = played(ReferenceEngine({"all-pass": "deal-passes", "first-lead": "maker"}))
    assert exit_of(found) == CONFORMS
    standing = {row.clause: row.standing for row in rows(found)}
    assert standing["play.maker-leads"] == "passed"
    assert standing["play.first-lead"] == "not-in-force"


# ---------------------------------------------------------------------- what does not


def test_a_wrong_total_is_blamed_on_a_clause_and_told_with_the_smallest_game() -> None:
    def change(_: Any, answer: dict[str, Any]) -> dict[str, Any]:
        for hand in answer.get("hands", ()):
            for step in hand["steps"]:
                step["totals"] = [total + 1 for total in step["totals"]] if "totals" in step else None
        return answer

    found = played(Changed(change))
    assert exit_of(found) == DIFFERS
    case = next(case for case in found.cases if case.outcome == "failed" and case.layer == "vector")
    assert case.earned == ()
    assert case.found is not None
    assert case.found.field == "totals"
    assert case.found.asked_again == "the same"
    assert case.found.reproduce is not None
    assert case.id in case.found.reproduce
    groups = failures(found)
    assert groups
    sizes = [sum(len(hand["events"]) for hand in one.found.request["hands"]) for one in groups[0].cases if one.found]
    assert sizes == sorted(sizes)


def test_a_wrong_reason_is_its_own_outcome() -> None:
    def change(_: Any, answer: dict[str, Any]) -> dict[str, Any]:
        for hand in answer.get("hands", ()):
            for step in hand["steps"]:
                if "clause" in step:
                    step["clause"] = "play.follow"
        return answer

    found = played(Changed(change))
    assert "wrong-reason" in {case.outcome for case in found.cases}
    assert exit_of(found) == DIFFERS


def test_an_answer_that_changes_in_a_fresh_process_is_flaky() -> None:
    class Moody(ReferenceEngine):
        greeted = 0

        def answer(self, request: Any) -> Any:
            self.greeted += request["op"] == "hello"
            found = super().answer(request)
            if self.greeted == 1 and request["op"] == "play":
                found["hands"][0]["steps"][0]["dealer"] = 1 - found["hands"][0]["steps"][0]["dealer"] % 2
            return found

    found = played(Moody(), Options(level="smoke", selection=Selection(("reading",))))
    flaky = [case for case in found.cases if case.outcome == "flaky"]
    assert flaky
    assert flaky[0].found is not None
    assert "passes" in str(flaky[0].found.asked_again)
    assert exit_of(found) == DIFFERS


def test_an_engine_that_is_flaky_is_asked_again_to_the_end() -> None:
    """What it gets wrong late is no failure of a clause either, however much it got wrong before."""
    asked: set[str] = set()

    def wrong_at_first(request: Any, answer: dict[str, Any]) -> dict[str, Any]:
        if request["op"] == "play" and str(request["hands"]) not in asked:
            asked.add(str(request["hands"]))
            answer["hands"][0]["steps"][0]["dealer"] = 1 - answer["hands"][0]["steps"][0]["dealer"] % 2
        return answer

    found = played(Changed(wrong_at_first), Options(level="smoke", selection=Selection(("reading",)), confirm=2))
    outcomes = [case.outcome for case in found.cases if case.layer == "vector"]
    assert outcomes.count("flaky") > 2 * 2
    assert "failed" not in outcomes


def test_to_decline_what_hello_promises_is_against_the_protocol() -> None:
    found = played(Changed(lambda request, answer: {"unsupported": "no"} if request["op"] == "play" else answer))
    outcomes = {case.outcome for case in found.cases if case.layer == "vector"}
    assert outcomes == {"protocol-error"}


def test_what_hello_says_must_exist() -> None:
    def change(request: Any, answer: dict[str, Any]) -> dict[str, Any]:
        return {**answer, "choices": {"sweep": ["sometimes"]}} if request["op"] == "hello" else answer

    found = played(Changed(change))
    assert by_id(found)["hello/0"].outcome == "protocol-error"
    assert exit_of(found) == DIFFERS


def test_readings_that_do_not_exist_leave_nothing_to_judge_by() -> None:
    def change(request: Any, answer: dict[str, Any]) -> dict[str, Any]:
        return {**answer, "readings": {"sweep": "sometimes"}} if request["op"] == "hello" else answer

    found = played(Changed(change))
    assert [(case.id, case.outcome) for case in found.cases] == [("hello/0", "protocol-error")]
    assert found.cases[0].found is not None
    assert "unknown reading of sweep; found sometimes" in found.cases[0].found.message


def test_an_engine_of_no_known_profile_does_not_conform() -> None:
    def change(request: Any, answer: dict[str, Any]) -> dict[str, Any]:
        return {**answer, "profiles": ["bridge"]} if request["op"] == "hello" else answer

    found = played(Changed(change))
    assert exit_of(found) == DIFFERS
    assert [case.id for case in found.cases] == ["hello/0"]


def test_an_engine_that_never_says_hello_ends_with_its_own_code() -> None:
    class Mute:
        def answer(self, _: Any) -> Any:
            raise RuntimeError("no")

    found = played(Mute())
    assert exit_of(found) == NO_HELLO
    assert found.header.hello is None


def test_cases_that_nobody_could_be_asked_are_no_success() -> None:
    case = readings.cases()[0]
    other = Case(case.id, case.layer, case.clauses, case.why, {**case.request, "profile": "ohio-16"})
    sources = suite.Sources(lambda _: [other], lambda _: (), lambda _: iter(()))
    found = played(ReferenceEngine(), Options(level="smoke", selection=Selection((case.id,))), sources)
    assert by_id(found)[case.id].outcome == "unsupported"
    assert exit_of(found) == NOTHING


def test_a_case_that_is_no_request_is_a_fault_of_the_suite() -> None:
    case = readings.cases()[0]
    hands: Any = case.request["hands"]
    broken = {**case.request, "hands": [{**hands[0], "deck": hands[0]["deck"][1:]}]}
    other = Case(case.id, case.layer, case.clauses, case.why, broken)
    sources = suite.Sources(lambda _: [other], lambda _: (), lambda _: iter(()))
    found = played(ReferenceEngine(), Options(level="smoke"), sources)
    assert by_id(found)[case.id].outcome == "suite-error"
    assert exit_of(found) == DIFFERS


# ---------------------------------------------------------------------- dealing, recording


def test_the_deal_is_sent_beside_the_deck_and_may_be_left_to_the_suite() -> None:
    seen: list[Any] = []

    def change(request: Any, answer: dict[str, Any]) -> dict[str, Any]:
        if request["op"] == "hello":
            return {**answer, "deals": False}
        seen.extend(request.get("hands", ()))
        return answer

    found = played(Changed(change))
    assert seen
    assert all({*chain(*hand["dealt"])} < {*hand["deck"]} for hand in seen)
    assert all(hand["upcard"] == hand["deck"][20] for hand in seen)
    row = next(row for row in rows(found) if row.clause == "deal.three-two")
    assert row.standing == "not-covered"
    assert "does not deal" in str(row.why)


def test_recorded_games_are_replayed() -> None:
    def change(request: Any, answer: dict[str, Any]) -> dict[str, Any]:
        for log in answer.get("logs", ()):
            log["hands"][-1]["claims"]["totals"][0] += 1
        return answer

    found = played(Changed(change), Options(level="smoke", selection=Selection(("record",))))
    case = next(case for case in found.cases if case.layer == "record")
    assert case.outcome == "failed"
    assert case.found is not None
    assert "totals[0]" in case.found.message


def test_a_half_played_game_is_no_recorded_game() -> None:
    def change(request: Any, answer: dict[str, Any]) -> dict[str, Any]:
        for log in answer.get("logs", ()):
            del log["claims"], log["hands"][1:], log["hands"][0]["claims"]
            log["hands"][0]["events"] = log["hands"][0]["events"][:1]
        return answer

    found = played(Changed(change), Options(level="smoke", selection=Selection(("record",))))
    assert {case.outcome for case in found.cases if case.layer == "record"} == {"failed"}
