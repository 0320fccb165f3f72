"""Faulty engines are caught, and blamed on a clause that a referee would name.

The quick test takes some of each kind; `python conformance/selftest/faulty/faulty.py` takes all and writes the page.
"""

import pytest
from faulty import SETS, TABLE, Faulty, caught, faulty_engines, is_right

ENGINES = {faulty.id: faulty for faulty in faulty_engines(SETS[0])}
HELD_OUT = {faulty.id: faulty for faulty in faulty_engines(SETS[1])}
SAMPLE = ("k1-left-bower-led-printed-suit", "k2-nine-beats-ten", "k6-two-tricks-enough")


def test_there_are_enough_of_every_kind_that_a_request_can_show() -> None:
    kinds = [faulty.kind for faulty in ENGINES.values()]
    assert len(ENGINES) >= 60
    assert all(kinds.count(kind) >= 3 for kind in set(kinds))


@pytest.mark.parametrize("name", [name for name in SAMPLE if name in ENGINES])
def test_a_faulty_engine_is_caught_and_the_right_clause_blamed(name: str) -> None:
    found = caught(ENGINES[name])
    assert found.outcome != "survived"
    assert is_right(ENGINES[name], found), f"{found.blamed} instead of {ENGINES[name].clauses}"


@pytest.mark.slow
@pytest.mark.parametrize(("engines", "share"), [(ENGINES, 0.9), (HELD_OUT, 0.83)], ids=SETS)
def test_every_faulty_engine_is_caught_and_most_are_blamed_rightly(engines: dict[str, Faulty], share: float) -> None:
    found = {name: caught(faulty) for name, faulty in engines.items()}
    survivors = [name for name, one in found.items() if one.outcome == "survived"]
    right = sum(is_right(engines[name], one) for name, one in found.items())
    assert not survivors
    assert right >= share * len(found)


def test_the_page_tells_of_every_faulty_engine() -> None:
    page = TABLE.read_text(encoding="utf-8")
    missing = [name for name in (*ENGINES, *HELD_OUT) if f"| {name} |" not in page]
    assert not missing
