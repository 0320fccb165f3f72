"""What the value of a term depends on, and which conditions an event leaves as they are.

Everything here follows from the text of the rules alone; where the evaluator is asked, it knows only what the text
tells of every state.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from buckspec import typed as t
from buckspec.evaluate import UNKNOWN, Answer, Evaluator, Missing
from buckspec.rulebook import PHASE, Alternative, EventRule
from buckspec.rules import Rules
from buckspec.types import NONE, NOTHING


@dataclass(frozen=True)
class Literal:
    """A condition that cannot be split, or (not `positive`) its opposite."""

    atom: t.Term
    positive: bool

    @property
    def opposite(self) -> "Literal":
        return Literal(self.atom, not self.positive)


_OPPOSITE = {">=": "<", ">": "<="}


class Dependencies:
    """Answers for one set of rules; each definition is looked into once."""

    def __init__(self, rules: Rules):
        self.rules = rules
        self._reads: dict[str, frozenset[str]] = {}

    def reads(self, term: t.Term) -> frozenset[str]:
        """The state variables on which a term depends, through definitions too."""
        found: set[str] = set()
        for node in t.walk(term):
            match node:
                case t.Read():
                    found.add(node.variable)
                case t.Use():
                    found |= self.definition_reads(node.definition)
                case t.Sum():
                    found |= {node.function} if node.is_variable else self.definition_reads(node.function)
        return frozenset(found)

    def definition_reads(self, name: str) -> frozenset[str]:
        """The state variables on which a definition depends."""
        if name not in self._reads:
            terms = self.rules.definitions[name].terms()
            self._reads[name] = frozenset().union(*(self.reads(term) for term in terms))
        return self._reads[name]

    def of_members(self, target: t.Term, name: str) -> frozenset[t.Term]:
        """Conditions that hold of every member of a set, where the member has this name."""
        match target:
            case t.Each(quantifier="filter"):
                own = {t.with_local(part, target.variable.name, name) for part in t.conjuncts(target.body)}
                return self.of_members(target.target, name) | own
            case t.Use(argument=None):
                definition = self.rules.definitions[target.definition]
                values = [definition.value, *(case.value for case in definition.alternatives)]
                found = [self.of_members(value, name) for value in values if value is not None]
                return frozenset.intersection(*found)
        return frozenset()

    def loses(self, name: str, rule: EventRule) -> t.Term | None:
        """The member that leaves a set by an event, where nothing else in it changes.

        So it is for those members for which a variable is `none`, when the event gives it a value for one of them.
        """
        value = self.rules.definitions[name].value
        changed = self.definition_reads(name) & self.writes(rule)
        parts = [part for effect in rule.effects for part in effect.sets if part.variable in changed]
        match value, parts:
            case t.Each(quantifier="filter"), [part] if part.index is not None and not part.value.type.optional:
                read = t.Read(part.variable, value.variable, self.rules.book.variables[part.variable].type)
                absent = t.Equal(read, t.Const(NONE, NOTHING), negated=False)
                others = [other for other in t.conjuncts(value.body) if other != absent]
                if len(changed) == 1 and not any(self.reads(other) & changed for other in (value.target, *others)):
                    return part.index
        return None

    def writes(self, rule: EventRule) -> frozenset[str]:
        """The state variables that an event can change."""
        written = {part.variable for effect in rule.effects for part in effect.sets}
        written |= {step.variable for effect in rule.effects for step in effect.deals}
        written |= {variable.name for variable in self.rules.book.begun_by(rule.begins)}
        return frozenset(written)

    def constants(self, rule: EventRule) -> dict[str, int]:
        """The variables that have a certain constant value just after an event, for every member of their domain."""
        begun = self.rules.book.begun_by(rule.begins)
        known = {variable.name: variable.first.value for variable in begun if isinstance(variable.first, t.Const)}
        for effect in rule.effects:
            for part in effect.sets:
                known.pop(part.variable, None)
                if part.index is None and isinstance(part.value, t.Const):
                    known[part.variable] = part.value.value
            for step in effect.deals:
                known.pop(step.variable, None)
        return known

    def knowing(self, constants: Mapping[str, int]) -> Evaluator:
        """An evaluator that knows of a state only the values of some variables."""
        values: list[Answer] = [UNKNOWN] * sum(slot.width for slot in self.rules.slots.values())
        for name, value in constants.items():
            slot = self.rules.slots[name]
            values[slot.offset : slot.offset + slot.width] = [value] * slot.width
        return Evaluator(self.rules, values)

    def literals(self, condition: t.Term | None, positive: bool = True) -> tuple[Literal, ...]:
        """The conditions that make up one, joined by “and”; plain definitions are opened up."""
        match condition:
            case None:
                return ()
            case t.Not():
                return self.literals(condition.operand, not positive)
            case t.Both() if positive:
                return self.literals(condition.left) + self.literals(condition.right)
            case t.Either() if not positive:
                return self.literals(condition.left, False) + self.literals(condition.right, False)
            case t.Use(argument=None) if (value := self.rules.definitions[condition.definition].value) is not None:
                opened = self.literals(value, positive)
                if len(opened) == 1 or positive or isinstance(value, t.Either):
                    return opened
        return (_literal(condition, positive),)


def _literal(atom: t.Term, positive: bool) -> Literal:
    """One form for conditions that say the same."""
    match atom:
        case t.Compare(operator=">" | ">=" as operator):
            return _literal(replace(atom, operator=_OPPOSITE[operator]), not positive)
        case t.Compare(operator="<=", left=t.Size() as size, right=t.Const(value=0)):
            return Literal(t.Equal(size, t.Const(0, size.type), negated=False), positive)
        case t.Equal(negated=True):
            return Literal(replace(atom, negated=False), not positive)
    return Literal(atom, positive)


@dataclass(frozen=True)
class Candidate:
    """A phase that can follow, and what has still to be found out for it."""

    alternative: Alternative
    open: frozenset[Literal]


def successors(depend: Dependencies, rule: EventRule, phase: int) -> tuple[Candidate, ...]:
    """The phases that can follow an event of a phase.

    A case of `phase` stays false if the event changes nothing on which it depends, and a condition of the case
    that held stays true. This leans on the cases being complete and without overlap.
    """
    written = depend.writes(rule)
    cases = depend.rules.definitions[PHASE].alternatives
    held = [case for case in cases if isinstance(case.value, t.Const) and case.value.value == phase]
    facts: set[Literal] = set()
    if len(held) == 1:
        facts = {literal for literal in depend.literals(held[0].when) if not depend.reads(literal.atom) & written}
    after = depend.knowing(dict(_values(facts)) | depend.constants(rule))
    candidates = []
    for case in cases:
        literals = depend.literals(case.when)
        touched = depend.reads(case.when) & written if case.when is not None else frozenset[str]()
        if len(held) == 1 and case is not held[0] and not touched:
            continue
        left = _left_open(literals, facts, after)
        if left is not None:
            candidates.append(Candidate(case, left))
    return tuple(candidates)


def _values(facts: Iterable[Literal]) -> Iterator[tuple[str, int]]:
    """The variables of which a fact says the value."""
    for fact in facts:
        match fact:
            case Literal(t.Read(index=None) as read):
                yield read.variable, int(fact.positive)
            case Literal(t.Equal(t.Read(index=None) as read, t.Const() as value), True):
                yield read.variable, value.value


def _left_open(literals: Iterable[Literal], facts: set[Literal], after: Evaluator) -> frozenset[Literal] | None:
    """The literals that are not known to hold; None if one is known not to."""
    left = set()
    for literal in literals:
        truth = after.term(literal.atom, {})
        if not isinstance(truth, Missing):
            if bool(truth) is not literal.positive:
                return None
        elif literal.opposite in facts:
            return None
        elif literal not in facts:
            left.add(literal)
    return frozenset(left)


def best_question(candidates: list[Candidate]) -> Literal:
    """The condition that divides the candidates best; of equals the one that is read fastest."""
    literals = {
        Literal(literal.atom, True): None for candidate in candidates for literal in sorted(candidate.open, key=repr)
    }

    def weight(literal: Literal) -> tuple[int, int, str]:
        rest = max(len(given(candidates, literal)), len(given(candidates, literal.opposite)))
        return rest, len(t.walk(literal.atom)), repr(literal)

    return min(literals, key=weight)


def given(candidates: list[Candidate], literal: Literal) -> list[Candidate]:
    """The candidates that remain where a condition holds."""
    return [
        Candidate(candidate.alternative, candidate.open - {literal})
        for candidate in candidates
        if literal.opposite not in candidate.open
    ]
