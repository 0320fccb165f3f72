"""How far a long run has come, on a terminal that would otherwise stay silent."""

import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.status import Status

_PATIENCE = 2.0
_OFTEN = 0.2


class Progress:
    """Shows a count on stderr once a terminal has been silent for two seconds; nothing where stderr is none."""

    def __init__(self, what: str) -> None:
        self.what, self.count = what, 0
        self.is_wanted = sys.stderr is not None and sys.stderr.isatty()
        self.quiet_since = self.shown_at = time.monotonic()
        self.status: Status | None = None

    def __enter__(self) -> "Progress":
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self.hide()

    def step(self) -> None:
        """One more is done."""
        self.count += 1
        if not self.is_wanted:
            return
        now = time.monotonic()
        if now - self.quiet_since > _PATIENCE and now - self.shown_at > _OFTEN:
            self.shown_at = now
            self._show(f"{self.count:,} {self.what}")

    def make_way(self) -> None:
        """Hide before a line of output, if that goes to a terminal too."""
        if sys.stdout is not None and sys.stdout.isatty():
            self.hide()

    def hide(self) -> None:
        """Clear the line."""
        self.quiet_since = time.monotonic()
        if self.status is not None:
            self.status.stop()
            self.status = None

    def _show(self, text: str) -> None:
        if self.status is not None:
            self.status.update(text)
            return
        from rich.console import Console

        self.status = status = Console(stderr=True).status(text)
        status.start()
