"""Expressions as written: the strict subset of CEL that the rule language uses.

    integers  true false  names  Type.value  [a, b]  f(x)  s.method(x)  s.all(v, …)  s.exists exists_one filter
    ! -   * + -   < <= > >= == != in   &&   ||   ?:

A comparison cannot be chained, and there are no strings, floats, maps or indexing. Each node knows the offset of
the character at which it, or its operator, stands.
"""

import re
from dataclasses import dataclass, field
from typing import NoReturn, TypeAlias

_TOKEN = re.compile(
    r"\s*(?:(?P<word>\d*[A-Za-z_]\w*)|(?P<int>\d+)|(?P<sign>&&|\|\||[<>=!]=|[-+*!<>?:.,()\[\]]))", re.ASCII
)
_QUOTED = re.compile(r"(?P<quote>['\"])(?P<text>.*?)(?P=quote)")
_ALMOST = {"=": "==", "&": "&&", "|": "||"}  # signs of other languages, and what they are here
_COMPARISONS = ("==", "!=", "<=", ">=", "<", ">", "in")
QUANTIFIERS = ("all", "exists", "exists_one", "filter")
_DEEPEST = 60
_LONGEST_INTEGER = 15
_LONGEST = 400  # words and signs; a chain of operators nests to the left, so its length must have an end too
_SHORTER = "a definition of its own for a part of it"


class ExpressionError(Exception):
    """Text that is no expression; `offset` is where, from 0."""

    def __init__(
        self, offset: int, what: str, found: str | None = None, expected: str | None = None, meant: str | None = None
    ):
        self.offset, self.what, self.found, self.expected, self.meant = offset, what, found, expected, meant
        super().__init__(what)


class QuotedTextError(ExpressionError):
    """A `text` in quotes, probably meant for a value."""

    def __init__(self, offset: int, found: str, text: str):
        self.text = text
        super().__init__(offset, "values are written without quotes", found, "Type.value")


@dataclass(frozen=True)
class Integer:
    value: int
    at: int = field(compare=False)


@dataclass(frozen=True)
class Truth:
    value: bool
    at: int = field(compare=False)


@dataclass(frozen=True)
class Name:
    name: str
    at: int = field(compare=False)


@dataclass(frozen=True)
class Constant:
    """`Type.value`."""

    domain: str
    value: str
    at: int = field(compare=False)


@dataclass(frozen=True)
class Items:
    items: tuple["Expression", ...]
    at: int = field(compare=False)


@dataclass(frozen=True)
class Call:
    function: str
    arguments: tuple["Expression", ...]
    at: int = field(compare=False)


@dataclass(frozen=True)
class Method:
    target: "Expression"
    method: str
    arguments: tuple["Expression", ...]
    at: int = field(compare=False)


@dataclass(frozen=True)
class Quantifier:
    target: "Expression"
    quantifier: str
    variable: str
    body: "Expression"
    at: int = field(compare=False)


@dataclass(frozen=True)
class Unary:
    operator: str
    operand: "Expression"
    at: int = field(compare=False)


@dataclass(frozen=True)
class Binary:
    operator: str
    left: "Expression"
    right: "Expression"
    at: int = field(compare=False)


@dataclass(frozen=True)
class Conditional:
    condition: "Expression"
    then: "Expression"
    otherwise: "Expression"
    at: int = field(compare=False)


Expression: TypeAlias = (
    Integer | Truth | Name | Constant | Items | Call | Method | Quantifier | Unary | Binary | Conditional
)


@dataclass(frozen=True)
class _Token:
    kind: str
    text: str
    at: int


def _tokens(text: str) -> list[_Token]:
    tokens = []
    position = 0
    while text[position:].strip():
        match = _TOKEN.match(text, position)
        if match is None:
            at = position + len(text[position:]) - len(text[position:].lstrip())
            if quoted := _QUOTED.match(text, at):
                raise QuotedTextError(at, quoted[0], quoted["text"])
            meant = _ALMOST.get(text[at])
            raise ExpressionError(at, "not part of the expression language", repr(text[at]), meant=meant)
        kind = match.lastgroup or ""
        tokens.append(_Token(kind, match[kind], match.start(kind)))
        if len(tokens) > _LONGEST:
            raise ExpressionError(match.start(kind), f"longer than {_LONGEST} words and signs", expected=_SHORTER)
        position = match.end()
    tokens.append(_Token("end", "the end", len(text.rstrip())))
    return tokens


class _Parser:
    """Recursive descent, one method a level of precedence, loosest first."""

    def __init__(self, text: str):
        self.tokens = _tokens(text)
        self.index = 0
        self.depth = 0

    @property
    def token(self) -> _Token:
        return self.tokens[self.index]

    def fail(self, expected: str) -> NoReturn:
        raise ExpressionError(self.token.at, "the expression does not go on like this", self.token.text, expected)

    def take(self, *texts: str) -> _Token | None:
        token = self.token
        if token.kind != "end" and token.text in texts:
            self.index += 1
            return token
        return None

    def need(self, text: str) -> _Token:
        return self.take(text) or self.fail(text)

    def name(self) -> _Token:
        if self.token.kind != "word":
            self.fail("a name")
        self.index += 1
        return self.tokens[self.index - 1]

    def conditional(self) -> Expression:
        self.depth += 1
        if self.depth > _DEEPEST:
            raise ExpressionError(self.token.at, f"nested more than {_DEEPEST} levels deep", expected=_SHORTER)
        condition = self.disjunction()
        if token := self.take("?"):
            then = self.disjunction()
            self.need(":")
            condition = Conditional(condition, then, self.conditional(), token.at)
        self.depth -= 1
        return condition

    def disjunction(self) -> Expression:
        left = self.conjunction()
        while token := self.take("||"):
            left = Binary("||", left, self.conjunction(), token.at)
        return left

    def conjunction(self) -> Expression:
        left = self.comparison()
        while token := self.take("&&"):
            left = Binary("&&", left, self.comparison(), token.at)
        return left

    def comparison(self) -> Expression:
        left = self.addition()
        if token := self.take(*_COMPARISONS):
            left = Binary(token.text, left, self.addition(), token.at)
            if self.token.text in _COMPARISONS:
                raise ExpressionError(
                    self.token.at, "comparisons cannot be chained", self.token.text, "two comparisons joined by &&"
                )
        return left

    def addition(self) -> Expression:
        left = self.multiplication()
        while token := self.take("+", "-"):
            left = Binary(token.text, left, self.multiplication(), token.at)
        return left

    def multiplication(self) -> Expression:
        left = self.unary()
        while token := self.take("*"):
            left = Binary("*", left, self.unary(), token.at)
        return left

    def unary(self) -> Expression:
        if token := self.take("!", "-"):
            self.depth += 1
            if self.depth > _DEEPEST:
                raise ExpressionError(token.at, f"nested more than {_DEEPEST} levels deep", expected=_SHORTER)
            operand = Unary(token.text, self.unary(), token.at)
            self.depth -= 1
            return operand
        return self.member()

    def member(self) -> Expression:
        target = self.primary()
        while self.take("."):
            token = self.name()
            if token.text in QUANTIFIERS:
                target = self.quantifier(target, token)
            elif self.take("("):
                target = Method(target, token.text, self.arguments(")"), token.at)
            elif isinstance(target, Name):
                target = Constant(target.name, token.text, target.at)
            else:
                self.fail("(")
        return target

    def quantifier(self, target: Expression, token: _Token) -> Expression:
        self.need("(")
        variable = self.name()
        self.need(",")
        body = self.conditional()
        self.need(")")
        return Quantifier(target, token.text, variable.text, body, token.at)

    def arguments(self, end: str) -> tuple[Expression, ...]:
        if self.take(end):
            return ()
        arguments = [self.conditional()]
        while self.take(","):
            arguments.append(self.conditional())
        self.need(end)
        return tuple(arguments)

    def primary(self) -> Expression:
        token = self.token
        if token.kind == "int":
            self.index += 1
            if len(token.text) > _LONGEST_INTEGER:
                raise ExpressionError(
                    token.at, "the number is too long", f"{len(token.text)} digits", f"at most {_LONGEST_INTEGER}"
                )
            return Integer(int(token.text), token.at)
        if self.take("true", "false"):
            return Truth(token.text == "true", token.at)
        if self.take("in"):
            self.index -= 1
            self.fail("a value")
        if token.kind == "word":
            self.index += 1
            if self.take("("):
                return Call(token.text, self.arguments(")"), token.at)
            return Name(token.text, token.at)
        if self.take("("):
            inner = self.conditional()
            self.need(")")
            return inner
        if self.take("["):
            return Items(self.arguments("]"), token.at)
        self.fail("a value")


def parse(text: str) -> Expression:
    """The expression in `text`. Raises ExpressionError with the offset of the first token that cannot stand there."""
    parser = _Parser(text)
    expression = parser.conditional()
    if parser.token.kind != "end":
        parser.fail("an operator or the end")
    return expression
