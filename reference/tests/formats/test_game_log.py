"""The fast reader gives what the text says, and refuses what only a second look can see."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from msgspec import UNSET, Struct

from buckspec.formats import game_log
from buckspec.formats.game_log import (
    Event,
    GameClaims,
    GameLog,
    Hand,
    HandClaims,
    LogError,
    Start,
    decode,
    from_value,
    quick,
)
from buckspec.formats.strict_json import StrictJsonError
from buckspec.formats.validate import schema
from buckspec.formats.vocabulary import Vocabulary


def dump(log: object) -> bytes:
    return json.dumps(log, ensure_ascii=False).encode()


@pytest.mark.parametrize(
    ("kind", "name"),
    [(GameLog, None), (Start, "start"), (Hand, "hand"), (HandClaims, "hand-claims"), (GameClaims, "game-claims")],
)
def test_a_type_has_the_fields_of_its_schema(kind: type[Struct], name: str | None) -> None:
    rule = schema("game-log")
    rule = rule if name is None else rule["$defs"][name]
    assert set(kind.__struct_fields__) == set(rule["properties"])


def test_an_event_has_the_fields_of_any_word() -> None:
    rule = schema("game-log")["$defs"]
    shapes = [rule[branch["$ref"].rpartition("/")[2]] for branch in rule["event"]["oneOf"]]
    assert set(Event.__struct_fields__) == {key for shape in shapes for key in shape["properties"]}
    words = game_log._BARE | game_log._WITH_CARD | game_log._WITH_SUIT
    assert words == {shape["properties"]["do"]["const"] for shape in shapes}


def test_a_log_is_read_as_it_stands(full: dict[str, Any]) -> None:
    log = decode(dump(full))
    first, second = log.hands
    assert (log.profile, log.id, log.parameters) == ("ohio", "table: 7", {"start_total": 15, "penalty": 5})
    assert log.start == Start((25, 0, -3, 25))
    assert first.events is not None
    assert first.events[0] == Event(0, "pass")
    assert first.events[2] == Event(3, "discard", card="9D")
    assert second.events == (Event(0, "name", suit="NT"),)
    assert first.claims is not None
    assert first.claims.maker is None
    assert second.claims == HandClaims(maker=0, contract=None)
    assert second.claims.trump is UNSET
    assert log.claims == GameClaims((24, 30, 23, 25), (2, 0), None)
    assert (second.dealer, second.deck, second.dealt, second.upcard) == (None,) * 4


def test_the_fast_way_takes_every_recorded_log(recorded: list[bytes]) -> None:
    assert all(quick(raw) == from_value(json.loads(raw)) for raw in recorded[::25])
    assert all(quick(raw) is not None for raw in recorded)


@pytest.mark.parametrize("indent", [None, 1])
def test_the_fast_way_takes_any_layout(full: dict[str, Any], indent: int | None) -> None:
    for raw in (json.dumps(full, indent=indent), json.dumps(full, indent=indent, ensure_ascii=False)):
        assert quick(raw.replace("\n", "\r\n").encode()) == from_value(full)


@pytest.mark.parametrize("key", ["seat", "events", "hands", "format", "maker", "totals", "all-pass", "dealt", "do"])
def test_a_key_that_stands_twice_is_refused(full: dict[str, Any], key: str) -> None:
    text = dump(full).decode()
    member = re.search(rf'"{key}": ', text)
    assert member
    value, _ = json.JSONDecoder().raw_decode(text[member.end() :])
    twice = f"{text[: member.start()]}{member[0]}{json.dumps(value)}, {text[member.start() :]}"
    assert json.loads(twice) == full
    assert quick(twice.encode()) is None
    with pytest.raises(StrictJsonError, match=f'the same key twice: found "{key}"'):
        decode(twice.encode())


def test_colons_in_names_do_not_hide_a_key_that_stands_twice(full: dict[str, Any]) -> None:
    full |= {
        "id": "::",
        "players": [":", "a:b", "é:", ""],
        "readings": {"x:": ":y"},
        "parameters": {":": 1},
        "spec": ":",
    }
    full["profile"] = "my: own"
    raw = dump(full)
    assert quick(raw) == from_value(full)
    # an escaped colon is one in the name, but none in the text; another key could take its place
    escaped = raw.replace(b'"::"', rb'"\u003A:"').replace(b'"upcard": "AS"', b'"upcard": "AS", "upcard": "AS"')
    assert escaped.count(b":") == raw.count(b":")
    assert quick(escaped) is None
    assert decode(raw.replace(b'"::"', rb'"\u003a:"')) == from_value(full)


Change = Callable[[dict[str, Any]], object]
LATER: dict[str, tuple[Change, str]] = {
    "a card with pass": (lambda log: log["hands"][0]["events"][0].update(card="9C"), "hands[0].events[0].card"),
    "a suit with play": (lambda log: log["hands"][0]["events"][5].update(suit="C"), "hands[0].events[5].suit"),
    "play without card": (lambda log: log["hands"][0]["events"][5].pop("card"), "hands[0].events[5]"),
    "null for a card": (lambda log: log["hands"][0]["events"][0].update(card=None), "hands[0].events[0].card"),
    "null for claims": (lambda log: log.update(claims=None), "claims"),
    "null for totals": (lambda log: log["claims"].update(totals=None), "claims.totals"),
    "a card twice": (lambda log: log["hands"][0]["deck"].__setitem__(20, "9C"), "hands[0].deck[20]"),
    "a joker twice": (
        lambda log: log["hands"][0]["deck"].__setitem__(slice(20, 22), ["JK", "JK"]), "hands[0].deck[21]",
    ),
    "a card in two hands": (lambda log: log["hands"][0]["dealt"][2].__setitem__(0, "9C"), "hands[0].dealt[2][0]"),
    "the up-card in a hand": (lambda log: log["hands"][0].update(upcard="9C"), "hands[0].upcard"),
    "dealt without up-card": (lambda log: log["hands"][0].pop("upcard"), "hands[0]"),
    "a winner twice": (lambda log: log["claims"].update(winners=[1, 1]), "claims.winners[1]"),
    "no dealer at first": (lambda log: log["hands"][0].pop("dealer"), "hands[0]"),
    "no hands": (lambda log: log["hands"].clear(), "hands"),
}  # fmt: skip


@pytest.mark.parametrize(("change", "path"), LATER.values(), ids=LATER)
def test_what_msgspec_does_not_see_is_refused(full: dict[str, Any], change: Change, path: str) -> None:
    change(full)
    assert quick(dump(full)) is None
    with pytest.raises(LogError) as refused:
        decode(dump(full))
    assert refused.value.problems[0].path == path


@pytest.mark.parametrize("written", ["25.0", "2.5e1", "1e999", "NaN", "Infinity", "7" * 5000, "0025"])
def test_no_number_but_a_whole_one_is_read(full: dict[str, Any], written: str) -> None:
    full["start"]["totals"][0] = 12321
    raw = dump(full).replace(b"12321", written.encode())
    with pytest.raises(StrictJsonError):
        decode(raw)


def test_other_spellings_need_a_vocabulary(full: dict[str, Any], vocabulary: Vocabulary) -> None:
    right = decode(dump(full).replace(b"JH", b"??"))
    full["hands"][0]["events"][5]["card"] = "10♥"
    full["hands"][0]["events"][6]["card"] = "th"
    with pytest.raises(LogError):
        decode(dump(full))
    hand = decode(dump(full), vocabulary).hands[0]
    assert hand.events is not None
    assert [event.card for event in hand.events[5:]] == ["TH", "TH"]
    assert right.hands[0].deck == (right.hands[0].deck or ())
    full["hands"][0]["deck"][4] = "10H"
    full["hands"][0]["dealt"][0][4] = "10H"
    full["hands"][0]["dealt"][1][1] = "??"
    full["hands"][0]["deck"][6] = "??"
    spelt = decode(dump(full), vocabulary).hands[0]
    assert spelt.deck is not None
    assert spelt.deck[4] == "TH"
    assert spelt.dealt is not None
    assert spelt.dealt[0][4] == "TH"


@pytest.mark.parametrize(
    "value", [None, [], {}, {"hands": 3}, {"hands": [3, {"events": [3, {"card": {}}], "deck": 3}]}]
)
def test_what_is_no_log_is_refused_with_a_vocabulary_too(value: object, vocabulary: Vocabulary) -> None:
    with pytest.raises(LogError):
        from_value(value, vocabulary)
