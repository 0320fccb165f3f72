"""Two ways to do something, measured in turns in one run, so that what slows the machine slows both."""

import gc
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from statistics import median

ROUNDS = 9
"""How often everything is measured; the median counts."""


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


def processes(commands: Mapping[str, Sequence[str]]) -> dict[str, float]:
    """Wall seconds of each command, from start to end: the median of nine rounds, in turns."""
    spent: dict[str, list[float]] = {name: [] for name in commands}
    for turn in range(ROUNDS + 1):
        for name, command in commands.items():
            before = time.perf_counter()
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
            if turn:  # the first warms up the file cache
                spent[name].append(time.perf_counter() - before)
    return {name: median(seconds) for name, seconds in spent.items()}


def resident() -> float:
    """The most memory that this process has had, in MiB."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    line = next(line for line in status.splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) / 1024
