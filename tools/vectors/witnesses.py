"""Chooses few vectors that show all that the vectors show: python tools/vectors/witnesses.py [--check]

For each objective of `buckspec coverage` that is met, the vector that is there for it: always the one that meets most
of what is left, of these the one with the fewest events, then the first by its id. `--check` writes nothing and fails
if the file would change.
"""

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
if __name__ == "__main__":
    sys.path[:0] = [str(TOP / name) for name in ("reference", "conformance")]

from buckspec_conformance.coverage.table import WITNESSES, Met, measured  # noqa: E402
from buckspec_conformance.vectors import Vector, vectors  # noqa: E402


def witnesses(met: Met, found: Sequence[Vector]) -> Mapping[str, str]:
    """For each objective, the vector that is there for it."""
    length = {vector.id: sum(len(hand["events"]) for hand in vector.case.request["hands"]) for vector in found}  # type: ignore[attr-defined]
    meets: dict[str, set[str]] = {id_: set() for id_ in length}
    for objective, ids in met.items():
        for id_ in ids:
            meets[id_].add(objective)
    chosen: dict[str, str] = {}
    while len(chosen) < len(met):
        best = min(meets, key=lambda id_: (-len(meets[id_]), length[id_], id_))
        chosen |= dict.fromkeys(meets[best], best)
        meets = {id_: left - chosen.keys() for id_, left in meets.items()}
    return dict(sorted(chosen.items()))


def text() -> str:
    """The file as it has to be."""
    return json.dumps(witnesses(measured(vectors()), vectors()), indent=1) + "\n"


def main() -> int:
    """Write the file, or check that nothing would change."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing; fail if the file would change")
    chosen = parser.parse_args()
    wanted = text()
    if WITNESSES.exists() and WITNESSES.read_text(encoding="utf-8") == wanted:
        return 0
    if not chosen.check:
        WITNESSES.write_text(wanted, encoding="utf-8")
    sys.stdout.write(f"{'differs' if chosen.check else 'written'}: {WITNESSES.relative_to(TOP).as_posix()}\n")
    return int(chosen.check)


if __name__ == "__main__":
    sys.exit(main())
