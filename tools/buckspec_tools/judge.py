"""Judges logs one by one: each gets its verdict and the lines that tell it, whatever is wrong with the ones before."""

import traceback
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

from buckspec.evaluate import RuleError
from buckspec.formats.game_log import GameLog, Hand
from buckspec.formats.reader import Read, Unreadable
from buckspec.formats.wording import harmless
from buckspec.hidden import courses
from buckspec.missing import Open
from buckspec.missing import judge as judged
from buckspec.other_readings import under_others
from buckspec.packs import Dealing
from buckspec.problem import SpecError
from buckspec.replay import ReplayError, overrides_of, rules_for
from buckspec.rules import Rules
from buckspec.sentences import Sentences, load_sentences
from buckspec.standing import let_stand
from buckspec.state import State
from buckspec.verdict import ILLEGAL, IMPOSSIBLE, NO_OVERRIDES, Source, Verdict, of_unreadable, to_json, unreadable
from buckspec.words import Words
from buckspec_tools import versions
from buckspec_tools.output import json_line
from buckspec_tools.report.verdict import told


@dataclass(frozen=True)
class Request:
    """What the one who asks has chosen; the same for all logs of a run.

    `any_reading` asks for the verdict under every reading, `let_stand` how the game stands if illegal events count.
    `as_text` asks for a report in words and `plain` for one without card signs; otherwise the outcome is JSON.
    """

    profile: str | None = None
    parameters: Mapping[str, int] = field(default_factory=dict)
    readings: Mapping[str, str] = field(default_factory=dict)
    language: str = "en"
    as_text: bool = True
    plain: bool = False
    any_reading: bool = False
    let_stand: bool = False

    @property
    def choices(self) -> tuple[str | None, Mapping[str, int], Mapping[str, str]]:
        return self.profile, self.parameters, self.readings


@dataclass(frozen=True)
class Outcome:
    """A verdict in a word, the lines to print, and what is worth a note; or, instead of these, a fault of ours."""

    word: str
    lines: tuple[str, ...]
    note: str | None = None
    fault: "Fault | None" = None


@dataclass(frozen=True)
class Fault:
    """What went wrong in this program with one log, and the traceback."""

    what: str
    trace: str


def judge(read: Read, request: Request) -> Outcome:
    """What to say of one log. A fault of ours is told of it alone, so that the others are judged.

    Raises ReplayError where the rules fail.
    """
    place = f"{read.file}:{read.line}"
    if isinstance(read, Unreadable) and read.trace is not None:
        return Outcome("", (), fault=Fault(f"{place}: {read.message}", read.trace))
    try:
        return _judge(read, request)
    except (SpecError, ReplayError, RuleError, OSError):
        raise
    except Exception as fault:  # noqa: BLE001 - the other logs must not be lost
        what = " ".join(f"{place}: {type(fault).__name__}: {fault}".split())
        return Outcome("", (), fault=Fault(what, traceback.format_exc()))


def _judge(read: Read, request: Request) -> Outcome:
    if isinstance(read, Unreadable):
        return _outcome(of_unreadable(read), request)
    log = read.log
    source = Source(read.file, read.line, log.id)
    try:
        rules = rules_for(log, *request.choices)
    except SpecError as error:
        return _outcome(unreadable(source, _first(error)), request)
    overrides = overrides_of(log, rules, request.parameters, request.readings) if any(request.choices) else NO_OVERRIDES
    try:
        verdict = _further(judged(log, rules, source, overrides, **_HELP), log, rules, request)
    except ReplayError as error:
        raise ReplayError(f"{source.file}:{source.line}: {error}") from error
    return _outcome(verdict, request, _note(log, source))


def _solved(hand: Hand, state: State, how: Dealing, words: Words) -> Iterable[Open]:
    """A hand with hidden cards for the solver, which is loaded only where nothing else can tell."""
    from buckspec_conformance.solver.deals import solved_deals

    return solved_deals(hand, state, how, words)


def _sheets(log: GameLog, first: int, state: State) -> Sequence[int]:
    """Hands whose claims contradict each other."""
    from buckspec_conformance.solver.score_sheets import contradiction

    return contradiction(log, first, state)


_HELP: Mapping[str, Any] = {"openers": (courses, _solved), "sheets": _sheets}
"""Who judges what the events and cards of a log leave open."""


def _further(verdict: Verdict, log: GameLog, rules: Rules, request: Request) -> Verdict:
    """The verdict with what else was asked for."""

    def under(readings: Mapping[str, str]) -> Verdict:
        chosen = {**request.readings, **readings}
        chosen_rules = rules_for(log, request.profile, request.parameters, chosen)
        return judged(log, chosen_rules, verdict.source, **_HELP)

    if request.any_reading and verdict.rules is not None:
        verdict = replace(verdict, under=under_others(rules, under))
    if request.let_stand and verdict.word in (ILLEGAL, IMPOSSIBLE):
        verdict = replace(verdict, let_stand=let_stand(log, rules))
    return verdict


def check_choices(request: Request) -> Rules | None:
    """The rules of the profile asked for, with what was chosen; None if every log says its own profile.

    Raises SpecError for a choice by which no log at all can be judged. What does not go together with one log is a
    matter of that log alone.
    """
    from buckspec.load import load_profile
    from buckspec.sources import profile_names

    if request.profile is not None:
        return load_profile(request.profile, request.parameters, request.readings)
    if any(request.choices):
        first, *others = profile_names()
        for name in others:
            try:
                load_profile(name, request.parameters, request.readings)
            except SpecError:
                continue
            return None
        load_profile(first, request.parameters, request.readings)
    return None


def _first(error: SpecError) -> str:
    """The first problem, and how many more there are."""
    more = len(error.problems) - 1
    return f"{error.problems[0]}{f' (and {more} more)' if more else ''}"


def _note(log: GameLog, source: Source) -> str | None:
    if not versions.differs(log.spec):
        return None
    return (
        f"{harmless(source.file)}: written with rule book {harmless(str(log.spec))}, judged by {versions.rule_book()}"
    )


def _outcome(verdict: Verdict, request: Request, note: str | None = None) -> Outcome:
    if request.as_text:
        lines = told(verdict, _sentences(request.language), plain=request.plain)
    else:
        lines = [json_line(to_json(verdict), ascii_only=request.plain)]
    return Outcome(verdict.word, tuple(lines), note)


@lru_cache
def _sentences(language: str) -> Sentences:
    return load_sentences(language)
