"""Reports on a run: each from its record alone, none of which an engine can break out of."""

import json
import xml.etree.ElementTree as ET
from html.parser import HTMLParser
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from buckspec_conformance.stream import (
    BlameRecord,
    CaseRecord,
    Footer,
    Found,
    Header,
    ReadingRecord,
    Record,
    Run,
    line_of,
    run_of,
)
from buckspec_conformance.table import diff
from buckspec_tools.cli import cli
from buckspec_tools.run_report import FORMATS, renderer
from buckspec_tools.run_report.changes import lines
from buckspec_tools.run_report.game import log_of
from buckspec_tools.run_report.view import View

EVIL = "</script><b onload=x>]]>&\x1b[31m\u202e|`::error::"
DECK = [
    "QC", "TC", "AC", "QD", "JD", "9C", "JC", "AH", "TH", "TD", "KD", "JH",
    "JS", "KH", "9D", "9H", "TS", "AS", "9S", "QS", "KS", "AD", "KC", "QH",
]  # fmt: skip
REQUEST = {
    "op": "play", "profile": "ohio", "parameters": {}, "readings": {},
    "hands": [{"dealer": 3, "deck": DECK, "events": [{"seat": 1, "do": "pass"}, {"seat": 0, "do": "pass"}]}],
}  # fmt: skip
HELLO = {
    "engine": {"name": EVIL, "version": "1", "language": "C"}, "profiles": ["ohio"], "readings": {}, "choices": {},
    "operations": ["play"], "reports": ["turn", "legal"], "protocol": 1, "id": 1,
}  # fmt: skip


def case(id_: str, outcome: str, found: Found | None = None, **more: object) -> CaseRecord:
    return CaseRecord(id=id_, layer="vector", outcome=outcome, why="Why.", found=found, **more)  # type: ignore[arg-type]


def a_run(*cases: CaseRecord, exit_: int = 1, more: tuple[Record, ...] = ()) -> Run:
    header = Header(
        format="buckspec-run/1", time="2026-01-01T00:00:00+00:00", spec="1.0.0", formats={"log": 1}, level="smoke",
        seed=3, command=("node", "my adapter.js"), hello=HELLO,
        in_force=("auction.in-turn", "auction.pass", "play.follow"), layers=("vector",),
    )  # fmt: skip
    return run_of([header, *cases, *more, Footer(counts={}, exit=exit_, seconds=1.0)])


TURN = Found(
    message="it is so", request=REQUEST, hand=0, step=1, field="accepted", expected=False, actual=True, reason=EVIL
)
CRASH = Found(message=EVIL, request=REQUEST, detail=f"line\n{EVIL}", received=EVIL)
WRONG = a_run(
    case("v-turn", "failed", TURN, clauses=("auction.in-turn",), blame=("auction.in-turn",)),
    case("v-pass", "passed", clauses=("auction.pass",), earned=("auction.pass",), steps=2),
    case("v-hide", "passed", clauses=("play.follow",), steps=2),
    case("v-crash", "crashed", CRASH),
    case("v-no", "unsupported", Found(message="no such profile")),
)
RIGHT = a_run(case("v-pass", "passed", clauses=("auction.pass",), earned=("auction.pass",), steps=2), exit_=0)


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("language", ["en", "es", "pt-BR"])
def test_no_report_lets_an_engine_speak_for_it(form: str, language: str) -> None:
    text = renderer(form)(View(WRONG, language, verbose=True))
    assert "\u202e" not in text
    assert "\x1b[31m" not in text
    assert form not in ("html", "junit") or "<b onload" not in text
    assert form != "github" or all(line.startswith("::") for line in text.splitlines())


def test_text_tells_the_game_and_both_sides() -> None:
    text = renderer("text")(View(WRONG))
    assert "expected    refused, auction.in-turn: " in text
    assert "the engine  accepted it" in text
    assert "1  seat 1 passes   ← here" in text
    assert "--level smoke --seed 3 --only v-turn -- node 'my adapter.js'" in text
    assert "not covered (what its cases show of it is not among what the engine reports)" in text
    assert "1 unsupported: no such profile" in text


def test_plain_text_needs_no_signs() -> None:
    renderer("text")(View(WRONG, plain=True)).encode("ascii")


def test_junit_is_xml_and_counts() -> None:
    top = ET.fromstring(renderer("junit")(View(WRONG)))  # noqa: S314 - our own
    assert {name: top.get(name) for name in ("tests", "failures", "errors", "skipped")} == {
        "tests": "5", "failures": "1", "errors": "1", "skipped": "1",
    }  # fmt: skip
    assert len(top.findall(".//testcase")) == 5
    failure = top.find(".//failure")
    assert failure is not None
    assert "Reproduce: buckspec conform" in (failure.text or "")


def test_html_is_well_formed_and_loads_nothing() -> None:
    opened: list[str] = []

    class Reader(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            assert not {"src", "href"} & {name for name, _ in attrs}
            if tag not in ("meta",):
                opened.append(tag)

        def handle_endtag(self, tag: str) -> None:
            assert opened.pop() == tag

    Reader().feed(renderer("html")(View(WRONG)))
    assert opened == []


@pytest.mark.parametrize(("run", "color"), [(RIGHT, "brightgreen"), (WRONG, "critical")])
def test_badge(run: Run, color: str) -> None:
    badge = json.loads(renderer("badge")(View(run)))
    assert badge["schemaVersion"] == 1
    assert badge["color"] == color


def test_github_has_a_line_for_each_clause() -> None:
    lines = renderer("github")(View(WRONG)).splitlines()
    assert lines[0].startswith(("::error title=auction.in-turn::", "::error title=crashed in v-crash::"))
    assert lines[-1].startswith("::error title=buckspec")
    assert renderer("github")(View(RIGHT)).startswith("::notice ")


def test_a_log_leaves_out_what_was_rightly_refused_but_keeps_the_last_event() -> None:
    later = Found(message="", request=REQUEST, hand=0, step=2, field="turn", expected=1, actual=2)
    log = log_of(View(WRONG), case("x", "failed", later))
    assert log is not None
    assert log["hands"][0]["events"] == [{"seat": 0, "do": "pass"}]
    assert log["hands"][0]["dealer"] == 3


def test_another_reading_is_named_once() -> None:
    reading = ReadingRecord(
        question="first-lead",
        reading="maker",
        instead_of="left-of-dealer",
        says="x",
        cases=("v-turn",),
        clauses=("auction.in-turn",),
    )
    run = a_run(case("v-turn", "failed", TURN, clauses=("auction.in-turn",)), more=(reading,))
    text = renderer("text")(View(run))
    assert "plays maker, not left-of-dealer" in text
    assert "other reading" in text
    assert "v-turn (failed)" not in text


def test_a_case_of_a_whole_profile_is_counted_for_no_question() -> None:
    apart = case("a", "passed", tags=("reading", "sweep", "anybody", "never"))
    whole = case("b", "passed", tags=("reading",))
    text = renderer("text")(View(a_run(apart, whole, exit_=0), verbose=True))
    assert text.count("(shown by") == 1
    assert "anybody (shown by 1 game)" in text


def test_one_and_the_same_answer_is_a_next_step() -> None:
    said = Found(message="hello promises an answer to this, but: not written yet")
    run = a_run(case("a", "protocol-error", said), case("b", "protocol-error", said))
    assert "Next: not written yet" in renderer("text")(View(run))


def test_the_same_fault_everywhere_is_no_next_step() -> None:
    said = Found(message="totals[0] claims 5; expected 4")
    text = renderer("text")(View(a_run(case("a", "failed", said), case("b", "failed", said))))
    assert "Next:" not in text
    assert "2 cases of which no clause is to blame" in text


def test_what_got_no_answer_speaks_against_no_clause() -> None:
    said, about = "found 1 as id; expected that of ", ("play.follow",)
    faults = [case(name, "protocol-error", Found(message=said + name), clauses=about) for name in "ab"]
    view = View(a_run(*faults))
    text = renderer("text")(view)
    assert "FAILED" not in text
    assert "got no answer" in text
    for form in ("text", "html", "markdown"):
        assert "Answers against the protocol" in renderer(form)(view)
    assert "Next: buckspec doctor -- " in text


def test_a_failure_that_is_known_otherwise_is_told_beside_what_is_known() -> None:
    told = "known as failed by play.turn, in line 4; now it is failed by play.follow"
    other = case("v-turn", "failed", TURN, clauses=("play.follow",), blame=("play.follow",), because=told)
    for form in ("text", "html", "markdown", "junit"):
        assert told in renderer(form)(View(a_run(other))), form


def test_a_second_look_decides_which_clause_is_blamed() -> None:
    later = BlameRecord(id="v-turn", clauses=("play.follow",))
    run = a_run(case("v-turn", "failed", TURN, clauses=("auction.in-turn",), blame=("auction.in-turn",)), more=(later,))
    view = View(run)
    assert view.blamed == {"play.follow"}
    assert "1 in doubt" in renderer("text")(view)


# ---------------------------------------------------------------------- buckspec report


def write(file: Path, run: Run) -> str:
    records = [run.header, *run.cases, run.footer]
    file.write_bytes(b"".join(line_of(record) for record in records if record is not None))
    return str(file)


def test_report_reads_a_record(tmp_path: Path) -> None:
    file = write(tmp_path / "run.jsonl", WRONG)
    for form in FORMATS:
        shown = CliRunner().invoke(cli, ["report", form, file])
        assert shown.exit_code == 0, shown
        assert shown.stdout.strip() == click.unstyle(renderer(form)(View(WRONG))).strip()


def test_diff_tells_what_is_worse(tmp_path: Path) -> None:
    right, wrong = write(tmp_path / "right", RIGHT), write(tmp_path / "wrong", WRONG)
    worse = CliRunner().invoke(cli, ["report", "diff", right, wrong])
    assert worse.exit_code == 1
    assert "auction.in-turn" in worse.stdout
    assert CliRunner().invoke(cli, ["report", "diff", right, right]).exit_code == 0
    lonely = CliRunner().invoke(cli, ["report", "diff", right])
    assert "found 1 file; expected the record of an old run and of a new one" in lonely.output


def test_diff_tells_what_is_better_apart_from_what_is_new() -> None:
    before = a_run(case("mended", "failed"), case("gone", "failed"))
    after = a_run(case("mended", "passed"), case("new", "passed"))
    told = list(lines(diff(before, after)))
    better, otherwise = told.index("Cases, better: 1"), told.index("Cases, otherwise: 2")
    assert "mended" in told[better + 1]
    assert "Nothing got worse." in told
    assert not any("mended" in line for line in told[otherwise:])


@pytest.mark.parametrize("args", [["junnit", "x"], ["text"], ["diff", "x"], ["text", "nowhere"]])
def test_mistakes(args: list[str]) -> None:
    shown = CliRunner().invoke(cli, ["report", *args])
    assert shown.exit_code == 2
    assert "Traceback" not in shown.output


def test_a_file_that_is_no_run_is_told_so(tmp_path: Path) -> None:
    (tmp_path / "x").write_text("[]\n", encoding="utf-8")
    shown = CliRunner().invoke(cli, ["report", "text", str(tmp_path / "x")])
    assert shown.exit_code == 2
    assert "no record of a run" in shown.output
