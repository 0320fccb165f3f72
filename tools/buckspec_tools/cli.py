"""The command `buckspec`: the group, and where its commands lie. Each is imported when it is asked for."""

import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any, NoReturn

import click

from buckspec_tools.edge import closable, guarded
from buckspec_tools.options import suggestion

_HELP = """\
The rules of Buck Euchre: judge recorded games, and read and check the rules.

\b
  buckspec replay game.json              was this game played by the rules?
  buckspec explain play.follow           what is the rule, and who says so?
  buckspec profiles                      which forms of the game are known?
  buckspec lint my-table.yaml            is my house rule well written?
  buckspec prove my-table.yaml           does it leave a hole, or contradict itself?
  buckspec diff ohio my-table.yaml       where does it part from another form?
  buckspec conform -- node adapter.js    does my engine play by the rules?
"""

COMMANDS = (
    "replay",
    "explain",
    "profiles",
    "lint",
    "prove",
    "witness",
    "diff",
    "mutants",
    "coverage",
    "conform",
    "doctor",
    "new-adapter",
    "report",
    "completion",
)


class Front(click.Group):
    """The group: imports a command when it is needed, suggests names, and lets no traceback out."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in COMMANDS:
            return None
        command = import_module(f"buckspec_tools.commands.{cmd_name.replace('-', '_')}").command
        return command if isinstance(command, click.Command) else None

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        with closable():
            return super().make_context(info_name, args, parent, **extra)

    def invoke(self, ctx: click.Context) -> Any:
        with closable():
            return super().invoke(ctx)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] not in COMMANDS and not args[0].startswith("-") and not ctx.resilient_parsing:
            raise click.UsageError(f"unknown command; found {args[0]}{suggestion(args[0], COMMANDS)}", ctx)
        return super().resolve_command(ctx, args)

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,  # noqa: ARG002 - always the same
        complete_var: str | None = None,
        standalone_mode: bool = True,  # noqa: ARG002 - edge does what click would do
        windows_expand_args: bool = True,
        **extra: Any,
    ) -> NoReturn:
        """Run a command line and end with its exit code, whatever happens."""
        given = list(sys.argv[1:] if args is None else args)

        def run() -> object:
            return super(Front, self).main(
                args, "buckspec", complete_var, standalone_mode=False, windows_expand_args=windows_expand_args, **extra
            )

        sys.exit(guarded(run, debug=lambda: "--debug" in given))


def _version(ctx: click.Context, _param: click.Parameter, asked: bool) -> None:
    if not asked or ctx.resilient_parsing:
        return
    from buckspec_tools.versions import version_line

    click.echo(version_line())
    ctx.exit()


@click.group(cls=Front, help=_HELP, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_version, help="Show all versions."
)
@click.option("--debug", is_flag=True, help="Show a traceback where something fails.")
@click.pass_context
def cli(ctx: click.Context, debug: bool) -> None:  # noqa: ARG001 - read by main, which also serves what fails before
    if os.environ.get("NO_COLOR"):
        ctx.color = False


def main() -> NoReturn:
    """Run the command line that was typed."""
    cli.main()
