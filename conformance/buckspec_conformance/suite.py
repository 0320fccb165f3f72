"""What the suite asks: its sources of cases, and how much of them belongs to each level."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Literal, Protocol, TypeAlias

from buckspec.rules import Rules
from buckspec_conformance.case import Case, Result
from buckspec_conformance.readings import cases as of_readings

Level: TypeAlias = Literal["smoke", "standard", "exhaustive"]
Ask: TypeAlias = Callable[[Case], Result]
"""Asks one case and judges it. A case that the engine cannot be asked comes back as unsupported."""


class Property(Protocol):
    """Something that holds of all games, searched for a game in which it does not.

    `id` stays the same from version to version; `clauses` are those for whose sake it is searched.
    """

    @property
    def id(self) -> str: ...
    @property
    def clauses(self) -> tuple[str, ...]: ...
    @property
    def why(self) -> str: ...
    @property
    def tags(self) -> tuple[str, ...]: ...

    def search(self, ask: Ask, seed: int, tries: int) -> Result | None:
        """The smallest case that does not pass, as it was judged; None if none was found.

        The same seed asks the same cases, as long as they pass.
        """
        ...


@dataclass(frozen=True)
class Sources:
    """Where cases come from. `vectors` is told whether rotations are wanted too, the others by which rules."""

    vectors: Callable[[bool], Iterable[Case]]
    properties: Callable[[Rules], Sequence[Property]]
    tables: Callable[[Rules], Iterator[Case]]


@dataclass(frozen=True)
class Amount:
    """How much of each source belongs to a level.

    `tries` are the games that each property is searched in; `games` are those that an engine records of its own.
    """

    rotations: bool
    tables: bool
    tries: int
    games: int


AMOUNTS: dict[Level, Amount] = {
    "smoke": Amount(rotations=False, tables=False, tries=0, games=1),
    "standard": Amount(rotations=True, tables=False, tries=100, games=10),
    "exhaustive": Amount(rotations=True, tables=True, tries=2000, games=100),
}


class SuiteError(Exception):
    """A part of the suite is not there, or is not what it should be: a fault of ours."""


def shipped() -> Sources:
    """The sources that come with buckspec."""
    return Sources(_vectors, _properties, _tables)


def none() -> Sources:
    """No case but what a caller puts in its place."""
    return Sources(lambda _: (), lambda _: (), lambda _: iter(()))


def _vectors(rotations: bool) -> Iterable[Case]:
    yield from of_readings()
    yield from _from("vectors", "load_vectors")(rotations)


def _properties(rules: Rules) -> Sequence[Property]:
    found: Sequence[Property] = _from("properties", "properties")(rules)
    return found


def _tables(rules: Rules) -> Iterator[Case]:
    found: Iterator[Case] = _from("exhaustive", "exhaustive_cases")(rules)
    return found


def _from(module: str, name: str) -> Callable[..., Any]:
    """A function of a module of this package, which is loaded only now: some of them take long to load."""
    whole = f"{__package__}.{module}"
    if find_spec(whole) is None:
        raise SuiteError(f"{whole} is missing")
    try:
        found: Callable[..., Any] = getattr(import_module(whole), name)
    except ModuleNotFoundError as error:
        raise SuiteError(f"{whole} needs {error.name}, which is not installed") from error
    return found
