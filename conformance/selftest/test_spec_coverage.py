"""Every clause and every reading is exercised, and every condition is seen true and false, by games alone.

The recorded games and random ones are played by the interpreter, with an evaluator that remembers the truth of every
condition and of every part of it. What cannot be seen both ways stands in ONE_WAY, with the reason.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random

import pytest
from rules_text import expressions, single_readings, text

from buckspec import interpret, load_profile
from buckspec import state as states
from buckspec import typed as t
from buckspec.evaluate import Answer, Evaluator, Locals, Missing
from buckspec.formats.reader import Readable, read_path
from buckspec.observe import observed
from buckspec.replay import replay, rules_for, walk
from buckspec.rulebook import Alternative, EventRule
from buckspec.rules import Rules, choose
from buckspec.state import Event, State
from buckspec.types import BOOL, NONE
from buckspec.verdict import Source
from buckspec_conformance.random_hands import RARE, deals, hand, opening

CASES = Path(__file__).parents[2] / "reference" / "tests" / "cases" / "ohio"
MOST = 600  # games to find what is rare
STACKED = replace(RARE, stacked=0.9, near=0.9)

# What is never so, though the text has to say it: where it stands, the condition, and why.
_TOLD = "the players asked about have a card on the table; it is said for the checker, which takes nothing for granted"
ONE_WAY: dict[tuple[str, str, bool], str] = {
    ("best", "table(s) != none", False): _TOLD,
    ("best", "table(t) != none", False): _TOLD,
    ("best", "table(s) != none && table(t) != none", False): _TOLD,
    ("auction.named", "passes >= seats.size()", False): "a suit is named in the second round only",
}


@dataclass
class Seen:
    """What games have shown: the truth values of each condition by its identity, clauses, readings."""

    truths: dict[int, set[bool]] = field(default_factory=dict)
    clauses: set[str] = field(default_factory=set)
    readings: set[tuple[str, str]] = field(default_factory=set)


@pytest.fixture(scope="module")
def rules() -> Rules:
    return load_profile("ohio")


@pytest.fixture(scope="module")
def seen(rules: Rules) -> Seen:
    """What the recorded games and random games show."""
    found = Seen()

    class Watching(Evaluator):
        """Remembers what it was asked."""

        def term(self, term: t.Term, local: Locals) -> Answer:
            answer = super().term(term, local)
            if term.type == BOOL and not isinstance(answer, Missing):
                found.truths.setdefault(id(term), set()).add(bool(answer))
            return answer

        def alternative(self, name: str, argument: Answer = NONE) -> Alternative | Missing:
            held = super().alternative(name, argument)
            if not isinstance(held, Missing):
                found.clauses.add(held.clause.id)
            return held

    happen = interpret.happen

    def watched(state: State, rule: EventRule, event: Event) -> State:
        found.clauses.update(effect.clause.id for effect in rule.effects)
        interpret.view(state, 0)
        if event.seat == 0:
            observed(state, "trump")
        return happen(state, rule, event)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(states, "Evaluator", Watching)
        patch.setattr(interpret, "happen", watched)
        play_recorded()
        play_random(rules, found)
    return found


def play_recorded() -> None:
    """Some of the recorded games, legal ones, illegal ones and whole games."""
    for file in ("legal", "illegal", "games"):
        for number, one in enumerate(read_path(CASES / f"{file}.jsonl")):
            if number % 40 == 0:
                assert isinstance(one, Readable)
                replay(one.log, rules_for(one.log), Source(file, number), play=walk)


def play_random(rules: Rules, found: Seen) -> None:
    """Random hands: some under every choice of readings, then under those that can show what has not been seen."""
    rng = Random(1)
    choices = [choose(rules.book, "watched", {}, chosen, is_shipped=False) for chosen in single_readings(rules)]
    for chosen in choices:
        play(rng, chosen, found)
    for _ in range(MOST):
        missing = [*(where for where, _, _ in set(unseen(rules, found)) - set(ONE_WAY)), *idle(rules, found)]
        if not missing:
            return
        clause = rules.book.clauses().get(rng.choice(sorted(missing)))
        play(rng, rng.choice([one for one in choices if clause is None or clause.under.holds(one.readings)]), found)


def play(rng: Random, chosen: Rules, found: Seen) -> None:
    """One or a few hands of a game."""
    found.readings.update(chosen.readings.items())
    style = rng.choice([RARE, STACKED])
    state = opening(rng, chosen, style)
    while deals(state):
        _, state = hand(rng, state, style)
        for name in chosen.book.observations:
            observed(state, name)
        if rng.random() < 0.7:
            return


def unseen(rules: Rules, found: Seen) -> Iterator[tuple[str, str, bool]]:
    """The conditions that were not seen true, or not seen false."""
    for where, _, expression in expressions(rules.book):
        for term in t.walk(expression):
            if term.type == BOOL and not isinstance(term, t.Const):
                for truth in {True, False} - found.truths.get(id(term), set()):
                    yield where, text(term, rules.book), truth


def idle(rules: Rules, found: Seen) -> set[str]:
    """The clauses that no game has needed: never chosen, no effect, no event that was refused and none that was not."""
    demands = [part for event in rules.book.events.values() for part in event.requires]
    judged = {part.clause.id for part in demands if found.truths.get(id(part.that)) == {True, False}}
    return set(rules.book.clauses()) - set(rules.book.invariants) - found.clauses - judged


def test_every_clause_is_exercised(rules: Rules, seen: Seen) -> None:
    missing = idle(rules, seen)
    assert not missing


def test_every_reading_is_played(rules: Rules, seen: Seen) -> None:
    every = {(question.id, name) for question in rules.book.questions.values() for name in question.readings}
    assert seen.readings == every


def test_every_condition_and_every_part_of_it_is_seen_true_and_false(rules: Rules, seen: Seen) -> None:
    found = set(unseen(rules, seen))
    missing = "\n".join(f"{where}: never {str(truth).lower()}: {shown}" for where, shown, truth in found - set(ONE_WAY))
    assert not missing, missing
    assert not set(ONE_WAY) - found, "seen after all; take it out of the table"
