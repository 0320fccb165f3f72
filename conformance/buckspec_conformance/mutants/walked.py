"""The published vectors, played once by the original rules: every state that they lead through."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

from buckspec import interpret
from buckspec.evaluate import Answer
from buckspec.load import load_profile
from buckspec.replay import opening
from buckspec.rules import Rules, choose
from buckspec.state import Event, State
from buckspec_conformance.oracle import Expectation, expected
from buckspec_conformance.vectors import Vector, vectors

Values = tuple[Answer | tuple[int, ...], ...]
Chosen = tuple[tuple[tuple[str, int], ...], tuple[tuple[str, str], ...]]
"""Parameters and readings that are not those of the profile whose rules are changed."""


@dataclass(frozen=True, eq=False)
class Step:
    """What a vector asks in one state, what has to come of it, and the states in between, where things happen."""

    expectation: Expectation
    states: tuple[State, ...]

    @cached_property
    def events(self) -> frozenset[str]:
        """The events that can happen in some of its states."""
        return frozenset(rule.id for state in self.states for rule in state.rules.by_phase[state.known("phase")])


@dataclass(frozen=True, eq=False)
class Walk:
    """A vector: the state before its first hand, and its steps, one hand after the other."""

    vector: Vector
    start: State
    steps: tuple[Step, ...]


@dataclass(frozen=True, eq=False)
class Course:
    """All vectors that are played by the same choice of parameters and readings."""

    chosen: Chosen
    rules: Rules
    walks: tuple[Walk, ...]
    groups: dict[frozenset[str], list[list[State]]] = field(default_factory=dict)

    @cached_property
    def states(self) -> list[State]:
        """Every state that the vectors lead through, each once, in order."""
        found: dict[Values, State] = {}
        for walk in self.walks:
            for state in (walk.start, *(state for step in walk.steps for state in step.states)):
                found.setdefault(state.values, state)
        return list(found.values())


@lru_cache(maxsize=1)
def courses(profile: str) -> tuple[Course, ...]:
    """The vectors of a profile and its variants, by what they choose."""
    asked: dict[Chosen, list[Vector]] = {}
    for vector in vectors():
        asked.setdefault(_chosen(profile, vector.case.request), []).append(vector)
    book = load_profile(profile).book
    return tuple(
        _course((numbers, readings), choose(book, profile, dict(numbers), dict(readings), is_shipped=True), found)
        for (numbers, readings), found in asked.items()
    )


def _chosen(profile: str, request: Mapping[str, object]) -> Chosen:
    """What a request chooses, seen from the profile."""
    own, rules = load_profile(profile), load_profile(
        str(request["profile"]), request.get("parameters"), request.get("readings")  # type: ignore[arg-type]
    )  # fmt: skip
    return (
        tuple((name, value) for name, value in rules.parameters.items() if own.parameters[name] != value),
        tuple((name, reading) for name, reading in rules.readings.items() if own.readings[name] != reading),
    )


def _course(chosen: Chosen, rules: Rules, asked: list[Vector]) -> Course:
    known: dict[tuple[Values, object], Step] = {}
    return Course(chosen, rules, tuple(_walk(vector, rules, known) for vector in asked))


def _walk(vector: Vector, rules: Rules, known: dict[tuple[Values, object], Step]) -> Walk:
    hands = expected(rules, vector.case.request)
    steps = []
    for expectation in (step for hand in hands for step in hand):
        said = None if expectation.logged is None else tuple(sorted(expectation.logged.items()))
        key = (expectation.before.values, (said, expectation.event))
        if key not in known:
            known[key] = Step(expectation, tuple(_states(expectation)))
        steps.append(known[key])
    return Walk(vector, start_of(rules, vector), tuple(steps))


def start_of(rules: Rules, vector: Vector) -> State:
    """The state before the first hand of a vector."""
    request = vector.case.request
    start, hands = request.get("start"), request["hands"]
    totals = start.get("totals") if isinstance(start, Mapping) else None
    return opening(rules, hands[0]["dealer"], None if totals is None else tuple(totals))  # type: ignore[index]


def _states(expectation: Expectation) -> Iterator[State]:
    """The state before an event, and those after it and after each event that then happens by itself."""
    state = State(expectation.before.rules, expectation.before.values)
    yield state
    event = expectation.event
    if not expectation.accepted or event is None:
        return
    state = interpret.happen(state, state.rules.events[event.id], event)
    yield state
    while automatic := [rule for rule in interpret.current_events(state) if rule.is_automatic]:
        state = interpret.happen(state, automatic[0], Event(automatic[0].id))
        yield state
