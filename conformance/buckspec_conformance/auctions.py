"""Every way from the deal to the first card: who makes trumps and how, and who stays in the hand.

Found by trying everything that is legal, so it holds for any readings. Which card is put aside on the way is left
open, and what follows does not depend on the cards, but for the suit of the one that is turned up.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from buckspec.observe import observe
from buckspec.packs import dealing
from buckspec.play import apply, legal
from buckspec.replay import opening
from buckspec.rules import Rules
from buckspec.state import Event, Refused, State
from buckspec.types import members
from buckspec_conformance.requesting import DEALER, places


@dataclass(frozen=True)
class Way:
    """One way to settle a hand.

    `dealer` deals and a card of the suit `up` is turned up, by name; `events` lead to where the first card is played
    or, if `is_played` is false, to the end of the hand. In place of a card put aside stands None. `contract` and
    `trump` are as a log writes them and by name; `active` are the seats in the hand, going round from the `leader`.
    `takes` says that the dealer takes the card turned up.
    """

    dealer: int
    up: str
    events: tuple[Event | None, ...]
    contract: object
    trump: str | None
    maker: int | None
    active: tuple[int, ...]
    takes: bool
    is_played: bool

    @property
    def leader(self) -> int:
        """Who leads to the first trick."""
        return self.active[0]


@cache
def ways(rules: Rules) -> tuple[Way, ...]:
    """All ways that differ in anything but the order of decisions."""
    found: dict[tuple[object, ...], Way] = {}
    for dealer in range(rules.seats.size):
        for card in _one_of_each_suit(rules):
            for way in _from(_dealt(rules, dealer, card), dealer, _suit(rules, card), ()):
                key = (way.dealer, way.up, way.contract, way.trump, way.maker, frozenset(way.active))
                found.setdefault(key, way)
    return tuple(found.values())


def suits_printed(rules: Rules) -> tuple[str, ...]:
    """The suit that is printed on each card of the pack, by name."""
    return tuple(_suit(rules, card) for card in range(rules.pack.size))


def _suit(rules: Rules, card: int) -> str:
    attributes: Mapping[str, str] = rules.pack.values[card].attributes or {}
    domains = {domain.parameter: domain for domain in rules.book.domains.values()}
    return next(value for name, value in attributes.items() if domains[name].values[0].attributes)


def _one_of_each_suit(rules: Rules) -> tuple[int, ...]:
    suits: dict[str, int] = {}
    for card in range(rules.pack.size):
        suits.setdefault(_suit(rules, card), card)
    return tuple(suits.values())


def _dealt(rules: Rules, dealer: int, up: int) -> State:
    cards = list(range(rules.pack.size))
    place = places(rules, dealer)[1]
    cards[place], cards[up] = cards[up], cards[place]
    state = apply(opening(rules, dealer, None), Event(dealing(rules, DEALER).rule.id, None, tuple(cards)))
    if isinstance(state, Refused):
        raise TypeError("the first hand of a game cannot be dealt")
    return state


def _from(state: State, dealer: int, up: str, before: tuple[Event | None, ...]) -> Iterator[Way]:
    """The ways that go on from a state."""
    if not state.known("dealt") or state.known("settled"):
        yield _way(state, dealer, up, before)
        return
    cards = False
    for event in legal(state):
        is_card = bool(event.about) and _takes_card(state.rules, event)
        if is_card and cards:
            continue
        cards = cards or is_card
        after = apply(state, event)
        if isinstance(after, State):
            yield from _from(after, dealer, up, (*before, None if is_card else event))


def _takes_card(rules: Rules, event: Event) -> bool:
    return any(taken.type.base == rules.pack.name for taken in rules.events[event.id].takes)


def _way(state: State, dealer: int, up: str, events: tuple[Event | None, ...]) -> Way:
    seen = observe(state)
    is_played = bool(state.known("dealt"))
    active = members(state.known("active"))
    if is_played:
        leader = state.known("leader")
        active = sorted(active, key=lambda seat: (seat - leader) % state.rules.seats.size)
    trump = state.known("trump")
    suits = state.rules.book.domains[state.rules.definitions["trump"].type.base]
    maker = state.known("maker")
    return Way(
        dealer,
        up,
        events,
        seen["contract"],
        suits.values[trump].name if trump >= 0 else None,
        maker if maker >= 0 else None,
        tuple(active),
        bool(state.known("picked_up")),
        is_played,
    )
