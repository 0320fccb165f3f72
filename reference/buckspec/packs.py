"""The deal of a hand in a log: the pack in dealing order, worked out from what the log says of the cards.

A log gives the pack, or the cards by seat with the one turned up, or both. Which place of the pack goes where is told
by the clause that deals: a pack of places is dealt, and where each comes to lie is looked up.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from buckspec.formats.game_log import Hand
from buckspec.formats.outside import UNKNOWN
from buckspec.interpret import happen
from buckspec.rulebook import Assignment, Effect, EventRule
from buckspec.rules import Rules
from buckspec.state import Event, State, Violation
from buckspec.types import members
from buckspec.words import Words


@dataclass(frozen=True)
class Dealing:
    """The event that deals: its rule, the clause that hands out the pack, and the one that says who deals, if any."""

    rule: EventRule
    pack: Effect
    dealer: tuple[Effect, Assignment] | None


@dataclass(frozen=True)
class Pack:
    """What a log says of the pack: the cards in dealing order, or a contradiction, or (with neither) not enough."""

    cards: tuple[int, ...] = ()
    clash: Violation | None = None


@dataclass(frozen=True)
class _Heap:
    """A part of the pack that goes to one place.

    `label` is what the rules call it, `path` where the log tells of it, `told` what it tells; `places` are in the pack.
    """

    label: str
    path: str
    places: tuple[int, ...]
    told: tuple[str, ...]


def dealing(rules: Rules, dealer: str) -> Dealing:
    """How hands begin under some rules; `dealer` is the variable that says who deals."""
    rule = next(rule for rule in rules.events.values() if rule.by_chance)
    pack = next(effect for effect in rule.effects if effect.deals)
    setting = ((effect, part) for effect in rule.effects for part in effect.sets if part.variable == dealer)
    return Dealing(rule, pack, next(setting, None))


def pack_of(hand: Hand, path: str, state: State, how: Dealing, words: Words) -> Pack:
    """The pack of a hand that is dealt in this state. `path` is where the hand stands in the log."""
    deck = hand.deck
    heaps = [] if hand.dealt is None else list(_heaps(hand, state, how))
    clash = () if deck is None else tuple(found for heap in heaps for found in _clash(heap, deck, path))
    if clash or any(len(heap.told) != len(heap.places) for heap in heaps):
        return Pack(clash=Violation(how.pack.clause, clash))
    if deck is None or _open(deck):
        if any(open_cards(hand, path)):
            return Pack()
        deck = _completed(heaps, words)
    return Pack(tuple(words.cards[card] for card in deck))


def open_cards(hand: Hand, path: str) -> Iterator[str]:
    """What a log leaves open of a deal: each card, as a path and what is known of it, or the deal as a whole."""
    places = {f"deck[{at}]": card for at, card in enumerate(hand.deck or ())}
    told = {f"dealt[{seat}][{at}]": card for seat, held in enumerate(hand.dealt or ()) for at, card in enumerate(held)}
    if hand.upcard is not None:
        told["upcard"] = hand.upcard
    if not places and not told:
        yield f"{path}.deck: the cards dealt"
    elif (not places or _open(places.values())) and (not told or _open(told.values())):
        open_ = {place: card for place, card in (places | told).items() if UNKNOWN in card}
        yield from (f"{path}.{place}: the card {card}" for place, card in open_.items())


def _open(cards: Iterable[str]) -> bool:
    return any(UNKNOWN in card for card in cards)


def _heaps(hand: Hand, state: State, how: Dealing) -> Iterator[_Heap]:
    """The parts of the pack of which `dealt` and `upcard` tell: what goes round the table, and the single card."""
    rules = state.rules
    dealt = happen(state, how.rule, Event(how.rule.id, None, tuple(range(rules.pack.size))))
    for variable in dict.fromkeys(step.variable for step in how.pack.deals):
        held = rules.book.variables[variable]
        if held.domain is not None:
            for seat, cards in enumerate(hand.dealt or ()):
                places = tuple(members(dealt.known(variable, seat)))
                yield _Heap(f"{variable}({seat})", f"dealt[{seat}]", places, cards)
        elif not held.type.many and hand.upcard is not None:
            yield _Heap(variable, "upcard", (dealt.known(variable),), (hand.upcard,))


def _clash(heap: _Heap, deck: Sequence[str], path: str) -> Iterator[tuple[str, object]]:
    """What the deck gives and what the log tells of a heap, if they cannot be the same cards."""
    given = [deck[place] for place in heap.places]
    elsewhere = {*deck}.difference(given)
    agree = (
        all(any(fits(card, other) for other in heap.told) for card in given)
        and all(any(fits(card, other) for other in given) for card in heap.told)
        and not any(card in elsewhere and UNKNOWN not in card for card in heap.told)
    )
    if not agree:
        yield heap.label, given
        yield f"{path}.{heap.path}", list(heap.told)


def fits(card: str, other: str) -> bool:
    """Two cards, each perhaps known in part, can be the same."""
    return all(sign == known or UNKNOWN in (sign, known) for sign, known in zip(card, other, strict=True))


def _completed(heaps: Sequence[_Heap], words: Words) -> tuple[str, ...]:
    """A pack that deals these heaps. Where a card lies in its heap, or in the rest that nobody gets, is all one."""
    told = {place: card for heap in heaps for place, card in zip(heap.places, heap.told, strict=True)}
    rest = iter([code for code in words.codes if code not in told.values()])
    return tuple(told[place] if place in told else next(rest) for place in range(len(words.codes)))
