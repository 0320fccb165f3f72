"""The engine protocol, buckspec-engine/1: requests made ready, answers read and held against their requests."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from operator import attrgetter
from typing import Any

import msgspec
from msgspec import UNSET, Struct

from buckspec.formats import game_log
from buckspec.formats.validate import problems
from buckspec.formats.wording import shown
from buckspec_conformance import messages as of
from buckspec_conformance.forms import (
    BYE,
    ENGINE_ERROR,
    HELLO,
    PLAY,
    PLAY_RESPONSE,
    RECORD,
    RECORD_RESPONSE,
    REQUESTS,
    RESULTS,
    UNSUPPORTED,
    VERSION,
    ProtocolError,
    encode,
    parsed,
)
from buckspec_conformance.messages import HandResponse, Request, Response, Result, Step


def read_request(raw: bytes) -> Request:
    """The request in a line, of whichever operation. Raises ProtocolError."""
    for form in REQUESTS.values():
        message = form.quick(raw)
        if message is not None:
            return _request(message)
    value = parsed(raw)
    word = value.get("op") if isinstance(value, dict) else None
    known = REQUESTS.get(word) if isinstance(word, str) else None
    if known is None:
        raise ProtocolError("shape", f"found {shown(word)} as op; expected {', '.join(REQUESTS)}")
    return _request(known.from_value(value))


def _request(message: Any) -> Request:
    found: Request = message
    return found


def read_response(raw: bytes, op: str) -> Response:
    """The answer in a line to a request of that operation, whichever its number. Raises ProtocolError."""
    quick = _quick_response(raw, op)
    return response_from_value(parsed(raw), op) if quick is None else quick


def _quick_response(raw: bytes, op: str) -> Response | None:
    message: Any = RESULTS[op].quick(raw)
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
    message: Result = RESULTS[op].from_value(value)
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


_FIRST = b'{"id":1,'


def prepare(request: Mapping[str, object]) -> Prepared:
    """A request made ready from its plain values; an `id` among them is left out.

    Raises ProtocolError if it is not a request, which is the fault of whoever made it.
    """
    values = {"id": 1, **request}
    values["id"] = 1
    op, rest = str(values.get("op")), encode(values)[len(_FIRST) :] + b"\n"
    message = REQUESTS[op].checked(values) if op in REQUESTS else None
    if message is None:
        message = read_request(_FIRST + rest)
    shape = tuple([len(hand.events) for hand in message.hands]) if type(message) is of.PlayRequest else ()
    return Prepared(op, rest, shape)


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

    def explained(self, refusal: Step) -> bool:
        """The refusal has a reason, and its clause where this engine names them."""
        return refusal.reason is not UNSET and (not self.clause or refusal.clause is not UNSET)

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


_DECODE = PLAY_RESPONSE.decode
_DECODE_LINES = msgspec.json.Decoder(of.PlayResponse).decode_lines
_ENCODE_LINES = msgspec.json.Encoder().encode_lines


def read_answer(line: bytes, number: int, request: Prepared, reports: Reports) -> Response:
    """The answer to the request of that number in a line without its end. Raises ProtocolError."""
    plain = _plain_answer(line, number, request, reports)
    if plain is not None:
        return plain
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


def _plain_answer(line: bytes, number: int, request: Prepared, reports: Reports) -> of.PlayResponse | None:
    """The answer in a line, if it is a plain one to a request for hands: most are. Else None."""
    try:
        message = _DECODE(line)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None
    if message.id != number or b"\\" in line or encode(message).count(b":") != line.count(b":"):
        return None
    return message if request.op == PLAY and _plain(message, request.shape, reports) else None


def read_together(
    lines: Sequence[bytes], first: int, requests: Sequence[Prepared], reports: Reports
) -> list[of.PlayResponse | None] | None:
    """The answers in these lines to requests for hands, numbered from `first`, read in one piece.

    Only plain ones: nothing is missing, no error, no hand that was refused. In the place of another stands None, and
    all is None if these are not plainly the answers to these requests; `read_answer` then tells what they are.
    """
    raw = b"\n".join(lines)
    if len(lines) != len(requests) or b"\\" in raw:
        return None
    # no text holds the end of a line and no value begins within another behind a brace: each line has whole values
    if {line[:1] for line in lines} != {b"{"} or {line[-1:] for line in lines} != {b"}"}:
        return None
    try:
        messages = _DECODE_LINES(raw)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None
    # as many values as lines, so one in each
    if [message.id for message in messages] != list(range(first, first + len(lines))):
        return None
    if _ENCODE_LINES(messages).count(b":") != raw.count(b":"):
        return None
    return [
        message if _plain(message, request.shape, reports) else None
        for message, request in zip(messages, requests)  # noqa: B905 - their number was compared
    ]


def _plain(message: of.PlayResponse, shape: tuple[int, ...], reports: Reports) -> bool:
    """Everything that was asked for is there, and nothing needs a second look: no error, no hand that was refused."""
    hands = message.hands
    if len(hands) != len(shape):
        return False
    state = reports.state
    for hand, events in zip(hands, shape):  # noqa: B905 - their number was compared
        steps = hand.steps
        if len(steps) != events + 1 or steps[0].accepted is not UNSET:
            return False
        for step in steps:
            if step.error is not UNSET or (state is not None and UNSET in state(step)):
                return False
        for step in steps[1:]:
            if step.accepted is not True and (step.accepted is UNSET or not reports.explained(step)):
                return False
    return True


def _check_number(found: object, number: int, *, absent: bool = False) -> None:
    """Raise ProtocolError if this is not the number of the request."""
    if type(found) is int and found == number:
        return
    if absent:
        raise ProtocolError("no-id", f"found no id; expected {number}, that of the request")
    if type(found) is int and found == number - 1:
        raise ProtocolError("twice", f"found a second answer to request {found}; expected that to {number}")
    raise ProtocolError("wrong-id", f"found {shown(found)} as id; expected {number}, that of the request")
