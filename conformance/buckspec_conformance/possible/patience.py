"""Questions to Z3 that must be answered by a certain time. That it does not know is never taken for an answer."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from time import monotonic

import z3

from buckspec_conformance.solver.guards import Guard, formula
from buckspec_conformance.solver.prover import checked

_THOUSAND = 1000


class UndecidedError(Exception):
    """There is no answer: the time is up, or Z3 says why it gives none."""


@dataclass(frozen=True)
class Answer:
    """A model if there is one; if not, the assumptions that speak against each other, by their place."""

    model: z3.ModelRef | None
    core: frozenset[int] = frozenset()


@dataclass(frozen=True)
class Patience:
    """How long there is time, by time.monotonic(); without end if that is None."""

    until: float | None = None

    def left(self) -> float | None:
        """The seconds that are left. Raises UndecidedError if there are none."""
        if self.until is None:
            return None
        left = self.until - monotonic()
        if left <= 0:
            raise UndecidedError("the time is up")
        return left

    def ask(self, guards: Iterable[Guard], assumed: Sequence[Guard] = ()) -> Answer:
        """Whether all of these can hold at once, and how. Raises UndecidedError.

        The solver for finite domains is several times quicker, but gives up on numbers of any size.
        """
        told = list(dict.fromkeys(guards))
        if any(guard is False for guard in told):
            return Answer(None)
        never = frozenset(at for at, guard in enumerate(assumed) if guard is False)
        if never:
            return Answer(None, frozenset([min(never)]))
        for make in (lambda: z3.SolverFor("QF_FD"), z3.Solver):
            solver, left = make(), self.left()
            if left is not None:
                solver.set("timeout", max(1, int(left * _THOUSAND)))
            solver.add(*(formula(guard) for guard in told if guard is not True))
            marks = [z3.Bool(f"assumed {at}") for at in range(len(assumed))]
            solver.add(*(z3.Implies(mark, formula(guard)) for mark, guard in zip(marks, assumed, strict=True)))
            answer = checked(solver, *marks)
            if answer == z3.sat:
                return Answer(solver.model())
            if answer == z3.unsat:
                names = {str(mark) for mark in solver.unsat_core()}
                return Answer(None, frozenset(at for at, mark in enumerate(marks) if str(mark) in names))
        self.left()
        raise UndecidedError(f"Z3 says: {solver.reason_unknown()}")

    def possible(self, guards: Iterable[Guard]) -> bool:
        """Whether all of these can hold at once, as far as Z3 knows."""
        try:
            return self.ask(guards).model is not None
        except UndecidedError:
            self.left()
            return True
