"""A hand that was found: its events as the interpreter accepts them, up to the moment at which a condition holds."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from buckspec import interpret
from buckspec.play import apply
from buckspec.state import Event, Refused, State
from buckspec_conformance.possible.wish import ANY, END, Wish, holds, is_over
from buckspec_conformance.random_hands import Game


@dataclass(frozen=True, eq=False)
class Hand:
    """The state before the deal, the events up to the moment, the deal first, and the states after each."""

    before: State
    events: tuple[Event, ...]
    after: tuple[State, ...]

    @property
    def size(self) -> int:
        """How many events somebody does."""
        return len(self.events) - 1

    def game(self) -> Game:
        """The hand as a game."""
        return Game(self.before, (self.events,), (self.after[-1],))

    def key(self) -> tuple[object, ...]:
        """What makes a hand another one for a reader: what is done, by whom, about what."""
        return tuple((event.id, event.seat, event.about) for event in self.events[1:])


def granted(before: State, events: Iterable[Event], wish: Wish) -> Hand | None:
    """The beginning of a hand up to where the wish comes true; None if it does not. Refused events end it."""
    done: list[Event] = []
    after: list[State] = []
    state = before
    for event in events:
        if (
            wish.dealt
            and not done
            and not all(holds(dealt, wish.dealt) for dealt in just_after(state, event, event.id))
        ):
            return None
        outcome = apply(state, event)
        if isinstance(outcome, Refused):
            return None
        done.append(event)
        after.append(outcome)
        if any(holds(moment, wish.parts) for moment in asked(state, event, outcome, wish.at)):
            return Hand(before, tuple(done), tuple(after))
        state = outcome
    return None


def asked(state: State, event: Event, after: State, at: str) -> Iterator[State]:
    """The states that an event leads to in which a condition is asked."""
    if at not in (END, ANY):
        yield from just_after(state, event, at)
    elif at == ANY or is_over(after):
        yield after


def just_after(state: State, event: Event, wanted: str) -> Iterator[State]:
    """The states just after an event that is wanted, when this one happens and others by themselves after it."""
    if interpret.broken(state, event):
        return
    rule = state.rules.events[event.id]
    state = interpret.happen(state, rule, event)
    while True:
        if rule.id == wanted:
            yield state
        automatic = [one for one in interpret.current_events(state) if one.is_automatic]
        if not automatic:
            return
        rule = automatic[0]
        state = interpret.happen(state, rule, Event(rule.id))
