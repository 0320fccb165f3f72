"""How the files of vectors are laid out: one line for each hand, event list and step, so that changes can be read."""

import json
from collections.abc import Mapping
from typing import Any

_ONE_LINE = 110


def short(value: object) -> str:
    """JSON in one line."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def laid_out(value: Any, depth: int = 0) -> str:
    """JSON in which a list or object that fits stands in one line, and a step always does."""
    line = short(value)
    pad = " " * (depth + 1)
    if not isinstance(value, dict | list) or not value or "accepted" in value or len(line) + depth <= _ONE_LINE:
        return line
    if isinstance(value, list):
        if not isinstance(value[0], dict | list) or "do" in value[0]:
            return line
        inner = ",\n".join(pad + laid_out(part, depth + 1) for part in value)
        return f"[\n{inner}\n{pad[1:]}]"
    inner = ",\n".join(f"{pad}{short(key)}: {laid_out(part, depth + 1)}" for key, part in value.items())
    return f"{{\n{inner}\n{pad[1:]}}}"


def file_of(value: Mapping[str, Any]) -> str:
    """A whole file."""
    return laid_out(dict(value)) + "\n"
