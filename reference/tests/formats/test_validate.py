"""What is wrong with a game log is told at its place, in one line, and as the fault that it is."""

import copy
import json
import time
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

from buckspec.formats import validate
from buckspec.formats.game_log import quick
from buckspec.formats.validate import MOST, problems, schema
from buckspec.formats.wording import one_of, shown, written

GONE = object()
FAULTS: list[tuple[str, object, str]] = [
    ("format", "buckspec-log/2", 'format: found "buckspec-log/2"; expected "buckspec-log/1"'),
    ("format", GONE, 'found no "format"; expected the key "format"'),
    ("profile", "", "profile: found 0 characters; expected text of 1 to 200 characters"),
    ("players", ["a", "b", "c"], "players: found 3 of them; expected a list of exactly 4"),
    ("players.0", "x" * 201, "players[0]: found 201 characters; expected text of at most 200 characters"),
    ("start.totals.0", 10**6 + 1, "start.totals[0]: found 1000001; expected a whole number from -1000000 to 1000000"),
    ("hands.0.dealer", GONE, 'hands[0]: found no "dealer"; expected the key "dealer"'),
    ("hands.0.dealer", None, "hands[0].dealer: found null; expected a whole number from 0 to 3"),
    ("hands.0.deck", ["9C"] * 3, "hands[0].deck: found 3 of them; expected a list of exactly 24"),
    ("hands.0.deck.23", "9C", 'hands[0].deck[23]: found "9C" again; expected it once; the first is hands[0].deck[0]'),
    ("hands.0.upcard", "KH", "hands[0]: found upcard without dealt; expected both or neither"),
    ("hands.0.evnts", [], 'hands[0].evnts: found the unknown key "evnts"; expected dealt or upcard'),
    ("hands.0.events.3.seat", 4, "hands[0].events[3].seat: found 4; expected a whole number from 0 to 3"),
    ("hands.0.events.3.seat", True, "hands[0].events[3].seat: found true; expected a whole number from 0 to 3"),
    ("hands.0.events.3.seat", GONE, 'hands[0].events[3]: found no "seat"; expected the key "seat"'),
    ("hands.0.events.3.do", GONE, 'hands[0].events[3]: found no "do"; expected the key "do"'),
    (
        "hands.0.events.3.do", "stya",
        ('hands[0].events[3].do: found "stya"; '
        'expected pass, order, discard, name, stay, drop or play; did you mean stay?'),
    ),
    (
        "hands.0.events.3.do", "bid",
        ('hands[0].events[3].do: found "bid"; '
        'expected pass, order, discard, name, stay, drop or play'),
    ),
    ("hands.0.events.3.do", "play", 'hands[0].events[3]: found no "card"; expected the key "card"'),
    (
        "hands.0.events.0.card", "9C",
        ('hands[0].events[0].card: found the unknown key "card"; '
        'expected no other key than seat or do'),
    ),
    (
        "hands.0.events.6.crad", "9C",
        ('hands[0].events[6].crad: found the unknown key "crad"; '
        'expected no other key than seat, do or card'),
    ),
    ("hands.0.events.6", 5, "hands[0].events[6]: found 5; expected an object"),
    (
        "hands.0.events.6.card", None,
        ("hands[0].events[6].card: found null; "
        "expected a card: rank, then suit (JK: a joker)"),
    ),
    (
        "hands.0.claims.contract", "thrown_in",
        ('hands[0].claims.contract: found "thrown_in"; '
        'expected ordered, named, automatic, no-trump, thrown-in or null; did you mean thrown-in?'),
    ),
    ("hands.0.claims.trump", "NT", 'hands[0].claims.trump: found "NT"; expected C, D, H, S or null'),
    ("claims.winners", [1, 1], "claims.winners[1]: found 1 again; expected it once; the first is claims.winners[0]"),
    ("parameters", {"": 1}, 'parameters[""]: found the key ""; expected text of 1 to 200 characters'),
    ("readings.all-pass", 3, "readings.all-pass: found 3; expected text"),
    ("hands", [], "hands: found none; expected a list of 1 to 1000"),
    ("hands", {}, "hands: found an empty object; expected a list"),
]  # fmt: skip


def changed(log: dict[str, Any], path: str, value: object) -> dict[str, Any]:
    """The log with the value at this path, or without it."""
    log = copy.deepcopy(log)
    *way, last = [int(step) if step.isdecimal() else step for step in path.split(".")]
    held: Any = log
    for step in way:
        held = held[step]
    if value is GONE:
        del held[last]
    else:
        held[last] = value
    return log


@pytest.mark.parametrize(("path", "value", "message"), FAULTS, ids=[path for path, _, _ in FAULTS])
def test_a_fault_is_told_first_and_as_what_it_is(log: dict[str, Any], path: str, value: object, message: str) -> None:
    found = problems(changed(log, path, value), "game-log")
    assert str(found[0]).startswith(message)
    assert found[0].path == message.partition(": found")[0] or message.startswith("found")


def test_a_slip_of_the_pen_is_told_before_what_it_leaves_missing(log: dict[str, Any]) -> None:
    log["hnads"] = log.pop("hands")
    assert [str(problem) for problem in problems(log, "game-log")] == [
        'hnads: found the unknown key "hnads"; expected hands; did you mean hands?',
        'found no "hands"; expected the key "hands"',
    ]


def test_the_wrong_format_is_told_before_all_that_follows_from_it(log: dict[str, Any]) -> None:
    log |= {"format": "buckspec-log/9", "cards": [], "hands": 3}
    assert problems(log, "game-log")[0].path == "format"


@pytest.mark.parametrize("value", [None, [], "log", 7, True])
def test_what_is_no_object_is_one_fault(value: object) -> None:
    (only,) = problems(value, "game-log")
    assert only.path == ""
    assert only.expected == "an object"


def test_every_fault_is_listed_once(log: dict[str, Any]) -> None:
    for place in (0, 5, 7):
        log["hands"][0]["events"][place]["seat"] = 9
    found = problems(log, "game-log")
    assert [problem.path for problem in found] == [f"hands[0].events[{place}].seat" for place in (0, 5, 7)]


TRICKS = ["\x1b[31mred", "a\u202eb", "\u2066x", "line\nbreak", "null\x00", "\u2028", "zero\u200bwidth", "\ud800"]


@pytest.mark.parametrize("trick", TRICKS, ids=ascii)
def test_no_message_carries_a_sign_that_a_terminal_obeys(log: dict[str, Any], trick: str) -> None:
    log[trick] = 1
    log["hands"][0]["events"][0] = {"seat": 0, "do": trick, trick: trick}
    log["hands"][0]["deck"][0] = trick
    log["readings"] = {trick: trick, trick * 200: 5}
    log["players"] = [trick * 300, {trick: 1}, trick, trick]
    for problem in problems(log, "game-log"):
        assert str(problem).isprintable()
        assert problem.path.isprintable()


def test_values_are_shown_short_and_harmless() -> None:
    assert shown("é♥") == '"é♥"'
    assert shown("\x1b") == '"\\u001b"'
    assert shown("a\u202eb") == '"a\\u202eb"'
    assert shown("x" * 1000) == f'"{"x" * 60}…"'
    assert shown(int("9" * 1000)) == "9" * 60 + "…"
    assert shown([1, 2]) == "a list of 2"
    assert shown({}) == "an empty object"
    assert shown(None) == "null"
    assert written(("hands", 0, "a b", "x\u202e", "all-pass")) == r'hands[0]["a b"]["x\u202e"].all-pass'
    assert [one_of(words) for words in ([], ["a"], ["a", None], "abc")] == ["", "a", "a or null", "a, b or c"]


# Large values: whatever they are, the answer comes soon


PASS = {"seat": 0, "do": "pass"}
LARGE: dict[str, tuple[Callable[[int], dict[str, Any]], str]] = {
    "events": (
        lambda count: {"hands": [{"dealer": 3, "events": [{"seat": 0, "do": "pas"}] * count}]},
        "hands[0].events: found 200000 of them; expected a list of at most 200",
    ),
    "hands": (
        lambda count: {"hands": [{"dealer": 9}] * count},
        "hands: found 200000 of them; expected a list of 1 to 1000",
    ),
    "right hands": (
        lambda count: {"hands": [{"dealer": 3}] * count},
        "hands: found 200000 of them; expected a list of 1 to 1000",
    ),
    "deck": (
        lambda count: {"hands": [{"dealer": 3, "deck": [{}] * count}]},
        "hands[0].deck: found 200000 of them; expected a list of exactly 24",
    ),
    "winners": (
        lambda count: {"claims": {"winners": [{}] * count}},
        "claims.winners: found 200000 of them; expected a list of at most 4",
    ),
    "parameters": (
        lambda count: {"parameters": {f"p{number}": "x" for number in range(count)}},
        "parameters: found 200000 of them; expected an object of at most 100",
    ),
    "keys": (
        lambda count: {f"p{number}": "x" for number in range(count)},
        ('p0: found the unknown key "p0"; expected no other key than format, profile, parameters, readings, spec, id, '
         "players, start, hands or claims"),
    ),
    "a word": (
        lambda count: {"hands": [{"dealer": 3, "events": [{"seat": 0, "do": "pas" * count}]}]},
        f'hands[0].events[0].do: found "{"pas" * 20}…"; expected pass, order, discard, name, stay, drop or play',
    ),
    "a fault at the end": (
        lambda count: {"hands": [{"dealer": 3, "events": [PASS] * 200}] * (count // 201) + [{"dealer": 4}]},
        "hands[995].dealer: found 4; expected a whole number from 0 to 3",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("large", "message"), LARGE.values(), ids=LARGE)
def test_what_is_wrong_with_a_large_value_is_told_soon(
    log: dict[str, Any], large: Callable[[int], dict[str, Any]], message: str
) -> None:
    value = {**log, **large(200_000)}
    start = time.process_time()
    found = problems(value, "game-log")
    assert time.process_time() - start < 5  # far more than it takes
    assert str(found[0]) == message
    assert len(found) <= MOST


def test_a_log_as_large_as_allowed_is_one(log: dict[str, Any]) -> None:
    hand = {"dealer": 3, "events": [PASS] * 200}
    assert problems({**log, "hands": [hand] * 1000}, "game-log") == []
    assert quick(json.dumps({**log, "hands": [hand] * 1000}).encode()) is not None
    for hands in ([hand] * 1001, [{**hand, "events": [PASS] * 201}]):
        assert len(problems({**log, "hands": hands}, "game-log")) == 1
        assert quick(json.dumps({**log, "hands": hands}).encode()) is None


def test_what_was_right_once_is_not_taken_for_what_looks_the_same(log: dict[str, Any]) -> None:
    events = log["hands"][0]["events"]
    for seat in (True, "1", None):
        faulty = copy.deepcopy(log)
        faulty["hands"][0]["events"] = [*events, {"seat": 1, "do": "pass"}, {"seat": seat, "do": "pass"}]
        (found,) = problems(faulty, "game-log")
        assert found.path == f"hands[0].events[{len(events) + 1}].seat"


@pytest.mark.parametrize("value", [3, None, "ab", ["a"], True])
def test_a_choice_of_keys_that_meets_no_object_is_a_fault_like_others(
    value: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    choice = {"$schema": schema("game-log")["$schema"], "oneOf": [{"required": ["a"]}, {"required": ["b"]}]}
    (tmp_path / "choice.schema.json").write_text(json.dumps(choice))
    monkeypatch.setattr(validate, "schema_dir", lambda: tmp_path)
    for cached in (validate.schema, validate._registry, validate._validator):
        monkeypatch.setattr(validate, cached.__name__, lru_cache(cached.__wrapped__))
    (found,) = problems(value, "choice")
    assert str(found) == f"found {shown(value)}; expected an object with exactly one of a or b"
    assert problems({"a": 1}, "choice") == []
