"""Builds the checked parts of a rule book from their heads."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import TypeVar

from buckspec import typed as t
from buckspec.check import CheckError, Scope, check
from buckspec.document import Node, Scalar, Table
from buckspec.heads import (
    Clauses,
    DefinitionHead,
    EventHead,
    Heads,
    StateHead,
    add_clause,
    argument_domain,
    parse_type,
)
from buckspec.nodes import Collector, fields, listing, refuse, scalar, table, text, texts
from buckspec.problem import Place, Problem, SpecError, nearest
from buckspec.rulebook import (
    LIVES,
    PHASE,
    Alternative,
    Assignment,
    Clause,
    DealStep,
    Definition,
    Effect,
    EventRule,
    Invariant,
    Question,
    Requirement,
    Taken,
    Under,
    Variable,
)
from buckspec.symbols import Signature, Symbols
from buckspec.syntax import Expression, ExpressionError, QuotedTextError, parse
from buckspec.types import BOOL, INT, Type
from buckspec.under import both, parse_under

_CLAUSE_KEYS = ("under", "cites", "because")
_TARGET = re.compile(r"(?P<word>\w+)(?:\((?P<index>.+)\))?")
_EACH = re.compile(r"each (\w+)")
_DEAL = re.compile(r"(?P<count>\d+|the rest) to (?P<word>\w+)(?:\(each (?P<each>\w+)\) from (?P<start>.+))?")
_GIVEN = "given"
_NOT_HERE = {
    "actor": "only an event that somebody does has an actor",
    "viewer": "only “seen” has a viewer",
}
_Item = TypeVar("_Item")
_Built = TypeVar("_Built")


class Builder:
    """Checks bodies against symbols. `limits` holds what replacements leave to the clauses they replace."""

    def __init__(
        self, symbols: Symbols, questions: Mapping[str, Question], limits: Mapping[str, Under], collector: Collector
    ):
        self.symbols, self.questions, self.limits, self.collector = symbols, questions, limits, collector
        self.scope = Scope(symbols, {}, not_here=_NOT_HERE)
        self.phase = symbols.definitions.get(PHASE)
        self.circle = next((domain.name for domain in symbols.domains.values() if domain.circular), "")

    def gather(self, items: Mapping[str, _Item], make: Callable[[_Item], _Built]) -> dict[str, _Built]:
        """Make something of each item, keeping the faults of those that cannot be made."""
        made = {}
        for name, item in items.items():
            with self.collector.collecting():
                made[name] = make(item)
        return made

    # Expressions

    def parsed(self, node: Node, what: str) -> tuple[Scalar, Expression]:
        written = scalar(node, what)
        try:
            return written, parse(written.text)
        except ExpressionError as error:
            raise SpecError([self.problem(written, error)]) from None

    def checked(self, written: Scalar, expression: Expression, scope: Scope, wanted: Type) -> t.Term:
        try:
            return check(expression, scope, wanted)
        except ExpressionError as error:
            raise SpecError([self.problem(written, error)]) from None

    def expression(self, node: Node, what: str, scope: Scope, wanted: Type) -> t.Term:
        return self.checked(*self.parsed(node, what), scope, wanted)

    def problem(self, written: Scalar, error: ExpressionError) -> Problem:
        meant = self.value_named(error.text) if isinstance(error, QuotedTextError) else error.meant
        return Problem(written.at(error.offset), error.what, error.found, error.expected, meant)

    def value_named(self, word: str) -> str | None:
        """How an expression names the value that looks most like a word."""
        domains = [domain for domain in self.symbols.domains.values() if not domain.circular]
        known = {value: domain.name for domain in domains for value in domain.index}
        value = nearest(word, known)
        return f"{known[value]}.{value}" if value else None

    def condition(self, body: Table, key: str, scope: Scope) -> tuple[t.Term | None, Scope]:
        """The condition under a key, if it is there, and the scope in which it is known to hold."""
        if key not in body.entries:
            return None, scope
        written, expression = self.parsed(body.entries[key], key)
        return self.checked(written, expression, scope, BOOL), scope.knowing((expression, True))

    def within(self, locals_: Mapping[str, Type]) -> Scope:
        return replace(self.scope, locals=dict(locals_))

    # Clauses

    def clause(self, key: str, body: Table, place: Place) -> Clause:
        under = parse_under(body.entries.get("under"), self.questions)
        if key in self.limits:
            under = both(under, self.limits[key])
        because = text(body.entries["because"], "because") if "because" in body.entries else None
        return Clause(
            key, text(body.entries["says"], "says"), under, texts(body.entries.get("cites"), "cites"), because, place
        )

    def clauses(
        self,
        family: Clauses,
        required: tuple[str, ...],
        optional: tuple[str, ...],
        make: Callable[[Clause, Table], _Built],
    ) -> tuple[_Built, ...]:
        """What `make` makes of each clause of a family, keeping the faults of each."""
        made = []
        for key, (node, place) in family.items():
            with self.collector.collecting():
                body = fields(node, f"the clause {key}", ("says", *required), (*optional, *_CLAUSE_KEYS))
                made.append(make(self.clause(key, body, place), body))
        return tuple(made)

    # State

    def variables(self, heads: Heads) -> dict[str, Variable]:
        return self.gather(heads.state, self.variable)

    def variable(self, head: StateHead) -> Variable:
        signature, body = head.signature, head.body
        index = {self.symbols.domains[signature.domain].parameter: Type(signature.domain)} if signature.domain else {}
        first_node = body.entries["first"]
        given = isinstance(first_node, Scalar) and first_node.value == _GIVEN
        first = None if given else self.expression(first_node, "first", self.within(index), signature.type)
        seen = None
        if "seen" in body.entries:
            seen = self.expression(
                body.entries["seen"], "seen", self.within({**index, "viewer": Type(self.circle)}), BOOL
            )
        low, high = self.range(body.entries["type"])
        return Variable(
            head.name,
            signature.domain,
            signature.type,
            head.life,
            first,
            seen,
            text(body.entries["means"], "means"),
            low,
            high,
            head.place,
        )

    def range(self, node: Node) -> tuple[t.Term | None, t.Term | None]:
        written = text(node, "type")
        if ".." not in written:
            return None, None
        low, _, high = written.removeprefix("int ").partition("..")
        starts = (written.index(low), len(written) - len(high))
        ends = [
            self.expression(Scalar(end, _inside(node, start)), "the end of a range", self.scope, INT)
            for start, end in zip(starts, (low, high), strict=True)
        ]
        return ends[0], ends[1]

    # Definitions

    def definitions(self, heads: Heads) -> dict[str, Definition]:
        return self.gather(heads.definitions, self.definition)

    def definition(self, head: DefinitionHead) -> Definition:
        signature, body = head.signature, head.body
        parameter = self.symbols.domains[signature.domain].parameter if signature.domain else None
        scope = self.within({parameter: Type(signature.domain or "")} if parameter else {})
        where, scope = self.condition(body, "where", scope)
        means = text(body.entries["means"], "means") if "means" in body.entries else None
        value = self.expression(body.entries["is"], "is", scope, signature.type) if "is" in body.entries else None

        def alternative(clause: Clause, entry: Table) -> Alternative:
            when, inner = self.condition(entry, "when", scope)
            return Alternative(clause, when, self.expression(entry.entries["is"], "is", inner, signature.type))

        alternatives = self.clauses(head.alternatives, ("is",), ("when",), alternative)
        return Definition(
            head.name, parameter, signature.domain, signature.type, means, where, value, alternatives, head.place
        )

    # Events

    def events(self, heads: Heads) -> dict[str, EventRule]:
        return self.gather(heads.events, self.event)

    def event(self, head: EventHead) -> EventRule:
        body = head.body
        takes = tuple(self.taken(item) for item in self.takes(body.entries.get("takes")))
        by, by_chance = self.by(body.entries.get("by"))
        about = {taken.name: taken.type for taken in takes}
        scope = self.within({**about, "actor": Type(by.type.base)} if by else about)
        if by is None:
            reason = f"{'chance' if by_chance else 'nobody'} does this event, so it has no actor"
            scope = replace(scope, not_here={**scope.not_here, "actor": reason})

        def requirement(clause: Clause, entry: Table) -> Requirement:
            applies, inner = self.condition(entry, "applies", scope)
            return Requirement(clause, applies, self.expression(entry.entries["that"], "that", inner, BOOL))

        def effect(clause: Clause, entry: Table) -> Effect:
            sets = tuple(self.assignments(table(entry.entries.get("set"), "set"), scope))
            deals = tuple(self.deal_step(node) for node in listing(entry.entries.get("deals")))
            if not sets and not deals:
                raise refuse(clause.place, "an effect sets something", clause.id, "set: or deals:")
            return Effect(clause, sets, deals)

        requires = self.clauses(head.requires, ("that",), ("applies",), requirement)
        effects = self.clauses(head.does, (), ("set", "deals"), effect)
        return EventRule(
            head.id,
            self.phases(body.entries["in"]),
            by,
            by_chance,
            takes,
            parse_under(body.entries.get("under"), self.questions),
            self.begins(body.entries.get("begins")),
            requires,
            effects,
            self.logged(body.entries.get("logged")),
            head.place,
        )

    def phases(self, node: Node) -> tuple[str, ...]:
        if self.phase is None:
            raise refuse(node.place, "no definition tells what phase it is", expected=f"a definition “{PHASE} -> …”")
        domain = self.symbols.domains[self.phase.type.base]
        for name in texts(node, "in"):
            if name not in domain.index:
                raise refuse(node.place, f"unknown value of {domain.name}", name, meant=nearest(name, domain.index))
        return texts(node, "in")

    def by(self, node: Node | None) -> tuple[t.Term | None, bool]:
        if node is None:
            return None, False
        written, expression = self.parsed(node, "by")
        if written.value == "chance":
            return None, True
        one = Type(self.circle)
        try:
            return check(expression, self.scope, replace(one, many=True)), False
        except CheckError:
            return self.checked(written, expression, self.scope, one), False

    @staticmethod
    def takes(node: Node | None) -> list[tuple[str, Node, Node | None]]:
        if isinstance(node, Table):
            return [(name, value, value) for name, value in node.entries.items()]
        return [(text(item, "takes"), item, None) for item in listing(node)]

    def taken(self, item: tuple[str, Node, Node | None]) -> Taken:
        name, node, written = item
        if name in (*self.symbols.values(), "actor"):
            raise refuse(node.place, "an event is about a name that is in use", name, "another name")
        if written is None:
            return Taken(name, Type(argument_domain(name, node.place, self.symbols) or ""))
        low, high = self.range(written)
        if low is not None:
            return Taken(name, INT, low, high)
        kind = parse_type(text(written, "a type"), node.place, self.symbols)
        if kind == INT or kind.many or kind.optional:
            raise refuse(
                node.place, "an event is about one of finitely many values", str(kind), "a domain, bool, int low..high"
            )
        return Taken(name, kind)

    @staticmethod
    def begins(node: Node | None) -> str | None:
        if node is None:
            return None
        life = text(node, "begins")
        if life not in LIVES:
            raise refuse(node.place, "unknown life of a variable", life, " or ".join(LIVES), nearest(life, LIVES))
        return life

    @staticmethod
    def logged(node: Node | None) -> Mapping[str, str] | None:
        if node is None:
            return None
        return {key: text(value, key) for key, value in table(node, "logged").entries.items()}

    # Effects

    def assignments(self, held: Table, scope: Scope) -> Iterator[Assignment]:
        for key, node in held.entries.items():
            place = held.keys[key]
            match = _TARGET.fullmatch(key)
            if match is None or match["word"] not in self.symbols.variables:
                meant = nearest(match["word"], self.symbols.variables) if match else None
                raise refuse(
                    place, "only a variable can be set", key, "variable, variable(…) or variable(each …)", meant
                )
            signature = self.symbols.variables[match["word"]]
            yield self.assignment(match["word"], match["index"], signature, Scalar(key, place), node, scope)

    def assignment(
        self, name: str, index: str | None, signature: Signature, target: Scalar, node: Node, scope: Scope
    ) -> Assignment:
        if (index is None) != (signature.domain is None):
            expected = f"{name}({signature.domain and '…'})" if signature.domain else name
            raise refuse(target.place, "the target does not fit the variable", target.text, expected)
        if index is None or signature.domain is None:
            return Assignment(name, None, self.expression(node, name, scope, signature.type))
        domain = self.symbols.domains[signature.domain]
        if each := _EACH.fullmatch(index):
            if each[1] != domain.parameter:
                expected = f"each {domain.parameter}"
                raise refuse(target.place, "“each” names the domain of the variable", each[1], expected)
            inner = replace(scope, locals={**scope.locals, domain.parameter: Type(domain.name)})
            return Assignment(name, None, self.expression(node, name, inner, signature.type), domain.parameter)
        offset = len(name) + 1
        where = Scalar(index, replace(target.place, column=target.place.column + offset))
        return Assignment(
            name,
            self.expression(where, "a target", scope, Type(domain.name)),
            self.expression(node, name, scope, signature.type),
        )

    def deal_step(self, node: Node) -> DealStep:
        written = text(node, "a step of the deal")
        match = _DEAL.fullmatch(written)
        if match is None:
            raise refuse(
                node.place,
                "not a step of the deal",
                written,
                "“n to variable”, “n to variable(each …) from seat”, “the rest to …”",
            )
        name = match["word"]
        signature = self.symbols.variables.get(name)
        if signature is None:
            raise refuse(node.place, "unknown variable", name, meant=nearest(name, self.symbols.variables))
        if (match["each"] is None) != (signature.domain is None):
            raise refuse(
                node.place,
                "the step does not fit the variable",
                written,
                f"{name}({signature.domain or 'no argument'})",
            )
        is_set = signature.type.many
        if signature.type.base not in self.symbols.domains or not (is_set or match["count"] == "1"):
            raise refuse(node.place, "the step does not fit the variable", written, f"1 to {name}, or a set")
        start = None
        if match["start"] and signature.domain:
            where = _inside(node, match.start("start"))
            start = self.expression(Scalar(match["start"], where), "from", self.scope, Type(signature.domain))
        return DealStep(int(match["count"]) if match["count"].isdecimal() else None, name, start)

    # Invariants

    def invariants(self, node: Node, heads: Heads) -> dict[str, Invariant]:
        held = table(fields(node, "the invariants", ("invariants",)).entries["invariants"], "invariants")
        family: Clauses = {}
        for key, value in held.entries.items():
            with self.collector.collecting():
                add_clause(key, table(value, f"the invariant {key}"), held.keys[key], family, heads)

        def invariant(clause: Clause, entry: Table) -> Invariant:
            when, inner = self.condition(entry, "when", self.scope)
            return Invariant(clause, when, self.expression(entry.entries["that"], "that", inner, BOOL))

        return {made.clause.id: made for made in self.clauses(family, ("that",), ("when",), invariant)}


def _inside(node: Node, offset: int) -> Place:
    """Where the character at `offset` of a text stands."""
    return node.at(offset) if isinstance(node, Scalar) else node.place
