"""What the checker says of an expression. The names are those of the small rule book in conftest.py."""

import pytest

from buckspec.check import CheckError, Scope, check
from buckspec.problem import Place, Problem
from buckspec.symbols import Symbols
from buckspec.syntax import parse
from buckspec.types import BOOL, INT, Type

SEAT, CARD = Type("Seat"), Type("Card")
MAYBE_SEAT, SEATS, CARDS = Type("Seat", optional=True), Type("Seat", many=True), Type("Card", many=True)
LOCALS = {"card": CARD, "guess": MAYBE_SEAT}


@pytest.fixture(scope="module")
def scope(small_symbols: Symbols) -> Scope:
    """The names of the small rule book, and two that an event could bring: a card, and a seat or none."""
    return Scope(small_symbols, LOCALS)


def verdict(written: str, scope: Scope, wanted: Type = BOOL) -> str:
    """The fault as `offset: words`, or the type."""
    try:
        return str(check(parse(written), scope, wanted).type)
    except CheckError as error:
        problem = Problem(Place(str(error.offset)), error.what, error.found, error.expected, error.meant)
        return str(problem)


# Names


@pytest.mark.parametrize(
    ("written", "fault"),
    [
        ("lst != none", "0: unknown name; found lst; did you mean last?"),
        ("xyz == 1", "0: unknown name; found xyz"),
        ("point(opener) == 1", "0: unknown function; found point; did you mean points?"),
        ("sut(card) == Suit.red", "0: unknown function; found sut; did you mean suit?"),
        ("seats.siz() == 1", "6: unknown method; found siz; did you mean size?"),
        ("Suits.red == suit(card)", "0: unknown type; found Suits; did you mean Suit?"),
        ("suit(card) == Suit.blu", "14: unknown value of Suit; found blu; did you mean Suit.blue?"),
        ("suit(card) == Suit.low", "14: unknown value of Suit; found low"),
        ("actor == opener", "0: unknown name; found actor"),
        ("viewer == opener", "0: unknown name; found viewer"),
        ("seats.exists(last, true)", "6: the variable hides another name; found last; expected a name of its own"),
        ("seats.exists(points, true)", "6: the variable hides another name; found points; expected a name of its own"),
        ("seats.exists(card, true)", "6: the variable hides another name; found card; expected a name of its own"),
        (
            "seats.all(s, seats.all(s, true))",
            "19: the variable hides another name; found s; expected a name of its own",
        ),
        ("seats.all(s, true) && s == opener", "22: unknown name; found s"),
    ],
)
def test_a_name_that_does_not_exist_or_is_taken(written: str, fault: str, scope: Scope) -> None:
    assert verdict(written, scope) == fault


def test_a_rule_cannot_name_one_seat_so_turning_the_table_changes_nothing(scope: Scope) -> None:
    fault = "10: a rule cannot name one Seat; found north; expected a rule that is the same for all of them"
    assert verdict("opener == Seat.north", scope) == fault


# Types and numbers of arguments


def wrong(offset: int, found: str, expected: str) -> str:
    return f"{offset}: a value of the wrong type; found {found}; expected {expected}"


@pytest.mark.parametrize(
    ("written", "fault"),
    [
        ("1 && true", wrong(0, "int", "bool")),
        ("true || opener", wrong(8, "Seat", "bool")),
        ("!shown", wrong(1, "int", "bool")),
        ("-dealt == 1", wrong(1, "bool", "int")),
        ("dealt + 1 == 2", wrong(0, "bool", "int")),
        ("goal * dealt == 2", wrong(7, "bool", "int")),
        ("opener < opener", wrong(0, "Seat", "int")),
        ("opener in opener", wrong(10, "Seat", "set of Seat")),
        ("card in seats", wrong(0, "Card", "Seat")),
        ("seats in seats", wrong(0, "set of Seat", "Seat")),
        ("5 in empty", wrong(0, "int", "a value of a domain")),
        ("opener.size() == 1", wrong(0, "Seat", "set of values")),
        ("seats.add(card) == seats", wrong(10, "Card", "Seat")),
        ("seats.remove(card) == seats", wrong(13, "Card", "Seat")),
        ("seats.first_from(card) == opener", wrong(17, "Card", "Seat")),
        ("empty.only() == opener", wrong(0, "an empty set", "set of values")),
        ("empty.exists(s, true)", wrong(0, "an empty set", "set of values")),
        ("shown.all(s, true)", wrong(0, "int", "set of values")),
        ("seats.all(s, s)", wrong(13, "Seat", "bool")),
        ("1 ? dealt : dealt", wrong(0, "int", "bool")),
        ("left(card) == card", wrong(5, "Card", "Seat")),
        ("left(opener, opener) == opener", wrong(13, "Seat", "int")),
        ("suit(opener) == Suit.red", wrong(5, "Seat", "Card")),
        ("hand(card).size() == 1", wrong(5, "Card", "Seat")),
        (
            "cards.first_from(card) == card",
            "6: first_from needs a set of things in a circle; found set of Card; expected a set of seats",
        ),
        ("opener == card", "7: values of different types are compared; found Seat, Card; expected two of one type"),
        ("dealt == 1", "6: values of different types are compared; found bool, int; expected two of one type"),
        ("seats == cards", ("6: values of different types are compared; found set of Seat, set of Card; "
         "expected two of one type")),
        ("[opener, card].size() == 2", "9: a list holds values of one domain; found Card; expected Seat"),
        ("[1].size() == 1", "1: a list holds values of one domain; found int; expected values of one domain"),
        ("(dealt ? 1 : card) == 1", "7: the two sides of : are of different types; found int, Card; expected one type"),
        ("sum(hand) == 1", ("4: sum takes the bare name of a function that is an int; "
         "expected a variable or definition such as name(Seat): int")),
        ("sum(points(opener)) == 1", ("4: sum takes the bare name of a function that is an int; "
         "expected a variable or definition such as name(Seat): int")),
    ],
)  # fmt: skip
def test_a_value_of_the_wrong_type(written: str, fault: str, scope: Scope) -> None:
    assert verdict(written, scope) == fault


@pytest.mark.parametrize(
    ("written", "fault"),
    [
        ("points == 1", "0: an argument is missing; found points; expected points(a Seat)"),
        ("strength == 1", "0: an argument is missing; found strength; expected strength(a Seat)"),
        ("suit == Suit.red", "0: an argument is missing; found suit; expected suit(…)"),
        ("sum == 1", "0: an argument is missing; found sum; expected sum(…)"),
        ("opener(1) == 1", "0: opener takes no argument; found opener(…); expected opener"),
        ("points() == 1", "0: wrong number of arguments for points; found 0; expected 1"),
        ("points(opener, opener) == 1", "0: wrong number of arguments for points; found 2; expected 1"),
        ("left() == opener", "0: wrong number of arguments for left; found 0; expected 1 or 2"),
        ("left(opener, 1, 2) == opener", "0: wrong number of arguments for left; found 3; expected 1 or 2"),
        ("sum() == 1", "0: wrong number of arguments for sum; found 0; expected 1"),
        ("seats.size(1) == 1", "6: wrong number of arguments for size; found 1; expected 0"),
        ("seats.only(opener) == opener", "6: wrong number of arguments for only; found 1; expected 0"),
        ("seats.add() == seats", "6: wrong number of arguments for add; found 0; expected 1"),
        ("seats.first_from() == opener", "6: wrong number of arguments for first_from; found 0; expected 1"),
    ],
)
def test_a_wrong_number_of_arguments(written: str, fault: str, scope: Scope) -> None:
    assert verdict(written, scope) == fault


@pytest.mark.parametrize(
    ("written", "wanted"),
    [
        ("shown + goal - 1 * -2", INT),
        ("sum(points) + sum(strength)", INT),
        ("height(rank(card))", INT),
        ("hand(left(opener, 2)).size()", INT),
        ("[opener, left(opener)].add(opener).remove(opener)", SEATS),
        ("seats.filter(s, seats.exists_one(t, t == s))", SEATS),
        ("empty", CARDS),
        ("[]", CARDS),
        ("dealt ? empty : hand(opener)", CARDS),
        ("seats.first_from(opener)", SEAT),
        ("seats.only()", SEAT),
        ("none", MAYBE_SEAT),
        ("opener", MAYBE_SEAT),
        ("dealt ? last : opener", MAYBE_SEAT),
        ("dealt ? none : opener", MAYBE_SEAT),
        ("seats == empty || strongest == seats", BOOL),
        ("opener in empty || card in cards", BOOL),
    ],
)
def test_what_fits(written: str, wanted: Type, scope: Scope) -> None:
    assert wanted.accepts(check(parse(written), scope, wanted).type)


# Options: `T or none` is a T only where something says that it is there


def absent(offset: int, found: str = "Seat or none", wanted: str = "Seat") -> str:
    condition = f"a condition such as “… != none &&” before it, to make it a {wanted}"
    return f"{offset}: this can be none here; found {found}; expected {condition}"


@pytest.mark.parametrize(
    "written",
    [
        "last != none && points(last) == 1",
        "none != last && points(last) == 1",
        "dealt && last != none && points(last) == 1",
        "last != none && (dealt || points(last) == 1)",
        "last == none || points(last) == 1",
        "!(last == none) && points(last) == 1",
        "!(last != none && dealt) || points(last) == 1",
        "last == none || !dealt || points(last) == 1",
        "!(last == none || guess == none) && last == guess",
        "last != none ? points(last) == 1 : dealt",
        "last == none ? dealt : points(last) == 1",
        "guess != none && guess in seats",
        "table(opener) != none && suit(table(opener)) == Suit.red",
        "seats.all(s, table(s) == none || rank(table(s)) == Rank.low)",
        "table(opener) != none && seats.exists(s, suit(table(opener)) == Suit.red)",
        "last == opener",
        "opener == last",
        "last == (dealt ? opener : left(opener))",
        "seats.exists(s, s == last)",
        "last != none && last == guess",
    ],
)
def test_an_option_that_is_known_to_be_there_is_used_as_a_value(written: str, scope: Scope) -> None:
    assert verdict(written, scope) == "bool"


@pytest.mark.parametrize(
    ("written", "fault"),
    [
        ("points(last) == 1", absent(7)),
        ("points(last) == 1 && last != none", absent(7)),
        ("last != none || points(last) == 1", absent(23)),
        ("last == none && points(last) == 1", absent(23)),
        ("!(last != none) && points(last) == 1", absent(26)),
        ("(last != none || dealt) && points(last) == 1", absent(34)),
        ("last != none && dealt || points(last) == 1", absent(32)),
        ("last == none ? points(last) == 1 : dealt", absent(22)),
        ("guess != none && points(last) == 1", absent(24)),
        ("last in seats", absent(0)),
        ("last in empty", absent(0)),
        ("[last].size() == 1", "1: a list holds values of one domain; found Seat or none; expected Seat"),
        ("seats.add(last).size() == 1", absent(10)),
        ("seats.first_from(last) == opener", absent(17)),
        ("left(last) == opener", absent(5)),
        ("suit(table(opener)) == Suit.red", absent(5, "Card or none", "Card")),
        ("table(opener) != none && suit(table(left(opener))) == Suit.red", absent(30, "Card or none", "Card")),
        ("seats.exists(s, table(s) != none) && seats.exists(s, suit(table(s)) == Suit.red)",
         absent(58, "Card or none", "Card")),
    ],
)  # fmt: skip
def test_an_option_that_may_be_none_is_refused(written: str, fault: str, scope: Scope) -> None:
    assert verdict(written, scope) == fault


@pytest.mark.parametrize("written", ["last == guess", "last != guess", "guess == (dealt ? last : none)"])
def test_both_sides_of_an_equation_must_not_be_options(written: str, scope: Scope) -> None:
    """`none == none` is true: "the card is of the trump suit" must not hold because there is neither."""
    assert verdict(written, scope).endswith(
        ": both sides can be none; found Seat or none, Seat or none; "
        "expected a condition such as “… != none &&” before it"
    )


@pytest.mark.parametrize(
    ("written", "fault"),
    [
        ("opener != none", "0: this is never none; found Seat; expected a value that can be none"),
        ("none == opener", "8: this is never none; found Seat; expected a value that can be none"),
        ("none == none", "8: this is never none; found none; expected a value that can be none"),
        ("last != none && last != none", "16: this is never none; found Seat; expected a value that can be none"),
        ("points(opener) == none", "0: this is never none; found int; expected a value that can be none"),
    ],
)
def test_what_is_never_none_is_not_compared_with_it(written: str, fault: str, scope: Scope) -> None:
    assert verdict(written, scope) == fault


@pytest.mark.parametrize(
    ("written", "wanted", "fault"),
    [
        ("last", SEAT, absent(0)),
        ("dealt ? last : opener", SEAT, absent(6)),
        ("none", SEAT, wrong(0, "none", "Seat")),
        ("empty", SEAT, wrong(0, "an empty set", "Seat")),
        ("seats", SEAT, wrong(0, "set of Seat", "Seat")),
        ("opener", CARD, wrong(0, "Seat", "Card")),
        ("none", SEATS, wrong(0, "none", "set of Seat")),
        ("goal", BOOL, wrong(0, "int", "bool")),
    ],
)
def test_the_whole_must_be_of_the_type_asked_for(written: str, wanted: Type, fault: str, scope: Scope) -> None:
    assert verdict(written, scope, wanted) == fault


def test_names_of_the_same_fact_are_told_apart_by_their_argument(scope: Scope) -> None:
    """A fact about one seat says nothing of another, but the same words are the same fact wherever they stand."""
    known = scope.knowing((parse("table( opener ) != none"), True))
    assert verdict("suit(table(opener)) == Suit.red", known) == "bool"
    assert verdict("suit(table(left(opener))) == Suit.red", known) == absent(5, "Card or none", "Card")
