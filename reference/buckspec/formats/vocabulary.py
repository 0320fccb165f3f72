"""What the profile of a log lets it say: the cards of the pack, the events and what each may name.

The schema of a game log is the same for all profiles. A loader makes a Vocabulary from the rule book; what a
log holds beyond it is found by `buckspec.formats.outside`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Vocabulary:
    """What a profile allows in its logs.

    `cards` are the codes of its pack; `events` maps the word of an event to what it names, and that to the codes
    allowed; `spellings` maps other ways to write a card to its code.
    """

    seat_count: int
    cards: tuple[str, ...]
    events: Mapping[str, Mapping[str, tuple[str, ...]]]
    spellings: Mapping[str, str] = field(default_factory=dict)
