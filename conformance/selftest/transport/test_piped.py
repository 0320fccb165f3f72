"""Whatever a process does wrong, exactly the request concerned fails, in time, and nothing is left of it."""

import os
from pathlib import Path
from time import monotonic

import pytest

from buckspec_conformance.asking import Answer, Failure, Outcome
from buckspec_conformance.piped import Piped
from buckspec_conformance.protocol import Prepared
from buckspec_conformance.trace import Trace
from buckspec_conformance.transport import Limits

from .conftest import Command, living

CHARGED = {
    "dies": ("crashed", "ended"),
    "crashes": ("crashed", "ended"),
    "hangs": ("timeout", "late"),
    "ignores_sigterm": ("timeout", "late"),
    "late": ("timeout", "late"),
    "floods": ("protocol-error", "too-long"),
    "floods_lines": ("protocol-error", "not-json"),
    "floods_stderr": ("timeout", "late"),
    "half_line": ("crashed", "half-line"),
    "half_line_then_hangs": ("timeout", "late"),
    "twice": ("protocol-error", "twice"),
    "closes_stdout": ("protocol-error", "closed-stdout"),
    "child_keeps_the_pipes": ("crashed", "ended"),
    "child_ignores_sigterm": ("crashed", "ended"),
    "garbage": ("protocol-error", "not-json"),
    "prints": ("protocol-error", "not-json"),
    "blank_line": ("protocol-error", "not-json"),
    "wrong_id": ("protocol-error", "wrong-id"),
    "id_of_the_next": ("protocol-error", "wrong-id"),
    "retyped_id": ("protocol-error", "wrong-id"),
    "id_with_a_point": ("protocol-error", "not-json"),
    "no_id": ("protocol-error", "no-id"),
    "latin_1": ("protocol-error", "encoding"),
    "byte_order_mark": ("protocol-error", "encoding"),
    "key_twice": ("protocol-error", "not-json"),
    "not_a_number": ("protocol-error", "not-json"),
    "list": ("protocol-error", "not-json"),
    "unknown_field": ("protocol-error", "shape"),
    "one_step_short": ("protocol-error", "missing"),
    "one_field_short": ("protocol-error", "missing"),
    "one_hand_more": ("protocol-error", "missing"),
    "refused_without_reason": ("protocol-error", "shape"),
    "error": ("crashed", "error"),
    "error_without_id": ("crashed", "error"),
    "unsupported": ("unsupported", "unsupported"),
}
GO_ON = {"unknown_field", "one_step_short", "one_field_short", "one_hand_more", "refused_without_reason"} | {
    "error", "error_without_id", "unsupported",
}  # fmt: skip
"""Faults after which the process need not be started again."""

SLOW = {"ignores_sigterm", "floods_stderr", "half_line_then_hangs"}
"""Ways that take long and are the same whether requests are sent ahead or not."""


def failure(outcome: Outcome) -> Failure:
    assert isinstance(outcome, Failure), outcome
    return outcome


@pytest.mark.parametrize(
    ("way", "ahead"), [(way, ahead) for way in CHARGED for ahead in (False, True) if not (ahead and way in SLOW)]
)
def test_only_the_request_concerned_fails(
    way: str, ahead: bool, bad: Command, limits: Limits, good_one: Prepared, bad_one: Prepared
) -> None:
    requests = [good_one, good_one, bad_one, good_one, good_one]
    began = monotonic()
    with Piped(bad(way), limits) as engine:
        outcomes = list(engine.ask_all(requests) if ahead else map(engine.ask, requests))
        starts = engine.starts
    assert [type(outcome) for outcome in outcomes] == [Answer, Answer, Failure, Answer, Answer], outcomes
    found = failure(outcomes[2])
    assert (found.kind, found.fault) == CHARGED[way], found
    assert starts == (1 if way in GO_ON else 2)
    assert monotonic() - began < 2.5


@pytest.mark.parametrize("way", ["good", "crlf"])
def test_what_is_right_is_an_answer(way: str, bad: Command, limits: Limits, bad_one: Prepared) -> None:
    with Piped(bad(way), limits) as engine:
        outcomes = [engine.ask(bad_one), *engine.ask_all([bad_one] * 200), engine.ask(bad_one)]
    assert all(isinstance(outcome, Answer) for outcome in outcomes)
    assert (engine.starts, engine.remarks) == (1, ())


def test_every_bad_request_is_charged_where_many_are(
    bad: Command, limits: Limits, good_one: Prepared, bad_one: Prepared
) -> None:
    requests = [bad_one if number % 7 == 3 else good_one for number in range(30)]
    for way in ("dies", "garbage", "twice"):
        with Piped(bad(way), limits) as engine:
            wrong = [place for place, outcome in enumerate(engine.ask_all(requests)) if isinstance(outcome, Failure)]
        assert wrong == list(range(3, 30, 7)), way


def test_a_second_answer_that_comes_later_is_charged_to_its_request(
    bad: Command, limits: Limits, good_one: Prepared, bad_one: Prepared
) -> None:
    with Piped(bad("twice_later"), limits) as engine:
        outcomes = list(engine.ask_all([good_one, bad_one, good_one]))
    assert [type(outcome) for outcome in outcomes] == [Answer, Failure, Answer]
    assert failure(outcomes[1]).fault == "twice"


def test_a_second_answer_is_seen_when_asked_again(bad: Command, limits: Limits, bad_one: Prepared) -> None:
    with Piped(bad("twice_later"), limits) as engine:
        assert failure(engine.ask_again(bad_one)).fault == "twice"


def test_standard_error_and_exit_are_told(bad: Command, limits: Limits, bad_one: Prepared) -> None:
    with Piped(bad("dies"), limits) as engine:
        found = failure(engine.ask(bad_one))
        assert "exit code 7" in found.message
        assert "the reason is here" in found.detail
        assert b"the reason is here" in engine.noise
    with Piped(bad("crashes"), limits) as engine:
        assert "SIGSEGV" in failure(engine.ask(bad_one)).message


def test_what_was_received_is_shown(bad: Command, limits: Limits, bad_one: Prepared) -> None:
    with Piped(bad("garbage"), limits) as engine:
        assert failure(engine.ask(bad_one)).received == b"Segmentation fault (core dumped)"
    with Piped(bad("half_line_then_hangs"), limits) as engine:
        assert failure(engine.ask(bad_one)).received.startswith(b'{"id": 2')


def test_standard_error_is_kept_within_its_limit(bad: Command, limits: Limits, bad_one: Prepared) -> None:
    with Piped(bad("floods_stderr_before_each_answer"), limits) as engine:
        outcomes = list(engine.ask_all([bad_one] * 20))
    assert all(isinstance(outcome, Answer) for outcome in outcomes)
    assert 0 < len(engine.noise) <= limits.noise


def test_large_messages_do_not_block_each_other(bad: Command, limits: Limits, bad_one: Prepared) -> None:
    large = Prepared(bad_one.op, bad_one.rest.replace(b"{}", b"{" + b" " * 30000 + b"}", 1), bad_one.shape)
    with Piped(bad("reads_late"), limits) as engine:
        outcomes = list(engine.ask_all([large] * 150))
    assert {failure(outcome).kind for outcome in outcomes} == {"unsupported"}


def test_closing_standard_input_is_found_when_it_is_written_to(
    bad: Command, limits: Limits, good_one: Prepared, bad_one: Prepared
) -> None:
    with Piped(bad("closes_stdin"), limits) as engine:
        outcomes = [engine.ask(one) for one in (good_one, bad_one, good_one, good_one)]
    assert [type(outcome) for outcome in outcomes] == [Answer, Answer, Failure, Answer]
    assert failure(outcomes[2]).fault == "closed-stdin"


def test_ending_after_an_answer_fails_the_next_request(
    bad: Command, limits: Limits, good_one: Prepared, bad_one: Prepared
) -> None:
    with Piped(bad("ends_after_each_answer"), limits) as engine:
        outcomes = [engine.ask(one) for one in (bad_one, good_one, good_one)]
    assert [type(outcome) for outcome in outcomes] == [Answer, Failure, Answer]


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="limits memory on Linux only")
def test_memory_can_be_limited(bad: Command, limits: Limits, bad_one: Prepared) -> None:
    with Piped(bad("eats_memory"), Limits(memory=96 << 20)) as engine:
        assert "exit code 9" in failure(engine.ask(bad_one)).message
    with Piped(bad("eats_memory")) as engine:
        assert isinstance(engine.ask(bad_one), Answer)


# ---------------------------------------------------------------------- asked once more


def test_an_engine_is_asked_again_in_a_new_process(bad: Command, limits: Limits, bad_one: Prepared) -> None:
    with Piped(bad("every_second_wrong"), limits) as engine:
        assert failure(engine.ask(bad_one)).fault == "missing"
        assert isinstance(engine.ask(bad_one), Answer)
        assert failure(engine.ask_again(bad_one)).fault == "missing"  # as the first of a process always is
        assert engine.starts == 2


def test_asking_between_outcomes_disturbs_neither(
    bad: Command, limits: Limits, good_one: Prepared, bad_one: Prepared
) -> None:
    requests = [bad_one if number in (5, 6, 90) else good_one for number in range(150)]
    with Piped(bad("one_step_short"), limits) as engine:
        wrong = []
        for number, outcome in enumerate(engine.ask_all(requests)):
            if isinstance(outcome, Failure):
                wrong.append(number)
                assert failure(engine.ask_again(bad_one)).fault == "missing"
                assert isinstance(engine.ask(good_one), Answer)
                assert len(list(engine.ask_all([good_one] * 3))) == 3
        assert wrong == [5, 6, 90]


# ---------------------------------------------------------------------- the start


@pytest.mark.parametrize(
    ("way", "kind", "fault"),
    [
        ("dies_at_once", "crashed", "ended"),
        ("says_nothing", "timeout", "late"),
        ("banner", "protocol-error", "banner"),
        ("hello_with_error", "crashed", "error"),
        ("hello_of_version_2", "protocol-error", "shape"),
        ("hello_without_reports", "protocol-error", "shape"),
        ("banner_after_hello", "protocol-error", "twice"),
        ("forgets_to_flush", "timeout", "late"),
    ],
)
def test_an_engine_that_cannot_be_greeted_is_started_once(
    way: str, kind: str, fault: str, bad: Command, good_one: Prepared
) -> None:
    with Piped(bad(way), Limits(start=0.4)) as engine:
        found = failure(engine.ask(good_one))
        assert (found.kind, found.fault) == (kind, fault), found
        assert engine.start() == found
        assert list(engine.ask_all([good_one] * 3)) == [found] * 3
        assert (engine.starts, engine.hello) == (1, None)


def test_a_command_that_cannot_be_started(tmp_path: Path, good_one: Prepared) -> None:
    plain = tmp_path / "engine"
    plain.write_text("not a program")
    for command in (["no-such-command-anywhere"], [str(plain)], [str(tmp_path)], []):
        found = failure(Piped(command).ask(good_one))
        assert (found.kind, found.fault) == ("crashed", "absent"), command
        assert "cannot be started" in found.message
    plain.chmod(0o755)
    assert failure(Piped([str(plain)]).ask(good_one)).fault == "absent"


def test_another_answer_to_hello_after_a_restart_is_a_fault_of_its_own(
    bad: Command, limits: Limits, good_one: Prepared, bad_one: Prepared
) -> None:
    with Piped(bad("hello_changes"), limits) as engine:
        outcomes = [engine.ask(one) for one in (good_one, bad_one, good_one, good_one, good_one, good_one)]
        faults = [outcome.fault for outcome in outcomes if isinstance(outcome, Failure)]
        assert faults == ["ended", "changed", "changed", "changed", "changed"]
        assert engine.starts == 1 + 3, "after three failures it is given up"


def test_an_engine_that_does_not_start_again_is_given_up(
    bad: Command, limits: Limits, good_one: Prepared, bad_one: Prepared, tmp_path: Path
) -> None:
    with Piped(bad("starts_only_once", tmp_path / "started"), limits) as engine:
        outcomes = list(engine.ask_all([good_one, bad_one, *[good_one] * 20]))
    assert [type(outcome) for outcome in outcomes] == [Answer] + [Failure] * 21
    assert engine.starts == 1 + 3


# ---------------------------------------------------------------------- the end


def test_the_end_is_remarked_on(bad: Command, limits: Limits, good_one: Prepared) -> None:
    for way, word in (("stays", "did not end"), ("answers_bye", "after its last answer"), ("good", "")):
        engine = Piped(bad(way), limits)
        engine.ask(good_one)
        engine.close()
        engine.close()
        assert len(engine.remarks) == bool(word)
        assert word in "".join(engine.remarks)


def test_nothing_lives_on_after_an_exception_or_a_break(
    bad: Command, mark: str, limits: Limits, good_one: Prepared
) -> None:
    def fails() -> None:
        with Piped(bad("stays"), limits) as engine:
            engine.ask(good_one)
            assert len(living(mark)) == 1
            raise KeyError

    with pytest.raises(KeyError):
        fails()
    assert living(mark) == []
    with Piped(bad("good"), limits) as engine:
        for _ in engine.ask_all([good_one] * 100):
            break
        assert isinstance(engine.ask(good_one), Answer), "what was still to come is not taken for an answer"


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="this system does not let a thread choose its cores")
def test_the_cores_of_the_asking_thread_are_given_back(bad: Command, limits: Limits, good_one: Prepared) -> None:
    before = os.sched_getaffinity(0)
    with Piped(bad("good"), limits) as engine:
        engine.ask(good_one)
        assert len(os.sched_getaffinity(0)) == 1
    assert os.sched_getaffinity(0) == before
    with Piped(bad("good"), limits, pin=False) as engine:
        engine.ask(good_one)
        assert os.sched_getaffinity(0) == before


def test_everything_said_is_in_the_trace(
    bad: Command, limits: Limits, good_one: Prepared, bad_one: Prepared, tmp_path: Path
) -> None:
    file = tmp_path / "trace"
    trace = Trace(file)
    with Piped(bad("dies"), limits, trace=trace) as engine:
        list(engine.ask_all([good_one, bad_one, good_one]))
    trace.close()
    said = [line.split(" ", 3) for line in file.read_text().splitlines()]
    assert all(float(seconds) >= 0 for seconds, *_ in said)
    first = said[0][1]
    kinds = "".join(direction for _, process, direction, _ in said if process == first)
    assert kinds.startswith("#><>>>")
    assert [text for _, _, direction, text in said if direction == "!"] == ["the reason is here"]
    assert {line.encode() + b"\n" for _, _, direction, line in said if direction == ">"} >= {good_one.line(2)}
    assert any("exit code 7" in text for _, _, direction, text in said if direction == "#")
    assert len({process for _, process, _, _ in said}) == 2
