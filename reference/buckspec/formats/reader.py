"""Game logs from a stream: one JSON document, JSON Lines, or YAML, each log with the place where it stands.

Nothing in a file stops the reading but its end: what cannot be read becomes an Unreadable, and the next line
follows. Memory stays bounded: JSON Lines are read line by line, and a document or a line has a greatest size.
"""

import os
import re
import traceback
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import BinaryIO, TypeAlias

from buckspec.formats.game_log import GameLog, LogError, decode, from_value
from buckspec.formats.strict_json import Fault, Places, StrictJsonError, decoded, parse, position
from buckspec.formats.validate import MOST, Problem
from buckspec.formats.vocabulary import Vocabulary
from buckspec.formats.wording import Step, harmless

MEBIBYTE = 2**20
LONGEST_LINE = 8 * MEBIBYTE
"""How many bytes a line may have; a game of 20 hands has some twenty thousand."""
LARGEST_DOCUMENT = 64 * MEBIBYTE
"""How many bytes a file may have that is one document in JSON."""
LARGEST_YAML = MEBIBYTE
"""How many bytes a file in YAML may have, where each value keeps its place and takes far more memory."""
PEEKED_LINES = 100
"""How many lines after a faulty first one are looked at, to tell lines with a log each from one document."""

_YAML = (".yaml", ".yml")
_LINES = (".jsonl", ".ndjson")
_OPENING = re.compile(rb"\s*[{\[]")
_FORMAT = "format"  # the key that every log has
_CLOSED = re.compile(rb"[}\]]\s*\Z")


@dataclass(frozen=True)
class Readable:
    """A log that was read: its file as it was named, the line where it begins, and what it says."""

    file: str
    line: int
    log: GameLog


@dataclass(frozen=True)
class Unreadable:
    """A log that cannot be read, and why.

    Lines and columns count from 1. `path` is where in the log it is, such as `hands[0].events[3].seat`; None if
    the text is no value at all. `others` says how many more faults there are. All texts are fit for a terminal.
    """

    file: str
    line: int
    column: int | None
    path: str | None
    message: str
    found: str
    expected: str
    others: int = 0
    trace: str | None = None

    def __str__(self) -> str:
        column = f":{self.column}" if self.column else ""
        return f"{self.file}:{self.line}{column}: {self.message}"


Read: TypeAlias = Readable | Unreadable


def read_path(path: str | Path, vocabulary: Vocabulary | None = None) -> Iterator[Read]:
    """The logs of a file. A file that is missing, is a folder or may not be read is one Unreadable."""
    name = os.fspath(path)
    if "\0" in name:
        yield _closed(name, "no file has such a name")
        return
    try:
        with Path(path).open("rb") as stream:
            yield from read(stream, name, vocabulary)
    except OSError as error:
        yield _closed(name, _why(error))


def read(stream: BinaryIO, name: str, vocabulary: Vocabulary | None = None) -> Iterator[Read]:
    """The logs of a stream, in order; at least one Read, for no log at all is unreadable too.

    `name` is what messages call it, and its ending says whether it is YAML. A vocabulary lets other spellings of
    its cards pass.
    """
    try:
        if name.lower().endswith(_YAML):
            yield from _yaml(stream, name, vocabulary)
        else:
            yield from _json(stream, name, vocabulary)
    except OSError as error:
        yield _closed(name, _why(error))


def _closed(name: str, why: str) -> Unreadable:
    return _unreadable(name, 1, None, f"cannot be read: {why}; expected a file", why, "a file")


def _why(error: OSError) -> str:
    return error.strerror or str(error)


def _unreadable(name: str, line: int, column: int | None, message: str, found: str, expected: str) -> Unreadable:
    return Unreadable(harmless(name), line, column, None, harmless(message), harmless(found), harmless(expected))


# ---------------------------------------------------------------------- JSON


def _json(stream: BinaryIO, name: str, vocabulary: Vocabulary | None) -> Iterator[Read]:
    lines = _lines(stream)
    first = next(lines, None)
    if first is None:
        yield _unreadable(name, 1, None, "nothing to read; expected a game log", "no text", "a game log")
        return
    number, raw = first
    if number == 1 and raw is not None and _no_lines(raw):
        yield _judged(name, number, raw, vocabulary)
        return
    ahead: list[bytes] = []
    if name.lower().endswith(_LINES) or raw is None or _whole(raw) or _lines_follow(stream, ahead):
        peeked = [(number + below, raw) for below, raw in enumerate(ahead, 1) if not raw.isspace()]
        following = _lines(stream, number + len(ahead))
        yield from (_line(name, number, raw, vocabulary) for number, raw in chain([first], peeked, following))
        return
    # a document keeps its blank lines at the top, so that its lines are those of the file
    size = number - 1 + len(raw) + sum(map(len, ahead))
    rest = stream.read(LARGEST_DOCUMENT + 1 - size) if size <= LARGEST_DOCUMENT else b""
    if size + len(rest) > LARGEST_DOCUMENT:
        yield _too_large(name, LARGEST_DOCUMENT, "many logs stand as JSON Lines, one on each line")
    else:
        yield _judged(name, 1, b"".join([b"\n" * (number - 1), raw, *ahead, rest]), vocabulary)


def _lines_follow(stream: BinaryIO, ahead: list[bytes]) -> bool:
    """One of the next lines is a log, so that the lines are one each, whatever is wrong with the first.

    No log holds another, so this is never so within a document. The lines are kept in `ahead`.
    """
    left = LONGEST_LINE
    while len(ahead) < PEEKED_LINES and left >= 0 and (raw := stream.readline(left + 1)):
        ahead.append(raw)
        left -= len(raw)
        if left >= 0 and _OPENING.match(raw) and _CLOSED.search(raw) and _is_log(raw):
            return True
    return False


def _is_log(raw: bytes) -> bool:
    if _FORMAT.encode() not in raw:
        return False
    try:
        found = parse(raw)
    except StrictJsonError:
        return False
    return isinstance(found, dict) and _FORMAT in found


def _lines(stream: BinaryIO, number: int = 0) -> Iterator[tuple[int, bytes | None]]:
    """Every line that is not blank, with its number, after the first `number`; None for one that is too long."""
    while raw := stream.readline(LONGEST_LINE + 1):
        number += 1
        if len(raw) > LONGEST_LINE:
            while raw and not raw.endswith(b"\n"):
                raw = stream.readline(LONGEST_LINE)
            yield number, None
        elif not raw.isspace():
            yield number, raw


def _no_lines(raw: bytes) -> bool:
    """The text is in an encoding in which its lines cannot even be told apart."""
    try:
        decoded(raw)
    except StrictJsonError as error:
        return b"\x00" in raw and error.fault.line == error.fault.column == 1
    return False


def _whole(raw: bytes) -> bool:
    """The first line is a value, or was meant as one: the file is JSON Lines."""
    try:
        decode(raw)
    except LogError:
        return True
    except StrictJsonError as error:
        if error.fault.ended:
            return False
        marked = raw.removeprefix(b"\xef\xbb\xbf")
        if marked != raw:
            return _whole(marked)
        # A first line with a fault in it may begin a document all the same, or be no JSON at all.
        return bool(_OPENING.match(raw) and _CLOSED.search(raw))
    return True


def _line(name: str, number: int, raw: bytes | None, vocabulary: Vocabulary | None) -> Read:
    if raw is None:
        most = LONGEST_LINE // MEBIBYTE
        expected = f"at most {most} MiB; a log may also stand in a file of its own, on many lines"
        return _unreadable(name, number, None, f"this line is too long; expected {expected}", "a longer line", expected)
    # without its end, so that what is cut off is told in this line and not at the beginning of the next
    return _judged(name, number, raw.rstrip(b"\r\n"), vocabulary)


def _too_large(name: str, most: int, instead: str) -> Unreadable:
    expected = f"at most {most // MEBIBYTE} MiB; {instead}"
    return _unreadable(name, 1, None, f"this document is too large; expected {expected}", "a larger document", expected)


def _judged(name: str, line: int, raw: bytes, vocabulary: Vocabulary | None) -> Read:
    """The log that begins in this line, or why there is none."""
    try:
        return Readable(harmless(name), line, decode(raw, vocabulary))
    except StrictJsonError as error:
        return _not_json(name, line, error.fault)
    except LogError as error:
        below, column = _place(raw, error.problems[0].at)
        return _misfit(name, line + below - 1, column, error.problems)
    except Exception as fault:  # noqa: BLE001 - whatever fails here, the other logs can still be read
        return _failed(name, line, fault)


def _failed(name: str, line: int, fault: Exception) -> Unreadable:
    what = harmless(" ".join(f"{type(fault).__name__}: {fault}".split()))
    trace = "".join(traceback.format_exception(fault))
    return Unreadable(harmless(name), line, None, None, what, "a fault of the reader", "a log", trace=trace)


def _not_json(name: str, line: int, fault: Fault) -> Unreadable:
    message = f"{fault.what}; found {fault.found}; expected {fault.expected}"
    return _unreadable(name, line + fault.line - 1, fault.column, message, fault.found, fault.expected)


def _misfit(name: str, line: int, column: int | None, found: list[Problem]) -> Unreadable:
    problem, others = found[0], len(found) - 1
    more = f" (and {others}{' or' if len(found) == MOST else ''} more)" if others else ""
    return Unreadable(
        harmless(name), line, column, problem.path, f"{problem}{more}", problem.found, problem.expected, others
    )


def _place(raw: bytes, at: tuple[Step, ...]) -> tuple[int, int]:
    """Line and column, from 1, of a place in a value; of what is nearest above it, if it is not there."""
    places: Places = {}
    parse(raw, places)
    while at not in places:
        at = at[:-1]
    return position(decoded(raw), places[at])


# ---------------------------------------------------------------------- YAML


def _yaml(stream: BinaryIO, name: str, vocabulary: Vocabulary | None) -> Iterator[Read]:
    from buckspec.document import load_document, plain
    from buckspec.problem import SpecError

    raw = stream.read(LARGEST_YAML + 1)
    if len(raw) > LARGEST_YAML:
        yield _too_large(name, LARGEST_YAML, "a larger log is written in JSON")
        return
    try:
        yield Readable(harmless(name), 1, from_value(plain(load_document(decoded(raw), name)), vocabulary))
    except StrictJsonError as error:
        yield _not_json(name, 1, error.fault)
    except LogError as error:
        yield _misfit(name, 1, None, error.problems)
    except SpecError as error:
        fault = error.problems[0]
        found, expected = fault.found or "", fault.expected or ""
        parts = (fault.what, f"found {found}" if found else "", f"expected {expected}" if expected else "")
        line, column = fault.place.line or 1, fault.place.column or None
        yield _unreadable(name, line, column, "; ".join(filter(None, parts)), found, expected)
    except Exception as fault:  # noqa: BLE001 - whatever fails here, the other files can still be read
        yield _failed(name, 1, fault)
