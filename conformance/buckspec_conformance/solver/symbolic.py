"""Checked expressions over values that a solver may choose: the cases of `evaluate`, in the same order.

What `evaluate` calls UNKNOWN is here a variable of the solver; UNDEFINED is a value that is not `defined`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from operator import add, ge, gt, le, lt, mul, sub
from typing import Any

import z3

from buckspec import typed as t
from buckspec.rulebook import Alternative, RuleBook
from buckspec.types import NONE, Type
from buckspec_conformance.solver import values as v
from buckspec_conformance.solver.guards import Guard, all_of, any_of, at_most_one, conj, counted, disj, neg
from buckspec_conformance.solver.selection import Selection
from buckspec_conformance.solver.values import Bits, Number, Pick, Symbol, Truth

Locals = Mapping[str, Symbol]

_OPERATORS: Mapping[str, Callable[[Any, Any], Any]] = {
    "+": add, "-": sub, "*": mul, "<": lt, "<=": le, ">": gt, ">=": ge
}  # fmt: skip
_LARGEST = 64
"""Numbers with more possible values than this become one expression of the solver."""


@dataclass
class Facts:
    """Names for comparisons of numbers of any size, so that a solver may leave out what they mean."""

    _named: dict[int, tuple[z3.BoolRef, z3.BoolRef]] = field(default_factory=dict)

    def name(self, guard: Guard) -> Guard:
        """The name of a comparison; the same one for the same comparison."""
        if isinstance(guard, bool):
            return guard
        key = guard.get_id()
        if key not in self._named:
            self._named[key] = (z3.Bool(f"fact {len(self._named)}"), guard)  # kept, so that no other gets its id
        return self._named[key][0]

    def meanings(self) -> list[z3.BoolRef]:
        """What every name stands for."""
        return [name == comparison for name, comparison in self._named.values()]


@dataclass
class Symbolic:
    """The values of one state, with the definitions that have been translated for it.

    `values` has one value for each variable and member of its domain (0 where it has none). With
    `facts`, comparisons of numbers of any size go by names, whose meanings the solver has to be told apart.
    """

    book: RuleBook
    selection: Selection
    values: Mapping[tuple[str, int], Symbol]
    known: dict[tuple[str, int], Symbol] = field(default_factory=dict)
    facts: Facts | None = None

    def holds(self, term: t.Term | None, local: Locals) -> Truth:
        """The truth of a condition; an absent one is true."""
        if term is None:
            return Truth(True, False)
        symbol = self.term(term, local)
        assert isinstance(symbol, Truth)  # noqa: S101 the checker admits nothing else
        return symbol

    def term(self, term: t.Term, local: Locals) -> Symbol:
        """The value of a term where the local names have these values."""
        match term:
            case t.Const():
                return self.constant(term.value, term.type)
            case t.Parameter():
                return v.pick(self.selection.parameters[term.name])
            case t.Local():
                return local[term.name]
            case t.Read():
                return self.read(term, local)
            case t.Use():
                return self.use(term, local)
            case t.Look():
                return self.look(term, local)
            case t.Collect():
                return self.collect(term, local)
            case t.Left():
                return self.left(term, local)
            case t.Sum():
                return self.sum(term)
            case t.Size():
                target = self.set(term.target, local)
                return Pick(target.sizes, target.defined)
            case t.With() | t.Without():
                return self.changed(term, local)
            case t.Only():
                return self.only(term, local)
            case t.FirstFrom():
                return self.first_from(term, local)
            case t.Each():
                return self.each(term, local)
            case t.Not():
                operand = self.holds(term.operand, local)
                return Truth(operand.no, operand.yes)
            case t.Negative():
                return self.negative(term, local)
            case t.Arithmetic():
                return self.arithmetic(term, local)
            case t.Compare():
                return self.compare(term, local)
            case t.Equal():
                left, right = self.term(term.left, local), self.term(term.right, local)
                alike = v.alike(left, right)
                if isinstance(left, Number) or isinstance(right, Number):
                    alike = self.fact(alike)
                held = v.truth(alike, conj(left.defined, right.defined))
                return Truth(held.no, held.yes) if term.negated else held
            case t.Among():
                element, target = self.member(term.element, local), self.set(term.target, local)
                inside = any_of(conj(guard, target.guards.get(at, False)) for at, guard in element.guards.items())
                return v.truth(inside, conj(element.defined, target.defined))
            case t.Both():
                one, other = self.holds(term.left, local), self.holds(term.right, local)
                return Truth(conj(one.yes, other.yes), disj(one.no, other.no))
            case t.Either():
                one, other = self.holds(term.left, local), self.holds(term.right, local)
                return Truth(disj(one.yes, other.yes), conj(one.no, other.no))
            case t.Choice():
                return self.choice(term, local)

    def constant(self, value: int, type_: Type) -> Symbol:
        """A value that is known."""
        if type_.many:
            return v.bits(value, value.bit_length())
        if type_.base == "bool":
            return Truth(bool(value), not value)
        return v.pick(value)

    def set(self, term: t.Term, local: Locals) -> Bits:
        """The value of a term that is a set."""
        symbol = self.term(term, local)
        assert isinstance(symbol, Bits)  # noqa: S101
        return symbol

    def member(self, term: t.Term, local: Locals) -> Pick:
        """The value of a term that is a member of a domain; undefined where it is `none`."""
        symbol = self.term(term, local)
        assert isinstance(symbol, Pick)  # noqa: S101
        return v.not_none(symbol)

    def read(self, term: t.Read, local: Locals) -> Symbol:
        if term.index is None:
            return self.given(self.values[term.variable, 0], term.type)
        index = self.member(term.index, local)
        cases = [(conj(guard, index.defined), self.values[term.variable, at]) for at, guard in index.guards.items()]
        return self.given(v.merged(cases, self.values[term.variable, 0]), term.type)

    def given(self, symbol: Symbol, type_: Type) -> Symbol:
        """A variable that has not been given yet has no value."""
        may_be_none = type_.optional or type_.base not in self.book.domains
        return v.not_none(symbol) if isinstance(symbol, Pick) and not may_be_none else symbol

    def use(self, term: t.Use, local: Locals) -> Symbol:
        if term.argument is None:
            return self.definition(term.definition)
        argument = self.member(term.argument, local)
        cases = [
            (conj(guard, argument.defined), self.definition(term.definition, at))
            for at, guard in argument.guards.items()
        ]
        return v.merged(cases, self.definition(term.definition, 0))

    def look(self, term: t.Look, local: Locals) -> Symbol:
        argument = self.member(term.argument, local)
        parts: dict[int, list[Guard]] = {}
        for at, guard in argument.guards.items():
            parts.setdefault(self.book.tables[term.table][at], []).append(guard)
        absent = any_of(parts.pop(NONE, []))
        return Pick({at: any_of(guards) for at, guards in parts.items()}, conj(argument.defined, neg(absent)))

    def collect(self, term: t.Collect, local: Locals) -> Symbol:
        items = [self.member(item, local) for item in term.items]
        parts: dict[int, list[Guard]] = {}
        for item in items:
            for at, guard in item.guards.items():
                parts.setdefault(at, []).append(guard)
        return Bits({at: any_of(guards) for at, guards in parts.items()}, all_of(item.defined for item in items))

    def left(self, term: t.Left, local: Locals) -> Symbol:
        start, steps = self.member(term.start, local), self.term(term.steps, local)
        assert isinstance(steps, Pick)  # noqa: S101 a number of steps is small
        size = self.book.domains[term.type.base].size
        parts: dict[int, list[Guard]] = {}
        for at, guard in start.guards.items():
            for step, other in steps.guards.items():
                parts.setdefault((at + step) % size, []).append(conj(guard, other))
        return Pick({at: any_of(guards) for at, guards in parts.items()}, conj(start.defined, steps.defined))

    def sum(self, term: t.Sum) -> Symbol:
        size = self.book.domains[term.domain].size
        parts = [
            self.values[term.function, at] if term.is_variable else self.definition(term.function, at)
            for at in range(size)
        ]
        total: Symbol = v.pick(0)
        for part in parts:
            total = self.added("+", total, part)
        return total

    def changed(self, term: t.With | t.Without, local: Locals) -> Symbol:
        target, element = self.set(term.target, local), self.member(term.element, local)
        parts = dict(target.guards)
        for at, guard in element.guards.items():
            held = parts.get(at, False)
            parts[at] = disj(held, guard) if isinstance(term, t.With) else conj(held, neg(guard))
        inside = any_of(conj(guard, target.guards.get(at, False)) for at, guard in element.guards.items())
        made = v.Changed(target, neg(inside), 1) if isinstance(term, t.With) else v.Changed(target, inside, -1)
        return Bits(parts, conj(target.defined, element.defined), made)

    def only(self, term: t.Only, local: Locals) -> Symbol:
        target = self.set(term.target, local)
        alone = target.sizes.get(1, False)
        return Pick(dict(target.guards), conj(target.defined, alone))

    def first_from(self, term: t.FirstFrom, local: Locals) -> Symbol:
        target, start = self.set(term.target, local), self.member(term.start, local)
        size = self.book.domains[term.type.base].size
        parts: dict[int, list[Guard]] = {}
        for at, guard in start.guards.items():
            left = guard
            for member in ((at + step) % size for step in range(size)):
                inside = target.guards.get(member, False)
                parts.setdefault(member, []).append(conj(left, inside))
                left = conj(left, neg(inside))
        defined = conj(target.defined, start.defined, any_of(target.guards.values()))
        return Pick({member: any_of(guards) for member, guards in parts.items()}, defined)

    def each(self, term: t.Each, local: Locals) -> Symbol:
        target = self.set(term.target, local)
        truths = {
            at: self.holds(term.body, {**local, term.variable.name: v.pick(at)})
            for at, guard in target.guards.items()
            if guard is not False
        }
        yes = {at: conj(target.guards[at], truth.yes) for at, truth in truths.items()}
        known = all_of(disj(neg(target.guards[at]), truth.defined) for at, truth in truths.items())
        match term.quantifier:
            case "all":
                every = all_of(disj(neg(target.guards[at]), truth.yes) for at, truth in truths.items())
                some_not = any_of(conj(target.guards[at], truth.no) for at, truth in truths.items())
                return Truth(conj(target.defined, every), conj(target.defined, some_not))
            case "exists":
                none = all_of(disj(neg(target.guards[at]), truth.no) for at, truth in truths.items())
                return Truth(conj(target.defined, any_of(yes.values())), conj(target.defined, none))
            case "exists_one":
                return v.truth(counted(yes.values()).get(1, False), conj(target.defined, known))
            case _:
                return Bits(yes, conj(target.defined, known))

    def negative(self, term: t.Negative, local: Locals) -> Symbol:
        operand = self.term(term.operand, local)
        if isinstance(operand, Pick):
            return Pick({-value: guard for value, guard in operand.guards.items()}, operand.defined)
        whole = v.number(operand)
        return Number(-whole.value, whole.defined)

    def arithmetic(self, term: t.Arithmetic, local: Locals) -> Symbol:
        return self.added(term.operator, self.term(term.left, local), self.term(term.right, local))

    def added(self, operator: str, left: Symbol, right: Symbol) -> Symbol:
        """The sum, difference or product of two numbers."""
        defined = conj(left.defined, right.defined)
        if isinstance(left, Pick) and isinstance(right, Pick):
            parts: dict[int, list[Guard]] = {}
            for one, guard in left.guards.items():
                for two, other in right.guards.items():
                    parts.setdefault(_OPERATORS[operator](one, two), []).append(conj(guard, other))
            if len(parts) <= _LARGEST:
                joined = {value: any_of(guards) for value, guards in parts.items()}
                return Pick({value: guard for value, guard in joined.items() if guard is not False}, defined)
        return Number(_OPERATORS[operator](v.number(left).value, v.number(right).value), defined)

    def compare(self, term: t.Compare, local: Locals) -> Symbol:
        left, right = self.term(term.left, local), self.term(term.right, local)
        defined = conj(left.defined, right.defined)
        compared = _OPERATORS[term.operator]
        if isinstance(left, Pick) and isinstance(right, Pick):
            pairs = (
                conj(guard, any_of(at for two, at in right.guards.items() if compared(one, two)))
                for one, guard in left.guards.items()
            )
            return v.truth(any_of(pairs), defined)
        return v.truth(self.fact(compared(v.number(left).value, v.number(right).value)), defined)

    def fact(self, comparison: Guard) -> Guard:
        """A comparison of numbers of any size."""
        return comparison if self.facts is None else self.facts.name(comparison)

    def choice(self, term: t.Choice, local: Locals) -> Symbol:
        condition = self.holds(term.condition, local)
        then, otherwise = self.term(term.then, local), self.term(term.otherwise, local)
        picked = v.chosen(condition.yes, then, otherwise)
        known = condition.defined
        if known is True:
            return picked
        agreed = conj(then.defined, otherwise.defined, v.alike(then, otherwise))
        return v.restricted(picked, disj(known, agreed))

    def definition(self, name: str, argument: int = NONE) -> Symbol:
        """The value of a definition, of one member of its domain where it has one."""
        key = (name, argument)
        if key not in self.known:
            definition = self.book.definitions[name]
            local = self.argument(name, argument)
            if definition.value is not None:
                self.known[key] = self.term(definition.value, local)
            else:
                cases = [
                    (self.truth_of(case, local).yes, self.term(case.value, local)) for case in definition.alternatives
                ]
                alone = at_most_one(guard for guard, _ in cases)  # else the interpreter refuses to say anything
                self.known[key] = v.restricted(v.merged(cases, self.empty(definition.type)), alone)
        return self.known[key]

    def argument(self, name: str, argument: int) -> Locals:
        """What a definition calls its argument."""
        parameter = self.book.definitions[name].parameter
        return {} if parameter is None else {parameter: v.pick(argument)}

    def truth_of(self, case: Alternative, local: Locals) -> Truth:
        """Where an alternative holds: its readings are in force and so is its condition."""
        chosen = self.selection.under(case.clause.under)
        if chosen is False:
            return Truth(False, True)
        when = self.holds(case.when, local)
        return Truth(conj(chosen, when.yes), disj(neg(chosen), when.no))

    @staticmethod
    def empty(type_: Type) -> Symbol:
        """A value of a type that does not exist."""
        if type_.many:
            return Bits({}, False)
        return v.UNDEFINED_TRUTH if type_.base == "bool" else Pick({}, False)
