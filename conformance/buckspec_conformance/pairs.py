"""Two answers that have to agree with each other: what an engine says of a request and of the same, permuted."""

from collections.abc import Sequence
from typing import Any

import msgspec

from buckspec.rules import Rules
from buckspec_conformance.compare import LEGAL, Difference
from buckspec_conformance.messages import PlayResponse
from buckspec_conformance.oracle import expected, key_of
from buckspec_conformance.properties import Example
from buckspec_conformance.symmetry import Symmetry, identity

_ALSO = "also"
_SAID = frozenset({"reason", "error"})
"""What an engine says in its own words, which may name a seat or a card."""


def disagreement(rules: Rules, pair: Example, answers: Sequence[PlayResponse]) -> Difference | None:
    """Where the second answer first differs from what the first makes of it, in anything that the engine reports.

    Both have passed by themselves, so this shows what else an engine lets depend on what it may not depend on.
    """
    symmetry = pair.symmetry or identity(rules)
    first, second = answers
    for at, (one, other) in enumerate(zip(first.hands[pair.skip :], second.hands, strict=True)):
        for step, (before, after) in enumerate(zip(one.steps, other.steps, strict=True)):
            wanted, told = _fields(symmetry, before), _fields(identity(rules), after)
            for name in [*wanted, *(name for name in told if name not in wanted)]:
                if wanted.get(name) != told.get(name):
                    expectation = expected(rules, pair.requests[1])[at][step]
                    shown = wanted.get(name), told.get(name)
                    return Difference(at, step, name, *shown, expectation, {}, disagreement.__name__)
    return None


def _fields(symmetry: Symmetry, step: object) -> dict[str, object]:
    """Everything that a step says, permuted, in a form in which order says nothing where it means nothing."""
    told: dict[str, Any] = msgspec.to_builtins(step)
    return {name: _plain(symmetry, name, value) for name, value in told.items() if name not in _SAID}


def _plain(symmetry: Symmetry, name: str, value: Any) -> object:
    book = symmetry.rules.book
    if name in (LEGAL, _ALSO):
        return frozenset(key_of(event) for event in symmetry.field(name, value))
    observation = book.observations.get(name)
    if observation is None:
        return symmetry.field(name, value) if name == "turn" else value
    moved = symmetry.field(name, value)
    if moved is None or not observation.type.many:
        return moved
    return frozenset(moved) if observation.domain is None else [frozenset(held) for held in moved]
