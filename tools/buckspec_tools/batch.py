"""Reads many logs and judges them in order, in this process or in several, with no more in memory than a few."""

import signal
import sys
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from io import BytesIO
from itertools import islice
from multiprocessing import get_context

from buckspec.formats.reader import Read, read, read_path
from buckspec.formats.vocabulary import Vocabulary
from buckspec.rules import Rules
from buckspec.words import words_of
from buckspec_tools.judge import Outcome, Request, check_choices, judge
from buckspec_tools.names import usual

STDIN, STDIN_SHOWN = "-", "<stdin>"
CHUNK = 16
"""How many logs a process is given at a time: some tenths of a second of work."""
AHEAD = 2
"""How many chunks wait for each process."""


def logs(files: Sequence[str], rules: Rules) -> Iterator[Read]:
    """Every log of the files, in order. What cannot be read is one of them. The rules say how cards may be written."""
    vocabulary = words_of(rules).vocabulary
    for file in files:
        yield from _logs_of(file, vocabulary)


def _logs_of(file: str, vocabulary: Vocabulary) -> Iterator[Read]:
    if file != STDIN:
        return read_path(file, vocabulary)
    # a program may be started without a standard input; that is one without text
    stream = BytesIO() if sys.stdin is None else sys.stdin.buffer
    return read(stream, STDIN_SHOWN, vocabulary)


def outcomes(files: Sequence[str], request: Request, jobs: int) -> Iterator[Outcome]:
    """What to say of each log, in order. Raises SpecError for choices that do not exist, ReplayError."""
    found = logs(files, check_choices(request) or usual())
    if jobs == 1:
        return (judge(one, request) for one in found)
    return _spread(found, request, jobs)


def _spread(found: Iterator[Read], request: Request, jobs: int) -> Iterator[Outcome]:
    """The same, by several processes; each has a few logs at a time, so that memory does not grow with the files."""
    waiting: deque[Future[list[Outcome]]] = deque()
    with ProcessPoolExecutor(jobs, get_context("spawn"), _in_peace) as pool:
        try:
            for chunk in _chunks(found):
                waiting.append(pool.submit(_judge_all, chunk, request))
                if len(waiting) > jobs * AHEAD:
                    yield from waiting.popleft().result()
            while waiting:
                yield from waiting.popleft().result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _chunks(found: Iterable[Read]) -> Iterator[list[Read]]:
    rest = iter(found)
    while chunk := list(islice(rest, CHUNK)):
        yield chunk


def _in_peace() -> None:
    """Ctrl-C is for the process that the user sees; it ends the others."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _judge_all(chunk: list[Read], request: Request) -> list[Outcome]:
    return [judge(one, request) for one in chunk]
