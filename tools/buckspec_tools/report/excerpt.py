"""The line of a file in which something stands, with a mark below the place."""

from pathlib import Path

from buckspec.formats.wording import harmless
from buckspec.problem import Place
from buckspec_tools.places import lines_of
from buckspec_tools.report.columns import WIDEST, width

_AROUND = WIDEST // 2


def excerpt(place: Place, top: Path) -> list[str]:
    """The line and the mark; nothing if the place has no line, or its file cannot be read.

    `top` is the folder from which the names of files in the rule book count.
    """
    lines = lines_of(place.file, top)
    if not 0 < place.line <= len(lines):
        return []
    line = lines[place.line - 1]
    start = max(0, place.column - 1 - _AROUND) if len(line) > WIDEST else 0
    before = harmless(line[start : max(place.column - 1, 0)].replace("\t", " "))
    after = harmless(line[max(place.column - 1, 0) : start + WIDEST].replace("\t", " "))
    number = str(place.line)
    shown = [f"  {number} | {before}{after}"]
    if place.column:
        shown.append(f"  {' ' * len(number)} | {' ' * width(before)}^")
    return shown
