"""Each fault of an adapter is found by its name, and the good one is left alone."""

from typing import Any

import pytest

from buckspec_conformance.doctor import examine
from buckspec_conformance.finding import Finding
from buckspec_conformance.transport import Limits

from .conftest import Command

FOUND = {
    "good": {},
    "dies_at_once": {"ended": "fault", "noise": "info"},
    "says_nothing": {"late": "fault"},
    "banner": {"banner": "fault"},
    "hello_with_error": {"shape": "fault"},
    "hello_changes": {"changed": "fault", "ended": "fault", "noise": "info"},
    "forgets_to_flush": {"no-flush": "fault"},
    "dies": {"ended": "fault", "noise": "info"},
    "half_line_then_hangs": {"half-line": "fault"},
    "garbage": {"not-json": "fault"},
    "byte_order_mark": {"encoding": "fault"},
    "latin_1": {"encoding": "fault"},
    "crlf": {"crlf": "warning"},
    "retyped_id": {"wrong-id": "fault"},
    "one_step_short": {"missing": "fault"},
    "wrong_after_another": {"keeps-state": "fault"},
    "last_first": {"out-of-order": "fault"},
    "half_read": {"half-read": "fault"},
    "short_lines": {"ended": "fault", "noise": "info"},
    "accepts_everything": {"nonsense-accepted": "fault"},
    "refuses_by_error": {"nonsense-error": "fault"},
    "refuses_by_exception": {"exception-as-refusal": "warning"},
    "plays_any_profile": {"unknown-profile": "fault"},
    "answers_bye": {"after-bye": "warning"},
    "stays": {"stays": "fault"},
    "talks_to_stderr": {"noise": "info"},
}


def found(way: str, bad: Command, sample: dict[str, Any]) -> list[Finding]:
    start = 0.3 if FOUND[way].keys() & {"late", "no-flush"} else 2.0  # those that never start are not waited for long
    limits = Limits(answer=0.3, start=start, stop=0.3, ahead=4)
    return examine(bad(way), limits, sample)


@pytest.mark.parametrize("way", FOUND)
def test_a_fault_is_found_by_its_name(way: str, bad: Command, sample: dict[str, Any]) -> None:
    findings = found(way, bad, sample)
    assert {finding.fault: finding.level for finding in findings} == FOUND[way], findings
    for finding in findings:
        assert finding.what
        assert finding.todo


def test_a_slow_start_is_worth_a_word(bad: Command, sample: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("buckspec_conformance.doctor._SLOW", 0.0)
    assert [(finding.fault, finding.level) for finding in found("good", bad, sample)] == [("slow-start", "info")]


def test_an_answer_of_many_lines_is_no_banner(bad: Command, sample: dict[str, Any]) -> None:
    first = examine(bad("many_lines"), Limits(answer=0.3, start=2.0, stop=0.3), sample)[0]
    assert first.todo == "write each answer in one line, without line ends in it", first


def test_only_what_was_written_to_standard_error_is_announced(bad: Command, sample: dict[str, Any]) -> None:
    limits = Limits(answer=0.3, start=2.0, stop=0.3)
    silent, noisy = (examine(command, limits, sample)[0] for command in (["true"], bad("dies_at_once")))
    assert (silent.fault, noisy.fault) == ("ended", "ended")
    assert "shown below" not in silent.todo
    assert "shown below" in noisy.todo


def test_the_bytes_are_shown_escaped_and_shortened(bad: Command, sample: dict[str, Any]) -> None:
    (finding,) = found("latin_1", bad, sample)
    assert r"se\xf1or" in finding.received
    assert " bytes … " in finding.sent
    assert finding.sent.endswith(r"\n")
    (finding,) = found("crlf", bad, sample)
    assert finding.received.endswith(r"\r")
    assert all(len(finding.received) < 300 for finding in found("garbage", bad, sample))


def test_a_command_that_does_not_exist() -> None:
    (finding,) = examine(["no-such-command-anywhere"])
    assert (finding.fault, finding.level) == ("absent", "fault")
    assert examine([])[0].fault == "absent"
