"""Every shipped profile loads, and goes on to make rules when any one reading is changed."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from buckspec.load import load_rulebook
from buckspec.problem import Problem, SpecError
from buckspec.rulebook import RuleBook
from buckspec.rules import choose
from buckspec.sources import Sources, find_profile, profile_names


def check_books(spec: Path) -> Iterator[Problem]:
    """The problems of every shipped profile."""
    for name in profile_names(spec):
        yield from check_own_book(find_profile(name, spec))


def check_own_book(sources: Sources) -> Iterator[Problem]:
    """The problems of one profile, of its readings as they are and of each single change to them."""
    try:
        book = load_rulebook(sources)
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
