"""The compiled machine and the interpreter that walks the rules as written are two forms of one thing.

Random hands, under every profile and random admissible readings and parameters, with illegal events thrown in: both
must name the same legal events and phases, reach the same states, and refuse the same events. More examples than the
default: `pytest -m slow`; others: `pytest --hypothesis-seed=N`.
"""

import random
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from buckspec import interpret, play
from buckspec.load import load_profile
from buckspec.machine import machine
from buckspec.problem import SpecError
from buckspec.rulebook import RuleBook
from buckspec.rules import Rules
from buckspec.sources import profile_names
from buckspec.state import Event, Refused, State

FEW, MANY = 10, 150
EVENTS = 60  # of a game; a hand has about 35
HEALTH = [HealthCheck.too_slow, HealthCheck.data_too_large]


@dataclass(frozen=True)
class Table:
    """The choices of one table, and the seed of what happens at it."""

    profile: str
    readings: dict[str, str]
    parameters: dict[str, int]
    seed: int


def admissible(book: RuleBook, readings: dict[str, str]) -> bool:
    chosen = {**book.readings, **readings}
    return not any(exclusion.under.holds(chosen) for exclusion in book.exclusions)


@st.composite
def tables(draw: st.DrawFn) -> Table:
    """Any profile, some questions answered otherwise, and some parameters set otherwise, within their ranges."""
    profile = draw(st.sampled_from(profile_names()))
    book = load_profile(profile).book
    questions = {name: st.sampled_from(list(question.readings)) for name, question in book.questions.items()}
    readings = draw(st.fixed_dictionaries({}, optional=questions).filter(lambda chosen: admissible(book, chosen)))
    numbers = {name: st.integers(held.low, min(held.high, 30)) for name, held in book.parameters.items()}
    return Table(profile, readings, draw(st.fixed_dictionaries({}, optional=numbers)), draw(st.integers(0, 10**6)))


def all_events(rules: Rules) -> list[Event]:
    """Every event of a seat that the rules know, in time or not."""
    return [
        Event(rule.id, seat, about)
        for rule in rules.events.values()
        if rule.by is not None
        for seat in range(rules.seats.size)
        for about in product(*(rules.choices(taken) for taken in rule.takes))
    ]


def shuffled(rules: Rules, dice: random.Random) -> Event:
    return Event("deal", None, tuple(dice.sample(range(rules.pack.size), rules.pack.size)))


def walked(rules: Rules, table: Table) -> tuple[list[State], list[Event]]:
    """A random game by the interpreter: the states, and the events between them."""
    dice = random.Random(table.seed)  # noqa: S311
    state = interpret.start(rules, {"next_dealer": dice.randrange(rules.seats.size)})
    states, events = [state], []
    for _ in range(EVENTS):
        possible = [*interpret.legal(state), *(shuffled(rules, dice) for rule in interpret.current_events(state)
                                               if rule.by_chance)]  # fmt: skip
        if not possible:
            break
        events.append(dice.choice(possible))
        outcome = interpret.apply(state, events[-1])
        assert isinstance(outcome, State)
        states.append(state := outcome)
    return states, events


def agree(table: Table) -> None:
    rules = load_profile(table.profile, table.parameters, table.readings)
    compiled = machine(rules)
    dice = random.Random(table.seed + 1)  # noqa: S311
    states, events = walked(rules, table)
    every = all_events(rules)
    for before, event, after in zip(states, events, states[1:], strict=False):
        legal = interpret.legal(before)
        assert play.legal(before) == legal
        done, phase, values = compiled.run(before.values, before.phase, [compiled.move(event)])
        assert (done, phase, values) == (1, after.known("phase"), after.values)
        wrong = [chosen for chosen in dice.sample(every, 12) if chosen not in legal]
        for refused in (*wrong, *([] if event.seat is None else [shuffled(rules, dice)])):
            done, phase, values = compiled.run(before.values, before.phase, [compiled.move(refused)])
            assert (done, phase, values) == (0, before.known("phase"), before.values)
            assert play.apply(before, refused) == interpret.apply(before, refused) == Refused(
                before, refused, interpret.broken(before, refused))  # fmt: skip
    assert play.apply_all(states[0], events) == (states[-1], None)
    stops_at_the_first_illegal(states, events, every, dice)


def stops_at_the_first_illegal(
    states: list[State], events: list[Event], every: list[Event], dice: random.Random
) -> None:
    """The whole game at once, with one illegal event put in somewhere."""
    place = dice.randrange(len(states))
    wrong = next(event for event in dice.sample(every, len(every)) if interpret.broken(states[place], event))
    after, refused = play.apply_all(states[0], [*events[:place], wrong, *events[place:]])
    assert after == states[place]
    assert refused == Refused(states[place], wrong, interpret.broken(states[place], wrong))


@settings(max_examples=FEW, deadline=None, suppress_health_check=HEALTH)
@given(tables())
def test_the_machine_does_what_the_rules_say(table: Table) -> None:
    agree(table)


@pytest.mark.slow
@settings(max_examples=MANY, deadline=None, suppress_health_check=HEALTH)
@given(tables())
def test_the_machine_does_what_the_rules_say_often(table: Table) -> None:
    agree(table)


def test_every_reading_by_itself() -> None:
    """Each reading that the usual profile does not choose, if it can be chosen alone: a game with the machine."""
    book = load_profile("ohio").book
    alone = [(name, reading) for name, question in book.questions.items() for reading in question.readings
             if reading != book.readings[name] and admissible(book, {name: reading})]  # fmt: skip
    assert len(alone) > len(book.questions)
    for name, reading in alone:
        rules = load_profile("ohio", readings={name: reading})
        dice = random.Random(0)  # noqa: S311
        state = interpret.start(rules, {"next_dealer": 0})
        for _ in range(EVENTS):
            events = play.legal(state)
            after = play.apply(state, dice.choice(events) if events else shuffled(rules, dice))
            if not isinstance(after, State):
                break
            state = after
        assert interpret.phase_clause(state).id  # exactly one clause says what time it is
        assert state.phase == state.known("phase")


def test_the_machine_is_never_asked_about_rules_that_are_not_proven(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It trusts that the cases of a definition are complete and without overlap, which a house rule may break."""
    mine = tmp_path / "mine.yaml"
    mine.write_text("""
profile: mine
title: Mine
extends: ohio
questions:
  double:
    asks: Is a penalty doubled?
    readings: {so: "Yes.", not: "No."}
    clauses:
      mine.set: {instead-of: score.set, says: Twice., under: double is so, is: 2 * penalty, because: We like it.}
""")
    monkeypatch.setattr(play, "machine", lambda _: pytest.fail("the machine was asked"))
    rules = load_profile(str(mine))
    state = play.apply(interpret.start(rules, {"next_dealer": 0}), shuffled(rules, random.Random(0)))  # noqa: S311
    assert isinstance(state, State)
    assert play.legal(state) == interpret.legal(state)


def test_a_refused_choice_is_no_table() -> None:
    with pytest.raises(SpecError, match="these readings contradict each other"):
        load_profile("ohio", readings={"all-drop": "unplayed-wins", "sweep": "never"})
