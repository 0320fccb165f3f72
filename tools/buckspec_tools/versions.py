"""The versions of everything: the tool, the rule book, the file formats."""

from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version

from buckspec.data import spec_dir
from buckspec.document import plain
from buckspec.sources import read_yaml


@lru_cache
def _stated() -> dict[str, object]:
    stated = plain(read_yaml(spec_dir() / "version.yaml", "spec/version.yaml"))
    return stated if isinstance(stated, dict) else {}


def rule_book() -> str:
    """The version of the shipped rule book, such as `1.0.0`."""
    return str(_stated().get("spec"))


def formats() -> dict[str, int]:
    """The version of each file format, by its short word."""
    stated = _stated().get("formats")
    return {str(word): int(number) for word, number in stated.items()} if isinstance(stated, dict) else {}


def tool() -> str:
    """The version of the program, as it was installed."""
    try:
        return version("buckspec")
    except PackageNotFoundError:
        return "(not installed)"


def version_line() -> str:
    """What `buckspec --version` prints."""
    known = ", ".join(f"{word} {number}" for word, number in formats().items())
    return f"buckspec {tool()}, rule book {rule_book()}, formats: {known}"


def differs(stated: str | None) -> bool:
    """Whether a log was written with a rule book whose first number is another one."""
    return stated is not None and stated.partition(".")[0] != rule_book().partition(".")[0]
