"""`buckspec profiles`: which forms of the game are known, and how do they differ?"""

import click

from buckspec_tools.options import FORMATS, ProfileName, language, output
from buckspec_tools.output import put, put_json

_HELP = """\
List the shipped profiles and how they differ from the usual one, or show everything that one of them chooses.

\b
  buckspec profiles                     the list
  buckspec profiles ohio                all numbers and readings of one
  buckspec profiles my-table.yaml       the same of your own
"""


@click.command(name="profiles", help=_HELP, short_help="List the forms of the game, or show one in full.")
@click.argument("wanted", metavar="[NAME|FILE]", required=False, type=ProfileName())
@language
@output
def command(wanted: str | None, lang: str, shape: str) -> None:
    from buckspec.load import load_profile
    from buckspec.sentences import load_sentences
    from buckspec_tools.names import profiles, usual
    from buckspec_tools.report.profiles import as_json, differences, in_full

    if shape != FORMATS[0]:
        for name in [wanted] if wanted else profiles():
            put_json(as_json(load_profile(name), usual()))
        return
    say = load_sentences(lang)
    if wanted:
        lines = in_full(load_profile(wanted), say)
    else:
        lines = differences([load_profile(name) for name in profiles()], usual(), say)
    put("\n".join(lines))
