"""The table of effective suits, 24 cards by four trumps and none, asked through play: one vector for each place of it.

The card is led. The next player holds one plain card of each suit and may play one of them only. The player after
holds another card of the same effective suit, a bower wherever one is left, and may choose between two.
"""

from itertools import product
from typing import Any

SUITS = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}
RANKS = "9TJQKA"
SISTER = {"C": "S", "S": "C", "D": "H", "H": "D"}
_SAYS = {"R": "the right bower", "L": "the left bower, a trump", "P": "a card of the suit printed on it"}


def suit_of(card: str, trump: str | None) -> str:
    """The effective suit, told here once more so that the rules are held against a second writer."""
    return trump if trump and card == f"J{SISTER[trump]}" else card[1]


def table() -> dict[str, dict[str, Any]]:
    """One vector for each card under each trump suit and without trumps."""
    return {
        f"{SUITS[trump] if trump else 'no-trump'}-{card.lower()}": _place(trump, card)
        for trump in (*SUITS, None)
        for card in (rank + suit for suit, rank in product(SUITS, RANKS))
    }


def _place(trump: str | None, card: str) -> dict[str, Any]:
    suit = suit_of(card, trump)
    # an up-card of the trump suit, or of any other that is no club, where all pass
    upcard = next(
        rank + (trump or SISTER[suit]).replace("C", "C" if trump else "S")
        for rank in "9TQ"
        if rank + (trump or SISTER[suit]).replace("C", "C" if trump else "S") != card
    )
    free = [rank + suit for suit, rank in product(SUITS, RANKS) if rank + suit not in (card, upcard)]
    alike = [one for one in free if suit_of(one, trump) == suit]
    other = min(alike, key=lambda one: (one[0] != "J", one[1] == suit, RANKS.index(one[0])))
    plain = [one for one in free if one[0] != "J" and one != other]
    third = [next(one for one in plain if one[1] == name) for name in SUITS]
    second = [next(one for one in plain if one[1] == name and one not in third) for name in SUITS]
    follow = next(one for one in second if one[1] == suit)
    also = next(one for one in third if one[1] == suit)
    start = {"C": "", None: "pass*8 "}.get(trump, f"order discard:{upcard} stay*3 ")
    jacks = [one for one in free if one[0] == "J" and one != other and suit_of(one, trump) != suit]
    odd = [one for one in free if one not in (*second, *third, *jacks, other) and suit_of(one, trump) != suit]
    kind = "P" if card[0] != "J" or not trump else {trump: "R", SISTER[trump]: "L"}.get(card[1], "P")
    clause = {"R": "cards.right-bower", "L": "cards.left-bower-suit", "P": "cards.printed-suit"}[kind]
    return {
        "because": f"{card} is {_SAYS[kind]} {f'when {SUITS[trump]} are trumps' if trump else 'without trumps'}: "
        f"led, it asks for {SUITS[suit]}.",
        "clauses": [clause, "play.suit-led", "play.follow"],
        "tags": ["effective-suit"],
        "faults": [9, *([11] if trump and kind == "L" else []), *([123] if not trump and card == "JD" else [])],
        "hands": [
            {
                "upcard": upcard,
                "holds": {0: card, 1: " ".join([*second, (jacks or odd)[0]]), 2: " ".join([*third, other])},
                "events": f"{start}{card} [legal={follow}] {follow} [legal={also},{other}] {other}",
            }
        ],
    }
