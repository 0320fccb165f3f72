"""A rule book under a selection of readings, as the solver sees it: any state in which all invariants hold."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

import z3

from buckspec import typed as t
from buckspec.data import spec_dir
from buckspec.rulebook import WHOLE_GAME, Definition, EventRule, Invariant, RuleBook, Variable
from buckspec.types import BOOL, NONE
from buckspec_conformance.solver import values as v
from buckspec_conformance.solver.guards import Guard, all_of, any_of, at_most_one, conj, disj, neg
from buckspec_conformance.solver.selection import Selection
from buckspec_conformance.solver.states import Values, any_state, any_value, places
from buckspec_conformance.solver.symbolic import Facts, Symbolic
from buckspec_conformance.solver.values import Pick, Symbol


@dataclass(frozen=True)
class Goal:
    """One part of what has to follow, and what it is about: a seat, a card, a part of a condition."""

    label: str
    guard: Guard


@dataclass(frozen=True)
class Given:
    """What may be used: the event and the types of all values, and the invariants, of which some are tried first.

    `cases` are the values that the event can be about, one of which holds.
    """

    core: Guard
    kept: Mapping[str, Guard] = field(default_factory=dict)
    first: tuple[str, ...] = ()
    cases: tuple[Guard, ...] = (True,)

    def also(self, *guards: Guard) -> "Given":
        """The same and more."""
        return replace(self, core=conj(self.core, *guards))

    def trying(self, *first: str) -> "Given":
        """The same, with the invariants that are likely to be enough."""
        return replace(self, first=first)

    def few(self) -> Guard:
        """What is likely to be enough."""
        return conj(self.core, *(self.kept.get(name, True) for name in self.first))

    def everything(self) -> Guard:
        """All that may be used."""
        return conj(self.core, *self.kept.values())


@dataclass
class Theory:
    """A rule book under a selection of readings, with a state in which all invariants hold, and one before the game.

    `spec` is the folder of the rule book, for what its sources say.
    """

    book: RuleBook
    selection: Selection
    admitted: Guard
    spec: Path = field(default_factory=spec_dir)
    facts: Facts = field(default_factory=Facts)

    @cached_property
    def _any(self) -> tuple[Symbolic, Guard]:
        state, condition = any_state(self.book, self.selection)
        return replace(state, facts=self.facts), condition

    @property
    def state(self) -> Symbolic:
        """A state in the course of a game, or between hands."""
        return self._any[0]

    @cached_property
    def invariants(self) -> Mapping[str, Guard]:
        """Where each invariant holds in that state."""
        return {name: self.kept(self.state, invariant) for name, invariant in self.book.invariants.items()}

    def with_values(self, values: Values) -> Symbolic:
        """A state with these values."""
        return Symbolic(self.book, self.selection, values, facts=self.facts)

    def given(self, *guards: Guard) -> Given:
        """What may be used of a state in the course of a game: its types, its invariants, and these."""
        return Given(conj(self.admitted, self._any[1], *guards), self.invariants)

    @cached_property
    def opening(self) -> tuple[Symbolic, Guard]:
        """The state before the first hand, and the condition on what is chosen in it."""
        conditions: list[Guard] = [self.admitted]
        values: Values = {}
        for variable in self.book.variables.values():
            for at in places(self.book, variable):
                values[variable.name, at], condition = self._opened(variable, at, values)
                conditions.append(condition)
        return self.with_values(values), all_of(conditions)

    def _opened(self, variable: Variable, at: int, values: Values) -> tuple[Symbol, Guard]:
        """What a game begins with: what a table may choose is free, and what the first deal gives is not there yet."""
        if variable.life == WHOLE_GAME and not isinstance(variable.first, t.Const):
            return any_value(self.book, self.selection, variable, f"{variable.name}({at}) at first")
        if variable.first is None:
            return v.pick(NONE), True
        domain = self.book.domains.get(variable.domain or "")
        local = {domain.parameter: v.pick(at)} if domain else {}
        return Symbolic(self.book, self.selection, values).term(variable.first, local), True

    def kept(self, state: Symbolic, invariant: Invariant) -> Guard:
        """Where an invariant holds."""
        return all_of(goal.guard for goal in self.goals(state, invariant))

    def goals(self, state: Symbolic, invariant: Invariant) -> Iterator[Goal]:
        """An invariant in the parts that can be shown one by one."""
        off = disj(neg(self.selection.under(invariant.clause.under)), neg(state.holds(invariant.when, {}).yes))
        for goal in self.parts(state, invariant.that):
            yield Goal(goal.label, disj(off, goal.guard))

    def parts(self, state: Symbolic, term: t.Term, positive: bool = True) -> Iterator[Goal]:
        """A condition, or (not `positive`) its opposite, in parts that together say the same.

        They are what it joins by “and”, and what it says of all members of a domain, one by one.
        """
        match term:
            case t.Not():
                yield from self.parts(state, term.operand, not positive)
            case t.Both() | t.Either() if isinstance(term, t.Both) is positive:
                yield from self.parts(state, term.left, positive)
                yield from self.parts(state, term.right, positive)
            case t.Both() | t.Either():
                left = state.holds(term.left, {})
                for goal in self.parts(state, term.right, positive):
                    yield Goal(goal.label, disj(left.yes if positive else left.no, goal.guard))
            case t.Each(target=t.Const()) if term.quantifier == ("all" if positive else "exists"):
                domain = self.book.domains[term.variable.type.base]
                for at in range(domain.size):
                    truth = state.holds(term.body, {term.variable.name: v.pick(at)})
                    label = f"{domain.parameter} {domain.values[at].code}"
                    yield Goal(label, truth.yes if positive else truth.no)
            case _:
                truth = state.holds(term, {})
                yield Goal("", truth.yes if positive else truth.no)

    @cached_property
    def actors(self) -> tuple[int, ...]:
        """The seats that have to be looked at: one stands for all, where no expression tells seats apart."""
        seats = next(domain for domain in self.book.domains.values() if domain.circular)
        terms = [term for definition in self.book.definitions.values() for term in definition.terms()]
        terms += [term for event in self.book.events.values() for term in event.terms()]
        terms += [term for kept in self.book.invariants.values() for term in (kept.when, kept.that) if term is not None]
        named = any(
            isinstance(node, t.Const)
            and node.type.base == seats.name
            and node.value not in ((0, seats.full) if node.type.many else (NONE,))
            for term in terms
            for node in t.walk(term)
        )
        told_apart = named or any(value.attributes for value in seats.values)
        return tuple(range(seats.size)) if told_apart else (0,)

    def taken(self, rule: EventRule, actor: int | None) -> tuple[dict[str, Symbol], Guard]:
        """What an event is about, for the solver to choose, with an actor that is known."""
        local: dict[str, Symbol] = {} if actor is None else {"actor": v.pick(actor)}
        conditions: list[Guard] = []
        for taken in rule.takes:
            options = self.options(taken.type.base, taken.low, taken.high)
            if taken.type == BOOL:
                local[taken.name] = v.truth(z3.Bool(f"{rule.id} {taken.name}"))
                continue
            guards: dict[int, Guard] = {at: z3.Bool(f"{rule.id} {taken.name} is {at}") for at in options}
            local[taken.name] = Pick(guards)
            conditions.append(conj(any_of(guards.values()), at_most_one(guards.values())))
        return local, all_of(conditions)

    def options(self, base: str, low: t.Term | None, high: t.Term | None) -> range:
        """The values that an event can be about."""
        if low is None or high is None:
            return range(self.book.domains[base].size if base in self.book.domains else 2)
        ends = [self.state.term(end, {}) for end in (low, high)]
        return range(*(min(end.guards) + more for more, end in enumerate(ends) if isinstance(end, Pick)))

    def members(self, definition: Definition) -> range:
        """The members of the domain that a definition is a function of."""
        return range(self.book.domains[definition.domain].size) if definition.domain else range(NONE, 0)
