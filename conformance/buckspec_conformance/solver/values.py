"""Values that are not known yet: what an expression is worth for each assignment that a solver may choose.

Each says where it exists (`defined`); what else it says counts only there.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TypeAlias

import z3

from buckspec.types import NONE
from buckspec_conformance.solver.guards import Guard, all_of, any_of, conj, counted, disj, either, equal, neg


@dataclass(frozen=True)
class Truth:
    """A truth value: where it is true, and where it is false. Where neither, it is undefined."""

    yes: Guard
    no: Guard

    @property
    def defined(self) -> Guard:
        return disj(self.yes, self.no)


@dataclass(frozen=True)
class Pick:
    """A member of a domain, `none`, or a number of a small range: for each value where it is this one."""

    guards: Mapping[int, Guard]
    defined: Guard = True


@dataclass(frozen=True)
class Bits:
    """A set: for each member of the domain that may be in it, where it is.

    `made` says from which sets it was made, if from any: then its size follows from theirs, which a solver would have
    to find out by counting anew.
    """

    guards: Mapping[int, Guard]
    defined: Guard = True
    made: "Changed | Joined | None" = field(default=None, repr=False, compare=False)

    @cached_property
    def sizes(self) -> Mapping[int, Guard]:
        """How many members it has: for each number where it is this one."""
        return counted(self.guards.values()) if self.made is None else self.made.sizes()


@dataclass(frozen=True)
class Changed:
    """A set that one member came to (`step` 1) or left (-1) where the guard holds, and which is as it was elsewhere."""

    target: Bits
    where: Guard
    step: int

    def sizes(self) -> dict[int, Guard]:
        """The sizes of the target, each a step on where it changed."""
        known = self.target.sizes
        return _sizes(
            (count, either(self.where, known.get(count - self.step, False), known.get(count, False)))
            for count in {*known, *(count + self.step for count in known)}
            if count >= 0
        )


@dataclass(frozen=True)
class Joined:
    """One of several sets: that whose guard holds. No two guards hold at once."""

    cases: tuple[tuple[Guard, Bits], ...]

    def sizes(self) -> dict[int, Guard]:
        """The sizes of the one set."""
        counts = {count for _, each in self.cases for count in each.sizes}
        return _sizes(
            (count, any_of(conj(guard, each.sizes.get(count, False)) for guard, each in self.cases)) for count in counts
        )


def _sizes(found: Iterable[tuple[int, Guard]]) -> dict[int, Guard]:
    return {count: guard for count, guard in sorted(found, key=lambda pair: pair[0]) if guard is not False}


@dataclass(frozen=True)
class Number:
    """A number of any size."""

    value: z3.ArithRef
    defined: Guard = True


Symbol: TypeAlias = Truth | Pick | Bits | Number

UNDEFINED_TRUTH = Truth(False, False)


def truth(guard: Guard, defined: Guard = True) -> Truth:
    """A truth value that is true where the guard holds, and false elsewhere."""
    return Truth(conj(guard, defined), conj(neg(guard), defined))


def pick(value: int) -> Pick:
    """A value that is known."""
    return Pick({value: True})


def bits(mask: int, size: int) -> Bits:
    """A set that is known."""
    return Bits({member: True for member in range(size) if mask >> member & 1})


def number(symbol: Symbol) -> Number:
    """A number as one expression."""
    if isinstance(symbol, Number):
        return symbol
    assert isinstance(symbol, Pick)  # noqa: S101 the checker admits nothing else
    values = sorted(symbol.guards.items())
    if not values:
        return Number(z3.IntVal(0), False)
    value = z3.IntVal(values[-1][0])
    for candidate, guard in reversed(values[:-1]):
        value = (
            z3.If(guard, z3.IntVal(candidate), value)
            if not isinstance(guard, bool)
            else (z3.IntVal(candidate) if guard else value)
        )
    return Number(value, symbol.defined)


def at(symbol: Symbol, value: int) -> Guard:
    """Where a value is this one."""
    if isinstance(symbol, Truth):
        return symbol.yes if value else symbol.no
    assert isinstance(symbol, Pick)  # noqa: S101
    return symbol.guards.get(value, False)


def alike(one: Symbol, other: Symbol) -> Guard:
    """Where two values that exist are equal."""
    match one, other:
        case Truth(), Truth():
            return disj(conj(one.yes, other.yes), conj(one.no, other.no))
        case Bits(), Bits():
            return all_of(
                equal(one.guards.get(member, False), other.guards.get(member, False))
                for member in {**one.guards, **other.guards}
            )
        case Pick(), Pick():
            return any_of(conj(guard, other.guards.get(value, False)) for value, guard in one.guards.items())
    return number(one).value == number(other).value


def merged(cases: Iterable[tuple[Guard, Symbol]], empty: Symbol) -> Symbol:
    """The value of the one case whose guard holds; undefined where none does. No two guards may hold at once."""
    left = [(guard, symbol) for guard, symbol in cases if guard is not False]
    if not left:
        return undefined(empty)
    if len(left) == 1 and left[0][0] is True:
        return left[0][1]
    defined = any_of(conj(guard, symbol.defined) for guard, symbol in left)
    first = left[0][1]
    if any(isinstance(symbol, Number) for _, symbol in left):
        value = number(left[-1][1]).value
        for guard, symbol in reversed(left[:-1]):
            value = z3.If(guard, number(symbol).value, value) if not isinstance(guard, bool) else number(symbol).value
        return Number(value, defined)
    if isinstance(first, Truth):
        return Truth(
            any_of(conj(guard, symbol.yes) for guard, symbol in left if isinstance(symbol, Truth)),
            any_of(conj(guard, symbol.no) for guard, symbol in left if isinstance(symbol, Truth)),
        )
    parts: dict[int, list[Guard]] = {}
    for guard, symbol in left:
        if isinstance(symbol, Pick | Bits):
            for value, inner in symbol.guards.items():
                parts.setdefault(value, []).append(conj(guard, inner))
    joined = {value: any_of(guards) for value, guards in parts.items()}
    kept = {value: guard for value, guard in joined.items() if guard is not False}
    if isinstance(first, Pick):
        return Pick(kept, defined)
    return Bits(kept, defined, Joined(tuple((guard, symbol) for guard, symbol in left if isinstance(symbol, Bits))))


def undefined(like: Symbol) -> Symbol:
    """No value, of the kind of another."""
    match like:
        case Truth():
            return UNDEFINED_TRUTH
        case Pick():
            return Pick({}, False)
        case Bits():
            return Bits({}, False)
        case Number():
            return Number(like.value, False)


def chosen(condition: Guard, then: Symbol, otherwise: Symbol) -> Symbol:
    """One value where the condition holds, the other where it does not."""
    if isinstance(condition, bool):
        return then if condition else otherwise
    if then is otherwise:
        return then
    if isinstance(then, Truth) and isinstance(otherwise, Truth):
        return Truth(either(condition, then.yes, otherwise.yes), either(condition, then.no, otherwise.no))
    if isinstance(then, Number) or isinstance(otherwise, Number):
        one, other = number(then), number(otherwise)
        return Number(z3.If(condition, one.value, other.value), either(condition, one.defined, other.defined))
    assert isinstance(then, Pick | Bits)  # noqa: S101
    assert isinstance(otherwise, Pick | Bits)  # noqa: S101
    parts = {
        value: either(condition, then.guards.get(value, False), otherwise.guards.get(value, False))
        for value in {**then.guards, **otherwise.guards}
    }
    defined = either(condition, then.defined, otherwise.defined)
    if isinstance(then, Bits) and isinstance(otherwise, Bits):
        return Bits(parts, defined, Joined(((condition, then), (neg(condition), otherwise))))
    return Pick(parts, defined)


def restricted(symbol: Symbol, where: Guard) -> Symbol:
    """The same value, undefined where the guard does not hold."""
    if where is True:
        return symbol
    if isinstance(symbol, Truth):
        return Truth(conj(symbol.yes, where), conj(symbol.no, where))
    return replace(symbol, defined=conj(symbol.defined, where))


def not_none(symbol: Pick) -> Pick:
    """A value that may be `none`, where a value is asked for: undefined where it is."""
    if NONE not in symbol.guards:
        return symbol
    rest = {value: guard for value, guard in symbol.guards.items() if value != NONE}
    return Pick(rest, conj(symbol.defined, neg(symbol.guards[NONE])))
