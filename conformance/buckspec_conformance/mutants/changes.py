"""One-token changes of the text of a rule book: where each stands, and what it puts there."""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from zlib import crc32

from buckspec.build import Builder
from buckspec.document import Node, Scalar
from buckspec.load import load_profile
from buckspec.rulebook import Definition, Variable
from buckspec.rules import Rules
from buckspec.syntax import Expression
from buckspec.typed import Read
from buckspec.types import Type

USUAL = "ohio"
"""The profile that is changed."""

_TOKEN = re.compile(r"\d+|[A-Z]\w*\.\w+|[A-Za-z_]\w*|&&|\|\||[<>=!]=|[-+*!<>]")
_SWAPS = {
    "==": ("!=",), "!=": ("==",), "<": ("<=", ">="), "<=": ("<", ">"), ">": (">=", "<="), ">=": (">", "<"),
    "&&": ("||",), "||": ("&&",), "!": ("",), "+": ("-",), "-": ("+",), "*": ("+",),
    "true": ("false",), "false": ("true",), "all": ("exists",), "exists": ("all",),
    "add": ("remove",), "remove": ("add",),
}  # fmt: skip
_HEAD = re.compile(  # where a clause, a definition, an event, or a variable, parameter or order begins
    r"""^\ +( \w+\.[\w-]+ (?=:)
          | \w+ (?=(\(\w+\))?\ ->)
          | [\w-]+ (?=:$\n\ +(by|in|under|logged):)
          | (?!set|logged)\w+ (?=(\(\w+\))?:\ [\[{]) )""",
    re.MULTILINE | re.VERBOSE,
)
_KINDS = dict.fromkeys(("==", "!=", "<", "<=", ">", ">="), "comparison") | {
    "&&": "and/or",
    "||": "and/or",
    "!": "dropped !",
}
_APART = ("seen", "from", "the end of a range")  # what decides no play, or stands where a position is not kept
_OTHER_NAMES = 2  # how many other names each name is exchanged for


@dataclass(frozen=True)
class Mutant:
    """A change of one token: the file from the folder of the rule book, the offset in its text, old and new.

    `where` is the clause, definition or key in which the token stands.
    """

    kind: str
    file: str
    offset: int
    old: str
    new: str
    where: str

    def __str__(self) -> str:
        return f"{self.where}: {self.old} → {self.new or 'nothing'}"


def mutants(spec: Path) -> list[Mutant]:
    """Every one-token change of what decides play, in the order of the files."""
    rules, written = _expressions(spec)
    names = _names(rules)
    texts = {path.relative_to(spec.parent).as_posix(): path.read_text("utf-8") for path in _files(spec)}
    found: dict[Mutant, None] = {}
    for scalar in written:
        file = scalar.place.file
        for offset, old in _tokens(scalar, texts[file]):
            for kind, new in _changes(old, names, rules, scalar.text):
                found[_mutant(kind, file, texts[file], offset, old, new)] = None
    for file, text in texts.items():
        for kind, offset, old, new in (*_orders(text), *_parameters(text)):
            found[_mutant(kind, file, text, offset, old, new)] = None
    return sorted(found, key=lambda mutant: (mutant.file, mutant.offset, mutant.new))


def _files(spec: Path) -> list[Path]:
    return [*sorted(spec.glob("rules/*.yaml")), spec / "profiles" / f"{USUAL}.yaml"]


def _mutant(kind: str, file: str, text: str, offset: int, old: str, new: str) -> Mutant:
    heads = list(_HEAD.finditer(text, 0, text.find("\n", offset)))
    return Mutant(kind, file, offset, old, new, heads[-1][1])


def _expressions(spec: Path) -> tuple[Rules, list[Scalar]]:
    """The rules, and the text of every expression of a chapter that decides play."""
    with _noted() as written:
        rules = load_profile(USUAL, spec=spec)
    return rules, written


@contextmanager
def _noted() -> Iterator[list[Scalar]]:
    """The text of every expression that is read meanwhile, as long as it decides play."""
    written: list[Scalar] = []
    parsed = Builder.parsed

    def noting(self: Builder, node: Node, what: str) -> tuple[Scalar, Expression]:
        scalar, expression = parsed(self, node, what)
        if "/rules/" in scalar.place.file and what not in _APART:
            written.append(scalar)
        return scalar, expression

    Builder.parsed = noting  # type: ignore[method-assign]
    try:
        yield written
    finally:
        Builder.parsed = parsed  # type: ignore[method-assign]


def _tokens(scalar: Scalar, text: str) -> Iterator[tuple[int, str]]:
    """Each token of an expression, with its offset in the text of the file."""
    lines = text.split("\n")
    for match in _TOKEN.finditer(scalar.text):
        place = scalar.at(match.start())
        offset = sum(len(line) + 1 for line in lines[: place.line - 1]) + place.column - 1
        if text.startswith(match[0], offset):
            yield offset, match[0]


def _names(rules: Rules) -> Mapping[str, tuple[str, ...]]:
    """For each name the others that stand for the same: a function of the same, or a value of the same type."""
    kinds: dict[tuple[str | None, Type], list[str]] = {}
    for held in (rules.book.variables, rules.book.definitions):
        for name, one in held.items():
            if not _is_alias(one):
                kinds.setdefault((one.domain, one.type.certain), []).append(name)
    kinds.setdefault((None, Type("int")), []).extend(rules.book.parameters)
    kinds.setdefault((None, Type("")), []).extend(("s", "t"))
    for domain in rules.book.domains.values():
        kinds.setdefault((None, Type(domain.name)), []).extend(
            {"Seat": ("seat", "actor"), "Card": ("card",)}.get(domain.name, ())
        )
        if domain.plural:
            kinds.setdefault((None, Type(domain.name, many=True)), []).append(domain.plural)
    orders = tuple(rules.book.orders)
    others = {name: tuple(other for other in same if other != name) for same in kinds.values() for name in same}
    return others | {name: tuple(other for other in orders if other != name) for name in orders}


def _is_alias(one: Variable | Definition) -> bool:
    """Whether a definition is only another name for a variable; to put one for the other changes nothing."""
    return isinstance(one, Definition) and [type(term) for term in one.terms()] == [Read]


def _changes(old: str, names: Mapping[str, tuple[str, ...]], rules: Rules, seed: str) -> Iterator[tuple[str, str]]:
    """What a token can become, with the kind of change."""
    if old.isdecimal():
        yield "constant", str(int(old) + 1)
        yield "constant", str(int(old) - 1)
    for new in _SWAPS.get(old, ()):
        yield _KINDS.get(old, "other operator"), new
    first, _, second = old.partition(".")
    if first in rules.book.domains:
        values = [value.name for value in rules.book.domains[first].values if value.name != second]
        yield from (("another value", f"{first}.{new}") for new in _some(values, seed))
    elif old in names:
        yield from (("another name", new) for new in _some(names[old], seed + old))


def _some(names: Sequence[str], seed: str) -> list[str]:
    """A few of the names; the choice stays the same when others come, or the text moves."""
    return sorted(names, key=lambda name: crc32(f"{seed} {name}".encode()))[:_OTHER_NAMES]


def _orders(text: str) -> Iterator[tuple[str, int, str, str]]:
    """Neighbours in the order of ranks, exchanged."""
    for row in re.finditer(r"^  \w+_order: \[(.*)\]", text, re.MULTILINE):
        for match in re.finditer(r"(?=\b(\w+), (\w+)\b)(?<!\w)", row[1]):
            yield "list order", row.start(1) + match.start(), f"{match[1]}, {match[2]}", f"{match[2]}, {match[1]}"


def _parameters(text: str) -> Iterator[tuple[str, int, str, str]]:
    """The values of parameters, one more or less."""
    for match in re.finditer(r"\{value: (\d+)", text):
        for new in (int(match[1]) + 1, int(match[1]) - 1):
            yield "parameter", match.start(1), match[1], str(new)
