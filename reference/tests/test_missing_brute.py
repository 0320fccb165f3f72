"""Logs with missing cards, judged as all their completions are judged one by one.

The logs are recorded ones, some with a fault, of which a part is taken away. The long run prints what it has counted.
"""

import json
import random
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations

import msgspec
import pytest
from hidden_logs import SOURCE, Log, all_codes, boxes, cases, fits, let_stand, read, recorded, revoked, signs, unseen

from buckspec.formats.game_log import GameLog
from buckspec.missing import judge
from buckspec.observe import observed
from buckspec.replay import replay, rules_for
from buckspec.verdict import Verdict

MOST = 100_000
TAKING = {"play", "discard"}
NOT_HELD = {"play.own-card", "auction.discard-own-card"}


# ---------------------------------------------------------------------- all completions


def decks(told: list[str], spare: frozenset[str], left: list[tuple[str, list[int]]]) -> Iterator[list[str]]:
    if not left:
        yield told
        return
    (sign, places), *others = left
    for chosen in combinations(sorted(card for card in spare if fits(card, sign)), len(places)):
        filled = list(told)
        for place, card in zip(places, chosen, strict=True):
            filled[place] = card
        yield from decks(filled, spare - {*chosen}, others)


def completions(log: Log, codes: tuple[str, ...]) -> Iterator[Log]:
    hand = log["hands"][0]
    told = signs(hand)
    spare = frozenset(codes) - {*told}
    for deck in decks(told, spare, boxes(hand)):
        for events in filled_events(hand["events"], codes):
            inner = {name: value for name, value in hand.items() if name not in ("dealt", "upcard")}
            yield {**log, "hands": [{**inner, "deck": deck, "events": events}]}


def filled_events(events: list[Log], codes: tuple[str, ...]) -> Iterator[list[Log]]:
    at = next((at for at, event in enumerate(events) if "?" in event.get("card", "")), None)
    if at is None:
        yield events
        return
    for card in codes:
        if fits(card, events[at]["card"]):
            yield from filled_events([*events[:at], {**events[at], "card": card}, *events[at + 1 :]], codes)


# ---------------------------------------------------------------------- the judgement of each


@dataclass
class Brute:
    """The words of the verdicts on all completions that agree with what was seen."""

    log: Log
    reach: dict[str, int]
    words: Counter[str]

    def judge(self, completion: Log) -> None:
        value = read_quickly(completion)
        found = replay(value, rules_for(value), SOURCE)
        if found.word != "illegal" or self.agrees(completion, value, found):
            self.words[found.word] += 1

    def agrees(self, completion: Log, value: GameLog, found: Verdict) -> bool:
        """Every card that was played or discarded was in the hand that it came from, as far as events can stand."""
        if found.at is None or found.at.event is None or NOT_HELD & {one.clause for one in found.violations}:
            return False
        upcard = completion["hands"][0]["deck"][20]
        if upcard not in self.reach:
            self.reach[upcard] = let_stand(value)
        assert found.state is not None
        hands = [set(cards) for cards in observed(found.state, "hands")]  # type: ignore[attr-defined]
        for event in completion["hands"][0]["events"][found.at.event : self.reach[upcard]]:
            if event["do"] in TAKING:
                if event["card"] not in hands[event["seat"]]:
                    return False
                hands[event["seat"]].remove(event["card"])
        return True


def read_quickly(log: Log) -> GameLog:
    return msgspec.convert(log, GameLog)


def by_brute_force(log: Log, codes: tuple[str, ...]) -> tuple[Counter[str], int]:
    brute = Brute(log, {}, Counter())
    total = 0
    for completion in completions(log, codes):
        total += 1
        brute.judge(completion)
    return brute.words, total


def expected(words: Mapping[str, int]) -> set[str]:
    """The verdicts that fit the verdicts on the completions."""
    legal = {word for word in words if word != "illegal"}
    if not legal:
        return {"illegal", "impossible"}
    if legal == {"claims-differ"}:
        return legal
    return legal if len(words) == 1 else {"undetermined"}


# ---------------------------------------------------------------------- the tests


def run(number: int, seed: int, most: int) -> tuple[Counter[str], int]:
    codes = all_codes()
    found: Counter[str] = Counter()
    looked_at = 0
    for _, log in zip(range(number), cases(seed, most), strict=False):
        words, total = by_brute_force(log, codes)
        value = read(log)
        verdict = judge(value, rules_for(value), SOURCE)
        assert verdict.word in expected(words), (json.dumps(log), verdict.word, words)
        for one in verdict.completions:
            assert words[one.word] > 0
            assert replay(one.log, rules_for(one.log), SOURCE).word == one.word
        found[verdict.word] += 1
        looked_at += total
    return found, looked_at


def test_a_few_logs_are_judged_as_all_their_completions() -> None:
    found, _ = run(25, seed=20, most=80)
    assert found.keys() >= {"legal", "illegal", "undetermined", "impossible"}


@pytest.mark.slow
def test_two_hundred_logs_are_judged_as_all_their_completions() -> None:
    small, some = run(140, seed=1, most=2000)
    large, many = run(60, seed=2, most=MOST)
    print(f"\n{(small + large).total()} logs with {some + many} completions: {dict(small + large)}")  # noqa: T201


@pytest.mark.slow
def test_a_revoke_that_later_cards_prove_is_always_found() -> None:
    """Nothing is known of the deal but the up-card; a hundred revokes, and a hundred legal games."""
    rnd = random.Random(5)  # noqa: S311
    found: dict[str, Counter[str]] = {"revoke": Counter(), "legal": Counter()}
    for log in recorded("legal"):
        for name, case in (("revoke", revoked(log, rnd)), ("legal", log)):
            if case is None or found[name].total() == 100:
                continue
            value = read(unseen(case))
            found[name][judge(value, rules_for(value), SOURCE).word] += 1
    print(f"\nrevokes: {dict(found['revoke'])}; legal games: {dict(found['legal'])}")  # noqa: T201
    assert found["revoke"].total() == found["legal"].total() == 100
    assert found["revoke"].keys() <= {"illegal", "impossible"}
    assert found["legal"].keys() == {"legal"}
