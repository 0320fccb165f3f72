"""The fast reader and the schema accept and refuse the same: shown on thousands of logs that differ from right ones.

Every place of a log is changed in every way listed here, one change at a time. The mutants are text, as two equal keys
or `25.0` cannot be told from what they mean once they are read.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path as File
from typing import Any, TypeAlias

import pytest

from buckspec.formats.game_log import LogError, decode, from_value, quick
from buckspec.formats.strict_json import StrictJsonError, parse

Path: TypeAlias = tuple[str | int, ...]


@dataclass(frozen=True)
class Raw:
    """A text that stands for a value, whether it is JSON or not."""

    text: str


@dataclass(frozen=True)
class Pairs:
    """An object by its members, in which a key may stand twice."""

    members: tuple[tuple[str, Any], ...]


def dump(value: Any) -> str:
    if isinstance(value, Raw):
        return value.text
    if isinstance(value, dict):
        value = Pairs(tuple(value.items()))
    if isinstance(value, Pairs):
        return "{" + ",".join(f"{json.dumps(key)}:{dump(held)}" for key, held in value.members) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(dump, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


VALUES: list[Any] = [
    None, True, False, 0, 3, 4, 24, 25, -1, -0, 10**6, 10**6 + 1, -(10**6), -(10**6) - 1, 10**17, 10**18,
    Raw("25.0"), Raw("0.0"), Raw("1e0"), Raw("1E999"), Raw("-0"), Raw("00"), Raw("NaN"), Raw("Infinity"), Raw("tru"),
    "", "0", "9C", "9c", "??", "?H", "J?", "7S", "JK", "10H", "C", "NT", "pass", "play", "name", "bid", "ordered",
    "no-trump", "no_trump", "zero", "buckspec-log/1", "buckspec-log/2", "ohio", "a:b", "x" * 200, "x" * 201, "é" * 200,
    "é" * 201, Raw('"\\u0039C"'), Raw('"\\ud800"'), Raw('"\\ud83d\\ude00"'), Raw('"\t"'), Raw('"a\\"b"'), Raw("'9C'"),
    [], [0], ["9C"], [0, 1, 2, 3], [0, 0], [25, 25, 25, 25], [True] * 4, {}, {"seat": 0}, {"totals": [1, 1, 1, 1]},
    {"seat": 0, "do": "pass"}, {"seat": 0, "do": "pass", "card": "9C"}, {"seat": 0, "do": "play", "card": "9C"},
    {"seat": 0, "do": "name", "suit": "NT"}, {"seat": 0, "do": "name", "suit": "NT", "card": "9C"}, [[[[]]]], Raw(""),
]  # fmt: skip
KEYS = ["seat", "do", "card", "suit", "totals", "Seat", "", "a:b", "claims", "x" * 201]


def places(value: Any, path: Path = ()) -> Iterator[Path]:
    yield path
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, held in members:
        yield from places(held, (*path, step))


def with_at(value: Any, path: Path, new: Any) -> Any:
    """The value with another in this place."""
    if not path:
        return new
    step, *rest = path
    if isinstance(value, dict):
        return {key: with_at(held, tuple(rest), new) if key == step else held for key, held in value.items()}
    return [with_at(held, tuple(rest), new) if place == step else held for place, held in enumerate(value)]


def mutants(log: Any) -> Iterator[str]:
    """Every text that differs from the log in one place; the same ones each time."""
    for number, path in enumerate(places(log)):
        held = log
        for step in path:
            held = held[step]
        # each place gets its share of the values, so that together they get them all many times
        yield from (dump(with_at(log, path, value)) for value in VALUES[number % 2 :: 2])
        for new in within(held, number):
            yield dump(with_at(log, path, new))
    text = dump(log)
    yield from (text[:-1], text + "}", text + " ", " " + text, "\ufeff" + text, text + "\x00", text + text, "")
    yield from (
        text.replace(",", " ,\r\n\t "),
        text.replace(":", " : "),
        text.replace(",", ",,", 1),
        text.replace("}", ",}"),
    )


def within(held: Any, number: int) -> Iterator[Any]:
    """Lists and objects with a member dropped, doubled, renamed, moved or added."""
    if isinstance(held, list):
        for place, item in enumerate(held):
            if place % 3 == number % 3:
                yield held[:place] + held[place + 1 :]
                yield [*held, item]
                yield [*held[:place], held[place - 1], *held[place + 1 :]]
        yield held[::-1]
    if isinstance(held, dict):
        members = tuple(held.items())
        for place, (key, item) in enumerate(members):
            rest = members[:place] + members[place + 1 :]
            yield Pairs(rest)
            yield Pairs((*members, (key, item)))
            yield Pairs((*rest, (key.upper(), item)))
            yield Pairs(((KEYS[(number + place) % len(KEYS)], item), *rest))
            # a key too many and one too few, so that their number is right
            yield Pairs((*rest[1:], (key, item), (key, item)))
        yield Pairs(members[::-1])
        for key in KEYS[number % 2 :: 2]:
            yield Pairs((*members, (key, VALUES[number % len(VALUES)])))
            yield Pairs((*members, (key, None)))


def by_schema(raw: bytes) -> object:
    """The log as strict JSON and the schema have it, or None if they refuse it."""
    try:
        return from_value(parse(raw))
    except (StrictJsonError, LogError):
        return None


def without_deck(log: dict[str, Any]) -> dict[str, Any]:
    """The deck is what costs the schema most; with it, only a few places are worth their time."""
    hand = {key: value for key, value in log["hands"][0].items() if key not in ("deck", "dealt", "upcard")}
    return {**log, "hands": [hand, *log["hands"][1:]]}


def corpus(full: dict[str, Any]) -> list[str]:
    dealt = {key: full["hands"][0][key] for key in ("dealer", "deck", "dealt", "upcard")}
    bare = {"format": full["format"], "profile": full["profile"], "hands": [dealt]}
    return list(dict.fromkeys([*mutants(without_deck(full)), *list(mutants(bare))[::3]]))


def assert_that_both_agree(texts: list[str]) -> None:
    differ, accepted = [], 0
    for text in texts:
        raw = text.encode("utf-8", "surrogatepass")
        slow, fast = by_schema(raw), quick(raw)
        accepted += slow is not None
        if slow != fast:
            differ.append(text)
    assert differ == []
    assert len(texts) / 20 < accepted < len(texts) / 2, "most mutants should be wrong, and many right"


def test_both_accept_and_refuse_the_same(full: dict[str, Any]) -> None:
    texts = corpus(full)[::2]
    assert len(texts) > 2000
    assert_that_both_agree(texts)


@pytest.mark.slow
def test_both_accept_and_refuse_the_same_on_the_other_half(full: dict[str, Any]) -> None:
    assert_that_both_agree(corpus(full)[1::2])


def test_decode_says_no_more_and_no_less_than_the_schema(full: dict[str, Any]) -> None:
    for text in list(mutants(without_deck(full)))[::60]:
        raw = text.encode("utf-8", "surrogatepass")
        try:
            log: object = decode(raw)
        except (StrictJsonError, LogError):
            log = None
        assert log == by_schema(raw)


@pytest.mark.slow
def test_both_agree_on_mutants_of_recorded_games(cases: File) -> None:
    lines = [(cases / "ohio" / f"{name}.jsonl").read_bytes().splitlines() for name in ("legal", "illegal")]
    for raw in (line for recorded in lines for line in recorded[::100]):
        for text in list(mutants(json.loads(raw)))[::9]:
            mutant = text.encode("utf-8", "surrogatepass")
            assert by_schema(mutant) == quick(mutant), text
