"""The frame of the command line: help, versions, suggestions, exit codes, and what becomes of every fault."""

import os
import re
import signal
import subprocess
import sys
import time
import tomllib
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from buckspec_tools import __main__ as entry
from buckspec_tools import cli as front
from buckspec_tools import exits, options, versions
from buckspec_tools.cli import COMMANDS, cli

TOP = Path(__file__).resolve().parents[2]
GAMES = TOP / "reference" / "tests" / "cases" / "ohio" / "games.jsonl"
PROGRAM = [sys.executable, "-m", "buckspec_tools"]
ENV = {**os.environ, "PYTHONPATH": os.pathsep.join(str(TOP / part) for part in ("reference", "conformance", "tools"))}
HEAVY = ("yaml", "msgspec", "jsonschema", "rich")


def run(*args: str, **more: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*PROGRAM, *args], capture_output=True, text=True, env=ENV, check=False, **more)  # type: ignore[call-overload, no-any-return]


# ---------------------------------------------------------------------- help, versions


def test_help_names_every_command_and_what_it_is_for() -> None:
    shown = CliRunner().invoke(cli, ["--help"])
    assert shown.exit_code == 0
    for command in COMMANDS:
        assert re.search(rf"^  {command} +[A-Z]", shown.stdout, re.MULTILINE), command


@pytest.mark.parametrize("args", [["--help"], *([command, "--help"] for command in COMMANDS)])
def test_help_imports_nothing_heavy(args: list[str]) -> None:
    ask = (
        "import sys; from buckspec_tools.cli import cli\n"
        f"try: cli.main({args!r})\n"
        f"except SystemExit as end: print('ended', end.code, [name for name in {HEAVY!r} if name in sys.modules])"
    )
    told = subprocess.run([sys.executable, "-c", ask], capture_output=True, text=True, env=ENV, check=True)
    assert told.stdout.splitlines()[-1] == "ended 0 []"


def test_replay_of_one_file_imports_no_validator_and_no_rich() -> None:
    ask = (
        "import sys; from buckspec_tools.cli import cli\n"
        f"try: cli.main(['replay', {str(GAMES)!r}, '--only-bad'])\n"
        "except SystemExit as end: print('ended', end.code, [n for n in ('jsonschema', 'rich') if n in sys.modules])"
    )
    told = subprocess.run([sys.executable, "-c", ask], capture_output=True, text=True, env=ENV, check=True)
    assert told.stdout.splitlines()[-1] == "ended 0 []"


def test_version_tells_tool_rule_book_and_formats() -> None:
    shown = CliRunner().invoke(cli, ["--version"])
    assert shown.exit_code == 0
    assert re.fullmatch(r"buckspec \S.*, rule book \d+\.\d+\.\d+, formats: log 1, verdict 1\n", shown.stdout)


def test_only_another_first_number_of_the_rule_book_is_a_difference() -> None:
    major, _, rest = versions.rule_book().partition(".")
    assert not versions.differs(None)
    assert not versions.differs(versions.rule_book())
    assert not versions.differs(f"{major}.99")
    assert versions.differs(f"{int(major) + 1}.{rest}")


def test_the_languages_offered_are_those_of_the_rule_book() -> None:
    from buckspec.sentences import languages

    assert list(options.LANGUAGES) == languages()


def test_the_entry_point_is_the_front() -> None:
    project = tomllib.loads((TOP / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["scripts"] == {"buckspec": f"{entry.main.__module__}:{entry.main.__name__}"}


# ---------------------------------------------------------------------- mistakes on the command line


CHOICE = ["replay", "x", "--profile", "ohio"]


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (["repaly"], "unknown command; found repaly; did you mean replay?"),
        (["xyzzy"], "unknown command; found xyzzy"),
        (["--versoin"], "--version"),
        (["replay"], "Missing argument 'FILE...'"),
        (["replay", "x", "--formta", "json"], "--format"),
        (["replay", "x", "--format", "jsn"], "found jsn; expected text or json; did you mean json?"),
        (["replay", "x", "--lang", "pt-br"], "found pt-br; expected en or es or pt-BR; did you mean pt-BR?"),
        (["replay", "x", "--profile", "ohoi"], "unknown profile; found ohoi; expected a shipped profile"),
        (["replay", "x", "--profile", "ohoi"], "did you mean ohio?"),
        (["replay", "x", "--set", "promise"], "found promise; expected NAME=NUMBER"),
        (["replay", "x", "--set", "promise=x"], "promise: found x; expected a whole number"),
        (["replay", "x", "--set", "promise=1", "--set", "promise=2"], "promise is given twice: 1 and 2"),
        (["replay", "x", "--reading", "all-pass"], "found all-pass; expected QUESTION=READING"),
        ([*CHOICE, "--set", "promis=2"], "unknown parameter; found promis; did you mean promise?"),
        ([*CHOICE, "--set", "promise=9"], "promise is out of its range; found 9; expected 1 to 5"),
        ([*CHOICE, "--reading", "al-pass=x"], "unknown question; found al-pass; did you mean all-pass?"),
        ([*CHOICE, "--reading", "all-pass=deal-pases"], "did you mean deal-passes?"),
        (["replay", "x", "--jobs", "0"], "0 is not in the range"),
        (["replay", "-", "-"], "can be read only once"),
        (["completion", "bsh"], "found bsh; expected bash or zsh or fish; did you mean bash?"),
        (["explain", "play.folow"], "nothing has this name; found play.folow; did you mean play.follow?"),
        (["profiles", "ohio-51"], "unknown profile; found ohio-51"),
        (["lint", "no-such-folder"], "no-such-folder: no such file or folder"),
        (["lint", "/dev/zero"], "/dev/zero: neither a file nor a folder"),
        (["replay", "x", "--set", "promise=1_0"], "promise: found 1_0; expected a whole number"),
        (["replay", "x", "--set", "promise=٣"], "promise: found ٣; expected a whole number"),
        (["replay", "x", "--set", "promise= 5 "], "expected a whole number"),
        (["replay", "x", "--set", "promise=+5"], "promise: found +5; expected a whole number"),
        (["replay", "x", "--set", "promise=5\n"], "promise: found 5\\n; expected a whole number"),
        (["replay", "x", "--set", f"promise={'9' * 5000}"], f"found {'9' * 30}"),
        (["replay", "x", "--jobs", "1_0"], "found 1_0; expected a whole number"),
        (["conform", "--seed", "٣", "--", "x"], "found ٣; expected a whole number"),
        (["conform", "--jobs", "1_0", "--", "x"], "found 1_0; expected a whole number"),
        (["replay", "x", "--profile", ""], "the name is empty; expected a shipped profile"),
        (["explain", "--profile", " "], "the name is empty; expected a shipped profile"),
        (["profiles", ""], "the name is empty; expected a shipped profile"),
        (["replay", ""], "the name of a file is empty"),
        (["explain", ""], "nothing has this name"),
    ],
)
def test_a_mistake_is_told_in_a_line_and_ends_with_2(args: list[str], told: str) -> None:
    shown = CliRunner().invoke(cli, args)
    assert (shown.exit_code, shown.stdout) == (exits.USAGE, "")
    first, *rest = shown.stderr.splitlines()
    assert first.startswith("error: ")
    assert told in first
    assert all(line.startswith("Try “buckspec") for line in rest)


@pytest.mark.parametrize(
    "args",
    [
        ["{}"], ["explain", "{}"], ["profiles", "{}"], ["lint", "{}"], ["completion", "{}"], ["conform", "--{}"],
        ["report", "text", "{}"], ["new-adapter", "{}", "."], ["doctor", "--{}"],
        *(["replay", "x", f"--{name}", "{}"] for name in ("profile", "set", "reading", "lang", "format", "jobs")),
        *(["replay", "x", "--profile", "ohio", option] for option in ("--set={}=1", "--reading={}=x")),
    ],
)  # fmt: skip
@pytest.mark.parametrize("typed", ["\x1b[31mX\u202e\x9b\u2028\ny", "x" * 100_000, "x y " * 25_000])
def test_what_was_typed_is_told_harmless_and_short(args: list[str], typed: str) -> None:
    shown = CliRunner().invoke(cli, [arg.replace("{}", typed) for arg in args])
    assert shown.exit_code == exits.USAGE
    assert all(line.isprintable() for line in shown.stderr.split("\n"))
    assert len(shown.stderr) < 2000


# ---------------------------------------------------------------------- faults


@click.command()
def broken() -> None:
    raise ZeroDivisionError("division\nby zero")


@pytest.fixture
def fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(front.Front, "get_command", lambda *_: broken)


def test_a_fault_of_ours_is_one_line_that_asks_to_report_it(fault: None) -> None:
    shown = CliRunner().invoke(cli, ["replay"])
    assert shown.exit_code == exits.INTERNAL
    (line,) = shown.stderr.splitlines()
    assert "ZeroDivisionError: division by zero. Please report it" in line
    assert "--debug" in line


def test_debug_shows_where_it_happened(fault: None) -> None:
    shown = CliRunner().invoke(cli, ["--debug", "replay"])
    assert shown.exit_code == exits.INTERNAL
    assert shown.stderr.startswith("Traceback")
    assert "in broken" in shown.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
@pytest.mark.parametrize("args", [["--help"], ["replay", str(GAMES)], ["explain"]])
def test_a_full_disk_is_told_without_a_traceback(args: list[str]) -> None:
    with Path("/dev/full").open("w") as full:
        ended = subprocess.run([*PROGRAM, *args], stdout=full, stderr=subprocess.PIPE, text=True, env=ENV, check=False)
    assert (ended.returncode, ended.stderr) == (exits.USAGE, "error: output: No space left on device\n")


@pytest.mark.parametrize("args", [["replay", "--format", "json", str(GAMES)], ["explain"], ["--help"]])
def test_a_closed_pipe_ends_in_silence(args: list[str]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    ended = subprocess.run([*PROGRAM, *args], stdout=writing, stderr=subprocess.PIPE, text=True, env=ENV, check=False)
    os.close(writing)
    assert (ended.returncode, ended.stderr) == (exits.CLOSED, "")


def hear_ctrl_c() -> None:
    """What runs in the background of a script does not hear Ctrl-C, nor do its children, unless they are told to."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c_ends_in_a_word(jobs: str, tmp_path: Path) -> None:
    fifo = tmp_path / "slow.jsonl"
    os.mkfifo(fifo)
    args = [*PROGRAM, "replay", "--format", "json", "--jobs", jobs, str(fifo)]
    process = subprocess.Popen(
        args,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=ENV,
        preexec_fn=hear_ctrl_c,  # noqa: PLW1509 - one call, no threads
    )
    with fifo.open("w") as writer:  # opens once the program reads from it
        writer.write(GAMES.read_text(encoding="utf-8").splitlines()[0] + "\n")
        writer.flush()
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        _, told = process.communicate(timeout=20)
    assert process.returncode == exits.INTERRUPTED
    assert told.strip() == "interrupted"


@pytest.mark.parametrize(
    "command", [f'replay "{GAMES}"', "--help", "--version", "profiles --format json", "completion zsh"]
)
def test_a_closed_output_is_a_pipe_that_nobody_reads(command: str) -> None:
    line = f'"{sys.executable}" -m buckspec_tools {command} >&-'
    ended = subprocess.run(line, shell=True, env=ENV, stderr=subprocess.PIPE, text=True, check=False)  # noqa: S602
    assert (ended.returncode, ended.stderr) == (exits.CLOSED, "")


def test_ctrl_c_while_all_is_imported_ends_in_a_word() -> None:
    """Interrupted at each of the first imports, as Ctrl-C may do."""
    ask = (
        "import builtins, sys\n"
        "from buckspec_tools.__main__ import main\n"
        "real, left = builtins.__import__, [int(sys.argv[1])]\n"
        "def interrupted(name, *more):\n"
        "    left[0] -= 1\n"
        "    if left[0] == 0: raise KeyboardInterrupt\n"
        "    return real(name, *more)\n"
        "builtins.__import__ = interrupted\n"
        "sys.argv[1:] = ['--version']\n"
        "main()"
    )
    for number in (1, 2, 30, 300):
        args = [sys.executable, "-c", ask, str(number)]
        ended = subprocess.run(args, env=ENV, capture_output=True, text=True, check=False)
        assert (ended.returncode, ended.stdout, ended.stderr.strip()) == (exits.INTERRUPTED, "", "interrupted"), number


@pytest.mark.parametrize("value", ["1", ""])
def test_colour_is_for_terminals_only(value: str) -> None:
    shown = CliRunner(env={"NO_COLOR": value}).invoke(cli, ["replay", str(GAMES)])
    assert "\x1b" not in shown.stdout


def test_no_color_is_honoured_even_on_a_terminal() -> None:
    assert "\x1b" in CliRunner().invoke(cli, ["replay", str(GAMES)], color=True).stdout
    assert "\x1b" not in CliRunner(env={"NO_COLOR": "1"}).invoke(cli, ["replay", str(GAMES)], color=True).stdout


# ---------------------------------------------------------------------- completion


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_prints_a_script(shell: str) -> None:
    shown = CliRunner().invoke(cli, ["completion", shell])
    assert shown.exit_code == 0
    assert f"_BUCKSPEC_COMPLETE={shell}_complete" in shown.stdout


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("buckspec re", "replay"),
        ("buckspec replay --profile oh", "ohio-15"),
        ("buckspec replay --reading all-", "all-pass=deal-passes"),
        ("buckspec replay --set pro", "promise="),
        ("buckspec replay --lang e", "es"),
        ("buckspec explain play.f", "play.follow"),
        ("buckspec explain all-p", "all-pass"),
        ("buckspec profiles oh", "ohio"),
    ],
)
def test_names_are_completed(typed: str, offered: str) -> None:
    env = {**ENV, "_BUCKSPEC_COMPLETE": "bash_complete", "COMP_WORDS": typed, "COMP_CWORD": str(len(typed.split()) - 1)}
    told = subprocess.run(PROGRAM, env=env, capture_output=True, text=True, check=False)
    assert f"plain,{offered}" in told.stdout.splitlines(), told
