"""What is counted: the decisions of a rule book, their conditions, and for each of them the objectives.

The words are those of DO-178C and of CAST-10 for masking MC/DC. A *decision* is a Boolean expression, with or without
Boolean operators (`!`, `&&`, `||`, `?:`). The decisions of a rule book are

- what a requirement says (`applies`, `that`), the `when` of an alternative, a definition that is true or false (`is`);
- the condition of a `?:` that gives something else than a truth value;
- the body of each quantifier (`all`, `exists`, `exists_one`, `filter`), for each member by itself, like the body of a
  loop.

A *condition* is a largest part of a decision in which no Boolean operator stands outermost; a quantifier is one. A
constant is neither, as it has one value only. The same words at two places are two conditions.

The *objectives* of a decision are its two outcomes and, for each condition and each of its two values, a state in which
the condition has this value and is not masked: with the other value of this condition at this place, and everything
else as it is, the decision would come out otherwise. A guard also decides where without it the rest would have no value
(`table(s) != none && suit_of(table(s)) == led`). In the body of a quantifier that has to be so for a member, and the
quantifier (a `filter`: the set) has to come out otherwise, when the body is turned for this member alone. A decision of
one condition outside a quantifier has its two outcomes only, which say the same.

A clause that says what follows or what a value is, without a condition on where it holds, has one objective more: that
it is used.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache

from buckspec import typed as t
from buckspec.rulebook import Clause, RuleBook
from buckspec.types import BOOL

OUTCOME, CONDITION, USE = "outcome", "condition", "use"


@dataclass(frozen=True)
class Objective:
    """Something to be shown: a decision, or one of its conditions (by number), with one value.

    `id` is its name in stored files: it says where the decision stands and counts conditions as written.
    """

    id: str
    kind: str
    value: bool
    condition: int | None = None


@dataclass(frozen=True, eq=False)
class Decision:
    """A decision: where it stands, its expression and its conditions in the order written.

    `owner` is the clause, or the definition or event for what belongs to no clause; `part` says which of its
    expressions. `clause` is None for those. `quantifier` is the one of whose body this is, with the names of the
    quantified variables around it in `around`.
    """

    id: str
    owner: str
    part: str
    clause: Clause | None
    term: t.Term
    conditions: tuple[t.Term, ...]
    objectives: tuple[Objective, ...]
    quantifier: t.Each | None = None
    around: tuple[t.Each, ...] = ()


@dataclass(frozen=True)
class Place:
    """An expression of the rule book: who owns it, and what it is there."""

    owner: str
    part: str
    clause: Clause | None
    term: t.Term


def places(book: RuleBook) -> Iterator[Place]:
    """Every expression that decides what happens, under all readings."""
    for definition in book.definitions.values():
        if definition.value is not None:
            yield Place(definition.name, "is", None, definition.value)
        for case in definition.alternatives:
            if case.when is not None:
                yield Place(case.clause.id, "when", case.clause, case.when)
            yield Place(case.clause.id, "is", case.clause, case.value)
    for event in book.events.values():
        if event.by is not None:
            yield Place(event.id, "by", None, event.by)
        for requirement in event.requires:
            if requirement.applies is not None:
                yield Place(requirement.clause.id, "applies", requirement.clause, requirement.applies)
            yield Place(requirement.clause.id, "that", requirement.clause, requirement.that)
        for effect in event.effects:
            for number, part in enumerate(effect.sets, 1):
                yield Place(effect.clause.id, f"set-{number}", effect.clause, part.value)
                if part.index is not None:
                    yield Place(effect.clause.id, f"index-{number}", effect.clause, part.index)


@cache
def decisions(book: RuleBook) -> tuple[Decision, ...]:
    """Every decision of a rule book, in the order of the book; one in a quantifier follows the one around it."""
    return tuple(decision for place in places(book) for decision in _at(place))


def _at(place: Place) -> Iterator[Decision]:
    id_ = f"{place.owner}/{place.part}"
    if place.term.type == BOOL:
        yield from _decision(place, id_, place.term, None, ())
    else:
        yield from _inside(place, id_, place.term, ())


def _decision(
    place: Place, id_: str, term: t.Term, quantifier: t.Each | None, around: tuple[t.Each, ...]
) -> Iterator[Decision]:
    conditions = tuple(conditions_of(term))
    if conditions:
        objectives = tuple(_objectives(id_, len(conditions), single=term is conditions[0] and quantifier is None))
        yield Decision(
            id_, place.owner, place.part, place.clause, term, conditions, objectives, quantifier, around
        )  # fmt: skip
    for number, condition in enumerate(conditions, 1):
        yield from _inside(place, id_ if term is condition else f"{id_}/{number}", condition, around)


def _inside(place: Place, id_: str, term: t.Term, around: tuple[t.Each, ...]) -> Iterator[Decision]:
    """The decisions inside a term that is none itself, or that is a single condition."""
    for number, inner in enumerate(_outermost(term), 1):
        at = f"{id_}.{number}"
        if isinstance(inner, t.Each):
            yield from _inside(place, at, inner.target, around)
            yield from _decision(place, at, inner.body, inner, (*around, inner))
        else:
            assert isinstance(inner, t.Choice)  # noqa: S101
            yield from _decision(place, at, inner.condition, None, around)
            yield from _inside(place, f"{at}a", inner.then, around)
            yield from _inside(place, f"{at}b", inner.otherwise, around)


def _outermost(term: t.Term) -> Iterator[t.Each | t.Choice]:
    """The quantifiers and choices in a term that stand in no other of them."""
    if isinstance(term, t.Each | t.Choice):
        yield term
    else:
        for part in t.parts(term):
            yield from _outermost(part)


def conditions_of(term: t.Term) -> Iterator[t.Term]:
    """The conditions of a decision, as written."""
    match term:
        case t.Const():
            return
        case t.Not():
            yield from conditions_of(term.operand)
        case t.Both() | t.Either():
            yield from conditions_of(term.left)
            yield from conditions_of(term.right)
        case t.Choice():
            for part in (term.condition, term.then, term.otherwise):
                yield from conditions_of(part)
        case _:
            yield term


def _objectives(id_: str, count: int, single: bool) -> Iterator[Objective]:
    for value in (True, False):
        yield Objective(f"{id_}={_word(value)}", OUTCOME, value)
    for number in range(0 if single else count):
        for value in (True, False):
            yield Objective(f"{id_}#{number + 1}={_word(value)}", CONDITION, value, number)


def _word(value: bool) -> str:
    return str(value).lower()


def whole(decision: Decision, number: int, value: bool, member: int | None = None) -> t.Term:
    """What has to come out otherwise, with one condition at a given value: the decision, or the quantifier around it.

    In a quantifier, it has this value for one member only.
    """
    chosen = decision.conditions[number]
    term = t.rewritten(decision.term, lambda part: t.Const(int(value), BOOL) if part is chosen else None)
    if decision.quantifier is None or member is None:
        return term
    variable = decision.quantifier.variable
    here = t.Equal(variable, t.Const(member, variable.type), negated=False)
    return replace(decision.quantifier, body=t.Choice(here, term, decision.term, BOOL))


def uses(book: RuleBook) -> Mapping[str, Objective]:
    """For each clause without a decision that says where it holds, that it is used: its id, and the objective."""
    effects = [effect.clause for event in book.events.values() for effect in event.effects]
    always = [
        case.clause for definition in book.definitions.values() for case in definition.alternatives if case.when is None
    ]
    return {clause.id: Objective(clause.id, USE, True) for clause in (*always, *effects)}


def owner_of(id_: str) -> str:
    """The clause or definition to which an objective belongs."""
    return id_.partition("/")[0]


def objectives(book: RuleBook) -> Mapping[str, tuple[Decision, Objective]]:
    """Every objective of a rule book by its id."""
    return {objective.id: (decision, objective) for decision in decisions(book) for objective in decision.objectives}
