"""Makes a request that fails smaller: shorter, without what was refused, and beginning where it matters."""

from collections.abc import Callable, Iterator

from buckspec.observe import observed
from buckspec.rules import Rules
from buckspec_conformance.case import Result
from buckspec_conformance.oracle import expected
from buckspec_conformance.requesting import (
    TOTALS,
    Hand,
    Request,
    asked_hands,
    play_request,
    remade,
    state_before,
    totals_of,
)

Again = Callable[[Request], Result | None]
"""Asks a request: the result if it fails in the same way, else None."""


def smallest(rules: Rules, failing: Result, again: Again) -> Result:
    """The failure in a request from which nothing more can be left out, as far as one looks."""
    for change in (_cut, _last_hand_alone, _cut, _usual_totals, _nothing_refused, _half, _one_less):
        for request in change(rules, failing):
            found = again(request)
            if found is not None:
                failing = found
                break
    return failing


def _cut(rules: Rules, failing: Result) -> Iterator[Request]:
    """End with the step that differs."""
    difference, request = failing.difference, failing.case.request
    if difference is not None:
        hands = asked_hands(request)[: difference.hand + 1]
        hands[-1] = Hand(hands[-1].deck, hands[-1].events[: difference.step])
        yield remade(rules, request, hands)


def _last_hand_alone(rules: Rules, failing: Result) -> Iterator[Request]:
    """Begin with the last hand, or with the last two."""
    request = failing.case.request
    hands = asked_hands(request)
    for first in range(len(hands) - 1, 0, -1):
        before = state_before(rules, request, first)
        totals: list[int] = observed(before, TOTALS)  # type: ignore[assignment]
        yield play_request(rules, before.known("next_dealer"), hands[first:], totals)


def _usual_totals(_: Rules, failing: Result) -> Iterator[Request]:
    """Begin with the totals of the profile."""
    request = failing.case.request
    if totals_of(request) is not None:
        yield {name: value for name, value in request.items() if name != "start"}


def _nothing_refused(rules: Rules, failing: Result) -> Iterator[Request]:
    """Leave out what has to be refused, all of it or each alone, but for the last event."""
    request = failing.case.request
    hands, steps = asked_hands(request), expected(rules, request)
    refused = {
        (at, place)
        for at, hand in enumerate(steps)
        for place, step in enumerate(hand[1:])
        if not step.accepted and (at, place) != (len(hands) - 1, len(hands[-1].events) - 1)
    }
    if refused:
        yield remade(rules, request, [_without(hand, at, refused) for at, hand in enumerate(hands)])
    for one in sorted(refused) if len(refused) > 1 else ():
        yield remade(rules, request, [_without(hand, at, refused - {one}) for at, hand in enumerate(hands)])


def _without(hand: Hand, at: int, left_out: set[tuple[int, int]]) -> Hand:
    return Hand(hand.deck, tuple(event for place, event in enumerate(hand.events) if (at, place) not in left_out))


def _half(rules: Rules, failing: Result) -> Iterator[Request]:
    """Where no step is known to differ, ask ever more of the beginning until it fails."""
    if failing.difference is None:
        hands = asked_hands(failing.case.request)
        for at, hand in enumerate(hands):
            for end in sorted({len(hand.events) >> shift for shift in range(len(hand.events).bit_length() + 1)}):
                yield remade(rules, failing.case.request, [*hands[:at], Hand(hand.deck, hand.events[:end])])


def _one_less(rules: Rules, failing: Result) -> Iterator[Request]:
    """Where no step is known to differ, ask one event less."""
    if failing.difference is None:
        hands = asked_hands(failing.case.request)
        last = hands[-1]
        for end in range(len(last.events)):
            yield remade(rules, failing.case.request, [*hands[:-1], Hand(last.deck, last.events[:end])])
