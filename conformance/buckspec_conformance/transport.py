"""An engine as a process of its own: started, written to, read, and ended with everything that it started.

All process handling of the package is here; what is asked and what is made of it stands in `piped`. Nothing waits
without a limit, and nothing is kept without one. POSIX only.
"""

import atexit
import contextlib
import os
import resource
import select
import signal
import subprocess
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from time import monotonic, sleep

from buckspec_conformance.forms import Fault
from buckspec_conformance.trace import Direction, Trace

_CHUNK = 1 << 16
_LOOK = 0.1
"""Seconds between two looks at whether a process that says nothing still lives."""
_GRACE = 0.2
"""Seconds that a process has to end, or to say why, once it was told to or one of its pipes is closed."""
_NAP = 0.002
_MILLI = 1000

_numbers = count(1)
_alive: "set[Process]" = set()


@dataclass(frozen=True)
class Limits:
    """What an engine may take. Times are in seconds, sizes in bytes."""

    answer: float = 10.0
    """From when it could begin with a request until its answer is there."""
    start: float = 30.0
    """From the start of the process until hello is answered: some languages take long to start."""
    stop: float = 2.0
    """From bye until the process has ended."""
    line: int = 1 << 24
    """One line out."""
    noise: int = 1 << 16
    """What is kept of standard error: its end."""
    memory: int | None = None
    """Its address space, where the system can limit it (Linux)."""
    ahead: int = 1 << 7
    """How many requests are sent ahead of their answers."""


class Ended(Exception):  # noqa: N818 - no error of ours, but what an engine did
    """There is nothing more to read. `fault` names why, the text says it."""

    def __init__(self, fault: Fault, message: str) -> None:
        super().__init__(message)
        self.fault: Fault = fault


class Process:
    """One process of an engine, leader of a group of its own, with its three pipes.

    Raises OSError if the command does not exist or cannot be executed, ValueError if it cannot be a command.
    """

    def __init__(self, command: Sequence[str], limits: Limits, trace: Trace | None = None) -> None:
        self.limits, self.trace, self.number = limits, trace, next(_numbers)
        self.noise = bytearray()
        """The end of what it wrote to standard error."""
        pipe = subprocess.PIPE
        self._popen = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, bufsize=0, start_new_session=True)
        _alive.add(self)
        self.pid = self._popen.pid
        pipes = (self._popen.stdin, self._popen.stdout, self._popen.stderr)
        self._in, self._out, self._err = (file.fileno() if file else -1 for file in pipes)
        for end in (self._in, self._out, self._err):
            os.set_blocking(end, False)
        self._poll = select.poll()
        self._poll.register(self._out, select.POLLIN)
        self._poll.register(self._err, select.POLLIN)
        self._unsent = b""
        self._last = self._deaf = self._closed = False
        self._parts: list[bytes] = []
        self._length = 0
        self._exit: str | None = None
        if limits.memory is not None and hasattr(resource, "prlimit"):
            with contextlib.suppress(OSError, ValueError):  # it may have ended, or have less already
                resource.prlimit(self.pid, resource.RLIMIT_AS, (limits.memory, limits.memory))
        self._note("#", b"started, process %d" % self.pid)

    def _note(self, direction: Direction, raw: bytes) -> None:
        if self.trace is not None:
            self.trace.note(self.number, direction, raw)

    # ------------------------------------------------------------------ writing

    def send(self, raw: bytes) -> None:
        """Send these bytes: at once as far as the pipe takes them, the rest while lines are waited for."""
        if self.trace is not None:
            self.trace.note(self.number, ">", raw)
        if self._unsent:
            self._unsent += raw
        else:
            self._unsent = self._write(raw)
            if self._unsent:
                self._poll.register(self._in, select.POLLOUT)

    def _write(self, raw: bytes) -> bytes:
        """Write as much as the pipe takes; the rest."""
        try:
            written = os.write(self._in, raw)
        except BlockingIOError:
            return raw
        except OSError:  # it closed its standard input, or ended; which of them shows when it is read
            self._deaf = True
            return b""
        return raw[written:]

    def _write_on(self) -> None:
        """Write what was left, once the pipe can take more."""
        self._unsent = self._write(self._unsent)
        if not self._unsent:
            self._poll.unregister(self._in)
            if self._last:
                self.close_stdin()

    def close_stdin(self) -> None:
        """Tell it that no more requests come, once everything is sent."""
        self._last = True
        if not self._unsent and self._popen.stdin is not None:
            self._popen.stdin.close()
            self._in = -1

    # ------------------------------------------------------------------ reading

    def lines(self, until: float) -> list[bytes]:
        """Whole lines without their ends, at least one as soon as there is one; [] if none is there in time.

        `until` is by the clock of `monotonic`. Raises Ended if no more can come.
        """
        # on one core the answer is mostly there by now, as the engine ran while it was written to
        found = [] if self._unsent else self._read()
        if found:
            return found
        while True:
            left = until - monotonic()
            ready = self._poll.poll(_MILLI * (left if left < _LOOK else _LOOK) if left > 0 else 0)
            for end, _ in ready:
                if end == self._out:
                    found = self._read()
                    if found:
                        return found
                elif end == self._err:
                    self._hear()
                else:
                    self._write_on()
            if not ready and self.ended() is not None:
                raise self._ending()
            if not ready and self._deaf and left > 0:
                raise self._ending()
            if left <= 0:
                return []

    def _read(self) -> list[bytes]:
        try:
            chunk = os.read(self._out, _CHUNK)
        except BlockingIOError:
            return []
        if not chunk:
            raise self._ending()
        found = chunk.split(b"\n")
        rest = found.pop()
        if found and self._parts:
            found[0] = b"".join(self._parts) + found[0]
            self._parts, self._length = [], 0
        if rest:
            self._parts.append(rest)
            self._length += len(rest)
            if self._length > self.limits.line:
                raise Ended("too-long", f"it wrote a line of more than {self.limits.line} bytes")
        if self.trace is not None:
            for line in found:
                self.trace.note(self.number, "<", line)
        return found

    @property
    def begun(self) -> bytes:
        """What was read of a line that is not complete."""
        return b"".join(self._parts)

    def _hear(self) -> bool:
        """Read standard error; False if nothing more can come there."""
        try:
            chunk = os.read(self._err, _CHUNK)
        except BlockingIOError:
            return True
        if not chunk:
            self._poll.unregister(self._err)
            return False
        self.noise += chunk
        del self.noise[: -self.limits.noise]
        self._note("!", chunk)
        return True

    def _ending(self) -> Ended:
        """Why nothing more comes. Waits a little, for a process may close its pipes before it ends."""
        until = monotonic() + _GRACE
        while self.ended() is None and monotonic() < until:
            sleep(_NAP)
        self.overhear()
        how = self.ended()
        if how is None and self._deaf:
            return Ended("closed-stdin", "it closed its standard input but lives on")
        if how is None:
            return Ended("closed-stdout", "it closed its standard output but lives on")
        if self._parts:
            self._note("<", self.begun)
            return Ended("half-line", f"it ended within a line, with {how}")
        return Ended("ended", f"it ended without an answer, with {how}")

    def overhear(self) -> None:
        """Read what stands in standard error by now. Whoever kills it does so, too."""
        if self._closed:
            return
        error_only = select.poll()
        error_only.register(self._err, select.POLLIN)
        budget = self.limits.noise  # of one that never stops
        with contextlib.suppress(KeyError):  # its end was seen before
            while budget > 0 and error_only.poll(0) and self._hear():
                budget -= _CHUNK

    # ------------------------------------------------------------------ ending

    def ended(self) -> str | None:
        """How it ended, such as `exit code 1`; None while it lives.

        It is not reaped by that: until then, no other process and no other group can get its number.
        """
        if self._exit is None and not self._closed:
            if hasattr(os, "waitid"):
                found = os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
                if found is not None:
                    self._exit = _how(found.si_status, by_signal=found.si_code != os.CLD_EXITED)
            elif (code := self._popen.poll()) is not None:
                self._exit = _how(abs(code), by_signal=code < 0)
            if self._exit is not None:
                self._note("#", b"ended, " + self._exit.encode())
        return self._exit

    def finish(self, farewell: bytes) -> tuple[list[bytes], bool]:
        """Say farewell and wait until it ends; then kill what is left of its group.

        Returns the lines that it still wrote, and whether it ended by itself in time.
        """
        stray: list[bytes] = []
        until = monotonic() + self.limits.stop
        if farewell:
            self.send(farewell)
        self.close_stdin()
        try:
            while monotonic() < until:
                stray += self.lines(until)
                del stray[self.limits.ahead :]
        except Ended:
            while self.ended() is None and monotonic() < until:
                sleep(_NAP)
        stray += filter(None, [self.begun])
        in_time = self.ended() is not None
        self.kill()
        return stray, in_time

    def kill(self) -> None:
        """End it and its whole group, gently first. Doing so twice does nothing."""
        if self._closed:
            return
        if self.ended() is None:
            self._signal(signal.SIGTERM)
            until = monotonic() + _GRACE
            while self.ended() is None and monotonic() < until:
                sleep(_NAP)
        self._signal(signal.SIGKILL)
        self.overhear()
        self._closed = True
        self._note("#", b"group killed")
        with contextlib.suppress(subprocess.TimeoutExpired):  # the system may be slow to let go of it
            self._popen.wait(timeout=self.limits.stop)
        for file in (self._popen.stdin, self._popen.stdout, self._popen.stderr):
            if file is not None:
                file.close()
        self._in = self._out = self._err = -1
        _alive.discard(self)

    def _signal(self, sign: signal.Signals) -> None:
        with contextlib.suppress(OSError):  # nobody is left in the group
            os.killpg(self.pid, sign)


def _how(status: int, *, by_signal: bool) -> str:
    if not by_signal:
        return f"exit code {status}"
    try:
        return f"signal {signal.Signals(status).name}"
    except ValueError:  # a real-time signal
        return f"signal {status}"


@atexit.register
def _kill_all() -> None:
    for process in list(_alive):
        process.kill()


# ---------------------------------------------------------------------- one core


class Core:
    """One processor core for this thread and the main thread of an engine.

    Where one of them always waits for the other, waking a core that sleeps takes longer than anything else: on one
    core, a question and its answer are 6 to 10 times as quick. Where the system cannot do that, nothing happens.
    """

    def __init__(self) -> None:
        self._before: set[int] | None = None
        self._thread = 0

    def share(self, pid: int) -> None:
        """Put this thread, and the main thread of that process, on the core that this thread runs on."""
        with contextlib.suppress(OSError, AttributeError, ValueError, IndexError):
            before = os.sched_getaffinity(0)
            core = _core_now()
            os.sched_setaffinity(pid, {core})
            if self._before is None:
                self._before, self._thread = before, threading.get_native_id()
            os.sched_setaffinity(self._thread, {core})

    def leave(self) -> None:
        """Let this thread run where it ran before."""
        if self._before is not None:
            with contextlib.suppress(OSError):
                os.sched_setaffinity(self._thread, self._before)
            self._before = None


def _core_now() -> int:
    """The core that this thread runs on. Raises OSError where the system does not tell."""
    _, _, after_name = Path("/proc/thread-self/stat").read_text(encoding="ascii", errors="replace").rpartition(")")
    # `processor` is the 39th field of proc(5); the third is the first after the name
    return int(after_name.split()[39 - 3])
