"""`buckspec completion`: the script with which a shell completes commands, options and names."""

import click
from click.shell_completion import get_completion_class

from buckspec_tools.options import Choice

SHELLS = ("bash", "zsh", "fish")
_WHERE = """\
Print a script that teaches a shell to complete commands, options and names.

\b
  bash   eval "$(buckspec completion bash)"      in ~/.bashrc
  zsh    eval "$(buckspec completion zsh)"       in ~/.zshrc
  fish   buckspec completion fish > ~/.config/fish/completions/buckspec.fish
"""


@click.command(name="completion", help=_WHERE, short_help="Print a completion script for a shell.")
@click.argument("shell", type=Choice(SHELLS))
@click.pass_context
def command(ctx: click.Context, shell: str) -> None:
    kind = get_completion_class(shell)
    if kind is None:
        raise click.UsageError(f"this version of click knows no {shell}", ctx)
    made = kind(ctx.find_root().command, {}, "buckspec", "_BUCKSPEC_COMPLETE")
    # not made.source(), which starts a bash to ask for its version
    click.echo(made.source_template % made.source_vars())
