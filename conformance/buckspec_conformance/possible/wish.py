"""What a hand is looked for with: a condition as a person types it, and the moment at which it is asked."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from buckspec import typed as t
from buckspec.condition import condition
from buckspec.evaluate import Missing
from buckspec.interpret import current_events
from buckspec.problem import Place
from buckspec.rules import Rules
from buckspec.state import State
from buckspec.syntax import Binary, Expression, parse
from buckspec.types import Type

END, ANY = "end", "any"
"""When a condition is asked: after the last event of a hand, or at any moment at which somebody has to act or nothing
more happens. Or else just after an event."""
_AND = "&&"


@dataclass(frozen=True)
class Part:
    """One of the conditions that a condition joins by “and”, as it was written and as it was checked."""

    text: str
    term: t.Term


@dataclass(frozen=True)
class Wish:
    """Conditions that hold together at a moment; `dealt` hold after the deal."""

    parts: tuple[Part, ...]
    at: str = END
    dealt: tuple[Part, ...] = ()


def wish(rules: Rules, text: str, at: str = END, dealt: str | None = None) -> Wish:
    """The wish that is written so. Raises SpecError for a condition that is none, with line and column of the fault,
    and LookupError for a moment that is none."""
    if at not in moments(rules):
        raise LookupError(at)
    given = () if dealt is None else parts(rules, dealt, "--dealt")
    return Wish(parts(rules, text, "the condition"), at, given)


def moments(rules: Rules) -> tuple[str, ...]:
    """The moments at which a condition can be asked."""
    return (END, ANY, *rules.events)


def parts(rules: Rules, text: str, called: str) -> tuple[Part, ...]:
    """A condition in the parts that it joins by “and”. Cards are named as in a log, seats by their number."""
    term = condition(rules.book, text, Place(called, 1, 1), cards(rules))
    return tuple(_parts(parse(text), term, text, 0, len(text)))


def cards(rules: Rules) -> Mapping[str, t.Term]:
    """The cards by their codes."""
    return {card.code: t.Const(at, Type(rules.pack.name)) for at, card in enumerate(rules.pack.values)}


def _parts(written: Expression, term: t.Term, text: str, begin: int, end: int) -> Iterator[Part]:
    if isinstance(written, Binary) and isinstance(term, t.Both):
        yield from _parts(written.left, term.left, text, begin, written.at)
        yield from _parts(written.right, term.right, text, written.at + len(_AND), end)
    else:
        yield Part(" ".join(text[begin:end].split()), term)


def is_over(state: State) -> bool:
    """A hand has been played to its end, or the game is over."""
    events = current_events(state)
    return not events or any(rule.by_chance for rule in events)


def holds(state: State, wanted: tuple[Part, ...]) -> bool:
    """Whether all parts hold in a state; one that has no answer does not."""
    answers = (state.evaluator.term(part.term, {}) for part in wanted)
    return all(not isinstance(answer, Missing) and bool(answer) for answer in answers)
