"""Writes buckspec_conformance/readings.json: for two readings of a question, a small case that tells them apart.

    python conformance/selftest/runner/find_readings.py

The games are those of reference/tests/cases/readings. Where these cannot tell two questions apart, because another
reading of either comes to the same in all of them, a game is drawn that depends on one of them only. Of the clauses
of each reading those are named that show in the game.
"""

import json
from itertools import permutations
from pathlib import Path
from random import Random
from typing import Any

from buckspec.load import load_profile
from buckspec.observe import observe
from buckspec.rules import Rules
from buckspec_conformance.forms import PLAY
from buckspec_conformance.oracle import expected
from buckspec_conformance.random_hands import RARE, game
from buckspec_conformance.requesting import request_of
from buckspec_conformance.witness import shows

TOP = Path(__file__).resolve().parents[3]
LOGS = TOP / "reference" / "tests" / "cases" / "readings"
OUT = TOP / "conformance" / "buckspec_conformance" / "readings.json"
PROFILE, SEED, HANDS = "ohio", 1948, 400
KEYS = ("dealer", "deck", "events")


def main() -> None:
    cases = found()
    lines = ",\n".join(" " + json.dumps(case) for case in cases)
    OUT.write_text(f"[\n{lines}\n]\n", encoding="utf-8")


def found() -> list[dict[str, Any]]:
    """All cases, those that were drawn last."""
    cases = [case_of(file) for file in sorted(LOGS.glob("*.json"))]
    usual = load_profile(PROFILE)
    others = [(name, reading) for name, one in usual.book.questions.items() for reading in one.readings]
    others = [(name, reading) for name, reading in others if usual.readings[name] != reading]
    seen = {other: tuple(told(rules_by(other), case["request"]) for case in cases) for other in others}
    for one, other in permutations(others, 2):
        if seen[one] == seen[other] and one[0] != other[0]:
            request = drawn(rules_by(one), rules_by(other), usual)
            if request is not None:
                cases.append(case_by(one[0], (usual.readings[one[0]], one[1]), request, f"not-{other[0]}"))
    return cases


def rules_by(other: tuple[str, str]) -> Rules:
    return load_profile(PROFILE, readings=dict([other]))


def told(rules: Rules, request: dict[str, Any]) -> list[object]:
    """Everything that has to be reported."""
    steps = [step for hand in expected(rules, request) for step in hand]
    return [(step.accepted, observe(step.state), step.fields["legal"]) for step in steps]


def drawn(one: Rules, other: Rules, usual: Rules) -> dict[str, Any] | None:
    """The shortest of many random hands of which the first rules say something else than the other two.

    The other two say the same, if there is such a hand.
    """
    rng = Random(SEED)
    best: tuple[bool, int, dict[str, Any]] | None = None
    for _ in range(HANDS):
        request: dict[str, Any] = request_of(game(rng, usual, RARE, 1))  # type: ignore[assignment]
        mine, theirs, ours = (told(rules, request) for rules in (one, other, usual))
        rank = (theirs != ours, len(request["hands"][0]["events"]))
        if mine not in (theirs, ours) and (best is None or rank < best[:2]):
            best = (*rank, request)
    if best is None:
        return None
    return {**best[2], "hands": [{key: best[2]["hands"][0][key] for key in KEYS}]}


def case_of(file: Path) -> dict[str, Any]:
    log = json.loads(file.read_text(encoding="utf-8"))
    question, both, game_ = log["question"], tuple(log["verdicts"]), log["log"]
    request: dict[str, Any] = {
        "op": PLAY,
        "profile": PROFILE,
        "parameters": {},
        "readings": {},
        "start": game_["start"],
        "hands": [{key: hand[key] for key in KEYS} for hand in game_["hands"]],
    }
    return case_by(question, both, request)


def case_by(question: str, both: tuple[str, ...], request: dict[str, Any], name: str = "") -> dict[str, Any]:
    clauses: list[str] = []
    for reading in both:
        rules = rules_by((question, reading))
        clauses += [clause for clause in clauses_of(rules, question) if shows(rules, request, clause, fields(rules))]
    named = {"only": name} if name else {}
    return {"question": question, "readings": [*both], **named, "clauses": sorted(set(clauses)), "request": request}


def fields(rules: Rules) -> list[str]:
    return [*rules.book.observations, "turn", "legal"]


def clauses_of(rules: Rules, question: str) -> list[str]:
    """The clauses in force that depend on the question."""
    force = [clause for clause in rules.book.clauses().values() if clause.under.holds(rules.readings)]
    return [clause.id for clause in force if any(name == question for name, _ in clause.under.choices)]


if __name__ == "__main__":
    main()
