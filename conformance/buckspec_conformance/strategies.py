"""Hypothesis strategies for cards, deals, hands, games and requests, by the rules of any profile.

Everything is drawn from a tape of bytes: a card of the pack that is left, or an event among those that are legal, by
its place. So everything shrinks towards the pack in its order, the last thing that can be done (which makes hands
short), the first card, and fewer hands; and a hand takes one draw instead of fifty. What is rare is made likely:
packs that give a player cards of a kind, hands in which some events are liked (so that all pass, or all drop), totals
near zero.

    from hypothesis import given
    from buckspec import load_profile
    from buckspec_conformance import strategies

    RULES = load_profile("ohio")

    @given(strategies.games(RULES, most_hands=3))
    def test_my_engine_plays_it(game): ...
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import wraps
from typing import Concatenate, ParamSpec, Protocol, TypeVar

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from buckspec.play import apply, legal
from buckspec.replay import opening
from buckspec.rules import Rules
from buckspec.state import Event, Refused, State
from buckspec_conformance.near_legal import near_legal
from buckspec_conformance.random_hands import Game
from buckspec_conformance.random_hands import deals as dealing_now
from buckspec_conformance.requesting import Hand, Request, hand_of, places, request_of

_BYTE = 256
_LONGEST = 96  # bytes of a tape; a hand takes up to 60 of them
_LIKED = 10  # how often an event that is liked stands in the list from which one is drawn
_NEAR = 6  # totals that are near zero are not above this
_FAR = 30  # other totals are not above this


class Tape:
    """Choices read from bytes, one after the other. Beyond the end, every choice is the first."""

    def __init__(self, raw: bytes) -> None:
        self._raw = iter(raw)

    def below(self, size: int) -> int:
        """A number from 0, below the size, which may not be above 256."""
        return next(self._raw, 0) * size // _BYTE if size > 1 else 0


def tapes() -> SearchStrategy[Tape]:
    """A tape. All are of one length, as Hypothesis puts parts of examples in the place of others."""
    return st.binary(min_size=_LONGEST, max_size=_LONGEST).map(Tape)


P = ParamSpec("P")
Made = TypeVar("Made")


def composite(function: Callable[Concatenate[DrawFn, P], Made]) -> Callable[P, SearchStrategy[Made]]:
    """As that of Hypothesis, but for what is shown of the strategy: its arguments are rules, and long."""

    @wraps(function)
    def made(*args: P.args, **named: P.kwargs) -> SearchStrategy[Made]:
        def drawn(draw: DrawFn) -> Made:
            return function(draw, *args, **named)

        drawn.__name__ = function.__name__
        return st.composite(drawn)()

    return made


class _Text(Protocol):
    """Where Hypothesis writes an example."""

    def text(self, written: str) -> None: ...


class Short:
    """Shown by its repr, where Hypothesis would show all fields, with the rules in them."""

    def _repr_pretty_(self, printer: _Text, _: bool) -> None:
        printer.text(repr(self))


@dataclass(frozen=True, repr=False)
class Drawn(Short, Game):
    """A game that was drawn. It is shown as the request to play it."""

    def __repr__(self) -> str:
        return f"Drawn({request_of(self)})"


# ---------------------------------------------------------------------- cards and packs


def cards(rules: Rules) -> SearchStrategy[str]:
    """A card of the pack, by its code. Shrinks towards the first card."""
    return st.sampled_from([card.code for card in rules.pack.values])


def packs(rules: Rules, dealer: int = 0, up: Sequence[str] | None = None) -> SearchStrategy[tuple[str, ...]]:
    """A whole pack in dealing order, as codes: any, or one that gives a player cards of a kind.

    With `up`, the card turned up is one of those. Shrinks towards the pack in its order.
    """
    known = {card.code: place for place, card in enumerate(rules.pack.values)}
    turned = None if up is None else tuple(sorted(known[code] for code in up))
    codes = [card.code for card in rules.pack.values]
    return tapes().map(lambda drawn: tuple(codes[card] for card in _Pack(rules, dealer, turned).drawn(drawn)))


@dataclass(frozen=True)
class _Pack:
    """How a pack is drawn: who deals, and which cards may be turned up (None: all)."""

    rules: Rules
    dealer: int
    turned: tuple[int, ...] | None = None

    def drawn(self, tape: Tape) -> tuple[int, ...]:
        """The pack, as indexes in dealing order."""
        left, seats = list(range(self.rules.pack.size)), self.rules.seats.size
        kinds = _kinds(self.rules)
        kind = tape.below(2 * len(kinds) * seats) - len(kinds) * seats  # below zero: none
        found = [left.pop(tape.below(len(left))) for _ in range(len(left))]
        if kind >= 0:
            heaps, turned = places(self.rules, self.dealer)
            self._give(found, heaps[kind % seats], turned, kinds[kind // seats])
        if self.turned:
            place = places(self.rules, self.dealer)[1]
            other = found.index(self.turned[tape.below(len(self.turned))])
            found[place], found[other] = found[other], found[place]
        return tuple(found)

    @staticmethod
    def _give(pack: list[int], heap: Sequence[int], turned: int, kind: frozenset[int]) -> None:
        """Exchange cards so that those in the heap are of the kind, as far as there are enough.

        The card turned up is left where it is as long as there are others.
        """
        others = [place for place, card in enumerate(pack) if card in kind and place not in heap]
        others.sort(key=lambda place: place != turned)
        for place in heap:
            if pack[place] not in kind and others:
                other = others.pop()
                pack[place], pack[other] = pack[other], pack[place]


def _kinds(rules: Rules) -> list[frozenset[int]]:
    """The cards that agree in an attribute, for each value of each attribute, and those that are high in an order."""
    found: dict[object, set[int]] = {}
    for place, card in enumerate(rules.pack.values):
        for pair in (card.attributes or {}).items():
            found.setdefault(pair, set()).add(place)
            for name, order in rules.book.orders.items():
                if pair[1] in order[:2]:
                    found.setdefault(name, set()).add(place)
    return [frozenset(kind) for kind in found.values()]


def _openings(rules: Rules, near: bool | None = None) -> SearchStrategy[State]:
    """A state before the first hand: any dealer, and the totals of the profile, or near zero, or any.

    With `near`, the totals are near zero, or never.
    """
    return tapes().map(lambda tape: _opened(rules, tape, near))


def _opened(rules: Rules, tape: Tape, near: bool | None) -> State:
    seats = rules.seats.size
    dealer, kind = tape.below(seats), tape.below(_LIKED)
    is_near = near if near is not None else kind > 1
    if kind == 0 and not near:
        return opening(rules, dealer, None)
    most = _NEAR if is_near else _FAR
    together = tape.below(_LIKED) == 0  # all totals are equal
    first = tape.below(most)
    return opening(rules, dealer, tuple(1 + (first if together else tape.below(most)) for _ in range(seats)))


def deals(rules: Rules) -> SearchStrategy[Drawn]:
    """A game in which nothing has happened but the first deal."""
    return st.tuples(_openings(rules), tapes()).map(lambda drawn: _only_dealt(*drawn))


def _only_dealt(before: State, tape: Tape) -> Drawn:
    event, after = _dealt(before, tape, None)
    return Drawn(before, ((event,),), (after,))


# ---------------------------------------------------------------------- hands and games


def _dealt(state: State, tape: Tape, turned: tuple[int, ...] | None) -> tuple[Event, State]:
    rule = dealing_now(state)[0]
    event = Event(rule.id, None, _Pack(state.rules, state.known("next_dealer"), turned).drawn(tape))
    return event, _after(state, event)


def _after(state: State, event: Event) -> State:
    after = apply(state, event)
    if isinstance(after, Refused):
        raise TypeError(f"a legal event was refused: {event}")
    return after


def played(
    state: State, tape: Tape, turned: tuple[int, ...] | None = None, *, sober: bool = False
) -> tuple[tuple[Event, ...], State]:
    """A whole hand read from a tape, the deal first, and the state after it. Raises IndexError if none can be dealt.

    Where a player can do one thing or another, some of these are liked in this hand; in a sober one it is the first
    that is legal, by the order of the rule book.
    """
    kinds = [rule.id for rule in state.rules.events.values() if rule.by is not None]
    likes = tape.below(_BYTE), tape.below(_BYTE)
    liked = frozenset(name for place, name in enumerate(kinds) if likes[place & 1] >> (place >> 1) & 1)
    event, state = _dealt(state, tape, turned)
    events = [event]
    while choices := legal(state):
        events.append(_chosen(choices, frozenset({choices[0].id}) if sober else liked, tape))
        state = _after(state, events[-1])
    return tuple(events), state


def _chosen(choices: Sequence[Event], liked: frozenset[str], tape: Tape) -> Event:
    """One of the events that are legal. What is liked stands in the list more often than what is not.

    Of different things to do the last stands first: it tends to make hands short.
    """
    if all(choice.id == choices[0].id for choice in choices):
        return choices[tape.below(len(choices))]
    often = [choice for choice in choices if choice.id in liked]
    listed = [*reversed(choices), *(often * _LIKED)]
    return listed[tape.below(len(listed))]


@composite
def hands(draw: DrawFn, rules: Rules, near: bool | None = None, up: Sequence[str] | None = None) -> Drawn:
    """A game of one hand, played to its end. With `up`, the card turned up is one of those."""
    before = draw(_openings(rules, near))
    turned = None if up is None else tuple(sorted(rules.pack.by_code[code] for code in up))
    events, after = played(before, draw(tapes()), turned)
    return Drawn(before, (events,), (after,))


@composite
def games(
    draw: DrawFn,
    rules: Rules,
    most_hands: int = 2,
    near: bool | None = None,
    least_hands: int = 1,
    sober: bool = False,
) -> Drawn:
    """A game of one hand or several, each played to its end; it stops where somebody has won."""
    before = state = draw(_openings(rules, near))
    count = least_hands + draw(tapes()).below(most_hands - least_hands + 1)
    found: list[tuple[Event, ...]] = []
    after: list[State] = []
    while len(found) < count and dealing_now(state):
        events, state = played(state, draw(tapes()), sober=sober)
        found.append(events)
        after.append(state)
    return Drawn(before, tuple(found), tuple(after))


@dataclass(frozen=True, repr=False)
class AlmostLegal(Short):
    """A legal game, an event that is not legal, and where it stands: in `hand`, tried before the event `at`.

    The events of a hand are counted from the deal, which is 0; `at` can be the number of events of the hand, and
    then it stands after the last.
    """

    game: Drawn
    hand: int
    at: int
    event: Mapping[str, object]

    def __repr__(self) -> str:
        return f"AlmostLegal({dict(self.event)} at {self.at} of hand {self.hand} of {self.game})"

    @property
    def request(self) -> Request:
        """The request to play the game and to try the event."""
        asked = [hand_of(self.game.before.rules, events) for events in self.game.hands]
        one = asked[self.hand]
        tried = (*one.events[: self.at - 1], self.event, *one.events[self.at - 1 :])
        asked[self.hand] = Hand(one.deck, tried)
        return request_of(self.game, asked)


@composite
def almost_legal_games(draw: DrawFn, rules: Rules, most_hands: int = 2) -> AlmostLegal:
    """A legal game with one illegal event anywhere in it, and where it is. Shrinks towards the first place."""
    game = draw(games(rules, most_hands))
    tape = draw(tapes())
    hand = tape.below(len(game.hands))
    at = 1 + tape.below(len(game.hands[hand]))
    wrong = near_legal(_until(game, hand, at))
    return AlmostLegal(game, hand, at, wrong[tape.below(len(wrong))])


def _until(game: Game, hand: int, at: int) -> State:
    """The state of a game before an event of a hand."""
    state = game.before if hand == 0 else game.after[hand - 1]
    for event in game.hands[hand][:at]:
        state = _after(state, event)
    return state


def states(game: Game, hand: int) -> Iterator[State]:
    """The states of a hand: after the deal, and after each event."""
    state = game.before if hand == 0 else game.after[hand - 1]
    for event in game.hands[hand]:
        state = _after(state, event)
        yield state


def requests(rules: Rules, most_hands: int = 2) -> SearchStrategy[Request]:
    """A request to play a legal game, or one with an illegal event in it."""
    legal_ones = games(rules, most_hands).map(request_of)
    return st.one_of(legal_ones, almost_legal_games(rules, most_hands).map(lambda found: found.request))
