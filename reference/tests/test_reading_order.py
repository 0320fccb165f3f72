"""The page beside the package names every module, and each imports only from those above it."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

REFERENCE = Path(__file__).resolve().parents[1]
PACKAGE = REFERENCE / "buckspec"
ROW = re.compile(r"^\| `(\w+)` \|", re.MULTILINE)


def imports(path: Path) -> Iterator[str]:
    """The modules of the package that a module or subpackage needs to run."""
    for file in [path.with_suffix(".py")] if path.with_suffix(".py").is_file() else sorted(path.glob("*.py")):
        tree = ast.parse(file.read_text(encoding="utf-8"))
        for_types = [
            node for node in ast.walk(tree) if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test)
        ]
        left_out = {id(inner) for node in for_types for part in node.body for inner in ast.walk(part)}
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and id(node) not in left_out and node.module:
                top, _, module = node.module.partition(".")
                if top == PACKAGE.name:
                    yield from [module.partition(".")[0]] if module else [alias.name for alias in node.names]


def test_the_page_names_the_modules_in_the_order_in_which_they_can_be_read() -> None:
    named = ROW.findall((REFERENCE / "README.md").read_text(encoding="utf-8"))
    modules = {path.stem for path in PACKAGE.glob("*.py")} - {"__init__"}
    packages = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    assert sorted(named) == sorted(modules | packages), "the page and the package differ"
    for place, name in enumerate(named):
        below = set(imports(PACKAGE / name)) - {*named[: place + 1]}
        assert not below, f"{name} imports what the page has further down"
