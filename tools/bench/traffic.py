"""What is said over pipes in a benchmark, and an engine that costs nearly nothing to say the half of it.

Either the vectors of the suite, each answered as the reference engine does (`suite`), or one short request over and
over, with one field in its answer (`short`).
"""

import json
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, TypeAlias

import msgspec

from buckspec_conformance.messages import HelloResponse
from buckspec_conformance.plan import Plan, Planner
from buckspec_conformance.reference_engine import ReferenceEngine
from buckspec_conformance.suite import shipped

SOURCE = Path(__file__).with_name("engine.c")

Json: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True)
class Traffic:
    """Requests, and the answers to hello and to each of them; all without their number."""

    hello: Json
    requests: Sequence[Json]
    answers: Sequence[Json]

    def told(self) -> str:
        """How much is said, in words."""
        asked, answered = (sum(map(len, map(line, side))) for side in (self.requests, self.answers))
        count = len(self.requests)
        kinds = "one request" if count == 1 else f"{count} requests"
        return f"{kinds} of {asked / count:,.0f} bytes, answers of {answered / count:,.0f} bytes"


def line(message: Json) -> bytes:
    """A message without its number as JSON."""
    return json.dumps(message, separators=(",", ":")).encode()


def suite(most: int | None = None) -> Traffic:
    """The vectors of the suite, or the first of them, as the reference engine is asked them and answers."""
    engine = ReferenceEngine()
    hello = engine.hello()
    plan = Planner(msgspec.convert({"id": 1, **hello}, HelloResponse)).plan
    planned = (one for one in map(plan, shipped().vectors(False)) if isinstance(one, Plan) and one.prepared.shape)
    requests = [one.case.request for one in islice(planned, most)]
    return Traffic(hello, requests, [engine.answer(request) for request in requests])


def short(whole: Traffic) -> Traffic:
    """Of that traffic, the shortest request, answered by an engine that reports but one thing."""
    told = whole.hello["reports"][:1]
    asked, answered = min(zip(whole.requests, whole.answers, strict=True), key=lambda pair: len(line(pair[0])))
    kept = ("accepted", "reason", *told)
    hands = [
        {"steps": [{key: step[key] for key in kept if key in step} for step in hand["steps"]]}
        for hand in answered["hands"]
    ]
    return Traffic({**whole.hello, "reports": told}, [asked], [{"hands": hands}])


def engine(traffic: Traffic, folder: Path) -> list[str]:
    """The command of the engine that answers like this, compiled and written to that folder."""
    program = folder / "engine"
    if not program.exists():
        subprocess.run(["cc", "-O2", "-o", str(program), str(SOURCE)], check=True)  # noqa: S607 - whichever cc is meant
    answers = folder / f"{len(traffic.requests)}.txt"
    # the engine puts the number before it: {"id":7 and then this, which begins with the comma
    answers.write_bytes(b"".join(b"," + line(one)[1:] + b"\n" for one in (traffic.hello, *traffic.answers)))
    return [str(program), str(answers)]
