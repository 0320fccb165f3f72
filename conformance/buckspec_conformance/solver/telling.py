"""What came of an obligation, in words."""

from collections.abc import Iterator

from buckspec_conformance.solver.counterexample import Counterexample
from buckspec_conformance.solver.prover import PROVEN, REFUTED, Result


def told(result: Result) -> Iterator[str]:
    """One line for an obligation, and more for one that is not proven."""
    yield f"  {result.outcome:9}  {result.id}  ({result.seconds:.2f} s)"
    if result.outcome == PROVEN:
        return
    yield f"    {result.says}"
    if result.part:
        yield f"    fails for: {result.part}" if result.outcome == REFUTED else f"    not decided: {result.part}"
    if result.against is not None:
        yield from _against(result.against)


def _against(found: Counterexample) -> Iterator[str]:
    if found.readings:
        yield "    readings: " + ", ".join(f"{question} is {reading}" for question, reading in found.readings)
    yield "    state: " + "; ".join(f"{name} = {value}" for name, value in found.state)
    if found.event:
        yield f"    event: {found.event}"
    for line in found.clash or ("the interpreter finds nothing wrong here: the solver and it disagree",):
        yield f"    {line}"
