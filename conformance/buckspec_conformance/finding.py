"""What `doctor` finds: one thing about an adapter, with the bytes that show it."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

Level: TypeAlias = Literal["fault", "warning", "info"]
"""A fault breaks the protocol; a warning makes trouble somewhere or some day; an info may be as it should."""
_ROOM = 240
"""How many characters of what was sent or received a finding shows."""


@dataclass(frozen=True)
class Finding:
    """One thing about an adapter: a word for it, what it is, the bytes that show it, and what to do.

    `sent` and `received` are shortened, and escaped as in a Python literal.
    """

    fault: str
    level: Level
    what: str
    todo: str
    sent: str = ""
    received: str = ""


def shown(raw: bytes) -> str:
    """The bytes as a literal, with the middle left out where they are many."""
    text = repr(raw)[2:-1] if raw else ""
    half = _ROOM // 2
    return text if len(text) <= _ROOM else f"{text[:half]} … {len(raw)} bytes … {text[-half:]}"
