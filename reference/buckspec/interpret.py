"""The interpreter: what can happen in a state, and what follows. Pure functions over states.

It walks the rules as they are written. `machine` does the same with compiled code; the two must agree.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product

from buckspec import typed as t
from buckspec.evaluate import Answer, Evaluator, Locals, Missing, RuleError
from buckspec.rulebook import LISTS_BEGIN, PHASE, WHOLE_GAME, Clause, DealStep, EventRule, Requirement, Variable
from buckspec.rules import Rules
from buckspec.state import Event, Refused, State, Violation
from buckspec.types import NONE, members

MOST_AUTOMATIC = 100  # events in a row that happen by themselves; the Ohio rules need 3
Values = list["Answer | tuple[int, ...]"]


def start(rules: Rules, given: Mapping[str, int | Sequence[int]]) -> State:
    """The state before the first hand. `given` holds values of variables that live as long as the game.

    Raises KeyError for a name that is no such variable, ValueError where a variable that must be given is not.
    """
    values: Values = [NONE] * sum(slot.width for slot in rules.slots.values())
    for observation in rules.lists:
        values[rules.slots[observation.name].offset] = ()
    for variable in rules.book.variables.values():
        slot = rules.slots[variable.name]
        if variable.name in given and variable.life == WHOLE_GAME:
            value = given[variable.name]
            values[slot.offset : slot.offset + slot.width] = [value] if isinstance(value, int) else list(value)
        elif variable.first is not None:
            _begin(rules, variable, values, Evaluator(rules, values))  # type: ignore[arg-type]
        elif variable.life == WHOLE_GAME:
            raise ValueError(f"{variable.name} must be given")
    for name in given:
        if name not in rules.book.variables or rules.book.variables[name].life != WHOLE_GAME:
            raise KeyError(name)
    return settled(State(rules, tuple(values)))


def _begin(rules: Rules, variable: Variable, values: Values, before: Evaluator) -> None:
    """Give a variable its first value; the expression sees the state before."""
    slot = rules.slots[variable.name]
    domain = rules.book.domains.get(variable.domain or "")
    for index in range(slot.width):
        local: Locals = {domain.parameter: index} if domain else {}
        values[slot.offset + index] = NONE if variable.first is None else before.term(variable.first, local)


def phase_clause(state: State) -> Clause:
    """The clause that says what time it is. Raises RuleError where none does."""
    held = state.evaluator.alternative(PHASE)
    if isinstance(held, Missing):
        raise RuleError(f"the phase is {held.value}: no clause says what comes next")
    return held.clause


def current_events(state: State) -> tuple[EventRule, ...]:
    """The events that the phase admits."""
    phase_clause(state)
    return state.rules.by_phase[state.known(PHASE)]


def actors(state: State, rule: EventRule) -> int:
    """The seats, as a set, that may act in an event now. Raises RuleError where that is undefined."""
    if rule.by is None:
        return 0
    answer = state.evaluator.term(rule.by, {})
    if isinstance(answer, Missing):
        raise RuleError(f"who may {rule.id} is {answer.value}")
    return answer if rule.by.type.many else 1 << answer


def to_act(state: State) -> tuple[int, ...]:
    """The seats that the game waits for, ascending; none while it waits for chance or for nothing."""
    waiting = 0
    for rule in current_events(state):
        waiting |= actors(state, rule)
    return tuple(members(waiting))


def candidates(state: State, rule: EventRule) -> Iterator[Event]:
    """Every event of a rule, legal or not, by the seats that may act."""
    domains = [state.rules.choices(taken) for taken in rule.takes]
    for seat in members(actors(state, rule)):
        for about in product(*domains):
            yield Event(rule.id, seat, about)


def legal(state: State) -> tuple[Event, ...]:
    """Every legal event of the seats that may act, in the order of the rule book. The deal is not among them."""
    found = [event for rule in current_events(state) for event in candidates(state, rule)]
    return tuple(event for event in found if not broken(state, event))


def locals_of(rule: EventRule, event: Event) -> Locals:
    """The names that an event's clauses see."""
    names = {taken.name: value for taken, value in zip(rule.takes, event.about, strict=True)}
    return names if event.seat is None else {**names, "actor": event.seat}


def broken(state: State, event: Event) -> tuple[Violation, ...]:
    """Every clause that an event would break: what time it is, else whose turn it is and the event's requirements."""
    rule = state.rules.events.get(event.id)
    if rule is None or rule not in current_events(state):
        return (Violation(phase_clause(state)),)
    violations: list[Violation] = []
    if rule.by is not None and (event.seat is None or not actors(state, rule) >> event.seat & 1):
        violations.append(Violation(_turn_clause(state, rule.by)))
    local = locals_of(rule, event) if not rule.by_chance else {}
    failed = [requirement for requirement in rule.requires if _fails(state, requirement, local)]
    failed.sort(key=lambda requirement: requirement.clause.id)
    violations += [Violation(part.clause, tuple(_found(state, part.that, local))) for part in failed]
    return tuple(violations)


def _fails(state: State, requirement: Requirement, local: Locals) -> bool:
    applies = state.evaluator.holds(requirement.applies, local)
    if isinstance(applies, Missing) or not applies:
        return False
    holds = state.evaluator.term(requirement.that, local)
    if isinstance(holds, Missing):
        raise RuleError(f"{requirement.clause.id} is {holds.value}")
    return not holds


def _turn_clause(state: State, by: t.Term) -> Clause:
    """The clause that says whose turn it is; without a definition of its own, the one that says what time it is."""
    if isinstance(by, t.Use):
        held = state.evaluator.alternative(by.definition)
        if not isinstance(held, Missing):
            return held.clause
    return phase_clause(state)


def _found(state: State, term: t.Term, local: Locals) -> Iterator[tuple[str, object]]:
    """The values behind a condition that fails: what the event is about, and the parts of the state that it names."""
    if isinstance(term, t.Both):
        for part in (term.left, term.right):
            truth = state.evaluator.term(part, local)
            if not isinstance(truth, Missing) and not truth:
                yield from _found(state, part, local)
        return
    if isinstance(term, t.Local | t.Read) or (isinstance(term, t.Use) and term.argument is None):
        answer = state.evaluator.term(term, local)
        value = answer.value if isinstance(answer, Missing) else state.rules.code(term.type, answer)
        yield _label(state, term, local), value
        return
    if not isinstance(term, t.Each):
        for part in t.parts(term):
            yield from _found(state, part, local)


def _label(state: State, term: t.Local | t.Read | t.Use, local: Locals) -> str:
    if isinstance(term, t.Local):
        return term.name
    if isinstance(term, t.Use):
        return term.definition
    return term.variable if term.index is None else f"{term.variable}({state.evaluator.term(term.index, local)})"


def apply(state: State, event: Event) -> State | Refused:
    """The state after an event and all that follows by itself, or every clause that the event breaks."""
    violations = broken(state, event)
    if violations:
        return Refused(state, event, violations)
    return settled(happen(state, state.rules.events[event.id], event))


def settled(state: State) -> State:
    """The state after everything that happens by itself has happened. Raises RuleError if that never ends."""
    for _ in range(MOST_AUTOMATIC):
        automatic = [rule for rule in current_events(state) if rule.is_automatic]
        if not automatic:
            return state
        state = happen(state, automatic[0], Event(automatic[0].id))
    raise RuleError(f"more than {MOST_AUTOMATIC} events happen by themselves")


def happen(state: State, rule: EventRule, event: Event) -> State:
    """The state just after an event that is legal. All right sides see the state before it."""
    rules, before = state.rules, state.evaluator
    values: Values = list(state.values)
    for variable in rules.book.begun_by(rule.begins):
        _begin(rules, variable, values, before)
    for observation in rules.lists:
        offset = rules.slots[observation.name].offset
        if rule.begins in LISTS_BEGIN:
            values[offset] = ()
        if observation.at == rule.id:
            seen = state.values[offset]
            seen = seen if isinstance(seen, tuple) else ()
            values[offset] = (*seen, _sure(before.term(observation.value, {}), observation.name))
    local = locals_of(rule, event) if not rule.by_chance else {}
    written: dict[int, str] = {}
    for effect in rule.effects:
        for part in effect.sets:
            offset = rules.slots[part.variable].offset
            if part.each is not None:
                for index in range(rules.slots[part.variable].width):
                    values[offset + index] = before.term(part.value, {**local, part.each: index})
            else:
                place = 0 if part.index is None else before.term(part.index, local)
                place = offset + _sure(place, part.variable)
                if place in written:
                    raise RuleError(f"{part.variable} is set twice, by {written[place]} and {effect.clause.id}")
                written[place] = effect.clause.id
                values[place] = before.term(part.value, local)
        if effect.deals:
            _deal(state, effect.deals, event.about, values)
    _check_ranges(rules, values, before)
    return State(rules, tuple(values))


def _sure(answer: Answer, what: str) -> int:
    if isinstance(answer, Missing) or answer == NONE:
        raise RuleError(f"which {what} is set is undefined")
    return answer


def _deal(state: State, steps: Sequence[DealStep], pack: Sequence[int], values: Values) -> None:
    """Deal the pack off the top, step by step."""
    rules = state.rules
    top = 0
    for step in steps:
        slot = rules.slots[step.variable]
        count = len(pack) - top if step.count is None else step.count
        variable = rules.book.variables[step.variable]
        first = 0 if step.start is None else _sure(state.evaluator.term(step.start, {}), step.variable)
        for turn in range(slot.width):
            cards = pack[top : top + count]
            top += count
            offset = slot.offset + (first + turn) % slot.width
            if variable.type.many:
                held = values[offset]
                values[offset] = sum((1 << card for card in cards), start=held if isinstance(held, int) else 0)
            else:
                values[offset] = cards[0]


def _check_ranges(rules: Rules, values: Values, before: Evaluator) -> None:
    for variable in rules.book.variables.values():
        if variable.low is None or variable.high is None:
            continue
        slot = rules.slots[variable.name]
        low, high = before.term(variable.low, {}), before.term(variable.high, {})
        for value in values[slot.offset : slot.offset + slot.width]:
            if isinstance(value, int) and isinstance(low, int) and isinstance(high, int) and not low <= value <= high:
                raise RuleError(f"{variable.name} leaves its range: {value}")


def view(state: State, seat: int) -> Mapping[str, object]:
    """What one seat may see of the state: each variable by name, as a log writes values; what is hidden is missing."""
    seen: dict[str, object] = {}
    for variable in state.rules.book.variables.values():
        slot = state.rules.slots[variable.name]
        domain = state.rules.book.domains.get(variable.domain or "")
        for index in range(slot.width):
            local: Locals = {"viewer": seat, **({domain.parameter: index} if domain else {})}
            truth = state.evaluator.holds(variable.seen, local)
            if not isinstance(truth, Missing) and truth:
                answer = state.values[slot.offset + index]
                shown = state.rules.code(variable.type, answer) if isinstance(answer, int) else None
                seen[f"{variable.name}({index})" if domain else variable.name] = shown
    return seen
