"""Where the cards of a hand may lie: what a log tells of the deal, as places with room for so many cards.

A place is a part of a heap of the deal whose cards are alike in all that is asked of them: those told with the same
sign, or the one card that leaves the heap by an event of which the card is not known.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from buckspec import typed as t
from buckspec.cardwise import TooHidden
from buckspec.evaluate import UNKNOWN as NOT_KNOWN
from buckspec.formats.game_log import Hand
from buckspec.formats.outside import UNKNOWN
from buckspec.interpret import happen
from buckspec.packs import Dealing, fits
from buckspec.partial import Step
from buckspec.state import Event, State
from buckspec.types import members
from buckspec.words import Words


@dataclass(frozen=True)
class Heap:
    """A part of the pack that goes to one slot of the state: its places in the pack, and what is told of each card."""

    slot: int
    many: bool
    pack: tuple[int, ...]
    told: tuple[str, ...]


def heaps_of(hand: Hand, state: State, how: Dealing, unknown: str) -> tuple[Heap, ...]:
    """The heaps of a hand that is dealt in this state. `unknown` is the sign of a card not known. Raises TooHidden."""
    rules = state.rules
    dealt = happen(state, how.rule, Event(how.rule.id, None, tuple(range(rules.pack.size))))
    heaps = []
    for variable in dict.fromkeys(step.variable for step in how.pack.deals):
        held, slot = rules.book.variables[variable], rules.slots[variable]
        for at in range(slot.width):
            value = dealt.known(variable, at)
            pack = tuple(members(value)) if held.type.many else (value,)
            told: Sequence[str] | None = None
            if held.domain is not None and hand.dealt is not None:
                told = hand.dealt[at]
            elif not held.type.many and hand.upcard is not None:
                told = (hand.upcard,)
            deck = None if hand.deck is None else [hand.deck[place] for place in pack]
            signs = tuple(_joined(deck, told)) or (unknown,) * len(pack)
            heaps.append(Heap(slot.offset + at, held.type.many, pack, signs))
    return tuple(heaps)


def _joined(deck: Sequence[str] | None, told: Sequence[str] | None) -> Iterator[str]:
    """What is told of each card of a heap, in the order of the pack, from what two parts of the log tell."""
    if deck is None or told is None:
        yield from deck or told or ()
        return
    if not any(UNKNOWN in sign for sign in deck) or _is_open(told):
        yield from deck
        return
    rest = [sign for sign in told if UNKNOWN not in sign and sign not in deck]
    is_partly = any(UNKNOWN in sign and not _is_open([sign]) for sign in (*deck, *told))
    if is_partly or len(rest) > sum(UNKNOWN in sign for sign in deck):
        raise TooHidden("the deck and the dealt cards each tell a part")
    for sign in deck:
        yield rest.pop() if UNKNOWN in sign and rest else sign


def _is_open(signs: Sequence[str]) -> bool:
    """Nothing at all is told of these cards."""
    return all(set(sign) == {UNKNOWN} for sign in signs)


@dataclass(frozen=True)
class Spot:
    """One place: the heap it is a part of, how many cards it has room for, and what is told of these.

    `leaves` is the event by which its one card leaves the heap, if that is what makes it a place.
    """

    heap: int
    room: int
    sign: str
    leaves: int | None = None


@dataclass(frozen=True)
class Moves:
    """How single cards come and go: by slot, the events by which an unknown card leaves, and the cards that join."""

    leave: Mapping[int, tuple[int, ...]]
    join: Mapping[int, Mapping[int, int]]


def moves(steps: Sequence[Step]) -> Moves:
    """How single cards come and go in these steps. Raises TooHidden."""
    leave: dict[int, tuple[int, ...]] = {}
    join: dict[int, dict[int, int]] = {}
    for step in steps:
        for part, slot in step.writes:
            match part.value:
                case t.Without(element=t.Local() as card) if step.local.get(card.name) is NOT_KNOWN:
                    leave[slot] = (*leave.get(slot, ()), step.at)
                case t.With(element=element):
                    joining = step.before.evaluator.term(element, step.local)
                    if isinstance(joining, int):
                        join.setdefault(slot, {})[joining] = step.at
                    elif slot in leave or joining is not NOT_KNOWN:
                        raise TooHidden("which card joins")
    return Moves(leave, join)


@dataclass(frozen=True)
class Places:
    """All places of a hand, what is open to each card, and where each slot is at first, card by card."""

    heaps: tuple[Heap, ...]
    spots: tuple[Spot, ...]
    options: tuple[int, ...]
    held: Mapping[int, tuple[int, ...]]

    @property
    def every(self) -> int:
        """The set of all places."""
        return (1 << len(self.spots)) - 1

    @property
    def room(self) -> tuple[int, ...]:
        return tuple(spot.room for spot in self.spots)


def places_of(
    heaps: tuple[Heap, ...], moving: Moves, signs: Mapping[int, str], words: Words, unknown: str
) -> Places | None:
    """The places for the cards of these heaps; None if what is told of them cannot be.

    `signs` has what is told of the cards of events that are not known. Raises TooHidden.
    """
    single = {words.cards[heap.told[0]]: heap for heap in heaps if not heap.many and UNKNOWN not in heap.told[0]}
    spots: list[Spot] = []
    joined: dict[int, int] = {}  # the cards that lie with the heap that they join
    for index, heap in enumerate(heaps):
        own = {card: at for card, at in moving.join.get(heap.slot, {}).items() if card in single}
        if heap.slot in moving.leave:
            spots += _with_leaving(index, heap, moving, signs, len(own), unknown)
            joined |= dict.fromkeys(own, index)
    gone = {single[card].slot for card in joined}
    for index, heap in enumerate(heaps):
        if heap.slot not in moving.leave and heap.slot not in gone:
            spots += _by_sign(index, heap, unknown)
    known = {
        words.cards[sign]: index for index, heap in enumerate(heaps) for sign in heap.told if UNKNOWN not in sign
    } | joined
    if sum(spot.room for spot in spots) != len(words.codes) or any(spot.room < 0 for spot in spots):
        return None
    options = []
    for card, code in enumerate(words.codes):
        fitting = [place for place, spot in enumerate(spots) if _open_to(card, code, spot, known, unknown)]
        if card in joined:  # it cannot leave before it has come
            since = moving.join[heaps[joined[card]].slot][card]
            leaving = {place: spots[place].leaves for place in fitting}
            fitting = [place for place, at in leaving.items() if at is None or at >= since]
        options.append(sum(1 << place for place in fitting))
    size = len(words.codes)
    held = {heap.slot: tuple(_held(index, spots, size, joined)) for index, heap in enumerate(heaps) if heap.many}
    return Places(heaps, tuple(spots), tuple(options), held)


def _with_leaving(
    index: int, heap: Heap, moving: Moves, signs: Mapping[int, str], joining: int, unknown: str
) -> Iterator[Spot]:
    """The places of a heap that unknown cards leave."""
    if any(UNKNOWN in sign and sign != unknown for sign in heap.told):
        raise TooHidden("a card known in part in a heap that an unknown card leaves")
    leaving = moving.leave[heap.slot]
    yield Spot(index, len(heap.pack) + joining - len(leaving), unknown)
    yield from (Spot(index, 1, signs[at], at) for at in leaving)


def _by_sign(index: int, heap: Heap, unknown: str) -> Iterator[Spot]:
    """A place for the cards that are known or not known at all, and one for each other sign."""
    signs = [sign if UNKNOWN in sign else unknown for sign in heap.told]
    yield from (Spot(index, signs.count(sign), sign) for sign in dict.fromkeys(signs))


def _open_to(card: int, code: str, spot: Spot, known: Mapping[int, int], unknown: str) -> bool:
    """Whether a card may lie in a place. A card of which the heap is known is one of those told in full."""
    if card in known:
        return known[card] == spot.heap and (spot.sign == unknown if spot.leaves is None else fits(code, spot.sign))
    return fits(code, spot.sign)


def _held(index: int, spots: Sequence[Spot], size: int, joined: Mapping[int, int]) -> Iterator[int]:
    """The places from which each card is in a heap at first; what joins it later is not."""
    own = sum(1 << place for place, spot in enumerate(spots) if spot.heap == index)
    for card in range(size):
        yield 0 if joined.get(card) == index else own
