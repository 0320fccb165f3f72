"""How quick the suite is, as ratios to others, all measured in this run.

    python tools/bench/conform.py [one] [ahead] [standard] [start] [--quick]

    one        an engine asked one request at a time, against a plain loop of text and json on two cores (see `asking`)
    ahead      an engine asked ahead, against a bare loop of orjson
    standard   `buckspec conform --level standard` of the JavaScript engine, against `node -e 0`
    start      the commands until an engine is to be asked, against a program that only says hello

Without a name, everything. Wall time, as waiting is part of the matter; in turns, the best of nine, as other load can
only add to it. Needs Linux and the extra `dev`; `one` and `ahead` need two cores and a C compiler (cc), `standard`
needs node. What is missing is told, and its ratio is nan. Exits with 1 if a ratio misses its target or was not
measured; the last line is the first ratio asked for.

Run `one` on a machine that does nothing else. Its ratio tells what it is worth that an engine shares the core of
whoever asks: other load delays a loop on two cores most, and a loop that shares a core by chance is as quick.

`--quick` runs everything once and small, which shows that it runs: its ratios say little, and none has to be met.
"""

import os
import shutil
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from math import nan
from pathlib import Path

import asking
from measure import ROUNDS, processes
from starts import HELLO
from targets import Target, run

TARGETS: dict[str, Target] = {
    "one-short": (
        "at least",
        3.0,
        "short requests a second one at a time, ours ÷ text and json on two cores; the goal is 4.0",
    ),
    "one-suite": ("at least", 1.3, "the vectors one at a time, ours ÷ text and json on two cores"),
    "ahead-short": ("at least", 0.15, "short requests a second sent ahead, ours ÷ orjson"),
    "ahead-suite": ("at least", 0.5, "the vectors sent ahead, ours ÷ orjson; the goal is 0.7"),
    "standard": ("at most", 600.0, "conform --level standard of the JavaScript engine ÷ node -e 0"),
    "start-help": ("at most", 4.0, "buckspec conform --help ÷ click+rich hello"),
    "start-conform": ("at most", 6.0, "buckspec conform until hello is not answered ÷ click+rich hello"),
}
NEEDS: dict[str, tuple[str, ...]] = {"one": ("cc",), "ahead": ("cc",), "standard": ("node",), "start": ()}
"""The sections, and the programs that they need."""
ADAPTER = Path(__file__).resolve().parents[2] / "conformance" / "engines" / "javascript" / "adapter.js"
OURS = (sys.executable, "-m", "buckspec_tools")
NO_HELLO = 4
"""The exit code of `conform` for an engine that did not answer at all."""


def standard(*, quick: bool) -> Iterator[tuple[str, float]]:
    """Print the times, and give the ratio."""
    level = ("--level", "smoke", "--only", "reading/batches") if quick else ("--level", "standard")
    yield from _processes(
        {"node -e 0": ("node", "-e", "0"), "standard": (*OURS, "conform", *level, "--", "node", str(ADAPTER))},
        quick=quick,
    )


def start(*, quick: bool) -> Iterator[tuple[str, float]]:
    """Print the times, and give the ratios."""
    ends_at_once = str(shutil.which("true"))
    yield from _processes(
        {
            "click and rich": (sys.executable, "-c", HELLO),
            "start-help": (*OURS, "conform", "--help"),
            "start-conform": (*OURS, "conform", "--", ends_at_once),
        },
        {"start-conform": NO_HELLO},
        quick=quick,
    )


def _processes(
    commands: dict[str, Sequence[str]], codes: dict[str, int] | None = None, *, quick: bool
) -> Iterator[tuple[str, float]]:
    """The ratio of each command to the first."""
    spent = processes(commands, rounds=1 if quick else ROUNDS, pick=min, codes=codes)
    for name, seconds in spent.items():
        print(f"{name:16} {seconds * 1000:8,.0f} ms")
    first, *others = spent.values()
    yield from zip(list(spent)[1:], [seconds / first for seconds in others], strict=True)


def measured(sections: Sequence[str], *, quick: bool) -> Iterator[tuple[str, float]]:
    """Each ratio of the sections, by name; nan where a program is missing that it needs."""
    print("load of the machine before:", *(f"{load:.1f}" for load in os.getloadavg()))
    for section in sections:
        print(f"--- {section}")
        missing = next((program for program in NEEDS[section] if shutil.which(program) is None), None)
        if missing:
            print(f"not measured: there is no {missing} here")
            yield from ((name, nan) for name in TARGETS if name.partition("-")[0] == section)
            continue
        match section:
            case "one" | "ahead":
                yield from asking.compare(section, **({"rounds": 1, "times": 20, "most": 20} if quick else {}))
            case "standard":
                yield from standard(quick=quick)
            case "start":
                yield from start(quick=quick)


if __name__ == "__main__":
    named = [word for word in sys.argv[1:] if word != "--quick"]
    is_quick = len(named) < len(sys.argv[1:])
    code = run(tuple(NEEDS), partial(measured, quick=is_quick), TARGETS, named)
    sys.exit(0 if is_quick and code == 1 else code)
