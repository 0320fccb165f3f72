"""`buckspec report`: what a run found, told again from its record."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from buckspec_tools import exits
from buckspec_tools.options import Choice, language
from buckspec_tools.output import put

if TYPE_CHECKING:
    from buckspec_conformance.stream import Run

_HELP = """\
Tell what a run of `conform` found, from the record that it kept, or compare two runs.

\b
  buckspec conform --output run.jsonl -- node adapter.js
  buckspec report text run.jsonl             as conform told it
  buckspec report html run.jsonl > run.html  or junit, markdown, badge, github
  buckspec report diff old.jsonl new.jsonl   what is better and worse

Exit code: 1 if diff finds something that got worse, else 0; 2 for a mistake on the command line.
"""
FORMATS = ("text", "junit", "html", "markdown", "badge", "github")
DIFF = "diff"


@click.command(name="report", help=_HELP, short_help="Tell a run again, or compare two.")
@click.argument("form", metavar="|".join((*FORMATS, DIFF)), type=Choice((*FORMATS, DIFF)))
@click.argument("runs", metavar="FILE...", nargs=-1, required=True, type=click.Path(path_type=Path, dir_okay=False))
@click.option("--verbose", is_flag=True, help="Tell of every clause and every failure.")
@language
@click.pass_context
def command(ctx: click.Context, form: str, runs: tuple[Path, ...], verbose: bool, lang: str) -> int:
    wanted = 2 if form == DIFF else 1
    if len(runs) != wanted:
        expected = "the record of an old run and of a new one" if form == DIFF else "the record of one run"
        raise click.UsageError(f"found {len(runs)} {'file' if len(runs) == 1 else 'files'}; expected {expected}", ctx)
    held = [_read(ctx, file) for file in runs]
    if form == DIFF:
        from buckspec_conformance.table import diff
        from buckspec_tools.run_report.changes import is_worse, lines

        found = diff(*held)
        put("\n".join(lines(found)))
        return exits.WRONG if is_worse(found) else exits.FINE
    from buckspec_tools.output import shows
    from buckspec_tools.run_report import MARKUP, renderer
    from buckspec_tools.run_report.logs import known
    from buckspec_tools.run_report.view import View

    view = View(held[0], lang, not shows("♠←"), verbose, known(held[0], runs[0]))
    put(renderer(form)(view), is_markup=form in MARKUP)
    return exits.FINE


def _read(ctx: click.Context, file: Path) -> "Run":
    from buckspec_conformance.stream import RunError, read_run

    try:
        return read_run(file)
    except RunError as error:
        raise click.UsageError(str(error), ctx) from error
