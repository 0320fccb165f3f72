"""How strong the vectors are: what they cover, and which one-token changes of the rules they do not notice.

    python tools/vectors/strength.py                    counts by topic and what each clause has; a second
    python tools/vectors/strength.py --changes [0/2]    every change of the rules (or each second one); some minutes

A change is noticed by a vector if the changed rules say anything else in it: accept or refuse another event, give
other clauses for it, show another value, or fail. What is not noticed is printed, with its place in the file.
"""

import argparse
import re
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

TOP = Path(__file__).resolve().parents[2]
if __name__ == "__main__":
    sys.path[:0] = [str(TOP / name) for name in ("reference", "conformance", "conformance/selftest", "tools/vectors")]

from notation import expectation  # noqa: E402
from spec_mutants import Mutant, mutants  # noqa: E402

from buckspec import sources  # noqa: E402
from buckspec.data import spec_dir  # noqa: E402
from buckspec.document import Node  # noqa: E402
from buckspec.evaluate import RuleError  # noqa: E402
from buckspec.load import load_profile  # noqa: E402
from buckspec.problem import SpecError  # noqa: E402
from buckspec.rulebook import RuleBook  # noqa: E402
from buckspec.rules import Rules, choose  # noqa: E402
from buckspec_conformance.vectors import Vector, vectors  # noqa: E402

_CLAUSE = re.compile(r"^\s+([a-z]+\.[a-z-]+):", re.MULTILINE)
_SHARE = 6  # of the places of a table, one in so many is asked of a change that is not about it
_FAILURES = (RuleError, ValueError, ArithmeticError, LookupError, TypeError, SpecError)


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


# ---------------------------------------------------------------------- changes of the rules


def unnoticed(part: int, parts: int) -> Iterator[Mutant]:
    """The changes that no vector notices, of each so-manieth change."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "spec"
        shutil.copytree(spec_dir(), folder)
        read = _keep_what_was_read()
        asked = [vector for vector in vectors() if vector.case.request["profile"] == "ohio"]
        table = [vector for vector in asked if "effective-suit" in vector.case.tags]
        few = [vector for vector in asked if vector not in table] + table[::_SHARE]
        for mutant in mutants(folder)[part::parts]:
            book, clause = _changed(folder, mutant, read)
            nearest = sorted((one for one in asked if clause in one.case.clauses), key=size)
            chosen: dict[Any, Rules] = {}
            order = [*nearest, *(one for one in few if one not in nearest)]
            if book is not None and not any(_notices(one, book, chosen) for one in order):
                yield mutant


def _keep_what_was_read() -> dict[tuple[str, str], Node]:
    """From now on no text is read twice; the caller forgets those that come only once."""
    read_yaml = sources.read_yaml
    found: dict[tuple[str, str], Node] = {}

    def kept(path: Path, name: str | None = None) -> Node:
        key = (path.as_posix(), path.read_text(encoding="utf-8"))
        if key not in found:
            found[key] = read_yaml(path, name)
        return found[key]

    sources.read_yaml = kept
    return found


def _changed(folder: Path, mutant: Mutant, read: dict[tuple[str, str], Node]) -> tuple[RuleBook | None, str | None]:
    """The rule book with a change, or None if it is refused, and the clause in which it stands."""
    path = folder.parent / mutant.file
    text = path.read_text(encoding="utf-8")
    changed = text[: mutant.offset] + mutant.new + text[mutant.offset + len(mutant.old) :]
    clauses = _CLAUSE.findall(text[: mutant.offset])
    path.write_text(changed, encoding="utf-8")
    try:
        return load_profile("ohio", spec=folder).book, clauses[-1] if clauses else None
    except SpecError:
        return None, None
    finally:
        path.write_text(text, encoding="utf-8")
        read.pop((path.as_posix(), changed), None)


def _notices(vector: Vector, book: RuleBook, chosen: dict[Any, Rules]) -> bool:
    request: Mapping[str, Any] = vector.case.request
    key = (tuple(request["parameters"].items()), tuple(request["readings"].items()))
    try:
        if key not in chosen:
            chosen[key] = choose(book, book.profile, request["parameters"], request["readings"], False)
        return bool(_plain(expectation(chosen[key], request)) != _plain(vector.expect["hands"]))
    except _FAILURES:
        return True


def _plain(value: Any) -> Any:
    """Values as JSON has them."""
    if isinstance(value, Mapping):
        return {key: _plain(held) for key, held in value.items()}
    return [_plain(held) for held in value] if isinstance(value, list | tuple) else value


def main() -> None:
    """Print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--changes", nargs="?", const="0/1", metavar="PART/PARTS")
    chosen = parser.parse_args()
    if chosen.changes is None:
        sys.stdout.write("\n".join(counts()) + "\n")
        return
    part, parts = map(int, chosen.changes.split("/"))
    number = 0
    for mutant in unnoticed(part, parts):
        number += 1
        sys.stdout.write(f"{mutant} (offset {mutant.offset})\n")
        sys.stdout.flush()
    sys.stdout.write(f"{number} changes are not noticed\n")


if __name__ == "__main__":
    main()
