"""What becomes of each change of the rule book."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from random import Random

from buckspec.load import load_profile
from buckspec.problem import SpecError
from buckspec.rulebook import RuleBook
from buckspec_conformance.mutants.changes import USUAL, Mutant, mutants
from buckspec_conformance.mutants.copies import copies
from buckspec_conformance.mutants.drops import Drop, drops
from buckspec_conformance.mutants.kill import Vectors
from buckspec_conformance.solver.alike import differences
from buckspec_conformance.solver.prove import theory_of
from buckspec_conformance.solver.prover import Prover

REFUSED, KILLED, EQUIVALENT, OPEN = "refused", "killed", "equivalent", "open"
FATES = (KILLED, REFUSED, EQUIVALENT, OPEN)
PATIENCE = 20.0
"""Seconds for each question to the solver."""
Change = Mutant | Drop


@dataclass(frozen=True)
class Fate:
    """What became of a change. `by` is the vector that killed it, or why it is refused, equivalent or open."""

    change: Change
    outcome: str
    by: str = ""


def changes(only: str | None = None) -> list[Change]:
    """Every change, or those in one clause, definition or key. Raises LookupError where there is none in that place."""
    with copies() as copy:
        found: list[Change] = [*mutants(copy.folder), *(drop for drop, _ in drops(load_profile(USUAL).book))]
    kept = [change for change in found if only in (None, change.where)]
    if not kept:
        raise LookupError(only)
    return kept


def sampled(found: Sequence[Change], number: int, seed: int = 1) -> list[Change]:
    """Some of the changes, in their order."""
    places = Random(seed).sample(range(len(found)), min(number, len(found)))  # noqa: S311 - a sample is no secret
    return [found[place] for place in sorted(places)]


@dataclass
class Trial:
    """Finds out what becomes of changes, one after the other. Use it in a `with`, as it keeps a copy of the rules."""

    held: Vectors = field(default_factory=Vectors)
    _stack: ExitStack = field(default_factory=ExitStack)

    def __enter__(self) -> "Trial":
        rules = load_profile(USUAL)
        self._lesser = dict(drops(rules.book))
        self._prover = Prover(rules, theory_of(rules, True), PATIENCE)
        self._copy = self._stack.enter_context(copies())
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def fates(self, found: Sequence[Change]) -> Iterator[Fate]:
        """What becomes of these changes, in order."""
        yield from map(self.fate, found)

    def fate(self, change: Change) -> Fate:
        """What becomes of a change: a vector is tried before a proof, as that is quicker."""
        try:
            book = self._lesser[change] if isinstance(change, Drop) else self._copy.changed(change)
            killing = self.held.killing(book, change.where)
        except SpecError as error:
            return Fate(change, REFUSED, error.problems[0].what)
        return Fate(change, KILLED, killing) if killing is not None else self._unnoticed(change, book)

    def _unnoticed(self, change: Change, book: RuleBook) -> Fate:
        if book.parameters != self._prover.theory.book.parameters:
            return Fate(change, OPEN, "a parameter differs")
        difference = next(differences(self._prover, book), None)
        if difference is None:
            return Fate(change, EQUIVALENT, "the same is seen and legal in every state, under all readings")
        certainty = "" if difference.is_certain else " (perhaps: the solver was not done in time)"
        return Fate(change, OPEN, f"{difference.what} otherwise{certainty}")
