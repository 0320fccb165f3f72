"""What the loader says of a rule book: one change to the small one in conftest.py, and the fault it makes."""

from collections.abc import Callable

import pytest

from buckspec.evaluate import Answer, Evaluator
from buckspec.rules import Rules

Faults = Callable[..., list[str]]
UNDER = "under: begins is opener"
PROFILE = "title: A card each, and the highest takes the point\n"
FROM = "1 to hand(each seat) from opener"
SCORED = "points(best): points(best) + 1"


def test_the_small_rule_book_is_fine_as_it_is(small: Callable[..., Rules]) -> None:
    assert set(small().events) == {"deal", "show", "score"}


# Readings first: a slip here would silently switch a clause off


@pytest.mark.parametrize(
    ("new", "fault"),
    [
        ("under: begin is opener", "unknown question; found begin; did you mean begins?"),
        ("under: begins is openr", "unknown reading of begins; found openr; did you mean opener?"),
        ("under: begins is opener or nobody", "unknown reading of begins; found nobody"),
        ("under: begins opener", ("“under” does not name readings; found begins opener; "
         "expected question is reading, joined by or, and")),
        ("under: begins is opener and begins is next", ("the same question twice; found begins; "
         "expected its readings joined by or")),
    ],
)  # fmt: skip
def test_a_reading_that_does_not_exist(new: str, fault: str, faults: Faults) -> None:
    assert faults((UNDER, new)) == [f"rules/turns.yaml:54:61: {fault}"]


@pytest.mark.parametrize(
    ("readings", "fault"),
    [
        ("{begin: next}", "unknown question; found begin; did you mean begins?"),
        ("{begins: nxt}", "unknown reading of begins; found nxt; expected opener or next; did you mean next?"),
    ],
)
def test_a_profile_that_chooses_what_is_not_there(readings: str, fault: str, faults: Faults) -> None:
    assert faults((PROFILE, f"{PROFILE}readings: {readings}\n")) == [f"profiles/small.yaml:3:12: {fault}"]


def test_a_question_on_which_nothing_depends(faults: Faults) -> None:
    change = ("questions:\n", "questions:\n  idle: {asks: Why?, readings: {so: So., not: Not so.}}\n")
    fault = "no clause depends on this question; found idle; expected clauses under its readings"
    assert faults(change) == [f"questions.yaml:2:3: {fault}"]


# One change, one fault


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("orders:", "orders_:", ("2:1: a chapter has no such key; found orders_; "
         "expected chapter, title, domains, orders, state, events or define; did you mean orders?")),
        ("means: Who opens.", "means: Who opens., mean: x", ("6:59: the variable opener has no such key; found mean; "
         "expected type, first, means or seen; did you mean means?")),
        ("turns.own: {says", "own: {says", ("28:7: not the id of a clause; found own; "
         "expected words joined by - and at least one dot, such as play.follow")),
        ("turns.own: {says", "turns.deal: {says", ("28:7: the clause exists already; found turns.deal; "
         "expected another id; see spec/rules/turns.yaml:21:7")),
        ("{says: Show a card of your own., that", "{that", "28:18: the clause turns.own lacks a key; expected says"),
        ("type: Seat or none", "type: seat or none", "14:18: unknown type; found seat; did you mean Seat?"),
        ("type: Seat or none", "type: set of Seat or none", ("14:18: not a type; found set of Seat or none; "
         "expected bool, int, a domain, “… or none”, “set of …”")),
        ("type: Seat or none", "type: bool or none", "14:18: only a domain has sets and options; found bool or none"),
        ("0..seats.size()", "0..seats.siz()", "13:32: unknown method; found siz; did you mean size?"),
        ("table(Seat):", "table(Seet):", "12:5: unknown domain; found Seet; did you mean Seat?"),
        ("table(Seat):", "seats:", "12:5: a variable takes a name that is in use; found seats; expected another name"),
        ("table(Seat):", "loop:", "12:5: a variable takes a name that is in use; found loop; expected another name"),
        ("  hand:\n    hand", "  hands:\n    hand", ("10:5: unknown life of a variable; found hands; "
         "expected game or hand or trick; did you mean hand?")),
        ("  best -> Seat:", "  last -> Seat:", ("64:3: a definition takes a name that is in use; found last; "
         "expected another name")),
        ("  best -> Seat:", "  best(s) -> Seat:", ("64:3: an argument is named like its domain, with a small first "
         "letter; found s")),
        ("    begins: hand\n", "    begins: night\n", ("19:13: unknown life of a variable; found night; "
         "expected game or hand or trick")),
        ("in: show\n", "in: shw\n", "25:9: unknown value of Phase; found shw; did you mean show?"),
        ("[top, high, low]", "[top, hi, low]", ("3:11: unknown value of Rank in an order; found hi; "
         "did you mean high?")),
        ("[top, high, low]", "[top, high, top]", "3:11: a value stands twice in an order; found top"),
        ("  height:", "  rank:", "3:9: the order takes a name that is in use; found rank; expected another name"),
        ("    by: mover\n", "    by: won\n", "24:9: a value of the wrong type; found bool; expected Seat"),
        ("    by: mover\n", "    by: last\n", ("24:9: this can be none here; found Seat or none; "
         "expected a condition such as “… != none &&” before it, to make it a Seat")),
        ("takes: card\n", "takes: crd\n", ("26:12: an argument is named like its domain, with a small first letter; "
         "found crd; did you mean card?")),
        ("takes: card\n", "takes: {card: Card, n: int}\n", ("26:28: an event is about one of finitely many values; "
         "found int; expected a domain, bool, int low..high")),
        ("takes: card\n", "takes: {card: Card, shown: bool}\n", ("26:32: an event is about a name that is in use; "
         "found shown; expected another name")),
        (SCORED, "point(best): 1", ("40:66: only a variable can be set; found point(best); "
         "expected variable, variable(…) or variable(each …); did you mean points?")),
        (SCORED, "best: opener", ("40:66: only a variable can be set; found best; "
         "expected variable, variable(…) or variable(each …); did you mean rest?")),
        (SCORED, "points: 1", "40:66: the target does not fit the variable; found points; expected points(…)"),
        (SCORED, "points(last): 1", ("40:73: this can be none here; found Seat or none; "
         "expected a condition such as “… != none &&” before it, to make it a Seat")),
        (SCORED, "points(each card): 1", ("40:66: “each” names the domain of the variable; found card; "
         "expected each seat")),
        (FROM, "1 to hnd(each seat) from opener", "21:48: unknown variable; found hnd; did you mean hand?"),
        (FROM, "1 to hand(each seat) from opner", "21:74: unknown name; found opner; did you mean opener?"),
        (FROM, "one to rest", ("21:48: not a step of the deal; found one to rest; "
         "expected “n to variable”, “n to variable(each …) from seat”, “the rest to …”")),
        (FROM, "2 to table(each seat) from opener", ("21:48: the step does not fit the variable; "
         "found 2 to table(each seat) from opener; expected 1 to table, or a set")),
        (FROM, "2 to hand(each seat) from opener", ("21:7: more is dealt than the pack has; found 6; "
         "expected at most 4")),
    ],
)  # fmt: skip
def test_a_fault_in_a_chapter_has_its_place(old: str, new: str, fault: str, faults: Faults) -> None:
    assert faults((old, new)) == [f"rules/turns.yaml:{fault}"]


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("clockwise: seat_count", "clockwise: seats_count",
         "domains.yaml:5:33: a number or the name of a parameter; found seats_count; did you mean seat_count?"),
        ("rank: [low, high], suit", "rank: [low, hgh], suit",
         "domains.yaml:4:35: unknown value of Rank; found hgh; did you mean high?"),
        ("chapters: [turns]", "chapters: [turn]",
         "profiles/small.yaml:3:11: unknown chapter; found turn; did you mean turns?"),
        ("goal: {value: 2", "goal: {value: 12", ("profiles/small.yaml:6:17: goal is out of its range; found 12; "
         "expected 1 to 9")),
        ("type: int 1..9", "type: 1 to 9", ("profiles/small.yaml:6:26: a parameter's type is a range; found 1 to 9; "
         "expected int low..high")),
        ("that: shown <=", "that: shwn <=", "invariants.yaml:2:49: unknown name; found shwn; did you mean shown?"),
        ("points(seat) -> int: {means: Points of", "points(seat) -> bool: {means: Points of",
         "observations.yaml:2:58: a value of the wrong type; found int; expected bool"),
    ],
)  # fmt: skip
def test_a_fault_in_another_file_has_its_place(old: str, new: str, fault: str, faults: Faults) -> None:
    assert faults((old, new))[0] == fault


def test_all_faults_are_told_at_once(faults: Faults) -> None:
    found = faults(('when: "!won && !dealt"', 'when: "!won && !delt"'), ("that: card in hand(", "that: card in hnd("))
    assert found == [
        "rules/turns.yaml:28:65: unknown function; found hnd; did you mean hand?",
        "rules/turns.yaml:47:49: unknown name; found delt; did you mean dealt?",
    ]


# Options from one key to the next


def absent(found: str, wanted: str) -> str:
    expected = f"a condition such as “… != none &&” before it, to make it a {wanted}"
    return f"this can be none here; found {found}; expected {expected}"


def test_what_applies_says_of_an_option_holds_in_that(faults: Faults) -> None:
    found = faults(("applies: last != none && table(last) != none &&", "applies: last != none &&"))
    assert found == [f"rules/turns.yaml:32:34: {absent('Card or none', 'Card')}"]


def test_what_when_says_of_an_option_holds_in_is(faults: Faults) -> None:
    found = faults(("when: table(seat) != none, is: height", "when: goal > 1, is: height"))
    assert found == [f"rules/turns.yaml:60:83: {absent('Card or none', 'Card')}"]


def test_what_where_says_of_an_option_holds_in_the_whole_definition(
    small: Callable[..., Rules], faults: Faults
) -> None:
    plain = ("is: strongest.first_from(opener)", "is: last")
    assert faults(plain) == [f"rules/turns.yaml:64:51: {absent('Seat or none', 'Seat')}"]
    small(("best -> Seat: {", "best -> Seat: {where: last != none, "), plain)


# The whole


def test_definitions_that_go_round_in_a_circle(faults: Faults) -> None:
    change = ("is: strongest.first_from(opener)", "is: strongest.first_from(left(best))")
    (fault,) = faults(change)
    assert fault.endswith("found best → best; expected definitions without a circle")


def test_two_alternatives_that_always_hold_together(faults: Faults) -> None:
    found = faults(("under: begins is next, ", ""))
    assert found[-1] == (
        "rules/turns.yaml:55:7: two alternatives always hold together; found turns.opener-first and turns.next-first; "
        "expected a “when”, or readings that differ"
    )


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ([("in: score\n", "in: [score, show]\n")], ("37:3: two events compete in the phase show; found show and score; "
         "expected an automatic event to be the only one in its phase")),
        ([("in: score\n", "in: [score, over]\n"), ("is: Phase.over", "is: Phase.deal")],
         "43:3: no clause leads to a phase; found over; expected an alternative of “phase”"),
        ([("in: show\n", "in: deal\n")], ("43:3: a phase without an event; found show and over; "
         "expected one such phase, the end of the game")),
    ],
)  # fmt: skip
def test_phases_and_events_fit_each_other(changes: list[tuple[str, str]], fault: str, faults: Faults) -> None:
    assert f"rules/turns.yaml:{fault}" in faults(*changes)


@pytest.mark.parametrize("target", ["points(best)", "points(each seat)"])
def test_nothing_is_set_twice(target: str, faults: Faults) -> None:
    found = faults(("opener: left(opener)}", f"opener: left(opener), {target}: 0}}"))
    assert found == [
        (
            "rules/turns.yaml:41:7: score sets a variable twice; found points; "
            "expected one of turns.score and turns.over under each choice of readings"
        )
    ]


def test_the_same_is_set_twice_under_different_readings_only(small: Callable[..., Rules]) -> None:
    small(
        ("{says: The highest card takes a point.,", "{says: A point for the highest., under: begins is opener,"),
        ("turns.over:", "turns.two: {says: Two., under: begins is next, set: {points(best): 2}}\n      turns.over:"),
    )


def test_a_variable_that_nothing_sets(faults: Faults) -> None:
    fault = "no event sets this variable; found last; expected an effect that sets it, or a definition"
    assert faults(("shown: shown + 1, last: actor", "shown: shown + 1")) == [f"rules/turns.yaml:14:5: {fault}"]


def test_a_variable_that_is_to_be_given_and_is_not(faults: Faults) -> None:
    found = faults(("first: none, means: Who showed last.", "first: given, means: Who showed last."))
    assert found == ["rules/turns.yaml:14:5: deal begins a hand and does not give this variable; found last"]


@pytest.mark.parametrize("count", [80, 600, 3000])
def test_definitions_that_use_one_another_too_deeply_are_refused(count: int, faults: Callable[..., list[str]]) -> None:
    chain = "".join(f'  d{step} -> int: {{means: A number., is: "d{step - 1} + 1"}}\n' for step in range(1, count))
    added = f'define:\n  d0 -> int: {{means: A number., is: "1"}}\n{chain}  phase -> Phase:'
    found = faults(("define:\n  phase -> Phase:", added))
    fault = "definitions use one another too deeply; found 151 levels in “d75”; expected at most 150"
    assert [problem.partition(": ")[2] for problem in found] == [fault]


def test_definitions_as_deep_as_allowed_can_be_evaluated(small: Callable[..., Rules]) -> None:
    chain = "".join(
        f'  d{step}(seat) -> int: {{means: A number., is: "d{step - 1}(seat) + 1"}}\n' for step in range(1, 71)
    )
    added = f'define:\n  d0(seat) -> int: {{means: A number., is: "points(seat)"}}\n{chain}  phase -> Phase:'
    rules = small(("define:\n  phase -> Phase:", added), ("points(s) >= goal", "d70(s) >= goal + 70"))
    values: list[Answer] = [0] * sum(slot.width for slot in rules.slots.values())
    assert Evaluator(rules, values).definition("won") is False
