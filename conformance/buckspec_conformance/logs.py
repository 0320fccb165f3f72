"""Games as logs that `replay` opens."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from buckspec.formats.game_log import GameClaims, HandClaims
from buckspec.interpret import to_act
from buckspec.observe import observe
from buckspec.rules import Rules
from buckspec.state import Event, State
from buckspec.words import to_log, words_of
from buckspec_conformance.random_hands import Game

Json = dict[str, Any]

FORMAT = "buckspec-log/1"


def log_of(played: Game, profile: str, parameters: Mapping[str, int], *, declares: bool = True) -> Json:
    """A game as a log, with every claim; a last hand that somebody has still to act in claims nothing.

    `profile` and `parameters` are by what the rules were loaded; the readings that are not those of the profile are
    told unless it `declares` none.
    """
    rules = played.before.rules
    hands = [_logged(rules, events, after) for events, after in zip(played.hands, played.after, strict=True)]
    is_over = not to_act(played.after[-1])
    claims = {"claims": _claims(observe(played.after[-1]), GameClaims.__struct_fields__)} if is_over else {}
    return {
        "format": FORMAT,
        "profile": profile,
        "parameters": dict(parameters),
        "readings": _differing(rules) if declares else {},
        "start": {"totals": _totals(played.before)},
        "hands": hands,
        **claims,
    }


def _differing(rules: Rules) -> dict[str, str]:
    """The readings that are not those of the profile."""
    return {name: reading for name, reading in rules.readings.items() if rules.book.readings[name] != reading}


def _totals(state: State) -> object:
    rules = state.rules
    observation = rules.book.observations["totals"]
    seats = range(rules.seats.size)
    parameter = rules.seats.parameter
    return [state.evaluator.term(observation.value, {parameter: seat}) for seat in seats]


def _logged(rules: Rules, events: Sequence[Event], after: State) -> Json:
    pack, *said = events
    codes = words_of(rules).codes
    seen = observe(after)
    claims = {} if to_act(after) else {"claims": _claims(seen, HandClaims.__struct_fields__)}
    return {
        "dealer": seen["dealer"],
        "deck": [codes[card] for card in pack.about],
        "events": [to_log(rules, event) for event in said],
        **claims,
    }


def _claims(seen: Mapping[str, object], names: Iterable[str]) -> Json:
    return {name: seen[name] for name in names if name in seen}
