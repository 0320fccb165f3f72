"""The runner of INTERPRETING.md, word by word, with nothing of buckspec: an engine of another author passes by it."""

import json
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

CONFORMANCE = Path(__file__).resolve().parents[2]
ADAPTER = CONFORMANCE / "engines" / "javascript" / "adapter.js"
VECTORS = CONFORMANCE / "buckspec_conformance" / "vectors"
NODE = shutil.which("node")


def stored() -> list[dict[str, Any]]:
    files = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(VECTORS.glob("*.json"))]
    assert {file["format"] for file in files} == {"buckspec-vector/1"}
    return [vector for file in files for vector in file["vectors"]]


def request(vector: dict[str, Any], number: int) -> str:
    asked = {key: vector[key] for key in ("profile", "parameters", "readings", "start", "hands") if key in vector}
    return json.dumps({"id": number, "op": "play", **asked})


def faults(vector: dict[str, Any], answer: dict[str, Any], reports: list[str]) -> Iterator[str]:
    """What an answer has wrong, in the order of the steps."""
    for at, (wanted, told_hand) in enumerate(zip(vector["expect"]["hands"], answer["hands"], strict=True)):
        state: dict[str, Any] = {}
        for number, (step, told) in enumerate(zip(wanted["steps"], told_hand["steps"], strict=True)):
            if told.get("accepted", number == 0) != step["accepted"]:
                yield f"{vector['id']} {at}/{number}: accepted"
            if "clause" in told and told["clause"] not in step["violations"]:
                yield f"{vector['id']} {at}/{number}: clause"
            if number == 0 and not step["accepted"]:
                break
            state |= {field: value for field, value in step.items() if field not in ("accepted", "violations")}
            for field in reports:
                if not same(field, told[field], state[field]):
                    yield f"{vector['id']} {at}/{number}: {field} is {state[field]}, not {told[field]}"


def same(field: str, one: Any, other: Any) -> bool:
    if field == "legal":
        return {tuple(sorted(event.items())) for event in one} == {tuple(sorted(event.items())) for event in other}
    if field == "winners":
        return set(one) == set(other)
    if field == "hands":
        return [set(cards) for cards in one] == [set(cards) for cards in other]
    return bool(one == other)


@pytest.mark.skipif(NODE is None, reason="needs node")
def test_the_runner_needs_nothing_but_the_vectors() -> None:
    vectors = stored()
    lines = ['{"id":1,"op":"hello","protocol":1}', *(request(vector, at) for at, vector in enumerate(vectors, 2))]
    done = subprocess.run(
        [str(NODE), str(ADAPTER)], input="\n".join([*lines, ""]), capture_output=True, text=True, check=True
    )
    hello, *answers = map(json.loads, done.stdout.splitlines())
    assert [fault for vector, answer in zip(vectors, answers, strict=True) if "unsupported" not in answer
            for fault in faults(vector, answer, hello["reports"])] == []  # fmt: skip
    assert sum("unsupported" not in answer for answer in answers) > len(vectors) / 2


def test_the_runner_finds_a_wrong_field() -> None:
    vector = next(one for one in stored() if one["id"] == "v-source-ohio-trick")
    steps = [dict(step) for step in vector["expect"]["hands"][0]["steps"]]
    whole: dict[str, Any] = {}
    told = [dict(whole := {**whole, **step}) for step in steps]
    assert list(faults(vector, {"hands": [{"steps": told}]}, ["turn", "tricks"])) == []
    told[-1] = {**told[-1], "tricks": [1, 0, 0, 0]}
    assert [fault.split(": ")[1][:6] for fault in faults(vector, {"hands": [{"steps": told}]}, ["turn", "tricks"])] == [
        "tricks"
    ]
    told[-1] = {**told[-1], "accepted": False}
    assert next(faults(vector, {"hands": [{"steps": told}]}, [])).endswith("accepted")
