"""Clause by clause, which vectors meet which objective, and what becomes of the objectives that none meets."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from buckspec.load import load_profile
from buckspec.rulebook import RuleBook
from buckspec.rules import Rules
from buckspec_conformance.coverage.decisions import OUTCOME, USE, Objective, decisions, owner_of, uses
from buckspec_conformance.coverage.infeasible import Searcher
from buckspec_conformance.coverage.measure import met
from buckspec_conformance.coverage.reasons import Reason, reasons, unseen
from buckspec_conformance.mutants.live import Live
from buckspec_conformance.solver.prover import PATIENCE
from buckspec_conformance.vectors import Vector

COVERED, IMPOSSIBLE, UNSEEN, OPEN = "covered", "impossible", "unseen", "open"
FATES = (COVERED, IMPOSSIBLE, UNSEEN, OPEN)
"""Met by a vector; proven to be met in no game; about what no answer of an engine depends on; none of these."""
_CONDITIONS = ("when", "that")
"""The expressions of a clause that say whether it holds."""

WITNESSES = Path(__file__).with_name("witnesses.json")
"""For each objective that is met, one vector that meets it; few vectors are enough. Built, never edited."""

Met = Mapping[str, tuple[str, ...]]
"""For each objective that is met, the vectors that meet it, in their order."""


@dataclass(frozen=True)
class Finding:
    """What became of an objective: the vectors that meet it, or why none does, as far as it is written down.

    `by` are the invariants by which it is proven to be impossible.
    """

    objective: Objective
    fate: str
    vectors: tuple[str, ...] = ()
    because: str = ""
    by: tuple[str, ...] = ()


@dataclass(frozen=True)
class Row:
    """The objectives of a clause, or of a definition that is not made of clauses."""

    owner: str
    is_clause: bool
    findings: tuple[Finding, ...]

    def count(self, fate: str) -> int:
        """How many objectives had this fate."""
        return sum(finding.fate == fate for finding in self.findings)

    def outcome(self, value: bool) -> Finding | None:
        """What became of the clause holding, or not holding; None for a clause that cannot but hold."""
        outcomes = [one for one in self.findings if one.objective.kind == OUTCOME and one.objective.value is value]
        named = [one for one in outcomes if _part(one.objective) in _CONDITIONS]
        used = [one for one in self.findings if one.objective.kind == USE and value]
        of_definition = [] if self.is_clause else outcomes
        return next(iter((*named, *used, *of_definition)), None)


def _part(objective: Objective) -> str:
    """The expression of its owner whose decision an objective is about."""
    return objective.id.partition("/")[2].partition("=")[0]


def measured(vectors: Iterable[Vector], owner: str | None = None) -> Met:
    """The objectives that vectors meet; with `owner`, those of one clause or definition."""
    found: dict[str, list[str]] = {}
    for vector in vectors:
        for id_ in sorted(met(_rules(vector), vector.case.request, owner)):
            found.setdefault(id_, []).append(vector.id)
    return {id_: tuple(ids) for id_, ids in found.items()}


def _rules(vector: Vector) -> Rules:
    request = vector.case.request
    return load_profile(
        str(request["profile"]), request.get("parameters"), request.get("readings")  # type: ignore[arg-type]
    )  # fmt: skip


def owners(book: RuleBook) -> tuple[str, ...]:
    """The clauses, in the order of the book, and then the definitions that have objectives of their own."""
    clauses = [id_ for id_ in book.clauses() if id_ not in book.invariants]
    return tuple(dict.fromkeys([*clauses, *(decision.owner for decision in decisions(book))]))


@dataclass(frozen=True)
class Table:
    """The rules of a profile, and what its vectors meet."""

    rules: Rules
    met: Met
    patience: float = PATIENCE

    def rows(self, wanted: Collection[str] | None = None) -> Iterator[Row]:
        """What became of the objectives of each clause and definition, or of those wanted."""
        clauses, held = self.rules.book.clauses(), self._objectives
        for owner in owners(self.rules.book):
            if wanted is None or owner in wanted:
                yield Row(owner, owner in clauses, tuple(map(self._finding, held[owner])))

    @cached_property
    def _objectives(self) -> Mapping[str, list[Objective]]:
        found = {owner: [use] for owner, use in uses(self.rules.book).items()}
        for decision in decisions(self.rules.book):
            found.setdefault(decision.owner, []).extend(decision.objectives)
        return found

    def _finding(self, objective: Objective) -> Finding:
        id_ = objective.id
        if id_ in self.met:
            return Finding(objective, COVERED, self.met[id_])
        if owner_of(id_) not in self._live:
            return _told(objective, UNSEEN, unseen().get(id_))
        if objective.kind != USE and self._searcher.is_infeasible(id_):
            return _told(objective, IMPOSSIBLE, reasons().get(id_))
        return Finding(objective, OPEN)

    @cached_property
    def _live(self) -> frozenset[str]:
        """The clauses and definitions on which what happens or is seen depends."""
        book = self.rules.book
        live = Live((book,)).names
        dead = [definition for name, definition in book.definitions.items() if name not in live]
        return frozenset(owners(book)).difference(
            {case.clause.id for definition in dead for case in definition.alternatives},
            {definition.name for definition in dead},
        )

    @cached_property
    def _searcher(self) -> Searcher:
        return Searcher(self.rules, self.patience)


def _told(objective: Objective, fate: str, reason: Reason | None) -> Finding:
    """What became of an objective that no vector meets, with the reason if one is written down."""
    return Finding(objective, fate) if reason is None else Finding(objective, fate, (), reason.because, reason.by)
