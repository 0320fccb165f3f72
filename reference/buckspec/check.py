"""The type checker: turns an expression as written into a checked one, or says what is wrong with it.

An option (`T or none`) can be used as a `T` only where its presence is known: to the right of `x != none &&`, in the
`that` below such an `applies`, in the `is` below such a `when`. At least one side of `==` must not be an option, since
`none == none` is true and seldom meant.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import NoReturn, TypeVar

from buckspec import typed as t
from buckspec.problem import listed, nearest
from buckspec.symbols import Signature, Symbols
from buckspec.syntax import (
    Binary,
    Call,
    Conditional,
    Constant,
    Expression,
    ExpressionError,
    Integer,
    Items,
    Method,
    Name,
    Quantifier,
    Truth,
    Unary,
)
from buckspec.types import BOOL, EMPTY, INT, NONE, NOTHING, Domain, Type

_METHODS = ("size", "add", "remove", "only", "first_from", "all", "exists", "exists_one", "filter")
_TRUTHS = {"no": "false", "off": "false", "false": "false", "yes": "true", "on": "true", "true": "true"}
_NOTHING = Name("none", 0)
_MEMBER = Type("a value of a domain")
_Entry = TypeVar("_Entry")


class CheckError(ExpressionError):
    """A fault in an expression's names or types."""


@dataclass(frozen=True)
class Scope:
    """What an expression can see: the rule book's symbols, local names, and which options are known to be present.

    `names` are further names with what they stand for. `not_here` says of names that other expressions can use why
    this one cannot. Where `by_number` is set, a member of a circle can be named by its number, as in a log.
    """

    symbols: Symbols
    locals: Mapping[str, Type]
    present: frozenset[Expression] = frozenset()
    names: Mapping[str, t.Term] = field(default_factory=dict)
    not_here: Mapping[str, str] = field(default_factory=dict)
    by_number: bool = False

    def knowing(self, *conditions: tuple[Expression, bool]) -> "Scope":
        """The scope below conditions that are true (or false)."""
        known = self.present.union(*(facts(condition, truth) for condition, truth in conditions))
        return replace(self, present=known)


def facts(condition: Expression, truth: bool) -> frozenset[Expression]:
    """The options that must be present if the condition has this truth value."""
    match condition:
        case Binary("!=" | "==" as operator, left, right) if truth == (operator == "!="):
            return frozenset([left] if right == _NOTHING else [right] if left == _NOTHING else [])
        case Binary("&&", left, right) if truth:
            return facts(left, True) | facts(right, True)
        case Binary("||", left, right) if not truth:
            return facts(left, False) | facts(right, False)
        case Unary("!", operand):
            return facts(operand, not truth)
        case _:
            return frozenset()


def check(expression: Expression, scope: Scope, wanted: Type) -> t.Term:
    """The checked form of the expression, which must be of the wanted type. Raises CheckError."""
    term = _numbered(expression, wanted, scope) or _check(expression, scope)
    if not wanted.accepts(term.type):
        _mismatch(expression, term.type, wanted)
    return term


def _mismatch(expression: Expression, found: Type, wanted: Type) -> NoReturn:
    if wanted.accepts(found.certain) and found.optional:
        raise CheckError(
            expression.at,
            "this can be none here",
            str(found),
            f"a condition such as “… != none &&” before it, to make it a {wanted}",
        )
    raise CheckError(expression.at, "a value of the wrong type", str(found), str(wanted))


def _check(expression: Expression, scope: Scope) -> t.Term:
    match expression:
        case Integer():
            return t.Const(expression.value, INT)
        case Truth():
            return t.Const(int(expression.value), BOOL)
        case Name():
            return _certain(expression, _name(expression, scope), scope)
        case Constant():
            return _constant(expression, scope)
        case Items():
            return _items(expression, scope)
        case Call():
            return _certain(expression, _call(expression, scope), scope)
        case Method():
            return _method(expression, scope)
        case Quantifier():
            return _quantifier(expression, scope)
        case Unary("!"):
            return t.Not(check(expression.operand, scope, BOOL))
        case Unary():
            return t.Negative(check(expression.operand, scope, INT))
        case Binary():
            return _binary(expression, scope)
        case Conditional():
            return _conditional(expression, scope)


def _numbered(expression: Expression, wanted: Type, scope: Scope) -> t.Const | None:
    """The member of a circle that a number stands for; None where it is a number like any other."""
    domain = scope.symbols.domains.get(wanted.base)
    if not isinstance(expression, Integer) or not scope.by_number or domain is None or not domain.circular:
        return None
    if expression.value >= domain.size:
        raise CheckError(
            expression.at, f"there is no such {domain.name}", str(expression.value), f"0 to {domain.size - 1}"
        )
    return t.Const(expression.value, Type(domain.name))


def _certain(expression: Expression, term: t.Term, scope: Scope) -> t.Term:
    """The term without its option where the scope knows that it is present."""
    if expression in scope.present and isinstance(term, t.Read | t.Use | t.Local):
        return replace(term, type=term.type.certain)
    return term


def _name(expression: Name, scope: Scope) -> t.Term:
    name, symbols = expression.name, scope.symbols
    if name in scope.locals:
        return t.Local(name, scope.locals[name])
    if name == "none":
        return t.Const(NONE, NOTHING)
    if name == "empty":
        return t.Const(0, EMPTY)
    if name in symbols.plurals:
        domain = symbols.plurals[name]
        return t.Const(domain.full, Type(domain.name, many=True))
    if name in symbols.parameters:
        return t.Parameter(name)
    for held, make in ((symbols.variables, t.Read), (symbols.definitions, t.Use)):
        if name in held:
            if held[name].domain is not None:
                raise CheckError(expression.at, "an argument is missing", name, f"{name}(a {held[name].domain})")
            return make(name, None, held[name].type)
    if name in symbols.functions():
        raise CheckError(expression.at, "an argument is missing", name, f"{name}(…)")
    if name in scope.names:
        return scope.names[name]
    raise _unknown(expression, scope)


def _unknown(expression: Name, scope: Scope) -> CheckError:
    name = expression.name
    if name in scope.not_here:
        return CheckError(expression.at, scope.not_here[name], name)
    if name.lower() in _TRUTHS:
        return CheckError(expression.at, "a truth value is written true or false", name, meant=_TRUTHS[name.lower()])
    known = [*scope.locals, *scope.symbols.values(), *scope.names]
    return CheckError(expression.at, "unknown name", name, meant=nearest(name, known))


def _lookup(name: str, at: int, what: str, held: Mapping[str, _Entry]) -> _Entry:
    if name not in held:
        raise CheckError(at, f"unknown {what}", name, meant=nearest(name, held))
    return held[name]


def _constant(expression: Constant, scope: Scope) -> t.Term:
    domain: Domain = _lookup(expression.domain, expression.at, "type", scope.symbols.domains)
    if domain.circular:
        expected = "a rule that is the same for all of them"
        raise CheckError(expression.at, f"a rule cannot name one {domain.name}", expression.value, expected)
    if expression.value not in domain.index:
        meant = nearest(expression.value, domain.index)
        raise CheckError(
            expression.at, f"unknown value of {domain.name}", expression.value, meant=meant and f"{domain.name}.{meant}"
        )
    return t.Const(domain.index[expression.value], Type(domain.name))


def _items(expression: Items, scope: Scope) -> t.Term:
    if not expression.items:
        return t.Const(0, EMPTY)
    circle = next((Type(domain.name) for domain in scope.symbols.domains.values() if domain.circular), INT)
    terms = [_numbered(item, circle, scope) or _check(item, scope) for item in expression.items]
    for item, term in zip(expression.items, terms, strict=True):
        wanted = Type(terms[0].type.base)
        if wanted.base not in scope.symbols.domains or not wanted.accepts(term.type):
            expected = str(wanted) if wanted.base in scope.symbols.domains else "values of one domain"
            raise CheckError(item.at, "a list holds values of one domain", str(term.type), expected)
    return t.Collect(tuple(terms), Type(terms[0].type.base, many=True))


def _arguments(expression: Call | Method, name: str, counts: Iterable[int]) -> None:
    allowed = list(counts)
    if len(expression.arguments) not in allowed:
        expected = " or ".join(str(count) for count in allowed)
        raise CheckError(
            expression.at, f"wrong number of arguments for {name}", str(len(expression.arguments)), expected
        )


def _call(expression: Call, scope: Scope) -> t.Term:
    name, symbols = expression.function, scope.symbols
    if name == "left":
        _arguments(expression, name, (1, 2))
        circle = Type(next(domain.name for domain in symbols.domains.values() if domain.circular))
        start = check(expression.arguments[0], scope, circle)
        steps = check(expression.arguments[1], scope, INT) if expression.arguments[1:] else t.Const(1, INT)
        return t.Left(start, steps, start.type)
    if name == "sum":
        return _sum(expression, scope)
    for held, make in ((symbols.variables, t.Read), (symbols.definitions, t.Use)):
        if name in held:
            signature = held[name]
            if signature.domain is None:
                raise CheckError(expression.at, f"{name} takes no argument", f"{name}(…)", name)
            return make(name, _argument(expression, name, signature, scope), signature.type)
    if name in symbols.tables:
        signature = symbols.tables[name][0]
        return t.Look(name, _argument(expression, name, signature, scope), signature.type)
    raise CheckError(expression.at, "unknown function", name, meant=nearest(name, symbols.functions()))


def _argument(expression: Call, name: str, signature: Signature, scope: Scope) -> t.Term:
    _arguments(expression, name, (1,))
    return check(expression.arguments[0], scope, Type(signature.domain or ""))


def _sum(expression: Call, scope: Scope) -> t.Term:
    _arguments(expression, "sum", (1,))
    argument, symbols = expression.arguments[0], scope.symbols
    for held in (symbols.variables, symbols.definitions):
        if isinstance(argument, Name) and argument.name in held:
            signature = held[argument.name]
            if signature.domain is not None and signature.type == INT:
                return t.Sum(argument.name, held is symbols.variables, signature.domain)
    raise CheckError(
        argument.at,
        "sum takes the bare name of a function that is an int",
        expected="a variable or definition such as name(Seat): int",
    )


def _method(expression: Method, scope: Scope) -> t.Term:
    target = _check(expression.target, scope)
    if not target.type.many or (target.type == EMPTY and expression.method != "size"):
        _mismatch(expression.target, target.type, Type("values", many=True))
    element = Type(target.type.base)
    match expression.method:
        case "size":
            _arguments(expression, "size", (0,))
            return t.Size(target)
        case "add" | "remove":
            _arguments(expression, expression.method, (1,))
            make = t.With if expression.method == "add" else t.Without
            return make(target, check(expression.arguments[0], scope, element), target.type)
        case "only":
            _arguments(expression, "only", (0,))
            return t.Only(target, element)
        case "first_from":
            _arguments(expression, "first_from", (1,))
            if not scope.symbols.domains[element.base].circular:
                raise CheckError(
                    expression.at, "first_from needs a set of things in a circle", str(target.type), "a set of seats"
                )
            return t.FirstFrom(target, check(expression.arguments[0], scope, element), element)
    meant = nearest(expression.method, _METHODS)
    expected = None if meant else listed(_METHODS)
    raise CheckError(expression.at, "unknown method", expression.method, expected, meant)


def _quantifier(expression: Quantifier, scope: Scope) -> t.Term:
    target = _check(expression.target, scope)
    if not target.type.many or target.type == EMPTY:
        _mismatch(expression.target, target.type, Type("values", many=True))
    name = expression.variable
    if name in (*scope.locals, *scope.names, *scope.symbols.values(), *scope.symbols.functions()):
        raise CheckError(expression.at, "the variable hides another name", name, "a name of its own")
    variable = t.Local(name, Type(target.type.base))
    inner = replace(scope, locals={**scope.locals, name: variable.type})
    body = check(expression.body, inner, BOOL)
    return t.Each(
        target, expression.quantifier, variable, body, target.type if expression.quantifier == "filter" else BOOL
    )


def _binary(expression: Binary, scope: Scope) -> t.Term:
    operator, left, right = expression.operator, expression.left, expression.right
    match operator:
        case "+" | "-" | "*":
            return t.Arithmetic(operator, check(left, scope, INT), check(right, scope, INT))
        case "<" | "<=" | ">" | ">=":
            return t.Compare(operator, check(left, scope, INT), check(right, scope, INT))
        case "==" | "!=":
            return _equality(expression, scope)
        case "in":
            target = _check(right, scope)
            element = _numbered(left, target.type, scope) or _check(left, scope)
            if not target.type.many:
                _mismatch(right, target.type, Type(element.type.base, many=True))
            wanted = Type(element.type.base if target.type == EMPTY else target.type.base)
            if not wanted.accepts(element.type) or wanted.base not in scope.symbols.domains:
                _mismatch(left, element.type, wanted if wanted.base in scope.symbols.domains else _MEMBER)
            return t.Among(element, target)
        case "&&":
            return t.Both(check(left, scope, BOOL), check(right, scope.knowing((left, True)), BOOL))
        case _:
            return t.Either(check(left, scope, BOOL), check(right, scope.knowing((left, False)), BOOL))


def _equality(expression: Binary, scope: Scope) -> t.Term:
    left, right = _check(expression.left, scope), _check(expression.right, scope)
    left = _numbered(expression.left, right.type, scope) or left
    right = _numbered(expression.right, left.type, scope) or right
    negated = expression.operator == "!="
    if NOTHING in (left.type, right.type):
        other, at = (right, expression.right) if left.type == NOTHING else (left, expression.left)
        if not other.type.optional or other.type == NOTHING:
            raise CheckError(at.at, "this is never none", str(other.type), "a value that can be none")
        return t.Equal(left, right, negated)
    if left.type.optional and right.type.optional:
        raise CheckError(
            expression.at,
            "both sides can be none",
            f"{left.type}, {right.type}",
            "a condition such as “… != none &&” before it",
        )
    if not left.type.certain.accepts(right.type.certain) and not right.type.certain.accepts(left.type.certain):
        raise CheckError(
            expression.at, "values of different types are compared", f"{left.type}, {right.type}", "two of one type"
        )
    return t.Equal(left, right, negated)


def _conditional(expression: Conditional, scope: Scope) -> t.Term:
    condition = check(expression.condition, scope, BOOL)
    then = _check(expression.then, scope.knowing((expression.condition, True)))
    otherwise = _check(expression.otherwise, scope.knowing((expression.condition, False)))
    kind = _join(then.type, otherwise.type)
    if kind is None:
        raise CheckError(
            expression.at, "the two sides of : are of different types", f"{then.type}, {otherwise.type}", "one type"
        )
    return t.Choice(condition, then, otherwise, kind)


def _join(one: Type, other: Type) -> Type | None:
    """The type that has the values of both."""
    candidates: list[Callable[[], Type]] = [
        lambda: one,
        lambda: other,
        lambda: replace(one, optional=True),
        lambda: replace(other, optional=True),
    ]
    for make in candidates:
        if make().base and make().accepts(one) and make().accepts(other):
            return make()
    return one if one == other else None
