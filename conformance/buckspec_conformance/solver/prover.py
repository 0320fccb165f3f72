"""Proves an obligation, or finds the state that speaks against it."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from time import monotonic

import z3

from buckspec.rules import Rules
from buckspec_conformance.solver.counterexample import Counterexample, counterexample
from buckspec_conformance.solver.guards import Guard, all_of, formula, neg
from buckspec_conformance.solver.obligations import Obligation
from buckspec_conformance.solver.theory import Given, Theory

PROVEN, REFUTED, UNDECIDED = "proven", "refuted", "undecided"
PATIENCE = 60.0
"""Seconds for one goal, after which it counts as undecided."""
AT_ONCE, BRIEFLY = 0.3, 0.6
"""Seconds for the attempt to prove all goals together, and one goal, from little."""


@dataclass(frozen=True)
class Result:
    """What came of an obligation; `goals` is how many parts it has, `seconds` how long they took in all.

    `part` is the one that failed or was not decided, or the invariants that leave no state where one is wanted;
    `against` is the state that speaks against it.
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
            return *self._possible(given), None
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

    def _possible(self, given: Given) -> tuple[str, str]:
        """Whether there is such a state; if not, a smallest number of invariants that contradict each other there."""
        solver = z3.SimpleSolver()
        solver.set("timeout", _milliseconds(self.patience))
        solver.set("core.minimize", True)
        solver.add(formula(given.core), *self.theory.facts.meanings())
        for name, guard in given.kept.items():
            solver.assert_and_track(formula(guard), name)
        answer = checked(solver)
        if answer == z3.unsat:
            return REFUTED, " and ".join(sorted(str(name) for name in solver.unsat_core()))
        return (PROVEN if answer == z3.sat else UNDECIDED), ""

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
        quick.set("timeout", _milliseconds(min(patience or self.patience, self.patience)))
        quick.add(*told)
        answer = checked(quick)
        if answer == z3.unsat or patience is not None:
            return answer, None
        slow = z3.SimpleSolver()
        slow.set("timeout", _milliseconds(self.patience))
        slow.add(*told, *self.theory.facts.meanings())
        answer = checked(slow)
        return answer, slow.model() if answer == z3.sat else None


def checked(solver: z3.Solver, *assumed: z3.BoolRef) -> z3.CheckSatResult:
    """The answer of a solver under assumptions, which ends at once with KeyboardInterrupt after Ctrl-C.

    Left to itself, Z3 takes the signal for its own and says that it does not know.
    """
    solver.set("ctrl_c", False)
    with ThreadPoolExecutor(1) as pool:
        answer = pool.submit(solver.check, *assumed)
        try:
            return answer.result()
        except KeyboardInterrupt:
            solver.interrupt()
            raise


def _milliseconds(seconds: float) -> int:
    """A time as Z3 takes it, to which 0 would be no limit."""
    return max(1, int(seconds * 1000))
