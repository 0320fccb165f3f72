"""A change of one token in the rules is noticed: by the loader, or because some random hand is judged differently.

So no part of any condition, value, order or number of the rule book is there for nothing, and games alone can tell a
wrong rule book from the right one. What is not noticed and need not be stands in EQUIVALENT, with the argument.
"""

import shutil
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from random import Random

import pytest
from spec_corpus import fates

from buckspec import load_profile, sources
from buckspec.data import spec_dir
from buckspec.document import Node
from buckspec.rulebook import RuleBook
from buckspec_conformance.mutants.changes import Mutant, mutants

SAMPLE, SAMPLE_HANDS, SAMPLE_READINGS = 40, 12, 3
ALL_HANDS, ALL_READINGS = 100, 99
FATES = ("noticed", "refused", "survived")

# Why nothing can differ, and the changes of which that is so.
EQUIVALENT: dict[str, tuple[str, ...]] = {
    "Totals change only when a hand is scored, so until then they are as they were before the hand.": (
        "game.sweep-scores-all: totals → opened_at",
        "game.sweep-scores-all-to-zero: totals → opened_at",
        "game.sweep-scores-winner: totals → opened_at",
        "game.sweep-scores-winner-to-zero: totals → opened_at",
        "score.totals: totals → opened_at",
        "score.totals-stop-at-zero: totals → opened_at",
    ),
    "A total that is zero is zero, whether it is cut or kept.": (
        "game.sweep-scores-all-to-zero: 0 → 1",
        "game.sweep-scores-all-to-zero: < → <=",
        "game.sweep-scores-winner-to-zero: 0 → 1",
        "game.sweep-scores-winner-to-zero: < → <=",
        "score.totals-stop-at-zero: 0 → 1",
        "score.totals-stop-at-zero: < → <=",
    ),
    "Only who swept takes points off, so no other sum falls below zero, whosever total is in it.": (
        "game.sweep-scores-all-to-zero: seat → leader",
        "game.sweep-scores-all-to-zero: seat → next_player",
    ),
    "Who has taken every trick, or alone is in the hand, leads, and would play next, were there another trick.": (
        "game.sweeper-wins: swept → next_player",
        "play.concede: maker → next_player",
    ),
    "The dealer alone discards.": ("auction.discard: actor → dealer",),
    "A suit is named in the second round only.": (
        "auction.named: passes → hand_size",
        "auction.named: passes → start_total",
    ),
    "Passes, and suits named after them, there are only in an auction; and then nobody picks up.": (
        "auction.named: clubs_automatic → picked_up",
        "auction.no-trump: clubs_automatic → picked_up",
        "auction.thrown-in: clubs_automatic → picked_up",
    ),
    "When all have passed twice there is no maker, and no trick has been taken of a hand thrown in.": (
        "auction.thrown-in: maker → last_winner",
    ),
    "With automatic clubs nobody is the maker.": ("score.dealer-promise: seat → next_player",),
    "While somebody has to decide, a hand is being played, and more than one are in it.": (
        "flow.stay: dealt → lone_sweep_counts",
    ),
    "Every trick taken by one player is all the tricks taken.": ("flow.sweep: finished → settled",),
    "With a card of everybody on the table, play goes on, nobody has conceded, and all else is settled.": (
        "flow.take: conceded → upcard_due",
        "flow.take: finished → bidding",
        "flow.take: finished → conceded",
    ),
    "Who has dropped has no card on the table.": ("following: seats → active",),
    "After the last trick no card is on the table.": ("score.set: active → waiting",),
    "The variable is not used, since only the size of the set counts.": ("game.tie-plays-on: s → t",),
    "Without a suit led, play.follow does not apply, and without any value for it neither.": (
        "play.no-suit-led: leader → sweeper",
    ),
}
ALL_EQUIVALENT = {change for changes in EQUIVALENT.values() for change in changes}


class Copies:
    """A copy of the rule book, in which one token is changed at a time."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch):
        self.folder = folder / "spec"
        shutil.copytree(spec_dir(), self.folder)
        self.read: dict[tuple[str, str], Node] = {}
        read_yaml = sources.read_yaml

        def kept(path: Path, name: str | None = None) -> Node:
            key = (path.as_posix(), path.read_text("utf-8"))
            if key not in self.read:
                self.read[key] = read_yaml(path, name)
            return self.read[key]

        patch.setattr(sources, "read_yaml", kept)

    def changed(self, mutant: Mutant) -> RuleBook:
        """The rule book with the change. Raises SpecError if the loader refuses it."""
        path = self.folder.parent / mutant.file
        text = path.read_text("utf-8")
        assert text.startswith(mutant.old, mutant.offset)
        changed = text[: mutant.offset] + mutant.new + text[mutant.offset + len(mutant.old) :]
        try:
            path.write_text(changed, "utf-8")
            return load_profile("ohio", spec=self.folder).book
        finally:
            path.write_text(text, "utf-8")
            self.read.pop((path.as_posix(), changed), None)


@pytest.fixture
def copies(tmp_path: Path) -> Iterator[Copies]:
    with pytest.MonkeyPatch.context() as patch:
        yield Copies(tmp_path, patch)


def changes(found: list[Mutant], copies: Copies) -> list[tuple[Mutant, Callable[[], RuleBook]]]:
    return [(mutant, partial(copies.changed, mutant)) for mutant in found]


def test_a_sample_of_changes_is_noticed(copies: Copies) -> None:
    rules = load_profile("ohio", spec=copies.folder)
    different = [mutant for mutant in mutants(copies.folder) if str(mutant) not in ALL_EQUIVALENT]
    sample = Random(1).sample(different, SAMPLE)
    found = fates(rules, changes(sample, copies), SAMPLE_HANDS, SAMPLE_READINGS)
    survivors = [str(mutant) for mutant, fate in found.items() if fate == "survived"]
    assert not survivors


@pytest.mark.slow
def test_every_change_is_noticed(copies: Copies, capsys: pytest.CaptureFixture[str]) -> None:
    rules = load_profile("ohio", spec=copies.folder)
    found = fates(rules, changes(mutants(copies.folder), copies), ALL_HANDS, ALL_READINGS)
    counts = Counter((mutant.kind, fate) for mutant, fate in found.items())
    rows = [f"{len(found)} changes of one token"]
    rows += [
        f"  {kind:15} " + ", ".join(f"{counts[kind, fate]} {fate}" for fate in FATES)
        for kind in sorted({mutant.kind for mutant in found})
    ]
    with capsys.disabled():
        sys.stdout.write("\n" + "\n".join(rows) + "\n")
    survivors = {str(mutant) for mutant, fate in found.items() if fate == "survived"}
    unexplained = "\n".join(sorted(survivors - ALL_EQUIVALENT))
    assert not unexplained, unexplained
    assert not ALL_EQUIVALENT - survivors, "noticed after all; take it out of the table"
