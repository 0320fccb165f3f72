"""Deals in which a trick that is wanted can be played: who holds what, and what is put aside on the way to it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from random import Random

from buckspec.play import legal
from buckspec.rules import Rules
from buckspec_conformance.auctions import Way, suits_printed, ways
from buckspec_conformance.requesting import places
from buckspec_conformance.tricks import Order, before_aside


@dataclass
class Wanted:
    """What a deal has to have: cards by seat, and seats that may hold no card of a suit."""

    cards: Mapping[int, Sequence[int]]
    void: Mapping[int, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Layout:
    """A deal: the pack in dealing order, the hands when the first card is played, and the card put aside, if any."""

    pack: tuple[int, ...]
    hands: Mapping[int, frozenset[int]]
    aside: int | None


def laid_out(rules: Rules, rng: Random, order: Order, way: Way, wanted: Wanted) -> Layout | None:
    """A deal that has what is wanted when that way has been gone; None if none was found."""
    size = rules.pack.size
    seats, turned = places(rules, way.dealer)
    taken = {card for cards in wanted.cards.values() for card in cards}
    printed = suits_printed(rules)
    up = [card for card in range(size) if printed[card] == way.up and card not in taken]
    if not up:
        return None
    upcard = rng.choice(up)
    left = [card for card in range(size) if card not in taken and card != upcard]
    rng.shuffle(left)
    hands: dict[int, list[int]] = {seat: list(wanted.cards.get(seat, ())) for seat in range(len(seats))}
    for seat in sorted(hands, key=lambda seat: seat not in wanted.void):
        void = wanted.void.get(seat)
        for card in [card for card in left if order.suit_of[card] != void]:
            if len(hands[seat]) < len(seats[seat]):
                hands[seat].append(card)
                left.remove(card)
        if len(hands[seat]) != len(seats[seat]):
            return None
    pack = _packed(size, seats, turned, hands, upcard, left)
    aside = None
    if way.takes:
        aside = _aside(rules, rng, order, way, wanted, hands, upcard)
        if aside is None:
            return None
        hands[way.dealer] = [card for card in (*hands[way.dealer], upcard) if card != aside]
    return Layout(pack, {seat: frozenset(held) for seat, held in hands.items()}, aside)


def _packed(
    size: int,
    seats: Sequence[Sequence[int]],
    turned: int,
    hands: Mapping[int, Iterable[int]],
    upcard: int,
    left: Iterable[int],
) -> tuple[int, ...]:
    """The pack that deals these hands."""
    at = {turned: upcard}
    for seat, held in hands.items():
        at |= dict(zip(seats[seat], held, strict=True))
    rest = iter(left)
    return tuple(at[place] if place in at else next(rest) for place in range(size))


def _aside(
    rules: Rules,
    rng: Random,
    order: Order,
    way: Way,
    wanted: Wanted,
    hands: Mapping[int, Sequence[int]],
    upcard: int,
) -> int | None:
    """A card that the dealer can do without; the one just taken, now and then, if it may be put aside."""
    kept = wanted.cards.get(way.dealer, ())
    void = wanted.void.get(way.dealer)
    others = [card for card in hands[way.dealer] if card not in kept]
    if void is not None and order.suit_of[upcard] == void:
        others = []
    choices = [*others, *([upcard] if _may_go(rules) else [])]
    return rng.choice(choices) if choices else None


@cache
def _may_go(rules: Rules) -> bool:
    """Whether the card just taken may be put aside."""
    for way in ways(rules):
        if way.takes:
            state = before_aside(rules, way)
            upcard = state.known("upcard")
            return any(event.about == (upcard,) for event in legal(state))
    return False
