"""Searches for a game in which a property does not hold, and makes what it finds as small as it can.

Hypothesis draws and shrinks; then the request is cut by hand: after the step that differs, before the hand that it is
in, and by everything that was refused before. The same seed asks the same requests, as long as they pass.
"""

import contextlib
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from time import monotonic
from typing import Literal, TypeAlias

from hypothesis import HealthCheck, Phase, Verbosity, given, settings
from hypothesis import seed as seeded
from hypothesis.errors import HypothesisException, HypothesisWarning
from hypothesis.internal.conjecture import providers

from buckspec.rules import Rules
from buckspec_conformance.asking import Transport
from buckspec_conformance.case import Case, Result, judge
from buckspec_conformance.messages import HelloResponse, PlayResponse
from buckspec_conformance.oracle import expected
from buckspec_conformance.pairs import disagreement
from buckspec_conformance.properties import Example, Property, about, case_id
from buckspec_conformance.protocol import prepare
from buckspec_conformance.requesting import EVENTS, Request, hands_of
from buckspec_conformance.shrinking import smallest
from buckspec_conformance.situations import Watch, clauses_met

Ask: TypeAlias = Callable[[Case], Result]
"""Asks one case and judges it. Where it gives an Answered, the two answers of a pair are compared with each other."""

_MOST_SHRINKS = 500  # requests that may be asked to make a failure smaller
_MOST_DEARER = 40  # the same where each of them may cost a process
_TRACED = 60  # steps of a property of which the clauses are counted, one a request
_STRIDE = 7  # which step of a request that is: this many further than in the request before


@dataclass(frozen=True)
class Answered(Result):
    """A result that holds the answer too."""

    answer: PlayResponse | None = None


def asking(
    transport: Transport, rules: Rules, hello: HelloResponse, judged: frozenset[str] | None = None
) -> Callable[[Case], Answered]:
    """What asks an engine that was greeted, and judges its answers by these rules in the fields `judged`, or in all."""
    fields = frozenset(hello.reports) - {"clause"} if judged is None else judged

    def ask(case: Case) -> Answered:
        found = transport.ask(prepare(case.request))
        result = judge(case, rules, hello, found, fields)
        message = getattr(found, "message", None)
        known = {name: getattr(result, name) for name in Result.__dataclass_fields__}
        return Answered(**known, answer=message if isinstance(message, PlayResponse) else None)

    return ask


@dataclass(frozen=True)
class PropertyResult:
    """What came of a search.

    `failing` is the smallest case that does not pass, None if all passed; `is_flaky` says that it passed when it was
    asked once more. `examples`, `requests`, `hands` and `steps` count what was asked before it was found; `rare` in
    how many hands each situation came about, `clauses` in how many of the `traced` steps each clause had a say.
    `stopped` says why no more was asked.
    """

    property: Property
    failing: Result | None
    is_flaky: bool
    stopped: Literal["done", "failed", "unsupported", "deadline", "nothing to draw"]
    examples: int
    requests: int
    hands: int
    steps: int
    traced: int
    clauses: Mapping[str, int] = field(repr=False)
    rare: Mapping[str, int] = field(repr=False)
    seconds: float = 0.0


class _Stop(BaseException):
    """Ends a search from inside. It is no Exception, so that Hypothesis lets it through."""


class _Failed(Exception):  # noqa: N818 - it is what Hypothesis is to find
    """An example that does not pass."""


def search(
    searched: Property, rules: Rules, ask: Ask, seed: int, examples: int, deadline: float | None = None
) -> PropertyResult:
    """Search so many examples for one that does not pass. Nothing is asked after `deadline`, by time.monotonic().

    Raises whatever `ask` raises.
    """
    began = monotonic()
    strategy = searched.strategy(rules)
    run = _Search(searched, rules, ask, deadline)
    if strategy is None or examples < 1:
        return run.result("nothing to draw", began)
    quiet = settings(
        max_examples=examples,
        database=None,
        deadline=None,
        derandomize=False,
        phases=[Phase.generate, Phase.shrink],
        suppress_health_check=list[HealthCheck](HealthCheck),  # pyright: ignore[reportArgumentType]
        verbosity=Verbosity.quiet,
        report_multiple_bugs=False,
        print_blob=False,
    )
    test = seeded(seed)(quiet(given(strategy)(run.example)))
    with _alone():
        try:
            test()
        except _Stop:
            pass
        except (_Failed, HypothesisException, BaseExceptionGroup):
            if run.found is None and run.raised is None:
                raise
    if run.raised is not None:
        raise run.raised
    return run.result(run.stopped, began)


@contextlib.contextmanager
def _alone() -> Iterator[None]:
    """Keep Hypothesis from looking for numbers in the modules of whoever searches, and from keeping them in a folder.

    What is drawn would depend on them, and so on the place.
    """
    name = "_get_local_constants"
    known = getattr(providers, name, None)
    empty = getattr(providers, "Constants", None)
    if known is None or empty is None:
        yield
        return
    setattr(providers, name, empty)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", HypothesisWarning)
            yield
    finally:
        setattr(providers, name, known)


class _Search:
    """A search while it goes on."""

    def __init__(self, searched: Property, rules: Rules, ask: Ask, deadline: float | None) -> None:
        self.property, self.rules, self.deadline = searched, rules, deadline
        self._ask = ask
        self.clauses = about(searched, rules)
        self.found: Result | None = None
        self.raised: Exception | None = None
        self.stopped: Literal["done", "failed", "unsupported", "deadline"] = "done"
        self.watch = Watch(rules)
        self.met: Counter[str] = Counter()
        self.examples = self.requests = self.steps = self.traced = self.shrinks = 0
        self.size = 0

    def case(self, request: Request) -> Case:
        """The case of one request of the property."""
        return Case(case_id(self.property), "property", self.clauses, self.property.why, request, ("property",))

    def example(self, drawn: Example) -> None:
        """Ask an example. Raises _Failed if it does not pass, in the way in which the first did not."""
        found = self.asked(drawn)
        if self.found is None and found is not None and found.outcome == "unsupported":
            self.found, self.stopped = found, "unsupported"
            raise _Stop
        if found is None:
            return
        if self.found is None:
            self.stopped = "failed"
        elif _kind(found) != _kind(self.found):
            return
        size = _size(found)
        if self.found is None or size <= self.size:
            self.found, self.size = found, size
        raise _Failed

    def asked(self, drawn: Example) -> Result | None:
        """What did not pass of an example, if anything."""
        if self.found is None:
            self.examples += 1
        results = []
        for request in drawn.requests:
            result = self.ask(self.case(request))
            if result.outcome != "passed":
                return result
            results.append(result)
            self.count(request, result)
        answers = [result.answer for result in results if isinstance(result, Answered) and result.answer is not None]
        if len(answers) > 1:
            difference = disagreement(self.rules, drawn, answers)
            if difference is not None:
                return replace(results[-1], outcome="failed", difference=difference)
        return None

    def ask(self, case: Case) -> Result:
        """Ask one case, if there is time for it."""
        if self.deadline is not None and monotonic() > self.deadline:
            if self.found is None:
                self.stopped = "deadline"
            raise _Stop
        if self.found is not None:
            self.shrinks += 1
            dear = self.found.outcome in ("timeout", "crashed", "protocol-error")
            if self.shrinks > (_MOST_DEARER if dear else _MOST_SHRINKS):
                raise _Stop
        try:
            return self._ask(case)
        except Exception as error:
            self.raised = error
            raise _Stop from error

    def count(self, request: Request, result: Result) -> None:
        """Note what a request has met that has passed before anything failed."""
        if self.found is not None:
            return
        self.requests += 1
        self.steps += result.steps
        hands = expected(self.rules, request)
        for hand in hands:
            self.watch.hand(hand)
        if self.traced < _TRACED:
            steps = [step for hand in hands for step in hand]
            self.met.update(clauses_met(steps[self.requests * _STRIDE % len(steps)]))
            self.traced += 1

    def result(
        self, stopped: Literal["done", "failed", "unsupported", "deadline", "nothing to draw"], began: float
    ) -> PropertyResult:
        """What came of it, the failure made smaller and asked once more."""
        failing, flaky = self.found, False
        if failing is not None and stopped == "failed":
            failing, flaky = self.reduced(failing)
        return PropertyResult(
            self.property, failing, flaky, stopped, self.examples, self.requests, self.watch.hands, self.steps,
            self.traced, dict(self.met), dict(self.watch.counts), monotonic() - began,
        )  # fmt: skip

    def reduced(self, failing: Result) -> tuple[Result, bool]:
        """The failure in a smaller request, and whether it is gone when it is asked once more."""
        kind, self.shrinks = _kind(failing), 0

        def again(request: Request) -> Result | None:
            try:
                found = self.ask(self.case(request))
            except _Stop:
                return None
            return found if _kind(found) == kind else None

        if self._alone(failing):
            failing = smallest(self.rules, failing, again)
            if again(failing.case.request) is None and self.raised is None and not self._late():
                return replace(failing, outcome="flaky"), True
        if self.raised is not None:
            raise self.raised
        return failing, False

    def _late(self) -> bool:
        return self.deadline is not None and monotonic() > self.deadline

    @staticmethod
    def _alone(failing: Result) -> bool:
        """It fails by itself, and not only beside another request."""
        return failing.difference is None or failing.difference.message != disagreement.__name__


def _kind(result: Result) -> tuple[str, str | None]:
    """What a failure has to keep while it gets smaller."""
    return result.outcome, result.difference.field if result.difference else None


def _size(result: Result) -> int:
    """How much is asked."""
    return sum(1 + len(hand[EVENTS]) for hand in hands_of(result.case.request))
