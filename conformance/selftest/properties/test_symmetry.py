"""Permuted requests have to be answered with the permuted answer, and the pairs of suits are read from the rules."""

from random import Random

import pytest

from buckspec import load_profile
from buckspec.rules import Rules
from buckspec_conformance.oracle import Expectation, expected, key_of
from buckspec_conformance.random_hands import RARE, game, readings
from buckspec_conformance.requesting import Request, hands_of, request_of
from buckspec_conformance.symmetry import Symmetry, exchange, exchanges, identity, rotations


def commutes(symmetry: Symmetry, request: Request) -> bool:
    """Whether the rules say of the permuted request what is the permutation of what they say of the request."""
    pairs = zip(expected(symmetry.rules, request), expected(symmetry.rules, symmetry.request(request)), strict=True)
    return all(
        len(one) == len(other) and all(same(symmetry, *steps) for steps in zip(one, other, strict=True))
        for one, other in pairs
    )


def same(symmetry: Symmetry, step: Expectation, moved: Expectation) -> bool:
    if step.accepted is not moved.accepted:
        return False
    for name, value in step.fields.items():
        if name == "legal":
            events = [dict(key) for key in value]  # type: ignore[attr-defined]
            if {key_of(event) for event in symmetry.field(name, events)} != moved.fields[name]:
                return False
        elif plain(name, symmetry.field(name, value)) != plain(name, moved.fields[name]):
            return False
    return True


def plain(name: str, value: object) -> object:
    """Sets are written in any order."""
    if name == "winners":
        return sorted(value)  # type: ignore[call-overload]
    return [sorted(held) for held in value] if name == "hands" else value  # type: ignore[attr-defined]


def some(rules: Rules, seed: int, count: int) -> list[Request]:
    rng = Random(seed)
    return [request_of(game(rng, rules, RARE, 2)) for _ in range(count)]


def test_rotating_the_seats_commutes(rules: Rules) -> None:
    for request in some(rules, 1, 12):
        for symmetry in rotations(rules):
            assert commutes(symmetry, request)


def test_rotating_commutes_under_any_readings(rules: Rules) -> None:
    rng = Random(2)
    for _ in range(5):
        chosen = load_profile("ohio", {}, readings(rng, rules.book))
        for request in some(chosen, 3, 3):
            assert all(commutes(symmetry, request) for symmetry in rotations(chosen))


def test_suits_of_one_colour_can_be_exchanged_where_no_rule_names_them(rules: Rules) -> None:
    black, red = exchanges(rules)
    assert (black.id, red.id) == ("clubs-and-spades", "diamonds-and-hearts")
    met = {True: 0, False: 0}
    for request in some(rules, 4, 30):
        assert red.applies(request)
        assert commutes(red, request)
        met[black.applies(request)] += 1
        if black.applies(request):
            assert commutes(black, request)
    assert min(met.values()) > 3


def test_where_it_does_not_apply_it_does_not_commute(rules: Rules) -> None:
    black = exchanges(rules)[0]
    others = [request for request in some(rules, 5, 40) if not black.applies(request)]
    assert sum(not commutes(black, request) for request in others) > len(others) // 2
    mixed = exchange(rules, "hearts", "spades")
    assert not all(commutes(mixed, request) for request in some(rules, 6, 20))


@pytest.mark.parametrize(
    ("chosen", "pairs"),
    [
        ({"turned-club": "auctioned"}, {"clubs-and-spades": False, "diamonds-and-hearts": False}),
        ({"named-clubs": "nobody-drops"}, {"diamonds-and-hearts": False}),
        ({"turned-club": "dealers"}, {"clubs-and-spades": True, "diamonds-and-hearts": False}),
    ],
)
def test_which_suits_can_be_exchanged_depends_on_the_readings(chosen: dict[str, str], pairs: dict[str, bool]) -> None:
    rules = load_profile("ohio", {}, chosen)
    assert {one.id: bool(one.kept) for one in exchanges(rules)} == pairs
    for request in some(rules, 7, 12):
        assert all(commutes(one, request) for one in exchanges(rules) if one.applies(request))


def test_a_permutation_undone_is_the_request(rules: Rules) -> None:
    request = some(rules, 8, 1)[0]
    forth, back = rotations(rules)[0], rotations(rules)[2]
    assert back.request(forth.request(request)) == request
    for pair in exchanges(rules):
        assert pair.request(pair.request(request)) == request
    assert identity(rules).request(request) == request
    turned = hands_of(forth.request(request))[0]
    assert turned["dealer"] == (hands_of(request)[0]["dealer"] + 1) % 4
    assert turned["dealt"][1] == hands_of(request)[0]["dealt"][0]


def test_what_is_no_value_stays_as_it_is(rules: Rules) -> None:
    turn = rotations(rules)[0]
    assert turn.event({"seat": 7, "do": "play", "card": "XX"}) == {"seat": 7, "do": "play", "card": "XX"}
    red = exchanges(rules)[1]
    assert red.event({"seat": 3, "do": "name", "suit": "H"}) == {"seat": 3, "do": "name", "suit": "D"}
    assert red.event({"seat": 3, "do": "name", "suit": "NT"})["suit"] == "NT"
    assert turn.field("turn", None) is None
