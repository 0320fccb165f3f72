"""Two ways to do something, measured in turns in one run, so that what slows the machine slows both."""

import gc
import os
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

ROUNDS = 9
"""How often everything is measured; the median counts, or the least where pipes and processes are waited for."""


def alternated(ways: Mapping[str, Callable[[], object]]) -> dict[str, float]:
    """CPU seconds of each way: the median of nine rounds, in each of which every way has its turn."""
    spent: dict[str, list[float]] = {name: [] for name in ways}
    for work in ways.values():
        work()  # warms up: tables, caches, the interpreter's own specialisation
    for _ in range(ROUNDS):
        for name, work in ways.items():
            gc.collect()
            before = time.process_time()
            work()
            spent[name].append(time.process_time() - before)
    return {name: median(seconds) for name, seconds in spent.items()}


def fastest(
    ways: Mapping[str, Callable[[], AbstractContextManager[Callable[[], object]]]], rounds: int = ROUNDS
) -> dict[str, float]:
    """Wall seconds of each way: the least of some rounds, in each of which every way has its turn.

    A way is set up anew each time, so that none leaves anything behind for the next; what it sets up is run once
    without a clock. Time that is waited is part of the matter here, and other load can only add to it.
    """
    spent: dict[str, list[float]] = {name: [] for name in ways}
    gc.collect()
    gc.freeze()  # what is there by now is no matter of any way, so the collector need not look through it
    for _ in range(rounds):
        for name, way in ways.items():
            with way() as work:
                work()
                gc.collect()
                before = time.perf_counter()
                work()
                spent[name].append(time.perf_counter() - before)
    return {name: min(seconds) for name, seconds in spent.items()}


def processes(
    commands: Mapping[str, Sequence[str]],
    *,
    rounds: int = ROUNDS,
    pick: Callable[[Sequence[float]], float] = median,
    codes: Mapping[str, int] | None = None,
) -> dict[str, float]:
    """Wall seconds of each command, from start to end: the median, or what `pick` picks, of some rounds, in turns.

    A command has to end with its exit code in `codes`, or with 0.
    """
    spent: dict[str, list[float]] = {name: [] for name in commands}
    with compiled_once() as environment:
        for turn in range(rounds + 1):
            for name, command in commands.items():
                before = time.perf_counter()
                code = subprocess.run(
                    command, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=environment
                )
                if code.returncode != (codes or {}).get(name, 0):
                    raise RuntimeError(f"{name} ended with {code.returncode}: {code.stderr.decode(errors='replace')}")
                if turn:  # the first warms up the file cache, and compiles
                    spent[name].append(time.perf_counter() - before)
    return {name: pick(seconds) for name, seconds in spent.items()}


@contextmanager
def compiled_once() -> Iterator[dict[str, str]]:
    """An environment in which Python keeps what it compiles, as it does for an installed package, whatever is set."""
    with TemporaryDirectory() as folder:
        kept = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
        yield {**kept, "PYTHONPYCACHEPREFIX": folder}


def resident() -> float:
    """The most memory that this process has had, in MiB."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    line = next(line for line in status.splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) / 1024
