"""The benchmarks of the suite and of the proofs run and measure something. What it measures is no matter of tests."""

import math
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

TOP = Path(__file__).resolve().parents[2]
PATHS = os.pathsep.join(str(TOP / part) for part in ("reference", "conformance", "tools"))
RATIO = re.compile(r"^ratio (\S+) (\S+) \(at (?:least|most) ", re.MULTILINE)


def run(*words: str, program: str = "conform", **more: str) -> tuple[dict[str, float], str]:
    """The ratios, and all that is printed."""
    command = [sys.executable, str(TOP / "tools" / "bench" / f"{program}.py"), *words]
    environment = {**os.environ, "PYTHONPATH": PATHS, **more}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    return {name: float(value) for name, value in RATIO.findall(done.stdout)}, done.stdout


@pytest.mark.parametrize(
    ("section", "needs", "names"),
    [
        ("one", "cc", {"one-short", "one-suite"}),
        ("ahead", "cc", {"ahead-short", "ahead-suite"}),
        ("standard", "node", {"standard"}),
        ("start", "true", {"start-help", "start-conform"}),
    ],
)
def test_each_section_measures_its_ratios(section: str, needs: str, names: set[str]) -> None:
    if shutil.which(needs) is None:
        pytest.skip(f"{needs} is not installed")
    ratios, _ = run(section, "--quick")
    assert set(ratios) == names
    assert all(math.isfinite(ratio) and ratio > 0 for ratio in ratios.values())


def test_what_cannot_be_measured_is_told_and_no_ratio_at_all(tmp_path: Path) -> None:
    ratios, told = run("one", "ahead", "standard", "--quick", PATH=str(tmp_path))
    assert told.count("not measured: there is no cc here") == 2
    assert "not measured: there is no node here" in told
    assert len(ratios) == 5
    assert all(map(math.isnan, ratios.values()))


@pytest.mark.slow
def test_the_time_of_proofs_is_measured() -> None:
    ratios, told = run("own", "--quick", program="prove")
    assert set(ratios) == {"own", "own-longest"}
    assert all(math.isfinite(ratio) and ratio > 0 for ratio in ratios.values())
    assert ratios["own-longest"] < ratios["own"]
    assert "import z3 " in told


def test_an_unknown_section_is_refused() -> None:
    command = [sys.executable, str(TOP / "tools" / "bench" / "conform.py"), "everything"]
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": PATHS}, check=False)
    assert done.returncode == 2
    assert "no such section: everything" in done.stderr
