"""Which clause an engine reads differently, judged by where its answer first leaves the rules.

Each clause that had a say in that step is changed, one at a time: it is read as others read it, its case is given to
a sibling, its effect does not happen, its requirement is not asked. Where the changed rules then say what the engine
says, the clause explains the difference. One step can have several such explanations; over all differences of a run
the clause that explains the most comes first, and of equals the one that only has to be read as others read it.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from buckspec import interpret
from buckspec import typed as t
from buckspec.depend import Dependencies
from buckspec.evaluate import Answer, Evaluator, Missing, RuleError
from buckspec.observe import observed
from buckspec.rulebook import PHASE, Alternative, Definition, Effect
from buckspec.rules import Rules
from buckspec.state import Event, Refused, State, Violation
from buckspec.types import NONE
from buckspec.words import to_log
from buckspec_conformance.compare import ACCEPTED, LEGAL, Difference, plain
from buckspec_conformance.oracle import Expectation, Key, key_of, tried

_MOST = 3  # clauses that a blame names
_SHARE = 0.5  # of the differences in which a clause has a say, those that one change of it must explain
_TURN = "turn"
_SLOW = (LEGAL, _TURN)  # fields that take long to work out, and follow from others
_ALL = 2


@dataclass(frozen=True)
class Blame:
    """The clauses to look at, the most likely first. `explaining` are those of them that explain the difference."""

    clauses: tuple[str, ...]
    explaining: tuple[str, ...] = ()


class _Tracer(Evaluator):
    """An evaluator that keeps the clauses by which it decided, and through how many definitions each was reached."""

    def __init__(self, rules: Rules, values: Sequence[Answer]):
        super().__init__(rules, values)
        self.chosen: dict[str, int] = {}
        self.depth = 0

    def definition(self, name: str, argument: Answer = NONE) -> Answer:
        self.depth += 1
        try:
            return super().definition(name, argument)
        finally:
            self.depth -= 1

    def alternative(self, name: str, argument: Answer = NONE) -> Alternative | Missing:
        held = super().alternative(name, argument)
        if not isinstance(held, Missing):
            clause = held.clause.id
            self.chosen[clause] = min(self.depth, self.chosen.get(clause, self.depth))
        return held


def involved(difference: Difference) -> tuple[str, ...]:
    """The clauses that had a say in the step, those nearest to what differs first."""
    step = difference.at
    found: dict[str, None] = {}
    if difference.field == ACCEPTED:
        if step.event is not None:
            found.update(dict.fromkeys(_asked(step.before, step.event, step.violations)))
    else:
        if difference.field == LEGAL:
            found.update(dict.fromkeys(_listed(difference)))
        observation = step.state.rules.book.observations.get(difference.field)
        is_stored = observation is not None and isinstance(observation.value, t.Read)
        for look in (_changes, _behind) if is_stored else (_behind, _changes):
            found.update(dict.fromkeys(look(difference)))
    return tuple(found)


def _traced(state: State, terms: Iterable[t.Term], local: Mapping[str, Answer]) -> Iterator[str]:
    """The clauses that decide the terms, the outermost first."""
    for term in terms:
        tracer = _Tracer(state.rules, state.values)  # type: ignore[arg-type]
        tracer.term(term, local)
        yield from sorted(tracer.chosen, key=tracer.chosen.__getitem__)


def _asked(state: State, event: Event, violations: Sequence[Violation]) -> Iterator[str]:
    """The clauses that let an event happen or not: those it breaks, else all that it is asked."""
    yield from (violation.clause.id for violation in violations)
    rule = state.rules.events.get(event.id)
    if rule is None:
        return
    broken = {violation.clause.id for violation in violations}
    local: Mapping[str, Answer] = {} if rule.by_chance else interpret.locals_of(rule, event)
    asked = [part for part in rule.requires if not broken or part.clause.id in broken]
    for requirement in reversed(asked):
        yield requirement.clause.id
        yield from _traced(state, [term for term in (requirement.that, requirement.applies) if term], local)
    if not broken and rule.by is not None:
        yield from _traced(state, [rule.by], {})
    if rule.by_chance and not broken:
        yield from (effect.clause.id for effect in reversed(rule.effects))
    yield interpret.phase_clause(state).id


def _listed(difference: Difference) -> Iterator[str]:
    """The clauses behind the events that are listed and should not be, or should be and are not."""
    state = difference.at.state
    ours: frozenset[Key] = difference.expected  # type: ignore[assignment]
    theirs: frozenset[Key] = difference.actual  # type: ignore[assignment]
    for key in sorted(ours ^ theirs, key=repr):
        found = tried(state, dict(key))  # type: ignore[arg-type]
        if found.event is not None:
            yield from _asked(state, found.event, found.violations)


def _behind(difference: Difference) -> Iterator[str]:
    """The clauses that decide what a field shows in a state."""
    state, field = difference.at.state, difference.field
    observation = state.rules.book.observations.get(field)
    if observation is None:
        for rule in interpret.current_events(state):
            yield from _traced(state, [rule.by] if rule.by else [], {})
        yield interpret.phase_clause(state).id
    elif observation.at is None:
        domain = state.rules.book.domains.get(observation.domain or "")
        for index in range(domain.size) if domain else (NONE,):
            if difference.members is None or index in difference.members:
                yield from _traced(state, [observation.value], {domain.parameter: index} if domain else {})


def _shown(difference: Difference) -> frozenset[str]:
    """The variables on which a field depends."""
    state = difference.at.state
    depend = Dependencies(state.rules)
    observation = state.rules.book.observations.get(difference.field)
    if observation is not None:
        return depend.reads(observation.value)
    by = [rule.by for rule in interpret.current_events(state) if rule.by is not None]
    return frozenset().union(*(depend.reads(term) for term in by))


def _changes(difference: Difference) -> Iterator[str]:
    """The clauses by which the event tried and those that follow by themselves change what the field shows.

    Those of the last event stand first: what it wrote is what is seen.
    """
    step = difference.at
    state, event, shown = step.before, step.event, _shown(difference)
    found: list[list[str]] = []
    passed: list[State] = []  # in which something happened by itself
    while event is not None and (rule := state.rules.events.get(event.id)) is not None:
        local: Mapping[str, Answer] = {} if rule.by_chance else interpret.locals_of(rule, event)
        found.append([clause for effect in rule.effects for clause in _effect(state, effect, local, shown, difference)])
        if not step.accepted:
            break
        state = interpret.happen(state, rule, event)
        following = [rule for rule in interpret.current_events(state) if rule.is_automatic]
        led_to = interpret.phase_clause(state).id
        if following:
            found[-1].append(led_to)
            passed.append(state)
        event = Event(following[0].id) if following else None
        found[-1] += [effect.clause.id for rule in following for effect in rule.effects]
    for named in reversed(found):
        yield from named
    if step.event is not None and step.accepted and not step.is_deal:  # what just happened is nearer than all the rest
        yield from (effect.clause.id for effect in step.before.rules.events[step.event.id].effects)
    ways: list[Iterable[str]] = [_writers(state.rules, shown), _timing(state)]
    for clauses in ways if step.is_deal else reversed(ways):
        yield from clauses
    for one in passed:
        yield from _timing(one)


def _timing(state: State) -> Iterator[str]:
    """The clauses that decide what time it is."""
    return _traced(state, [t.Use(PHASE, None, state.rules.definitions[PHASE].type)], {})


def _writers(rules: Rules, shown: frozenset[str]) -> list[str]:
    """The clauses that ever change what the field shows."""
    effects = [effect for rule in rules.events.values() for effect in rule.effects]
    return [effect.clause.id for effect in effects if {part.variable for part in effect.sets} & shown]


def _effect(
    state: State, effect: Effect, local: Mapping[str, Answer], shown: frozenset[str], difference: Difference
) -> Iterator[str]:
    """The clauses that decide what an effect does to what the field shows, and the effect itself."""
    sets = [part for part in effect.sets if part.variable in shown]
    for part in sets:
        places = range(state.rules.slots[part.variable].width) if part.each else (NONE,)
        for index in places:
            if not part.each or difference.members is None or index in difference.members:
                names = {**local, part.each: index} if part.each else local
                nearest, *others = [*_traced(state, [term for term in (part.value, part.index) if term], names), ""]
                yield from filter(None, (nearest, effect.clause.id, *others))
    if sets or any(step.variable in shown for step in effect.deals):
        yield effect.clause.id


# ---------------------------------------------------------------------- what if


def altered(rules: Rules, clause: str) -> Iterator[Rules]:
    """The rules with one clause changed, in each way that it can be."""
    for name, definition in rules.definitions.items():
        held = [case for case in definition.alternatives if case.clause.id == clause]
        for case in held:
            for changed in _read_otherwise(rules, definition, case):
                yield replace(rules, definitions={**rules.definitions, name: changed}, is_shipped=False)
            yield from _other_numbers(rules, case)
            for sibling in definition.alternatives:
                if sibling is not case:
                    changed = _given_to(definition, case, sibling)
                    yield replace(rules, definitions={**rules.definitions, name: changed}, is_shipped=False)
    for id_, rule in rules.events.items():
        effects = tuple(effect for effect in rule.effects if effect.clause.id != clause)
        requires = tuple(requirement for requirement in rule.requires if requirement.clause.id != clause)
        if len(effects) + len(requires) < len(rule.effects) + len(rule.requires):
            events = {**rules.events, id_: replace(rule, effects=effects, requires=requires)}
            yield replace(rules, events=events, is_shipped=False)


def _read_otherwise(rules: Rules, definition: Definition, case: Alternative) -> list[Definition]:
    """The definition under each other reading of the questions on which a case of it depends."""
    whole = rules.book.definitions[definition.name].alternatives
    found = []
    for question, admitted in case.clause.under.choices:
        for reading in rules.book.questions[question].readings:
            if reading not in admitted:
                chosen = {**rules.readings, question: reading}
                kept = tuple(one for one in whole if one.clause.under.holds(chosen))
                found.append(replace(definition, alternatives=kept))
    return found


def readings_of(rules: Rules, clause: str) -> int:
    """How many of the changes of a clause, the first ones, only read it otherwise."""
    for definition in rules.definitions.values():
        for case in definition.alternatives:
            if case.clause.id == clause:
                return len(_read_otherwise(rules, definition, case))
    return 0


def _other_numbers(rules: Rules, case: Alternative) -> Iterator[Rules]:
    """The rules with other numbers and other orders where a case names them."""
    terms = [node for term in (case.when, case.value) if term is not None for node in t.walk(term)]
    for name in {node.name for node in terms if isinstance(node, t.Parameter)}:
        now = rules.parameters[name]
        for other in {0, now - 1, now + 1, 2 * now} - {now}:
            yield replace(rules, parameters={**rules.parameters, name: other}, is_shipped=False)
    for name in {node.table for node in terms if isinstance(node, t.Look) and node.table in rules.book.orders}:
        places = rules.book.tables[name]
        ranked = [index for index, place in enumerate(places) if place != NONE]
        for one, other in combinations(ranked, 2):
            swapped = list(places)
            swapped[one], swapped[other] = places[other], places[one]
            book = replace(rules.book, tables={**rules.book.tables, name: tuple(swapped)})
            yield replace(rules, book=book, is_shipped=False)


def _given_to(definition: Definition, case: Alternative, sibling: Alternative) -> Definition:
    """The definition in which a sibling has taken over the case."""
    if case.when is None or sibling.when is None:
        widened = replace(sibling, when=None)
    else:
        widened = replace(sibling, when=t.Either(sibling.when, case.when))
    kept = tuple(widened if one is sibling else one for one in definition.alternatives if one is not case)
    return replace(definition, alternatives=kept)


def explaining(difference: Difference, clause: str) -> tuple[int, frozenset[int]]:
    """How well changes of the clause explain a difference, and which of its changes, by number, do so best.

    2: the changed rules say all that the engine says in this step. 1: they say it of the field that differs, and
    contradict nothing that is right. 0: neither.
    """
    found = [_says(rules, difference) for rules in altered(difference.at.state.rules, clause)]
    most = max(found, default=0)
    return most, frozenset(number for number, how in enumerate(found) if how == most > 0)


def _says(rules: Rules, difference: Difference) -> int:
    """How much of what the engine says the rules say."""
    step = difference.at
    before = State(rules, step.before.values)
    try:
        if difference.field == ACCEPTED:
            agrees = step.event is not None and (not interpret.broken(before, step.event)) is bool(difference.actual)
            return _ALL if agrees else 0
        after: State | Refused = before
        if step.accepted and step.event is not None:
            after = interpret.apply(before, step.event)
        if isinstance(after, Refused) or _seen(after, difference.field, step) != difference.actual:
            return 0
        if not all(_seen(after, name, step) == value for name, value in _right(difference)):
            return 0
        others = (_seen(after, name, step) == told for name, told in difference.told.items() if name not in _SLOW)
        return _ALL if all(others) else 1
    except (RuleError, LookupError):
        return 0


def _right(difference: Difference) -> Iterator[tuple[str, object]]:
    """The fields of the step, quick ones, that the engine has right."""
    for name, value in difference.told.items():
        if name not in _SLOW and value == plain(name, difference.at.fields[name], difference.at):
            yield name, value


def _seen(state: State, field: str, step: Expectation) -> object:
    """What changed rules show in a field."""
    if field == LEGAL:
        return frozenset(key_of(to_log(state.rules, event)) for event in interpret.legal(state))
    if field == _TURN:
        waiting = interpret.to_act(state)
        return waiting[0] if len(waiting) == 1 else None
    return plain(field, observed(state, field), step)


# ---------------------------------------------------------------------- over a whole run


def _best(difference: Difference, clauses: Sequence[str]) -> dict[str, frozenset[int]]:
    """The clauses that explain a difference best, with those of their changes that do."""
    found = {clause: explaining(difference, clause) for clause in clauses}
    most = max((how for how, _ in found.values()), default=0)
    return {clause: changes for clause, (how, changes) in found.items() if how == most > 0}


def blame_all(differences: Sequence[Difference]) -> tuple[Blame, ...]:
    """For each difference the clauses to look at; what explains more of all differences comes first.

    A clause explains only if one and the same change of it does, wherever the clause has a say: some change or other
    of an order of ranks would explain any winner of a trick.
    """
    near = [involved(difference) for difference in differences]
    able = [_best(difference, clauses) for difference, clauses in zip(differences, near, strict=True)]
    asked = Counter(clause for clauses in near for clause in clauses)
    votes = Counter((clause, change) for found in able for clause, changes in found.items() for change in changes)
    weight: dict[str, tuple[int, bool]] = {}
    for (clause, change), count in votes.items():
        is_reading = change < readings_of(differences[0].at.state.rules, clause)
        weight[clause] = max(weight.get(clause, (0, False)), (count, is_reading))
    found = []
    for clauses, changes in zip(near, able, strict=True):
        trusted = [clause for clause in changes if weight[clause][0] >= _SHARE * asked[clause]]
        ranked = sorted(trusted, key=lambda clause: (-weight[clause][0], -weight[clause][1], clauses.index(clause)))
        order = dict.fromkeys([*ranked, *clauses])
        found.append(Blame(tuple(order)[:_MOST], tuple(ranked)[:_MOST]))
    return tuple(found)
