"""An engine asked over pipes: by buckspec, and by loops of an author who wants the answers and nothing else.

All say the same bytes to the same engine, which costs nearly nothing (see `traffic`).

- ours: `Piped`, with its limits, its typed reading of every answer and its check that nothing is missing. A request is
  checked and written anew each time, as the suite does with each that it makes, or was made ready before.
- naive: `Popen(text=True)`; for each request `json.dumps`, `write`, `flush`, `readline`, `json.loads`, and the number
  compared. No limit of time and no other check: it does less than ours. Here it and the engine have one core each.
  Where the system puts them is left to it in another row: it may be one core in one round and two in the next, and the
  best of the rounds counts. A third row has them on one core, as ours is. Whoever compares should look at all three.
- bare: `orjson.dumps` and `orjson.loads` on raw pipes, as many sent ahead as ours, the number compared; no more.
"""

import json
import os
import subprocess
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeAlias

from measure import ROUNDS, fastest
from traffic import engine, short, suite

from buckspec_conformance.asking import Failure, Outcome, Transport
from buckspec_conformance.piped import Piped
from buckspec_conformance.protocol import Prepared, greeting, prepare
from buckspec_conformance.transport import Limits

CHUNK = 1 << 16
TIMES = 3000
"""How many short requests are a round; of the suite's, each is asked once."""

Way: TypeAlias = Callable[[], AbstractContextManager[Callable[[], object]]]


# ---------------------------------------------------------------------- ours


def _checked(outcomes: Iterable[Outcome]) -> None:
    for outcome in outcomes:
        if isinstance(outcome, Failure):
            raise RuntimeError(f"{outcome.kind}: {outcome.message}")


def _one_at_a_time(transport: Transport, requests: Iterable[Prepared]) -> Iterator[Outcome]:
    return map(transport.ask, requests)


def _sent_ahead(transport: Transport, requests: Iterable[Prepared]) -> Iterator[Outcome]:
    return transport.ask_all(requests)


@contextmanager
def _ours(
    command: Sequence[str],
    requests: Sequence[Mapping[str, object]],
    how: Callable[[Transport, Iterable[Prepared]], Iterator[Outcome]],
    ready: Sequence[Prepared] | None = None,
) -> Iterator[Callable[[], object]]:
    """Requests made ready within the time that is measured, unless they are ready."""
    with Piped(command) as transport:
        transport.start()
        yield lambda: _checked(how(transport, ready or map(prepare, requests)))


# ---------------------------------------------------------------------- others


@contextmanager
def _naive(
    command: Sequence[str], requests: Sequence[Mapping[str, object]], cores: int | None = None
) -> Iterator[Callable[[], object]]:
    """On one core or on two; None is where the system likes."""
    usual = os.sched_getaffinity(0)
    child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    if cores is not None:
        os.sched_setaffinity(0, {min(usual)})
        os.sched_setaffinity(child.pid, {min(usual) if cores == 1 else max(usual)})
    assert child.stdin is not None
    assert child.stdout is not None
    to, back = child.stdin, child.stdout

    def ask(message: Mapping[str, object]) -> None:
        to.write(json.dumps(message, separators=(",", ":")) + "\n")
        to.flush()
        if json.loads(back.readline())["id"] != message["id"]:
            raise RuntimeError("the answer to something else")

    def work() -> None:
        for number, request in enumerate(requests):
            ask({"id": number, **request})

    try:
        ask(json.loads(greeting().line(1)))
        yield work
    finally:
        os.sched_setaffinity(0, usual)
        child.communicate()


@contextmanager
def _bare(
    command: Sequence[str], requests: Sequence[Mapping[str, object]], ahead: int
) -> Iterator[Callable[[], object]]:
    import orjson

    child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
    assert child.stdin is not None
    assert child.stdout is not None
    to, back = child.stdin.fileno(), child.stdout.fileno()
    dumps, loads = orjson.dumps, orjson.loads

    def work() -> None:
        sent = got = 0
        unsent = rest = b""
        while got < len(requests):
            if sent - got <= ahead // 2 and sent < len(requests):
                new = requests[sent : got + ahead]
                unsent += b"".join([dumps({"id": at, **one}) + b"\n" for at, one in enumerate(new, sent)])
                sent += len(new)
            if unsent:
                with suppress(BlockingIOError):  # then it has whole requests to answer: the read ends
                    unsent = unsent[os.write(to, unsent) :]
            *lines, rest = (rest + os.read(back, CHUNK)).split(b"\n")
            for one in lines:
                if loads(one)["id"] != got:
                    raise RuntimeError("the answer to something else")
                got += 1

    try:
        os.write(to, greeting().line(1))
        back_line = child.stdout.readline()
        assert back_line.startswith(b'{"id":1,')
        os.set_blocking(to, False)
        yield work
    finally:
        child.communicate()


# ---------------------------------------------------------------------- compared


def compare(
    section: str, rounds: int = ROUNDS, times: int = TIMES, most: int | None = None
) -> Iterator[tuple[str, float]]:
    """Print microseconds per request, and give the ratios."""
    ways, other = {"one": (_ones, "naive"), "ahead": (_aheads, "bare orjson")}[section]
    whole = suite(most)
    with TemporaryDirectory() as folder:
        for name, said in (("short", short(whole)), ("suite", whole)):
            command = engine(said, Path(folder))
            requests = [*said.requests] * (times if len(said.requests) == 1 else 1)
            spent = fastest(ways(command, requests), rounds)
            print(f"{name}: {said.told()}, {len(requests)} times a round")
            for way, seconds in spent.items():
                ratio = spent[other] / seconds
                print(
                    f"  {way:30} {seconds / len(requests) * 1e6:8.2f} µs a request, {ratio:5.2f} of the pace of {other}"
                )
            yield f"{section}-{name}", spent[other] / spent["ours"]


def _ones(command: Sequence[str], requests: Sequence[Mapping[str, object]]) -> dict[str, Way]:
    ready = [prepare(request) for request in requests]
    return {
        "naive": partial(_naive, command, requests, 2),
        "naive, where the system likes": partial(_naive, command, requests),
        "naive, on one core": partial(_naive, command, requests, 1),
        "ours": partial(_ours, command, requests, _one_at_a_time),
        "ours, made ready before": partial(_ours, command, requests, _one_at_a_time, ready),
    }


def _aheads(command: Sequence[str], requests: Sequence[Mapping[str, object]]) -> dict[str, Way]:
    ready = [prepare(request) for request in requests]
    return {
        "bare orjson": partial(_bare, command, requests, Limits().ahead),
        "ours": partial(_ours, command, requests, _sent_ahead),
        "ours, made ready before": partial(_ours, command, requests, _sent_ahead, ready),
    }
