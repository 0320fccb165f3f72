"""What is wrong with a text that somebody wrote, and where."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

_LONGEST = 100  # characters of a word that is compared with others, which takes the square of the time


@dataclass(frozen=True, order=True, slots=True)
class Place:
    """A position in a file; line and column count from 1, and 0 means the file as a whole."""

    file: str
    line: int = 0
    column: int = 0

    def __str__(self) -> str:
        return ":".join([self.file, *(str(part) for part in (self.line, self.column) if part)])


@dataclass(frozen=True, order=True)
class Problem:
    """One fault in words: `place: what; found …; expected …; did you mean …?`."""

    place: Place
    what: str
    found: str | None = None
    expected: str | None = None
    meant: str | None = None

    def __str__(self) -> str:
        parts = [self.what]
        if self.found is not None:
            parts.append(f"found {self.found}")
        if self.expected is not None:
            parts.append(f"expected {self.expected}")
        if self.meant is not None:
            parts.append(f"did you mean {self.meant}?")
        return f"{self.place}: {'; '.join(parts)}"


class SpecError(Exception):
    """A rule book, or a choice made from one, that cannot be used. `problems` holds every fault found."""

    def __init__(self, problems: Iterable[Problem]):
        self.problems = tuple(sorted(set(problems)))
        super().__init__("\n".join(str(problem) for problem in self.problems))

    def __reduce__(self) -> tuple[type["SpecError"], tuple[tuple[Problem, ...]]]:
        """For a copy, or the way to another process: from the problems, not from the text."""
        return type(self), (self.problems,)


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known name that looks most like `word`, if any looks like it. Nothing is like a text of many sentences."""
    matches = get_close_matches(word, list(known), n=1) if len(word) <= _LONGEST else []
    return matches[0] if matches else None


def listed(names: Sequence[str]) -> str:
    """Names as a reader wants them: `a`, `a or b`, `a, b or c`."""
    *most, last = names
    return f"{', '.join(most)} or {last}" if most else last
