"""The checks of a schema, made quick for large values.

What they find is the same, but for what lies in a list or object that has too many members already.
"""

from collections.abc import Callable, Hashable, Iterator
from typing import Any, TypeAlias

from buckspec.formats.wording import WIDEST

Check: TypeAlias = Callable[[Any, Any, Any, Any], Any]
"""A check of jsonschema: of the validator, what the schema says, the value, and the schema; it gives errors or None."""

INNER = frozenset(
    ["$ref", "additionalProperties", "allOf", "contains", "items", "prefixItems", "properties", "propertyNames",
     "uniqueItems"]
)  # fmt: skip
"""The words of a schema that look at the members of a value."""
_REMEMBERED = 10_000


def within_bounds(check: Check) -> Check:
    """Do not look into what has more members than it may have: that is its fault, and may take long."""

    def checked(validator: Any, rule: Any, value: Any, schema: Any) -> Iterator[Any]:
        most = schema.get("maxItems" if isinstance(value, list) else "maxProperties")
        if most is None or not isinstance(value, list | dict) or len(value) <= most:
            yield from check(validator, rule, value, schema) or ()

    return checked


def remembered(check: Check) -> Check:
    """Check a small value, such as a card or an event, only once if it is right: a log has the same ones many times.

    The schemas are kept as long as the program runs, so that one is known by where it lies in memory.
    """
    right: set[Hashable] = set()

    def checked(validator: Any, rule: Any, value: Any, schema: Any) -> Iterator[Any]:
        small = _small(value)
        key = (id(schema), small)
        if small is not None and key in right:
            return
        is_right = True
        for error in check(validator, rule, value, schema):
            is_right = False
            yield error
        if is_right and small is not None:
            if len(right) >= _REMEMBERED:
                right.clear()
            right.add(key)

    return checked


def counted(check: Check) -> Check:
    """Count a constant text in a list at once."""

    def checked(validator: Any, rule: Any, value: Any, schema: Any) -> Iterator[Any]:
        if isinstance(value, list) and list(rule) == ["const"] and isinstance(rule["const"], str):
            count = value.count(rule["const"])
            if schema.get("minContains", 1) <= count <= schema.get("maxContains", count):
                return
        yield from check(validator, rule, value, schema) or ()

    return checked


def _small(value: Any) -> Hashable | None:
    """The value with its types, if it is a single one or an object of single ones; None if it is more than that."""
    if isinstance(value, list | str | dict) and len(value) > WIDEST:
        return None
    if isinstance(value, dict):
        parts = [(name, _small(part)) for name, part in value.items() if not isinstance(part, dict)]
        return tuple(parts) if len(parts) == len(value) and all(part is not None for _, part in parts) else None
    if isinstance(value, list):
        return None
    return type(value), value
