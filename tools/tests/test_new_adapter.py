"""`buckspec new-adapter`: what it writes, and what the first runs with it say."""

import json
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

TOP = Path(__file__).resolve().parents[2]
PROGRAM = [sys.executable, "-m", "buckspec_tools"]
ENV = {**os.environ, "PYTHONPATH": os.pathsep.join(str(TOP / part) for part in ("reference", "conformance", "tools"))}
TEMPLATES = TOP / "tools" / "buckspec_tools" / "templates"
QUICK = ("--level", "smoke", "--only", "reading/batches", "--only", "reading/turned-club")
needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")


def run(*args: str | Path, **more: object) -> subprocess.CompletedProcess[str]:
    whole = [*PROGRAM, *map(str, args)]
    return subprocess.run(whole, capture_output=True, text=True, env=ENV, check=False, timeout=120, **more)  # type: ignore[call-overload, no-any-return]


ADAPTERS = [
    pytest.param("node", "adapter.js", ["node"], marks=needs_node),
    pytest.param("python", "adapter.py", [sys.executable], marks=()),
]


@pytest.mark.parametrize(("language", "name", "program"), ADAPTERS)
def test_a_new_adapter_tells_the_next_step(tmp_path: Path, language: str, name: str, program: list[str]) -> None:
    written = run("new-adapter", language, tmp_path / "new")
    assert written.returncode == 0
    assert "buckspec conform -- " in written.stdout
    lines = (tmp_path / "new" / name).read_text(encoding="utf-8").splitlines()
    place = next(at for at, line in enumerate(lines, 1) if line.startswith(("function play", "def play")))
    for command in (["conform", *QUICK], ["doctor"]):
        first = run(*command, "--", *program, name, cwd=tmp_path / "new")
        assert first.returncode == (1 if command[0] == "conform" else 0), first
        step = next(line for line in first.stdout.splitlines() if "Next:" in line)
        assert f"fill in play() in {name}, line" in step
        assert 0 <= int(step.split()[-1]) - place <= 1
    everything = run("conform", "--", *program, name, cwd=tmp_path / "new")
    assert "\n25 cases asked, and all declined in the same words\n" in everything.stdout
    assert "all that was asked was declined in the same words" in everything.stdout
    known = tmp_path / "known.yaml"
    asked = run("conform", "--baseline", known, "--update-baseline", "--", *program, name, cwd=tmp_path / "new")
    assert (asked.returncode, known.exists()) == (1, False), "nothing of it is known"
    refused = run("new-adapter", language, tmp_path / "new")
    assert refused.returncode == 2
    assert "exists already" in refused.stderr


@pytest.mark.parametrize("name", ["adapter.js.txt", "adapter.py.txt"])
def test_an_adapter_is_short(name: str) -> None:
    lines = (TEMPLATES / name).read_text(encoding="utf-8").splitlines()
    assert len(lines) <= 60
    assert max(map(len, lines)) <= 120


@pytest.mark.parametrize(("language", "name", "program"), ADAPTERS)
def test_a_new_adapter_declines_what_it_does_not_offer(
    tmp_path: Path, language: str, name: str, program: list[str]
) -> None:
    run("new-adapter", language, tmp_path)
    text = (tmp_path / name).read_text(encoding="utf-8")
    choices = {"node": "choices: {}", "python": '"choices": {}'}[language]
    assert text.count(choices) == 1
    offered = text.replace(choices, choices.replace("{}", '{"sweep": ["never"]}'))
    (tmp_path / name).write_text(offered, encoding="utf-8")
    request = {"op": "play", "profile": "ohio", "hands": []}
    asked = [
        {"readings": {"sweep": "maker"}}, {"readings": {"ties": "never"}}, {"parameters": {"start_total": 9}},
        {"readings": {"sweep": "never"}}, {},
    ]  # fmt: skip
    lines = "".join(json.dumps({**request, **more, "id": at}) + "\n" for at, more in enumerate(asked))
    answers = subprocess.run(
        [*program, tmp_path / name], input=lines, capture_output=True, text=True, check=True, timeout=60
    )
    told = [json.loads(line)["unsupported"] for line in answers.stdout.splitlines()]
    assert ["not written yet" in why for why in told] == [False, False, False, True, True]
    assert "sweep" in told[0]


def test_the_next_step_can_be_typed(tmp_path: Path) -> None:
    written = run("new-adapter", "python", tmp_path / "an engine")
    assert shlex.split(written.stdout)[-1] == str(tmp_path / "an engine" / "adapter.py")


def test_new_adapter_suggests() -> None:
    asked = run("new-adapter", "pyton", ".")
    assert asked.returncode == 2
    assert "did you mean python?" in asked.stderr
