"""Reads the observations of a rule book: what can be seen of a game from outside, and what claims are held against."""

import re

from buckspec.build import Builder
from buckspec.document import Node
from buckspec.heads import argument_domain, parse_type
from buckspec.nodes import fields, kind, refuse, table, text
from buckspec.problem import Place
from buckspec.rulebook import Observation
from buckspec.types import Type

_HEAD = re.compile(r"(?P<word>\w+)(?:\((?P<parameter>\w+)\))? -> (?P<list>list of )?(?P<type>.+)")


def build_observations(node: Node, builder: Builder) -> dict[str, Observation]:
    """The observations by name, keeping the faults of those that cannot be made."""
    held = table(fields(node, "the observations", ("observations",)).entries["observations"], "observations")
    made = {}
    for key, value in held.entries.items():
        with builder.collector.collecting():
            observation = _observation(key, value, held.keys[key], builder)
            made[observation.name] = observation
    return made


def _observation(key: str, node: Node, place: Place, builder: Builder) -> Observation:
    match = _HEAD.fullmatch(key)
    if match is None:
        raise refuse(place, "not the head of an observation", key, "name -> type or name(argument) -> type")
    body = fields(node, f"the observation {key}", ("means", "is"), ("at",))
    if bool(match["list"]) != ("at" in body.entries):
        expected = "“list of …” together with “at: event”"
        raise refuse(place, "a list grows at an event, and nothing else does", kind(body), expected)
    domain = argument_domain(match["parameter"], place, builder.symbols)
    wanted = parse_type(match["type"], place, builder.symbols)
    scope = builder.within({match["parameter"]: Type(domain)} if domain and match["parameter"] else {})
    value = builder.expression(body.entries["is"], "is", scope, wanted)
    at = text(body.entries["at"], "at") if "at" in body.entries else None
    return Observation(match["word"], domain, wanted, text(body.entries["means"], "means"), value, at)
