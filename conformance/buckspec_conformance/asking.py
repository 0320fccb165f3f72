"""What it is to ask an engine, whatever way it is reached: an answer, or a failure and whose request it was."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias

from msgspec import Struct

from buckspec_conformance.forms import Fault
from buckspec_conformance.messages import HelloResponse, PlayResponse, RecordResponse
from buckspec_conformance.protocol import Prepared

Kind: TypeAlias = Literal["crashed", "timeout", "protocol-error", "unsupported"]
"""Those outcomes of a test that show without a look at what the answer says."""


class Answer(Struct, frozen=True, gc=False):
    """A valid answer to the request.

    `seconds` is the time from when the engine could work on it, at the earliest when the answer before it had
    arrived. Answers that arrive together share their time evenly.
    """

    message: PlayResponse | RecordResponse
    seconds: float


@dataclass(frozen=True)
class Failure:
    """No valid answer. `message` says why in one line and `detail` shows more: an exit, standard error, bytes.

    `fault` names what the engine did, for whoever wants to tell cases apart. `received` are the bytes that were
    meant as the answer, cut where they are long.
    """

    kind: Kind
    message: str
    detail: str = ""
    fault: Fault = "ended"
    received: bytes = b""


Outcome: TypeAlias = Answer | Failure
Greeting: TypeAlias = HelloResponse | Failure


class Transport(Protocol):
    """A way to an engine. It may be used by one thread at a time, and is to be closed."""

    @property
    def hello(self) -> HelloResponse | None:
        """What the engine said of itself; None until it was greeted."""
        ...

    def start(self) -> Greeting:
        """Greet the engine, if it was not greeted yet. A failure is final: every request then fails the same way."""
        ...

    def ask(self, request: Prepared) -> Outcome:
        """Send one request and wait for its answer. Greets first where that is needed."""
        ...

    def ask_all(self, requests: Iterable[Prepared]) -> Iterator[Outcome]:
        """The outcomes of many requests, in their order. Requests are sent ahead of their answers."""
        ...

    def ask_again(self, request: Prepared) -> Outcome:
        """Ask in a fresh state. An outcome other than before shows that the engine is flaky."""
        ...

    def close(self) -> None:
        """Say bye and let go of everything. Closing twice does nothing."""
        ...
