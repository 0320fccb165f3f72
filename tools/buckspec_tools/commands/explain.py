"""`buckspec explain`: what is the rule, who says so, and what else do people play?"""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import click
from click.shell_completion import CompletionItem

from buckspec_tools.options import ProfileName, language
from buckspec_tools.output import put, shows

if TYPE_CHECKING:
    from buckspec.rulebook import Question
    from buckspec_conformance.partings import Parting

_HELP = """\
Explain a clause, a question, a term, a statement of the sources, a parameter or a chapter of the rules.

\b
  buckspec explain                       everything that can be asked
  buckspec explain play.follow           a rule: its sentence, its condition, its sources, an example
  buckspec explain all-pass              a question: how it can be read, and which profile reads it how
  buckspec explain "left bower"          a word of the game, also by its name in the language that you choose
  buckspec explain ohio.02.7             a statement of a source
"""


def _complete(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    from buckspec_tools.library import open_library
    from buckspec_tools.names import USUAL

    return [CompletionItem(name) for name in open_library(USUAL).names() if name.startswith(incomplete)]


def _partings(question: "Question") -> "Mapping[tuple[str, str], Parting | None]":
    from buckspec_tools.told_apart import told_apart

    return told_apart(question)


@click.command(name="explain", help=_HELP, short_help="Explain a rule, a question or a word of the game.")
@click.argument("words", metavar="[NAME]", nargs=-1, shell_complete=_complete)
@click.option("--profile", type=ProfileName(), metavar="NAME|FILE", help="The profile that is asked.  [default: ohio]")
@language
@click.pass_context
def command(ctx: click.Context, words: tuple[str, ...], profile: str | None, lang: str) -> None:
    from buckspec.sentences import load_sentences
    from buckspec_tools import examples
    from buckspec_tools.library import open_library
    from buckspec_tools.names import USUAL
    from buckspec_tools.options import suggestion
    from buckspec_tools.report.cards import signs
    from buckspec_tools.report.explain import Explainer

    library = open_library(profile or USUAL)
    plain = not shows(signs(library.rules))
    rules, own = library.rules, library.own_file
    explainer = Explainer(
        library, load_sentences(lang), lambda clause: examples.find(clause, rules, own), plain,
        lambda question: examples.tell_apart(question, rules, own), _partings,
    )  # fmt: skip
    name = " ".join(words)
    lines = explainer.all_of(name) if words else explainer.overview()
    if not lines:
        meant = suggestion(name, explainer.names())
        raise click.UsageError(f"nothing has this name; found {name}{meant}", ctx)
    put("\n".join(lines))
