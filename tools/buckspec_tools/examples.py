"""Looks through the recorded games of the rule book for one in which a clause decides, or a reading matters."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from buckspec.data import spec_dir
from buckspec.evaluate import Missing, RuleError
from buckspec.formats.game_log import GameLog
from buckspec.formats.reader import Readable, read_path
from buckspec.interpret import broken, candidates, current_events, happen
from buckspec.problem import SpecError
from buckspec.replay import ReplayError, replay, rules_for
from buckspec.rulebook import Clause, Definition, EventRule, Question
from buckspec.rules import Rules
from buckspec.state import Event, State
from buckspec.typed import definitions_in
from buckspec.verdict import UNREADABLE, Source, Verdict
from buckspec.words import words_of

_ENDINGS = (".json", ".jsonl", ".yaml")
_FOLDERS = ("*", "readings/*")


@dataclass(frozen=True)
class Moment:
    """A place in a recorded game: the hand, how many of its events are over, the state, and what
    happens next, if anything does.

    `readings` are those that were chosen for the sake of the clause. Where it decides, `refused` is an event that it
    forbids, or `of` the definition, with its argument, to which it gives the value.
    """

    file: str
    log: GameLog
    hand: int
    done: int
    state: State = field(repr=False)
    next: Event | None
    readings: Mapping[str, str]
    refused: Event | None = None
    of: tuple[Definition, int | None] | None = None


@dataclass(frozen=True)
class Difference:
    """A recorded game that readings of a question judge differently: each verdict, with the readings that give it."""

    file: str
    log: GameLog
    verdicts: tuple[tuple[tuple[str, ...], Verdict], ...]


def tell_apart(question: Question, rules: Rules, profile: str | None = None) -> Difference | None:
    """The first recorded game that tells readings of a question apart; the one with its name is looked at first.

    `profile` is the file of a profile of one's own.
    """
    for file, log in sorted(_logs(rules), key=lambda one: one[1].id != question.id):
        found: dict[object, tuple[list[str], Verdict]] = {}
        for reading in question.readings:
            try:
                verdict = replay(log, rules_for(log, profile, readings={question.id: reading}), Source(file))
            except (SpecError, ReplayError):
                continue
            found.setdefault(_outcome(verdict), ([], verdict))[0].append(reading)
        if len(found) > 1 and UNREADABLE not in [verdict.word for _, verdict in found.values()]:
            return Difference(file, log, tuple((tuple(readings), verdict) for readings, verdict in found.values()))
    return None


def _outcome(verdict: Verdict) -> object:
    """What of a verdict the readings may change."""
    broken = tuple(one.clause for one in verdict.violations)
    return verdict.word, verdict.at, broken, verdict.totals, verdict.winners, verdict.ended


def find(clause: Clause, rules: Rules, profile: str | None = None) -> Moment | None:
    """The first moment of the recorded games at which a clause decides, under readings that it belongs to.

    `profile` is the file of a profile of one's own.
    """
    shows = _test(clause, rules)
    if shows is None:
        return None
    choices = clause.under.choices
    others = {question: min(names) for question, names in choices if rules.readings[question] not in names}
    second: Moment | None = None
    for moment in _moments(rules, others, profile):
        try:
            found = shows(moment)
        except RuleError:
            continue
        if found is not None and _matters(found):
            return found
        # before the deal a value is there, but nobody has cards
        second = second or (found if moment.done else None)
    return second


def _matters(moment: Moment) -> bool:
    """Whether what happens next depends on the definition that was asked for."""
    if moment.of is None or moment.next is None:
        return moment.of is None
    return moment.of[0].name in _used(moment.state.rules, moment.next.id)


@lru_cache
def _used(rules: Rules, event: str) -> frozenset[str]:
    """The definitions on which an event depends, directly or through others."""
    used: set[str] = set()
    fresh = definitions_in(rules.events[event].terms())
    while fresh:
        used |= fresh
        fresh = definitions_in(term for name in fresh for term in rules.definitions[name].terms()) - used
    return frozenset(used)


def _test(clause: Clause, rules: Rules) -> Callable[[Moment], Moment | None] | None:
    """What to ask of each moment, by the kind of the clause; None for a clause that no moment shows."""
    for rule in rules.book.events.values():
        if any(part.clause.id == clause.id for part in rule.requires):
            return lambda moment, rule=rule: _forbids(clause, rule, moment)  # type: ignore[misc]
        if any(part.clause.id == clause.id for part in rule.effects):
            return lambda moment, rule=rule: moment if moment.next and moment.next.id == rule.id else None  # type: ignore[misc]
    for definition in rules.book.definitions.values():
        if any(part.clause.id == clause.id for part in definition.alternatives):
            return lambda moment, definition=definition: _gives(clause, definition, moment)  # type: ignore[misc]
    return None


def _forbids(clause: Clause, rule: EventRule, moment: Moment) -> Moment | None:
    if rule.id not in [current.id for current in current_events(moment.state)]:
        return None
    for event in candidates(moment.state, moment.state.rules.events[rule.id]):
        if [violation.clause.id for violation in broken(moment.state, event)] == [clause.id]:
            return replace(moment, refused=event)
    return None


def _gives(clause: Clause, definition: Definition, moment: Moment) -> Moment | None:
    domain = moment.state.rules.book.domains[definition.domain] if definition.domain else None
    for argument in [None] if domain is None else range(domain.size):
        held = moment.state.evaluator.alternative(definition.name, *([] if argument is None else [argument]))
        if not isinstance(held, Missing) and held.clause.id == clause.id:
            return replace(moment, of=(definition, argument))
    return None


# ---------------------------------------------------------------------- the recorded games, moment by moment


def _logs(rules: Rules) -> Iterator[tuple[str, GameLog]]:
    """The recorded games, each with the name of its file."""
    top = spec_dir() / "examples"
    for path in [path for folder in _FOLDERS for path in sorted(top.glob(folder)) if path.suffix in _ENDINGS]:
        for one in read_path(path, words_of(rules).vocabulary):
            if isinstance(one, Readable):
                yield f"spec/examples/{path.relative_to(top).as_posix()}", one.log


def _moments(rules: Rules, readings: Mapping[str, str], profile: str | None) -> Iterator[Moment]:
    for file, log in _logs(rules):
        yield from _of_log(file, log, readings, profile)


def _of_log(file: str, log: GameLog, readings: Mapping[str, str], profile: str | None) -> Iterator[Moment]:
    steps = _Steps(file, log, readings)
    try:
        replay(log, rules_for(log, profile, readings=readings), Source(file), play=steps)
    except (SpecError, ReplayError):
        return
    yield from steps.moments


class _Steps:
    """Plays by the rules as they are written, and keeps every moment, those of what happens by itself included."""

    def __init__(self, file: str, log: GameLog, readings: Mapping[str, str]) -> None:
        self.file, self.log, self.readings = file, log, readings
        self.hand = -1
        self.moments: list[Moment] = []

    def __call__(self, state: State, events: Sequence[Event]) -> tuple[State, int]:
        self.hand += 1
        for done, event in enumerate(events):
            if broken(state, event):
                return state, done
            state = self._after(state, event, done)
            while automatic := [rule for rule in current_events(state) if rule.is_automatic]:
                state = self._after(state, Event(automatic[0].id), done)
        self._keep(state, None, len(events) - 1)
        return state, len(events)

    def _after(self, state: State, event: Event, done: int) -> State:
        self._keep(state, event, done)
        return happen(state, state.rules.events[event.id], event)

    def _keep(self, state: State, event: Event | None, done: int) -> None:
        self.moments.append(Moment(self.file, self.log, self.hand, done, state, event, self.readings))
