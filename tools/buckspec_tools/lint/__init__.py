"""Whether a rule book, or a house rule, is well written: what can be checked without playing.

`folder` reads the files, `books` has the loader check each profile, `english` lists the texts, `forms` judges a
sentence, `clauses` the sentences and origins of clauses, `citations` the statements of the sources, `translations`
the other languages, and `schema` the shape of each file. One run shows everything.
"""

from pathlib import Path

from buckspec.problem import Problem, SpecError
from buckspec.sources import find_profile, profile_names
from buckspec_tools.lint.books import read_book
from buckspec_tools.lint.citations import check_citations, check_theorems
from buckspec_tools.lint.clauses import check_origins, check_sentences
from buckspec_tools.lint.english import EnglishTexts
from buckspec_tools.lint.folder import Folder, own_folder, read_folder
from buckspec_tools.lint.schema import check_first_lines, check_shapes
from buckspec_tools.lint.translations import check_translations
from buckspec_tools.names import USUAL


def lint(spec: Path, extra: Path | None = None) -> list[Problem]:
    """Every problem of the rule book in the folder `spec`, sorted by place; an empty list if there is none.

    With `extra`, a profile of a user's own or the folder of one, only that is judged, as an addition to `spec`.
    Raises nothing for a fault in the rules; OSError if `spec` is no folder that can be read.
    """
    spec = spec.resolve()
    shipped = read_folder(spec)
    problems = _own(shipped, extra) if extra is not None else _shipped(shipped)
    return sorted(set(problems), key=lambda problem: (problem.place, str(problem)))


def _shipped(folder: Folder) -> list[Problem]:
    english = EnglishTexts(folder)
    books = {name: read_book(find_profile(name, folder.spec)) for name in profile_names(folder.spec)}
    problems = [*folder.problems, *(problem for _, faults in books.values() for problem in faults)]
    problems += check_first_lines(folder)
    if folder.problems:
        return problems  # as without one file, much in the others seems to be wrong
    problems += check_sentences(english, folder)
    problems += check_origins(english)
    problems += check_citations(english, folder)
    usual, _ = books.get(USUAL, (None, []))
    if usual is not None:
        problems += check_theorems(folder, usual)
    problems += check_translations(english, folder)
    # Last, because what is wrong with a shape has mostly been said better by then.
    return problems or list(check_shapes(folder))


def _own(shipped: Folder, extra: Path) -> list[Problem]:
    try:
        sources = find_profile(extra.as_posix(), shipped.spec)
    except SpecError as error:
        return list(error.problems)
    folder = own_folder(sources)
    english = EnglishTexts(folder)
    problems = [*folder.problems, *read_book(sources)[1]]
    problems += check_first_lines(folder)
    problems += check_sentences(english, folder, shipped)
    problems += check_origins(english, EnglishTexts(shipped))
    return problems or list(check_shapes(folder))
