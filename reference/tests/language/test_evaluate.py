"""Values of expressions, above all where something is unknown or does not exist.

T and F are true and false. U is unknown: there is a value, but nobody has told it. X is undefined: there is none.
"""

from collections.abc import Callable

import pytest

from buckspec import typed as t
from buckspec.check import Scope, check
from buckspec.evaluate import UNDEFINED, UNKNOWN, Answer, Evaluator, RuleError
from buckspec.rules import Rules
from buckspec.symbols import Symbols
from buckspec.syntax import parse
from buckspec.types import BOOL, INT, NONE, Type

TRUTH = {"T": True, "F": False, "U": UNKNOWN, "X": UNDEFINED}
LETTER = {value: letter for letter, value in TRUTH.items()}
SEAT, SEATS = Type("Seat"), Type("Seat", many=True)
LOCALS: dict[str, tuple[Type, Answer]] = {
    **{letter: (BOOL, value) for letter, value in TRUTH.items()},
    "unknown": (INT, UNKNOWN),
    "missing": (INT, UNDEFINED),
    "somebody": (SEAT, UNKNOWN),
    "ghost": (SEAT, UNDEFINED),
    "nobody": (Type("Seat", optional=True), NONE),
    "hidden": (SEATS, UNKNOWN),
    "card": (Type("Card"), 3),  # high, blue
}
Value = Callable[..., Answer]


def evaluator(rules: Rules, state: dict[str, object]) -> Evaluator:
    """An evaluator for a state of which only this is told: one value of a variable, or a list by seat."""
    values: list[Answer] = [NONE] * sum(slot.width for slot in rules.slots.values())
    for name, told in {"hand": [0, 0, 0], "points": [0, 0, 0], "shown": 0, "dealt": False, **state}.items():
        slot = rules.slots[name]
        values[slot.offset : slot.offset + slot.width] = told if isinstance(told, list) else [told]
    return Evaluator(rules, values)


@pytest.fixture
def value(small_rules: Rules, small_symbols: Symbols) -> Value:
    """The value of an expression in a state of the small rule book."""
    scope = Scope(small_symbols, {name: kind for name, (kind, _) in LOCALS.items()})
    local = {name: told for name, (_, told) in LOCALS.items()}

    def work_out(written: str, wanted: Type = BOOL, **state: object) -> Answer:
        return evaluator(small_rules, state).term(check(parse(written), scope, wanted), local)

    return work_out


# Three values, and the undefined


@pytest.mark.parametrize(
    ("operator", "table"),
    [
        ("&&", {"T": "TFUX", "F": "FFFF", "U": "UFUU", "X": "XFUX"}),
        ("||", {"T": "TTTT", "F": "TFUX", "U": "TUUU", "X": "TXUX"}),
    ],
)
def test_and_and_or_absorb_what_is_missing_on_either_side(operator: str, table: dict[str, str], value: Value) -> None:
    """A false side of && decides, whatever the other is; so does a true side of ||. The order does not matter."""
    found = {one: "".join(LETTER[value(f"{one} {operator} {other}")] for other in "TFUX") for one in "TFUX"}
    assert found == table


def test_not_keeps_what_is_missing(value: Value) -> None:
    assert [LETTER[value(f"!{one}")] for one in "TFUX"] == ["F", "T", "U", "X"]


@pytest.mark.parametrize(
    ("written", "answer"),
    [
        ("T ? X : F", "X"), ("T ? F : X", "F"), ("F ? X : T", "T"), ("F ? T : X", "X"),
        ("U ? T : F", "U"), ("X ? T : F", "X"), ("U ? T : T", "T"), ("X ? F : F", "F"), ("U ? X : X", "U"),
    ],
)  # fmt: skip
def test_a_choice_needs_its_condition_unless_both_sides_agree(written: str, answer: str, value: Value) -> None:
    assert LETTER[value(written)] == answer


@pytest.mark.parametrize(
    ("bodies", "all_", "exists", "exists_one"),
    [
        ("TTT", "T", "T", "F"), ("TFF", "F", "T", "T"), ("FFF", "F", "F", "F"),
        ("TTU", "U", "T", "U"), ("TFU", "F", "T", "U"), ("FFU", "F", "U", "U"), ("UUU", "U", "U", "U"),
        ("TTX", "X", "T", "X"), ("TFX", "F", "T", "X"), ("FFX", "F", "X", "X"), ("TUX", "U", "T", "U"),
        ("XXX", "X", "X", "X"), ("FUX", "F", "U", "U"),
    ],
)  # fmt: skip
def test_quantifiers_absorb_like_and_and_or_wherever_it_stands(
    bodies: str, all_: str, exists: str, exists_one: str, small_rules: Rules
) -> None:
    """`all` is decided by one false, `exists` by one true; `exists_one` and `filter` need every member."""
    seats, seat = t.Const(0b111, SEATS), t.Local("s", SEAT)

    def each(quantifier: str, order: str) -> str:
        cases: t.Term = t.Local(order[2], BOOL)
        for index in (1, 0):
            is_it = t.Equal(seat, t.Const(index, SEAT), negated=False)
            cases = t.Choice(is_it, t.Local(order[index], BOOL), cases, BOOL)
        return LETTER[evaluator(small_rules, {}).term(t.Each(seats, quantifier, seat, cases, BOOL), TRUTH)]

    for order in (bodies, bodies[::-1], bodies[1:] + bodies[0]):
        assert (each("all", order), each("exists", order), each("exists_one", order)) == (all_, exists, exists_one)


def test_a_filter_needs_every_member(value: Value) -> None:
    assert value("seats.filter(s, s == opener)", SEATS, opener=1) == 0b010
    assert value("seats.filter(s, s == opener || U)", SEATS, opener=1) is UNKNOWN
    assert value("seats.filter(s, s == opener && X)", SEATS, opener=1) is UNDEFINED


@pytest.mark.parametrize(("quantifier", "answer"), [("all", True), ("exists", False), ("exists_one", False)])
def test_a_quantifier_over_nothing(quantifier: str, answer: bool, value: Value) -> None:
    assert value(f"strongest.remove(opener).{quantifier}(s, X)", opener=0, table=[3, 0, 0]) is answer


@pytest.mark.parametrize(
    "written",
    [
        "-unknown == 1", "unknown + 1 == 1", "1 - unknown == 1", "unknown * 0 == 0", "unknown < 1", "1 >= unknown",
        "unknown == 1", "1 != unknown", "opener == somebody", "somebody in seats", "opener in hidden",
        "left(somebody) == opener", "left(opener, unknown) == opener", "points(somebody) == 1",
        "strength(somebody) == 1", "hidden.size() == 1", "hidden.add(opener) == seats", "seats.add(somebody) == seats",
        "hidden.remove(opener) == seats", "hidden.only() == opener", "hidden.first_from(opener) == opener",
        "seats.first_from(somebody) == opener", "[opener, somebody] == seats", "hidden.all(s, T)",
        "hidden.exists(s, T)", "sum(points) == 1", "unknown + missing == 1",
    ],
)  # fmt: skip
def test_everything_else_that_meets_the_unknown_is_unknown(written: str, value: Value) -> None:
    assert value(written, opener=0, points=[1, UNKNOWN, 0]) is UNKNOWN


@pytest.mark.parametrize(
    "written",
    [
        "-missing == 1", "missing + 1 == 1", "missing == 1", "opener == ghost", "ghost in seats",
        "left(ghost) == opener", "points(ghost) == 1", "strength(ghost) == 1", "seats.add(ghost) == seats",
        "[ghost] == seats", "seats.first_from(ghost) == opener",
    ],
)  # fmt: skip
def test_everything_else_that_meets_the_undefined_is_undefined(written: str, value: Value) -> None:
    assert value(written, opener=0) is UNDEFINED


# What is undefined to begin with


@pytest.mark.parametrize(
    "written",
    [
        "seats.only()",
        "seats.filter(s, s != s).only()",
        "seats.filter(s, s != s).first_from(opener)",
        "[opener, left(opener)].only()",
    ],
)
def test_only_of_not_one_and_first_from_of_nobody(written: str, value: Value) -> None:
    assert value(written, SEAT, opener=0) is UNDEFINED


def test_a_function_of_none(small_rules: Rules) -> None:
    """The checker keeps this out of rules; behind && and || it can still be met."""
    none = t.Const(NONE, SEAT)
    found = [
        evaluator(small_rules, {}).term(term, {})
        for term in (
            t.Read("points", none, INT),
            t.Use("strength", none, INT),
            t.Look("suit", t.Const(NONE, Type("Card")), Type("Suit")),
        )
    ]
    assert found == [UNDEFINED] * 3


def test_a_value_that_no_event_has_given_yet(value: Value) -> None:
    assert value("left(opener)", SEAT) is UNDEFINED
    assert value("last", Type("Seat", optional=True)) == NONE


def test_a_place_in_an_order_that_does_not_hold_the_rank(small_rules: Rules) -> None:
    rules = small_rules
    ranks = rules.book.domains["Rank"].index
    places = {name: Evaluator(rules, []).look(t.Look("height", t.Const(index, Type("Rank")), INT), {})
              for name, index in ranks.items()}  # fmt: skip
    assert places == {"low": 3, "high": 2, "top": 1}


# What is known


@pytest.mark.parametrize(
    ("written", "kind", "answer"),
    [
        ("2 + 3 * -4 - 1", INT, -11),
        ("goal", INT, 2),
        ("left(opener)", SEAT, 0),
        ("left(opener, 5)", SEAT, 1),
        ("left(opener, -1)", SEAT, 1),
        ("sum(points)", INT, 6),
        ("sum(strength)", INT, 9 + 3 + 2),
        ("seats", SEATS, 0b111),
        ("[opener, left(opener)]", SEATS, 0b101),
        ("[opener].add(opener).size()", INT, 1),
        ("seats.remove(opener).remove(opener)", SEATS, 0b011),
        ("seats.remove(opener).first_from(opener)", SEAT, 0),
        ("seats.first_from(opener)", SEAT, 2),
        ("[opener].only()", SEAT, 2),
        ("suit(card) == Suit.blue && rank(card) == Rank.high", BOOL, True),
        ("height(rank(card))", INT, 2),
        ("nobody == none", BOOL, True),
        ("opener == nobody", BOOL, False),
        ("card in hand(opener)", BOOL, True),
        ("cards.filter(c, suit(c) == Suit.blue).size()", INT, 2),
        ("seats.exists_one(s, points(s) == 3)", BOOL, True),
        ("strongest", SEATS, 0b100),
    ],
)
def test_what_is_known(written: str, kind: Type, answer: int, value: Value) -> None:
    state = {"opener": 2, "points": [1, 2, 3], "hand": [0, 0, 0b1000], "table": [NONE, 0, 3]}
    assert value(written, kind, **state) == answer


# Exactly one of


def test_two_alternatives_that_hold_at_once_are_named(small: Callable[..., Rules]) -> None:
    rules = small(("when: table(seat) != none, is: height(rank(table(seat)))", "when: goal > 1, is: 1"))
    with pytest.raises(RuleError) as caught:
        evaluator(rules, {}).definition("strength", 0)
    assert str(caught.value) == "two clauses of “strength” hold at once: turns.nothing and turns.card"


def test_no_alternative_that_holds_is_undefined(small: Callable[..., Rules]) -> None:
    rules = small(("when: table(seat) == none, is: 9", "when: table(seat) == none && shown > 0, is: 9"))
    assert evaluator(rules, {}).definition("strength", 0) is UNDEFINED
    assert evaluator(rules, {"shown": UNKNOWN}).definition("strength", 0) is UNKNOWN


def test_an_alternative_that_surely_holds_decides_although_another_is_unknown(small: Callable[..., Rules]) -> None:
    """Exactly one holds, so what is not known of the others does not matter."""
    rules = small(("when: table(seat) == none, is: 9", "when: table(seat) == none && shown > 0, is: 9"))
    assert evaluator(rules, {"shown": UNKNOWN, "table": [3, 0, 0]}).definition("strength", 0) == 2
