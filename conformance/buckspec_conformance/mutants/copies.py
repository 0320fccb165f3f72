"""A copy of the rule book, in which one token is changed at a time."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from buckspec import sources
from buckspec.data import spec_dir
from buckspec.document import Node
from buckspec.load import load_profile
from buckspec.rulebook import RuleBook
from buckspec_conformance.mutants.changes import USUAL, Mutant


class Copies:
    """The copy in `folder`. What was read of its files is kept, as only one of them is another from time to time."""

    def __init__(self, folder: Path):
        self.folder = folder

    def changed(self, mutant: Mutant) -> RuleBook:
        """The rule book with the change. Raises SpecError if the loader refuses it."""
        path = self.folder.parent / mutant.file
        text = path.read_text("utf-8")
        if not text.startswith(mutant.old, mutant.offset):
            raise ValueError(f"{mutant.file} is not the text that this change was made for")
        try:
            path.write_text(text[: mutant.offset] + mutant.new + text[mutant.offset + len(mutant.old) :], "utf-8")
            return load_profile(USUAL, spec=self.folder).book
        finally:
            path.write_text(text, "utf-8")


@contextmanager
def copies() -> Iterator[Copies]:
    """A copy of the shipped rule book, for as long as it is needed."""
    read: dict[tuple[str, str], Node] = {}
    read_yaml = sources.read_yaml

    def kept(path: Path, name: str | None = None) -> Node:
        key = (path.as_posix(), path.read_text("utf-8"))
        if key not in read:
            read[key] = read_yaml(path, name)
        return read[key]

    with TemporaryDirectory() as folder:
        shutil.copytree(spec_dir(), Path(folder) / "spec")
        sources.read_yaml = kept
        try:
            yield Copies(Path(folder) / "spec")
        finally:
            sources.read_yaml = read_yaml
