"""How cards and other values of a log are shown to people."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from buckspec.formats.wording import harmless
from buckspec.rules import Rules
from buckspec.sentences import Sentences
from buckspec.types import Domain, Value


@dataclass(frozen=True)
class Values:
    """The values of a log, shown in one language: `10♥`, or `TH` as the log has it where the output is `plain`."""

    rules: Rules
    say: Sentences
    players: tuple[str, ...] = ()
    plain: bool = False

    def player(self, seat: int | None) -> str:
        """The name of a player, with all signs escaped that a terminal would obey; the seat, where there is none."""
        if seat is None:
            return self.say.report("nobody")
        return self._names[seat]

    @cached_property
    def _names(self) -> tuple[str, ...]:
        given = [harmless(name).strip() for name in self.players]
        names = []
        for seat in range(self.rules.seats.size):
            name = given[seat] if seat < len(given) else ""
            # the same name twice, or none, would leave open who is meant
            names.append(name if name and given.count(name) == 1 else f"{name} {self.seat(seat)}".strip())
        return tuple(names)

    def seat(self, seat: int) -> str:
        """A place at the table."""
        return self.say.report("seat", seat=str(seat))

    def player_at(self, seat: int) -> str:
        """A player by name and place."""
        name, place = self.player(seat), self.seat(seat)
        return name if place in name else f"{name} ({place})"

    def card(self, code: str) -> str:
        """A card, or what is known of one, by its code."""
        index = self.rules.pack.by_code.get(code)
        if index is None or self.plain:
            return harmless(code)
        return self.say.sign(self.rules.pack.values[index], self.rules.book.domains)

    def cards(self, codes: Iterable[str]) -> str:
        """Several cards as a player sorts a hand: by suit, the highest first."""
        return " ".join(self.card(code) for code in sorted(codes, key=self._place))

    def _place(self, code: str) -> tuple[int, ...]:
        pack = self.rules.pack
        index = pack.by_code.get(code)
        if index is None:
            return (pack.size,)
        # the last attribute of a card says what it belongs to; of those, the last of the pack is the highest
        kinds = list(dict.fromkeys(_last(value) for value in pack.values))
        return (kinds.index(_last(pack.values[index])), -index)

    def of(self, domain: Domain | None, value: object) -> str:
        """Any value as a log has it; `domain` is what it is a member of, if it is of any."""
        if isinstance(value, list | tuple):
            if domain is self.rules.pack:
                return self.cards(map(str, value)) or self._nothing(domain)
            return ", ".join(self.of(domain, member) for member in value) or self._nothing(domain)
        if value is None:
            return self._nothing(domain)
        if isinstance(value, bool):
            return self.say.report("yes" if value else "no")
        if domain is None:
            return self.number(value) if isinstance(value, int) else harmless(str(value))
        if domain.circular and isinstance(value, int):
            return self.player(value)
        return self.member(domain, str(value))

    @property
    def minus(self) -> str:
        """The sign before a number below zero."""
        return "-" if self.plain else "−"

    def number(self, number: int, *, signed: bool = False) -> str:
        """A number; with `signed`, one above zero has its sign too."""
        sign = self.minus if number < 0 else "+" if signed and number else ""
        return f"{sign}{abs(number)}"

    def _nothing(self, domain: Domain | None) -> str:
        return self.say.report("nobody" if domain is not None and domain.circular else "nothing")

    def member(self, domain: Domain, code: str) -> str:
        """A member of a domain by its code: its sign, or its name where it has none."""
        if domain is self.rules.pack or code not in domain.by_code:
            return self.card(code)
        value = domain.values[domain.by_code[code]]
        return value.symbol if value.symbol and not self.plain else self.say.value(domain.name, value.name)

    def named(self, name: str, value: object) -> str:
        """The value of what the rules call by this name, such as `led` or `hand(1)`; a path in a log ends in one."""
        return self.of(self._domain(name.partition("(")[0].rpartition(".")[2]), value)

    def _domain(self, name: str) -> Domain | None:
        book = self.rules.book
        held = book.definitions.get(name) or book.variables.get(name)
        if held is not None:
            return book.domains.get(held.type.base)
        if name == "actor":
            return self.rules.seats
        return next((domain for domain in book.domains.values() if domain.parameter == name), None)


def _last(value: Value) -> str:
    return ["", *value.attributes.values()][-1]


def signs(rules: Rules) -> str:
    """Every sign with which cards are written."""
    return "".join(value.symbol or "" for value in rules.pack.values)
