"""What `lint` says of rule books with one fault each: the whole lines, with file, line and column.

The cases stand in bad_specs/. Each is a patch of spec/: in `file`, `old` becomes `new` (and `also` is a second patch).
`expect` is the line to be told, or all of them. In it `{+1}` is the line after the one where the patch begins, and
`{play.follow+2}` the second below the only key of that name; so a case stays right when a file grows above it.
Lines about other languages, which follow from every change to an English text, are left out of cases that are not
about languages (`languages: true`, or a file of i18n/).
"""

import re
import shutil
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from buckspec.document import load_document
from buckspec.syntax import parse
from buckspec_tools.lint import lint

SPEC = Path(__file__).resolve().parents[2] / "spec"
FILES = sorted(Path(__file__).with_name("bad_specs").glob("*.yaml"))
CASES = [(file.stem, case) for file in FILES for case in yaml.safe_load(file.read_text(encoding="utf-8"))]
OTHER_LANGUAGES = re.compile(r"spec/i18n/(?!en\.)")


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return Path(shutil.copytree(SPEC, tmp_path_factory.mktemp("bad") / "spec"))


@pytest.fixture(scope="module", autouse=True)
def _each_text_is_parsed_once() -> Iterator[None]:
    """Nearly all files are the same in every case."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("buckspec.sources.load_document", cache(load_document))
        patch.setattr("buckspec.build.parse", cache(parse))
        yield


class Patched:
    """A copy of spec/ with the fault of a case in it, and as it was afterwards."""

    def __init__(self, spec: Path, case: dict[str, Any]):
        self.spec, self.case = spec, case
        self.before: dict[Path, str] = {}

    def __enter__(self) -> "Patched":
        self.begins = self.patch(self.case)
        if "also" in self.case:
            self.patch(self.case["also"])
        return self

    def __exit__(self, *_: object) -> None:
        for path, text in self.before.items():
            path.write_text(text, encoding="utf-8")

    def patch(self, change: dict[str, str]) -> int:
        """The line in which the patch begins."""
        path = self.spec / change["file"]
        text = path.read_text(encoding="utf-8")
        assert text.count(change["old"]) == 1, (
            f"{change['file']} has “{change['old']}” {text.count(change['old'])} times"
        )
        self.before.setdefault(path, text)
        path.write_text(text.replace(change["old"], change["new"]), encoding="utf-8")
        return text[: text.index(change["old"])].count("\n") + 1

    def expected(self) -> list[str]:
        told = self.case["expect"]
        return [self.placed(line) for line in ([told] if isinstance(told, str) else told)]

    def placed(self, line: str) -> str:
        """The line with numbers for lines."""
        here = self.case["file"]
        line = re.sub(r"spec/(\S+?):\{(.+?)\}:", lambda m: f"spec/{m[1]}:{self.number(m[1], m[2])}:", line)
        return re.sub(r"in line \{(.+?)\}", lambda m: f"in line {self.number(here, m[1])}", line)

    def number(self, file: str, said: str) -> int:
        key, offset = re.fullmatch(r"(.*?)([+-]\d+)?", said).groups()  # type: ignore[union-attr]
        if not key:
            return self.begins + int(offset)
        lines = (self.spec / file).read_text(encoding="utf-8").split("\n")
        found = [
            at for at, line in enumerate(lines, 1) if line.strip() == f"{key}:" or line.strip().startswith(f"{key}: ")
        ]
        assert len(found) == 1, f"{file} has the key {key} {len(found)} times"
        return found[0] + int(offset or 0)


@pytest.mark.parametrize("case", [pytest.param(case, id=f"{stem}: {case['fault']}") for stem, case in CASES])
def test_a_fault_is_told(case: dict[str, Any], copy: Path) -> None:
    with Patched(copy, case) as patched:
        told = [str(problem) for problem in lint(copy)]
        expected = patched.expected()
    if not (case.get("languages") or case["file"].startswith("i18n/")):
        told = [line for line in told if not OTHER_LANGUAGES.match(line)]
    assert told == expected


def test_the_copy_is_sound_between_the_cases(copy: Path) -> None:
    assert lint(copy) == []


def test_every_case_has_a_name_of_its_own() -> None:
    names = [case["fault"] for _, case in CASES]
    assert len(set(names)) == len(names)
