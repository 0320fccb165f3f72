"""The expressions of a rule book by where they stand, and checked terms as text, for tests that speak about them."""

from collections.abc import Iterator

from buckspec import typed as t
from buckspec.rulebook import RuleBook
from buckspec.rules import Rules


def expressions(book: RuleBook) -> Iterator[tuple[str, str, t.Term]]:
    """Every expression that decides play: the clause or definition, what it is there, and the term."""
    for definition in book.definitions.values():
        if definition.value is not None:
            yield definition.name, "is", definition.value
        for case in definition.alternatives:
            if case.when is not None:
                yield case.clause.id, "when", case.when
            yield case.clause.id, "is", case.value
    for event in book.events.values():
        if event.by is not None:
            yield event.id, "by", event.by
        for requirement in event.requires:
            if requirement.applies is not None:
                yield requirement.clause.id, "applies", requirement.applies
            yield requirement.clause.id, "that", requirement.that
        for effect in event.effects:
            for part in effect.sets:
                yield effect.clause.id, "set", part.value


def single_readings(rules: Rules) -> Iterator[dict[str, str]]:
    """The usual readings, each other one alone, and what a clause needs that asks for several."""
    book = rules.book
    found = [{}, *({question.id: name} for question in book.questions.values() for name in question.readings)]
    for clause in book.clauses().values():
        usual = book.readings
        found.append({question: min(names) for question, names in clause.under.choices if usual[question] not in names})
    for number, one in enumerate(found):
        chosen = {question: name for question, name in one.items() if book.readings[question] != name}
        is_new = chosen not in [dict(other) for other in found[:number]] and (chosen or not number)
        if is_new and not any(exclusion.under.holds({**book.readings, **chosen}) for exclusion in book.exclusions):
            yield chosen


def text(term: t.Term, book: RuleBook) -> str:
    """A term, about as it is written."""

    def of(inner: t.Term) -> str:
        return text(inner, book)

    def call(name: str, argument: t.Term | None) -> str:
        return name if argument is None else f"{name}({of(argument)})"

    match term:
        case t.Const():
            return _constant(term, book)
        case t.Parameter() | t.Local():
            return term.name
        case t.Read():
            return call(term.variable, term.index)
        case t.Use():
            return call(term.definition, term.argument)
        case t.Look():
            return call(term.table, term.argument)
        case t.Collect():
            return f"[{', '.join(map(of, term.items))}]"
        case t.Left():
            return f"left({of(term.start)}, {of(term.steps)})"
        case t.Sum():
            return f"sum({term.function})"
        case t.Size():
            return f"{of(term.target)}.size()"
        case t.With() | t.Without():
            method = "add" if isinstance(term, t.With) else "remove"
            return f"{of(term.target)}.{method}({of(term.element)})"
        case t.Only():
            return f"{of(term.target)}.only()"
        case t.FirstFrom():
            return f"{of(term.target)}.first_from({of(term.start)})"
        case t.Each():
            return f"{of(term.target)}.{term.quantifier}({term.variable.name}, {of(term.body)})"
        case t.Not():
            return f"!{of(term.operand)}"
        case t.Negative():
            return f"-{of(term.operand)}"
        case t.Arithmetic() | t.Compare():
            return f"{of(term.left)} {term.operator} {of(term.right)}"
        case t.Equal():
            return f"{of(term.left)} {'!=' if term.negated else '=='} {of(term.right)}"
        case t.Among():
            return f"{of(term.element)} in {of(term.target)}"
        case t.Both():
            return f"{of(term.left)} && {of(term.right)}"
        case t.Either():
            return f"({of(term.left)} || {of(term.right)})"
        case t.Choice():
            return f"{of(term.condition)} ? {of(term.then)} : {of(term.otherwise)}"


def _constant(term: t.Const, book: RuleBook) -> str:
    if term.type.base == "bool":
        return str(bool(term.value)).lower()
    domain = book.domains.get(term.type.base)
    if term.type.many:
        return (domain.plural if domain and term.value else None) or "empty"
    if domain is None:
        return "none" if term.type.optional else str(term.value)
    return f"{domain.name}.{domain.values[term.value].name}"
