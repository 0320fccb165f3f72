"""Hands in which something holds by some rules and does not by others."""

from dataclasses import dataclass
from random import Random

from buckspec.play import apply
from buckspec.rules import Rules
from buckspec.state import State
from buckspec_conformance.partings import translated
from buckspec_conformance.possible.hand import Hand, asked
from buckspec_conformance.possible.start import drawn, pinned
from buckspec_conformance.possible.wish import Wish, holds
from buckspec_conformance.random_hands import deals


@dataclass(frozen=True)
class Unless:
    """Other rules, and the wish as they understand it: in the same hand it must not come true by them."""

    rules: Rules
    wish: Wish

    def spares(self, hand: Hand) -> bool:
        """Whether the hand is one by the other rules too, from the same start, but the wish does not come true."""
        twin = drawn(self.rules, pinned(hand.before), Random(0))  # noqa: S311 nothing is left to chance
        if not deals(twin):
            return False
        for event in hand.events:
            same = translated(event, hand.before, twin)
            after = apply(twin, same) if same is not None else None
            if same is None or not isinstance(after, State):
                return False
            if any(holds(moment, self.wish.parts) for moment in asked(twin, same, after, self.wish.at)):
                return False
            twin = after
        return True
