"""Which clause an engine reads differently, judged by where its answer first leaves the rules.

Each clause that had a say in that step is changed, one at a time: its case is given to a sibling, its effect does not
happen, its requirement is not asked. Where the changed rules then say what the engine says, the clause explains the
difference. One step can have several such explanations; over all differences of a run the clause that explains the
most comes first.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from buckspec import interpret
from buckspec import typed as t
from buckspec.evaluate import Answer, Evaluator, Missing, RuleError
from buckspec.observe import observed
from buckspec.rulebook import Alternative, Definition, EventRule
from buckspec.rules import Rules
from buckspec.state import Event, Refused, State
from buckspec.types import NONE
from buckspec.words import to_log
from buckspec_conformance.compare import ACCEPTED, LEGAL, Difference, plain
from buckspec_conformance.oracle import key_of

_MOST = 3  # clauses that a blame names
_TURN = "turn"


@dataclass(frozen=True)
class Blame:
    """The clauses to look at, the most likely first. `explaining` are those of them that explain the difference."""

    clauses: tuple[str, ...]
    explaining: tuple[str, ...] = ()


class _Tracer(Evaluator):
    """An evaluator that keeps the clauses by which it decided, the last decision last."""

    def __init__(self, rules: Rules, values: Sequence[Answer]):
        super().__init__(rules, values)
        self.chosen: dict[str, None] = {}

    def alternative(self, name: str, argument: Answer = NONE) -> Alternative | Missing:
        held = super().alternative(name, argument)
        if not isinstance(held, Missing):
            self.chosen[held.clause.id] = None
        return held


def involved(difference: Difference) -> tuple[str, ...]:
    """The clauses that had a say in the step, those nearest to what differs first."""
    step = difference.at
    found: dict[str, None] = {}
    if difference.field == ACCEPTED:
        found.update(dict.fromkeys(violation.clause.id for violation in step.violations))
        if step.accepted and step.event is not None:
            found.update(dict.fromkeys(_asked(step.before, step.event)))
    else:
        found.update(dict.fromkeys(_behind(step.state, difference.field)))
        found.update(dict.fromkeys(_changes(difference)))
    return tuple(found)


def _traced(state: State, terms: Iterable[t.Term], local: dict[str, Answer]) -> Iterator[str]:
    tracer = _Tracer(state.rules, state.values)  # type: ignore[arg-type]
    for term in terms:
        tracer.term(term, local)
    return reversed(tracer.chosen)


def _asked(state: State, event: Event) -> Iterator[str]:
    """The clauses that let an event happen: its requirements, what they rest on, whose turn and what time it is."""
    rule = state.rules.events.get(event.id)
    if rule is None:
        return
    yield from (requirement.clause.id for requirement in reversed(rule.requires))
    local = dict(interpret.locals_of(rule, event))
    terms = [term for requirement in rule.requires for term in (requirement.applies, requirement.that) if term]
    yield from _traced(state, [*([rule.by] if rule.by else []), *terms], local)
    yield interpret.phase_clause(state).id


def _behind(state: State, field: str) -> Iterator[str]:
    """The clauses that decide what a field shows in a state."""
    rules = state.rules
    if field in (_TURN, LEGAL):
        yield interpret.phase_clause(state).id
        for rule in interpret.current_events(state):
            if rule.by is not None:
                yield from _traced(state, [rule.by], {})
                yield from (requirement.clause.id for requirement in rule.requires)
        return
    observation = rules.book.observations.get(field)
    if observation is None or observation.at is not None:
        return
    domain = rules.book.domains.get(observation.domain or "")
    for index in range(domain.size if domain else 1):
        yield from _traced(state, [observation.value], {domain.parameter: index} if domain else {})


def _changes(difference: Difference) -> Iterator[str]:
    """The clauses by which the events of the step, the one tried and those that follow by themselves, change things."""
    step = difference.at
    state, event = step.before, step.event
    observation = state.rules.book.observations.get(difference.field)
    shown = {node.variable for node in t.walk(observation.value) if isinstance(node, t.Read)} if observation else set()
    late: list[str] = []
    while event is not None and (rule := state.rules.events.get(event.id)) is not None:
        for effect in rule.effects:
            near = {part.variable for part in effect.sets} | {part.variable for part in effect.deals}
            terms = [term for part in effect.sets for term in (part.index, part.value) if term and part.each is None]
            decided = [*_each_decided(state, rule, effect.clause.id), *_traced(state, terms, _locals(rule, event))]
            (late.extend if not near & shown else (lambda _: None))([*decided, effect.clause.id])
            if near & shown:
                yield from (*decided, effect.clause.id)
        if not step.accepted:
            break
        state = interpret.happen(state, rule, event)
        following = [rule for rule in interpret.current_events(state) if rule.is_automatic]
        late.append(interpret.phase_clause(state).id)
        event = Event(following[0].id) if following else None
    yield from late


def _locals(rule: EventRule, event: Event) -> dict[str, Answer]:
    return {} if rule.by_chance else dict(interpret.locals_of(rule, event))


def _each_decided(state: State, rule: EventRule, clause: str) -> Iterator[str]:
    """The clauses that decide what an effect gives to each member of a domain."""
    for effect in rule.effects:
        for part in effect.sets:
            if effect.clause.id == clause and part.each is not None:
                size = state.rules.slots[part.variable].width
                for index in range(size):
                    yield from _traced(state, [part.value], {part.each: index})


# ---------------------------------------------------------------------- what if


def _without(rules: Rules, clause: str) -> Iterator[Rules]:
    """The rules with one clause changed, in each way that it can be."""
    for name, definition in rules.definitions.items():
        held = [case for case in definition.alternatives if case.clause.id == clause]
        for case in held:
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


def _given_to(definition: Definition, case: Alternative, sibling: Alternative) -> Definition:
    """The definition in which a sibling has taken over the case."""
    if case.when is None or sibling.when is None:
        widened = replace(sibling, when=None)
    else:
        widened = replace(sibling, when=t.Either(sibling.when, case.when))
    kept = tuple(widened if one is sibling else one for one in definition.alternatives if one is not case)
    return replace(definition, alternatives=kept)


def explains(difference: Difference, clause: str) -> bool:
    """Whether a change of the clause makes the rules say what the engine says."""
    return any(_says(rules, difference) for rules in _without(difference.at.state.rules, clause))


def _says(rules: Rules, difference: Difference) -> bool:
    step = difference.at
    try:
        if difference.field == ACCEPTED:
            if step.event is None:
                return False
            legal = not interpret.broken(State(rules, step.before.values), step.event)
            return legal is bool(difference.actual)
        after: State | Refused = State(rules, step.before.values)
        if step.accepted and step.event is not None:
            after = interpret.apply(State(rules, step.before.values), step.event)
        if isinstance(after, Refused):
            return False
        return _seen(after, difference) == plain(difference.field, difference.actual, step)
    except (RuleError, LookupError):
        return False


def _seen(state: State, difference: Difference) -> object:
    """What the changed rules show in the field that differs."""
    if difference.field == LEGAL:
        return frozenset(key_of(to_log(state.rules, event)) for event in interpret.legal(state))
    if difference.field == _TURN:
        waiting = interpret.to_act(state)
        return waiting[0] if len(waiting) == 1 else None
    return plain(difference.field, observed(state, difference.field), difference.at)


# ---------------------------------------------------------------------- over a whole run


def blame_all(differences: Sequence[Difference]) -> tuple[Blame, ...]:
    """For each difference the clauses to look at; what explains more of all differences comes first."""
    near = [involved(difference) for difference in differences]
    able = [
        [clause for clause in clauses if explains(difference, clause)]
        for difference, clauses in zip(differences, near, strict=True)
    ]
    votes = Counter(clause for clauses in able for clause in clauses)
    found = []
    for clauses, explaining in zip(near, able, strict=True):
        ranked = sorted(explaining, key=lambda clause: (-votes[clause], clauses.index(clause)))
        order = dict.fromkeys([*ranked, *clauses])
        found.append(Blame(tuple(order)[:_MOST], tuple(ranked)[:_MOST]))
    return tuple(found)
