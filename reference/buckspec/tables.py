"""Tables that the compiler looks things up in instead of working them out, filled in by the evaluator.

What depends on a member of a domain and on few names of few values, such as the suit to which each card belongs
under each trump suit, is worked out once for all of them.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import product

from buckspec import typed as t
from buckspec.evaluate import Answer, Evaluator, Missing
from buckspec.rules import Rules
from buckspec.types import BOOL, NONE, Type

SMALL = 8  # values that a name may have to index a table, or members of a domain to be unrolled
_MOST_INPUTS = 2  # names that may index a table, beside its argument


@dataclass(frozen=True)
class Filled:
    """A table: the term and the member that it is about, and for each choice of its inputs the row.

    A row is the set of members for which a condition holds, or the values for all members and, last, for `none`.
    """

    term: t.Term
    variable: t.Local
    inputs: tuple[t.Use | t.Read, ...]
    rows: Mapping[tuple[int, ...], int | tuple[int, ...]]


class Tables:
    """The tables of one set of rules; `filled` are those that were made."""

    def __init__(self, rules: Rules):
        self.rules = rules
        self.filled: list[Filled] = []
        self._inputs: dict[t.Term, tuple[t.Use | t.Read, ...] | None] = {}

    def inputs(self, term: t.Term) -> tuple[t.Use | t.Read, ...] | None:
        """The few-valued names on which a term depends, its locals apart; None if there are others."""
        if term not in self._inputs:
            found: dict[t.Use | t.Read, None] = {}
            self._inputs[term] = tuple(found) if self._gather(term, found) and len(found) <= _MOST_INPUTS else None
        return self._inputs[term]

    def _gather(self, term: t.Term, found: dict[t.Use | t.Read, None]) -> bool:
        match term:
            case t.Sum():
                return False
            case t.Read() | t.Use() if t.parts(term) == ():
                plain = replace(term, type=self._declared(term))
                found[plain] = None
                return self._values(plain.type) is not None
            case t.Read():
                return False
            case t.Use():
                terms = self.rules.definitions[term.definition].terms()
                if not all(self._gather(inner, found) for inner in terms):
                    return False
        return all(self._gather(part, found) for part in t.parts(term))

    def _declared(self, term: t.Read | t.Use) -> Type:
        """The type without what is known of it where it is used."""
        if isinstance(term, t.Read):
            return self.rules.book.variables[term.variable].type
        return self.rules.definitions[term.definition].type

    def _values(self, kind: Type) -> range | None:
        if kind.many or kind.base == "int":
            return None
        size = 2 if kind.base == "bool" else self.rules.book.domains[kind.base].size
        return range(size) if size <= SMALL else None

    def fill(self, term: t.Term, variable: t.Local, inputs: tuple[t.Use | t.Read, ...], as_mask: bool) -> object:
        """The table, nested by input. NONE is the last entry of each level, where an index of -1 finds it."""
        ranges = [(*(self._values(node.type) or ()), NONE) for node in inputs]
        rows = {
            chosen: self.row(term, variable, dict(zip(inputs, chosen, strict=True)), as_mask)
            for chosen in product(*ranges)
        }
        self.filled.append(Filled(term, variable, inputs, rows))

        def nest(prefix: tuple[int, ...]) -> object:
            if len(prefix) == len(ranges):
                return rows[prefix]
            return tuple(nest((*prefix, value)) for value in ranges[len(prefix)])

        return nest(())

    def row(
        self, term: t.Term, variable: t.Local, assumed: Mapping[t.Use | t.Read, int], as_mask: bool
    ) -> int | tuple[int, ...]:
        values: list[Answer] = [NONE] * sum(slot.width for slot in self.rules.slots.values())
        for node, value in assumed.items():
            if isinstance(node, t.Read):
                values[self.rules.slots[node.variable].offset] = value
        evaluator = Evaluator(self.rules, values)
        evaluator.known.update(
            {(node.definition, NONE): value for node, value in assumed.items() if isinstance(node, t.Use)}
        )
        size = self.rules.book.domains[variable.type.base].size
        absent = 0 if term.type == BOOL else NONE
        answers = [evaluator.term(term, {variable.name: index}) for index in (*range(size), NONE)]
        plain = [absent if isinstance(answer, Missing) else int(answer) for answer in answers]
        if not variable.type.optional:
            plain[NONE] = absent
        if as_mask:
            return sum(1 << index for index, value in enumerate(plain[:size]) if value)
        return tuple(plain)
