"""What is wrong with an adapter, one fault after the other, each with the bytes that show it and what to do.

Nothing here is about the rules of the game but that an event at a wrong time is refused. After a fault that
stops a check, the next one talks to a new process, so that no fault hides another.
"""

import contextlib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from time import monotonic
from typing import Any

import msgspec

from buckspec.formats.validate import schema
from buckspec_conformance.finding import Finding, Level, shown
from buckspec_conformance.forms import ProtocolError, parsed
from buckspec_conformance.messages import EngineError, HelloResponse, PlayResponse, Response, Unsupported
from buckspec_conformance.protocol import Prepared, Reports, farewell, greeting, prepare, read_answer
from buckspec_conformance.transport import Ended, Limits, Process

_SLOW = 1.0
"""Seconds to the answer to hello that are worth a word."""
_PAUSE = 0.05
"""Seconds between the two halves of a line that is sent in pieces."""
_PAIRS = 16
"""How many pairs of requests are sent ahead."""
_SILENT = ("late", "no-flush", "half-line")
_LARGEST = schema("engine-bye-request")["properties"]["id"]["maximum"]
_MANY = schema("engine-play-request")["$defs"]["hand"]["properties"]["events"]["maxItems"] // 2
_STRANGE = "☃ niño"
_UTF8_MARK = b"\xef\xbb\xbf"
_EXCEPTION = re.compile(
    r"\w(Error|Exception)\b|Traceback|panicked|[Cc]annot read prop|is not a function|NoneType|[Nn]ull ?[Pp]ointer"
    r"|out of (range|bounds)"
)


def examine(
    command: Sequence[str], limits: Limits | None = None, sample: Mapping[str, object] | None = None
) -> list[Finding]:
    """What is found about the engine that `command` starts, in the order in which it should be mended.

    `sample` is a request to play one hand; without it, the example of the schema is taken. An engine that cannot be
    greeted, or does not answer, is not examined further. Raises ProtocolError if the sample is no such request.
    """
    return _Examination(command, limits or Limits(), dict(sample or _example("engine-play-request"))).findings()


def _example(name: str) -> dict[str, Any]:
    found: dict[str, Any] = schema(name)["examples"][0]
    return found


class _Stop(Exception):  # noqa: N818 - nothing more can be said by this check
    """The check ends here."""


class _Examination:
    def __init__(self, command: Sequence[str], limits: Limits, sample: dict[str, Any]) -> None:
        self.command, self.limits = command, limits
        log = _example("game-log")["hands"][0]["events"]
        hand = sample["hands"][0]
        self.sample = sample
        self.first = prepare(sample)
        self.second = self.made(events=[*hand["events"], *log])
        self.untimely = self.made(events=[log[-1], *hand["events"]])
        self.found: list[Finding] = []
        self.reports = Reports()
        self.noise = b""
        self.before_hello = 0  # lines, which should be none
        self.said: HelloResponse | None = None

    def made(self, **changed: object) -> Prepared:
        """The sample with another hand."""
        return prepare({**self.sample, "hands": [{**self.sample["hands"][0], **changed}]})

    def findings(self) -> list[Finding]:
        hello = self.hello()
        if hello is not None:
            self.reports, self.said = Reports.of(hello), hello
            self.together(
                self.numbers, self.answers, self.nonsense, self.exceptions, self.strangers, self.pieces, self.length,
                self.ahead,
            )  # fmt: skip
            for check in (self.memory, self.bye, self.end_of_input):
                if not any(finding.fault in _SILENT for finding in self.found):  # else it would wait in vain
                    with contextlib.suppress(_Stop):
                        check()
        if self.noise:
            text = f"it wrote {len(self.noise)} bytes to standard error"
            self.tell("noise", "info", text, "nothing; it is kept for the report and never judged", b"", self.noise)
        return list(dict.fromkeys(self.found))

    def together(self, *checks: Callable[[Process], None]) -> None:
        """Make these checks in one process, and begin another after one that was stopped."""
        todo = list(checks)
        before = len(todo) + 1
        while len(todo) < before and not any(finding.fault in _SILENT for finding in self.found):
            before = len(todo)
            with contextlib.suppress(_Stop), self.greeted() as process:
                while todo:
                    todo.pop(0)(process)
                return

    def tell(self, fault: str, level: Level, what: str, todo: str, sent: bytes = b"", received: bytes = b"") -> None:
        """Note a finding, once for each fault: the same one shows in many checks."""
        if all(other.fault != fault for other in self.found):
            self.found.append(Finding(fault, level, what, todo, shown(sent), shown(received)))

    # ------------------------------------------------------------------ talking

    @contextlib.contextmanager
    def process(self) -> Iterator[Process]:
        """A new process, which is gone afterwards."""
        process = Process(self.command, self.limits)
        try:
            yield process
        finally:
            process.kill()
            self.noise = self.noise or bytes(process.noise)

    @contextlib.contextmanager
    def greeted(self) -> Iterator[Process]:
        """A new process that has answered hello."""
        with self.process() as process:
            sent = greeting().line(1)
            lines = self.exchange(process, sent, self.limits.start, 1 + self.before_hello)
            self.greets_alike(lines[self.before_hello], sent)
            yield process

    def greets_alike(self, line: bytes, sent: bytes) -> None:
        """Another answer to hello than that of the first process is a finding."""
        if self.read(line, 1, greeting()) != self.said:
            self.tell(
                "changed", "fault", "it answers hello otherwise when it is started again",
                "answer hello with what is always so, and not with the time or the number of a process", sent, line,
            )  # fmt: skip

    def exchange(self, process: Process, sent: bytes, limit: float | None = None, lines: int = 1) -> list[bytes]:
        """Send bytes and wait for as many lines. Fewer are a finding, and stop the check."""
        process.send(sent)
        return self.wait(process, sent, limit or self.limits.answer, lines)

    def wait(self, process: Process, sent: bytes, limit: float, lines: int) -> list[bytes]:
        got: list[bytes] = []
        try:
            while len(got) < lines:
                more = process.lines(monotonic() + limit)
                got += more
                if not more:
                    break
        except Ended as end:
            process.overhear()
            received = b"\n".join([*got, process.begun or bytes(process.noise)])
            shown = "; the end of standard error is shown below" if process.noise else ""
            self.tell(
                end.fault, "fault", f"{end}, {len(got)} of {lines} answers were there",
                f"let no exception end the adapter, and read until bye or the end of input{shown}", sent, received,
            )  # fmt: skip
            raise _Stop from None
        if len(got) < lines:
            self.late(process, sent, got, limit, lines)
            raise _Stop
        return got

    def late(self, process: Process, sent: bytes, got: list[bytes], limit: float, lines: int) -> None:
        """Say why nothing came: perhaps it stands in a buffer, from which the end of the input drives it."""
        begun = process.begun
        more, _ = process.finish(b"")
        if begun or (more and begun == more[-1]):
            self.tell(
                "half-line", "fault", f"a line was begun, but it did not end within {limit:g} s",
                "end every answer with a line end", sent, begun,
            )  # fmt: skip
        elif more:
            self.tell(
                "no-flush", "fault", f"nothing came within {limit:g} s, but it did when the input was closed",
                "flush standard output after each answer", sent, more[0],
            )  # fmt: skip
        else:
            self.tell(
                "late", "fault", f"{len(got)} of {lines} answers came within {limit:g} s, and no more when the input "
                "was closed", "answer each line as soon as it is read, without waiting for the next", sent,
                b"\n".join(got),
            )  # fmt: skip

    def read(self, line: bytes, number: int, request: Prepared) -> Response:
        """The answer in a line, looked at closely. One that is none is a finding, and stops the check."""
        sent = request.line(number)
        if line.endswith(b"\r"):
            self.tell("crlf", "warning", "its lines end with CR LF", "write lines that end with LF alone", sent, line)
        try:
            return read_answer(line, number, request, self.reports)
        except ProtocolError as error:
            advice = {
                "encoding": "write UTF-8 without a byte order mark, whatever the system's own encoding is",
                "not-json": "write one JSON object a line to standard output, and everything else to standard error",
                "no-id": "copy the id of the request into its answer",
                "wrong-id": "copy the id of the request into its answer, as the number that it is",
                "twice": "write one line for each request, and copy its id into it",
                "missing": "answer with one step after the deal and one for each event, each with what hello reports",
            }
            todo = advice.get(error.fault, "write what the schema of the message has; see schemas/engine-*.json")
            self.tell(error.fault, "fault", str(error), todo, sent, line)
            raise _Stop from None

    def ask(self, process: Process, number: int, request: Prepared) -> Response:
        return self.read(self.exchange(process, request.line(number))[0], number, request)

    # ------------------------------------------------------------------ the checks

    def hello(self) -> HelloResponse | None:
        """Greet it; None if that is not possible."""
        began = monotonic()
        sent = greeting().line(1)
        try:
            with self.process() as process:
                lines = self.exchange(process, sent, self.limits.start)
                seconds = monotonic() - began
                line = self.after_a_banner(process, lines)
                message = self.read(line, 1, greeting())
        except _Stop:
            return None
        except (OSError, ValueError, IndexError) as error:
            why = getattr(error, "strerror", None) or error
            self.tell("absent", "fault", f"it cannot be started: {why}", "name a command that exists and may be run")
            return None
        if seconds > _SLOW:
            todo = "nothing, if the language takes so long; allow for it where time is limited"
            self.tell("slow-start", "info", f"the answer to hello took {seconds:.1f} s", todo, sent)
        if not isinstance(message, HelloResponse):
            todo = "answer hello with who the engine is"
            self.tell("shape", "fault", "hello is not answered", todo, sent, line)
            return None
        return message

    def after_a_banner(self, process: Process, lines: list[bytes]) -> bytes:
        """The first line that is JSON; the first of all if none comes. Those before it are a finding."""
        banner = lines[0]
        with contextlib.suppress(Ended):
            while lines and not banner.startswith(_UTF8_MARK):
                for line in lines:
                    with contextlib.suppress(ProtocolError):
                        parsed(line)
                        return line
                    self.before_hello += 1
                    todo = "write nothing to standard output before the answer to hello"
                    if banner.lstrip().startswith(b"{"):
                        todo = "write each answer in one line, without line ends in it"
                    self.tell("banner", "fault", "the first line is not the answer to hello", todo, b"", banner)
                lines = process.lines(monotonic() + self.limits.answer)
        self.found.clear()  # it is no banner if nothing comes after it
        return banner

    def numbers(self, process: Process) -> None:
        """Ids that do not follow each other, and one of the largest."""
        for number in (2, _LARGEST, 1):
            self.ask(process, number, self.first)

    def answers(self, process: Process) -> None:
        """Requests of one hand and of none."""
        for number, request in enumerate((self.first, self.second, self.made(events=[])), 2):
            self.ask(process, number, request)

    def nonsense(self, process: Process) -> None:
        """An event at a time when nobody can do so."""
        message = self.ask(process, 2, self.untimely)
        if isinstance(message, PlayResponse):
            steps = message.hands[0].steps
            if len(steps) > 1 and steps[1].accepted is True:
                self.tell(
                    "nonsense-accepted", "fault", "an event at the wrong time was accepted",
                    "refuse every event that the rules do not allow, with accepted false and a reason",
                    self.untimely.line(2), msgspec.json.encode(steps[1]),
                )  # fmt: skip
        self.unrefused(message, self.untimely.line(2))

    def unrefused(self, message: Response, sent: bytes) -> None:
        errors = [message.error] if isinstance(message, EngineError) else []
        if isinstance(message, PlayResponse):
            errors = [step.error for hand in message.hands for step in hand.steps if isinstance(step.error, str)]
        if errors:
            self.tell(
                "nonsense-error", "fault", "an event at the wrong time was answered with an error",
                "refuse it with accepted false and a reason, and leave the state as it was", sent, errors[0].encode(),
            )  # fmt: skip

    def exceptions(self, process: Process) -> None:
        """Refusals whose reason looks like an exception that was caught by accident."""
        for number, request in enumerate((self.untimely, self.second), 2):
            message = self.ask(process, number, request)
            hands = message.hands if isinstance(message, PlayResponse) else ()
            reasons = [step.reason for hand in hands for step in hand.steps if isinstance(step.reason, str)]
            for reason in filter(_EXCEPTION.search, reasons):
                self.tell(
                    "exception-as-refusal", "warning", "the reason of a refusal reads like an exception",
                    "refuse only what the engine itself refuses; answer any other exception with error",
                    request.line(number), reason.encode(),
                )  # fmt: skip
            if "" in reasons:
                todo = "say why, in words"
                self.tell("no-reason", "info", "a refusal has an empty reason", todo, request.line(number))

    def strangers(self, process: Process) -> None:
        """A profile that nobody has, with a name that is not ASCII."""
        request = prepare({**self.sample, "profile": _STRANGE})
        message = self.ask(process, 2, request)
        if not isinstance(message, Unsupported):
            self.tell(
                "unknown-profile", "fault", "a profile that it cannot know was not answered with unsupported",
                "compare the profile, the parameters and the readings of a request with what the engine can honour",
                request.line(2), msgspec.json.encode(message),
            )  # fmt: skip

    def memory(self) -> None:
        """The same request twice with another between, and in a new process."""
        given: list[Response] = []
        with self.greeted() as process:
            for number, request in enumerate((self.first, self.second, self.first), 2):
                given.append(msgspec.structs.replace(self.ask(process, number, request), id=1))
        with self.greeted() as process:
            again = msgspec.structs.replace(self.ask(process, 2, self.second), id=1)
        for before, after, sent in ((given[0], given[2], self.first), (given[1], again, self.second)):
            if before != after:
                self.tell(
                    "keeps-state", "fault", "the same request got another answer after others",
                    "begin every request with a new game; let nothing be left of the one before", sent.line(2),
                    msgspec.json.encode(before) + b"\n" + msgspec.json.encode(after),
                )  # fmt: skip

    def ahead(self, process: Process) -> None:
        """Many requests at once: as many answers, in order."""
        requests = [self.first, self.second] * min(self.limits.ahead, _PAIRS)
        sent = b"".join(request.line(number) for number, request in enumerate(requests, 2))
        lines = self.exchange(process, sent, self.limits.answer, len(requests))
        for number, (line, request) in enumerate(zip(lines, requests, strict=False), 2):
            with contextlib.suppress(ProtocolError):
                read_answer(line, number, request, self.reports)
                continue
            told = {other.fault for other in self.found}
            if not told & {"wrong-id", "no-id", "not-json", "encoding", "missing", "shape", "half-read"}:
                todo = "answer requests in the order in which they came, one after the other"
                self.tell("out-of-order", "fault", f"answer {number - 1} of many is not that", todo, sent, line)
            return

    def pieces(self, process: Process) -> None:
        """A line that comes in two pieces."""
        line = self.first.line(2)
        half = len(line) // 2
        early = self.exchange_early(process, line[:half])
        if early:
            todo = "read until the end of the line before looking at what was read"
            self.tell("half-read", "fault", "half a line was answered", todo, line[:half], early[0])
            raise _Stop
        self.read(self.exchange(process, line[half:])[0], 2, self.first)

    def exchange_early(self, process: Process, sent: bytes) -> list[bytes]:
        """What is answered at once to bytes that should not be answered."""
        process.send(sent)
        with contextlib.suppress(Ended):
            return process.lines(monotonic() + _PAUSE)
        return []

    def length(self, process: Process) -> None:
        """A line longer than a pipe or a usual buffer."""
        events = (self.sample["hands"][0]["events"] or [_example("game-log")["hands"][0]["events"][0]])[:1]
        request = self.made(events=events * _MANY)
        self.ask(process, 2, request)

    def bye(self) -> None:
        """It ends at bye."""
        self.goes(farewell().line(2), "bye", "end when the request bye comes")

    def end_of_input(self) -> None:
        """It ends at the end of its input."""
        self.goes(b"", "the end of its input", "end when standard input has ended")

    def goes(self, said: bytes, at: str, todo: str) -> None:
        with self.greeted() as process:
            stray, in_time = process.finish(said)
        if stray:
            self.tell("after-bye", "warning", f"it wrote a line after {at}", "answer nothing to bye", said, stray[0])
        if not in_time:
            self.tell("stays", "fault", f"it lived on for {self.limits.stop:g} s after {at}", todo, said)
