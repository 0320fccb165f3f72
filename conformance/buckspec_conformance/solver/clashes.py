"""What the interpreter says of a state that the solver has found: the clauses that clash there, or after an event.

The solver and the interpreter read the same text in two ways. A `Clash` is the second opinion: without a word of it,
the two disagree. It may raise RuleError, which is a word, too.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

from buckspec import interpret
from buckspec import typed as t
from buckspec.evaluate import Answer, Missing
from buckspec.interpret import locals_of
from buckspec.rulebook import Definition, Effect, EventRule, Invariant, Requirement, Under, Variable
from buckspec.state import Event, State
from buckspec.tables import Filled
from buckspec.types import NONE
from buckspec_conformance.solver.states import places

Clash: TypeAlias = Callable[[State, Event | None], Iterable[str]]


def nothing(_state: State, _event: Event | None) -> Iterator[str]:
    """Nothing to say."""
    yield from ()


def not_just_one(definition: Definition) -> Clash:
    """Which alternatives of a definition hold, for each member of its domain where they are not just one."""

    def said(state: State, _event: Event | None) -> Iterator[str]:
        domain = state.rules.book.domains.get(definition.domain or "")
        for at in range(domain.size) if domain else (NONE,):
            local = {} if definition.parameter is None else {definition.parameter: at}
            cases = state.rules.definitions[definition.name].alternatives
            held = [case.clause.id for case in cases if _true(state.evaluator.holds(case.when, local))]
            if len(held) > 1 or (not held and _true(state.evaluator.holds(definition.where, local))):
                name = definition.name if domain is None else f"{definition.name}({domain.values[at].code})"
                yield f"{name}: " + (" and ".join(held) + " hold at once" if held else "no clause holds")

    return said


def not_kept(invariant: Invariant) -> Clash:
    """That an invariant is broken."""

    def said(state: State, event: Event | None) -> Iterator[str]:
        after = _after(state, event)
        if _true(after.evaluator.holds(invariant.when, {})):
            held = after.evaluator.term(invariant.that, {})
            if not _true(held):
                told = held.value if isinstance(held, Missing) else "broken"
                yield f"{invariant.clause.id} is {told}: {invariant.clause.says}"

    return said


def no_value(state: State, event: Event | None) -> Iterator[str]:
    """Which variables have no value after an event, or one that is not of their type, and what set them."""
    after, rules = _after(state, event), state.rules
    for variable in rules.book.variables.values():
        for at in places(rules.book, variable):
            answer = after.values[rules.slots[variable.name].offset + at]
            if isinstance(answer, Missing) or (answer == NONE and _must_be_there(after, variable)):
                effects = () if event is None else rules.events[event.id].effects
                by = [effect.clause.id for effect in effects if variable.name in _set_by(effect)]
                yield f"{_name(variable, at)} has no value" + (f", by {' and '.join(by)}" if by else "")


def _must_be_there(state: State, variable: Variable) -> bool:
    return variable.type.base in state.rules.book.domains and not variable.type.optional and not variable.type.many


def _set_by(effect: Effect) -> set[str]:
    return {part.variable for part in effect.sets} | {step.variable for step in effect.deals}


def set_twice(state: State, event: Event | None) -> Iterator[str]:
    """What two effects of an event set."""
    if event is None:
        return
    rule = state.rules.events[event.id]
    first: dict[tuple[str, int], str] = {}
    for effect in rule.effects:
        for variable, at in _targets(state, rule, event, effect):
            place = variable.name, at
            if place in first:
                yield f"{_name(variable, at)} is set by {first[place]} and by {effect.clause.id}"
            first[place] = effect.clause.id


def _targets(state: State, rule: EventRule, event: Event, effect: Effect) -> Iterator[tuple[Variable, int]]:
    book = state.rules.book
    local = {} if rule.by_chance else locals_of(rule, event)
    for name in dict.fromkeys(step.variable for step in effect.deals):
        yield from ((book.variables[name], at) for at in places(book, book.variables[name]))
    for part in effect.sets:
        variable = book.variables[part.variable]
        if part.each is not None:
            yield from ((variable, at) for at in places(book, variable))
        else:
            index = 0 if part.index is None else state.evaluator.term(part.index, local)
            if not isinstance(index, Missing):
                yield variable, index


def nobody(rule: EventRule) -> Clash:
    """That nobody may act in an event."""

    def said(state: State, _event: Event | None) -> Iterator[str]:
        if not interpret.actors(state, rule):
            yield f"nobody may {rule.id}"

    return said


def no_answer(requirements: Iterable[Requirement]) -> Clash:
    """Which requirements of an event have no answer."""

    def said(state: State, event: Event | None) -> Iterator[str]:
        local = {} if event is None else locals_of(state.rules.events[event.id], event)
        for part in requirements:
            if part.clause.under.holds(state.rules.readings) and _true(state.evaluator.holds(part.applies, local)):
                held = state.evaluator.term(part.that, local)
                if isinstance(held, Missing):
                    yield f"{part.clause.id} is {held.value}: {part.clause.says}"

    return said


def nothing_happens(state: State, _event: Event | None) -> Iterator[str]:
    """That nothing can happen, or that something would happen by itself beside something else."""
    events = interpret.current_events(state)
    if not events:
        yield f"{interpret.phase_clause(state).id}: no event belongs to this phase under these readings"
    if len(events) > 1 and any(rule.is_automatic for rule in events):
        yield " and ".join(rule.id for rule in events) + " compete"


def no_deal(state: State, _event: Event | None) -> Iterator[str]:
    """What can happen that is no deal."""
    yield from (f"{interpret.phase_clause(state).id}: {rule.id} can happen" for rule in interpret.current_events(state)
                if not rule.by_chance)  # fmt: skip


def no_move(state: State, _event: Event | None) -> Iterator[str]:
    """Who has to act and cannot, and the clauses that forbid everything."""
    able = {event.seat for event in interpret.legal(state)}
    for seat in interpret.to_act(state):
        if seat not in able:
            attempts = [
                event for rule in interpret.current_events(state) for event in interpret.candidates(state, rule)
                if event.seat == seat
            ]  # fmt: skip
            clauses = {part.clause.id for event in attempts for part in interpret.broken(state, event)}
            yield f"seat {seat} has to act, and nothing is legal: " + " and ".join(sorted(clauses))


def not_true(statement: t.Term, under: Under) -> Clash:
    """That a statement is false, under readings that it is about."""

    def said(state: State, _event: Event | None) -> Iterator[str]:
        held = state.evaluator.term(statement, {})
        if under.holds(state.rules.readings) and not _true(held):
            yield "the statement is " + (held.value if isinstance(held, Missing) else "false") + " here"

    return said


def looked_up_otherwise(table: Filled) -> Clash:
    """Of which members a table says something else than the clauses."""

    def said(state: State, _event: Event | None) -> Iterator[str]:
        chosen = tuple(state.evaluator.term(node, {}) for node in table.inputs)
        row = next((row for known, row in table.rows.items() if known == chosen), None)
        if row is None:
            return
        domain = state.rules.book.domains[table.variable.type.base]
        for at, value in enumerate(domain.values):
            found = row >> at & 1 if isinstance(row, int) else row[at]
            answer = state.evaluator.term(table.term, {table.variable.name: at})
            if not isinstance(answer, Missing) and answer != found:
                yield f"for {value.code} the table says {found}, and the clauses say {answer}"

    return said


def _true(answer: Answer) -> bool:
    """Whether an answer is known and true; a variable that is a truth value holds a number."""
    return not isinstance(answer, Missing) and bool(answer)


def _after(state: State, event: Event | None) -> State:
    """The state just after an event; the same state where there is none."""
    return state if event is None else interpret.happen(state, state.rules.events[event.id], event)


def _name(variable: Variable, at: int) -> str:
    return f"{variable.name}({at})" if variable.domain else variable.name
