"""How an engine is asked a case, and how what it says is told."""

from buckspec_conformance import readings
from buckspec_conformance.asking import Answer, Failure
from buckspec_conformance.case import Case
from buckspec_conformance.in_process import InProcess
from buckspec_conformance.plan import Plan, Planner, Unasked
from buckspec_conformance.reference_engine import ReferenceEngine
from buckspec_conformance.telling import as_json


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


def test_an_answer_of_the_reference_is_valid() -> None:
    transport = InProcess(ReferenceEngine())
    hello = transport.start()
    assert not isinstance(hello, Failure)
    plan = Planner(hello).plan(readings.cases()[0])
    assert isinstance(plan, Plan)
    assert isinstance(transport.ask(plan.prepared), Answer)


def test_values_are_told_as_a_log_writes_them() -> None:
    events = frozenset({(("card", "AC"), ("do", "play"), ("seat", 1)), (("do", "pass"), ("seat", 0))})
    assert as_json(events) == [{"card": "AC", "do": "play", "seat": 1}, {"do": "pass", "seat": 0}]
    assert as_json((("AC", "KC"), ("9H", "9S"))) == [["AC", "KC"], ["9H", "9S"]]
    assert as_json([frozenset({"KC", "AC"})]) == [["AC", "KC"]]
