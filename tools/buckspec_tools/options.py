"""Options and arguments that several commands share: choices that suggest, pairs, and what a shell can complete."""

import os
import re
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import click
from click.shell_completion import CompletionItem

_Command = TypeVar("_Command", bound=Callable[..., Any])
LANGUAGES = ("en", "es", "pt-BR")
FORMATS = ("text", "json")
WHOLE = re.compile("-?(0|[1-9][0-9]{0,17})")  # the digits that a log may have

_TIME = re.compile(r"[0-9]{1,6}(\.[0-9]{1,9})?")
_INSTANT = 0.001
"""Seconds that no clock here can divide."""


def suggestion(word: str, known: Sequence[str]) -> str:
    """`; did you mean …?` if some known word looks like this one, else nothing."""
    from buckspec.problem import nearest

    meant = nearest(word, known)
    return f"; did you mean {meant}?" if meant else ""


def typed(word: str) -> str:
    """A word of the command line as a text in UTF-8, also where the system is set to a language of ASCII alone."""
    try:
        word.encode("utf-8")
    except UnicodeEncodeError:
        return os.fsencode(word).decode("utf-8", "backslashreplace")
    return word


class Choice(click.Choice[str]):
    """One of a few words; a wrong one is told which it may have been meant for."""

    def get_invalid_choice_message(self, value: object, ctx: click.Context | None) -> str:  # noqa: ARG002
        words = [str(choice) for choice in self.choices]
        return f"found {value!s}; expected {' or '.join(words)}{suggestion(str(value), words)}"

    def get_missing_message(self, param: click.Parameter, ctx: click.Context | None) -> str:  # noqa: ARG002
        return f"Expected {' or '.join(map(str, self.choices))}"


class Number(click.IntRange):
    """A whole number that is written as in a log."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if isinstance(value, str) and not WHOLE.fullmatch(value):
            self.fail(f"found {value}; expected a whole number", param, ctx)
        number: Any = value
        return super().convert(number, param, ctx)


class Seconds(click.ParamType[float]):
    """A time that comes to an end: some seconds, written with digits alone."""

    name = "seconds"

    def get_metavar(self, param: click.Parameter, ctx: click.Context | None = None) -> str:  # noqa: ARG002
        return "SECONDS"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        if isinstance(value, float):
            return value
        # not all that float() takes: nan, inf, 1_0, other scripts, more than a clock can count
        if not _TIME.fullmatch(str(value)) or float(value) < _INSTANT:
            self.fail(f"found {value}; expected seconds above 0, such as 60 or 2.5", param, ctx)
        return float(value)


class Processes(Number):
    """How many processes work. More than the machine has processors would only be in each other's way."""

    name = "number"

    def __init__(self) -> None:
        super().__init__(min=1)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        asked, most = super().convert(value, param, ctx), os.cpu_count() or 1
        if asked > most:
            click.echo(
                f"note: {asked} processes asked for; this machine has {most} processors, so it is {most}", err=True
            )
        return min(asked, most)


class Pair(click.ParamType[Any]):
    """`NAME=VALUE`, as a pair of texts; with `number`, the value is a whole number."""

    name = "pair"

    def __init__(self, left: str, right: str, *, number: bool = False) -> None:
        self.left, self.right, self.number = left, right, number

    def get_metavar(self, param: click.Parameter, ctx: click.Context | None = None) -> str:  # noqa: ARG002
        return f"{self.left}={self.right}"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, Any]:
        if isinstance(value, tuple):
            return value
        left, sign, right = str(value).partition("=")
        if not sign or not left or not right:
            self.fail(f"found {value}; expected {self.left}={self.right}", param, ctx)
        if not self.number:
            return left, right
        # as in a log: int() would take other scripts, blanks and underlines as well
        if not WHOLE.fullmatch(right):
            self.fail(f"{left}: found {right}; expected a whole number", param, ctx)
        return left, int(right)

    def shell_complete(  # click calls it with all three
        self,
        ctx: click.Context,  # noqa: ARG002
        param: click.Parameter,  # noqa: ARG002
        incomplete: str,
    ) -> list[CompletionItem]:
        from buckspec_tools import names

        known = names.parameters() if self.number else names.readings()
        return [CompletionItem(word) for word in known if word.startswith(incomplete)]


def once(_ctx: click.Context, param: click.Parameter, pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """The pairs as a mapping; the same name twice is a mistake."""
    chosen: dict[str, Any] = {}
    for left, right in pairs:
        if chosen.setdefault(left, right) != right:
            raise click.BadParameter(f"{left} is given twice: {chosen[left]} and {right}", param=param)
    return chosen


class ProfileName(click.ParamType[str]):
    """The name of a shipped profile, or the path of a file or folder of one's own."""

    name = "profile"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if not str(value).strip():
            self.fail("the name is empty; expected a shipped profile, or the path of a file or folder", param, ctx)
        return str(value)

    def shell_complete(  # click calls it with all three
        self,
        ctx: click.Context,  # noqa: ARG002
        param: click.Parameter,  # noqa: ARG002
        incomplete: str,
    ) -> list[CompletionItem]:
        from buckspec_tools import names

        found = [CompletionItem(word) for word in names.profiles() if word.startswith(incomplete)]
        return [*found, CompletionItem(incomplete, type="file")]


language = click.option(
    "--lang", type=Choice(LANGUAGES), default=LANGUAGES[0], show_default=True, help="Language of the sentences."
)
output = click.option(
    "--format", "shape", type=Choice(FORMATS), default=FORMATS[0], show_default=True, help="Form of the output."
)
profile = click.option(
    "--profile",
    type=ProfileName(),
    metavar="NAME|FILE",
    help="A shipped profile, or the file or folder of your own.",
)


def choices(numbers: str, readings: str) -> Callable[[_Command], _Command]:
    """The options `--set` and `--reading`, with what each is for in a command."""

    def decorate(command: _Command) -> _Command:
        pairs = (
            ("--set", "parameters", Pair("NAME", "NUMBER", number=True), numbers),
            ("--reading", "readings", Pair("QUESTION", "READING"), readings),
        )
        for name, held, kind, told in reversed(pairs):
            command = click.option(name, held, type=kind, multiple=True, callback=once, help=told)(command)
        return command

    return decorate
