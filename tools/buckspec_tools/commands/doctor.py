"""`buckspec doctor`: does my adapter speak the protocol?"""

import shlex
from typing import TYPE_CHECKING, Any

import click

from buckspec_tools import exits
from buckspec_tools.edge import heed_the_end
from buckspec_tools.limits import limits, limits_of
from buckspec_tools.options import typed
from buckspec_tools.output import put

if TYPE_CHECKING:
    from buckspec_conformance.finding import Finding
    from buckspec_conformance.transport import Limits

_HELP = """\
Check how an adapter speaks, before anybody asks what it says: one finding after the other, each with the bytes that
show it and what to do.

\b
  buckspec doctor -- node adapter.js

Exit code: 0 nothing that breaks the protocol, 1 a fault, 2 a mistake on the command line.
"""
_COLORS = {"fault": "magenta", "warning": "yellow", "info": None}


@click.command(
    name="doctor", help=_HELP, short_help="Check how an adapter speaks.",
    context_settings={"allow_interspersed_args": False},
)  # fmt: skip
@click.argument("engine", metavar="-- CMD...", nargs=-1, type=click.UNPROCESSED)
@limits
@click.pass_context
def command(ctx: click.Context, /, engine: tuple[str, ...], **chosen: Any) -> int:
    if not engine:
        example = "for example: buckspec doctor -- node adapter.js"
        raise click.UsageError(f"no engine; put the command that starts it behind --, {example}", ctx)
    from buckspec_conformance.doctor import examine

    heed_the_end()
    most = limits_of(chosen)
    found = examine(engine, most)
    for finding in found:
        _tell(finding)
    faults = sum(1 for finding in found if finding.level == "fault")
    open_ = None if faults else _unwritten(engine, most)
    if open_ is not None:
        put(f"It speaks the protocol, but does not play yet. Next: {open_}")
        return exits.FINE
    put(_conclusion(faults, len(found) - faults, shlex.join(map(typed, engine))))
    return exits.WRONG if faults else exits.FINE


def _unwritten(engine: tuple[str, ...], most: "Limits") -> str | None:
    """Why the engine declines to play the example of the protocol; None if it plays."""
    from buckspec.formats.validate import schema
    from buckspec.formats.wording import harmless
    from buckspec_conformance.asking import Failure
    from buckspec_conformance.piped import Piped
    from buckspec_conformance.protocol import prepare

    with Piped(engine, most) as transport:
        found = transport.ask(prepare(schema("engine-play-request")["examples"][0]))
    declined = isinstance(found, Failure) and found.kind == "unsupported"
    return harmless(found.message) if isinstance(found, Failure) and declined else None


def _tell(finding: "Finding") -> None:
    from buckspec.formats.wording import harmless
    from buckspec_tools.report.columns import indented, labelled

    heading = f"{finding.level}: {harmless(finding.what)}"
    put(click.style(heading, bold=True, fg=_COLORS[finding.level]))
    entries = [("sent", finding.sent), ("received", finding.received), ("to do", finding.todo)]
    told = [(label, harmless(text)) for label, text in entries if text]
    put("\n".join([*indented(labelled(told)), ""]))


def _conclusion(faults: int, others: int, command: str) -> str:
    from buckspec.formats.wording import harmless

    if faults:
        return f"{faults} {'fault' if faults == 1 else 'faults'}: mend the first one, and ask again."
    praise = "Nothing breaks the protocol." if others else "Nothing to report."
    return f"{praise} Next: buckspec conform -- {harmless(command)}"
