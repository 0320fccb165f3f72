"""Whether an engine plays another reading of an open question than it is judged by.

An engine that reads a question otherwise fails wherever the question matters. If under another reading everything
that fails is right, and nothing is wrong that was right before, then it is that reading which it plays: one thing to
tell, not fifty. Several questions are found one after the other, the one that explains most first.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from buckspec.evaluate import RuleError
from buckspec.problem import SpecError
from buckspec.rules import Rules
from buckspec_conformance.asking import Answer
from buckspec_conformance.case import judge
from buckspec_conformance.messages import RecordResponse
from buckspec_conformance.plan import Plan, Planner, in_force
from buckspec_conformance.readings import TAG
from buckspec_conformance.recorded import judge_logs
from buckspec_conformance.stream import ReadingRecord

_LOOKED_AT = 200
"""How many of the cases that passed are looked at."""


@dataclass(frozen=True)
class Heard:
    """A case that was asked, and its answer."""

    plan: Plan
    answer: Answer

    @property
    def id(self) -> str:
        """The id of the case."""
        return self.plan.case.id

    def asks_nothing_else(self, planner: Planner) -> bool:
        """The case is played by the engine's own readings."""
        asked: Any = self.plan.case.request.get("readings", {})
        return all(planner.hello.readings.get(question) == reading for question, reading in asked.items())


def recognised(
    planner: Planner, failed: Sequence[Heard], passed: Sequence[Heard], judged: frozenset[str]
) -> tuple[ReadingRecord, ...]:
    """The readings that the engine plays otherwise. Only cases that ask for no reading of their own tell of them."""
    own = [one for one in failed if one.asks_nothing_else(planner)]
    right = [one for one in passed if one.asks_nothing_else(planner)]
    search = _Search(planner, right, judged)
    found: list[ReadingRecord] = []
    chosen: dict[str, str] = {}
    while own:
        best = search.best(own, chosen)
        if best is None:
            break
        chosen[best.question] = best.reading
        found.append(best)
        own = [one for one in own if one.id not in best.cases]
    tags = [set(one.plan.case.tags) for one in own]  # of what is wrong still: such a reading is not played throughout
    return tuple(one for one in found if not any({one.question, one.reading} <= named for named in tags))


class _Search:
    """Looks for the reading that explains most."""

    def __init__(self, planner: Planner, passed: Sequence[Heard], judged: frozenset[str]) -> None:
        self.planner, self.judged = planner, judged
        self.passed = [one for one in passed if TAG in one.plan.case.tags]
        self.passed += [one for one in passed if TAG not in one.plan.case.tags][:_LOOKED_AT]

    def best(self, failed: Sequence[Heard], chosen: Mapping[str, str]) -> ReadingRecord | None:
        """The reading that, beside those chosen, explains most of the failed cases and contradicts none."""
        weighed = []
        for question, reading in self._others(failed, chosen):
            under = {**chosen, question: reading}
            if self._is_plausible(failed, question, under):
                explained = [one for one in failed if self._holds(one, under)]
                weighed.append((len(explained), question, reading, explained))
        weighed.sort(key=lambda entry: (-entry[0], entry[1], entry[2]))
        for count, question, reading, explained in weighed:
            if count and all(self._holds(one, {**chosen, question: reading}) for one in self.passed):
                rules = explained[0].plan.rules
                says = rules.book.questions[question].readings[reading]
                cases = tuple(one.id for one in explained)
                return ReadingRecord(
                    question=question,
                    reading=reading,
                    instead_of=rules.readings[question],
                    says=says,
                    cases=cases,
                    clauses=_clauses(rules, question),
                )
        return None

    def _is_plausible(self, failed: Sequence[Heard], question: str, readings: Mapping[str, str]) -> bool:
        """Nothing that was made to tell these readings apart speaks against it. Quick, and enough to rule most out."""
        own = failed[0].plan.rules.readings[question]
        pair = {TAG, question, own, readings[question]}
        if any(pair <= set(one.plan.case.tags) for one in self.passed):
            return False
        telling = [one for one in failed if pair <= set(one.plan.case.tags)]
        return all(self._holds(one, readings) for one in telling)

    def _others(self, failed: Sequence[Heard], chosen: Mapping[str, str]) -> Iterator[tuple[str, str]]:
        """Every other reading of every question that is not settled."""
        rules = failed[0].plan.rules
        for question in rules.book.questions.values():
            for reading in question.readings:
                if question.id not in chosen and rules.readings[question.id] != reading:
                    yield question.id, reading

    def _holds(self, one: Heard, readings: Mapping[str, str]) -> bool:
        """Whether the answer is right by these readings."""
        request: Mapping[str, Any] = one.plan.case.request
        try:
            rules = self.planner.rules(request["profile"], request["parameters"], readings)
            if isinstance(one.answer.message, RecordResponse):
                return judge_logs(rules, request, one.answer.message).outcome == "passed"
            return judge(one.plan.case, rules, self.planner.hello, one.answer, self.judged).outcome == "passed"
        except (SpecError, RuleError, LookupError):
            return False


def _clauses(rules: Rules, question: str) -> tuple[str, ...]:
    """The clauses in force that depend on a question."""
    known, force = rules.book.clauses(), in_force(rules)
    return tuple(id_ for id_, one in known.items() if id_ in force and question in dict(one.under.choices))
