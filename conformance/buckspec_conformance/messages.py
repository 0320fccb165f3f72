"""The messages of the engine protocol, buckspec-engine/1, as typed values.

Their bounds and words are those of `schemas/engine-*.schema.json`, which decide. What msgspec cannot say stands
in `buckspec_conformance.protocol`. Everywhere, UNSET means: the field was not there.
"""

from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from buckspec.formats import log_types as of
from buckspec.formats.game_log import GameLog, Start
from buckspec.formats.validate import schema

if TYPE_CHECKING:

    class Event(Struct, frozen=True):
        """What one seat said or did; at run time one class for each word. None: the event has no such field."""

        seat: int
        do: str
        card: str | None
        suit: str | None

    Id: TypeAlias = int
    Text: TypeAlias = str
    Card: TypeAlias = str
    Cards: TypeAlias = tuple[str, ...]
    Deal: TypeAlias = tuple[tuple[str, ...], ...]
    Table: TypeAlias = tuple[str | None, ...]
    Events: TypeAlias = tuple[Event, ...]
    Words: TypeAlias = tuple[str, ...]
    Choices: TypeAlias = dict[str, tuple[str, ...]]
    Number: TypeAlias = int
else:

    def own(message: str, *path: str) -> Any:
        """A part of the schema of that message that refers to no other."""
        return reduce(lambda rule, key: rule[key], ("properties", *path), schema(f"engine-{message}"))

    def several(item: Any, rule: dict[str, Any]) -> Any:
        """A list of such items, as short and as long as the rule has it."""
        return Annotated[tuple[item, ...], Meta(min_length=rule.get("minItems"), max_length=rule.get("maxItems"))]

    def event_types() -> Any:
        """One type for each word that an event can have, with exactly its fields; the other fields are None."""
        rules = schema("game-log")["$defs"]
        kinds = []
        for branch in rules["event"]["oneOf"]:
            name = branch["$ref"].rpartition("/")[2]
            word = rules[name]["properties"]["do"]["const"]
            fields = [key for key in rules[name]["properties"] if key != "do"]
            types = {"seat": of.Seat, "card": of.Card, "suit": of.Call}
            blank = {key: None for key in types if key not in fields}
            kinds.append(
                msgspec.defstruct(
                    f"Event_{word}",
                    [(key, types[key]) for key in fields],
                    tag_field="do",
                    tag=word,
                    frozen=True,
                    gc=False,
                    forbid_unknown_fields=True,
                    namespace={"do": word, **blank},
                )
            )
        return reduce(or_, kinds)

    Event = event_types()
    Id = of.of_schema(own("bye-request", "id"))
    Text = of.of_schema(own("step", "reason"))
    Card = of.defined("known-card")
    Cards = several(Card, own("step", "hands", "items"))
    Deal = several(Cards, own("step", "hands"))
    Table = several(Card | None, own("step", "table"))
    Events = several(Event, own("step", "legal"))
    Words = several(of.Word, own("hello-response", "profiles"))
    Choices = Annotated[
        dict[of.Word, several(of.Word, own("hello-response", "choices", "additionalProperties"))],
        Meta(max_length=own("hello-response", "choices", "maxProperties")),
    ]
    Number = of.of_schema(own("record-request", "seed"))

if TYPE_CHECKING:
    Name: TypeAlias = str
    Line: TypeAlias = str
    One: TypeAlias = int
    Operations: TypeAlias = tuple[str, ...]
    Reports: TypeAlias = tuple[str, ...]
    Also: TypeAlias = tuple[Event, ...]
    Deck: TypeAlias = tuple[str, ...]
    Dealt: TypeAlias = tuple[tuple[str, ...], ...]
    Asked: TypeAlias = tuple[Event, ...]
    Games: TypeAlias = int
else:
    _engine = schema("engine-hello-response")["$defs"]["engine"]["properties"]
    _hand = schema("engine-play-request")["$defs"]
    Name, Line = of.of_schema(_engine["name"]), of.of_schema(_engine["version"])
    One = of.of_schema(own("hello-request", "protocol"))
    Operations = of.of_schema(own("hello-response", "operations"))
    Reports = of.of_schema(own("hello-response", "reports"))
    Also = several(Event, own("step", "also"))
    Deck = several(Card, _hand["hand"]["properties"]["deck"])
    Dealt = several(several(Card, _hand["dealt-hand"]), _hand["hand"]["properties"]["dealt"])
    Asked = several(Event, _hand["hand"]["properties"]["events"])
    Games = of.of_schema(own("record-request", "games"))


LONGEST: int = schema("engine-step")["properties"]["reason"]["maxLength"]
"""How long a text such as a reason may be, in characters."""


class _Message(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """What all messages and their parts have in common."""


# ---------------------------------------------------------------------- requests


class HelloRequest(_Message, frozen=True, tag_field="op", tag="hello"):
    """Who are you?"""

    id: Id
    protocol: One


class HandRequest(_Message, frozen=True):
    """One hand to be played. Only the first of a request has a dealer."""

    deck: Deck
    events: Asked
    dealer: of.Seat | UnsetType = UNSET
    dealt: Dealt | UnsetType = UNSET
    upcard: Card | UnsetType = UNSET


if TYPE_CHECKING:
    HandRequests: TypeAlias = tuple[HandRequest, ...]
else:
    HandRequests = several(HandRequest, own("play-request", "hands"))


class PlayRequest(_Message, frozen=True, tag_field="op", tag="play"):
    """Play these hands, and say what became of each event."""

    id: Id
    profile: of.Word
    parameters: of.Parameters
    readings: of.Readings
    hands: HandRequests
    start: Start | UnsetType = UNSET


class RecordRequest(_Message, frozen=True, tag_field="op", tag="record"):
    """Play whole games of your own, and hand over their logs."""

    id: Id
    profile: of.Word
    seed: Number
    games: Games
    parameters: of.Parameters | UnsetType = UNSET
    readings: of.Readings | UnsetType = UNSET


class ByeRequest(_Message, frozen=True, tag_field="op", tag="bye"):
    """End. Nothing is answered."""

    id: Id


# ---------------------------------------------------------------------- answers


class Identity(_Message, frozen=True):
    """Who an engine is."""

    name: Name
    version: Line
    language: Line


class HelloResponse(_Message, frozen=True):
    """Who the engine is, by which rules it plays, and what its steps hold (`reports`)."""

    id: Id
    protocol: One
    engine: Identity
    profiles: Words
    readings: of.Readings
    choices: Choices
    operations: Operations
    reports: Reports
    deals: bool | UnsetType = UNSET


class Step(_Message, frozen=True):
    """What became of one event, and the state after it; the first of a hand is the state after the deal."""

    accepted: bool | UnsetType = UNSET
    reason: Text | UnsetType = UNSET
    clause: of.Word | UnsetType = UNSET
    error: Text | UnsetType = UNSET
    also: Also | UnsetType = UNSET
    turn: of.Maker | UnsetType = UNSET
    legal: Events | UnsetType = UNSET
    contract: of.Contract | UnsetType = UNSET
    trump: of.Trump | UnsetType = UNSET
    maker: of.Maker | UnsetType = UNSET
    dealer: of.Seat | UnsetType = UNSET
    active: of.Flags | UnsetType = UNSET
    table: Table | UnsetType = UNSET
    hands: Deal | UnsetType = UNSET
    tricks: of.Counts | UnsetType = UNSET
    totals: of.Totals | UnsetType = UNSET
    winners: of.Winners | UnsetType = UNSET
    points: of.Totals | UnsetType = UNSET
    ended: of.Ending | UnsetType = UNSET
    trick_winners: of.Seats | UnsetType = UNSET


if TYPE_CHECKING:
    Steps: TypeAlias = tuple[Step, ...]
else:
    Steps = several(Step, schema("engine-play-response")["$defs"]["hand"]["properties"]["steps"])


class HandResponse(_Message, frozen=True):
    """What became of one hand."""

    steps: Steps


if TYPE_CHECKING:
    HandResponses: TypeAlias = tuple[HandResponse, ...]
    RawLogs: TypeAlias = tuple[msgspec.Raw, ...]
else:
    HandResponses = several(HandResponse, own("play-response", "hands"))
    RawLogs = several(msgspec.Raw, own("record-response", "logs"))


class PlayResponse(_Message, frozen=True):
    """What became of each hand of a request."""

    id: Id
    hands: HandResponses


class RawRecordResponse(_Message, frozen=True):
    """The logs as they were written."""

    id: Id
    logs: RawLogs


class RecordResponse(_Message, frozen=True):
    """The games that the engine played."""

    id: Id
    logs: tuple[GameLog, ...]


class Unsupported(_Message, frozen=True):
    """The engine cannot honour the request, and says why."""

    id: Id
    unsupported: Text


class EngineError(_Message, frozen=True):
    """An exception that was no refusal of an event. Without an id if the engine could not read the request."""

    error: Text
    id: Id | UnsetType = UNSET


Request: TypeAlias = HelloRequest | PlayRequest | RecordRequest | ByeRequest
Result: TypeAlias = HelloResponse | PlayResponse | RecordResponse
"""What an engine was asked for."""
Response: TypeAlias = Result | Unsupported | EngineError
