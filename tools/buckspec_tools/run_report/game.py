"""A game in which an engine was wrong: how it went, in words and cards, what had to be and what the engine said."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from buckspec.evaluate import RuleError
from buckspec.formats.wording import harmless
from buckspec.observe import observed
from buckspec.rules import Rules
from buckspec.words import words_of
from buckspec_conformance.compare import ACCEPTED, LEGAL
from buckspec_conformance.oracle import Expectation, expected
from buckspec_conformance.stream import BROKEN, CaseRecord, Found
from buckspec_tools.report.columns import indented, labelled, wrapped
from buckspec_tools.report.trumps import trumps
from buckspec_tools.run_report.view import View

_UPCARD = "upcard"
_HERE = {False: "←", True: "<-"}
_LINE_END = re.compile(r"\n|\\n")  # a message of an engine has been made harmless: its line ends are written out
_STACK = 4
"""How many lines are shown of where an exception came from."""
_LONG = 400
"""How many signs of a value are shown that has no other form."""


@dataclass(frozen=True)
class Shown:
    """A failure in words: the game so far, and pairs of a label and a text, such as what was expected."""

    game: tuple[str, ...] = ()
    points: tuple[tuple[str, str], ...] = ()
    more: tuple[str, ...] = field(default=())

    @property
    def lines(self) -> list[str]:
        """All of it, one below the other."""
        return [*self.game, *labelled(self.points), *indented(self.more)]


def shown(view: View, case: CaseRecord) -> Shown:
    """A failed case in words, and how it is known to fail, if that is otherwise."""
    told = _shown(view, case)
    if case.because is None or case.was is not None or case.outcome not in BROKEN:
        return told
    return replace(told, points=(*told.points, ("known", harmless(case.because))))


def _shown(view: View, case: CaseRecord) -> Shown:
    found = case.found
    if found is None:
        return Shown()
    about = _about(view, found)
    if about is None or found.hand is None or found.step is None:
        asked = tuple(about.whole()) if about is not None else ()
        return Shown(asked, tuple(_plainly(case, found)), (*_stack(found), *_detail(found)))
    game = tuple(about.lines())
    if found.field is None:
        points = [("the rules", case.why), ("the engine", found.message), *about.told(found.actual)]
        return Shown(game, tuple(points))
    return Shown(game, tuple(about.points()), _detail(found))


def log_of(view: View, case: CaseRecord) -> dict[str, Any] | None:
    """The game of a failed case as a log, up to the event in question; None if it was none that a log can tell.

    Events that the rules refuse are left out, but for the last one.
    """
    about = _about(view, case.found) if case.found else None
    if about is None:
        return None
    request = about.request
    hello = view.run.header.hello or {}
    log: dict[str, Any] = {"format": "buckspec-log/1", "profile": request["profile"]}
    readings = {**hello.get("readings", {}), **request.get("readings", {})}
    log |= {key: held for key, held in (("parameters", request.get("parameters")), ("readings", readings)) if held}
    log |= {"spec": view.run.header.spec, "id": harmless(case.id)}
    if request.get("start"):
        log["start"] = request["start"]
    log["hands"] = [_logged(hand, steps) for hand, steps in zip(request["hands"], about.hands, strict=True)]
    return log


def _logged(hand: Mapping[str, Any], steps: Sequence[Expectation]) -> dict[str, Any]:
    asked = steps[1:]
    kept = [step.logged for step in asked if step.accepted or step is asked[-1]]
    first = {key: hand[key] for key in ("dealer", "deck") if key in hand}
    return {**first, "events": kept}


def _about(view: View, found: Found) -> "_Game | None":
    """The game that was asked for; None if it was none, or this rule book cannot play it."""
    request = found.request
    rules = view.rules_for(request) if request and "hands" in request else None
    if rules is None or request is None:
        return None
    try:
        return _Game(view, found, rules, request, expected(rules, request))
    except (RuleError, LookupError, TypeError, ValueError):
        return None


def _plainly(case: CaseRecord, found: Found) -> Iterator[tuple[str, str]]:
    """What is told of a failure without a game."""
    first, *more = _LINE_END.split(found.message)
    yield case.outcome, harmless(first)
    if found.received and not more:  # else the message is what was received
        yield "received", harmless(found.received)
    if found.asked_again:
        yield "asked again", harmless(found.asked_again)


def _stack(found: Found) -> tuple[str, ...]:
    """What follows the first line of a message: where an exception came from."""
    return tuple(harmless(line.strip()) for line in _LINE_END.split(found.message)[1 : _STACK + 1])


def _detail(found: Found) -> tuple[str, ...]:
    return tuple(harmless(line) for line in found.detail.splitlines())


class _Game:
    """A game as it was asked, and what the rules say of each of its steps."""

    def __init__(
        self,
        view: View,
        found: Found,
        rules: Rules,
        request: Mapping[str, Any],
        hands: Sequence[Sequence[Expectation]],
    ) -> None:
        self.view, self.found, self.rules, self.request, self.hands = view, found, rules, request, hands
        self.say, self.values = view.say, view.values(rules)

    # ------------------------------------------------------------------ the game so far

    def lines(self) -> Iterator[str]:
        """The hand in which it happened: the cards, and everything that was tried."""
        number = self.found.hand or 0
        steps = self.hands[number][: (self.found.step or 0) + 1]
        yield from self._choices()
        yield from self._deal(steps[0], number)
        width = len(str(len(steps)))
        for place, step in enumerate(steps[1:], 1):
            refused = "" if step.accepted or place == self.found.step else "   (refused)"
            here = f"   {_HERE[self.view.plain]} here" if place == self.found.step else ""
            yield f"{place:>{width}}  {self.done([step.logged or {}])}{refused}{here}"
        made = trumps(steps[-1].state, self.values) if steps[0].accepted else None
        if made is not None:
            yield f"{self.say.report('trumps')}: {made}"

    def whole(self) -> Iterator[str]:
        """All hands that were asked, where it is not known in which event it happened."""
        yield from self._choices()
        for number, (deal, *steps) in enumerate(self.hands):
            yield from self._deal(deal, number)
            told = [self.done([step.logged or {}]) + ("" if step.accepted else " (refused)") for step in steps]
            yield from wrapped("; ".join(told)) if told else ()

    def _choices(self) -> Iterator[str]:
        chosen = {**self.request.get("parameters", {}), **self.request.get("readings", {})}
        if chosen:
            yield "asked for: " + ", ".join(f"{name} = {value}" for name, value in chosen.items())

    def _deal(self, deal: Expectation, number: int) -> Iterator[str]:
        report, state = self.say.report, deal.state
        many = f"/{len(self.hands)}" if len(self.hands) > 1 else ""
        totals = ", ".join(map(str, _listed(observed(deal.before, "totals"))))
        head = [f"{report('dealer')}: {self.values.named('dealer', observed(state, 'dealer'))}"]
        if deal.accepted and _UPCARD in self.rules.book.variables:
            upcard = self.rules.book.variables[_UPCARD]
            card = self.values.named(_UPCARD, self.rules.code(upcard.type, state.known(_UPCARD)))
            head.append(f"{report('up-card')}: {card}")
        head.append(f"{report('totals')}: {totals}")
        yield f"{report('hand')} {number + 1}{many}: {'; '.join(head)}"
        if deal.accepted:
            held = enumerate(_listed(observed(state, "hands")))
            shown = [(self.values.player(seat), self.values.cards(map(str, cards))) for seat, cards in held]
            yield from labelled(shown)

    def done(self, events: Sequence[Mapping[str, object]]) -> str:
        """What one player does, and with which cards: events that differ in what they are about only."""
        first, words = events[0], words_of(self.rules)
        seat, do = int(str(first.get("seat"))), str(first.get("do"))
        names = [name for name in ("card", "suit") if first.get(name)]
        about = {name: [str(event[name]) for event in events if name in event] for name in names}
        card, suit = (about[name][0] if name in about else None for name in ("card", "suit"))
        event = words.events.get((seat, do, card, suit))
        told = {name: self._either([self.values.named(name, code) for code in codes]) for name, codes in about.items()}
        return self.say.event(event.id if event else do, {"player": self.values.player(seat), **told})

    def _either(self, words: Sequence[str]) -> str:
        *most, last = words
        return f"{', '.join(most)} {self.say.report('or')} {last}" if most else last

    # ------------------------------------------------------------------ what is wrong

    def points(self) -> Iterator[tuple[str, str]]:
        """What the rules say and what the engine says, in the field that differs."""
        found, step = self.found, self.hands[self.found.hand or 0][self.found.step or 0]
        if found.field == ACCEPTED:
            yield "expected", self._verdict(step)
            yield "the engine", self._accepted(found.actual)
        elif found.field == LEGAL:
            yield from self._legal()
        elif found.field == "error":
            yield "crashed", harmless(str(found.actual))
        elif found.field == "clause":
            yield "expected", "refused for " + f" {self.say.report('or')} ".join(map(str, _listed(found.expected)))
            yield "the engine", f"refused for {harmless(str(found.actual))}"
        else:
            yield from self._values(str(found.field))
        if found.reason:
            yield "its reason", harmless(found.reason)
        if found.asked_again and found.asked_again != "the same":
            yield "asked again", harmless(found.asked_again)

    def _verdict(self, step: Expectation) -> str:
        if step.accepted:
            return "accepted"
        broken = [f"{one.clause.id}: {self.view.sentence(one.clause.id, self.rules)}" for one in step.violations]
        return "refused, " + ("; ".join(broken) or "as nobody can do this at that time")

    @staticmethod
    def _accepted(actual: object) -> str:
        if actual is None:
            return "did not say whether it accepts it"
        return "accepted it" if actual else "refused it"

    def _legal(self) -> Iterator[tuple[str, str]]:
        wanted, told = (_events(listed) for listed in (self.found.expected, self.found.actual))
        missing = [event for event in wanted if event not in told]
        added = [event for event in told if event not in wanted]
        yield "expected", f"{LEGAL}: " + ("; ".join(self._grouped(wanted)) or self.say.report("nothing"))
        if missing:
            yield "the engine", "does not list as legal: " + "; ".join(self._grouped(missing))
        if added:
            yield "" if missing else "the engine", "lists as legal: " + "; ".join(self._grouped(added))

    def _grouped(self, events: Sequence[Mapping[str, object]]) -> list[str]:
        groups: dict[tuple[object, object], list[Mapping[str, object]]] = {}
        for event in events:
            groups.setdefault((event.get("seat"), event.get("do")), []).append(event)
        return [self.done(group) for group in groups.values()]

    def _values(self, name: str) -> Iterator[tuple[str, str]]:
        observation = self.rules.book.observations.get(name)
        by_seat = observation is not None and observation.domain is not None
        for label, value in (("expected", self.found.expected), ("the engine", self.found.actual)):
            if by_seat and isinstance(value, list):
                other = self.found.actual if label == "expected" else self.found.expected
                yield label, f"{name}: " + self._by_seat(name, value, _listed(other))
            else:
                yield label, f"{name}: {self._one(name, value)}"

    def told(self, step: object) -> Iterator[tuple[str, str]]:
        """The state that the engine reports."""
        for name, value in step.items() if isinstance(step, Mapping) else ():
            observation = self.rules.book.observations.get(name)
            if observation is None:
                continue
            if observation.domain is not None and isinstance(value, list):
                seats = ((self.values.player(seat), self._one(name, one)) for seat, one in enumerate(value))
                yield f"  {name}", "; ".join(f"{player}: {one}" for player, one in seats)
            else:
                yield f"  {name}", self._one(name, value)

    def _by_seat(self, name: str, value: Sequence[object], other: Sequence[object]) -> str:
        """The seats at which two lists differ."""
        differing = [seat for seat, held in enumerate(value) if seat >= len(other) or other[seat] != held]
        return "; ".join(f"{self.values.player(seat)}: {self._one(name, value[seat])}" for seat in differing)

    def _one(self, name: str, value: object) -> str:
        observation = self.rules.book.observations.get(name)
        domain = self.rules.book.domains.get(observation.type.base) if observation else None
        if name == "turn":
            domain = self.rules.seats
        try:
            return self.values.of(domain, value)
        except (LookupError, TypeError, ValueError):
            return harmless(str(value))[:_LONG]


def _events(value: object) -> list[Mapping[str, object]]:
    return [event for event in _listed(value) if isinstance(event, Mapping)]


def _listed(value: object) -> list[Any]:
    return list(value) if isinstance(value, list | tuple) else []
