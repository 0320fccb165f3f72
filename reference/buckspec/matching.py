"""Puts things into places: each in a place that is open to it, and into each place as many as belong there.

What is open to a thing is a set of places, as a bit mask. Further conditions are clauses: lists of pairs of a thing and
a set of places, of which one at least must hold.
"""

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from buckspec.types import members

Literal: TypeAlias = tuple[int, int]
"""A thing, and the places of which it has to be in one."""
Clause: TypeAlias = tuple[Literal, ...]
"""Literals of which one at least must hold."""
Clauses: TypeAlias = tuple[Clause, ...]
"""Clauses that must all hold."""

TRUE: Clauses = ()
FALSE: Clauses = ((),)


def matched(options: Sequence[int], room: Sequence[int]) -> list[int] | None:
    """The place of each thing, such that place p has room[p] things in it; None if there is no such way.

    By augmenting paths. The rooms must have as many places together as there are things.
    """
    where = [-1] * len(options)
    inside: list[list[int]] = [[] for _ in room]
    # what has the fewest options goes first, which leaves little to move later
    for thing in sorted(range(len(options)), key=lambda one: options[one].bit_count()):
        if not _placed(thing, options, room, where, inside, [False] * len(room)):
            return None
    return where


def _placed(
    thing: int, options: Sequence[int], room: Sequence[int], where: list[int], inside: list[list[int]], seen: list[bool]
) -> bool:
    """Find a place for a thing, and move others for it if need be."""
    open_ = [place for place in members(options[thing]) if not seen[place]]
    for place in open_:
        if len(inside[place]) < room[place]:
            inside[place].append(thing)
            where[thing] = place
            return True
    for place in open_:
        if seen[place]:
            continue
        seen[place] = True
        for other in list(inside[place]):
            if _placed(other, options, room, where, inside, seen):
                inside[place].remove(other)
                inside[place].append(thing)
                where[thing] = place
                return True
    return False


def solve(clauses: Iterable[Clause], options: Sequence[int], room: Sequence[int]) -> list[int] | None:
    """The place of each thing such that every clause holds as well; None if there is no such way."""
    left = list(options)
    open_ = _propagated(list(clauses), left)
    if open_ is None:
        return None
    where = matched(left, room)
    if where is None:
        return None
    failing = next((clause for clause in open_ if not any(mask >> where[one] & 1 for one, mask in clause)), None)
    if failing is None:
        return where
    for thing, mask in failing:
        narrowed = list(left)
        narrowed[thing] &= mask
        found = solve(open_, narrowed, room) if narrowed[thing] else None
        if found is not None:
            return found
        left[thing] &= ~mask  # that this literal holds has been tried
    return None


def narrowed(clauses: Iterable[Clause], options: Sequence[int]) -> tuple[list[Clause], list[int]]:
    """The same clauses and options in a shorter form; an empty clause among them for a contradiction."""
    left = list(options)
    open_ = _propagated(list(clauses), left)
    return (list(FALSE) if open_ is None else open_), left


def _propagated(clauses: list[Clause], options: list[int]) -> list[Clause] | None:
    """Narrows the options by the clauses with one literal left; gives the others, or None for a contradiction."""
    while True:
        open_: list[Clause] = []
        has_changed = False
        for clause in clauses:
            if any(not options[thing] & ~mask for thing, mask in clause):
                continue
            live = tuple((thing, mask) for thing, mask in clause if options[thing] & mask)
            if not live:
                return None
            if len(live) == 1:
                thing, mask = live[0]
                options[thing] &= mask
                has_changed = True
            else:
                open_.append(live)
        if not has_changed:
            return open_
        clauses = open_


def both(*parts: Clauses) -> Clauses:
    """All of them."""
    joined = tuple(dict.fromkeys(clause for part in parts for clause in part))
    return FALSE if () in joined else joined


def either(one: Clauses, other: Clauses, every: int) -> Clauses:
    """One of two at least; `every` is the set of all places."""
    merged = (_merged(left, right, every) for left in one for right in other)
    return both(tuple(clause for clause in merged if clause is not None))


def _merged(one: Clause, other: Clause, every: int) -> Clause | None:
    """One clause for two of which one must hold; None where that is always so."""
    masks = dict(one)
    for thing, mask in other:
        masks[thing] = masks.get(thing, 0) | mask
    if any(mask == every for mask in masks.values()):
        return None
    return tuple(sorted(masks.items()))


def within(thing: int, places: int, every: int) -> Clauses:
    """A thing is in one of these places."""
    if places == every:
        return TRUE
    return (((thing, places),),) if places else FALSE


def opposite(clause: Clause, every: int) -> Clauses:
    """Where a clause does not hold."""
    return both(*(within(thing, every & ~mask, every) for thing, mask in clause))
