"""`buckspec conform`: does my engine play by the rules, and if not, by which rule and in which smallest game?"""

import warnings
from collections.abc import Callable, Generator, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from buckspec_tools.edge import heed_the_end
from buckspec_tools.keeping import lost
from buckspec_tools.limits import limits, limits_of, words_of
from buckspec_tools.options import Choice, Number, Processes, Seconds, language, suggestion, typed
from buckspec_tools.output import put

if TYPE_CHECKING:
    from buckspec_conformance.baseline import Baseline
    from buckspec_conformance.piped import Piped
    from buckspec_conformance.runner import Options
    from buckspec_conformance.stream import Record, Run
    from buckspec_tools.run_report.view import View

_HELP = """\
Ask an engine everything that the rules say, and tell which clauses hold.

CMD starts the engine; it answers the protocol buckspec-engine/1 on its standard input and output. For each clause that
does not hold, the smallest game that shows it is told, with the one command that reproduces it.

\b
  buckspec new-adapter node .                       first of all: an adapter to fill in
  buckspec conform -- node adapter.js
  buckspec conform --level smoke --only play.follow -- node adapter.js
  buckspec conform --output run.jsonl --report junit=junit.xml -- node adapter.js
  buckspec conform --last-failed run.jsonl -- node adapter.js

Exit code: 0 it conforms, 1 it does not, 2 a mistake on the command line, 4 it did not answer at all, 5 nothing was
tested, 130 interrupted.
"""
LEVELS = ("smoke", "standard", "exhaustive")


class ReportFile(click.ParamType[tuple[str, Path]]):
    """`FORMAT=FILE`."""

    name = "report"

    def get_metavar(self, param: click.Parameter, ctx: click.Context | None = None) -> str:  # noqa: ARG002
        return "FORMAT=FILE"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, Path]:
        from buckspec_tools.run_report import FORMATS

        if isinstance(value, tuple):
            return value
        form, _, file = str(value).partition("=")
        if form not in FORMATS or not file:
            expected = f"FORMAT=FILE, with {', '.join(FORMATS)}"
            meant = f"; did you mean {form}=FILE?" if form in FORMATS else suggestion(form, FORMATS)
            self.fail(f"found {value}; expected {expected}{meant}", param, ctx)
        return form, Path(file)


def _file(name: str, help_text: str, *, exists: bool = False) -> Callable[[Any], Any]:
    kind = click.Path(path_type=Path, dir_okay=False, exists=exists)
    return click.option(name, type=kind, metavar="FILE", help=help_text)


@click.command(
    name="conform", help=_HELP, short_help="Test an engine against the rules.",
    context_settings={"allow_interspersed_args": False},
)  # fmt: skip
@click.argument("engine", metavar="-- CMD...", nargs=-1, type=click.UNPROCESSED)
@click.option("--level", type=Choice(LEVELS), default="standard", show_default=True, help="How much is asked.")
@click.option("--only", multiple=True, metavar="X", help="Only this clause, case, tag or pattern; again for more.")
@click.option("--seed", type=Number(min=0), default=0, show_default=True, help="Where random games begin.")
@click.option("--max-time", type=Seconds(), help="Ask no longer than this.")
@_file("--last-failed", "Only what failed in this earlier run.", exists=True)
@_file("--trace", "Write down every line that is said.")
@click.option("--jobs", type=Processes(), default=1, show_default=True, help="Processes of the engine.")
@_file("--baseline", "Known failures, which do not fail the run.")
@click.option("--update-baseline", is_flag=True, help="Make the file of known failures say what is so now.")
@_file("--output", "Keep the record of the run, and games of failures in a folder beside it.")
@click.option("--overwrite", is_flag=True, help="Write the record whatever stands in its file.")
@_file("--resume", "Go on with this run, which was ended early.", exists=True)
@limits
@click.option("--report", "reports", type=ReportFile(), multiple=True, help="Write a report; again for more.")
@click.option("--verbose", is_flag=True, help="Tell of every clause and every failure.")
@language
@click.pass_context
def command(
    ctx: click.Context,
    /,
    engine: tuple[str, ...],
    baseline: Path | None,
    update_baseline: bool,
    output: Path | None,
    overwrite: bool,
    resume: Path | None,
    trace: Path | None,
    reports: tuple[tuple[str, Path], ...],
    verbose: bool,
    lang: str,
    **chosen: Any,
) -> int:
    _check(ctx, engine, baseline, update_baseline, output, resume)
    _check_folders(ctx, *(file for _, file in reports))
    if output and output != resume and not overwrite and (what := lost(output)):
        raise click.UsageError(f"{output} {what}", ctx)
    heed_the_end()
    from buckspec.problem import SpecError
    from buckspec_conformance.piped import Piped
    from buckspec_conformance.runner import Options
    from buckspec_conformance.select import NothingSelected
    from buckspec_conformance.stream import RunError
    from buckspec_conformance.suite import SuiteError

    try:
        options = Options(
            level=chosen["level"], seed=chosen["seed"], command=tuple(map(typed, engine)), more=words_of(chosen),
            max_time=chosen["max_time"], jobs=chosen["jobs"], baseline=_known(baseline),
            selection=_selection(tuple(map(typed, chosen["only"])), chosen["last_failed"]),
        )  # fmt: skip
        start = partial(Piped, engine, limits_of(chosen), pin=options.jobs == 1)
        run = _run(start, options, output or resume, resume, trace)
    except (NothingSelected, RunError, SuiteError) as error:
        raise click.UsageError(str(error), ctx) from error
    except SpecError as error:
        raise click.UsageError("; ".join(map(str, error.problems)), ctx) from error
    view = _view(run, output or resume, lang, verbose=verbose)
    _tell(view, reports)
    return _updated(baseline, run) if update_baseline and baseline else _exit(run)


def _check(
    ctx: click.Context, engine: tuple[str, ...], baseline: Path | None, update: bool, *files: Path | None
) -> None:
    """Refuse what cannot be meant."""
    if not engine:
        example = "for example: buckspec conform -- node adapter.js"
        raise click.UsageError(f"no engine; put the command that starts it behind --, {example}", ctx)
    if update and baseline is None:
        raise click.UsageError("--update-baseline needs --baseline FILE", ctx)
    if baseline and not update and not baseline.exists():
        raise click.UsageError(f"{baseline}: no such file; --update-baseline writes it", ctx)
    output, resume = files
    if output and resume and output != resume:
        raise click.UsageError("--resume goes on in its own file; leave out --output", ctx)


def _check_folders(ctx: click.Context, *files: Path) -> None:
    """Refuse what could not be written once all is known."""
    for file in files:
        if not file.parent.is_dir():
            raise click.UsageError(f"{file}: there is no folder {file.parent}", ctx)
        if file.is_dir():
            raise click.UsageError(f"{file} is a folder; expected a file", ctx)


def _selection(only: tuple[str, ...], last_failed: Path | None) -> Any:
    from buckspec_conformance.select import NothingSelected, Selection, failed_in
    from buckspec_conformance.stream import read_run

    if last_failed is None:
        return Selection(only)
    ids = failed_in(read_run(last_failed))
    if not ids:
        raise NothingSelected(f"{last_failed}: nothing failed in that run")
    return Selection(only, ids)


def _known(file: Path | None) -> "Baseline":
    from buckspec_conformance.baseline import Baseline, read

    try:
        return read(file.read_text(encoding="utf-8"), str(file)) if file and file.exists() else Baseline()
    except UnicodeDecodeError as error:
        raise click.UsageError(f"{file}: {error.reason} at byte {error.start}; expected text in UTF-8") from error


# ---------------------------------------------------------------------- the run


def _run(
    start: Callable[..., "Piped"], options: "Options", file: Path | None, resume: Path | None, trace: Path | None
) -> "Run":
    """Ask the engine, show how far it is, keep the record in the file, and give the run."""
    from buckspec_conformance.runner import run
    from buckspec_conformance.stream import read_run, run_of
    from buckspec_conformance.trace import Trace

    warnings.filterwarnings("ignore", message="Generating overly large repr")  # of a search, told to nobody who asked
    before = read_run(resume) if resume else None
    said = Trace(trace) if trace else None
    try:
        records = run(lambda: start(trace=said), options, before=before)
        told = list(_shown(_kept(_patient(records), file, before)))
    finally:
        if said is not None:
            said.close()
    past: list[Record] = [before.header, *before.cases, *before.blames.values()] if before else []
    return run_of([*past, *told])


def _patient(records: Any) -> Iterator["Record"]:
    """The same, but Ctrl-C ends the asking, wherever it strikes, and not the telling."""
    source: Generator[Record, None, None] = records
    interrupted = False
    while True:
        try:
            record = source.throw(KeyboardInterrupt()) if interrupted else next(source)
        except StopIteration:
            return
        interrupted = False
        try:
            yield record
        except KeyboardInterrupt:
            interrupted = True


def _kept(records: Iterator["Record"], file: Path | None, before: "Run | None") -> Iterator["Record"]:
    """The same, each written to the file. The file is opened when there is something to write."""
    if file is None:
        yield from records
        return
    from itertools import chain

    from buckspec_conformance.stream import Stream, kept

    first = next(records)
    with Stream(file, before) as stream:
        yield from kept(chain([first], records), stream)


def _shown(records: Iterator["Record"]) -> Iterator["Record"]:
    """The same, with a bar on a terminal."""
    import sys

    if sys.stderr is None or not sys.stderr.isatty():
        yield from records
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    from buckspec_conformance.stream import BROKEN, CaseRecord

    columns = (SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    count = wrong = 0
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("greeting the engine", total=None)
        for record in records:
            if isinstance(record, CaseRecord):
                count, wrong = count + 1, wrong + (record.outcome in BROKEN)
                progress.update(task, description=f"{record.layer}: {count} cases, {wrong} wrong")
            yield record


# ---------------------------------------------------------------------- afterwards


def _view(run: "Run", file: Path | None, lang: str, *, verbose: bool) -> "View":
    from buckspec_tools.output import shows
    from buckspec_tools.run_report.logs import write
    from buckspec_tools.run_report.view import View

    plain = not shows("♠←")
    logs: Mapping[str, str] = write(View(run, lang), file) if file else {}
    return View(run, lang, plain, verbose, logs)


def _tell(view: "View", reports: tuple[tuple[str, Path], ...]) -> None:
    from buckspec_tools.run_report import MARKUP, renderer

    put(renderer("text")(view))
    for form, file in reports:
        text = renderer(form)(view)
        if str(file) == "-":
            put(text, is_markup=form in MARKUP)
        else:
            file.write_text(click.unstyle(text) + "\n", encoding="utf-8", errors="backslashreplace")


def _exit(run: "Run") -> int:
    from buckspec_tools.exits import INTERNAL

    return run.footer.exit if run.footer else INTERNAL


def _updated(file: Path, run: "Run") -> int:
    """Write the known failures as they are now. Then only what cannot be known beforehand still fails."""
    from buckspec_conformance.baseline import read, updated
    from buckspec_conformance.patience import DECLINED
    from buckspec_conformance.runner import CONFORMS, DIFFERS, INTERRUPTED, NO_HELLO, NOTHING

    code = _exit(run)
    if code in (NO_HELLO, NOTHING, INTERRUPTED) or (run.footer and run.footer.stopped == DECLINED):
        return code  # it is not known what fails
    text = file.read_text(encoding="utf-8") if file.exists() else ""
    new = updated(text, run, str(file))
    file.write_text(new, encoding="utf-8")
    put(f"{file}: {len(read(new, str(file)).entries)} known failures")
    return DIFFERS if any(case.outcome == "suite-error" for case in run.cases) else CONFORMS
