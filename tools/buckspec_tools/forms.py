"""Forms of the game as they are named on the command line: a profile, and further readings after `+`."""

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from buckspec.rules import Rules


def form(text: str, called: str) -> "Rules":
    """The rules of a form, such as `ohio+sweep=maker`. Raises click.BadParameter, in which it is `called` so."""
    from buckspec.load import load_profile

    name, *parts = text.split("+")
    readings: dict[str, str] = {}
    for part in parts:
        question, sign, reading = part.partition("=")
        if not (question and sign and reading) or question in readings:
            said = f"found {part or text}; expected each question once, as NAME+QUESTION=READING"
            raise click.BadParameter(said, param_hint=called)
        readings[question] = reading
    if not name:
        raise click.BadParameter(f"found {text or 'nothing'}; expected a profile, such as ohio", param_hint=called)
    return load_profile(name, {}, readings)
