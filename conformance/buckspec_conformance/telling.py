"""What is found of a failure, in words and as JSON."""

from collections.abc import Mapping
from typing import Any

from msgspec import UNSET, Struct, to_builtins

from buckspec.formats.wording import harmless
from buckspec_conformance.case import Result
from buckspec_conformance.compare import Difference

SHOWN = 2000
"""How many characters of a value or of a line a message shows."""


def in_words(difference: Difference) -> str:
    """A difference as one line."""
    place = f"hands[{difference.hand}].steps[{difference.step}].{difference.field}"
    return f"{place}: found {_short(difference.actual)}; expected {_short(difference.expected)}"


def _short(value: object) -> str:
    text = harmless(str(as_json(value)))
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"


def what(result: Result) -> str:
    if result.difference is not None:
        return f"it is {result.outcome}, {in_words(result.difference)}"
    return f"it is {result.outcome}" + (f": {result.failure.message}" if result.failure else "")


def same(one: Result, other: Result) -> bool:
    """Whether an engine did the same twice."""
    if one.outcome != other.outcome:
        return False
    if one.difference is None or other.difference is None:
        return one.difference is other.difference
    return _place(one.difference) == _place(other.difference)


def _place(difference: Difference) -> tuple[object, ...]:
    return difference.hand, difference.step, difference.field, difference.actual


def as_json(value: object) -> Any:
    """A value of a comparison as JSON has it: sets in order, events, which are keys there, with their fields."""
    if value is UNSET:
        return None
    if isinstance(value, frozenset | set):
        return sorted((dict(one) if isinstance(one, tuple) else as_json(one) for one in value), key=repr)
    if isinstance(value, tuple | list):
        return [as_json(one) for one in value]
    if isinstance(value, Mapping):
        return {str(name): as_json(held) for name, held in value.items()}
    if isinstance(value, Struct):
        return as_json(to_builtins(value))
    return value
