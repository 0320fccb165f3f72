"""The schema of each file: that its first line names one, and that the file is of that shape."""

import re
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

from buckspec.data import schema_dir
from buckspec.document import Listing, Node, Table, plain
from buckspec.problem import Place, Problem, nearest
from buckspec_tools.lint.folder import Folder

_COMMENT = "# yaml-language-server: $schema="
_NAME = re.compile(rf"{re.escape(_COMMENT)}(?P<path>\S*?)(?P<schema>[\w-]+)\.schema\.json\s*")


def check_first_lines(folder: Folder) -> Iterator[Problem]:
    """Files that do not name an existing schema in their first line, from where they lie.

    A file of a user's own need not name any; its schema lies in another place for everybody.
    """
    known = _known()
    for name, document in folder.documents.items():
        line = _first_line(folder.paths[name])
        place = Place(document.place.file, 1, 1)
        match = _NAME.fullmatch(line)
        if match is None:
            if not folder.is_own:
                found = line.strip() or "an empty line"
                yield Problem(place, "the first line names no schema", found, f"{_COMMENT}{_way(name)}….schema.json")
        elif match["schema"] not in known:
            meant = nearest(match["schema"], known)
            yield Problem(place, "unknown schema", match["schema"], meant=meant)
        elif not folder.is_own and match["path"] != _way(name):
            yield Problem(place, "the way to the schema is wrong", match["path"] or "none", _way(name))


def check_shapes(folder: Folder) -> Iterator[Problem]:
    """What the schemas refuse, if jsonschema is there to say so."""
    if find_spec("jsonschema") is None:
        return
    from buckspec.formats.validate import problems

    for name, document in folder.documents.items():
        schema = _schema(folder, name)
        for fault in problems(plain(document), schema):
            place = _place(document, fault.at)
            where = fault.path or "the file"
            yield Problem(
                place, f"{where} is not as {schema}.schema.json has it", fault.found, fault.expected, fault.meant
            )


def _schema(folder: Folder, name: str) -> str:
    match = _NAME.fullmatch(_first_line(folder.paths[name]))
    if match is not None:
        return match["schema"]
    return "profile" if name.startswith("profiles/") else "chapter"


def _place(node: Node, steps: tuple[str | int, ...]) -> Place:
    """Where the value at these steps stands, or the nearest that there is above it."""
    place = node.place
    for step in steps:
        if isinstance(node, Table) and step in node.entries:
            place, node = node.keys[str(step)], node.entries[str(step)]
        elif isinstance(node, Listing) and isinstance(step, int) and step < len(node.items):
            node = node.items[step]
            place = node.place
        else:
            break
    return place


def _known() -> list[str]:
    return sorted(path.name.removesuffix(".schema.json") for path in schema_dir().glob("*.schema.json"))


def _way(name: str) -> str:
    """From a file of the rule book to the folder of schemas beside it."""
    return "../" * (name.count("/") + 1) + "schemas/"


def _first_line(path: Path) -> str:
    with path.open(encoding="utf-8") as file:
        return file.readline().removeprefix("\ufeff").rstrip("\n")
