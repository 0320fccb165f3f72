"""All mutants of the rules of a profile."""

from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random

from buckspec.load import load_profile
from buckspec.sources import find_profile
from buckspec_conformance.mutants.mutant import Mutant
from buckspec_conformance.mutants.operators import Operators
from buckspec_conformance.mutants.spots import parts

PROFILE = "ohio"
"""The profile whose rules are changed: the one of which all shipped profiles are variants."""


def mutants(only: str | None = None) -> list[Mutant]:
    """Every mutant, or those of one clause, definition or other place, in the order of the files.

    Raises LookupError where there is none in that place.
    """
    found = [mutant for mutant in _all() if only in (None, mutant.spot.where)]
    if not found:
        raise LookupError(only)
    return found


def sampled(found: Sequence[Mutant], number: int, seed: int = 1) -> list[Mutant]:
    """Some of the mutants, in their order; always the same ones."""
    places = Random(seed).sample(range(len(found)), min(number, len(found)))  # noqa: S311 - a sample is no secret
    return [found[place] for place in sorted(places)]


def _all() -> Iterator[Mutant]:
    sources = find_profile(PROFILE)
    book = load_profile(PROFILE).book
    operators = Operators(book)
    chapters = [sources.chapter(chapter.id, chapter.place) for chapter in book.chapters]
    said: Counter[str] = Counter()
    for part in parts(sources, chapters):
        for change in operators.changes(part):
            mutant = Mutant("", change.operator, part.spot, change.old, change.new, change.text)
            said[mutant.said] += 1
            number = said[mutant.said]
            id_ = mutant.said if number == 1 else f"{mutant.said} ({number})"
            yield Mutant(id_, change.operator, part.spot, change.old, change.new, change.text)
