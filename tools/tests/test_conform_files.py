"""What `buckspec conform` writes, and where: nothing is lost unasked, and nothing by the language of the system."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from buckspec_conformance.stream import CaseRecord, Footer, Header, line_of, read_run
from buckspec_tools.keeping import lost
from buckspec_tools.options import typed

TOP = Path(__file__).resolve().parents[2]
PROGRAM = [sys.executable, "-m", "buckspec_tools"]
ENV = {**os.environ, "PYTHONPATH": os.pathsep.join(str(TOP / part) for part in ("reference", "conformance", "tools"))}
ASCII = {**ENV, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
QUICK = ("--level", "smoke", "--only", "reading/batches", "--only", "play.follow")
needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
ADAPTER = TOP / "conformance" / "engines" / "javascript" / "adapter.js"


def run(*args: object, env: dict[str, str] = ENV, cwd: Path | None = None) -> subprocess.CompletedProcess[bytes]:
    whole = [*PROGRAM, *map(str, args)]
    return subprocess.run(whole, capture_output=True, env=env, cwd=cwd, check=False, timeout=120)


# ---------------------------------------------------------------------- what stands in a file

HEADER = Header(format="buckspec-run/1", time="", spec="", formats={}, level="smoke", seed=0, command=("true",))


@pytest.fixture
def early(tmp_path: Path) -> Path:
    """The record of a run that was ended early."""
    file = tmp_path / "run.jsonl"
    case = CaseRecord(id="a", layer="vector", outcome="passed", why="")
    file.write_bytes(line_of(HEADER) + line_of(case))
    return file


def test_a_run_that_can_be_gone_on_with_is_not_overwritten_unasked(early: Path) -> None:
    before = early.read_bytes()
    asked = run("conform", "--output", early, "--", "no-such-engine")
    assert asked.returncode == 2
    assert b"holds a run that was ended early; go on with it by --resume" in asked.stderr
    assert early.read_bytes() == before
    asked = run("conform", "--output", early, "--overwrite", "--", "no-such-engine")
    assert asked.returncode == 4
    assert read_run(early).cases == ()


def test_what_is_no_record_is_not_overwritten_unasked(tmp_path: Path) -> None:
    """It may be the engine itself."""
    engine = tmp_path / "engine.py"
    engine.write_text("print('mine')\n", encoding="utf-8")
    asked = run("conform", "--output", engine, "--", sys.executable, engine)
    assert asked.returncode == 2
    assert b"is something else than the record of a run" in asked.stderr
    assert engine.read_text(encoding="utf-8") == "print('mine')\n"


@pytest.mark.parametrize(("stopped", "is_kept"), [(None, False), ("max-time", True), ("interrupted", True)])
def test_a_run_that_came_to_its_end_can_be_had_again(early: Path, stopped: str | None, is_kept: bool) -> None:
    with early.open("ab") as file:
        file.write(line_of(Footer(counts={}, exit=0, seconds=1.0, stopped=stopped)))
    assert (lost(early) is not None) is is_kept


def test_what_holds_nothing_is_not_asked_about(tmp_path: Path) -> None:
    (tmp_path / "new").touch()
    (tmp_path / "silent").write_bytes(line_of(HEADER))
    for file in (tmp_path / "new", tmp_path / "silent", tmp_path / "absent", Path(os.devnull)):
        assert lost(file) is None


def test_a_report_is_overwritten(tmp_path: Path) -> None:
    report = tmp_path / "junit.xml"
    report.write_text("old", encoding="utf-8")
    run("conform", "--report", f"junit={report}", "--", "no-such-engine")
    assert report.read_text(encoding="utf-8").startswith("<?xml")


# ---------------------------------------------------------------------- a system of ASCII alone


@needs_node
def test_nothing_is_lost_where_the_system_writes_ascii(tmp_path: Path) -> None:
    folder = tmp_path / "größe"
    shutil.copytree(ADAPTER.parent, folder / "müller")
    hand = folder / "müller" / "hand.js"
    right = "playable(hand.hands[hand.turn], ledCard(hand), hand.trump)"
    hand.write_text(hand.read_text(encoding="utf-8").replace(right, "hand.hands[hand.turn]"), encoding="utf-8")
    command = ("node", "müller/adapter.js")
    reports = ("--report", "junit=jü.xml", "--report", "html=-")
    asked = run("conform", *QUICK, *reports, "--output", "rün.jsonl", "--", *command, env=ASCII, cwd=folder)
    assert asked.returncode == 1, asked.stderr
    asked.stdout.decode("ascii")
    assert b"<meta charset" in asked.stdout
    assert b"m&#252;ller" in asked.stdout, "in HTML nothing need be a question mark"
    assert b"r?n-failures" in asked.stdout
    found = read_run(folder / "rün.jsonl")
    assert found.is_complete
    assert found.header.command == command
    assert "müller/adapter.js" in (folder / "jü.xml").read_text(encoding="utf-8")
    for env in (ASCII, ENV):
        again = run("conform", *QUICK, "--resume", "rün.jsonl", "--", *command, env=env, cwd=folder)
        assert again.returncode == 1, "the command is the same by whatever language"
    told = run("report", "html", "rün.jsonl", env=ASCII, cwd=folder)
    assert b"m&#252;ller" in told.stdout


def test_a_word_that_is_no_utf_8_is_still_told() -> None:
    assert typed("müller") == "müller"
    assert typed(os.fsdecode(b"m\xfcller")) == "m\\xfcller"
