"""Judges logs in which cards are missing, by all the ways in which they can be filled in.

Only those count that agree with what was seen: whoever plays a card has had it. If no way is legal, the log is illegal
at the event that alone is to blame, or else impossible, for events that contradict each other. If some are and some
are not, it is undetermined, with one completion of each kind. If all are, the log is judged as if nothing were missing.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol, TypeAlias

from msgspec.structs import replace as changed

from buckspec.cardwise import TooHidden
from buckspec.evaluate import RuleError
from buckspec.formats.game_log import Event, GameLog, Hand
from buckspec.hidden import Filled, courses
from buckspec.packs import Dealing
from buckspec.replay import Course, Following, Player, ReplayError, Stop, is_plain_log, opening, quick, replay
from buckspec.rules import Rules
from buckspec.state import State
from buckspec.verdict import (
    CLAIMS_DIFFER,
    ILLEGAL,
    IMPOSSIBLE,
    NO_OVERRIDES,
    UNDETERMINED,
    At,
    Completion,
    Overrides,
    Source,
    Verdict,
)  # fmt: skip
from buckspec.words import Words, words_of


class Open(Protocol):
    """A hand with hidden cards, in one course or, for a judge who looks at all of them together, in several."""

    @property
    def after(self) -> State | None:
        """The state in which the hand ended, but for hidden cards; None if that depends on them."""
        ...

    @property
    def told(self) -> Sequence[Event]:
        """The events, as far as they are known."""
        ...

    def deal(self, events: Iterable[int]) -> Filled | None:
        """A way to fill the hand in, under which these events can have happened and were legal."""
        ...

    def breaking(self) -> Filled | None:
        """A way that agrees with all that was seen, under which some event is not legal."""
        ...

    def is_broken(self, at: int, clause: str, events: Iterable[int]) -> bool:
        """Whether an event breaks a clause in every way in which the others of some events are legal."""
        ...


Opener: TypeAlias = Callable[[Hand, State, Dealing, Words], Iterable[Open]]
"""Takes a hand with hidden cards apart into courses. Raises TooHidden where it cannot."""


Sheets: TypeAlias = Callable[[GameLog, int, State], Sequence[int]]
"""Hands of a log whose claims contradict each other, from a hand on that begins in a state; empty if none is found."""


_MOST_COURSES = 2500
"""So many courses of the hands of a log are looked at; it takes some seconds."""


@dataclass(frozen=True)
class _Line:
    """One way in which a log can have gone so far: the state, and for each hand what is open in it."""

    state: State
    hands: tuple[Open | None, ...] = ()


@dataclass(frozen=True)
class _Dead:
    """A way that is against the rules in the hand after its last: at a place that is known, or by what is open."""

    line: _Line
    stop: Stop | None = None
    open: Open | None = None


def judge(
    log: GameLog,
    rules: Rules,
    source: Source,
    overrides: Overrides = NO_OVERRIDES,
    play: Player = quick,
    openers: Sequence[Opener] = (courses,),
    sheets: Sheets | None = None,
) -> Verdict:
    """The verdict on a log, missing cards or not.

    `openers` are asked in turn, each where the ones before could not tell; `sheets` judges hands without events by
    their claims. Raises ReplayError where the rules fail.
    """
    known = replay(log, rules, source, overrides, play)
    if not known.missing or known.word == ILLEGAL:
        return known
    try:
        return _Missing(log, rules, source, overrides, play, openers, sheets, known).verdict()
    except TooHidden:
        return known
    except RuleError as error:
        raise ReplayError(f"the rules of {rules.name} fail: {error}") from error


@dataclass
class _Missing:
    """The judgement of one log; `known` is the verdict as far as everything is known."""

    log: GameLog
    rules: Rules
    source: Source
    overrides: Overrides
    play: Player
    openers: Sequence[Opener]
    sheets: Sheets | None
    known: Verdict
    illegal: GameLog | None = None
    courses: int = 0

    def verdict(self) -> Verdict:
        words = words_of(self.rules)
        following = Following(self.log, self.rules, words, self.play, is_plain_log(self.log, words))
        start = self.log.start
        lines = [_Line(opening(self.rules, self.log.hands[0].dealer or 0, start and start.totals))]
        for index, hand in enumerate(self.log.hands):
            if hand.events is None and self.sheets is not None:
                return self.sheet(index, lines, self.sheets)
            further: list[_Line] = []
            dead: list[_Dead] = []
            for line in lines:
                live, against = self.hand(following, line, index, hand)
                further += live
                dead += against
            if not further:
                return self.against(index, dead)
            # how a state has been reached is all one for what follows
            lines = list({line.state.values: line for line in reversed(further)}.values())
        return self.settled(lines)

    def hand(self, following: Following, line: _Line, index: int, hand: Hand) -> tuple[list[_Line], list[_Dead]]:
        """How a line goes on in a hand, and the ways in which it cannot."""
        course = Course(line.state)
        following.hand(course, index, hand)
        if course.stop:
            return [], [_Dead(line, stop=course.stop)]
        if not course.missing:
            return [_Line(course.state, (*line.hands, None))], []
        if hand.events is None:
            raise TooHidden("no events")
        found: dict[object, _Line] = {}
        dead = []
        opened = self.opened(hand, line.state, following)
        self.courses += len(opened)
        if self.courses > _MOST_COURSES:
            raise TooHidden("too many ways in which the game can have gone")
        for open_ in opened:
            if open_.deal(range(len(open_.told))) is None:
                dead.append(_Dead(line, open=open_))
            else:
                after = open_.after
                if after is None and index + 1 < len(self.log.hands):
                    raise TooHidden("how the hand ends")
                found[None if after is None else after.values] = _Line(after or line.state, (*line.hands, open_))
            broken = open_.breaking() if self.illegal is None else None
            if broken is not None:
                self.illegal = self.completed(line, {index: broken})
        return list(found.values()), dead

    def sheet(self, index: int, lines: Sequence[_Line], sheets: Sheets) -> Verdict:
        """The verdict where from a hand on only claims are told."""
        contradictions = [sheets(self.log, index, line.state) for line in lines]
        if not all(contradictions):
            return self.known
        return replace(self.known, word=IMPOSSIBLE, conflict=tuple(At(hand) for hand in contradictions[0]))

    def opened(self, hand: Hand, state: State, following: Following) -> list[Open]:
        """The courses of a hand, by the first judge who can tell them."""
        *others, last = self.openers
        for opener in others:
            try:
                return list(opener(hand, state, following.how, following.words))
            except TooHidden:
                continue
        return list(last(hand, state, following.how, following.words))

    # ------------------------------------------------------------------ no way is legal

    def against(self, index: int, dead: Sequence[_Dead]) -> Verdict:
        """The verdict where no way to fill the cards in makes a hand legal."""
        opened = [(way.line, way.open) for way in dead if way.open is not None]
        stops = [way.stop for way in dead if way.stop is not None]
        if not opened:
            return self.stopped(stops, dead[0].line)
        events = self.conflict(index, [open_ for _, open_ in opened])
        if len(events) == 1:
            verdict = self.alone(index, events[0], opened)
            if verdict is not None:
                return verdict
        seats = [event.seat for event in self.log.hands[index].events or ()]
        places = tuple(At(index, at, seats[at]) for at in events) or (At(index),)
        return replace(self.known, word=IMPOSSIBLE, conflict=places)

    def stopped(self, stops: Sequence[Stop], line: _Line) -> Verdict:
        """The verdict where every way ends at a place that is known."""
        if len({stop.at for stop in stops}) > 1:
            return replace(self.known, word=IMPOSSIBLE, conflict=tuple({stop.at: None for stop in stops}))
        told = replay(self.completed(line, {}), self.rules, self.source, self.overrides, self.play)
        return replace(told, log=self.log, legal=(), missing=self.known.missing)

    def conflict(self, index: int, opened: Sequence[Open]) -> list[int]:
        """Events that cannot all be legal, whatever the cards; none of them can be left out."""

        def can_be(events: Sequence[int]) -> bool:
            return any(open_.deal(events) is not None for open_ in opened)

        length = len(self.log.hands[index].events or ())
        end = next((end for end in range(length + 1) if not can_be(range(end))), length)
        left = list(range(end))
        for event in reversed(range(end - 1)):  # the last is among them: without it all could be
            fewer = [other for other in left if other != event]
            if not can_be(fewer):
                left = fewer
        return left

    def alone(self, index: int, event: int, opened: Sequence[tuple[_Line, Open]]) -> Verdict | None:
        """The verdict where one event is illegal whatever the cards are: it breaks what it breaks in each case."""
        before = range(event)
        line, filled = next(
            ((line, filled) for line, open_ in opened if (filled := open_.deal(before)) is not None), (None, None)
        )
        if line is None or filled is None:
            return None
        told = replay(self.completed(line, {index: filled}), self.rules, self.source, self.overrides, self.play)
        if told.at is None or (told.at.hand, told.at.event) != (index, event):
            return None
        broken = tuple(
            one
            for one in told.violations
            if all(open_.is_broken(event, one.clause, before) for _, open_ in opened if open_.deal(before) is not None)
        )
        if not broken:
            return None
        return replace(told, violations=broken, legal=(), log=self.log, missing=self.known.missing)

    # ------------------------------------------------------------------ some way is legal

    def settled(self, lines: Sequence[_Line]) -> Verdict:
        """The verdict where some ways are legal: the same as in each of them, or undetermined."""
        logs = [self.completed(line, {}) for line in lines]
        found = [replay(log, self.rules, self.source, self.overrides, self.play) for log in logs]
        by_word = {verdict.word: (verdict, log) for verdict, log in zip(reversed(found), reversed(logs), strict=True)}
        if len(by_word) == 1:
            ((word, (verdict, _)),) = by_word.items()
            if self.illegal is None or word == CLAIMS_DIFFER:
                hidden = () if self.illegal is None else self.known.missing
                common = tuple(claim for claim in verdict.claims if all(claim in other.claims for other in found))
                return replace(verdict, log=self.log, legal=(), claims=common or verdict.claims, missing=hidden)
        completions = [Completion(word, log) for word, (_, log) in by_word.items()]
        if self.illegal is not None:
            completions.append(Completion(ILLEGAL, self.illegal))
        if self.known.word == CLAIMS_DIFFER:
            return self.known
        return replace(self.known, word=UNDETERMINED, completions=tuple(completions))

    def completed(self, line: _Line, filled: dict[int, Filled]) -> GameLog:
        """The log with the cards of a line filled in; `filled` goes before it."""
        hands = list(self.log.hands)
        for index, open_ in enumerate(line.hands):
            found = filled.get(index)
            if found is None and open_ is not None:
                found = open_.deal(range(len(open_.told)))
            if found is not None:
                hands[index] = _with(hands[index], found)
        for index, found in filled.items():
            hands[index] = _with(hands[index], found)
        return changed(self.log, hands=tuple(hands))


def _with(hand: Hand, filled: Filled) -> Hand:
    return changed(hand, deck=filled.deck, dealt=None, upcard=None, events=filled.events)
