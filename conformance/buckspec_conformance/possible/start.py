"""The state before a hand: what is fixed of it, and the rest drawn at random or left to a solver."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random

import z3

from buckspec import interpret
from buckspec import typed as t
from buckspec.rulebook import WHOLE_GAME, Variable
from buckspec.rules import Rules
from buckspec.state import State
from buckspec.types import NONE
from buckspec_conformance.random_hands import deals, is_counted_down
from buckspec_conformance.solver import values as v
from buckspec_conformance.solver.guards import Guard, all_of, any_of, at_most_one
from buckspec_conformance.solver.selection import Selection
from buckspec_conformance.solver.states import Values, any_value, places
from buckspec_conformance.solver.symbolic import Symbolic
from buckspec_conformance.solver.values import Pick, Symbol

_NEAR = 4
"""So near to their end are the totals that are drawn half of the time."""


@dataclass(frozen=True)
class Start:
    """What is fixed. `dealer` is a seat, or None for any; `totals` are given, or those of the rules if None; with
    `any_totals` each is any from 1 to that of the rules."""

    dealer: int | None = None
    totals: tuple[int, ...] | None = None
    any_totals: bool = False


def drawn(rules: Rules, start: Start, rng: Random) -> State:
    """A state before a hand, with what is not fixed drawn at random."""
    given: dict[str, int | Sequence[int]] = {}
    most = _NEAR if rng.random() < 1 / 2 else None
    for variable in rules.book.variables.values():
        if variable.life == WHOLE_GAME and variable.first is None:
            seats = rules.book.domains[variable.type.base].size
            given[variable.name] = rng.randrange(seats) if start.dealer is None else start.dealer
        elif is_counted_down(variable) and (start.totals is not None or start.any_totals):
            width, usual = rules.slots[variable.name].width, rules.parameters[_first(variable)]
            ends = [rng.randint(1, min(usual, most or usual)) for _ in range(width)]
            given[variable.name] = ends if start.totals is None else start.totals
    return interpret.start(rules, given)


def pinned(before: State) -> Start:
    """The start that fixes the dealer and the totals of a state."""
    rules, dealer, totals = before.rules, None, None
    for variable in rules.book.variables.values():
        if variable.life == WHOLE_GAME and variable.first is None:
            dealer = before.known(variable.name)
        elif is_counted_down(variable):
            totals = tuple(before.known(variable.name, at) for at in range(rules.slots[variable.name].width))
    return Start(dealer, totals)


def can_be_dealt(rules: Rules, start: Start) -> bool:
    """Whether a hand can be dealt from there at all: the game is not over."""
    return bool(deals(drawn(rules, start, Random(0))))  # noqa: S311 games, not secrets


def opened(rules: Rules, selection: Selection, start: Start) -> tuple[Values, Guard]:
    """The state before a hand for a solver, and the condition on what it chooses. Numbers are those of the rules."""
    book, conditions = rules.book, list[Guard]()
    values: Values = {}
    for variable in book.variables.values():
        for at in places(book, variable):
            value: Symbol | None = _fixed(variable, at, start, rules.parameters)
            if isinstance(value, Pick):
                conditions += [any_of(value.guards.values()), at_most_one(value.guards.values())]
            elif variable.first is not None:
                domain = book.domains.get(variable.domain or "")
                local = {domain.parameter: v.pick(at)} if domain else {}
                value = Symbolic(book, selection, values).term(variable.first, local)
            elif variable.life == WHOLE_GAME:
                value, condition = any_value(book, selection, variable, f"{variable.name}({at}) at first")
                conditions.append(condition)
            else:
                value = v.pick(NONE)
            values[variable.name, at] = value
    return values, all_of(conditions)


def _fixed(variable: Variable, at: int, start: Start, numbers: Mapping[str, int]) -> Pick | None:
    """What the start says of a value."""
    if variable.life == WHOLE_GAME and variable.first is None:
        return None if start.dealer is None else v.pick(start.dealer)
    if not is_counted_down(variable):
        return None
    if start.totals is not None:
        return v.pick(start.totals[at])
    if not start.any_totals:
        return None
    name = f"{variable.name}({at}) at first"
    return Pick({number: z3.Bool(f"{name} is {number}") for number in range(1, numbers[_first(variable)] + 1)})


def _first(variable: Variable) -> str:
    """The parameter that a number begins with."""
    assert isinstance(variable.first, t.Parameter)  # noqa: S101 such a number is counted down
    return variable.first.name
