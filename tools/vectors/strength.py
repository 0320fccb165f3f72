"""How much the vectors cover: counts by topic, and what each clause has.

    python tools/vectors/strength.py

Which changes of the rules they notice, `buckspec mutants` tells.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
if __name__ == "__main__":
    sys.path[:0] = [str(TOP / name) for name in ("reference", "conformance")]

from buckspec_conformance.vectors import Vector, vectors  # noqa: E402


def size(vector: Vector) -> int:
    """How many steps it has."""
    return sum(len(hand["steps"]) for hand in vector.expect["hands"])


def counts() -> Iterator[str]:
    """Lines about what there is."""
    found = vectors()
    yield f"{len(found)} vectors, {sum(map(size, found))} steps, {sum(vector.seats for vector in found)} when turned"
    for topic, number in Counter(vector.case.tags[0] for vector in found).items():
        yield f"  {topic:10} {number}"
    for tag in ("illegal", "legal-twin", "two-hands", "other-reading"):
        yield f"{tag:13} {sum(tag in vector.case.tags for vector in found)}"
    faults = {tag for vector in found for tag in vector.case.tags if tag.startswith("fault-")}
    yield f"{len(faults)} reported faults"
    purposes = Counter(clause for vector in found for clause in vector.case.clauses)
    yield f"{len(purposes)} clauses, each the purpose of {min(purposes.values())} vectors or more:"
    yield from (f"  {clause:32} {number}" for clause, number in sorted(purposes.items()))


def main() -> None:
    """Print."""
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    sys.stdout.write("\n".join(counts()) + "\n")


if __name__ == "__main__":
    main()
