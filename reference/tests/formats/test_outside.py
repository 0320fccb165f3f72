"""What the schema accepts and a profile does not know is found with its place."""

from typing import Any

import pytest

from buckspec.formats.game_log import decode, from_value
from buckspec.formats.outside import outside
from buckspec.formats.vocabulary import Vocabulary


def test_the_recorded_logs_stay_inside(recorded: list[bytes], vocabulary: Vocabulary) -> None:
    assert [problem for raw in recorded for problem in outside(decode(raw), vocabulary)] == []


@pytest.mark.parametrize(
    ("event", "message"),
    [
        ({"seat": 0, "do": "name", "suit": "NT"}, 'hands[0].events[0].suit: found "NT"; expected C, D, H or S'),
        ({"seat": 0, "do": "play", "card": "7C"}, 'hands[0].events[0].card: found "7C"; expected 9C, 9D'),
        ({"seat": 0, "do": "play", "card": "JK"}, 'hands[0].events[0].card: found "JK"; expected 9C, 9D'),
        ({"seat": 0, "do": "play", "card": "8?"}, 'hands[0].events[0].card: found "8?"; expected 9C, 9D'),
        ({"seat": 3, "do": "drop"}, "hands[0].events[0].seat: found 3; expected a seat below 3"),
        ({"seat": 0, "do": "stay"}, 'hands[0].events[0].do: found "stay"; expected'),
        ({"seat": 0, "do": "order"}, 'hands[0].events[0]: found no "suit"; expected a suit with "order"'),
        (
            {"seat": 0, "do": "discard", "card": "9C"},
            'hands[0].events[0].card: found "9C" with "discard"; expected no card',
        ),
    ],
)  # fmt: skip
def test_what_a_profile_does_not_know_is_told(event: dict[str, Any], message: str, vocabulary: Vocabulary) -> None:
    words = {word: names for word, names in vocabulary.events.items() if word != "stay"}
    words |= {"order": {"suit": ("C",)}, "discard": {}}
    narrow = Vocabulary(3, vocabulary.cards, words)
    log = from_value({"format": "buckspec-log/1", "profile": "x", "hands": [{"dealer": 0, "events": [event]}]})
    (only,) = outside(log, narrow)
    assert str(only).startswith(message)


def test_cards_that_are_not_in_the_pack_are_told_wherever_they_lie(
    full: dict[str, Any], vocabulary: Vocabulary
) -> None:
    full["hands"][0] |= {"upcard": "8S"}
    full["hands"][0]["deck"][0] = "7D"
    found = outside(from_value(full), vocabulary)
    assert [problem.path for problem in found] == [
        "hands[0].deck[0]",
        "hands[0].dealt[3][3]",
        "hands[0].dealt[3][4]",
        "hands[0].upcard",
        "hands[1].events[0].suit",
    ]
    assert found[0].expected.startswith("a card of the pack: 9C, 9D")
