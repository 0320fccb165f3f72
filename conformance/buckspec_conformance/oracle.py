"""What the rules say of a request: the state after the deal and after each event, and every clause that is broken.

The same request, its events tried one after the other, a refused one leaving the state as it was, is played by the
interpreter. What an engine answers is held against this.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from buckspec.interpret import to_act
from buckspec.observe import observe
from buckspec.play import apply, legal
from buckspec.replay import deal_of, opening
from buckspec.rules import Rules
from buckspec.state import Event, Refused, State, Violation
from buckspec.words import from_log, to_log, words_of

Logged = Mapping[str, object]
Key = tuple[object, ...]
"""An event of a log as something to compare: its fields and their values, in order of the names."""


def key_of(logged: Logged) -> Key:
    """The same for all ways to write one event."""
    return tuple(sorted((name, value) for name, value in logged.items() if value is not None))


@dataclass(frozen=True)
class Expectation:
    """What has to be true after one step of a hand.

    `before` and `state` are the states around the event, the same one if it has to be refused. `violations` are the
    clauses that it breaks; nonsense, which is no event of the rules at all, breaks none. The first step of a hand has
    no event; it is the deal, and is accepted unless no hand can begin now.
    """

    before: State
    state: State
    logged: Logged | None
    event: Event | None
    accepted: bool
    violations: tuple[Violation, ...] = ()

    @property
    def is_deal(self) -> bool:
        """The step tells of the deal."""
        return self.logged is None

    @cached_property
    def fields(self) -> Mapping[str, object]:
        """Everything that a step can report, by its name, as a log writes it. `legal` is a set of event keys."""
        rules = self.state.rules
        events = legal(self.state)
        # in proven rules the seats that may act are those that have something to do
        seats = {event.seat for event in events} if rules.is_shipped else set(to_act(self.state))
        waiting = tuple(seats)
        choices = frozenset(key_of(to_log(rules, event)) for event in events)
        return {**observe(self.state), "turn": waiting[0] if len(waiting) == 1 else None, "legal": choices}


def expected(rules: Rules, request: Mapping[str, object]) -> tuple[tuple[Expectation, ...], ...]:
    """What has to be true of each step of each hand of a request of the protocol (`play`)."""
    start = request.get("start")
    totals = start.get("totals") if isinstance(start, Mapping) else None
    hands: Sequence[Mapping[str, object]] = request["hands"]  # type: ignore[assignment]
    dealer = hands[0].get("dealer")
    state = opening(rules, dealer if isinstance(dealer, int) else 0, tuple(totals) if totals is not None else None)
    found = []
    for hand in hands:
        steps = tuple(_steps(state, hand))
        state = steps[-1].state
        found.append(steps)
    return tuple(found)


def _steps(state: State, hand: Mapping[str, object]) -> Iterator[Expectation]:
    rules = state.rules
    cards = words_of(rules).cards
    deck: Iterable[str] = hand["deck"]  # type: ignore[assignment]
    event = Event(deal_of(rules).rule.id, None, tuple(cards[card] for card in deck))
    after = apply(state, event)
    if isinstance(after, Refused):
        yield Expectation(state, state, None, event, accepted=False, violations=after.violations)
        return
    yield Expectation(state, after, None, event, accepted=True)
    events: Iterable[Logged] = hand["events"]  # type: ignore[assignment]
    for logged in events:
        step = tried(after, logged)
        yield step
        after = step.state


def tried(state: State, logged: Logged) -> Expectation:
    """What has to become of one event in a state."""
    try:
        event = from_log(state.rules, logged)
    except ValueError:
        return Expectation(state, state, logged, None, accepted=False)
    after = apply(state, event)
    if isinstance(after, Refused):
        return Expectation(state, state, logged, event, accepted=False, violations=after.violations)
    return Expectation(state, after, logged, event, accepted=True)
