"""The file of known failures: what it may say, and how it is brought up to date."""

from dataclasses import replace

import pytest
from conftest import SMALL, by_id, exit_of, played

from buckspec.problem import SpecError
from buckspec_conformance.baseline import Baseline, Entry, read, updated
from buckspec_conformance.in_process import InProcess
from buckspec_conformance.reference_engine import ReferenceEngine
from buckspec_conformance.runner import CONFORMS, DIFFERS, Options, done_in, run
from buckspec_conformance.select import Selection
from buckspec_conformance.stream import CaseRecord, Header, Run

FILE = "known.yaml"
HEADER = Header(format="buckspec-run/1", time="", spec="", formats={}, level="smoke", seed=0, command=())

TEXT = """\
# What my engine cannot do yet.

# issue 12
play.follow/left-bower: failed

score.set:
  outcome: failed
  # we charge for each trick
  because: "each trick counts"
play.follow/crash: {outcome: crashed, because: "failed to load"}   # by the end of the year
old/one: timeout
"""


def case(id_: str, outcome: str, *clauses: str, blame: tuple[str, ...] = ()) -> CaseRecord:
    return CaseRecord(id=id_, layer="vector", outcome=outcome, why="", clauses=clauses, blame=blame)  # type: ignore[arg-type]


def run_of(*cases: CaseRecord) -> Run:
    return Run(HEADER, cases)


def test_entries_are_read_with_their_lines() -> None:
    entries = read(TEXT, FILE).entries
    assert [(one.name, one.outcome, one.line) for one in entries.values()] == [
        ("play.follow/left-bower", "failed", 4),
        ("score.set", "failed", 6),
        ("play.follow/crash", "crashed", 10),
        ("old/one", "timeout", 11),
    ]
    assert entries["score.set"].because == "each trick counts"


@pytest.mark.parametrize("text", ["", "# nothing\n", "\n\n"])
def test_an_empty_file_knows_nothing(text: str) -> None:
    assert read(text, FILE).entries == {}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("a: passed", "known.yaml:1:1: not an outcome that can be known; found passed; expected failed, wrong-reason"),
        (
            "a: {outcome: failed, becuase: x}",
            "unknown key; found becuase; expected outcome, blame or because; did you mean",
        ),
        ("- a", "expected an entry for each case or clause"),
        ("a: failed\na: failed", "the same key twice"),
    ],
)
def test_what_is_wrong_with_a_file_is_told(text: str, told: str) -> None:
    with pytest.raises(SpecError) as raised:
        read(text, FILE)
    assert told in str(raised.value)


def test_what_is_as_known_stays_to_the_letter() -> None:
    found = run_of(
        case("play.follow/left-bower", "failed", "play.follow"),
        case("any", "failed", "x", blame=("score.set",)),
        case("play.follow/crash", "crashed", "play.follow"),
    )
    assert updated(TEXT, found, FILE) == TEXT


def test_what_passes_goes_and_what_fails_comes_and_comments_stay() -> None:
    found = run_of(
        case("play.follow/left-bower", "passed", "play.follow"),
        case("a/new", "wrong-reason", "play.follow"),
        case("any", "passed", "score.set"),
        case("known/score.set", "stale-known-failure", "score.set"),
        case("play.follow/crash", "failed", "play.follow"),
    )
    assert updated(TEXT, found, FILE) == (
        "# What my engine cannot do yet.\n\n# issue 12\n\n"
        'play.follow/crash: {outcome: failed, because: "failed to load"}   # by the end of the year\n'
        "old/one: timeout\n"
        "a/new: wrong-reason\n"
    )


def test_a_new_file_begins_with_what_it_is() -> None:
    text = updated("", run_of(case("b", "crashed"), case("a", "failed")), FILE)
    assert text.startswith("# Known failures.")
    assert list(read(text, FILE).entries) == ["a", "b"]


def test_an_update_twice_changes_nothing() -> None:
    found = run_of(case("b", "crashed"), case("a", "failed"))
    once = updated(TEXT, found, FILE)
    assert updated(once, found, FILE) == once


# ---------------------------------------------------------------------- beside a run


def test_known_failures_do_not_fail_a_run_and_are_strict() -> None:
    engine = ReferenceEngine({"below-zero": "cut"}, declares=False)
    name = "reading/below-zero/kept.cut"
    selection = Selection((name,))

    def with_known(*entries: Entry) -> Run:
        return played(engine, Options(level="smoke", selection=selection, baseline=Baseline(entries)))

    assert exit_of(with_known()) == DIFFERS
    known = with_known(Entry(name, "failed", "we cut"))
    assert exit_of(known) == CONFORMS
    assert (by_id(known)[name].outcome, by_id(known)[name].because) == ("known-failure", "we cut")
    assert exit_of(with_known(Entry(name, "crashed"))) == DIFFERS
    fine = played(
        ReferenceEngine(), Options(level="smoke", selection=selection, baseline=Baseline([Entry(name, "failed")]))
    )
    assert by_id(fine)[name].outcome == "stale-known-failure"
    assert exit_of(fine) == DIFFERS
    by_clause = Options(
        level="smoke", selection=Selection(("score.totals",)), baseline=Baseline([Entry("score.totals", "failed")])
    )
    stale = played(ReferenceEngine(), by_clause)
    assert by_id(stale)["known/score.totals"].outcome == "stale-known-failure"
    other = with_known(Entry(name, "failed", line=4, blame="play.follow"))
    assert exit_of(other) == DIFFERS
    assert by_id(other)[name].because == "known as failed by play.follow, in line 4; now it is failed by score.made"
    assert exit_of(with_known(Entry(name, "failed", blame="score.made"))) == CONFORMS


def test_the_name_of_nothing_fails_the_run_with_what_may_have_been_meant() -> None:
    options = Options(level="smoke", selection=Selection(("reading/below-zero",)))
    names = (
        "play.folow",
        "score.totals",
        "unlisted/first-lead/maker",
        "record/ohio/7",
        "hello/0",
        "reading/below-zero",
    )
    baseline = Baseline([Entry(name, "failed", line=at) for at, name in enumerate(names, 1)])
    found = played(ReferenceEngine(), replace(options, baseline=baseline))
    assert exit_of(found) == DIFFERS
    cases = {id_: case.found.message for id_, case in by_id(found).items() if id_.startswith("known/") and case.found}
    assert list(cases) == ["known/play.folow", "known/reading/below-zero"]
    said = "known as failed, in line 1: nothing is called play.folow; did you mean play.follow?; take the entry out"
    assert cases["known/play.folow"] == said
    assert found.footer is not None
    assert set(found.footer.unused) == set(names[2:5]), "these exist, but were not asked"
    text = "".join(f"{name}: failed\n" for name in names)
    assert set(read(updated(text, found, FILE), FILE).entries) == set(names[1:5])


def test_a_clause_of_which_all_cases_are_declined_now_is_not_known_to_fail() -> None:
    baseline = Baseline([Entry("score.set", "failed")])
    baseline.judged(case("a", "unsupported", "score.set"))
    (record,) = baseline.stale()
    assert record.found is not None
    assert "the engine declines all its cases now" in record.found.message


def test_a_clause_that_was_not_asked_for_is_not_called_outdated() -> None:
    """Its other cases, which may well fail, were not asked."""
    baseline = Baseline([Entry("score.set", "failed")])
    baseline.judged(case("a", "passed", "score.set", "play.follow"))
    assert list(baseline.stale(("play.follow",))) == []
    assert len(list(baseline.stale(("score.set",)))) == 1


def test_a_run_that_goes_on_is_judged_by_what_is_known_now(right: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("buckspec_conformance.runner._ONCE_MORE", 0)
    name = next(case.id for case in right.cases if case.outcome == "passed" and case.layer == "record")
    assert name in done_in(right), "it is not asked again"
    known = Options(level="smoke", baseline=Baseline([Entry(name, "failed")]))
    records = run(lambda: InProcess(ReferenceEngine()), known, SMALL, right)
    cases = {record.id: record for record in records if isinstance(record, CaseRecord)}
    assert cases[name].outcome == "stale-known-failure"


@pytest.mark.parametrize(
    ("line", "outcome", "blame", "told"),
    [
        ("a/b: {outcome: failed, blame: x.y}  # why", "failed", "x.z", "a/b: {outcome: failed, blame: x.z}  # why"),
        ("a/b: {blame: x.y, outcome: failed}", "wrong-reason", "x.z", "a/b: {blame: x.z, outcome: wrong-reason}"),
        ("a/b: {outcome: failed, blame: x.y}", "crashed", None, "a/b: {outcome: crashed}"),
        ("a/b: {blame: x.y, outcome: failed}", "crashed", None, "a/b: {outcome: crashed}"),
        ("a/b:\n  outcome: failed\n  blame: x.y", "crashed", None, "a/b:\n  outcome: crashed"),
        ('a/b: {because: "x.y is late", outcome: failed, blame: x.y}', "failed", "x.z",
         'a/b: {because: "x.y is late", outcome: failed, blame: x.z}'),
        ("a/b: failed", "failed", "x.z", "a/b: failed"),
    ],
)  # fmt: skip
def test_an_entry_is_corrected_in_its_place(line: str, outcome: str, blame: str | None, told: str) -> None:
    found = run_of(case("a/b", outcome, blame=(blame,) if blame else ()))
    text = updated(line, found, FILE)
    assert text == f"{told}\n"
    assert read(text, FILE).entries["a/b"].outcome == outcome


def test_what_an_update_writes_is_what_the_next_run_finds() -> None:
    """Also where the entry of a clause says another outcome than its cases come to."""
    cases = (case("a/b", "failed", blame=("x.y",)), case("a/c", "crashed"), case("a/d", "wrong-reason", blame=("x.z",)))
    known = read(updated("x.z: failed\n", run_of(*cases), FILE), FILE)
    assert {known.judged(one).outcome for one in cases} == {"known-failure"}


def test_the_entry_of_a_clause_needs_no_other_to_blame() -> None:
    with pytest.raises(SpecError, match="an entry for a clause is about what is blamed on it"):
        read("x.y: {outcome: failed, blame: x.z}", FILE)
