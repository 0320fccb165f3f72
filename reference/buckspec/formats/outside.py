"""What a log holds that its profile does not know, such as a card that is not in the pack.

The schema accepts the cards and events of all profiles; which of them a log may use is known only when its
profile is. Whoever converts the codes of a log to something quicker can do so first, and ask here only when a
code is unknown.
"""

from collections.abc import Iterator, Sequence

from buckspec.formats.game_log import Event, GameLog, Hand
from buckspec.formats.log_types import UNKNOWN_CARDS
from buckspec.formats.validate import Problem, misfit
from buckspec.formats.vocabulary import Vocabulary
from buckspec.formats.wording import Step, one_of, shown

UNKNOWN = "?"
"""The sign that stands for a part of a card that is not known."""


def outside(log: GameLog, vocabulary: Vocabulary) -> list[Problem]:
    """Everything in the log that its profile does not know, such as a card that is not in the pack.

    A log for which this is empty can be converted without a look at any code again.
    """
    return list(_outside(log, vocabulary))


def _outside(log: GameLog, vocabulary: Vocabulary) -> Iterator[Problem]:
    unknown = {card for card in UNKNOWN_CARDS if _possible(card, vocabulary.cards)}
    pack = unknown.union(vocabulary.cards)
    for place, hand in enumerate(log.hands):
        top: tuple[Step, ...] = ("hands", place)
        for path, card in _cards(hand):
            if card not in pack:
                yield misfit((*top, *path), card, f"a card of the pack: {one_of(vocabulary.cards)}")
        for index, event in enumerate(hand.events or ()):
            yield from _event((*top, "events", index), event, vocabulary, unknown)


def _cards(hand: Hand) -> Iterator[tuple[Sequence[Step], str]]:
    for place, card in enumerate(hand.deck or ()):
        yield ("deck", place), card
    for seat, cards in enumerate(hand.dealt or ()):
        for place, card in enumerate(cards):
            yield ("dealt", seat, place), card
    if hand.upcard is not None:
        yield ("upcard",), hand.upcard


def _event(path: tuple[Step, ...], event: Event, vocabulary: Vocabulary, unknown: set[str]) -> Iterator[Problem]:
    if event.seat >= vocabulary.seat_count:
        yield misfit((*path, "seat"), event.seat, f"a seat below {vocabulary.seat_count}")
    names = vocabulary.events.get(event.do)
    if names is None:
        yield misfit((*path, "do"), event.do, one_of(vocabulary.events), vocabulary.events)
        return
    for name, code in (("card", event.card), ("suit", event.suit)):
        allowed = names.get(name)
        if code is None and allowed is not None:
            yield Problem(path, f"no {shown(name)}", f"a {name} with {shown(event.do)}")
        elif code is not None and allowed is None:
            yield Problem((*path, name), f"{shown(code)} with {shown(event.do)}", f"no {name}")
        elif code is not None and allowed is not None and code not in {*allowed, *unknown}:
            yield misfit((*path, name), code, one_of(allowed), allowed)


def _possible(unknown: str, cards: Sequence[str]) -> bool:
    """Some card of the pack fits what is known of this one."""
    alike = (zip(unknown, card, strict=True) for card in cards if len(card) == len(unknown))
    return any(all(sign in (UNKNOWN, other) for sign, other in pairs) for pairs in alike)
