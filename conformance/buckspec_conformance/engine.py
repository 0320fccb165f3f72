"""An engine in Python: any object with one method, and the two ways to reach it.

An adapter is three lines::

    from buckspec_conformance.engine import serve
    from my_engine import MyEngine
    serve(MyEngine())
"""

import contextlib
import os
import sys
import traceback
from collections.abc import Iterable, Iterator, Mapping
from time import monotonic
from typing import Any, Protocol, cast

import msgspec

from buckspec_conformance.asking import Answer, Failure, Greeting, Outcome
from buckspec_conformance.forms import BYE, Fault, ProtocolError
from buckspec_conformance.messages import LONGEST, EngineError, HelloResponse, Result, Unsupported
from buckspec_conformance.protocol import Prepared, Reports, farewell, greeting, read_answer

_CHUNK = 1 << 16


class Engine(Protocol):
    """An engine of the game, in Python."""

    def answer(self, request: Mapping[str, object]) -> Mapping[str, object]:
        """The answer to a request of the protocol buckspec-engine/1: hello, play, record or bye.

        Both are plain values, as JSON has them. The `id` may be left out. What cannot be honoured is answered with
        `unsupported`, or with CannotHonour; any other exception is reported as one. What is returned to bye is not
        looked at.
        """
        ...


class CannotHonour(Exception):  # noqa: N818 - it is an answer
    """Raised by an engine for a profile, parameter, reading or operation that it cannot honour, with the reason."""


def _answer(engine: Engine, request: Mapping[str, object]) -> bytes:
    """What the engine answers, as a line without its end. Whatever goes wrong in it is an answer too."""
    number = request.get("id")
    try:
        return msgspec.json.encode({"id": number, **engine.answer(request)})
    except CannotHonour as error:
        return msgspec.json.encode({"id": number, "unsupported": str(error)[:LONGEST]})
    except (Exception, SystemExit) as error:  # noqa: BLE001 - an engine may raise anything
        traceback.print_exc()
        return msgspec.json.encode({"id": number, "error": _name(error)})


def _name(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"[:LONGEST]


# ---------------------------------------------------------------------- over standard input and output


def serve(engine: Engine) -> None:
    """Answer requests from standard input on standard output until bye or the end of the input.

    What the engine prints goes to standard error, so that it cannot come between the answers. Each answer is
    written before the next request is looked at.
    """
    out = os.dup(sys.__stdout__.fileno() if sys.__stdout__ else 1)
    os.dup2(2, 1)
    try:
        for line in _lines():
            answer = _served(engine, line)
            if answer is None:
                return
            _write(out, answer + b"\n")
    except BrokenPipeError:  # nobody listens any more
        return
    finally:
        os.close(out)


def _served(engine: Engine, line: bytes) -> bytes | None:
    """The answer to one line; None to bye."""
    try:
        request = msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        return msgspec.json.encode({"error": _name(error)})
    if not isinstance(request, dict):
        return msgspec.json.encode({"error": "the request is not an object"})
    if request.get("op") == BYE:
        with contextlib.suppress(Exception):
            engine.answer(request)
        return None
    return _answer(engine, request)


def _lines() -> Iterator[bytes]:
    """The lines of standard input, without their ends."""
    rest = b""
    while chunk := os.read(0, _CHUNK):
        *lines, rest = (rest + chunk).split(b"\n")
        yield from filter(None, lines)
    if rest:
        yield rest


def _write(out: int, raw: bytes) -> None:
    while raw:
        raw = raw[os.write(out, raw) :]


# ---------------------------------------------------------------------- in this process


class InProcess:
    """A Transport to an engine that is an object of this process.

    Its answers are written as JSON and read like those of any other engine. There is no limit of time here, and a
    fresh state is only what the engine itself makes of a second hello.
    """

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.hello: HelloResponse | None = None
        self._reports = Reports()
        self._number = 0
        self._final: Failure | None = None

    def start(self) -> Greeting:
        """See Transport."""
        if self.hello is not None:
            return self.hello
        if self._final is None:
            found = self._one(greeting())
            if not isinstance(found, Failure):
                self.hello = cast("HelloResponse", found)
                self._reports = Reports.of(self.hello)
                return self.hello
            self._final = found
        return self._final

    def ask(self, request: Prepared) -> Outcome:
        """See Transport."""
        hello = self.start()
        if isinstance(hello, Failure):
            return hello
        began = monotonic()
        found = self._one(request)
        return found if isinstance(found, Failure) else Answer(cast("Any", found), monotonic() - began)

    def ask_all(self, requests: Iterable[Prepared]) -> Iterator[Outcome]:
        """See Transport. Here each request is answered when its outcome is asked for."""
        return map(self.ask, requests)

    def ask_again(self, request: Prepared) -> Outcome:
        """See Transport. The engine is greeted once more first, and asked."""
        again = self._one(greeting())
        return again if isinstance(again, Failure) else self.ask(request)

    def close(self) -> None:
        """See Transport."""
        if self.hello is not None:
            self.hello = None
            with contextlib.suppress(Exception, SystemExit):
                self.engine.answer(self._request(farewell()))

    def _request(self, request: Prepared) -> dict[str, object]:
        """Its plain values, made anew, so that an engine may change them."""
        self._number += 1
        found: dict[str, object] = msgspec.json.decode(request.line(self._number))
        return found

    def _one(self, request: Prepared) -> Result | Failure:
        values = self._request(request)
        try:
            given = {"id": self._number, **self.engine.answer(values)}
        except CannotHonour as error:
            return Failure("unsupported", str(error), fault="unsupported")
        except (Exception, SystemExit) as error:  # noqa: BLE001 - an engine may raise anything
            return Failure("crashed", _name(error), traceback.format_exc(), "ended")
        line = b""
        try:
            line = msgspec.json.encode(given)
            message = read_answer(line, self._number, request, self._reports)
        except ProtocolError as error:
            return Failure("protocol-error", str(error), fault=error.fault, received=line[:LONGEST])
        except (TypeError, ValueError) as error:
            return Failure("protocol-error", f"it cannot be written as JSON: {error}", fault="shape")
        if isinstance(message, Unsupported):
            return Failure("unsupported", message.unsupported, fault="unsupported", received=line[:LONGEST])
        if isinstance(message, EngineError):
            fault: Fault = "error"
            return Failure("crashed", message.error, fault=fault, received=line[:LONGEST])
        return message
