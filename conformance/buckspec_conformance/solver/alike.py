"""Whether two rule books are the same game: in every state that play leads to, the same is seen, legal and done.

What differs between them is looked at nowhere; only what follows from it. If all that is seen of every state is the
same, and every event is legal in both or in neither and leads to the same state, then no game can tell them apart.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import z3

from buckspec.rulebook import EventRule, RuleBook
from buckspec.types import NONE
from buckspec_conformance.solver import values as v
from buckspec_conformance.solver.events import happen, its_time, requirements
from buckspec_conformance.solver.guards import Guard, any_of, conj, disj, equal, neg, same
from buckspec_conformance.solver.prover import Prover
from buckspec_conformance.solver.symbolic import Locals, Symbolic
from buckspec_conformance.solver.values import Number, Symbol, Truth


@dataclass(frozen=True)
class Difference:
    """What is not the same, or, where not `is_certain`, could not be shown to be in time."""

    what: str
    is_certain: bool


def differences(prover: Prover, other: RuleBook) -> Iterator[Difference]:
    """All that differs in a state that the invariants allow, which need not be one that play leads to.

    The other rule book must have the variables, events and questions of the first. So no difference is a proof that
    the two are the same game; a difference is only a place to look at.
    """
    theory = prover.theory
    for state, condition in ((theory.state, theory.given().everything()), theory.opening):
        changed = Symbolic(other, state.selection, state.values, facts=state.facts)
        for what, differs in _unlike(prover, state, changed):
            if differs is False:
                continue
            answer, _ = prover.ask(condition, differs)
            if answer != z3.unsat:
                yield Difference(what, answer == z3.sat)


def _unlike(prover: Prover, state: Symbolic, changed: Symbolic) -> Iterator[tuple[str, Guard]]:
    """What may differ, and where it does."""
    for observation in state.book.observations.values():
        if observation.at is None:
            domain = state.book.domains.get(observation.domain or "")
            for at in range(domain.size) if domain else (NONE,):
                local: Locals = {domain.parameter: v.pick(at)} if domain else {}
                pair = (one.term(one.book.observations[observation.name].value, local) for one in (state, changed))
                yield f"{observation.name} is seen", neg(agreed(*pair))
    for rule in state.book.events.values():
        yield from _unlike_event(prover, state, changed, rule)


def _unlike_event(prover: Prover, state: Symbolic, changed: Symbolic, rule: EventRule) -> Iterator[tuple[str, Guard]]:
    """Where an event is legal by one and not by the other, or leads elsewhere."""
    theory, twin = prover.theory, changed.book.events[rule.id]
    for actor in theory.actors if rule.by is not None else (None,):
        local, chosen = ({}, True) if rule.by_chance else theory.taken(rule, actor)
        may = [
            conj(chosen, its_time(one, which), requirements(one, which, local).yes)
            for one, which in ((state, rule), (changed, twin))
        ]
        yield f"{rule.id} is legal", neg(equal(*may))
        if rule.by_chance:  # any deal is possible by both, and is the same where what is dealt and begun is the same
            if rule != twin:
                yield f"{rule.id} leads elsewhere", True
            continue
        one, other = happen(state, rule, local), happen(changed, twin, local)
        unlike = any_of(neg(agreed(one.values[key], other.values[key])) for key in one.values)
        yield f"{rule.id} leads elsewhere", conj(may[0], unlike)


def agreed(one: Symbol, other: Symbol) -> Guard:
    """Where two values are equal, or neither exists."""
    if _is_one(one, other):
        return True
    exists = equal(one.defined, other.defined)
    return conj(exists, disj(neg(one.defined), v.alike(one, other)))


def _is_one(one: Symbol, other: Symbol) -> bool:
    """Whether two values are written alike, so that no solver needs to be asked."""
    if isinstance(one, Truth) and isinstance(other, Truth):
        return same(one.yes, other.yes) and same(one.no, other.no)
    if isinstance(one, Number) and isinstance(other, Number):
        return bool(one.value.eq(other.value)) and same(one.defined, other.defined)
    if isinstance(one, Truth | Number) or isinstance(other, Truth | Number) or one.guards.keys() != other.guards.keys():
        return False
    alike = all(same(guard, other.guards[at]) for at, guard in one.guards.items())
    return alike and same(one.defined, other.defined)
