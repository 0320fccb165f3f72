"""The edge of the program: what becomes of everything that can go wrong, in one place.

Whatever a user did ends in one line, `error: place: what; found …; expected …`, and exit code 2. A closed pipe ends
in silence, Ctrl-C in one word, and a fault of ours in a request to report it, with the traceback only if asked for.
"""

import os
import re
import signal
import sys
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress

import click

from buckspec_tools import exits


class ClosedError(Exception):
    """Nobody reads the output any more. Not an OSError: click would make exit code 1 of that, which means a verdict."""


class ExcerptError(click.UsageError):
    """A mistake in a text on the command line, with lines that show it with a mark below the place."""

    def __init__(self, message: str, excerpt: Sequence[str], ctx: click.Context | None = None) -> None:
        super().__init__(message, ctx)
        self.excerpt = tuple(excerpt)


@contextmanager
def closable() -> Iterator[None]:
    """Tell a closed pipe from other faults."""
    try:
        yield
    except BrokenPipeError as fault:
        raise ClosedError from fault


_LONG_WORD, _LONG_MESSAGE = 4, 16
"""How much longer than a shown value a word or a message may be before it is cut."""
_ABORTED = (KeyboardInterrupt, EOFError, click.Abort)


def guarded(run: Callable[[], object], *, debug: Callable[[], bool]) -> int:
    """The exit code of `run`, which gives one or None; nothing that it raises goes any further."""
    _open_output()
    try:
        try:
            outcome = run()
        finally:
            _flush()
    except (ClosedError, BrokenPipeError):
        _silence()
        return exits.CLOSED
    except _ABORTED:
        _silence()
        return _tell("interrupted", exits.INTERRUPTED)
    except click.ClickException as fault:
        return _tell(usage_lines(fault), exits.USAGE)
    except Exception as fault:  # noqa: BLE001 - this is the edge: there is nobody above to catch it
        return _fault(fault, debug())
    return outcome if isinstance(outcome, int) else exits.FINE


def heed_the_end() -> None:
    """Let being told to end, or losing the terminal, be what Ctrl-C is: then nothing that was started lives on."""
    for name in ("SIGTERM", "SIGHUP"):
        sign = getattr(signal, name, None)
        if sign is not None and signal.getsignal(sign) is signal.SIG_DFL:  # nohup stays nohup
            with suppress(ValueError):  # not the main thread
                signal.signal(sign, signal.default_int_handler)


def usage_lines(fault: click.ClickException) -> str:
    """A mistake on the command line: what it is, and where to read on."""
    context = fault.ctx if isinstance(fault, click.UsageError) else None
    message = f"error: {bearable(fault.format_message().rstrip('.'))}"
    if isinstance(fault, ExcerptError):
        message = "\n".join([message, *fault.excerpt])
    return f"{message}\nTry “{context.command_path} --help”." if context else message


def bearable(text: str) -> str:
    """A message that may quote what somebody has typed: in one line, not too long, with nothing a terminal obeys."""
    from buckspec.formats.wording import WIDEST, harmless

    text = re.sub(rf"\S{{{_LONG_WORD * WIDEST},}}", lambda word: word[0][:WIDEST] + "…", text)
    most = _LONG_MESSAGE * WIDEST
    if len(text) > most:
        text = f"{text[: most // 2]} … {text[-most // 2 :]}"
    return harmless(text)


def _fault(fault: Exception, debug: bool) -> int:
    told = _users(fault)
    if debug:
        traceback.print_exception(fault)
    if told is not None:
        _silence()
        return _tell(told, exits.USAGE)
    return _tell(internal(" ".join(f"{type(fault).__name__}: {fault}".split()), debug), exits.INTERNAL)


def internal(what: str, debug: bool) -> str:
    """What to say of a fault of ours."""
    hint = "" if debug else "; “buckspec --debug …” shows where it happened"
    return f"error: a fault in buckspec itself: {bearable(what)}. Please report it, with the command{hint}"


def _users(fault: Exception) -> str | None:
    """What to say of a fault that is the user's or the machine's; None for one of ours."""
    from buckspec.evaluate import RuleError
    from buckspec.problem import SpecError
    from buckspec.replay import ReplayError

    if isinstance(fault, SpecError):
        return "\n".join(f"error: {bearable(str(problem))}" for problem in fault.problems)
    if isinstance(fault, RuleError | ReplayError):
        return f"error: {bearable(str(fault))}"
    if isinstance(fault, UnicodeEncodeError):
        return f"error: the output cannot be written in {fault.encoding}; set PYTHONIOENCODING=utf-8"
    if isinstance(fault, OSError):
        place = f"{fault.filename}: " if fault.filename else "output: "
        return f"error: {bearable(f'{place}{fault.strerror or fault}')}"
    return None


def _tell(message: str, code: int) -> int:
    try:
        click.echo(message, err=True)
    except OSError:
        _silence()
    return code


def _open_output() -> None:
    """Make a closed standard output (`>&-`) what a pipe is that nobody reads: whoever writes to it is told so."""
    if sys.stdout is None:
        reading, writing = os.pipe()
        os.close(reading)
        sys.stdout = os.fdopen(writing, "w", encoding="utf-8")


def _flush() -> None:
    if sys.stdout is not None and not sys.stdout.closed:
        sys.stdout.flush()


def _silence() -> None:
    """Drop what is still in the buffers, so that the interpreter does not try to write it when it ends."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError, AttributeError):
            try:
                hole = os.open(os.devnull, os.O_WRONLY)
                os.dup2(hole, stream.fileno())
                os.close(hole)
            except (OSError, ValueError, AttributeError):
                continue
