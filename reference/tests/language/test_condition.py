"""Conditions that do not stand in a chapter: each fault at its place, and names of one's own. The rule book is the
small one of conftest.py."""

import pytest

from buckspec.condition import condition, condition_in
from buckspec.document import Table, load_document
from buckspec.problem import Place, SpecError
from buckspec.rules import Rules
from buckspec.typed import Among, Const
from buckspec.types import Type

TYPED = Place("the condition", 1, 1)


def refusal(rules: Rules, text: str, **names: Const) -> str:
    with pytest.raises(SpecError) as caught:
        condition(rules.book, text, TYPED, names)
    return str(caught.value)


def test_a_condition_may_name_what_the_rules_name(small_rules: Rules) -> None:
    term = condition(small_rules.book, "dealt && seats.exists(s, points(s) >= goal)", TYPED)
    assert term.type == Type("bool")


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("dealt && point(opener) > 1", ":1:10: unknown function; found point; did you mean points?"),
        ("shown", ":1:1: a value of the wrong type; found int; expected bool"),
        ("", ":1:1: the expression does not go on like this; found the end; expected a value"),
        ("dealt = true", ":1:7: not part of the expression language; found '='; did you mean ==?"),
        ("actor == opener", ":1:1: only an event that somebody does has an actor; found actor"),
        ("viewer == opener", ":1:1: only “seen” has a viewer; found viewer"),
        (
            "cards.exists(c, suit(c) == 'blu')",
            ":1:28: values are written without quotes; found 'blu'; expected Type.value; did you mean Suit.blue?",
        ),
        (
            "cards.exists(c, suit(c) == 'green')",
            ":1:28: values are written without quotes; found 'green'; expected Type.value",
        ),
        ("dealt == No", ":1:10: a truth value is written true or false; found No; did you mean false?"),
        ("dealt == True", ":1:10: a truth value is written true or false; found True; did you mean true?"),
    ],
)
def test_a_fault_is_told_with_its_column(text: str, fault: str, small_rules: Rules) -> None:
    assert refusal(small_rules, text) == f"the condition{fault}"


def test_a_fault_in_the_second_line_of_a_file_is_told_there(small_rules: Rules) -> None:
    document = load_document('about: "dealt\n  && delt"\n', "mine.yaml")
    assert isinstance(document, Table)
    with pytest.raises(SpecError) as caught:
        condition_in(small_rules.book, document.entries["about"])
    assert str(caught.value) == "mine.yaml:2:6: unknown name; found delt; did you mean dealt?"


# Names of one's own


def test_a_further_name_stands_for_its_term(small_rules: Rules) -> None:
    card = Const(1, Type("Card"))
    term = condition(small_rules.book, "BL in rest", TYPED, {"BL": card})
    assert isinstance(term, Among)
    assert term.element == card


def test_a_name_of_the_rules_goes_before_a_further_one(small_rules: Rules) -> None:
    assert condition(small_rules.book, "dealt", TYPED, {"dealt": Const(1, Type("Card"))}).type == Type("bool")


def test_a_further_name_has_its_type_and_may_be_meant_or_hidden(small_rules: Rules) -> None:
    card = Const(1, Type("Card"))
    found = "values of different types are compared; found Card, Seat; expected two of one type"
    assert refusal(small_rules, "BLUE == opener", BLUE=card) == f"the condition:1:6: {found}"
    assert refusal(small_rules, "BLU in rest", BLUE=card).endswith("did you mean BLUE?")
    hidden = "the variable hides another name; found BLUE; expected a name of its own"
    assert refusal(small_rules, "seats.all(BLUE, true)", BLUE=card) == f"the condition:1:7: {hidden}"
