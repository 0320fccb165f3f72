"""The table of the scoring: every way to split the tricks, by every maker or none, whoever stays in the hand.

Each hand is dealt and played so that the tricks fall as the row has it, and begins with totals after which the end of
the hand shows something new: who is at zero or below, in which order, and with equal totals.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from random import Random

from buckspec.observe import observed
from buckspec.play import apply
from buckspec.replay import opening
from buckspec.rules import Rules
from buckspec.state import Event, State
from buckspec.words import to_log, words_of
from buckspec_conformance.auctions import Way, ways
from buckspec_conformance.dealer import Layout, Wanted, laid_out
from buckspec_conformance.requesting import Hand, Request, play_request
from buckspec_conformance.tricks import Order, orders

_TRIES = 500  # deals that are tried for one row
_NODES = 400  # cards that are tried in one deal
_STRIDE = 5  # from one way to the next


@dataclass(frozen=True)
class Split:
    """Who takes how many tricks, by seat, where this is the contract, the maker and who is in the hand.

    `tricks` is None where the hand is not played.
    """

    contract: str
    maker: int | None
    active: frozenset[int]
    tricks: tuple[int, ...] | None


@dataclass(frozen=True)
class Finish:
    """How the totals stand after a hand, by seat from the dealer's left: `places` among those at zero or below, the
    lowest total first, None above zero; `exact`: the lowest is zero."""

    places: tuple[int | None, ...]
    exact: bool


@dataclass(frozen=True)
class ScoreHand:
    """A hand of the table: its request, its row, and how it ends, if no hand before it ended so."""

    request: Request
    split: Split
    finish: Finish | None


def splits(rules: Rules) -> Iterator[Split]:
    """Every row: for each contract, maker and set of players in the hand all ways to split the tricks."""
    seats = rules.seats.size
    for (contract, maker, active), found in _by_contract(rules).items():
        if not any(way.is_played for way in found):
            yield Split(contract, maker, active, None)
            continue
        for tricks in product(range(rules.parameters["hand_size"] + 1), repeat=seats):
            if sum(tricks) == rules.parameters["hand_size"] and all(not tricks[s] or s in active for s in range(seats)):
                yield Split(contract, maker, active, tricks)


def _by_contract(rules: Rules) -> dict[tuple[str, int | None, frozenset[int]], list[Way]]:
    found: dict[tuple[str, int | None, frozenset[int]], list[Way]] = {}
    for way in ways(rules):
        found.setdefault((str(way.contract), way.maker, frozenset(way.active)), []).append(way)
    return found


def finishes(points: Sequence[int], dealer: int) -> Iterator[tuple[tuple[int, ...], Finish]]:
    """Totals to begin with, each above zero and as low as makes a difference, and how a hand with these points ends."""
    for totals in product(*(range(1, max(1, -added + 1) + 1) for added in points)):
        yield totals, finish([total + added for total, added in zip(totals, points, strict=True)], dealer)


def finish(totals: Sequence[int], dealer: int) -> Finish:
    """How these totals stand after a hand."""
    seats = len(totals)
    turned = [totals[(dealer + 1 + place) % seats] for place in range(seats)]
    low = sorted({total for total in turned if total <= 0})
    return Finish(tuple(low.index(total) if total <= 0 else None for total in turned), low[:1] == [0])


def score_hands(rules: Rules, seed: int = 1) -> Iterator[ScoreHand]:
    """Hands that go through all rows and all finishes. Raises ValueError for a row for which no play was found."""
    table = _Table(rules, Random(seed))  # noqa: S311 - hands, not secrets
    for number, row in enumerate(splits(rules)):
        yield table.hand_for(row, number)
    yield from table.finished()


@dataclass(frozen=True)
class _Played:
    """A hand that was found: what is asked, and the points that it brings. None if it is not scored."""

    split: Split
    way: Way
    hand: Hand
    points: tuple[int, ...] | None


class _Table:
    """What has been found so far, and the finishes that are left."""

    def __init__(self, rules: Rules, rng: Random) -> None:
        self.rules, self.rng = rules, rng
        self.ways = _by_contract(rules)
        self.found: list[_Played] = []
        self.seen: set[Finish] = set()

    def hand_for(self, row: Split, number: int) -> ScoreHand:
        """A hand in which the tricks fall as the row has it."""
        played = self._found(row, self.ways[row.contract, row.maker, row.active], number)
        self.found.append(played)
        return self._asked(played)

    def _found(self, row: Split, fitting: Sequence[Way], number: int) -> _Played:
        """The tricks fall as the row has it, on one of these ways."""
        for turn in range(_TRIES):
            way = fitting[(number * _STRIDE + turn) % len(fitting)]
            layout, cards = self._played(row, way)
            if layout is not None:
                return self._checked(row, way, layout, cards)
        raise ValueError(f"no play was found for {row}")

    def _asked(self, played: _Played) -> ScoreHand:
        """The request, beginning with totals that make a new finish, if there are such.

        A hand that is not scored begins with everybody near the end of the game.
        """
        totals, new = None if played.points else (1,) * self.rules.seats.size, None
        for candidate, end in finishes(played.points, played.way.dealer) if played.points else ():
            if end not in self.seen:
                totals, new = candidate, end
                self.seen.add(end)
                break
        request = play_request(self.rules, played.way.dealer, [played.hand], totals)
        return ScoreHand(request, played.split, new)

    def finished(self) -> Iterator[ScoreHand]:
        """More hands, for the finishes that are left: rows once more, with another dealer."""
        for played in self.found:
            fitting = self.ways[played.split.contract, played.split.maker, played.split.active]
            for dealer in range(self.rules.seats.size) if played.points else ():
                dealt = [way for way in fitting if way.dealer == dealer]
                while dealt and any(end not in self.seen for _, end in finishes(played.points or (), dealer)):
                    hand = self._asked(self._found(played.split, dealt, 0))
                    if hand.finish is None:  # with that dealer the points are others
                        break
                    yield hand

    def _played(self, row: Split, way: Way) -> tuple[Layout | None, list[int]]:
        """A deal and the cards played in it, one after the other."""
        order = orders(self.rules).get(way.trump)
        if not way.is_played or order is None or row.tricks is None:
            order = order or next(iter(orders(self.rules).values()))
            return laid_out(self.rules, self.rng, order, way, Wanted({})), []
        layout = laid_out(self.rules, self.rng, order, way, Wanted(self._masters(row.tricks, order)))
        if layout is None:
            return None, []
        cards = _Search(self.rng, order, way.active, layout, list(row.tricks)).cards()
        return (layout, cards) if cards is not None else (None, [])

    def _masters(self, tricks: Sequence[int], order: Order) -> dict[int, list[int]]:
        """For each trick that a seat is to take, a card that is high."""
        cards = list(range(len(order.suit_of)))
        self.rng.shuffle(cards)
        cards.sort(key=lambda card: (order.suit_of[card] != order.trump, order.place[card]))
        takers = [seat for seat, count in enumerate(tricks) for _ in range(count)]
        self.rng.shuffle(takers)
        found: dict[int, list[int]] = {}
        for seat, card in zip(takers, cards, strict=False):
            found.setdefault(seat, []).append(card)
        return found

    def _checked(self, row: Split, way: Way, layout: Layout, cards: Sequence[int]) -> _Played:
        """The hand, played by the rules. Raises TypeError if it goes another way than it was meant to."""
        rules = self.rules
        state: object = opening(rules, way.dealer, None)
        deal = next(rule.id for rule in rules.events.values() if rule.by_chance)
        events: list[Event] = []
        left = list(cards)
        todo: list[Event | None] = [*way.events, *([None] * len(cards))]
        state = apply(state, Event(deal, None, layout.pack)) if isinstance(state, State) else state
        for at, known in enumerate(todo):
            if not isinstance(state, State):
                raise TypeError("a hand of the table is not legal")
            aside = layout.aside if at < len(way.events) else None
            events.append(known or self._card(state, way, left.pop(0) if aside is None else aside, aside is not None))
            state = apply(state, events[-1])
        if not isinstance(state, State) or state.known("dealt"):
            raise TypeError("a hand of the table is not legal, or not over")
        if row.tricks is not None and observed(state, "tricks") != list(row.tricks):
            raise TypeError("a hand of the table went another way than it was meant to")
        codes = words_of(rules).codes
        hand = Hand(tuple(codes[card] for card in layout.pack), tuple(to_log(rules, event) for event in events))
        points: list[int] = observed(state, "points")  # type: ignore[assignment]
        scored = state.known("swept") < 0 and any(points)
        return _Played(row, way, hand, tuple(points) if scored else None)

    @staticmethod
    def _card(state: State, way: Way, card: int, is_aside: bool) -> Event:
        """The event in which a card is played, or put aside."""
        rule = next(rule for rule in state.rules.by_phase[state.phase] if rule.takes)
        return Event(rule.id, way.dealer if is_aside else state.known("next_player"), (card,))


class _Search:
    """Looks for a play in which every seat takes as many tricks as it is to take."""

    def __init__(self, rng: Random, order: Order, seats: Sequence[int], layout: Layout, left: list[int]) -> None:
        self.rng, self.order, self.left = rng, order, left
        self.seats = tuple(seats)
        self.hands = {seat: set(held) for seat, held in layout.hands.items()}
        self.nodes = _NODES
        self.line: list[int] = []

    def cards(self) -> list[int] | None:
        """The cards in the order in which they are played; None if nothing was found in time."""
        return self.line if self._trick(self.seats, []) else None

    def _trick(self, seats: Sequence[int], cards: list[int]) -> bool:
        """Play on from within a trick."""
        if len(cards) == len(seats):
            at = self.order.winner(cards)
            taker = seats[at]
            if not self.left[taker]:
                return False
            self.left[taker] -= 1
            if not any(self.left) or self._trick((*seats[at:], *seats[:at]), []):
                return True
            self.left[taker] += 1
            return False
        seat = seats[len(cards)]
        held = self.hands[seat]
        led = self.order.suit_of[cards[0]] if cards else None
        able = [card for card in held if self.order.suit_of[card] == led] or list(held)
        self.rng.shuffle(able)
        for card in able:
            self.nodes -= 1
            if self.nodes < 0:
                return False
            held.discard(card)
            self.line.append(card)
            if self._trick(seats, [*cards, card]):
                return True
            self.line.pop()
            held.add(card)
        return False
