"""A state that speaks against an obligation, as a person can read it, checked by the interpreter."""

from collections.abc import Iterator
from dataclasses import dataclass

import z3

from buckspec.evaluate import RuleError
from buckspec.problem import SpecError
from buckspec.rulebook import EventRule
from buckspec.rules import Rules, choose
from buckspec.state import Event, State
from buckspec.types import members
from buckspec_conformance.solver.obligations import Obligation
from buckspec_conformance.solver.selection import readings_in
from buckspec_conformance.solver.states import places, state_in, value_in
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
    event: Event | None = None
    try:
        event = _event(obligation, state, model)
        clash = tuple(obligation.clash(state, event))
    except RuleError as error:
        clash = (str(error),)
    return Counterexample(other, tuple(shown(state)), "" if event is None else _told(chosen, event), clash)


def shown(state: State) -> list[tuple[str, str]]:
    """Each variable of a state by its name, with its value as a log writes it; what is empty or nothing is left out."""
    rules, found = state.rules, []
    for variable in rules.book.variables.values():
        for at in places(rules.book, variable):
            answer = state.values[rules.slots[variable.name].offset + at]
            said = rules.code(variable.type, answer) if isinstance(answer, int) else None
            if not (said is None or said is False or said == []):
                name = f"{variable.name}({at})" if variable.domain else variable.name
                found.append((name, " ".join(map(str, said)) if isinstance(said, list) else str(said)))
    return found


def _event(obligation: Obligation, state: State, model: z3.ModelRef) -> Event | None:
    """The event that a model has chosen."""
    rule, local = obligation.event, obligation.local
    if rule is None:
        return None
    if rule.by_chance:
        assert obligation.after is not None  # noqa: S101 what chance brings shows in the state after it
        after = state_in(model, state.rules, obligation.after.values)
        return Event(rule.id, None, tuple(pack_of(state.rules.events[rule.id], state, after)))
    about = tuple(value_in(model, local[taken.name]) for taken in rule.takes if taken.name in local)
    actor = local.get("actor")
    return Event(rule.id, value_in(model, actor) if isinstance(actor, Pick) else None, about)


def pack_of(rule: EventRule, before: State, after: State) -> Iterator[int]:
    """The cards in an order in which they can lie when one state is dealt from another."""
    rules = before.rules
    left: dict[int, list[int]] = {}
    for step in (step for effect in rule.effects for step in effect.deals):
        slot = rules.slots[step.variable]
        first = 0 if step.start is None else before.evaluator.term(step.start, {})
        for turn in range(slot.width):
            place = slot.offset + (turn + (first if isinstance(first, int) else 0)) % slot.width
            if place not in left:
                held = after.values[place]
                mask = held if isinstance(held, int) else 0
                left[place] = list(members(mask)) if rules.book.variables[step.variable].type.many else [mask]
            count = len(left[place]) if step.count is None else step.count
            yield from left[place][:count]
            left[place] = left[place][count:]


def _told(rules: Rules, event: Event) -> str:
    """An event in words: who, what, and about what."""
    rule = rules.events[event.id]
    about = [str(rules.code(taken.type, value)) for taken, value in zip(rule.takes, event.about, strict=False)]
    if rule.by_chance:
        about = [rules.pack.values[card].code for card in event.about]
    by = [] if event.seat is None else [f"seat {event.seat}:"]
    return " ".join([*by, rule.id, *about])
