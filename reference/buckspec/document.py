"""YAML text as values that know where they stand.

The accepted language is YAML 1.2 core without the parts that lose text or hide it: no anchors, aliases, tags or
merge keys, no key twice, no comment that cuts an unquoted text off, and only `true`, `false`, `null` and decimal
integers are anything but text.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NoReturn, TypeAlias

import yaml

from buckspec.problem import Place, Problem, SpecError

_DEEPEST = 40  # levels of nesting; the rule files need 10
_SHOWN = 40  # characters of a comment that a message quotes
_LITERALS = {"true": True, "false": False, "null": None, "~": None, "": None}
_LINE_END = re.compile("\r\n|[\r\n\x85\u2028\u2029]")  # what the parser counts as the end of a line
_INTEGER = re.compile(r"-?(0|[1-9][0-9]{0,17})")
_HINTS = {  # part of what the parser says, and what helps
    "mapping values": "quotes around a text that has a colon and a blank in it",
    "alphabetic or numeric": "quotes around a text that begins with !, & or *",
    "cannot start any token": "quotes around a text that begins with a sign",
    "expected ',' or '}'": "quotes around a text with signs in it, or each key on a line of its own",
}


@dataclass(frozen=True, slots=True)
class Scalar:
    """A single value. `lines` holds the source of a text that spans several, for positions inside it."""

    value: str | int | bool | None
    place: Place
    style: str | None = None
    lines: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The value as expression text: `false` and `5` need no quotes to be expressions."""
        if isinstance(self.value, bool) or self.value is None:
            return str(self.value).lower()
        return str(self.value)

    def at(self, offset: int) -> Place:
        """Where the character at `offset` of the text stands in the file."""
        text = str(self.value)
        if not self.lines or not text.strip():
            return Place(self.place.file, self.place.line, self.place.column + offset + (self.style is not None))
        # YAML folds blanks and line ends only, so the same sign of the source is found by counting all others
        signs = [(row, at) for row, line in enumerate(self.lines) for at, sign in enumerate(line) if not sign.isspace()]
        before = sum(not sign.isspace() for sign in text[:offset])
        is_end = before > 0 and not text[offset:].strip()
        row, at = signs[before - 1] if is_end else signs[before]
        return Place(self.place.file, self.place.line + row, at + 1 + is_end)


@dataclass(frozen=True)
class Listing:
    """A YAML sequence."""

    items: tuple["Node", ...]
    place: Place


@dataclass(frozen=True)
class Table:
    """A YAML mapping, in the order written."""

    entries: Mapping[str, "Node"]
    keys: Mapping[str, Place]
    place: Place

    def __iter__(self) -> Iterator[str]:
        return iter(self.entries)


Node: TypeAlias = Scalar | Listing | Table


@dataclass
class _Reader:
    """Builds nodes from the parser's events, which have no precise types; one use each."""

    file: str
    lines: list[str]
    events: Iterator[Any]

    def place(self, mark: Any) -> Place:
        return Place(self.file, mark.line + 1, mark.column + 1)

    def fail(self, mark: Any, what: str, found: str | None = None, expected: str | None = None) -> NoReturn:
        raise SpecError([Problem(self.place(mark), what, found, expected)])

    def document(self) -> Node:
        """The one document; events are read one by one, for a list of them takes a hundred times the text."""
        next(self.events)  # the stream begins
        if not isinstance(next(self.events), yaml.DocumentStartEvent):
            raise SpecError([Problem(Place(self.file), "the file is empty", expected="one YAML document")])
        found = self.node(next(self.events))
        next(self.events)  # the document ends
        if isinstance(event := next(self.events), yaml.DocumentStartEvent):
            self.fail(event.start_mark, "a second document begins here", expected="one document in a file")
        return found

    def node(self, event: Any, depth: int = 0) -> Node:
        if depth > _DEEPEST:
            self.fail(event.start_mark, f"nested more than {_DEEPEST} levels deep")
        if isinstance(event, yaml.AliasEvent):
            self.fail(event.start_mark, "an alias is not allowed", f"*{event.anchor}", "the value itself, or quotes")
        if event.anchor is not None:
            self.fail(event.start_mark, "an anchor is not allowed", f"&{event.anchor}", "no anchor, or quotes")
        if event.tag is not None:
            found = event.tag.removeprefix("tag:yaml.org,2002:")
            self.fail(event.start_mark, "a tag is not allowed", found, "quotes around a text that begins with !")
        if isinstance(event, yaml.ScalarEvent):
            return self.scalar(event)
        if isinstance(event, yaml.SequenceStartEvent):
            return self.listing(event, depth)
        return self.table(event, depth)

    def scalar(self, event: Any) -> Scalar:
        style = event.style if event.style in ("'", '"', "|", ">") else None
        value: str | int | bool | None = event.value
        if style is None:
            if event.value in _LITERALS:
                value = _LITERALS[event.value]
            elif _INTEGER.fullmatch(event.value):
                value = int(event.value)
            else:
                rest = self.lines[event.end_mark.line][event.end_mark.column :]
                if re.match(r"\s+#", rest):
                    expected = "quotes around the text, or the comment on a line of its own"
                    self.fail(event.end_mark, "a comment cuts this text off", rest.strip()[:_SHOWN], expected)
        return Scalar(value, self.place(event.start_mark), style, self.source(event, style))

    def source(self, event: Any, style: str | None) -> tuple[str, ...]:
        """The lines of a scalar that spans several, with blanks for what stands before its text."""
        start, end = event.start_mark, event.end_mark
        if start.line == end.line:
            return ()
        first, *rest = self.lines[start.line : end.line + 1]
        begun = start.column + (style is not None)
        return ("" if style in ("|", ">") else " " * begun + first[begun:], *rest)

    def listing(self, start: Any, depth: int) -> Listing:
        items = []
        while not isinstance(event := next(self.events), yaml.SequenceEndEvent):
            items.append(self.node(event, depth + 1))
        return Listing(tuple(items), self.place(start.start_mark))

    def table(self, start: Any, depth: int) -> Table:
        entries: dict[str, Node] = {}
        keys: dict[str, Place] = {}
        while not isinstance(event := next(self.events), yaml.MappingEndEvent):
            key = self.node(event, depth + 1)
            if not isinstance(key, Scalar):
                self.fail(event.start_mark, "a key must be a plain word")
            name = key.text
            if name == "<<":
                self.fail(event.start_mark, "a merge key is not allowed", "<<", "the entries themselves")
            if name in entries:
                self.fail(
                    event.start_mark, "the same key twice", name, f"one entry; the first is in line {keys[name].line}"
                )
            keys[name] = key.place
            entries[name] = value = self.node(next(self.events), depth + 1)
            if start.flow_style and value == Scalar(None, value.place):
                expected = "quotes around a text with a comma in it, or each key on a line of its own"
                self.fail(event.start_mark, "a key between braces has no value", name, expected)
        return Table(entries, keys, self.place(start.start_mark))


def load_document(text: str, file: str) -> Node:
    """The one document in `text`; `file` is what messages call it.

    Raises SpecError for text that is not YAML or leaves the accepted part of it.
    """
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    reader = _Reader(file, [*_LINE_END.split(text), ""], yaml.parse(text, Loader=loader))
    try:
        return reader.document()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = reader.place(mark) if mark else Place(file)
        hint = next((help_ for said, help_ in _HINTS.items() if said in str(error.problem)), None)
        raise SpecError([Problem(place, f"not YAML: {error.problem or error.context}", expected=hint)]) from None
    except yaml.YAMLError as error:
        raise SpecError([Problem(Place(file), f"not YAML: {str(error).splitlines()[0]}")]) from None


def plain(node: Node) -> object:
    """The node as ordinary Python values, without positions."""
    if isinstance(node, Scalar):
        return node.value
    if isinstance(node, Listing):
        return [plain(item) for item in node.items]
    return {key: plain(value) for key, value in node.entries.items()}
