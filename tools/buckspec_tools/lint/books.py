"""Every shipped profile loads, and goes on to make rules when any one reading is changed."""

from collections.abc import Iterator
from dataclasses import replace

from buckspec.load import load_rulebook
from buckspec.problem import Problem, SpecError
from buckspec.rulebook import RuleBook
from buckspec.rules import choose
from buckspec.sources import Sources


def read_book(sources: Sources) -> tuple[RuleBook | None, list[Problem]]:
    """The rule book of a profile, if it can be loaded, and what is wrong with it."""
    try:
        book = load_rulebook(sources)
    except SpecError as error:
        return None, list(error.problems)
    return book, list(_choices(book))


def _choices(book: RuleBook) -> Iterator[Problem]:
    """The problems of the profile's readings as they are, and of each single change to them."""
    try:
        choose(book, book.profile, {}, {}, is_shipped=False)
    except SpecError as error:
        yield from error.problems
        return
    for question in book.questions.values():
        for reading in question.readings:
            if reading != book.readings[question.id]:
                yield from _changed(book, question.id, reading)


def _changed(book: RuleBook, question: str, reading: str) -> Iterator[Problem]:
    readings = {**book.readings, question: reading}
    if any(exclusion.under.holds(readings) for exclusion in book.exclusions):
        return
    try:
        choose(book, book.profile, {}, readings, is_shipped=False)
    except SpecError as error:
        for problem in error.problems:
            yield replace(problem, found=f"{problem.found} where {question} is {reading}")
