"""The record of a run: it survives being killed, and a run goes on where it stopped."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from conftest import SMALL, played

from buckspec.data import spec_dir
from buckspec_conformance.edition import digest
from buckspec_conformance.in_process import InProcess
from buckspec_conformance.reference_engine import ReferenceEngine
from buckspec_conformance.runner import Options, run
from buckspec_conformance.select import Selection
from buckspec_conformance.stream import Footer, Header, Run, RunError, Stream, kept, read_run, run_of
from buckspec_conformance.table import diff, rows

SMOKE = Options(level="smoke")
HERE = Path(__file__).resolve().parent


def written(path: Path, engine: Any, options: Options = SMOKE, before: Run | None = None) -> Run:
    with Stream(path, before) as stream:
        list(kept(run(lambda: InProcess(engine), options, SMALL, before), stream))
    return read_run(path)


def test_what_was_written_is_read(tmp_path: Path, right: Run) -> None:
    found = written(tmp_path / "run.jsonl", ReferenceEngine())
    assert rows(found) == rows(right)
    assert found.length == (tmp_path / "run.jsonl").stat().st_size
    changes = diff(right, found)
    assert (changes.cases, changes.clauses) == ((), ())


@pytest.mark.parametrize("lost", [1, 200, 5000])
def test_a_run_goes_on_where_it_stopped(tmp_path: Path, right: Run, lost: int) -> None:
    path = tmp_path / "run.jsonl"
    written(path, ReferenceEngine())
    raw = path.read_bytes()
    path.write_bytes(raw[: len(raw) - lost])
    before = read_run(path)
    assert not before.is_complete
    after = written(path, ReferenceEngine(), SMOKE, before)
    assert after.is_complete
    assert after.footer is not None
    assert right.footer is not None
    assert after.footer.counts == right.footer.counts
    assert [case.id for case in after.cases] == [case.id for case in right.cases]
    assert rows(after) == rows(right)


class Other(ReferenceEngine):
    """The reference under another name."""

    def hello(self) -> dict[str, Any]:
        told = super().hello()
        return {**told, "engine": {**told["engine"], "version": "2"}}


@pytest.mark.parametrize(
    ("engine", "options", "told"),
    [
        (Other(), SMOKE, "another engine"),
        (ReferenceEngine(), Options(level="smoke", seed=1), "another seed"),
        (ReferenceEngine(), Options(level="standard"), "another level"),
        (ReferenceEngine(), Options(level="smoke", command=("node", "b.js")), "another command of the engine than"),
        (ReferenceEngine(), Options(level="smoke", selection=Selection(ids=frozenset("a"))), "another selection"),
    ],
)
def test_another_run_is_not_gone_on_with(right: Run, engine: Any, options: Options, told: str) -> None:
    with pytest.raises(RunError, match=told):
        list(run(lambda: InProcess(engine), options, SMALL, right))


def test_a_run_by_another_rule_text_is_not_gone_on_with(right: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the same version: a rule book that is being written keeps it."""
    monkeypatch.setattr("buckspec_conformance.runner.digest", lambda _: "another")
    with pytest.raises(RunError, match="another rule text than the run to go on with; begin a new run"):
        list(run(lambda: InProcess(ReferenceEngine()), SMOKE, SMALL, right))


def test_a_rule_text_is_told_from_another(tmp_path: Path) -> None:
    shutil.copytree(spec_dir(), tmp_path / "spec")
    before = digest(tmp_path / "spec")
    assert before == digest(spec_dir())
    with (tmp_path / "spec" / "i18n" / "es.yaml").open("a", encoding="utf-8") as file:
        file.write("# otra\n")
    assert digest(tmp_path / "spec") == before, "a translation decides nothing"
    chapter = next((tmp_path / "spec" / "rules").glob("*.yaml"))
    chapter.write_text(chapter.read_text(encoding="utf-8") + "# more\n", encoding="utf-8")
    assert digest(tmp_path / "spec") != before


class Silent(ReferenceEngine):
    """The reference, which does not greet."""

    def answer(self, request: Mapping[str, object]) -> Mapping[str, object]:
        raise RuntimeError(str(request["op"]))


def test_a_run_can_be_gone_on_with_though_the_engine_did_not_answer_once(tmp_path: Path, right: Run) -> None:
    path = tmp_path / "run.jsonl"
    whole = written(path, ReferenceEngine())
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:20]))
    silent = written(path, Silent(), SMOKE, read_run(path))
    assert silent.footer is not None
    assert (silent.footer.stopped, len(silent.cases)) == ("no hello", 19)
    after = written(path, ReferenceEngine(), SMOKE, silent)
    assert rows(after) == rows(whole) == rows(right)


def test_a_line_that_is_no_record_is_told_with_its_number(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    written(path, ReferenceEngine())
    first, *rest = path.read_bytes().split(b"\n")
    path.write_bytes(b"\n".join([first, b'{"type":"case"}', *rest]))
    with pytest.raises(RunError, match="line 2 is no record"):
        read_run(path)


def test_what_is_no_run_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    path.write_bytes(b"")
    with pytest.raises(RunError, match="no record"):
        read_run(path)


_WRITER = """
import sys, time
from pathlib import Path
from conftest import SMALL
from buckspec_conformance.in_process import InProcess
from buckspec_conformance.reference_engine import ReferenceEngine
from buckspec_conformance.runner import Options, run
from buckspec_conformance.stream import Stream, kept
with Stream(Path(sys.argv[1])) as stream:
    for record in kept(run(lambda: InProcess(ReferenceEngine()), Options(level="smoke"), SMALL), stream):
        time.sleep(0.02)
"""


def test_a_run_that_is_killed_leaves_what_it_had(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    place = {**os.environ, "PYTHONPATH": os.pathsep.join([str(HERE), *sys.path])}
    with subprocess.Popen([sys.executable, "-c", _WRITER, str(path)], env=place) as process:
        until = time.monotonic() + 30
        while time.monotonic() < until and not (path.exists() and path.read_bytes().count(b"\n") > 5):
            time.sleep(0.01)
        process.send_signal(signal.SIGKILL)
    found = read_run(path)
    assert not found.is_complete
    assert len(found.cases) >= 5
    with Stream(path, found) as stream:
        stream.write(Footer(counts={}, exit=0, seconds=0.0))
    assert read_run(path).cases == found.cases


def test_what_changed_from_one_run_to_another(right: Run) -> None:
    changes = diff(right, played(ReferenceEngine({"below-zero": "cut"}, declares=False)))
    both = [change for change in changes.cases if change.before is not None]
    assert {change.after for change in both} == {"failed"}
    assert all(change.is_worse for change in both)
    new = {change.id for change in changes.cases if change not in both}
    assert {id_ for id_ in new if not id_.startswith("unlisted/")} == {"invariant/keep.points-to-zero"}
    assert {change.id for change in changes.clauses if change.after == "other-reading"} >= {"score.totals"}
    assert [reading.reading for reading in changes.readings_after] == ["cut"]


def _records() -> Iterator[Any]:
    yield Header(format="buckspec-run/1", time="", spec="", formats={}, level="smoke", seed=0, command=())
    yield Footer(counts={}, exit=0, seconds=0.0)


def test_a_run_needs_its_header() -> None:
    assert run_of(_records()).footer is not None
    with pytest.raises(ValueError, match="no header"):
        run_of(list(_records())[1:])
