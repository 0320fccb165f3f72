"""What becomes of each mutant: refused by the loader, killed by a vector, proven to change no game, or open."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from buckspec.nodes import listing, table, text, texts
from buckspec.problem import SpecError
from buckspec.sources import read_yaml
from buckspec_conformance.mutants.generate import PROFILE
from buckspec_conformance.mutants.kill import killer
from buckspec_conformance.mutants.mutant import Mutant, changed_book
from buckspec_conformance.mutants.proof import equivalent
from buckspec_conformance.mutants.walked import courses
from buckspec_conformance.solver.counterexample import Counterexample

KILLED, REFUSED, EQUIVALENT, OPEN = "killed", "refused", "equivalent", "open"
FATES = (KILLED, REFUSED, EQUIVALENT, OPEN)
_REASONS = Path(__file__).with_name("reasons.yaml")


@dataclass(frozen=True)
class Fate:
    """What became of a mutant.

    `by` is the vector that killed it, or what the loader says, how it was proven, or what could not be proven.
    `because` is the written reason why a mutant that was proven to change no game does not; `against` is a state that
    speaks against a proof, to which no play need lead.
    """

    mutant: Mutant
    outcome: str
    by: str
    because: str = ""
    against: Counterexample | None = None


def fates(found: Iterable[Mutant]) -> Iterator[Fate]:
    """What becomes of these mutants, in order."""
    yield from map(fate, found)


def fate(mutant: Mutant) -> Fate:
    """What becomes of a mutant. The vectors are tried before a proof."""
    try:
        book = changed_book(PROFILE, mutant)
        killing = killer(book, courses(PROFILE), mutant.spot.where)
    except SpecError as error:
        return Fate(mutant, REFUSED, error.problems[0].what)
    if killing is not None:
        return Fate(mutant, KILLED, killing)
    proof = equivalent(PROFILE, book)
    if proof.how is None:
        return Fate(mutant, OPEN, f"not proven: {proof.part}", against=proof.against)
    return Fate(mutant, EQUIVALENT, proof.how, reasons().get(mutant.said, ""))


@lru_cache(maxsize=1)
def reasons() -> dict[str, str]:
    """Why a mutant changes no game, by what it says."""
    held = table(read_yaml(_REASONS), "the reasons").entries
    groups = [table(node, "a reason").entries for node in listing(held["reasons"])]
    return {
        change: text(group["because"], "because") for group in groups for change in texts(group["changes"], "changes")
    }
