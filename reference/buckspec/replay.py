"""Judges a log: replays it by the rules, event by event, recomputes its claims, and says what came of it.

Hands are played by a Player: `quick`, the usual one, uses the compiled rules, `walk` goes through the rules as they are
written. Why an event is not legal is always asked of the interpreter.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TypeAlias

from buckspec import interpret
from buckspec import typed as t
from buckspec.claims import differences
from buckspec.evaluate import Missing, RuleError
from buckspec.formats import game_log
from buckspec.formats.game_log import GameLog, Hand
from buckspec.formats.outside import outside
from buckspec.load import load_profile
from buckspec.nodes import refuse
from buckspec.observe import observed
from buckspec.packs import Dealing, dealing, open_cards, pack_of
from buckspec.play import apply, apply_all, legal
from buckspec.problem import Place, nearest
from buckspec.rulebook import WHOLE_GAME, Clause
from buckspec.rules import Rules
from buckspec.sentences import fill
from buckspec.sources import find_profile, profile_names
from buckspec.state import Event, Refused, State, Violation
from buckspec.verdict import (
    CLAIMS_DIFFER,
    ILLEGAL,
    INCOMPLETE,
    LEGAL,
    NO_OVERRIDES,
    UNDETERMINED,
    At,
    Broken,
    ClaimDifference,
    Overrides,
    Source,
    Verdict,
    unreadable,
)  # fmt: skip
from buckspec.words import Words, to_log, words_of

Player: TypeAlias = Callable[[State, Sequence[Event]], tuple[State, int]]
"""Plays events from a state: gives the state after those that are legal, and how many that are."""

# observations that a log and a verdict name
_DEALER, _TOTALS, _WINNERS, _ENDED = "dealer", "totals", "winners", "ended"
_FINGERPRINT = "@"


class ReplayError(Exception):
    """The rules fail while a log is replayed: two clauses hold at once, or none. Only rules of a user's own do.

    The message says where in the log, and names the clauses.
    """


# ---------------------------------------------------------------------- by which rules


def rules_for(
    log: GameLog,
    profile: str | None = None,
    parameters: Mapping[str, int] | None = None,
    readings: Mapping[str, str] | None = None,
) -> Rules:
    """The rules by which a log is judged: those that it names, but for what the one who asks chooses otherwise.

    `profile` is a shipped profile or the path of a user's own. A log can only name a shipped one, or, where `profile`
    is given, that same state of a user's own. Raises SpecError for names that do not exist, for readings that exclude
    each other, and for another state of a user's own profile than the log names.
    """
    chosen = tuple(sorted({**(log.parameters or {}), **(parameters or {})}.items()))
    answers = tuple(sorted({**(log.readings or {}), **(readings or {})}.items()))
    if profile is None:
        return _shipped_rules(log.profile, chosen, answers)
    rules = _rules(profile, find_profile(profile).stamp, chosen, answers)
    name, at, state = log.profile.partition(_FINGERPRINT)
    own, _, own_state = rules.name.partition(_FINGERPRINT)
    if at and name == own and state != own_state:
        expected = f"{log.profile}, as the log says; give that state of the file, or take the hash out of the log"
        raise refuse(Place(profile), "another state of the profile than the log was played by", rules.name, expected)
    return rules


@lru_cache
def _shipped_rules(name: str, parameters: tuple[tuple[str, int], ...], readings: tuple[tuple[str, str], ...]) -> Rules:
    if _FINGERPRINT in name:
        raise refuse(
            Place("profile"),
            "the profile of the log is a file of somebody's own",
            name,
            "that file, given beside the log",
        )
    if name not in profile_names():
        raise refuse(Place("profile"), "unknown profile", name, "a shipped profile", nearest(name, profile_names()))
    return load_profile(name, dict(parameters), dict(readings))


@lru_cache
def _rules(
    profile: str,
    _stamp: str | None,
    parameters: tuple[tuple[str, int], ...],
    readings: tuple[tuple[str, str], ...],
) -> Rules:
    """The stamp is there to make a changed file another question."""
    return load_profile(profile, dict(parameters), dict(readings))


def overrides_of(
    log: GameLog,
    rules: Rules,
    parameters: Mapping[str, int] | None = None,
    readings: Mapping[str, str] | None = None,
) -> Overrides:
    """Which of the choices of the one who asks differ from what the log says, or leaves to the profile."""
    book, said = rules.book, (log.parameters or {}, log.readings or {})
    numbers = {name: parameter.value for name, parameter in book.parameters.items()} | said[0]
    answers = {**book.readings, **said[1]}
    return Overrides(
        rules.name if rules.name != log.profile else None,
        {name: value for name, value in (parameters or {}).items() if numbers.get(name) != value},
        {name: value for name, value in (readings or {}).items() if answers.get(name) != value},
    )


# ---------------------------------------------------------------------- the course of a game


@dataclass(frozen=True)
class Stop:
    """The first place at which the log is against the rules."""

    at: At
    violations: tuple[Violation, ...]


@dataclass
class Course:
    """How far a log could be followed: the state, the state in which each hand ended or stopped, and why it stopped."""

    state: State
    after: list[State] = field(default_factory=list)
    stop: Stop | None = None
    missing: tuple[str, ...] = ()

    @property
    def is_complete(self) -> bool:
        """The last hand that was followed has ended."""
        return is_between_hands(self.state)


def is_between_hands(state: State) -> bool:
    """No seat has to act: the next hand can be dealt, or the game is over."""
    return all(rule.by is None for rule in state.rules.by_phase[state.phase])


def walk(state: State, events: Sequence[Event]) -> tuple[State, int]:
    """Plays events by the rules as they are written. Raises RuleError where those fail."""
    return _one_by_one(state, events, interpret.apply)


def quick(state: State, events: Sequence[Event]) -> tuple[State, int]:
    """The same, by the compiled rules where they may be trusted; quickest where every event is legal."""
    after, refused = apply_all(state, events)
    return _one_by_one(state, events, apply) if refused else (after, len(events))


def _one_by_one(
    state: State, events: Sequence[Event], step: Callable[[State, Event], State | Refused]
) -> tuple[State, int]:
    for done, event in enumerate(events):
        after = step(state, event)
        if isinstance(after, Refused):
            return state, done
        state = after
    return state, len(events)


def replay(
    log: GameLog, rules: Rules, source: Source, overrides: Overrides = NO_OVERRIDES, play: Player = quick
) -> Verdict:
    """The verdict on a log. Raises ReplayError where the rules themselves fail."""
    words = words_of(rules)
    is_plain = is_plain_log(log, words)
    if not is_plain:
        strange = outside(log, words.vocabulary)
        if strange:
            first = strange[0]
            return unreadable(source, str(first), path=first.path, found=first.found, expected=first.expected)
    following = Following(log, rules, words, play, is_plain)
    try:
        return _verdict(following.course(), log, source, overrides)
    except RuleError as error:
        raise ReplayError(f"the rules of {rules.name} fail in {following.place}: {error}") from error


def is_plain_log(log: GameLog, words: Words) -> bool:
    """Everything in the log is known, and in the pack and the events of the rules. A quick look for the usual log."""
    for hand in log.hands:
        rows = [hand.deck or (), *(hand.dealt or ()), (hand.upcard,) if hand.upcard else ()]
        if not all(words.cards.keys() >= set(row) for row in rows):
            return False
        if any((event.seat, event.do, event.card, event.suit) not in words.events for event in hand.events or ()):
            return False
    return True


class Following:
    """Follows a log through its hands; `place` says where it is, for an error in the rules."""

    def __init__(self, log: GameLog, rules: Rules, words: Words, play: Player, is_plain: bool):
        self.log, self.rules, self.words, self.play, self.is_plain = log, rules, words, play, is_plain
        self.how = deal_of(rules)
        self.place = "the beginning of the game"

    def course(self) -> Course:
        start = self.log.start
        course = Course(opening(self.rules, self.log.hands[0].dealer or 0, start and start.totals))
        for index, hand in enumerate(self.log.hands):
            self.place = f"hands[{index}]"
            if not self.hand(course, index, hand):
                break
        return course

    def hand(self, course: Course, index: int, hand: Hand) -> bool:
        """Follow one hand; false if the log can be followed no further."""
        course.stop = self.before(course, index, hand)
        if course.stop:
            return False
        pack = pack_of(hand, self.place, course.state, self.how, self.words)
        if pack.clash:
            course.stop = Stop(At(index), (pack.clash,))
            return False
        if not pack.cards or hand.events is None:
            course.missing = tuple(self.missing(index))
            return False
        events = [Event(self.how.rule.id, None, pack.cards), *self.told(hand.events)]
        known = len(events) - 1
        course.state, done = self.play(course.state, events)
        course.after.append(course.state)
        if done < len(events):
            at = At(index, done - 1, hand.events[done - 1].seat)  # the deal is no event of the log
            course.stop = Stop(at, interpret.broken(course.state, events[done]))
        elif known < len(hand.events):
            course.missing = tuple(self.missing(index))
        return not course.stop and not course.missing

    def told(self, events: Sequence[game_log.Event]) -> Iterator[Event]:
        """The events that a log tells of, up to the first that is not known in full."""
        if self.is_plain:
            known = self.words.events
            yield from (known[event.seat, event.do, event.card, event.suit] for event in events)
            return
        for logged in events:
            event = self.words.event(logged)
            if event is None:
                return
            yield event

    def before(self, course: Course, index: int, hand: Hand) -> Stop | None:
        """Why a hand cannot begin: the one before has not ended, the game is over, or somebody else deals."""
        violations = () if self.can_deal(course.state) else interpret.broken(course.state, Event(self.how.rule.id))
        if violations and not course.is_complete:
            return Stop(At(index - 1, len(self.log.hands[index - 1].events or ())), violations)
        if violations:
            return Stop(At(index), violations)
        if self.how.dealer is None or hand.dealer is None or not index:
            return None
        effect, setting = self.how.dealer
        expected = course.state.evaluator.term(setting.value, {})
        if isinstance(expected, Missing) or expected == hand.dealer:
            return None
        label = setting.value.variable if isinstance(setting.value, t.Read) else setting.variable
        found = ((label, expected), (f"{self.place}.{_DEALER}", hand.dealer))
        return Stop(At(index), (Violation(effect.clause, found),))

    def can_deal(self, state: State) -> bool:
        """Nothing but the time could be against a deal, and it is time; seen without going through the rules."""
        return not self.how.rule.requires and self.how.rule in self.rules.by_phase[state.phase]

    def missing(self, first: int) -> Iterator[str]:
        """What the log leaves open, from a hand on."""
        for index, hand in enumerate(self.log.hands[first:], first):
            path = f"hands[{index}]"
            yield from open_cards(hand, path)
            if hand.events is None:
                yield f"{path}.events: what was said and done"
            for place, event in enumerate(hand.events or ()):
                if self.words.event(event) is None:
                    yield f"{path}.events[{place}].card: the card {event.card}"


@lru_cache
def deal_of(rules: Rules) -> Dealing:
    """How a hand begins under these rules."""
    return dealing(rules, _variable(rules, _DEALER))


def _variable(rules: Rules, observation: str) -> str:
    """The variable that an observation shows."""
    value = rules.book.observations[observation].value
    if not isinstance(value, t.Read):
        raise TypeError(f"the observation “{observation}” has to show a variable of the rules")
    return value.variable


@lru_cache
def opening(rules: Rules, dealer: int, totals: tuple[int, ...] | None) -> State:
    """The state before the first hand. What a game must be told at its beginning is who deals first."""
    given: dict[str, int | Sequence[int]] = {
        variable.name: dealer
        for variable in rules.book.variables.values()
        if variable.life == WHOLE_GAME and variable.first is None
    }
    if totals is not None:
        given[_variable(rules, _TOTALS)] = totals
    return interpret.start(rules, given)


# ---------------------------------------------------------------------- the verdict


def _verdict(course: Course, log: GameLog, source: Source, overrides: Overrides) -> Verdict:
    state, rules = course.state, course.state.rules
    claims = tuple(_claims(course, log))
    alternatives = () if course.missing or course.is_complete else legal(state)
    return Verdict(
        word=_word(course, claims),
        source=source,
        profile=rules.name,
        parameters={name: rules.parameters[name] for name in {**(log.parameters or {}), **overrides.parameters}},
        readings={name: rules.readings[name] for name in {**(log.readings or {}), **overrides.readings}},
        at=course.stop.at if course.stop else None,
        violations=tuple(_broken(violation, rules) for violation in course.stop.violations) if course.stop else (),
        legal=tuple(to_log(rules, event) for event in alternatives),
        totals=tuple(observed(state, _TOTALS)),  # type: ignore[arg-type]
        winners=tuple(observed(state, _WINNERS)),  # type: ignore[arg-type]
        ended=observed(state, _ENDED),  # type: ignore[arg-type]
        claims=claims,
        missing=course.missing,
        overrides=overrides,
        state=state,
        hands=tuple(course.after),
        rules=rules,
        log=log,
    )


def _word(course: Course, claims: Sequence[ClaimDifference]) -> str:
    if course.stop:
        return ILLEGAL
    if claims:
        return CLAIMS_DIFFER
    if course.missing:
        return UNDETERMINED
    return LEGAL if course.is_complete else INCOMPLETE


def _claims(course: Course, log: GameLog) -> Iterator[ClaimDifference]:
    """The wrong claims of every hand that was followed, and, if all were to their end, those of the game."""
    for index, (hand, state) in enumerate(zip(log.hands, course.after, strict=False)):
        yield from differences(hand.claims, f"hands[{index}].claims", state, is_between_hands(state))
    if not course.stop and not course.missing and course.is_complete:
        yield from differences(log.claims, "claims", course.state)


def _broken(violation: Violation, rules: Rules) -> Broken:
    return Broken(violation.clause.id, in_words(violation.clause, rules), dict(violation.found))


def in_words(clause: Clause, rules: Rules) -> str:
    """The sentence of a clause, with the values of the parameters that it names."""
    return fill(clause.says, {name: str(value) for name, value in rules.parameters.items()})
