"""The search finds what an engine does otherwise, makes it small, and says the same each time."""

from collections.abc import Callable, Mapping
from pathlib import Path
from time import monotonic
from typing import Any

import pytest

from buckspec import Source, load_profile, replay
from buckspec.formats.game_log import from_value
from buckspec.rules import Rules
from buckspec_conformance.asking import Failure
from buckspec_conformance.case import Case, Result
from buckspec_conformance.engine import CannotHonour
from buckspec_conformance.properties import PROPERTIES, Property, properties
from buckspec_conformance.reference_engine import ReferenceEngine
from buckspec_conformance.requesting import hands_of, log_of
from buckspec_conformance.search import PropertyResult, search

from .conftest import Asked, Changed

BY_ID = {one.id: one for one in PROPERTIES}
WHOLE = BY_ID["whole-games"]


def events(result: Result) -> int:
    return sum(len(hand["events"]) for hand in hands_of(result.case.request))


def same(_: Mapping[str, Any], found: dict[str, Any]) -> dict[str, Any]:
    return found


@pytest.mark.parametrize("searched", PROPERTIES, ids=lambda one: one.id)
def test_the_reference_has_every_property(rules: Rules, asked: Asked, searched: Property) -> None:
    found = search(searched, rules, asked(ReferenceEngine()), 1, searched.examples["smoke"] + 2)
    assert (found.failing, found.is_flaky, found.stopped) == (None, False, "done")
    assert found.examples == searched.examples["smoke"] + 2
    assert found.requests >= found.examples
    assert found.hands
    assert found.steps
    assert found.clauses
    assert sum(found.clauses.values()) >= found.traced


@pytest.mark.parametrize(
    ("readings", "most"),
    [
        ({"sweep": "never"}, 11),
        ({"pick-up": "after-decisions"}, 4),
        pytest.param({"turned-club": "auctioned"}, 0, marks=pytest.mark.slow),
        pytest.param({"below-zero": "cut"}, 30, marks=pytest.mark.slow),
        pytest.param({"several": "first-seat"}, 30, marks=pytest.mark.slow),
    ],
)
def test_another_reading_is_found_and_small(rules: Rules, asked: Asked, readings: dict[str, str], most: int) -> None:
    found = search(WHOLE, rules, asked(ReferenceEngine(readings, declares=False)), 1, 150)
    assert found.failing is not None
    assert found.stopped == "failed"
    assert not found.is_flaky
    assert len(hands_of(found.failing.case.request)) == 1
    assert events(found.failing) <= most
    difference = found.failing.difference
    assert difference is not None
    assert difference.step == events(found.failing), "the request ends with the step that differs"
    log = log_of(rules, found.failing.case.request, difference.hand, difference.step)
    assert replay(from_value(log), rules, Source("found")).word in ("legal", "incomplete")


def test_the_same_seed_asks_the_same(rules: Rules, asked: Asked) -> None:
    ask = asked(ReferenceEngine())

    def requests(seed: int) -> list[Mapping[str, object]]:
        found: list[Mapping[str, object]] = []

        def noted(case: Case) -> Result:
            found.append(case.request)
            return ask(case)

        search(WHOLE, rules, noted, seed, 8)
        return found

    assert requests(3) == requests(3)
    assert requests(3) != requests(4)


def test_what_is_found_is_the_same_each_time(rules: Rules, asked: Asked) -> None:
    ask = asked(ReferenceEngine({"sweep": "never"}, declares=False))
    found = [search(WHOLE, rules, ask, 5, 100).failing for _ in range(2)]
    assert found[0] is not None
    assert found[1] is not None
    assert found[0].case == found[1].case


# ---------------------------------------------------------------------- engines that go wrong in other ways


def accept_next(request: Mapping[str, Any], found: dict[str, Any]) -> dict[str, Any]:
    """Takes every second refusal back."""
    steps = [step for hand in found["hands"] for step in hand["steps"] if step.get("accepted") is False]
    for step in steps[1::2]:
        step["accepted"] = True
    return found


def test_what_is_accepted_wrongly_is_found(rules: Rules, asked: Asked) -> None:
    found = search(BY_ID["every-near-legal-event"], rules, asked(Changed(accept_next)), 1, 20)
    assert found.failing is not None
    difference = found.failing.difference
    assert difference is not None
    assert (difference.field, difference.actual) == ("accepted", True)
    assert events(found.failing) <= 4


def crash(request: Mapping[str, Any], found: dict[str, Any]) -> dict[str, Any]:
    if any(event["do"] == "name" for hand in request["hands"] for event in hand["events"]):
        raise RuntimeError("no second round here")
    return found


def test_a_crash_is_made_small_without_a_step_to_go_by(rules: Rules, asked: Asked) -> None:
    found = search(WHOLE, rules, asked(Changed(crash)), 1, 100)
    assert found.failing is not None
    assert found.failing.outcome == "crashed"
    assert [event["do"] for event in hands_of(found.failing.case.request)[0]["events"]][-1:] == ["name"]
    assert events(found.failing) <= 8


def test_an_engine_that_errs_now_and_then_is_flaky(rules: Rules, asked: Asked) -> None:
    count = 0

    def sometimes(request: Mapping[str, Any], found: dict[str, Any]) -> dict[str, Any]:
        nonlocal count
        count += 1
        if count == 5:
            found["hands"][0]["steps"][0]["totals"] = [9, 9, 9, 9]
        return found

    found = search(WHOLE, rules, asked(Changed(sometimes)), 1, 20)
    assert found.failing is not None
    assert (found.failing.outcome, found.is_flaky) == ("flaky", True)


def test_an_engine_that_declines_ends_the_search(rules: Rules, asked: Asked) -> None:
    def decline(request: Mapping[str, Any], found: dict[str, Any]) -> dict[str, Any]:
        raise CannotHonour("not today")

    found = search(WHOLE, rules, asked(Changed(decline)), 1, 50)
    assert found.stopped == "unsupported"
    assert found.failing is not None
    assert found.failing.outcome == "unsupported"
    assert found.examples == 1


def test_nothing_is_asked_after_the_deadline(rules: Rules, asked: Asked) -> None:
    late = search(WHOLE, rules, asked(ReferenceEngine()), 1, 50, monotonic() - 1)
    assert (late.stopped, late.requests, late.failing) == ("deadline", 0, None)
    soon = search(WHOLE, rules, asked(ReferenceEngine()), 1, 100_000, monotonic() + 0.3)
    assert soon.stopped == "deadline"
    assert soon.seconds < 3


def test_a_failure_survives_the_deadline(rules: Rules, asked: Asked) -> None:
    ask = asked(ReferenceEngine({"sweep": "never"}, declares=False))

    def slow(case: Case) -> Result:
        found = ask(case)
        nonlocal until
        if found.outcome != "passed":
            until[0] = 0.0
        return found

    until = [monotonic() + 60]

    class Deadline(float):
        def __lt__(self, other: object) -> bool:
            return bool(until[0] < other)  # type: ignore[operator]

    found = search(WHOLE, rules, slow, 1, 100, Deadline())
    assert found.failing is not None
    assert found.stopped == "failed"


def test_what_the_asking_raises_comes_out(rules: Rules) -> None:
    def broken(case: Case) -> Result:
        raise OSError("the cable")

    with pytest.raises(OSError, match="the cable"):
        search(WHOLE, rules, broken, 1, 5)


def test_timeouts_are_not_asked_for_ever(rules: Rules) -> None:
    count = 0

    def silent(case: Case) -> Result:
        nonlocal count
        count += 1
        return Result(case, "timeout", failure=Failure("timeout", "no answer"))

    found = search(WHOLE, rules, silent, 1, 50)
    assert found.failing is not None
    assert found.failing.outcome == "timeout"
    assert count <= 90


# ---------------------------------------------------------------------- two answers against each other


def seat_in_points(request: Mapping[str, Any], found: dict[str, Any]) -> dict[str, Any]:
    """Tells points that depend on who deals: only a comparison of two answers shows it where points are not judged."""
    dealer = request["hands"][0]["dealer"]
    for hand in found["hands"]:
        for step in hand["steps"]:
            if "points" in step:
                step["points"] = [dealer] * 4
    return found


def test_pairs_are_compared_where_fields_are_not_judged(rules: Rules, asked: Asked) -> None:
    ask = asked(Changed(seat_in_points), judged=frozenset({"turn", "totals"}))
    assert search(WHOLE, rules, ask, 1, 5).failing is None
    found = search(BY_ID["rotated-seats"], rules, ask, 1, 5).failing
    assert found is not None
    assert found.difference is not None
    assert found.difference.field == "points"


def count_hands() -> Callable[[Mapping[str, Any], dict[str, Any]], dict[str, Any]]:
    def change(request: Mapping[str, Any], found: dict[str, Any]) -> dict[str, Any]:
        for number, hand in enumerate(found["hands"]):
            for step in hand["steps"]:
                if "points" in step:
                    step["points"] = [number] * 4
        return found

    return change


def test_a_hand_is_compared_with_itself_after_others(rules: Rules, asked: Asked) -> None:
    ask = asked(Changed(count_hands()), judged=frozenset({"turn"}))
    found = search(BY_ID["repeated-hand"], rules, ask, 1, 30).failing
    assert found is not None
    assert found.difference is not None
    assert (found.difference.field, found.difference.actual) == ("points", [0] * 4)


# ---------------------------------------------------------------------- as a source of the suite


def test_the_suite_is_given_properties_by_rules(rules: Rules, asked: Asked) -> None:
    found = properties(rules)
    assert [one.id for one in found] == [f"property/{one.id}" for one in PROPERTIES]
    assert all(
        {"play.follow", "score.set"} <= set(one.clauses) and "stay.clubs-bind-all" not in one.clauses for one in found
    )
    assert found[0].search(asked(ReferenceEngine()), 1, 2) is None
    bad = found[0].search(asked(ReferenceEngine({"sweep": "never"}, declares=False)), 1, 100)
    assert bad is not None
    assert bad.case.id == found[0].id


def test_a_property_without_examples_by_these_rules_is_not_asked() -> None:
    rules = load_profile("ohio", {}, {"named-clubs": "nobody-drops"})
    assert len(properties(rules)) == len(PROPERTIES)
    none = Property("nothing", (), "Nothing can be drawn.", lambda _: None, {"standard": 5})
    found = search(none, rules, lambda case: Result(case, "failed"), 1, 5)
    assert (found.stopped, found.examples) == ("nothing to draw", 0)


def test_nothing_is_printed_and_no_folder_is_left(
    rules: Rules, asked: Asked, capfd: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    ask = asked(ReferenceEngine({"sweep": "never"}, declares=False))
    found: list[PropertyResult] = [search(one, rules, ask, 1, 30) for one in PROPERTIES[:3]]
    assert any(one.failing for one in found)
    assert capfd.readouterr() == ("", "")
    assert not list(tmp_path.iterdir())
