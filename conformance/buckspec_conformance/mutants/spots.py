"""Where the parts of a rule book stand that decide play: expressions, clauses, effects, orders, numbers, attributes."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from buckspec.document import Listing, Node, Scalar, Table
from buckspec.heads import REQUIRES_OF
from buckspec.nodes import table
from buckspec.sources import Sources, read_yaml
from buckspec_conformance.mutants.mutant import Spot, Steps

EXPRESSION, CONDITION, CLAUSE, EFFECT, LIST, NUMBER, ATTRIBUTE = (
    "expression", "condition", "clause", "effect", "list", "number", "attribute",
)  # fmt: skip
_CONDITIONS = ("where", "when", "applies", "that")
_CASES = "exactly one of"
_ELSEWHERE = ("given", "chance")  # what stands in the place of an expression and is none


@dataclass(frozen=True)
class Part:
    """A part of the rules, and its text; `rest` is what else the spot holds, before and after the text.

    For an order, the text holds the names; for an attribute, what it is called.
    """

    kind: str
    spot: Spot
    text: str
    rest: tuple[str, str] = ("", "")
    names: tuple[str, ...] = ()


def parts(sources: Sources, chapters: list[Path]) -> Iterator[Part]:
    """Every part of the rules of a profile that decides play, in the order of the files."""
    domains = sources.spec / "domains.yaml"
    yield from _domains(sources.shown(domains), _document(sources, domains))
    for path in chapters:
        yield from _chapter(sources.shown(path), _document(sources, path))
    yield from _numbers(sources.shown(sources.profile), _document(sources, sources.profile))


def _document(sources: Sources, path: Path) -> Table:
    return table(read_yaml(path, sources.shown(path)), "a document")


def _entries(node: Table, *steps: str) -> Iterator[tuple[Steps, Table]]:
    """The steps to each mapping in the mapping at these steps."""
    inner = node
    for step in steps:
        if step not in inner.entries:
            return
        inner = table(inner.entries[step], step)
    for key, value in inner.entries.items():
        yield (*steps, key), table(value, key)


def _named(steps: Steps) -> str:
    """The name in the head of a declaration, without its argument and type."""
    return str(steps[-1]).partition(" ->")[0].partition("(")[0]


def _chapter(file: str, node: Table) -> Iterator[Part]:
    for name, order in table(node.entries.get("orders"), "orders").entries.items():
        if isinstance(order, Listing):
            names = tuple(item.text for item in order.items if isinstance(item, Scalar))
            yield Part(LIST, Spot(file, ("orders", name), name), "", names=names)
    for life in table(node.entries.get("state"), "state").entries:
        for steps, body in _entries(node, "state", life):
            yield from _expressions(Spot(file, steps, _named(steps)), body, "first")
    for steps, body in _entries(node, "events"):
        yield from _event(Spot(file, steps, _named(steps)), body)
    for key in node.entries:
        if key.startswith(REQUIRES_OF):
            yield from _clauses(Spot(file, (key,), key), table(node.entries[key], key))
    for steps, body in _entries(node, "define"):
        spot = Spot(file, steps, _named(steps))
        yield from _expressions(spot, body, "where", "is")
        yield from _clauses(_inside(spot, _CASES), table(body.entries.get(_CASES), _CASES))


def _event(spot: Spot, body: Table) -> Iterator[Part]:
    yield from _expressions(spot, body, "by")
    yield from _clauses(_inside(spot, "requires"), table(body.entries.get("requires"), "requires"))
    yield from _clauses(_inside(spot, "does"), table(body.entries.get("does"), "does"))


def _clauses(spot: Spot, family: Table) -> Iterator[Part]:
    """Clauses: each whole, its expressions, and each of its effects."""
    for key, node in family.entries.items():
        clause = replace(_inside(spot, key), where=key)
        body = table(node, key)
        yield Part(CLAUSE, clause, key)
        yield from _expressions(clause, body, *_CONDITIONS, "is")
        sets = table(body.entries.get("set"), "set")
        for target, value in sets.entries.items():
            effect = _inside(_inside(clause, "set"), target)
            yield Part(EFFECT, effect, target)
            yield from _target(effect, target)
            if isinstance(value, Scalar):
                yield Part(EXPRESSION, effect, value.text)
        deals = body.entries.get("deals")
        for at, item in enumerate(deals.items if isinstance(deals, Listing) else ()):
            if isinstance(item, Scalar):
                yield Part(EFFECT, _inside(_inside(clause, "deals"), at), item.text)


def _target(effect: Spot, target: str) -> Iterator[Part]:
    """The expression that says of whom a variable is set, which stands in a key."""
    name, opening, index = target.partition("(")
    if opening and not index.startswith("each "):
        yield Part(EXPRESSION, replace(effect, is_key=True), index.removesuffix(")"), (f"{name}(", ")"))


def _expressions(spot: Spot, body: Table, *keys: str) -> Iterator[Part]:
    for key in keys:
        node: Node | None = body.entries.get(key)
        if isinstance(node, Scalar) and node.value not in _ELSEWHERE:
            yield Part(CONDITION if key in _CONDITIONS else EXPRESSION, _inside(spot, key), node.text)


def _inside(spot: Spot, step: str | int) -> Spot:
    return replace(spot, steps=(*spot.steps, step))


def _numbers(file: str, node: Table) -> Iterator[Part]:
    for steps, body in _entries(node, "parameters"):
        value = body.entries["value"]
        if isinstance(value, Scalar):
            yield Part(NUMBER, Spot(file, (*steps, "value"), str(steps[-1])), value.text)


def _domains(file: str, node: Table) -> Iterator[Part]:
    """The attributes of values: a table of the rules is made of each."""
    for steps, body in _entries(node, "domains"):
        values = list(_entries(body, "values")) if isinstance(body.entries.get("values"), Table) else []
        for inner, value in values:
            for key, attribute in value.entries.items():
                if isinstance(attribute, Scalar):
                    spot = Spot(file, (*steps, *inner, key), str(inner[-1]))
                    yield Part(ATTRIBUTE, spot, attribute.text, names=(key,))
