"""Finds hands in which a wish comes true, or shows that there are none.

Three ways, the quickest first: a contradiction to what is known of every state; hands at random; and all that can be
said and played in a hand, with the cards left to a solver. Each hand has been played by the interpreter.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from random import Random
from time import monotonic

from buckspec import interpret
from buckspec.rules import Rules, choose
from buckspec.state import Event, State
from buckspec_conformance.possible.hand import Hand, granted
from buckspec_conformance.possible.patience import Patience, UndecidedError
from buckspec_conformance.possible.ruled_out import Because, ruled_out
from buckspec_conformance.possible.search import Found, Search
from buckspec_conformance.possible.start import Start, opened
from buckspec_conformance.possible.tries import tried
from buckspec_conformance.possible.unless import Unless
from buckspec_conformance.possible.unroll import Unrolling, events_in
from buckspec_conformance.possible.wish import Wish
from buckspec_conformance.solver.counterexample import pack_of
from buckspec_conformance.solver.events import happen, its_time
from buckspec_conformance.solver.guards import Guard, conj, equal, neg
from buckspec_conformance.solver.selection import Selection, fixed, free, readings_in
from buckspec_conformance.solver.states import Values, known_state, state_in
from buckspec_conformance.solver.symbolic import Symbolic
from buckspec_conformance.solver.values import Bits, Pick

TRIES = 3000
"""How many hands are played at random."""
_ENOUGH = 30
"""Of how many times more hands than are wanted the simplest are taken."""
_BEGINNINGS = 8
"""How many beginnings of hands are gone on with to find a simpler hand than those found at random."""
_PACKS = 4
"""From how many deals of a solver's choice others are made where something is wished of the deal."""


@dataclass(frozen=True)
class Answer:
    """The hands that were found, the simplest first; or why there is none; or why neither is known.

    `is_simplest` says that no hand has fewer events than the first.
    """

    hands: tuple[Hand, ...] = ()
    because: Because | None = None
    undecided: str = ""
    is_simplest: bool = False


def find(
    rules: Rules, wish: Wish, start: Start, *, count: int = 1, timeout: float = 60.0, every_reading: bool = False,
    seed: int = 0, tries: int = TRIES, unless: Unless | None = None,
) -> Answer:  # fmt: skip
    """Hands in which a wish comes true, or why there is none, or that neither was found in time.

    `timeout` is in seconds; `tries` hands are played at random, which `seed` begins. With `unless`, other hands than
    those at random are not looked at.
    """
    because = ruled_out(rules, wish, start, every_reading=every_reading)
    if because is not None:
        return Answer(because=because)
    until = monotonic() + timeout
    rng = Random(seed)  # noqa: S311 games, not secrets
    selection, admitted = free(rules.book, rules.parameters) if every_reading else (_own(rules), True)
    values, chosen = opened(rules, selection, start)
    search = Search(Unrolling(rules, selection, Patience(until)), wish, values, conj(admitted, chosen))
    packs = list(_packs(rules, search)) if wish.dealt else []
    random = tried(rules, wish, start, rng, tries, packs, until, every_reading=every_reading)
    if unless is not None:
        random = (hand for hand in random if unless.spares(hand))
    found = _simplest(islice(random, _ENOUGH * count), count)
    if unless is not None:
        return Answer(tuple(found), None, "" if found else "there was none among the hands at random")
    enough = len(found) >= count
    shorter, most = (found[-1].size, _BEGINNINGS) if enough else (None, None)
    undecided = ""
    try:
        for one in search.hands(shorter, most):
            found = _simplest(iter([*found, _replayed(rules, wish, search, one)]), count)
            if not enough and len(found) >= count:
                break
    except UndecidedError as error:
        undecided = str(error)
    if not found and not undecided:
        return Answer(because=Because(tuple(wish.parts[at] for at in sorted(search.core)) or wish.parts))
    usual = tuple(_as_usual(hand, wish) for hand in found)
    return Answer(usual, None, "" if found else undecided, is_simplest=not undecided)


def _as_usual(hand: Hand, wish: Wish) -> Hand:
    """The hand under the readings of the profile, as far as it goes under them; each of the others is needed."""
    rules = hand.before.rules
    for question, usual in rules.book.readings.items():
        readings = {**rules.readings, question: usual}
        if readings == rules.readings or any(one.under.holds(readings) for one in rules.book.exclusions):
            continue
        chosen = choose(rules.book, rules.name, dict(rules.parameters), readings, rules.is_shipped)
        again = granted(State(chosen, hand.before.values), hand.events, wish)
        if again is not None and len(again.events) == len(hand.events):
            return _as_usual(again, wish)
    return hand


def _own(rules: Rules) -> Selection:
    return fixed(rules.book, rules.readings, rules.parameters)


def _simplest(hands: Iterator[Hand], count: int) -> list[Hand]:
    """The hands with the fewest events, no two of them with the same events."""
    found: dict[tuple[object, ...], Hand] = {}
    for hand in hands:
        found.setdefault(hand.key(), hand)
        if len(found) > count:
            del found[max(found.values(), key=lambda one: one.size).key()]
    return sorted(found.values(), key=lambda one: one.size)


# ---------------------------------------------------------------------- what a solver has chosen


def _replayed(rules: Rules, wish: Wish, search: Search, found: Found) -> Hand:
    """A hand that a model has chosen, as the interpreter plays it."""
    readings = readings_in(search.unrolling.selection, found.model)
    chosen = choose(rules.book, rules.name, dict(rules.parameters), readings, rules.is_shipped)
    before = interpret.settled(state_in(found.model, chosen, search.begin))
    deal, *_ = found.line.steps
    after = state_in(found.model, chosen, deal.after.values)
    pack = Event(deal.rule.id, None, tuple(pack_of(chosen.events[deal.rule.id], before, after)))
    hand = granted(before, [pack, *(event for _, event in events_in(found.model, found.line))], wish)
    if hand is None:
        raise AssertionError("the interpreter does not play the hand that the solver has found")
    return hand


def _packs(rules: Rules, search: Search) -> Iterator[Event]:
    """Deals that grant what is wished of the deal, each from a start that the solver chooses; none is no proof."""
    selection, patience = search.unrolling.selection, search.unrolling.patience
    rule = next(rule for rule in rules.book.events.values() if rule.by_chance)
    before = Symbolic(rules.book, selection, search.begin)
    dealt = happen(before, rule, {}, "dealt: ")
    after = Symbolic(rules.book, selection, dealt.values)
    guards: list[Guard] = [search.condition, its_time(before, rule), dealt.condition]
    guards += [after.holds(part.term, {}).yes for part in search.wish.dealt]
    for _ in range(_PACKS):
        try:
            model = patience.ask(guards).model
        except UndecidedError:
            return
        if model is None:
            return
        chosen = choose(rules.book, rules.name, dict(rules.parameters), readings_in(selection, model), rules.is_shipped)
        states = state_in(model, chosen, search.begin), state_in(model, chosen, dealt.values)
        yield Event(rule.id, None, tuple(pack_of(chosen.events[rule.id], *states)))
        guards.append(neg(_same(dealt.values, states[1])))


def _same(values: Values, state: State) -> Guard:
    """Where the cards are those of a state."""
    known = known_state(state, _own(state.rules)).values
    parts: list[Guard] = []
    for place, value in values.items():
        other = known[place]
        if isinstance(value, Bits | Pick) and isinstance(other, Bits | Pick):
            parts += [equal(guard, other.guards.get(at, False)) for at, guard in value.guards.items()]
    return conj(*parts)
