"""Nothing that happens is ruled out: conditions that are true of states of random hands, at every moment there is."""

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from buckspec import load_profile
from buckspec.play import apply
from buckspec.rules import Rules, choose
from buckspec.state import Event, State
from buckspec.types import NONE, Domain
from buckspec_conformance.partings import never_part
from buckspec_conformance.possible.hand import granted, just_after
from buckspec_conformance.possible.ruled_out import ruled_out
from buckspec_conformance.possible.start import Start, drawn
from buckspec_conformance.possible.wish import ANY, END, holds, is_over, moments, wish
from buckspec_conformance.random_hands import RARE, hand, readings

OHIO = load_profile("ohio")
HOUSE_RULE = Path(__file__).resolve().parents[3] / "spec" / "examples" / "house-rules" / "dear-tricks.yaml"
RARELY = ("throw-in", "concede", "sweep", "name")


@pytest.mark.parametrize("moment", moments(OHIO))
def test_what_happens_is_not_ruled_out(moment: str) -> None:
    assert sum(checked(moment, seed) for seed in range(6)) >= (0 if moment in RARELY else 1)


@pytest.mark.slow
@pytest.mark.parametrize("moment", moments(OHIO))
def test_what_happens_is_not_ruled_out_in_many_hands(moment: str) -> None:
    assert sum(checked(moment, seed) for seed in range(1000, 1060)) > 3


def checked(moment: str, seed: int) -> bool:
    """Whether the moment came in a random hand; then a condition that is true there must not be ruled out."""
    rng = Random(f"{moment} {seed}")
    rules = choose(OHIO.book, "ohio", {}, readings(rng, OHIO.book, 0.7), is_shipped=True)
    before = drawn(rules, Start(), rng)
    events = hand(rng, before, RARE)[0]
    states = list(asked(before, events, moment))
    if not states:
        return False
    state, dealt = rng.choice(states), next(just_after(before, events[0], "deal"))
    text, of_deal = said(state, rng), said(dealt, rng)
    wanted = wish(rules, text, moment, of_deal)
    assert holds(state, wanted.parts), text
    assert granted(before, events, wanted) is not None, text
    found = ruled_out(rules, wanted, Start(), every_reading=rng.random() < 0.3)
    assert found is None, (text, of_deal, found)
    return True


def asked(before: State, events: tuple[Event, ...], moment: str) -> Iterator[State]:
    """The states of a hand in which a condition is asked."""
    state = before
    for event in events:
        if moment not in (END, ANY):
            yield from just_after(state, event, moment)
        after = apply(state, event)
        assert isinstance(after, State)
        state = after
        if moment == ANY or (moment == END and is_over(state)):
            yield state


def said(state: State, rng: Random) -> str:
    """Some true statements about a state."""
    told = list(_statements(state, rng))
    return " && ".join(rng.sample(told, min(len(told), rng.choice((3, 6, 12)))))


def _statements(state: State, rng: Random) -> Iterator[str]:
    rules = state.rules
    for variable in rules.book.variables.values():
        slot, domain = rules.slots[variable.name], rules.book.domains.get(variable.type.base)
        for at in range(slot.width):
            value = state.values[slot.offset + at]
            name = f"{variable.name}({at})" if variable.domain else variable.name
            if not isinstance(value, int):
                continue
            if domain is None:
                yield (name if value else f"!{name}") if variable.type.base == "bool" else f"{name} == {value}"
            elif variable.type.many:
                member = rng.randrange(domain.size)
                inside = f"{_called(domain, member)} in {name}"
                yield inside if value >> member & 1 else f"!({inside})"
                yield f"{name}.size() == {value.bit_count()}"
            elif value != NONE:
                yield f"{name} == {_called(domain, value)}"
            elif variable.type.optional:
                yield f"{name} == none"


def _called(domain: Domain, value: int) -> str:
    if domain.circular:
        return str(value)
    card = domain.values[value]
    return card.code if domain.plural == "cards" else f"{domain.name}.{card.name}"


@pytest.mark.parametrize(
    "rules",
    [
        load_profile(str(HOUSE_RULE)),
        load_profile("ohio", {"penalty": 7}),
    ],
    ids=["a house rule", "other numbers"],
)
def test_nothing_is_ruled_out_by_invariants_that_nobody_has_proven(rules: Rules) -> None:
    text = "tricks(0) == 3 && tricks(1) == 3"
    assert ruled_out(OHIO, wish(OHIO, text), Start(), every_reading=False) is not None
    assert ruled_out(rules, wish(rules, text), Start(), every_reading=False) is None
    assert not never_part(rules, rules, 20)
