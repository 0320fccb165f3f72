"""The engine protocol, buckspec-engine/1: requests made ready, answers read and checked.

As with game logs, the JSON Schemas decide and msgspec is quick. What msgspec reads is believed if a cheap second
look finds nothing that it cannot see: a key that stands twice shows as a colon that is gone when the message is
written again, and a few conditions between fields are asked directly. All else goes the slow way, where
`strict_json` and the schema decide and say why.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from operator import attrgetter
from typing import Any, Generic, Literal, TypeAlias, TypeVar

import msgspec
from msgspec import UNSET, Struct

from buckspec.formats import game_log
from buckspec.formats.strict_json import StrictJsonError, decoded, parse
from buckspec.formats.validate import problems
from buckspec.formats.wording import shown
from buckspec_conformance import messages as of
from buckspec_conformance.messages import HandRequest, HandResponse, Request, Response, Result, Step

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
_ENCODE = msgspec.json.Encoder().encode
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
        if _ENCODE(message).count(b":") != raw.count(b":") or not self.fits(message):
            return None
        if b"\\" in raw and _ESCAPED_COLON.search(raw):
            return None
        return message

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
        raise ProtocolError(fault, f"at {error}") from None


def _any(_: Struct) -> bool:
    return True


def _fits_play_request(message: of.PlayRequest) -> bool:
    first, *later = message.hands
    dealers = first.dealer is not UNSET and all(hand.dealer is UNSET for hand in later)
    return dealers and all(map(_fits_hand, message.hands))


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


_REQUESTS: dict[str, Form[Any]] = {
    _word(form): form for form in (HELLO_REQUEST, PLAY_REQUEST, RECORD_REQUEST, BYE_REQUEST)
}
HELLO, PLAY, RECORD, BYE = _REQUESTS
"""The operations, as the protocol writes them."""
_RESULTS: dict[str, Form[Any]] = {HELLO: HELLO_RESPONSE, PLAY: PLAY_RESPONSE, RECORD: RECORD_RESPONSE}


def read_request(raw: bytes) -> Request:
    """The request in a line, of whichever operation. Raises ProtocolError."""
    for form in _REQUESTS.values():
        message = form.quick(raw)
        if message is not None:
            return _request(message)
    value = parsed(raw)
    word = value.get("op") if isinstance(value, dict) else None
    known = _REQUESTS.get(word) if isinstance(word, str) else None
    if known is None:
        raise ProtocolError("shape", f"found {shown(word)} as op; expected {', '.join(_REQUESTS)}")
    return _request(known.from_value(value))


def _request(message: Any) -> Request:
    found: Request = message
    return found


def read_response(raw: bytes, op: str) -> Response:
    """The answer in a line to a request of that operation, whichever its number. Raises ProtocolError."""
    quick = _quick_response(raw, op)
    return response_from_value(parsed(raw), op) if quick is None else quick


def _quick_response(raw: bytes, op: str) -> Response | None:
    message: Any = _RESULTS[op].quick(raw)
    if message is None:
        return UNSUPPORTED.quick(raw) or ENGINE_ERROR.quick(raw)
    if type(message) is of.RawRecordResponse:
        logs = [game_log.quick(bytes(log)) for log in message.logs]
        known = tuple(log for log in logs if log is not None)
        return of.RecordResponse(message.id, known) if len(known) == len(logs) else None
    found: Result = message
    return found


def response_from_value(value: object, op: str) -> Response:
    """The answer to a request of that operation that these plain values hold. Raises ProtocolError."""
    if isinstance(value, dict) and "unsupported" in value:
        return UNSUPPORTED.from_value(value)
    if isinstance(value, dict) and "error" in value:
        return ENGINE_ERROR.from_value(value)
    if op == RECORD:
        found = problems(value, f"engine-{RECORD_RESPONSE.name}")
        if found or not isinstance(value, dict):
            raise ProtocolError("shape", str(found[0]))
        return of.RecordResponse(value["id"], tuple(_log(log, at) for at, log in enumerate(value["logs"])))
    message: Result = _RESULTS[op].from_value(value)
    return message


def _log(value: object, at: int) -> game_log.GameLog:
    """One log of a record. Two cards that stand twice are seen only here, as no schema can say so."""
    try:
        return game_log.from_value(value)
    except game_log.LogError as error:
        raise ProtocolError("shape", f"logs[{at}]: {error}") from None


# ---------------------------------------------------------------------- requests made ready


class Prepared(Struct, frozen=True, gc=False):
    """A request that was checked and written once, to be sent as often as is wanted.

    `rest` is its line but for the number; `shape` has the number of events of each hand.
    """

    op: str
    rest: bytes
    shape: tuple[int, ...] = ()

    def line(self, number: int) -> bytes:
        """The line to send, with its end, as request of that number."""
        return b'{"id":%d,' % number + self.rest


def prepare(request: Mapping[str, object]) -> Prepared:
    """A request made ready from its plain values; an `id` among them is left out.

    Raises ProtocolError if it is not a request, which is the fault of whoever made it.
    """
    body = _ENCODE({key: value for key, value in request.items() if key != "id"})
    prepared = Prepared(str(request.get("op")), body[1:] + b"\n")
    message = read_request(prepared.line(1))
    if type(message) is of.PlayRequest:
        return Prepared(prepared.op, prepared.rest, tuple(len(hand.events) for hand in message.hands))
    return prepared


@cache
def greeting() -> Prepared:
    """The request `hello`."""
    return prepare({"op": HELLO, "protocol": VERSION})


@cache
def farewell() -> Prepared:
    """The request `bye`."""
    return prepare({"op": BYE})


# ---------------------------------------------------------------------- an answer and its request


@dataclass(frozen=True)
class Reports:
    """The fields that every step of an engine must hold: those that it named in its answer to hello."""

    fields: tuple[str, ...] = ()
    clause: bool = False

    @cached_property
    def state(self) -> Callable[[Step], tuple[object, ...]] | None:
        """What takes the fields out of a step, if there are any."""
        fields = self.fields
        return attrgetter(fields[0], *fields) if fields else None

    @staticmethod
    def of(hello: of.HelloResponse) -> "Reports":
        """What that engine reports."""
        named = dict.fromkeys(hello.reports)
        return Reports(tuple(name for name in named if name != "clause"), "clause" in named)

    def absent(self, step: Step) -> list[str]:
        """The fields that are not in the step, although they should be."""
        missing = [name for name in self.fields if getattr(step, name) is UNSET]
        return [*missing, "clause"] if self.unexplained(step) else missing

    def unexplained(self, step: Step) -> bool:
        """The step is a refusal that does not name its clause, although this engine names them."""
        return self.clause and step.accepted is False and step.clause is UNSET


def check_complete(message: of.PlayResponse, shape: tuple[int, ...], reports: Reports) -> None:
    """Raise ProtocolError if hands, steps or fields are missing or too many.

    A hand that is refused as a whole has one step and no state; an error may end the steps of its hand.
    """
    if len(message.hands) != len(shape):
        raise ProtocolError("missing", f"found {len(message.hands)} hands; expected {len(shape)}, as in the request")
    state, clause = reports.state, reports.clause
    for place in range(len(shape)):
        hand, events = message.hands[place], shape[place]
        steps = hand.steps
        if len(steps) != events + 1 and not _ended_early(steps, events):
            _wrong_number(place, hand, events)
        for step in steps:
            lacks = (state is not None and UNSET in state(step)) or (clause and reports.unexplained(step))
            if lacks and step.error is UNSET and not _refused(steps):
                raise ProtocolError("missing", _lacking(message, reports))


def _refused(steps: tuple[Step, ...]) -> bool:
    """The hand was refused as a whole."""
    return len(steps) == 1 and steps[0].accepted is False


def _ended_early(steps: tuple[Step, ...], events: int) -> bool:
    return _refused(steps) or (len(steps) <= events and steps[-1].error is not UNSET)


def _wrong_number(place: int, hand: HandResponse, events: int) -> None:
    raise ProtocolError(
        "missing",
        f"hands[{place}]: found {len(hand.steps)} steps; expected {events + 1}: one after the deal and one for each "
        f"of the {events} events, refused ones too",
    )


def _lacking(message: of.PlayResponse, reports: Reports) -> str:
    """The first step without a field, in words."""
    for place, hand in enumerate(message.hands):
        for at, step in enumerate(hand.steps):
            absent = [] if step.error is not UNSET or _refused(hand.steps) else reports.absent(step)
            if absent:
                names = " and ".join(shown(name) for name in absent)
                return f"hands[{place}].steps[{at}]: found no {names}; expected what reports names in hello"
    raise AssertionError("asked for a step that lacks a field, and none does")


def read_answer(line: bytes, number: int, request: Prepared, reports: Reports) -> Response:
    """The answer to the request of that number in a line without its end. Raises ProtocolError."""
    message = _quick_response(line, request.op)
    if message is None:
        value = parsed(line)
        if not isinstance(value, dict):
            raise ProtocolError("not-json", f"found {shown(value)}; expected an object")
        if "error" not in value or "id" in value:
            _check_number(value.get("id"), number, absent="id" not in value)
        message = response_from_value(value, request.op)
    elif message.id != number and message.id is not UNSET:
        _check_number(message.id, number)
    if type(message) is of.PlayResponse:
        check_complete(message, request.shape, reports)
    return message


def _check_number(found: object, number: int, *, absent: bool = False) -> None:
    """Raise ProtocolError if this is not the number of the request."""
    if type(found) is int and found == number:
        return
    if absent:
        raise ProtocolError("no-id", f"found no id; expected {number}, that of the request")
    if type(found) is int and found == number - 1:
        raise ProtocolError("twice", f"found a second answer to request {found}; expected that to {number}")
    raise ProtocolError("wrong-id", f"found {shown(found)} as id; expected {number}, that of the request")
