"""A game log as typed values, `buckspec-log/1`, and its decoding.

Most logs are read by msgspec, whose types come from the schema. It cannot see everything that the schema
refuses, so three things are checked after it, cheaply: that every event has exactly the fields of its word,
that no real card stands twice, and that no key was given twice or as null. The last is seen by counting: the
text has one colon for each key, and those in its names. Whatever does not pass goes the slow way, where
`strict_json` and the schema decide and say why. So the schema alone decides what is a log.

Not decided here, as it depends on the profile: whether the cards belong to the pack
(`buckspec.formats.outside`), and whether `deck`, `dealt` and `upcard` agree.
"""

import re
from collections.abc import Iterator
from itertools import chain
from typing import Annotated

import msgspec
from msgspec import UNSET, Struct, UnsetType

from buckspec.formats import log_types as of
from buckspec.formats.log_types import UNKNOWN_CARDS, words_with
from buckspec.formats.spellings import respelt
from buckspec.formats.strict_json import parse
from buckspec.formats.validate import Problem, problems
from buckspec.formats.vocabulary import Vocabulary
from buckspec.formats.wording import Step, shown, written


class Event(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """What one seat said or did. `card` and `suit` are None where the event has none."""

    seat: of.Seat
    do: of.Do
    card: of.Card | None = None
    suit: of.Call | None = None


class HandClaims(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """What the log says of a hand. UNSET and, where null means nothing, None: not said."""

    maker: of.Maker | UnsetType = UNSET
    trump: of.Trump | UnsetType = UNSET
    contract: of.Contract | UnsetType = UNSET
    active: of.Flags | None = None
    trick_winners: of.Seats | None = None
    tricks: of.Counts | None = None
    points: of.Totals | None = None
    totals: of.Totals | None = None


class Hand(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """One hand. What is None was not in the log."""

    dealer: of.Seat | None = None
    deck: of.Deck | None = None
    dealt: of.Dealt | None = None
    upcard: of.Card | None = None
    events: Annotated[tuple[Event, ...], of.HOW_MANY_EVENTS] | None = None
    claims: HandClaims | None = None


class Start(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """Where the game begins."""

    totals: of.Totals


class GameClaims(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """What the log says of the game. UNSET and, where null means nothing, None: not said."""

    totals: of.Totals | None = None
    winners: of.Winners | None = None
    ended: of.Ending | UnsetType = UNSET


class GameLog(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A game log. What is None was not in it."""

    format: of.Format
    profile: of.Word
    hands: Annotated[tuple[Hand, ...], of.HOW_MANY_HANDS]
    parameters: of.Parameters | None = None
    readings: of.Readings | None = None
    spec: of.Text | None = None
    id: of.Text | None = None
    players: of.Players | None = None
    start: Start | None = None
    claims: GameClaims | None = None


class LogError(ValueError):
    """A value that is not a game log. `problems` holds what is wrong, the one to tell first at its head."""

    def __init__(self, found: list[Problem]) -> None:
        super().__init__("\n".join(map(str, found)))
        self.problems = found


_DECODER = msgspec.json.Decoder(GameLog)
_BARE, _WITH_CARD, _WITH_SUIT = words_with(), words_with("card"), words_with("suit")
# A colon that is written as an escape is in the decoded text but not in the raw one.
_ESCAPED_COLON = re.compile(rb"\\u003[aA]")


def decode(raw: bytes, vocabulary: Vocabulary | None = None) -> GameLog:
    """The log in `raw`, which is JSON in UTF-8. A vocabulary lets other spellings of its cards pass.

    Raises StrictJsonError for a text that is not strict JSON, LogError for a value that is not a game log.
    """
    log = quick(raw)
    return from_value(parse(raw), vocabulary) if log is None else log


def from_value(value: object, vocabulary: Vocabulary | None = None) -> GameLog:
    """The log that these plain values hold, decided by the schema. Raises LogError."""
    if vocabulary is not None:
        value = respelt(value, vocabulary.spellings)
    found = problems(value, "game-log")
    if found:
        raise LogError(found)
    log = msgspec.convert(value, GameLog)
    if any(_dealt_twice(hand) for hand in log.hands):
        raise LogError([_dealt_problem(log)])
    return log


def to_value(log: GameLog) -> dict[str, object]:
    """The log as plain values, ready for a JSON encoder; what was not said is not there."""
    return {name: _plain(value) for name, value in _said(log)}


def _said(part: Struct) -> Iterator[tuple[str, object]]:
    """The fields of a part of a log that were said."""
    named = part.__struct_fields__
    required = len(named) - len(part.__struct_defaults__)
    for place, name in enumerate(named):
        value = getattr(part, name)
        if place < required or value is not part.__struct_defaults__[place - required]:
            yield name, value


def _plain(value: object) -> object:
    if isinstance(value, Struct):
        return {name: _plain(inner) for name, inner in _said(value)}
    return [_plain(inner) for inner in value] if isinstance(value, tuple) else value


def quick(raw: bytes) -> GameLog | None:
    """The log in `raw`, or None if it is none or if that is not quickly seen."""
    try:
        log = _DECODER.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None
    if b"\\" in raw and _ESCAPED_COLON.search(raw):
        return None
    hands = log.hands
    if not hands or hands[0].dealer is None:
        return None
    keys = _keys_of_log(log)
    for hand in hands:
        added = _keys_of_hand(hand)
        if added is None:
            return None
        keys += added
    return log if raw.count(b":") == keys else None


def _keys_of_log(log: GameLog) -> int:
    """How many colons the text of the log has outside its hands, if no key stands twice and none is null."""
    keys = len(("format", "profile", "hands"))
    texts = [log.profile]
    for words in (log.parameters, log.readings):
        if words is not None:
            keys += 1 + len(words)
            texts += words
    texts += (log.readings or {}).values()
    for text in (log.spec, log.id):
        if text is not None:
            keys += 1
            texts.append(text)
    if log.players is not None:
        keys += 1
        texts += log.players
    if log.start is not None:
        keys += 2  # start, and the totals in it
    claims = log.claims
    if claims is not None:
        keys += 1 + (claims.totals is not None) + (claims.winners is not None) + (claims.ended is not UNSET)
        winners = claims.winners
        if winners is not None and len(set(winners)) != len(winners):
            return -1  # no text has so few
    return keys + "".join(texts).count(":")


def _keys_of_hand(hand: Hand) -> int | None:
    """How many keys the text of the hand has, or None if the schema refuses it."""
    keys = 0
    if hand.dealer is not None:
        keys += 1
    deck = hand.deck
    if deck is not None:
        keys += 1
        if len(set(deck)) != len(deck) and _stands_twice(deck):
            return None
    if hand.dealt is not None or hand.upcard is not None:
        keys += 2
        if hand.dealt is None or hand.upcard is None or _dealt_twice(hand):
            return None
    events = hand.events
    if events is not None:
        bare = 0
        for event in events:
            if event.card is not None:
                if event.do not in _WITH_CARD:
                    return None
            elif event.do in _BARE:
                bare += 1
            elif event.suit is None or event.do not in _WITH_SUIT:
                return None
        # `events`; then for each event seat, do and, unless it is bare, one more. A suit too many shows in
        # the count.
        keys += 1 + len(events) + len(events) + len(events) - bare
    claims = hand.claims
    if claims is not None:
        keys += (
            1 + (claims.maker is not UNSET) + (claims.trump is not UNSET) + (claims.contract is not UNSET)
            + (claims.active is not None) + (claims.trick_winners is not None) + (claims.tricks is not None)
            + (claims.points is not None) + (claims.totals is not None)
        )  # fmt: skip
    return keys


def _stands_twice(cards: tuple[str, ...]) -> bool:
    """A card that is known stands twice among these."""
    known = [card for card in cards if card not in UNKNOWN_CARDS]
    return len(set(known)) != len(known)


def _dealt_twice(hand: Hand) -> bool:
    """A known card stands twice in the hands and the up-card, which the schema cannot say."""
    if hand.dealt is None or hand.upcard is None:
        return False
    return _stands_twice((*chain.from_iterable(hand.dealt), hand.upcard))


def _dealt_problem(log: GameLog) -> Problem:
    """The first card that was dealt twice."""
    for place, hand in enumerate(log.hands):
        seen: dict[str, str] = {}
        for path, card in _dealt_cards(("hands", place), hand):
            if card in seen:
                return Problem(path, f"{shown(card)} again", f"it once; the first is {seen[card]}")
            if card not in UNKNOWN_CARDS:
                seen[card] = written(path)
    raise AssertionError("asked for a card that was dealt twice, and none was")


def _dealt_cards(top: tuple[Step, ...], hand: Hand) -> Iterator[tuple[tuple[Step, ...], str]]:
    for seat, cards in enumerate(hand.dealt or ()):
        yield from (((*top, "dealt", seat, place), card) for place, card in enumerate(cards))
    if hand.upcard is not None:
        yield (*top, "upcard"), hand.upcard
