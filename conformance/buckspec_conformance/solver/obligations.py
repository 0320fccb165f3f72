"""What has to be proven of a rule book so that it has no hole and no contradiction.

An obligation is an assumption and goals that must follow from it in every state in which all invariants hold; or, with
`wanted`, a state that has to exist. Which state the solver looks at is said by `where`.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import combinations, product

from buckspec import nodes
from buckspec import typed as t
from buckspec.condition import condition_in
from buckspec.machine import machine
from buckspec.rulebook import PHASE, Clause, EventRule, Variable
from buckspec.rules import Rules
from buckspec.sources import read_yaml
from buckspec.types import BOOL, NONE
from buckspec.under import parse_under
from buckspec_conformance.solver import values as v
from buckspec_conformance.solver.events import happen, its_time, may_act, requirements, writes
from buckspec_conformance.solver.guards import Guard, all_of, any_of, conj, counted, disj, neg
from buckspec_conformance.solver.states import places, span
from buckspec_conformance.solver.symbolic import Locals, Symbolic
from buckspec_conformance.solver.theory import Given, Goal, Theory
from buckspec_conformance.solver.values import Pick, Symbol


@dataclass(frozen=True)
class Obligation:
    """Something to prove. `wanted` says that the assumption has to be possible; else every goal has to follow from it.

    `before` is the state that it speaks of, and `event` what happens in it, for the report of a failure.
    """

    id: str
    kind: str
    says: str
    clauses: tuple[Clause, ...]
    before: Symbolic
    given: Given
    goals: tuple[Goal, ...] = ()
    wanted: bool = False
    event: EventRule | None = None
    local: Locals = field(default_factory=dict)


# ------------------------------------------------------------------------------------------- the obligations, by group


def groups(theory: Theory) -> list[str]:
    """The groups that obligations come in; each can be worked on by itself."""
    return ["phases", "clauses", "start", *(f"event {event}" for event in theory.book.events), "flow", "theorems"]


def of_group(theory: Theory, group: str) -> Iterator[Obligation]:
    """The obligations of a group."""
    if group.startswith("event "):
        yield from of_event(theory, theory.book.events[group.removeprefix("event ")])
    else:
        yield from _GROUPS[group](theory)


def of_phases(theory: Theory) -> Iterator[Obligation]:
    """The invariants contradict each other in no phase; else everything could be proven in it."""
    definition = theory.book.definitions[PHASE]
    for at, value in enumerate(theory.book.domains[definition.type.base].values):
        clauses = [
            case for case in definition.alternatives if isinstance(case.value, t.Const) and case.value.value == at
        ]
        if not all(theory.selection.under(case.clause.under) is False for case in clauses):
            here = theory.given(v.at(theory.state.definition(PHASE), at))
            yield Obligation(
                f"possible {value.name}", "possible", f"There is a state in the phase {value.name}.",
                tuple(case.clause for case in clauses), theory.state, here, wanted=True,
            )  # fmt: skip


def of_clauses(theory: Theory) -> Iterator[Obligation]:
    """Of the alternatives of a definition just one holds, wherever the definition can be used."""
    for definition in theory.book.definitions.values():
        if not definition.alternatives:
            continue
        goals: list[Goal] = []
        for at in theory.members(definition):
            local = theory.state.argument(definition.name, at)
            where = theory.state.holds(definition.where, local).yes
            holding = [theory.state.truth_of(case, local).yes for case in definition.alternatives]
            label = "" if at == NONE else theory.book.domains[definition.domain or ""].values[at].code
            goals.append(Goal(label, disj(neg(where), conj(any_of(holding), neg(_two_of(holding))))))
        yield Obligation(
            f"one of {definition.name}", "exactly one", f"Just one clause says what “{definition.name}” is.",
            tuple(case.clause for case in definition.alternatives), theory.state, theory.given(), tuple(goals),
        )  # fmt: skip


def _two_of(guards: Iterable[Guard]) -> Guard:
    counts = counted(guards)
    return any_of(guard for count, guard in counts.items() if count > 1)


def of_start(theory: Theory) -> Iterator[Obligation]:
    """The invariants hold before the first hand, and what comes next is known."""
    state, opened = theory.opening
    given = Given(opened)
    for invariant in theory.book.invariants.values():
        yield Obligation(
            f"{invariant.clause.id} at the start", "keeps", f"Before the first hand: {invariant.clause.says}",
            (invariant.clause,), state, given, tuple(theory.goals(state, invariant)),
        )  # fmt: skip
    cases = theory.book.definitions[PHASE].alternatives
    holding = [state.truth_of(case, {}).yes for case in cases]
    yield Obligation(
        f"one of {PHASE} at the start", "exactly one", "Just one clause says what comes first in a game.",
        tuple(case.clause for case in cases), state, given,
        (Goal("", conj(any_of(holding), neg(_two_of(holding)))),),
    )  # fmt: skip


@dataclass(frozen=True)
class Happening:
    """An event that happens in a state: the condition that it can, and the state after it."""

    rule: EventRule
    before: Symbolic
    local: Locals
    given: Given
    after: Symbolic


def happenings(theory: Theory, rule: EventRule) -> Iterator[Happening]:
    """An event by each seat that has to be looked at, from the states in which it can happen."""
    starts = [(theory.state, theory.given())]
    if rule.by_chance:
        starts.append((theory.opening[0], Given(theory.opening[1])))
    for (before, given), actor in product(starts, theory.actors if rule.by is not None else (None,)):
        local, chosen = theory.taken(rule, actor) if not rule.by_chance else ({}, True)
        possible = conj(its_time(before, rule), requirements(before, rule, local).yes, chosen)
        if possible is not False:
            after = happen(before, rule, local)
            also = replace(given.also(possible, after.condition), cases=_cases(rule, local))
            yield Happening(rule, before, local, also, theory.with_values(after.values))


def _cases(rule: EventRule, local: Locals) -> tuple[Guard, ...]:
    """The values that an event can be about, where it is about one thing."""
    symbol = local.get(rule.takes[0].name) if len(rule.takes) == 1 else None
    return tuple(symbol.guards.values()) if isinstance(symbol, Pick) else (True,)


def of_event(theory: Theory, rule: EventRule) -> Iterator[Obligation]:
    """An event keeps every invariant, and needs no value that does not exist."""
    if theory.selection.under(rule.under) is False:
        return
    for number, happening in enumerate(happenings(theory, rule)):
        more = " from the start" if happening.before is theory.opening[0] else f" by {number}" if number else ""
        yield from _of_happening(theory, happening, more)
    yield from _defined(theory, rule)


def _of_happening(theory: Theory, happening: Happening, more: str) -> Iterator[Obligation]:
    rule = happening.rule
    effects = tuple(effect.clause for effect in rule.effects)
    exist = tuple(_existing(theory, happening))
    yield Obligation(
        f"values after {rule.id}{more}", "defined", f"After {rule.id}, every variable has a value of its type.",
        effects, happening.before, happening.given, exist, event=rule, local=happening.local,
    )  # fmt: skip
    written = [part for effect in rule.effects for part in writes(happening.before, effect, happening.local)]
    once = tuple(
        Goal(f"{one.variable}({one.at})", neg(conj(one.where, other.where)))
        for one, other in combinations(written, 2)
        if (one.variable, one.at) == (other.variable, other.at)
    )
    yield Obligation(
        f"targets of {rule.id}{more}", "set once", f"In {rule.id}, nothing is set twice.",
        effects, happening.before, happening.given, once, event=rule, local=happening.local,
    )  # fmt: skip
    given = happening.given.also(
        *(goal.guard for goal in exist)
    )  # proven just now, and hard to find out anew each time
    for invariant in theory.book.invariants.values():
        first = () if rule.by_chance else (invariant.clause.id,)
        yield Obligation(
            f"{invariant.clause.id} after {rule.id}{more}", "keeps", f"After {rule.id}: {invariant.clause.says}",
            (invariant.clause, *effects), happening.before, given.trying(*first),
            tuple(theory.goals(happening.after, invariant)), event=rule, local=happening.local,
        )  # fmt: skip


def _existing(theory: Theory, happening: Happening) -> Iterator[Goal]:
    """What is set is known, and so is what it is set to."""
    for effect in happening.rule.effects:
        off = neg(theory.selection.under(effect.clause.under))
        for part in effect.sets:
            if part.index is not None:
                index = happening.before.member(part.index, happening.local)
                yield Goal(f"which {part.variable}", disj(off, index.defined))
    for variable in theory.book.variables.values():
        for at in places(theory.book, variable):
            guard = _in_range(happening.after, variable, at)
            if guard is not True:
                yield Goal(f"{variable.name}({at})" if variable.domain else variable.name, guard)


def _in_range(state: Symbolic, variable: Variable, at: int) -> Guard:
    """Where a variable has a value of its type."""
    symbol = state.values[variable.name, at]
    if not isinstance(symbol, Pick):
        return symbol.defined
    numbers = span(state.book, state.selection, variable)
    if numbers is None and variable.type.base not in state.book.domains:
        return symbol.defined
    options = set(numbers if numbers is not None else range(state.book.domains[variable.type.base].size))
    options |= {NONE} if variable.type.optional else set()
    return conj(symbol.defined, any_of(guard for value, guard in symbol.guards.items() if value in options))


def _defined(theory: Theory, rule: EventRule) -> Iterator[Obligation]:
    """When it is time for an event, it is known who may act, and everything that it asks for has a value."""
    if rule.by_chance:
        return
    state = theory.state
    time = theory.given(its_time(state, rule))
    if rule.by is not None:
        by = state.term(rule.by, {})
        somebody = any_of(by.guards.values()) if isinstance(by, Pick | v.Bits) else False
        yield Obligation(
            f"who may {rule.id}", "defined", f"When it is time to {rule.id}, somebody may.", (), state, time,
            (Goal("", conj(by.defined, somebody)),), event=rule,
        )  # fmt: skip
    for actor in theory.actors if rule.by is not None else (None,):
        local, chosen = theory.taken(rule, actor)
        turn = True if actor is None else may_act(state, rule, local)
        goals = [
            Goal(part.clause.id, disj(neg(theory.selection.under(part.clause.under)),
                                      neg(state.holds(part.applies, local).yes), state.holds(part.that, local).defined))
            for part in rule.requires
        ]  # fmt: skip
        yield Obligation(
            f"requirements of {rule.id}" + (f" by {actor}" if actor else ""), "defined",
            f"Whatever is asked of {rule.id} has an answer.", tuple(part.clause for part in rule.requires),
            state, time.also(turn, chosen), tuple(goals), event=rule, local=local,
        )  # fmt: skip


def of_flow(theory: Theory) -> Iterator[Obligation]:
    """The game never halts before its end: something can happen, and whoever may act has a legal event."""
    domain = theory.book.domains[theory.book.definitions[PHASE].type.base]
    for at, value in enumerate(domain.values):
        rules = [event for event in theory.book.events.values() if value.name in event.phases]
        waiting = [rule for rule in rules if rule.by is not None]
        here = theory.given(v.at(theory.state.definition(PHASE), at))
        if here.core is False or not rules:
            continue
        there_are = any_of(theory.selection.under(rule.under) for rule in rules)
        yield Obligation(
            f"something in {value.name}", "flow", f"In the phase {value.name} something can happen.", (),
            theory.state, here, (Goal("", there_are),),
        )  # fmt: skip
        if waiting:
            yield _somebody_can(theory, value.name, here, waiting)


def _somebody_can(theory: Theory, phase: str, here: Given, rules: list[EventRule]) -> Obligation:
    """Every seat that may act has an event that is legal."""
    goals: list[Goal] = []
    for actor in theory.actors:
        may: list[Guard] = []
        legal: list[Guard] = []
        for rule in rules:
            chosen = theory.selection.under(rule.under)
            options = [theory.options(taken.type.base, taken.low, taken.high) for taken in rule.takes]
            may.append(conj(chosen, may_act(theory.state, rule, {"actor": v.pick(actor)})))
            for about in product(*options):
                local: dict[str, Symbol] = {"actor": v.pick(actor)}
                for taken, at in zip(rule.takes, about, strict=True):
                    local[taken.name] = v.truth(bool(at)) if taken.type == BOOL else v.pick(at)
                legal.append(conj(chosen, requirements(theory.state, rule, local).yes))
        goals.append(Goal(f"seat {actor}", disj(neg(any_of(may)), any_of(legal))))
    return Obligation(
        f"a move in {phase}", "flow", f"In the phase {phase}, whoever may act has something legal to do.", (),
        theory.state, here, tuple(goals),
    )  # fmt: skip


def of_theorems(theory: Theory) -> Iterator[Obligation]:
    """What statements of the sources say of every state that play can lead to. It need not hold of changed rules."""
    if theory.book.has_own_clauses:
        return
    statements = nodes.table(read_yaml(theory.spec / "sources.yaml"), "sources").entries["statements"]
    for name, node in nodes.table(statements, "statements").entries.items():
        body = nodes.table(node, name).entries
        if "about" not in body:
            continue
        off = neg(theory.selection.under(parse_under(body.get("under"), theory.book.questions)))
        goals = theory.parts(theory.state, condition_in(theory.book, body["about"]))
        shows = nodes.texts(body.get("shows"), "shows")
        yield Obligation(
            name, "theorem", " ".join(nodes.text(body["says"], "says").split()), (), theory.state,
            theory.given().trying(*shows), tuple(Goal(goal.label, disj(off, goal.guard)) for goal in goals),
        )  # fmt: skip


def of_tables(theory: Theory, rules: Rules) -> Iterator[Obligation]:
    """What the compiled rules look up is what the clauses say. It is about one choice of readings."""
    for number, table in enumerate(machine(rules).tables):
        domain = theory.book.domains[table.variable.type.base]
        inputs = [theory.state.term(node, {}) for node in table.inputs]
        answers = [theory.state.term(table.term, {table.variable.name: v.pick(at)}) for at in range(domain.size)]
        goals: list[Goal] = []
        for chosen, row in table.rows.items():
            given = all_of(v.at(symbol, at) for symbol, at in zip(inputs, chosen, strict=True))
            for at, answer in enumerate(answers):
                looked_up = row >> at & 1 if isinstance(row, int) else row[at]
                goals.append(
                    Goal(domain.values[at].code, disj(neg(given), neg(answer.defined), v.at(answer, looked_up)))
                )
        yield Obligation(
            f"table {number}", "table", f"A table of the compiled rules, over {domain.name}, is what the clauses say.",
            (), theory.state, theory.given(), tuple(goals),
        )  # fmt: skip


_GROUPS = {
    "phases": of_phases, "clauses": of_clauses, "start": of_start, "flow": of_flow, "theorems": of_theorems
}  # fmt: skip
