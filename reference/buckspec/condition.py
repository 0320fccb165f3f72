"""Conditions over the state that do not stand in a chapter: in the sources, or typed by a person."""

from collections.abc import Mapping
from dataclasses import replace

from buckspec.build import Builder
from buckspec.document import Node, Scalar
from buckspec.nodes import Collector
from buckspec.problem import Place
from buckspec.rulebook import RuleBook
from buckspec.typed import Term
from buckspec.types import BOOL


def condition(book: RuleBook, text: str, place: Place, names: Mapping[str, Term] | None = None) -> Term:
    """The condition in a text, which may name whatever the rules of the book name, and seats by their number.

    `place` is where the text begins. `names` are further names, such as cards and seats as people write them, each
    with what it stands for; a name of the rule book goes before them. Raises SpecError with the line and column of
    the fault.
    """
    return _checked(book, Scalar(text, place), names, by_number=True)


def condition_in(book: RuleBook, node: Node, names: Mapping[str, Term] | None = None) -> Term:
    """The same for a value in a YAML file, which may go over several lines. Like a rule, it names no seat."""
    return _checked(book, node, names, by_number=False)


def _checked(book: RuleBook, node: Node, names: Mapping[str, Term] | None, *, by_number: bool) -> Term:
    builder = Builder(book.symbols, book.questions, {}, Collector())
    scope = replace(builder.scope, names=names or {}, by_number=by_number)
    return builder.expression(node, "a condition", scope, BOOL)
