"""Asks for readings that an engine does not offer: it has to decline, and not to play another one without a word.

A request names the readings by which it is to be played. An engine that plays on by its own is found out by a game
that the two readings judge differently.
"""

from collections.abc import Iterator
from dataclasses import replace

from buckspec.rules import Rules
from buckspec_conformance import readings
from buckspec_conformance.asking import Answer, Failure
from buckspec_conformance.case import Case, Result, judge
from buckspec_conformance.messages import HelloResponse

TAG = "unlisted"
_WHY = "Asked for the reading {reading} of {question}, which hello does not offer, an engine answers `unsupported`."
_IGNORED = "it was asked for the reading {reading} of {question} and played {own}; answer `unsupported`, or play it"
_UNSEEN = "what it answers does not tell which reading it played"


def cases(profiles: dict[str, Rules], hello: HelloResponse) -> Iterator[Case]:
    """One case for each reading that is not offered, where a game is known that tells it from the engine's own."""
    asked: set[tuple[str, str]] = set()
    for case in readings.cases():
        own = profiles.get(str(case.request["profile"]))
        _, question, *both = case.tags
        if own is None or own.readings[question] not in both:
            continue
        reading = next(one for one in both if one != own.readings[question])
        if reading in hello.choices.get(question, ()) or (question, reading) in asked:
            continue
        asked.add((question, reading))
        request = {**case.request, "readings": {question: reading}}
        why = _WHY.format(reading=reading, question=question)
        yield Case(f"{TAG}/{question}/{reading}", "vector", (), why, request, (TAG, question, reading))


def judged(
    case: Case, rules: Rules, own: Rules, hello: HelloResponse, found: Answer | Failure, fields: frozenset[str]
) -> Result:
    """What came of such a case: `rules` are those that were asked for, `own` those that the engine plays by.

    To decline is right, and so is to play what was asked for. Where the answer does not tell, or is wrong by either,
    nothing is said.
    """
    if isinstance(found, Failure):
        return Result(case, "passed", 1) if found.kind == "unsupported" else Result(case, found.kind, failure=found)
    by_asked, by_own = (judge(case, one, hello, found, fields) for one in (rules, own))
    if by_asked.outcome == by_own.outcome or "passed" not in (by_asked.outcome, by_own.outcome):
        return Result(case, "unsupported", failure=Failure("unsupported", _UNSEEN))
    if by_asked.outcome == "passed":
        return by_asked
    _, question, reading = case.tags
    said = _IGNORED.format(reading=reading, question=question, own=own.readings[question])
    return replace(by_asked, failure=Failure("protocol-error", said))
