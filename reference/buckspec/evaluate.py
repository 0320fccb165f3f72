"""The evaluator: walks a checked expression over the values of a state. Slow, obviously right, and three-valued.

Any value may be UNKNOWN. As in CEL, `&&` and `||` absorb what is unknown or undefined on either side; everything
else that needs such a value has none itself. UNDEFINED is the `only` of a set that has not one member, the
`first_from` of an empty one, a function of `none`; a rule book that is proven never lets it reach a verdict.
"""

from collections.abc import Mapping, Sequence
from enum import Enum
from operator import add, ge, gt, le, lt, mul, sub
from typing import TypeAlias

from buckspec import typed as t
from buckspec.rulebook import Alternative
from buckspec.rules import Rules
from buckspec.types import NONE, members


class Missing(Enum):
    """Why there is no value. UNKNOWN: it exists and is not known. UNDEFINED: it does not exist."""

    UNKNOWN = "unknown"
    UNDEFINED = "undefined"


UNKNOWN, UNDEFINED = Missing.UNKNOWN, Missing.UNDEFINED
Answer: TypeAlias = int | Missing
Locals: TypeAlias = Mapping[str, Answer]

_OPERATORS = {"+": add, "-": sub, "*": mul, "<": lt, "<=": le, ">": gt, ">=": ge}


class RuleError(Exception):
    """The rules themselves fail in a state: two clauses hold at once, or none, or a value leaves its range."""


def missing(*answers: Answer) -> Missing | None:
    """What a strict operation gives for operands of which some are missing."""
    if UNKNOWN in answers:
        return UNKNOWN
    return UNDEFINED if UNDEFINED in answers else None


class Evaluator:
    """The values of one state, with the definitions that have been worked out for it."""

    def __init__(self, rules: Rules, values: Sequence[Answer]):
        self.rules, self.values = rules, values
        self.known: dict[tuple[str, Answer], Answer] = {}

    def holds(self, term: t.Term | None, local: Locals) -> Answer:
        """The truth of a condition; an absent one is true."""
        return True if term is None else self.term(term, local)

    def term(self, term: t.Term, local: Locals) -> Answer:
        """The value of a term where the local names have these values."""
        match term:
            case t.Const():
                return term.value
            case t.Parameter():
                return self.rules.parameters[term.name]
            case t.Local():
                return local[term.name]
            case t.Read():
                return self.read(term, local)
            case t.Use():
                return self.definition(
                    term.definition, NONE if term.argument is None else self.term(term.argument, local)
                )
            case t.Look():
                return self.look(term, local)
            case t.Collect():
                return self.collect([self.term(item, local) for item in term.items])
            case t.Left():
                start, steps = self.term(term.start, local), self.term(term.steps, local)
                return missing(start, steps) or (start + steps) % self.rules.book.domains[term.type.base].size  # type: ignore[operator]
            case t.Sum():
                return self.sum(term)
            case t.Size():
                target = self.term(term.target, local)
                return target if isinstance(target, Missing) else target.bit_count()
            case t.With() | t.Without():
                return self.changed(term, local)
            case t.Only():
                target = self.term(term.target, local)
                if isinstance(target, Missing):
                    return target
                return target.bit_length() - 1 if target.bit_count() == 1 else UNDEFINED
            case t.FirstFrom():
                return self.first_from(term, local)
            case t.Each():
                return self.each(term, local)
            case t.Not():
                operand = self.term(term.operand, local)
                return operand if isinstance(operand, Missing) else not operand
            case t.Negative():
                operand = self.term(term.operand, local)
                return operand if isinstance(operand, Missing) else -operand
            case t.Arithmetic() | t.Compare():
                left, right = self.term(term.left, local), self.term(term.right, local)
                absent = missing(left, right)
                return _OPERATORS[term.operator](left, right) if absent is None else absent
            case t.Equal():
                left, right = self.term(term.left, local), self.term(term.right, local)
                absent = missing(left, right)
                return (left == right) != term.negated if absent is None else absent
            case t.Among():
                element, target = self.term(term.element, local), self.term(term.target, local)
                if isinstance(element, Missing) or isinstance(target, Missing):
                    return missing(element, target) or UNDEFINED
                return bool(target >> element & 1)
            case t.Both():
                return self.both(term.left, term.right, local, absorbing=False)
            case t.Either():
                return self.both(term.left, term.right, local, absorbing=True)
            case t.Choice():
                return self.choice(term, local)

    def read(self, term: t.Read, local: Locals) -> Answer:
        index = 0 if term.index is None else self.term(term.index, local)
        if isinstance(index, Missing):
            return index
        if index == NONE:
            return UNDEFINED
        value = self.values[self.rules.slots[term.variable].offset + index]
        is_given = term.type.optional or term.type.base not in self.rules.book.domains or term.type.many
        return UNDEFINED if value == NONE and not is_given else value

    def look(self, term: t.Look, local: Locals) -> Answer:
        argument = self.term(term.argument, local)
        if isinstance(argument, Missing):
            return argument
        value = UNDEFINED if argument == NONE else self.rules.book.tables[term.table][argument]
        return UNDEFINED if value == NONE else value

    @staticmethod
    def collect(items: Sequence[Answer]) -> Answer:
        absent = missing(*items)
        mask = 0
        for item in items:
            if isinstance(item, Missing) or item == NONE:
                return absent or UNDEFINED
            mask |= 1 << item
        return mask

    def sum(self, term: t.Sum) -> Answer:
        size = self.rules.book.domains[term.domain].size
        if term.is_variable:
            offset = self.rules.slots[term.function].offset
            parts = list(self.values[offset : offset + size])
        else:
            parts = [self.definition(term.function, index) for index in range(size)]
        total = 0
        for part in parts:
            if isinstance(part, Missing):
                return missing(*parts) or UNDEFINED
            total += part
        return total

    def changed(self, term: t.With | t.Without, local: Locals) -> Answer:
        target, element = self.term(term.target, local), self.term(term.element, local)
        if isinstance(target, Missing) or isinstance(element, Missing):
            return missing(target, element) or UNDEFINED
        if element == NONE:
            return UNDEFINED
        return target | 1 << element if isinstance(term, t.With) else target & ~(1 << element)

    def first_from(self, term: t.FirstFrom, local: Locals) -> Answer:
        target, start = self.term(term.target, local), self.term(term.start, local)
        if isinstance(target, Missing) or isinstance(start, Missing):
            return missing(target, start) or UNDEFINED
        size = self.rules.book.domains[term.type.base].size
        order = [(start + step) % size for step in range(size)]
        return next((member for member in order if target >> member & 1), UNDEFINED)

    def each(self, term: t.Each, local: Locals) -> Answer:
        target = self.term(term.target, local)
        if isinstance(target, Missing):
            return target
        answers = {member: self.term(term.body, {**local, term.variable.name: member}) for member in members(target)}
        true = [
            member for member, answer in answers.items() if answer is not UNKNOWN and answer is not UNDEFINED and answer
        ]
        absent = missing(*answers.values())
        match term.quantifier:
            case "all":
                is_false = any(not isinstance(answer, Missing) and not answer for answer in answers.values())
                return False if is_false else absent or True
            case "exists":
                return bool(true) or absent or False
            case "exists_one":
                return absent or len(true) == 1
            case _:
                return absent or sum(1 << member for member in true)

    def both(self, left: t.Term, right: t.Term, local: Locals, absorbing: bool) -> Answer:
        """`&&` absorbs with false, `||` with true, whichever side it comes from."""
        first = self.term(left, local)
        if not isinstance(first, Missing) and bool(first) is absorbing:
            return absorbing
        second = self.term(right, local)
        if not isinstance(second, Missing) and bool(second) is absorbing:
            return absorbing
        return missing(first, second) or not absorbing

    def choice(self, term: t.Choice, local: Locals) -> Answer:
        condition = self.term(term.condition, local)
        if not isinstance(condition, Missing):
            return self.term(term.then if condition else term.otherwise, local)
        then, otherwise = self.term(term.then, local), self.term(term.otherwise, local)
        return then if then == otherwise and not isinstance(then, Missing) else condition

    def definition(self, name: str, argument: Answer = NONE) -> Answer:
        """The value of a definition. Raises RuleError where two of its alternatives hold."""
        key = (name, argument)
        if key not in self.known:
            definition = self.rules.definitions[name]
            if argument == NONE and definition.parameter is not None:
                return UNDEFINED
            local: Locals = {} if definition.parameter is None else {definition.parameter: argument}
            if isinstance(argument, Missing):
                return argument
            if definition.value is not None:
                self.known[key] = self.term(definition.value, local)
            else:
                held = self.alternative(name, argument)
                self.known[key] = held if isinstance(held, Missing) else self.term(held.value, local)
        return self.known[key]

    def alternative(self, name: str, argument: Answer = NONE) -> Alternative | Missing:
        """The one alternative of a definition that holds. Raises RuleError where two hold."""
        definition = self.rules.definitions[name]
        local: Locals = {} if definition.parameter is None else {definition.parameter: argument}
        truths = [(alternative, self.holds(alternative.when, local)) for alternative in definition.alternatives]
        holding = [alternative for alternative, truth in truths if not isinstance(truth, Missing) and truth]
        if len(holding) > 1:
            clauses = " and ".join(alternative.clause.id for alternative in holding)
            raise RuleError(f"two clauses of “{name}” hold at once: {clauses}")
        if holding:
            return holding[0]
        return missing(*(truth for _, truth in truths)) or UNDEFINED
