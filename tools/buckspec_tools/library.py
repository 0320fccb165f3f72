"""What the rule book says beside the rules: its sources, its glossary, and its clauses as they are written."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from buckspec.data import spec_dir
from buckspec.document import plain
from buckspec.load import load_profile
from buckspec.rulebook import Chapter, Clause, RuleBook
from buckspec.rules import Rules
from buckspec.sources import Sources, find_profile, profile_names, read_yaml
from buckspec_tools.places import lines_of

Entry = Mapping[str, object]
_SAID_ELSEWHERE = ("says", "cites", "because", "under")


@dataclass(frozen=True)
class Library:
    """One profile, and everything beside it that `explain` quotes."""

    rules: Rules
    sources: Sources

    @property
    def book(self) -> RuleBook:
        return self.rules.book

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

    def written(self, clause: Clause) -> list[str]:
        """The conditions and effects of a clause, exactly as its file has them."""
        lines = lines_of(clause.place.file, self.sources.spec.parent)
        return _wanted(_block(lines, clause.place.line)) if 0 < clause.place.line <= len(lines) else []


def open_library(profile: str) -> Library:
    """The library of a profile. Raises SpecError."""
    return Library(load_profile(profile), find_profile(profile))


def _entries(file: str, part: str) -> Mapping[str, Entry]:
    held = plain(read_yaml(spec_dir() / f"{file}.yaml", f"spec/{file}.yaml"))
    found = held.get(part) if isinstance(held, dict) else None
    return found if isinstance(found, dict) else {}


def _block(lines: list[str], start: int) -> list[str]:
    """The lines below the key in line `start` that belong to it, moved to the left edge."""
    edge = _depth(lines[start - 1])
    block = []
    for line in lines[start:]:
        if line.strip() and _depth(line) <= edge:
            break
        block.append(line)
    inner = min((_depth(line) for line in block if line.strip()), default=0)
    return [line[inner:].rstrip() for line in block]


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip())


def _wanted(block: list[str]) -> list[str]:
    """The entries that are shown as they are written."""
    kept: list[str] = []
    keeping = False
    for line in block:
        key = re.match(r"([a-z]+):", line)
        keeping = key[1] not in _SAID_ELSEWHERE if key else keeping
        if keeping and line.strip():
            kept.append(line)
    return kept


def uses(term: Entry, sentence: str) -> bool:
    """Whether a sentence uses a term of the glossary, by its name or its plural."""
    return any(re.search(rf"\b{re.escape(word)}\b", sentence, re.IGNORECASE) for word in forms(term))


def forms(term: Entry) -> Iterator[str]:
    """The words of a term."""
    for key in ("name", "plural"):
        word = term.get(key)
        if isinstance(word, str):
            yield word
