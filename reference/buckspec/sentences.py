"""The sentences of the rules, and the words of reports, in the language of whoever reads them.

The rule files are written in English; `spec/i18n/` holds the other languages. Each translation carries the
fingerprint of the English that it translates, and is used for just that text. A house rule, or a sentence that
has changed since, is shown in English rather than wrongly.
"""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from buckspec.data import spec_dir
from buckspec.document import Node, Scalar, Table
from buckspec.nodes import refuse, table, text, texts
from buckspec.problem import Place, listed, nearest
from buckspec.rulebook import Chapter, Clause, Question
from buckspec.sources import read_yaml
from buckspec.types import Domain, Value, domain_called

ENGLISH = "en"
PLACEHOLDER = re.compile(r"\{(\w+)\}")
TERM_KEYS = ("name", "plural", "means")
_FINGERPRINT_LENGTH = 8


def fingerprint(*english: str) -> str:
    """The first 8 hex digits of the SHA-256 of an English text; several texts are taken as its lines."""
    return hashlib.sha256("\n".join(english).encode()).hexdigest()[:_FINGERPRINT_LENGTH]


def placeholders(sentence: str) -> frozenset[str]:
    """The names in braces, for which a sentence wants words."""
    return frozenset(PLACEHOLDER.findall(sentence))


def fill(sentence: str, words: Mapping[str, str]) -> str:
    """The sentence with words for its placeholders; one without a word stays as it is."""
    return PLACEHOLDER.sub(lambda match: words.get(match[1], match[0]), sentence)


def languages(spec: Path | None = None) -> list[str]:
    """The languages in which the rules can be read, as BCP 47 tags, English first."""
    tags = {path.stem for path in ((spec or spec_dir()) / "i18n").glob("*.yaml")}
    return [ENGLISH, *sorted(tags - {ENGLISH})]


def load_sentences(language: str, spec: Path | None = None) -> "Sentences":
    """The sentences in a language, read when first asked for. Raises SpecError for an unknown language."""
    folder = spec or spec_dir()
    known = languages(folder)
    if language not in known:
        place = Place("the language chosen")
        raise refuse(place, "unknown language", language, listed(known), nearest(language, known))
    return Sentences(language, folder)


@dataclass(frozen=True)
class TermText:
    """A word of the glossary; `plural` is None where it has none."""

    id: str
    name: str
    plural: str | None
    means: str


class Sentences:
    """The texts of one language. Every method raises SpecError when a file that it needs is no valid text."""

    def __init__(self, language: str, spec: Path):
        self.language, self._spec = language, spec

    @property
    def name(self) -> str:
        """The language's name for itself."""
        return text(self._own.entries["name"], "the name of the language")

    # The rules

    def clause(self, clause: Clause, parameters: Mapping[str, int]) -> str:
        """What a clause says, with number words for the parameters in it."""
        return self._sentence("clauses", clause.id, "says", clause.says, parameters)

    def question(self, question: Question, parameters: Mapping[str, int]) -> str:
        """What a question asks."""
        return self._sentence("questions", question.id, "asks", question.asks, parameters)

    def reading(self, question: Question, reading: str, parameters: Mapping[str, int]) -> str:
        """The answer that a reading gives to its question. Raises KeyError if there is no such reading."""
        english = question.readings[reading]
        return self._sentence("readings", f"{question.id}.{reading}", "says", english, parameters)

    def chapter(self, chapter: Chapter) -> str:
        """The title of a chapter."""
        return self._translated("chapters", chapter.id, "title", chapter.title)

    def profile(self, profile: str, title: str) -> str:
        """The title of a profile, given the English one."""
        return self._translated("profiles", profile, "title", title)

    # The words of the game

    @property
    def terms(self) -> list[str]:
        """The ids of the glossary."""
        return list(self._glossary_terms)

    def term(self, term: str) -> TermText:
        """A word of the glossary. Raises KeyError for an id that is not in it."""
        entry = table(self._glossary_terms[term], term)
        english = {key: text(entry.entries[key], key) for key in TERM_KEYS if key in entry.entries}
        own = self._entry("terms", term, tuple(english.values()))
        words = {key: text(own.entries[key], key) for key in english if key in own.entries} if own else {}
        words = {**english, **words}
        return TermText(term, words["name"], words.get("plural"), words["means"])

    def value(self, domain: str, value: str) -> str:
        """What people call a value of a domain; one that has no such name is called as in the rules."""
        names = _below(self._english_words, "values", domain).entries
        if value not in names:
            return value.replace("_", " ")
        own = self._value_entry(domain, value, text(names[value], value))
        return text(own.entries["name"], "name") if own else text(names[value], value)

    def card(self, card: Value) -> str:
        """A card in full, such as “jack of hearts”."""
        parts = {name: self.value(domain_called(name), value) for name, value in card.attributes.items()}
        return self.report("card", **parts)

    def sign(self, card: Value, domains: Mapping[str, Domain]) -> str:
        """A card in short, with the letters that this language prints on cards, such as “J♥” or “V♥”."""
        signs = []
        for name, value in card.attributes.items():
            domain = domains[domain_called(name)]
            part = domain.values[domain.index[value]]
            own = self._value_entry(domain.name, value, None)
            letter = own.entries.get("letter") if own else None
            signs.append(text(letter, "letter") if letter else part.symbol or part.code)
        return "".join(signs) or card.code

    def number(self, number: int, parameter: str | None = None) -> str:
        """A number in words as far as the language file goes, then in digits.

        Where words have genders, those of a parameter agree with what it counts.
        """
        words = self._numbers if parameter not in self._feminine_parameters else self._feminine_numbers
        return words[number] if 0 <= number < len(words) else str(number)

    # Reports

    def event(self, event: str, words: Mapping[str, str]) -> str:
        """What happened, such as “Ana plays JH”; `words` has `player` and what the event is about."""
        entries = _below(self._english_words, "moves").entries
        if event not in entries:
            return " ".join([*(words[key] for key in words), event])
        return fill(self._translated("moves", event, "says", text(entries[event], event)), words)

    def report(self, key: str, **words: str) -> str:
        """A fixed word or sentence of a report. Raises KeyError for a key that the English file lacks."""
        english = text(_below(self._english_words, "report").entries[key], key)
        return fill(self._translated("report", key, "says", english), words)

    # Reading the files

    @cached_property
    def _english_words(self) -> Table:
        return table(read_yaml(self._spec / "i18n" / f"{ENGLISH}.yaml"), "the English words")

    @cached_property
    def _own(self) -> Table:
        if self.language == ENGLISH:
            return self._english_words
        return table(read_yaml(self._spec / "i18n" / f"{self.language}.yaml"), "a translation")

    @cached_property
    def _glossary(self) -> Table:
        return table(read_yaml(self._spec / "glossary.yaml"), "the glossary")

    @property
    def _glossary_terms(self) -> Mapping[str, Node]:
        return _below(self._glossary, "terms").entries

    @cached_property
    def _numbers(self) -> tuple[str, ...]:
        if self.language == ENGLISH:
            return texts(_below(self._glossary, "numbers").entries.get(ENGLISH), "numbers")
        return texts(self._own.entries.get("numbers"), "numbers")

    @cached_property
    def _feminine_numbers(self) -> tuple[str, ...]:
        return texts(_below(self._own, "feminine").entries.get("numbers"), "numbers")

    @cached_property
    def _feminine_parameters(self) -> tuple[str, ...]:
        return texts(_below(self._own, "feminine").entries.get("parameters"), "parameters")

    def _entry(self, section: str, key: str, english: tuple[str, ...]) -> Table | None:
        """The translation of just this English text, if there is one."""
        if self.language == ENGLISH:
            return None
        return _of(_below(self._own, section), key, english)

    def _value_entry(self, domain: str, value: str, english: str | None) -> Table | None:
        if self.language == ENGLISH:
            return None
        names = _below(self._own, "values", domain)
        if english is None:
            return _below(names, value)
        return _of(names, value, (english,))

    def _translated(self, section: str, key: str, field: str, english: str) -> str:
        entry = self._entry(section, key, (english,))
        return text(entry.entries[field], field) if entry and field in entry.entries else english

    def _sentence(self, section: str, key: str, field: str, english: str, parameters: Mapping[str, int]) -> str:
        sentence = self._translated(section, key, field, english)
        return fill(sentence, {name: self.number(value, name) for name, value in parameters.items()})


def _below(held: Table, *path: str) -> Table:
    """The mapping under these keys; an absent one is empty."""
    for key in path:
        held = table(held.entries.get(key), key)
    return held


def _of(entries: Table, key: str, english: tuple[str, ...]) -> Table | None:
    entry = entries.entries.get(key)
    if not isinstance(entry, Table):
        return None
    mark = entry.entries.get("of")
    return entry if isinstance(mark, Scalar) and mark.value == fingerprint(*english) else None
