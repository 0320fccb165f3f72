"""Which vector kills a mutant: to its request, the changed rules answer something else than it expects.

What is compared is all that an engine can report of a state, and whether it accepts an event; not the clause for which
it refuses one, which few engines tell. A game of the changed rules is like one of the original ones up to a state in
which something that was changed has another value or can happen, so only from there on it is played.
"""

from collections.abc import Iterable, Mapping, Sequence

from buckspec import interpret
from buckspec.observe import observe
from buckspec.rulebook import RuleBook
from buckspec.rules import Rules, choose
from buckspec.state import State
from buckspec.words import to_log
from buckspec_conformance.mutants.differences import FAILURES, Differences, other_values
from buckspec_conformance.mutants.walked import Course, Step, Walk, start_of
from buckspec_conformance.oracle import key_of, tried


def killer(changed: RuleBook, played: Sequence[Course], where: str) -> str | None:
    """The id of the first vector that kills a changed rule book; None if none does.

    Those vectors come first that were made for the clause `where`. Raises SpecError where the changed rules cannot be
    played at all by the choices of a course.
    """
    hunts: dict[Course, _Hunt] = {}
    for is_near in (True, False):
        for course in played:
            walks = [walk for walk in course.walks if (where in walk.vector.case.clauses) is is_near]
            if walks and course not in hunts:
                numbers, readings = course.chosen
                rules = choose(changed, changed.profile, dict(numbers), dict(readings), is_shipped=False)
                hunts[course] = _Hunt(course, rules)
            found = next((walk for walk in walks if hunts[course].kills(walk)), None)
            if found is not None:
                return found.vector.id
    return None


class _Hunt:
    """Looks for a vector of one course that kills changed rules."""

    def __init__(self, course: Course, rules: Rules) -> None:
        self.course, self.rules = course, rules
        self.differences = Differences(course.rules.book, rules.book)
        self.other = other_values(course, self.differences, rules)
        self.touched = frozenset(self.differences.events)
        self.after: dict[Step, State | None] = {}

    def kills(self, walk: Walk) -> bool:
        """Whether the changed rules answer a vector in another way than the original ones."""
        if self.differences.is_start or walk.start.values in self.other:
            try:
                start = start_of(self.rules, walk.vector)
            except FAILURES:
                return True
            if self._essence(start) != self._essence(walk.start):
                return self._differs(start, walk.steps)
        for number, step in enumerate(walk.steps):
            if not self._concerns(step):
                continue
            if step not in self.after:
                self.after[step] = self._answered(State(self.rules, step.expectation.before.values), step)
            state = self.after[step]
            if state is None:
                return True
            is_other = self._essence(state) != self._essence(step.expectation.state)
            if is_other and self._differs(state, walk.steps[number + 1 :]):
                return True
        return False

    def _essence(self, state: State) -> tuple[object, ...]:
        return self.differences.live.essence(state.rules, state.values)

    def _concerns(self, step: Step) -> bool:
        return bool(self.touched & step.events) or any(state.values in self.other for state in step.states)

    def _differs(self, state: State, steps: Iterable[Step]) -> bool:
        """Whether the changed rules, from this state on, answer one of the steps in another way."""
        for step in steps:
            after = self._answered(state, step)
            if after is None:
                return True
            state = after
        return False

    def _answered(self, state: State, step: Step) -> State | None:
        """The state after a step by the changed rules, or None if what they say of it is not what is expected."""
        wanted = step.expectation
        try:
            if wanted.logged is None:
                assert wanted.event is not None  # noqa: S101 the deal is an event
                after = interpret.apply(state, wanted.event)
                accepted, told = isinstance(after, State), after.state if not isinstance(after, State) else after
            else:
                found = tried(state, wanted.logged)
                accepted, told = found.accepted, found.state
            if accepted is not wanted.accepted:
                return None
            if wanted.is_deal and not accepted:
                return told
            return told if _shown(told) == wanted.fields else None
        except FAILURES:
            return None


def _shown(state: State) -> Mapping[str, object]:
    """All that an engine that plays by these rules reports of a state."""
    events = interpret.legal(state)
    seats = {event.seat for event in events}
    choices = frozenset(key_of(to_log(state.rules, event)) for event in events)
    return {**observe(state), "turn": seats.pop() if len(seats) == 1 else None, "legal": choices}
