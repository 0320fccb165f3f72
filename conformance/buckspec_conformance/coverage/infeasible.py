"""Proves that an objective cannot be met, or finds a state in which it is.

Looked at is any state in which all invariants hold, which is every state that play can reach and more, and the state
before the first hand; with all readings left to the solver, where the decision is taken: an event in its phase, an
alternative in force, a definition of what it may be asked about. An objective for which there is no such state is
infeasible. Where the solver finds a state, or gives up, nothing is proven.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

import z3

from buckspec import typed as t
from buckspec.rulebook import Alternative, Definition, EventRule
from buckspec.rules import Rules
from buckspec_conformance.coverage.decisions import Decision, Objective, objectives, whole
from buckspec_conformance.solver import values as v
from buckspec_conformance.solver.events import its_time
from buckspec_conformance.solver.guards import Guard, all_of, any_of, conj, disj, equal, neg
from buckspec_conformance.solver.prove import theory_of
from buckspec_conformance.solver.prover import PATIENCE, Prover
from buckspec_conformance.solver.symbolic import Locals, Symbolic
from buckspec_conformance.solver.theory import Given
from buckspec_conformance.solver.values import Symbol


@dataclass(frozen=True)
class Taken:
    """Where a decision is taken: the names that it sees, and the condition that it is asked for."""

    local: Locals
    where: Guard


class Searcher:
    """Looks for states under some rules, with all readings left open."""

    def __init__(self, rules: Rules, patience: float = PATIENCE):
        self.theory = theory_of(rules, every_reading=True)
        self.prover = Prover(rules, self.theory, patience)
        self.book = rules.book

    @cached_property
    def _starts(self) -> tuple[tuple[Symbolic, Given], ...]:
        state, opened = self.theory.opening
        return (self.theory.state, self.theory.given()), (state, Given(opened))

    def is_infeasible(self, id_: str, by: Collection[str] | None = None) -> bool:
        """Whether no state meets an objective; with `by`, as far as these invariants say.

        It is not, where it is not known when its decision is taken. Raises KeyError for an id that is none.
        """
        decision, objective = objectives(self.book)[id_]
        guards = [(given, self._guard(state, decision, objective)) for state, given in self._starts]
        return all(
            guard is not None and self.prover.ask(_using(given, by), guard)[0] == z3.unsat for given, guard in guards
        )

    def needs(self, id_: str) -> tuple[str, ...]:
        """A list of invariants by which an infeasible objective cannot be met, none of which can be left out.

        Raises ValueError if these are not enough to prove it.
        """
        kept = list(self.theory.invariants)
        for name in tuple(kept):
            fewer = [other for other in kept if other != name]
            if self.is_infeasible(id_, fewer):
                kept = fewer
        if not self.is_infeasible(id_, kept):
            raise ValueError(f"{id_} is not proven to be infeasible")
        return tuple(sorted(kept))

    # ------------------------------------------------------------------------------------- where an objective is met

    def _guard(self, state: Symbolic, decision: Decision, objective: Objective) -> "Guard | None":
        """Where an objective is met in a state; None if it is not known where its decision is taken."""
        places = list(self._taken(state, decision))
        if not places:
            return None
        return any_of(
            conj(taken.where, self._met(state, decision, objective, inner, member), inside)
            for taken in places
            for inner, member, inside in self._members(state, decision.around, taken.local)
        )

    def _members(
        self, state: Symbolic, around: tuple[t.Each, ...], local: Locals
    ) -> Iterator[tuple[Locals, int | None, Guard]]:
        """Every choice of members for the quantifiers around a decision, and where they are members."""
        if not around:
            yield local, None, True
            return
        first, *rest = around
        for at, guard in state.set(first.target, local).guards.items():
            inner = {**local, first.variable.name: v.pick(at)}
            for names, member, inside in self._members(state, tuple(rest), inner):
                yield names, at if member is None else member, conj(guard, inside)

    def _met(
        self, state: Symbolic, decision: Decision, objective: Objective, inner: Locals, member: int | None
    ) -> Guard:
        number, value = objective.condition, objective.value
        if number is None:
            return v.at(state.holds(decision.term, inner), int(value))
        local = inner
        if decision.quantifier is not None:
            local = {name: held for name, held in inner.items() if name != decision.quantifier.variable.name}
        held, other = (state.term(whole(decision, number, one, member), local) for one in (value, not value))
        return conj(v.at(state.holds(decision.conditions[number], inner), int(value)), neg(_same(held, other)))

    def _taken(self, state: Symbolic, decision: Decision) -> Iterator[Taken]:
        for definition in self.book.definitions.values():
            for case in definition.alternatives:
                if decision.clause is case.clause:
                    yield from self._in_definition(state, definition, case, decision.part)
            if decision.clause is None and decision.owner == definition.name:
                yield from self._in_definition(state, definition, None, decision.part)
        for event in self.book.events.values():
            clauses = [*(part.clause for part in event.requires), *(part.clause for part in event.effects)]
            if any(clause is decision.clause for clause in clauses):
                yield from self._in_event(state, event, decision)

    def _in_definition(
        self, state: Symbolic, definition: Definition, case: Alternative | None, part: str
    ) -> Iterator[Taken]:
        for at in self.theory.members(definition):
            local = state.argument(definition.name, at)
            where = [state.holds(definition.where, local).yes]
            if case is not None:
                where.append(self.theory.selection.under(case.clause.under))
                where += [state.truth_of(case, local).yes] if part == "is" else []
            yield Taken(local, all_of(where))

    def _in_event(self, state: Symbolic, event: EventRule, decision: Decision) -> Iterator[Taken]:
        assert decision.clause is not None  # noqa: S101
        chosen = self.theory.selection.under(decision.clause.under)
        for actor in self.theory.actors if event.by is not None else (None,):
            local, about = self.theory.taken(event, actor)
            where = [chosen, about, its_time(state, event)]
            where += [
                state.holds(part.applies, local).yes
                for part in event.requires
                if part.clause is decision.clause and decision.part == "that"
            ]
            for names in self._each_member(event, decision):
                yield Taken({**local, **names}, all_of(where))

    def _each_member(self, event: EventRule, decision: Decision) -> Iterator[Mapping[str, Symbol]]:
        """What an assignment to each member calls this one."""
        for effect in event.effects:
            for number, part in enumerate(effect.sets, 1):
                if effect.clause is decision.clause and decision.part == f"set-{number}" and part.each is not None:
                    domain = self.book.domains[self.book.variables[part.variable].domain or ""]
                    yield from ({part.each: v.pick(at)} for at in range(domain.size))
                    return
        yield {}


def _using(given: Given, by: Collection[str] | None) -> Guard:
    """What may be used: all invariants, or some of them."""
    if by is None:
        return given.everything()
    return conj(given.core, *(given.kept[name] for name in by if name in given.kept))


def _same(one: Symbol, other: Symbol) -> Guard:
    """Where two values are equal, or both do not exist."""
    alike = v.alike(one, other)
    return conj(equal(one.defined, other.defined), disj(neg(one.defined), alike))
