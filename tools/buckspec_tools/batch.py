"""Reads many logs and judges them in order, in this process or in several, with no more in memory than a few."""

import sys
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from io import BytesIO
from itertools import chain, islice

from buckspec.formats.reader import Read, read, read_path
from buckspec.formats.vocabulary import Vocabulary
from buckspec.rules import Rules
from buckspec.words import words_of
from buckspec_tools.judge import Outcome, Request, check_choices, judge
from buckspec_tools.names import usual
from buckspec_tools.workers import Worker

STDIN, STDIN_SHOWN = "-", "<stdin>"
ALONE = 256
"""How many logs are judged here before other processes help: a process takes as long to start as some hundred logs."""
CHUNK = 16
"""How many logs a process is given at a time: some tenths of a second of work."""


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
        return _here(found, request)
    return chain(_here(islice(found, ALONE), request), _spread(found, request, jobs))


def _here(found: Iterable[Read], request: Request) -> Iterator[Outcome]:
    return (judge(one, request) for one in found)


def _spread(found: Iterator[Read], request: Request, jobs: int) -> Iterator[Outcome]:
    """The same, by several processes; each has a few logs at a time, so that memory does not grow with the files."""
    working: deque[Worker] = deque()
    try:
        for chunk in _chunks(found):
            # whose turn it is has had its logs for the longest; few logs need few processes
            worker = working.popleft() if len(working) == jobs else Worker(request)
            working.append(worker)
            yield from worker.taken()
            worker.give(chunk)
        for worker in working:
            yield from worker.taken()
    finally:
        for worker in working:
            worker.end()


def _chunks(found: Iterable[Read]) -> Iterator[list[Read]]:
    rest = iter(found)
    while chunk := list(islice(rest, CHUNK)):
        yield chunk
