"""A state that speaks against an obligation, as a person can read it, checked by the interpreter."""

from dataclasses import dataclass

import z3

from buckspec import interpret
from buckspec.evaluate import Missing, RuleError
from buckspec.problem import SpecError
from buckspec.rulebook import EventRule
from buckspec.rules import Rules, choose
from buckspec.state import Event, State
from buckspec_conformance.solver.obligations import Obligation
from buckspec_conformance.solver.selection import readings_in
from buckspec_conformance.solver.states import places, state_in, value_in
from buckspec_conformance.solver.symbolic import Locals
from buckspec_conformance.solver.values import Pick


@dataclass(frozen=True)
class Counterexample:
    """What the solver found: the readings that are not those of the profile, the state, the event, and what is wrong.

    `clash` is what the interpreter says of it; where that is nothing, the solver and the interpreter disagree.
    """

    readings: tuple[tuple[str, str], ...]
    state: tuple[tuple[str, str], ...]
    event: str
    clash: tuple[str, ...]


def counterexample(rules: Rules, obligation: Obligation, model: z3.ModelRef) -> Counterexample:
    """The state that a model has chosen, and what the interpreter makes of it."""
    readings = readings_in(obligation.before.selection, model)
    other = tuple((name, reading) for name, reading in readings.items() if rules.readings[name] != reading)
    try:
        chosen = choose(rules.book, rules.name, dict(rules.parameters), readings, rules.is_shipped)
    except SpecError as error:
        return Counterexample(other, (), "", (str(error),))
    state = state_in(model, chosen, obligation.before.values)
    event = None if obligation.event is None else _event(obligation.event, obligation.local, model)
    told = "" if event is None or obligation.event is None else _told(chosen, obligation.event, event)
    return Counterexample(other, tuple(shown(state)), told, tuple(_clash(obligation, state, event)))


def shown(state: State) -> list[tuple[str, str]]:
    """Each variable of a state by its name, with its value as a log writes it; what is empty or nothing is left out."""
    rules, found = state.rules, []
    for variable in rules.book.variables.values():
        for at in places(rules.book, variable):
            answer = state.values[rules.slots[variable.name].offset + at]
            said = rules.code(variable.type, answer) if isinstance(answer, int) else None
            if said not in (None, [], False):
                name = f"{variable.name}({at})" if variable.domain else variable.name
                found.append((name, " ".join(map(str, said)) if isinstance(said, list) else str(said)))
    return found


def _event(rule: EventRule, local: Locals, model: z3.ModelRef) -> Event | None:
    """The event that a model has chosen; None for a deal, which the state after it shows."""
    if rule.by_chance:
        return None
    about = tuple(value_in(model, local[taken.name]) for taken in rule.takes if taken.name in local)
    actor = local.get("actor")
    return Event(rule.id, value_in(model, actor) if isinstance(actor, Pick) else None, about)


def _told(rules: Rules, rule: EventRule, event: Event) -> str:
    about = [str(rules.code(taken.type, value)) for taken, value in zip(rule.takes, event.about, strict=False)]
    by = [] if event.seat is None else [f"seat {event.seat}:"]
    return " ".join([*by, rule.id, *about])


def _clash(obligation: Obligation, state: State, event: Event | None) -> list[str]:
    """The clauses that clash in a state, or after the event in it, by the interpreter."""
    found = _holding(obligation, state) if obligation.kind == "exactly one" else []
    after = state
    if event is not None and obligation.event is not None:
        try:
            after = interpret.happen(state, obligation.event, event)
        except RuleError as error:
            return [str(error)]
    for invariant in state.rules.book.invariants.values():
        if invariant.clause in obligation.clauses and invariant.clause.under.holds(state.rules.readings):
            applies = after.evaluator.holds(invariant.when, {})
            held = after.evaluator.term(invariant.that, {})
            if applies is True and held is not True:
                said = held.value if isinstance(held, Missing) else "broken"
                found.append(f"{invariant.clause.id} is {said}: {invariant.clause.says}")
    return found


def _holding(obligation: Obligation, state: State) -> list[str]:
    """Which of the alternatives of a definition hold, for each member of its domain where they are not just one."""
    definition = next(
        held for held in state.rules.definitions.values()
        if any(case.clause in obligation.clauses for case in held.alternatives)
    )  # fmt: skip
    domain = state.rules.book.domains.get(definition.domain or "")
    found = []
    for at in range(domain.size) if domain else (None,):
        local = {} if definition.parameter is None or at is None else {definition.parameter: at}
        held = [case.clause.id for case in definition.alternatives if state.evaluator.holds(case.when, local) is True]
        if len(held) != 1:
            name = definition.name if domain is None or at is None else f"{definition.name}({domain.values[at].code})"
            found.append(f"{name}: " + (" and ".join(held) + " hold at once" if held else "no clause holds"))
    return found
