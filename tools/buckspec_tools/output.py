"""What goes to the standard output."""

import json
import sys

import click

_ANY = "utf-8"


def put(text: str = "", *, is_markup: bool = False) -> None:
    """Print a text; what the output cannot show becomes a question mark, in HTML and XML a reference to it."""
    encoding = getattr(sys.stdout, "encoding", None) or _ANY
    # not left to click, which writes UTF-8 where ASCII is asked for
    click.echo(text.encode(encoding, "xmlcharrefreplace" if is_markup else "replace").decode(encoding))


def put_json(value: object) -> None:
    """Print a value as JSON in one line."""
    click.echo(json_line(value, ascii_only=not shows("é")))


def json_line(value: object, *, ascii_only: bool = False) -> str:
    """A value as JSON in one line, with everything escaped that does not print as itself.

    JSON lets more through than a terminal bears: controls above ASCII, line ends of Unicode, bidirectional marks.
    """
    text = json.dumps(value, ensure_ascii=ascii_only, separators=(",", ":"))
    if text.isprintable():
        return text
    return "".join(sign if sign.isprintable() else json.dumps(sign)[1:-1] for sign in text)


def shows(text: str) -> bool:
    """Whether the output can show a text."""
    try:
        text.encode(getattr(sys.stdout, "encoding", None) or _ANY)
    except UnicodeEncodeError:
        return False
    return True
