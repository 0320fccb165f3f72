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
        if wish.at not in (END, ANY) and any(
            holds(passed, wish.parts) for passed in _just_after(state, event, wish.at)
        ):
            outcome = apply(state, event)
            assert isinstance(outcome, State)  # noqa: S101 what happened can be applied
            return Hand(before, (*done, event), (*after, outcome))
        outcome = apply(state, event)
        if isinstance(outcome, Refused):
            return None
        state = outcome
        done.append(event)
        after.append(state)
        if len(done) == 1 and not holds(state, wish.dealt):
            return None
        if (wish.at == ANY or (wish.at == END and is_over(state))) and holds(state, wish.parts):
            return Hand(before, tuple(done), tuple(after))
    return None


def _just_after(state: State, event: Event, wanted: str) -> Iterator[State]:
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
