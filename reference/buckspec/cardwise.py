"""Conditions on sets of which it is not known which cards are in them, put as clauses on where each card lies.

A set that is not known has for each card the places from which the card would be in it. Whatever else a condition
reads, the evaluator answers. What cannot be put so is refused, never guessed.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import reduce

from buckspec import typed as t
from buckspec.evaluate import UNKNOWN, Evaluator, Locals, Missing
from buckspec.matching import FALSE, TRUE, Clauses, both, either, within
from buckspec.types import BOOL, members

_MOST = 5000
"""More clauses than this are not worked out."""


class TooHidden(Exception):  # noqa: N818 - nothing is wrong; it is only not known
    """Something depends on hidden cards in a way that this module cannot tell."""


@dataclass(frozen=True)
class Cardwise:
    """Puts conditions in one state as clauses.

    `held` has for each slot that is not known the places from which a card is in it, by card; `every` is the set of
    all places and `options` has those that are open to each card; `drawn` names what an event is about and is not
    known, with the place of the card that it is.
    """

    evaluator: Evaluator
    held: Mapping[int, tuple[int, ...]]
    options: tuple[int, ...]
    every: int
    drawn: Mapping[str, int]

    def condition(self, term: t.Term | None, local: Locals, positive: bool = True) -> Clauses:
        """Where a condition holds, or (not `positive`) where it does not. Raises TooHidden."""
        if term is None:
            return TRUE if positive else FALSE
        known = self.evaluator.term(term, local)
        if known is not UNKNOWN:
            if isinstance(known, Missing):
                raise TooHidden("a condition is undefined")
            return TRUE if bool(known) is positive else FALSE
        match term:
            case t.Not():
                return self.condition(term.operand, local, not positive)
            case t.Both():
                return self.joined([(term.left, local), (term.right, local)], positive, all_of=positive)
            case t.Either():
                return self.joined([(term.left, local), (term.right, local)], positive, all_of=not positive)
            case t.Among():
                return self.member(term.target, self.index(term.element, local), local, positive)
            case t.Each(quantifier="all" | "exists"):
                return self.each(term, local, positive)
            case t.Choice():
                return self.choice(term, local, positive)
            case t.Use():
                return self.definition(term, local, positive)
        raise TooHidden(f"{type(term).__name__} of hidden cards")

    def index(self, term: t.Term, local: Locals) -> int:
        answer = self.evaluator.term(term, local)
        if isinstance(answer, Missing) or answer < 0:
            raise TooHidden("which card is meant")
        return answer

    def joined(self, parts: list[tuple[t.Term, Locals]], positive: bool, all_of: bool) -> Clauses:
        """All of the conditions, or one of them, each `positive` or not."""
        return self.of_all([self.condition(term, local, positive) for term, local in parts], all_of)

    def of_all(self, found: list[Clauses], all_of: bool) -> Clauses:
        if all_of:
            return both(*found)
        return reduce(self.either, found, FALSE)

    def either(self, one: Clauses, other: Clauses) -> Clauses:
        if not one or other == FALSE:
            return one
        if not other or one == FALSE:
            return other
        if len(one) * len(other) > _MOST:
            raise TooHidden("too many cases")
        return either(one, other, self.every)

    def each(self, term: t.Each, local: Locals, positive: bool) -> Clauses:
        """`all` and `exists`: for each card, it is not in the set or the condition holds of it; and the opposite."""
        all_of = (term.quantifier == "all") is positive
        target = self.evaluator.term(term.target, local)
        found = []
        for one in self.members(term.target, target, local):
            inside = self.member(term.target, one, local, not all_of)
            if inside != (TRUE if all_of else FALSE):
                body = self.condition(term.body, {**local, term.variable.name: one}, positive)
                found.append(self.either(inside, body) if all_of else both(inside, body))
        return self.of_all(found, all_of)

    def members(self, term: t.Term, known: object, local: Locals) -> range | list[int]:
        """What can be in a set."""
        if isinstance(known, int):
            return members(known)
        if isinstance(term, t.Read):
            return [card for card, places in enumerate(self.places(term, local)) if places & self.options[card]]
        return range(self.evaluator.rules.book.domains[term.type.base].size)

    def choice(self, term: t.Choice, local: Locals, positive: bool) -> Clauses:
        then = both(self.condition(term.condition, local), self.condition(term.then, local, positive))
        otherwise = both(self.condition(term.condition, local, False), self.condition(term.otherwise, local, positive))
        return self.either(then, otherwise)

    def definition(self, term: t.Use, local: Locals, positive: bool) -> Clauses:
        """A definition that is true or false: its value, or that of the one case that holds."""
        definition = self.evaluator.rules.definitions[term.definition]
        inner: Locals = {}
        if definition.parameter is not None and term.argument is not None:
            inner = {definition.parameter: self.index(term.argument, local)}
        if definition.type != BOOL:
            raise TooHidden(f"{definition.name} depends on hidden cards")
        if definition.value is not None:
            return self.condition(definition.value, inner, positive)
        cases = [
            both(self.condition(case.when, inner), self.condition(case.value, inner, positive))
            for case in definition.alternatives
        ]
        return self.of_all(cases, all_of=False)

    def member(self, term: t.Term, card: int, local: Locals, positive: bool = True) -> Clauses:
        """Where a card is in a set, or (not `positive`) where it is not. Raises TooHidden."""
        known = self.evaluator.term(term, local)
        if not isinstance(known, Missing):
            return TRUE if bool(known >> card & 1) is positive else FALSE
        match term:
            case t.Read():
                return self.within(card, self.places(term, local)[card], positive)
            case t.With() | t.Without():
                return self.changed(term, card, local, positive)
            case t.Each(quantifier="filter"):
                inner = {**local, term.variable.name: card}
                parts = [self.member(term.target, card, local, positive), self.condition(term.body, inner, positive)]
                return self.of_all(parts, all_of=positive)
            case t.Use(argument=None):
                value = self.evaluator.rules.definitions[term.definition].value
                if value is not None:
                    return self.member(value, card, {}, positive)
        raise TooHidden(f"{type(term).__name__} of hidden cards")

    def places(self, term: t.Read, local: Locals) -> tuple[int, ...]:
        """The places from which each card is in a set that is not known."""
        offset = self.evaluator.rules.slots[term.variable].offset
        slot = offset if term.index is None else offset + self.index(term.index, local)
        if slot not in self.held:
            raise TooHidden(f"{term.variable} is not known")
        return self.held[slot]

    def changed(self, term: t.With | t.Without, card: int, local: Locals, positive: bool) -> Clauses:
        """A set and one more card, or one less."""
        adds = isinstance(term, t.With)
        before = self.member(term.target, card, local, positive)
        if isinstance(term.element, t.Local) and term.element.name in self.drawn:
            drawn = self.drawn[term.element.name]
            if adds is positive:
                return self.either(before, self.within(card, drawn, True))
            return both(before, self.within(card, drawn, False))
        if self.index(term.element, local) != card:
            return before
        return TRUE if adds is positive else FALSE

    def within(self, card: int, places: int, positive: bool) -> Clauses:
        inside = places & self.options[card]
        if not inside:
            return FALSE if positive else TRUE
        if inside == self.options[card]:
            return TRUE if positive else FALSE
        return within(card, places if positive else self.every & ~places, self.every)
