"""Which ratio has to be how large, and how that is told."""

import operator
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Literal, TypeAlias

Target: TypeAlias = tuple[Literal["at least", "at most"], float, str]
"""How the bound is meant, the bound, and what is divided by what."""
_HOLDS: Mapping[str, Callable[[float, float], bool]] = {"at least": operator.ge, "at most": operator.le}


def judged(ratios: Mapping[str, float], targets: Mapping[str, Target]) -> int:
    """Print the ratios, the first of them last, and give the exit code: 1 if one misses its target."""
    print("---")
    missed = 0
    for name, value in reversed(list(ratios.items())):
        words, target, what = targets[name]
        holds = _HOLDS[words](value, target)
        missed += not holds
        print(f"ratio {name} {value:.2f} ({words} {target}{'' if holds else ', MISSED'}): {what}")
    return int(missed > 0)


def run(
    sections: Sequence[str],
    measured: Callable[[Sequence[str]], Iterator[tuple[str, float]]],
    targets: Mapping[str, Target],
    asked: Sequence[str],
) -> int:
    """Measure the sections that are asked for, or all, and judge them. Unknown ones are 2."""
    unknown = [name for name in asked if name not in sections]
    if unknown:
        print(f"no such section: {unknown[0]}; there are {', '.join(sections)}", file=sys.stderr)
        return 2
    return judged(dict(measured(asked or sections)), targets)
