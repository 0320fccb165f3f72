"""The record of everything that was said: every line both ways, with its direction and time."""

import threading
from pathlib import Path
from time import perf_counter
from typing import Literal, TypeAlias

Direction: TypeAlias = Literal[">", "<", "!", "#"]
"""To the engine, from it, from its standard error, and what happened to its process."""


class Trace:
    """A text file in UTF-8, one line for each line that was sent or received.

    A line has the seconds since the trace began, the number of the process, the direction and the bytes; bytes that
    are not UTF-8 are escaped. Several threads may write. The file is replaced if it exists. Raises OSError.
    """

    def __init__(self, file: Path) -> None:
        self._file = file.open("w", encoding="utf-8", errors="backslashreplace", newline="\n")
        self._began = perf_counter()
        self._lock = threading.Lock()

    def note(self, process: int, direction: Direction, raw: bytes) -> None:
        """Write these bytes, which may be several lines; an end of the last one is not needed."""
        head = f"{perf_counter() - self._began:.6f} {process} {direction} "
        text = raw.removesuffix(b"\n").decode("utf-8", "backslashreplace").replace("\r", "\\r")
        with self._lock:
            self._file.write("".join(f"{head}{line}\n" for line in text.split("\n")))

    def close(self) -> None:
        """Write what is left and close the file. Closing twice does nothing."""
        self._file.close()
