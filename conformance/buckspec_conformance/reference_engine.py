"""The engine that plays by buckspec's own interpreter: the one that has to pass, and a pattern for others.

    python -m buckspec_conformance.reference_engine                       by the rules of every shipped profile
    python -m buckspec_conformance.reference_engine --reading sweep=maker by another reading, which it declares
    python -m buckspec_conformance.reference_engine --reading sweep=maker --undeclared

It answers hello, play and record. An engine that does not declare its readings poses as one that plays as the profile
says: the suite has to notice.
"""

import argparse
from collections.abc import Mapping, Sequence
from functools import lru_cache
from random import Random
from typing import Any

import msgspec

from buckspec.interpret import phase_clause
from buckspec.load import load_profile
from buckspec.observe import observe
from buckspec.play import apply, legal
from buckspec.problem import SpecError
from buckspec.replay import deal_of, in_words, opening
from buckspec.rules import Rules
from buckspec.sources import profile_names
from buckspec.state import Event, Refused, State
from buckspec.words import from_log, to_log, words_of
from buckspec_conformance.engine import CannotHonour, serve
from buckspec_conformance.forms import HELLO, PLAY, RECORD, VERSION
from buckspec_conformance.logs import log_of
from buckspec_conformance.messages import HelloResponse, Identity
from buckspec_conformance.random_hands import RARE, game

Json = dict[str, Any]

_MOST_HANDS = 12
_SETTLED = ("turn", "legal")


class ReferenceEngine:
    """Plays by the shipped profiles, but reads the open questions of `readings` otherwise.

    With `declares`, hello says so, and every other reading can be asked for. Without, hello says nothing of them and
    no reading can be chosen. Raises SpecError for readings that do not exist or exclude each other.
    """

    def __init__(self, readings: Mapping[str, str] | None = None, *, declares: bool = True) -> None:
        self.readings = dict(readings or {})
        self.declares = declares
        self.profiles = tuple(profile_names())
        for name in self.profiles:
            _rules(name, (), tuple(self.readings.items()))

    def answer(self, request: Mapping[str, object]) -> Mapping[str, object]:
        """See buckspec_conformance.engine.Engine."""
        operation = request.get("op")
        if operation == HELLO:
            return self.hello()
        if operation == PLAY:
            return self.play(request)
        if operation == RECORD:
            return self.record(request)
        raise CannotHonour(f"the operation {operation}")

    def hello(self) -> Json:
        """Who this engine is: it reports everything, the clause of a refusal too."""
        book = load_profile(self.profiles[0]).book
        others = {question.id: tuple(question.readings) for question in book.questions.values()}
        told = HelloResponse(
            id=1,
            protocol=VERSION,
            engine=Identity("buckspec-reference", "1", "Python"),
            profiles=self.profiles,
            readings=self.readings if self.declares else {},
            choices=others if self.declares else {},
            operations=(PLAY, RECORD),
            reports=(*_SETTLED, *book.observations, "clause"),
        )
        found: Json = msgspec.to_builtins(told)
        del found["id"]
        return found

    def rules(self, request: Mapping[str, object]) -> Rules:
        """The rules that a request asks for. Raises CannotHonour."""
        profile, parameters, readings = (request.get(name) or {} for name in ("profile", "parameters", "readings"))
        if profile not in self.profiles or not isinstance(parameters, dict) or not isinstance(readings, dict):
            raise CannotHonour(f"the profile {profile}")
        try:
            own = _rules(str(profile), (), ())
            differing = [name for name, reading in readings.items() if own.readings.get(name) != reading]
            if differing and not self.declares:
                raise CannotHonour(f"another reading of {differing[0]}")
            chosen = tuple({**self.readings, **readings}.items()) if self.declares else tuple(self.readings.items())
            return _rules(str(profile), tuple(parameters.items()), chosen)
        except SpecError as error:
            raise CannotHonour(str(error)) from None

    def play(self, request: Mapping[str, Any]) -> Json:
        """Play hands: what became of each event, and the state after it."""
        rules = self.rules(request)
        start = request.get("start") or {}
        totals = start.get("totals")
        state = opening(rules, request["hands"][0]["dealer"], None if totals is None else tuple(totals))
        hands = []
        for hand in request["hands"]:
            steps, state = _hand(state, hand)
            hands.append({"steps": steps})
        return {"hands": hands}

    def record(self, request: Mapping[str, Any]) -> Json:
        """Games of its own, as logs: random legal play."""
        rules = self.rules(request)
        logs = []
        for number in range(request["games"]):
            rng = Random(f"{request['seed']} {number}")  # noqa: S311 - games, not secrets
            played = game(rng, rules, RARE, _MOST_HANDS)
            logs.append(log_of(played, request["profile"], request.get("parameters") or {}, declares=self.declares))
        return {"logs": logs}


@lru_cache
def _rules(profile: str, parameters: tuple[tuple[str, int], ...], readings: tuple[tuple[str, str], ...]) -> Rules:
    return load_profile(profile, dict(parameters), dict(readings))


# ---------------------------------------------------------------------- play


def _hand(state: State, hand: Mapping[str, Any]) -> tuple[list[Json], State]:
    """The steps of one hand, and the state after it."""
    rules = state.rules
    cards = words_of(rules).cards
    dealt = apply(state, Event(deal_of(rules).rule.id, None, tuple(cards[card] for card in hand["deck"])))
    if isinstance(dealt, Refused):
        return [_refusal(dealt)], state
    state = dealt
    steps = [_shown(state)]
    for logged in hand["events"]:
        after = _tried(state, logged)
        if isinstance(after, State):
            state = after
            steps.append({"accepted": True, **_shown(state)})
        else:
            steps.append({**after, **_shown(state)})
    return steps, state


def _tried(state: State, logged: Mapping[str, object]) -> State | Json:
    """The state after an event, or its refusal."""
    try:
        event = from_log(state.rules, logged)
    except ValueError as error:
        return {"accepted": False, "reason": str(error), "clause": phase_clause(state).id}
    after = apply(state, event)
    return _refusal(after) if isinstance(after, Refused) else after


def _refusal(refused: Refused) -> Json:
    clauses = [violation.clause for violation in refused.violations]
    said = " ".join(in_words(clause, refused.state.rules) for clause in clauses)
    return {"accepted": False, "reason": said, "clause": clauses[0].id}


def _shown(state: State) -> Json:
    """Everything that can be seen of a state."""
    events = legal(state)
    seats = {event.seat for event in events}
    turn = seats.pop() if len(seats) == 1 else None
    choices = [to_log(state.rules, event) for event in events]
    return {**dict(zip(_SETTLED, (turn, choices), strict=True)), **observe(state)}


# ---------------------------------------------------------------------- as a program


def reading_of(text: str) -> tuple[str, str]:
    """A question and a reading of it, written `question=reading`. Raises ValueError."""
    question, equals, reading = text.partition("=")
    if not (question and equals and reading):
        raise ValueError(f"found {text}; expected question=reading")
    return question, reading


def main(arguments: Sequence[str] | None = None) -> None:
    """Serve over standard input and output."""
    parser = argparse.ArgumentParser(prog="python -m buckspec_conformance.reference_engine", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--reading", type=reading_of, action="append", default=[], metavar="QUESTION=READING")
    parser.add_argument("--undeclared", action="store_true", help="do not say in hello what is read otherwise")
    chosen = parser.parse_args(arguments)
    try:
        engine = ReferenceEngine(dict(chosen.reading), declares=not chosen.undeclared)
    except SpecError as error:
        parser.error(str(error))
    serve(engine)


if __name__ == "__main__":
    main()
