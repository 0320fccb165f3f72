"""The words of a game log under a rule book, and the events and cards that they stand for."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any, TypeAlias

from buckspec.formats import game_log
from buckspec.formats.outside import UNKNOWN
from buckspec.formats.vocabulary import Vocabulary
from buckspec.rulebook import EventRule, RuleBook
from buckspec.rules import Rules
from buckspec.state import Event
from buckspec.types import Domain, Value

_SEAT, _DO, *_ABOUT = game_log.Event.__struct_fields__
Key: TypeAlias = tuple[int, str, str | None, str | None]
"""An event as a log has it: seat, word, card, suit."""


@dataclass(frozen=True, eq=False)
class Words:
    """What the words of a log mean under one rule book, whatever readings are chosen.

    `cards` gives the index of a card by its code, `codes` its code by its index; `events` an event by its log form.
    An event that no chosen reading allows has its word all the same: to say it is illegal, not unreadable.
    """

    book: RuleBook
    vocabulary: Vocabulary
    cards: Mapping[str, int]
    codes: tuple[str, ...]
    events: Mapping[Key, Event]

    def event(self, logged: game_log.Event) -> Event | None:
        """The event that a log tells; None where its card is not known. Raises KeyError outside the vocabulary."""
        if logged.card is not None and UNKNOWN in logged.card:
            return None
        return self.events[logged.seat, logged.do, logged.card, logged.suit]


_KNOWN: dict[int, Words] = {}  # by the identity of the rule book, which its Words keep alive


def words_of(rules: Rules) -> Words:
    """The words of the rule book behind these rules; made once for each rule book."""
    known = _KNOWN.get(id(rules.book))
    if known is None:
        known = _KNOWN[id(rules.book)] = _made(rules)
    return known


def to_log(rules: Rules, event: Event) -> dict[str, object]:
    """An event as a log writes it, such as {"seat": 1, "do": "play", "card": "AC"}."""
    rule = rules.book.events[event.id]
    taken = zip(rule.takes, event.about, strict=True)
    return {_SEAT: event.seat, **_fixed(rule), **{one.name: rules.code(one.type, value) for one, value in taken}}


def from_log(rules: Rules, logged: Mapping[str, object]) -> Event:
    """The event that a log writes so; a card may be spelt in any way that is read.

    Raises ValueError for what is no event of these rules, or one that is not known in full.
    """
    words = words_of(rules)
    spellings = words.vocabulary.spellings
    spelt = {name: spellings.get(value, value) if isinstance(value, str) else value for name, value in logged.items()}
    key: Any = tuple(spelt.get(name) for name in (_SEAT, _DO, *_ABOUT))
    is_one = all(isinstance(value, str | int | None) and not isinstance(value, bool) for value in spelt.values())
    event = words.events.get(key) if is_one else None
    if event is None or to_log(rules, event) != spelt:
        raise ValueError(f"no event of these rules: {dict(logged)}")
    return event


def _made(rules: Rules) -> Words:
    book, pack = rules.book, rules.pack
    acts = [rule for rule in book.events.values() if rule.by is not None]
    said = [rule for rule in acts if all(taken.name in _ABOUT for taken in rule.takes)]
    allowed: dict[str, dict[str, tuple[str, ...]]] = {}
    events: dict[Key, Event] = {}
    for rule in said:
        names = allowed.setdefault(_fixed(rule)[_DO], {})
        for form, about in _forms(rule, book):
            for name in _ABOUT:
                if name in form and form[name] not in names.get(name, ()):
                    names[name] = (*names.get(name, ()), form[name])
            for seat in range(rules.seats.size):
                key = (seat, form[_DO], *(form.get(name) for name in _ABOUT))
                events[key] = Event(rule.id, seat, about)  # type: ignore[index]
    codes = tuple(card.code for card in pack.values)
    vocabulary = Vocabulary(rules.seats.size, codes, allowed, dict(_spellings(pack, book)))
    return Words(book, vocabulary, pack.by_code, codes, events)


def _fixed(rule: EventRule) -> dict[str, str]:
    """The part of an event's log form that is always the same."""
    return dict(rule.logged) if rule.logged else {_DO: rule.id}


def _forms(rule: EventRule, book: RuleBook) -> Iterator[tuple[dict[str, str], tuple[int, ...]]]:
    """Every log form of an event, without the seat, and what the event is then about."""
    domains = {taken.name: book.domains[taken.type.base] for taken in rule.takes}
    for about in product(*(range(domain.size) for domain in domains.values())):
        taken = zip(domains.items(), about, strict=True)
        yield {**_fixed(rule), **{name: domain.values[index].code for (name, domain), index in taken}}, about


def _spellings(pack: Domain, book: RuleBook) -> Iterator[tuple[str, str]]:
    """Other ways to write a card: each part by its code, its sign or what is read for it, in either case."""
    known = {card.code for card in pack.values}
    domains = {domain.parameter: domain for domain in book.domains.values()}
    found: dict[str, set[str]] = {}
    for card in pack.values:
        for written, code in _written(card, domains):
            if written not in known:
                found.setdefault(written, set()).add(code)
    return ((written, codes.pop()) for written, codes in found.items() if len(codes) == 1)


def _written(card: Value, domains: Mapping[str, Domain]) -> Iterator[tuple[str, str]]:
    """Every way to write a card, whole or known in part, and the code that it stands for."""
    parts = [domains[name].values[domains[name].index[value]] for name, value in card.attributes.items()]
    options = [[*((form, part.code) for form in _written_part(part)), (UNKNOWN, UNKNOWN)] for part in parts]
    for chosen in product(*options):
        written, code = ("".join(side) for side in zip(*chosen, strict=True))
        if written != code:
            yield written, code
    if not parts:
        yield from ((form, card.code) for form in _written_part(card))


def _written_part(part: Value) -> set[str]:
    forms = {part.code, *part.reads, *([part.symbol] if part.symbol else [])}
    return {cased for form in forms for cased in (form, form.lower(), form.upper())}
