"""How long the proofs take, as ratios to a process that only imports the solver, all measured in this run.

    python tools/bench/prove.py [own] [any] [--quick]

    own    `buckspec prove ohio`, and the longest of its obligations
    any    `buckspec prove ohio --readings any`, and the longest of its obligations

Each against `python -c "import z3"`. Without a name, both. Wall time, in turns, the least of three rounds, as other
load can only add to it, so use a machine that does little else. Needs the extra `dev`. Exits with 1 if a ratio misses
its target; the last line is the first ratio asked for.

`--quick` runs everything once, which shows that it runs: no ratio has to be met.
"""

import json
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from functools import partial

from measure import compiled_once
from targets import Target, run

TARGETS: dict[str, Target] = {
    "own": ("at most", 300.0, "prove ohio ÷ import z3"),
    "own-longest": ("at most", 50.0, "the longest obligation of prove ohio ÷ import z3"),
    "any": ("at most", 600.0, "prove ohio --readings any ÷ import z3"),
    "any-longest": ("at most", 50.0, "the longest obligation of prove ohio --readings any ÷ import z3"),
}
SECTIONS = ("own", "any")
ROUNDS = 3
PROVE = (sys.executable, "-m", "buckspec_tools", "prove", "ohio", "--format", "json", "--readings")
BARE = (sys.executable, "-c", "import z3")


def measured(sections: Sequence[str], *, quick: bool) -> Iterator[tuple[str, float]]:
    """Each ratio of the sections, by name."""
    bare: list[float] = []
    whole: dict[str, list[float]] = {section: [] for section in sections}
    longest: dict[str, list[tuple[float, str]]] = {section: [] for section in sections}
    with compiled_once() as environment:
        _timed(BARE, environment)  # warms up the file cache, and compiles
        for _ in range(1 if quick else ROUNDS):
            for section in sections:
                bare.append(_timed(BARE, environment)[0])
                seconds, printed = _timed((*PROVE, section), environment)
                whole[section].append(seconds)
                found = [json.loads(line) for line in printed.splitlines()]
                longest[section].append(max((held["seconds"], held["id"]) for held in found))
    print(f"import z3   {min(bare):8.3f} s")
    for section in sections:
        seconds, name = min(longest[section])
        print(f"{section:11} {min(whole[section]):8.2f} s, the longest {seconds:.2f} s: {name}")
        yield section, min(whole[section]) / min(bare)
        yield f"{section}-longest", seconds / min(bare)


def _timed(command: Sequence[str], environment: dict[str, str]) -> tuple[float, str]:
    """Wall seconds of a command from start to end, and what it printed."""
    before = time.perf_counter()
    done = subprocess.run(command, check=False, capture_output=True, text=True, env=environment)
    seconds = time.perf_counter() - before
    if done.returncode:
        raise RuntimeError(f"{command[-1]} ended with {done.returncode}: {done.stderr}")
    return seconds, done.stdout


if __name__ == "__main__":
    named = [word for word in sys.argv[1:] if word != "--quick"]
    is_quick = len(named) < len(sys.argv[1:])
    code = run(SECTIONS, partial(measured, quick=is_quick), TARGETS, named)
    sys.exit(0 if is_quick and code == 1 else code)
