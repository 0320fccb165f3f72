"""The compiler: turns checked expressions into Python source over whole numbers and bit masks.

A definition without an argument becomes a local variable that is worked out when it is first needed. A definition
or condition over a whole domain whose other inputs have few values becomes a table, filled in by the evaluator.
Undefined values need no care: nothing that is proven reads them, and an index of NONE finds the last entry of every
table, which is there for it.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, nullcontext

from buckspec import typed as t
from buckspec.depend import Dependencies
from buckspec.quantifiers import quantified
from buckspec.rules import Rules
from buckspec.tables import Tables
from buckspec.types import BOOL, NONE, Domain, Type

Env = Mapping[str, str]


class Emitter:
    """Writes lines of source. `constants` are the tables that the source names.

    Of the definitions that have been worked out, `fresh` certainly are at this place, `empty` certainly are not.
    """

    def __init__(self, rules: Rules):
        self.rules = rules
        self.depend = Dependencies(rules)
        self.constants: dict[str, object] = {}
        self.lines: list[str] = []
        self.indent = 1
        self.temporaries = 0
        self.fresh: set[str] = set()
        self.empty: set[str] = set()
        self.cached: set[str] = set()
        self.known: frozenset[t.Term] = frozenset()
        self._named: dict[object, str] = {}
        self.tables = Tables(rules)

    def line(self, text: str) -> None:
        self.lines.append("    " * self.indent + text)

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        """Lines below a head; what is worked out inside is not known to be, nor not to be, worked out afterwards."""
        self.line(head)
        fresh, empty = set(self.fresh), set(self.empty)
        self.indent += 1
        length = len(self.lines)
        yield
        if len(self.lines) == length:
            self.line("pass")
        self.indent -= 1
        self.fresh, self.empty = fresh, empty & self.empty

    def constant(self, key: object, stem: str, make: Callable[[], object]) -> str:
        """The name of a constant, made once for each key."""
        if key not in self._named:
            name = f"{stem}_{len(self._named)}"
            self._named[key] = name
            self.constants[name] = make()
        return self._named[key]

    def domain(self, kind: Type) -> Domain:
        return self.rules.book.domains[kind.base]

    # Tables that every domain has

    def bits(self, domain: Domain) -> str:
        return self.constant(("bit", domain.size), "BIT", lambda: (*(1 << index for index in range(domain.size)), 0))

    def bit(self, element: t.Term, env: Env) -> str:
        """The set of one member."""
        source = self.expression(element, env)
        return str(1 << int(source)) if source.isdecimal() else f"{self.bits(self.domain(element.type))}[{source}]"

    def others(self, domain: Domain) -> str:
        return self.constant(
            ("rest", domain.size), "REST", lambda: (*(~(1 << index) for index in range(domain.size)), ~0)
        )

    def first(self, domain: Domain) -> str:
        def table() -> object:
            size = domain.size
            rows = [
                tuple(
                    next(((start + step) % size for step in range(size) if mask >> (start + step) % size & 1), NONE)
                    for mask in range(1 << size)
                )
                for start in range(size)
            ]
            return (*rows, rows[NONE])

        return self.constant(("first", domain.size), "FIRST", table)

    # Expressions

    def expression(self, term: t.Term, env: Env) -> str:
        """Source for a term. Lines that have to come before it are written first."""

        def of(inner: t.Term) -> str:
            return self.expression(inner, env)

        match term:
            case t.Const():
                return str(bool(term.value)) if term.type.base == "bool" else str(term.value)
            case t.Parameter():
                return str(self.rules.parameters[term.name])
            case t.Local():
                return env[term.name]
            case t.Read():
                return f"v_{term.variable}" if term.index is None else f"v_{term.variable}[{of(term.index)}]"
            case t.Use():
                return self.use(term, env)
            case t.Look():
                values = (*self.rules.book.tables[term.table], NONE)
                return f"{self.constant(('look', term.table), 'LOOK', lambda: values)}[{of(term.argument)}]"
            case t.Collect():
                return self.collect(term, env)
            case t.Left():
                return f"(({of(term.start)} + {of(term.steps)}) % {self.domain(term.type).size})"
            case t.Sum():
                return self.sum(term, env)
            case t.Size(target=t.Const(value=mask)):
                return str(mask.bit_count())
            case t.Size():
                return f"({of(term.target)}).bit_count()"
            case t.With():
                return f"({of(term.target)} | {self.bit(term.element, env)})"
            case t.Without():
                return f"({of(term.target)} & {self.others(self.domain(term.type))}[{of(term.element)}])"
            case t.Only():
                return f"(({of(term.target)}).bit_length() - 1)"
            case t.FirstFrom():
                return f"{self.first(self.domain(term.type))}[{of(term.start)}][{of(term.target)}]"
            case t.Each():
                return quantified(self, term, env)
            case t.Not():
                return f"(not {of(term.operand)})"
            case t.Negative():
                return f"(-{of(term.operand)})"
            case t.Arithmetic():
                return f"({of(term.left)} {term.operator} {of(term.right)})"
            case t.Compare():
                return self.compare(term, env)
            case t.Equal():
                return self.equal(term, env)
            case t.Among():
                return f"({of(term.target)} & {self.bit(term.element, env)} != 0)"
            case t.Both():
                return "(" + " and ".join(of(part) for part in self.open(term)) + ")"
            case t.Either():
                return f"({of(term.left)} or {of(term.right)})"
            case t.Choice():
                return f"({of(term.then)} if {self.condition(term.condition, env)} else {of(term.otherwise)})"

    def condition(self, term: t.Term, env: Env) -> str:
        """Source for a term of which only the truth matters."""

        def of(inner: t.Term) -> str:
            return self.condition(inner, env)

        match term:
            case t.Among():
                return f"{self.expression(term.target, env)} & {self.bit(term.element, env)}"
            case t.Compare(operator=">", left=t.Size(target=target), right=t.Const(value=0)):
                return self.expression(target, env)
            case t.Equal(left=t.Size(target=target), right=t.Const(value=0)):
                return f"{'' if term.negated else 'not '}{self.expression(target, env)}"
            case t.Not():
                return f"not ({of(term.operand)})"
            case t.Both():
                return " and ".join(f"({of(part)})" for part in self.open(term))
            case t.Either():
                return f"(({of(term.left)}) or ({of(term.right)}))"
        return self.expression(term, env)

    # What is known to hold

    @contextmanager
    def knowing(self, conditions: Iterable[t.Term] | None) -> Iterator[None]:
        """Inside, these conditions hold besides those that held before; with None, nothing is known.

        Local names mean something else inside a definition, so that nothing known outside may be used there.
        """
        before = self.known
        self.known = frozenset() if conditions is None else before.union(conditions)
        yield
        self.known = before

    def open(self, condition: t.Term) -> tuple[t.Term, ...]:
        """The parts of a condition that are not known to hold."""
        parts = t.conjuncts(condition)
        return tuple(part for part in parts if part not in self.known) or (t.Const(1, BOOL),)

    def collect(self, term: t.Collect, env: Env) -> str:
        if all(isinstance(item, t.Const) for item in term.items):
            return str(sum(1 << item.value for item in term.items if isinstance(item, t.Const)))
        return "(" + " | ".join(self.bit(item, env) for item in term.items) + ")"

    def sum(self, term: t.Sum, env: Env) -> str:
        if term.is_variable:
            return (
                "("
                + " + ".join(
                    f"v_{term.function}[{index}]" for index in range(self.rules.book.domains[term.domain].size)
                )
                + ")"
            )
        size = self.rules.book.domains[term.domain].size
        members = [t.Use(term.function, t.Const(index, Type(term.domain)), term.type) for index in range(size)]
        return "(" + " + ".join(self.expression(member, env) for member in members) + ")"

    def compare(self, term: t.Compare, env: Env) -> str:
        match term:
            case t.Compare(operator=">", left=t.Size(target=target), right=t.Const(value=0)):
                return f"({self.expression(target, env)} != 0)"
        return f"({self.expression(term.left, env)} {term.operator} {self.expression(term.right, env)})"

    def equal(self, term: t.Equal, env: Env) -> str:
        sign = "!=" if term.negated else "=="
        match term:
            case t.Equal(left=t.Size(target=target), right=t.Const(value=0)):
                return f"({self.expression(target, env)} {sign} 0)"
        return f"({self.expression(term.left, env)} {sign} {self.expression(term.right, env)})"

    def named(self, source: str) -> str:
        """A local name for source that is used several times."""
        if source.isidentifier():
            return source
        name = self.temporary("t")
        self.line(f"{name} = {source}")
        return name

    def temporary(self, stem: str) -> str:
        """A local name that nothing else has."""
        self.temporaries += 1
        return f"{stem}_{self.temporaries}"

    # Definitions

    def use(self, term: t.Use, env: Env) -> str:
        if term.argument is None:
            return self.cached_definition(term.definition)
        definition = self.rules.definitions[term.definition]
        variable = t.Local(definition.parameter or "", Type(definition.domain or ""))
        body = t.Use(term.definition, variable, term.type)
        argument = self.expression(term.argument, env)
        table = self.table(body, variable, env, as_mask=False)
        if table is not None:
            return f"{table}[{argument}]"
        inner = {variable.name: argument}
        with self.knowing(None):
            if definition.value is not None:
                return self.expression(definition.value, inner)
            *tested, last = definition.alternatives
            source = self.expression(last.value, inner)
            for alternative in reversed(tested):
                condition = "True" if alternative.when is None else self.condition(alternative.when, inner)
                source = f"({self.expression(alternative.value, inner)} if {condition} else {source})"
            return source

    def cached_definition(self, name: str) -> str:
        """The local variable of a definition, worked out above if it may not have been."""
        local = f"d_{name}"
        self.cached.add(name)
        if name in self.fresh:
            return local
        definition = self.rules.definitions[name]
        test = nullcontext() if name in self.empty else self.block(f"if {local} is None:")
        with test, self.knowing(None):
            if definition.value is not None:
                self.line(f"{local} = {self.expression(definition.value, {})}")
            else:
                self.chain(local, name)
            needed = self.fresh
        # what it needs in any case is worked out too, whenever it was: what makes that stale, makes it stale as well
        self.fresh |= needed | {name}
        self.empty -= self.fresh
        return local

    def chain(self, local: str, name: str) -> None:
        """The alternatives of a definition, one tested after the other; the last needs no test."""
        *tested, last = self.rules.definitions[name].alternatives
        depth, certain = self.indent, None
        for alternative in tested:
            condition = "True" if alternative.when is None else self.condition(alternative.when, {})
            certain = set(self.fresh) if certain is None else certain
            with self.block(f"if {condition}:"):
                self.line(f"{local} = {self.expression(alternative.value, {})}")
            self.line("else:")
            self.indent += 1
        self.line(f"{local} = {self.expression(last.value, {})}")
        self.indent, self.fresh = depth, self.fresh if certain is None else certain

    # Tables over a domain

    def table(self, term: t.Term, variable: t.Local, env: Env, as_mask: bool) -> str | None:
        """Source for a row over a domain: the set of members for which a condition holds, or a tuple of values."""
        free = {node.name for node in t.walk(term) if isinstance(node, t.Local)} - {variable.name}
        free -= {node.variable.name for node in t.walk(term) if isinstance(node, t.Each)}
        inputs = None if free else self.tables.inputs(term)
        if inputs is None:
            return None
        name = self.constant(
            ("table", term, variable, as_mask), "TABLE", lambda: self.tables.fill(term, variable, inputs, as_mask)
        )
        return name + "".join(f"[{self.expression(node, env)}]" for node in inputs)
