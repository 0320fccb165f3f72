"""Engines that cannot play: each says a proper hello, and then does one thing whatever it is asked.

python null_engines.py KIND           serves such an engine
python null_engines.py --write        writes conformance/NULL-ENGINES.md anew
"""

import json
import os
import sys
import time
from collections.abc import Callable
from typing import Any

Json = dict[str, Any]

NOTHING_SEEN: list[str] = []
FROZEN = {
    "turn": 0, "legal": [{"seat": 0, "do": "pass"}], "contract": None, "trump": None, "maker": None, "dealer": 0,
    "active": [True] * 4, "table": [None] * 4, "hands": [[]] * 4, "tricks": [0] * 4, "totals": [25] * 4,
    "winners": [], "points": [0] * 4, "ended": None, "trick_winners": [],
}  # fmt: skip
NTH = 3


def hello(kind: str, reports: list[str]) -> Json:
    """A proper hello."""
    return {
        "protocol": 1,
        "engine": {"name": f"null-{kind}", "version": "1", "language": "Python"},
        "profiles": ["ohio"],
        "readings": {},
        "choices": {},
        "operations": ["play", "record"],
        "reports": reports,
    }


def steps(request: Json, event: Json, state: Json) -> Json:
    """The same answer to every event, and the same state everywhere."""
    if request["op"] == "record":
        return {"logs": []}
    return {"hands": [{"steps": [state, *({**event, **state} for _ in hand["events"])]} for hand in request["hands"]]}


def rejects(request: Json, state: Json) -> Json:
    return steps(request, {"accepted": False, "reason": "no"}, state)


def accepts(request: Json, state: Json) -> Json:
    return steps(request, {"accepted": True}, state)


def hangs(_: Json) -> Json:
    time.sleep(1000)
    return {}


def ends(_: Json) -> Json:
    os._exit(1)


class Right:
    """Answers as the reference does."""

    def __init__(self) -> None:
        from buckspec_conformance.reference_engine import ReferenceEngine

        self.engine = ReferenceEngine()
        self.count = 0
        self.last: Json = {}

    def until(self, request: Json) -> Json:
        """Rightly, until the n-th request."""
        self.count += 1
        return ends(request) if self.count == NTH else dict(self.engine.answer(request))

    def late(self, request: Json) -> Json:
        """What would have been right for the request before."""
        before, self.last = self.last, dict(self.engine.answer(request))
        return before or {"error": "nothing was asked before"}


KINDS: dict[str, tuple[str, list[str], Callable[[], Callable[[Json], Any]]]] = {
    "gone": ("ends before it says hello", NOTHING_SEEN, lambda: ends),
    "crash": ("ends at every request", [*FROZEN], lambda: ends),
    "crash-later": (f"answers rightly, and ends at its request number {NTH}", [*FROZEN], lambda: Right().until),
    "hang": ("never answers", [*FROZEN], lambda: hangs),
    "garbage": ("answers with what is no JSON", [*FROZEN], lambda: lambda _: b"\x00\xffgarbage"),
    "error": ("answers every request with an error", [*FROZEN], lambda: lambda _: {"error": "no"}),
    "unsupported": ("declines everything", [*FROZEN], lambda: lambda _: {"unsupported": "no"}),
    "echo": ("answers with the request", [*FROZEN], lambda: lambda request: request),
    "accept": ("accepts everything, reports nothing", NOTHING_SEEN, lambda: lambda request: accepts(request, {})),
    "accept-frozen": (
        "accepts everything, always reports the same state", [*FROZEN], lambda: lambda request: accepts(request, FROZEN)
    ),
    "reject": ("rejects everything, reports nothing", NOTHING_SEEN, lambda: lambda request: rejects(request, {})),
    "reject-frozen": (
        "rejects everything, always reports the same state", [*FROZEN], lambda: lambda request: rejects(request, FROZEN)
    ),
    "late": ("gives the right answer to the request before", [*FROZEN], lambda: Right().late),
}  # fmt: skip


def serve(kind: str) -> None:
    _, reports, make = KINDS[kind]
    answer = make()
    for line in sys.stdin:
        request = json.loads(line)
        if request["op"] == "bye":
            return
        found = hello(kind, reports) if request["op"] == "hello" and kind != "gone" else answer(request)
        raw = found if isinstance(found, bytes) else json.dumps({**found, "id": request["id"]}).encode()
        sys.stdout.buffer.write(raw + b"\n")
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        from null_table import OUT, table

        OUT.write_text(table(), encoding="utf-8")
    else:
        serve(sys.argv[1])
