"""The kinds of message of the engine protocol, buckspec-engine/1, and how one is read.

As with game logs, the JSON Schemas decide and msgspec is quick. What msgspec reads is believed if a cheap second
look finds nothing that it cannot see: a key that stands twice shows as a colon that is gone when the message is
written again, and a few conditions between fields are asked directly. All else goes the slow way, where
`strict_json` and the schema decide and say why.
"""

import re
from collections.abc import Callable
from typing import Any, Generic, Literal, TypeAlias, TypeVar

import msgspec
from msgspec import UNSET, Struct

from buckspec.formats.strict_json import StrictJsonError, decoded, parse
from buckspec.formats.validate import problems
from buckspec_conformance import messages as of
from buckspec_conformance.messages import HandRequest, Step

VERSION = 1
"""The version of the protocol."""

Fault: TypeAlias = Literal[
    "absent",  # there is no such command, or it cannot be executed
    "ended",  # the process ended, or an exception came out
    "late",  # no answer in time
    "closed-stdin",
    "closed-stdout",
    "half-line",  # the process ended within a line
    "too-long",  # a line longer than the limit
    "banner",  # something else before the answer to hello
    "encoding",  # not UTF-8, or with a byte order mark
    "not-json",
    "no-id",
    "wrong-id",
    "twice",  # an answer that nobody asked for
    "shape",  # the schema refuses it
    "missing",  # fewer or more hands, steps or fields than announced
    "changed",  # another answer to hello than before
    "error",  # the engine says itself that it went wrong
    "unsupported",  # the engine cannot honour the request
]
IN_STEP: frozenset[Fault] = frozenset({"shape", "missing", "error", "unsupported"})
"""Faults of a line that is plainly the answer to its request. After any other, nobody can tell what the next line
answers, and the process must not be read on."""

M = TypeVar("M", bound=Struct)
encode = msgspec.json.Encoder().encode
"""A message, or plain values, as JSON in UTF-8."""
# A colon that is written as an escape is in the decoded text but not in the raw one.
_ESCAPED_COLON = re.compile(rb"\\u003[aA]")


class ProtocolError(ValueError):
    """A line that is not the message it should be. `fault` names the kind, the text says what and where."""

    def __init__(self, fault: Fault, message: str) -> None:
        super().__init__(message)
        self.fault: Fault = fault


# ---------------------------------------------------------------------- one message


class Form(Generic[M]):
    """One kind of message: its type, its schema, and what the type cannot say."""

    def __init__(self, kind: type[M], name: str, fits: Callable[[M], bool]) -> None:
        self.kind, self.name, self.fits = kind, name, fits
        self.decode: Callable[[bytes], M] = msgspec.json.Decoder(kind).decode

    def quick(self, raw: bytes) -> M | None:
        """The message in `raw`, or None if it is none or if that is not quickly seen."""
        try:
            message = self.decode(raw)
        except (msgspec.DecodeError, UnicodeDecodeError):
            return None
        if encode(message).count(b":") != raw.count(b":") or not self.fits(message):
            return None
        if b"\\" in raw and _ESCAPED_COLON.search(raw):
            return None
        return message

    def checked(self, value: object) -> M | None:
        """The message that these plain values hold, or None if it is none or if that is not quickly seen."""
        try:
            message = msgspec.convert(value, self.kind)
        except msgspec.ValidationError:
            return None
        return message if self.fits(message) else None

    def from_value(self, value: object) -> M:
        """The message that these plain values hold, decided by the schema. Raises ProtocolError."""
        found = problems(value, f"engine-{self.name}")
        if found:
            raise ProtocolError("shape", str(found[0]))
        return msgspec.convert(value, self.kind)

    def read(self, raw: bytes) -> M:
        """The message in `raw`. Raises ProtocolError."""
        message = self.quick(raw)
        return self.from_value(parsed(raw)) if message is None else message


def parsed(raw: bytes) -> object:
    """The value in a line, of dict, list, str, int, bool and None. Raises ProtocolError if it is not strict JSON."""
    fault: Fault = "encoding"
    try:
        decoded(raw)
        fault = "not-json"
        return parse(raw)
    except StrictJsonError as error:
        what = "not JSON: at" if fault == "not-json" else "at"
        raise ProtocolError(fault, f"{what} {error}") from None


def _any(_: Struct) -> bool:
    return True


def _fits_play_request(message: of.PlayRequest) -> bool:
    first = True
    for hand in message.hands:
        if (hand.dealer is UNSET) is first or not _fits_hand(hand):
            return False
        first = False
    return True


def _fits_hand(hand: HandRequest) -> bool:
    if hand.dealt is UNSET or hand.upcard is UNSET:
        return hand.dealt is hand.upcard and _distinct(hand.deck)
    return _distinct(hand.deck) and all(map(_distinct, hand.dealt))


def _distinct(cards: tuple[str, ...]) -> bool:
    return len(set(cards)) == len(cards)


def _fits_play_response(message: of.PlayResponse) -> bool:
    for hand in message.hands:
        afterwards = False
        for step in hand.steps:
            if step.accepted is UNSET and afterwards and step.error is UNSET:
                return False
            if step.accepted is False and step.reason is UNSET:
                return False
            if step.error is not UNSET and _fields_set(step) > 1:
                return False
            afterwards = True
    return True


def _fields_set(step: Step) -> int:
    return sum(value is not UNSET for value in msgspec.structs.astuple(step))


HELLO_REQUEST = Form(of.HelloRequest, "hello-request", _any)
PLAY_REQUEST = Form(of.PlayRequest, "play-request", _fits_play_request)
RECORD_REQUEST = Form(of.RecordRequest, "record-request", _any)
BYE_REQUEST = Form(of.ByeRequest, "bye-request", _any)
HELLO_RESPONSE = Form(of.HelloResponse, "hello-response", _any)
PLAY_RESPONSE = Form(of.PlayResponse, "play-response", _fits_play_response)
RECORD_RESPONSE = Form(of.RawRecordResponse, "record-response", _any)
UNSUPPORTED = Form(of.Unsupported, "refusal-response", _any)
ENGINE_ERROR = Form(of.EngineError, "refusal-response", _any)


def _word(form: Form[Any]) -> str:
    """The `op` of a request."""
    return str(form.kind.__struct_config__.tag)


REQUESTS: dict[str, Form[Any]] = {
    _word(form): form for form in (HELLO_REQUEST, PLAY_REQUEST, RECORD_REQUEST, BYE_REQUEST)
}
HELLO, PLAY, RECORD, BYE = REQUESTS
"""The operations, as the protocol writes them."""
RESULTS: dict[str, Form[Any]] = {HELLO: HELLO_RESPONSE, PLAY: PLAY_RESPONSE, RECORD: RECORD_RESPONSE}
