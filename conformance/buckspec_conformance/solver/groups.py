"""All obligations of a rule book, in the groups in which they can be worked on, each by itself."""

from collections.abc import Callable, Iterator, Mapping

from buckspec_conformance.solver import obligations as of
from buckspec_conformance.solver.obligations import Obligation
from buckspec_conformance.solver.steps import of_event
from buckspec_conformance.solver.theory import Theory

_EVENT = "event "
_GROUPS: Mapping[str, Callable[[Theory], Iterator[Obligation]]] = {
    "phases": of.of_phases, "clauses": of.of_clauses, "start": of.of_start, "flow": of.of_flow,
    "theorems": of.of_theorems,
}  # fmt: skip


def groups(theory: Theory) -> list[str]:
    """The groups that obligations come in; each can be worked on by itself."""
    of_events = [f"{_EVENT}{event}" for event in theory.book.events]
    return ["phases", "clauses", "start", *of_events, "flow", "theorems"]


def of_group(theory: Theory, group: str) -> Iterator[Obligation]:
    """The obligations of a group."""
    if group.startswith(_EVENT):
        yield from of_event(theory, theory.book.events[group.removeprefix(_EVENT)])
    else:
        yield from _GROUPS[group](theory)
