"""What the compiled rules show of a state is what the rules as written show."""

import random

import pytest

from buckspec import Refused, apply, deal, legal, load_profile, start
from buckspec.observe import interpreted, observe


@pytest.mark.parametrize("profile", ["ohio", "clubs-like-any-suit"])
def test_every_observation_of_every_state_is_the_same_compiled_and_interpreted(profile: str) -> None:
    rng = random.Random(20)  # noqa: S311 - packs to play with, no secrets
    rules = load_profile(profile)
    for _ in range(12):
        state = start(rules, {"next_dealer": rng.randrange(4), "totals": [rng.randrange(1, 9) for _ in range(4)]})
        pack = [card.code for card in rules.pack.values]
        rng.shuffle(pack)
        dealt = deal(state, pack)
        assert not isinstance(dealt, Refused), "a fresh game begins with a deal"
        state = dealt
        while choices := legal(state):
            as_written = {name: interpreted(state, name) for name in rules.book.observations}
            assert observe(state) == as_written
            state = apply(state, rng.choice(choices))  # type: ignore[assignment]
