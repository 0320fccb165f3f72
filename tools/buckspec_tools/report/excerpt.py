"""The line of a file in which something stands, with a mark below the place."""

from pathlib import Path

from buckspec.formats.wording import harmless
from buckspec.problem import Place
from buckspec_tools.report.columns import WIDEST, width

_AROUND = WIDEST // 2


def excerpt(place: Place, top: Path) -> list[str]:
    """The line and the mark; nothing if the place has no line, or its file cannot be read.

    `top` is the folder from which the names of files in the rule book count.
    """
    line = _line(place, top)
    if line is None:
        return []
    start = max(0, place.column - 1 - _AROUND) if len(line) > WIDEST else 0
    before = harmless(line[start : max(place.column - 1, 0)].replace("\t", " "))
    after = harmless(line[max(place.column - 1, 0) : start + WIDEST].replace("\t", " "))
    number = str(place.line)
    shown = [f"  {number} | {before}{after}"]
    if place.column:
        shown.append(f"  {' ' * len(number)} | {' ' * width(before)}^")
    return shown


def _line(place: Place, top: Path) -> str | None:
    for path in (top / place.file, Path(place.file)):
        try:
            lines = path.read_text(encoding="utf-8").split("\n")
        except (OSError, ValueError):
            continue
        if place.line and place.line <= len(lines):
            return lines[place.line - 1].rstrip("\r")
    return None
