"""JSON Lines, read and judged end to end, against orjson that only reads the same bytes; and the memory of it."""

import io
import json
import subprocess
import sys
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from random import Random

from measure import alternated, resident

from buckspec import load_profile
from buckspec.formats.reader import Read, Readable, read
from buckspec.observe import observed
from buckspec.replay import replay, rules_for
from buckspec.rules import Rules
from buckspec.verdict import Source, Verdict
from buckspec.words import to_log
from buckspec_conformance.random_hands import UNIFORM, Game, game

GAMES = 400
MOST_HANDS = 30
SEED = 2026
FEW, MANY = 10_000, 100_000
KEPT = 50  # games that the stream of the memory test repeats


def lines(count: int) -> list[bytes]:
    """Random games as lines of JSON, with claims."""
    rules, rng = load_profile("ohio"), Random(SEED)
    return [written(rules, game(rng, rules, UNIFORM, MOST_HANDS)) for _ in range(count)]


def written(rules: Rules, one: Game) -> bytes:
    """A game as its log."""
    codes = [card.code for card in rules.pack.values]
    played = [
        {
            "dealer": observed(after, "dealer"),
            "deck": [codes[card] for card in deal.about],
            "events": [to_log(rules, event) for event in events],
            "claims": {name: observed(after, name) for name in ("tricks", "points", "totals")},
        }
        for (deal, *events), after in zip(one.hands, one.after, strict=True)
    ]
    log = {"format": "buckspec-log/1", "profile": rules.name, "hands": played}
    return json.dumps(log, separators=(",", ":")).encode() + b"\n"


def judged(found: Iterable[Read]) -> Iterator[Verdict]:
    """The verdict on each log."""
    for one in found:
        if not isinstance(one, Readable):
            raise TypeError(f"not read: {one}")
        yield replay(one.log, rules_for(one.log), Source(one.file, one.line, one.log.id))


def checked(found: Iterable[Read]) -> None:
    """Judge logs, which have to be legal."""
    for verdict in judged(found):
        if verdict.word not in ("legal", "incomplete"):
            raise AssertionError(verdict)


def compare() -> float:
    """Print games per second of reading and judging, and of reading alone, and give the ratio to orjson."""
    import orjson

    raw = lines(GAMES)
    data = b"".join(raw)

    decoded = list(read(io.BytesIO(data), "games.jsonl"))
    hands = sum(len(one.log.hands) for one in decoded if isinstance(one, Readable))

    def ours() -> None:
        checked(read(io.BytesIO(data), "games.jsonl"))

    def reading() -> None:
        for _ in read(io.BytesIO(data), "games.jsonl"):
            pass

    def theirs() -> None:
        for line in raw:
            orjson.loads(line)

    ways = {"read and judged": ours, "judged": partial(checked, decoded), "read": reading, "orjson.loads": theirs}
    spent = alternated(ways)
    print(f"{GAMES} games of {hands / GAMES:.1f} hands, {len(data) / GAMES / 1000:.1f} kB each")
    for name, seconds in spent.items():
        rates = f"{GAMES / seconds:9,.0f} games/s {hands / seconds:9,.0f} hands/s {len(data) / seconds / 1e6:7.1f} MB/s"
        print(f"{name:16}{rates}")
    return spent["orjson.loads"] / spent["read and judged"]


class _Repeated(io.RawIOBase):
    """A stream of many games that holds only a few: line after line, over and over."""

    def __init__(self, kept: list[bytes], count: int):
        self.rest = b""
        self.source = (kept[number % len(kept)] for number in range(count))

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray) -> int:  # type: ignore[override]
        self.rest = self.rest or next(self.source, b"")
        size = min(len(buffer), len(self.rest))
        buffer[:size], self.rest = self.rest[:size], self.rest[size:]
        return size


def most_memory(count: int) -> float:
    """Judge so many games in this process, and give the most memory it has had, in MiB."""
    kept = lines(KEPT)
    checked(read(io.BufferedReader(_Repeated(kept, count)), "games.jsonl"))
    return resident()


def memory() -> float:
    """Print the most memory after few and after many games, each in a process of its own, and give the ratio."""
    most = {}
    for count in (FEW, MANY):
        command = [sys.executable, str(Path(__file__)), str(count)]
        most[count] = float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        print(f"{count:7,} games: {most[count]:.1f} MiB")
    return most[MANY] / most[FEW]


if __name__ == "__main__":
    print(most_memory(int(sys.argv[1])))
