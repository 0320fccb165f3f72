"""Requests of the engine protocol made from what is dealt and played, and the game logs that they amount to."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice
from typing import Any, TypeAlias

from buckspec import interpret
from buckspec.observe import observed
from buckspec.packs import dealing
from buckspec.replay import opening
from buckspec.rules import Rules
from buckspec.state import Event, State
from buckspec.types import members
from buckspec.words import to_log, words_of
from buckspec_conformance.forms import PLAY
from buckspec_conformance.oracle import Expectation, expected
from buckspec_conformance.random_hands import Game

Logged: TypeAlias = Mapping[str, object]
"""An event as a log writes it."""
Request: TypeAlias = Mapping[str, object]
"""A request `play` of the protocol, as plain values, without an id."""

DEALER = "dealer"
TOTALS = "totals"
HANDS = "hands"
EVENTS = "events"
START = "start"


@dataclass(frozen=True)
class Hand:
    """What is asked of one hand: the pack in dealing order, as card codes, and the events to try, legal or not."""

    deck: tuple[str, ...]
    events: tuple[Logged, ...] = ()


def play_request(rules: Rules, dealer: int, hands: Iterable[Hand], totals: Sequence[int] | None = None) -> Request:
    """The request to play these hands. Without totals, the engine has to know with which a game begins.

    It names what differs from the profile; a profile of a user's own is named with its fingerprint.
    """
    book = rules.book
    asked: dict[str, object] = {
        "op": PLAY,
        "profile": rules.name,
        "parameters": {name: value for name, value in rules.parameters.items() if value != book.parameters[name].value},
        "readings": {name: value for name, value in rules.readings.items() if value != book.readings[name]},
    }
    if totals is not None:
        asked[START] = {TOTALS: list(totals)}
    seats = rules.seats.size
    asked[HANDS] = [
        {**({DEALER: dealer} if at == 0 else {}), **_hand(rules, (dealer + at) % seats, hand)}
        for at, hand in enumerate(hands)
    ]
    return asked


def _hand(rules: Rules, dealer: int, hand: Hand) -> dict[str, object]:
    """A hand with its deal told in both ways. Who deals is right as long as no hand before it is refused."""
    seats, upcard = places(rules, dealer)
    dealt = [[hand.deck[place] for place in held] for held in seats]
    return {
        "deck": list(hand.deck),
        "dealt": dealt,
        "upcard": hand.deck[upcard],
        EVENTS: [dict(event) for event in hand.events],
    }


@cache
def places(rules: Rules, dealer: int) -> tuple[tuple[tuple[int, ...], ...], int]:
    """Where in the pack the cards of each seat lie, if that seat deals, and where the card turned up lies."""
    state = opening(rules, dealer, None)
    rule = dealing(rules, DEALER).rule
    dealt = interpret.happen(state, rule, Event(rule.id, None, tuple(range(rules.pack.size))))
    to = dict.fromkeys(step.variable for effect in rule.effects for step in effect.deals)
    variables = [rules.book.variables[name] for name in to]
    held = next(variable.name for variable in variables if variable.domain is not None)
    turned = next(variable.name for variable in variables if variable.domain is None and not variable.type.many)
    seats = tuple(tuple(members(dealt.known(held, seat))) for seat in range(rules.seats.size))
    return seats, dealt.known(turned)


def hand_of(rules: Rules, events: Sequence[Event]) -> Hand:
    """The hand in which these events happened, the deal first of them."""
    codes = words_of(rules).codes
    deal, *played = events
    return Hand(tuple(codes[card] for card in deal.about), tuple(to_log(rules, event) for event in played))


def request_of(game: Game, hands: Sequence[Hand] | None = None) -> Request:
    """The request to play this game, or other hands from where it began.

    It tells the totals unless they are those with which a game begins: these an engine has to know.
    """
    rules = game.before.rules
    asked = [hand_of(rules, events) for events in game.hands] if hands is None else hands
    dealer = game.before.known("next_dealer")
    usual = opening(rules, dealer, None) == game.before
    totals: list[int] = observed(game.before, TOTALS)  # type: ignore[assignment]
    return play_request(rules, dealer, asked, None if usual else totals)


# ---------------------------------------------------------------------- taken apart again


def hands_of(request: Request) -> list[Mapping[str, Any]]:
    """The hands of a request."""
    return request[HANDS]  # type: ignore[return-value]


def totals_of(request: Request) -> Sequence[int] | None:
    """The totals with which a request begins, if it tells them."""
    start = request.get(START)
    return start[TOTALS] if isinstance(start, Mapping) else None


def remade(
    rules: Rules,
    request: Request,
    hands: Sequence[Hand],
    dealer: int | None = None,
    totals: Sequence[int] | None = None,
) -> Request:
    """A request like this one with other hands, and another dealer and other totals where they are given."""
    first = hands_of(request)[0][DEALER] if dealer is None else dealer
    return play_request(rules, first, hands, totals_of(request) if totals is None else totals)


def asked_hands(request: Request) -> list[Hand]:
    """The hands of a request, as they were before they were written."""
    return [Hand(tuple(hand["deck"]), tuple(hand[EVENTS])) for hand in hands_of(request)]


def state_before(rules: Rules, request: Request, hand: int) -> State:
    """The state before a hand of the request is dealt, by the rules."""
    if hand == 0:
        dealer: int = hands_of(request)[0][DEALER]
        return opening(rules, dealer, _tuple(totals_of(request)))
    return expected(rules, {**request, HANDS: hands_of(request)[:hand]})[-1][-1].state


def _tuple(values: Sequence[int] | None) -> tuple[int, ...] | None:
    return None if values is None else tuple(values)


# ---------------------------------------------------------------------- game logs


def log_of(
    rules: Rules,
    request: Request,
    hand: int | None = None,
    step: int | None = None,
    claim: tuple[str, object] | None = None,
) -> dict[str, object]:
    """The game log of a request, as `buckspec replay` reads it.

    Events that have to be refused, and hands that cannot begin, are left out: in a log nothing happens after them.
    With `hand` and `step` it ends with that step, which stays in it if it is against the rules too. `claim` is what
    an engine says of the last hand: an observation and its value.
    """
    steps = expected(rules, request)
    last = len(steps) - 1 if hand is None else hand
    told = [
        _logged(one, asked, None if at < last else step) for at, (one, asked) in enumerate(_first(steps, request, last))
    ]
    if claim is not None and told:
        told[-1]["claims"] = {claim[0]: claim[1]}
    log: dict[str, object] = {
        "format": "buckspec-log/1",
        **{key: request[key] for key in ("profile", "parameters", "readings")},
    }
    if START in request:
        log[START] = request[START]
    return {**log, HANDS: told}


def _first(
    steps: Sequence[Sequence[Expectation]], request: Request, last: int
) -> Iterable[tuple[Sequence[Expectation], Mapping[str, Any]]]:
    pairs = zip(steps, hands_of(request), strict=True)
    return ((one, asked) for one, asked in islice(pairs, last + 1) if one[0].accepted)


def _logged(steps: Sequence[Expectation], asked: Mapping[str, Any], until: int | None) -> dict[str, object]:
    """A hand of a log: what was accepted, and the step at which it ends."""
    end = len(steps) - 1 if until is None else until
    kept = [
        dict(step.logged)
        for at, step in enumerate(steps[: end + 1])
        if step.logged is not None and (step.accepted or (at == until and step.event is not None))
    ]
    told = {key: asked[key] for key in (DEALER, "deck") if key in asked}
    return {**told, EVENTS: kept}
