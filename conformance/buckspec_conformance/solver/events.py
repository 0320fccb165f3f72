"""What events do to states that a solver may choose: `happen` of `interpret`, for values that are not known."""

from collections.abc import Iterator
from dataclasses import dataclass

from buckspec.rulebook import PHASE, Assignment, Effect, EventRule, Variable
from buckspec_conformance.solver import values as v
from buckspec_conformance.solver.guards import Guard, all_of, any_of, at_most_one, conj, counted, disj, neg
from buckspec_conformance.solver.states import Values, any_value, places
from buckspec_conformance.solver.symbolic import Locals, Symbolic
from buckspec_conformance.solver.values import Bits, Pick, Symbol, Truth


@dataclass(frozen=True)
class After:
    """The values after an event, and the condition on what the solver chose for it (the cards of a deal)."""

    values: Values
    condition: Guard = True


@dataclass(frozen=True)
class Written:
    """What one assignment gives one variable (of one member of its domain): where it is given, and the value."""

    effect: Effect
    variable: str
    at: int
    where: Guard
    value: Symbol


def happen(before: Symbolic, rule: EventRule, local: Locals, name: str = "") -> After:
    """The values just after an event. All right sides see the state before it. `name` marks what the solver chooses."""
    values: Values = dict(before.values)
    for variable in before.book.begun_by(rule.begins):
        _begin(before, variable, values)
    conditions: list[Guard] = []
    for effect in rule.effects:
        for written in writes(before, effect, local):
            place = written.variable, written.at
            values[place] = v.chosen(written.where, written.value, values[place])
        chosen = before.selection.under(effect.clause.under)
        if effect.deals and chosen is not False:
            dealt = _deal(before, effect, name)
            conditions.append(disj(neg(chosen), dealt.condition))
            for place, value in dealt.values.items():
                values[place] = v.chosen(chosen, value, values[place])
    return After(values, all_of(conditions))


def writes(before: Symbolic, effect: Effect, local: Locals) -> Iterator[Written]:
    """All that an effect may set."""
    chosen = before.selection.under(effect.clause.under)
    if chosen is False:
        return
    for part in effect.sets:
        for at, guard in _targets(before, part, local).items():
            inner = local if part.each is None else {**local, part.each: v.pick(at)}
            yield Written(effect, part.variable, at, conj(chosen, guard), before.term(part.value, inner))


def _targets(before: Symbolic, part: Assignment, local: Locals) -> dict[int, Guard]:
    """The members whose variable is set, and where."""
    if part.each is not None:
        return dict.fromkeys(places(before.book, before.book.variables[part.variable]), True)
    if part.index is None:
        return {0: True}
    index = before.member(part.index, local)
    return {at: conj(guard, index.defined) for at, guard in index.guards.items()}


def _begin(before: Symbolic, variable: Variable, values: Values) -> None:
    """Give a variable its first value; one that an event gives keeps the old value until then."""
    if variable.first is None:
        return
    domain = before.book.domains.get(variable.domain or "")
    for at in places(before.book, variable):
        local = {domain.parameter: v.pick(at)} if domain else {}
        values[variable.name, at] = before.term(variable.first, local)


def _deal(before: Symbolic, effect: Effect, name: str) -> After:
    """Any deal: no card in two places, in each place as many as it gets, and none left over where all are dealt."""
    book = before.book
    sizes: dict[str, int] = {}
    rest = 0
    for step in effect.deals:
        width = len(places(book, book.variables[step.variable]))
        sizes[step.variable] = sizes.get(step.variable, 0) + (step.count or 0)
        rest += (step.count or 0) * width
    values: Values = {}
    conditions: list[Guard] = []
    holders: dict[int, list[Guard]] = {}
    pack = book.domains[book.variables[effect.deals[0].variable].type.base].size
    remaining = {step.variable for step in effect.deals if step.count is None}
    for variable_name, size in sizes.items():
        variable = book.variables[variable_name]
        many = size + (pack - rest if variable_name in remaining else 0)
        for at in places(book, variable):
            label = f"{name}{variable_name}({at}) dealt" if variable.domain else f"{name}{variable_name} dealt"
            value, condition = any_value(book, before.selection, variable, label)
            assert isinstance(value, Pick | Bits)  # noqa: S101 cards are dealt
            conditions += [condition] if isinstance(value, Pick) else [counted(value.guards.values()).get(many, False)]
            values[variable_name, at] = value
            for card, guard in value.guards.items():
                holders.setdefault(card, []).append(guard)
    is_whole = bool(remaining) or rest == pack
    conditions += [conj(any_of(guards) if is_whole else True, at_most_one(guards)) for guards in holders.values()]
    return After(values, all_of(conditions))


def requirements(state: Symbolic, rule: EventRule, local: Locals) -> Truth:
    """Where an event breaks no clause of its own: whose turn it is and what it requires, but not what time it is."""
    yes: list[Guard] = []
    if rule.by is not None:
        yes.append(may_act(state, rule, local))
    for requirement in rule.requires:
        chosen = state.selection.under(requirement.clause.under)
        if chosen is False:
            continue
        applies = state.holds(requirement.applies, local)
        that = state.holds(requirement.that, local)
        yes.append(disj(neg(chosen), neg(applies.yes), that.yes))
    held = all_of(yes)
    return Truth(held, neg(held))


def may_act(state: Symbolic, rule: EventRule, local: Locals) -> Guard:
    """Where the actor is one of those who may act."""
    assert rule.by is not None  # noqa: S101
    by, actor = state.term(rule.by, local), local["actor"]
    assert isinstance(actor, Pick)  # noqa: S101
    if isinstance(by, Bits | Pick):
        return conj(by.defined, any_of(conj(guard, by.guards.get(at, False)) for at, guard in actor.guards.items()))
    raise TypeError("those who may act are seats")


def its_time(state: Symbolic, rule: EventRule) -> Guard:
    """Where it is time for an event, and its readings are in force."""
    phase = state.definition(PHASE)
    assert isinstance(phase, Pick)  # noqa: S101
    domain = state.book.domains[state.book.definitions[PHASE].type.base]
    here = any_of(phase.guards.get(domain.index[name], False) for name in rule.phases)
    return conj(state.selection.under(rule.under), phase.defined, here)
