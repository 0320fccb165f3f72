"""What has to be proven of an event: what it sets has a value, once, and every invariant holds afterwards, too."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations, product

from buckspec.rulebook import EventRule, Variable
from buckspec.types import NONE
from buckspec_conformance.solver import clashes
from buckspec_conformance.solver import values as v
from buckspec_conformance.solver.events import happen, its_time, may_act, requirements, writes
from buckspec_conformance.solver.guards import Guard, any_of, conj, disj, neg
from buckspec_conformance.solver.obligations import Obligation, in_force
from buckspec_conformance.solver.states import places, span
from buckspec_conformance.solver.symbolic import Locals, Symbolic
from buckspec_conformance.solver.theory import Given, Goal, Theory
from buckspec_conformance.solver.values import Pick


@dataclass(frozen=True)
class Happening:
    """An event that happens in a state: the condition that it can, and the state after it."""

    rule: EventRule
    before: Symbolic
    local: Locals
    given: Given
    after: Symbolic


def happenings(theory: Theory, rule: EventRule) -> Iterator[Happening]:
    """An event by each seat that has to be looked at, from the states in which it can happen."""
    starts = [(theory.state, theory.given())]
    if rule.by_chance:
        starts.append((theory.opening[0], Given(theory.opening[1])))
    for (before, given), actor in product(starts, theory.actors if rule.by is not None else (None,)):
        local, chosen = theory.taken(rule, actor) if not rule.by_chance else ({}, True)
        possible = conj(its_time(before, rule), requirements(before, rule, local).yes, chosen)
        if possible is not False:
            after = happen(before, rule, local)
            also = replace(given.also(possible, after.condition), cases=_cases(rule, local))
            yield Happening(rule, before, local, also, theory.with_values(after.values))


def _cases(rule: EventRule, local: Locals) -> tuple[Guard, ...]:
    """The values that an event can be about, where it is about one thing."""
    symbol = local.get(rule.takes[0].name) if len(rule.takes) == 1 else None
    return tuple(symbol.guards.values()) if isinstance(symbol, Pick) else (True,)


def of_event(theory: Theory, rule: EventRule) -> Iterator[Obligation]:
    """An event can happen, keeps every invariant, and needs no value that does not exist."""
    if theory.selection.under(rule.under) is False:
        return
    for number, happening in enumerate(happenings(theory, rule)):
        more = " from the start" if happening.before is theory.opening[0] else f" by {number}" if number else ""
        yield from _possible(theory, happening, more)
        yield from _of_happening(theory, happening, more)
    yield from _defined(theory, rule)


def _possible(theory: Theory, happening: Happening, more: str) -> Iterator[Obligation]:
    """It can happen at all, and under each reading in which it has an effect: else nothing is proven of it below."""
    rule = happening.rule
    yield Obligation(
        f"possible {rule.id}{more}", "possible", f"There is a state in which {rule.id} can happen.",
        tuple(effect.clause for effect in rule.effects), happening.before, happening.given, wanted=True,
    )  # fmt: skip
    for effect in rule.effects:
        chosen = theory.selection.under(effect.clause.under)
        if not isinstance(chosen, bool):
            yield Obligation(
                f"possible {effect.clause.id}{more}", "possible", f"There is a state in which {rule.id} does this.",
                (effect.clause,), happening.before, happening.given.also(chosen), wanted=True,
            )  # fmt: skip


def _of_happening(theory: Theory, happening: Happening, more: str) -> Iterator[Obligation]:
    rule = happening.rule
    effects = tuple(effect.clause for effect in rule.effects)
    of_it = Obligation(
        "", "", "", effects, happening.before, happening.given,
        event=rule, local=happening.local, after=happening.after,
    )  # fmt: skip
    exist = tuple(_existing(theory, happening))
    if exist:
        yield replace(
            of_it, id=f"values after {rule.id}{more}", kind="defined", clash=clashes.no_value, goals=exist,
            says=f"After {rule.id}, every variable has a value of its type.",
        )  # fmt: skip
    once = tuple(_once(happening))
    if once:
        yield replace(
            of_it, id=f"targets of {rule.id}{more}", kind="set once", clash=clashes.set_twice, goals=once,
            says=f"In {rule.id}, nothing is set twice.",
        )  # fmt: skip
    # proven just now, and hard to find out anew each time
    given = happening.given.also(*(goal.guard for goal in exist))
    for invariant in in_force(theory):
        first = () if rule.by_chance else (invariant.clause.id,)
        yield replace(
            of_it, id=f"{invariant.clause.id} after {rule.id}{more}", kind="keeps",
            says=f"After {rule.id}: {invariant.clause.says}", clauses=(invariant.clause, *effects),
            given=given.trying(*first), goals=tuple(theory.goals(happening.after, invariant)),
            clash=clashes.not_kept(invariant),
        )  # fmt: skip


def _once(happening: Happening) -> Iterator[Goal]:
    """No two effects give a value to the same variable of the same member."""
    written = [part for effect in happening.rule.effects for part in writes(happening.before, effect, happening.local)]
    for one, other in combinations(written, 2):
        if (one.variable, one.at) == (other.variable, other.at):
            yield Goal(f"{one.variable}({one.at})", neg(conj(one.where, other.where)))


def _existing(theory: Theory, happening: Happening) -> Iterator[Goal]:
    """What is set is known, and so is what it is set to."""
    for effect in happening.rule.effects:
        off = neg(theory.selection.under(effect.clause.under))
        for part in effect.sets:
            if part.index is not None:
                index = happening.before.member(part.index, happening.local)
                yield Goal(f"which {part.variable}", disj(off, index.defined))
    for variable in theory.book.variables.values():
        for at in places(theory.book, variable):
            guard = _in_range(happening.after, variable, at)
            if guard is not True:
                yield Goal(f"{variable.name}({at})" if variable.domain else variable.name, guard)


def _in_range(state: Symbolic, variable: Variable, at: int) -> Guard:
    """Where a variable has a value of its type."""
    symbol = state.values[variable.name, at]
    if not isinstance(symbol, Pick):
        return symbol.defined
    numbers = span(state.book, state.selection, variable)
    if numbers is None and variable.type.base not in state.book.domains:
        return symbol.defined
    options = set(numbers if numbers is not None else range(state.book.domains[variable.type.base].size))
    options |= {NONE} if variable.type.optional else set()
    return conj(symbol.defined, any_of(guard for value, guard in symbol.guards.items() if value in options))


def _defined(theory: Theory, rule: EventRule) -> Iterator[Obligation]:
    """When it is time for an event, it is known who may act, and everything that it asks for has a value."""
    if rule.by_chance:
        return
    state = theory.state
    time = theory.given(its_time(state, rule))
    if time.core is False:
        return
    if rule.by is not None:
        by = state.term(rule.by, {})
        somebody = any_of(by.guards.values()) if isinstance(by, Pick | v.Bits) else False
        yield Obligation(
            f"who may {rule.id}", "defined", f"When it is time to {rule.id}, somebody may.", (), state, time,
            (Goal("", conj(by.defined, somebody)),), clash=clashes.nobody(rule),
        )  # fmt: skip
    for actor in theory.actors if rule.by is not None else (None,):
        local, chosen = theory.taken(rule, actor)
        turn = True if actor is None else may_act(state, rule, local)
        goals = [
            Goal(part.clause.id, disj(neg(theory.selection.under(part.clause.under)),
                                      neg(state.holds(part.applies, local).yes), state.holds(part.that, local).defined))
            for part in rule.requires
        ]  # fmt: skip
        if goals:
            yield Obligation(
                f"requirements of {rule.id}" + (f" by {actor}" if actor else ""), "defined",
                f"Whatever is asked of {rule.id} has an answer.", tuple(part.clause for part in rule.requires),
                state, time.also(turn, chosen), tuple(goals), event=rule, local=local,
                clash=clashes.no_answer(rule.requires),
            )  # fmt: skip
