"""Rule books with one fault each are refuted, with a state that the interpreter finds fault with, too.

The cases stand in broken_rules.yaml, with the words that must be told beside each.
"""

import shutil
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from buckspec import load_profile
from buckspec.document import load_document
from buckspec.machine import machine
from buckspec.rules import Rules
from buckspec.syntax import parse
from buckspec_conformance.solver import obligations
from buckspec_conformance.solver.chains import rest
from buckspec_conformance.solver.groups import of_group
from buckspec_conformance.solver.prove import theory_of
from buckspec_conformance.solver.prover import PATIENCE, PROVEN, REFUTED, UNDECIDED, Prover, Result
from buckspec_conformance.solver.telling import told

SPEC = Path(__file__).resolve().parents[3] / "spec"
CASES = yaml.safe_load(Path(__file__).with_name("broken_rules.yaml").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return Path(shutil.copytree(SPEC, tmp_path_factory.mktemp("broken") / "spec"))


@pytest.fixture(scope="module", autouse=True)
def _each_text_is_parsed_once() -> Iterator[None]:
    """Nearly all files are the same in every case."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("buckspec.sources.load_document", cache(load_document))
        patch.setattr("buckspec.build.parse", cache(parse))
        yield


def broken(case: dict[str, Any], copy: Path) -> Rules:
    """The rules with the fault of a case in them."""
    path = copy / case["file"]
    text = path.read_text(encoding="utf-8")
    assert text.count(case["old"]) == 1, "the patch has to fit in one place"
    path.write_text(text.replace(case["old"], case["new"]), encoding="utf-8")
    try:
        return load_profile("ohio", spec=copy)
    finally:
        path.write_text(text, encoding="utf-8")


def result_of(rules: Rules, case: dict[str, Any], spec: Path, *, every_reading: bool, patience: float) -> Result:
    """What comes of the one obligation that a case is about."""
    prover = Prover(rules, theory_of(rules, every_reading, spec), patience)
    if case["group"] == "rest":
        return rest(prover)
    (obligation,) = [held for held in of_group(prover.theory, case["group"]) if held.id == case["refutes"]]
    return prover.result(obligation)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_a_fault_is_told_with_a_state_and_the_clauses_that_clash(case, copy, tmp_path):
    rules = broken(case, copy)
    spec = copy
    if case["file"] == "sources.yaml":  # read again when theorems are proven
        spec = Path(shutil.copytree(copy, tmp_path / "spec"))
        (spec / "sources.yaml").write_text(
            (copy / "sources.yaml").read_text(encoding="utf-8").replace(case["old"], case["new"]), encoding="utf-8"
        )
    every = case.get("readings") == "any"
    found = result_of(rules, case, spec, every_reading=every, patience=PATIENCE)
    assert (found.id, found.outcome) == (case["refutes"], REFUTED)
    text = "\n".join(told(found))
    for words in case["expect"]:
        assert words in text, text
    if found.kind != "possible":  # what cannot be has no state to show
        assert found.against is not None
        assert found.against.clash, text
        assert found.against.state


@pytest.mark.parametrize(
    "case", [case for case in CASES if case.get("readings") == "any" and case["group"] != "phases"],
    ids=lambda case: case["name"],
)  # fmt: skip
def test_a_fault_of_another_reading_does_not_show_under_the_own_ones(case, copy):
    rules = broken(case, copy)
    prover = Prover(rules, theory_of(rules, False, copy))
    if case["group"] == "rest":
        assert rest(prover).outcome == PROVEN
        return
    found = [prover.result(held) for held in of_group(prover.theory, case["group"])]
    assert found
    assert [result.id for result in found if result.outcome != PROVEN] == []


def test_a_wrong_entry_of_a_compiled_table_is_told(monkeypatch):
    rules = load_profile("ohio")
    tables = machine(rules).tables
    number = next(at for at, table in enumerate(tables) if all(isinstance(row, int) for row in table.rows.values()))
    rows = {chosen: row ^ 1 if isinstance(row, int) else row for chosen, row in tables[number].rows.items()}
    wrong = replace(
        machine(rules), tables=tuple(replace(t, rows=rows) if at == number else t for at, t in enumerate(tables))
    )
    monkeypatch.setattr(obligations, "machine", lambda _: wrong)
    theory = theory_of(rules, False)
    results = [Prover(rules, theory).result(held) for held in obligations.of_tables(theory, rules)]
    (found,) = [result for result in results if result.outcome != PROVEN]
    assert (found.id, found.outcome) == (f"table {number}", REFUTED)
    assert found.against is not None
    assert any("the table says" in line and "and the clauses say" in line for line in found.against.clash)


def test_a_row_that_a_table_lacks_is_told(monkeypatch):
    rules = load_profile("ohio")
    first, *others = machine(rules).tables
    lacking = replace(machine(rules), tables=(replace(first, rows=dict(list(first.rows.items())[1:])), *others))
    monkeypatch.setattr(obligations, "machine", lambda _: lacking)
    theory = theory_of(rules, False)
    results = [Prover(rules, theory).result(held) for held in obligations.of_tables(theory, rules)]
    assert [result.id for result in results if result.outcome == REFUTED] == ["rows of table 0"]


def test_what_takes_too_long_is_undecided_and_never_proven():
    rules = load_profile("ohio")
    case = {"group": "event pick-up", "refutes": "keep.hand-size after pick-up"}
    found = result_of(rules, case, SPEC, every_reading=False, patience=0.001)
    assert found.outcome == UNDECIDED
    assert "    not decided: " in "\n".join(told(found))
