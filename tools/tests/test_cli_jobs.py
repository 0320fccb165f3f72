"""`replay --jobs`: the same verdicts, by several processes, none of which outlives the command."""

import itertools
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

from buckspec.formats.reader import Readable, decode
from buckspec.replay import ReplayError
from buckspec_tools import batch, exits, judge, workers
from buckspec_tools.cli import cli

TOP = Path(__file__).resolve().parents[2]
GAMES = TOP / "reference" / "tests" / "cases" / "ohio" / "games.jsonl"
ENV = {**os.environ, "PYTHONPATH": os.pathsep.join(str(TOP / part) for part in ("reference", "conformance", "tools"))}
REQUEST = judge.Request(as_text=False)
# two processes are allowed wherever this runs
ASK = (
    "import os; os.cpu_count = lambda: 2\n"
    "from buckspec_tools import batch; batch.ALONE, batch.CHUNK = 1, 2\n"
    "from buckspec_tools.cli import main\n"
    "if __name__ == '__main__': main()\n"
)
needs_proc = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc to see processes")


def hear_ctrl_c() -> None:
    """What runs in the background of a script does not hear Ctrl-C, nor do its children, unless they are told to."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def two(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two processes from the first log on."""
    monkeypatch.setattr(batch, "ALONE", 0)
    monkeypatch.setattr(os, "cpu_count", lambda: 2)


@pytest.fixture
def started(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """A command that judges more than it is given time for, in a session of its own."""
    script, many = tmp_path / "ask.py", tmp_path / "many.jsonl"
    script.write_text(ASK, encoding="utf-8")
    many.write_text(GAMES.read_text(encoding="utf-8") * 100, encoding="utf-8")
    args = [sys.executable, str(script), "replay", "--jobs", "2", "--format", "json", str(many)]
    with (tmp_path / "out").open("w") as out, (tmp_path / "err").open("w") as err:
        process = subprocess.Popen(
            args,
            stdout=out,
            stderr=err,
            text=True,
            env=ENV,
            start_new_session=True,
            preexec_fn=hear_ctrl_c,  # noqa: PLW1509 - one call, no threads
        )
    yield process
    if process.poll() is None:
        process.kill()
    process.wait()


def members(session: int) -> list[str]:
    """The processes of a session that are alive."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[3]) == session and fields[0] != "Z":
            found.append(stat.parent.name)
    return found


def wait_until(is_so: Any, seconds: float = 40) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if is_so():
            return True
        time.sleep(0.05)
    return bool(is_so())


@pytest.mark.parametrize("shape", ["text", "json"])
def test_several_processes_say_the_same_in_the_same_order(shape: str, two: None, tmp_path: Path) -> None:
    games = [json.loads(line) for line in GAMES.read_text(encoding="utf-8").splitlines()[: batch.CHUNK * 2 + 3]]
    games[1]["hands"][0]["events"].insert(0, games[1]["hands"][0]["events"][-1])
    lines = [json.dumps({**game, "id": f"game {number}"}) for number, game in enumerate(games)]
    file = tmp_path / "games.jsonl"
    file.write_text("\n".join([*lines[:20], "{", *lines[20:]]), encoding="utf-8")
    alone, together = (
        CliRunner().invoke(cli, ["replay", "--format", shape, "--jobs", jobs, str(file)]) for jobs in ("1", "2")
    )
    assert together.output == alone.output
    assert together.exit_code == alone.exit_code == 3


def test_few_logs_need_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers.Worker, "__init__", lambda *_: pytest.fail("a process was started"))
    assert len(list(batch.outcomes([str(GAMES)], REQUEST, 2))) == len(GAMES.read_text(encoding="utf-8").splitlines())


def test_a_batch_is_read_as_it_is_judged() -> None:
    """Nothing is collected: the first outcome is there when few logs have been read."""
    read = []

    def endless() -> Iterator[Readable]:
        for line in itertools.cycle(GAMES.read_bytes().splitlines()):
            read.append(line)
            yield Readable("x", len(read), decode(line))

    found = batch._spread(endless(), REQUEST, 2)
    next(found)
    found.close()  # type: ignore[attr-defined]
    assert len(read) <= batch.CHUNK * 3


def test_more_processes_than_processors_are_not_started(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    monkeypatch.setattr(batch, "outcomes", lambda _files, _request, jobs: asked.append(jobs) or iter([]))
    shown = CliRunner().invoke(cli, ["replay", "--jobs", "100000", "x"])
    assert (shown.exit_code, shown.stderr) == (
        0,
        "note: 100000 processes asked for; this machine has 2 processors, so it is 2\n",
    )
    assert (CliRunner().invoke(cli, ["replay", "--jobs", "2", "x"]).stderr, asked) == ("", [2, 2])


CLASHING = """\
profile: clashing
title: Two clauses at once
extends: ohio
questions:
  lead:
    asks: Must somebody lead?
    readings: {usual: Only with a card on the table., clashing: Always.}
    clauses:
      clashing.no-suit-led:
        {under: lead is clashing, instead-of: play.no-suit-led, says: Nobody follows., when: "true", because: A test.}
readings: {lead: clashing}
"""


def test_what_a_process_runs_into_is_raised_here(tmp_path: Path) -> None:
    own = tmp_path / "clashing.yaml"
    own.write_text(CLASHING, encoding="utf-8")
    request = judge.Request(profile=str(own), as_text=False)
    with pytest.raises(ReplayError, match=r"play\.suit-led and clashing\.no-suit-led"):
        list(batch._spread(batch.logs([str(GAMES)], batch.usual()), request, 2))


class OddError(Exception):
    def __init__(self, one: str, two: str) -> None:
        super().__init__(one + two)


def test_a_fault_that_cannot_be_sent_is_told_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise OddError("a", "b")

    monkeypatch.setattr(workers, "judge", fail)
    assert repr(workers._judged([next(batch.logs([str(GAMES)], batch.usual()))], REQUEST)) == repr(
        RuntimeError("OddError: ab")
    )


def test_a_process_that_is_killed_is_told_as_such() -> None:
    worker = workers.Worker(REQUEST)
    worker.process.kill()
    worker.is_busy = True
    with pytest.raises(click.ClickException, match=r"was ended from outside, with code -9"):
        worker.taken()
    worker.end()


@needs_proc
@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGKILL, signal.SIGINT])
def test_no_process_outlives_the_command(end: signal.Signals, started: subprocess.Popen[str], tmp_path: Path) -> None:
    # itself, two that judge, and the one with which Python watches over what they share
    assert wait_until(lambda: len(members(started.pid)) >= 4)
    started.send_signal(end)
    assert started.wait(timeout=20) == (exits.INTERRUPTED if end is signal.SIGINT else -end)
    assert wait_until(lambda: not members(started.pid), 10), members(started.pid)
    assert (tmp_path / "err").read_text().strip() == ("interrupted" if end is signal.SIGINT else "")
    assert all(line.endswith("}") for line in (tmp_path / "out").read_text().splitlines())


@needs_proc
@pytest.mark.parametrize("wait", [0.0, 0.05, 0.2])
def test_ctrl_c_while_processes_start_shows_no_traceback(
    wait: float, started: subprocess.Popen[str], tmp_path: Path
) -> None:
    assert wait_until(lambda: len(members(started.pid)) >= 3)
    time.sleep(wait)
    os.killpg(started.pid, signal.SIGINT)
    assert started.wait(timeout=20) == exits.INTERRUPTED
    assert (tmp_path / "err").read_text().strip() == "interrupted"
    assert wait_until(lambda: not members(started.pid), 10)
