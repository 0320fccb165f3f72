"""The pytest plugin runs the suite as tests, and does nothing to those who do not use it."""

import subprocess
import sys
from pathlib import Path

import pytest

PLUGIN = "buckspec_conformance.plugin"
ENGINE = f"{sys.executable} -m buckspec_conformance.reference_engine"


def run(folder: Path, *arguments: str, code: str | None = None) -> tuple[int, str]:
    """What pytest says in a new process, in a folder of its own, with the plugin."""
    command = [sys.executable, *(["-c", code] if code else ["-m", "pytest", "-p", PLUGIN, "-p", "no:cacheprovider"])]
    done = subprocess.run([*command, *arguments], cwd=folder, capture_output=True, text=True, timeout=600, check=False)
    return done.returncode, done.stdout + done.stderr


def test_nothing_heavy_is_loaded_at_the_start(tmp_path: Path) -> None:
    heavy = ("hypothesis", "msgspec", "yaml", "buckspec.load")
    code = f"import sys, {PLUGIN}; print([name for name in {heavy} if name in sys.modules])"
    assert run(tmp_path, code=code) == (0, "[]\n")


def test_without_an_engine_nothing_is_collected(tmp_path: Path) -> None:
    exit_code, said = run(tmp_path, "--pyargs", "buckspec_conformance", "-q")
    assert exit_code == pytest.ExitCode.NO_TESTS_COLLECTED, said
    (tmp_path / "test_own.py").write_text("def test_own(): pass\n", encoding="utf-8")
    exit_code, said = run(tmp_path, "-q")
    assert (exit_code, "1 passed" in said) == (0, True), said
    assert "buckspec" not in said


def test_its_fixtures_skip_where_no_engine_is_named(tmp_path: Path) -> None:
    (tmp_path / "test_own.py").write_text("def test_own(buck_engine): pass\n", encoding="utf-8")
    assert "1 skipped" in run(tmp_path, "-q")[1]


def test_an_engine_of_ones_own_tests_can_be_asked(tmp_path: Path) -> None:
    text = "def test_own(buck_engine):\n    assert buck_engine.start().engine.name == 'buckspec-reference'\n"
    (tmp_path / "test_own.py").write_text(text, encoding="utf-8")
    exit_code, said = run(tmp_path, "-q", "--buck-engine", ENGINE)
    assert (exit_code, "1 passed" in said) == (0, True), said


def test_an_engine_that_does_not_answer_fails(tmp_path: Path) -> None:
    exit_code, said = run(tmp_path, "--pyargs", "buckspec_conformance", "--buck-engine", "no-such-engine-anywhere")
    assert exit_code == pytest.ExitCode.TESTS_FAILED
    assert "hello was not answered" in said
    assert "buckspec: no-such-engine-anywhere, level standard, seed 0" in said


@pytest.mark.slow
def test_the_reference_passes_with_one_item_a_clause(tmp_path: Path) -> None:
    arguments = ("--pyargs", "buckspec_conformance", "--buck-level", "smoke", "-v", "--buck-engine")
    exit_code, said = run(tmp_path, *arguments, ENGINE)
    assert exit_code == 0, said
    assert "test_clause[play.follow] PASSED" in said
    assert said.count("test_clause[") < 120


@pytest.mark.slow
def test_a_fault_fails_its_clause_and_says_how_to_see_it_again(tmp_path: Path) -> None:
    engine = f"{ENGINE} --reading below-zero=cut --undeclared"
    arguments = ("--pyargs", "buckspec_conformance", "--buck-level", "smoke", "-v", "--buck-engine")
    exit_code, said = run(tmp_path, *arguments, engine)
    assert exit_code == pytest.ExitCode.TESTS_FAILED, said
    assert "test_clause[score.totals] FAILED" in said
    assert "below-zero" in said
    assert "test_clause[play.follow] PASSED" in said
