"""Games that an engine played by itself (`record`): asked for, replayed by buckspec, judged."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

from msgspec import to_builtins

from buckspec.formats.game_log import GameLog, Hand
from buckspec.problem import SpecError
from buckspec.replay import ReplayError, replay, rules_for
from buckspec.rules import Rules
from buckspec.verdict import INCOMPLETE, LEGAL, UNDETERMINED, UNREADABLE, Source, Verdict, to_json
from buckspec_conformance.case import Case, Outcome
from buckspec_conformance.forms import PLAY, RECORD
from buckspec_conformance.messages import RecordResponse
from buckspec_conformance.oracle import expected
from buckspec_conformance.plan import Planner, cut
from buckspec_conformance.situations import clauses_met


@dataclass(frozen=True)
class Illegal:
    """A request to play that ends with an event that the rules refuse, and its hand and step."""

    request: Mapping[str, Any]
    hand: int
    step: int


@dataclass(frozen=True)
class Judged:
    """What came of recorded games: the clauses that were played, how many events, and what is wrong, if anything.

    `illegal` asks for the game up to the event that is not legal, where the cards are told.
    """

    outcome: Outcome
    clauses: tuple[str, ...] = ()
    steps: int = 0
    blame: tuple[str, ...] = ()
    message: str = ""
    verdict: Mapping[str, Any] | None = None
    illegal: Illegal | None = None


def record_cases(planner: Planner, seed: int, games: int) -> Iterator[Case]:
    """One case for each game of each profile, if the engine offers to record."""
    if RECORD not in planner.hello.operations:
        return
    for profile in planner.profiles:
        for number in range(games):
            asked = {"seed": seed + number, "games": 1}
            request = {"op": RECORD, "profile": profile, "parameters": {}, "readings": {}, **asked}
            why = "A game that the engine plays by itself is legal, and everything it claims is so."
            yield Case(f"{RECORD}/{profile}/{seed + number}", "record", (), why, request, (RECORD, profile))


def judge_logs(rules: Rules, request: Mapping[str, Any], answer: RecordResponse) -> Judged:
    """What the rules make of the games. The first that is not legal decides."""
    if len(answer.logs) != request["games"]:
        wanted = request["games"]
        return Judged("failed", message=f"found {len(answer.logs)} logs; expected {wanted}, as asked for")
    clauses: set[str] = set()
    steps = 0
    for number, log in enumerate(answer.logs):
        found = _judged(rules, request, log, number)
        if found.outcome != "passed":
            return found
        clauses.update(found.clauses)
        steps += found.steps
    return Judged("passed", tuple(sorted(clauses)), steps)


def _judged(rules: Rules, request: Mapping[str, Any], log: GameLog, number: int) -> Judged:
    try:
        same = log.profile == request["profile"]
        if not same or rules_for(log, None, None, dict(rules.readings)).parameters != rules.parameters:
            return Judged("failed", message=f"logs[{number}] was played by other rules than were asked for")
        if any(rules.readings.get(question) != reading for question, reading in (log.readings or {}).items()):
            return Judged("failed", message=f"logs[{number}] was played by other readings than were asked for")
        verdict = replay(log, rules, Source(f"logs[{number}]"))
    except (SpecError, ReplayError) as error:
        return Judged("failed", message=f"logs[{number}]: {error}")
    if verdict.word == LEGAL:
        clauses, steps = _played(rules, log)
        return Judged("passed", clauses, steps)
    told = to_json(verdict)
    if verdict.word == UNDETERMINED:
        said = f"logs[{number}] cannot be judged: {verdict.missing[0]} is not told"
        return Judged("unsupported", message=said, verdict=told)
    blame = tuple(broken.clause for broken in verdict.violations)
    said, illegal = _said(verdict, number), _illegal(verdict, request, log)
    return Judged("failed", blame=blame, message=said, verdict=told, illegal=illegal)


def _illegal(verdict: Verdict, request: Mapping[str, Any], log: GameLog) -> Illegal | None:
    """The game up to the event that is not legal; None if there is no such event, or not all cards are told."""
    at = verdict.at
    if at is None or at.event is None or not verdict.violations:
        return None
    if any(hand.deck is None or hand.events is None for hand in log.hands[: at.hand + 1]):
        return None
    asked = _request(log.hands[: at.hand + 1], log.start)
    head = {name: request[name] for name in ("profile", "parameters", "readings")}
    return Illegal({"op": PLAY, **head, **cut(asked, at.hand, at.event + 1)}, at.hand, at.event + 1)


def _said(verdict: Verdict, number: int) -> str:
    """What is wrong with a game, in one line."""
    where = f"logs[{number}]"
    if verdict.at is not None:
        where += f".hands[{verdict.at.hand}]" + ("" if verdict.at.event is None else f".events[{verdict.at.event}]")
    if verdict.word == UNREADABLE:
        return f"{where}: {verdict.message}"
    if verdict.word == INCOMPLETE:
        return f"{where}: the last hand does not come to its end; {len(verdict.legal)} events are legal"
    if verdict.claims:
        first = verdict.claims[0]
        return f"{where}: {first.path} claims {first.claimed}; expected {first.computed}"
    return f"{where}: " + " ".join(f"{broken.clause}: {broken.says}" for broken in verdict.violations)


def _played(rules: Rules, log: GameLog) -> tuple[tuple[str, ...], int]:
    """The clauses that had a say in the first and the last hand of a legal game, and how many events it has.

    A game that claims nothing of its hands, or does not tell how the cards lay, shows nothing of its clauses.
    """
    size = sum(len(hand.events or ()) for hand in log.hands)
    if any(hand.deck is None or hand.events is None or hand.claims is None for hand in log.hands):
        return (), size
    hands = expected(rules, _request(log.hands, log.start))
    steps = chain(hands[0], hands[-1] if len(hands) > 1 else ())
    return tuple(sorted({clause for step in steps for clause in clauses_met(step)})), size


def _request(hands: Sequence[Hand], start: object) -> dict[str, Any]:
    """The request to play what a log tells of these hands."""
    told: list[dict[str, Any]] = to_builtins(hands)
    played = [{**hand, "events": [_without_none(event) for event in hand["events"]]} for hand in told]
    return {"start": to_builtins(start), "hands": played}


def _without_none(event: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in event.items() if value is not None}
