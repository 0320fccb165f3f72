"""Several processes of one engine, side by side, and how quickly an engine is asked."""

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue
from time import perf_counter
from types import TracebackType
from typing import Self, TypeVar

from buckspec_conformance.asking import Failure, Greeting, Outcome, Transport
from buckspec_conformance.messages import HelloResponse
from buckspec_conformance.protocol import Prepared

Found = TypeVar("Found")


class Pool:
    """A Transport over several others, each used by a thread of its own.

    `make` gives a new Transport; if it is to a process, unpinned, as one core is no place for several. Which of
    them gets which request is a matter of chance, so an engine that keeps state between requests shows here.
    """

    def __init__(self, make: Callable[[], Transport], jobs: int) -> None:
        self.members: Sequence[Transport] = [make() for _ in range(max(jobs, 1))]

    @property
    def hello(self) -> HelloResponse | None:
        """See Transport."""
        return self.members[0].hello

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def start(self) -> Greeting:
        """See Transport. All members must be greeted alike."""
        first, *others = self._each(lambda member: member.start())
        if isinstance(first, Failure):
            return first
        for other in others:
            if isinstance(other, Failure):
                return other
            if other != first:
                return Failure("protocol-error", "two of its processes answer hello differently", fault="changed")
        return first

    def ask(self, request: Prepared) -> Outcome:
        """See Transport."""
        return self.members[0].ask(request)

    def ask_again(self, request: Prepared) -> Outcome:
        """See Transport."""
        return self.members[0].ask_again(request)

    def ask_all(self, requests: Iterable[Prepared]) -> Iterator[Outcome]:
        """See Transport. The requests are taken by several threads, though never by two at once."""
        numbered = enumerate(requests)
        lock = threading.Lock()
        over = threading.Event()
        outcomes: SimpleQueue[tuple[int, Outcome] | BaseException | None] = SimpleQueue()

        def work(member: Transport) -> None:
            taken: list[int] = []

            def share() -> Iterator[Prepared]:
                while not over.is_set():
                    with lock:
                        number, request = next(numbered, (-1, None))
                    if request is None:
                        return
                    taken.append(number)
                    yield request

            try:
                for outcome in member.ask_all(share()):
                    outcomes.put((taken.pop(0), outcome))
                outcomes.put(None)
            except BaseException as error:  # noqa: BLE001 - it is raised again, where the outcomes are taken
                outcomes.put(error)

        threads = [threading.Thread(target=work, args=(member,), daemon=True) for member in self.members]
        for thread in threads:
            thread.start()
        try:
            yield from _in_order(outcomes, len(threads))
        finally:
            over.set()
            for thread in threads:
                thread.join()

    def close(self) -> None:
        """See Transport."""
        self._each(lambda member: member.close())

    def _each(self, do: Callable[[Transport], Found]) -> list[Found]:
        """Do it with all members at once; what came of it, in their order."""
        with ThreadPoolExecutor(len(self.members)) as threads:
            return list(threads.map(do, self.members))


def _in_order(outcomes: "SimpleQueue[tuple[int, Outcome] | BaseException | None]", workers: int) -> Iterator[Outcome]:
    """The outcomes by number, until each worker has said that it is done."""
    early: dict[int, Outcome] = {}
    wanted = 0
    while workers:
        found = outcomes.get()
        if found is None:
            workers -= 1
        elif isinstance(found, BaseException):
            raise found
        else:
            early[found[0]] = found[1]
        while wanted in early:
            yield early.pop(wanted)
            wanted += 1


# ---------------------------------------------------------------------- pace


def one_at_a_time(transport: Transport, request: Prepared, times: int) -> float:
    """Answers per second if each is waited for. Raises RuntimeError at the first failure."""
    began = perf_counter()
    for _ in range(times):
        _must(transport.ask(request))
    return times / (perf_counter() - began)


def sent_ahead(transport: Transport, request: Prepared, times: int) -> float:
    """Answers per second if requests are sent ahead. Raises RuntimeError at the first failure."""
    began = perf_counter()
    for outcome in transport.ask_all([request] * times):
        _must(outcome)
    return times / (perf_counter() - began)


def _must(outcome: Outcome) -> None:
    if isinstance(outcome, Failure):
        raise RuntimeError(f"{outcome.kind}: {outcome.message}")
