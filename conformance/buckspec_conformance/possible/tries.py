"""Hands that are played at random until a wish comes true: quick where what is wished is not rare."""

from collections.abc import Iterator, Sequence
from random import Random
from time import monotonic

from buckspec.interpret import happen
from buckspec.rules import Rules, choose
from buckspec.state import Event, State
from buckspec_conformance.possible.hand import Hand, granted
from buckspec_conformance.possible.start import Start, drawn
from buckspec_conformance.possible.wish import Part, Wish, holds
from buckspec_conformance.random_hands import RARE, deals, pack, played, readings

_EVERY = 200
"""After so many hands others of the readings are drawn, where they are free: rules take some time to be compiled."""
_SWAPS = 20
"""How many pairs of cards change places in a pack before it is dealt again, where the deal is not free."""


def tried(
    rules: Rules, wish: Wish, start: Start, rng: Random, times: int, packs: Sequence[Event], until: float,
    *, every_reading: bool,
) -> Iterator[Hand]:  # fmt: skip
    """The hands, of so many at random, in which a wish comes true; no more after `until`, by time.monotonic().

    `packs` are deals of which each grants what is wished of the deal; they are needed if that is anything.
    """
    known = list(packs)
    for number in range(times):
        if monotonic() > until:
            return
        if every_reading and number % _EVERY == 0 and number:
            rules = choose(rules.book, rules.name, dict(rules.parameters), readings(rng, rules.book), rules.is_shipped)
        before = drawn(rules, start, rng)
        if not deals(before):
            continue
        deal = _walked(before, known, wish.dealt, rng) if wish.dealt else pack(rng, before, RARE)
        if deal is not None:
            events, _ = played(rng, before, deal, RARE)
            found = granted(before, events, wish)
            if found is not None:
                yield found


def _walked(before: State, packs: list[Event], wanted: tuple[Part, ...], rng: Random) -> Event | None:
    """Another deal that grants what is wished of it: one that is known, with cards that change places."""
    if not packs:
        return None
    at = rng.randrange(len(packs))
    for _ in range(_SWAPS):
        one, other = rng.sample(range(len(packs[at].about)), 2)
        order = list(packs[at].about)
        order[one], order[other] = order[other], order[one]
        swapped = Event(packs[at].id, None, tuple(order))
        if holds(happen(before, deals(before)[0], swapped), wanted):
            packs[at] = swapped
    return packs[at] if holds(happen(before, deals(before)[0], packs[at]), wanted) else None
