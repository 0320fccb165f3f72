"""Options that say what an engine may take, for every command that starts one."""

import shlex
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import click

from buckspec_tools.options import Number, Seconds

if TYPE_CHECKING:
    from buckspec_conformance.transport import Limits

_MEBIBYTE = 1 << 20
_LARGEST = 1 << 20
"""In mebibytes: more than any machine has, and little enough for any system to count."""
DEFAULTS: Mapping[str, Any] = {"answer_time": 10.0, "start_time": 30.0, "memory": None, "longest_line": 16}
"""As `Limits` has them, which is not loaded for `--help`."""


def limits(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command these options."""
    size = Number(min=1, max=_LARGEST)
    added = (
        _option("--answer-time", "Wait no longer for an answer.", type=Seconds(), show_default=True),
        _option("--start-time", "Wait no longer for the answer to hello.", type=Seconds(), show_default=True),
        _option(
            "--memory", "Most address space of the engine, on Linux.  [default: no limit]", type=size, metavar="MIB"
        ),
        _option("--longest-line", "Longest line of an answer.", type=size, show_default=True, metavar="MIB"),
    )
    for option in reversed(added):
        command = option(command)
    return command


def _option(name: str, told: str, **more: Any) -> Callable[..., Any]:
    return click.option(name, default=DEFAULTS[_key(name)], help=told, **more)


def _key(name: str) -> str:
    return name.removeprefix("--").replace("-", "_")


def limits_of(chosen: Mapping[str, Any]) -> "Limits":
    """What was chosen of them."""
    from buckspec_conformance.transport import Limits

    memory: int | None = chosen["memory"]
    return Limits(
        answer=chosen["answer_time"],
        start=chosen["start_time"],
        memory=None if memory is None else memory * _MEBIBYTE,
        line=chosen["longest_line"] * _MEBIBYTE,
    )


def words_of(chosen: Mapping[str, Any]) -> tuple[str, ...]:
    """What was chosen otherwise than usual, as one types it."""
    other = {name: chosen[name] for name, usual in DEFAULTS.items() if chosen[name] != usual}
    pairs = ((f"--{name.replace('_', '-')}", str(value).removesuffix(".0")) for name, value in other.items())
    return tuple(shlex.quote(word) for pair in pairs for word in pair)
