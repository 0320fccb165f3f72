"""Cases that tell two readings of an open question apart: small games that the two judge differently."""

import json
from functools import lru_cache
from importlib.resources import files
from typing import Any

from buckspec_conformance.case import Case

TAG = "reading"


@lru_cache
def cases() -> tuple[Case, ...]:
    """One case for two readings, wherever a game can tell them apart."""
    text = (files("buckspec_conformance") / "readings.json").read_text(encoding="utf-8")
    return tuple(map(_case, json.loads(text)))


def _case(told: dict[str, Any]) -> Case:
    one, other = told["readings"]
    why = f"It tells the readings {one} and {other} of {told['question']} apart."
    name = "/".join([TAG, told["question"], f"{one}.{other}", *([told["only"]] if "only" in told else [])])
    return Case(name, "vector", tuple(told["clauses"]), why, told["request"], (TAG, told["question"], one, other))
