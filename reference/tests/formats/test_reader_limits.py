"""YAML, and what is too large to be read: each is one clear Unreadable, soon and with little memory."""

import io
import json
import os
import threading
import time
import tracemalloc
from pathlib import Path

import pytest

from buckspec.formats import reader
from buckspec.formats.reader import Read, Readable, Unreadable, read
from buckspec.formats.vocabulary import Vocabulary

LOG = (Path(__file__).parents[1] / "cases" / "contract" / "log.json").read_bytes()
GOOD = json.dumps(json.loads(LOG)).encode()


def reads(raw: bytes, name: str = "game.json", vocabulary: Vocabulary | None = None) -> list[Read]:
    return list(read(io.BytesIO(raw), name, vocabulary))


def refused(raw: bytes, name: str = "game.json") -> Unreadable:
    (only,) = reads(raw, name)
    assert isinstance(only, Unreadable)
    assert str(only).isprintable()
    return only


# ---------------------------------------------------------------------- limits


def test_a_line_that_is_too_long_is_refused_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "LONGEST_LINE", 4096)
    long = GOOD + b" " * 10_000
    found = reads(GOOD + b"\n" + long + b"\n" + GOOD)
    assert [(type(one), one.line) for one in found] == [(Readable, 1), (Unreadable, 2), (Readable, 3)]
    assert "this line is too long" in str(found[1])
    assert [type(one) for one in reads(long + b"\n" + GOOD)] == [Unreadable, Readable]
    assert [type(one) for one in reads(long)] == [Unreadable]


def test_a_document_that_is_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "LARGEST_DOCUMENT", len(LOG))
    assert [type(one) for one in reads(LOG)] == [Readable]
    assert "this document is too large" in refused(LOG + b" ").message


def test_yaml_has_a_limit_of_its_own() -> None:
    long = YAML.encode() + b"#" * reader.LARGEST_YAML
    assert [type(one) for one in reads(long[: reader.LARGEST_YAML], "game.yaml")] == [Readable]
    message = "this document is too large; expected at most 1 MiB; a larger log is written in JSON"
    assert refused(long, "game.yaml").message == message


def test_yaml_takes_bounded_memory() -> None:
    raw = b"- a\n" * (reader.LARGEST_YAML // 4)
    tracemalloc.start()
    refused(raw, "game.yaml")
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 100 * reader.MEBIBYTE


@pytest.mark.parametrize("end", ["\r", "\x85", "\u2028", "\u2029"], ids=ascii)
def test_yaml_may_have_any_of_its_line_ends(end: str) -> None:
    assert [type(one) for one in reads(YAML.replace("\n", end).encode(), "game.yaml")] == [Readable]
    bad = refused(YAML.replace("do: order", "do: order, do: pass").replace("\n", end).encode(), "game.yaml")
    assert (bad.line, bad.column) == (7, 30)


@pytest.mark.parametrize("sign", [b"[", b"[\n", b'{"a":', b'"'])
def test_a_hundred_megabytes_of_brackets_fail_at_once(sign: bytes) -> None:
    raw = sign * (100_000_000 // len(sign))
    start = time.process_time()
    refused(raw)
    assert time.process_time() - start < 10  # far more than it takes


def test_json_lines_need_no_more_memory_than_a_line() -> None:
    source, sink = os.pipe()

    def write() -> None:
        with os.fdopen(sink, "wb") as stream:
            for _ in range(3000):
                stream.write(GOOD + b"\n")

    writer = threading.Thread(target=write)
    tracemalloc.start()
    writer.start()
    with os.fdopen(source, "rb") as stream:
        count = sum(isinstance(one, Readable) for one in read(stream, "<stdin>"))
    writer.join()
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert count == 3000
    assert most < 1_000_000 < 3000 * len(GOOD)


def test_a_stream_that_breaks_is_one_unreadable() -> None:
    class Broken(io.BytesIO):
        def readline(self, _size: int | None = -1, /) -> bytes:
            raise OSError(5, "Input/output error")

    (only,) = read(Broken(), "game.json")
    assert str(only) == "game.json:1: cannot be read: Input/output error; expected a file"


# ---------------------------------------------------------------------- YAML

YAML = """\
format: buckspec-log/1
profile: ohio
hands:
  - dealer: 3
    events:
      - {seat: 0, do: pass}
      - {seat: 1, do: order}
      - {seat: 3, do: discard, card: 9D}
"""


def test_yaml_is_read_by_the_ending_of_its_name(vocabulary: Vocabulary) -> None:
    for name in ("game.yaml", "GAME.YML"):
        (only,) = reads(YAML.encode(), name)
        assert isinstance(only, Readable)
        assert only.log.hands[0].dealer == 3
    (only,) = reads(YAML.replace("9D", "10♥").encode(), "game.yaml", vocabulary)
    assert isinstance(only, Readable)
    assert only.log.hands[0].events is not None
    assert only.log.hands[0].events[2].card == "TH"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("seat: 3", "seat: 4", "game.yaml:1: hands[0].events[2].seat: found 4"),
        ("do: order", "do: order, do: pass", "game.yaml:7:30: the same key twice; found do"),
        ("dealer: 3", "dealer: 3.0", 'game.yaml:1: hands[0].dealer: found "3.0"'),
        ("dealer: 3", "dealer: &a 3", "game.yaml:4:13: an anchor is not allowed; found &a"),
        ("hands:", "hands: [", "game.yaml:"),
        ("profile: ohio", 'profile: "\\e[31m"\nx: y', 'game.yaml:1: x: found the unknown key "x"'),
    ],
)
def test_bad_yaml_is_one_unreadable(old: str, new: str, message: str) -> None:
    assert YAML.count(old) == 1
    assert str(refused(YAML.replace(old, new).encode(), "game.yaml")).startswith(message)


def test_yaml_must_be_utf8() -> None:
    assert "byte order mark" in refused(b"\xef\xbb\xbf" + YAML.encode(), "game.yaml").message
    assert "UTF-16" in refused(YAML.encode("utf-16"), "game.yaml").message


def test_of_very_many_faults_the_first_is_told_and_how_many_were_looked_for() -> None:
    bad = json.dumps({"format": "buckspec-log/1", "profile": "ohio", "hands": [{"dealer": 9}] * 300}).encode()
    assert refused(bad).message.endswith("found 9; expected a whole number from 0 to 3 (and 99 or more)")
