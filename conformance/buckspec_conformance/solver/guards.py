"""Conditions for Z3 that are worked out as far as they can be while they are built.

A guard is a Python truth value where it is known, and a Z3 expression where it is not. So a state that is known gives
answers without a solver, and a state that is known in part gives small formulas.
"""

from collections.abc import Iterable
from typing import TypeAlias

import z3

Guard: TypeAlias = "bool | z3.BoolRef"

_CONTEXT = z3.main_ctx()
_REF = _CONTEXT.ref()


def neg(guard: Guard) -> Guard:
    """Not."""
    if isinstance(guard, bool):
        return not guard
    if z3.Z3_get_decl_kind(_REF, z3.Z3_get_app_decl(_REF, guard.as_ast())) == z3.Z3_OP_NOT:
        return guard.arg(0)
    return z3.BoolRef(z3.Z3_mk_not(_REF, guard.as_ast()), _CONTEXT)


def conj(*guards: Guard) -> Guard:
    """All of them; true of none."""
    return all_of(guards)


def disj(*guards: Guard) -> Guard:
    """One of them at least; false of none."""
    return any_of(guards)


def all_of(guards: Iterable[Guard]) -> Guard:
    """All of them; true of none."""
    kept: dict[int, z3.BoolRef] = {}
    for guard in guards:
        if guard is False:
            return False
        if not isinstance(guard, bool):
            kept[guard.get_id()] = guard
    return _joined(list(kept.values()), True)


def any_of(guards: Iterable[Guard]) -> Guard:
    """One of them at least; false of none."""
    kept: dict[int, z3.BoolRef] = {}
    for guard in guards:
        if guard is True:
            return True
        if not isinstance(guard, bool):
            kept[guard.get_id()] = guard
    return _joined(list(kept.values()), False)


def _joined(guards: list[z3.BoolRef], by_and: bool) -> Guard:
    if not guards:
        return by_and
    if len(guards) == 1:
        return guards[0]
    make = z3.Z3_mk_and if by_and else z3.Z3_mk_or
    array = (z3.Ast * len(guards))(*(guard.as_ast() for guard in guards))
    return z3.BoolRef(make(_REF, len(guards), array), _CONTEXT)


def either(condition: Guard, then: Guard, otherwise: Guard) -> Guard:
    """One guard where the condition holds, the other where it does not."""
    if isinstance(condition, bool):
        return then if condition else otherwise
    if same(then, otherwise):
        return then
    return disj(conj(condition, then), conj(neg(condition), otherwise))


def equal(one: Guard, other: Guard) -> Guard:
    """Both or neither."""
    if isinstance(one, bool):
        return other if one else neg(other)
    if isinstance(other, bool):
        return one if other else neg(one)
    if one.eq(other):
        return True
    return z3.BoolRef(z3.Z3_mk_eq(_REF, one.as_ast(), other.as_ast()), _CONTEXT)


def same(one: Guard, other: Guard) -> bool:
    """Whether two guards are one and the same expression."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    return bool(one.eq(other))


def formula(guard: Guard) -> z3.BoolRef:
    """The guard as Z3 takes it."""
    return z3.BoolVal(guard) if isinstance(guard, bool) else guard


def counted(guards: Iterable[Guard]) -> dict[int, Guard]:
    """How many of them hold: for each number the guard that it is this one."""
    counts: dict[int, Guard] = {0: True}
    for guard in guards:
        if guard is False:
            continue
        grown: dict[int, Guard] = {}
        for count, at in counts.items():
            stays, goes = conj(at, neg(guard)), conj(at, guard)
            if stays is not False:
                grown[count] = disj(grown.get(count, False), stays)
            if goes is not False:
                grown[count + 1] = disj(grown.get(count + 1, False), goes)
        counts = grown
    return counts


def at_most_one(guards: Iterable[Guard]) -> Guard:
    """No two of them."""
    left = [guard for guard in guards if guard is not False]
    if left.count(True) > 1:
        return False
    if True in [guard for guard in left if isinstance(guard, bool)]:
        return neg(any_of(guard for guard in left if guard is not True))
    return True if len(left) < 2 else z3.AtMost(*left, 1)
