"""What an engine can be asked, by what it said of itself: the rules by which a case is judged, and the request.

The readings that an engine declares are the rules by which it is judged, and `choices` are what else it can be asked
for. What it does not offer is not asked.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from buckspec.interpret import happen
from buckspec.load import load_profile
from buckspec.problem import SpecError
from buckspec.replay import deal_of, opening
from buckspec.rules import Rules
from buckspec.sources import profile_names
from buckspec.state import Event, State
from buckspec.types import members
from buckspec.words import words_of
from buckspec_conformance import unlisted
from buckspec_conformance.case import Case
from buckspec_conformance.forms import ProtocolError
from buckspec_conformance.messages import HelloResponse
from buckspec_conformance.oracle import expected
from buckspec_conformance.protocol import Prepared, prepare

_NO_DEAL = "the engine says that it does not deal (deals: false)"


@dataclass(frozen=True)
class Plan:
    """A case as this engine is asked it. `case` has the request as it is sent, and only clauses that are in force.

    `is_claimed` says that hello promises an answer: the profile, and every reading that is asked for.
    """

    case: Case
    rules: Rules
    prepared: Prepared
    is_claimed: bool

    @property
    def size(self) -> int:
        """How many events are asked."""
        return sum(self.prepared.shape)


@dataclass(frozen=True)
class Unasked:
    """A case that this engine is not asked, and why; `is_ours` if that is a fault of the suite."""

    case: Case
    why: str
    is_ours: bool = False


@cache
def rules_of(
    profile: str, parameters: tuple[tuple[str, int], ...] = (), readings: tuple[tuple[str, str], ...] = ()
) -> Rules:
    """The rules of a shipped profile. Raises SpecError."""
    return load_profile(profile, dict(parameters), dict(readings))


class Planner:
    """What one engine can be asked."""

    def __init__(self, hello: HelloResponse) -> None:
        self.hello = hello
        self.deals = hello.deals is not False
        known = profile_names()
        self.profiles = tuple(name for name in hello.profiles if name in known)
        self.faults = tuple(self._faults(known))
        """What hello says that cannot be, in words."""
        if any(map(self._fault, self.profiles)):
            self.profiles = ()  # by rules that cannot be, nothing can be judged

    def _faults(self, known: Sequence[str]) -> Iterator[str]:
        """Profiles, questions and readings that do not exist."""
        if not self.profiles:
            yield f"it plays none of the profiles {', '.join(known)}"
        for name in self.profiles:
            fault = self._fault(name)
            if fault is not None:
                yield f"readings: {fault}"
                return
        questions = rules_of(self.profiles[0]).book.questions if self.profiles else {}
        for question, offered in self.hello.choices.items():
            if self.profiles and question not in questions:
                yield f"choices: unknown question {question}"
            for reading in offered if question in questions else ():
                if reading not in questions[question].readings:
                    yield f"choices: unknown reading of {question}: {reading}"

    def _fault(self, profile: str) -> str | None:
        """What is wrong with the readings that hello declares; None if nothing is."""
        try:
            self.rules(profile, {}, {})
        except SpecError as error:
            return str(error)
        return None

    def rules(self, profile: str, parameters: Mapping[str, int], readings: Mapping[str, str]) -> Rules:
        """The rules by which the engine is judged where these are asked for. Raises SpecError."""
        chosen = {**self.hello.readings, **readings}
        return rules_of(profile, tuple(sorted(parameters.items())), tuple(sorted(chosen.items())))

    def missing(self, profile: str, readings: Mapping[str, str]) -> str | None:
        """Why the engine is not asked for a profile and these readings; None if it can be."""
        if profile not in self.profiles:
            return f"hello does not list the profile {profile}"
        own = self.rules(profile, {}, {}).readings
        for question, reading in readings.items():
            if own.get(question) != reading and reading not in self.hello.choices.get(question, ()):
                return f"hello does not offer the reading {reading} of {question}"
        return None

    def plan(self, case: Case) -> Plan | Unasked:
        """How this engine is asked a case, or why it is not."""
        request: Mapping[str, Any] = case.request
        profile, parameters, readings = request["profile"], request.get("parameters", {}), request.get("readings", {})
        try:
            why = self.missing(profile, readings)
            if why is not None and (unlisted.TAG not in case.tags or profile not in self.profiles):
                return Unasked(case, why)
            rules = self.rules(profile, parameters, readings)
        except SpecError as error:
            return Unasked(case, f"these readings cannot be had together: {error}")
        try:
            prepare(request)
            asked = with_deal(rules, request) if "hands" in request else dict(request)
            prepared = prepare(asked)
        except (ProtocolError, LookupError, ValueError) as error:
            return Unasked(case, f"the request of this case is none: {error}", is_ours=True)
        clauses = tuple(clause for clause in case.clauses if clause in in_force(rules))
        is_claimed = not parameters and unlisted.TAG not in case.tags
        return Plan(replace(case, clauses=clauses, request=asked), rules, prepared, is_claimed)

    def unlisted(self) -> Iterator[Case]:
        """Cases that ask for readings which the engine does not offer."""
        return unlisted.cases({name: self.rules(name, {}, {}) for name in self.profiles}, self.hello)

    # ------------------------------------------------------------------ clauses

    def in_force(self) -> tuple[str, ...]:
        """The clauses of all profiles of the engine, under its own readings."""
        books = [self.rules(name, {}, {}) for name in self.profiles]
        return tuple(dict.fromkeys(one for rules in books for one in rules.book.clauses() if one in in_force(rules)))

    def elsewhere(self) -> dict[str, str]:
        """The other clauses of its profiles, and under which readings they hold."""
        found: dict[str, str] = {}
        ours = set(self.in_force())
        for name in self.profiles:
            for clause in self.rules(name, {}, {}).book.clauses().values():
                if clause.id not in ours:
                    found[clause.id] = f"only where {clause.under}" if str(clause.under) else "in no event in force"
        return found

    def uncovered(self) -> dict[str, str]:
        """The clauses in force that nothing which this engine does can show, and why."""
        found: dict[str, str] = {}
        for name in self.profiles if not self.deals else ():
            rules = self.rules(name, {}, {})
            found |= {effect.clause.id: _NO_DEAL for effect in deal_of(rules).rule.effects if effect.deals}
        return found


@cache
def in_force(rules: Rules) -> frozenset[str]:
    """The clauses of these rules, invariants too."""
    parts = [case for definition in rules.definitions.values() for case in definition.alternatives]
    found = {part.clause.id for part in parts}
    for event in rules.events.values():
        found |= {part.clause.id for part in event.requires} | {part.clause.id for part in event.effects}
    found |= {one.clause.id for one in rules.book.invariants.values() if one.clause.under.holds(rules.readings)}
    return frozenset(found)


def with_deal(rules: Rules, request: Mapping[str, Any]) -> dict[str, Any]:
    """The request with `dealt` and `upcard` beside every `deck`, for engines that do not deal."""
    hands = request["hands"]
    if all("dealt" in hand for hand in hands):
        return dict(request)
    befores = [opening(rules, hands[0]["dealer"], None)]  # who deals is all that the first deal depends on
    if len(hands) > 1:
        befores = [steps[0].before for steps in expected(rules, request)]
    told = [{**hand, **dealt(before, hand["deck"])} for hand, before in zip(hands, befores, strict=True)]
    return {**request, "hands": told}


def dealt(before: State, deck: Sequence[str]) -> dict[str, Any]:
    """What a deck comes to when it is dealt in this state, by the words of the protocol."""
    rules, how, words = before.rules, deal_of(before.rules), words_of(before.rules)
    after = happen(before, how.rule, Event(how.rule.id, None, tuple(words.cards[card] for card in deck)))
    found: dict[str, Any] = {}
    for variable in dict.fromkeys(step.variable for step in how.pack.deals):
        held = rules.book.variables[variable]
        if held.domain is not None:
            seats = range(rules.slots[variable].width)
            found["dealt"] = [[words.codes[card] for card in members(after.known(variable, seat))] for seat in seats]
        elif not held.type.many:
            found["upcard"] = words.codes[after.known(variable)]
    return found


def apart(plans: Iterable[Plan]) -> Iterator[Plan]:
    """The same, but never two equal requests in a row: an engine could answer the second by repeating itself."""
    held: deque[Plan] = deque()
    last: Prepared | None = None
    for plan in plans:
        if plan.prepared == last:
            held.append(plan)
            continue
        last = plan.prepared
        yield plan
        if held and held[0].prepared != last:
            last = held[0].prepared
            yield held.popleft()
    yield from held


def cut(request: Mapping[str, Any], hand: int, step: int) -> dict[str, Any]:
    """The request that ends with this step; no later one can have led to what it shows."""
    hands = [dict(one) for one in request["hands"][: hand + 1]]
    hands[hand]["events"] = hands[hand]["events"][:step]
    return {**request, "hands": hands}
