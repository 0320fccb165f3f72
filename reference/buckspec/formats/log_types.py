"""The types of a game log, made from its schema, so that the fast reader and the schema cannot differ in a
bound.

To a type checker they are `str`, `int` and so on; at run time they carry the codes and limits of the schema,
which msgspec checks while it decodes.
"""

from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias

from msgspec import Meta

from buckspec.formats.validate import schema

_DEFINED = "#/$defs/"


def of_schema(rule: dict[str, Any]) -> Any:
    """The type that accepts what this part of the schema accepts, but for objects with fixed keys."""
    if "items" not in rule and "$ref" in rule:
        return defined(rule["$ref"].removeprefix(_DEFINED))
    if "const" in rule:
        return Literal[rule["const"]]
    if "enum" in rule:
        return Literal[tuple(rule["enum"])]
    kind = rule["type"]
    if isinstance(kind, list):
        # in a game log, several types are always one and null
        return of_schema({**rule, "type": next(one for one in kind if one != "null")}) | None
    match kind:
        case "boolean":
            return bool
        case "integer":
            return Annotated[int, Meta(ge=rule["minimum"], le=rule["maximum"])]
        case "string":
            return Annotated[str, Meta(min_length=rule.get("minLength"), max_length=rule["maxLength"])]
        case "array":
            return Annotated[tuple[of_schema(rule["items"]), ...], _length(rule)]  # type: ignore[misc]
    names, values = of_schema(rule["propertyNames"]), of_schema(rule["additionalProperties"])
    return Annotated[dict[names, values], Meta(max_length=rule["maxProperties"])]  # type: ignore[valid-type]


def defined(name: str) -> Any:
    """The type of a definition of the schema."""
    return of_schema(_SCHEMA["$defs"][name])


def member(name: str | None, key: str) -> Any:
    """The type of a member of an object: of a definition of the schema, or of the log itself."""
    rule = _SCHEMA if name is None else _SCHEMA["$defs"][name]
    return of_schema(rule["properties"][key])


def _length(rule: dict[str, Any]) -> Meta:
    return Meta(min_length=rule.get("minItems"), max_length=rule.get("maxItems"))


_SCHEMA = schema("game-log")

HOW_MANY_HANDS = _length(_SCHEMA["properties"]["hands"])
HOW_MANY_EVENTS = _length(_SCHEMA["$defs"]["hand"]["properties"]["events"])

UNKNOWN_CARDS: frozenset[str] = frozenset(_SCHEMA["$defs"]["unknown-card"]["enum"])
"""The codes that stand for a card of which the suit, the rank or both are not known."""

_SHAPES = {
    _SCHEMA["$defs"][branch["$ref"].removeprefix(_DEFINED)]["properties"]["do"]["const"]: frozenset(
        _SCHEMA["$defs"][branch["$ref"].removeprefix(_DEFINED)]["properties"]
    )
    for branch in _SCHEMA["$defs"]["event"]["oneOf"]
}


def words_with(*keys: str) -> frozenset[str]:
    """The words of the events that have exactly these keys beside `seat` and `do`."""
    return frozenset(word for word, shape in _SHAPES.items() if shape == {"seat", "do", *keys})


if TYPE_CHECKING:
    Format: TypeAlias = str
    Text: TypeAlias = str
    Word: TypeAlias = str
    Seat: TypeAlias = int
    Seats: TypeAlias = tuple[int, ...]
    Totals: TypeAlias = tuple[int, ...]
    Counts: TypeAlias = tuple[int, ...]
    Flags: TypeAlias = tuple[bool, ...]
    Players: TypeAlias = tuple[str, ...]
    Parameters: TypeAlias = dict[str, int]
    Readings: TypeAlias = dict[str, str]
    Card: TypeAlias = str
    Deck: TypeAlias = tuple[str, ...]
    Dealt: TypeAlias = tuple[tuple[str, ...], ...]
    Do: TypeAlias = str
    Call: TypeAlias = str
    Maker: TypeAlias = int | None
    Trump: TypeAlias = str | None
    Contract: TypeAlias = str | None
    Ending: TypeAlias = str | None
    Winners: TypeAlias = tuple[int, ...]
else:
    Format = member(None, "format")
    Text = member(None, "spec")
    Word = member(None, "profile")
    Seat = defined("seat")
    Seats = member("hand-claims", "trick_winners")
    Totals = member("start", "totals")
    Counts = member("hand-claims", "tricks")
    Flags = member("hand-claims", "active")
    Players = member(None, "players")
    Parameters = defined("parameters")
    Readings = defined("readings")
    Card = defined("card")
    Deck = member("hand", "deck")
    Dealt = member("hand", "dealt")
    Do = Literal[tuple(_SHAPES)]
    Call = defined("call")
    Maker = defined("maker")
    Trump = defined("trump")
    Contract = defined("contract")
    Ending = defined("ending")
    Winners = member("game-claims", "winners")
