"""Checked expressions: every name resolved, every node with its type.

`check` makes them; `evaluate` and `compile` have the same cases in the same order.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields, replace
from typing import Any, TypeAlias

from buckspec.types import BOOL, INT, Type


@dataclass(frozen=True)
class Const:
    """A number, a truth value, a member of a domain, `none`, or a constant set."""

    value: int
    type: Type


@dataclass(frozen=True)
class Parameter:
    """A parameter of the profile."""

    name: str
    type: Type = INT


@dataclass(frozen=True)
class Local:
    """A quantified variable, the argument of a definition, or what an event is about (`actor`, `card` …)."""

    name: str
    type: Type


@dataclass(frozen=True)
class Read:
    """A state variable, of one member of its domain where it has one."""

    variable: str
    index: "Term | None"
    type: Type


@dataclass(frozen=True)
class Use:
    """A definition."""

    definition: str
    argument: "Term | None"
    type: Type


@dataclass(frozen=True)
class Look:
    """A fixed table over a domain: an attribute (`suit(card)`) or a place in an order (`plain_order(rank)`)."""

    table: str
    argument: "Term"
    type: Type


@dataclass(frozen=True)
class Collect:
    """The set of the items."""

    items: tuple["Term", ...]
    type: Type


@dataclass(frozen=True)
class Left:
    """The member of a circular domain that is `steps` after `start`."""

    start: "Term"
    steps: "Term"
    type: Type


@dataclass(frozen=True)
class Sum:
    """The sum of a variable or definition over the domain that it is a function of."""

    function: str
    is_variable: bool
    domain: str
    type: Type = INT


@dataclass(frozen=True)
class Size:
    target: "Term"
    type: Type = INT


@dataclass(frozen=True)
class With:
    """The set and one more member."""

    target: "Term"
    element: "Term"
    type: Type


@dataclass(frozen=True)
class Without:
    """The set less one member."""

    target: "Term"
    element: "Term"
    type: Type


@dataclass(frozen=True)
class Only:
    """The one member of a set; undefined for a set of any other size."""

    target: "Term"
    type: Type


@dataclass(frozen=True)
class FirstFrom:
    """The first member of a set going round from `start`; undefined for an empty set."""

    target: "Term"
    start: "Term"
    type: Type


@dataclass(frozen=True)
class Each:
    """`all`, `exists`, `exists_one` or `filter` over the members of a set."""

    target: "Term"
    quantifier: str
    variable: Local
    body: "Term"
    type: Type


@dataclass(frozen=True)
class Not:
    operand: "Term"
    type: Type = BOOL


@dataclass(frozen=True)
class Negative:
    operand: "Term"
    type: Type = INT


@dataclass(frozen=True)
class Arithmetic:
    operator: str
    left: "Term"
    right: "Term"
    type: Type = INT


@dataclass(frozen=True)
class Compare:
    operator: str
    left: "Term"
    right: "Term"
    type: Type = BOOL


@dataclass(frozen=True)
class Equal:
    left: "Term"
    right: "Term"
    negated: bool
    type: Type = BOOL


@dataclass(frozen=True)
class Among:
    element: "Term"
    target: "Term"
    type: Type = BOOL


@dataclass(frozen=True)
class Both:
    left: "Term"
    right: "Term"
    type: Type = BOOL


@dataclass(frozen=True)
class Either:
    left: "Term"
    right: "Term"
    type: Type = BOOL


@dataclass(frozen=True)
class Choice:
    condition: "Term"
    then: "Term"
    otherwise: "Term"
    type: Type


Term: TypeAlias = (
    Const
    | Parameter
    | Local
    | Read
    | Use
    | Look
    | Collect
    | Left
    | Sum
    | Size
    | With
    | Without
    | Only
    | FirstFrom
    | Each
    | Not
    | Negative
    | Arithmetic
    | Compare
    | Equal
    | Among
    | Both
    | Either
    | Choice
)


def parts(term: Term) -> tuple[Term, ...]:
    """The terms directly inside a term, in the order written."""
    match term:
        case Const() | Parameter() | Local() | Sum():
            return ()
        case Read(index=inner) | Use(argument=inner):
            return () if inner is None else (inner,)
        case Look(argument=inner) | Size(target=inner) | Only(target=inner):
            return (inner,)
        case Collect():
            return term.items
        case Left():
            return term.start, term.steps
        case With() | Without():
            return term.target, term.element
        case FirstFrom():
            return term.target, term.start
        case Each():
            return term.target, term.body
        case Not() | Negative():
            return (term.operand,)
        case Arithmetic() | Compare() | Equal() | Both() | Either():
            return term.left, term.right
        case Among():
            return term.element, term.target
        case Choice():
            return term.condition, term.then, term.otherwise


def walk(term: Term) -> "list[Term]":
    """The term and every term inside it, outermost first."""
    found = [term]
    for part in parts(term):
        found += walk(part)
    return found


def definitions_in(terms: Iterable[Term]) -> set[str]:
    """The definitions that terms name; those on which these depend in turn are not among them."""
    inner = [node for term in terms for node in walk(term)]
    named = {node.definition for node in inner if isinstance(node, Use)}
    return named | {node.function for node in inner if isinstance(node, Sum) and not node.is_variable}


def rewritten(term: Term, change: Callable[[Term], Term | None]) -> Term:
    """The term with parts replaced: `change` gives what a part becomes, or None to look inside it."""
    changed = change(term)
    if changed is not None:
        return changed
    inner: dict[str, Any] = {}
    for field in fields(term):
        value = getattr(term, field.name)
        if isinstance(value, tuple):
            inner[field.name] = tuple(rewritten(item, change) for item in value)
        elif isinstance(value, Term) and field.name != "variable":
            inner[field.name] = rewritten(value, change)
    return replace(term, **inner) if inner else term


def conjuncts(term: Term) -> tuple[Term, ...]:
    """The conditions that a condition joins by “and”."""
    return (*conjuncts(term.left), *conjuncts(term.right)) if isinstance(term, Both) else (term,)


def with_local(term: Term, name: str, other: str) -> Term:
    """The term with another name for a local one."""

    def change(part: Term) -> Term | None:
        return Local(other, part.type) if isinstance(part, Local) and part.name == name else None

    return rewritten(term, change)
