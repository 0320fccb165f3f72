"""Logs of games in which cards are missing: recorded ones, some with a fault, of which a part is taken away."""

import json
import random
from collections.abc import Iterator
from itertools import combinations
from math import comb
from pathlib import Path
from typing import Any

from buckspec import interpret
from buckspec.formats.game_log import GameLog, from_value
from buckspec.replay import deal_of, opening, replay, rules_for
from buckspec.state import Event, State
from buckspec.verdict import Source, Verdict
from buckspec.words import words_of

OHIO = Path(__file__).with_name("cases") / "ohio"
SOURCE = Source("recorded")
Log = dict[str, Any]


def recorded(name: str) -> list[Log]:
    return [json.loads(line) for line in (OHIO / f"{name}.jsonl").read_text().splitlines()]


def heaps(dealer: int) -> list[list[int]]:
    """The places of the pack that each seat gets, then the up-card and the rest, by the sources: three, then two."""
    order = [(dealer + step) % 4 for step in range(1, 5)]
    of_seat = {seat: [*range(3 * at, 3 * at + 3), *range(12 + 2 * at, 14 + 2 * at)] for at, seat in enumerate(order)}
    return [*(of_seat[seat] for seat in range(4)), [20], [21, 22, 23]]


def revoked(log: Log, rnd: random.Random) -> Log | None:
    """The log of one hand in which a seat has changed two of its plays, if that is a revoke and no other fault."""
    events = log["hands"][0]["events"]
    plays = [at for at, event in enumerate(events) if event["do"] == "play"]
    pairs = [(one, two) for one, two in combinations(plays, 2) if events[one]["seat"] == events[two]["seat"]]
    rnd.shuffle(pairs)
    for one, two in pairs:
        changed = json.loads(json.dumps(log))
        given = changed["hands"][0]["events"]
        given[one]["card"], given[two]["card"] = events[two]["card"], events[one]["card"]
        changed["hands"][0].pop("claims", None)
        changed.pop("claims", None)
        found = plain(changed)
        is_revoke = found.at is not None and found.at.event == one and broken(found) == ["play.follow"]
        if is_revoke and let_stand(read(changed)) == len(events):
            return changed
    return None


def broken(verdict: Verdict) -> list[str]:
    return [one.clause for one in verdict.violations]


def taken_away(log: Log, rnd: random.Random) -> Log:
    """The log with some cards of the deal not known, the discard perhaps, or ended early."""
    log = json.loads(json.dumps(log))
    hand = log["hands"][0]
    if rnd.random() < 0.4:
        hand["events"] = hand["events"][: rnd.randrange(len(hand["events"]) + 1)]
        hand.pop("claims", None)
        log.pop("claims", None)
    for event in hand["events"]:
        if event["do"] == "discard" and rnd.random() < 0.5:
            event["card"] = rnd.choice(["??", "?" + event["card"][1], event["card"][0] + "?"])
    places = rnd.sample(range(24), rnd.randrange(2, 24))
    for place in places:
        if place != 20 or rnd.random() < 0.4:
            card = hand["deck"][place]
            hand["deck"][place] = rnd.choice(["??"] * 6 + ["?" + card[1], card[0] + "?"])
    if rnd.random() < 0.3:
        at = heaps(hand["dealer"])
        deck = hand.pop("deck")
        hand["dealt"] = [[deck[place] for place in at[seat]] for seat in range(4)]
        hand["upcard"] = deck[20]
    return log


def signs(hand: Log) -> list[str]:
    """What is told of each place of the pack."""
    if "deck" in hand:
        return list(hand["deck"])
    told = ["??"] * 24
    at = heaps(hand["dealer"])
    for seat, cards in enumerate(hand["dealt"]):
        for place, card in zip(at[seat], cards, strict=True):
            told[place] = card
    told[20] = hand["upcard"]
    return told


def boxes(hand: Log) -> list[tuple[str, list[int]]]:
    """The places that are alike: in one heap, with the same sign."""
    told, found = signs(hand), dict[tuple[int, str], list[int]]()
    for index, places in enumerate(heaps(hand["dealer"])):
        for place in places:
            if "?" in told[place]:
                found.setdefault((index, told[place]), []).append(place)
    return [(sign, places) for (_, sign), places in found.items()]


def fits(card: str, sign: str) -> bool:
    return all(one in ("?", other) for one, other in zip(sign, card, strict=True))


def count(hand: Log, codes: tuple[str, ...]) -> int:
    """At most so many completions: the deals, without a look at signs, times the cards of each unknown event."""
    left = sum(len(places) for _, places in boxes(hand))
    total = 1
    for _, places in boxes(hand):
        total *= comb(left, len(places))
        left -= len(places)
    for event in hand["events"]:
        if "?" in event.get("card", ""):
            total *= sum(fits(card, event["card"]) for card in codes)
    return total


def read(log: Log) -> GameLog:
    return from_value(log, None)


def plain(log: Log) -> Verdict:
    value = read(log)
    return replay(value, rules_for(value), SOURCE)


def first_state(log: GameLog) -> State:
    rules = rules_for(log)
    hand = log.hands[0]
    state = opening(rules, hand.dealer or 0, log.start and log.start.totals)
    cards = words_of(rules).cards
    after = interpret.apply(state, Event(deal_of(rules).rule.id, None, tuple(cards[card] for card in hand.deck or ())))
    assert isinstance(after, State)
    return after


def let_stand(log: GameLog) -> int:
    """How many events of the only hand come at their time and by their seat, if all before them stand."""
    state, words = first_state(log), words_of(rules_for(log))
    for at, logged in enumerate(log.hands[0].events or ()):
        event = words.events[logged.seat, logged.do, logged.card, logged.suit]
        rule = state.rules.events.get(event.id)
        if rule is None or rule not in interpret.current_events(state):
            return at
        if event.seat not in [seat for seat in range(4) if interpret.actors(state, rule) >> seat & 1]:
            return at
        state = interpret.settled(interpret.happen(state, rule, event))
    return len(log.hands[0].events or ())


def cases(seed: int, most: int, least: int = 2) -> Iterator[Log]:
    """Logs without end of which so many completions are to be looked at."""
    rnd = random.Random(seed)  # noqa: S311
    sources = [*recorded("legal"), *recorded("illegal")]
    codes = all_codes()
    while True:
        log = rnd.choice(sources)
        if rnd.random() < 0.3:
            log = revoked(log, rnd) or log
        log = taken_away(log, rnd)
        if least <= count(log["hands"][0], codes) <= most:
            yield log


def all_codes() -> tuple[str, ...]:
    return words_of(rules_for(read(recorded("legal")[0]))).codes


def unseen(log: Log) -> Log:
    """The log as somebody at the table could write it who has seen no hand."""
    log = json.loads(json.dumps(log))
    for hand in log["hands"]:
        hand["upcard"] = hand.pop("deck")[20]
        hand["dealt"] = [["??"] * 5] * 4
        for event in hand["events"]:
            if event["do"] == "discard":
                event["card"] = "??"
    return log
