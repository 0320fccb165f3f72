"""An engine that is a Python object: in this process, over pipes, and several at once."""

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from buckspec_conformance import engine as adapter_module
from buckspec_conformance.asking import Answer, Failure, Transport
from buckspec_conformance.doctor import examine
from buckspec_conformance.engine import CannotHonour, Engine
from buckspec_conformance.in_process import InProcess
from buckspec_conformance.messages import LONGEST
from buckspec_conformance.piped import Piped
from buckspec_conformance.pool import Pool, one_at_a_time, sent_ahead
from buckspec_conformance.protocol import Prepared, prepare
from buckspec_conformance.transport import Limits

from .conftest import Command

OBJECT = '''
HELLO = {
    "protocol": 1, "engine": {"name": "object", "version": "1", "language": "Python"}, "profiles": ["ohio"],
    "readings": {}, "choices": {}, "operations": ["play"], "reports": ["turn"],
}


class Object:
    """A right answer as to form; its profile says what it does otherwise."""

    def answer(self, request):
        if request["op"] == "hello":
            return HELLO
        if request["op"] == "bye":
            raise RuntimeError("bye is not looked at")
        match request["profile"]:
            case "raise":
                raise IndexError("list index out of range")
            case "exit":
                raise SystemExit(3)
            case "cannot":
                raise CannotHonour("no such profile")
            case "no-answer":
                return None
            case "no-json":
                return {"hands": [object()]}
            case "wrong-id":
                return {"id": 1, "hands": []}
            case "prints":
                print("thinking")
            case "changes":
                request["hands"].clear()
                return {"hands": [{"steps": ({"turn": 0}, *[{"accepted": True, "turn": 0}] * 2)}]}
            case profile if profile != "ohio":
                return {"unsupported": f"the profile {profile}"}
        hands = [[{"accepted": False, "reason": "no", "turn": 0} for _ in hand["events"]] for hand in request["hands"]]
        return {"hands": [{"steps": [{"turn": 0}, *steps]} for steps in hands]}
'''
FAILURES = {
    "raise": ("crashed", "IndexError: list index out of range"),
    "exit": ("crashed", "SystemExit: 3"),
    "cannot": ("unsupported", "no such profile"),
    "no-answer": ("crashed", "TypeError"),
    "no-json": ("crashed", "TypeError"),
    "wrong-id": ("protocol-error", "found 1 as id"),
    "other": ("unsupported", "the profile other"),
}
RIGHT = ("ohio", "prints", "changes")


def new_object() -> Engine:
    scope: dict[str, Any] = {"CannotHonour": CannotHonour}
    exec(OBJECT, scope)  # noqa: S102 - the text stands above
    engine: Engine = scope["Object"]()
    return engine


@pytest.fixture
def served(tmp_path: Path, mark: str) -> list[str]:
    """The command of the same object, served over pipes by an adapter of three lines."""
    (tmp_path / "my_engine.py").write_text("from buckspec_conformance.engine import CannotHonour\n" + OBJECT)
    adapter = tmp_path / "adapter.py"
    adapter.write_text("from buckspec_conformance.engine import serve\nfrom my_engine import Object\nserve(Object())\n")
    return [sys.executable, str(adapter), mark]


def check(transport: Transport, sample: dict[str, Any]) -> None:
    """It does what its profile says, and what goes wrong is charged where it belongs."""
    requests = {name: prepare({**sample, "profile": name}) for name in (*RIGHT, *FAILURES)}
    mixed = [name for pair in zip(FAILURES, [*RIGHT] * 3, strict=False) for name in pair]
    for name, outcome in zip(mixed, transport.ask_all([requests[name] for name in mixed]), strict=True):
        if name in RIGHT:
            assert isinstance(outcome, Answer), (name, outcome)
            assert outcome.seconds >= 0
            assert outcome == Answer(outcome.message, outcome.seconds)
        else:
            kind, text = FAILURES[name]
            assert isinstance(outcome, Failure), name
            assert (outcome.kind, text in outcome.message) == (kind, True), outcome
            again = transport.ask_again(requests[name])
            assert isinstance(again, Failure)
            assert again.kind == kind


def test_an_object_is_asked_in_this_process(sample: dict[str, Any]) -> None:
    transport = InProcess(new_object())
    hello = transport.start()
    assert hello is transport.hello is transport.start()
    check(transport, sample)
    failed = transport.ask(prepare({**sample, "profile": "raise"}))
    assert isinstance(failed, Failure)
    assert 'raise IndexError("list index' in failed.detail or "in answer" in failed.detail
    transport.close()
    transport.close()


def test_the_same_object_is_asked_over_pipes(served: list[str], sample: dict[str, Any]) -> None:
    with Piped(served, Limits(answer=5.0)) as engine:
        check(engine, sample)
    assert engine.remarks == ()
    assert b"thinking" in engine.noise, "what it prints goes to standard error"
    assert b"IndexError: list index out of range" in engine.noise


def test_an_object_that_is_served_is_a_good_adapter(served: list[str], sample: dict[str, Any]) -> None:
    found = examine(served, Limits(answer=5.0, ahead=4), {**sample, "profile": "ohio"})
    assert [finding for finding in found if finding.level != "info"] == []


def test_what_is_no_request_is_answered_with_an_error(served: list[str]) -> None:
    given = b'[]\nnot json\n\n{"id":4,"op":"hello"}'
    done = subprocess.run(served, input=given, capture_output=True, check=True)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert ["error" in answer for answer in answers] == [True, True, False]
    assert answers[2]["id"] == 4


def test_a_long_text_is_cut_to_what_an_answer_may_hold(served: list[str]) -> None:
    assert adapter_module._LONGEST == LONGEST
    assert len(adapter_module.named(KeyError("x" * 2 * LONGEST))) == LONGEST


def test_serving_needs_nothing_of_the_rules() -> None:
    """An adapter in Python starts in a fraction of the time that the rule book takes to load."""
    program = "import sys, buckspec_conformance.engine; print('buckspec' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_an_object_that_cannot_be_greeted() -> None:
    class Silent:
        def answer(self, request: Mapping[str, object]) -> Mapping[str, object]:
            raise LookupError(request["op"])

    transport = InProcess(Silent())
    found = transport.start()
    assert isinstance(found, Failure)
    assert (found.kind, found.message) == ("crashed", "LookupError: hello")
    assert transport.ask(Prepared("play", b"")) == found
    assert list(transport.ask_all([Prepared("play", b"")] * 2)) == [found] * 2


# ---------------------------------------------------------------------- several at once


@pytest.mark.parametrize("jobs", [1, 3])
def test_outcomes_of_several_processes_come_in_order(
    jobs: int, bad: Command, limits: Limits, good_one: Prepared, sample: dict[str, Any]
) -> None:
    other = prepare({**sample, "profile": "other"})
    dies = prepare(sample)
    requests = [dies if number == 70 else other if number % 3 else good_one for number in range(150)]
    with Pool(lambda: Piped(bad("dies"), limits, pin=False), jobs) as pool:
        assert pool.start() == pool.hello
        outcomes = list(pool.ask_all(iter(requests)))
        assert isinstance(pool.ask(good_one), Answer)
        assert isinstance(pool.ask_again(dies), Failure)
    kinds = [outcome.kind if isinstance(outcome, Failure) else "" for outcome in outcomes]
    assert kinds == ["crashed" if number == 70 else "unsupported" if number % 3 else "" for number in range(150)]


def test_a_pool_ends_early_and_passes_on_what_is_raised(bad: Command, limits: Limits, good_one: Prepared) -> None:
    with Pool(lambda: Piped(bad("good"), limits, pin=False), 2) as pool:
        for _ in pool.ask_all([good_one] * 500):
            break
        assert isinstance(pool.ask(good_one), Answer)
        with pytest.raises(ZeroDivisionError):
            list(pool.ask_all(good_one for number in range(9) if 1 // (7 - number)))


def test_a_pool_that_cannot_start(bad: Command, good_one: Prepared) -> None:
    with Pool(lambda: Piped(bad("dies_at_once")), 2) as pool:
        assert isinstance(pool.start(), Failure)
        assert [type(outcome) for outcome in pool.ask_all([good_one] * 3)] == [Failure] * 3
    with Pool(lambda: Piped(bad("hello_changes"), pin=False), 2) as pool:
        found = pool.start()
        assert isinstance(found, Failure)
        assert found.fault == "changed"


def test_the_pace_is_measured(bad: Command, limits: Limits, good_one: Prepared, bad_one: Prepared) -> None:
    with Piped(bad("dies"), limits) as engine:
        assert one_at_a_time(engine, good_one, 20) > 0
        assert sent_ahead(engine, good_one, 20) > 0
        with pytest.raises(RuntimeError, match="crashed"):
            sent_ahead(engine, bad_one, 2)
