"""A rule book small enough to read at a glance, and ways to change it, load it and ask what is wrong with it."""

from collections.abc import Callable
from pathlib import Path

import pytest

from buckspec.load import load_profile
from buckspec.problem import SpecError
from buckspec.rules import Rules
from buckspec.symbols import Signature, Symbols
from buckspec.types import Type

Change = tuple[str, str]
"""What stands in the small rule book, and what is to stand there instead."""

SMALL = {
    "profiles/small.yaml": """
profile: small
title: A card each, and the highest takes the point
chapters: [turns]
parameters:
  seat_count: {value: 3, type: int 2..4, means: How many sit at the table.}
  goal: {value: 2, type: int 1..9, means: How many points win.}
""",
    "domains.yaml": """
domains:
  Suit: {all: suits, values: {red: {}, blue: {code: B}}}
  Rank: {values: {low: {code: L}, high: {code: H}, top: {code: T}}}
  Card: {all: cards, each: {rank: [low, high], suit: suits}}
  Seat: {all: seats, clockwise: seat_count}
  Phase: {values: {deal: {}, show: {}, score: {}, over: {}}}
""",
    "questions.yaml": """
questions:
  begins:
    asks: Who shows first?
    readings:
      opener: The opener.
      next: The player after the opener.
""",
    "invariants.yaml": """
invariants:
  keep.count: {says: Nobody shows twice., that: shown <= seats.size()}
""",
    "observations.yaml": """
observations:
  points(seat) -> int: {means: Points of a player., is: points(seat)}
""",
    "rules/turns.yaml": """
chapter: turns
orders:
  height: [top, high, low]
state:
  game:
    opener: {type: Seat, first: given, means: Who opens.}
    dealt: {type: bool, first: false, means: A hand is on.}
    points(Seat): {type: int 0..9, first: 0, means: Points.}
  hand:
    hand(Seat): {type: set of Card, first: empty, seen: viewer == seat, means: Cards held.}
    rest: {type: set of Card, first: empty, seen: false, means: Cards left over.}
    table(Seat): {type: Card or none, first: none, means: The card shown.}
    shown: {type: int 0..seats.size(), first: 0, means: How many have shown.}
    last: {type: Seat or none, first: none, means: Who showed last.}
events:
  deal:
    by: chance
    in: deal
    begins: hand
    does:
      turns.deal: {says: A card each., deals: [1 to hand(each seat) from opener, the rest to rest]}
      turns.dealt: {says: The hand is on., set: {dealt: true}}
  show:
    by: mover
    in: show
    takes: card
    requires:
      turns.own: {says: Show a card of your own., that: card in hand(actor)}
      turns.better:
        says: Never show a card of the suit of the card before.
        applies: last != none && table(last) != none && goal > 8
        that: suit(card) != suit(table(last))
    does:
      turns.show:
        says: The card lies on the table.
        set: {table(actor): card, hand(actor): hand(actor).remove(card), shown: shown + 1, last: actor}
  score:
    in: score
    does:
      turns.score: {says: The highest card takes a point., set: {points(best): points(best) + 1}}
      turns.over: {says: The hand is over., set: {dealt: false, opener: left(opener)}}
define:
  phase -> Phase:
    means: What time it is.
    exactly one of:
      turns.won: {says: Somebody has won., when: won, is: Phase.over}
      turns.next: {says: Deal., when: "!won && !dealt", is: Phase.deal}
      turns.going: {says: Show., when: "!won && dealt && shown < seats.size()", is: Phase.show}
      turns.done: {says: Score., when: "!won && dealt && shown == seats.size()", is: Phase.score}
  won -> bool: {means: Somebody has won., is: "seats.exists(s, points(s) >= goal)"}
  mover -> Seat:
    means: Who shows next.
    exactly one of:
      turns.opener-first: {says: The opener begins., under: begins is opener, is: "left(opener, shown)"}
      turns.next-first: {says: The next player begins., under: begins is next, is: "left(opener, shown + 1)"}
  strength(seat) -> int:
    means: How low the card of a player lies; the highest is 1.
    exactly one of:
      turns.nothing: {says: No card is the lowest., when: table(seat) == none, is: 9}
      turns.card: {says: A card counts its rank., when: table(seat) != none, is: height(rank(table(seat)))}
  strongest -> set of Seat:
    means: Who shows the highest rank.
    is: seats.filter(s, seats.all(t, strength(s) <= strength(t)))
  best -> Seat: {means: Who takes the point., is: strongest.first_from(opener)}
""",
}


def write(folder: Path, files: dict[str, str]) -> Path:
    """The files in a folder."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text.lstrip("\n"), encoding="utf-8")
    return folder


def changed(changes: tuple[Change, ...]) -> dict[str, str]:
    """The small rule book with each change made in the one place where it fits."""
    files = dict(SMALL)
    for old, new in changes:
        (name,) = [name for name, text in files.items() if text.count(old) == 1]
        files[name] = files[name].replace(old, new)
    return files


@pytest.fixture
def small(tmp_path: Path) -> Callable[..., Rules]:
    """Loads the small rule book, changed."""

    def load(*changes: Change) -> Rules:
        return load_profile("small", spec=write(tmp_path / "spec", changed(changes)))

    return load


@pytest.fixture
def faults(small: Callable[..., Rules]) -> Callable[..., list[str]]:
    """What is wrong with the small rule book once it is changed, each fault with its place."""

    def collect(*changes: Change) -> list[str]:
        with pytest.raises(SpecError) as caught:
            small(*changes)
        return [str(problem).removeprefix("spec/") for problem in caught.value.problems]

    return collect


@pytest.fixture(scope="session")
def small_rules(tmp_path_factory: pytest.TempPathFactory) -> Rules:
    """The small rule book as it is, to check and evaluate expressions under it."""
    return load_profile("small", spec=write(tmp_path_factory.mktemp("small") / "spec", SMALL))


@pytest.fixture(scope="session")
def small_symbols(small_rules: Rules) -> Symbols:
    """The names that the expressions of the small rule book can use."""
    book = small_rules.book
    tables = {"suit": ("Card", "Suit"), "rank": ("Card", "Rank"), "height": ("Rank", "int")}
    return Symbols(
        dict(book.domains),
        dict(small_rules.parameters),
        {name: Signature(held.domain, held.type) for name, held in book.variables.items()},
        {name: Signature(held.domain, held.type) for name, held in book.definitions.items()},
        {name: (Signature(of, Type(is_)), book.tables[name]) for name, (of, is_) in tables.items()},
    )
