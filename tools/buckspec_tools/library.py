"""What the rule book says beside the rules: its sources, its glossary, and its clauses as they are written."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from buckspec.data import spec_dir
from buckspec.document import Listing, Node, Scalar, Table, plain
from buckspec.load import load_profile
from buckspec.problem import Place
from buckspec.rulebook import Chapter, Clause, RuleBook
from buckspec.rules import Rules
from buckspec.sources import Sources, find_profile, profile_names, read_yaml
from buckspec_tools.places import places_of

Entry = Mapping[str, object]
UNDER = "under"
INSTEAD = "instead-of"
_SAID_ELSEWHERE = ("says", "cites", "because", UNDER, INSTEAD)


@dataclass(frozen=True)
class Library:
    """One profile, and everything beside it that `explain` quotes."""

    rules: Rules
    sources: Sources

    @property
    def book(self) -> RuleBook:
        return self.rules.book

    @property
    def own_file(self) -> str | None:
        """The file of the profile, if it is somebody's own."""
        return str(self.sources.profile) if self.sources.is_own else None

    @cached_property
    def clauses(self) -> Mapping[str, Clause]:
        return self.book.clauses()

    @cached_property
    def terms(self) -> Mapping[str, Entry]:
        """The glossary, by the id of a term."""
        return _entries("glossary", "terms")

    @cached_property
    def statements(self) -> Mapping[str, Entry]:
        """What the sources say, by the id of a statement."""
        return _entries("sources", "statements")

    @cached_property
    def documents(self) -> Mapping[str, Entry]:
        """The sources themselves."""
        return _entries("sources", "sources")

    @cached_property
    def profiles(self) -> Mapping[str, Rules]:
        """The shipped profiles."""
        return {name: load_profile(name) for name in profile_names()}

    def names(self) -> list[str]:
        """Everything that can be explained."""
        parts = (
            self.clauses, self.book.questions, self.terms, self.statements, self.documents, self.book.parameters,
            [chapter.id for chapter in self.book.chapters], self.book.definitions, self.book.variables,
        )  # fmt: skip
        return list(dict.fromkeys(name for part in parts for name in part))

    def chapter_of(self, clause: Clause) -> Chapter | None:
        """The chapter in whose file a clause stands."""
        return next((chapter for chapter in self.book.chapters if chapter.place.file == clause.place.file), None)

    def written(self, clause: Clause) -> "Written":
        """The entries of a clause in its file, and those that it takes over from the clause that it replaces."""
        entries = self._table(clause.place).entries
        old = entries.get(INSTEAD)
        replaced = self.clauses.get(old.text) if isinstance(old, Scalar) else None
        own = {key: node for key, node in entries.items() if key not in _SAID_ELSEWHERE}
        if replaced is None:
            return Written(own)
        # the readings of the old one are joined to those of the new one, all else gives way to what the new one says
        kept = {key: node for key, node in self._table(replaced.place).entries.items() if key == UNDER}
        above = self.written(replaced)
        inherited = {key: node for key, node in {**kept, **above.entries}.items() if key not in own}
        taken = tuple((one, left) for one, held in above.inherited if (left := _without(held, own)))
        return Written(own, replaced, ((replaced, inherited), *taken) if inherited else taken)

    def _table(self, place: Place) -> Table:
        """The mapping whose name stands at a place of a rule file; an empty one if it cannot be read there."""
        if place.file not in self._documents:
            files = [path for path in places_of(place.file, self.sources.spec.parent) if path.is_file()]
            found = dict(_tables(read_yaml(files[0], place.file))) if files else {}
            self._documents[place.file] = found
        return self._documents[place.file].get(place, Table({}, {}, place))

    @cached_property
    def _documents(self) -> dict[str, Mapping[Place, Table]]:
        """The rule files that have been read, by the name that messages give them."""
        return {}


@dataclass(frozen=True)
class Written:
    """What a clause says beside its sentence, its sources and its readings, by key.

    `replaced` is the clause that it stands instead of; `inherited` what it takes over from that clause, and from the
    one that this replaces in turn.
    """

    entries: Mapping[str, Node]
    replaced: Clause | None = None
    inherited: tuple[tuple[Clause, Mapping[str, Node]], ...] = ()


def _without(entries: Mapping[str, Node], keys: Mapping[str, Node]) -> Mapping[str, Node]:
    return {key: node for key, node in entries.items() if key not in keys}


def open_library(profile: str) -> Library:
    """The library of a profile. Raises SpecError."""
    return Library(load_profile(profile), find_profile(profile))


def _entries(file: str, part: str) -> Mapping[str, Entry]:
    held = plain(read_yaml(spec_dir() / f"{file}.yaml", f"spec/{file}.yaml"))
    found = held.get(part) if isinstance(held, dict) else None
    return found if isinstance(found, dict) else {}


def _tables(node: Node) -> Iterator[tuple[Place, Table]]:
    """Every mapping in a document, at any depth, by the place of its name."""
    if isinstance(node, Listing):
        for item in node.items:
            yield from _tables(item)
    elif isinstance(node, Table):
        for name, entry in node.entries.items():
            if isinstance(entry, Table):
                yield node.keys[name], entry
            yield from _tables(entry)


def uses(term: Entry, sentence: str) -> bool:
    """Whether a sentence uses a term of the glossary, by its name or its plural."""
    return any(re.search(rf"\b{re.escape(word)}\b", sentence, re.IGNORECASE) for word in forms(term))


def forms(term: Entry) -> Iterator[str]:
    """The words of a term."""
    for key in ("name", "plural"):
        word = term.get(key)
        if isinstance(word, str):
            yield word
