"""What has to be proven for changed rules to say the same as the original ones, in every state that play can lead to.

The states are those in which every invariant of the original rules holds; each is kept by every event, and holds
before the first hand. If in each of them, and before the first hand, the changed rules say the same and lead to the
same state, no game can tell the two apart. The numbers are those of the profile; the readings are left open.

It is tried closely first: what was changed has the same value, is as legal, has the same effect. Where that fails (it
may differ where nobody asks for it), all that can be seen is compared: the phase, every observation, who may do what,
and what follows.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations

from buckspec import typed as t
from buckspec.rulebook import PHASE, WHOLE_GAME, EventRule, RuleBook
from buckspec.types import NONE
from buckspec_conformance.mutants.differences import Differences
from buckspec_conformance.solver import values as v
from buckspec_conformance.solver.events import happen, its_time, requirements, writes
from buckspec_conformance.solver.guards import Guard, all_of, any_of, at_most_one, conj, disj, equal, neg
from buckspec_conformance.solver.obligations import Obligation
from buckspec_conformance.solver.selection import Selection, fixed
from buckspec_conformance.solver.states import places
from buckspec_conformance.solver.symbolic import Locals, Symbolic
from buckspec_conformance.solver.theory import Given, Goal, Theory
from buckspec_conformance.solver.values import Number, Symbol, Truth


@dataclass(frozen=True)
class Pair:
    """One state by the original rules and by the changed ones, and what may be used of it."""

    old: Symbolic
    new: Symbolic
    given: Given
    is_opening: bool


@dataclass(frozen=True, eq=False)
class Twins:
    """The original rules, as a theory, and changed ones: under the same readings, or under others."""

    theory: Theory
    changed: RuleBook
    readings: Mapping[str, str] | None = None

    @cached_property
    def differences(self) -> Differences:
        """What is different."""
        return Differences(self.theory.book, self.changed)

    @cached_property
    def selection(self) -> Selection:
        """The same readings, or the others; the numbers of the changed rules."""
        numbers = {name: number.value for name, number in self.changed.parameters.items()}
        if self.readings is not None:
            return fixed(self.changed, self.readings, numbers)
        return replace(self.theory.selection, parameters=numbers)

    @cached_property
    def affected(self) -> frozenset[str]:
        """The changed definitions, and those that use them, directly or not; all, where readings may have changed."""
        if self.readings is not None:
            return frozenset(self.changed.definitions)
        found = set(self.differences.definitions)
        uses = {
            name: t.definitions_in([*definition.terms(), *self.theory.book.definitions[name].terms()])
            for name, definition in self.changed.definitions.items()
        }
        while more := {name for name, used in uses.items() if name not in found and used & found}:
            found |= more
        return frozenset(found)

    @cached_property
    def pairs(self) -> tuple[Pair, ...]:
        """Any state in the course of a game, and the one before it."""
        start, opened = self.theory.opening
        return (
            Pair(self.theory.state, self._new(self.theory.state), self.theory.given(), is_opening=False),
            Pair(start, self._new(start), Given(opened), is_opening=True),
        )

    def _new(self, old: Symbolic) -> Symbolic:
        """The same state by the changed rules; what does not depend on the change has been worked out already."""
        known = {key: value for key, value in old.known.items() if key[0] not in self.affected}
        return Symbolic(self.changed, self.selection, old.values, known, old.facts)

    # ------------------------------------------------------------------ what has to be proven

    def close(self) -> Iterator[Obligation]:
        """What was changed is the same."""
        yield from self._openings()
        for pair in self.pairs:
            yield self._obligation("value", pair, pair.given, self._definitions(pair, self.differences.definitions))
            if not pair.is_opening:
                yield self._obligation("what is seen", pair, pair.given, self._observations(pair))
        for id_ in self.differences.events:
            yield from self._event(self.theory.book.events[id_])

    def wide(self) -> Iterator[Obligation]:
        """All that can be seen is the same."""
        yield from self._openings()
        for pair in self.pairs:
            yield self._obligation("one clause", pair, pair.given, self._one_clause(pair, self.affected))
            yield self._obligation(PHASE, pair, pair.given, [self._same(pair, PHASE, NONE)])
            if not pair.is_opening:
                yield self._obligation("what is seen", pair, pair.given, self._observations(pair))
        for rule in self.theory.book.events.values():
            yield from self._event(rule)

    def _obligation(self, what: str, pair: Pair, given: Given, goals: Iterable[Goal]) -> Obligation:
        return Obligation(what, "same", "The changed rules say the same.", (), pair.old, given, tuple(goals))

    def _openings(self) -> Iterator[Obligation]:
        """The game begins with the same values. What a table may choose itself must not be changed."""
        old, new = self.theory.book.variables, self.changed.variables
        pair = self.pairs[1]
        values = Theory(self.changed, self.selection, self.theory.admitted).opening[0].values
        goals = [
            Goal(f"{name}({at})", same(pair.old.values[name, at], values[name, at], pair.old))
            for name in old
            for at in places(self.theory.book, old[name])
            if name in self.differences.live.names
        ]
        goals += [
            Goal(name, old[name].first == new[name].first)
            for name in old
            if old[name].life == WHOLE_GAME and self.differences.is_start
        ]
        yield self._obligation("the start", pair, pair.given, goals)

    def _definitions(self, pair: Pair, names: Iterable[str]) -> Iterator[Goal]:
        for name in names:
            for at in self.theory.members(self.theory.book.definitions[name]):
                yield self._same(pair, name, at)
        yield from self._one_clause(pair, names)

    def _same(self, pair: Pair, name: str, at: int) -> Goal:
        return Goal(f"{name}({at})", same(pair.old.definition(name, at), pair.new.definition(name, at), pair.old))

    def _one_clause(self, pair: Pair, names: Iterable[str]) -> Iterator[Goal]:
        """No two alternatives of a definition hold at once: that would be a fault."""
        for name in names:
            definition = self.changed.definitions[name]
            for at in self.theory.members(definition) if definition.alternatives else ():
                local = pair.new.argument(name, at)
                holding = [pair.new.truth_of(case, local).yes for case in definition.alternatives]
                yield Goal(f"one clause of {name}({at})", at_most_one(holding))

    def _observations(self, pair: Pair) -> Iterator[Goal]:
        for name, observation in self.theory.book.observations.items():
            domain = self.theory.book.domains.get(observation.domain or "")
            for at in range(domain.size if domain else 1) if observation.at is None else ():
                local: Locals = {domain.parameter: v.pick(at)} if domain else {}
                term = self.changed.observations[name].value
                guard = same(pair.old.term(observation.value, local), pair.new.term(term, local), pair.old)
                yield Goal(f"{name}({at})", guard)

    def _event(self, rule: EventRule) -> Iterator[Obligation]:
        """The same seats may do it, it is as legal, and the state after it is the same."""
        new = self.changed.events[rule.id]
        for pair in self.pairs:
            if pair.is_opening and not rule.by_chance:
                continue  # it is proven that nothing but a deal happens there
            for actor in self.theory.actors if rule.by is not None else (None,):
                local, chosen = self.theory.taken(rule, actor) if not rule.by_chance else ({}, True)
                time = pair.given.also(its_time(pair.old, rule), chosen)
                if time.core is False:
                    continue
                legality = list(_legality(pair, rule, new, local))
                yield self._obligation(f"who may {rule.id}", pair, time, legality)
                legal = time.also(requirements(pair.old, rule, local).yes)
                if legal.core is not False:
                    yield self._happening(pair, legal, rule, local)

    def _happening(self, pair: Pair, given: Given, rule: EventRule, local: Locals) -> Obligation:
        new, live = self.changed.events[rule.id], self.differences.live
        before, after = happen(pair.old, rule, local), happen(pair.new, new, local)
        goals = [*_faults(pair.new, new, local)]
        for name, observation in self.theory.book.observations.items():
            if observation.at == rule.id:
                value = pair.new.term(self.changed.observations[name].value, {})
                goals.append(
                    Goal(name, conj(same(pair.old.term(observation.value, {}), value, pair.old), value.defined))
                )
        for variable in self.theory.book.variables.values():
            for at in places(self.theory.book, variable) if variable.name in live.names else ():
                one, other = before.values[variable.name, at], after.values[variable.name, at]
                if live.only_whether(variable.name):
                    one, other = _whether(one), _whether(other)
                goals.append(Goal(f"{variable.name}({at})", same(one, other, pair.old)))
        return self._obligation(f"after {rule.id}", pair, given.also(before.condition), goals)


def same(one: Symbol, other: Symbol, state: Symbolic) -> Guard:
    """Where two values are equal, or neither exists."""
    if isinstance(one, Truth) and isinstance(other, Truth):
        return conj(equal(one.yes, other.yes), equal(one.no, other.no))
    if isinstance(one, Number) or isinstance(other, Number):
        left, right = v.number(one).value, v.number(other).value
        alike = True if left.eq(right) else state.fact(v.alike(one, other))
    else:
        alike = _alike(one, other)
    exist = conj(one.defined, other.defined)
    return disj(conj(exist, alike), conj(neg(one.defined), neg(other.defined)))


def _alike(one: Symbol, other: Symbol) -> Guard:
    """The same as `alike`, quick where both are built alike: a value that exists is just one of those it can be."""
    assert not isinstance(one, Truth | Number)  # noqa: S101
    assert not isinstance(other, Truth | Number)  # noqa: S101
    return all_of(
        equal(one.guards.get(value, False), other.guards.get(value, False)) for value in {**one.guards, **other.guards}
    )


def _whether(symbol: Symbol) -> Symbol:
    """Whether there is something."""
    return v.truth(v.at(symbol, NONE), symbol.defined)


def _legality(pair: Pair, rule: EventRule, new: EventRule, local: Locals) -> Iterator[Goal]:
    """An event is as legal as before, and whatever is asked of it has an answer where it had one."""
    yield Goal("", equal(requirements(pair.old, rule, local).yes, requirements(pair.new, new, local).yes))
    yield Goal("", disj(neg(_unanswered(pair.new, new, local)), _unanswered(pair.old, rule, local)))
    if rule.by is not None and new.by is not None:
        yield Goal("", disj(neg(pair.old.term(rule.by, local).defined), pair.new.term(new.by, local).defined))


def _unanswered(state: Symbolic, rule: EventRule, local: Locals) -> Guard:
    """Where something that is asked of an event has no answer."""
    return any_of(
        conj(
            state.selection.under(part.clause.under),
            state.holds(part.applies, local).yes,
            neg(state.holds(part.that, local).defined),
        )
        for part in rule.requires
    )


def _faults(state: Symbolic, rule: EventRule, local: Locals) -> Iterator[Goal]:
    """It is known what an event sets, and nothing is set twice."""
    for effect in rule.effects:
        for part in effect.sets:
            if part.index is not None:
                off = neg(state.selection.under(effect.clause.under))
                yield Goal(f"which {part.variable}", disj(off, state.member(part.index, local).defined))
    written = [part for effect in rule.effects for part in writes(state, effect, local)]
    for one, other in combinations(written, 2):
        if (one.variable, one.at) == (other.variable, other.at):
            yield Goal(f"{one.variable}({one.at}) once", neg(conj(one.where, other.where)))
