"""The grammar of expressions: what binds closer, what is refused and where, and that printing and parsing agree."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from buckspec.syntax import (
    QUANTIFIERS,
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
    parse,
)

COMPARISONS = ("==", "!=", "<=", ">=", "<", ">", "in")


@pytest.mark.parametrize(
    ("written", "means"),
    [
        ("a || b && c", "a || (b && c)"),
        ("a && b || c", "(a && b) || c"),
        ("a || b || c", "(a || b) || c"),
        ("a && b && c", "(a && b) && c"),
        ("a == b && c != d", "(a == b) && (c != d)"),
        ("a + b == c - d", "(a + b) == (c - d)"),
        ("a in b || c", "(a in b) || c"),
        ("a + b in c", "(a + b) in c"),
        ("a - b - c", "(a - b) - c"),
        ("a + b * c", "a + (b * c)"),
        ("a * b + c", "(a * b) + c"),
        ("-a * b", "(-a) * b"),
        ("-a - -b", "(-a) - (-b)"),
        ("!a && b", "(!a) && b"),
        ("!a == b", "(!a) == b"),
        ("!a.exists(x, x)", "!(a.exists(x, x))"),
        ("-a.size()", "-(a.size())"),
        ("a ? b : c ? d : e", "a ? b : (c ? d : e)"),
        ("a || b ? c || d : e || f", "(a || b) ? (c || d) : (e || f)"),
        ("a.all(x, x ? y : z)", "a.all(x, (x ? y : z))"),
        ("f(a, b ? c : d)", "f(a, (b ? c : d))"),
        ("a.filter(x, x).size()", "(a.filter(x, x)).size()"),
        ("[a, b].only()", "([a, b]).only()"),
        ("s.add(Suit.clubs)", "(s).add((Suit.clubs))"),
    ],
)
def test_what_binds_closer(written: str, means: str) -> None:
    assert parse(written) == parse(means)


def test_blanks_and_line_ends_say_nothing() -> None:
    assert parse("a&&b.all(x,x==1)") == parse("  a\n  && b . all ( x , x == 1 )\n")


def test_a_type_with_a_value_is_a_constant() -> None:
    assert parse("Suit.clubs") == Constant("Suit", "clubs", 0)


@pytest.mark.parametrize("written", ["0", "007", "999999999999999"])
def test_a_number_is_decimal(written: str) -> None:
    assert parse(written) == Integer(int(written), 0)


def test_each_part_knows_where_it_stands() -> None:
    expression = parse("ab + c.size() == 12")
    assert isinstance(expression, Binary)
    assert isinstance(expression.left, Binary)
    assert (expression.at, expression.left.at, expression.right.at) == (14, 3, 17)
    assert (expression.left.left.at, expression.left.right.at) == (0, 7)


# What is refused, where, and what would do instead

GOES_ON = "the expression does not go on like this"
SHORTER = "a definition of its own for a part of it"


@pytest.mark.parametrize(
    ("written", "offset", "what", "found", "expected"),
    [
        ("", 0, GOES_ON, "the end", "a value"),
        ("   ", 0, GOES_ON, "the end", "a value"),
        ("a &&", 4, GOES_ON, "the end", "a value"),
        ("a && || b", 5, GOES_ON, "||", "a value"),
        ("a b", 2, GOES_ON, "b", "an operator or the end"),
        ("a)", 1, GOES_ON, ")", "an operator or the end"),
        ("(a", 2, GOES_ON, "the end", ")"),
        ("[a, b", 5, GOES_ON, "the end", "]"),
        ("[a, ]", 4, GOES_ON, "]", "a value"),
        ("f(a", 3, GOES_ON, "the end", ")"),
        ("f(a,)", 4, GOES_ON, ")", "a value"),
        ("a ? b", 5, GOES_ON, "the end", ":"),
        ("a ? b : c : d", 10, GOES_ON, ":", "an operator or the end"),
        ("a ? b ? c : d : e", 6, GOES_ON, "?", ":"),
        ("a.1", 2, GOES_ON, "1", "a name"),
        ("a.all x", 6, GOES_ON, "x", "("),
        ("a.all(1, x)", 6, GOES_ON, "1", "a name"),
        ("a.exists(x)", 10, GOES_ON, ")", ","),
        ("a.exists(x, x, x)", 13, GOES_ON, ",", ")"),
        ("a.b.c", 5, GOES_ON, "the end", "("),
        ("in a", 0, GOES_ON, "in", "a value"),
        ("a == in", 5, GOES_ON, "in", "a value"),
        ("table[0]", 5, GOES_ON, "[", "an operator or the end"),
        ("a < b < c", 6, "comparisons cannot be chained", "<", "two comparisons joined by &&"),
        ("a == b == c", 7, "comparisons cannot be chained", "==", "two comparisons joined by &&"),
        ("a in b in c", 7, "comparisons cannot be chained", "in", "two comparisons joined by &&"),
        ("a = b", 2, "not part of the expression language", "'='", None),
        ("a & b", 2, "not part of the expression language", "'&'", None),
        ("a | b", 2, "not part of the expression language", "'|'", None),
        ("a == 'hearts'", 5, "values are written without quotes", "'hearts'", "Type.value"),
        ('a == "hearts"', 5, "values are written without quotes", '"hearts"', "Type.value"),
        ("a == 'hearts", 5, "not part of the expression language", '"\'"', None),
        ("{a: b}", 0, "not part of the expression language", "'{'", None),
        ("a / b", 2, "not part of the expression language", "'/'", None),
        ("a % b", 2, "not part of the expression language", "'%'", None),
        ("♥ == a", 0, "not part of the expression language", "'♥'", None),
        ("1.5", 2, GOES_ON, "5", "a name"),
        ("1234567890123456", 0, "the number is too long", "16 digits", "at most 15"),
        ("(" * 70 + "a" + ")" * 70, 60, "nested more than 60 levels deep", None, SHORTER),
        ("!" * 70 + "a", 59, "nested more than 60 levels deep", None, SHORTER),
        ("a" + " || a" * 9999, 1000, "longer than 400 words and signs", None, SHORTER),
        ("a" + ".add(b)" * 9999, 560, "longer than 400 words and signs", None, SHORTER),
    ],
)
def test_refused_with_the_place(written: str, offset: int, what: str, found: str | None, expected: str | None) -> None:
    with pytest.raises(ExpressionError) as caught:
        parse(written)
    error = caught.value
    assert (error.offset, error.what, error.found, error.expected) == (offset, what, found, expected)


@given(st.text(alphabet="ab1 .,()[]!-*+<>=&|?:in", max_size=30))
def test_any_text_is_either_parsed_or_refused_inside_it(written: str) -> None:
    offset = 0
    try:
        parse(written)
    except ExpressionError as error:
        offset = error.offset
    assert 0 <= offset <= len(written)


# Printing, and parsing what was printed

WORDS = st.sampled_from(["a", "led", "hand_size", "s1", "Suit", "inner", "trueish", "allotted", "only", "size"])
LEAVES = st.one_of(
    st.integers(0, 10**15 - 1).map(lambda value: Integer(value, 0)),
    st.booleans().map(lambda value: Truth(value, 0)),
    WORDS.map(lambda name: Name(name, 0)),
    st.tuples(WORDS, WORDS).map(lambda pair: Constant(*pair, 0)),
)


def deeper(inner: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
    few = st.lists(inner, max_size=3).map(tuple)
    return st.one_of(
        few.map(lambda items: Items(items, 0)),
        st.builds(Call, WORDS, few, st.just(0)),
        st.builds(Method, inner, WORDS, few, st.just(0)),
        st.builds(Quantifier, inner, st.sampled_from(QUANTIFIERS), WORDS, inner, st.just(0)),
        st.builds(Unary, st.sampled_from("!-"), inner, st.just(0)),
        st.builds(Binary, st.sampled_from(["&&", "||", "+", "-", "*", *COMPARISONS]), inner, inner, st.just(0)),
        st.builds(Conditional, inner, inner, inner, st.just(0)),
    )


EXPRESSIONS = st.recursive(LEAVES, deeper, max_leaves=25)

LOOSEST, OR, AND, COMPARE, ADD, MULTIPLY, SIGN, MEMBER = range(8)
BINDING = {"||": OR, "&&": AND, "+": ADD, "-": ADD, "*": MULTIPLY, **dict.fromkeys(COMPARISONS, COMPARE)}


def shown(expression: Expression, least: int = LOOSEST) -> str:
    """The expression with no more brackets than it needs where something that binds as `least` is asked for."""
    text, binding = _shown(expression)
    return f"({text})" if binding < least else text


def _shown(expression: Expression) -> tuple[str, int]:
    match expression:
        case Integer():
            return str(expression.value), MEMBER
        case Truth():
            return str(expression.value).lower(), MEMBER
        case Name():
            return expression.name, MEMBER
        case Constant():
            return f"{expression.domain}.{expression.value}", MEMBER
        case Items():
            return f"[{', '.join(map(shown, expression.items))}]", MEMBER
        case Call():
            return f"{expression.function}({', '.join(map(shown, expression.arguments))})", MEMBER
        case Method():
            arguments = ", ".join(map(shown, expression.arguments))
            return f"{shown(expression.target, MEMBER)}.{expression.method}({arguments})", MEMBER
        case Quantifier():
            target = shown(expression.target, MEMBER)
            return f"{target}.{expression.quantifier}({expression.variable}, {shown(expression.body)})", MEMBER
        case Unary():
            return expression.operator + shown(expression.operand, SIGN), SIGN
        case Binary():
            binding = BINDING[expression.operator]
            left = shown(expression.left, binding + (binding == COMPARE))  # a comparison cannot be chained
            return f"{left} {expression.operator} {shown(expression.right, binding + 1)}", binding
        case Conditional():
            parts = (expression.condition, OR), (expression.then, OR), (expression.otherwise, LOOSEST)
            condition, then, otherwise = (shown(part, least) for part, least in parts)
            return f"{condition} ? {then} : {otherwise}", LOOSEST


@given(EXPRESSIONS.filter(lambda expression: len(shown(expression)) < 400))
def test_what_is_printed_is_parsed_back(expression: Expression) -> None:
    assert parse(shown(expression)) == expression
