"""The line after `Reproduce:` is pasted into a shell, and the failure that it stands below comes about again."""

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

TOP = Path(__file__).resolve().parents[2]
PARTS = os.pathsep.join(str(TOP / part) for part in ("reference", "conformance", "tools"))
_ENGINE = """
import sys
from buckspec_conformance.engine import serve
from buckspec_conformance.reference_engine import ReferenceEngine

class Wrong(ReferenceEngine):
    def answer(self, request):
        found = super().answer(request)
        for hand in found.get("hands", ()):
            for step in hand["steps"]:
                if sys.argv[1] == "a card twice" and step.get("hands", [[]])[0]:
                    step["hands"][1] = [*step["hands"][1], step["hands"][0][0]]
                if sys.argv[1] == "a total" and "totals" in step:
                    step["totals"][0] += 1
        for log in found.get("logs", ()):
            log["hands"][-1]["claims"]["totals"][0] += 1
        return found

serve(Wrong())
"""


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder whose name a shell would take apart, with an engine and a `buckspec` in it."""
    folder = tmp_path_factory.mktemp("wrong") / "my engine's $HOME"
    folder.mkdir()
    (folder / "engine.py").write_text(_ENGINE, encoding="utf-8")
    program = folder / "buckspec"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m buckspec_tools "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    return folder


@pytest.mark.parametrize(
    ("chosen", "failing"),
    [
        (("--level", "smoke", "--only", "reading/batches"), "reading/batches/"),
        (("--only", "reading/batches", "--seed", "3"), "reading/batches/"),
        (("--level", "smoke", "--seed", "7", "--only", "record"), "record/"),
        (("--only", "property/hands-too-many"), "property/hands-too-many"),
        (("--level", "exhaustive", "--only", "table/tricks/0001"), "table/tricks/0001"),
        (("--level", "smoke", "--only", "keep.one-place"), "invariant/keep.one-place"),
    ],
)
def test_a_failure_comes_about_again(place: Path, chosen: tuple[str, ...], failing: str) -> None:
    fault = "a card twice" if "keep.one-place" in chosen else "a total"
    engine = shlex.join([sys.executable, str(place / "engine.py"), fault])
    told = shell(f"buckspec conform --verbose {shlex.join(chosen)} -- {engine}", place)
    first = next(line for line in told if line.startswith(failing) and "(failed)" in line)
    command = next(line for line in told[told.index(first) :] if line.startswith("Reproduce: "))
    assert first in shell(command.removeprefix("Reproduce: "), place)


def shell(line: str, place: Path) -> list[str]:
    """The lines that a command of an engine that is wrong prints."""
    path = os.pathsep.join([str(place), os.environ["PATH"]])
    known = {**os.environ, "PYTHONPATH": PARTS, "PATH": path}
    done = subprocess.run(["/bin/sh", "-c", line], capture_output=True, text=True, env=known, check=False)
    assert done.returncode == 1, done
    return [line.strip() for line in done.stdout.splitlines()]
