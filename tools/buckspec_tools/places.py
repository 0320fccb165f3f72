"""The files in which the rules stand, by the names that messages give them."""

import re
from functools import lru_cache
from pathlib import Path

_LINE_ENDS = re.compile("\r\n|[\r\n\x85\u2028\u2029]")  # what YAML counts as the end of a line


def lines_of(file: str, top: Path) -> list[str]:
    """The lines of a file; none if it cannot be read, or is something else than a file, which may have no end.

    `top` is the folder from which the names of files in the rule book count; other names count from where we are.
    """
    for path in places_of(file, top):
        try:
            if path.is_file():
                about = path.stat()
                return _lines(path.resolve(), about.st_mtime_ns, about.st_size)
        except (OSError, ValueError):
            continue
    return []


def places_of(file: str, top: Path) -> tuple[Path, ...]:
    """Where a file may lie that a message names."""
    return top / file, Path(file)


@lru_cache(maxsize=2)
def _lines(path: Path, changed: int, size: int) -> list[str]:  # noqa: ARG001 - a file that has changed is read again
    """Kept, as there may be many things to say of one file."""
    return _LINE_ENDS.split(path.read_text(encoding="utf-8"))
