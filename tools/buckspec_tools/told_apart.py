"""The committed games in which two readings of a question part."""

from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Any

from buckspec.load import load_profile
from buckspec.play import apply
from buckspec.problem import SpecError
from buckspec.replay import deal_of, opening
from buckspec.rulebook import Question
from buckspec.state import Event, State
from buckspec.words import from_log, words_of
from buckspec_conformance.partings import Parting, parted
from buckspec_conformance.readings import TAG, cases


def told_apart(question: Question) -> Mapping[tuple[str, str], Parting | None]:
    """For each pair of readings of a shipped question where they part; None for a pair that no game tells apart.

    Nothing for a question of one's own.
    """
    known = [case.request for case in cases() if case.tags[:2] == (TAG, question.id)]
    pairs = combinations(question.readings, 2) if known else ()
    found = {pair: [part for request in known if (part := _parting(request, question.id, pair))] for pair in pairs}
    return {pair: min(parts, key=lambda part: len(part.events), default=None) for pair, parts in found.items()}


def _parting(request: Mapping[str, Any], question: str, pair: tuple[str, str]) -> Parting | None:
    """Where the first hand of a request parts under two readings; None if it does not, or one does not go with it."""
    try:
        one, other = (
            load_profile(request["profile"], request["parameters"], {**request["readings"], question: reading})
            for reading in pair
        )
    except SpecError:
        return None
    hand, totals = request["hands"][0], (request.get("start") or {}).get("totals")
    before, twin = (opening(rules, hand["dealer"], None if totals is None else tuple(totals)) for rules in (one, other))
    return parted(before, tuple(_allowed(before, hand)), twin)


def _allowed(state: State, hand: Mapping[str, Any]) -> Iterator[Event]:
    """The events of a hand that its rules allow, the deal first."""
    rules = state.rules
    deal = Event(deal_of(rules).rule.id, None, tuple(words_of(rules).cards[card] for card in hand["deck"]))
    for event in (deal, *(from_log(rules, logged) for logged in hand["events"])):
        after = apply(state, event)
        if isinstance(after, State):
            state = after
            yield event
