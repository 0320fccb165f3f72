"""Events that are not legal in a state, from those that nearly are to those that are far from it."""

from collections.abc import Iterable, Iterator

from buckspec.play import legal
from buckspec.rules import Rules
from buckspec.state import Event, State
from buckspec.words import to_log, words_of
from buckspec_conformance.oracle import Logged


def near_legal(state: State, earlier: Iterable[State] = ()) -> tuple[Logged, ...]:
    """Every event that a log can tell and that differs from a legal one in one thing alone, as a log writes it.

    That is who acts, what is said or done, or what it is about; or when: it was legal in one of the `earlier` states.
    Where nothing is legal, as after the end of a hand, every event is as near as any other, and it is one of each kind
    by each player.
    """
    allowed = legal(state)
    found = dict.fromkeys(_near(state.rules, allowed) if allowed else _some(state.rules))
    for before in earlier:
        found |= dict.fromkeys(legal(before))
    for event in allowed:
        found.pop(event, None)
    return tuple(to_log(state.rules, event) for event in found)


def _near(rules: Rules, allowed: tuple[Event, ...]) -> Iterator[Event]:
    """By kind of distance, the nearest first: another card, another player, another thing to do."""
    known = dict.fromkeys(words_of(rules).events.values())
    ids, acting = {event.id for event in allowed}, {event.seat for event in allowed}
    abouts = {(event.id, event.about) for event in allowed}
    yield from (event for event in known if event.id in ids and event.seat in acting)
    yield from (event for event in known if (event.id, event.about) in abouts)
    held = {event.about for event in allowed}
    yield from (event for event in known if event.seat in acting and (event.about in held or not event.about))


def _some(rules: Rules) -> Iterator[Event]:
    seen = set()
    for event in words_of(rules).events.values():
        if (event.id, event.seat) not in seen:
            seen.add((event.id, event.seat))
            yield event
