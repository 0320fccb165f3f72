"""How a value from a file is shown in a message: short, on one line, and with nothing in it that a terminal
obeys.
"""

import json
from collections.abc import Iterable, Sequence

Step = str | int
"""One step into a value: a key of an object, or a place in a list."""

WIDEST = 60
"""How many characters of a value a message shows."""


def shown(value: object, widest: int = WIDEST) -> str:
    """The value as JSON, cut to `widest` characters, with control signs and signs that turn the text round
    escaped.
    """
    if isinstance(value, str):
        # cut first: a text of megabytes is not worth escaping
        value = value if len(value) <= widest else value[:widest] + "…"
        return harmless(json.dumps(value, ensure_ascii=False))
    if isinstance(value, list | tuple):
        return f"a list of {len(value)}" if value else "an empty list"
    if isinstance(value, dict):
        return f"an object of {len(value)} keys" if value else "an empty object"
    text = harmless(json.dumps(value, ensure_ascii=False, default=str))
    return text if len(text) <= widest else text[:widest] + "…"


def harmless(text: str) -> str:
    """The text with everything escaped that does not print as itself: controls, bidirectional marks, line
    ends.
    """
    if text.isprintable():
        return text
    return "".join(sign if sign.isprintable() else _escaped(sign) for sign in text)


def _escaped(sign: str) -> str:
    return sign.encode("unicode_escape", "surrogatepass").decode("ascii")


def written(path: Sequence[Step]) -> str:
    """A path as a reader writes it: `hands[0].events[3].seat`."""
    text = ""
    for step in path:
        if isinstance(step, int):
            text += f"[{step}]"
        elif step.replace("-", "_").isidentifier() and step.isascii() and len(step) <= WIDEST:
            text += f".{step}" if text else step
        else:
            text += f"[{shown(step)}]"
    return text


def one_of(words: Iterable[object], most: int = WIDEST) -> str:
    """A choice in words: `a`, `a or b`, `a, b or c`; a long one is cut."""
    names = [str(word) if isinstance(word, str) else shown(word) for word in words]
    if len(names) <= 1:
        return "".join(names)
    text = f"{', '.join(names[:-1])} or {names[-1]}"
    if len(text) <= most + most:
        return text
    cut = text[:most].rpartition(", ")[0]
    return f"{cut}, … ({len(names)} in all)"
