"""JSON without its traps: no key twice, no fraction or exponent, no endless nesting, and a place for every
fault.

Python's own parser keeps the last of two equal keys, reads `NaN` and `1e999`, and ends with a RecursionError
on deep nesting. This one is slower and reads what the fast path of `game_log` does not take, mostly in order
to say why.
"""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import NoReturn

from buckspec.formats.wording import Step, harmless, shown

DEEPEST = 64
"""How many lists and objects may stand in each other."""
MOST_DIGITS = 18
"""How many digits a number may have, so that it fits into 64 bits everywhere."""

Path = tuple[Step, ...]
Places = dict[Path, int]
"""Where each value begins; for a member of an object, where its key does."""

_BLANK = re.compile(r"[ \t\n\r]*")
# Plain signs and escapes by turns, so that there is one way only to read a string, even one that never ends.
# (Possessive quantifiers would say it better, but before Python 3.11.5 they go wrong over a group.)
_PLAIN = r'[^"\\\x00-\x1f]*'
_IN_STRING = rf'{_PLAIN}(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{{4}}){_PLAIN})*'
_STRING = re.compile(f'"{_IN_STRING}"')
_STRING_SO_FAR = re.compile(f'"{_IN_STRING}')
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?P<more>(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)(?![0-9A-Za-z.+-])")
_WORD = re.compile(r"[-+.0-9A-Za-z_]+")
_SURROGATE = re.compile("[\ud800-\udfff]")
_WORDS = {"true": True, "false": False, "null": None}
_NOT_NUMBERS = ("NaN", "Infinity", "-Infinity")
_UTF8_MARK = b"\xef\xbb\xbf"
_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")


@dataclass(frozen=True)
class Fault:
    """Why a text is not strict JSON. Line and column count from 1, the column in characters.

    `ended` is true if the text stops before its value is complete, as the first line of a value on many lines
    does.
    """

    line: int
    column: int
    what: str
    found: str
    expected: str
    ended: bool = False

    def __str__(self) -> str:
        return f"{self.line}:{self.column}: {self.what}: found {self.found}; expected {self.expected}"


class StrictJsonError(ValueError):
    """The text is not strict JSON; `fault` says why and where."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(str(fault))
        self.fault = fault


def parse(raw: bytes, places: Places | None = None) -> object:
    """The one value in `raw`, of dict, list, str, int, bool and None. Fills `places`, if it is given.

    Raises StrictJsonError.
    """
    text = decoded(raw)
    return _Parser(text, places).whole()


def decoded(raw: bytes) -> str:
    """The text in `raw`, which must be UTF-8 without a byte order mark. Raises StrictJsonError."""
    if raw.startswith(_UTF8_MARK):
        raise _refusal("file begins with a byte order mark; save it without", "a byte order mark", "UTF-8 without it")
    if raw.startswith(_UTF16_MARKS) or b"\x00" in raw[: len(_UTF8_MARK)]:
        raise _refusal("not UTF-8 but UTF-16 or UTF-32; save it as UTF-8", shown_bytes(raw), "UTF-8")
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        before = raw[: error.start].decode("utf-8")
        line, column = position(before, len(before))
        found = shown_bytes(raw[error.start :])
        raise StrictJsonError(Fault(line, column, "not UTF-8", found, "text in UTF-8")) from None


def shown_bytes(raw: bytes) -> str:
    """The first two bytes, in hexadecimal."""
    return f"the bytes {raw[:2].hex(' ')}"


def _refusal(what: str, found: str, expected: str) -> StrictJsonError:
    return StrictJsonError(Fault(1, 1, what, found, expected))


def position(text: str, at: int) -> tuple[int, int]:
    """Line and column of the character at `at`, from 1."""
    return text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)


class _Parser:
    """One text and a place in it; recursive, which DEEPEST keeps within bounds."""

    def __init__(self, text: str, places: Places | None) -> None:
        self.text = text
        self.at = 0
        self.places = places

    def whole(self) -> object:
        self.skip()
        if self.at == len(self.text):
            self.fail("nothing to read", "a value", what_found="no text")
        value = self.value((), 1)
        self.skip()
        if self.at < len(self.text):
            self.fail("more text after the end", "one log a file, or one log a line")
        return value

    def value(self, path: Path, depth: int) -> object:
        if self.places is not None:
            self.places.setdefault(path, self.at)
        sign = self.text[self.at : self.at + 1]
        if sign == '"':
            return self.string()
        if sign in ("{", "["):
            if depth > DEEPEST:
                self.fail("nested too deeply", f"at most {DEEPEST} levels", what_found=f"level {depth}")
            return self.members(path, depth) if sign == "{" else self.listing(path, depth)
        return self.word()

    def members(self, path: Path, depth: int) -> dict[str, object]:
        held: dict[str, object] = {}
        firsts: dict[str, int] = {}

        def member() -> None:
            start = self.at
            if self.text[start : start + 1] != '"':
                self.fail("not a key", "a key in quotes")
            key = self.string()
            if key in held:
                line, column = position(self.text, firsts[key])
                self.at = start
                self.fail(
                    "the same key twice", f"each key once; the first is at {line}:{column}", what_found=shown(key)
                )
            firsts[key] = start
            if self.places is not None:
                self.places[(*path, key)] = start
            self.skip()
            self.expect(":")
            held[key] = self.value((*path, key), depth + 1)

        self.items("}", member)
        return held

    def listing(self, path: Path, depth: int) -> list[object]:
        items: list[object] = []
        self.items("]", lambda: items.append(self.value((*path, len(items)), depth + 1)))
        return items

    def items(self, end: str, item: Callable[[], None]) -> None:
        """Everything from the opening bracket to `end`, with commas between."""
        self.at += 1
        self.skip()
        if self.text[self.at : self.at + 1] == end:
            self.at += 1
            return
        while True:
            item()
            self.skip()
            sign = self.text[self.at : self.at + 1]
            if sign == end:
                self.at += 1
                return
            if sign != ",":
                self.fail("not the next part", f"a comma or {end}")
            self.at += 1
            self.skip()

    def string(self) -> str:
        match = _STRING.match(self.text, self.at)
        if match is None:
            so_far = _STRING_SO_FAR.match(self.text, self.at)
            self.at = so_far.end() if so_far else self.at
            escape = self.text[self.at : self.at + 1] == "\\"
            # an escape that the end of the text cuts off has nothing wrong with it yet
            if escape and re.fullmatch(r"\\(u[0-9a-fA-F]{0,3})?", self.text[self.at :]):
                self.at = len(self.text)
            if escape:
                self.fail("not an escape", "one of the escapes of JSON")
            self.fail("a control character in a string", "its escape")
        written = match[0]
        if "\\" not in written:
            self.at = match.end()
            return written[1:-1]
        text: str = json.loads(written)
        if _SURROGATE.search(text):
            self.fail("not Unicode text", "both halves of a surrogate pair", what_found=harmless(written))
        self.at = match.end()
        return text

    def word(self) -> object:
        number = _NUMBER.match(self.text, self.at)
        if number is None:
            word = _WORD.match(self.text, self.at)
            if word is None:
                self.fail("not a value", "a value")
            if word[0] in _WORDS:
                self.at = word.end()
                return _WORDS[word[0]]
            # an unfinished word or number at the very end may only have been cut off
            if word.end() == len(self.text) and (word[0] in ("-", "+") or any(w.startswith(word[0]) for w in _WORDS)):
                self.at = len(self.text)
            what = "not a number" if word[0] in _NOT_NUMBERS or word[0][0] in "-+.0123456789" else "not a value"
            self.fail(what, "a whole number" if what == "not a number" else "a value", what_found=shown(word[0]))
        digits = number[0]
        if number["more"]:
            self.fail("a number with a fraction or an exponent", "a whole number", what_found=_cut(digits))
        if len(digits.lstrip("-")) > MOST_DIGITS:
            self.fail("a number that is too long", f"at most {MOST_DIGITS} digits", what_found=_cut(digits))
        self.at = number.end()
        return int(digits)

    def skip(self) -> None:
        blank = _BLANK.match(self.text, self.at)
        self.at = blank.end() if blank else self.at

    def expect(self, sign: str) -> None:
        if self.text[self.at : self.at + 1] != sign:
            self.fail("not the next part", f"a {sign}")
        self.at += 1
        self.skip()

    def fail(self, what: str, expected: str, *, what_found: str | None = None) -> NoReturn:
        line, column = position(self.text, self.at)
        if self.at >= len(self.text):
            ended = "the text ends too soon" if what_found is None else what
            raise StrictJsonError(Fault(line, column, ended, what_found or "the end of the text", expected, ended=True))
        found = what_found or shown(self.text[self.at])
        raise StrictJsonError(Fault(line, column, what, found, expected))


def _cut(digits: str) -> str:
    if len(digits) <= MOST_DIGITS + MOST_DIGITS:
        return digits
    return f"{digits[:MOST_DIGITS]}… ({len(digits)} characters)"
