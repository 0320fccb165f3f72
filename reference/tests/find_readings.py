"""Finds the logs of cases/readings: for two readings of a question, a short log that they judge differently.

    python reference/tests/find_readings.py            writes every pair anew
    python reference/tests/find_readings.py all-pass   of this question only

Hands are played at random, from a fixed seed, by one reading and judged by the other. A log that is illegal by one of
them is cut after the event that shows it; otherwise it is a whole hand that is scored or ends differently. The
shortest is kept. Two readings that no log can tell apart, as they differ in what a player may see, are left out.
"""

import json
import random
import sys
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import msgspec

from buckspec import interpret
from buckspec.formats.game_log import GameLog, decode
from buckspec.load import load_profile
from buckspec.play import legal
from buckspec.problem import SpecError
from buckspec.replay import is_between_hands, quick, replay, rules_for
from buckspec.rules import Rules
from buckspec.state import Event
from buckspec.verdict import ILLEGAL, Source, Verdict, to_json
from buckspec.words import to_log, words_of

CASES = Path(__file__).with_name("cases") / "readings"
SEED = 1948
HANDS = 150  # played by each reading of a question
MOODS = (1, 1, 8)  # how gladly an event is chosen, drawn for each hand, so that rare ends are met


@dataclass(frozen=True)
class Found:
    log: GameLog
    verdicts: tuple[Verdict, Verdict]


def main(questions: list[str]) -> None:
    book = load_profile("ohio").book
    for question in questions or book.questions:
        readings = list(book.questions[question].readings)
        best: dict[frozenset[str], Found] = {}
        for reading in readings:
            search(question, reading, readings, best)
        for first, second in combinations(readings, 2):
            found = best.get(frozenset((first, second)))
            print(question, first, second, found and [verdict.word for verdict in found.verdicts])  # noqa: T201
            if found:
                write(question, (first, second), found)


def search(question: str, reading: str, readings: list[str], best: dict[frozenset[str], Found]) -> None:
    """Play hands by one reading, judge them by each other one, and keep the shortest that differ."""
    chance = random.Random(f"{SEED} {question} {reading}")  # noqa: S311
    for _ in range(HANDS):
        log = played(question, reading, chance)
        mine = verdict_under(log, question, reading)
        if mine is None or mine.word == ILLEGAL:
            continue
        for other in readings:
            theirs = verdict_under(log, question, other) if other != reading else None
            if theirs is None or same(mine, theirs):
                continue
            short = cut(log, theirs)
            pair = tuple(sorted((reading, other), key=readings.index))
            verdicts = tuple(verdict_under(short, question, one) for one in pair)
            if None in verdicts:
                continue
            known = best.get(frozenset(pair))
            if known is None or length(short) < length(known.log):
                best[frozenset(pair)] = Found(short, verdicts)  # type: ignore[arg-type]


def played(question: str, reading: str, chance: random.Random) -> GameLog:
    """A hand at random, by one reading, from totals near the end."""
    rules = load_profile("ohio", readings={question: reading})
    totals = [chance.choice([1, 1, 2, 3]) for _ in range(rules.seats.size)]
    dealer = chance.randrange(rules.seats.size)
    pack = list(range(rules.pack.size))
    chance.shuffle(pack)
    state = interpret.start(rules, {"next_dealer": dealer, "totals": totals})
    state, _ = quick(state, [Event("deal", None, tuple(pack))])
    moods = {id_: chance.choice(MOODS) for id_ in rules.events}
    events = []
    while not is_between_hands(state):
        choices = legal(state)
        event = chance.choices(choices, [moods[event.id] for event in choices])[0]
        events.append(to_log(rules, event))
        state, _ = quick(state, [event])
    codes = words_of(rules).codes
    hand = {"dealer": dealer, "deck": [codes[card] for card in pack], "events": events}
    log = {"format": "buckspec-log/1", "profile": "ohio", "start": {"totals": totals}, "hands": [hand]}
    return decode(json.dumps(log).encode())


def verdict_under(log: GameLog, question: str, reading: str) -> Verdict | None:
    """The verdict by one reading; None where that excludes what else is chosen."""
    try:
        rules: Rules = rules_for(log, None, None, {question: reading})
    except SpecError:
        return None
    return replay(log, rules, Source("search"))


def same(one: Verdict, other: Verdict) -> bool:
    return essence(one) == essence(other)


def essence(verdict: Verdict) -> dict[str, object]:
    """What of a verdict is compared."""
    told = to_json(verdict)
    kept = {name: told[name] for name in ("verdict", "at", "totals", "winners", "ended")}
    return {**kept, "violations": [broken.clause for broken in verdict.violations]}


def cut(log: GameLog, verdict: Verdict) -> GameLog:
    """The log up to the event that is illegal, if one is."""
    hand = log.hands[-1]
    if verdict.word != ILLEGAL or verdict.at is None or verdict.at.event is None:
        return log
    shorter = msgspec.structs.replace(hand, events=(hand.events or ())[: verdict.at.event + 1])
    return msgspec.structs.replace(log, hands=(shorter,))


def length(log: GameLog) -> int:
    return sum(len(hand.events or ()) for hand in log.hands)


def write(question: str, pair: tuple[str, str], found: Found) -> None:
    bare = plain(msgspec.to_builtins(found.log))
    verdicts = {reading: essence(verdict) for reading, verdict in zip(pair, found.verdicts, strict=True)}
    case = {"question": question, "verdicts": verdicts, "log": bare}
    path = CASES / f"{question}.{pair[0]}.{pair[1]}.json"
    path.write_text(shown(case) + "\n", encoding="utf-8")


def plain(value: object) -> object:
    """Without what a log leaves out."""
    if isinstance(value, dict):
        return {name: plain(held) for name, held in value.items() if held is not None}
    return [plain(held) for held in value] if isinstance(value, list | tuple) else value


def shown(value: object, indent: int = 0, widest: int = 116) -> str:
    """JSON on as few lines as fit."""
    flat = json.dumps(value, ensure_ascii=False)
    if len(flat) + indent <= widest or not isinstance(value, dict | list) or is_row(value):
        return flat
    inner = " " * (indent + 1)
    if isinstance(value, dict):
        parts = [f"{inner}{json.dumps(name)}: {shown(held, indent + 1)}" for name, held in value.items()]
        return "{\n" + ",\n".join(parts) + "\n" + " " * indent + "}"
    parts = [inner + shown(held, indent + 1) for held in value]
    return "[\n" + ",\n".join(parts) + "\n" + " " * indent + "]"


def is_row(value: object) -> bool:
    return isinstance(value, list) and not any(isinstance(held, dict | list) for held in value)


if __name__ == "__main__":
    main(sys.argv[1:])
