"""How a game stands if its illegal events count as played."""

from collections.abc import Sequence

from buckspec import interpret
from buckspec.cardwise import TooHidden
from buckspec.evaluate import RuleError
from buckspec.formats.game_log import GameLog, Hand
from buckspec.hidden import courses
from buckspec.observe import observed
from buckspec.packs import pack_of
from buckspec.replay import deal_of, opening
from buckspec.rules import Rules
from buckspec.state import Event, State
from buckspec.verdict import Outcome
from buckspec.words import words_of


def let_stand(log: GameLog, rules: Rules) -> Outcome | None:
    """Totals, winners and ending after all events, legal or not; None where that cannot be told.

    What comes at a time at which nothing of the kind can happen, such as a card after the game, cannot stand; nor can
    a play after which the rules do not say what follows. Where cards are missing, all that they can be must lead to
    the same.
    """
    state: State | None = opening(rules, log.hands[0].dealer or 0, log.start and log.start.totals)
    try:
        for index, hand in enumerate(log.hands):
            if state is None or interpret.broken(state, Event(deal_of(rules).rule.id)):
                return None
            state = _after(state, hand, f"hands[{index}]")
    except (RuleError, TooHidden, LookupError):
        return None
    if state is None:
        return None
    totals, winners, ended = (observed(state, name) for name in ("totals", "winners", "ended"))
    return Outcome(tuple(totals), tuple(winners), ended)  # type: ignore[arg-type]


def _after(state: State, hand: Hand, path: str) -> State | None:
    """The state after a hand, which need not be at its end. Raises RuleError, TooHidden."""
    rules = state.rules
    how, words = deal_of(rules), words_of(rules)
    pack = pack_of(hand, path, state, how, words)
    told = [words.event(event) for event in hand.events or ()]
    if hand.events is None or pack.clash:
        return None
    if not pack.cards or None in told:
        return _hidden(hand, state)
    dealt = interpret.settled(interpret.happen(state, how.rule, Event(how.rule.id, None, pack.cards)))
    return _all(dealt, [event for event in told if event is not None])


def _all(state: State, events: Sequence[Event]) -> State | None:
    for event in events:
        rule = state.rules.events.get(event.id)
        if rule is None or rule not in interpret.current_events(state):
            return None
        state = interpret.settled(interpret.happen(state, rule, event))
    return state


def _hidden(hand: Hand, state: State) -> State | None:
    """The state after a hand with missing cards, if all its courses end alike."""
    found = {}
    for course in courses(hand, state, deal_of(state.rules), words_of(state.rules)):
        if not course.whole:
            return None
        found[course.after.values] = course.after
    return found.popitem()[1] if len(found) == 1 else None
