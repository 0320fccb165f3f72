"""A profile: which chapters, parameters and readings make up one game. It may extend another."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from buckspec.document import Node, Table
from buckspec.nodes import Collector, fields, integer, listing, refuse, table, text, texts
from buckspec.problem import Place, nearest
from buckspec.rulebook import ParameterValue
from buckspec.sources import Sources

_BASE = ("profile", "title")
_MORE = ("extends", "chapters", "parameters", "readings", "questions", "rules", "excludes")
_RANGE = "int low..high"


@dataclass
class Profile:
    """A profile with everything that it extends merged in."""

    id: str
    title: str
    chapters: list[tuple[str, Place]] = field(default_factory=list)
    inline: list[Node] = field(default_factory=list)
    parameters: dict[str, ParameterValue] = field(default_factory=dict)
    readings: dict[str, str] = field(default_factory=dict)
    reading_places: dict[str, Place] = field(default_factory=dict)
    questions: list[Table] = field(default_factory=list)
    excludes: list[Node] = field(default_factory=list)
    chooses_chapters: bool = False


def read_profile(sources: Sources) -> Profile:
    """The profile that the sources name, merged with those it extends. Raises SpecError with all its faults."""
    chain = list(_chain(sources))
    head = chain[0]
    profile = Profile(text(head.entries["profile"], "profile"), text(head.entries["title"], "title"))
    profile.chooses_chapters = "chapters" in head.entries
    collector = Collector()
    for layer in reversed(chain):
        with collector.collecting():
            _add(profile, layer, collector)
    collector.finish()
    if not profile.chapters and not profile.inline:
        raise refuse(head.place, "a profile without a chapter", expected="extends, or chapters")
    return profile


def _chain(sources: Sources) -> Iterator[Table]:
    """The profile, the one it extends, and so on."""
    seen: list[Path] = []
    path = sources.profile
    while True:
        seen.append(path)
        layer = fields(sources.read(path), "a profile", _BASE, _MORE)
        yield layer
        parent = layer.entries.get("extends")
        if parent is None:
            return
        path = sources.parent(text(parent, "extends"), parent.place)
        if path in seen:
            raise refuse(parent.place, "a profile extends itself", text(parent, "extends"))


def _add(profile: Profile, layer: Table, collector: Collector) -> None:
    chapters = layer.entries.get("chapters")
    profile.chapters += [(name, chapters.place) for name in texts(chapters, "chapters")] if chapters else []
    for node in (layer.entries.get("rules"), layer.entries.get("excludes")):
        if node is not None:
            target = profile.inline if node is layer.entries.get("rules") else profile.excludes
            target += listing(node)
    questions = table(layer.entries.get("questions"), "questions")
    if questions.entries:
        profile.questions.append(questions)
    for name, node in table(layer.entries.get("parameters"), "parameters").entries.items():
        with collector.collecting():
            profile.parameters[name] = _parameter(profile, name, node)
    readings = table(layer.entries.get("readings"), "readings")
    for question, node in readings.entries.items():
        profile.readings[question] = text(node, "a reading")
        profile.reading_places[question] = readings.keys[question]


def _parameter(profile: Profile, name: str, node: Node) -> ParameterValue:
    if isinstance(node, Table):
        if name in profile.parameters:
            raise refuse(node.place, "the parameter exists already", name, "just its new value")
        held = fields(node, "a parameter", ("value", "type", "means"))
        low, high = _range(held.entries["type"])
        fresh = ParameterValue(name, 0, low, high, text(held.entries["means"], "means"))
        return with_value(fresh, integer(held.entries["value"], name), held.entries["value"].place)
    if name not in profile.parameters:
        expected = "one that the profile has, or {value, type, means} for a new one"
        raise refuse(node.place, "unknown parameter", name, expected, nearest(name, profile.parameters))
    return with_value(profile.parameters[name], integer(node, name), node.place)


def _range(node: Node) -> tuple[int, int]:
    written = text(node, "type")
    low, dots, high = written.removeprefix("int ").partition("..")
    try:
        if not dots or not written.startswith("int "):
            raise ValueError
        return int(low), int(high)
    except ValueError:
        raise refuse(node.place, "a parameter's type is a range", written, _RANGE) from None


def with_value(parameter: ParameterValue, value: int, place: Place) -> ParameterValue:
    """The parameter with another value, which must lie in its range."""
    if not parameter.low <= value <= parameter.high:
        expected = f"{parameter.low} to {parameter.high}"
        raise refuse(place, f"{parameter.name} is out of its range", str(value), expected)
    return ParameterValue(parameter.name, value, parameter.low, parameter.high, parameter.means)
