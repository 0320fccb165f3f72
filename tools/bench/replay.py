"""How quick buckspec is, as ratios to others, all measured in this run.

    python tools/bench/replay.py [hands] [where] [logs] [memory] [start]

Without a name, everything. CPU time, alternated, median of nine. Needs the extra `bench`. Exits with 1 if a ratio
misses its target; the last line is the first ratio asked for.
"""

import operator
import sys
from collections.abc import Callable, Iterator

import hands
import logs
import starts

TARGETS: dict[str, tuple[Callable[[float, float], bool], str, float, str]] = {
    "hands": (operator.ge, "at least", 0.25, "hands a second, buckspec ÷ OpenSpiel; the goal is 1.0"),
    "logs": (operator.ge, "at least", 0.05, "reading and judging JSON Lines, orjson.loads ÷ buckspec"),
    "memory": (operator.le, "at most", 1.1, "most memory after 100,000 games ÷ after 10,000"),
    "help": (operator.le, "at most", 4.0, "buckspec --help ÷ click+rich hello, wall"),
    "file": (operator.le, "at most", 10.0, "buckspec replay of one file ÷ click+rich hello, wall"),
}
SECTIONS = ("hands", "where", "logs", "memory", "start")


def measured(sections: list[str]) -> Iterator[tuple[str, float]]:
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


def main() -> int:
    unknown = [name for name in sys.argv[1:] if name not in SECTIONS]
    if unknown:
        print(f"no such section: {unknown[0]}; there are {', '.join(SECTIONS)}")
        return 2
    ratios = dict(measured(sys.argv[1:] or list(SECTIONS)))
    print("---")
    missed = 0
    for name, value in reversed(ratios.items()):
        holds, words, target, what = TARGETS[name]
        missed += not holds(value, target)
        print(f"ratio {name} {value:.2f} ({words} {target}{'' if holds(value, target) else ', MISSED'}): {what}")
    return int(missed > 0)


if __name__ == "__main__":
    sys.exit(main())
