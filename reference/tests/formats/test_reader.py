"""Every input gives its logs, and exactly one clear Unreadable for what is not one; nothing ends the reading early."""

import io
import json
import os
import subprocess
import sys
import tracemalloc
from pathlib import Path

import pytest

from buckspec.formats import reader
from buckspec.formats.reader import Read, Readable, Unreadable, read, read_path
from buckspec.formats.vocabulary import Vocabulary

CONTRACT = Path(__file__).parents[1] / "cases" / "contract" / "log.json"
LOG = CONTRACT.read_bytes()
GOOD = json.dumps(json.loads(LOG)).encode()


def reads(raw: bytes, name: str = "game.json", vocabulary: Vocabulary | None = None) -> list[Read]:
    return list(read(io.BytesIO(raw), name, vocabulary))


def refused(raw: bytes, name: str = "game.json") -> Unreadable:
    """The one Unreadable that this input gives, fit for a terminal and in one line."""
    (only,) = reads(raw, name)
    assert isinstance(only, Unreadable)
    assert str(only).isprintable()
    assert only.message
    return only


def changed(old: str, new: str) -> bytes:
    assert GOOD.decode().count(old) >= 1, old
    return GOOD.decode().replace(old, new, 1).encode()


DEALER = '"dealer": 3'
SEAT = '"seat": 2,'
START = "[25, 25, 25, 25]"
FIRST = '"9C", "KC"'
# What is wrong, where in the text the message points (at the end, if it is nowhere in it), and the message.
BAD: dict[str, tuple[bytes, str, str]] = {
    "no JSON": (b"Ana deals, Bo passes", "Ana", 'not a value; found "Ana"; expected a value'),
    "duplicate keys": (
        changed(SEAT, f'{SEAT} "seat" : 2,'), '"seat" :',
        'the same key twice; found "seat"; expected each key once; the first is at 1:500',
    ),
    "NaN": (changed(DEALER, '"dealer": NaN'), "NaN", 'not a number; found "NaN"; expected a whole number'),
    "1e999": (
        changed(DEALER, '"dealer": 1e999'), "1e999",
        "a number with a fraction or an exponent; found 1e999; expected a whole number",
    ),
    "5,000 digits": (
        changed(DEALER, f'"dealer": {"9" * 5000}'), "9999",
        "a number that is too long; found 999999999999999999… (5000 characters); expected at most 18 digits",
    ),
    "deep nesting": (
        changed(DEALER, f'"dealer": {"[" * 61}\t[ {"[" * 40}'), "[ [",
        "nested too deeply; found level 65; expected at most 64 levels",
    ),
    "wrong version": (
        changed("log/1", "log/2"), '"format"', 'format: found "buckspec-log/2"; expected "buckspec-log/1"',
    ),
    "true as a seat": (
        changed(SEAT, '"seat": true,'), '"seat": true',
        "hands[0].events[3].seat: found true; expected a whole number from 0 to 3",
    ),
    "25.0 as a seat": (
        changed(SEAT, '"seat": 25.0,'), "25.0",
        "a number with a fraction or an exponent; found 25.0; expected a whole number",
    ),
    "seat 4": (
        changed(SEAT, '"seat": 4,'), '"seat": 4',
        "hands[0].events[3].seat: found 4; expected a whole number from 0 to 3",
    ),
    "card on pass": (
        changed('"do": "pass"', '"do": "pass", "card" : "9C"'), '"card" :',
        'hands[0].events[0].card: found the unknown key "card"; expected no other key than seat or do',
    ),
    "23 cards": (
        changed(FIRST, '"9C"'), '"deck"', "hands[0].deck: found 23 of them; expected a list of exactly 24",
    ),
    "25 cards": (
        changed(FIRST, '"9C", "??", "KC"'), '"deck"',
        "hands[0].deck: found 25 of them; expected a list of exactly 24",
    ),
    "a card twice": (
        changed(FIRST, '"9C" , "9C"'), '"9C", "TC"',
        'hands[0].deck[1]: found "9C" again; expected it once; the first is hands[0].deck[0]',
    ),
    "three players": (
        changed('"Cy", ', ""), '"players"', "players: found 3 of them; expected a list of exactly 4",
    ),
    "huge totals": (
        changed(START, "[25, 25, 25, 2500000]"), "2500000",
        "start.totals[3]: found 2500000; expected a whole number from -1000000 to 1000000",
    ),
    "byte order mark": (
        b"\xef\xbb\xbf" + GOOD, "\ufeff",
        "file begins with a byte order mark; save it without; found a byte order mark; expected UTF-8 without it",
    ),
    "Latin-1": (
        changed("Ana", "Aña").decode().encode("latin-1"), "\ufffd",
        "not UTF-8; found the bytes f1 61; expected text in UTF-8",
    ),
    "cut off": (
        LOG[:-40], "", "the text ends too soon; found the end of the text; expected a comma or ]",
    ),
    "two documents": (
        LOG + b"\n" + LOG.replace(b"{", b"{ ", 1), "{ ",
        'more text after the end; found "{"; expected one log a file, or one log a line',
    ),
    "several faults": (
        changed(DEALER, '"dealer": 4').replace(b"pass", b"pas"), '"dealer"',
        "hands[0].dealer: found 4; expected a whole number from 0 to 3 (and 1 more)",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("raw", "where", "message"), BAD.values(), ids=BAD)
def test_a_bad_input_is_one_unreadable_with_its_place(raw: bytes, where: str, message: str) -> None:
    text = raw.decode("utf-8", "replace")
    before = text[: text.index(where)] if where else text
    place = f"{before.count(chr(10)) + 1}:{len(before) - before.rfind(chr(10))}"
    assert str(refused(raw)) == f"game.json:{place}: {message}"


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        (b"", "1: nothing to read; expected a game log"),
        (b"\n \r\n\n", "1: nothing to read; expected a game log"),
        (
            GOOD.decode().encode("utf-16"),
            "1:1: not UTF-8 but UTF-16 or UTF-32; save it as UTF-8; found the bytes ff fe; expected UTF-8",
        ),
        (
            LOG.decode().encode("utf-16-be"),
            "1:1: not UTF-8 but UTF-16 or UTF-32; save it as UTF-8; found the bytes 00 7b; expected UTF-8",
        ),
    ],
    ids=["nothing", "blank lines", "UTF-16", "UTF-16 without a mark"],
)
def test_what_has_no_lines_is_one_unreadable(raw: bytes, message: str) -> None:
    assert str(refused(raw)) == f"game.json:{message}"


@pytest.mark.parametrize("name", [name for name, (raw, *_) in BAD.items() if b"\n" not in raw])
def test_the_lines_after_a_bad_one_still_come(name: str) -> None:
    raw, _, message = BAD[name]
    first, bad, last = reads(GOOD + b"\n" + raw + b"\n" + GOOD)
    assert (type(first), type(bad), type(last)) == (Readable, Unreadable, Readable)
    assert (bad.line, last.line) == (2, 3)
    assert str(bad).endswith(message)


@pytest.mark.parametrize(
    "raw", [LOG, GOOD, LOG.replace(b"\n", b"\r\n"), b"\n\n " + LOG + b"\n\n", GOOD.replace(b" ", b"\n")]
)
def test_one_document_is_read_in_any_layout(raw: bytes) -> None:
    (only,) = reads(raw)
    assert isinstance(only, Readable)
    assert (only.file, only.log.id) == ("game.json", "table-7")


def test_json_lines_are_read_with_their_lines() -> None:
    found = reads(b"\n" + GOOD + b"\r\n\r\n" + GOOD + b"\n{\n" + GOOD)
    assert [(type(one), one.line) for one in found] == [(Readable, 2), (Readable, 4), (Unreadable, 5), (Readable, 6)]


def test_a_last_line_that_is_cut_off_is_refused_alone() -> None:
    first, last = reads(GOOD + b"\n" + GOOD[:-30])
    assert isinstance(first, Readable)
    assert isinstance(last, Unreadable)
    assert str(last).startswith(f"game.json:2:{len(GOOD) - 29}: the text ends too soon; found the end of the text")


def test_a_mark_before_json_lines_costs_the_first_line_only() -> None:
    first, second = reads(b"\xef\xbb\xbf" + GOOD + b"\n" + GOOD)
    assert isinstance(first, Unreadable)
    assert "byte order mark" in first.message
    assert isinstance(second, Readable)


def test_a_bad_first_line_does_not_cost_the_others() -> None:
    for bad in (b'{"a": 1, "a": 2}', b"[NaN]", b"{}", b"3"):
        first, second = reads(bad + b"\n" + GOOD)
        assert (type(first), type(second)) == (Unreadable, Readable), bad
    # the name can say what the first line cannot
    assert [type(one) for one in reads(b"what\n" + GOOD, "games.ndjson")] == [Unreadable, Readable]


@pytest.mark.parametrize(
    "bad",
    [GOOD[:500], b"hello", b"# comment", b"\xef\xbb\xbfhello", b"\xff\xfe{}", b'{"format": "buck', b"{", b"[", b"}"],
    ids=ascii,
)
@pytest.mark.parametrize("more", [b"", b"\n\n", b"{}\nwhat\n" * 40], ids=["at once", "blank lines", "more faults"])
def test_a_faulty_first_line_does_not_swallow_the_others(bad: bytes, more: bytes) -> None:
    """The name says nothing, as on standard input; that lines with logs follow says that each line is one."""
    others = sum(not line.isspace() for line in more.splitlines(keepends=True))
    found = reads(bad + b"\n" + more + GOOD + b"\r\n" + GOOD[:90] + b"\n\n" + GOOD, "<stdin>")
    kinds = [Unreadable] * (1 + others) + [Readable, Unreadable, Readable]
    assert [type(one) for one in found] == kinds
    line = 2 + more.count(b"\n")
    assert [found[0].line, *(one.line for one in found[-3:])] == [1, line, line + 1, line + 3]


@pytest.mark.parametrize(
    "raw",
    [
        GOOD.replace(b'"start": {', b'"start":\n{').replace(b"}, ", b"}\n, "),
        GOOD.replace(b'"dealer"', b'\n"dealer"'),
        GOOD.replace(b", ", b"\n,"),
        GOOD.replace(b", ", b",\n").replace(b"{", b"{\n"),
        b"{\n" + GOOD[1:],
    ],
)
def test_a_document_whose_lines_look_like_values_is_one(raw: bytes) -> None:
    assert [type(one) for one in reads(raw, "<stdin>")] == [Readable]
    assert [type(one) for one in reads(raw[:-20], "<stdin>")] == [Unreadable]
    assert [type(one) for one in reads(raw.replace(b'"dealer": 3', b'"dealer": 9'), "<stdin>")] == [Unreadable]


def test_blank_lines_before_a_document_count_as_part_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "LARGEST_DOCUMENT", 2 * len(LOG))
    assert [type(one) for one in reads(b"\n" * len(LOG) + LOG)] == [Readable]
    assert "too large" in refused(b"\n" * (len(LOG) + 1) + LOG).message
    tracemalloc.start()
    assert "too large" in refused(b"\n" * 3_000_000 + LOG).message
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 7_000_000  # the text of the test itself is there twice


def test_a_place_in_a_document_is_that_of_the_file() -> None:
    lines = LOG.split(b"\n")
    at = next(number for number, line in enumerate(lines) if b'"dealer"' in line)
    lines[at] = b'   "dealer": 9,'
    bad = refused(b"\n\n" + b"\n".join(lines))
    assert (bad.line, bad.column, bad.path) == (at + 3, 4, "hands[0].dealer")


NAMES = ["\x1b[31mred\x1b[0m", "a\u202eb\u2066", "zero\u200bwidth"]


@pytest.mark.parametrize("name", NAMES, ids=ascii)
def test_signs_that_a_terminal_obeys_are_read_and_never_printed(name: str) -> None:
    log = json.loads(LOG)
    log["players"][0] = log["id"] = name
    (only,) = reads(json.dumps(log).encode())
    assert isinstance(only, Readable)
    assert only.log.players is not None
    assert only.log.players[0] == name
    log[name] = name
    log["format"] = name
    bad = refused(json.dumps(log).encode(), f"{name}.json")
    assert bad.file.isprintable()
    assert bad.found.isprintable()


def test_a_file_is_read_by_its_path(tmp_path: Path) -> None:
    assert [type(one) for one in read_path(CONTRACT)] == [Readable]
    for path, why in (
        (tmp_path / "none.json", "No such file or directory"),
        (tmp_path, "Is a directory"),
        ("a\0b", "no file has such a name"),
    ):
        (only,) = read_path(path)
        assert isinstance(only, Unreadable)
        assert only.message == f"cannot be read: {why}; expected a file"
        assert str(only).isprintable()


def test_every_recorded_file_is_read_whole(cases: Path) -> None:
    for name, count in (("legal", 400), ("illegal", 400), ("games", 60)):
        found = list(read_path(cases / "ohio" / f"{name}.jsonl"))
        assert [one.line for one in found if isinstance(one, Readable)] == list(range(1, count + 1))


def test_other_spellings_are_read(vocabulary: Vocabulary) -> None:
    raw = changed('"card": "JH"', '"card": "Jh"').replace(b'"TH"', '"10♥"'.encode())
    refused(raw)
    (only,) = reads(raw, vocabulary=vocabulary)
    assert isinstance(only, Readable)
    (plain,) = reads(GOOD)
    assert isinstance(plain, Readable)
    assert only.log == plain.log


def test_a_good_log_does_not_wait_for_jsonschema() -> None:
    program = (
        "import sys; from buckspec.formats.reader import read_path; print(len(list(read_path(sys.argv[1]))));"
        "print('jsonschema' in sys.modules)"
    )
    path = os.pathsep.join(filter(None, sys.path))
    done = subprocess.run(
        [sys.executable, "-c", program, str(CONTRACT)],
        env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout.split() == ["1", "False"]
