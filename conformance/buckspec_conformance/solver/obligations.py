"""What has to be proven of a rule book so that it has no hole and no contradiction: what is no matter of one event.

An obligation is an assumption and goals that must follow from it in every state in which all invariants hold; or, with
`wanted`, a state that has to exist. What has no goal is none: nothing is counted as proven that says nothing.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import product

from buckspec import nodes
from buckspec import typed as t
from buckspec.condition import condition_in
from buckspec.machine import machine
from buckspec.rulebook import PHASE, Clause, EventRule, Invariant
from buckspec.rules import Rules
from buckspec.sources import read_yaml
from buckspec.types import BOOL, NONE
from buckspec.under import parse_under
from buckspec_conformance.solver import clashes
from buckspec_conformance.solver import values as v
from buckspec_conformance.solver.clashes import Clash
from buckspec_conformance.solver.events import may_act, requirements
from buckspec_conformance.solver.guards import Guard, all_of, any_of, at_most_one, conj, disj, neg
from buckspec_conformance.solver.symbolic import Locals, Symbolic
from buckspec_conformance.solver.theory import Given, Goal, Theory
from buckspec_conformance.solver.values import Symbol


@dataclass(frozen=True)
class Obligation:
    """Something to prove. `wanted` says that the assumption has to be possible; else every goal has to follow from it.

    `before` is the state that it speaks of, `event` what happens in it and `after` the state after that; `clash` is
    what the interpreter says of a state in which a goal fails.
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
    after: Symbolic | None = None
    clash: Clash = clashes.nothing


def of_phases(theory: Theory) -> Iterator[Obligation]:
    """The invariants contradict each other in no phase and under no reading; else everything could be proven there."""
    definition = theory.book.definitions[PHASE]
    for at, value in enumerate(theory.book.domains[definition.type.base].values):
        clauses = [
            case for case in definition.alternatives if isinstance(case.value, t.Const) and case.value.value == at
        ]
        if not all(theory.selection.under(case.clause.under) is False for case in clauses):
            here = theory.given(v.at(theory.state.definition(PHASE), at))
            yield Obligation(
                f"a state in {value.name}", "possible", f"There is a state in the phase {value.name}.",
                tuple(case.clause for case in clauses), theory.state, here, wanted=True,
            )  # fmt: skip
    for question, readings in theory.selection.readings.items():
        for reading, chosen in readings.items():
            if not isinstance(chosen, bool):
                yield Obligation(
                    f"a state where {question} is {reading}", "possible",
                    f"There is a state where {question} is {reading}.", (), theory.state, theory.given(chosen),
                    wanted=True,
                )  # fmt: skip


def of_clauses(theory: Theory) -> Iterator[Obligation]:
    """Of the alternatives of a definition no two ever hold, and one does wherever the definition can be used."""
    for definition in theory.book.definitions.values():
        if not definition.alternatives:
            continue
        goals: list[Goal] = []
        for at in theory.members(definition):
            local = theory.state.argument(definition.name, at)
            where = theory.state.holds(definition.where, local).yes
            holding = [theory.state.truth_of(case, local).yes for case in definition.alternatives]
            label = "" if at == NONE else theory.book.domains[definition.domain or ""].values[at].code
            goals.append(Goal(label, conj(disj(neg(where), any_of(holding)), at_most_one(holding))))
        yield Obligation(
            f"one of {definition.name}", "exactly one", f"Just one clause says what “{definition.name}” is.",
            tuple(case.clause for case in definition.alternatives), theory.state, theory.given(), tuple(goals),
            clash=clashes.not_just_one(definition),
        )  # fmt: skip


def of_start(theory: Theory) -> Iterator[Obligation]:
    """The invariants hold before the first hand, and what comes next is known."""
    state, opened = theory.opening
    given = Given(opened)
    for invariant in in_force(theory):
        yield Obligation(
            f"{invariant.clause.id} at the start", "keeps", f"Before the first hand: {invariant.clause.says}",
            (invariant.clause,), state, given, tuple(theory.goals(state, invariant)), clash=clashes.not_kept(invariant),
        )  # fmt: skip
    phase = theory.book.definitions[PHASE]
    holding = [state.truth_of(case, {}).yes for case in phase.alternatives]
    yield Obligation(
        f"one of {PHASE} at the start", "exactly one", "Just one clause says what comes first in a game.",
        tuple(case.clause for case in phase.alternatives), state, given,
        (Goal("", conj(any_of(holding), at_most_one(holding))),), clash=clashes.not_just_one(phase),
    )  # fmt: skip
    # the other states have had a deal: what has not been given before the first one, an event would meet as undefined
    names = theory.book.domains[phase.type.base].values
    others = {name for rule in theory.book.events.values() if not rule.by_chance for name in rule.phases}
    begins = any_of(v.at(state.definition(PHASE), at) for at, name in enumerate(names) if name.name not in others)
    yield Obligation(
        "a deal at the start", "flow", "Before the first hand nothing happens but a deal.",
        tuple(case.clause for case in phase.alternatives), state, given, (Goal("", begins),), clash=clashes.no_deal,
    )  # fmt: skip


def in_force(theory: Theory) -> list[Invariant]:
    """The invariants that can belong to the rules."""
    return [kept for kept in theory.book.invariants.values() if theory.selection.under(kept.clause.under) is not False]


def of_flow(theory: Theory) -> Iterator[Obligation]:
    """The game never halts before its end: something can happen, and whoever may act has a legal event."""
    domain = theory.book.domains[theory.book.definitions[PHASE].type.base]
    for at, value in enumerate(domain.values):
        rules = [event for event in theory.book.events.values() if value.name in event.phases]
        here = theory.given(v.at(theory.state.definition(PHASE), at))
        if here.core is False or not rules:
            continue
        chosen = [theory.selection.under(rule.under) for rule in rules]
        by_itself = any_of(guard for guard, rule in zip(chosen, rules, strict=True) if rule.is_automatic)
        yield Obligation(
            f"something in {value.name}", "flow",
            f"In the phase {value.name} something can happen, and what happens by itself is alone in it.", (),
            theory.state, here, (Goal("", any_of(chosen)), Goal("", disj(neg(by_itself), at_most_one(chosen)))),
            clash=clashes.nothing_happens,
        )  # fmt: skip
        waiting = [rule for rule in rules if rule.by is not None]
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
        theory.state, here, tuple(goals), clash=clashes.no_move,
    )  # fmt: skip


def of_theorems(theory: Theory) -> Iterator[Obligation]:
    """What statements of the sources say of every state that play can lead to. It need not hold of changed rules."""
    if theory.book.has_own_clauses:
        return
    clauses = theory.book.clauses()
    statements = nodes.table(read_yaml(theory.spec / "sources.yaml"), "sources").entries["statements"]
    for name, node in nodes.table(statements, "statements").entries.items():
        body = nodes.table(node, name).entries
        if "about" not in body:
            continue
        under = parse_under(body.get("under"), theory.book.questions)
        if theory.selection.under(under) is False:
            continue
        off = neg(theory.selection.under(under))
        statement = condition_in(theory.book, body["about"])
        shows = nodes.texts(body.get("shows"), "shows")
        yield Obligation(
            name, "theorem", " ".join(nodes.text(body["says"], "says").split()),
            tuple(clauses[clause] for clause in shows if clause in clauses), theory.state,
            theory.given().trying(*shows),
            tuple(Goal(goal.label, disj(off, goal.guard)) for goal in theory.parts(theory.state, statement)),
            clash=clashes.not_true(statement, under),
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
            (), theory.state, theory.given(), tuple(goals), clash=clashes.looked_up_otherwise(table),
        )  # fmt: skip
        yield _every_row(theory, number, inputs, table.rows)


def _every_row(theory: Theory, number: int, inputs: list[Symbol], rows: Iterable[tuple[int, ...]]) -> Obligation:
    """Whatever can be looked up in a table is in it."""
    found = any_of(all_of(v.at(symbol, at) for symbol, at in zip(inputs, row, strict=True)) for row in rows)
    exists = all_of(symbol.defined for symbol in inputs)
    return Obligation(
        f"rows of table {number}", "table", "Every row that can be asked for is in the table.",
        (), theory.state, theory.given(), (Goal("", disj(neg(exists), found)),),
    )  # fmt: skip
