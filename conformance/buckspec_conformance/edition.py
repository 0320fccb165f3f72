"""Which rule text a run is judged by: two states of it have the same version until one of them is published."""

import hashlib
from pathlib import Path

_APART = ("examples", "i18n")
"""What decides nothing: games that are shown, and sentences in other languages."""


def digest(folder: Path) -> str:
    """What tells one state of the rule book in a folder from another, in hex digits."""
    told = hashlib.sha256()
    for path in sorted(folder.rglob("*.yaml")):
        name = path.relative_to(folder)
        if name.parts[0] not in _APART:
            raw = path.read_bytes()
            told.update(b"%s\0%d\0" % (name.as_posix().encode(), len(raw)) + raw)
    return told.hexdigest()
