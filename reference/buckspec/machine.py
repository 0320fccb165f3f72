"""The compiled form of a set of rules: one Python function that plays a list of events.

It stops at the first event that is not legal and leaves that state to the interpreter, which says why. It trusts
that the cases of each definition are complete and without overlap, so it serves only rule books that are proven.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import product

from buckspec import typed as t
from buckspec.compile import Emitter, Env
from buckspec.depend import Candidate, Literal, successors
from buckspec.rulebook import LISTS_BEGIN, Assignment, EventRule, Variable
from buckspec.rules import Rules
from buckspec.state import Event
from buckspec.types import NONE

Move = tuple[int, int, object]
"""An event for the machine: the number of its rule, the seat, and what it is about (None, an index, or several)."""
Values = Sequence[object]
_STALE = "# stale: "
Run = Callable[[Values, int, Sequence[Move]], tuple[int, int, tuple[object, ...]]]
Legal = Callable[[Values, int], list[Move]]


@dataclass(frozen=True, eq=False)
class Machine:
    """`run(values, phase, moves)` gives how many moves were legal, and the phase and the values after those.

    `legal(values, phase)` gives every legal move of those who may act.
    """

    rules: Rules
    run: Run
    legal: Legal
    source: str
    numbers: dict[str, int]

    def move(self, event: Event) -> Move:
        """An event in the machine's form."""
        about: object = event.about
        if len(self.rules.events[event.id].takes) == 1:
            about = event.about[0]
        return self.numbers[event.id], NONE if event.seat is None else event.seat, about


def machine(rules: Rules) -> Machine:
    """The machine of some rules. Rules that differ only in what the start of a game needs share one."""
    return _compiled(rules.as_played)


@lru_cache
def _compiled(rules: Rules) -> Machine:
    return _Writer(rules).machine()


class _Writer:
    """Writes the source of one machine."""

    def __init__(self, rules: Rules):
        self.rules = rules
        self.emit = Emitter(rules)
        self.numbers = {id_: number for number, id_ in enumerate(rules.events)}
        self.variables = list(rules.book.variables.values())
        self.after: dict[EventRule, frozenset[str]] = {}

    def machine(self) -> Machine:
        run = self.function("run(values, phase, moves", self.run_body)
        legal = self.function("legal(values, phase", self.legal_body)
        source = "\n".join([*run, "", "", *legal, ""])
        namespace = dict(self.emit.constants)
        exec(compile(source, "<rules>", "exec"), namespace)  # noqa: S102 — the source is made here, from checked rules
        return Machine(self.rules, namespace["run"], namespace["legal"], source, self.numbers)  # type: ignore[arg-type]

    def function(self, head: str, write: Callable[[], None]) -> list[str]:
        """The lines of a function; the tables that it names become arguments, which are read fastest."""
        emit = self.emit
        emit.lines, emit.indent, emit.cached = [], 1, set()
        write()
        body = [self.forgotten(line) for line in emit.lines]
        emit.lines, emit.indent = [], 1
        self.unpack()
        arguments = ", ".join(f"{name}={name}" for name in emit.constants)
        return [f"def {head}, *, {arguments}):", *emit.lines, *body]

    def phases(self, write: Callable[[int, tuple[EventRule, ...]], None]) -> None:
        """One branch for each phase that has events."""
        first = True
        for phase, events in self.rules.by_phase.items():
            if events:
                self.emit.fresh = set()
                with self.emit.block(f"{'if' if first else 'elif'} phase == {phase}:"):
                    write(phase, events)
                first = False

    def run_body(self) -> None:
        emit = self.emit
        emit.line("count = len(moves)")
        emit.line("done = 0")
        with emit.block("while True:"):
            self.phases(self.phase)
            with emit.block("else:"):
                emit.line("break")
        self.pack()

    def legal_body(self) -> None:
        self.emit.line("found = []")
        self.phases(self.choices)
        self.emit.line("return found")

    def choices(self, _: int, events: tuple[EventRule, ...]) -> None:
        """Every legal move of a phase."""
        emit = self.emit
        for rule in events:
            if rule.by is None:
                continue
            who = emit.expression(rule.by, {})
            condition = f"{who} & {emit.bits(self.rules.seats)}[actor]" if rule.by.type.many else f"actor == {who}"
            domains = [self.rules.choices(taken) for taken in rule.takes]
            several: object = tuple(product(*domains)) if len(domains) != 1 else tuple(domains[0])
            abouts = emit.constant(("about", several), "ABOUT", partial(_same, several))
            actors = f"for actor in range({self.rules.seats.size}):"
            with emit.block(actors), emit.block(f"if {condition}:"), emit.block(f"for about in {abouts}:"):
                self.requirements(rule, self.env(rule), "continue")
                emit.line(f"found.append(({self.numbers[rule.id]}, actor, about))")

    def unpack(self) -> None:
        emit = self.emit
        for variable in self.variables:
            slot = self.rules.slots[variable.name]
            where = f"values[{slot.offset}:{slot.offset + slot.width}]"
            emit.line(
                f"v_{variable.name} = list({where})"
                if variable.domain
                else f"v_{variable.name} = values[{slot.offset}]"
            )
        for observation in self.rules.lists:
            emit.line(f"o_{observation.name} = list(values[{self.rules.slots[observation.name].offset}])")
        if emit.cached:
            emit.line(" = ".join(f"d_{name}" for name in sorted(emit.cached)) + " = None")

    def pack(self) -> None:
        parts = [f"*v_{variable.name}" if variable.domain else f"v_{variable.name}" for variable in self.variables]
        parts += [f"tuple(o_{observation.name})" for observation in self.rules.lists]
        self.emit.line(f"return done, phase, ({', '.join(parts)},)")

    # Phases and events

    def phase(self, phase: int, events: tuple[EventRule, ...]) -> None:
        emit = self.emit
        if events[0].is_automatic:
            self.happens(events[0], {}, phase)
            return
        with emit.block("if done == count:"):
            emit.line("break")
        emit.line("kind, actor, about = moves[done]")
        for number, rule in enumerate(events):
            with emit.block(f"{'elif' if number else 'if'} kind == {self.numbers[rule.id]}:"):
                env = self.env(rule)
                self.admitted(rule, env)
                self.happens(rule, env, phase)
        with emit.block("else:"):
            emit.line("break")
        emit.line("done += 1")

    @staticmethod
    def env(rule: EventRule) -> Env:
        names = [taken.name for taken in rule.takes]
        about = (
            {name: f"about[{index}]" for index, name in enumerate(names)}
            if len(names) > 1
            else dict.fromkeys(names, "about")
        )
        return {**about, "actor": "actor"}

    def admitted(self, rule: EventRule, env: Env) -> None:
        """Stop before an event that is not legal."""
        emit = self.emit
        if rule.by is not None:
            who = emit.expression(rule.by, {})
            bits = emit.bits(self.rules.seats)
            self.unless(f"not {who} & {bits}[actor]" if rule.by.type.many else f"actor != {who}", "break")
        self.requirements(rule, env, "break")

    def requirements(self, rule: EventRule, env: Env, otherwise: str) -> None:
        emit = self.emit
        for requirement in rule.requires:
            that = emit.expression(requirement.that, env)
            if requirement.applies is None:
                self.unless(f"not {that}", otherwise)
            else:
                self.unless(f"{emit.expression(requirement.applies, env)} and not {that}", otherwise)

    def unless(self, condition: str, otherwise: str) -> None:
        with self.emit.block(f"if {condition}:"):
            self.emit.line(otherwise)

    def happens(self, rule: EventRule, env: Env, phase: int) -> None:
        """What an event changes, and the phase after it."""
        emit = self.emit
        for observation in self.rules.lists:
            if observation.at == rule.id:
                emit.line(f"o_{observation.name}.append({emit.expression(observation.value, {})})")
        assignments = [part for effect in rule.effects for part in effect.sets]
        if rule.begins is not None or rule.by_chance:
            self.at_length(rule, assignments, env)
        else:
            self.at_once(assignments, env)
        written = emit.depend.writes(rule)
        stale = sorted(name for name in self.rules.definitions if emit.depend.definition_reads(name) & written)
        self.forget(stale)
        self.decide(successors(emit.depend, rule, phase))

    def forget(self, stale: list[str]) -> None:
        """Definitions whose variables have changed have to be worked out anew."""
        plain = [name for name in stale if self.rules.definitions[name].parameter is None]
        self.emit.fresh -= set(plain)
        self.emit.line(f"{_STALE}{' '.join(plain)}")

    def forgotten(self, line: str) -> str:
        """The line, or the statement for which it holds the place: only now it is known which definitions are kept."""
        indent, marker, names = line.partition(_STALE)
        kept = [f"d_{name}" for name in names.split() if name in self.emit.cached]
        return f"{indent}{' = '.join([*kept, 'None'])}" if marker else line

    # Effects

    def target(self, part: Assignment, env: Env) -> str:
        if part.index is None:
            return f"v_{part.variable}"
        index = self.emit.expression(part.index, env)
        return (
            f"v_{part.variable}[{index if index.isidentifier() and not index.startswith('v_') else self.held(index)}]"
        )

    def held(self, source: str) -> str:
        """The source in a local name, so that it is worked out before anything changes."""
        return source if source.isdecimal() else self.emit.named(f"({source})")

    def value(self, part: Assignment, env: Env) -> str:
        if part.each is None:
            return self.emit.expression(part.value, env)
        size = self.rules.slots[part.variable].width
        return (
            "["
            + ", ".join(self.emit.expression(part.value, {**env, part.each: str(index)}) for index in range(size))
            + "]"
        )

    def at_once(self, assignments: list[Assignment], env: Env) -> None:
        """All assignments in one statement, so that every right side sees the state before."""
        if assignments:
            values = [self.value(part, env) for part in assignments]
            targets = [self.target(part, env) for part in assignments]
            self.emit.line(f"{', '.join(targets)} = {', '.join(values)}")

    def at_length(self, rule: EventRule, assignments: list[Assignment], env: Env) -> None:
        """First every right side, then the beginning of the lives, the deal, and the assignments."""
        emit = self.emit
        targets = [(self.target(part, env), self.held(self.value(part, env))) for part in assignments]
        begun = [(variable, self.held(self.first(variable))) for variable in self.begun(rule)]
        steps = [step for effect in rule.effects for step in effect.deals]
        starts = ["0" if step.start is None else self.held(emit.expression(step.start, {})) for step in steps]
        for variable, value in begun:
            emit.line(f"v_{variable.name} = {value}")
        if rule.begins in LISTS_BEGIN:
            for observation in self.rules.lists:
                emit.line(f"o_{observation.name} = []")
        top = 0
        bits = emit.bits(self.rules.pack)
        for step, start in zip(steps, starts, strict=True):
            width = self.rules.slots[step.variable].width
            count = self.rules.pack.size - top if step.count is None else step.count
            for turn in range(width):
                cards = [f"about[{index}]" for index in range(top, top + count)]
                top += count
                place = (
                    f"v_{step.variable}[({start} + {turn}) % {width}]"
                    if step.start is not None
                    else f"v_{step.variable}"
                )
                mask = " | ".join(f"{bits}[{card}]" for card in cards)
                emit.line(
                    f"{place} |= {mask}"
                    if self.rules.book.variables[step.variable].type.many
                    else f"{place} = {cards[0]}"
                )
        for target, value in targets:
            emit.line(f"{target} = {value}")

    def begun(self, rule: EventRule) -> list[Variable]:
        return self.rules.book.begun_by(rule.begins)

    def first(self, variable: Variable) -> str:
        width = self.rules.slots[variable.name].width
        if variable.domain is None:
            return str(NONE) if variable.first is None else self.emit.expression(variable.first, {})
        parameter = self.rules.book.domains[variable.domain].parameter
        values = [
            str(NONE) if variable.first is None else self.emit.expression(variable.first, {parameter: str(index)})
            for index in range(width)
        ]
        return f"[{', '.join(values)}]"

    # The next phase

    def decide(self, candidates: Iterable[Candidate]) -> None:
        """Find out which of the phases follows, asking as little as possible."""
        emit = self.emit
        open_ = list(candidates)
        decided = [candidate for candidate in open_ if not candidate.open]
        if not open_:
            emit.line(f"phase = {NONE}")
            return
        if len(open_) == 1 or decided:
            self.arrive((decided or open_)[0])
            return
        literal = _best_question(open_)
        condition = emit.expression(literal.atom, {})
        with emit.block(f"if {condition}:"):
            self.decide(_given(open_, literal))
        with emit.block("else:"):
            self.decide(_given(open_, literal.opposite))

    def arrive(self, candidate: Candidate) -> None:
        self.emit.line(f"phase = {self.emit.expression(candidate.alternative.value, {})}")


def _same(value: object) -> object:
    return value


def _best_question(candidates: list[Candidate]) -> Literal:
    """The condition that divides the candidates best; of equals the one that is read fastest."""
    literals = {
        Literal(literal.atom, True): None for candidate in candidates for literal in sorted(candidate.open, key=repr)
    }

    def weight(literal: Literal) -> tuple[int, int, str]:
        rest = max(len(_given(candidates, literal)), len(_given(candidates, literal.opposite)))
        return rest, len(t.walk(literal.atom)), repr(literal)

    return min(literals, key=weight)


def _given(candidates: list[Candidate], literal: Literal) -> list[Candidate]:
    """The candidates that remain where a condition holds."""
    return [
        Candidate(candidate.alternative, candidate.open - {literal})
        for candidate in candidates
        if literal.opposite not in candidate.open
    ]
