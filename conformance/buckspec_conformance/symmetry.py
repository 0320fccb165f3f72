"""What the rules may not depend on: which seat is which and, where they name no suit, which suit is which.

A permutation of the values of some domains maps requests and everything that is answered to them. Nothing here
knows the game: which suits can be exchanged is read from the rules, from the attribute that two suits share and from
the clauses that name one of them.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import Any, TypeAlias

from buckspec import typed as t
from buckspec.depend import Dependencies
from buckspec.rules import Rules
from buckspec.types import Domain, Type
from buckspec_conformance.compare import LEGAL
from buckspec_conformance.requesting import DEALER, EVENTS, HANDS, START, TOTALS, Request, hands_of

Maps: TypeAlias = Mapping[str, tuple[int, ...]]
"""For each domain that is permuted, what becomes of each of its values."""

_SEAT = "seat"
_ALSO = "also"


@dataclass(frozen=True)
class Symmetry:
    """A permutation with which play commutes: `maps` by domain, `why` in words.

    `kept` are the values of suits that the card turned up may not have, before or after, for it to commute.
    """

    id: str
    why: str
    rules: Rules
    maps: Maps
    kept: frozenset[int] = frozenset()

    def applies(self, request: Request) -> bool:
        """Whether play commutes for this request: no card turned up is of a suit that the rules name."""
        return not self.kept or all(self.admits(hand["upcard"]) for hand in hands_of(request))

    def admits(self, turned: str) -> bool:
        """Whether play commutes in a hand in which that card is turned up."""
        suits, card = _suits(self.rules), self.rules.pack.values[self.rules.pack.by_code[turned]]
        return suits.index[(card.attributes or {})[suits.parameter]] not in self.kept

    def request(self, request: Request) -> Request:
        """The permuted request."""
        found = dict(request)
        if START in request:
            found[START] = {TOTALS: self._by_seat(request[START][TOTALS])}  # type: ignore[index]
        found[HANDS] = [self._hand(hand) for hand in hands_of(request)]
        return found

    def _hand(self, hand: Mapping[str, Any]) -> dict[str, object]:
        found: dict[str, object] = dict(hand)
        if DEALER in hand:
            found[DEALER] = self.one(Type(self.rules.seats.name), hand[DEALER])
        found["deck"] = [self.card(card) for card in hand["deck"]]
        if "dealt" in hand:
            found["dealt"] = self._by_seat([[self.card(card) for card in held] for held in hand["dealt"]])
            found["upcard"] = self.card(hand["upcard"])
        found[EVENTS] = [self.event(event) for event in hand[EVENTS]]
        return found

    def card(self, code: str) -> str:
        """The permuted card."""
        return str(self.one(Type(self.rules.pack.name), code))

    def event(self, event: Mapping[str, object]) -> dict[str, object]:
        """The permuted event of a log. What is no value of a domain stays as it is."""
        domains = {domain.parameter: domain for domain in self.rules.book.domains.values()}
        return {
            name: self.one(Type(domains[name].name), value) if name in domains else value
            for name, value in event.items()
        }

    def one(self, kind: Type, value: object) -> object:
        """A permuted value of that type, as a log writes it."""
        domain, moved = self.rules.book.domains.get(kind.base), self.maps.get(kind.base)
        if domain is None or moved is None or value is None:
            return value
        if domain.circular:
            return moved[value] if isinstance(value, int) and 0 <= value < len(moved) else value
        known = domain.by_code.get(str(value))
        return value if known is None else domain.values[moved[known]].code

    def field(self, name: str, value: Any) -> Any:
        """The permuted value of a field of a step, such as `totals` or `legal`; None stays None."""
        if value is None:
            return None
        if name in (LEGAL, _ALSO):
            return [self.event(event) for event in value]
        observation = self.rules.book.observations.get(name)
        if observation is None:
            return self.one(Type(self.rules.seats.name), value)
        if observation.at is not None:
            return [self.one(observation.type, one) for one in value]
        if observation.domain is None:
            return self._held(observation.type, value)
        held = [self._held(observation.type, one) for one in value]
        return self._by_seat(held) if observation.domain == self.rules.seats.name else held

    def _held(self, kind: Type, value: Any) -> object:
        return [self.one(kind, one) for one in value] if kind.many else self.one(kind, value)

    def _by_seat(self, values: Sequence[Any]) -> list[Any]:
        moved = self.maps.get(self.rules.seats.name)
        if moved is None:
            return list(values)
        return [values[moved.index(seat)] for seat in range(len(values))]


@cache
def identity(rules: Rules) -> Symmetry:
    """What moves nothing."""
    return Symmetry("same", "It is the same.", rules, {})


def rotation(rules: Rules, steps: int) -> Symmetry:
    """All seats moved clockwise by so many places."""
    size = rules.seats.size
    moved = {rules.seats.name: tuple((seat + steps) % size for seat in range(size))}
    return Symmetry(f"rotated-{steps}", "The rules do not know the seats apart.", rules, moved)


def rotations(rules: Rules) -> tuple[Symmetry, ...]:
    """Every rotation of the seats but the one that moves nobody."""
    return tuple(rotation(rules, steps) for steps in range(1, rules.seats.size))


def exchange(rules: Rules, one: str, other: str, kept: frozenset[int] = frozenset()) -> Symmetry:
    """Two suits, given by name, exchanged in every card. Whether play commutes with it, `exchanges` says."""
    suits = _suits(rules)
    order = list(range(suits.size))
    order[suits.index[one]], order[suits.index[other]] = suits.index[other], suits.index[one]
    cards = _of_attributes(rules.pack, suits, order)
    why = f"The rules do not know {one} and {other} apart" + (", unless one of them is turned up." if kept else ".")
    return Symmetry(f"{one}-and-{other}", why, rules, {suits.name: tuple(order), rules.pack.name: cards}, kept)


@cache
def exchanges(rules: Rules) -> tuple[Symmetry, ...]:
    """The exchanges of two suits with which play commutes under these rules.

    The suits of a pair agree in all their attributes, and no rule names them; or all that names one asks of nothing
    but the card turned up, and then play commutes where that is of neither suit.
    """
    suits = _suits(rules)
    found = []
    for one, other in combinations(range(suits.size), 2):
        first, second = suits.values[one], suits.values[other]
        if not first.attributes or first.attributes != second.attributes:
            continue
        naming = {name for value in (one, other) for name in _asked_by_name(rules, suits, value)}
        if not naming:
            found.append(exchange(rules, first.name, second.name))
        elif naming <= _turned(rules):
            found.append(exchange(rules, first.name, second.name, frozenset({one, other})))
    return tuple(found)


def _suits(rules: Rules) -> Domain:
    """The domain that is an attribute of what is dealt and has attributes of its own."""
    attributes = {name for card in rules.pack.values for name in card.attributes or {}}
    domains = rules.book.domains.values()
    return next(domain for domain in domains if domain.parameter in attributes and domain.values[0].attributes)


def _of_attributes(pack: Domain, suits: Domain, order: Sequence[int]) -> tuple[int, ...]:
    """What becomes of each card when its suit becomes another."""
    known = {frozenset((card.attributes or {}).items()): place for place, card in enumerate(pack.values)}
    moved = []
    for place, card in enumerate(pack.values):
        attributes = dict(card.attributes or {})
        if suits.parameter in attributes:
            attributes[suits.parameter] = suits.values[order[suits.index[attributes[suits.parameter]]]].name
        moved.append(known.get(frozenset(attributes.items()), place))
    return tuple(moved)


def _turned(rules: Rules) -> frozenset[str]:
    """The variables that hold one card of the deal, face up."""
    rule = next(rule for rule in rules.events.values() if rule.by_chance)
    steps = [step.variable for effect in rule.effects for step in effect.deals]
    variables = [rules.book.variables[name] for name in steps]
    return frozenset(one.name for one in variables if one.domain is None and not one.type.many)


def _asked_by_name(rules: Rules, suits: Domain, value: int) -> Iterator[str]:
    """The variables of which something is asked with the name of this value in it."""
    depend = Dependencies(rules)
    for term in _terms(rules):
        if _names(term, suits, value):
            yield suits.name  # the value of a clause: whatever is made of it can depend on the suit
        for node in t.walk(term):
            if not any(_names(part, suits, value) for part in t.parts(node)):
                continue
            yield from depend.reads(node) or {suits.name}


def _names(term: t.Term, suits: Domain, value: int) -> bool:
    return isinstance(term, t.Const) and term.type.base == suits.name and not term.type.many and term.value == value


def _terms(rules: Rules) -> Iterator[t.Term]:
    """Every expression that is in force."""
    for definition in rules.definitions.values():
        yield from definition.terms()
    for event in rules.events.values():
        yield from event.terms()
