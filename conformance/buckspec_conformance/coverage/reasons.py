"""Why objectives that no vector meets cannot be met: as written down, with the invariants by which it is proven."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from buckspec.nodes import listing, table, text, texts
from buckspec.sources import read_yaml

_FILE = Path(__file__).with_name("reasons.yaml")


@dataclass(frozen=True)
class Reason:
    """A sentence, and the invariants without which it could not be proven."""

    because: str
    by: tuple[str, ...]


@lru_cache(maxsize=1)
def reasons() -> Mapping[str, Reason]:
    """The reasons by objective."""
    return _group("impossible")


@lru_cache(maxsize=1)
def unseen() -> Mapping[str, Reason]:
    """Why no answer of an engine depends on what an objective is about, by objective."""
    return _group("unseen")


def _group(name: str) -> Mapping[str, Reason]:
    held = table(read_yaml(_FILE), "the reasons").entries
    groups = [table(node, "a reason").entries for node in listing(held[name])]
    return {
        id_: Reason(text(group["because"], "because"), texts(group.get("by"), "by"))
        for group in groups
        for id_ in texts(group["objectives"], "objectives")
    }
