"""Reads the domains and orders of a rule book into symbols."""

import re
from collections.abc import Iterable

from buckspec.document import Node, Scalar, Table
from buckspec.nodes import Collector, fields, listing, refuse, table, text, texts
from buckspec.problem import Place, nearest
from buckspec.symbols import Signature, Symbols
from buckspec.types import INT, NONE, Domain, Type, Value, domain_called

_WORD = re.compile(r"[a-z][a-z0-9_]*")
_VALUE_KEYS = ("code", "symbol", "reads")


def build_domains(
    shared: Node, chapters: Iterable[Table], parameters: dict[str, int], collector: Collector
) -> tuple[Symbols, dict[str, tuple[str, ...]]]:
    """The domains of the shared file and of all chapters, their attributes, and the orders of ranks."""
    symbols = Symbols(parameters=dict(parameters))
    merged: dict[str, list[Table]] = {}
    held = fields(shared, "the domains", ("domains",))
    chapters = list(chapters)
    for group in (held.entries["domains"], *(chapter.entries.get("domains") for chapter in chapters)):
        for name, node in table(group, "domains").entries.items():
            with collector.collecting():
                entry = fields(
                    node,
                    f"the domain {name}",
                    (),
                    ("all", "means", "values", "each", "also", "clockwise", "attributes"),
                )
                merged.setdefault(name, []).append(entry)
    for name, tables in merged.items():
        with collector.collecting():
            symbols.domains[name] = _domain(name, tables, symbols)
    for name, tables in merged.items():
        if name not in symbols.domains:
            continue
        with collector.collecting():
            _attributes(name, tables[0].place, symbols)
    orders: dict[str, tuple[str, ...]] = {}
    for chapter in chapters:
        for name, node in table(chapter.entries.get("orders"), "orders").entries.items():
            with collector.collecting():
                if name in symbols.tables:
                    raise refuse(node.place, "the order takes a name that is in use", name, "another name")
                orders[name] = _order(name, node, symbols)
    return symbols, orders


def _domain(name: str, tables: list[Table], symbols: Symbols) -> Domain:
    values: list[Value] = []
    plural, means, circular = None, "", False
    for entry in tables:
        plural = text(entry.entries["all"], "all") if "all" in entry.entries else plural
        means = text(entry.entries["means"], "means") if "means" in entry.entries else means
        for value, node in table(entry.entries.get("values"), "values").entries.items():
            if any(value == known.name for known in values):
                raise refuse(node.place, f"{name} has this value already", value)
            values.append(_value(value, node))
        if "each" in entry.entries:
            values += _pairs(entry.entries["each"], symbols)
        for value, node in table(entry.entries.get("also"), "also").entries.items():
            values.append(_value(value, node))
        if "clockwise" in entry.entries:
            circular = True
            values += _circle(entry, symbols)
    return Domain(name, tuple(values), plural, circular, means)


def _value(name: str, node: Node) -> Value:
    if not _WORD.fullmatch(name):
        raise refuse(node.place, "a value is named by a small word", name, "letters, digits and _")
    held = table(node, name)
    attributes = {key: text(value, key) for key, value in held.entries.items() if key not in _VALUE_KEYS}
    code = held.entries.get("code")
    symbol = held.entries.get("symbol")
    return Value(
        name,
        code.text if isinstance(code, Scalar) else name,
        text(symbol, "symbol") if symbol else None,
        tuple(item.text for item in listing(held.entries.get("reads")) if isinstance(item, Scalar)),
        attributes,
    )


def _pairs(node: Node, symbols: Symbols) -> list[Value]:
    """One value for every combination of the values of two domains, such as rank and suit."""
    parts: list[tuple[str, Domain, list[Value]]] = []
    for attribute, listed in table(node, "each").entries.items():
        domain = symbols.domains.get(domain_called(attribute))
        if domain is None:
            raise refuse(listed.place, "each combines domains that are written above it", attribute)
        names = (
            list(domain.index)
            if isinstance(listed, Scalar) and listed.value == domain.plural
            else texts(listed, attribute)
        )
        unknown = [name for name in names if name not in domain.index]
        if unknown:
            raise refuse(
                listed.place, f"unknown value of {domain.name}", unknown[0], meant=nearest(unknown[0], domain.index)
            )
        parts.append((attribute, domain, [domain.values[domain.index[name]] for name in names]))
    combined = [Value("", "", "", (), {})]
    for attribute, _, options in reversed(parts):
        combined = [
            Value(
                f"{option.name}_{rest.name}".rstrip("_"),
                option.code + rest.code,
                (option.symbol or option.code) + (rest.symbol or ""),
                (),
                {attribute: option.name, **rest.attributes},
            )
            for rest in combined
            for option in options
        ]
    return combined


def _circle(entry: Table, symbols: Symbols) -> list[Value]:
    """Values without names, one after the other in a circle, with attributes listed in that order."""
    count = _count(entry.entries["clockwise"], symbols)
    attributes: list[dict[str, str]] = [{} for _ in range(count)]
    for attribute, node in table(entry.entries.get("attributes"), "attributes").entries.items():
        answers = texts(node, attribute)
        if len(answers) != count:
            raise refuse(node.place, f"{attribute} is not given for each", str(len(answers)), str(count))
        for index, answer in enumerate(answers):
            attributes[index][attribute] = answer
    return [Value(str(index), str(index), attributes=attributes[index]) for index in range(count)]


def _count(node: Node, symbols: Symbols) -> int:
    written = node.text if isinstance(node, Scalar) else ""
    if written in symbols.parameters:
        return symbols.parameters[written]
    if written.isdecimal():
        return int(written)
    raise refuse(node.place, "a number or the name of a parameter", written, meant=nearest(written, symbols.parameters))


def _attributes(name: str, place: Place, symbols: Symbols) -> None:
    """What the values of a domain say of themselves becomes functions, named like the domain of the answer."""
    domain = symbols.domains[name]
    attributes = dict.fromkeys(key for value in domain.values for key in value.attributes)
    for attribute in attributes:
        target = symbols.domains.get(domain_called(attribute))
        if target is None:
            raise refuse(
                place,
                "an attribute is named like the domain of its values",
                attribute,
                meant=nearest(attribute, (known.parameter for known in symbols.domains.values())),
            )
        answers = tuple(target.index.get(value.attributes.get(attribute, ""), NONE) for value in domain.values)
        symbols.tables[attribute] = (Signature(name, Type(target.name)), answers)


def _order(name: str, node: Node, symbols: Symbols) -> tuple[str, ...]:
    """A list of values, the highest first, becomes a function to the place in it, from 1."""
    names = texts(node, "an order")
    if len(set(names)) != len(names):
        twice = next(item for item in names if names.count(item) > 1)
        raise refuse(node.place, "a value stands twice in an order", twice)
    homes = [domain for domain in symbols.domains.values() if set(names) <= set(domain.index)]
    if not homes or not names:
        best = max(symbols.domains.values(), key=lambda domain: len(set(names) & set(domain.index)))
        unknown = next(iter(set(names) - set(best.index)), "")
        raise refuse(
            node.place, f"unknown value of {best.name} in an order", unknown, meant=nearest(unknown, best.index)
        )
    places = tuple(names.index(value.name) + 1 if value.name in names else NONE for value in homes[0].values)
    symbols.tables[name] = (Signature(homes[0].name, INT), places)
    return names
