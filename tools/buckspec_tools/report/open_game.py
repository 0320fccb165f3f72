"""What a report tells of a game that is not settled: contradictions, completions, other readings, what would stand."""

from collections.abc import Iterator, Sequence
from typing import Protocol

from msgspec.structs import replace

from buckspec.formats.game_log import GameLog
from buckspec.formats.outside import UNKNOWN
from buckspec.formats.wording import harmless
from buckspec.observe import observed
from buckspec.packs import open_cards
from buckspec.replay import replay
from buckspec.sentences import Sentences
from buckspec.verdict import ILLEGAL, At, Completion, Under, Verdict
from buckspec_tools.report.cards import Values
from buckspec_tools.report.columns import indented, labelled, wrapped


class Report(Protocol):
    """What is needed of the report of which this is a part."""

    verdict: Verdict
    say: Sentences
    values: Values

    def where(self, at: At) -> str: ...
    def winners(self, winners: Sequence[int], ended: str | None) -> str: ...


def conflict(report: Report) -> list[str]:
    """The places that contradict each other."""
    places = [report.where(at) for at in report.verdict.conflict]
    return [f"{report.say.report('conflict')}:", *indented(places)] if places else []


def completions(report: Report) -> list[str]:
    """Each completion: its verdict, the cards of the hands that were not known, and the event that is illegal."""
    return [line for one in report.verdict.completions for line in _completion(report, one)]


def _completion(report: Report, completion: Completion) -> Iterator[str]:
    rules, values, say = report.verdict.rules, report.values, report.say
    yield f"{say.report('completion')}: {say.report(completion.word)}"
    if rules is None or report.verdict.log is None:
        return
    found = replay(completion.log, rules, report.verdict.source)
    if completion.word == ILLEGAL and found.at is not None:
        yield from indented([f"{report.where(found.at)}  ({', '.join(one.clause for one in found.violations)})"])
    for index, hand in enumerate(report.verdict.log.hands):
        if any(True for _ in open_cards(hand, "")):
            yield from indented(labelled(list(_hands(completion.log, index, report))))
        filled = completion.log.hands[index].events or ()
        for event, given in zip(hand.events or (), filled, strict=False):
            if event.card is not None and given.card is not None and UNKNOWN in event.card:
                yield from indented([f"{values.player(event.seat)}: {values.card(given.card)}"])


def _hands(log: GameLog, index: int, report: Report) -> Iterator[tuple[str, str]]:
    """What each player is dealt in a hand, by name."""
    rules, source = report.verdict.rules, report.verdict.source
    if rules is None:
        return
    just_dealt = replace(log.hands[index], events=(), claims=None)
    state = replay(replace(log, hands=(*log.hands[:index], just_dealt)), rules, source).state
    held = observed(state, "hands") if state is not None else []
    for seat, cards in enumerate(held if isinstance(held, list) else []):
        yield report.values.player(seat), report.values.cards(map(str, cards))


def readings(report: Report) -> list[str]:
    """The verdict under each reading; those that lead to the same for the same reason are told together."""
    say, under = report.say, report.verdict.under
    if not under:
        return []
    groups: dict[str, list[str]] = {}
    for one in under:
        groups.setdefault(_outcome(one, say), []).append(_named(one))
    lines = [line for how, names in groups.items() for line in [how, *indented(wrapped(", ".join(names)))]]
    return [f"{say.report('under-readings')}:", *indented(lines)]


def _outcome(under: Under, say: Sentences) -> str:
    because = "" if under.because is None else f": {harmless(under.because)}"
    return f"{say.report(under.word)}{because}"


def _named(under: Under) -> str:
    # no line may break inside a name
    return " + ".join(f"{question}={reading}" for question, reading in under.readings.items())


def let_stand(report: Report) -> list[str]:
    """How the game stands if what is illegal counts."""
    stand, say, values = report.verdict.let_stand, report.say, report.values
    if stand is None:
        return []
    totals = [(values.player(seat), values.number(total)) for seat, total in enumerate(stand.totals)]
    winners = report.winners(stand.winners, stand.ended)
    return [f"{say.report('let-stand')}:", *indented([*labelled(totals), winners])]
