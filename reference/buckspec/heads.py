"""Reads the heads of all declarations: what is declared where, with which name, argument and type.

Bodies stay unread until every name is known, so that no declaration has to stand before another.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from buckspec.document import Node, Table
from buckspec.nodes import Collector, fields, refuse, table, text
from buckspec.problem import Place, nearest
from buckspec.rulebook import LIVES
from buckspec.symbols import Signature, Symbols
from buckspec.types import Type

_DEFINITION = re.compile(r"(?P<word>\w+)(?:\((?P<parameter>\w+)\))? -> (?P<type>.+)")
_STATE = re.compile(r"(?P<word>\w+)(?:\((?P<domain>\w+)\))?")
_TYPE = re.compile(r"(?P<many>set of )?(?P<base>\w+)(?P<optional> or none)?")
_CLAUSE = re.compile(r"[a-z][a-z0-9-]*(\.[a-z0-9][a-z0-9-]*)+")
_EVENT = re.compile(r"[a-z][a-z0-9-]*")
REQUIRES_OF = "requires of "
_TAKEN = (
    *("actor", "viewer", "true", "false", "null", "in", "as", "break", "const", "continue", "else", "for", "function"),
    *("if", "import", "let", "loop", "package", "namespace", "return", "var", "void", "while"),
)  # our own words, and those that CEL reserves: an expression must be one for any CEL library
_EVENT_KEYS = ("in", "by", "takes", "under", "begins", "requires", "logged")

Clauses = dict[str, tuple[Table, Place]]


@dataclass
class DefinitionHead:
    """A definition; its alternatives may stand in several chapters."""

    name: str
    signature: Signature
    body: Table
    place: Place
    alternatives: Clauses = field(default_factory=dict)


@dataclass
class EventHead:
    """An event; requirements may be added to it by other chapters."""

    id: str
    body: Table
    place: Place
    requires: Clauses = field(default_factory=dict)
    does: Clauses = field(default_factory=dict)


@dataclass
class StateHead:
    """A state variable."""

    name: str
    life: str
    signature: Signature
    body: Table
    place: Place


@dataclass
class Heads:
    """All declarations of all chapters."""

    state: dict[str, StateHead] = field(default_factory=dict)
    definitions: dict[str, DefinitionHead] = field(default_factory=dict)
    events: dict[str, EventHead] = field(default_factory=dict)
    clauses: dict[str, Place] = field(default_factory=dict)

    def families(self) -> Iterable[Clauses]:
        """Every group of clauses that answer one question together."""
        for definition in self.definitions.values():
            yield definition.alternatives
        for event in self.events.values():
            yield event.requires
            yield event.does


def parse_type(written: str, place: Place, symbols: Symbols) -> Type:
    """`bool`, `int`, `Domain`, `Domain or none`, `set of Domain`. Raises SpecError."""
    match = _TYPE.fullmatch(written)
    known = [*symbols.domains, "bool", "int"]
    if match is None or (match["many"] and match["optional"]):
        raise refuse(place, "not a type", written, "bool, int, a domain, “… or none”, “set of …”")
    if match["base"] not in known:
        raise refuse(place, "unknown type", match["base"], meant=nearest(match["base"], known))
    kind = Type(match["base"], bool(match["many"]), bool(match["optional"]))
    if kind.base in ("bool", "int") and kind != Type(kind.base):
        raise refuse(place, "only a domain has sets and options", written)
    return kind


def argument_domain(parameter: str | None, place: Place, symbols: Symbols) -> str | None:
    """The domain for which a parameter is named."""
    if parameter is None:
        return None
    for domain in symbols.domains.values():
        if domain.parameter == parameter:
            return domain.name
    meant = nearest(parameter, [domain.parameter for domain in symbols.domains.values()])
    raise refuse(place, "an argument is named like its domain, with a small first letter", parameter, meant=meant)


def read_heads(chapters: Iterable[Table], symbols: Symbols, collector: Collector) -> Heads:
    """The heads of all chapters; also makes their names known to `symbols`."""
    heads = Heads()
    chapters = list(chapters)
    for chapter in chapters:
        for life, group in table(chapter.entries.get("state"), "state").entries.items():
            with collector.collecting():
                if life not in LIVES:
                    raise refuse(
                        group.place, "unknown life of a variable", life, " or ".join(LIVES), nearest(life, LIVES)
                    )
                _state(life, table(group, "state"), heads, symbols, collector)
        define = table(chapter.entries.get("define"), "define")
        for key, node in define.entries.items():
            with collector.collecting():
                _definition(key, node, define.keys[key], heads, symbols, collector)
        events = table(chapter.entries.get("events"), "events")
        for key, node in events.entries.items():
            with collector.collecting():
                _event(key, node, events.keys[key], heads, collector)
    for chapter in chapters:
        for key, node in chapter.entries.items():
            with collector.collecting():
                if key.startswith(REQUIRES_OF):
                    _requires_of(key.removeprefix(REQUIRES_OF), node, chapter.keys[key], heads, collector)
    return heads


def _declare(name: str, place: Place, symbols: Symbols, what: str) -> None:
    if name in (*symbols.values(), *symbols.functions(), *_TAKEN):
        raise refuse(place, f"{what} takes a name that is in use", name, "another name")


def _state(life: str, group: Table, heads: Heads, symbols: Symbols, collector: Collector) -> None:
    for key, node in group.entries.items():
        place = group.keys[key]
        with collector.collecting():
            match = _STATE.fullmatch(key)
            if match is None:
                raise refuse(place, "not the name of a variable", key, "name or name(Domain)")
            domain = match["domain"]
            if domain and domain not in symbols.domains:
                raise refuse(place, "unknown domain", domain, meant=nearest(domain, symbols.domains))
            body = fields(node, f"the variable {key}", ("type", "first", "means"), ("seen",))
            _declare(match["word"], place, symbols, "a variable")
            written = text(body.entries["type"], "type")
            base = written.split(" ")[0] if ".." in written else written
            signature = Signature(domain, parse_type(base, body.entries["type"].place, symbols))
            symbols.variables[match["word"]] = signature
            heads.state[match["word"]] = StateHead(match["word"], life, signature, body, place)


def _definition(key: str, node: Node, place: Place, heads: Heads, symbols: Symbols, collector: Collector) -> None:
    match = _DEFINITION.fullmatch(key)
    if match is None:
        raise refuse(place, "not the head of a definition", key, "name -> type or name(argument) -> type")
    body = fields(node, f"the definition {key}", (), ("means", "is", "where", "exactly one of"))
    signature = Signature(
        argument_domain(match["parameter"], place, symbols), parse_type(match["type"], place, symbols)
    )
    name = match["word"]
    if name in heads.definitions:
        head = heads.definitions[name]
        if head.signature != signature or {"is", "where"} & {*body.entries} or "is" in head.body.entries:
            raise refuse(
                place, "the definition exists already", name, f"more alternatives for {head.place}, of the same type"
            )
    else:
        _declare(name, place, symbols, "a definition")
        symbols.definitions[name] = signature
        head = heads.definitions[name] = DefinitionHead(name, signature, body, place)
    if ("is" in body.entries) == ("exactly one of" in body.entries):
        raise refuse(place, "a definition has either “is” or “exactly one of”", name)
    _clauses(body.entries.get("exactly one of"), head.alternatives, heads, collector)


def _event(key: str, node: Node, place: Place, heads: Heads, collector: Collector) -> None:
    if not _EVENT.fullmatch(key):
        raise refuse(place, "not the name of an event", key, "small letters and -")
    if key in heads.events:
        raise refuse(place, "the event exists already", key, f"another name; see {heads.events[key].place}")
    body = fields(node, f"the event {key}", ("in", "does"), _EVENT_KEYS)
    head = heads.events[key] = EventHead(key, body, place)
    _clauses(body.entries.get("requires"), head.requires, heads, collector)
    _clauses(body.entries.get("does"), head.does, heads, collector)


def _requires_of(event: str, node: Node, place: Place, heads: Heads, collector: Collector) -> None:
    if event not in heads.events:
        raise refuse(place, "unknown event", event, meant=nearest(event, heads.events))
    _clauses(node, heads.events[event].requires, heads, collector)


def _clauses(node: Node | None, family: Clauses, heads: Heads, collector: Collector) -> None:
    held = table(node, "clauses")
    for key, clause in held.entries.items():
        with collector.collecting():
            add_clause(key, table(clause, f"the clause {key}"), held.keys[key], family, heads)


def add_clause(key: str, clause: Table, place: Place, family: Clauses, heads: Heads) -> None:
    """Put a clause into its family. Its id must be well formed and new."""
    if not _CLAUSE.fullmatch(key):
        raise refuse(
            place, "not the id of a clause", key, "words joined by - and at least one dot, such as play.follow"
        )
    if key in heads.clauses:
        raise refuse(place, "the clause exists already", key, f"another id; see {heads.clauses[key]}")
    heads.clauses[key] = place
    family[key] = (clause, place)
