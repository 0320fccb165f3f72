"""The vectors are well formed, have ids for ever and twins, cover the rules, and are what the rules say."""

import json
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from buckspec.data import spec_dir
from buckspec.formats.validate import problems
from buckspec.load import load_profile
from buckspec.rules import Rules
from buckspec_conformance.asking import Transport
from buckspec_conformance.case import Case, Result, judge
from buckspec_conformance.in_process import InProcess
from buckspec_conformance.messages import HelloResponse, Step
from buckspec_conformance.oracle import expected
from buckspec_conformance.piped import Piped
from buckspec_conformance.protocol import prepare
from buckspec_conformance.reference_engine import ReferenceEngine
from buckspec_conformance.vectors import FOLDER, Vector, load_vectors, turned, vectors
from buckspec_conformance.witness import shows

TOP = Path(__file__).resolve().parents[3]
FILES = sorted(FOLDER.glob("*.json"))
UNSEEN = {"stay.in-public", "stay.in-private"}  # told in vectors/README.md
UNCHANGEABLE = {"play.no-suit-led"}  # the rules without it give a leader no suit at all, and end in an error
JUDGED = frozenset(Step.__struct_fields__) - {"also", "error", "reason", "clause"}
OFTEN = 2


@lru_cache
def rules_of(profile: str, parameters: tuple[tuple[str, int], ...], readings: tuple[tuple[str, str], ...]) -> Rules:
    return load_profile(profile, dict(parameters), dict(readings))


def rules_for(case: Case) -> Rules:
    parameters, readings = (tuple(sorted(case.request[key].items())) for key in ("parameters", "readings"))  # type: ignore[attr-defined]
    return rules_of(str(case.request["profile"]), parameters, readings)


def clauses(node: Any, headings: str) -> Iterator[str]:
    """The ids of the clauses below such headings."""
    if isinstance(node, dict):
        for key, below in node.items():
            if re.fullmatch(headings, str(key)):
                yield from below
            yield from clauses(below, headings)


def clauses_of_the_rules(headings: str = "requires|does|exactly one of") -> list[str]:
    books = [yaml.safe_load(path.read_text(encoding="utf-8")) for path in sorted((spec_dir() / "rules").glob("*.yaml"))]
    return [clause for book in books for clause in clauses(book, headings)]


# ---------------------------------------------------------------------- form


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
@pytest.mark.parametrize("step", [12, pytest.param(1, marks=pytest.mark.slow)])
def test_a_file_fits_the_schema(file: Path, step: int) -> None:
    held = json.loads(file.read_text(encoding="utf-8"))
    part = {**held, "vectors": held["vectors"][::step]}  # every one of them takes ten seconds
    assert [str(problem) for problem in problems(part, "vector")] == []


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_file_is_named_like_its_topic(file: Path) -> None:
    held = json.loads(file.read_text(encoding="utf-8"))
    assert held["topic"] == file.stem
    assert {vector["id"].split("-")[1] for vector in held["vectors"]} == {file.stem}


def test_a_sentence_says_why() -> None:
    for vector in vectors():
        assert re.fullmatch(r"[A-Z0-9“].*[.]", vector.case.why), vector.id
        assert "{" not in vector.case.why + vector.id, vector.id
        assert len(vector.case.request["hands"]) == len(vector.expect["hands"])  # type: ignore[arg-type]


def test_there_are_many_and_they_are_small() -> None:
    assert len(vectors()) >= 220
    assert sum(file.stat().st_size for file in FILES) < 3_000_000


# ---------------------------------------------------------------------- ids


def lock() -> dict[str, list[str]]:
    lines = (FOLDER / "ids.lock").read_text(encoding="utf-8").splitlines()
    found = {line.split()[0]: line.split()[1:] for line in lines}
    assert len(found) == len(lines), "an id stands twice in the lock"
    return found


def test_every_id_is_locked_and_none_is_used_twice() -> None:
    ids = [vector.id for vector in vectors()]
    assert len(set(ids)) == len(ids)
    assert {id_ for id_, print_ in lock().items() if "withdrawn" not in print_} == set(ids)


@pytest.fixture
def workshop(tmp_path: Path) -> Path:
    """A copy of what builds the vectors, to be changed at will."""
    for name in ("reference/buckspec", "conformance/buckspec_conformance", "tools/vectors", "spec", "schemas"):
        shutil.copytree(TOP / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__", "_data"))
    for path in (tmp_path / FOLDER.relative_to(TOP) / "source").glob("*.yaml"):
        if path.name not in ("discard.yaml", "faults.yaml"):
            path.unlink()
    folder = tmp_path / FOLDER.relative_to(TOP)
    (folder / "source" / "faults.yaml").write_text(FAULTS, encoding="utf-8")
    held = [line for line in (folder / "ids.lock").read_text().splitlines() if line.startswith("v-discard-")]
    (folder / "ids.lock").write_text("\n".join(held) + "\n", encoding="utf-8")
    return tmp_path


FAULTS = "".join(f"{row}: {{link: https://example.org/{row}, was: Wrong.}}\n" for row in (36, 37, 38, 39, 119))


def build(top: Path, *options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(top / "tools" / "vectors" / "build.py"), *options]
    return subprocess.run(command, capture_output=True, text=True, cwd=top, check=False)


def changed(top: Path, old: str, new: str) -> str:
    """The lock after the source of a topic was changed and built."""
    folder = top / FOLDER.relative_to(TOP)
    path = folder / "source" / "discard.yaml"
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    done = build(top)
    return (folder / "ids.lock").read_text(encoding="utf-8") if done.returncode == 0 else done.stderr


def test_an_id_cannot_come_to_ask_something_else(workshop: Path) -> None:
    told = changed(workshop, 'events: "order discard:JH stay"', 'events: "order discard:JH drop"')
    assert "asked something else before" in told
    assert "v-discard-a-bower" in told


def test_an_id_that_goes_is_marked_and_cannot_come_back(workshop: Path) -> None:
    told = changed(workshop, "  a-bower:", "  a-good-card:")
    assert re.search(r"^v-discard-a-bower [0-9a-f]{16} withdrawn$", told, re.MULTILINE)
    assert re.search(r"^v-discard-a-good-card [0-9a-f]{16}$", told, re.MULTILINE)
    assert "are withdrawn" in changed(workshop, "  a-good-card:", "  a-bower:")


def test_the_words_about_a_vector_may_change(workshop: Path) -> None:
    assert "withdrawn" not in changed(
        workshop, "The dealer may discard the right bower.", "Even the right bower can go."
    )


def test_what_an_author_claims_has_to_be_so(workshop: Path) -> None:
    assert "[maker=1]" in changed(workshop, "order discard:JH stay", "order discard:JH stay [maker=1]")
    assert "the rules accept it" in changed(workshop, "stay [maker=1]", "!stay")


def test_what_is_stored_is_what_is_built() -> None:
    done = build(TOP, "--check")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


# ---------------------------------------------------------------------- twins


def up_to(request: Mapping[str, Any], hand: int, event: int | None) -> dict[str, Any]:
    """A request whose events are cut behind one of them."""
    hands = [dict(one) for one in request["hands"][: hand + 1]]
    hands[hand]["events"] = hands[hand]["events"][:event]
    return {**request, "hands": hands}


def differences(one: Any, other: Any, path: str = "") -> Iterator[str]:
    """Where two requests differ. Two cards that have changed places count once, and so does an event."""
    if isinstance(one, dict) and isinstance(other, dict) and "do" not in one:
        for key in sorted({*one, *other}):
            yield from differences(one.get(key), other.get(key), f"{path}.{key}")
    elif path.endswith(".deck"):
        places = [at for at, (card, second) in enumerate(zip(one, other, strict=True)) if card != second]
        yield from [f"{path} {places}"] if len(places) == 2 else [str(place) for place in places]
    elif path.endswith(".events") and len(one) != len(other):
        longer, shorter = (one, other) if len(one) > len(other) else (other, one)
        is_one = any([*longer[:at], *longer[at + 1 :]] == shorter for at in range(len(longer)))
        yield from [path] if is_one else [path, "more than one event"]
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for at, (first, second) in enumerate(zip(one, other, strict=True)):
            yield from differences(first, second, f"{path}[{at}]")
    elif one != other:
        yield path


def first_refusal(vector: Vector) -> tuple[int, int] | None:
    """The hand and step of the first refusal."""
    for hand, held in enumerate(vector.expect["hands"]):
        for number, step in enumerate(held["steps"]):
            if not step["accepted"]:
                return hand, number
    return None


def test_every_illegal_vector_has_a_legal_twin_that_differs_in_one_place() -> None:
    known = {vector.id: vector for vector in vectors()}
    for vector in vectors():
        at = first_refusal(vector)
        assert ("illegal" in vector.case.tags) is (at is not None), vector.id
        if at is None:
            assert vector.twin is None or "legal-twin" in vector.case.tags
            continue
        assert vector.twin, f"{vector.id} has no twin"
        twin = known[vector.twin]
        assert twin.twin == vector.id
        assert first_refusal(twin) is None, twin.id
        hand, number = at
        found = list(differences(up_to(vector.case.request, hand, number), twin.case.request))
        assert len(found) == 1, (vector.id, found)


# ---------------------------------------------------------------------- coverage


def test_every_clause_is_the_purpose_of_several_vectors() -> None:
    counts = Counter(clause for vector in vectors() for clause in vector.case.clauses)
    every = clauses_of_the_rules()
    assert set(counts) <= set(every), "clauses that do not exist"
    assert [clause for clause in every if counts[clause] < OFTEN and clause not in UNSEEN] == []
    assert not UNSEEN & set(counts)


def test_every_requirement_is_broken_and_kept() -> None:
    steps = [step for vector in vectors() for hand in vector.expect["hands"] for step in hand["steps"]]
    broken = Counter(clause for step in steps for clause in step.get("violations", ()))
    legal = Counter(
        clause for vector in vectors() for clause in vector.case.clauses if "illegal" not in vector.case.tags
    )
    for clause in clauses_of_the_rules("requires"):
        assert broken[clause] >= OFTEN, f"{clause} is broken {broken[clause]} times"
        assert legal[clause] >= OFTEN, f"{clause} is kept by {legal[clause]} vectors"


@pytest.mark.slow
def test_the_vectors_of_a_clause_show_it() -> None:
    """By its sentence a vector is for a clause; here the rules without the clause say something else in it."""
    shown: Counter[str] = Counter()
    for case in load_vectors():
        for clause in case.clauses:
            if shown[clause] < OFTEN and shows(rules_for(case), case.request, clause, JUDGED - {"accepted"}):
                shown[clause] += 1
    assert [one for one in clauses_of_the_rules() if shown[one] < OFTEN and one not in UNSEEN | UNCHANGEABLE] == []


def test_every_reading_is_asked_for() -> None:
    questions = yaml.safe_load((spec_dir() / "questions.yaml").read_text(encoding="utf-8"))["questions"]
    usual = load_profile("ohio").readings
    asked = {pair for vector in vectors() for pair in vector.case.request["readings"].items()}  # type: ignore[attr-defined]
    others = {(name, reading) for name, held in questions.items() for reading in held["readings"]}
    assert others - set(usual.items()) <= asked


def test_every_reported_fault_has_a_vector_or_a_reason() -> None:
    rows = yaml.safe_load((FOLDER / "source" / "faults.yaml").read_text(encoding="utf-8"))
    tags = {tag for vector in vectors() for tag in vector.case.tags}
    for row, held in rows.items():
        assert (f"fault-{row}" in tags) is ("none" not in held), row
    for vector in vectors():
        assert bool(vector.links) is any(tag.startswith("fault-") for tag in vector.case.tags)


# ---------------------------------------------------------------------- turning


def test_turned_vectors_are_what_the_rules_say_too() -> None:
    for vector in vectors()[:: len(vectors()) // 60]:
        for by in range(1, vector.seats):
            moved = turned(vector, by)
            assert moved.id == f"{vector.id}@r{by}"
            for wanted, held in zip(
                expected(rules_for(moved.case), moved.case.request), moved.expect["hands"], strict=True
            ):
                assert [step.accepted for step in wanted] == [step["accepted"] for step in held["steps"]]
                fields = wanted[-1].fields
                seen = {name: value for step in held["steps"] for name, value in step.items()}
                for name in JUDGED & set(seen) - {"accepted", "legal", "hands"}:
                    assert list_of(fields[name]) == seen[name], (moved.id, name)


def list_of(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def test_turning_once_more_each_time_comes_back() -> None:
    for vector in vectors()[::50]:
        assert turned(vector, vector.seats) == vector
        thrice = turned(turned(vector, 1), 3)
        assert (thrice.case.request, thrice.expect) == (vector.case.request, vector.expect)


def test_all_are_loaded_turned_or_not() -> None:
    assert [case.id for case in load_vectors()] == [vector.id for vector in vectors()]
    assert len({case.id for case in load_vectors(rotations=True)}) == sum(vector.seats for vector in vectors())


# ---------------------------------------------------------------------- engines


def results(engine: Transport, cases: tuple[Case, ...]) -> list[Result]:
    hello = engine.start()
    assert isinstance(hello, HelloResponse)
    found = engine.ask_all(prepare(case.request) for case in cases)
    return [judge(case, rules_for(case), hello, one, JUDGED) for case, one in zip(cases, found, strict=True)]


def told(result: Result) -> str:
    held = result.difference
    where = f"{held.hand}/{held.step} {held.field}: {held.expected} but {held.actual}" if held else result.failure
    return f"{result.case.id}: {result.outcome} {where}"


def test_the_reference_passes_all() -> None:
    assert [told(one) for one in results(InProcess(ReferenceEngine()), load_vectors()) if one.outcome != "passed"] == []


NODE = shutil.which("node")


@pytest.mark.skipif(NODE is None, reason="needs node")
@pytest.mark.parametrize("rotations", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_an_engine_of_another_author_passes_all_that_it_can_be_asked(rotations: bool) -> None:
    adapter = TOP / "conformance" / "engines" / "javascript" / "adapter.js"
    with Piped([str(NODE), str(adapter)]) as engine:
        found = results(engine, load_vectors(rotations=rotations))
    assert [told(one) for one in found if one.outcome not in ("passed", "unsupported")] == []
    for one in found:
        asked: Mapping[str, Any] = one.case.request
        is_strange = asked["readings"] or asked["profile"] != "ohio" or set(asked["parameters"]) - {"start_total"}
        assert (one.outcome == "unsupported") is bool(is_strange), one.case.id
