"""`buckspec replay`: was this game played by the rules?"""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

import click

from buckspec_tools.exits import INTERNAL
from buckspec_tools.options import FORMATS, Choice, Processes, choices, language, output, profile
from buckspec_tools.output import put, shows

if TYPE_CHECKING:
    from buckspec_tools.judge import Fault, Outcome, Request

_HELP = """\
Replay recorded games and say whether they were played by the rules.

A FILE is a game log: JSON, YAML, or JSON Lines with one log a line; - is the standard input. Each log gets its verdict:
legal, illegal, claims-differ, incomplete, undetermined, impossible or unreadable. What a log claims is computed anew.

Cards may be missing: ??, ?H or J? stands for a card, or the deal is left out. If the cards that were seen settle it,
the verdict is what they say; otherwise it is undetermined, with one way to fill the cards in that is legal and one that
is not. A game that no cards make legal is impossible, for events that contradict each other. So is a score sheet, which
has no events, if no hand can come to what its lines claim.

\b
  buckspec replay game.json
  buckspec replay --lang es --set start_total=15 game.json
  buckspec replay --readings any --let-stand game.json
  buckspec replay --format json --only-bad archive.jsonl > bad.jsonl

Exit code: 3 if a log is unreadable, else 1 if one is illegal or claims something wrong, else 0; 2 for a mistake on the
command line or in a profile; 70 if a log has no verdict by a fault of this program.
"""


@click.command(name="replay", help=_HELP, short_help="Judge recorded games by the rules.")
@click.argument("files", metavar="FILE...", nargs=-1, required=True, type=click.Path())
@profile
@choices(
    "Set a parameter otherwise than the log or profile; again for more.",
    "Read a question otherwise than the log or profile; again for more.",
)
@click.option(
    "--readings", "every", type=Choice(["any"]), help="Tell for every reading whether the log is legal under it.",
)  # fmt: skip
@click.option("--let-stand", is_flag=True, help="Tell how the game stands if illegal events count as played.")
@language
@output
@click.option("--strict", is_flag=True, help="Count what is not settled (undetermined, incomplete) as wrong.")
@click.option("--only-bad", is_flag=True, help="Leave out the logs with which nothing is wrong.")
@click.option("--summary", is_flag=True, help="Count the verdicts, on stderr.")
@click.option(
    "--jobs", type=Processes(), default=1, show_default=True,
    help="Judge in this many processes, at most one for each processor; for ten thousand logs and more.",
)  # fmt: skip
@click.pass_context
def command(
    ctx: click.Context,
    files: tuple[str, ...],
    profile: str | None,
    parameters: Mapping[str, int],
    readings: Mapping[str, str],
    every: str | None,
    let_stand: bool,
    lang: str,
    shape: str,
    strict: bool,
    only_bad: bool,
    summary: bool,
    jobs: int,
) -> int:
    from buckspec.verdict import exit_code
    from buckspec_tools.batch import STDIN, outcomes
    from buckspec_tools.judge import Request

    if not all(files):
        raise click.UsageError("the name of a file is empty", ctx)
    if files.count(STDIN) > 1:
        raise click.UsageError("the standard input, -, can be read only once", ctx)
    as_text = shape == FORMATS[0]
    further = {"any_reading": every is not None, "let_stand": let_stand}
    request = Request(profile, parameters, readings, lang, as_text, plain=not _shows_cards(), **further)
    counts, faults = _print(outcomes(files, request, jobs), request, strict=strict, only_bad=only_bad)
    if summary:
        click.echo(_summary(counts, lang), err=True)
    return INTERNAL if faults else exit_code(counts, strict)


def _print(found: Iterable["Outcome"], request: "Request", *, strict: bool, only_bad: bool) -> tuple[Counter[str], int]:
    """Print each outcome as it comes, and count the verdicts, and the logs that have none by a fault of ours."""
    from buckspec.verdict import exit_code
    from buckspec_tools.progress import Progress

    counts: Counter[str] = Counter()
    noted: set[str] = set()
    is_first = True
    faults = 0
    with Progress("logs") as progress:
        for outcome in found:
            if outcome.fault is not None:
                progress.hide()
                _blame_us(outcome.fault)
                faults += 1
                continue
            counts[outcome.word] += 1
            if outcome.note and outcome.note not in noted:
                progress.hide()
                noted.add(outcome.note)
                click.echo(f"note: {outcome.note}", err=True)
            is_bad = bool(exit_code([outcome.word], strict))
            if is_bad or not only_bad:
                progress.make_way()
                if request.as_text and not is_first:
                    put()
                _echo(outcome, is_bad=is_bad, as_text=request.as_text)
                is_first = False
            progress.step()
    return counts, faults


def _blame_us(fault: "Fault") -> None:
    from buckspec_tools.edge import internal

    debug = bool(click.get_current_context().find_root().params.get("debug"))
    if debug:
        click.echo(fault.trace, err=True, nl=False)
    click.echo(internal(fault.what, debug), err=True)


def _echo(outcome: "Outcome", *, is_bad: bool, as_text: bool) -> None:
    heading, *rest = outcome.lines
    put(click.style(heading, bold=True, fg="magenta" if is_bad else "green") if as_text else heading)
    if rest:
        put("\n".join(rest))


def _summary(counts: Counter[str], lang: str) -> str:
    from buckspec.sentences import load_sentences
    from buckspec.verdict import PRECEDENCE

    say = load_sentences(lang)
    parts = [f"{counts[word]} {say.report(word)}" for word in reversed(PRECEDENCE) if counts[word]]
    return f"{counts.total()}: {', '.join(parts)}"


def _shows_cards() -> bool:
    """Whether the output can show the signs of cards."""
    from buckspec_tools.names import usual
    from buckspec_tools.report.cards import signs

    return shows(signs(usual()))
