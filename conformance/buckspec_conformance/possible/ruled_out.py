"""Shows at once of most wishes that cannot come true that they contradict what is known of every state of a game.

The states are those in which every invariant holds, which is more than play can reach: a contradiction is a proof, and
none is no answer. What a hand leaves as it is from its deal on (the totals at which it began, the up-card) is as the
deal and the start make it.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import z3

from buckspec.rulebook import PHASE, EventRule
from buckspec.rules import Rules
from buckspec_conformance.possible.counting import writes
from buckspec_conformance.possible.start import Start, opened
from buckspec_conformance.possible.wish import ANY, END, Part, Wish
from buckspec_conformance.solver import values as v
from buckspec_conformance.solver.events import happen, its_time, requirements
from buckspec_conformance.solver.guards import Guard, any_of, conj, formula
from buckspec_conformance.solver.prove import is_proven, theory_of
from buckspec_conformance.solver.prover import checked
from buckspec_conformance.solver.states import places
from buckspec_conformance.solver.symbolic import Symbolic
from buckspec_conformance.solver.theory import Theory
from buckspec_conformance.solver.values import Pick

_BRIEFLY = 5000
"""The milliseconds that a question may take."""


@dataclass(frozen=True)
class Because:
    """Why a wish cannot come true: the parts of its condition that are to blame, and the invariants they contradict."""

    parts: tuple[Part, ...]
    invariants: tuple[str, ...] = ()


def ruled_out(rules: Rules, wish: Wish, start: Start, *, every_reading: bool) -> Because | None:
    """Why a wish cannot come true; None if that is not shown so, as always by rules of which nothing is proven."""
    if not is_proven(rules):
        return None
    theory = theory_of(rules, every_reading)
    kept = dict(theory.invariants)
    begun, dealt = _begun(theory, rules, start)
    asked = (*wish.dealt, *wish.parts)
    reasons: list[Because] = []
    for before, after, time in _states(theory, wish.at, dealt):
        core = conj(theory.given().core, begun, time, *_still(theory, dealt, before))
        held = [
            *((dealt.holds(part.term, {}).yes) for part in wish.dealt),
            *((after.holds(part.term, {}).yes) for part in wish.parts),
        ]
        if not _contradict(theory, [core, *kept.values(), *held]):
            return None
        left = _smallest(held, lambda some, core=core: _contradict(theory, [core, *kept.values(), *some]))  # type: ignore[misc]
        needed = [held[at] for at in left]
        names = list(kept)
        used = _smallest(
            [kept[name] for name in names],
            lambda some, core=core, needed=needed: _contradict(theory, [core, *some, *needed]),  # type: ignore[misc]
        )
        reasons.append(Because(tuple(asked[at] for at in left), tuple(names[at] for at in used)))
    parts = [part for part in asked if any(part in reason.parts for reason in reasons)]
    invariants = dict.fromkeys(name for reason in reasons for name in reason.invariants)
    return Because(tuple(parts), tuple(invariants))


def _states(theory: Theory, at: str, dealt: Symbolic) -> Iterator[tuple[Symbolic, Symbolic, Guard]]:
    """The states in which the condition is asked, the state before what has just happened, and when it is time."""
    rules = theory.book.events
    state = theory.state
    if at not in (END, ANY) and rules[at].by_chance:
        yield dealt, dealt, True
        return
    if at not in (END, ANY):
        rule = rules[at]
        for actor in range(next(d for d in theory.book.domains.values() if d.circular).size) if rule.by else (None,):
            local, chosen = theory.taken(rule, actor)
            possible = conj(its_time(state, rule), requirements(state, rule, local).yes, chosen)
            if possible is not False:
                after = happen(state, rule, local)
                yield state, theory.with_values(after.values), conj(possible, after.condition)
        return
    phase = state.definition(PHASE)
    assert isinstance(phase, Pick)  # noqa: S101 the phase is a member of a domain
    names = theory.book.domains[theory.book.definitions[PHASE].type.base].values
    here = [
        guard for at_, guard in phase.guards.items()
        if _asks([rule for rule in rules.values() if names[at_].name in rule.phases], at)
    ]  # fmt: skip
    yield state, state, conj(phase.defined, any_of(here))


def _asks(events: Sequence[EventRule], at: str) -> bool:
    """Whether the condition is asked in a phase with these events."""
    if at == END:
        return not events or any(rule.by_chance for rule in events)
    return not any(rule.is_automatic for rule in events)


def _begun(theory: Theory, rules: Rules, start: Start) -> tuple[Guard, Symbolic]:
    """The state after the deal from the start, and the condition on what is chosen for it."""
    values, chosen = opened(rules, theory.selection, start)
    before = theory.with_values(values)
    deal = next(rule for rule in theory.book.events.values() if rule.by_chance)
    after = happen(before, deal, {}, "dealt: ")
    return conj(chosen, after.condition), theory.with_values(after.values)


def _still(theory: Theory, dealt: Symbolic, state: Symbolic) -> Iterator[Guard]:
    """What only a deal changes is as it was dealt."""
    book = theory.book
    changed = {name for rule in book.events.values() if not rule.by_chance for name in writes(book, rule)}
    for variable in book.variables.values():
        if variable.name not in changed:
            for at in places(book, variable):
                yield state.fact(v.alike(dealt.values[variable.name, at], state.values[variable.name, at]))


def _contradict(theory: Theory, guards: Sequence[Guard]) -> bool:
    """Whether these cannot hold together, as far as that is found out soon: first without numbers of any size."""
    if any(guard is False for guard in guards):
        return True
    told = [formula(guard) for guard in guards if guard is not True]
    quick, slow = z3.SolverFor("QF_FD"), z3.SimpleSolver()
    for solver, more in ((quick, []), (slow, theory.facts.meanings())):
        solver.set("timeout", _BRIEFLY)
        solver.add(*told, *more)
        if checked(solver) == z3.unsat:
            return True
    return False


def _smallest(guards: Sequence[Guard], still: Callable[[list[Guard]], bool]) -> list[int]:
    """Which of them are needed: none can be left out."""
    left = [at for at, guard in enumerate(guards) if guard is not True]
    for at in list(left):
        fewer = [one for one in left if one != at]
        if still([guards[one] for one in fewer]):
            left = fewer
    return left
