"""What can be seen of a state from outside, by the observations of the rule book, as a log writes it."""

from functools import lru_cache

from buckspec.evaluate import Locals, Missing, RuleError
from buckspec.machine import Machine
from buckspec.play import compiled_for
from buckspec.rulebook import Observation
from buckspec.state import State

_KEPT = 2  # states whose observations are kept


def observed(state: State, name: str) -> object:
    """An observation of a state, such as `totals`: one value, or a list by seat, or a list that has grown.

    Raises KeyError for a name that is no observation, RuleError where the rules do not give it a value.
    """
    compiled = compiled_for(state)
    if compiled is not None:
        return _all(compiled, state.values)[name]
    return interpreted(state, name)


@lru_cache(maxsize=_KEPT)
def _all(compiled: Machine, values: tuple[object, ...]) -> dict[str, object]:
    """Everything that is seen of a state, of which one thing after the other is asked for."""
    return compiled.observe(values)


def interpreted(state: State, name: str) -> object:
    """The same, by the rules as they are written."""
    observation = state.rules.book.observations[name]
    if observation.at is not None:
        held = state.values[state.rules.slots[name].offset]
        return [state.rules.code(observation.type, value) for value in held]  # type: ignore[union-attr]
    if observation.domain is None:
        return _one(state, observation, {})
    domain = state.rules.book.domains[observation.domain]
    return [_one(state, observation, {domain.parameter: index}) for index in range(domain.size)]


def observe(state: State) -> dict[str, object]:
    """Every observation of a state after the first deal. Raises RuleError where the rules give one no value."""
    compiled = compiled_for(state)
    if compiled is not None:
        return compiled.observe(state.values)
    return {name: interpreted(state, name) for name in state.rules.book.observations}


def _one(state: State, observation: Observation, local: Locals) -> object:
    answer = state.evaluator.term(observation.value, local)
    if isinstance(answer, Missing):
        raise RuleError(f"“{observation.name}” is {answer.value}")
    return state.rules.code(observation.type, answer)
