"""Lines of text that stand under each other: tables, and paragraphs of a width."""

import unicodedata
from collections.abc import Iterable, Sequence
from textwrap import wrap

INDENT = "  "
GAP = "  "
WIDEST = 110
"""The longest line that is printed where no width is known."""


def width(text: str) -> int:
    """How many places of a terminal a text takes: marks that stand on a letter none, wide signs two."""
    return sum(_width(sign) for sign in text)


def _width(sign: str) -> int:
    if unicodedata.combining(sign):
        return 0
    return 2 if unicodedata.east_asian_width(sign) in ("W", "F") else 1


def aligned(rows: Sequence[Sequence[str]], *, right: Iterable[int] = ()) -> list[str]:
    """The rows as lines, each column as wide as its widest cell; the columns in `right` end flush."""
    flush = set(right)
    count = max((len(row) for row in rows), default=0)
    widths = [max((width(row[at]) for row in rows if at < len(row)), default=0) for at in range(count)]
    return [GAP.join(_cell(text, widths[at], at in flush) for at, text in enumerate(row)).rstrip() for row in rows]


def _cell(text: str, wide: int, flush: bool) -> str:
    blanks = " " * (wide - width(text))
    return blanks + text if flush else text + blanks


def wrapped(text: str, wide: int = WIDEST) -> list[str]:
    """The text as lines, broken at blanks only: a name stays whole."""
    return wrap(text, wide, break_long_words=False, break_on_hyphens=False)


def indented(lines: Iterable[str]) -> list[str]:
    """The lines one step to the right."""
    return [INDENT + line if line else line for line in lines]


def labelled(entries: Sequence[tuple[str, str]], wide: int = WIDEST) -> list[str]:
    """Labels and their texts in two columns; a long text goes on below itself."""
    column = max((width(label) for label, _ in entries), default=0)
    lines = []
    for label, text in entries:
        first, *more = wrapped(text, max(wide - column, column + 1)) or [""]
        lines.append((_cell(label, column, flush=False) + GAP + first).rstrip())
        lines += [" " * column + GAP + line for line in more]
    return lines
