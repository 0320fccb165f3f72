"""A rule book: what `spec/` says, loaded and checked.

A rule book still holds the clauses of every reading. `Rules` (in `rules`) is what is left of it when a profile has
chosen one reading of each question.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from buckspec.problem import Place
from buckspec.symbols import Symbols
from buckspec.typed import Term
from buckspec.types import Domain, Type

LIVES = ("game", "hand", "trick")
"""How long a variable lives, the longest first; what begins one life begins those that are shorter."""

WHOLE_GAME = LIVES[0]

LISTS_BEGIN = LIVES[:2]
"""The lives with which the observations that are lists begin anew."""

PHASE = "phase"
"""The one definition that every rule book must have: it says what comes next, and events name its values."""


@dataclass(frozen=True)
class Under:
    """The readings under which a clause belongs to the rules: one of the named readings of each named question."""

    choices: tuple[tuple[str, frozenset[str]], ...] = ()

    def holds(self, readings: Mapping[str, str]) -> bool:
        """Whether these chosen readings include the clause."""
        return all(readings[question] in admitted for question, admitted in self.choices)

    def __str__(self) -> str:
        return " and ".join(f"{question} is {' or '.join(sorted(names))}" for question, names in self.choices)


@dataclass(frozen=True)
class Clause:
    """What every clause has: an id for ever, one sentence, and who says so (or why it is there)."""

    id: str
    says: str
    under: Under
    cites: tuple[str, ...]
    because: str | None
    place: Place


@dataclass(frozen=True)
class Requirement:
    """A condition on an event: where `applies` holds, `that` must hold."""

    clause: Clause
    applies: Term | None
    that: Term


@dataclass(frozen=True)
class Assignment:
    """`variable(index): value`. With `each`, all members of the domain are set, and the value calls them that."""

    variable: str
    index: Term | None
    value: Term
    each: str | None = None


@dataclass(frozen=True)
class DealStep:
    """`count` cards off the top of the pack, to one variable or round the table to each from `start`.

    A count of None stands for the rest of the pack.
    """

    count: int | None
    variable: str
    start: Term | None


@dataclass(frozen=True)
class Effect:
    """What an event changes. All right sides see the state before the event."""

    clause: Clause
    sets: tuple[Assignment, ...]
    deals: tuple[DealStep, ...] = ()


@dataclass(frozen=True)
class Alternative:
    """One case of a definition."""

    clause: Clause
    when: Term | None
    value: Term


@dataclass(frozen=True)
class Definition:
    """A value derived from the state: one expression, or the one alternative whose condition holds."""

    name: str
    parameter: str | None
    domain: str | None
    type: Type
    means: str | None
    where: Term | None
    value: Term | None
    alternatives: tuple[Alternative, ...]
    place: Place

    def terms(self) -> list[Term]:
        """Every expression of the definition."""
        terms = [self.where, self.value]
        for case in self.alternatives:
            terms += [case.when, case.value]
        return [term for term in terms if term is not None]


@dataclass(frozen=True)
class Variable:
    """A part of the state. `first` is its value when its life begins; None means that an event gives it."""

    name: str
    domain: str | None
    type: Type
    life: str
    first: Term | None
    seen: Term | None
    means: str
    low: Term | None
    high: Term | None
    place: Place


@dataclass(frozen=True)
class Taken:
    """What an event is about: a member of a domain, a truth value, or a number from `low` to `high`."""

    name: str
    type: Type
    low: Term | None = None
    high: Term | None = None


@dataclass(frozen=True)
class EventRule:
    """Something that happens in a phase: by a seat, by chance (`by_chance`), or, with neither, by itself.

    `takes` names what the event is about; `logged` is its form in a log where that is not its id.
    """

    id: str
    phases: tuple[str, ...]
    by: Term | None
    by_chance: bool
    takes: tuple[Taken, ...]
    under: Under
    begins: str | None
    requires: tuple[Requirement, ...]
    effects: tuple[Effect, ...]
    logged: Mapping[str, str] | None
    place: Place

    @property
    def is_automatic(self) -> bool:
        return self.by is None and not self.by_chance

    def terms(self) -> list[Term]:
        """Every expression of the event."""
        terms = [self.by, *(part for requirement in self.requires for part in (requirement.applies, requirement.that))]
        for effect in self.effects:
            terms += [part for assignment in effect.sets for part in (assignment.index, assignment.value)]
            terms += [step.start for step in effect.deals]
        return [term for term in terms if term is not None]


@dataclass(frozen=True)
class Invariant:
    """What holds between any two events."""

    clause: Clause
    when: Term | None
    that: Term


@dataclass(frozen=True)
class Question:
    """What the sources leave open; `readings` are its answers with their sentences, the usual one first."""

    id: str
    asks: str
    cites: tuple[str, ...]
    readings: Mapping[str, str]
    place: Place


@dataclass(frozen=True)
class Exclusion:
    """Readings that contradict each other, and why."""

    under: Under
    because: str


@dataclass(frozen=True)
class ParameterValue:
    """A number that a profile sets, between `low` and `high`."""

    name: str
    value: int
    low: int
    high: int
    means: str


@dataclass(frozen=True)
class Observation:
    """What can be seen of the game from outside. With `at`, a list that grows by one each time that event happens."""

    name: str
    domain: str | None
    type: Type
    means: str
    value: Term
    at: str | None


@dataclass(frozen=True)
class Chapter:
    """A file of rules."""

    id: str
    title: str
    place: Place


@dataclass(frozen=True, eq=False)
class RuleBook:
    """Everything that a profile's chapters say, under all readings, and the choices of the profile.

    `symbols` are the names that its expressions can use. `has_own_clauses` tells that some of it does not come from
    the folder of the rule book, or that a user's own profile put the chapters together. `fingerprint` tells the state
    of the files of a user's own profile, and is None for a shipped one.
    """

    profile: str
    title: str
    chapters: tuple[Chapter, ...]
    domains: Mapping[str, Domain]
    tables: Mapping[str, tuple[int, ...]]
    orders: Mapping[str, tuple[str, ...]]
    parameters: Mapping[str, ParameterValue]
    readings: Mapping[str, str]
    questions: Mapping[str, Question]
    exclusions: tuple[Exclusion, ...]
    variables: Mapping[str, Variable]
    definitions: Mapping[str, Definition]
    events: Mapping[str, EventRule]
    invariants: Mapping[str, Invariant]
    observations: Mapping[str, Observation]
    symbols: Symbols
    has_own_clauses: bool
    fingerprint: str | None

    def begun_by(self, life: str | None) -> list[Variable]:
        """The variables whose life begins with an event that begins this life."""
        if life is None:
            return []
        return [variable for variable in self.variables.values() if LIVES.index(variable.life) >= LIVES.index(life)]

    def clauses(self) -> Mapping[str, Clause]:
        """Every clause by its id."""
        alternatives = [case for definition in self.definitions.values() for case in definition.alternatives]
        requirements = [part for event in self.events.values() for part in event.requires]
        effects = [part for event in self.events.values() for part in event.effects]
        parts: list[Alternative | Requirement | Effect | Invariant] = [*alternatives, *requirements, *effects]
        return {part.clause.id: part.clause for part in (*parts, *self.invariants.values())}
