"""The faults found in public engines, by their rows, and the page that tells which vectors show each."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

_HEAD = """# Faults that public engines had, and the vectors that show them

Built by `tools/vectors/build.py` from `source/faults.yaml`. The number of a row is the tag of its vectors,
`fault-<row>`. The wording is ours; follow a link for the words of its authors.

"""
_NONE = """
## Faults that no vector shows

They cannot concern an engine of Buck Euchre behind the protocol, or they show elsewhere.

| row | link | what was wrong | why no vector |
|---|---|---|---|
"""


@dataclass(frozen=True)
class Row:
    """One reported fault: where, what was wrong, and why no vector can show it, if none can."""

    number: int
    links: tuple[str, ...]
    what: str
    because: str | None


def read(path: Path) -> dict[int, Row]:
    """All rows by their numbers."""
    table = yaml.safe_load(path.read_text(encoding="utf-8"))
    return {
        int(number): Row(int(number), tuple(str(row["link"]).split()), row["was"], row.get("none"))
        for number, row in table.items()
    }


def page(rows: Mapping[int, Row], vectors: Sequence[Mapping[str, Any]]) -> str:
    """The page about all of them. Raises ValueError for a row that has neither a vector nor a reason, or both."""
    shown = {number: [v["id"] for v in vectors if f"fault-{number}" in v["tags"]] for number in rows}
    wrong = [number for number, row in rows.items() if bool(shown[number]) is (row.because is not None)]
    if wrong:
        raise ValueError(f"rows with neither a vector nor a reason, or with both: {wrong}")
    text = _HEAD + "| row | link | what was wrong | vectors |\n|---|---|---|---|\n"
    for number, row in rows.items():
        if row.because is None:
            text += f"| {number} | {_links(row)} | {row.what} | {', '.join(f'`{id_}`' for id_ in shown[number])} |\n"
    text += _NONE
    for number, row in rows.items():
        if row.because is not None:
            text += f"| {number} | {_links(row)} | {row.what} | {row.because} |\n"
    return text


def _links(row: Row) -> str:
    return " ".join(f"<{link}>" for link in row.links)
