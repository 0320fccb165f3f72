"""How quick buckspec is, as ratios to others, all measured in this run.

    python tools/bench/replay.py [hands] [where] [logs] [memory] [start]

Without a name, everything. CPU time, alternated, median of nine. Needs the extra `bench`. Exits with 1 if a ratio
misses its target; the last line is the first ratio asked for.
"""

import sys
from collections.abc import Iterator, Sequence

import hands
import logs
import starts
from targets import Target, run

TARGETS: dict[str, Target] = {
    "hands": ("at least", 0.25, "hands a second, buckspec ÷ OpenSpiel; the goal is 1.0"),
    "logs": ("at least", 0.05, "reading and judging JSON Lines, orjson.loads ÷ buckspec"),
    "memory": ("at most", 1.1, "most memory after 100,000 games ÷ after 10,000"),
    "help": ("at most", 4.0, "buckspec --help ÷ click+rich hello, wall"),
    "file": ("at most", 10.0, "buckspec replay of one file ÷ click+rich hello, wall"),
}
SECTIONS = ("hands", "where", "logs", "memory", "start")


def measured(sections: Sequence[str]) -> Iterator[tuple[str, float]]:
    """Each ratio of the sections, by name."""
    for section in sections:
        print(f"--- {section}")
        match section:
            case "hands":
                yield "hands", hands.compare()
            case "where":
                hands.where()
            case "logs":
                yield "logs", logs.compare()
            case "memory":
                yield "memory", logs.memory()
            case "start":
                yield from starts.compare()


if __name__ == "__main__":
    sys.exit(run(SECTIONS, measured, TARGETS, sys.argv[1:]))
