"""Asking an engine that is an object of this process."""

import contextlib
import traceback
from collections.abc import Iterable, Iterator
from time import monotonic
from typing import Any, cast

import msgspec

from buckspec_conformance.asking import Answer, Failure, Greeting, Outcome
from buckspec_conformance.engine import CannotHonour, Engine, encode, named
from buckspec_conformance.forms import Fault, ProtocolError
from buckspec_conformance.messages import LONGEST, EngineError, HelloResponse, Result, Unsupported
from buckspec_conformance.protocol import Prepared, Reports, farewell, greeting, read_answer


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
            line = encode({"id": self._number, **self.engine.answer(values)})
        except CannotHonour as error:
            return Failure("unsupported", str(error), fault="unsupported")
        except (Exception, SystemExit) as error:  # noqa: BLE001 - an engine may raise anything
            return Failure("crashed", named(error), traceback.format_exc(), "ended")
        try:
            message = read_answer(line, self._number, request, self._reports)
        except ProtocolError as error:
            return Failure("protocol-error", str(error), fault=error.fault, received=line[:LONGEST])
        if isinstance(message, Unsupported):
            return Failure("unsupported", message.unsupported, fault="unsupported", received=line[:LONGEST])
        if isinstance(message, EngineError):
            fault: Fault = "error"
            return Failure("crashed", message.error, fault=fault, received=line[:LONGEST])
        return message
