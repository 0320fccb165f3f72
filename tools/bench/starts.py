"""What a person waits for: whole processes from start to end, against a program that only says hello."""

import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from logs import lines
from measure import processes

HELLO = """
import click
from rich.console import Console

@click.command()
def hello():
    Console().print("hello")

hello()
"""


def compare() -> Iterator[tuple[str, float]]:
    """Print the times, and give the ratios."""
    with TemporaryDirectory() as folder:
        one = Path(folder) / "game.json"
        one.write_bytes(lines(1)[0])
        ours = [sys.executable, "-m", "buckspec_tools"]
        spent = processes(
            {
                "click and rich": [sys.executable, "-c", HELLO],
                "buckspec --help": [*ours, "--help"],
                "buckspec replay": [*ours, "replay", str(one)],
            }
        )
    for name, seconds in spent.items():
        print(f"{name:16} {seconds * 1000:6.0f} ms")
    yield "help", spent["buckspec --help"] / spent["click and rich"]
    yield "file", spent["buckspec replay"] / spent["click and rich"]
