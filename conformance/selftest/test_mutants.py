"""Changes of the rule book are noticed by the published vectors, or change no game.

The quick test takes a sample; `buckspec mutants --jobs 2` takes all, and so does the slow test.
"""

import pytest

from buckspec.load import load_profile
from buckspec_conformance.mutants.changes import Mutant
from buckspec_conformance.mutants.copies import copies
from buckspec_conformance.mutants.kill import Vectors
from buckspec_conformance.mutants.score import (
    EQUIVALENT,
    KILLED,
    OPEN,
    REFUSED,
    Change,
    Fate,
    Trial,
    changes,
    sampled,
)

SAMPLE = 12
KINDS = {
    "and/or", "another name", "another value", "comparison", "constant", "dropped !", "dropped clause",
    "dropped effect", "list order", "other operator", "parameter",
}  # fmt: skip


def fates(found: list[Change]) -> list[Fate]:
    with Trial() as trial:
        return list(trial.fates(found))


def told(found: list[Fate]) -> str:
    return "\n".join(f"{fate.change}: {fate.by}" for fate in found)


@pytest.fixture(scope="module")
def every() -> list[Change]:
    return changes()


def test_there_are_changes_of_every_kind(every: list[Change]) -> None:
    assert {change.kind for change in every} == KINDS


def test_a_sample_is_killed_or_changes_nothing(every: list[Change]) -> None:
    left = [fate for fate in fates(sampled(every, SAMPLE)) if fate.outcome == OPEN]
    assert not left, told(left)


@pytest.mark.slow
def test_every_change_is_killed_or_changes_nothing(every: list[Change]) -> None:
    left = [fate for fate in fates(every) if fate.outcome == OPEN]
    assert not left, told(left)


def test_a_change_that_lets_players_revoke_is_killed_by_a_vector_for_following_suit(every: list[Change]) -> None:
    drop = next(change for change in every if str(change) == "play.follow: all left out")
    (fate,) = fates([drop])
    assert (fate.outcome, fate.by.startswith("v-follow")) == (KILLED, True)


def test_another_name_for_the_same_player_is_proven_to_change_nothing(every: list[Change]) -> None:
    found = [change for change in every if str(change) == "auction.discard: actor → dealer"]
    assert {fate.outcome for fate in fates(found)} == {EQUIVALENT}


def test_what_makes_no_sense_is_refused(every: list[Change]) -> None:
    found = [change for change in every if str(change) == "play.follow: led → trumping"]
    outcomes = {fate.outcome for fate in fates(found or [_senseless()])}
    assert outcomes == {REFUSED}


def _senseless() -> Mutant:
    with copies() as copy:
        text = (copy.folder / "rules" / "play.yaml").read_text("utf-8")
    at = text.index("suit_of(card) == led")
    return Mutant("another name", "spec/rules/play.yaml", at, "suit_of", "colour_of", "play.follow")


def test_the_copy_is_as_before_after_a_change(every: list[Change]) -> None:
    change = next(change for change in every if str(change) == "auction.discard: actor → dealer")
    assert isinstance(change, Mutant)
    with copies() as copy:
        before = {path: path.read_bytes() for path in copy.folder.rglob("*.yaml")}
        changed = copy.changed(change)
        assert changed.events["discard"] != load_profile("ohio").book.events["discard"]
        assert {path: path.read_bytes() for path in before} == before


def test_rules_that_are_not_changed_are_noticed_by_no_vector() -> None:
    assert Vectors().killing(load_profile("ohio").book, "play.follow") is None
