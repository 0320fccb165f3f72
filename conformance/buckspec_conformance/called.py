"""What names a case or a clause can have, of whatever level and whichever engine: what has none of them is nothing."""

import re
from collections.abc import Collection, Iterable, Iterator

from buckspec.problem import nearest
from buckspec.rules import Rules
from buckspec.sources import profile_names
from buckspec_conformance import unlisted
from buckspec_conformance.forms import RECORD
from buckspec_conformance.invariants import INVARIANT
from buckspec_conformance.suite import Sources

_HELLO = re.compile(r"hello/\d+")
_RECORD = re.compile(rf"{RECORD}/([^/]+)/\d+")


def nothing(names: Iterable[str], rules: Rules, sources: Sources) -> dict[str, str | None]:
    """Those of the names that are none, each with the name that it may have been meant for."""
    left = [name for name in names if not _is_numbered(name)]
    found: set[str] = set()
    for part in _parts(rules, sources):
        if found.issuperset(left):
            break
        found.update(part)
    return {name: nearest(name, sorted(found)) for name in left if name not in found}


def _is_numbered(name: str) -> bool:
    """A case of which there are as many as one likes."""
    recorded = _RECORD.fullmatch(name)
    return bool(_HELLO.fullmatch(name)) or (recorded is not None and recorded[1] in profile_names())


def _parts(rules: Rules, sources: Sources) -> Iterator[Collection[str]]:
    """All names, those that are quickly had first."""
    book = rules.book
    yield book.clauses().keys()
    yield [f"{INVARIANT}/{name}" for name in book.invariants]
    asked = ((name, reading) for name, question in book.questions.items() for reading in question.readings)
    yield [f"{unlisted.TAG}/{name}/{reading}" for name, reading in asked]
    yield [one.id for one in sources.properties(rules)]
    yield [one.id for one in sources.vectors(True)]
    yield [one.id for one in sources.tables(rules)]
