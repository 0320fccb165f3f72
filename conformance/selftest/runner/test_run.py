"""A run: what is asked, what comes of it, and with which code it ends."""

from collections.abc import Iterator
from itertools import chain, pairwise
from typing import Any

import pytest
from conftest import SMALL, Changed, played
from msgspec import json

from buckspec.formats.validate import problems
from buckspec_conformance import readings, suite
from buckspec_conformance.asking import Answer, Failure
from buckspec_conformance.baseline import Baseline, Entry
from buckspec_conformance.case import Case
from buckspec_conformance.in_process import InProcess
from buckspec_conformance.plan import Plan, Planner, Unasked
from buckspec_conformance.reference_engine import ReferenceEngine
from buckspec_conformance.runner import CONFORMS, DIFFERS, INTERRUPTED, NO_HELLO, NOTHING, Options, run
from buckspec_conformance.select import NothingSelected, Selection
from buckspec_conformance.stream import CaseRecord, Footer, Header, Run, line_of, run_of
from buckspec_conformance.table import failures, rows
from buckspec_conformance.telling import as_json


def exit_of(found: Run) -> int:
    assert found.footer is not None
    return found.footer.exit


def by_id(found: Run) -> dict[str, CaseRecord]:
    return {case.id: case for case in found.cases}


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


# ---------------------------------------------------------------------- what is asked


def test_only_what_is_chosen_is_asked() -> None:
    found = played(ReferenceEngine(), Options(level="smoke", selection=Selection(("play.maker-leads",))))
    assert [case.id for case in found.cases if case.layer == "vector"] == ["reading/first-lead/first-active.maker"]
    found = played(ReferenceEngine(), Options(level="smoke", selection=Selection(("reading/s*",))))
    assert all(case.id.startswith("reading/s") for case in found.cases if case.layer == "vector")


@pytest.mark.parametrize(
    ("word", "told"),
    [
        ("play.maker-lead", "nothing is called play.maker-lead; did you mean play.maker-leads?"),
        ("flow.over", "no case of this level tests flow.over; try a higher level"),
    ],
)
def test_a_word_that_selects_nothing_is_an_error_that_helps(word: str, told: str) -> None:
    with pytest.raises(NothingSelected) as raised:
        played(ReferenceEngine(), Options(level="smoke", selection=Selection((word,))))
    assert str(raised.value) == told


def test_the_time_can_be_limited() -> None:
    found = played(ReferenceEngine(), Options(level="smoke", max_time=0.0))
    assert found.footer is not None
    assert found.footer.stopped == "max-time"
    assert exit_of(found) == NOTHING


def test_an_interrupted_run_tells_what_it_has() -> None:
    class Stopped(ReferenceEngine):
        asked = 0

        def answer(self, request: Any) -> Any:
            self.asked += request["op"] == "play"
            if self.asked == 4 and request["op"] == "play":
                raise KeyboardInterrupt
            return super().answer(request)

    found = played(Stopped())
    assert exit_of(found) == INTERRUPTED
    assert len([case for case in found.cases if case.layer == "vector"]) == 3


def test_two_equal_requests_do_not_follow_each_other() -> None:
    asked: list[Any] = []

    def change(request: Any, answer: dict[str, Any]) -> dict[str, Any]:
        asked.append({name: value for name, value in request.items() if name != "id"})
        return answer

    played(Changed(change))
    assert all(one != other for one, other in pairwise(asked))


def test_several_processes_find_the_same(right: Run) -> None:
    engine = lambda: InProcess(ReferenceEngine())  # noqa: E731
    found = run_of(run(engine, Options(level="smoke", jobs=2), SMALL))
    assert {case.id: case.outcome for case in found.cases} == {case.id: case.outcome for case in right.cases}


def test_a_property_is_asked_and_its_failure_is_told() -> None:
    case = readings.cases()[0]

    class Always:
        id, clauses, why, tags = "property/always", ("play.follow",), "It always holds.", ("property",)

        def search(self, ask: suite.Ask, *_: int) -> Any:
            found = ask(Case(self.id, "property", self.clauses, self.why, case.request))
            return None if found.outcome == "passed" else found

    sources = suite.Sources(lambda _: (), lambda _: [Always()], lambda _: iter(()))
    options = Options(level="standard", selection=Selection(("property",)))
    found = by_id(played(ReferenceEngine(), options, sources))["property/always"]
    assert found.outcome == "passed"
    assert found.cases == 1
    wrong = Changed(lambda request, answer: {"error": "no"} if request["op"] == "play" else answer)
    failed = by_id(played(wrong, options, sources))["property/always"]
    assert failed.outcome == "crashed"
    assert failed.earned == ()


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


# ---------------------------------------------------------------------- invariants


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


# ---------------------------------------------------------------------- known failures


def test_known_failures_do_not_fail_a_run_and_are_strict() -> None:
    engine = ReferenceEngine({"below-zero": "cut"}, declares=False)
    name = "reading/below-zero/kept.cut"
    selection = Selection((name,))

    def with_known(*entries: Entry) -> Run:
        return played(engine, Options(level="smoke", selection=selection, baseline=Baseline(entries)))

    assert exit_of(with_known()) == DIFFERS
    known = with_known(Entry(name, "failed", "we cut"))
    assert exit_of(known) == CONFORMS
    assert (by_id(known)[name].outcome, by_id(known)[name].because) == ("known-failure", "we cut")
    assert exit_of(with_known(Entry(name, "crashed"))) == DIFFERS
    fine = played(
        ReferenceEngine(), Options(level="smoke", selection=selection, baseline=Baseline([Entry(name, "failed")]))
    )
    assert by_id(fine)[name].outcome == "stale-known-failure"
    assert exit_of(fine) == DIFFERS
    stale = with_known(Entry(name, "failed"), Entry("score.totals", "failed"))
    assert by_id(stale)["known/score.totals"].outcome == "stale-known-failure"
    unused = with_known(Entry(name, "failed"), Entry("play.folow", "failed"))
    assert unused.footer is not None
    assert unused.footer.unused == ("play.folow",)


# ---------------------------------------------------------------------- plans


def test_a_reading_that_is_not_offered_is_not_asked_for() -> None:
    hello = InProcess(ReferenceEngine({"sweep": "never"}, declares=False)).start()
    assert not isinstance(hello, Failure)
    planner = Planner(hello)
    case = readings.cases()[0]
    asked = Case(case.id, case.layer, case.clauses, case.why, {**case.request, "readings": {"sweep": "maker"}})
    found = planner.plan(asked)
    assert isinstance(found, Unasked)
    assert found.why == "hello does not offer the reading maker of sweep"
    assert isinstance(planner.plan(case), Plan)


def _records() -> Iterator[Any]:
    yield Header(format="buckspec-run/1", time="", spec="", formats={}, level="smoke", seed=0, command=())
    yield Footer(counts={}, exit=0, seconds=0.0)


def test_values_are_told_as_a_log_writes_them() -> None:
    events = frozenset({(("card", "AC"), ("do", "play"), ("seat", 1)), (("do", "pass"), ("seat", 0))})
    assert as_json(events) == [{"card": "AC", "do": "play", "seat": 1}, {"do": "pass", "seat": 0}]
    assert as_json((("AC", "KC"), ("9H", "9S"))) == [["AC", "KC"], ["9H", "9S"]]
    assert as_json([frozenset({"KC", "AC"})]) == [["AC", "KC"]]


def test_a_run_needs_its_header() -> None:
    assert run_of(_records()).footer is not None
    with pytest.raises(ValueError, match="no header"):
        run_of(list(_records())[1:])


def test_an_answer_of_the_reference_is_valid() -> None:
    transport = InProcess(ReferenceEngine())
    hello = transport.start()
    assert not isinstance(hello, Failure)
    plan = Planner(hello).plan(readings.cases()[0])
    assert isinstance(plan, Plan)
    assert isinstance(transport.ask(plan.prepared), Answer)
