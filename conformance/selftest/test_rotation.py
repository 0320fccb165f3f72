"""What the rules may not depend on: which seat is which, and, where they name no suit, which suit is which.

A permutation of the values of some domains maps packs, events, states and refusals. Rotating all seats commutes with
play under any readings; so does exchanging the two suits of a colour that no rule names. The rules name clubs alone,
so clubs and spades can be exchanged where no up-card is a club, if nothing else depends on clubs.
"""

from collections.abc import Iterator, Mapping
from random import Random

import pytest

from buckspec import interpret, load_profile
from buckspec.play import apply, legal
from buckspec.rules import Rules, choose
from buckspec.state import Event, Refused, State
from buckspec.types import NONE, Domain, Type, members
from buckspec_conformance.random_hands import RARE, UNIFORM, attempt, deals, hand, opening, readings

Maps = Mapping[str, tuple[int, ...]]
"""For each domain that is permuted, what becomes of each value."""


@pytest.fixture(scope="module")
def shipped() -> Rules:
    return load_profile("ohio")


# ---------------------------------------------------------------------- permutations


def closed(rules: Rules, chosen: Maps) -> Maps:
    """The permutation with what follows from it for domains whose values have permuted attributes, such as cards."""
    maps = dict(chosen)
    for domain in rules.book.domains.values():
        if domain.name not in maps and any(value.attributes for value in domain.values):
            moved = tuple(image(rules, domain, index, chosen) for index in range(domain.size))
            if moved != tuple(range(domain.size)):
                maps[domain.name] = moved
    return maps


def image(rules: Rules, domain: Domain, index: int, chosen: Maps) -> int:
    """The one value of the domain that has the permuted attributes; the value itself if none are permuted."""
    by_parameter = {other.parameter: other for other in rules.book.domains.values()}
    attributes = dict(domain.values[index].attributes or {})
    wanted = dict(attributes)
    for name, value in attributes.items():
        other = by_parameter[name]
        if other.name in chosen:
            wanted[name] = other.values[chosen[other.name][other.index[value]]].name
    if wanted == attributes:
        return index
    found = [place for place, value in enumerate(domain.values) if dict(value.attributes or {}) == wanted]
    return found[0] if len(found) == 1 else index


def mapped(maps: Maps, kind: Type, value: int) -> int:
    moved = maps.get(kind.base)
    if moved is None or (value == NONE and not kind.many):
        return value
    return sum(1 << moved[member] for member in members(value)) if kind.many else moved[value]


def mapped_state(state: State, maps: Maps) -> State:
    """The state with every value in it permuted, and every variable of a permuted domain too."""
    values = list(state.values)
    for variable in state.rules.book.variables.values():
        slot = state.rules.slots[variable.name]
        for index in range(slot.width):
            place = maps[variable.domain][index] if variable.domain in maps else index
            held = state.values[slot.offset + index]
            values[slot.offset + place] = mapped(maps, variable.type, held)  # type: ignore[arg-type]
    for observation in state.rules.lists:
        offset = state.rules.slots[observation.name].offset
        values[offset] = tuple(mapped(maps, observation.type, one) for one in state.values[offset])  # type: ignore[union-attr]
    return State(state.rules, tuple(values))


def mapped_event(rules: Rules, event: Event, maps: Maps) -> Event:
    rule = rules.book.events[event.id]
    kinds = [Type(rules.pack.name)] * len(event.about) if rule.by_chance else [taken.type for taken in rule.takes]
    about = tuple(mapped(maps, kind, value) for kind, value in zip(kinds, event.about, strict=True))
    seat = event.seat if event.seat is None else mapped(maps, Type(rules.seats.name), event.seat)
    return Event(event.id, seat, about)


def rotated(rules: Rules, steps: int) -> Maps:
    size = rules.seats.size
    return closed(rules, {rules.seats.name: tuple((seat + steps) % size for seat in range(size))})


def exchanged(rules: Rules, one: str, other: str) -> Maps:
    suits = rules.book.domains["Suit"]
    order = list(range(suits.size))
    order[suits.index[one]], order[suits.index[other]] = suits.index[other], suits.index[one]
    return closed(rules, {suits.name: tuple(order)})


# ---------------------------------------------------------------------- the comparison


def commutes(state: State, events: tuple[Event, ...], maps: Maps, rng: Random) -> None:
    """Play events, and the permuted events from the permuted state, and compare all along."""
    rules = state.rules
    twin = mapped_state(state, maps)
    for event in events:
        tried = attempt(rng, state)
        for one in (tried, event):
            after, after_twin = apply(state, one), apply(twin, mapped_event(rules, one, maps))
            if isinstance(after, Refused) or isinstance(after_twin, Refused):
                assert isinstance(after, Refused)
                assert isinstance(after_twin, Refused)
                assert [part.clause for part in after.violations] == [part.clause for part in after_twin.violations]
            else:
                assert mapped_state(after, maps) == after_twin
        state, twin = after, after_twin  # type: ignore[assignment]
        allowed = {mapped_event(rules, one, maps) for one in legal(state)}
        assert allowed == set(legal(twin)), event


def hands(rules: Rules, rng: Random, count: int) -> Iterator[tuple[State, tuple[Event, ...]]]:
    """Random hands, the first of a game or later ones."""
    while count > 0:
        state = opening(rng, rules, RARE)
        while count > 0 and deals(state):
            before = state
            events, state = hand(rng, before, rng.choice([UNIFORM, RARE]))
            yield before, events
            count -= 1


def test_a_permutation_is_one(shipped: Rules) -> None:
    for maps in (rotated(shipped, 1), exchanged(shipped, "hearts", "diamonds")):
        for name, moved in maps.items():
            assert sorted(moved) == list(range(shipped.book.domains[name].size))
    assert set(rotated(shipped, 1)) == {"Seat"}
    cards = shipped.book.domains["Card"]
    swapped = exchanged(shipped, "hearts", "diamonds")["Card"]
    assert [cards.values[swapped[cards.by_code[code]]].code for code in ("JH", "9D", "AS")] == ["JD", "9H", "AS"]


@pytest.mark.parametrize("steps", [1, 2, 3])
def test_rotating_the_seats_commutes_with_play(shipped: Rules, steps: int) -> None:
    rng = Random(steps)
    for _ in range(4):
        rules = choose(shipped.book, "rotated", {}, readings(rng, shipped.book), is_shipped=True)
        for before, events in hands(rules, rng, 8):
            commutes(before, events, rotated(rules, steps), rng)


def test_the_two_red_suits_can_be_exchanged(shipped: Rules) -> None:
    rng = Random(4)
    for _ in range(5):
        rules = choose(shipped.book, "exchanged", {}, readings(rng, shipped.book), is_shipped=True)
        for before, events in hands(rules, rng, 8):
            commutes(before, events, exchanged(rules, "diamonds", "hearts"), rng)


def test_the_two_black_suits_can_be_exchanged_where_the_up_card_is_red(shipped: Rules) -> None:
    rng, kept, different = Random(5), 0, 0
    names = {"named-clubs": "ordinary"}
    for _ in range(5):
        chosen = readings(rng, shipped.book) | names
        rules = choose(shipped.book, "exchanged", {}, chosen, is_shipped=True)
        maps, suit = exchanged(rules, "clubs", "spades"), rules.book.tables["suit"]
        red = {rules.book.domains["Suit"].index[name] for name in ("hearts", "diamonds")}
        for before, events in hands(rules, rng, 20):
            dealt = apply(before, events[0])
            assert isinstance(dealt, State)
            if suit[dealt.known("upcard")] in red:
                kept += 1
                commutes(before, events, maps, rng)
            elif chosen["turned-club"] == "nobodys":
                different += legal(dealt) != legal(apply(before, mapped_event(rules, events[0], maps)))  # type: ignore[arg-type]
    assert kept > 20
    assert different > 0, "a club as up-card makes the difference; else this test sees nothing"


# ---------------------------------------------------------------------- invariants


def steps(state: State, event: Event) -> Iterator[State]:
    """Every state that an event leads through, by the rules as they are written."""
    state = interpret.happen(state, state.rules.events[event.id], event)
    yield state
    while automatic := [rule for rule in interpret.current_events(state) if rule.is_automatic]:
        state = interpret.happen(state, automatic[0], Event(automatic[0].id))
        yield state


def all_passing(rules: Rules, rng: Random) -> Iterator[tuple[State, tuple[Event, ...]]]:
    """A hand in which all pass as long as they can, which hardly ever happens by chance."""
    before = opening(rng, rules, RARE)
    events = [hand(rng, before)[0][0]]
    state = apply(before, events[0])
    while isinstance(state, State) and (passes := [event for event in legal(state) if event.id == "pass"]):
        events.append(passes[0])
        state = apply(state, passes[0])
    yield before, tuple(events)


def test_the_invariants_hold_in_every_state_of_random_games(shipped: Rules) -> None:
    rng = Random(6)
    asked = dict.fromkeys(shipped.book.invariants, 0)
    for turn in range(24):
        chosen = readings(rng, shipped.book, usual=0.4)
        rules = choose(
            shipped.book, "kept", {}, chosen | ({"all-pass": "deal-passes"} if turn % 4 == 0 else {}), is_shipped=True
        )
        for before, events in hands(rules, rng, 2) if turn % 4 else all_passing(rules, rng):
            state = before
            for event in events:
                for state in steps(state, event):  # noqa: B020
                    for id_, invariant in shipped.book.invariants.items():
                        if invariant.clause.under.holds(rules.readings) and state.evaluator.holds(invariant.when, {}):
                            assert state.evaluator.term(invariant.that, {}) is True, (id_, rules.readings, state.values)
                            asked[id_] += 1
    assert all(asked.values()), f"never asked: {[id_ for id_, times in asked.items() if not times]}"
