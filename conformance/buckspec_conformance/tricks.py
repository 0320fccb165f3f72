"""What there is to know about tricks: the rows of the tables of who takes a trick and which cards may follow.

Whoever takes a trick is found card by card: the best so far stays, or the next card beats it. So a trick is a walk
through the table of `Beats`, and an engine whose walk is right in every row, and in every `Shape` of a trick, is right
in every trick that it finds in this way. That the rules can be read so is tested against the rules themselves.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, product
from typing import TypeAlias

from buckspec.play import apply, legal
from buckspec.replay import deal_of, opening
from buckspec.rules import Rules
from buckspec.state import Event, State
from buckspec_conformance.auctions import Way, suits_printed, ways
from buckspec_conformance.requesting import places

Pattern: TypeAlias = tuple[tuple[int, int], ...]
"""For each card of a trick, in order: a trump (0), of the suit led (1) or neither (2), and its place among its kind."""


@dataclass(frozen=True)
class Order:
    """The cards with one suit as trumps (None: without trumps), by the rule book: to which suit each belongs, by
    index, and how high it stands in it, the highest lowest."""

    trump: int | None
    suit_of: tuple[int, ...]
    place: tuple[int, ...]

    def beats(self, best: int, card: int) -> bool:
        """Whether a card beats the best so far, which is of the suit led or a trump."""
        if self.suit_of[card] == self.suit_of[best]:
            return self.place[card] < self.place[best]
        return self.suit_of[card] == self.trump

    def winner(self, cards: Sequence[int]) -> int:
        """At which place in the trick the card lies that takes it."""
        best = 0
        for at in range(1, len(cards)):
            if self.beats(cards[best], cards[at]):
                best = at
        return best

    def pattern(self, cards: Sequence[int]) -> Pattern:
        """The kinds of the cards of a trick, and in which order they stand."""
        led = self.suit_of[cards[0]]
        kinds = [0 if self.suit_of[card] == self.trump else 1 if self.suit_of[card] == led else 2 for card in cards]
        pairs = list(zip(cards, kinds, strict=True))
        among = {kind: [card for card, alike in pairs if alike == kind] for kind in (0, 1)}
        return tuple((kind, self._rank(card, among.get(kind, ()))) for card, kind in pairs)

    def _rank(self, card: int, among: Sequence[int]) -> int:
        """How many of the cards stand above this one."""
        return sum(self.place[other] < self.place[card] for other in among)

    def group(self, card: int, printed: Sequence[int]) -> tuple[int, bool]:
        """The suit of a card, and whether that is not the printed one."""
        return self.suit_of[card], printed[card] != self.suit_of[card]


@cache
def orders(rules: Rules) -> Mapping[str | None, Order]:
    """The order of the cards for each trump suit that can come about, by its name."""
    found: dict[str | None, Order] = {}
    for way in ways(rules):
        if way.is_played and way.trump not in found:
            found[way.trump] = _order(rules, way)
    return found


def _order(rules: Rules, way: Way) -> Order:
    state = settled(rules, way)
    cards = range(rules.pack.size)
    trump = state.known("trump")
    return Order(
        trump if trump >= 0 else None,
        tuple(state.known("suit_of", card) for card in cards),
        tuple(state.known("place", card) for card in cards),
    )


def settled(rules: Rules, way: Way) -> State:
    """A state in which that way has been gone, with a pack in its order but for the card turned up."""
    return _gone(rules, way, way.events)


def before_aside(rules: Rules, way: Way) -> State:
    """The state of that way in which a card has to be put aside. Raises ValueError if none is."""
    return _gone(rules, way, way.events[: way.events.index(None)])


def _gone(rules: Rules, way: Way, events: Iterable[Event | None]) -> State:
    cards = list(range(rules.pack.size))
    place, up = places(rules, way.dealer)[1], suits_printed(rules).index(way.up)
    cards[place], cards[up] = cards[up], cards[place]
    state = apply(opening(rules, way.dealer, None), Event(deal_of(rules).rule.id, None, tuple(cards)))
    for event in events:
        if isinstance(state, State):
            state = apply(state, event or legal(state)[0])
    if not isinstance(state, State):
        raise TypeError("a way from the deal to the first card is not legal")
    return state


# ---------------------------------------------------------------------- the rows


@dataclass(frozen=True)
class Beats:
    """With these trumps and this suit led, `best` is the best so far and `card` is played next."""

    trump: int | None
    led: int
    best: int
    card: int


@dataclass(frozen=True)
class Shape:
    """A trick of these kinds of cards, by these seats in turn, with trumps or without."""

    has_trump: bool
    seats: tuple[int, ...]
    pattern: Pattern


@dataclass(frozen=True)
class Follows:
    """With these trumps, `card` is tried to a lead of `led` by a player who holds it; `can`: and one of the suit."""

    trump: int | None
    led: int
    card: int
    can: bool


@dataclass(frozen=True)
class Holds:
    """With these trumps, a player with a hand of these groups follows to this suit: all they may not play is tried.

    A group is a suit, but for a card that does not belong to the suit printed on it, which is one by itself.
    """

    trump: int | None
    led: int
    groups: frozenset[tuple[int, bool]]


@dataclass(frozen=True)
class Leads:
    """With these trumps, this card is led."""

    trump: int | None
    card: int


@dataclass(frozen=True)
class Elsewhere:
    """A card is tried that is not in the player's hand: where it is, and whether it would follow suit."""

    where: str
    would_follow: bool


Row: TypeAlias = Beats | Shape | Follows | Holds | Leads | Elsewhere


def beats_rows(order: Order) -> Iterator[Beats]:
    """Every step of the way to the best card of any trick."""
    cards = range(len(order.suit_of))
    for led in sorted(set(order.suit_of)):
        for best, card in product(cards, cards):
            if best != card and order.suit_of[best] in (led, order.trump):
                yield Beats(order.trump, led, best, card)


def follows_rows(order: Order) -> Iterator[Follows]:
    """Every card to every lead: of the suit led, or not while one could be played, or when none could."""
    cards = range(len(order.suit_of))
    for led, card in product(cards, cards):
        if led != card:
            for can in (True, False) if order.suit_of[led] != order.suit_of[card] else (True,):
                yield Follows(order.trump, led, card, can)


def holds_rows(order: Order, printed: Sequence[int], most: int) -> Iterator[Holds]:
    """Every set of groups that a hand of at most so many cards can hold, to every suit led."""
    groups = sorted({order.group(card, printed) for card in range(len(order.suit_of))})
    for size in range(1, most + 1):
        for held in combinations(groups, size):
            for led in sorted(set(order.suit_of)):
                yield Holds(order.trump, led, frozenset(held))


def leads_rows(order: Order) -> Iterator[Leads]:
    """Every card as the first of a trick."""
    yield from (Leads(order.trump, card) for card in range(len(order.suit_of)))


@cache
def patterns(has_trump: bool, size: int) -> tuple[Pattern, ...]:
    """Every pattern of a trick of so many cards."""
    found = set()
    for kinds in product((0, 1, 2) if has_trump else (1, 2), repeat=size):
        if kinds[0] != 2:
            found |= set(_ranked(kinds))
    return tuple(sorted(pattern for pattern in found if pattern[0][0] == 1 or all(kind != 1 for kind, _ in pattern)))


def _ranked(kinds: Sequence[int]) -> Iterator[Pattern]:
    """Every order in which cards of these kinds can stand among those of their kind."""
    choices = [range(1) if kind == 2 else range(kinds.count(kind)) for kind in kinds]
    for ranks in product(*choices):
        pattern = tuple(zip(kinds, ranks, strict=True))
        ranked = [pair for pair in pattern if pair[0] != 2]
        if len(set(ranked)) == len(ranked):
            yield pattern


def shapes(rules: Rules) -> Iterator[Shape]:
    """Every pattern by every player who can lead to a trick, for each set of players that can be in the hand."""
    seen = set()
    for way in ways(rules):
        if not way.is_played:
            continue
        for first in range(len(way.active)):
            seats = (*way.active[first:], *way.active[:first])
            key = (way.trump is not None, seats)
            if key not in seen:
                seen.add(key)
                yield from (Shape(*key, pattern) for pattern in patterns(way.trump is not None, len(seats)))
