"""What `buckspec explain` says of a clause, a question, a term, a statement of the sources, and so on."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from buckspec.rulebook import Clause, Question, Under
from buckspec.sentences import Sentences, TermText, languages, load_sentences
from buckspec_tools.examples import Difference, Moment
from buckspec_tools.library import INSTEAD, Library, forms, uses
from buckspec_tools.report.columns import INDENT, indented, labelled, wrapped
from buckspec_tools.report.example import difference, example
from buckspec_tools.report.explain_clause import entries

if TYPE_CHECKING:
    from buckspec_conformance.partings import Parting

Block = tuple[str, list[str]]
"""A heading and the lines below it."""


@dataclass(frozen=True)
class Explainer:
    """Explains in one language, from one profile.

    `example` finds a recorded case of a clause, `apart` one that readings of a question judge differently, `partings`
    where each two of them part.
    """

    library: Library
    say: Sentences
    example: Callable[[Clause], Moment | None]
    plain: bool = False
    apart: Callable[[Question], Difference | None] = lambda _: None
    partings: Callable[[Question], Mapping[tuple[str, str], "Parting | None"]] = lambda _: {}

    def all_of(self, name: str) -> list[str]:
        """Everything that goes by a name, each on its own; nothing if nothing does."""
        pages = [page for explain in self._kinds() if (page := explain(name))]
        return [line for place, page in enumerate(pages) for line in ([""] if place else []) + page]

    def _kinds(self) -> tuple[Callable[[str], list[str]], ...]:
        return (
            self.clause, self.question, self.term, self.statement, self.document,
            self.parameter, self.chapter, self.definition, self.word,
        )  # fmt: skip

    @cached_property
    def tongues(self) -> Mapping[str, Sentences]:
        """The sentences of every language."""
        return {tongue: load_sentences(tongue) for tongue in languages()}

    def overview(self) -> list[str]:
        """Everything that can be asked, by kind."""
        book, library = self.library.book, self.library
        rows = [
            ("explain-clause", library.clauses), ("explain-question", book.questions), ("explain-term", library.terms),
            ("explain-chapter", [chapter.id for chapter in book.chapters]), ("explain-parameter", book.parameters),
            ("explain-source", library.documents), ("explain-definition", {**book.definitions, **book.variables}),
        ]  # fmt: skip
        return labelled([(self.say.report(key), ", ".join(names)) for key, names in rows])

    # ------------------------------------------------------------------ one kind each

    def clause(self, name: str) -> list[str]:
        clause = self.library.clauses.get(name)
        if clause is None:
            return []
        chapter = self.library.chapter_of(clause)
        return self._page(
            name, "explain-clause", self.say.chapter(chapter) if chapter else None,
            [self._sentence(clause)],
            [
                *self._conditions(clause),
                (self.say.report("explain-under"), list(self._choices(clause.under))),
                (self.say.report("explain-because"), [clause.because] if clause.because else []),
                (self.say.report("explain-sources"), self._cited(clause.cites)),
                (self.say.report("explain-example"), self._example(clause)),
            ],
        )  # fmt: skip

    def question(self, name: str) -> list[str]:
        question = self.library.book.questions.get(name)
        if question is None:
            return []
        readings = [(f"{name}={reading}", self._reading(name, reading)) for reading in question.readings]
        chosen = [(profile, rules.readings.get(name, "")) for profile, rules in self.library.profiles.items()]
        return self._page(
            name, "explain-question", None,
            [self.say.question(question, self.library.rules.parameters)],
            [
                (self.say.report("explain-readings"), labelled(readings)),
                (self.say.report("explain-profiles"), labelled(chosen)),
                (self.say.report("explain-clauses"), self._clauses(self._depending(name))),
                (self.say.report("explain-sources"), self._cited(question.cites)),
                (self.say.report("explain-example"), self._difference(question)),
                (self.say.report("explain-partings"), self._partings(question)),
            ],
        )  # fmt: skip

    def word(self, name: str) -> list[str]:
        """A term by its name, in English or the language that is spoken; nothing if it has that for its id."""
        return [] if name in self.library.terms else self.term(self._term_called(name))

    def term(self, key: str) -> list[str]:
        entry = self.library.terms.get(key)
        if entry is None:
            return []
        using = [clause for clause in self.library.clauses.values() if uses(entry, clause.says)]
        word = self.say.term(key)
        return self._page(
            key, "explain-term", None, [word.means],
            [
                ("", labelled([(tongue, _called(say.term(key))) for tongue, say in self.tongues.items()])),
                (self.say.report("explain-also"), [", ".join(_texts(entry.get("avoid")))] if "avoid" in entry else []),
                (self.say.report("explain-clauses"), self._clauses(using)),
                (self.say.report("explain-sources"), self._cited(_texts(entry.get("cites")))),
            ],
        )  # fmt: skip

    def statement(self, name: str) -> list[str]:
        entry = self.library.statements.get(name)
        if entry is None:
            return []
        clauses = self.library.clauses
        named = [clause for key in ("clauses", "shows") for clause in _texts(entry.get(key))]
        carried = [clauses[clause] for clause in named if clause in clauses]
        linked = [(key, str(entry[key])) for key in ("question", "term", "about", "under", "through") if key in entry]
        return self._page(
            name, "explain-statement", self._document_title(name),
            [str(entry.get("says", "")), f"({entry.get('status')})"],
            [
                (self.say.report("explain-because"), [str(entry["because"])] if "because" in entry else []),
                (self.say.report("explain-clauses"), self._clauses(carried)),
                ("", labelled(linked)),
            ],
        )  # fmt: skip

    def document(self, name: str) -> list[str]:
        entry = self.library.documents.get(name)
        if entry is None:
            return []
        held = [key for key in self.library.statements if key.startswith(f"{name}.")]
        return self._page(
            name, "explain-source", str(entry.get("title", "")), [str(entry.get("means", ""))],
            [(self.say.report("explain-statement"), self._cited(held))],
        )  # fmt: skip

    def parameter(self, name: str) -> list[str]:
        parameter = self.library.book.parameters.get(name)
        if parameter is None:
            return []
        values = [(profile, str(rules.parameters.get(name, ""))) for profile, rules in self.library.profiles.items()]
        told = f"{name} = {parameter.value} ({parameter.low}–{parameter.high})"
        using = [clause for clause in self.library.clauses.values() if self._mentions(clause, name)]
        return self._page(
            name, "explain-parameter", None, [parameter.means, told],
            [
                (self.say.report("explain-profiles"), labelled(values)),
                (self.say.report("explain-clauses"), self._clauses(using)),
            ],
        )  # fmt: skip

    def chapter(self, name: str) -> list[str]:
        chapter = next((chapter for chapter in self.library.book.chapters if chapter.id == name), None)
        if chapter is None:
            return []
        held = [clause for clause in self.library.clauses.values() if clause.place.file == chapter.place.file]
        blocks = [(self.say.report("explain-clauses"), self._clauses(held))]
        return self._page(name, "explain-chapter", self.say.chapter(chapter), [chapter.place.file], blocks)

    def definition(self, name: str) -> list[str]:
        book = self.library.book
        held = book.definitions.get(name) or book.variables.get(name)
        if held is None:
            return []
        clauses = [part.clause for part in book.definitions[name].alternatives] if name in book.definitions else []
        head = f"{name}({held.domain})" if held.domain else name
        top = [held.means or "", f"{head} -> {held.type}  ({held.place})"]
        return self._page(
            name, "explain-definition", None, top,
            [(self.say.report("explain-clauses"), self._clauses(clauses))],
        )  # fmt: skip

    # ------------------------------------------------------------------ parts

    def _page(self, name: str, kind: str, title: str | None, top: list[str], blocks: list[Block]) -> list[str]:
        head = f"{name}  ({self.say.report(kind)}{f': {title}' if title else ''})"
        lines = [head, *indented(_paragraphs(top))]
        for heading, block in blocks:
            if block:
                lines += ["", *indented([heading] if heading else []), *indented(indented(block))]
        return lines

    def _conditions(self, clause: Clause) -> Iterator[Block]:
        """What a clause says itself, and, with the name and the place of the other, what it takes over."""
        written, head = self.library.written(clause), self.say.report("explain-condition")
        old = written.replaced
        lines = labelled([(f"{INSTEAD}: {old.id}", self._sentence(old))]) if old else []
        yield f"{head} ({clause.place})", [*lines, *entries(written.entries)]
        for other, held in written.inherited:
            yield f"{head}: {other.id} ({other.place})", entries(held)

    def _term_called(self, name: str) -> str:
        """The id of the term with this name, in English or the language that is spoken; else the name."""
        wanted = name.casefold()
        for key, entry in self.library.terms.items():
            word = self.say.term(key)
            called = (key.replace("-", " "), *forms(entry), word.name, word.plural or "")
            if wanted and wanted in [one.casefold() for one in called]:
                return key
        return name

    def names(self) -> list[str]:
        """Everything that can be explained, and what the terms are called in the language that is spoken."""
        return list(dict.fromkeys([*self.library.names(), *(self.say.term(key).name for key in self.library.terms)]))

    def _sentence(self, clause: Clause) -> str:
        return self.say.clause(clause, self.library.rules.parameters)

    def _reading(self, question: str, reading: str) -> str:
        return self.say.reading(self.library.book.questions[question], reading, self.library.rules.parameters)

    def _clauses(self, clauses: Iterable[Clause]) -> list[str]:
        return labelled([(clause.id, self._sentence(clause)) for clause in clauses])

    def _choices(self, under: Under) -> Iterator[str]:
        """The readings under which a clause stands, and whether the profile has chosen one of them."""
        for question, readings in under.choices:
            holds = self.library.rules.readings[question] in readings
            key = "explain-chosen" if holds else "explain-not-chosen"
            for reading in sorted(readings):
                yield f"{question}={reading}  {self._reading(question, reading)}"
            yield f"{INDENT}({self.say.report(key)})"

    def _cited(self, statements: Iterable[str]) -> list[str]:
        """Statements of the sources, in our words."""
        told = self.library.statements
        return labelled([(key, str(told.get(key, {}).get("says", ""))) for key in statements])

    def _depending(self, question: str) -> list[Clause]:
        return [clause for clause in self.library.clauses.values() if question in dict(clause.under.choices)]

    def _mentions(self, clause: Clause, parameter: str) -> bool:
        written = entries(self.library.written(clause).entries)
        return any(re.search(rf"\b{parameter}\b", line) for line in [clause.says, *written])

    def _document_title(self, statement: str) -> str:
        entry: Mapping[str, object] = self.library.documents.get(statement.partition(".")[0], {})
        return str(entry.get("title", ""))

    def _example(self, clause: Clause) -> list[str]:
        moment = self.example(clause)
        if moment is None:
            return [self.say.report("explain-no-example")]
        return example(moment, self.say, plain=self.plain)

    def _difference(self, question: Question) -> list[str]:
        found = self.apart(question)
        return difference(found, question.id, self.library.rules, self.say) if found else []

    def _partings(self, question: Question) -> list[str]:
        from buckspec_tools.report.parting import partings  # it brings a solver, which takes its time

        return labelled(partings(question, self.partings(question), self.say, plain=self.plain))


def _called(word: TermText) -> str:
    return f"{word.name}, {word.plural}" if word.plural and word.plural != word.name else word.name


def _paragraphs(texts: Iterable[str]) -> list[str]:
    return [line for text in texts for line in wrapped(text)]


def _texts(value: object) -> list[str]:
    if value is None:
        return []
    return [str(item) for item in value] if isinstance(value, list) else [str(value)]
