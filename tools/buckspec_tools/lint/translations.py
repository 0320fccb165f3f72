"""Every other language says all that the English texts say, as they are now."""

from collections.abc import Iterator
from pathlib import PurePosixPath

from buckspec.document import Scalar, Table
from buckspec.problem import Place, Problem, listed, nearest
from buckspec.sentences import ENGLISH, placeholders
from buckspec_tools.lint.english import ENGLISH_FILE, EnglishTexts, Entry
from buckspec_tools.lint.folder import Folder, below, scalars, textual
from buckspec_tools.lint.forms import Style, check_sentence, check_words, style

_OF = "of"
_ABOUT = ("language", "name", "letters", "numbers", "feminine")
_SPOKEN = ("clauses", "questions", "readings")
_OPTIONAL = ("avoid", "letter")
_NESTED = "values"  # its entries stand under the domain


def check_translations(english: EnglishTexts, folder: Folder) -> Iterator[Problem]:
    """What is missing, stale, surplus or badly formed in the files of other languages."""
    yield from _names(folder)
    for name, document in folder.under("i18n"):
        if name != ENGLISH_FILE:
            yield from _language(document, english)


def _names(folder: Folder) -> Iterator[Problem]:
    """A file is named after its language."""
    for name, document in folder.under("i18n"):
        tag, stem = textual(document.entries.get("language")), PurePosixPath(name).stem
        if tag is None or tag.text != stem:
            place = tag.place if tag else document.place
            yield Problem(place, "a file is named after its language", tag.text if tag else None, stem)
    numbers = folder.part("glossary.yaml", "numbers")
    if ENGLISH not in numbers:
        yield Problem(numbers.place, "no words for numbers", expected=f"numbers: {ENGLISH}")


def _language(document: Table, english: EnglishTexts) -> Iterator[Problem]:
    letters = textual(document.entries.get("letters"))
    own_style = style(below(document, "terms"), letters.text if letters else "")
    known: dict[str, dict[str, Entry]] = {}
    for entry in english.entries:
        known.setdefault(entry.section, {})[entry.id] = entry
    top = Place(document.place.file, 1, 1)
    for key in document:
        if key not in (*_ABOUT, *known):
            yield Problem(document.keys[key], "no such part of a translation", key, meant=nearest(key, known))
    for section, entries in known.items():
        if section not in document.entries:
            yield Problem(top, "a part of the translation is missing", expected=f"{section}:")
            continue
        there, place = _entries(document, section), document.keys[section]
        for id_, entry in entries.items():
            if id_ not in there:
                yield Problem(place, "a translation is missing", expected=f"{section}: {id_} of “{entry.mark}”")
                continue
            node, where = there[id_]
            if isinstance(node, Table):
                yield from _entry(node, where, entry, own_style)
            else:
                yield Problem(
                    where, "a translation says what it translates", id_, f"{_OF}: “{entry.mark}”, and the text"
                )
        for id_, (_, where) in there.items():
            if id_ not in entries:
                yield Problem(where, "a translation of nothing", f"{section}: {id_}", meant=nearest(id_, entries))
    yield from _twice(document, known)
    yield from _feminine(document, english)


def _entries(document: Table, section: str) -> dict[str, tuple[object, Place]]:
    held = below(document, section)
    if section != _NESTED:
        return {id_: (node, held.keys[id_]) for id_, node in held.entries.items()}
    return {
        f"{domain}.{value}": (node, below(names).keys[value])
        for domain, names in held.entries.items()
        for value, node in below(names).entries.items()
    }


def _entry(node: Table, where: Place, entry: Entry, own_style: Style) -> Iterator[Problem]:
    mark = node.entries.get(_OF)
    found = mark.text if isinstance(mark, Scalar) else None
    if found is None:
        yield Problem(where, "a translation says what it translates", entry.id, f"{_OF}: “{entry.mark}”")
    elif found != entry.mark and mark is not None:
        what = "the English text has changed since it was translated"
        yield Problem(mark.place, what, found, f"“{entry.mark}”, once the text has been looked at; see {entry.place}")
    for key in node:
        if key not in (_OF, *entry.texts, *_OPTIONAL):
            yield Problem(node.keys[key], "the English text has no such key", key, listed(tuple(entry.texts)))
    for key, text in entry.texts.items():
        own = textual(node.entries.get(key))
        if own is None:
            yield Problem(where, "the translation lacks a text", entry.id, f"{key}:")
        else:
            if found == entry.mark:
                yield from _placeholders(own, text)
            yield from _form(own, entry, own_style)


def _placeholders(own: Scalar, text: Scalar) -> Iterator[Problem]:
    here, there = placeholders(str(own.value)), placeholders(str(text.value))
    if here != there:
        yield Problem(own.place, "other placeholders than in English", _shown(here), _shown(there))


def _form(own: Scalar, entry: Entry, own_style: Style) -> Iterator[Problem]:
    if entry.section in _SPOKEN:
        names = placeholders(str(own.value))  # whether they are the right ones is another question
        yield from check_sentence(own, own_style, names, is_question=entry.section == "questions")
    else:
        yield from check_words(own, own_style)


def _shown(names: frozenset[str]) -> str:
    return " ".join(f"{{{name}}}" for name in sorted(names)) or "none"


def _twice(document: Table, known: dict[str, dict[str, Entry]]) -> Iterator[Problem]:
    """One translation for two clauses, or two questions, that say different things."""
    for section in _SPOKEN[:2]:
        seen: dict[str, Entry] = {}
        for id_, node in below(document, section).entries.items():
            entry = known.get(section, {}).get(id_)
            for own in (textual(below(node).entries.get(key)) for key in entry.texts) if entry else ():
                if own is None or entry is None:
                    continue
                other = seen.setdefault(own.text, entry)
                if other.mark != entry.mark:
                    found = f"also that of {other.id}"
                    yield Problem(own.place, "one translation for two different sentences", found, "two sentences")


def _feminine(document: Table, english: EnglishTexts) -> Iterator[Problem]:
    for name in scalars(below(document, "feminine").entries.get("parameters")):
        if name.text not in english.parameters:
            meant = nearest(name.text, english.parameters)
            yield Problem(name.place, "unknown parameter", name.text, listed(english.parameters), meant)
