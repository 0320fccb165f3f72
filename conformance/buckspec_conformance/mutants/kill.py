"""Which vector notices that the rules are others: the first whose game they judge or show differently."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from buckspec.evaluate import RuleError
from buckspec.load import load_profile
from buckspec.rulebook import RuleBook
from buckspec.rules import Rules, choose
from buckspec_conformance.mutants.changes import USUAL
from buckspec_conformance.oracle import Expectation, expected
from buckspec_conformance.vectors import Vector, vectors

FAILURES = (RuleError, ArithmeticError, LookupError, TypeError, ValueError, RuntimeError)
"""How rules that make no sense end; that is noticed too."""


@dataclass
class Vectors:
    """The published vectors, with what the rules say of each, worked out once."""

    _said: dict[str, list[tuple[bool, Mapping[str, object]]]] = field(default_factory=dict)
    _rules: dict[str, Rules] = field(default_factory=dict)

    def killing(self, book: RuleBook, where: str) -> str | None:
        """The id of the first vector that notices; those made for the place of the change come first.

        Raises SpecError where the other rules are none under the readings of a vector.
        """
        clause = book.clauses().get(where)
        for vector in sorted(vectors(), key=lambda one: where not in one.case.clauses):
            rules = self._original(vector)
            if (clause is None or clause.under.holds(rules.readings)) and self._notices(vector, rules, book):
                return vector.id
        return None

    def _notices(self, vector: Vector, rules: Rules, book: RuleBook) -> bool:
        request: Mapping[str, Any] = vector.case.request
        usual = load_profile(USUAL).parameters
        apart = {
            name: value for name, value in rules.parameters.items() if value != usual[name]
        }  # the profile's own too
        numbers = {**apart, **request.get("parameters", {})}
        other = choose(book, rules.name, numbers, rules.readings, is_shipped=False)
        try:
            steps = list(_told(other, request))
        except FAILURES:
            return True
        return steps != self._expected(vector, rules)

    def _original(self, vector: Vector) -> Rules:
        if vector.id not in self._rules:
            request: Mapping[str, Any] = vector.case.request
            self._rules[vector.id] = load_profile(
                request["profile"], request.get("parameters", {}), request.get("readings", {})
            )
        return self._rules[vector.id]

    def _expected(self, vector: Vector, rules: Rules) -> list[tuple[bool, Mapping[str, object]]]:
        if vector.id not in self._said:
            self._said[vector.id] = list(_told(rules, vector.case.request))
        return self._said[vector.id]


def _told(rules: Rules, request: Mapping[str, Any]) -> Iterator[tuple[bool, Mapping[str, object]]]:
    """What is said of each step of a request: accepted or not, and all that can be reported."""
    for hand in expected(rules, request):
        yield from map(_of_step, hand)


def _of_step(step: Expectation) -> tuple[bool, Mapping[str, object]]:
    return step.accepted, step.fields
