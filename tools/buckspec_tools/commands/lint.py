"""`buckspec lint`: is the rule book, or a house rule, well written?"""

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from buckspec_tools import exits
from buckspec_tools.options import FORMATS, output
from buckspec_tools.output import put, put_json

if TYPE_CHECKING:
    from buckspec.problem import Problem

_HELP = """\
Check the rule book, or rules of your own, and print every problem with its place.

\b
  buckspec lint                     the rule book of this package
  buckspec lint spec                a copy of it that you are working on
  buckspec lint my-table.yaml       a profile of your own
  buckspec lint my-table            a folder with profile.yaml and chapters in rules/

Exit code: 0 nothing to report, 1 problems, 2 nothing that can be checked.
"""
_MARK = "domains.yaml"  # what a copy of the rule book has and a folder of one's own has not


@click.command(name="lint", help=_HELP, short_help="Check the rule book, or a house rule of your own.")
@click.argument("place", metavar="[DIR|FILE]", required=False, type=click.Path(path_type=Path))
@output
def command(place: Path | None, shape: str) -> int:
    from buckspec.data import spec_dir
    from buckspec_tools.lint import lint

    spec, own = spec_dir(), None
    if place is not None:
        spec, own = (place, None) if (place / _MARK).is_file() else (spec, _own(place))
    problems = lint(spec, own)
    if shape != FORMATS[0]:
        for problem in problems:
            held = {key: value for key, value in asdict(problem).items() if value is not None}
            put_json(held.pop("place") | held)
    elif problems:
        for line in _told(problems, spec):
            put(line)
    else:
        put(_praise(spec, own))
    return exits.WRONG if problems else exits.FINE


def _own(place: Path) -> Path:
    """The place, if rules of one's own lie there."""
    if not place.exists():
        raise click.UsageError(f"{place}: no such file or folder", click.get_current_context())
    if not place.is_file() and not place.is_dir():
        raise click.UsageError(f"{place}: neither a file nor a folder", click.get_current_context())
    if place.is_dir() and not (place / "profile.yaml").is_file():
        expected = f"a copy of the rule book, with {_MARK}, or a folder of your own, with profile.yaml"
        raise click.UsageError(f"{place}: no rules in this folder; expected {expected}", click.get_current_context())
    return place


def _told(problems: list["Problem"], spec: Path) -> Iterator[str]:
    """Each problem, with the line of the file in which it is and a mark below the place."""
    from buckspec.formats.wording import harmless
    from buckspec_tools.report.excerpt import excerpt

    for problem in problems:
        yield harmless(str(problem))
        yield from excerpt(problem.place, spec.parent)


def _praise(spec: Path, own: Path | None) -> str:
    from buckspec.load import load_profile
    from buckspec.sources import profile_names

    names = [str(own)] if own else profile_names(spec)
    books = [load_profile(name, spec=spec).book for name in names]
    clauses = {clause for book in books for clause in book.clauses()}
    questions = {question for book in books for question in book.questions}
    return f"{len(clauses)} clauses, {len(questions)} questions, nothing to report"
