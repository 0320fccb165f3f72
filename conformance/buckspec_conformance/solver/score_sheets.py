"""Score sheets: hands of which only claims are known, judged against each other.

A hand is taken to end in any state that satisfies the invariants and in which something ends it by itself. So what is
called a contradiction is one; that a sheet is not contradicted does not prove that it can be.
"""

from collections.abc import Iterator, Mapping

import z3
from msgspec import Struct

from buckspec.claims import said
from buckspec.depend import Dependencies
from buckspec.evaluate import UNKNOWN
from buckspec.formats.game_log import GameLog, Hand
from buckspec.replay import deal_of
from buckspec.rulebook import WHOLE_GAME, Observation
from buckspec.rules import Rules
from buckspec.state import State
from buckspec.types import NONE, Type
from buckspec_conformance.solver import values as v
from buckspec_conformance.solver.events import happen, its_time
from buckspec_conformance.solver.guards import Guard, all_of, any_of, conj, disj, formula, neg
from buckspec_conformance.solver.selection import fixed
from buckspec_conformance.solver.states import Values, any_value, known_values, places
from buckspec_conformance.solver.symbolic import Symbolic
from buckspec_conformance.solver.values import Bits, Number, Symbol


def contradiction(log: GameLog, first: int, state: State) -> tuple[int, ...]:
    """Hands whose claims cannot all be right, from a hand on that begins in this state; none of them can be left out.

    Empty if no contradiction is found. Of hands after the first, events are not looked at, nor are claims that list
    what happened one by one.
    """
    sheet = _Sheet(state.rules)
    lines = sheet.lines(log, first, state)
    if sheet.solver.check(*lines.values()) != z3.unsat:
        return ()
    left = dict(lines)
    for index in lines:
        fewer = {other: line for other, line in left.items() if other != index}
        if sheet.solver.check(*fewer.values()) == z3.unsat:
            left = fewer
    return tuple(left)


class _Sheet:
    """What the solver is told of a sheet."""

    def __init__(self, rules: Rules):
        self.rules, self.book = rules, rules.book
        self.selection = fixed(rules.book, rules.readings, rules.parameters)
        self.solver = z3.Solver()
        depend = Dependencies(rules)
        later = [rule for rule in rules.events.values() if not rule.by_chance]
        self.changed = {name for rule in later for name in depend.writes(rule)}
        self.depend = depend

    def lines(self, log: GameLog, first: int, state: State) -> dict[int, z3.BoolRef]:
        """Tells the solver of the hands; for each what stands for its claims."""
        forgetful = State(self.rules, tuple(NONE if value is UNKNOWN else value for value in state.values))
        before = self.symbolic(known_values(forgetful))
        lines = {}
        for index, hand in enumerate(log.hands[first:], first):
            after = self.played(before, index, hand)
            claims = [self.claims(after, hand.claims)]
            if index == len(log.hands) - 1:
                claims.append(self.claims(after, log.claims))
            lines[index] = z3.Bool(f"line {index}")
            self.solver.add(z3.Implies(lines[index], formula(all_of(claims))))
            before = after
        return lines

    def symbolic(self, values: Values) -> Symbolic:
        return Symbolic(self.book, self.selection, values)

    def played(self, before: Symbolic, index: int, hand: Hand) -> Symbolic:
        """The state after a hand of which nothing is known but who may have dealt it."""
        name, how = f"{index}: ", deal_of(self.rules)
        dealt = happen(before, how.rule, {}, name)
        values: Values = dict(dealt.values)
        conditions: list[Guard] = [its_time(before, how.rule), dealt.condition]
        for variable in self.book.variables.values():
            if variable.life == WHOLE_GAME or variable.name not in self.changed:
                continue
            for at in places(self.book, variable):
                label = f"{name}{variable.name}({at})"
                values[variable.name, at], condition = any_value(self.book, self.selection, variable, label)
                conditions.append(condition)
        last = self.symbolic(values)
        conditions += [self.kept(last, invariant_id) for invariant_id in self.book.invariants]
        if hand.dealer is not None and how.dealer is not None:
            conditions.append(v.at(values[how.dealer[1].variable, 0], hand.dealer))
        after, ends = self.ended(last)
        self.solver.add(formula(conj(*conditions, ends)))
        return after

    def kept(self, state: Symbolic, id_: str) -> Guard:
        """Where an invariant holds."""
        invariant = self.book.invariants[id_]
        if not invariant.clause.under.holds(self.rules.readings):
            return True
        return disj(neg(state.holds(invariant.when, {}).yes), state.holds(invariant.that, {}).yes)

    def ended(self, state: Symbolic) -> tuple[Symbolic, Guard]:
        """The state after the event that ends a hand, and the condition that one does."""
        values = dict(state.values)
        due: list[Guard] = []
        for rule in self.rules.events.values():
            guard = its_time(state, rule) if rule.is_automatic else False
            if guard is not False:
                due.append(guard)
                after = happen(state, rule, {}, "").values
                values = {place: v.chosen(guard, after[place], value) for place, value in values.items()}
        ended = self.symbolic(values)
        goes_on = any_of(its_time(ended, rule) for rule in self.rules.events.values() if not rule.by_chance)
        return ended, conj(any_of(due), neg(goes_on))

    def claims(self, state: Symbolic, claims: Struct | None) -> Guard:
        """Where all claims are right."""
        return all_of(guard for name, claimed in said(claims) for guard in self.claim(state, name, claimed))

    def claim(self, state: Symbolic, name: str, claimed: object) -> Iterator[Guard]:
        observation = self.book.observations.get(name)
        if observation is None or observation.at is not None:
            return
        if observation.domain is None:
            yield self.equal(state.term(observation.value, {}), observation, claimed)
            return
        domain = self.book.domains[observation.domain]
        for at, one in enumerate(claimed if isinstance(claimed, list) else []):
            yield self.equal(state.term(observation.value, {domain.parameter: v.pick(at)}), observation, one)

    def equal(self, symbol: Symbol, observation: Observation, claimed: object) -> Guard:
        """Where a value is the one that is claimed."""
        type_ = observation.type
        if isinstance(symbol, Bits):
            wanted = {self.index(type_, one) for one in (claimed if isinstance(claimed, list) else [])}
            return conj(symbol.defined, *(g if at in wanted else neg(g) for at, g in _all(symbol, wanted).items()))
        value = self.index(type_, claimed)
        if isinstance(symbol, Number):
            return conj(symbol.defined, symbol.value == value)
        return conj(symbol.defined, v.at(symbol, value))

    def index(self, type_: Type, code: object) -> int:
        """What a code stands for."""
        if code is None:
            return NONE
        domain = self.book.domains.get(type_.base)
        return domain.by_code[code] if domain is not None and isinstance(code, str) else int(str(int(code)))  # type: ignore[call-overload]


def _all(symbol: Bits, wanted: set[int]) -> Mapping[int, Guard]:
    """The guards of a set, with those members that it cannot have."""
    return {**dict.fromkeys(wanted, False), **symbol.guards}
