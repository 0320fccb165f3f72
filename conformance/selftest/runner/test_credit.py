"""What an engine that reports little earns by the cases that it passes."""

import pytest

from buckspec import load_profile
from buckspec_conformance.vectors import load_vectors
from buckspec_conformance.witness import Credit

LITTLE = ["turn", "legal", "contract", "trump", "maker", "dealer", "active", "table", "hands", "tricks", "totals"]


@pytest.mark.parametrize("clause", ["cards.right-bower", "play.trump-wins"])
@pytest.mark.parametrize("rotations", [False, True], ids=["from one seat", "from every seat"])
def test_a_clause_that_shows_in_few_cases_is_earned_by_more_of_them_too(clause: str, rotations: bool) -> None:
    credit = Credit(LITTLE)
    rules = load_profile("ohio")
    cases = [case for case in load_vectors(rotations) if clause in case.clauses and not case.request["readings"]]
    assert any(credit.earned(rules, case.request, [clause]) for case in cases if case.request["profile"] == "ohio")
