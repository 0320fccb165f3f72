"""The recorded games of an independent engine: the legal are legal with every claim right, the illegal are not."""

import json
from collections import Counter
from pathlib import Path

import pytest

from buckspec.claims import said
from buckspec.formats.game_log import GameLog, decode
from buckspec.replay import replay, rules_for
from buckspec.verdict import ILLEGAL, LEGAL, Source, Verdict

OHIO = Path(__file__).with_name("cases") / "ohio"

# What the maker of the illegal logs called the fault, and the clauses that we say are broken. Where a fault made at
# random can meet several clauses, all of them stand here.
CLAUSES = {
    "after-end": {"flow.deal", "flow.over"},
    "discard-not-held": {"auction.discard-own-card"},
    "first-round": {"flow.first-round"},
    "made-twice": {"flow.discard", "flow.stay"},
    "must-follow": {"play.follow"},
    "no-discard": {"flow.discard"},
    "no-drops": {"flow.play"},
    "not-in-hand": {"play.own-card"},
    "played-twice": {"play.own-card"},
    "same-suit": {"auction.other-suit"},
    "wrong-phase": {"flow.discard", "flow.first-round", "flow.play", "flow.stay"},
    "wrong-seat": {"auction.in-turn", "play.in-turn", "stay.in-turn"},
    "wrong-time": {"flow.play"},
}


def recorded(name: str) -> list[GameLog]:
    return [decode(line) for line in (OHIO / f"{name}.jsonl").read_bytes().splitlines()]


def verdict(log: GameLog) -> Verdict:
    return replay(log, rules_for(log), Source("recorded"))


@pytest.mark.parametrize("name", ["legal", "games"])
def test_a_legal_log_is_legal_and_its_claims_are_right(name: str) -> None:
    logs = recorded(name)
    verdicts = [verdict(log) for log in logs]
    assert {(found.word, found.at, found.claims) for found in verdicts} == {(LEGAL, None, ())}
    for log, found in zip(logs, verdicts, strict=True):
        claimed = {"totals": list(found.totals), "winners": list(found.winners), "ended": found.ended}
        assert claimed | dict(said(log.claims)) == claimed


def test_the_claims_are_there() -> None:
    """The test above would pass without any."""
    claims = Counter(name for log in recorded("games") for hand in log.hands for name, _ in said(hand.claims))
    assert set(claims) == {"maker", "trump", "active", "trick_winners", "tricks", "points", "totals"}
    assert min(claims.values()) == sum(len(log.hands) for log in recorded("games"))


def test_an_illegal_log_is_illegal_at_its_event_and_by_its_clause() -> None:
    expected = [json.loads(line) for line in (OHIO / "illegal.expected.jsonl").read_text().splitlines()]
    for log, wanted in zip(recorded("illegal"), expected, strict=True):
        found = verdict(log)
        assert found.word == ILLEGAL
        assert found.at is not None
        assert {"hand": found.at.hand, "event": found.at.event} == wanted["at"]
        assert found.violations[0].clause in CLAUSES[wanted["kind"]], wanted["kind"]


def test_the_table_of_faults_and_clauses_is_exact() -> None:
    """No clause is listed that no log meets."""
    expected = [json.loads(line)["kind"] for line in (OHIO / "illegal.expected.jsonl").read_text().splitlines()]
    met: dict[str, set[str]] = {}
    for log, kind in zip(recorded("illegal"), expected, strict=True):
        met.setdefault(kind, set()).add(verdict(log).violations[0].clause)
    assert met == CLAUSES
    for kind, clauses in sorted(met.items()):
        print(f"{kind:18} {', '.join(sorted(clauses))}")  # noqa: T201
