"""What the value of a term depends on, and which conditions an event leaves as they are.

Everything here follows from the text of the rules alone; nothing is executed.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from buckspec import typed as t
from buckspec.rulebook import Alternative, EventRule
from buckspec.rules import Rules


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

    def writes(self, rule: EventRule) -> frozenset[str]:
        """The state variables that an event can change."""
        written = {part.variable for effect in rule.effects for part in effect.sets}
        written |= {step.variable for effect in rule.effects for step in effect.deals}
        written |= {variable.name for variable in self.rules.book.begun_by(rule.begins)}
        return frozenset(written)

    def constants(self, rule: EventRule) -> dict[str, int]:
        """The plain variables that have a certain constant value just after an event."""
        begun = self.rules.book.begun_by(rule.begins)
        known = {variable.name: variable.first.value for variable in begun if isinstance(variable.first, t.Const)}
        for effect in rule.effects:
            for part in effect.sets:
                known.pop(part.variable, None)
                if part.index is None and isinstance(part.value, t.Const):
                    known[part.variable] = part.value.value
        return {name: value for name, value in known.items() if self.rules.book.variables[name].domain is None}

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
    written, constants = depend.writes(rule), depend.constants(rule)
    cases = depend.rules.definitions["phase"].alternatives
    held = [case for case in cases if isinstance(case.value, t.Const) and case.value.value == phase]
    facts: set[Literal] = set()
    if len(held) == 1:
        facts = {literal for literal in depend.literals(held[0].when) if not depend.reads(literal.atom) & written}
    candidates = []
    for case in cases:
        literals = depend.literals(case.when)
        touched = depend.reads(case.when) & written if case.when is not None else frozenset[str]()
        if len(held) == 1 and case is not held[0] and not touched:
            continue
        left = _left_open(literals, facts, constants)
        if left is not None:
            candidates.append(Candidate(case, left))
    return tuple(candidates)


def _left_open(
    literals: Iterable[Literal], facts: set[Literal], constants: dict[str, int]
) -> frozenset[Literal] | None:
    """The literals that are not known to hold; None if one is known not to."""
    left = set()
    for literal in literals:
        truth = _known(literal.atom, constants)
        if truth is not None:
            if truth is not literal.positive:
                return None
        elif literal.opposite in facts:
            return None
        elif literal not in facts:
            left.add(literal)
    return frozenset(left)


def _known(atom: t.Term, constants: dict[str, int]) -> bool | None:
    """The truth of a condition on constants alone."""

    def value(term: t.Term) -> int | None:
        match term:
            case t.Const():
                return term.value
            case t.Read(index=None):
                return constants.get(term.variable)
        return None

    match atom:
        case t.Read(index=None) if atom.variable in constants:
            return bool(constants[atom.variable])
        case t.Equal() if value(atom.left) is not None and value(atom.right) is not None:
            return value(atom.left) == value(atom.right)
    return None
