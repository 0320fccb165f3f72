"""Strict JSON: what is right is read as Python reads it, what is wrong is refused with its place."""

import json
import time

import pytest

from buckspec.formats.strict_json import StrictJsonError, parse


@pytest.mark.parametrize(
    "text",
    [
        "{}", "[]", '""', "0", "-0", "-17", "999999999999999999", "true", "false", "null", ' \t\r\n[1 , 2]\r\n',
        '{"a":{"b":[null,{"c":"d"}]},"e":""}', r'"\"\\\/\b\f\n\r\tA é ♥ 😀"', '"a\u2028b"', '"\x7f"',
        "[" * 64 + "]" * 64,
    ],
)  # fmt: skip
def test_what_is_right_is_read_as_python_reads_it(text: str) -> None:
    assert parse(text.encode()) == json.loads(text)


def test_every_recorded_log_is_read_as_python_reads_it(recorded: list[bytes]) -> None:
    assert all(parse(raw) == json.loads(raw) for raw in recorded)


FAULTS = {
    '{"seat":0,\n "do":1,\n "seat":1}': (3, 2, "the same key twice", '"seat"'),
    '{"a":{"b":1,"b":1}}': (1, 13, "the same key twice", '"b"'),
    r'{"a":1,"\u0061":1}': (1, 8, "the same key twice", '"a"'),
    "[NaN]": (1, 2, "not a number", '"NaN"'),
    "[-Infinity]": (1, 2, "not a number", '"-Infinity"'),
    "[1e999]": (1, 2, "a number with a fraction or an exponent", "1e999"),
    "[25.0]": (1, 2, "a number with a fraction or an exponent", "25.0"),
    "[1E2]": (1, 2, "a number with a fraction or an exponent", "1E2"),
    "[1234567890123456789]": (1, 2, "a number that is too long", "1234567890123456789"),
    "[" + "7" * 5000 + "]": (1, 2, "a number that is too long", "777777777777777777… (5000 characters)"),
    "[01]": (1, 2, "not a number", '"01"'),
    "[+1]": (1, 2, "not a number", '"+1"'),
    "[.5]": (1, 2, "not a number", '".5"'),
    "[1.]": (1, 2, "not a number", '"1."'),
    "[0x10]": (1, 2, "not a number", '"0x10"'),
    "[True]": (1, 2, "not a value", '"True"'),
    "{'a':1}": (1, 2, "not a key", '"\'"'),
    "{a:1}": (1, 2, "not a key", '"a"'),
    '{"a":1,}': (1, 8, "not a key", '"}"'),
    "[1,]": (1, 4, "not a value", '"]"'),
    "[1 2]": (1, 4, "not the next part", '"2"'),
    '{"a" 1}': (1, 6, "not the next part", '"1"'),
    "[1]]": (1, 4, "more text after the end", '"]"'),
    "{}\n{}": (2, 1, "more text after the end", '"{"'),
    '"a\nb"': (1, 3, "a control character in a string", '"\\n"'),
    '"a\x1b[2J"': (1, 3, "a control character in a string", '"\\u001b"'),
    r'"\x41"': (1, 2, "not an escape", '"\\\\"'),
    r'"\u12g4"': (1, 2, "not an escape", '"\\\\"'),
    r'["\ud800"]': (1, 2, "not Unicode text", r'"\ud800"'),
    r'["\udc00\ud800"]': (1, 2, "not Unicode text", r'"\udc00\ud800"'),
    "[" * 65 + "]" * 65: (1, 65, "nested too deeply", "level 65"),
    "// no": (1, 1, "not a value", '"/"'),
    "hello": (1, 1, "not a value", '"hello"'),
    "é": (1, 1, "not a value", '"é"'),
    '{"é":1,"♥":2,"é":3}': (1, 14, "the same key twice", '"é"'),
}


@pytest.mark.parametrize(("text", "expected"), FAULTS.items(), ids=range(len(FAULTS)))
def test_what_is_wrong_is_refused_with_its_place(text: str, expected: tuple[int, int, str, str]) -> None:
    with pytest.raises(StrictJsonError) as refused:
        parse(text.encode())
    fault = refused.value.fault
    assert (fault.line, fault.column, fault.what, fault.found) == expected
    assert fault.expected
    assert not fault.ended


@pytest.mark.parametrize(
    "text", ["", " \n", "[", "[1", "[1,", "{", '{"a', '{"a"', '{"a":', '{"a":1', '"a\\', '"\\u00', "-", "tr", "[fals"]
)
def test_a_text_that_ends_too_soon_is_told_apart(text: str) -> None:
    with pytest.raises(StrictJsonError) as refused:
        parse(text.encode())
    assert refused.value.fault.ended


@pytest.mark.parametrize(
    ("raw", "what", "place"),
    [
        (b"\xef\xbb\xbf{}", "file begins with a byte order mark; save it without", (1, 1)),
        ("[]".encode("utf-16"), "not UTF-8 but UTF-16 or UTF-32; save it as UTF-8", (1, 1)),
        ("[]".encode("utf-16-le"), "not UTF-8 but UTF-16 or UTF-32; save it as UTF-8", (1, 1)),
        ("[]".encode("utf-32-be"), "not UTF-8 but UTF-16 or UTF-32; save it as UTF-8", (1, 1)),
        ('["é",\n"é'.encode() + b"\xff", "not UTF-8", (2, 3)),
        (b'["\xed\xa0\x80"]', "not UTF-8", (1, 3)),
        ("é".encode("latin-1"), "not UTF-8", (1, 1)),
    ],
)
def test_what_is_not_utf8_is_refused(raw: bytes, what: str, place: tuple[int, int]) -> None:
    with pytest.raises(StrictJsonError) as refused:
        parse(raw)
    fault = refused.value.fault
    assert (fault.what, (fault.line, fault.column)) == (what, place)


@pytest.mark.parametrize("sign", [b"[", b'{"a":', b'"', b"1", b'"\\n'])
def test_a_great_text_is_refused_at_once(sign: bytes) -> None:
    raw = b"[" + sign * (20_000_000 // len(sign))
    start = time.process_time()
    with pytest.raises(StrictJsonError):
        parse(raw)
    assert time.process_time() - start < 5  # far more than it takes; without a limit it would not end or crash


def test_places_are_those_of_keys_and_items() -> None:
    places: dict[tuple[str | int, ...], int] = {}
    parse(b'{"a": [1, {"b": 2}]}', places)
    assert places == {(): 0, ("a",): 1, ("a", 0): 7, ("a", 1): 10, ("a", 1, "b"): 11}
