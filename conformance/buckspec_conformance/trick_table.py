"""The table of who takes a trick and which cards may follow: hands that, played out, go through every row of it.

Each hand is dealt for a row that no hand before it had, and from its second trick on everybody plays what has been
seen least. Everything comes from one seed, so the hands are the same every time.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from random import Random

from buckspec.observe import observed
from buckspec.play import apply, legal
from buckspec.replay import opening
from buckspec.rules import Rules
from buckspec.state import Event, State
from buckspec.words import to_log, words_of
from buckspec_conformance.auctions import Way, suits_printed, ways
from buckspec_conformance.dealer import Layout, Wanted, laid_out
from buckspec_conformance.requesting import Hand, Request, play_request
from buckspec_conformance.tricks import (
    Beats,
    Elsewhere,
    Follows,
    Holds,
    Leads,
    Order,
    Row,
    Shape,
    beats_rows,
    follows_rows,
    holds_rows,
    leads_rows,
    orders,
    shapes,
)

_TRIES = 40  # rounds of deals that are tried for one row
_STRIDE = 7  # from one way to the next


@dataclass(frozen=True)
class TrickHand:
    """A hand of the table: its request, and the rows that no hand before it had."""

    request: Request
    rows: tuple[Row, ...]


def trick_rows(rules: Rules) -> tuple[Row, ...]:
    """All rows of the table by these rules, but for those of cards that are elsewhere, which are as they come."""
    suits = rules.book.domains[rules.definitions["trump"].type.base]
    printed = [suits.index[name] for name in suits_printed(rules)]
    most = rules.parameters["hand_size"]
    found: list[Row] = []
    for order in orders(rules).values():
        found += [*beats_rows(order), *follows_rows(order), *holds_rows(order, printed, most), *leads_rows(order)]
    return (*found, *shapes(rules))


def trick_hands(rules: Rules, seed: int = 1) -> Iterator[TrickHand]:
    """Hands that go through all rows. Raises ValueError for a row for which no deal was found."""
    table = _Table(rules, Random(seed))  # noqa: S311 - hands, not secrets
    for row in trick_rows(rules):
        if row in table.left:
            yield table.hand_for(row)


class _Table:
    """The rows that are left, and the hands that take from them."""

    def __init__(self, rules: Rules, rng: Random) -> None:
        self.rules, self.rng = rules, rng
        self.left: set[Row] = set(trick_rows(rules))
        self.elsewhere: set[Elsewhere] = set()
        self.orders = {order.trump: order for order in orders(rules).values()}
        suits = rules.book.domains[rules.definitions["trump"].type.base]
        self.printed = [suits.index[name] for name in suits_printed(rules)]
        self.suits = suits.index
        self.ways = [way for way in ways(rules) if way.is_played]
        self.size = rules.parameters["hand_size"]
        self.turn = 0
        self.open = Counter((row.trump, row.led, row.best) for row in self.left if isinstance(row, Beats))

    def hand_for(self, row: Row) -> TrickHand:
        """A hand that has the row in its first trick."""
        for _ in range(_TRIES):
            for way in self._ways_for(row):
                order = self.orders[self._trump(way)]
                trick, wanted = self._first(row, way, order) or (None, None)
                if trick is None or wanted is None:
                    continue
                layout = laid_out(self.rules, self.rng, order, way, wanted)
                if layout is not None:
                    found = _Course(self, way, order, layout, self._kept(row, order)).played(trick)
                    if row in found.rows:
                        return found
        raise ValueError(f"no deal was found for {row}")

    def _kept(self, row: Row, order: Order) -> frozenset[int]:
        """What is not played as long as there is something else: for hands that have few cards left."""
        if not isinstance(row, Holds) or len(self._of(order, row.groups)) >= self.size:
            return frozenset()
        led = (card for card, suit in enumerate(order.suit_of) if suit == row.led)
        return frozenset((*self._of(order, row.groups), *led))

    def _of(self, order: Order, groups: frozenset[tuple[int, bool]]) -> list[int]:
        """The cards of some groups."""
        return [card for card in range(len(order.suit_of)) if order.group(card, self.printed) in groups]

    def _trump(self, way: Way) -> int | None:
        return None if way.trump is None else self.suits[way.trump]

    def _ways_for(self, row: Row) -> Iterator[Way]:
        """Ways that can have the row, a few, other ones each time."""
        if isinstance(row, Shape):
            fitting = [way for way in self.ways if way.active == row.seats and (way.trump is not None) == row.has_trump]
        elif isinstance(row, Elsewhere):
            fitting = self.ways
        else:
            most = max(len(way.active) for way in self.ways)
            fitting = [way for way in self.ways if self._trump(way) == row.trump and len(way.active) == most]
        for _ in range(len(self.rules.pack.values)):
            self.turn += 1
            if fitting:
                yield fitting[self.turn * _STRIDE % len(fitting)]

    def _first(self, row: Row, way: Way, order: Order) -> tuple[tuple[int, ...], Wanted] | None:
        """A first trick that has the row, and what has to be dealt for it."""
        cards, more = self._begun(row, order)
        if cards is None or len(cards) > len(way.active):
            return None
        led = order.suit_of[cards[0]]
        more = {way.active[at]: tuple(held) for at, held in more.items()}
        used = {*cards, *(card for held in more.values() for card in held)}
        trick = self._filled(order, cards, [card for card in range(len(order.suit_of)) if card not in used], way)
        held = {seat: (card, *more.get(seat, ())) for seat, card in zip(way.active, trick, strict=True)}
        void = {}
        for seat, card in list(zip(way.active, trick, strict=True))[1:]:
            if order.suit_of[card] != led:
                if any(order.suit_of[other] == led for other in held[seat]):
                    return None
                void[seat] = led
        return trick, Wanted(held, void)

    def _filled(self, order: Order, cards: Sequence[int], rest: list[int], way: Way) -> tuple[int, ...]:
        """The trick with cards after those given, such as are new to the table."""
        self.rng.shuffle(rest)
        trick, led = list(cards), order.suit_of[cards[0]]
        while len(trick) < len(way.active):
            best = trick[order.winner(trick)]
            news = (
                (Beats(order.trump, led, best, card) in self.left)
                + (Follows(order.trump, trick[0], card, order.suit_of[card] == led) in self.left)
                for card in rest
            )
            trick.append(rest.pop(max(zip(news, range(len(rest)), strict=True))[1]))
        return tuple(trick)

    def _begun(self, row: Row, order: Order) -> tuple[tuple[int, ...] | None, dict[int, Sequence[int]]]:
        """The cards of the trick as far as the row says, and what else is held, by place in the trick."""
        cards = range(len(order.suit_of))
        match row:
            case Beats(_, led, best, card) if order.suit_of[best] == led:
                return (best, card), {}
            case Beats(_, led, best, card):
                firsts = [one for one in cards if order.suit_of[one] == led and one != card]
                return (self.rng.choice(firsts), best, card), {}
            case Follows(_, led, card, can):
                suit = order.suit_of[led]
                if order.suit_of[card] == suit or not can:
                    return (led, card), {}
                same = [one for one in cards if order.suit_of[one] == suit and one != led]
                return (led, self.rng.choice(same)), {1: (card,)}
            case Holds(_, led, groups):
                return self._held(order, led, groups)
            case Leads(_, card):
                return (card,), {}
            case Shape(_, _, pattern):
                return self._shaped(order, pattern), {}
        return None, {}

    def _held(
        self, order: Order, led: int, groups: frozenset[tuple[int, bool]]
    ) -> tuple[tuple[int, ...] | None, dict[int, Sequence[int]]]:
        """A hand of exactly these groups, second to play."""
        cards, mine = list(range(len(order.suit_of))), self._of(order, groups)
        self.rng.shuffle(cards)
        self.rng.shuffle(mine)
        if len(mine) < self.size:
            return (next(card for card in cards if card not in mine),), {1: mine}
        firsts = [card for card in cards if order.suit_of[card] == led]
        for first in firsts:
            held = [card for card in mine if card != first]
            chosen = [next((c for c in held if order.group(c, self.printed) == one), -1) for one in sorted(groups)]
            if -1 in chosen:
                continue
            chosen += [card for card in held if card not in chosen][: self.size - len(chosen)]
            follow = [card for card in chosen if order.suit_of[card] == led] or chosen
            if len(chosen) == self.size:
                return (first, follow[0]), {1: [card for card in chosen if card != follow[0]]}
        return None, {}

    def _shaped(self, order: Order, pattern: Sequence[tuple[int, int]]) -> tuple[int, ...] | None:
        """Cards that make a trick of that pattern."""
        suits = sorted({suit for suit in order.suit_of if suit != order.trump})
        if any(kind == 0 for kind, _ in pattern) and order.trump is None:
            return None
        led = order.trump if pattern[0][0] == 0 else self.rng.choice(suits)
        of_kind = {
            0: [card for card, suit in enumerate(order.suit_of) if suit == order.trump],
            1: [card for card, suit in enumerate(order.suit_of) if suit == led],
            2: [card for card, suit in enumerate(order.suit_of) if suit not in (led, order.trump)],
        }
        chosen: dict[int, list[int]] = {}
        for kind, known in of_kind.items():
            count = sum(one == kind for one, _ in pattern)
            if count > len(known):
                return None
            chosen[kind] = sorted(self.rng.sample(known, count), key=order.place.__getitem__)
        loose = iter(chosen[2])
        return tuple(next(loose) if kind == 2 else chosen[kind][rank] for kind, rank in pattern)

    def take(self, rows: Iterable[Row]) -> list[Row]:
        """Those of the rows that were left, which are now taken."""
        found: list[Row] = []
        for row in rows:
            if isinstance(row, Elsewhere):
                if row not in self.elsewhere:
                    self.elsewhere.add(row)
                    found.append(row)
            elif row in self.left:
                self.left.discard(row)
                found.append(row)
                if isinstance(row, Beats):
                    self.open[row.trump, row.led, row.best] -= 1
        return found


class _Course:
    """One hand while it is played."""

    def __init__(self, table: _Table, way: Way, order: Order, layout: Layout, kept: frozenset[int]) -> None:
        self.table, self.way, self.order, self.layout, self.kept = table, way, order, layout, kept
        self.hands = {seat: set(held) for seat, held in layout.hands.items()}
        self.rules = table.rules
        self.rows: list[Row] = []
        self.played_before: set[int] = set()
        self.before = opening(self.rules, way.dealer, None)
        state = apply(self.before, Event(_deal(self.rules), None, layout.pack))
        self.state: State = self._sure(state)
        self.events: list[dict[str, object]] = []

    @staticmethod
    def _sure(state: object) -> State:
        if not isinstance(state, State):
            raise TypeError("a hand of the table is not legal")
        return state

    def do(self, event: Event) -> None:
        """What is legal happens."""
        self.events.append(to_log(self.rules, event))
        self.state = self._sure(apply(self.state, event))

    def card(self, seat: int, card: int) -> Event:
        """The event that does something with a card now."""
        rule = next(rule for rule in self.rules.by_phase[self.state.phase] if rule.takes)
        return Event(rule.id, seat, (card,))

    def played(self, first: Sequence[int]) -> TrickHand:
        """The whole hand; the first trick is given."""
        for event in self.way.events:
            self.do(event or self.card(self.way.dealer, -1 if self.layout.aside is None else self.layout.aside))
        seats = self.way.active
        given: Sequence[int] | None = first
        while self.hands[seats[0]]:
            cards = self.trick(seats, given)
            at = self.order.winner(cards)
            seats, given = (*seats[at:], *seats[:at]), None
        winners = observed(self.state, "trick_winners")
        if legal(self.state) or not isinstance(winners, list) or winners[-1] != seats[0]:
            raise TypeError("a hand of the table went another way than it was meant to")
        codes = words_of(self.rules).codes
        hand = Hand(tuple(codes[card] for card in self.layout.pack), tuple(self.events))
        return TrickHand(play_request(self.rules, self.way.dealer, [hand]), tuple(self.rows))

    def trick(self, seats: Sequence[int], given: Sequence[int] | None) -> list[int]:
        """Play a trick: as it is given, or what has been seen least."""
        cards: list[int] = []
        best = 0
        for at, seat in enumerate(seats):
            self.probe(seat, cards)
            card = given[at] if given is not None else self.choice(seats, seat, cards, best)
            self.rows += self.table.take(self.gained(seats, seat, cards, best, card))
            self.do(self.card(seat, card))
            self.hands[seat].remove(card)
            cards.append(card)
            if at and self.order.beats(cards[best], card):
                best = at
        self.played_before.update(cards)
        return cards

    def able(self, seat: int, cards: Sequence[int]) -> list[int]:
        """The cards that a player may play."""
        held = sorted(self.hands[seat])
        same = [card for card in held if cards and self.order.suit_of[card] == self.order.suit_of[cards[0]]]
        return same or held

    def choice(self, seats: Sequence[int], seat: int, cards: Sequence[int], best: int) -> int:
        """The card that adds most to the table."""
        able = self.able(seat, cards)
        able = [card for card in able if card not in self.kept] or able
        self.table.rng.shuffle(able)

        def worth(card: int) -> tuple[int, int]:
            led = self.order.suit_of[cards[0] if cards else card]
            leads = not cards or self.order.beats(cards[best], card)
            rows = sum(row in self.table.left for row in self.gained(seats, seat, cards, best, card))
            return rows, self.table.open[self.order.trump, led, card if leads else cards[best]]

        return max(able, key=worth)

    def gained(self, seats: Sequence[int], seat: int, cards: Sequence[int], best: int, card: int) -> Iterator[Row]:
        """The rows in which a card is played."""
        order = self.order
        if not cards:
            yield Leads(order.trump, card)
        else:
            led = order.suit_of[cards[0]]
            can = any(order.suit_of[held] == led for held in self.hands[seat])
            yield Beats(order.trump, led, cards[best], card)
            yield Follows(order.trump, cards[0], card, can)
        if len(cards) + 1 == len(seats):
            yield Shape(order.trump is not None, tuple(seats), order.pattern([*cards, card]))

    def probe(self, seat: int, cards: Sequence[int]) -> None:
        """Try cards that may not be played, those that are new to the table."""
        order, held = self.order, self.hands[seat]
        led = order.suit_of[cards[0]] if cards else None
        able = set(self.able(seat, cards))
        tried: list[int] = []
        if led is not None:
            groups = frozenset(order.group(card, self.table.printed) for card in held)
            new = self.table.take([Holds(order.trump, led, groups)])
            self.rows += new
            for card in sorted(held - able):
                found = self.table.take([Follows(order.trump, cards[0], card, True)])
                self.rows += found
                if new or found:
                    tried.append(card)
        for card in range(len(order.suit_of)):
            if card not in held:
                would = led is None or order.suit_of[card] == led
                found = self.table.take([Elsewhere(self.where(card, cards), would)])
                self.rows += found
                tried += [card] if found else []
        self.events += [to_log(self.rules, self.card(seat, card)) for card in tried]

    def where(self, card: int, cards: Sequence[int]) -> str:
        """In whose hand or where else a card is."""
        if card in cards:
            return "on the table"
        if card in self.played_before:
            return "played before"
        if card == self.layout.aside:
            return "put aside"
        holder = [seat for seat, held in self.hands.items() if card in held]
        if holder:
            return "in another hand" if holder[0] in self.way.active else "laid down"
        return "not dealt"


def _deal(rules: Rules) -> str:
    return next(rule.id for rule in rules.events.values() if rule.by_chance)
