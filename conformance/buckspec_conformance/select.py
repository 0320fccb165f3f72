"""Which cases of a level are asked: by clause, by case, by tag, or those that failed last time."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Protocol

from buckspec.problem import nearest
from buckspec_conformance.stream import BROKEN, Run

_GLOB = frozenset("*?[")


class NothingSelected(ValueError):  # noqa: N818 - it is what a user asked for
    """A word that selects nothing. The message names it, and the nearest one that selects something."""


class Selectable(Protocol):
    """A case, or a property."""

    @property
    def id(self) -> str: ...
    @property
    def clauses(self) -> tuple[str, ...]: ...
    @property
    def tags(self) -> tuple[str, ...]: ...


@dataclass(frozen=True)
class Selection:
    """`only` are words of which one has to fit, `ids` the cases of which it has to be one; None means any."""

    only: tuple[str, ...] = ()
    ids: frozenset[str] | None = None

    def __bool__(self) -> bool:
        return bool(self.only) or self.ids is not None

    def admits(self, case: Selectable) -> bool:
        """Whether the case is asked."""
        if self.ids is not None and case.id not in self.ids:
            return False
        return not self.only or any(fits(word, case) for word in self.only)


def fits(word: str, case: Selectable) -> bool:
    """Whether a word means the case: its id, a clause or a tag of it, what these begin with, or a pattern of them."""
    names = (case.id, *case.clauses, *case.tags)
    if not _GLOB.isdisjoint(word):
        return any(fnmatchcase(name, word) for name in names)
    return any(name == word or name.startswith((f"{word}.", f"{word}/")) for name in names)


def failed_in(run: Run) -> frozenset[str]:
    """The cases of a run that have to be asked again: those that did not pass, known failures included."""
    return frozenset(case.id for case in run.cases if case.outcome in (*BROKEN, "known-failure"))


def check(only: Sequence[str], cases: Iterable[Selectable], known: Collection[str] = ()) -> None:
    """Raise NothingSelected if a word selects nothing. `known` are clauses that exist, tested or not."""
    names: set[str] = set(known)
    open_ = set(only)
    for case in cases:
        names |= {case.id, *case.clauses, *case.tags}
        open_ -= {word for word in open_ if fits(word, case)}
        if not open_:
            return
    names |= {name[:at] for name in names for at, sign in enumerate(name) if sign in "./"}  # these select as well
    for word in only:
        if word not in open_:
            continue
        if word in known:
            raise NothingSelected(f"no case of this level tests {word}; try a higher level")
        meant = nearest(word, names)
        raise NothingSelected(f"nothing is called {word}" + (f"; did you mean {meant}?" if meant else ""))
