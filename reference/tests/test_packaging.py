"""The rule book is found where it lies, in a checkout and in a package, and the reference stays light."""

import ast
import importlib.metadata
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from buckspec.data import schema_dir, spec_dir

TOP = Path(__file__).resolve().parents[2]
PACKAGE = TOP / "reference" / "buckspec"

ASK = "from buckspec.data import schema_dir, spec_dir; print(spec_dir()); print(schema_dir())"


def ask(*path: Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Ask a new interpreter, with exactly these folders on its path, where the data lies."""
    program = f"import sys; sys.path[:0] = {[str(p) for p in path]!r}; {ASK}"
    # -S: without site-packages, so that the installed buckspec cannot answer
    command = [sys.executable, "-S", "-c", program]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)


def lay(top: Path, *, package: str, data: str | None) -> Path:
    """Write a buckspec of data.py alone into `top/package`, and its two data folders into `top/data`."""
    home = top / package / "buckspec"
    home.mkdir(parents=True)
    (home / "__init__.py").write_text("")
    shutil.copy(PACKAGE / "data.py", home)
    if data is not None:
        for kind in ("spec", "schemas"):
            (top / data / kind).mkdir(parents=True)
    return top / package


def test_a_checkout_is_read_where_it_stands() -> None:
    assert spec_dir() == TOP / "spec"
    assert schema_dir() == TOP / "schemas"
    assert (spec_dir() / "domains.yaml").is_file()


def test_an_edit_of_the_checkout_is_seen(tmp_path: Path) -> None:
    path = lay(tmp_path, package="reference", data=".")
    (tmp_path / "spec" / "new.yaml").write_text("first")
    found = Path(ask(path, cwd=tmp_path).stdout.splitlines()[0])
    (tmp_path / "spec" / "new.yaml").write_text("second")
    assert (found / "new.yaml").read_text() == "second"


def test_a_package_carries_its_own_data(tmp_path: Path) -> None:
    path = lay(tmp_path, package="site-packages", data="site-packages/buckspec/_data")
    assert ask(path, cwd=tmp_path).stdout.split() == [
        str(path / "buckspec" / "_data" / "spec"),
        str(path / "buckspec" / "_data" / "schemas"),
    ]


def test_the_copy_that_an_editable_installation_leaves_is_never_read(tmp_path: Path) -> None:
    checkout = lay(tmp_path, package="reference", data=".")
    stale = tmp_path / "site-packages"
    (stale / "buckspec" / "_data" / "spec").mkdir(parents=True)
    (stale / "buckspec" / "_data" / "schemas").mkdir()
    # site-packages comes first: an editable installation adds the checkout's folders behind it
    answer = ask(stale, checkout, cwd=tmp_path)
    assert answer.stdout.split() == [str(tmp_path / "spec"), str(tmp_path / "schemas")], answer.stderr


def test_no_copy_lies_in_the_checkout() -> None:
    assert not (PACKAGE / "_data").exists(), "it would hide the spec/ that is edited; delete it"


def test_data_that_is_missing_is_an_error_that_names_both_places(tmp_path: Path) -> None:
    path = lay(tmp_path, package="reference", data=None)
    answer = ask(path, cwd=tmp_path)
    assert answer.returncode == 1
    last = answer.stderr.splitlines()[-1]
    assert last.startswith("FileNotFoundError: ")
    assert str(path / "buckspec" / "_data" / "spec") in last
    assert str(tmp_path / "spec") in last


def test_the_data_folders_hold_no_python() -> None:
    """Python forced into a wheel beside the package would shadow the checkout."""
    assert [str(p) for kind in (spec_dir(), schema_dir()) for p in kind.rglob("*.py")] == []


def test_the_installed_version_is_the_one_of_the_project_file() -> None:
    project = tomllib.loads((TOP / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert importlib.metadata.version("buckspec") == project["version"], "set up again: make clean test"
    changelog = (TOP / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.search(rf"^## {re.escape(project['version'])}\b", changelog, re.MULTILINE)


LIGHT = {"buckspec", "yaml", "msgspec"}
EDGE = {"formats/validate.py": {"jsonschema", "referencing"}}


@pytest.mark.parametrize("file", sorted(PACKAGE.rglob("*.py")), ids=lambda p: str(p.relative_to(PACKAGE)))
def test_the_reference_imports_nothing_heavy(file: Path) -> None:
    allowed = LIGHT | EDGE.get(str(file.relative_to(PACKAGE)), set()) | set(sys.stdlib_module_names)
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        match node:
            case ast.Import(names=names):
                roots = [name.name.split(".")[0] for name in names]
            case ast.ImportFrom(module=str(module), level=0):
                roots = [module.split(".")[0]]
            case _:
                continue
        for root in roots:
            assert root in allowed, f"{file}:{node.lineno} imports {root}, which only a package above may"
