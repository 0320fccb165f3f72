"""The compiled form of a set of rules: one Python function that plays a list of events.

It stops at the first event that is not legal and leaves that state to the interpreter, which says why. It trusts
that the cases of each definition are complete and without overlap, so it serves only rule books that are proven.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import chain, product
from math import prod

from buckspec import typed as t
from buckspec.coded import observation_source
from buckspec.compile import Emitter, Env
from buckspec.depend import Candidate, best_question, given, successors
from buckspec.rulebook import LISTS_BEGIN, PHASE, Assignment, DealStep, EventRule, Variable
from buckspec.rules import Rules
from buckspec.state import Event
from buckspec.tables import Filled
from buckspec.types import NONE

Move = tuple[int, int, object]
"""An event for the machine: the number of its rule, the seat, and what it is about (None, an index, or several)."""
Values = Sequence[object]
_STALE = "# stale: "
_FEW = 4  # phases that can follow an event; where there are more, what happens in them stands elsewhere, and once
Run = Callable[[Values, int, Sequence[Move]], tuple[int, int, tuple[object, ...]]]
Legal = Callable[[Values, int], list[Move]]
Observe = Callable[[Values], dict[str, object]]


@dataclass(frozen=True, eq=False)
class Machine:
    """`run(values, phase, moves)` gives how many moves were legal, and the phase and the values after those.

    `legal(values, phase)` gives every legal move of those who may act, `observe(values)` what is seen of a state,
    as a log writes it. `tables` are what it looks up.
    """

    rules: Rules
    run: Run
    legal: Legal
    observe: Observe
    source: str
    numbers: dict[str, int]
    tables: tuple[Filled, ...]

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
        self.later: list[int] = []
        self.in_moves = True

    def machine(self) -> Machine:
        run = self.function("run(values, phase, moves", self.run_body)
        legal = self.function("legal(values, phase", self.legal_body)
        observe = self.function("observe(values", self.observe_body)
        source = "\n".join([*run, "", "", *legal, "", "", *observe, ""])
        namespace = dict(self.emit.constants)
        exec(compile(source, "<rules>", "exec"), namespace)  # noqa: S102 — the source is made here, from checked rules
        functions = (namespace["run"], namespace["legal"], namespace["observe"])
        return Machine(self.rules, *functions, source, self.numbers, tuple(self.emit.tables.filled))  # type: ignore[arg-type]

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

    def reached(self) -> list[tuple[int, tuple[EventRule, ...]]]:
        """The phases that a case leads to and that have events; first those in which most is said and done.

        That is where an event can be followed by more of its kind, and of these, where there is most to choose from.
        """
        cases = self.rules.definitions[PHASE].alternatives
        led_to = {node.value for case in cases for node in t.walk(case.value) if isinstance(node, t.Const)}
        found = [(phase, events) for phase, events in self.rules.by_phase.items() if events and phase in led_to]

        def weight(entry: tuple[int, tuple[EventRule, ...]]) -> tuple[bool, int, int]:
            phase, events = entry
            after = [case.alternative.value for rule in events for case in successors(self.emit.depend, rule, phase)]
            returns = any(isinstance(value, t.Const) and value.value == phase for value in after)
            return returns, sum(prod(map(len, map(self.rules.choices, rule.takes))) for rule in events), -len(after)

        return sorted(found, key=weight, reverse=True)

    def phases(
        self, entries: list[tuple[int, tuple[EventRule, ...]]], write: Callable[[int, tuple[EventRule, ...]], None]
    ) -> None:
        """One branch for each phase."""
        for number, (phase, events) in enumerate(entries):
            self.emit.fresh, self.emit.empty = set(), set()
            with self.emit.block(f"{'elif' if number else 'if'} phase == {phase}:"):
                write(phase, events)

    def run_body(self) -> None:
        """Play move after move. What happens by itself stands behind what leads to it, or in a loop of its own."""
        emit = self.emit
        entries = self.reached()
        emit.line("done = 0")
        emit.line("left = iter(moves)")
        with emit.block("while True:"):
            with emit.block("for kind, actor, about in left:"):
                self.phases([entry for entry in entries if not entry[1][0].is_automatic], self.phase)
                with emit.block("else:"):
                    emit.line("break")
            if not self.later:
                emit.line("break")
            else:
                automatic = emit.constant("later", "LATER", lambda: frozenset(self.later))
                with emit.block(f"if phase not in {automatic}:"):
                    emit.line("break")
                with emit.block(f"while phase in {automatic}:"):
                    self.in_moves = False
                    for phase in self.later:  # grows while the bodies are written
                        emit.fresh, emit.empty = set(), set()
                        with emit.block(f"if phase == {phase}:"):
                            self.happens(self.rules.by_phase[phase][0], {}, (phase,))
        self.pack()

    def observe_body(self) -> None:
        self.emit.fresh = set()
        seen = self.rules.book.observations.values()
        parts = [f"{observation.name!r}: {observation_source(self.emit, observation)}" for observation in seen]
        self.emit.line(f"return {{{', '.join(parts)}}}")

    def legal_body(self) -> None:
        self.emit.line("found = []")
        self.phases([entry for entry in self.reached() if not entry[1][0].is_automatic], self.choices)
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
        parts = {variable.name: [f"v_{variable.name}"] for variable in self.variables}
        for variable in self.variables:
            if variable.domain:
                parts[variable.name] = [f"v_{variable.name}_{n}" for n in range(self.rules.slots[variable.name].width)]
        lists = [f"o_{observation.name}" for observation in self.rules.lists]
        emit.line(f"({', '.join([*chain.from_iterable(parts.values()), *lists])},) = values")
        for variable in self.variables:
            if variable.domain:
                emit.line(f"v_{variable.name} = [{', '.join(parts[variable.name])}]")
        for name in lists:
            emit.line(f"{name} = list({name})")
        if emit.cached:
            emit.line(" = ".join(f"d_{name}" for name in sorted(emit.cached)) + " = None")

    def pack(self) -> None:
        parts = [f"*v_{variable.name}" if variable.domain else f"v_{variable.name}" for variable in self.variables]
        parts += [f"tuple(o_{observation.name})" for observation in self.rules.lists]
        self.emit.line(f"return done, phase, ({', '.join(parts)},)")

    # Phases and events

    def phase(self, phase: int, events: tuple[EventRule, ...]) -> None:
        emit = self.emit
        for number, rule in enumerate(events):
            with emit.block(f"{'elif' if number else 'if'} kind == {self.numbers[rule.id]}:"):
                env = self.env(rule)
                self.admitted(rule, env)
                emit.line("done += 1")
                self.happens(rule, env, (phase,))
        with emit.block("else:"):
            emit.line("break")

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
        met: tuple[t.Term, ...] = ()
        for requirement in rule.requires:
            with emit.knowing(met):
                broken = f"not ({emit.condition(requirement.that, env)})"
                if requirement.applies is not None:
                    broken = f"{emit.condition(requirement.applies, env)} and {broken}"
                else:
                    met += t.conjuncts(requirement.that)
            self.unless(broken, otherwise)

    def unless(self, condition: str, otherwise: str) -> None:
        with self.emit.block(f"if {condition}:"):
            self.emit.line(otherwise)

    def happens(self, rule: EventRule, env: Env, path: tuple[int, ...]) -> None:
        """What an event changes, and what follows. `path` are the phases that have led here, the present one last."""
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
        stale = {name for name in self.rules.definitions if emit.depend.definition_reads(name) & written}
        for name in sorted(stale & emit.fresh):
            member = emit.depend.loses(name, rule)
            if isinstance(member, t.Local):
                emit.line(f"d_{name} &= {emit.others(emit.domain(member.type))}[{env[member.name]}]")
                stale.discard(name)
        self.forget(sorted(stale))
        candidates = successors(emit.depend, rule, path[-1])
        self.decide(candidates, path if len(candidates) <= _FEW else ())

    def forget(self, stale: list[str]) -> None:
        """Definitions whose variables have changed have to be worked out anew."""
        plain = [name for name in stale if self.rules.definitions[name].parameter is None]
        self.emit.fresh -= set(plain)
        self.emit.empty |= set(plain)
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
        begins = {step.start: self.held(emit.expression(step.start, {})) for step in steps if step.start is not None}
        starts = ["" if step.start is None else begins[step.start] for step in steps]
        for variable, value in begun:
            emit.line(f"v_{variable.name} = {value}")
        if rule.begins in LISTS_BEGIN:
            for observation in self.rules.lists:
                emit.line(f"o_{observation.name} = []")
        self.dealt(steps, starts)
        for target, value in targets:
            emit.line(f"{target} = {value}")

    def dealt(self, steps: Sequence[DealStep], starts: Sequence[str]) -> None:
        """The cards off the top of the pack, all that go to one place together."""
        emit, pack = self.emit, self.rules.pack
        top = 0
        places: dict[str, list[str]] = {}
        for step, start in zip(steps, starts, strict=True):
            width = self.rules.slots[step.variable].width
            count = pack.size - top if step.count is None else step.count
            for turn in range(width):
                place = f"v_{step.variable}" + (f"[({start} + {turn}) % {width}]" if start else "")
                cards = [f"about[{index}]" for index in range(top, top + count)]
                many = self.rules.book.variables[step.variable].type.many
                found = places.setdefault(f"{place} |=" if many else f"{place} =", [])
                found += [f"{emit.bits(pack)}[{card}]" for card in cards] if many else cards
                top += count
        for place, cards in places.items():
            emit.line(f"{place} {' | '.join(cards)}")

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

    def decide(self, candidates: Iterable[Candidate], path: tuple[int, ...]) -> None:
        """Find out which of the phases follows, asking as little as possible."""
        emit = self.emit
        open_ = list(candidates)
        decided = [candidate for candidate in open_ if not candidate.open]
        if not open_:
            emit.line(f"phase = {NONE}")
            return
        if len(open_) == 1 or decided:
            self.arrive((decided or open_)[0], path)
            return
        literal = best_question(open_)
        condition = emit.condition(literal.atom, {})
        with emit.block(f"if {condition}:"):
            self.decide(given(open_, literal), path)
        with emit.block("else:"):
            self.decide(given(open_, literal.opposite), path)

    def arrive(self, candidate: Candidate, path: tuple[int, ...]) -> None:
        """The phase that follows, and what happens in it by itself; at once, if a path tells how it was reached."""
        value = candidate.alternative.value
        phase = value.value if isinstance(value, t.Const) else NONE
        events = self.rules.by_phase.get(phase, ())
        if not events or not events[0].is_automatic:
            self.emit.line(f"phase = {self.emit.expression(value, {})}")
        elif path and phase not in path:
            self.happens(events[0], {}, (*path, phase))
        else:
            self.later += [phase] if phase not in self.later else []
            self.emit.line(f"phase = {phase}")
            if self.in_moves:
                self.emit.line("break")


def _same(value: object) -> object:
    return value
