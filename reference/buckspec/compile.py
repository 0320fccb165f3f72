"""The compiler: turns checked expressions into Python source over whole numbers and bit masks.

A definition without an argument becomes a local variable that is worked out when it is first needed. A definition
or condition over a whole domain whose other inputs have few values becomes a table, filled in by the evaluator. A
quantifier over a small domain is unrolled. Undefined values need no care: nothing that is proven reads them, and an
index of NONE finds the last entry of every table, which is there for it.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from buckspec import typed as t
from buckspec.depend import Dependencies
from buckspec.rules import Rules
from buckspec.tables import SMALL, Tables
from buckspec.types import NONE, Domain, Type

_LIGHT = 7  # nodes of a condition that costs no more than the test that would skip it

Env = Mapping[str, str]


class Emitter:
    """Writes lines of source. `constants` are the tables that the source names."""

    def __init__(self, rules: Rules):
        self.rules = rules
        self.depend = Dependencies(rules)
        self.constants: dict[str, object] = {}
        self.lines: list[str] = []
        self.indent = 1
        self.temporaries = 0
        self.fresh: set[str] = set()
        self.cached: set[str] = set()
        self._named: dict[object, str] = {}
        self.tables = Tables(rules)

    def line(self, text: str) -> None:
        self.lines.append("    " * self.indent + text)

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        """Lines below a head; what is worked out inside is not known to be worked out afterwards."""
        self.line(head)
        before = set(self.fresh)
        self.indent += 1
        length = len(self.lines)
        yield
        if len(self.lines) == length:
            self.line("pass")
        self.indent -= 1
        self.fresh = before

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
                return self.each(term, env)
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
                return f"({of(term.left)} and {of(term.right)})"
            case t.Either():
                return f"({of(term.left)} or {of(term.right)})"
            case t.Choice():
                return f"({of(term.then)} if {of(term.condition)} else {of(term.otherwise)})"

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

    # Quantifiers

    def each(self, term: t.Each, env: Env) -> str:
        domain = self.domain(term.variable.type)
        table = self.table(term.body, term.variable, env, as_mask=True) if domain.size > SMALL else None
        if table is not None:
            target = self.expression(term.target, env)
            match term.quantifier:
                case "exists":
                    return f"({target} & {table} != 0)"
                case "all":
                    return f"({target} & ~{table} == 0)"
                case "filter":
                    return f"({target} & {table})"
            return f"(({target} & {table}).bit_count() == 1)"
        if domain.size > SMALL:
            return self.loop(term, domain, env)
        return self.unrolled(term, domain, env)

    def loop(self, term: t.Each, domain: Domain, env: Env) -> str:
        """A generator over the members of a set of a large domain."""
        name = f"m_{term.variable.name}"
        target = self.expression(term.target, env)
        self.prepare(term.body)
        body = self.expression(term.body, {**env, term.variable.name: name})
        bits = self.bits(domain)
        source = f"for {name} in range({domain.size}) if {target} & {bits}[{name}]"
        match term.quantifier:
            case "all":
                return f"all({body} {source})"
            case "exists":
                return f"any({body} {source})"
            case "exists_one":
                return f"(sum(bool({body}) {source}) == 1)"
        return f"sum({bits}[{name}] {source} and {body})"

    def prepare(self, term: t.Term) -> None:
        """Work out the definitions that a term needs, outside of any loop over it."""
        for node in t.walk(term):
            if isinstance(node, t.Use) and node.argument is None:
                self.use(node, {})

    def unrolled(self, term: t.Each, domain: Domain, env: Env) -> str:
        full = isinstance(term.target, t.Const) and term.target.value == domain.full
        target = "" if full else self.named(self.expression(term.target, env))
        light = len(t.walk(term.body)) <= _LIGHT
        bodies = [self.expression(term.body, {**env, term.variable.name: str(index)}) for index in range(domain.size)]
        inside = ["" if full else f"{target} & {1 << index}" for index in range(domain.size)]
        match term.quantifier:
            case "all":
                return (
                    "("
                    + " and ".join(
                        body if full else f"(not {test} or {body})" for test, body in zip(inside, bodies, strict=True)
                    )
                    + ")"
                )
            case "exists":
                return (
                    "("
                    + " or ".join(
                        body if full else f"({test} and {body})" for test, body in zip(inside, bodies, strict=True)
                    )
                    + ")"
                )
        guarded = [body if full or light else f"{test} and {body}" for test, body in zip(inside, bodies, strict=True)]
        mask = "(" + " | ".join(f"({1 << index} if {body} else 0)" for index, body in enumerate(guarded)) + ")"
        if light and not full:
            mask = f"({target} & {mask})"
        return mask if term.quantifier == "filter" else f"({mask}.bit_count() == 1)"

    def named(self, source: str) -> str:
        """A local name for source that is used several times."""
        if source.isidentifier():
            return source
        self.temporaries += 1
        self.line(f"t_{self.temporaries} = {source}")
        return f"t_{self.temporaries}"

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
        if definition.value is not None:
            return self.expression(definition.value, inner)
        *tested, last = definition.alternatives
        source = self.expression(last.value, inner)
        for alternative in reversed(tested):
            condition = "True" if alternative.when is None else self.expression(alternative.when, inner)
            source = f"({self.expression(alternative.value, inner)} if {condition} else {source})"
        return source

    def cached_definition(self, name: str) -> str:
        """The local variable of a definition, worked out above if it may not have been."""
        local = f"d_{name}"
        self.cached.add(name)
        if name in self.fresh:
            return local
        definition = self.rules.definitions[name]
        with self.block(f"if {local} is None:"):
            if definition.value is not None:
                self.line(f"{local} = {self.expression(definition.value, {})}")
            else:
                self.chain(local, name)
        self.fresh.add(name)
        return local

    def chain(self, local: str, name: str) -> None:
        """The alternatives of a definition, one tested after the other; the last needs no test."""
        *tested, last = self.rules.definitions[name].alternatives
        depth = self.indent
        for alternative in tested:
            condition = "True" if alternative.when is None else self.expression(alternative.when, {})
            with self.block(f"if {condition}:"):
                self.line(f"{local} = {self.expression(alternative.value, {})}")
            self.line("else:")
            self.indent += 1
        self.line(f"{local} = {self.expression(last.value, {})}")
        self.indent = depth

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
