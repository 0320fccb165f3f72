"""Twins: what an illegal vector becomes by one change that makes its event legal."""

from collections.abc import Callable, Mapping
from copy import deepcopy
from typing import Any

from buckspec.rules import Rules
from buckspec_conformance.oracle import expected


def twin_of(
    rules_of: Callable[[Mapping[str, Any]], Rules],
    twin: Mapping[str, Any],
    request: Mapping[str, Any],
    at: tuple[int, int],
) -> dict[str, Any]:
    """The request of the twin: all that came before the refused event, one change, and the event, now legal.

    `swap: 9H QS` lets two cards change places in the pack; `instead` is another event in the place of the refused one,
    or what differs in it; `event: [2, {…}]` is another event earlier in the same hand; `dealer`, `totals`, `readings`
    and `parameters` stand in the place of those of the vector; `without: 3` leaves an event out; `finish` is one event
    more, before a hand that could not begin. Raises ValueError if it is not legal.
    """
    number, index = at
    found: dict[str, Any] = deepcopy(dict(request))
    found["hands"] = found["hands"][: number + 1]
    hand = found["hands"][number]
    hand["events"] = hand["events"][: index + 1]
    if "swap" in twin:
        one, other = str(twin["swap"]).split()
        hand["deck"] = [other if card == one else one if card == other else card for card in hand["deck"]]
    if "event" in twin:
        place, values = twin["event"]
        hand["events"][place] = _changed(hand["events"][place], values)
    if "instead" in twin:
        hand["events"][index] = _changed(hand["events"][index], twin["instead"])
    if "without" in twin:
        del hand["events"][twin["without"]]
    if "finish" in twin:
        found["hands"][number - 1]["events"].append(dict(twin["finish"]))
    if "dealer" in twin:
        found["hands"][0]["dealer"] = twin["dealer"]
    if "totals" in twin:
        found["start"] = {"totals": twin["totals"]}
    found |= {key: twin[key] for key in ("readings", "parameters") if key in twin}
    last = expected(rules_of(found), found)[number][-1]
    if not last.accepted:
        broken = [violation.clause.id for violation in last.violations]
        raise ValueError(f"the twin is not legal either: {hand['events'][-1:]} breaks {broken}")
    return found


def _changed(event: Mapping[str, Any], values: Mapping[str, Any]) -> dict[str, Any]:
    """An event with other values; of another kind of event only the seat stays."""
    return {"seat": event["seat"], **values} if "do" in values else {**event, **values}
