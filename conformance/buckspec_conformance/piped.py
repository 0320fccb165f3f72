"""Asking an engine that is a process of its own: one at a time, or many sent ahead.

After a fault that leaves open what the next line would answer, the process is not read on: it is killed, started and
greeted anew. Only the request concerned fails; those that were sent behind it are sent again.
"""

import contextlib
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, repeat
from time import monotonic
from types import TracebackType
from typing import Self, cast

import msgspec

from buckspec.formats.wording import harmless
from buckspec_conformance.asking import Answer, Failure, Greeting, Kind, Outcome
from buckspec_conformance.forms import IN_STEP, Fault, ProtocolError
from buckspec_conformance.messages import EngineError, HelloResponse, Result, Unsupported
from buckspec_conformance.protocol import Prepared, Reports, farewell, greeting, read_answer, read_together
from buckspec_conformance.trace import Trace
from buckspec_conformance.transport import Core, Ended, Limits, Process

_STARTS = 3
"""How often in a row the engine may fail to start again before it is given up."""
_SHOWN = 2000
"""How many bytes of standard error and of a line a failure shows."""
_KINDS: dict[Fault, Kind] = {
    "absent": "crashed",
    "ended": "crashed",
    "half-line": "crashed",
    "error": "crashed",
    "late": "timeout",
    "unsupported": "unsupported",
}


class Piped:
    """A Transport to the process of `command`, which is started without a shell.

    With `pin`, the engine and the thread that asks share one processor core while they ask one at a time; turn it
    off where several engines run side by side. Use it in a `with`, or close it.
    """

    def __init__(
        self, command: Sequence[str], limits: Limits | None = None, *, trace: Trace | None = None, pin: bool = True
    ) -> None:
        self.command = tuple(command)
        self.limits = limits or Limits()
        self.hello: HelloResponse | None = None
        self.starts = 0
        """How many processes were started."""
        self.noise = b""
        """The end of what all its processes wrote to standard error, but for the one that runs."""
        self.remarks: tuple[str, ...] = ()
        """What went wrong at the end, after the last answer. Known once it is closed."""
        self._trace, self._pin = trace, pin
        self._core = Core()
        self._reports = Reports()
        self._process: Process | None = None
        self._number = 0
        self._sent: list[Prepared] = []  # and not answered yet
        self._failed_starts = 0
        self._final: Failure | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is None:
            self.close()
        else:
            self._drop()
            self._core.leave()

    # ------------------------------------------------------------------ starting

    def start(self) -> Greeting:
        """See Transport."""
        process = self._ready()
        if isinstance(process, Failure) or self.hello is None:
            return process if isinstance(process, Failure) else _failure("ended", "it was never greeted")
        return self.hello

    def _ready(self) -> Process | Failure:
        """A process that was greeted and waits for requests."""
        if self._process is not None:
            return self._process
        if self._final is not None:
            return self._final
        found = self._launch()
        if isinstance(found, Failure):
            self._drop()
            self._failed_starts += 1
            if self.hello is None or self._failed_starts >= _STARTS:
                self._final = found
            return found
        self._failed_starts = 0
        if self._pin:
            self._core.share(found.pid)
        return found

    def _launch(self) -> Process | Failure:
        """A new process that has answered hello. The answer must be the one that the first process gave."""
        self._core.leave()  # a process inherits the cores of whoever starts it
        self.starts += 1
        try:
            process = self._process = Process(self.command, self.limits, self._trace)
        except (OSError, ValueError, IndexError) as error:
            name = self.command[0] if self.command else "an empty command"
            why = getattr(error, "strerror", None) or error
            return _failure("absent", f"{harmless(name)} cannot be started: {why}")
        hello = self._one(process, greeting(), monotonic() + self.limits.start)
        if isinstance(hello, Failure):
            if hello.fault in ("not-json", "encoding"):
                text = f"the first line out is not the answer to hello: {hello.message}"
                return _failure("banner", text, hello.detail, hello.received)
            return hello
        hello = msgspec.structs.replace(hello, id=1)
        if self.hello is not None and self.hello != hello:
            return _failure("changed", "its answer to hello changed when it was started again")
        self.hello, self._reports = cast("HelloResponse", hello), Reports.of(cast("HelloResponse", hello))
        return process

    def _drop(self) -> None:
        """Kill the process, and keep what it wrote to standard error."""
        if self._process is not None:
            self._process.kill()
            self._keep(self._process.noise)
            self._process = None

    def _keep(self, noise: bytes | bytearray) -> None:
        self.noise = (self.noise + noise)[-self.limits.noise :]

    # ------------------------------------------------------------------ one at a time

    def ask(self, request: Prepared) -> Outcome:
        """See Transport."""
        if self._sent:
            self._claim([])
        process = self._process or self._ready()
        if isinstance(process, Failure):
            return process
        began = monotonic()
        found = self._one(process, request, began + self.limits.answer)
        return found if isinstance(found, Failure) else Answer(found, monotonic() - began)  # type: ignore[arg-type]

    def _one(self, process: Process, request: Prepared, until: float) -> Result | Failure:
        """Send this request, and nothing else until its answer is there."""
        self._number = number = self._number + 1
        try:
            process.send(request.line(number))
            lines = process.lines(until)
            if not lines:
                return self._late(process)
            found = self._judged(process, lines[0], number, request)
            if isinstance(found, Failure) and found.fault not in IN_STEP:
                self._drop()
            elif len(lines) > 1 or process.begun:
                return self._lost("twice", "more than one line for one request", *lines[1:2] or [process.begun])
        except Ended as end:
            return self._lost(end.fault, str(end), process.begun)
        except BaseException:  # such as an interrupt: what comes next would answer this request
            self._drop()
            raise
        return found

    def _late(self, process: Process) -> Failure:
        seconds = self.limits.answer if self.hello is not None else self.limits.start
        return self._lost("late", f"no answer within {seconds:g} s", process.begun)

    def ask_again(self, request: Prepared) -> Outcome:
        """See Transport. The process is a new one, asked nothing else; the one that runs is left as it is."""
        self._core.leave()
        other = Piped(self.command, self.limits, trace=self._trace, pin=False)
        other.hello = self.hello
        try:
            outcome = other.ask(request)
            stray = other._finish()
        finally:
            other._drop()
        self.starts += other.starts
        self._keep(other.noise)
        if self._pin and self._process is not None:
            self._core.share(self._process.pid)
        if isinstance(outcome, Answer) and stray:
            return _failure("twice", "more than one line for one request", received=stray[0])
        return outcome

    def _claim(self, sent: list[Prepared]) -> None:
        """From now on the process answers these requests. What others still wait for, they must ask again."""
        if self._sent and self._sent is not sent:
            self._drop()
        self._sent = sent

    def _judged(self, process: Process, line: bytes, number: int, request: Prepared) -> Result | Failure:
        """What this line is worth as the answer to that request. The process is left as it is."""
        try:
            message = read_answer(line, number, request, self._reports)
        except ProtocolError as error:
            process.overhear()
            return _failure(error.fault, str(error), _text(process.noise), line)
        if isinstance(message, Unsupported):
            return _failure("unsupported", harmless(message.unsupported), received=line)
        if isinstance(message, EngineError):
            process.overhear()
            return _failure("error", harmless(message.error), _text(process.noise), line)
        return message

    def _lost(self, fault: Fault, message: str, received: bytes = b"") -> Failure:
        """A failure after which the process is killed."""
        process = self._process
        self._drop()
        return _failure(fault, message, _text(process.noise) if process else "", received)

    # ------------------------------------------------------------------ many, sent ahead

    def ask_all(self, requests: Iterable[Prepared]) -> Iterator[Outcome]:
        """See Transport. The requests are taken as they are needed, at most `limits.ahead` before their answers.

        The newest outcome is held back until the next line is seen, for a second answer to the same request shows
        only there.
        """
        again: list[Prepared] = []  # what must be sent again
        source = iter(requests)
        sent: list[Prepared] = []  # and not answered yet
        heard: list[Outcome] = []  # and not handed out yet, all of one process
        asked: Process | Failure | None = None
        try:
            while True:
                self._claim(sent)
                process = self._ready()
                if process is not asked:  # the one before is lost, and what it did not answer is asked again
                    again[:0] = sent
                    sent.clear()
                    done, heard, asked = heard, [], process
                    if done:
                        yield from done
                        continue  # whoever took them may have asked something else meanwhile
                if isinstance(process, Failure):
                    if not _take(1, again, source):
                        return
                    yield process
                    continue
                if len(sent) <= self.limits.ahead // 2:
                    self._send_ahead(process, sent, _take(self.limits.ahead - len(sent), again, source))
                ends = not sent
                if ends:
                    self._settle(process, heard)
                else:
                    self._listen(process, sent, heard)
                kept = [] if ends else heard[-1:]
                yield from heard[: len(heard) - len(kept)]
                heard = kept
                if ends:
                    return
        finally:
            if sent and self._sent is sent:  # nobody waits for what is still to come
                self._drop()

    def _send_ahead(self, process: Process, sent: list[Prepared], new: list[Prepared]) -> None:
        """Send these requests in one piece."""
        number = self._number + 1
        self._number += len(new)
        sent += new
        if new:
            process.send(b"".join([request.line(at) for at, request in enumerate(new, number)]))

    def _listen(self, process: Process, sent: list[Prepared], heard: list[Outcome]) -> None:
        """Move requests from `sent` to outcomes in `heard`: all that were answered, at least one."""
        began = monotonic()
        try:
            lines = process.lines(began + self.limits.answer)
        except Ended as end:
            fault = self._lost(end.fault, str(end), process.begun)
        else:
            seconds = (monotonic() - began) / max(len(lines), 1)
            number = self._number - len(sent) + 1
            found = self._judged_all(process, lines, number, sent, heard, seconds)
            if lines and found is None:
                return
            fault = found or self._late(process)
        self._drop()
        if fault.fault == "twice" and heard:
            heard[-1] = fault
        else:
            heard.append(fault)
            del sent[0]

    def _judged_all(
        self,
        process: Process,
        lines: list[bytes],
        number: int,
        sent: list[Prepared],
        heard: list[Outcome],
        seconds: float,
    ) -> Failure | None:
        """Judge these lines, the first as the answer to that number; what is out of step, if anything is."""
        plain = read_together(lines, number, sent[: len(lines)], self._reports) if len(lines) > 1 else None
        for line, message in zip(lines, plain or repeat(None)):  # noqa: B905 - the second may have no end
            if not sent:
                return self._lost("twice", "a line that answers no request", line)
            found = message or self._judged(process, line, number, sent[0])
            if isinstance(found, Failure):
                if found.fault not in IN_STEP:
                    return found
                heard.append(found)
            else:
                heard.append(Answer(found, seconds))  # type: ignore[arg-type]
            del sent[0]
            number += 1
        return None

    def _settle(self, process: Process, heard: list[Outcome]) -> None:
        """Look for a line after the last answer."""
        with contextlib.suppress(Ended):  # then the next request will tell
            stray = process.lines(0) or [process.begun]
            if stray[0] and heard:
                heard[-1] = self._lost("twice", "a line that answers no request", stray[0])

    # ------------------------------------------------------------------ the end

    def close(self) -> None:
        """See Transport."""
        self._finish()
        self._core.leave()

    def _finish(self) -> list[bytes]:
        """Say bye to the process; the lines that nobody asked for."""
        process = self._process
        if process is None:
            return []
        self._number += 1
        stray, in_time = process.finish(farewell().line(self._number))
        if stray:
            self.remarks += (f"it wrote after its last answer: {_bytes(stray[0])}",)
        if not in_time:
            self.remarks += (f"it did not end within {self.limits.stop:g} s of bye and of the end of its input",)
        self._drop()
        return stray


def _take(most: int, again: list[Prepared], source: Iterator[Prepared]) -> list[Prepared]:
    """The next requests: those that must be sent again, then new ones."""
    taken = again[:most]
    del again[:most]
    taken += islice(source, most - len(taken))
    return taken


def _failure(fault: Fault, message: str, detail: str = "", received: bytes = b"") -> Failure:
    return Failure(_KINDS.get(fault, "protocol-error"), message, detail, fault, received[:_SHOWN])


def _text(noise: bytes | bytearray) -> str:
    """The end of standard error, with nothing in it that a terminal obeys."""
    lines = bytes(noise[-_SHOWN:]).decode("utf-8", "backslashreplace").splitlines()
    return "\n".join(map(harmless, lines))


def _bytes(raw: bytes) -> str:
    return harmless(raw[:_SHOWN].decode("utf-8", "backslashreplace"))
