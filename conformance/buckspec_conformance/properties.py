"""Properties: what has to hold of whatever is drawn, each with how it is drawn and how often it is asked.

What has to become of a request the rules say exactly, so a property is a strategy for requests. Some draw two
requests that belong together; then the two answers are compared with each other as well, in everything that the
engine reports. `buckspec_conformance.search` asks.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from buckspec.load import load_profile
from buckspec.observe import observed
from buckspec.play import legal
from buckspec.rules import Rules
from buckspec.sources import profile_names
from buckspec_conformance import strategies as drawn
from buckspec_conformance.case import Case, Result
from buckspec_conformance.near_legal import near_legal
from buckspec_conformance.random_hands import Game, deals
from buckspec_conformance.requesting import TOTALS, Hand, Request, hand_of, play_request, request_of
from buckspec_conformance.symmetry import Symmetry, exchanges, rotations

Level: TypeAlias = Literal["smoke", "standard", "exhaustive"]
"""How much is asked, as in `buckspec_conformance.suite`."""

ALL: Literal["all"] = "all"


@dataclass(frozen=True)
class Example(drawn.Short):
    """What is asked at once: a request, or two that belong together.

    The hands of the second are those of the first from `skip` on, permuted by `symmetry`, or as they are.
    """

    requests: tuple[Request, ...]
    symmetry: Symmetry | None = field(default=None, repr=False)
    skip: int = 0


@dataclass(frozen=True)
class Property:
    """Something that holds of all that `strategy` draws by some rules; None if the rules leave nothing to draw.

    `clauses` are those that it is about; `examples` says how many are drawn, by level.
    """

    id: str
    clauses: tuple[str, ...] | Literal["all"]
    why: str
    strategy: Callable[[Rules], SearchStrategy[Example] | None] = field(repr=False)
    examples: Mapping[Level, int] = field(default_factory=dict)


_MANY, _SOME, _FEW, _LONG = 140, 40, 24, 6
"""How many examples are standard: of games, of pairs, of those with many events each, of long games."""
_FACTOR = 20  # from one level to the next


def _examples(standard: int) -> dict[Level, int]:
    """How many examples of each level, from how many are standard."""
    return {"smoke": max(1, standard // _FACTOR), "standard": standard, "exhaustive": standard * _FACTOR}


_PROBED = 6  # one in so many states is probed


# ---------------------------------------------------------------------- how examples are drawn


def _one(request: Request) -> Example:
    return Example((request,))


def _whole_games(rules: Rules) -> SearchStrategy[Example]:
    return drawn.games(rules, most_hands=2).map(request_of).map(_one)


def _long_games(rules: Rules) -> SearchStrategy[Example]:
    return drawn.games(rules, most_hands=2 * _LONG, least_hands=_LONG, near=False, sober=True).map(request_of).map(_one)


def _one_illegal_event(rules: Rules) -> SearchStrategy[Example]:
    return drawn.almost_legal_games(rules).map(lambda found: _one(found.request))


@drawn.composite
def _every_near_legal_event(draw: DrawFn, rules: Rules) -> Example:
    """Before one event of a hand, everything that is nearly legal there, or was legal before."""
    game = draw(drawn.hands(rules))
    at = draw(drawn.tapes()).below(len(game.hands[0]))
    *earlier, state = list(drawn.states(game, 0))[: at + 1]
    hand = hand_of(rules, game.hands[0])
    wrong = near_legal(state, earlier)
    return _one(request_of(game, [Hand(hand.deck, (*hand.events[:at], *wrong, *hand.events[at:]))]))


@drawn.composite
def _hands_too_many(draw: DrawFn, rules: Rules) -> Example:
    """A hand that is not played to its end, or after which somebody has won, and two hands after it."""
    game = draw(drawn.games(rules, most_hands=2))
    asked = [hand_of(rules, events) for events in game.hands]
    if deals(game.after[-1]):
        cut = draw(drawn.tapes()).below(max(1, len(asked[-1].events)))
        asked[-1] = Hand(asked[-1].deck, asked[-1].events[:cut])
    return _one(request_of(game, [*asked, *asked[:1] * 2]))


@drawn.composite
def _repeated_hand(draw: DrawFn, rules: Rules) -> Example:
    """A game, and its last hand alone, from the totals and with the dealer that it has in the game."""
    game = draw(drawn.games(rules, most_hands=2, least_hands=2))
    before = ([game.before, *game.after])[len(game.hands) - 1]
    totals: list[int] = observed(before, TOTALS)  # type: ignore[assignment]
    alone = play_request(rules, before.known("next_dealer"), [hand_of(rules, game.hands[-1])], totals)
    return Example((request_of(game), alone), None, len(game.hands) - 1)


@drawn.composite
def _with_probes(draw: DrawFn, game: Game) -> Request:
    """A game with something that is not legal tried here and there."""
    asked = []
    for at, events in enumerate(game.hands):
        tape, found = draw(drawn.tapes()), []
        hand = hand_of(game.before.rules, events)
        for state, event in zip(drawn.states(game, at), [*hand.events, None], strict=True):
            if tape.below(_PROBED) == 1 and legal(state):
                wrong = near_legal(state)
                found.append(wrong[tape.below(len(wrong))])
            if event is not None:
                found.append(event)
        asked.append(Hand(hand.deck, tuple(found)))
    return request_of(game, asked)


@drawn.composite
def _rotated_seats(draw: DrawFn, rules: Rules) -> Example:
    request = draw(_with_probes(draw(drawn.games(rules, most_hands=2))))
    turned = draw(st.sampled_from(rotations(rules)))
    return Example((request, turned.request(request)), turned)


def _exchanged_suits(rules: Rules) -> SearchStrategy[Example] | None:
    found = exchanges(rules)
    return st.sampled_from(found).flatmap(lambda one: _exchanged(rules, one)) if found else None


@drawn.composite
def _exchanged(draw: DrawFn, rules: Rules, exchanged: Symmetry) -> Example:
    """A hand, and the same with two suits exchanged, where the card turned up allows it."""
    codes = [card.code for card in rules.pack.values]
    up = [code for code in codes if exchanged.admits(code)]
    request = draw(_with_probes(draw(drawn.hands(rules, up=up))))
    return Example((request, exchanged.request(request)), exchanged)


# ---------------------------------------------------------------------- the properties

PROPERTIES: tuple[Property, ...] = (
    Property(
        "whole-games",
        ALL,
        "Whole hands, with what is rare made likely, go as the rules say from the deal to the totals.",
        _whole_games,
        _examples(_MANY),
    ),
    Property(
        "long-games",
        ALL,
        "In a long game the deal goes round, totals add up, and nothing is left over from the hand before.",
        _long_games,
        _examples(_LONG),
    ),
    Property(
        "one-illegal-event",
        ALL,
        "One event that is not legal, anywhere in a game, is refused, and the game goes on as if it had not been.",
        _one_illegal_event,
        _examples(_MANY),
    ),
    Property(
        "every-near-legal-event",
        ALL,
        "At any moment everything is refused that differs in one thing from what is legal, and leaves no trace.",
        _every_near_legal_event,
        _examples(_FEW),
    ),
    Property(
        "hands-too-many",
        ALL,
        "No hand is dealt while another is being played, nor when somebody has won.",
        _hands_too_many,
        _examples(_SOME),
    ),
    Property(
        "repeated-hand",
        ALL,
        "A hand goes the same, whatever hands were played before it.",
        _repeated_hand,
        _examples(_SOME),
    ),
    Property(
        "rotated-seats",
        ALL,
        "When everybody moves on by some places, the game goes the same.",
        _rotated_seats,
        _examples(_SOME),
    ),
    Property(
        "exchanged-suits",
        ALL,
        "When two suits that the rules do not know apart change places in all cards, the hand goes the same.",
        _exchanged_suits,
        _examples(_SOME),
    ),
)
"""All properties, in the order in which they are asked."""


# ---------------------------------------------------------------------- as a source of the suite


@dataclass(frozen=True)
class Searchable:
    """A property by some rules, ready to be searched; see `buckspec_conformance.suite.Property`."""

    searched: Property
    rules: Rules = field(repr=False)
    tags: tuple[str, ...] = ("property",)

    @property
    def id(self) -> str:
        """The same for ever."""
        return case_id(self.searched)

    @property
    def clauses(self) -> tuple[str, ...]:
        """The clauses that it is about."""
        return about(self.searched, self.rules)

    @property
    def why(self) -> str:
        """What holds, in a sentence."""
        return self.searched.why

    def search(self, ask: Callable[[Case], Result], seed: int, tries: int) -> Result | None:
        """The smallest case that does not pass, as it was judged; None if none was found.

        A hundred tries are what is standard; other numbers are in proportion. Raises whatever `ask` raises.
        """
        from buckspec_conformance.search import search

        examples = max(1, self.searched.examples["standard"] * tries // _PERCENT)
        return search(self.searched, self.rules, ask, seed, examples).failing


_PERCENT = 100


def properties(rules: Rules | None = None) -> tuple[Searchable, ...]:
    """All properties that say something by these rules, or by those of the first shipped profile."""
    known = rules or load_profile(profile_names()[0])
    return tuple(Searchable(one, known) for one in PROPERTIES if one.strategy(known) is not None)


def case_id(searched: Property) -> str:
    """The id of the cases of a property."""
    return f"property/{searched.id}"


def about(searched: Property, rules: Rules) -> tuple[str, ...]:
    """The clauses that a property is about; for one about all, those in force that can be seen in play."""
    if searched.clauses != ALL:
        return searched.clauses
    found = [case.clause.id for definition in rules.definitions.values() for case in definition.alternatives]
    for event in rules.events.values():
        found += [requirement.clause.id for requirement in event.requires]
        found += [effect.clause.id for effect in event.effects]
    return tuple(dict.fromkeys(found))
