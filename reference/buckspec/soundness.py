"""What holds of a whole rule book, beyond the types of its expressions."""

from collections.abc import Iterable, Iterator
from itertools import combinations, product

from buckspec import typed as t
from buckspec.nodes import Collector
from buckspec.problem import Problem
from buckspec.rulebook import PHASE, WHOLE_GAME, Effect, EventRule, RuleBook, Under
from buckspec.under import both, compatible

_EVERY = "each"
DEEPEST_USE = 150
"""How many levels an expression may have together with the definitions that it uses; the shipped rules have 33."""


def check_soundness(book: RuleBook, collector: Collector) -> None:
    """Add every fault of the rule book as a whole."""
    if too_deep := list(_too_deep(book)):
        collector.problems += too_deep
        return
    collector.problems += _cycles(book)
    collector.problems += _phases(book)
    collector.problems += _targets(book)
    collector.problems += _deals(book)
    collector.problems += _lives(book)
    collector.problems += _questions(book)


def _cycles(book: RuleBook) -> Iterator[Problem]:
    uses = {name: t.definitions_in(definition.terms()) for name, definition in book.definitions.items()}
    done: set[str] = set()

    def visit(name: str, path: tuple[str, ...]) -> Iterator[Problem]:
        if name in path:
            circle = " → ".join([*path[path.index(name) :], name])
            yield Problem(
                book.definitions[name].place, "a definition depends on itself", circle, "definitions without a circle"
            )
        elif name not in done:
            done.add(name)
            for used in sorted(uses[name]):
                yield from visit(used, (*path, name))

    for name in book.definitions:
        yield from visit(name, ())


def _levels(terms: Iterable[t.Term]) -> dict[str | None, int]:
    """How many levels the terms have, by None, and in which level they use each definition last."""
    found: dict[str | None, int] = {None: 0}
    row, level = list(terms), 0
    while row:
        level += 1
        found[None] = level
        for term in row:
            match term:
                case t.Use(definition=name) | t.Sum(function=name, is_variable=False):
                    found[name] = level
        row = [part for term in row for part in t.parts(term)]
    return found


def _too_deep(book: RuleBook) -> Iterator[Problem]:
    """Definitions that need more levels than can be evaluated, where those that they use do not yet.

    A chain may be longer than Python can follow by recursion, so this walks with a list. Circles are left to `_cycles`.
    """
    levels = {name: _levels(definition.terms()) for name, definition in book.definitions.items()}
    depths: dict[str | None, int] = {None: 0}
    begun: set[str | None] = {None}
    for start in book.definitions:
        path = [] if start in begun else [start]
        while path:
            name = path[-1]
            begun.add(name)
            following = next((used for used in levels[name] if used is not None and used not in begun), None)
            if following is not None:
                path.append(following)
                continue
            path.pop()
            depth = max(level + depths.get(used, 0) for used, level in levels[name].items())
            if depth > DEEPEST_USE and all(depths.get(used, 0) <= DEEPEST_USE for used in levels[name]):
                found, expected = f"{depth} levels in “{name}”", f"at most {DEEPEST_USE}"
                yield Problem(book.definitions[name].place, "definitions use one another too deeply", found, expected)
            depths[name] = depth


def _phases(book: RuleBook) -> Iterator[Problem]:
    if PHASE not in book.definitions:
        return
    definition = book.definitions[PHASE]
    domain = book.domains[definition.type.base]
    excluded = tuple(exclusion.under for exclusion in book.exclusions)
    for value in domain.values:
        here = [event for event in book.events.values() if value.name in event.phases]
        for one, other in combinations(here, 2):
            if (one.is_automatic or other.is_automatic) and compatible(one.under, other.under, excluded):
                expected = "an automatic event to be the only one in its phase"
                yield Problem(
                    other.place, f"two events compete in the phase {value.name}", f"{one.id} and {other.id}", expected
                )
    idle = [
        value.name for value in domain.values if not any(value.name in event.phases for event in book.events.values())
    ]
    if len(idle) > 1:
        yield Problem(
            definition.place, "a phase without an event", " and ".join(idle), "one such phase, the end of the game"
        )
    reached = {
        node.value
        for term in definition.terms()
        for node in t.walk(term)
        if isinstance(node, t.Const) and node.type == definition.type
    }
    for index, value in enumerate(domain.values):
        if index not in reached:
            yield Problem(definition.place, "no clause leads to a phase", value.name, "an alternative of “phase”")


def _slots(effect: Effect) -> list[tuple[str, str]]:
    """What an effect sets, as far as the text tells: a variable, and of which member, or of every one."""
    named = [(part.variable, _EVERY if part.each else repr(part.index)) for part in effect.sets]
    return named + [(name, _EVERY) for name in dict.fromkeys(step.variable for step in effect.deals)]


def _twice(slots: Iterable[tuple[tuple[str, str], tuple[str, str]]]) -> list[str]:
    """The variables of which the two slots of a pair are the same, or one of them is every member."""
    return sorted(
        {name for (name, index), (other, at) in slots if name == other and (index == at or _EVERY in (index, at))}
    )


def _targets(book: RuleBook) -> Iterator[Problem]:
    excluded = tuple(exclusion.under for exclusion in book.exclusions)
    for event in book.events.values():
        for effect in event.effects:
            if twice := _twice(combinations(_slots(effect), 2)):
                yield Problem(effect.clause.place, f"{effect.clause.id} sets a variable twice", twice[0])
        for one, other in combinations(event.effects, 2):
            twice = _twice(product(_slots(one), _slots(other)))
            if twice and compatible(both(event.under, one.clause.under), other.clause.under, excluded):
                expected = f"one of {one.clause.id} and {other.clause.id} under each choice of readings"
                yield Problem(other.clause.place, f"{event.id} sets a variable twice", twice[0], expected)


def _deals(book: RuleBook) -> Iterator[Problem]:
    for event in book.events.values():
        for effect in event.effects:
            variables = [book.variables[step.variable] for step in effect.deals]
            sizes = [book.domains[variable.domain].size if variable.domain else 1 for variable in variables]
            needed = sum((step.count or 0) * size for step, size in zip(effect.deals, sizes, strict=True))
            packs = {variable.type.base for variable in variables}
            if len(packs) > 1:
                yield Problem(effect.clause.place, "one pack is dealt at a time", " and ".join(sorted(packs)))
            elif packs and needed > (held := book.domains[packs.pop()].size):
                yield Problem(effect.clause.place, "more is dealt than the pack has", str(needed), f"at most {held}")


def _setters(book: RuleBook, variable: str) -> list[tuple[EventRule, Under]]:
    return [
        (event, effect.clause.under)
        for event in book.events.values()
        for effect in event.effects
        if any(name == variable for name, _ in _slots(effect))
    ]


def _lives(book: RuleBook) -> Iterator[Problem]:
    for variable in book.variables.values():
        setters = _setters(book, variable.name)
        begun = variable.first is not None and not isinstance(variable.first, t.Const | t.Parameter)
        if not setters and not begun:
            yield Problem(
                variable.place, "no event sets this variable", variable.name, "an effect that sets it, or a definition"
            )
        if variable.first is None and variable.life != WHOLE_GAME:
            for event in book.events.values():
                if event.begins == variable.life and not any(setter is event for setter, _ in setters):
                    yield Problem(
                        variable.place,
                        f"{event.id} begins a {variable.life} and does not give this variable",
                        variable.name,
                    )


def _questions(book: RuleBook) -> Iterator[Problem]:
    used = {question for clause in book.clauses().values() for question, _ in clause.under.choices}
    used |= {question for event in book.events.values() for question, _ in event.under.choices}
    for question in book.questions.values():
        if question.id not in used:
            yield Problem(
                question.place, "no clause depends on this question", question.id, "clauses under its readings"
            )
    for definition in book.definitions.values():
        for one, other in combinations(definition.alternatives, 2):
            if one.when is None and other.when is None and compatible(one.clause.under, other.clause.under):
                found = f"{one.clause.id} and {other.clause.id}"
                yield Problem(
                    other.clause.place,
                    "two alternatives always hold together",
                    found,
                    "a “when”, or readings that differ",
                )
