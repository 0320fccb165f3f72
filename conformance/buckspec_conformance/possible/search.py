"""Looks for hands in which a condition holds, the simplest first, or shows that there is none.

Simple is a hand in which little is said and played: the fewest events, and of those the one that comes first in the
order of the rule book. The solver goes through all that can be said, with any cards, and stops where nothing shorter is
left. So the answer that there is no hand is a proof by exhaustion, and names the parts of the condition that it needed.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush

import z3

from buckspec_conformance.possible.patience import UndecidedError
from buckspec_conformance.possible.unroll import (
    Line,
    Unrolling,
    changed_from,
    events_in,
    loosened,
    same_events,
)
from buckspec_conformance.possible.wish import ANY, END, Wish
from buckspec_conformance.solver.guards import Guard, all_of, neg
from buckspec_conformance.solver.states import Values
from buckspec_conformance.solver.symbolic import Symbolic


@dataclass(frozen=True, eq=False)
class Found:
    """A hand that a model has chosen: the line, the moment as the number of its events (all of them), and the model."""

    line: Line
    moment: int
    model: z3.ModelRef


@dataclass
class Search:
    """A search through the hands that begin in one state before the deal.

    `core` collects the parts of the condition, by their place, without which what has been ruled out could not have
    been; `looked_at` counts the beginnings of hands that have been gone on with.
    """

    unrolling: Unrolling
    wish: Wish
    begin: Values
    condition: Guard = True
    core: set[int] = field(default_factory=set)
    looked_at: int = 0

    def __post_init__(self) -> None:
        rules = self.unrolling.rules
        is_fixed = all(
            isinstance(g, bool) for held in self.unrolling.selection.readings.values() for g in held.values()
        )
        self.changes = changed_from(rules) if is_fixed else None

    def hands(self, shorter_than: int | None = None, most: int | None = None) -> Iterator[Found]:
        """The hands, the simplest first; each with other events.

        Raises UndecidedError where Z3 has no answer, and where more than `most` beginnings would have to be looked at.
        """
        queue: list[tuple[int, int, Line, tuple[Guard, ...]]] = []
        serial = 0
        for line in self.unrolling.begin(self.begin, self.condition):
            heappush(queue, (line.acts, serial, line, ()))
            serial += 1
        while queue:
            acts, _, parent, more = heappop(queue)
            if shorter_than is not None and acts + 1 >= shorter_than:
                return
            self.looked_at += 1
            if most is not None and self.looked_at > most:
                raise UndecidedError("there are too many ways to begin")
            for line in self.unrolling.following(parent):
                given = more if parent.steps else (*more, *self._given(line))
                for moment in self._moments(parent, line):
                    yield from self._at(line, moment, given)
                    if self.wish.at != END:  # from now on only hands in which it has not held before
                        given = (*given, neg(all_of(self._parts(line.steps[moment - 1].after))))
                if not self.unrolling.is_over(line) and self._hopeful(parent, line, given):
                    heappush(queue, (line.acts, serial, line, given))
                    serial += 1

    def _given(self, line: Line) -> Iterator[Guard]:
        """What is asked of the cards as they are dealt."""
        dealt = line.steps[0].after
        yield from (dealt.holds(part.term, {}).yes for part in self.wish.dealt)

    def _moments(self, parent: Line, line: Line) -> Iterator[int]:
        """The moments since a shorter line at which the condition is asked, as how many events there have been."""
        if self.wish.at == END:
            yield from [len(line.steps)] if self.unrolling.is_over(line) else []
        elif self.wish.at == ANY:
            yield len(line.steps)
        else:
            at = range(len(parent.steps), len(line.steps))
            yield from (place + 1 for place in at if line.steps[place].rule.id == self.wish.at)

    def _parts(self, state: Symbolic) -> list[Guard]:
        return [state.holds(part.term, {}).yes for part in self.wish.parts]

    def _at(self, line: Line, moment: int, given: Sequence[Guard]) -> Iterator[Found]:
        """The hands in which the condition holds at a moment, each with other events."""
        parts = self._parts(line.steps[moment - 1].after)
        others: list[Guard] = []
        while True:
            answer = self.unrolling.patience.ask([*line.guards(), *given, *others], parts)
            if answer.model is None:
                self.core |= answer.core
                return
            others.append(neg(same_events(events_in(answer.model, line))))
            yield Found(line, moment, answer.model)

    def _hopeful(self, parent: Line, line: Line, given: Sequence[Guard]) -> bool:
        """Whether the condition can still come about, as far as that is told by what no longer changes."""
        if self.changes is None:
            return True
        state, typed = loosened(line.state, self.changes[line.phase])
        parts = self._parts(state)
        if not any(part is False for part in parts) and not self._is_decided(parent):
            return True
        try:
            told = [guard for facts in line.facts for guard in facts]
            answer = self.unrolling.patience.ask([*told, typed, *given], parts)
        except UndecidedError:
            self.unrolling.patience.left()
            return True
        if answer.model is None:
            self.core |= answer.core
        return answer.model is not None

    def _is_decided(self, line: Line) -> bool:
        """Somebody has more to choose there than a card."""
        return len(self.unrolling.events_in(line.phase)) > 1
