"""The names that a user may type: for completion in a shell, for lists, and for “did you mean”."""

from buckspec.load import load_profile
from buckspec.rules import Rules
from buckspec.sources import profile_names

USUAL = "ohio"
"""The profile whose names are offered where none is asked for."""


def profiles() -> list[str]:
    """The shipped profiles."""
    return profile_names()


def usual() -> Rules:
    """The rules of the usual profile, with the clauses of all readings in its book."""
    return load_profile(USUAL)


def parameters() -> list[str]:
    """`name=` for each parameter."""
    return [f"{name}=" for name in usual().parameters]


def readings() -> list[str]:
    """`question=reading` for each reading of each question."""
    book = usual().book
    return [f"{name}={reading}" for name, question in book.questions.items() for reading in question.readings]
