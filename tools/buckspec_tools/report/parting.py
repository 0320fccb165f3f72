"""Where two rule books or two readings part, in words: the last event that both allow, and what each says then."""

from collections.abc import Iterator, Mapping
from itertools import combinations

from buckspec.rulebook import Question
from buckspec.sentences import Sentences
from buckspec.words import from_log
from buckspec_conformance.partings import LEGAL, Parting
from buckspec_tools.report.cards import Values
from buckspec_tools.report.example import done

_SHOWN = 3
"""So many events are shown that only one of two allows."""


def partings(
    question: Question, found: Mapping[tuple[str, str], Parting | None], say: Sentences, *, plain: bool
) -> list[tuple[str, str]]:
    """For each pair of readings where they part, with a label."""
    rows = []
    for pair in combinations(question.readings, 2):
        if pair in found:
            part = found[pair]
            rows.append(
                (" / ".join(pair), say.report("explain-never-part") if part is None else _told(part, pair, say, plain))
            )
    return rows


def _told(parting: Parting, names: tuple[str, str], say: Sentences, plain: bool) -> str:
    values = Values(parting.before.rules, say, plain=plain)
    event = done(parting.events[-1], values)
    count = str(len(parting.events) - 1)
    head = say.report("explain-parted", event=event, count=count)
    return f"{head} " + "; ".join(f"{label}: {text}" if label else text for label, text in said(parting, names, values))


def said(parting: Parting, names: tuple[str, str], values: Values) -> Iterator[tuple[str, str]]:
    """What each of the two says, where they say it differently; what is legal only where they say all else alike."""
    for name, pair in parting.said.items():
        if name != LEGAL:
            yield name, " | ".join(values.named(name, value) for value in pair)
    if [*parting.said] == [LEGAL]:
        listed = [value if isinstance(value, list) else [] for value in parting.said[LEGAL]]
        for name, own, others in zip(names, listed, reversed(listed), strict=True):
            only = [event for event in own if event not in others]
            if only:
                told = [done(from_log(values.rules, event), values) for event in only[:_SHOWN]]
                events = "; ".join([*told, *(["…"] if len(only) > _SHOWN else [])])
                yield "", values.say.report("explain-only-legal", name=name, events=events)
