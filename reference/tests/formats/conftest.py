"""Recorded logs, a small log that has every field, and the vocabulary of the pack they use."""

import json
from pathlib import Path
from typing import Any

import pytest

from buckspec.formats.vocabulary import Vocabulary

CASES = Path(__file__).parents[1] / "cases"
PACK = [rank + suit for rank in "9TJQKA" for suit in "CDHS"]


@pytest.fixture(scope="session")
def cases() -> Path:
    return CASES


@pytest.fixture(scope="session")
def recorded(cases: Path) -> list[bytes]:
    """Every recorded log, one hand or a whole game each."""
    files = [cases / "ohio" / f"{name}.jsonl" for name in ("legal", "illegal", "games")]
    return [line for file in files for line in file.read_bytes().splitlines()]


@pytest.fixture
def log(cases: Path) -> dict[str, Any]:
    """A log of one hand, legal, with claims; a new one for each test."""
    found: dict[str, Any] = json.loads((cases / "contract" / "log.json").read_text())
    return found


@pytest.fixture
def full() -> dict[str, Any]:
    """A short log in which every field of the format stands."""
    return {
        "format": "buckspec-log/1", "profile": "ohio", "parameters": {"start_total": 15, "penalty": 5},
        "readings": {"all-pass": "deal-passes"}, "spec": "1.0.0", "id": "table: 7",
        "players": ["Ana", "José", "Cy", "Di"], "start": {"totals": [25, 0, -3, 25]},
        "hands": [
            {
                "dealer": 3, "deck": [*PACK[:20], "??", "??", "J?", "?S"],
                "dealt": [PACK[:5], PACK[5:10], PACK[10:15], ["??", "??", "?H", "JK", "7C"]], "upcard": "AS",
                "events": [
                    {"seat": 0, "do": "pass"}, {"seat": 1, "do": "order"},
                    {"seat": 3, "do": "discard", "card": "9D"}, {"seat": 2, "do": "stay"}, {"do": "drop", "seat": 3},
                    {"seat": 0, "do": "play", "card": "KC"}, {"card": "??", "seat": 1, "do": "play"},
                ],
                "claims": {
                    "maker": None, "trump": "C", "contract": "thrown-in", "active": [True, False, True, True],
                    "trick_winners": [0, 0, 3], "tricks": [1, 2, 2, 0], "points": [-1, 5, -2, 0],
                    "totals": [24, 30, 23, 25],
                },
            },
            {"events": [{"seat": 0, "do": "name", "suit": "NT"}], "claims": {"contract": None, "maker": 0}},
        ],
        "claims": {"totals": [24, 30, 23, 25], "winners": [2, 0], "ended": None},
    }  # fmt: skip


@pytest.fixture(scope="session")
def vocabulary() -> Vocabulary:
    deck = tuple(PACK)
    words: dict[str, dict[str, tuple[str, ...]]] = {
        "pass": {}, "order": {}, "stay": {}, "drop": {},
        "discard": {"card": deck}, "play": {"card": deck}, "name": {"suit": ("C", "D", "H", "S")},
    }  # fmt: skip
    return Vocabulary(4, deck, words, {"10♥": "TH", "10H": "TH", "th": "TH", "Jh": "JH"})
