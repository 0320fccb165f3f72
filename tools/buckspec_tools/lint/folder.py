"""The files of a rule book, each read once."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from buckspec.document import Listing, Node, Scalar, Table
from buckspec.nodes import Collector
from buckspec.problem import Place, Problem
from buckspec.sources import Sources, read_yaml

EXAMPLES = "examples"
"""The folder of game logs, which are no rules."""


@dataclass(frozen=True)
class Folder:
    """The documents of a folder by their path in it, what messages call each, and what could not be read.

    `own` is what a profile of a user's own adds to the rule book in `spec`; it need not have every file.
    """

    spec: Path
    documents: Mapping[str, Table]
    paths: Mapping[str, Path]
    problems: tuple[Problem, ...]
    is_own: bool = False

    def named(self, name: str) -> Table:
        """One document; an empty one if it is not there."""
        return self.documents.get(name, _NOTHING)

    def under(self, folder: str) -> Iterator[tuple[str, Table]]:
        """The documents of a folder in this folder."""
        return ((name, table) for name, table in self.documents.items() if name.startswith(f"{folder}/"))

    def part(self, name: str, *keys: str) -> Table:
        """A mapping in a document; an empty one if it is not there."""
        return below(self.named(name), *keys)


_NOTHING = Table({}, {}, Place(""))


def read_folder(spec: Path) -> Folder:
    """Every rule file of a rule book. What is wrong with a file is kept in `problems`."""
    files = [path for path in spec.rglob("*.yaml") if path.relative_to(spec).parts[0] != EXAMPLES]
    return _read(Sources(spec, spec), {path.relative_to(spec).as_posix(): path for path in sorted(files)})


def own_folder(sources: Sources) -> Folder:
    """The files of a profile of a user's own: the profile, and the chapters of its folder."""
    files = {f"profiles/{sources.profile.name}": sources.profile}
    if sources.own is not None:
        chapters = sorted(path for path in (sources.own / "rules").glob("*.yaml") if path.is_file())
        files |= {f"rules/{path.name}": path for path in chapters}
    return _read(sources, files, is_own=True)


def _read(sources: Sources, files: Mapping[str, Path], is_own: bool = False) -> Folder:
    collector = Collector()
    documents = {}
    for name, path in files.items():
        with collector.collecting():
            document = read_yaml(path, sources.shown(path))
            if isinstance(document, Table):
                documents[name] = document
            else:
                collector.problems.append(Problem(document.place, "a rule file is a mapping"))
    return Folder(sources.spec, documents, files, tuple(collector.problems), is_own)


# Looking into a document that may have any shape: what is not there is empty, and the checks of shape say so.


def below(node: Node | None, *keys: str) -> Table:
    """The mapping under these keys; an empty one if there is none."""
    for key in keys:
        node = node.entries.get(key) if isinstance(node, Table) else None
    return node if isinstance(node, Table) else _NOTHING


def scalars(node: Node | None) -> list[Scalar]:
    """The single value, or those of a list."""
    if isinstance(node, Listing):
        return [item for item in node.items if isinstance(item, Scalar)]
    return [node] if isinstance(node, Scalar) else []


def textual(node: Node | None) -> Scalar | None:
    """The node, if it is a text."""
    return node if isinstance(node, Scalar) and isinstance(node.value, str) else None


def tables_with(node: Node, key: str) -> Iterator[tuple[str, Table, Place]]:
    """Every mapping, at any depth, that has such a key: under which name it stands, and where."""
    if isinstance(node, Listing):
        for item in node.items:
            yield from tables_with(item, key)
    elif isinstance(node, Table):
        for name, entry in node.entries.items():
            if isinstance(entry, Table) and key in entry.entries:
                yield name, entry, node.keys[name]
            yield from tables_with(entry, key)
