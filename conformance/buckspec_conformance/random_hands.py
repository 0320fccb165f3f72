"""Random legal hands and games by the rules of any profile: uniform, or biased to what is rare.

All functions are pure but for the `random.Random` that they draw from: the same seed gives the same games. They know
nothing of the game but its rules: what is rare comes about by moods (for a hand, some events are liked and others
not, so that all pass, or all drop), by a pack that gives one player cards of a kind, and by games that begin near
their end.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from buckspec import interpret
from buckspec import typed as t
from buckspec.play import apply, legal
from buckspec.rulebook import LIVES, EventRule, RuleBook, Variable
from buckspec.rules import Rules
from buckspec.state import Event, Refused, State
from buckspec.types import INT, members


@dataclass(frozen=True)
class Style:
    """How hands are drawn.

    `moods` are the weights of which each kind of event gets one for each hand; `stacked` is the share of packs that
    give a player cards of a kind, `near` the share of games whose numbers begin between 1 and `nearness`.
    """

    moods: tuple[int, ...] = (1,)
    stacked: float = 0.0
    near: float = 0.0
    nearness: int = 1


UNIFORM = Style()
"""Every legal event is as likely as any other, every pack too, and games begin as the profile says."""

RARE = Style(moods=(1, 2, 30), stacked=0.3, near=0.7, nearness=4)
"""Totals near zero, rounds of passes, drops, sweeps."""


@dataclass(frozen=True)
class Game:
    """A game, or as much of it as was asked for: the state before it, the events of each hand, the deal first of them,
    and the state after each hand."""

    before: State
    hands: tuple[tuple[Event, ...], ...]
    after: tuple[State, ...]


def game(rng: Random, rules: Rules, style: Style = UNIFORM, most_hands: int = 1) -> Game:
    """A random game, cut off after some hands if it is not over by then."""
    before = state = opening(rng, rules, style)
    hands: list[tuple[Event, ...]] = []
    after: list[State] = []
    while len(hands) < most_hands and deals(state):
        events, state = hand(rng, state, style)
        hands.append(events)
        after.append(state)
    return Game(before, tuple(hands), tuple(after))


def opening(rng: Random, rules: Rules, style: Style = UNIFORM) -> State:
    """A state before the first hand: what must be given is drawn, and numbers near their end now and then."""
    given: dict[str, int | Sequence[int]] = {}
    is_near = rng.random() < style.near
    for variable in rules.book.variables.values():
        if variable.life == LIVES[0] and variable.first is None:
            given[variable.name] = rng.randrange(rules.book.domains[variable.type.base].size)
        elif is_near and is_counted_down(variable):
            width = rules.slots[variable.name].width
            given[variable.name] = [rng.randint(1, style.nearness) for _ in range(width)]
    return interpret.start(rules, given)


def is_counted_down(variable: Variable) -> bool:
    """A number of the whole game that begins with a parameter, for each player."""
    return (
        variable.life == LIVES[0]
        and variable.domain is not None
        and variable.type == INT
        and isinstance(variable.first, t.Parameter)
    )


def deals(state: State) -> tuple[EventRule, ...]:
    """The event, if it is its time, that deals the next hand."""
    return tuple(rule for rule in interpret.current_events(state) if rule.by_chance)


def hand(rng: Random, state: State, style: Style = UNIFORM) -> tuple[tuple[Event, ...], State]:
    """The events of one random hand, and the state after it. Raises ValueError if no hand can be dealt."""
    if not deals(state):
        raise ValueError("no hand can be dealt now")
    return played(rng, state, pack(rng, state, style), style)


def played(rng: Random, state: State, deal: Event, style: Style = UNIFORM) -> tuple[tuple[Event, ...], State]:
    """The events of one random hand of a pack, and the state after it."""
    moods = {name: rng.choice(style.moods) for name in state.rules.events}
    event: Event | None = deal
    events = []
    while event is not None:
        after = apply(state, event)
        if isinstance(after, Refused):
            raise TypeError(f"a legal event was refused: {event}")
        events.append(event)
        state = after
        event = _drawn(rng, legal(state), moods)
    return tuple(events), state


def _drawn(rng: Random, events: Sequence[Event], moods: Mapping[str, int]) -> Event | None:
    if not events:
        return None
    return rng.choices(events, [moods[event.id] for event in events])[0]


def pack(rng: Random, state: State, style: Style = UNIFORM) -> Event:
    """The deal of a shuffled pack, or of one that gives a player cards of a kind, and turns up one more of it."""
    rule, rules = deals(state)[0], state.rules
    cards = list(range(rules.pack.size))
    rng.shuffle(cards)
    if rng.random() < style.stacked:
        heaps, singles = _heaps(state, rule)
        places = [*rng.choice(heaps), *singles]
        attribute, value = rng.choice(sorted({pair for card in rules.pack.values for pair in _kinds(card.attributes)}))
        alike = [card for card in cards if (rules.pack.values[card].attributes or {}).get(attribute) == value]
        order = [*places, *(place for place in range(rules.pack.size) if place not in places)]
        placed = dict(zip(order, [*alike, *(card for card in cards if card not in alike)], strict=True))
        cards = [placed[place] for place in range(rules.pack.size)]
    return Event(rule.id, None, tuple(cards))


def _kinds(attributes: Mapping[str, str] | None) -> Iterator[tuple[str, str]]:
    yield from (attributes or {}).items()


def _heaps(state: State, rule: EventRule) -> tuple[list[list[int]], list[int]]:
    """Which places of the pack make up the cards of each player, and which are dealt as single cards."""
    rules = state.rules
    heaps: list[list[int]] = []
    singles: list[int] = []
    dealt = interpret.happen(state, rule, Event(rule.id, None, tuple(range(rules.pack.size))))
    for name in dict.fromkeys(step.variable for effect in rule.effects for step in effect.deals):
        variable = rules.book.variables[name]
        if variable.domain is not None:
            heaps += [members(dealt.known(name, index)) for index in range(rules.slots[name].width)]
        elif not variable.type.many:
            singles.append(dealt.known(name))
    return heaps, singles


def attempt(rng: Random, state: State) -> Event:
    """An event that somebody may try now, legal or not: of this phase, by who may act, or anything by anybody."""
    rules = state.rules
    acts = [rule for rule in interpret.current_events(state) if rule.by is not None]
    if acts and rng.random() < 1 / 2:
        return rng.choice([event for rule in acts for event in interpret.candidates(state, rule)])
    rule = rng.choice([rule for rule in rules.events.values() if rule.by is not None])
    about = tuple(rng.choice(rules.choices(taken)) for taken in rule.takes)
    return Event(rule.id, rng.randrange(rules.seats.size), about)


def readings(rng: Random, book: RuleBook, usual: float = 0.5) -> dict[str, str]:
    """A reading of each question: with this probability the profile's, else any; none that exclude each other."""
    while True:
        chosen = {
            question.id: book.readings[question.id] if rng.random() < usual else rng.choice(list(question.readings))
            for question in book.questions.values()
        }
        if not any(exclusion.under.holds(chosen) for exclusion in book.exclusions):
            return chosen
