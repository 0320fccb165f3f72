"""Playing by the rules: what a seat may do, and what follows from it.

Where the rules are proven and everything is known, the compiled machine answers; otherwise, and for every
explanation, the interpreter does.
"""

from collections.abc import Sequence
from weakref import WeakKeyDictionary

from buckspec import interpret
from buckspec.evaluate import Missing
from buckspec.machine import Machine, machine
from buckspec.rules import Rules
from buckspec.state import Event, Refused, State

_WORTH_COMPILING = 400  # events that the interpreter walks through while the rules are compiled once
_LISTING = 10  # events that the interpreter walks through in the time in which it lists what is legal
_walked: "WeakKeyDictionary[Rules, int]" = WeakKeyDictionary()


def legal(state: State) -> tuple[Event, ...]:
    """Every legal event of the seats that may act now; the deal, which is chance, is not among them.

    Raises RuleError where the rules fail in this state.
    """
    compiled = compiled_for(state, _LISTING)
    if compiled is None:
        return interpret.legal(state)
    names = {number: id_ for id_, number in compiled.numbers.items()}
    return tuple(
        Event(names[kind], seat, about if isinstance(about, tuple) else (about,))
        for kind, seat, about in _moves(compiled, state)
    )


def _moves(compiled: Machine, state: State) -> list[tuple[int, int, int | tuple[int, ...]]]:
    return compiled.legal(state.values, state.phase)  # type: ignore[return-value]


def apply(state: State, event: Event) -> State | Refused:
    """The state after an event and everything that follows by itself, or all clauses that the event breaks.

    Raises RuleError where the rules fail in this state.
    """
    after, refused = apply_all(state, [event])
    return refused or after


def apply_all(state: State, events: Sequence[Event]) -> tuple[State, Refused | None]:
    """The state after events in order, and what became of the first that is not legal, if one is not."""
    rules, compiled = state.rules, compiled_for(state, len(events))
    if compiled is None or any(event.id not in rules.events for event in events):
        return _interpreted(state, events)
    done, phase, values = compiled.run(state.values, state.phase, [compiled.move(event) for event in events])
    after = State(rules, values, phase)  # type: ignore[arg-type]
    if done == len(events):
        return after, None
    return after, Refused(after, events[done], interpret.broken(after, events[done]))


def _interpreted(state: State, events: Sequence[Event]) -> tuple[State, Refused | None]:
    for event in events:
        outcome = interpret.apply(state, event)
        if isinstance(outcome, Refused):
            return state, outcome
        state = outcome
    return state, None


def compiled_for(state: State, work: int = 1) -> Machine | None:
    """The machine, if it may be trusted with this state and pays: the rules are proven and everything is known.

    `work` says how many events the interpreter would walk through instead. To compile takes as long as a few hundred
    of them, so the interpreter plays the first hands by any rules.
    """
    if not state.rules.is_shipped:
        return None
    if state.reached is None and Missing.UNKNOWN in state.values:  # what the machine has reached is known
        return None
    rules = state.rules.as_played
    _walked[rules] = _walked.get(rules, 0) + work
    return machine(rules) if _walked[rules] > _WORTH_COMPILING else None


def deal(state: State, pack: Sequence[str]) -> State | Refused:
    """The state after dealing a pack, given as codes in dealing order.

    Raises ValueError if it is not the whole pack of these rules, each card once.
    """
    cards = state.rules.pack.by_code
    if sorted(pack) != sorted(cards):
        raise ValueError(f"not the {len(cards)} cards of the pack, each once")
    return apply(state, Event(_deal_event(state.rules), None, tuple(cards[code] for code in pack)))


def _deal_event(rules: Rules) -> str:
    return next(event.id for event in rules.events.values() if event.by_chance)
