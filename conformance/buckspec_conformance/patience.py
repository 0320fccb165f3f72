"""When no more is asked of an engine: it does not answer any more, or it declines whatever it is asked."""

from collections import Counter

from buckspec_conformance.asking import Failure, Outcome

DECLINED = "declined"
"""What the record of a run calls its end where the engine declined everything."""
_ALIKE = 25
"""How many questions are declined in the same words, and none answered, before no more is asked."""


class Patience:
    """Counts what does not come. `limit` is how many requests in a row may go without an answer in time.

    Of those that fail at once it takes the square of that many.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._declined: Counter[str] = Counter()
        self._has_more = False  # something else came than a decline
        self.silent = 0
        self.last = Failure("timeout", "no answer")

    def note(self, found: Outcome, *, is_claimed: bool) -> None:
        """Count an answer. `is_claimed` says that hello promises it: to decline what is not promised tells nothing."""
        if isinstance(found, Failure) and found.kind == "unsupported":
            self.silent = 0
            self._declined.update([found.message] if is_claimed else [])
            return
        self._has_more = True
        if isinstance(found, Failure):
            self.silent, self.last = self.silent + 1, found
        else:
            self.silent = 0

    def is_over(self) -> bool:
        """Too many requests in a row had no answer. An answer that cannot be read shows at least that it lives."""
        return self.silent >= (self._limit if self.last.kind == "timeout" else self._limit**2)

    def is_declined(self) -> bool:
        """Many questions were declined, all in the same words, and nothing else came."""
        return not self._has_more and len(self._declined) == 1 and self._declined.total() >= _ALIKE
