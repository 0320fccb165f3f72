"""`buckspec conform`, `doctor` and `new-adapter`, from the outside: what an author of an engine sees."""

import json
import os
import shutil
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from time import monotonic, sleep

import pytest
from click.testing import CliRunner

from buckspec_conformance.transport import Limits
from buckspec_tools.cli import cli
from buckspec_tools.limits import DEFAULTS, limits_of, words_of

TOP = Path(__file__).resolve().parents[2]
PROGRAM = [sys.executable, "-m", "buckspec_tools"]
ENV = {**os.environ, "PYTHONPATH": os.pathsep.join(str(TOP / part) for part in ("reference", "conformance", "tools"))}
JAVASCRIPT = TOP / "conformance" / "engines" / "javascript"
TEMPLATES = TOP / "tools" / "buckspec_tools" / "templates"
NODE = shutil.which("node")
needs_node = pytest.mark.skipif(NODE is None, reason="node is not installed")
QUICK = ("--level", "smoke", "--only", "reading/batches", "--only", "reading/turned-club")


def run(*args: str | Path, **more: object) -> subprocess.CompletedProcess[str]:
    whole = [*PROGRAM, *map(str, args)]
    return subprocess.run(whole, capture_output=True, text=True, env=ENV, check=False, timeout=120, **more)  # type: ignore[call-overload, no-any-return]


@pytest.fixture(scope="module")
def wrong(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An engine that does not follow suit."""
    folder = tmp_path_factory.mktemp("wrong") / "engine"
    shutil.copytree(JAVASCRIPT, folder)
    text = (folder / "hand.js").read_text(encoding="utf-8")
    right = "playable(hand.hands[hand.turn], ledCard(hand), hand.trump)"
    assert text.count(right) == 1
    (folder / "hand.js").write_text(text.replace(right, "hand.hands[hand.turn]"), encoding="utf-8")
    return folder / "adapter.js"


@pytest.fixture(scope="module")
def told(wrong: Path) -> tuple[subprocess.CompletedProcess[str], Path]:
    """What is said of it, and the record."""
    stream = wrong.parent.parent / "run.jsonl"
    return run("conform", *QUICK, "--output", stream, "--", "node", wrong), stream


CRASHING = """
import json, sys
from buckspec_conformance.reference_engine import ReferenceEngine
engine = ReferenceEngine()
for line in sys.stdin:
    request = json.loads(line)
    answer = {} if request["op"] == "bye" else engine.answer(request)
    if len(request.get("hands", ())) > 1:
        answer = {"error": "KeyError: 'second hand'\\n  at deal (game.js:12)\\n  at play (game.js:9)"}
    print(json.dumps({"id": request["id"], **answer}), flush=True)
"""


def test_of_a_crash_the_game_is_shown_and_the_stack_once_and_no_circle_is_gone_round(tmp_path: Path) -> None:
    engine = tmp_path / "engine.py"
    engine.write_text(CRASHING, encoding="utf-8")
    found = run("conform", "--level", "smoke", "--only", "v-game-no-hand-after-a-win", "--", sys.executable, engine)
    assert found.returncode == 1
    assert found.stdout.count("at deal (game.js:12)") == 1
    lines = [line.strip() for line in found.stdout.splitlines()]
    assert any(line.startswith("hand 2") for line in lines), "the hands that were asked are shown"
    assert "crashed      KeyError: 'second hand'" in lines
    assert any(line.startswith("Next: find out what the engine cannot do") for line in lines)


# ---------------------------------------------------------------------- an engine that is right, and one that is not


@needs_node
def test_an_engine_that_is_right_conforms(tmp_path: Path) -> None:
    trace = tmp_path / "trace"
    asked = run(
        "conform", "--level", "smoke", "--only", "cards", "--trace", trace, "--", "node", JAVASCRIPT / "adapter.js"
    )
    assert asked.returncode == 0, asked
    assert "all 7 passed" in asked.stdout
    assert "It conforms, as far as it was asked" in asked.stdout
    assert '"op":"hello"' in trace.read_text(encoding="utf-8")


@needs_node
def test_a_failure_is_told_with_its_clause_its_game_and_its_command(
    told: tuple[subprocess.CompletedProcess[str], Path], wrong: Path
) -> None:
    asked, _ = told
    assert asked.returncode == 1, asked
    assert "play.follow" in asked.stdout
    assert "Follow the suit led if you can." in asked.stdout
    assert "seat 0 plays" in asked.stdout
    assert "← here" in asked.stdout
    assert "the engine  lists as legal: seat" in asked.stdout
    assert "in doubt" in asked.stdout
    again = next(line for line in asked.stdout.splitlines() if "Reproduce: " in line).split("Reproduce: ")[1].split()
    assert again[:2] == ["buckspec", "conform"]
    assert "--only" in again
    assert "play.follow" in run(*again[1:]).stdout


@needs_node
def test_the_game_of_a_failure_can_be_replayed(told: tuple[subprocess.CompletedProcess[str], Path]) -> None:
    asked, stream = told
    command = next(line for line in asked.stdout.splitlines() if "Replay: " in line).split("Replay:")[1].split()
    replayed = run(*command[1:])
    assert replayed.returncode == 0, replayed
    assert "can come next" in replayed.stdout
    logs = list(stream.with_name("run-failures").iterdir())
    assert all(json.loads(log.read_text(encoding="utf-8"))["format"] == "buckspec-log/1" for log in logs)


@needs_node
def test_what_failed_is_asked_again_and_a_run_can_be_gone_on_with(
    told: tuple[subprocess.CompletedProcess[str], Path], wrong: Path, tmp_path: Path
) -> None:
    _, stream = told
    records = [json.loads(line) for line in stream.read_text(encoding="utf-8").splitlines()]
    failed = sum(1 for record in records if record["type"] == "case" and record["outcome"] == "failed")
    asked = run("conform", "--level", "smoke", "--last-failed", stream, "--", "node", wrong)
    assert f"  {failed} failed\n" in asked.stdout
    cut = tmp_path / "cut.jsonl"
    cut.write_text("".join(stream.read_text(encoding="utf-8").splitlines(keepends=True)[:10]), encoding="utf-8")
    resumed = run("conform", *QUICK, "--resume", cut, "--", "node", wrong)
    assert resumed.returncode == 1, resumed
    assert f"{failed} failed" in resumed.stdout
    assert '"type":"resumed"' in cut.read_text(encoding="utf-8")


@needs_node
def test_known_failures_do_not_fail_the_run(wrong: Path, tmp_path: Path) -> None:
    known = tmp_path / "known.yaml"
    first = run("conform", *QUICK, "--baseline", known, "--update-baseline", "--", "node", wrong)
    assert first.returncode == 0, first
    assert "known failures" in first.stdout
    second = run("conform", *QUICK, "--baseline", known, "--", "node", wrong)
    assert second.returncode == 0, second
    right = run("conform", *QUICK, "--baseline", known, "--", "node", JAVASCRIPT / "adapter.js")
    assert right.returncode == 1
    assert "stale-known-failure" in right.stdout
    assert "FAILED" not in right.stdout
    assert "Next: ask again with --update-baseline" in right.stdout
    assert "not true any more" in right.stdout.splitlines()[-1]
    missing = run("conform", *QUICK, "--baseline", tmp_path / "none.yaml", "--", "node", wrong)
    assert missing.returncode == 2
    assert "--update-baseline writes it" in missing.stderr


@needs_node
def test_a_game_that_the_engine_plays_by_itself_is_told_in_words(wrong: Path, tmp_path: Path) -> None:
    stream = tmp_path / "own.jsonl"
    asked = run("conform", "--level", "smoke", "--only", "record/ohio/0", "--output", stream, "--", "node", wrong)
    assert asked.returncode == 1, asked
    assert "← here" in asked.stdout
    assert "expected    refused, play.follow: Follow the suit led if you can." in asked.stdout
    command = next(line for line in asked.stdout.splitlines() if "Replay: " in line).split("Replay:")[1].split()
    replayed = run(*command[1:])
    assert replayed.returncode == 1, replayed
    assert "play.follow" in replayed.stdout
    told = asked.stdout.split("Clauses")[1].split("Follow the suit")[0]
    assert "auction" not in told, "what was not asked is left out"


@needs_node
def test_the_exchange_in_the_handbook_is_so() -> None:
    text = (TOP / "conformance" / "README.md").read_text(encoding="utf-8")
    said = text[text.index('    → {"id":2') :].split("\n\n- ")[0].removeprefix("    → ")
    request, answer = ("".join(line.strip() for line in part.splitlines()) for part in said.split("← "))
    asked = subprocess.run(
        [str(NODE), JAVASCRIPT / "adapter.js"], input=f"{request}\n", capture_output=True, text=True, check=True
    )
    told, found = json.loads(answer)["hands"][0]["steps"], json.loads(asked.stdout)["hands"][0]["steps"]
    assert len(told) == len(found)
    for one, other in zip(told, found, strict=True):
        one.pop("reason", None)
        assert one == {name: other[name] for name in one}


# ---------------------------------------------------------------------- mistakes, and engines that do not answer


@pytest.mark.parametrize(
    ("args", "said"),
    [
        ([], "no engine"),
        (["--levl", "smoke", "--", "true"], "--level"),
        (["--level", "smok", "--", "true"], "did you mean smoke?"),
        (["--report", "junnit=x", "--", "true"], "did you mean junit?"),
        (["--report", "junit", "--", "true"], "did you mean junit=FILE?"),
        (["--report", "junit=nowhere/x", "--", "true"], "nowhere/x: there is no folder nowhere"),
        (["--report", f"junit={TOP}", "--", "true"], "is a folder"),
        (["--baseline", sys.executable, "--", "true"], "expected text in UTF-8"),
        (["--update-baseline", "--", "true"], "--baseline"),
        (["--last-failed", "nowhere.jsonl", "--", "true"], "nowhere.jsonl"),
        (["--last-failed", __file__, "--", "true"], "no record of a run"),
        (["--resume", __file__, "--output", "x", "--", "true"], "leave out --output"),
    ],
)
def test_a_mistake_is_one_line_and_code_2(args: list[str], said: str) -> None:
    asked = run("conform", *args)
    assert asked.returncode == 2, asked
    assert said in asked.stderr
    assert "Traceback" not in asked.stderr


@pytest.mark.parametrize(
    "value", ["nan", "inf", "-inf", "0", "0.0", "-1", "1e400", "1_0", "12345678", "soon", "\u0661"]
)
def test_a_time_is_some_seconds(value: str) -> None:
    """Of a time that never comes, or was before it began, a run could make anything."""
    for command, option in (
        ("conform", "--max-time"), ("conform", "--answer-time"), ("doctor", "--start-time"), ("prove", "--timeout"),
        ("witness", "--timeout"),
    ):  # fmt: skip
        asked = CliRunner().invoke(cli, [command, option, value, *(["--", "true"] if option != "--timeout" else [])])
        assert asked.exit_code == 2, (command, option, asked.output)
        assert f"found {value}; expected seconds above 0, such as 60 or 2.5" in asked.output


@pytest.mark.parametrize(
    ("command", "option"),
    [
        ("conform", "--seed"), ("conform", "--jobs"), ("conform", "--memory"), ("conform", "--longest-line"),
        ("doctor", "--memory"), ("mutants", "--sample"), ("mutants", "--jobs"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("value", ["nan", "inf", "-1", "1.5", "1e3", "9" * 19])
def test_a_number_is_a_whole_one(command: str, option: str, value: str) -> None:
    asked = CliRunner().invoke(cli, [command, option, value, *(["--", "true"] if command != "mutants" else [])])
    assert asked.exit_code == 2, asked.output
    assert option in asked.output


def test_the_limits_of_an_engine_are_told_as_they_are() -> None:
    usual = Limits()
    assert limits_of(DEFAULTS) == usual
    assert words_of(DEFAULTS) == ()
    chosen = {**DEFAULTS, "answer_time": 2.5, "start_time": 60.0, "memory": 512}
    assert words_of(chosen) == ("--answer-time", "2.5", "--start-time", "60", "--memory", "512")
    assert limits_of(chosen) == replace(usual, answer=2.5, start=60.0, memory=512 << 20)


def test_an_engine_is_waited_for_as_long_as_is_said() -> None:
    silent = [sys.executable, "-c", "import time; time.sleep(60)"]
    for command, code in (("conform", 4), ("doctor", 1)):
        began = monotonic()
        asked = run(command, "--start-time", "0.5", "--", *silent)
        assert asked.returncode == code, asked
        assert "0.5 s" in asked.stdout
        assert monotonic() - began < 20


@needs_node
def test_what_reproduces_a_failure_has_the_limits_under_which_it_failed(wrong: Path) -> None:
    asked = run("conform", *QUICK, "--answer-time", "7", "--", "node", wrong)
    assert "buckspec conform --level smoke --answer-time 7 --only " in asked.stdout


def test_a_missing_word_is_told_in_one_line() -> None:
    asked = run("report")
    assert "Expected text or junit or " in asked.stderr
    assert "\\" not in asked.stderr


@pytest.mark.parametrize("sign", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_an_engine_that_hangs_does_not_outlive_a_run_that_is_ended(sign: signal.Signals, tmp_path: Path) -> None:
    born = tmp_path / "born"
    hangs = (
        "import os, time, signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); "
        f"born = {str(born)!r}; open(born + '.new', 'w').write(str(os.getpid())); os.rename(born + '.new', born); "
        "time.sleep(60)"
    )
    # whoever runs the tests may ignore these signals, and what is ignored is inherited
    restore = "import os, signal, sys; [signal.signal(one, signal.SIG_DFL) for one in (1, 2, 15)]; "
    again = [sys.executable, "-c", f"{restore} os.execv(sys.argv[1], sys.argv[1:])"]
    whole = [*again, *PROGRAM, "conform", "--", sys.executable, "-c", hangs]
    with subprocess.Popen(whole, env=ENV, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as asked:
        until = monotonic() + 60
        while not born.exists() and monotonic() < until:
            sleep(0.01)
        asked.send_signal(sign)
        asked.communicate(timeout=60)
    assert asked.returncode == 130
    with pytest.raises(ProcessLookupError):
        os.kill(int(born.read_text(encoding="utf-8")), 0)


def test_a_word_that_selects_nothing_is_told_a_better_one(tmp_path: Path) -> None:
    run("new-adapter", "python", tmp_path)
    asked = run("conform", "--level", "smoke", "--only", "play.folow", "--", sys.executable, tmp_path / "adapter.py")
    assert asked.returncode == 2
    assert "did you mean play.follow?" in asked.stderr


@pytest.mark.parametrize("command", [["no-such-engine"], [sys.executable, "-c", "print('hi')"]])
def test_an_engine_that_does_not_greet_is_code_4(command: list[str], tmp_path: Path) -> None:
    report = tmp_path / "junit.xml"
    asked = run("conform", "--report", f"junit={report}", "--", *command)
    assert asked.returncode == 4
    assert "Next: buckspec doctor -- " in asked.stdout
    assert "<error" in report.read_text(encoding="utf-8")


def test_doctor_shows_bytes_and_what_to_do() -> None:
    asked = run("doctor", "--", sys.executable, "-c", "print('\\x1b[31mwelcome', flush=True); input()")
    assert asked.returncode == 1
    assert "to do" in asked.stdout
    assert "\x1b[31m" not in asked.stdout


def test_names_of_engines_cannot_paint_the_terminal(tmp_path: Path) -> None:
    run("new-adapter", "python", tmp_path)
    file = tmp_path / "adapter.py"
    file.write_text(file.read_text(encoding="utf-8").replace('"my-engine"', '"evil\\u202e\\u0007"'), encoding="utf-8")
    asked = run("conform", *QUICK, "--", sys.executable, file)
    assert "\u202e" not in asked.stdout + asked.stderr
    assert "\x07" not in asked.stdout + asked.stderr


def test_nothing_heavy_is_loaded_before_the_engine_is_greeted() -> None:
    ask = (
        "import sys, buckspec_conformance.transport as t\n"
        "def stop(*a, **k): raise SystemExit('loaded: ' + ','.join(n for n in HEAVY if n in sys.modules))\n"
        "HEAVY = ('hypothesis', 'jsonschema', 'rich')\n"
        "t.Process.__init__ = stop\n"
        "from buckspec_tools.cli import main\n"
        "sys.argv = ['buckspec', 'conform', '--', 'true']\n"
        "main()\n"
    )
    told = subprocess.run([sys.executable, "-c", ask], capture_output=True, text=True, env=ENV, check=False)
    assert told.stderr.strip() == "loaded:"
