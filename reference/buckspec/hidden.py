"""A hand of which some cards are not known: which deals agree with what was seen, and under which it is legal.

All that is hidden is one deal. What was seen fixes many cards, and each requirement of each event says of the others
where they cannot have been (`cardwise`). Whether there is such a deal is a matter of matching (`matching`). Where what
happens depends on a hidden card itself, such as an up-card that nobody wrote down, each card that it can be is tried.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from buckspec import matching
from buckspec import typed as t
from buckspec.cardwise import Cardwise, TooHidden
from buckspec.evaluate import UNKNOWN as NOT_KNOWN
from buckspec.evaluate import Missing
from buckspec.formats import game_log
from buckspec.formats.game_log import Hand
from buckspec.formats.outside import UNKNOWN
from buckspec.matching import FALSE, Clauses
from buckspec.packs import Dealing, fits
from buckspec.partial import Memory, Step, dealt, followed, memory_of
from buckspec.places import Heap, Places, heaps_of, moves, places_of
from buckspec.rulebook import Requirement
from buckspec.rules import Rules
from buckspec.state import Event, State
from buckspec.words import Words

_MOST_WAYS = 2000
"""So many ways to fill in cards on which the course of a hand depends are tried."""


@dataclass(frozen=True)
class Filled:
    """A hand with every card filled in: the pack in dealing order, and the events."""

    deck: tuple[str, ...]
    events: tuple[game_log.Event, ...]


@dataclass(frozen=True)
class Hidden:
    """One course of a hand: all its deals that lead to the same things happening.

    `seen` has for each event where its cards must have been for it to happen at all, `legal` what each of its clauses
    asks besides. `stop` is the first event at the wrong time or by the wrong seat, and `after` the state before that,
    or at the end; its hidden cards are UNKNOWN. Without `places` what is told of the deal cannot be. `whole` tells that
    the course could be followed to its end, each event left to stand. `at_stop` is what the clauses of the event at the
    stop ask, where that can be told.
    """

    rules: Rules
    words: Words
    told: tuple[game_log.Event, ...]
    places: Places | None
    seen: tuple[Clauses, ...]
    legal: tuple[Mapping[str, Clauses], ...]
    stop: int | None
    after: State
    whole: bool
    at_stop: Mapping[str, Clauses] = field(default_factory=dict)

    def deal(self, events: Iterable[int]) -> Filled | None:
        """A deal under which these events can have happened and were legal, whatever the others were."""
        chosen = [self._possible(at) for at in events if at < len(self.seen) or at == self.stop]
        return self._solved(matching.both(*chosen))

    def breaking(self) -> Filled | None:
        """A deal that agrees with all that was seen, under which some event is not legal."""
        agrees = self.agreement
        if self.stop is not None:
            return self._solved(agrees)
        if self.places is None:
            return None
        known, places = set(agrees), self.places
        open_, options = matching.narrowed(agrees, places.options)
        for clause in dict.fromkeys(clause for at in self.legal for part in at.values() for clause in part):
            if clause not in known:
                against = matching.opposite(clause, places.every)
                where = matching.solve([*open_, *against], options, places.room)
                if where is not None:
                    return self._filled(places, where)
        return None

    def is_broken(self, at: int, clause: str, events: Iterable[int]) -> bool:
        """Whether an event breaks a clause under every deal under which the others of some events are legal."""
        legal = dict(enumerate(self.legal))
        asked = self.at_stop if at == self.stop else legal.get(at, {})
        if clause not in asked:
            return True
        chosen = [self._possible(other) for other in events if other != at and other < len(self.seen)]
        return self._solved(matching.both(*chosen, asked[clause])) is None

    @cached_property
    def agreement(self) -> Clauses:
        """Where the cards must have been for all to happen that was seen."""
        return matching.both(*self.seen)

    def _possible(self, at: int) -> Clauses:
        return FALSE if at == self.stop else matching.both(self.seen[at], *self.legal[at].values())

    def _solved(self, clauses: Clauses) -> Filled | None:
        if self.places is None:
            return None
        where = matching.solve(clauses, self.places.options, self.places.room)
        return None if where is None else self._filled(self.places, where)

    def _filled(self, places: Places, where: Sequence[int]) -> Filled:
        """The hand in which each card lies in this place."""
        codes, deck = self.words.codes, dict[int, str]()
        free = {
            place: [codes[card] for card, at in enumerate(where) if at == place] for place in range(len(places.spots))
        }
        left = {spot.leaves: free[place][0] for place, spot in enumerate(places.spots) if spot.leaves is not None}
        told = {sign for heap in places.heaps for sign in heap.told if UNKNOWN not in sign}
        for index, heap in enumerate(places.heaps):
            own = {place: spot for place, spot in enumerate(places.spots) if spot.heap == index}
            signs = {
                spot.sign: [code for code in free[place] if code not in told]
                for place, spot in own.items()
                if spot.leaves is None
            }
            spare = [free[place][0] for place, spot in own.items() if spot.leaves is not None]
            spare = [code for code in spare if code not in told]
            for place, sign in zip(heap.pack, heap.told, strict=True):
                if UNKNOWN not in sign:
                    deck[place] = sign
                else:
                    deck[place] = (signs.get(sign) or spare).pop()
        events = tuple(self._named(event, left.get(at)) for at, event in enumerate(self.told))
        return Filled(tuple(deck[place] for place in range(len(codes))), events)

    def _named(self, event: game_log.Event, card: str | None) -> game_log.Event:
        """An event with its card; after a stop, where no card is looked at, with any that it can be."""
        if event.card is None or UNKNOWN not in event.card:
            return event
        found = card or next(code for code in self.words.codes if fits(code, event.card))
        return game_log.Event(event.seat, event.do, found, event.suit)


def courses(hand: Hand, state: State, how: Dealing, words: Words) -> Iterator[Hidden]:
    """Every course of a hand that is dealt in this state. Raises TooHidden where that cannot be told."""
    heaps = heaps_of(hand, state, how, UNKNOWN * len(words.codes[0]))
    yield from _Courses(state, how, words, state.rules, memory_of(state.rules)).of(
        heaps, hand.events or (), [_MOST_WAYS]
    )


@dataclass(frozen=True)
class _Courses:
    state: State
    how: Dealing
    words: Words
    rules: Rules
    memory: Memory

    def of(self, heaps: tuple[Heap, ...], told: tuple[game_log.Event, ...], ways: list[int]) -> Iterator[Hidden]:
        """Every course, where these cards are known; `ways` counts down how many more are tried."""
        ways[0] -= 1
        if ways[0] < 0:
            raise TooHidden("too many ways")
        try:
            found = self.course(heaps, told)
        except TooHidden:
            split = list(self.split(heaps, told))
            if not split:
                raise
        else:
            yield found
            return
        for further in split:
            yield from self.of(*further, ways)

    def split(
        self, heaps: tuple[Heap, ...], told: tuple[game_log.Event, ...]
    ) -> Iterator[tuple[tuple[Heap, ...], tuple[game_log.Event, ...]]]:
        """What is told, with one more card known, in each way it can be: the single cards of the deal first."""
        gone = {sign for heap in heaps for sign in heap.told if UNKNOWN not in sign}
        for index, heap in enumerate(heaps):
            if not heap.many and UNKNOWN in heap.told[0]:
                for code in self.fitting(heap.told[0], gone):
                    yield (*heaps[:index], Heap(heap.slot, False, heap.pack, (code,)), *heaps[index + 1 :]), told
                return
        for at, event in enumerate(told):
            if event.card is not None and UNKNOWN in event.card:
                for code in self.fitting(event.card, ()):  # a card seen elsewhere too: what was seen may be to blame
                    filled = game_log.Event(event.seat, event.do, code, event.suit)
                    yield heaps, (*told[:at], filled, *told[at + 1 :])
                return

    def fitting(self, sign: str, gone: Iterable[str]) -> list[str]:
        return [code for code in self.words.codes if fits(code, sign) and code not in gone]

    def course(self, heaps: tuple[Heap, ...], told: tuple[game_log.Event, ...]) -> Hidden:
        """The course of a hand, if that can be told. Raises TooHidden."""
        words, unknown = self.words, UNKNOWN * len(self.words.codes[0])
        known: list[int | None] = [None] * self.rules.pack.size
        for heap in heaps:
            for place, sign in zip(heap.pack, heap.told, strict=True):
                known[place] = words.cards.get(sign)
        events = [event_of(event, words) for event in told]
        first = dealt(self.state, self.how.rule, known, self.memory)
        way = followed(first, events)
        signs = {at: event.card for at, event in enumerate(told) if event.card is not None}
        places = places_of(heaps, moves(way.steps), signs, words, unknown)
        if places is None:
            return Hidden(self.rules, words, told, None, (), (), way.stop, way.after, False)
        last = max((step.at for step in way.steps), default=-1)
        clauses = _Clauses(places)
        seen, legal = clauses.of(way.steps, last + 1)
        whole = way.stop is None and way.unclear is None
        at_stop = clauses.at_stop(way.stopped)
        found = Hidden(self.rules, words, told, places, seen, legal, way.stop, way.after, whole, at_stop)
        # what follows an event that cannot have been is often unclear, and does not matter
        if way.unclear is not None and found.deal(range(len(told))) is not None:
            raise way.unclear
        return found


def event_of(told: game_log.Event, words: Words) -> Event:
    """The event that a log tells; where its card is not known, that is UNKNOWN."""
    known = words.event(told)
    if known is not None:
        return known
    one, other = (words.events[told.seat, told.do, code, told.suit] for code in words.codes[:2])
    about = tuple(mine if mine == its else NOT_KNOWN for mine, its in zip(one.about, other.about, strict=True))
    return Event(one.id, one.seat, about)  # type: ignore[arg-type]


class _Clauses:
    """Puts the steps of a course as clauses, and follows the hidden sets through them."""

    def __init__(self, places: Places):
        self.places, self.held = places, dict(places.held)
        self.leaves = {spot.leaves: place for place, spot in enumerate(places.spots) if spot.leaves is not None}

    def of(self, steps: Sequence[Step], events: int) -> tuple[tuple[Clauses, ...], tuple[Mapping[str, Clauses], ...]]:
        """For each event where its cards must have been, and what its requirements ask."""
        seen: list[list[Clauses]] = [[] for _ in range(events)]
        legal: list[dict[str, Clauses]] = [{} for _ in range(events)]
        for step in steps:
            drawn = {name: 1 << self.leaves[step.at] for name, one in step.local.items() if one is NOT_KNOWN}
            cardwise = Cardwise(step.before.evaluator, self.held, self.places.options, self.places.every, drawn)
            if step.at >= 0:
                seen[step.at] += self.moved(cardwise, step)
                if not step.rule.is_automatic:
                    legal[step.at] = {part.clause.id: self.asked(cardwise, step, part) for part in step.rule.requires}
            self.follow(cardwise, step)
        return tuple(matching.both(*parts) for parts in seen), tuple(legal)

    def at_stop(self, step: Step | None) -> Mapping[str, Clauses]:
        """What the requirements of an event ask that comes out of turn; of what cannot be told, nothing is broken."""
        if step is None:
            return {}
        cardwise = Cardwise(step.before.evaluator, self.held, self.places.options, self.places.every, {})
        asked: dict[str, Clauses] = {}
        for part in step.rule.requires:
            try:
                is_known = not any(isinstance(one, Missing) for one in step.event.about)
                asked[part.clause.id] = self.asked(cardwise, step, part) if is_known else matching.TRUE
            except TooHidden:
                asked[part.clause.id] = matching.TRUE
        return asked

    def asked(self, cardwise: Cardwise, step: Step, requirement: Requirement) -> Clauses:
        """Where a requirement holds. A card that is not known is one of the pack, and it holds of that."""
        found = []
        for local, is_it in self.ways(cardwise, step):
            that = cardwise.condition(requirement.that, local)
            if that:  # else it holds wherever the cards lie
                applies = cardwise.condition(requirement.applies, local, positive=False)
                found.append(cardwise.either(is_it, cardwise.either(applies, that)))
        return matching.both(*found)

    def ways(self, cardwise: Cardwise, step: Step) -> Iterator[tuple[Mapping[str, int], Clauses]]:
        """What the event can be about, each with where it is about something else."""
        if not cardwise.drawn:
            yield step.local, FALSE  # type: ignore[misc]
            return
        ((name, place),) = cardwise.drawn.items()
        for card in range(len(self.places.options)):
            yield {**step.local, name: card}, cardwise.within(card, place, False)  # type: ignore[dict-item]

    def moved(self, cardwise: Cardwise, step: Step) -> Iterator[Clauses]:
        """A card that is taken out of a set was in it; an event that does so was seen to."""
        for part, _ in step.writes:
            if isinstance(part.value, t.Without) and part.value.element.type.certain.base == self.base(step):
                without, found = part.value, []
                for local, is_it in self.ways(cardwise, step):
                    card = cardwise.index(without.element, local)
                    found.append(cardwise.either(is_it, cardwise.member(without.target, card, local)))
                yield matching.both(*found)

    def base(self, step: Step) -> str:
        return step.before.rules.pack.name

    def follow(self, cardwise: Cardwise, step: Step) -> None:
        """What is in the hidden sets after a step."""
        after: dict[int, tuple[int, ...]] = {}
        variables = step.before.rules.book.variables
        for effect in step.rule.effects:
            for part in effect.sets:
                type_ = variables[part.variable].type
                if part.each is not None and type_.many and type_.base == self.base(step):
                    raise TooHidden(f"{part.variable} of everybody")
        for part, slot in step.writes:
            type_ = variables[part.variable].type
            if type_.many and type_.base == self.base(step):
                if isinstance(step.before.evaluator.term(part.value, step.local), int):
                    self.held.pop(slot, None)
                else:
                    after[slot] = self.masks(cardwise, step, part.value, slot)
        self.held |= after

    @property
    def cards(self) -> range:
        return range(len(self.places.options))

    def masks(self, cardwise: Cardwise, step: Step, value: t.Term, slot: int) -> tuple[int, ...]:
        """The places from which each card is in a set after a step; quickly where one known card comes or goes."""
        match value:
            case t.With(target=t.Read() as read, element=element) | t.Without(target=t.Read() as read, element=element):
                card = step.before.evaluator.term(element, step.local)
                if isinstance(card, int) and slot in self.held and step.slot(read.variable, read.index) == slot:
                    before = self.held[slot]
                    changed = self.places.every if isinstance(value, t.With) else 0
                    return (*before[:card], changed, *before[card + 1 :])
        return tuple(self.mask(cardwise, step, value, card) for card in self.cards)

    def mask(self, cardwise: Cardwise, step: Step, value: t.Term, card: int) -> int:
        """The places from which a card is in a set after a step."""
        places = self.places.every
        for clause in cardwise.member(value, card, step.local):
            if any(thing != card for thing, _ in clause):
                raise TooHidden("a set in which a card is together with another")
            places &= dict(clause).get(card, 0)
        return places
