"""All English texts of a rule book that people read, with where they stand."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from buckspec.document import Scalar, Table
from buckspec.problem import Place
from buckspec.sentences import ENGLISH, TERM_KEYS, fingerprint
from buckspec_tools.lint.folder import Folder, below, scalars, tables_with, textual

ENGLISH_FILE = f"i18n/{ENGLISH}.yaml"
_CONTAINERS = ("rules", "profiles")


@dataclass(frozen=True)
class Entry:
    """One thing that is translated as a whole, with its English texts by key."""

    section: str
    id: str
    texts: Mapping[str, Scalar]
    place: Place

    @property
    def mark(self) -> str:
        """The fingerprint that a translation of this must carry."""
        return fingerprint(*(str(scalar.value) for scalar in self.texts.values()))


@dataclass(frozen=True)
class ClauseText:
    """A clause as written. Invariants follow from the other clauses, and so need no source."""

    id: str
    body: Table
    place: Place
    is_invariant: bool


class EnglishTexts:
    """The texts of a folder of rules."""

    def __init__(self, folder: Folder):
        self.folder = folder

    @cached_property
    def clauses(self) -> list[ClauseText]:
        """Every clause of every chapter, profile and question, and every invariant."""
        found = []
        for name, document in self.folder.documents.items():
            home = name.split("/")[0]
            if home in (*_CONTAINERS, "questions.yaml", "invariants.yaml"):
                for id_, body, place in tables_with(document, "says"):
                    found.append(ClauseText(id_, body, place, home == "invariants.yaml"))
        return found

    @cached_property
    def questions(self) -> list[tuple[str, Table, Place]]:
        """Every question, shared or of one profile."""
        documents = [self.folder.named("questions.yaml"), *(table for _, table in self.folder.under("profiles"))]
        return [found for document in documents for found in tables_with(document, "asks")]

    @cached_property
    def parameters(self) -> list[str]:
        """The parameters of all profiles."""
        profiles = (table for _, table in self.folder.under("profiles"))
        return list(dict.fromkeys(name for profile in profiles for name in below(profile, "parameters")))

    @cached_property
    def takes(self) -> Mapping[str, list[str]]:
        """By event: what it is about."""
        found = {}
        for _, chapter in self.folder.under("rules"):
            for event, body in below(chapter, "events").entries.items():
                about = body.entries.get("takes") if isinstance(body, Table) else None
                found[event] = list(about) if isinstance(about, Table) else [item.text for item in scalars(about)]
        return found

    @cached_property
    def values(self) -> list[tuple[str, str, Place]]:
        """Every value that is listed by name: its domain, its name, where it stands."""
        holders = [self.folder.named("domains.yaml"), *(chapter for _, chapter in self.folder.under("rules"))]
        found = []
        for holder in holders:
            for domain, body in below(holder, "domains").entries.items():
                listed = below(body, "values")
                found += [(domain, value, listed.keys[value]) for value in listed]
        return found

    @cached_property
    def entries(self) -> list[Entry]:
        """Everything that has to be translated."""
        return list(self._entries())

    def _entries(self) -> Iterator[Entry]:
        for term, body, place in self._terms():
            yield from _entry("terms", term, body, TERM_KEYS, place)
        for clause in self.clauses:
            yield from _entry("clauses", clause.id, clause.body, ("says",), clause.place)
        for question, body, place in self.questions:
            yield from _entry("questions", question, body, ("asks",), place)
            yield from _plain("readings", below(body, "readings"), "says", f"{question}.")
        for home, key, section in (("rules", "chapter", "chapters"), ("profiles", "profile", "profiles")):
            for _, document in self.folder.under(home):
                held = textual(document.entries.get(key))
                if held is not None:
                    yield from _entry(section, str(held.value), document, ("title",), held.place)
        for domain, names in self.folder.part(ENGLISH_FILE, "values").entries.items():
            yield from _plain("values", below(names), "name", f"{domain}.")
        for section in ("moves", "report"):
            yield from _plain(section, self.folder.part(ENGLISH_FILE, section), "says")

    def _terms(self) -> Iterator[tuple[str, Table, Place]]:
        terms = self.folder.part("glossary.yaml", "terms")
        for term, body in terms.entries.items():
            if isinstance(body, Table):
                yield term, body, terms.keys[term]


def _entry(section: str, id_: str, body: Table, keys: tuple[str, ...], place: Place) -> Iterator[Entry]:
    held = {key: textual(body.entries.get(key)) for key in keys}
    texts = {key: scalar for key, scalar in held.items() if scalar is not None}
    if texts:
        yield Entry(section, id_, texts, place)


def _plain(section: str, held: Table, key: str, prefix: str = "") -> Iterator[Entry]:
    for id_, node in held.entries.items():
        scalar = textual(node)
        if scalar is not None:
            yield Entry(section, prefix + id_, {key: scalar}, held.keys[id_])
