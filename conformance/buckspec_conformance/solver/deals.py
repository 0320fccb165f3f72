"""Hands with hidden cards, judged by a solver: slow, and it can tell whatever the rules ask of the cards.

The answers are those of `buckspec.hidden`, which is tested against this, and stands in for it where a condition is not
a matter of single cards.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

import z3
from msgspec.structs import replace

from buckspec import typed as t
from buckspec.cardwise import TooHidden
from buckspec.evaluate import UNKNOWN as NOT_KNOWN
from buckspec.formats.game_log import Event, Hand
from buckspec.formats.outside import UNKNOWN
from buckspec.hidden import Filled, event_of
from buckspec.interpret import locals_of
from buckspec.matching import matched
from buckspec.missing import Open
from buckspec.packs import Dealing, fits
from buckspec.places import Heap, heaps_of
from buckspec.rulebook import EventRule
from buckspec.rules import Rules
from buckspec.state import State
from buckspec.types import NONE
from buckspec.words import Words
from buckspec_conformance.solver import values as v
from buckspec_conformance.solver.events import happen, its_time, may_act
from buckspec_conformance.solver.guards import Guard, all_of, any_of, at_most_one, conj, disj, formula, neg
from buckspec_conformance.solver.selection import Selection, fixed, holds_in
from buckspec_conformance.solver.states import known_state
from buckspec_conformance.solver.symbolic import Locals, Symbolic
from buckspec_conformance.solver.values import Bits, Pick

_MOST_AUTOMATIC = 8
"""So many events in a row may happen by themselves."""


def solved_deals(hand: Hand, state: State, how: Dealing, words: Words) -> Iterator[Open]:
    """All courses of a hand together, for a solver. Raises TooHidden where even that cannot tell."""
    yield _Translation(hand, state, how, words).hand()


@dataclass
class SolvedHand:
    """A hand as conditions on what the solver may choose.

    `timely` says where it is time for an event and its seat may act, `seen` where its cards were that it moves, and
    `legal` where each of its clauses holds.
    """

    words: Words
    told: tuple[Event, ...]
    heaps: Sequence[Heap]
    solver: z3.Solver
    held: Mapping[int, Bits | Pick]
    drawn: Mapping[int, Pick]
    timely: list[Guard] = field(default_factory=list)
    seen: list[Guard] = field(default_factory=list)
    legal: list[dict[str, Guard]] = field(default_factory=list)
    after: State | None = None

    def deal(self, events: Iterable[int]) -> Filled | None:
        """A deal under which these events can have happened and were legal."""
        return self._solved([self._possible(at) for at in events])

    def breaking(self) -> Filled | None:
        """A deal that agrees with all that was seen, under which some event is not legal."""
        agreement = [disj(neg(self._reached(at + 1)), self.seen[at]) for at in range(len(self.told))]
        legal = all_of(conj(self.timely[at], *self.legal[at].values()) for at in range(len(self.told)))
        return self._solved([*agreement, neg(legal)])

    def is_broken(self, at: int, clause: str, events: Iterable[int]) -> bool:
        """Whether an event breaks a clause under every deal under which the others of some events are legal."""
        others = [self._possible(other) for other in events if other != at]
        held = self.legal[at].get(clause)
        return self._solved([*others, self.timely[at] if held is None else held]) is None

    def _reached(self, at: int) -> Guard:
        """Where all events before one came at their time."""
        return all_of(self.timely[:at])

    def _possible(self, at: int) -> Guard:
        return disj(neg(self._reached(at)), conj(self.timely[at], self.seen[at], *self.legal[at].values()))

    def _solved(self, guards: Sequence[Guard]) -> Filled | None:
        self.solver.push()
        self.solver.add(*map(formula, guards))
        found = self.solver.check()
        filled = self._filled(self.solver.model()) if found == z3.sat else None
        self.solver.pop()
        if found == z3.unknown:
            raise TooHidden("the solver cannot tell")
        return filled

    def _filled(self, model: z3.ModelRef) -> Filled:
        """The hand as a model has chosen it."""
        codes, deck = self.words.codes, dict[int, str]()
        for heap in self.heaps:
            cards = [card for card, guard in self.held[heap.slot].guards.items() if holds_in(model, guard)]
            open_to = [sum(1 << at for at, sign in enumerate(heap.told) if fits(codes[card], sign)) for card in cards]
            where = matched(open_to, [1] * len(heap.pack))
            if where is None:
                raise TooHidden("the solver deals what is told otherwise")
            deck |= {heap.pack[at]: codes[card] for card, at in zip(cards, where, strict=True)}
        drawn = {
            at: next(codes[card] for card, guard in pick.guards.items() if holds_in(model, guard))
            for at, pick in self.drawn.items()
        }
        events = tuple(
            Event(event.seat, event.do, drawn[at], event.suit) if at in drawn else event
            for at, event in enumerate(self.told)
        )
        return Filled(tuple(deck[place] for place in range(len(codes))), events)


class _Translation:
    """Translates one hand."""

    def __init__(self, hand: Hand, state: State, how: Dealing, words: Words):
        self.told, self.words, self.how = hand.events or (), words, how
        self.rules: Rules = state.rules
        self.selection: Selection = fixed(state.rules.book, state.rules.readings, state.rules.parameters)
        self.solver = z3.Solver()
        unknown = UNKNOWN * len(words.codes[0])
        self.by_deck = heaps_of(replace(hand, dealt=None, upcard=None), state, how, unknown)
        self.by_hand = heaps_of(replace(hand, deck=None), state, how, unknown)
        self.before = state

    def hand(self) -> SolvedHand:
        before = known_state(self.forgetful(), self.selection)
        dealt = happen(before, self.how.rule, {}, "")
        self.solver.add(formula(dealt.condition))
        heaps = (
            self.by_deck if any(UNKNOWN not in sign for heap in self.by_deck for sign in heap.told) else self.by_hand
        )
        slots = {self.rules.slots[name].offset + at: value for (name, at), value in dealt.values.items()}
        held = {heap.slot: value for heap in heaps if isinstance(value := slots[heap.slot], Bits | Pick)}
        for heap in (*self.by_deck, *self.by_hand):
            self.solver.add(*(formula(guard) for guard in self.fitting(heap, held[heap.slot])))
        found = SolvedHand(self.words, self.told, heaps, self.solver, held, {})
        drawn: dict[int, Pick] = {}
        state = self.settled(Symbolic(self.rules.book, self.selection, dealt.values))
        for at, logged in enumerate(self.told):
            event = event_of(logged, self.words)
            rule = self.rules.events.get(event.id)
            if rule is None:
                found.timely.append(False)
                found.seen.append(True)
                found.legal.append({})
                continue
            local = self.local(rule, event, at, drawn, logged)
            found.timely.append(
                conj(its_time(state, rule), may_act(state, rule, local) if rule.by is not None else True)
            )
            found.seen.append(self.moved(state, rule, local))
            found.legal.append(dict(self.asked(state, rule, local)))
            after = happen(state, rule, local, "")
            state = self.settled(Symbolic(self.rules.book, self.selection, after.values))
        found.drawn = drawn
        return found

    def forgetful(self) -> State:
        """The state before the deal, without hidden cards of earlier hands, which the deal gathers in."""
        return State(self.rules, tuple(NONE if value is NOT_KNOWN else value for value in self.before.values))

    def local(self, rule: EventRule, event: object, at: int, drawn: dict[int, Pick], logged: Event) -> Locals:
        """What the clauses of an event see; a card that is not known is for the solver to choose."""
        names = locals_of(rule, event)  # type: ignore[arg-type]
        local: dict[str, v.Symbol] = {}
        for name, value in names.items():
            if isinstance(value, int):
                local[name] = v.pick(value)
                continue
            guards: dict[int, Guard] = {
                card: z3.Bool(f"event {at} is {code}")
                for card, code in enumerate(self.words.codes)
                if logged.card is not None and fits(code, logged.card)
            }
            self.solver.add(formula(conj(any_of(guards.values()), at_most_one(guards.values()))))
            local[name] = drawn[at] = Pick(guards)
        return local

    def settled(self, state: Symbolic) -> Symbolic:
        """The state after all that happens by itself. Raises TooHidden."""
        automatic = [rule for rule in self.rules.events.values() if rule.is_automatic]
        for _ in range(_MOST_AUTOMATIC):
            due = [(rule, guard) for rule in automatic if self.can_be(guard := its_time(state, rule))]
            if not due:
                return state
            values = dict(state.values)
            for rule, guard in due:
                after = happen(state, rule, {}, "").values
                values = {place: v.chosen(guard, after[place], value) for place, value in values.items()}
            state = Symbolic(self.rules.book, self.selection, values)
        raise TooHidden("events happen by themselves without an end")

    def can_be(self, guard: Guard) -> bool:
        if isinstance(guard, bool):
            return guard
        return bool(self.solver.check(guard) != z3.unsat)

    def asked(self, state: Symbolic, rule: EventRule, local: Locals) -> Iterator[tuple[str, Guard]]:
        """Where each requirement holds."""
        for part in rule.requires:
            applies, that = state.holds(part.applies, local), state.holds(part.that, local)
            yield part.clause.id, disj(neg(applies.yes), that.yes)

    def moved(self, state: Symbolic, rule: EventRule, local: Locals) -> Guard:
        """Where the cards are in the sets that they are taken from."""
        found: list[Guard] = []
        for effect in rule.effects:
            for part in effect.sets:
                match part.value:
                    case t.Without(target=target, element=element) if target.type.base == self.rules.pack.name:
                        found.append(state.holds(t.Among(element, target), local).yes)
        return all_of(found)

    def fitting(self, heap: Heap, held: Bits | Pick) -> Iterator[Guard]:
        """Where a heap can have the cards that are told of it: for each choice of signs enough cards that fit."""
        for count in range(1, len(heap.told) + 1):
            for signs in {tuple(sorted(chosen)) for chosen in combinations(heap.told, count)}:
                cards = [
                    guard
                    for card, guard in held.guards.items()
                    if any(fits(self.words.codes[card], sign) for sign in signs)
                ]
                yield _at_least(cards, count)


def _at_least(guards: Sequence[Guard], number: int) -> Guard:
    open_ = [guard for guard in guards if not isinstance(guard, bool)]
    wanted = number - sum(guard is True for guard in guards)
    if wanted <= 0:
        return True
    return z3.AtLeast(*open_, wanted) if wanted <= len(open_) else False
