"""Writes buckspec_conformance/readings.json: for two readings of a question, a small case that tells them apart.

    python conformance/selftest/runner/find_readings.py

The games are those of reference/tests/cases/readings. Of the clauses of each reading those are named that show in
the game.
"""

import json
from pathlib import Path
from typing import Any

from buckspec.load import load_profile
from buckspec.rules import Rules
from buckspec_conformance.forms import PLAY
from buckspec_conformance.oracle import expected
from buckspec_conformance.witness import shows

TOP = Path(__file__).resolve().parents[3]
LOGS = TOP / "reference" / "tests" / "cases" / "readings"
OUT = TOP / "conformance" / "buckspec_conformance" / "readings.json"


def main() -> None:
    cases = [case for file in sorted(LOGS.glob("*.json")) if (case := case_of(file))]
    lines = ",\n".join(" " + json.dumps(case) for case in cases)
    OUT.write_text(f"[\n{lines}\n]\n", encoding="utf-8")


def case_of(file: Path) -> dict[str, Any] | None:
    told = json.loads(file.read_text(encoding="utf-8"))
    question, (one, other), log = told["question"], tuple(told["verdicts"]), told["log"]
    request: dict[str, Any] = {
        "op": PLAY,
        "profile": log["profile"],
        "parameters": {},
        "readings": {},
        "start": log["start"],
        "hands": [{key: hand[key] for key in ("dealer", "deck", "events")} for hand in log["hands"]],
    }
    clauses: list[str] = []
    for reading in (one, other):
        rules = load_profile(log["profile"], readings={question: reading})
        clauses += [clause for clause in clauses_of(rules, question) if shows(rules, request, clause, fields(rules))]
    rules = load_profile(log["profile"])
    assert expected(rules, request), file
    return {"question": question, "readings": [one, other], "clauses": sorted(set(clauses)), "request": request}


def fields(rules: Rules) -> list[str]:
    return [*rules.book.observations, "turn", "legal"]


def clauses_of(rules: Rules, question: str) -> list[str]:
    """The clauses in force that depend on the question."""
    force = [clause for clause in rules.book.clauses().values() if clause.under.holds(rules.readings)]
    return [clause.id for clause in force if any(name == question for name, _ in clause.under.choices)]


if __name__ == "__main__":
    main()
