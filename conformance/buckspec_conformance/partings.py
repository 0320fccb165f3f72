"""Where two rule books part: a hand that both allow, up to a moment of which they say something else."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from buckspec.observe import observe, observed
from buckspec.play import apply, legal
from buckspec.rules import Rules
from buckspec.state import Event, State
from buckspec.words import from_log, to_log
from buckspec_conformance.mutants.equal import Twins
from buckspec_conformance.possible.start import Start, drawn, pinned
from buckspec_conformance.random_hands import RARE, Game, deals, hand
from buckspec_conformance.solver.prove import is_proven, theory_of
from buckspec_conformance.solver.prover import PROVEN, Prover

TRIES = 4000
"""How many hands are played at random."""
FEW = 300
"""How many of them are worth playing before a proof is tried."""
_MORE = 50
"""After the first hand is found, as many again are played for a shorter one, and so many."""
_TOTALS = "totals"
LEGAL = "legal"
"""What is legal, among what is said of a state."""


@dataclass(frozen=True, eq=False)
class Parting:
    """A hand up to where two rule books part: the state before it, its events, the states by the first rules, and
    what each of them says there of whatever they say differently, by name."""

    before: State
    events: tuple[Event, ...]
    after: tuple[State, ...]
    said: Mapping[str, tuple[object, object]]

    def game(self) -> Game:
        """The hand as a game."""
        return Game(self.before, (self.events,), (self.after[-1],))


def comparable(one: Rules, other: Rules) -> bool:
    """Whether a hand by one rule book can be played by another: the same seats and cards."""
    packs = [[card.code for card in rules.pack.values] for rules in (one, other)]
    return one.seats.size == other.seats.size and packs[0] == packs[1]


def openings(one: Rules, other: Rules) -> tuple[object, object]:
    """The totals with which a new game begins by each of two rule books."""
    first, second = (observed(drawn(rules, Start(dealer=0), Random(0)), _TOTALS) for rules in (one, other))  # noqa: S311
    return first, second


def parting(one: Rules, other: Rules, *, seed: int = 0, tries: int = TRIES) -> Parting | None:
    """The shortest hand found in which two comparable rule books part; None if there is none among so many at random.

    Both begin with the same totals: those of the first, or near their end.
    """
    best: Parting | None = None
    until = tries
    for number, found in enumerate(_tried(one, other, Random(seed), tries)):  # noqa: S311 games, not secrets
        if number > until:
            break
        if found is not None:
            until = until if best is not None else 2 * number + _MORE
            best = found if best is None or len(found.events) < len(best.events) else best
    return best


def _tried(one: Rules, other: Rules, rng: Random, tries: int) -> Iterator[Parting | None]:
    """One hand after the other: where the two part in it, if they do."""
    for number in range(tries):
        before = drawn(one, Start(any_totals=number % 2 == 1), rng)
        twin = drawn(other, pinned(before), rng)
        yield parted(before, hand(rng, before, RARE)[0], twin) if deals(before) and deals(twin) else None


def parted(before: State, events: Sequence[Event], twin: State) -> Parting | None:
    """Where a hand that is legal by the rules of one state parts from those of another; None if it does not."""
    state, after = before, list[State]()
    for number, event in enumerate(events, 1):
        follows = apply(state, event)
        assert isinstance(follows, State)  # noqa: S101 the hand is legal
        state = follows
        after.append(state)
        same = translated(event, before, twin)
        told = apply(twin, same) if same is not None else None
        if not isinstance(told, State):  # what is legal has been compared just before
            return None
        twin = told
        said = {name: pair for name, pair in _said(state, twin) if pair[0] != pair[1]}
        if said:
            return Parting(before, tuple(events[:number]), tuple(after), said)
    return None


def translated(event: Event, before: State, twin: State) -> Event | None:
    """An event of the rules of one state by those of another; None if they have none like it."""
    if event.seat is None:
        return Event(deals(twin)[0].id, None, event.about) if deals(twin) else None
    try:
        return from_log(twin.rules, to_log(before.rules, event))
    except ValueError:
        return None


def _said(state: State, twin: State) -> Iterator[tuple[str, tuple[object, object]]]:
    """What is seen of the two states, and what is legal, in an order of its own."""
    seen = [observe(each) for each in (state, twin)]
    for name in dict.fromkeys((*seen[0], *seen[1])):
        yield name, (seen[0].get(name), seen[1].get(name))
    listed = [sorted((to_log(each.rules, event) for event in legal(each)), key=str) for each in (state, twin)]
    yield LEGAL, (listed[0], listed[1])


def never_part(one: Rules, other: Rules, patience: float) -> bool:
    """Whether it is proven that from the same totals no game can tell two rule books apart, as each is played."""
    books = one.book, other.book
    kinds = ("variables", "events", "observations", "definitions")
    if not is_proven(one) or any(set(getattr(books[0], kind)) != set(getattr(books[1], kind)) for kind in kinds):
        return False  # the proof goes from what is known of the first, and compares what has the same names
    theory = theory_of(one, every_reading=False)
    twins = Twins(theory, other.book, dict(other.readings))
    if twins.differences.is_deal:  # to the solver, a deal has no order
        return False
    prover = Prover(one, theory, patience)
    return all(prover.result(obligation).outcome == PROVEN for obligation in twins.wide())
