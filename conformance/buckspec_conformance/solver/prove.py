"""Proves the obligations of a rule book, or finds the state that speaks against one."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

import z3

from buckspec.data import spec_dir
from buckspec.rulebook import PHASE
from buckspec.rules import Rules
from buckspec_conformance.solver import values as v
from buckspec_conformance.solver.counterexample import Counterexample, counterexample
from buckspec_conformance.solver.guards import Guard, all_of, formula, neg
from buckspec_conformance.solver.obligations import Obligation, groups, happenings, of_group, of_tables
from buckspec_conformance.solver.selection import fixed, free
from buckspec_conformance.solver.theory import Given, Theory

PROVEN, REFUTED, UNDECIDED = "proven", "refuted", "undecided"
PATIENCE = 60.0
"""Seconds for one goal, after which it counts as undecided."""
AT_ONCE, BRIEFLY = 0.3, 0.6
"""Seconds for the attempt to prove all goals together, and one goal, from little."""


@dataclass(frozen=True)
class Result:
    """What came of an obligation; `goals` is how many parts it has, `seconds` how long they took in all.

    `part` is the one that failed or was not decided, `against` the state that speaks against it.
    """

    id: str
    kind: str
    says: str
    clauses: tuple[str, ...]
    outcome: str
    goals: int
    seconds: float
    part: str = ""
    against: Counterexample | None = None


@dataclass
class Prover:
    """Proves obligations of one theory."""

    rules: Rules
    theory: Theory
    patience: float = PATIENCE

    def result(self, obligation: Obligation) -> Result:
        """Try every goal, until one fails."""
        began = monotonic()
        outcome, part, against = self._outcome(obligation)
        return Result(
            obligation.id, obligation.kind, obligation.says, tuple(clause.id for clause in obligation.clauses),
            outcome, max(1, len(obligation.goals)), monotonic() - began, part, against,
        )  # fmt: skip

    def _outcome(self, obligation: Obligation) -> tuple[str, str, Counterexample | None]:
        given = obligation.given
        if obligation.wanted:
            answer = self._possible(given.everything())
            return (PROVEN if answer == z3.sat else REFUTED if answer == z3.unsat else UNDECIDED), "", None
        goals = [goal for goal in obligation.goals if goal.guard is not True]
        if self._follows(given, all_of(goal.guard for goal in goals), AT_ONCE):
            return PROVEN, "", None
        for goal in goals:
            if not self._follows(given, goal.guard, BRIEFLY) and not self._follows_case_by_case(given, goal.guard):
                answer, model = self.ask(given.everything(), neg(goal.guard))
                if model is not None:
                    return REFUTED, goal.label, counterexample(self.rules, obligation, model)
                if answer != z3.unsat:
                    return UNDECIDED, goal.label, None
            given = given.also(goal.guard)  # what has been shown helps to show the next
        return PROVEN, "", None

    def _follows(self, given: Given, goal: Guard, patience: float) -> bool:
        """Whether a goal follows from few of the things that may be used: a proof from little is found much sooner."""
        return bool(self.ask(given.few(), neg(goal), patience)[0] == z3.unsat)

    def _follows_case_by_case(self, given: Given, goal: Guard) -> bool:
        """The same for each thing that the event can be about: many easy questions instead of a hard one."""
        return len(given.cases) > 1 and all(self._follows(given.also(case), goal, BRIEFLY) for case in given.cases)

    def _possible(self, assumed: Guard) -> z3.CheckSatResult:
        if assumed is False:
            return z3.unsat
        solver = z3.SimpleSolver()
        solver.set("timeout", int(self.patience * 1000))
        solver.add(formula(assumed), *self.theory.facts.meanings())
        return solver.check()

    def ask(
        self, assumed: Guard, more: Guard, patience: float | None = None
    ) -> tuple[z3.CheckSatResult, z3.ModelRef | None]:
        """Whether both can hold together, and how. A solver for each question: without a past it is far quicker.

        First the numbers of any size are left out, of which most proofs have no need.
        """
        if assumed is False or more is False:
            return z3.unsat, None
        told = (formula(assumed), formula(more))
        quick = z3.SolverFor("QF_FD")
        quick.set("timeout", int((patience or self.patience) * 1000))
        quick.add(*told)
        answer = quick.check()
        if answer == z3.unsat or patience is not None:
            return answer, None
        slow = z3.SimpleSolver()
        slow.set("timeout", int(self.patience * 1000))
        slow.add(*told, *self.theory.facts.meanings())
        answer = slow.check()
        return answer, slow.model() if answer == z3.sat else None


def theory_of(rules: Rules, every_reading: bool, spec: Path | None = None) -> Theory:
    """The theory of some rules: with their own readings, or with all readings left to the solver."""
    if every_reading:
        selection, admitted = free(rules.book, rules.parameters)
    else:
        selection, admitted = fixed(rules.book, rules.readings, rules.parameters), True
    return Theory(rules.book, selection, admitted, spec or spec_dir())


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


def rest(prover: Prover) -> Result:
    """Whether what happens by itself comes to an end, and after how many events."""
    began = monotonic()
    number = most_in_a_row(prover)
    return Result(
        "comes to rest", "flow",
        "What happens by itself comes to an end" + ("." if number is None else f" after {number} events at most."),
        (), REFUTED if number is None else PROVEN, 1, monotonic() - began,
    )  # fmt: skip


def most_in_a_row(prover: Prover) -> int | None:
    """How many events can happen by themselves, one right after the other; None where there may be no end to it."""
    theory = prover.theory
    automatic = {rule.id: rule for rule in theory.book.events.values() if rule.is_automatic}
    follows: dict[str, list[str]] = {name: [] for name in automatic}
    phases = theory.book.domains[theory.book.definitions[PHASE].type.base]
    for name, rule in automatic.items():
        for happening in happenings(theory, rule):
            phase = happening.after.definition(PHASE)
            for other, next_rule in automatic.items():
                here = [v.at(phase, phases.index[value]) for value in next_rule.phases]
                answers = [prover.ask(happening.given.everything(), guard)[0] for guard in here]
                if any(answer != z3.unsat for answer in answers):
                    follows[name].append(other)
    return _longest(follows)


def _longest(follows: Mapping[str, list[str]]) -> int | None:
    """The number of names on the longest path; None where one leads back to itself."""
    lengths: dict[str, int] = {}

    def length(name: str, path: tuple[str, ...]) -> int:
        if name in path:
            raise RecursionError
        if name not in lengths:
            lengths[name] = 1 + max((length(other, (*path, name)) for other in follows[name]), default=0)
        return lengths[name]

    try:
        return max((length(name, ()) for name in follows), default=0)
    except RecursionError:
        return None
