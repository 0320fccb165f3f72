"""Builds the vectors from what people wrote: python tools/vectors/build.py [--check] [--forget]

`--check` writes nothing and fails if a file would change. An id is for ever: what it asks does not change. A vector
that has to change gets a new id, and the old one stays in ids.lock, marked as withdrawn. `--forget` begins the lock
anew, which is allowed before a release only.
"""

import argparse
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import yaml

TOP = Path(__file__).resolve().parents[2]
if __name__ == "__main__":
    sys.path[:0] = [str(TOP / name) for name in ("reference", "conformance", "tools/vectors")]

import faults  # noqa: E402
import suits  # noqa: E402
from expand import expanded  # noqa: E402
from layout import file_of, short  # noqa: E402
from notation import NotationError, expectation, played  # noqa: E402
from twins import twin_of  # noqa: E402

from buckspec.load import load_profile  # noqa: E402
from buckspec.rules import Rules  # noqa: E402

VECTORS = TOP / "conformance" / "buckspec_conformance" / "vectors"
SOURCE = VECTORS / "source"
LOCK = VECTORS / "ids.lock"
FORMAT = "buckspec-vector/1"
_WITHDRAWN = "withdrawn"
WRONG: list[str] = []
"""What cannot be built, and why."""


@lru_cache
def _rules(profile: str, parameters: tuple[tuple[str, int], ...], readings: tuple[tuple[str, str], ...]) -> Rules:
    return load_profile(profile, dict(parameters), dict(readings))


def rules_of(request: Mapping[str, Any]) -> Rules:
    """The rules by which a request, or the source of a vector, is judged."""
    parts = (tuple(sorted(request.get(key, {}).items())) for key in ("parameters", "readings"))
    return _rules(request.get("profile", "ohio"), *parts)


@dataclass(frozen=True)
class Topic:
    """A file of vectors."""

    name: str
    title: str
    vectors: tuple[dict[str, Any], ...]


def topics() -> Iterator[Topic]:
    """Every topic with its vectors, twins included."""
    rows = faults.read(SOURCE / "faults.yaml")
    for path in sorted(SOURCE.glob("*.yaml")):
        if path.name == "faults.yaml":
            continue
        source = yaml.safe_load(path.read_text(encoding="utf-8"))
        name = source["topic"]
        written = suits.table() if source.get("table") else source["vectors"]
        entries = [one for key, entry in written.items() for one in expanded(str(key), entry)]
        vectors = [vector for key, entry in entries for vector in _built(name, key, entry, rows)]
        yield Topic(name, source["title"], tuple(vectors))


def _built(topic: str, key: str, source: Mapping[str, Any], rows: Mapping[int, faults.Row]) -> Iterator[dict[str, Any]]:
    """A vector and, if it has one, its twin."""
    id_ = f"v-{topic}-{key}"
    try:
        request, refused = played(rules_of(source), id_, source)
        twin = source.get("twin")
        if twin is None:
            yield _vector(id_, source, request, refused, rows, topic, None)
            return
        if refused is None:
            raise NotationError(f"{id_}: only an illegal vector has a twin")
        other = f"v-{topic}-{twin.get('name', f'{key}-legal')}"
        yield _vector(id_, source, request, refused, rows, topic, other)
        legal = {**source, "because": twin["because"], "clauses": twin.get("clauses", source["clauses"])}
        yield _vector(other, legal, twin_of(rules_of, twin, request, refused), None, rows, topic, id_)
    except (NotationError, ValueError, KeyError, TypeError, IndexError) as error:
        WRONG.append(f"{id_}: {type(error).__name__}: {error}")


def _vector(
    id_: str,
    source: Mapping[str, Any],
    request: Mapping[str, Any],
    refused: tuple[int, int] | None,
    rows: Mapping[int, faults.Row],
    topic: str,
    twin: str | None,
) -> dict[str, Any]:
    numbers = [int(number) for number in source.get("faults", [])]
    tags = [
        topic,
        *source.get("tags", []),
        *(["illegal"] if refused else []),
        *(["legal-twin"] if twin and not refused else []),
        *(["two-hands"] if len(request["hands"]) > 1 else []),
        *(["other-reading"] if request["readings"] else []),
        *(f"fault-{number}" for number in numbers),
    ]
    links = [link for number in numbers for link in rows[number].links]
    return {
        "id": id_,
        "because": source["because"],
        "clauses": source["clauses"],
        "tags": tags,
        **({"links": list(dict.fromkeys(links))} if links else {}),
        **({"twin": twin} if twin else {}),
        **request,
        "expect": {"hands": expectation(rules_of(request), request)},
    }


# ---------------------------------------------------------------------- ids


def fingerprint(vector: Mapping[str, Any]) -> str:
    """Of what a vector asks: the same as long as the same is asked."""
    asked = {key: vector[key] for key in ("profile", "parameters", "readings", "start", "hands") if key in vector}
    return sha256(short(asked).encode()).hexdigest()[:16]


def lock_of(vectors: list[dict[str, Any]], before: str) -> str:
    """The lock with the ids of these vectors. Raises NotationError where an id would come to ask something else."""
    known: dict[str, list[str]] = {line.split()[0]: line.split()[1:] for line in before.splitlines()}
    found = {vector["id"]: fingerprint(vector) for vector in vectors}
    if len(found) < len(vectors):
        raise NotationError("two vectors have the same id")
    changed = [id_ for id_, print_ in found.items() if known.get(id_, [print_]) != [print_]]
    if changed:
        raise NotationError(f"these ids asked something else before, or are withdrawn; take new ones: {changed}")
    gone = {id_: [print_[0], _WITHDRAWN] for id_, print_ in known.items() if id_ not in found}
    lines = {**gone, **{id_: [print_] for id_, print_ in found.items()}}
    return "".join(f"{id_} {' '.join(lines[id_])}\n" for id_ in sorted(lines))


# ---------------------------------------------------------------------- the files


def files(*, forget: bool = False) -> dict[Path, str]:
    """Every file that is built, as it has to be."""
    WRONG.clear()
    built = list(topics())
    if WRONG:
        raise NotationError("\n".join(WRONG))
    vectors = [vector for topic in built for vector in topic.vectors]
    found = {
        VECTORS / f"{topic.name}.json": file_of(
            {"format": FORMAT, "topic": topic.name, "title": topic.title, "seats": 4, "vectors": list(topic.vectors)}
        )
        for topic in built
    }
    before = LOCK.read_text(encoding="utf-8") if LOCK.exists() and not forget else ""
    found[LOCK] = lock_of(vectors, before)
    found[VECTORS / "FAULTS.md"] = faults.page(faults.read(SOURCE / "faults.yaml"), vectors)
    return found


def main() -> int:
    """Build, or check that nothing would change."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing; fail if a file would change")
    parser.add_argument("--forget", action="store_true", help="begin the lock of ids anew")
    chosen = parser.parse_args()
    try:
        wanted = files(forget=chosen.forget)
    except NotationError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    stray = [path for path in VECTORS.glob("*.json") if path not in wanted]
    differing = [path for path, text in wanted.items() if not path.exists() or path.read_text(encoding="utf-8") != text]
    if not chosen.check:
        for path in differing:
            path.write_text(wanted[path], encoding="utf-8")
        for path in stray:
            path.unlink()
    for path in (*differing, *stray):
        sys.stdout.write(f"{'differs' if chosen.check else 'written'}: {path.relative_to(TOP).as_posix()}\n")
    return int(chosen.check and bool(differing or stray))


if __name__ == "__main__":
    sys.exit(main())
