"""The claims of a log, compared with what the rules make of its events. A claim is never trusted.

The words of the claims are those of the observations, so nothing here knows what any of them is about.
"""

from collections.abc import Iterator

from msgspec import Struct

from buckspec.observe import observed
from buckspec.rulebook import Observation
from buckspec.state import State
from buckspec.verdict import ClaimDifference


def differences(claims: Struct | None, path: str, state: State, is_over: bool = True) -> Iterator[ClaimDifference]:
    """Every claim that is wrong in a state. `path` is where the claims stand, such as `hands[0].claims`.

    Of a hand that is not over, only what nothing can change any more is compared: a value that was absent and has been
    given, such as a maker, and the part of a growing list that is there. Raises RuleError where the rules fail.
    """
    for name, claimed in said(claims):
        observation = state.rules.book.observations.get(name)
        if observation is None:
            continue
        computed = observed(state, name)
        if is_over:
            yield from _compared(observation, f"{path}.{name}", claimed, computed)
        elif _is_final(observation, computed):
            yield from _compared(observation, f"{path}.{name}", _beginning(claimed, computed), computed)


def said(claims: Struct | None) -> Iterator[tuple[str, object]]:
    """The claims that are made, by name, with lists for tuples. A null that means something is one of them."""
    if claims is None:
        return
    fields = zip(claims.__struct_fields__, claims.__struct_defaults__, strict=True)
    for name, absent in fields:
        claimed = getattr(claims, name)
        if claimed is not absent:
            yield name, list(claimed) if isinstance(claimed, tuple) else claimed


def _is_final(observation: Observation, computed: object) -> bool:
    return observation.at is not None or (
        observation.type.optional and observation.domain is None and computed is not None
    )


def _beginning(claimed: object, computed: object) -> object:
    """The part of a claimed list that the computed one has reached."""
    return claimed[: len(computed)] if isinstance(claimed, list) and isinstance(computed, list) else claimed


def _compared(observation: Observation, path: str, claimed: object, computed: object) -> Iterator[ClaimDifference]:
    if not isinstance(claimed, list) or not isinstance(computed, list):
        if claimed != computed:
            yield ClaimDifference(path, claimed, computed)
    elif observation.type.many and observation.domain is None:  # a set: its order says nothing
        if set(claimed) != set(computed):
            yield ClaimDifference(path, claimed, computed)
    elif len(claimed) != len(computed):
        yield ClaimDifference(path, claimed, computed)
    else:
        for place, (one, other) in enumerate(zip(claimed, computed, strict=True)):
            if one != other:
                yield ClaimDifference(f"{path}[{place}]", one, other)
