"""Whether a case tells anything of a clause: would what the engine reports have been different without it?

A case that an engine passes is evidence for a clause only if the rules, with that clause changed, expect something
else in a field that the engine reports. That an event is accepted counts only in a case that also has one to be
refused, and the other way round: else an engine that accepts everything would earn it.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace

from buckspec import interpret
from buckspec.depend import Dependencies
from buckspec.evaluate import RuleError
from buckspec.observe import observed
from buckspec.rules import Rules
from buckspec.words import to_log
from buckspec_conformance.blame import altered
from buckspec_conformance.compare import LEGAL, plain
from buckspec_conformance.oracle import Expectation, expected, key_of

_TURN = "turn"
_TRIES, _STRIDE, _MOST = 8, 5, 24
"""How many cases may fail to be evidence for a clause before not each is looked at, but one of some, and before the
rest is not looked at: the same game from another seat, which comes next, tells no more."""


def variants(rules: Rules, clause: str) -> Iterator[Rules]:
    """The rules with the clause changed, in each way that it can be."""
    yield from _with_other_readings(rules, clause)
    yield from altered(rules, clause)


def _with_other_readings(rules: Rules, clause: str) -> Iterator[Rules]:
    """The rules in which a case of a definition has the value that another reading gives it."""
    for name, definition in rules.definitions.items():
        for case in definition.alternatives:
            others = [one for one in rules.book.definitions[name].alternatives if one not in definition.alternatives]
            for other in others if case.clause.id == clause else ():
                cases = (replace(one, value=other.value) if one is case else one for one in definition.alternatives)
                changed = replace(definition, alternatives=tuple(cases))
                yield replace(rules, definitions={**rules.definitions, name: changed}, is_shipped=False)


def shows(rules: Rules, request: Mapping[str, object], clause: str, reports: Collection[str]) -> bool:
    """Whether a request tells by what is reported that the clause is in force. Of an invariant, nothing does."""
    if clause in rules.book.invariants:
        return False
    right = [step for hand in expected(rules, request) for step in hand]
    tried = {step.accepted for step in right if not step.is_deal}
    has_control = len(tried) > 1
    dealt = dealt_by(rules, clause)
    if dealt:  # without it there is no hand at all
        seen = [name for name in reports if name in rules.book.observations]
        reads = Dependencies(rules).reads
        return has_control or any(dealt & reads(rules.book.observations[name].value) for name in seen)
    walked = replace(rules, is_shipped=False)
    changes = list(variants(walked, clause))
    if not changes:  # nothing can stand in its place: it shows in whose turn it is, and in what is accepted
        return has_control or not {_TURN, LEGAL}.isdisjoint(reports)
    return any(_differs(right, changed, request, reports, has_control) for changed in changes)


def dealt_by(rules: Rules, clause: str) -> frozenset[str]:
    """The variables to which the clause deals cards; none for a clause that does not."""
    effects = [effect for event in rules.events.values() for effect in event.effects if effect.clause.id == clause]
    return frozenset(step.variable for effect in effects for step in effect.deals)


def _differs(
    right: list[Expectation], changed: Rules, request: Mapping[str, object], reports: Collection[str], control: bool
) -> bool:
    try:
        wrong = [step for hand in expected(changed, request) for step in hand]
        if control and any(one.accepted is not other.accepted for one, other in zip(right, wrong, strict=False)):
            return True
        return any(_tells(name, right, wrong) for name in _fields(changed) if name in reports)
    except (RuleError, LookupError, TypeError):  # changed like that, the game cannot be played on
        return control or not {_TURN, LEGAL}.isdisjoint(reports)


def shown_in(rules: Rules, request: Mapping[str, object], clause: str) -> frozenset[str]:
    """The fields that would be otherwise in the answer to a request if the clause were."""
    dealt = dealt_by(rules, clause)
    if dealt:
        reads = Dependencies(rules).reads
        return frozenset(name for name, one in rules.book.observations.items() if dealt & reads(one.value))
    right = [step for hand in expected(rules, request) for step in hand]
    found: set[str] = set()
    for changed in variants(replace(rules, is_shipped=False), clause):
        try:
            wrong = [step for hand in expected(changed, request) for step in hand]
            found.update(name for name in _fields(changed) if _tells(name, right, wrong))
        except (RuleError, LookupError, TypeError):
            found.update((_TURN, LEGAL))
    return frozenset(found)


def _fields(rules: Rules) -> tuple[str, ...]:
    """All that an engine can report of a state."""
    return (*rules.book.observations, _TURN, LEGAL)


def _tells(field: str, right: list[Expectation], wrong: list[Expectation]) -> bool:
    return any(_seen(one, field) != _seen(other, field) for one, other in zip(right, wrong, strict=False))


def _seen(step: Expectation, name: str) -> object:
    if name == _TURN:
        waiting = interpret.to_act(step.state)
        return waiting[0] if len(waiting) == 1 else None
    if name == LEGAL:
        return frozenset(key_of(to_log(step.state.rules, event)) for event in interpret.legal(step.state))
    return plain(name, observed(step.state, name), step)


class Credit:
    """Which clauses an engine earns by the cases that it passes.

    An engine that reports everything earns what a case was made for. For one that does not, it has to be shown that
    a case can tell. That is done until it is, once for each clause: from then on it is known that the clause shows in
    what is reported.
    """

    def __init__(self, reports: Collection[str]) -> None:
        self._reports = frozenset(reports)
        self._known: dict[str, bool] = {}
        self._tried: dict[str, int] = {}
        self._met: Counter[str] = Counter()
        self._asked: dict[str, tuple[Rules, Mapping[str, object]]] = {}
        """The last case that did not show a clause."""

    def earned(self, rules: Rules, request: Mapping[str, object], clauses: Collection[str]) -> tuple[str, ...]:
        """The clauses, of those for which a case was made, for which passing it is evidence."""
        if self._reports.issuperset({*rules.book.observations, _TURN, LEGAL}):
            return tuple(clauses)
        return tuple(clause for clause in clauses if self._shows(rules, request, clause))

    def known(self, rules: Rules, clauses: Collection[str]) -> tuple[str, ...]:
        """The clauses, of those that cases have met, that are known to show in what the engine reports."""
        if self._reports.issuperset({*rules.book.observations, _TURN, LEGAL}):
            return tuple(clauses)
        return tuple(clause for clause in clauses if self._known.get(clause))

    def remember(self, clauses: Collection[str]) -> None:
        """These were earned before, in a part of the run that is over."""
        self._known.update(dict.fromkeys(clauses, True))

    def unshown(self) -> dict[str, tuple[str, ...]]:
        """The clauses that did not show in what is reported, and in which fields they would have."""
        hidden = {clause: asked for clause, asked in self._asked.items() if not self._known.get(clause)}
        found = {clause: shown_in(*asked, clause) - self._reports for clause, asked in hidden.items()}
        return {clause: tuple(sorted(fields)) for clause, fields in found.items() if fields}

    def _shows(self, rules: Rules, request: Mapping[str, object], clause: str) -> bool:
        if not self._known.get(clause) and self._is_worth_a_look(clause):
            self._tried[clause] = self._tried.get(clause, 0) + 1
            self._known[clause] = shows(rules, request, clause, self._reports)
            self._asked[clause] = rules, request
        return self._known.get(clause, False)

    def _is_worth_a_look(self, clause: str) -> bool:
        self._met[clause] += 1
        tried = self._tried.get(clause, 0)
        return tried < _TRIES or (tried < _MOST and self._met[clause] % _STRIDE == 0)
