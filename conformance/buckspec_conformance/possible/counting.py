"""The numbers of a hand that are known though its cards are not: how many have played, how many tricks are taken.

What comes next in a hand depends on them. Each follows from the event before it and the number before that, which Z3
finds out at once; from the beginning of the hand it would take long. A state that knows them folds what they decide.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from buckspec import typed as t
from buckspec.rulebook import PHASE, EventRule, RuleBook
from buckspec_conformance.possible.patience import Patience, UndecidedError
from buckspec_conformance.solver import values as v
from buckspec_conformance.solver.guards import Guard, any_of, at_most_one, neg
from buckspec_conformance.solver.states import Values, value_in
from buckspec_conformance.solver.symbolic import Locals, Symbolic
from buckspec_conformance.solver.values import Pick, Symbol

_TRIES = 3
"""How often at most a number is asked for: as it changed last, as it is in a model, and once more for another."""


@dataclass
class Counted(Symbolic):
    """A state of which some sums and sizes are known, by the identity of their terms in the rule book."""

    numbers: dict[int, int] = field(default_factory=dict)

    def term(self, term: t.Term, local: Locals) -> Symbol:
        if isinstance(term, t.Sum | t.Size) and id(term) in self.numbers:
            return v.pick(self.numbers[id(term)])
        return super().term(term, local)


@dataclass
class Counting:
    """Finds out the numbers on which the phase of a rule book depends; how each changed last is tried first."""

    book: RuleBook
    patience: Patience
    changes: dict[tuple[str, int], int] = field(default_factory=dict)

    def after(
        self,
        before: Symbolic,
        rule: EventRule,
        values: Values,
        earlier: Sequence[tuple[EventRule | None, tuple[Guard, ...]]],
        facts: list[Guard],
    ) -> Counted:
        """The state after an event. What its numbers are is added to its facts.

        `earlier` are the events before it with their facts. A number follows from the last of them, and the last that
        changed it.
        """
        plain = Symbolic(self.book, before.selection, values)
        known = before.numbers if isinstance(before, Counted) else {}
        found = Counted(self.book, before.selection, values)
        for term in counts(self.book):
            if not reads(self.book, term) & writes(self.book, rule):
                if id(term) in known:
                    found.numbers[id(term)] = known[id(term)]
                continue
            number = plain.term(term, {})
            if not isinstance(number, Pick):
                continue
            value = self._value(
                number, [*facts, *_recent(self.book, term, earlier)], (rule.id, id(term)), known.get(id(term))
            )
            if value is not None:
                found.numbers[id(term)] = value
                facts += [
                    number.defined,
                    *(guard if at == value else neg(guard) for at, guard in number.guards.items()),
                ]
        return found

    def _value(self, number: Pick, recent: Sequence[Guard], change: tuple[str, int], last: int | None) -> int | None:
        """The one value that a number can have; None if there are several, or it is not clear."""
        if number.defined is False or not number.guards:
            return None
        if is_known(number):
            return next((at for at, guard in number.guards.items() if guard), None) if number.defined is True else None
        tried = [last + self.changes[change]] if last is not None and change in self.changes else []
        try:
            while len(tried) < _TRIES:
                answer = self.patience.ask([*recent, *(neg(v.at(number, guess)) for guess in tried[-1:])])
                if answer.model is None:
                    break
                tried.append(value_in(answer.model, number))
            else:
                return None
        except UndecidedError:
            self.patience.left()
            return None
        if tried and last is not None:
            self.changes[change] = tried[-1] - last
        return tried[-1] if tried else None


def _recent(
    book: RuleBook, term: t.Term, earlier: Sequence[tuple[EventRule | None, tuple[Guard, ...]]]
) -> tuple[Guard, ...]:
    changed = (
        facts for rule, facts in reversed(earlier[:-1]) if rule is None or reads(book, term) & writes(book, rule)
    )
    return (*earlier[-1][1], *next(changed, ()))


@lru_cache
def counts(book: RuleBook) -> tuple[t.Term, ...]:
    """The sums and sizes in the state on which the phase depends."""
    found: dict[t.Term, None] = {}
    for name in behind(book, PHASE):
        nodes = [node for term in book.definitions[name].terms() for node in t.walk(term)]
        sizes = [node for node in nodes if isinstance(node, t.Size) and not isinstance(node.target, t.Const)]
        found.update(dict.fromkeys(node for node in nodes if isinstance(node, t.Sum)))
        found.update(dict.fromkeys(node for node in sizes if not any(isinstance(e, t.Local) for e in t.walk(node))))
    return tuple(found)


@lru_cache
def behind(book: RuleBook, name: str) -> frozenset[str]:
    """The definitions on which one depends under some reading, itself included."""
    seen, left = set[str](), {name}
    while left:
        seen |= left
        left = t.definitions_in(term for one in left for term in book.definitions[one].terms()) - seen
    return frozenset(seen)


@lru_cache
def reads(book: RuleBook, term: t.Term) -> frozenset[str]:
    """The variables on which a term depends under some reading."""
    terms = [term]
    for name in t.definitions_in(terms):
        terms += [inner for one in behind(book, name) for inner in book.definitions[one].terms()]
    nodes = [node for one in terms for node in t.walk(one)]
    summed = {node.function for node in nodes if isinstance(node, t.Sum) and node.is_variable}
    return frozenset(summed | {node.variable for node in nodes if isinstance(node, t.Read)})


def writes(book: RuleBook, rule: EventRule) -> frozenset[str]:
    """The variables that an event can change under some reading."""
    written = {part.variable for effect in rule.effects for part in effect.sets}
    written |= {step.variable for effect in rule.effects for step in effect.deals}
    return frozenset(written | {variable.name for variable in book.begun_by(rule.begins)})


def one_of(guards: Iterable[Guard]) -> tuple[Guard, Guard]:
    """That one of them holds, and no other."""
    told = list(guards)
    return any_of(told), at_most_one(told)


def is_known(value: Pick) -> bool:
    """There is nothing left to choose."""
    return all(isinstance(guard, bool) for guard in value.guards.values())
