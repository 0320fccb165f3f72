"""The files in which the rules stand, by the names that messages give them."""

from pathlib import Path


def lines_of(file: str, top: Path) -> list[str]:
    """The lines of a file; none if it cannot be read.

    `top` is the folder from which the names of files in the rule book count; other names count from where we are.
    """
    for path in (top / file, Path(file)):
        try:
            return [line.rstrip("\r") for line in path.read_text(encoding="utf-8").split("\n")]
        except (OSError, ValueError):
            continue
    return []
