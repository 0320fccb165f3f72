"""Proves a rule book: all obligations, in order."""

from collections.abc import Iterator
from pathlib import Path

from buckspec.data import spec_dir
from buckspec.rules import Rules
from buckspec.sources import profile_names
from buckspec_conformance.solver.chains import rest
from buckspec_conformance.solver.groups import groups, of_group
from buckspec_conformance.solver.obligations import of_tables
from buckspec_conformance.solver.prover import PATIENCE, Prover, Result
from buckspec_conformance.solver.selection import fixed, free
from buckspec_conformance.solver.theory import Theory


def theory_of(rules: Rules, every_reading: bool, spec: Path | None = None) -> Theory:
    """The theory of some rules: with their own readings, or with all readings left to the solver."""
    if every_reading:
        selection, admitted = free(rules.book, rules.parameters)
    else:
        selection, admitted = fixed(rules.book, rules.readings, rules.parameters), True
    return Theory(rules.book, selection, admitted, spec or spec_dir())


def is_proven(rules: Rules) -> bool:
    """Whether the invariants are known to hold by these rules, under any readings: it is proven in every build for what
    is shipped, with the numbers of its profile. Of a house rule or other numbers nobody has proven anything."""
    usual = {name: number.value for name, number in rules.book.parameters.items()}
    return rules.name in profile_names() and dict(rules.parameters) == usual


def prove(
    rules: Rules, every_reading: bool, group: str | None = None, patience: float = PATIENCE, spec: Path | None = None
) -> Iterator[Result]:
    """The results of all obligations, or of one group of them, in order.

    The tables that shipped rules are played with depend on the readings; they are those of the rules themselves.
    """
    theory = theory_of(rules, every_reading, spec)
    prover = Prover(rules, theory, patience)
    for name in groups(theory) if group is None else [group]:
        for obligation in of_group(theory, name):
            yield prover.result(obligation)
    if group is None:
        yield rest(prover)
    if rules.is_shipped and group is None:
        chosen = theory if not every_reading else theory_of(rules, False, spec)
        for obligation in of_tables(chosen, rules):
            yield Prover(rules, chosen, patience).result(obligation)
