"""`buckspec new-adapter`: an adapter that greets at once, with one function to fill in."""

import shlex
from importlib.resources import files
from pathlib import Path

import click

from buckspec_tools.options import Choice
from buckspec_tools.output import put

_HELP = """\
Write an adapter between your engine and buckspec: one short file, which greets at once. Fill in one function, play.

\b
  buckspec new-adapter node .        writes adapter.js
  buckspec new-adapter python .      writes adapter.py
  buckspec conform -- node adapter.js

For another language, translate one of them: JSON lines on standard input and output are all that is needed.
"""
_ADAPTERS = {"node": ("adapter.js", "node"), "python": ("adapter.py", "python3")}


@click.command(name="new-adapter", help=_HELP, short_help="Write an adapter for an engine, to fill in.")
@click.argument("language", metavar="node|python", type=Choice(tuple(_ADAPTERS)))
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path, file_okay=False))
@click.pass_context
def command(ctx: click.Context, language: str, folder: Path) -> None:
    from buckspec.formats.wording import harmless

    name, program = _ADAPTERS[language]
    file = folder / name
    text = (files("buckspec_tools") / "templates" / f"{name}.txt").read_text(encoding="utf-8")
    folder.mkdir(parents=True, exist_ok=True)
    try:
        with file.open("x", encoding="utf-8", newline="\n") as out:
            out.write(text)
    except FileExistsError as error:
        raise click.UsageError(f"{file} exists already and is left as it is; name another folder", ctx) from error
    put(harmless(f"{file} is written. Next: buckspec conform -- {program} {shlex.quote(str(file))}"))
