"""What happens by itself comes to an end: how many such events can follow one another at most."""

from collections.abc import Iterator, Mapping
from itertools import pairwise
from time import monotonic

import z3

from buckspec import interpret
from buckspec.rulebook import PHASE
from buckspec.state import Event, State
from buckspec_conformance.solver import values as v
from buckspec_conformance.solver.counterexample import Counterexample, counterexample
from buckspec_conformance.solver.guards import any_of
from buckspec_conformance.solver.obligations import Obligation
from buckspec_conformance.solver.prover import PROVEN, REFUTED, UNDECIDED, Prover, Result
from buckspec_conformance.solver.steps import happenings

Follows = dict[str, dict[str, Counterexample | None]]
"""For each event that happens by itself those that may follow it, with a state in which it does, if one is known."""


def rest(prover: Prover) -> Result:
    """Whether what happens by itself comes to an end, and after how many events.

    A circle of events that may follow one another is refuted where the interpreter finds no end to it, and undecided
    where it does, for a way round may be open once and no more.
    """
    began = monotonic()
    follows = _follows(prover)
    length, circle = _longest(follows)
    outcome, against = PROVEN, None
    if circle:
        steps = [follows[one][other] for one, other in pairwise(circle)]
        against = next((step for step in steps if step is not None and step.clash), None)
        outcome = UNDECIDED if against is None else REFUTED
    says = "What happens by itself comes to an end" + ("." if circle else f" after {length} events at most.")
    return Result(
        "comes to rest", "flow", says, (), outcome, 1, monotonic() - began, " and then ".join(circle), against
    )


def _follows(prover: Prover) -> Follows:
    theory = prover.theory
    automatic = {rule.id: rule for rule in theory.book.events.values() if rule.is_automatic}
    phases = theory.book.domains[theory.book.definitions[PHASE].type.base]
    follows: Follows = {name: {} for name in automatic}
    for name, rule in automatic.items():
        for happening in happenings(theory, rule):
            phase = happening.after.definition(PHASE)
            for other, next_rule in automatic.items():
                here = any_of(v.at(phase, phases.index[value]) for value in next_rule.phases)
                answer, model = prover.ask(happening.given.everything(), here)
                if answer != z3.unsat:
                    step = Obligation(
                        "", "flow", "", (), happening.before, happening.given, event=rule, local=happening.local,
                        after=happening.after, clash=_without_end,
                    )  # fmt: skip
                    follows[name][other] = None if model is None else counterexample(prover.rules, step, model)
    return follows


def _without_end(state: State, event: Event | None) -> Iterator[str]:
    """What the interpreter says of events that never end: it raises RuleError."""
    if event is not None:
        interpret.settled(interpret.happen(state, state.rules.events[event.id], event))
    yield from ()


def _longest(follows: Mapping[str, Mapping[str, object]]) -> tuple[int, tuple[str, ...]]:
    """The number of names on the longest path, and a path that leads back to where it began, if there is one."""
    lengths: dict[str, int] = {}
    circle: tuple[str, ...] = ()

    def length(name: str, path: tuple[str, ...]) -> int:
        nonlocal circle
        if name in path:
            circle = (*path[path.index(name) :], name)
            return 0
        if name not in lengths:
            lengths[name] = 1 + max((length(other, (*path, name)) for other in follows[name]), default=0)
        return lengths[name]

    return max((length(name, ()) for name in follows), default=0), circle
