"""Processes that judge chunks of logs, each through a pipe of its own. None outlives the one that started it."""

import os
import pickle
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from multiprocessing import get_context, parent_process, resource_tracker
from multiprocessing.connection import Connection

import click

from buckspec.formats.reader import Read
from buckspec_tools.judge import Outcome, Request, judge

_SPAWN = get_context("spawn")


class Worker:
    """One process. It is given a chunk, and has to be asked for the outcomes before it is given another."""

    def __init__(self, request: Request) -> None:
        self.pipe, theirs = _SPAWN.Pipe()
        self.is_busy = False
        self.process = _SPAWN.Process(target=_work, args=(theirs, request), daemon=True)
        with _undisturbed():
            self.process.start()
        theirs.close()

    def give(self, chunk: Sequence[Read]) -> None:
        """Let it judge these."""
        try:
            self.pipe.send(chunk)
        except OSError:
            self._ended()
        self.is_busy = True

    def taken(self) -> list[Outcome]:
        """What came of the chunk, as soon as that is known; none where it has no chunk. Raises what it ran into."""
        if not self.is_busy:
            return []
        self.is_busy = False
        came: list[Outcome] | Exception = []
        try:
            came = self.pipe.recv()
        except (EOFError, OSError):
            self._ended()
        if isinstance(came, Exception):
            raise came
        return came

    def end(self) -> None:
        """End it, whatever it is doing."""
        self.process.terminate()
        self.process.join()
        self.pipe.close()

    def _ended(self) -> None:
        self.process.join(1)
        raise click.ClickException(f"a process of --jobs was ended from outside, with code {self.process.exitcode}")


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Keep Ctrl-C waiting for the block. A process started in it is never told of one: that is for its parent."""
    if sys.platform == "win32":
        yield
        return
    # it starts a process of its own when first needed, and lets Ctrl-C through again after that
    resource_tracker.ensure_running()
    held = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, held)


def _work(pipe: "Connection", request: Request) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_follow_parent, daemon=True).start()
    try:
        while True:
            pipe.send(_judged(pipe.recv(), request))
    except (EOFError, OSError):  # the parent is gone
        return


def _judged(chunk: Sequence[Read], request: Request) -> list[Outcome] | Exception:
    try:
        return [judge(one, request) for one in chunk]
    except Exception as fault:  # noqa: BLE001 - the parent raises it again
        return _sendable(fault)


def _sendable(fault: Exception) -> Exception:
    """The fault, or one that says the same if this one does not survive the way."""
    try:
        pickle.loads(pickle.dumps(fault))  # noqa: S301 - our own
    except Exception:  # noqa: BLE001 - an exception may do anything there
        return RuntimeError(f"{type(fault).__name__}: {fault}")
    return fault


def _follow_parent() -> None:
    """End with the parent, though a log may keep this process busy for long."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(0)
