"""States of a game that a solver may choose: any at all, one that is known, or the one that a model has chosen."""

from collections.abc import Mapping

import z3

from buckspec.evaluate import Missing
from buckspec.rulebook import RuleBook, Variable
from buckspec.rules import Rules
from buckspec.state import State
from buckspec.types import NONE, Type
from buckspec_conformance.solver import values as v
from buckspec_conformance.solver.guards import Guard, all_of, any_of, at_most_one, conj
from buckspec_conformance.solver.selection import Selection, holds_in
from buckspec_conformance.solver.symbolic import Symbolic
from buckspec_conformance.solver.values import Bits, Number, Pick, Symbol, Truth

Values = dict[tuple[str, int], Symbol]


def places(book: RuleBook, variable: Variable) -> range:
    """The members of the domain that a variable is a function of; just 0 where there is none."""
    return range(book.domains[variable.domain].size if variable.domain else 1)


def span(book: RuleBook, selection: Selection, variable: Variable) -> range | None:
    """The numbers that a variable can have, the last included; None where it has no range or is no number."""
    if variable.low is None or variable.high is None:
        return None
    text = Symbolic(book, selection, {})
    low, high = text.term(variable.low, {}), text.term(variable.high, {})
    assert isinstance(low, Pick)  # noqa: S101 the ends of a range are known
    assert isinstance(high, Pick)  # noqa: S101
    return range(min(low.guards), max(high.guards) + 1)


def any_value(book: RuleBook, selection: Selection, variable: Variable, name: str) -> tuple[Symbol, Guard]:
    """A value of the variable's type that the solver may choose, and the condition on what it chooses."""
    type_, numbers = variable.type, span(book, selection, variable)
    if type_.many:
        size = book.domains[type_.base].size
        return Bits({at: z3.Bool(f"{name} has {_called(book, type_, at)}") for at in range(size)}), True
    if type_.base == "bool":
        held = z3.Bool(name)
        return v.truth(held), True
    if numbers is None and type_.base == "int":
        return Number(z3.Int(name)), True
    options = list(numbers if numbers is not None else range(book.domains[type_.base].size))
    options += [NONE] if type_.optional else []
    guards: dict[int, Guard] = {at: z3.Bool(f"{name} is {_called(book, type_, at)}") for at in options}
    return Pick(guards), conj(any_of(guards.values()), at_most_one(guards.values()))


def _called(book: RuleBook, type_: Type, at: int) -> str:
    if at == NONE:
        return "none"
    return book.domains[type_.base].values[at].code if type_.base in book.domains else str(at)


def any_state(book: RuleBook, selection: Selection, name: str = "") -> tuple[Symbolic, Guard]:
    """A state in which every variable has been given, and the condition that each has one value of its type."""
    values: Values = {}
    conditions: list[Guard] = []
    for variable in book.variables.values():
        for at in places(book, variable):
            label = f"{name}{variable.name}({at})" if variable.domain else f"{name}{variable.name}"
            values[variable.name, at], condition = any_value(book, selection, variable, label)
            conditions.append(condition)
    return Symbolic(book, selection, values), all_of(conditions)


def known_state(state: State, selection: Selection) -> Symbolic:
    """A state of the interpreter. Its values must all be known."""
    return Symbolic(state.rules.book, selection, known_values(state))


def known_values(state: State) -> Values:
    """The values of a state of the interpreter."""
    values: Values = {}
    for variable in state.rules.book.variables.values():
        offset = state.rules.slots[variable.name].offset
        for at in places(state.rules.book, variable):
            answer = state.values[offset + at]
            values[variable.name, at] = _known(state.rules.book, variable.type, answer)
    return values


def _known(book: RuleBook, type_: Type, answer: object) -> Symbol:
    if isinstance(answer, Missing) or not isinstance(answer, int):
        raise ValueError("the value of a variable is not known")
    if type_.many:
        return v.bits(answer, book.domains[type_.base].size)
    if type_.base == "bool":
        return Truth(bool(answer), not answer)
    return v.pick(answer)


def state_in(model: z3.ModelRef, rules: Rules, values: Mapping[tuple[str, int], Symbol]) -> State:
    """The state that a model has chosen, for the interpreter."""
    answers: list[int | tuple[int, ...]] = [NONE] * sum(slot.width for slot in rules.slots.values())
    for observation in rules.lists:
        answers[rules.slots[observation.name].offset] = ()
    for variable in rules.book.variables.values():
        offset = rules.slots[variable.name].offset
        for at in places(rules.book, variable):
            answers[offset + at] = value_in(model, values[variable.name, at])
    return State(rules, tuple(answers))


def value_in(model: z3.ModelRef, symbol: Symbol) -> int:
    """The value that a model has chosen; NONE where there is none."""
    match symbol:
        case Truth():
            return int(holds_in(model, symbol.yes))
        case Bits():
            return sum(1 << at for at, guard in symbol.guards.items() if holds_in(model, guard))
        case Pick():
            return next((at for at, guard in symbol.guards.items() if holds_in(model, guard)), NONE)
        case Number():
            return int(model.eval(symbol.value, model_completion=True).as_long())
