"""What is made of one answer: judged by the rules, asked again if it was wrong, and told as a record."""

import shlex
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from itertools import chain, zip_longest
from typing import Any

from msgspec import structs

from buckspec.evaluate import RuleError
from buckspec.formats.wording import harmless
from buckspec.problem import SpecError
from buckspec.rules import Rules
from buckspec_conformance import unlisted
from buckspec_conformance.asking import Answer, Failure, Outcome, Transport
from buckspec_conformance.blame import involved
from buckspec_conformance.case import Case, Result, judge
from buckspec_conformance.case import Outcome as CaseOutcome
from buckspec_conformance.compare import ACCEPTED, Difference
from buckspec_conformance.fingerprint import Heard, recognised
from buckspec_conformance.invariants import INVARIANT, Invariants, Watched
from buckspec_conformance.messages import PlayResponse, RecordResponse, Step
from buckspec_conformance.oracle import expected
from buckspec_conformance.plan import Plan, Planner, Unasked, cut, in_force
from buckspec_conformance.readings import TAG
from buckspec_conformance.recorded import judge_logs
from buckspec_conformance.situations import clauses_met
from buckspec_conformance.stream import CaseRecord, Found, ReadingRecord
from buckspec_conformance.suite import Property
from buckspec_conformance.telling import SHOWN, as_json, in_words, same, what
from buckspec_conformance.witness import Credit

_OWN = frozenset({"accepted", "reason", "clause", "error", "also"})
CASE = "{case}"
"""What stands for the id of a case in the command that asks it again."""
JUDGED = frozenset(Step.__struct_fields__) - _OWN
"""The fields that are compared, where an engine reports them."""
_BLAMED = 60
"""How many differences are looked at a second time."""
_MOST = 3
_WATCHED = 30
"""On how many answers that are right the invariants are evaluated, and on how many that are wrong."""
_KEPT = 400
"""How many cases of each kind are kept for a look at all of them together."""
_TRACED, _STRIDE = 100, 7
"""In how many cases of a property a step is looked at closely, and how many steps further than in the one before."""
_WRONG = ("failed", "wrong-reason")
_MOODS = 200
"""How many failures that come out otherwise in a fresh process are found, before no more are asked again."""


class Judge:
    """Judges the answers of one engine, and keeps what is needed to look at all failures together."""

    def __init__(self, planner: Planner, make: Callable[[], Transport], confirm: int = 20, command: str = CASE) -> None:
        self.planner, self.command = planner, command
        self.credit = Credit(planner.hello.reports)
        self._make, self._confirm, self._moods = make, confirm, _MOODS
        self._again: Transport | None = None
        self._invariants = Invariants(planner.hello.reports)
        self._looked = 0
        self._failed: dict[str, tuple[Heard, Difference | None]] = {}
        self._passed: list[Heard] = []

    @cached_property
    def rules(self) -> Rules:
        """The rules of the first profile that the engine plays, as it reads them."""
        return self.planner.rules(next(iter(self.planner.profiles)), {}, {})

    def close(self) -> None:
        """Let go of the engine that was asked again."""
        if self._again is not None:
            self._again.close()

    # ------------------------------------------------------------------ one case

    def record(self, plan: Plan, found: Outcome) -> CaseRecord:
        """What came of a case."""
        return self.both(plan, found)[0]

    def both(self, plan: Plan, found: Outcome) -> tuple[CaseRecord, Result]:
        """What came of a case, as a record and as a result."""
        try:
            return self._both(plan, found)
        except (RuleError, LookupError, TypeError, ValueError):
            failure = _ours(traceback.format_exc())
            return self.failed(plan, failure, "suite-error"), Result(plan.case, "suite-error", failure=failure)

    def _both(self, plan: Plan, found: Outcome) -> tuple[CaseRecord, Result]:
        if isinstance(found, Answer) and isinstance(found.message, RecordResponse):
            record = self._recorded(plan, found.message, found.seconds)
            if record.outcome == "failed" and len(self._failed) < _KEPT:
                self._failed[plan.case.id] = (Heard(plan, found), None)
            return record, Result(plan.case, record.outcome, record.steps, seconds=found.seconds)
        if unlisted.TAG in plan.case.tags:
            own = self.planner.rules(str(plan.case.request["profile"]), {}, {})
            result = unlisted.judged(plan.case, plan.rules, own, self.planner.hello, found, JUDGED)
            return structs.replace(self._told(plan, result), blame=()), result
        result = self._judged(plan, found)
        if result.outcome in ("passed", "unsupported"):
            record = self._told(plan, result)
        else:
            record = self._confirmed(plan, result)
        if isinstance(found, Answer) and isinstance(found.message, PlayResponse):
            self._watch(plan, found, result)
        return record, result

    def _judged(self, plan: Plan, found: Outcome) -> Result:
        """The result of a case. To decline what hello promises is against the protocol."""
        result = judge(plan.case, plan.rules, self.planner.hello, found, JUDGED)
        if result.outcome != "unsupported" or not plan.is_claimed or result.failure is None:
            return result
        said = f"hello promises an answer to this, but: {result.failure.message}"
        failure = replace(result.failure, kind="protocol-error", message=said)
        return replace(result, outcome="protocol-error", failure=failure)

    def unasked(self, one: Unasked) -> CaseRecord:
        """What is said of a case that the engine is not asked."""
        case = one.case
        return CaseRecord(
            id=case.id,
            layer=case.layer,
            outcome="suite-error" if one.is_ours else "unsupported",
            why=case.why,
            clauses=case.clauses,
            tags=case.tags,
            found=Found(message=one.why),
        )

    def failed(self, plan: Plan, failure: Failure, outcome: Any = None) -> CaseRecord:
        """What is said of a case that came to this, without another look."""
        return self._told(plan, Result(plan.case, outcome or failure.kind, failure=failure))

    def _told(self, plan: Plan, result: Result, asked_again: str | None = None) -> CaseRecord:
        case, difference = plan.case, result.difference
        passed = result.outcome == "passed" and result.steps > 0
        return CaseRecord(
            id=case.id,
            layer=case.layer,
            outcome="suite-error" if result.outcome == "passed" and not passed else result.outcome,
            why=case.why,
            clauses=case.clauses,
            earned=self.credit.earned(plan.rules, case.request, case.clauses) if passed else (),
            tags=case.tags,
            size=plan.size,
            steps=result.steps,
            seconds=round(result.seconds, 6),
            blame=involved(difference)[:_MOST] if difference is not None and difference.field != "error" else (),
            found=None if passed else self._found(plan, result, asked_again),
        )

    def _asks_again(self, id_: str) -> str:
        """The command that asks a case again, as one can type it."""
        return self.command.replace(CASE, shlex.quote(id_))

    def _found(self, plan: Plan, result: Result, asked_again: str | None) -> Found:
        difference, failure = result.difference, result.failure
        told = Found(
            message="" if failure is None else failure.message,
            request=dict(plan.case.request),
            detail="" if failure is None else failure.detail,
            received="" if failure is None else harmless(failure.received.decode("utf-8", "replace")[:SHOWN]),
            asked_again=asked_again,
            reproduce=self._asks_again(plan.case.id),
        )
        if difference is None:
            return told
        return structs.replace(
            told,
            message=told.message or in_words(difference),
            request=cut(plan.case.request, difference.hand, difference.step),
            hand=difference.hand,
            step=difference.step,
            field=difference.field,
            expected=as_json(difference.expected),
            actual=as_json(difference.actual),
            reason=None if difference.message is None else harmless(difference.message),
        )

    def _recorded(self, plan: Plan, message: RecordResponse, seconds: float) -> CaseRecord:
        found = judge_logs(plan.rules, plan.case.request, message)
        passed = found.outcome == "passed"
        told = None
        if not passed:
            again = self._asks_again(plan.case.id)
            told = Found(message=found.message, request=dict(plan.case.request), actual=found.verdict, reproduce=again)
            if found.illegal is not None:
                told = structs.replace(
                    told, request=dict(found.illegal.request), hand=found.illegal.hand, step=found.illegal.step,
                    field=ACCEPTED, expected=False, actual=True,
                )  # fmt: skip
        return CaseRecord(
            id=plan.case.id,
            layer=plan.case.layer,
            outcome=found.outcome,
            why=plan.case.why,
            clauses=found.clauses or found.blame,
            earned=found.clauses if passed else (),
            tags=plan.case.tags,
            size=found.steps,
            steps=found.steps,
            seconds=round(seconds, 6),
            blame=found.blame[:_MOST],
            found=told,
        )

    # ------------------------------------------------------------------ once more

    def _confirmed(self, plan: Plan, result: Result) -> CaseRecord:
        """A failure, asked once more in a fresh process. Another answer shows that the engine is flaky.

        An engine that is, is asked on: what else it gets wrong may be of that kind too, and speak against no clause.
        """
        if self._confirm <= 0 or self._moods <= 0:
            return self._told(plan, result)
        if self._again is None:
            self._again = self._make()
        second = self._judged(plan, self._again.ask_again(plan.prepared))
        if same(result, second):
            self._confirm = 0 if result.outcome == "timeout" else self._confirm - 1
            return self._told(plan, result, "the same")
        self._moods -= 1
        said = "it passes" if second.outcome == "passed" else what(second)
        return self._told(plan, replace(result, outcome="flaky"), f"in a fresh process {said}")

    # ------------------------------------------------------------------ all together

    def _watch(self, plan: Plan, found: Answer, result: Result) -> None:
        """Keep what is looked at again at the end."""
        passed = result.outcome == "passed"
        heard = Heard(plan, found)
        if passed and (len(self._passed) < _KEPT or TAG in plan.case.tags):
            self._passed.append(heard)
        elif result.difference is not None and result.outcome in _WRONG and len(self._failed) < _KEPT:
            self._failed[plan.case.id] = (heard, result.difference)
        if isinstance(found.message, PlayResponse) and passed and self._looked < _WATCHED:
            self._looked += 1
            self._invariants.look(plan.rules, plan.case, found.message, is_right=True)

    def recognised(self) -> tuple[ReadingRecord, ...]:
        """The readings that the engine plays instead of those by which it is judged."""
        return recognised(self.planner, [heard for heard, _ in self._failed.values()], self._passed, JUDGED)

    def differences(self, but: set[str]) -> list[tuple[str, Difference]]:
        """The differences that are worth a second look, spread over the fields, but for these cases."""
        by_field: dict[str, list[tuple[str, Difference]]] = {}
        for id_, (_, difference) in self._failed.items():
            if id_ not in but and difference is not None:
                by_field.setdefault(difference.field, []).append((id_, difference))
        spread = chain.from_iterable(zip_longest(*by_field.values()))
        return [one for one in spread if one is not None][:_BLAMED]

    def result(self, plan: Plan, found: Outcome) -> Result:
        """What came of a case, without a record and without another look."""
        try:
            return self._judged(plan, found)
        except (RuleError, LookupError, TypeError, ValueError):
            return Result(plan.case, "suite-error", failure=_ours(traceback.format_exc()))

    def of_property(self, one: Property, worst: Result | None, asked: "Asking") -> CaseRecord:
        """What came of a property: nothing was found, or this."""
        clauses = tuple(clause for clause in one.clauses if clause in in_force(self.rules))
        record = CaseRecord(
            id=one.id,
            layer="property",
            outcome="passed",
            why=one.why,
            clauses=clauses,
            tags=one.tags,
            cases=asked.count,
            steps=asked.steps,
        )
        if worst is None and asked.steps:
            met = tuple(clause for clause in clauses if clause in asked.met)
            return structs.replace(record, earned=self.credit.known(self.rules, met))
        if worst is None:
            said = asked.declined or "the engine was asked none of its cases"
            return structs.replace(record, outcome="unsupported", found=Found(message=said))
        plan = self.planner.plan(worst.case) if worst.case.request else None
        if plan is None or isinstance(plan, Unasked):
            said = worst.failure.message if worst.failure is not None else worst.outcome
            found = Found(message=said, reproduce=self._asks_again(one.id))
            return structs.replace(record, outcome=worst.outcome, found=found)
        answer = getattr(worst, "answer", None)
        by_itself = answer is None or self.result(plan, Answer(answer, 0.0)).outcome == worst.outcome
        is_final = worst.outcome == "unsupported" or not by_itself  # two right answers that contradict each other
        told = self._told(plan, worst) if is_final else self._confirmed(plan, worst)
        if worst.difference is not None and answer is not None and by_itself and told.outcome in _WRONG:
            self._failed[one.id] = (Heard(plan, Answer(answer, 0.0)), worst.difference)
        return structs.replace(record, outcome=told.outcome, blame=told.blame, size=plan.size, found=told.found)

    def of_invariants(self, readings: Mapping[str, str]) -> Iterator[CaseRecord]:
        """What the invariants came to. Where the engine plays other readings than it says, it is followed by those."""
        for heard, _ in list(self._failed.values())[:_WATCHED]:
            request: Any = heard.plan.case.request
            if isinstance(heard.answer.message, PlayResponse):
                asked = {**request["readings"], **readings}
                with suppress(SpecError):
                    rules = self.planner.rules(request["profile"], request["parameters"], asked)
                    self._invariants.look(rules, heard.plan.case, heard.answer.message, is_right=False)
        for kept in self._invariants.kept.values():
            unseen = self._invariants.unseen(self.rules, kept.clause)
            record = CaseRecord(
                id=Watched(kept.clause).id,
                layer=INVARIANT,
                outcome="passed",
                why=kept.says,
                clauses=(kept.clause,),
                steps=kept.true,
            )
            if kept.broken is not None and kept.request is not None:
                request = cut(kept.request, kept.broken.hand, kept.broken.step)
                found = Found(
                    message="what the engine reports contradicts it",
                    request=request,
                    hand=kept.broken.hand,
                    step=kept.broken.step,
                    actual=as_json(kept.broken.reported),
                    reproduce=self._asks_again(kept.case),
                )
                yield structs.replace(record, outcome="failed", blame=(kept.clause,), found=found)
            elif unseen is not None or not kept.true:
                said = unseen or "what the engine reports was never enough to know"
                yield structs.replace(record, outcome="unsupported", steps=0, found=Found(message=said))
            else:
                yield structs.replace(record, earned=(kept.clause,))


class Asking:
    """Asks and judges the cases of a property, one after the other, and counts what they met."""

    def __init__(
        self,
        judge: Judge,
        transport: Transport,
        ends: Callable[[], str | None],
        noted: Callable[[Plan, Outcome], None],
    ) -> None:
        self.judge, self.transport, self.ends, self.noted = judge, transport, ends, noted
        self.count = self.steps = 0
        self.met: set[str] = set()
        self.declined: str | None = None

    def __call__(self, case: Case) -> Result:
        """What came of a case; see suite.Ask. Its result holds the answer too."""
        plan = self.judge.planner.plan(case)
        if isinstance(plan, Unasked):
            self.declined = plan.why
            outcome: CaseOutcome = "suite-error" if plan.is_ours else "unsupported"
            return Result(case, outcome, failure=Failure("unsupported", plan.why))
        why = self.ends()
        if why is not None:
            return Result(plan.case, "unsupported", failure=Failure("unsupported", why))
        found = self.transport.ask(plan.prepared)
        self.noted(plan, found)
        result = self.judge.result(plan, found)
        self.count += 1
        if result.outcome == "passed":
            self.steps += result.steps
            self._meet(plan)
        message = found.message if isinstance(found, Answer) else None
        return _with_answer(result, message) if isinstance(message, PlayResponse) else result

    def _meet(self, plan: Plan) -> None:
        """Note the clauses that had a say in one step: another one in each case."""
        if self.count <= _TRACED:
            steps = [step for hand in expected(plan.rules, plan.case.request) for step in hand]
            self.met |= clauses_met(steps[self.count * _STRIDE % len(steps)])


def _with_answer(result: Result, message: PlayResponse) -> Result:
    """The result and the answer, so that two answers can be compared with each other."""
    from buckspec_conformance.search import Answered

    return Answered(**{name: getattr(result, name) for name in Result.__dataclass_fields__}, answer=message)


def _ours(detail: str) -> Failure:
    return Failure("protocol-error", "the suite itself failed", detail)
