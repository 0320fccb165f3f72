"""What is asked of an engine: what was chosen, in what order, and until when."""

from itertools import cycle, pairwise
from typing import Any

import pytest
from conftest import SMALL, Changed, by_id, exit_of, played

from buckspec_conformance import readings, suite
from buckspec_conformance.baseline import Baseline, Entry
from buckspec_conformance.case import Case
from buckspec_conformance.in_process import InProcess
from buckspec_conformance.reference_engine import ReferenceEngine
from buckspec_conformance.runner import DIFFERS, INTERRUPTED, NOTHING, Options, run
from buckspec_conformance.select import NothingSelected, Selection
from buckspec_conformance.stream import Run, run_of


def test_only_what_is_chosen_is_asked() -> None:
    found = played(ReferenceEngine(), Options(level="smoke", selection=Selection(("play.maker-leads",))))
    assert [case.id for case in found.cases if case.layer == "vector"] == ["reading/first-lead/first-active.maker"]
    found = played(ReferenceEngine(), Options(level="smoke", selection=Selection(("reading/s*",))))
    assert all(case.id.startswith("reading/s") for case in found.cases if case.layer == "vector")


@pytest.mark.parametrize(
    ("word", "told"),
    [
        ("play.maker-lead", "nothing is called play.maker-lead; did you mean play.maker-leads?"),
        ("aucton", "nothing is called aucton; did you mean auction?"),
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


def _declining(*words: str) -> Changed:
    """An engine that declines all games, in these words by turns."""
    turns = cycle(words)
    return Changed(lambda request, answer: {"unsupported": next(turns)} if request["op"] == "play" else answer)


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_engine_that_declines_all_in_the_same_words_is_not_asked_everything(jobs: int) -> None:
    found = run_of(run(lambda: InProcess(_declining("not yet")), Options(level="smoke", jobs=jobs), SMALL))
    assert found.footer is not None
    assert (found.footer.stopped, exit_of(found)) == ("declined", DIFFERS)
    said = [case.found.message for case in found.cases if case.outcome == "protocol-error" and case.found]
    assert len(said) == 25 < len(readings.cases())
    assert said == ["hello promises an answer to this, but: not yet"] * 25


def test_known_declines_are_no_success() -> None:
    known = Baseline([Entry(case.id, "protocol-error") for case in readings.cases()])
    assert exit_of(played(_declining("not yet"), Options(level="smoke", baseline=known))) == DIFFERS


def test_an_engine_that_declines_for_several_reasons_is_asked_on() -> None:
    found = played(_declining("not yet", "never"))
    assert found.footer is not None
    assert found.footer.stopped is None
    assert {case.id for case in found.cases} >= {case.id for case in readings.cases()}


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
