"""What is translated for the solver is worth what the tree-walker says, in states of play and in states made up."""

from functools import cache
from random import Random

import pytest

from buckspec import interpret, load_profile
from buckspec.evaluate import Evaluator, Missing, RuleError
from buckspec.interpret import locals_of
from buckspec.rules import Rules
from buckspec.state import Event, Refused, State
from buckspec.types import NONE
from buckspec_conformance import random_hands
from buckspec_conformance.solver import values as v
from buckspec_conformance.solver.events import happen, its_time, requirements
from buckspec_conformance.solver.selection import fixed
from buckspec_conformance.solver.states import any_value, known_state, span
from buckspec_conformance.solver.symbolic import Symbolic
from buckspec_conformance.solver.values import Bits, Number, Pick, Symbol, Truth


def plain(symbol: Symbol) -> object:
    """A symbol that is known, as the evaluator writes it; None where it is undefined."""
    if isinstance(symbol, Truth):
        return None if not symbol.yes and not symbol.no else symbol.yes
    if symbol.defined is not True:
        assert symbol.defined is False, "it should be known whether it exists"
        return None
    match symbol:
        case Bits():
            return sum(1 << at for at, guard in symbol.guards.items() if guard)
        case Pick():
            return next(at for at, guard in symbol.guards.items() if guard)
        case Number():
            return symbol.value.as_long()


def evaluated(evaluator: Evaluator, name: str, argument: int) -> object:
    answer = evaluator.definition(name, argument)
    return None if isinstance(answer, Missing) else answer


@cache
def rules_of(seed: int) -> Rules:
    book = load_profile("ohio").book
    return load_profile("ohio", readings=random_hands.readings(Random(seed), book))


def played(seed: int) -> list[tuple[State, Event | None]]:
    """The states of a random hand, each with the event that follows, walked and not compiled."""
    rng, rules = Random(seed), rules_of(seed)
    state = random_hands.opening(rng, rules, random_hands.RARE)
    found: list[tuple[State, Event | None]] = []
    if not random_hands.deals(state):
        return [(state, None)]
    events, _ = random_hands.hand(rng, state, random_hands.RARE)
    for event in events:
        found.append((state, event))
        after = interpret.apply(state, event)
        assert not isinstance(after, Refused)
        state = after
    return [*found, (state, None)]


def made_up(seed: int) -> State:
    """A state whose variables have any values of their types, and sometimes none where none was given yet."""
    rng, rules = Random(seed), rules_of(seed % 20)
    selection = fixed(rules.book, rules.readings, rules.parameters)
    values: list[int | tuple[int, ...]] = []
    for variable in rules.book.variables.values():
        for _ in range(rules.slots[variable.name].width):
            symbol, _condition = any_value(rules.book, selection, variable, "x")
            match symbol:
                case Truth():
                    values.append(rng.randrange(2))
                case Bits():
                    values.append(rng.getrandbits(len(symbol.guards)) & rng.choice((-1, 0, rng.getrandbits(24))))
                case Pick():
                    is_given = span(rules.book, selection, variable) is not None or variable.type.optional
                    values.append(NONE if not is_given and rng.random() < 0.1 else rng.choice(list(symbol.guards)))
                case Number():
                    values.append(rng.randint(-3, 30))
    return State(rules, (*values, *(() for _ in rules.lists)))


def differences(state: State) -> list[str]:
    """Every definition on which the translation and the tree-walker part."""
    rules = state.rules
    symbolic = known_state(state, fixed(rules.book, rules.readings, rules.parameters))
    found = []
    for name, definition in rules.definitions.items():
        for argument in range(rules.book.domains[definition.domain].size) if definition.domain else (NONE,):
            try:
                walked = evaluated(Evaluator(rules, state.values), name, argument)  # type: ignore[arg-type]
            except RuleError:
                continue  # two alternatives hold, in a state that no play leads to
            translated = plain(symbolic.definition(name, argument))
            if walked != translated:
                found.append(f"{name}({argument}) is {walked} to the tree-walker and {translated} translated")
    return found


@pytest.mark.parametrize("seed", range(8))
def test_definitions_in_states_of_play(seed):
    assert [line for state, _ in played(seed) for line in differences(state)] == []


@pytest.mark.parametrize("seed", range(60))
def test_definitions_in_states_made_up(seed):
    assert differences(made_up(seed)) == []


@pytest.mark.parametrize("seed", range(8))
def test_events_change_the_state_alike_and_are_refused_alike(seed):
    for state, event in played(seed):
        rules = state.rules
        symbolic = known_state(state, fixed(rules.book, rules.readings, rules.parameters))
        for attempt in (random_hands.attempt(Random(seed), state), event):
            rule = rules.events.get(attempt.id) if attempt else None
            if attempt is None or rule is None or rule.by_chance:
                continue
            local = {name: v.pick(value) for name, value in locals_of(rule, attempt).items()}
            is_legal = its_time(symbolic, rule) and requirements(symbolic, rule, local).yes
            assert is_legal is (not interpret.broken(state, attempt)), f"{attempt} in {state.values}"
            if is_legal:
                after = happen(symbolic, rule, local)
                walked = interpret.happen(state, rule, attempt)
                translated = Symbolic(rules.book, symbolic.selection, after.values).values
                for (name, at), symbol in translated.items():
                    assert plain(symbol) == walked.value(name, at), f"{name}({at}) after {attempt}"
