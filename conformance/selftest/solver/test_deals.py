"""Games with missing cards: the quick argument and the solver say the same, down to the events in a conflict."""

import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from typing import Any

import pytest

from buckspec.hidden import courses
from buckspec.missing import Opener, judge
from buckspec.replay import rules_for
from buckspec.verdict import Verdict
from buckspec_conformance.solver.deals import solved_deals

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "reference" / "tests"))
from hidden_logs import SOURCE, Log, cases, heaps, read, recorded, unseen

ANY_NUMBER = 10**30


class Timed:
    """An opener, with the time that its hands take to be opened and to answer the judge's queries."""

    def __init__(self, opener: Opener) -> None:
        self.opener, self.seconds = opener, 0.0

    def __call__(self, *about: Any) -> Iterator[Any]:
        hands = iter(self.opener(*about))
        while (hand := self.timed(next)(hands, None)) is not None:
            yield Queried(hand, self)

    def timed(self, query: Callable[..., Any]) -> Callable[..., Any]:
        def call(*about: Any) -> Any:
            before = time.process_time()
            try:
                return query(*about)
            finally:
                self.seconds += time.process_time() - before

        return call


class Queried:
    """A hand of which every query is timed."""

    def __init__(self, hand: Any, timed: Timed) -> None:
        self.after, self.told = hand.after, hand.told
        self.deal, self.breaking, self.is_broken = map(timed.timed, (hand.deal, hand.breaking, hand.is_broken))


def both(log: Log) -> tuple[Verdict, float, float]:
    """The verdict, on which both agree, and how many times as long the solver takes: to judge, and for its queries."""
    value = read(log)
    rules = rules_for(value)
    found, seconds, openers = [], [], (Timed(courses), Timed(solved_deals))
    for opener in openers:
        before = time.process_time()
        found.append(judge(value, rules, SOURCE, openers=(opener,)))
        seconds.append(time.process_time() - before)
    quick, slow = found
    assert settled(quick) == settled(slow), log
    return quick, seconds[1] / seconds[0], openers[1].seconds / openers[0].seconds if openers[0].seconds else 1.0


def settled(verdict: Verdict) -> object:
    """All that does not depend on which of several completions is shown."""
    words = {one.word for one in verdict.completions}
    broken = [one.clause for one in verdict.violations]
    return verdict.word, verdict.at, broken, words, len(verdict.conflict), verdict.totals, verdict.claims


def test_a_few_games_are_judged_alike() -> None:
    found = Counter(both(log)[0].word for _, log in zip(range(12), cases(1, ANY_NUMBER, 100), strict=False))
    assert found.keys() >= {"legal", "illegal", "impossible"}


@pytest.mark.slow
def test_many_games_are_judged_alike_and_much_quicker() -> None:
    both(unseen(recorded("legal")[0]))  # what is loaded once is no matter of the question
    found, ratios, queries = Counter[str](), list[float](), list[float]()
    for _, log in zip(range(200), cases(8, ANY_NUMBER, 100), strict=False):
        verdict, *_ = both(log)
        found[verdict.word] += 1
    for log in recorded("legal")[:100]:
        _, ratio, of_queries = both(unseen(log))
        ratios.append(ratio)
        queries.append(of_queries)
    print(f"\n{found.total()} games with missing cards: {dict(found)}")  # noqa: T201
    print(f"whole games without hands, solver ÷ quick, whole judgement: median {median(ratios):.0f}")  # noqa: T201
    print(f"the same, queries alone: median {median(queries):.0f}")  # noqa: T201


def test_the_solver_answers_where_a_matching_cannot() -> None:
    """The deck tells the suits, and beside it the dealt cards tell one card."""
    whole = recorded("legal")[0]["hands"][0]
    log = unseen(recorded("legal")[0])
    hand, place = log["hands"][0], heaps(whole["dealer"])[0][0]
    hand["deck"] = ["?" + card[1] for card in whole["deck"]]
    hand["upcard"] = "??"
    hand["dealt"][0] = [whole["deck"][place], *["??"] * 4]
    value = read(log)
    alone = judge(value, rules_for(value), SOURCE)
    assert (alone.word, alone.completions) == ("undetermined", ())
    together = judge(value, rules_for(value), SOURCE, openers=(courses, solved_deals))
    assert together.word == "legal", "with the suits known, nobody can have kept one back"


def test_more_cards_in_a_hand_than_it_has() -> None:
    """The deck tells four cards of a hand, and beside it the dealt cards tell two others."""
    whole = recorded("legal")[0]["hands"][0]
    log = unseen(recorded("legal")[0])
    hand, places = log["hands"][0], heaps(whole["dealer"])[0]
    hand["deck"] = [card if place in places[:4] else "??" for place, card in enumerate(whole["deck"])]
    others = [card for place, card in enumerate(whole["deck"]) if place not in places]
    hand["dealt"][0] = [*others[:2], "??", "??", "??"]
    value = read(log)
    assert judge(value, rules_for(value), SOURCE, openers=(courses, solved_deals)).word == "impossible"
