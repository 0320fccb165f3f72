"""The vectors: small games, published as JSON and usable without Python, as cases of the suite.

They lie in the folder of the same name, a file for each topic. Each stands for a game at one place of the table; turned
by one seat, two or three it asks the same of an engine in other seats. Turned vectors are made here and not stored.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from buckspec_conformance.case import Case
from buckspec_conformance.forms import PLAY

FOLDER = Path(__file__).with_suffix("")
"""Where the vectors lie."""

TURNED = "@r"
"""What follows the id of a vector that was turned, before the number of seats."""

_ASKED = ("profile", "parameters", "readings", "start", "hands")


@dataclass(frozen=True)
class Vector:
    """A vector: its case, what the rules say of it as it was published, and how many seats its lists have.

    An illegal vector names its `twin`, which differs in one card or flag and is legal; a twin names its vector. An
    engine has understood a requirement if it passes both. `links` lead to the reports of faults that it shows.
    """

    case: Case
    expect: Mapping[str, Any]
    seats: int
    twin: str | None = None
    links: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        """The id of its case."""
        return self.case.id


@lru_cache(maxsize=1)
def vectors() -> tuple[Vector, ...]:
    """Every vector as it is stored, ordered by topic. Raises FileNotFoundError if there are none."""
    files = sorted(FOLDER.glob("*.json"))
    if not files:
        raise FileNotFoundError(f"no vectors in {FOLDER}; install buckspec again, or build them")
    found: list[Vector] = []
    for file in files:
        held = json.loads(file.read_text(encoding="utf-8"))
        found += [_vector(one, held["seats"]) for one in held["vectors"]]
    return tuple(found)


def _vector(held: Mapping[str, Any], seats: int) -> Vector:
    request = {"op": PLAY, **{name: held[name] for name in _ASKED if name in held}}
    case = Case(held["id"], "vector", tuple(held["clauses"]), held["because"], request, tuple(held["tags"]))
    return Vector(case, held["expect"], seats, held.get("twin"), tuple(held.get("links", ())))


def load_vectors(rotations: bool = False) -> tuple[Case, ...]:
    """The cases of all vectors; with `rotations` each of them at every place of the table, the stored one first."""
    return tuple(turned(vector, by).case for vector in vectors() for by in range(vector.seats if rotations else 1))


def turned(vector: Vector, by: int) -> Vector:
    """The same vector with everybody moved to the left by some seats. Its twin is the twin turned the same way."""
    if by % vector.seats == 0:
        return vector
    case, mark = vector.case, f"{TURNED}{by % vector.seats}"
    return replace(
        vector,
        case=replace(case, id=case.id + mark, request=_request(case.request, by, vector.seats)),
        expect={
            "hands": [
                {"steps": [_step(step, by, vector.seats) for step in hand["steps"]]} for hand in vector.expect["hands"]
            ]
        },
        twin=vector.twin and vector.twin + mark,
    )


def _request(request: Mapping[str, Any], by: int, seats: int) -> dict[str, Any]:
    found = dict(request)
    if "start" in request:
        found["start"] = {name: _list(values, by) for name, values in request["start"].items()}
    found["hands"] = [
        {name: _value(name, value, by, seats) for name, value in hand.items()} for hand in request["hands"]
    ]
    return found


def _step(step: Mapping[str, Any], by: int, seats: int) -> dict[str, Any]:
    return {name: _value(name, value, by, seats) for name, value in step.items()}


# ---------------------------------------------------------------------- what is turned, field by field

_SEATS = ("dealer", "maker", "turn")
_LISTS_OF_SEATS = ("winners", "trick_winners")
_LISTS_BY_SEAT = ("active", "table", "hands", "tricks", "totals", "points")
_LISTS_OF_EVENTS = ("events", "legal")


def _value(name: str, value: Any, by: int, seats: int) -> Any:
    if name in _SEATS:
        return _seat(value, by, seats)
    if name in _LISTS_OF_SEATS:
        moved: list[Any] = [_seat(seat, by, seats) for seat in value]
        return sorted(moved) if name == _LISTS_OF_SEATS[0] else moved
    if name in _LISTS_BY_SEAT:
        return _list(value, by)
    if name in _LISTS_OF_EVENTS:
        return [{**event, "seat": _seat(event["seat"], by, seats)} for event in value]
    return value


def _seat(seat: int | None, by: int, seats: int) -> int | None:
    return None if seat is None else (seat + by) % seats


def _list(values: Sequence[Any], by: int) -> list[Any]:
    """A list by seat, in which everybody has moved to the left."""
    place = by % len(values)
    return [*values[-place:], *values[:-place]]
