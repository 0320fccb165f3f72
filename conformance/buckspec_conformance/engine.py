"""An engine in Python: any object with one method. Here it is served over pipes; `in_process` asks it directly.

An adapter is three lines::

    from buckspec_conformance.engine import serve
    from my_engine import MyEngine
    serve(MyEngine())
"""

import contextlib
import os
import sys
import traceback
from collections.abc import Iterator, Mapping
from typing import Protocol

import msgspec

encode = msgspec.json.encode
_BYE = "bye"
_CHUNK = 1 << 16
_LONGEST = 20000
"""How many characters a text of an answer may have, by the schemas. They are not read here, for a quick start."""


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
        return encode({"id": number, **engine.answer(request)})
    except CannotHonour as error:
        return encode({"id": number, "unsupported": str(error)[:_LONGEST]})
    except (Exception, SystemExit) as error:  # noqa: BLE001 - an engine may raise anything
        traceback.print_exc()
        return encode({"id": number, "error": named(error)})


def named(error: BaseException) -> str:
    """An exception in one line, cut to what an answer may hold."""
    return f"{type(error).__name__}: {error}"[:_LONGEST]


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
        return encode({"error": named(error)})
    if not isinstance(request, dict):
        return encode({"error": "the request is not an object"})
    if request.get("op") == _BYE:
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
