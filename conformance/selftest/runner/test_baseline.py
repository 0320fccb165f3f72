"""The file of known failures: what it may say, and how it is brought up to date."""

import pytest
from conftest import by_id, exit_of, played

from buckspec.problem import SpecError
from buckspec_conformance.baseline import Baseline, Entry, read, updated
from buckspec_conformance.reference_engine import ReferenceEngine
from buckspec_conformance.runner import CONFORMS, DIFFERS, Options
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
        ("a: {outcome: failed, becuase: x}", "unknown key; found becuase; expected outcome or because; did you mean"),
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
    stale = with_known(Entry(name, "failed"), Entry("score.totals", "failed"))
    assert by_id(stale)["known/score.totals"].outcome == "stale-known-failure"
    unused = with_known(Entry(name, "failed"), Entry("play.folow", "failed"))
    assert unused.footer is not None
    assert unused.footer.unused == ("play.folow",)
