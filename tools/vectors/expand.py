"""One entry of a source that stands for several: `for: trumps` makes one of it for each trump suit, and so on."""

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

from suits import SISTER, SUITS


def _trumps(suits: str) -> Iterator[dict[str, str]]:
    """`t` is the trump suit, `l` the other of its colour, `x` and `y` the two others; the nine of trumps is turned."""
    for suit in suits:
        sister = SISTER[suit]
        first, second = (one for one in SUITS if one not in (suit, sister))
        start = "" if suit == "C" else f"order discard:9{suit} stay*3"
        yield {"trump": SUITS[suit], "t": suit, "l": sister, "x": first, "y": second, "start": start}


def _seats() -> Iterator[dict[str, str]]:
    """A seat, those after it, and a round of diamonds that it wins."""
    for seat in range(4):
        cards = ["9D", "TD", "QD", "KD"]
        cards[seat] = "AD"
        following = {name: str((seat + step) % 4) for step, name in enumerate(("next", "second", "third"), 1)}
        yield {"seat": str(seat), **following, "round": " ".join(cards)} | {f"c{n}": c for n, c in enumerate(cards)}


def _patterns() -> Iterator[dict[str, str]]:
    """Everything that three players can decide, but for all of them dropping."""
    for chosen in product(("stay", "drop"), repeat=3):
        if "stay" in chosen:
            active = ",".join(["true", *("true" if one == "stay" else "false" for one in chosen)])
            told = ", ".join(chosen)
            yield {"pattern": "-".join(chosen), "told": told, "decisions": " ".join(chosen), "active": active}


SETS = {
    "trumps": list(_trumps("CDHS")),
    "other-trumps": list(_trumps("DHS")),
    "seats": list(_seats()),
    "dealers": [{"dealer": str(seat), "left": str((seat + 1) % 4)} for seat in range(4)],
    "patterns": list(_patterns()),
}


def expanded(key: str, source: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The entries for which one stands, with their keys."""
    held = {name: value for name, value in source.items() if name != "for"}
    if "for" not in source:
        yield key, held
        return
    for names in SETS[source["for"]]:
        yield _filled(key, names), _filled(held, names)


def _filled(value: Any, names: Mapping[str, str]) -> Any:
    if isinstance(value, dict):
        return {_filled(key, names): _filled(held, names) for key, held in value.items()}
    if isinstance(value, list):
        return [_filled(held, names) for held in value]
    if isinstance(value, str):
        for name, text in names.items():
            value = value.replace(f"{{{name}}}", text)
    return value
