"""A hand from the deal on, in words and cards."""

from collections.abc import Iterator, Sequence

from buckspec.observe import observed
from buckspec.sentences import Sentences
from buckspec.state import Event, State
from buckspec_tools.report.cards import Values
from buckspec_tools.report.columns import labelled
from buckspec_tools.report.example import done

_UPCARD = "upcard"


def hand(before: State, events: Sequence[Event], after: Sequence[State], say: Sentences, *, plain: bool) -> list[str]:
    """The cards as they are dealt, and all that is done; `after` has the state after each event, the deal first."""
    values = Values(before.rules, say, plain=plain)
    lines = list(_dealt(before, after[0], values))
    width = len(str(len(events)))
    return [*lines, *(f"{place:>{width}}  {done(event, values)}" for place, event in enumerate(events[1:], 1))]


def _dealt(before: State, dealt: State, values: Values) -> Iterator[str]:
    report, rules = values.say.report, before.rules
    head = [f"{report('dealer')}: {values.named('dealer', observed(dealt, 'dealer'))}"]
    if _UPCARD in rules.book.variables:
        card = rules.code(rules.book.variables[_UPCARD].type, dealt.known(_UPCARD))
        head.append(f"{report('up-card')}: {values.named(_UPCARD, card)}")
    totals = observed(before, "totals")
    head.append(f"{report('totals')}: {', '.join(map(str, totals if isinstance(totals, list) else [totals]))}")
    yield "; ".join(head)
    held = observed(dealt, "hands")
    rows = held if isinstance(held, list) else []
    yield from labelled([(values.player(seat), values.cards(map(str, cards))) for seat, cards in enumerate(rows)])
