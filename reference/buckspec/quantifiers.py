"""Compiles quantifiers: looked up in a table, unrolled over a small domain, or else a loop over a large one."""

from collections.abc import Callable
from functools import reduce
from typing import TYPE_CHECKING

from buckspec import typed as t
from buckspec.tables import SMALL
from buckspec.types import Domain

if TYPE_CHECKING:
    from buckspec.compile import Emitter, Env

_LIGHT = 7  # nodes of a condition that costs no more than the test that would skip it
_MEMBER = "member of"  # no name that rules can have
_LOOP = "m_"  # how the variables of loops begin


def quantified(emit: "Emitter", term: t.Each, env: "Env") -> str:
    """Source for a quantifier. Lines that have to come before it are written first."""
    domain = emit.domain(term.variable.type)
    if domain.size <= SMALL:
        with emit.knowing(emit.depend.of_members(term.target, term.variable.name)):
            return _smallest(emit, term, domain, env) or _unrolled(emit, term, domain, env)
    table = emit.table(term.body, term.variable, env, as_mask=True)
    if table is None:
        return _loop(emit, term, domain, env)
    target = emit.expression(term.target, env)
    match term.quantifier:
        case "exists":
            return f"({target} & {table} != 0)"
        case "all":
            return f"({target} & ~{table} == 0)"
        case "filter":
            return f"({target} & {table})"
    return f"(({target} & {table}).bit_count() == 1)"


def _loop(emit: "Emitter", term: t.Each, domain: Domain, env: "Env") -> str:
    """A generator over the members of a set of a large domain."""
    name = f"{_LOOP}{term.variable.name}"
    target = emit.expression(term.target, env)
    for node in t.walk(term.body):  # the definitions that it needs are worked out before
        if isinstance(node, t.Use) and node.argument is None:
            emit.use(node, {})
    body = emit.expression(term.body, {**env, term.variable.name: name})
    bits = emit.bits(domain)
    source = f"for {name} in range({domain.size}) if {target} & {bits}[{name}]"
    match term.quantifier:
        case "all":
            return f"all({body} {source})"
        case "exists":
            return f"any({body} {source})"
        case "exists_one":
            return f"(sum(bool({body}) {source}) == 1)"
    return f"sum({bits}[{name}] {source} and {body})"


def _unrolled(emit: "Emitter", term: t.Each, domain: Domain, env: "Env") -> str:
    """One condition for each member of a small domain."""
    full = isinstance(term.target, t.Const) and term.target.value == domain.full
    target = "" if full else emit.named(emit.expression(term.target, env))
    parts = emit.open(term.body)
    light = sum(len(t.walk(part)) for part in parts) <= _LIGHT
    write = emit.condition if term.quantifier in ("filter", "exists_one") else emit.expression
    bodies = _for_each(emit, reduce(t.Both, parts), term.variable, domain, env, write)
    pairs = [(f"{target} & {1 << index}", body) for index, body in enumerate(bodies)]
    match term.quantifier:
        case "all":
            return "(" + " and ".join(body if full else f"(not {test} or {body})" for test, body in pairs) + ")"
        case "exists":
            return "(" + " or ".join(body if full else f"({test} and {body})" for test, body in pairs) + ")"
    guarded = [body if full or light else f"{test} and {body}" for test, body in pairs]
    mask = "(" + " | ".join(f"({1 << index} if {body} else 0)" for index, body in enumerate(guarded)) + ")"
    if light and not full:
        mask = f"({target} & {mask})"
    return mask if term.quantifier == "filter" else f"({mask}.bit_count() == 1)"


def _smallest(emit: "Emitter", term: t.Each, domain: Domain, env: "Env") -> str | None:
    """The members of which something is smallest, if that is all that is asked for.

    Such a filter reads `x.filter(s, x.all(t, f(s) <= f(t)))`, when what is known of every member of x is left out.
    """
    inner = term.body
    if term.quantifier != "filter" or not isinstance(inner, t.Each) or inner.quantifier != "all":
        return None
    if inner.target != term.target or any(name.startswith(_LOOP) for name in env.values()):
        return None
    with emit.knowing(emit.depend.of_members(inner.target, inner.variable.name)):
        asked = emit.open(inner.body)
    match asked:
        case (t.Compare("<=", left, right),) if t.with_local(left, term.variable.name, inner.variable.name) == right:
            pass
        case _:
            return None
    target = emit.named(emit.expression(term.target, env))
    values = _for_each(emit, left, term.variable, domain, env, emit.expression)
    found, least, this = (emit.temporary(stem) for stem in ("found", "least", "this"))
    emit.line(f"{found} = 0")
    for index, value in enumerate(values):
        with emit.block(f"if {target} & {1 << index}:"):
            emit.line(f"{this} = {value}")
            with emit.block(f"if not {found} or {this} < {least}:"):
                emit.line(f"{found}, {least} = {1 << index}, {this}")
            with emit.block(f"elif {this} == {least}:"):
                emit.line(f"{found} |= {1 << index}")
    return found


def _for_each(
    emit: "Emitter",
    term: t.Term,
    variable: t.Local,
    domain: Domain,
    env: "Env",
    write: "Callable[[t.Term, Env], str]",
) -> list[str]:
    """Source for a term, for each value of a variable over a small domain."""
    row = _row(emit, term, variable, env)
    return [
        write(term, {**env, variable.name: str(index)}) if row is None else f"{row[0]}[v_{row[1]}[{index}]]"
        for index in range(domain.size)
    ]


def _row(emit: "Emitter", term: t.Term, variable: t.Local, env: "Env") -> tuple[str, str] | None:
    """A table of what the term is for each value of a state variable, and that variable, if it depends on no other.

    So `suit_of(table(s))` depends on `s` only through `table`, which holds one of the cards.
    """
    nodes = t.walk(term)
    reads = {node for node in nodes if isinstance(node, t.Read) and node.index == variable}
    names = {read.variable for read in reads}
    if len(names) != 1 or not any(isinstance(node, t.Use | t.Look) for node in nodes):
        return None
    name = names.pop()
    member = t.Local(_MEMBER, emit.rules.book.variables[name].type)
    inner = t.rewritten(term, lambda part: member if part in reads else None)
    if member.type.many or member.type.base not in emit.rules.book.domains or variable in t.walk(inner):
        return None
    table = emit.table(inner, member, env, as_mask=False)
    return None if table is None else (emit.named(table), name)
