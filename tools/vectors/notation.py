"""The short notation in which people write vectors, and what it stands for: requests of the protocol.

A hand is written as who deals, the up-card, the cards that matter, and what is said and done, in one line:

    order discard:9S stay*3 JD !AD(play.follow) 9H ... [tricks=0,5,0,0]

- `pass order stay drop name:S discard:9S`, and a card alone to play it, are done by the seat whose turn it is;
  `2:pass` or `2:9H` is done by seat 2, whoever's turn it is. `stay*3` is three of them.
- `!` says: this must be refused; in brackets stand the clauses that it breaks, all of them.
- `...` plays on to the end of the hand: everybody passes, stays, discards and plays the first card that is legal.
- `[turn=2]`, `[legal=9H,pass]`, `[tricks=0,5,0,0]`, `[maker=null]` claim something about the state so far.

What is claimed is never trusted: the rules must say the same, or the vector is not built.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from buckspec.play import apply, legal
from buckspec.replay import deal_of, opening
from buckspec.rules import Rules
from buckspec.state import Event, State
from buckspec.types import members
from buckspec.words import to_log, words_of
from buckspec_conformance.oracle import Expectation, expected, tried

_TOKEN = re.compile(
    r"(?P<not>!)?(?:(?P<seat>\d):)?(?P<word>[a-z]+|[0-9A-Z]{2})(?::(?P<about>[0-9A-Z]{1,2}))?"
    r"(?:\*(?P<times>\d))?(?:\((?P<clauses>[\w.,-]+)\))?"
)
_CLAIM = re.compile(r"\[(?P<field>[a-z_]+)=(?P<value>[^\]]*)\]")
_CAUTIOUS = ("pass", "stay", "discard", "play")  # what a player does who plays on


class NotationError(Exception):
    """A vector that cannot be built as it is written."""


@dataclass
class Played:
    """A hand that was played by its notation: what the protocol asks, and where the first refusal stands."""

    request: dict[str, Any]
    state: State
    refused: list[int] = field(default_factory=list)


def played(rules: Rules, seed: str, source: Mapping[str, Any]) -> tuple[dict[str, Any], tuple[int, int] | None]:
    """The request for which a vector stands, and the hand and event of its first refusal."""
    totals = source.get("totals")
    hands = source["hands"]
    state = opening(rules, int(hands[0].get("dealer", rules.seats.size - 1)), tuple(totals) if totals else None)
    found: list[Played] = []
    for number, hand in enumerate(hands):
        found.append(_hand(state, f"{seed}/{number}", hand, with_dealer=number == 0))
        state = found[-1].state
    request: dict[str, Any] = {
        "profile": source.get("profile", "ohio"),
        "parameters": source.get("parameters", {}),
        "readings": source.get("readings", {}),
    }
    if totals:
        request["start"] = {"totals": totals}
    request["hands"] = [one.request for one in found]
    refusals = [(number, one.refused[0]) for number, one in enumerate(found) if one.refused]
    return request, refusals[0] if refusals else None


# ---------------------------------------------------------------------- the deal


def deck_of(state: State, seed: str, hand: Mapping[str, Any]) -> list[str]:
    """The pack, in dealing order, that gives everybody the cards wanted; the others fall as the seed has it."""
    if "deck" in hand:
        return str(hand["deck"]).split()
    rules = state.rules
    cards = words_of(rules).codes
    holds = {int(seat): str(held).split() for seat, held in hand.get("holds", {}).items()}
    unused = str(hand.get("unused", "")).split()
    upcard = [str(hand["upcard"])] if "upcard" in hand else []
    wanted = [*upcard, *unused, *(card for held in holds.values() for card in held)]
    if len(set(wanted)) < len(wanted) or not set(wanted) <= set(cards):
        raise NotationError(f"{seed}: a card stands twice, or is no card: {wanted}")
    rest = sorted(set(cards) - set(wanted), key=lambda card: sha256(f"{seed}/{card}".encode()).digest())
    places = _places(state)
    deck = [""] * len(cards)
    for name, at in places.items():
        given = upcard if name == "upcard" else unused if name == "unused" else holds.get(int(name), [])
        if len(given) > len(at):
            raise NotationError(f"{seed}: too many cards for {name}")
        for place, card in zip(at, [*given, *(rest.pop() for _ in range(len(at) - len(given)))], strict=True):
            deck[place] = card
    return deck


def _places(state: State) -> dict[str, list[int]]:
    """Which places of the pack become whose cards, by asking the rules to deal a pack in order."""
    rules = state.rules
    size = rules.pack.size
    dealt = apply(state, Event(deal_of(rules).rule.id, None, tuple(range(size))))
    if not isinstance(dealt, State):  # no hand can begin: any pack will do
        return {"unused": list(range(size))}
    seats = {str(seat): list(members(dealt.known("hand", seat))) for seat in range(rules.seats.size)}
    return {"upcard": [dealt.known("upcard")], "unused": list(members(dealt.known("stock"))), **seats}


# ---------------------------------------------------------------------- the events


def _hand(before: State, seed: str, hand: Mapping[str, Any], *, with_dealer: bool) -> Played:
    rules = before.rules
    deck = deck_of(before, seed, hand)
    request: dict[str, Any] = {"dealer": int(hand.get("dealer", rules.seats.size - 1))} if with_dealer else {}
    request |= {"deck": deck, "events": []}
    codes = words_of(rules).cards
    dealt = apply(before, Event(deal_of(rules).rule.id, None, tuple(codes[card] for card in deck)))
    if not isinstance(dealt, State):
        if not hand.get("refused"):
            raise NotationError(f"{seed}: no hand can begin here")
        return Played(request, before, [-1])
    if hand.get("refused"):
        raise NotationError(f"{seed}: this hand should not begin, but it does")
    told = Played(request, dealt)
    for token in str(hand.get("events", "")).split():
        _token(told, token, seed)
    for name, value in hand.get("then", {}).items():
        _check(told.state, name, value, f"{seed} at the end")
    return told


def _token(told: Played, sign: str, seed: str) -> None:
    where = f"{seed} at {sign}, event {len(told.request['events'])}"
    if sign == "...":
        told.request["events"] += list(_played_on(told))
        return
    if claim := _CLAIM.fullmatch(sign):
        _check(told.state, claim["field"], claim["value"], where)
        return
    match = _TOKEN.fullmatch(sign)
    if match is None:
        raise NotationError(f"{where}: cannot be read")
    for _ in range(int(match["times"] or 1)):
        logged = _logged(told.state, match, where)
        step = tried(told.state, logged)
        _agree(step, match, where)
        if not step.accepted:
            told.refused.append(len(told.request["events"]))
        told.request["events"].append(logged)
        told.state = step.state


def _logged(state: State, match: re.Match[str], where: str) -> dict[str, Any]:
    """The event as a log has it."""
    seat = match["seat"]
    if seat is None:
        turn = turn_of(state)
        if turn is None:
            raise NotationError(f"{where}: it is nobody's turn; say which seat")
    else:
        turn = int(seat)
    word, about = match["word"], match["about"]
    if word[0].isupper() or word[0].isdigit():
        return {"seat": turn, "do": "play", "card": word}
    named = {} if about is None else {"suit": about} if word == "name" else {"card": about}
    return {"seat": turn, "do": word, **named}


def _agree(step: Expectation, match: re.Match[str], where: str) -> None:
    broken = {violation.clause.id for violation in step.violations}
    if step.accepted is (match["not"] is not None):
        raise NotationError(f"{where}: the rules {'accept' if step.accepted else f'refuse, by {broken},'} it")
    if match["clauses"] and set(match["clauses"].split(",")) != broken:
        raise NotationError(f"{where}: it breaks {sorted(broken)}")
    if step.logged is not None and step.event is None:
        raise NotationError(f"{where}: that is no event of the rules")


def turn_of(state: State) -> int | None:
    """The one seat to act."""
    seats = {event.seat for event in legal(state)}
    return seats.pop() if len(seats) == 1 else None


def _played_on(told: Played) -> Iterator[dict[str, Any]]:
    while choices := [to_log(told.state.rules, event) for event in legal(told.state)]:
        logged = min(choices, key=lambda one: _CAUTIOUS.index(str(one["do"])) if one["do"] in _CAUTIOUS else 9)
        told.state = tried(told.state, logged).state
        yield dict(logged)


# ---------------------------------------------------------------------- claims


def _check(state: State, name: str, value: object, where: str) -> None:
    """Hold what the author claims against what the rules say."""
    fields = Expectation(state, state, None, None, accepted=True).fields
    if name not in fields:
        raise NotationError(f"{where}: nothing is reported as {name}")
    found = fields[name]
    told: object = found
    claimed: object = _plain(value, found)
    if name == "legal":
        told = sorted(_short(dict(key)) for key in found)  # type: ignore[attr-defined]
        claimed = sorted(str(value).split(",")) if value else []
    if told != claimed:
        raise NotationError(f"{where}: {name} is {told}, not {claimed}")


def _plain(value: object, like: object) -> object:
    if not isinstance(value, str):
        return value
    if isinstance(like, list | tuple):
        return [_one(part) for part in value.split(",") if part]
    return _one(value)


def _one(text: str) -> object:
    known = {"null": None, "true": True, "false": False}
    return known[text] if text in known else int(text) if re.fullmatch(r"-?\d+", text) else text


def _short(logged: Mapping[str, Any]) -> str:
    about = logged.get("card") or logged.get("suit")
    if logged["do"] == "play":
        return str(about)
    return logged["do"] if about is None else f"{logged['do']}:{about}"


# ---------------------------------------------------------------------- what the rules expect


def expectation(rules: Rules, request: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The steps of each hand as a vector lists them: the first whole, of the others what has changed."""
    return [{"steps": list(_changes(steps))} for steps in expected(rules, request)]


def _changes(steps: Sequence[Expectation]) -> Iterator[dict[str, Any]]:
    before: dict[str, Any] = {}
    for step in steps:
        told: dict[str, Any] = {"accepted": step.accepted}
        if not step.accepted:
            told["violations"] = [violation.clause.id for violation in step.violations]
        if step.is_deal and not step.accepted:
            yield told
            continue
        fields = {name: _written(name, value) for name, value in step.fields.items()}
        yield told | {name: value for name, value in fields.items() if name not in before or before[name] != value}
        before = fields


def _written(name: str, value: Any) -> Any:
    if name != "legal":
        return value
    return sorted((_event(dict(key)) for key in value), key=lambda one: tuple(map(str, one.values())))


def _event(logged: dict[str, Any]) -> dict[str, Any]:
    return {key: logged[key] for key in ("seat", "do", "card", "suit") if key in logged}
