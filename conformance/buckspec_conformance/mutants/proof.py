"""Proves that changed rules are equivalent to the original ones, or finds a state in which they differ."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from buckspec.load import load_profile
from buckspec.rulebook import RuleBook
from buckspec_conformance.mutants.equal import Twins
from buckspec_conformance.solver.counterexample import Counterexample
from buckspec_conformance.solver.obligations import Obligation
from buckspec_conformance.solver.prove import theory_of
from buckspec_conformance.solver.prover import PATIENCE, PROVEN, Prover
from buckspec_conformance.solver.theory import Theory

UNREAD = "no rule asks for it"
CLOSE = "what was changed is the same"
WIDE = "all that is seen and done is the same"
"""How rules are proven to be equivalent, under every reading and with the numbers of the profile."""


@dataclass(frozen=True)
class Proof:
    """What came of the attempt: how it was proven, or which obligation was not, and a state that speaks against it."""

    how: str | None
    part: str = ""
    against: Counterexample | None = None


@lru_cache(maxsize=1)
def _theory(profile: str) -> Theory:
    return theory_of(load_profile(profile), every_reading=True)


def equivalent(profile: str, changed: RuleBook, patience: float = PATIENCE) -> Proof:
    """Whether the rules of a profile and a change of them are equivalent, under every reading."""
    theory = _theory(profile)
    twins = Twins(theory, changed)
    differences = twins.differences
    if differences.is_deal:  # to the solver, a deal has no order
        return Proof(None, "what is dealt")
    parts = (differences.definitions, differences.events, differences.is_start, differences.has_other_numbers)
    if not any(parts):
        return Proof(UNREAD)
    prover = Prover(load_profile(profile), theory, patience)
    close = _failed(prover, twins.close())
    if close is None:
        return Proof(CLOSE)
    return _failed(prover, twins.wide()) or Proof(WIDE)


def _failed(prover: Prover, obligations: Iterable[Obligation]) -> Proof | None:
    """The first obligation that is not proven; None if all are."""
    for obligation in obligations:
        result = prover.result(obligation)
        if result.outcome != PROVEN:
            return Proof(None, f"{obligation.id}: {result.part}", result.against)
    return None
