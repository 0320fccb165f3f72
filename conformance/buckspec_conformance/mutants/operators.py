"""The operators: what a part of the rules can be exchanged for, so that it is still a rule, and another one."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from zlib import crc32

from buckspec.rulebook import Definition, RuleBook, Variable
from buckspec.typed import Read
from buckspec.types import Type
from buckspec_conformance.mutants import spots
from buckspec_conformance.mutants.mutant import BETWEEN
from buckspec_conformance.mutants.spots import Part

OPERATORS = (
    "comparison", "constant", "and/or", "negation", "quantifier", "arithmetic", "truth value", "set", "another name",
    "another value", "list order", "table", "parameter", "dropped effect", "dropped clause",
)  # fmt: skip
"""What a change can be, in the order in which they are counted."""

_TOKEN = re.compile(r"\d+|[A-Z]\w*\.\w+|[A-Za-z_]\w*|&&|\|\||[<>=!]=|[-+*!<>]")
_SWAPS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "comparison": {
        "==": ("!=",), "!=": ("==",), "<": ("<=", ">="), "<=": ("<", ">"), ">": (">=", "<="), ">=": (">", "<"),
    },
    "and/or": {"&&": ("||",), "||": ("&&",)},
    "negation": {"!": ("",)},
    "quantifier": {"all": ("exists",), "exists": ("all",)},
    "arithmetic": {"+": ("-",), "-": ("+",), "*": ("+",)},
    "truth value": {"true": ("false",), "false": ("true",)},
    "set": {"add": ("remove",), "remove": ("add",)},
}  # fmt: skip
_OTHERS = 2  # how many other names, or values, each is exchanged for
_LOCALS = {"Seat": ("seat", "actor"), "Card": ("card",)}


@dataclass(frozen=True)
class Change:
    """What a part is exchanged for: the operator, the token before and after, and the whole text of the spot."""

    operator: str
    old: str
    new: str
    text: str | None


@dataclass(frozen=True)
class Operators:
    """What the parts of a rule book can be exchanged for."""

    book: RuleBook

    def changes(self, part: Part) -> Iterator[Change]:
        """Every change of a part."""
        match part.kind:
            case spots.CLAUSE:
                yield Change("dropped clause", "the clause", "", None)
            case spots.EFFECT:
                yield Change("dropped effect", part.text, "", None)
            case spots.LIST:
                yield from self._neighbours(part.names)
            case spots.NUMBER:
                yield from (Change("parameter", part.text, new, new) for new in _beside(part.text))
            case spots.ATTRIBUTE:
                yield from self._attributes(part)
            case _:
                yield from self._expressions(part)

    def _expressions(self, part: Part) -> Iterator[Change]:
        before, after = part.rest
        for token in _TOKEN.finditer(part.text):
            for operator, new in self._tokens(token[0], part.text):
                text = part.text[: token.start()] + new + part.text[token.end() :]
                yield Change(operator, token[0], new, before + text + after)
        if part.kind == spots.CONDITION:
            yield Change("negation", "the condition", "its opposite", f"!({part.text})")

    def _tokens(self, old: str, seed: str) -> Iterator[tuple[str, str]]:
        """What a token can become, with the operator."""
        if old.isdecimal():
            yield from (("constant", new) for new in _beside(old))
        for operator, swaps in _SWAPS.items():
            yield from ((operator, new) for new in swaps.get(old, ()))
        first, _, second = old.partition(".")
        if first in self.book.domains:
            values = [value.name for value in self.book.domains[first].values if value.name != second]
            yield from (("another value", f"{first}.{new}") for new in _some(values, seed))
        elif old in self.names:
            yield from (("another name", new) for new in _some(self.names[old], seed + old))

    @cached_property
    def names(self) -> Mapping[str, tuple[str, ...]]:
        """For each name the others that stand for the same: a function of the same, or a value of the same type."""
        kinds: dict[tuple[str | None, Type], list[str]] = {}
        for held in (self.book.variables, self.book.definitions):
            for name, one in held.items():
                if not _is_alias(one):
                    kinds.setdefault((one.domain, one.type.certain), []).append(name)
        kinds.setdefault((None, Type("int")), []).extend(self.book.parameters)
        kinds.setdefault((None, Type("")), []).extend(("s", "t"))
        for domain in self.book.domains.values():
            kinds.setdefault((None, Type(domain.name)), []).extend(_LOCALS.get(domain.name, ()))
            if domain.plural:
                kinds.setdefault((None, Type(domain.name, many=True)), []).append(domain.plural)
        orders = tuple(self.book.orders)
        others = {name: tuple(other for other in same if other != name) for same in kinds.values() for name in same}
        return others | {name: tuple(other for other in orders if other != name) for name in orders}

    @staticmethod
    def _neighbours(names: tuple[str, ...]) -> Iterator[Change]:
        """Neighbours in an order, exchanged."""
        for at in range(len(names) - 1):
            one, other = names[at : at + 2]
            text = BETWEEN.join([*names[:at], other, one, *names[at + 2 :]])
            yield Change("list order", f"{one}, {other}", f"{other}, {one}", text)

    def _attributes(self, part: Part) -> Iterator[Change]:
        """Another value of an attribute of which the rules have a table."""
        (attribute,) = part.names
        target = self.book.symbols.tables[attribute][0].type.base if attribute in self.book.symbols.tables else None
        for value in self.book.domains[target].values if target else ():
            if value.name != part.text:
                yield Change("table", part.text, value.name, value.name)


def _beside(number: str) -> tuple[str, str]:
    return str(int(number) + 1), str(int(number) - 1)


def _is_alias(one: Variable | Definition) -> bool:
    """Whether a definition is only another name for a variable; to put one for the other changes nothing."""
    return isinstance(one, Definition) and [type(term) for term in one.terms()] == [Read]


def _some(names: Sequence[str], seed: str) -> list[str]:
    """A few of the names; the choice stays the same when others come, or the text moves."""
    return sorted(names, key=lambda name: crc32(f"{seed} {name}".encode()))[:_OTHERS]
