"""The form of a sentence: short, in plain words, and in the words of the glossary."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from buckspec.document import Scalar, Table
from buckspec.problem import Problem, listed, nearest
from buckspec.sentences import PLACEHOLDER
from buckspec_tools.lint.folder import scalars, textual

LONGEST = 25  # words of a sentence that a referee reads out
_ENDINGS = "s|es|d|ed|ing"  # of a word that is avoided in every form
_IDENTIFIER = re.compile(r"\w*_\w+|\w*[a-zß-ÿ][A-Z]\w*|\w+(?:\.[\w-]*\w)+", re.ASCII)
_STOP, _QUESTION_MARKS = ".", "?¿"
_SIGNS = " ,.;:'-\n"
_LATIN = "abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True)
class Style:
    """What the sentences of one language may have: letters besides a to z, and by word to avoid the right one."""

    letters: str = ""
    avoid: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def avoided(self) -> re.Pattern[str]:
        """Every word to avoid, in every form of it."""
        words = "|".join(re.escape(word) for word in self.avoid)
        return re.compile(rf"\b(?P<word>{words})(?:{_ENDINGS})?\b", re.IGNORECASE)


def style(terms: Table, letters: str = "") -> Style:
    """The style that a glossary asks for."""
    avoid = {}
    for entry in terms.entries.values():
        name = textual(entry.entries.get("name")) if isinstance(entry, Table) else None
        if isinstance(entry, Table) and name is not None:
            avoid.update({item.text.lower(): name.text for item in scalars(entry.entries.get("avoid"))})
    return Style(letters, avoid)


def check_sentence(
    sentence: Scalar, style_: Style, names: Iterable[str], is_question: bool = False
) -> Iterator[Problem]:
    """The faults in the form of what a clause says, of a question or of a reading; `names` can stand in braces."""
    text = str(sentence.value)
    words = len(text.split())
    if words > LONGEST:
        yield Problem(sentence.place, "the sentence is too long to be read out", f"{words} words", f"at most {LONGEST}")
    yield from check_placeholders(sentence, names)
    plain = _blanked(PLACEHOLDER, text)
    for match in _IDENTIFIER.finditer(plain):
        yield Problem(sentence.at(match.start()), "an identifier in a sentence", match[0], "words that people say")
    plain = _blanked(_IDENTIFIER, plain)
    known = {*_SIGNS, *_LATIN, *_LATIN.upper(), *style_.letters, *style_.letters.upper()}
    if is_question:
        known |= set(_QUESTION_MARKS)
    odd = next((at for at, sign in enumerate(plain) if sign not in known), None)
    if odd is not None:
        expected = "the number in words" if plain[odd].isdecimal() else "words"
        yield Problem(sentence.at(odd), "a sign that cannot be read out", plain[odd], expected)
    stop = _QUESTION_MARKS[0] if is_question else _STOP
    if not text.rstrip().endswith(stop):
        yield Problem(sentence.place, "the sentence does not end", (text.split() or ["nothing"])[-1], stop)
    yield from check_words(sentence, style_)


def check_words(sentence: Scalar, style_: Style) -> Iterator[Problem]:
    """The words that the glossary has better ones for."""
    if not style_.avoid:
        return
    for match in style_.avoided.finditer(str(sentence.value)):
        better = style_.avoid[match["word"].lower()]
        yield Problem(sentence.at(match.start()), "a word to avoid", f"“{match[0]}”", f"“{better}”")


def check_placeholders(sentence: Scalar, names: Iterable[str]) -> Iterator[Problem]:
    """The names in braces for which nothing would stand there."""
    known = list(names)
    for match in PLACEHOLDER.finditer(str(sentence.value)):
        if match[1] not in known:
            expected = listed([f"{{{name}}}" for name in known]) if known else "none"
            meant = nearest(match[1], known)
            yield Problem(
                sentence.at(match.start()), "unknown placeholder", match[0], expected, f"{{{meant}}}" if meant else None
            )


def _blanked(pattern: re.Pattern[str], text: str) -> str:
    """The text with blanks for what matches, so that all the rest stays where it was."""
    return pattern.sub(lambda match: " " * len(match[0]), text)
