"""Mutants: a small change of the text of a rule book each, with where it stands."""

from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from buckspec.document import Listing, Node, Scalar, Table
from buckspec.load import load_rulebook
from buckspec.rulebook import RuleBook
from buckspec.sources import Sources, find_profile, read_yaml

Steps = tuple[str | int, ...]
"""The way to a value in a document: keys, and places in lists."""

BETWEEN = ", "
"""What stands between the words of a list in the text of a mutant."""


@dataclass(frozen=True)
class Spot:
    """A value in the document of a file, or (`is_key`) the key of one.

    `where` is the clause, definition, event or variable to which it belongs.
    """

    file: str
    steps: Steps
    where: str
    is_key: bool = False


@dataclass(frozen=True)
class Mutant:
    """One change: its operator, where it is, what it exchanges for what, and the whole text of the spot afterwards.

    `id` says the same in words, and is unique in its list. Without a text (None) the spot is left out.
    """

    id: str
    operator: str
    spot: Spot
    old: str
    new: str
    text: str | None

    @property
    def said(self) -> str:
        """The change without the number that tells it from the same one at another place of the clause."""
        return f"{self.spot.where}: {self.old} → {self.new or 'nothing'}"


@dataclass(frozen=True)
class _Changed(Sources):
    """The texts of a rule book in which one spot is another."""

    mutant: Mutant | None = None

    def read(self, path: Path) -> Node:
        node = _read(path, self.shown(path))
        if self.mutant is None or self.shown(path) != self.mutant.spot.file:
            return node
        return changed(node, self.mutant.spot.steps, self.mutant)


@lru_cache
def _read(path: Path, shown: str) -> Node:
    return read_yaml(path, shown)


def changed_book(profile: str, mutant: Mutant) -> RuleBook:
    """The rule book of a shipped profile with a change. Raises SpecError if the loader refuses it."""
    sources = find_profile(profile)
    return load_rulebook(_Changed(sources.spec, sources.profile, mutant=mutant))


def changed(node: Node, steps: Steps, mutant: Mutant) -> Node:
    """A document in which the spot at the end of these steps is another."""
    step, *rest = steps
    if isinstance(node, Listing):
        items = [
            changed(item, tuple(rest), mutant) if rest and at == step else item for at, item in enumerate(node.items)
        ]
        if not rest:
            new = () if mutant.text is None else (_text(node.items[int(step)], mutant.text),)
            items[int(step) : int(step) + 1] = new
        return replace(node, items=tuple(items))
    assert isinstance(node, Table)  # noqa: S101 a scalar has no parts
    entries: dict[str, Node] = {}
    keys = dict(node.keys)
    for key, value in node.entries.items():
        if key != step:
            entries[key] = value
        elif rest:
            entries[key] = changed(value, tuple(rest), mutant)
        elif mutant.text is not None:
            name = mutant.text if mutant.spot.is_key else key
            keys[name] = node.keys[key]
            entries[name] = value if mutant.spot.is_key else _text(value, mutant.text)
    return replace(node, entries=entries, keys=keys)


def _text(node: Node, text: str) -> Node:
    """The same value with another text; a whole number stays one, and a list of words a list."""
    if isinstance(node, Listing):
        return replace(node, items=tuple(Scalar(word, node.place) for word in text.split(BETWEEN)))
    assert isinstance(node, Scalar)  # noqa: S101 only texts are exchanged
    is_number = isinstance(node.value, int) and not isinstance(node.value, bool)
    return Scalar(int(text) if is_number and text.removeprefix("-").isdecimal() else text, node.place)
