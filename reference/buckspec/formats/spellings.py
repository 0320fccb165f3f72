"""Other ways to write a card, read as its code wherever a game log has a card."""

from collections.abc import Mapping
from typing import Any


def respelt(value: object, spellings: Mapping[str, str]) -> object:
    """The value, with every card that is written in one of these ways replaced by its code.

    Only the places of a game log where a card stands are looked at, and what has another shape than a log is
    left as it is, for the schema to refuse. Nothing is changed in place.
    """
    if not spellings or not isinstance(value, dict) or not isinstance(value.get("hands"), list):
        return value
    return {**value, "hands": [_hand(hand, spellings) for hand in value["hands"]]}


def _hand(hand: Any, spellings: Mapping[str, str]) -> Any:
    if not isinstance(hand, dict):
        return hand
    changed = dict(hand)
    for key in ("deck", "dealt", "upcard"):
        if key in hand:
            changed[key] = _cards(hand[key], spellings)
    if isinstance(hand.get("events"), list):
        changed["events"] = [_event(event, spellings) for event in hand["events"]]
    return changed


def _event(event: Any, spellings: Mapping[str, str]) -> Any:
    if not isinstance(event, dict) or "card" not in event:
        return event
    return {**event, "card": _cards(event["card"], spellings)}


def _cards(cards: Any, spellings: Mapping[str, str]) -> Any:
    """A card, or a list of cards at any depth."""
    if isinstance(cards, list):
        return [_cards(card, spellings) for card in cards]
    return spellings.get(cards, cards) if isinstance(cards, str) else cards
