"""No clause counts as passed that an engine did not earn: engines that cannot play, over pipes."""

import pytest
from null_engines import KINDS
from null_table import OUT, earned, line, outcome, table

from buckspec_conformance import suite

QUICK = ("gone", "garbage", "accept", "accept-frozen", "reject", "reject-frozen")


@pytest.mark.parametrize("kind", QUICK)
def test_a_null_engine_earns_nothing(kind: str) -> None:
    found = outcome(kind)
    assert earned(found) == 0
    assert found.footer is not None
    assert found.footer.exit in (1, 4)
    assert line(kind, KINDS[kind][0], found) in OUT.read_text(encoding="utf-8").splitlines()


@pytest.mark.slow
def test_the_table_of_null_engines_is_up_to_date() -> None:
    assert table() == OUT.read_text(encoding="utf-8"), "run conformance/selftest/runner/null_engines.py --write"


@pytest.mark.slow
@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "crash-later"])
def test_a_null_engine_earns_nothing_of_the_whole_suite(kind: str) -> None:
    assert earned(outcome(kind, suite.shipped())) == 0


@pytest.mark.slow
def test_what_an_engine_answers_before_it_ends_is_its_own() -> None:
    found = outcome("crash-later")
    assert {"passed", "flaky"} <= {case.outcome for case in found.cases}
    assert all(not case.earned for case in found.cases if case.outcome != "passed")
    assert found.footer is not None
    assert found.footer.exit == 1
