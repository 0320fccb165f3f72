"""A run: asks an engine everything that belongs to a level, judges what it answers, and tells of each case as it ends.

    for record in run(lambda: Piped(command), Options(level="smoke")):
        ...

All that is told is a record of the stream; reports are made from those alone.
"""

import shlex
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import chain
from time import monotonic
from typing import Any

import msgspec

from buckspec.data import spec_dir
from buckspec.document import plain
from buckspec.sources import read_yaml
from buckspec_conformance.asking import Failure, Transport
from buckspec_conformance.asking import Outcome as Asked
from buckspec_conformance.baseline import Baseline
from buckspec_conformance.blame import blame_all
from buckspec_conformance.called import nothing
from buckspec_conformance.case import Case, Result
from buckspec_conformance.edition import digest
from buckspec_conformance.invariants import watched
from buckspec_conformance.judging import CASE, Asking, Judge
from buckspec_conformance.patience import DECLINED, Patience
from buckspec_conformance.plan import Plan, Planner, Unasked, apart
from buckspec_conformance.pool import Pool
from buckspec_conformance.protocol import Prepared
from buckspec_conformance.readings import TAG
from buckspec_conformance.recorded import record_cases
from buckspec_conformance.select import Selectable, Selection, check
from buckspec_conformance.stream import (
    BROKEN,
    FORMAT,
    BlameRecord,
    CaseRecord,
    Footer,
    Found,
    Header,
    Record,
    ResumedRecord,
    Run,
    check_same,
)
from buckspec_conformance.suite import AMOUNTS, Level, Property, Sources, shipped
from buckspec_conformance.uncovered import unreached

CONFORMS, DIFFERS, USAGE, NO_HELLO, NOTHING, INTERRUPTED = 0, 1, 2, 4, 5, 130
"""The exit codes of a run."""

Make = Callable[[], Transport]
_ONCE_MORE = 30


@dataclass(frozen=True)
class Options:
    """How a run is made.

    `command` is what the record calls the engine, `more` what else reproduces a case with it. `max_time`, in seconds,
    ends the asking early. `patience` is how many requests in a row may go without an answer before the rest counts as
    unanswered too; `confirm` how many failures have to come out the same in a fresh process before no more are asked
    again; of timeouts, it is one.
    """

    level: Level = "standard"
    seed: int = 0
    command: tuple[str, ...] = ()
    more: tuple[str, ...] = ()
    selection: Selection = field(default_factory=Selection)
    max_time: float | None = None
    jobs: int = 1
    baseline: Baseline = field(default_factory=Baseline)
    patience: int = 5
    confirm: int = 20


def run(
    make: Make, options: Options | None = None, sources: Sources | None = None, before: Run | None = None
) -> Iterator[Record]:
    """Everything that is found out about an engine, from header to footer.

    `make` gives a new way to the engine. `before` is a run to go on with: what is in it is not asked again. Raises
    NothingSelected for a word that selects nothing, RunError for a run that was another one.
    """
    return _Runner(make, options or Options(), sources or shipped(), before).records()


def done_in(before: Run) -> set[str]:
    """The cases of a run that need not be asked again when it goes on.

    What did not pass is, to be looked at together with what is still to come; so are some that did, for comparison.
    """
    passed = [case.id for case in before.cases if case.outcome in ("passed", "unsupported") and TAG not in case.tags]
    return set(passed[_ONCE_MORE:])


class _Runner:
    def __init__(self, make: Make, options: Options, sources: Sources, before: Run | None) -> None:
        self.make, self.options, self.sources, self.before = make, options, sources, before
        self.amount = AMOUNTS[options.level]
        self.done = done_in(before) if before else set()
        self.watched: frozenset[str] = frozenset()  # the invariants that were asked for by name
        self.for_those: set[str] = set()  # cases that are asked for their sake alone, and not told
        self.outcomes: dict[str, str] = {case.id: case.outcome for case in before.cases} if before else {}
        self.began = monotonic()
        self.patience = Patience(options.patience)
        self.stopped: str | None = None
        self.judge: Judge
        self.transport: Transport

    # ------------------------------------------------------------------ the course of a run

    def records(self) -> Iterator[Record]:
        transport = Pool(self.make, self.options.jobs) if self.options.jobs > 1 else self.make()
        self.transport = transport
        with closing(transport):
            hello = transport.start()
            if isinstance(hello, Failure):
                yield from self.unanswered(hello)
                return
            planner = Planner(hello)
            self.judge = Judge(planner, self.make, self.options.confirm, self.command())
            try:
                yield from self.asked(planner)
            finally:
                self.judge.close()

    def command(self) -> str:
        """The command that asks one case again, with its place for the id of the case."""
        options, usual = self.options, Options()
        level = f" --level {options.level}" if options.level != usual.level else ""
        seed = f" --seed {options.seed}" if options.seed != usual.seed else ""
        more = "".join(f" {word}" for word in options.more)
        return f"buckspec conform{level}{seed}{more} --only {CASE} -- {shlex.join(options.command) or 'CMD'}"

    def unanswered(self, failure: Failure) -> Iterator[Record]:
        """The record of a run in which hello was never answered."""
        yield ResumedRecord(time=self.header().time) if self.before else self.header()
        yield Footer(
            counts={},
            exit=NO_HELLO,
            seconds=self.seconds(),
            stopped="no hello",
            message=failure.message,
            detail=failure.detail,
        )

    def asked(self, planner: Planner) -> Iterator[Record]:
        header = self.header(planner)
        if self.before:
            check_same(self.before, header)
        self.check_selection(planner)
        yield ResumedRecord(time=header.time) if self.before else header
        if self.before:
            self.judge.credit.remember([clause for case in self.before.cases for clause in case.earned])
        yield from self.known_since()
        try:
            yield from (case for case in self.all_cases(planner) if case.id not in self.for_those)
        except KeyboardInterrupt:
            self.stopped = "interrupted"
        yield from self.afterwards()
        yield self.footer()

    def known_since(self) -> Iterator[CaseRecord]:
        """The cases that are not asked again, where the file of known failures says otherwise of them."""
        for case in self.before.cases if self.before else ():
            if case.id in self.done and (found := self.told(case)) != case:
                yield found

    def all_cases(self, planner: Planner) -> Iterator[CaseRecord]:
        for number, fault in enumerate(planner.faults):
            found = Found(message=fault)
            why = "What hello says of profiles and readings exists."
            yield self.told(
                CaseRecord(id=f"hello/{number}", layer="vector", outcome="protocol-error", why=why, found=found)
            )
        if planner.profiles:
            yield from self.cases(self.selected(self.sources.vectors(self.amount.rotations), seen=True))
            yield from self.cases(self.selected(planner.unlisted()))
            yield from self.cases(self.selected(record_cases(planner, self.options.seed, self.amount.games)))
            if self.amount.tries:
                for one in self.selected(self.sources.properties(self.judge.rules), seen=True):
                    yield from self.property(one)
            if self.amount.tables:
                yield from self.cases(self.selected(self.sources.tables(self.judge.rules)))

    def selected(self, cases: Iterable[Any], *, seen: bool = False) -> Iterator[Any]:
        """Those that are asked for and were not asked yet. `seen` says that invariants are looked at in them."""
        for case in cases:
            if self.options.selection.admits(case):
                if case.id not in self.done:
                    yield case
            elif seen and self.watched:
                self.for_those.add(case.id)
                yield case

    def check_selection(self, planner: Planner) -> None:
        """Raise NothingSelected if a word selects nothing of this level."""
        selection = self.options.selection
        if not selection or not planner.profiles:
            return
        if selection.only:
            check(selection.only, self.everything(planner), planner.in_force())
        self.watched = frozenset(one.id for one in watched(self.judge.rules) if selection.admits(one))

    def everything(self, planner: Planner) -> Iterator[Selectable]:
        yield from watched(self.judge.rules)
        yield from self.sources.vectors(self.amount.rotations)
        yield from planner.unlisted()
        yield from record_cases(planner, self.options.seed, self.amount.games)
        if self.amount.tries:
            yield from self.sources.properties(self.judge.rules)
        if self.amount.tables:
            yield from self.sources.tables(self.judge.rules)

    def untested(self, planner: Planner) -> dict[str, str]:
        """The clauses in force for which this level has no case."""
        cases = self.everything(planner) if planner.profiles else ()
        return unreached(planner.in_force(), cases, self.options.level)

    # ------------------------------------------------------------------ cases

    def is_over(self) -> bool:
        """No more is asked."""
        limit = self.options.max_time
        if limit is not None and self.stopped is None and self.seconds() > limit:
            self.stopped = "max-time"
        return self.stopped is not None

    def ends(self) -> str | None:
        """Why no more is asked in search of a property; None if more is."""
        if self.patience.is_over():
            return "not asked: it does not answer any more"
        return f"not asked: the run was ended early ({self.stopped})" if self.is_over() else None

    def cases(self, cases: Iterable[Case]) -> Iterator[CaseRecord]:
        """Ask these cases ahead, and judge them in order."""
        waiting: deque[Plan] = deque()
        aside: deque[CaseRecord] = deque()

        def plans() -> Iterator[Plan]:
            for case in cases:
                plan = self.judge.planner.plan(case)
                if isinstance(plan, Unasked):
                    aside.append(self.judge.unasked(plan))
                else:
                    yield plan

        planned = apart(plans())
        left: list[Plan] = []

        def requests() -> Iterator[Prepared]:
            for plan in planned:
                if self.is_over() or self.patience.is_over():
                    left.append(plan)
                    return
                waiting.append(plan)
                yield plan.prepared

        if not self.patience.is_over():
            outcomes = self.transport.ask_all(requests())
            try:
                for found in outcomes:
                    yield self.told(self.heard(waiting.popleft(), found))
                    while aside:
                        yield self.told(aside.popleft())
                    if self.patience.is_over() or self.patience.is_declined():
                        break
            finally:
                if isinstance(outcomes, Generator):  # it takes back what was sent ahead
                    outcomes.close()
        while aside:
            yield self.told(aside.popleft())
        if self.patience.is_over():
            yield from self.not_asked(chain(waiting, left, planned))
            yield from map(self.told, aside)

    def heard(self, plan: Plan, found: Asked) -> CaseRecord:
        """Judge an answer, and keep count of those that do not come."""
        self.noted(plan, found)
        return self.judge.record(plan, found)

    def noted(self, plan: Plan, found: Asked) -> None:
        """Keep count of the answers that do not come."""
        self.patience.note(found, is_claimed=plan.is_claimed)
        if self.patience.is_declined() and self.stopped is None:
            self.stopped = DECLINED

    def not_asked(self, plans: Iterable[Plan]) -> Iterator[CaseRecord]:
        """What is said of cases that are not asked any more: silence is never a pass."""
        last = self.patience.last
        message = f"not asked: the last {self.patience.silent} requests were not answered ({last.message})"
        for plan in plans:
            yield self.told(self.judge.failed(plan, Failure(last.kind, message)))

    def property(self, one: Property) -> Iterator[CaseRecord]:
        """Search for a case in which a property does not hold."""
        if self.is_over():
            return
        began = monotonic()
        asked = Asking(self.judge, self.transport, self.ends, self.noted)
        worst = one.search(asked, self.options.seed, self.amount.tries)
        if self.patience.is_over() and (worst is None or worst.outcome == "unsupported"):
            last = self.patience.last
            worst = Result(Case(one.id, "property", one.clauses, one.why, {}), last.kind, failure=last)
        elif self.is_over() and (worst is None or worst.outcome == "unsupported"):
            return
        told = self.judge.of_property(one, worst, asked)
        yield self.told(msgspec.structs.replace(told, seconds=round(monotonic() - began, 3)))

    def invariants(self, readings: Mapping[str, str]) -> Iterator[CaseRecord]:
        """What the invariants came to on all that was answered, by the readings that the engine plays."""
        if self.judge.planner.profiles and (self.watched or self.options.selection.ids is None):
            for found in self.judge.of_invariants(readings):
                if found.id in self.watched or not self.watched:
                    yield self.told(found)

    def told(self, record: CaseRecord) -> CaseRecord:
        """The record beside what is known, counted."""
        found = self.options.baseline.judged(record)
        if found.id not in self.for_those:
            self.outcomes[found.id] = found.outcome
        return found

    # ------------------------------------------------------------------ the end

    def afterwards(self) -> Iterator[Record]:
        """What can be told only when all is known: stale entries, readings, blame."""
        recognised = self.judge.recognised()
        yield from self.invariants({one.question: one.reading for one in recognised})
        yield from map(self.told, self.outdated())
        explained: set[str] = set()
        for one in recognised:
            explained.update(one.cases)
            yield one
        differences = self.judge.differences(explained)
        blames = blame_all([difference for _, difference in differences])
        for (case, _), blame in zip(differences, blames, strict=True):
            if case not in self.for_those:
                yield BlameRecord(id=case, clauses=blame.clauses, explaining=blame.explaining)

    def outdated(self) -> Iterator[CaseRecord]:
        """The entries of known failures that are not true, as far as no case tells of them."""
        known, selection = self.options.baseline, self.options.selection
        if self.stopped is None:
            yield from known.stale(selection.only if selection else None)
        if known.unused and self.judge.planner.profiles:
            yield from known.nothing(nothing(known.unused, self.judge.rules, self.sources))

    def footer(self) -> Footer:
        counts = dict(Counter(self.outcomes.values()))
        unused = self.options.baseline.unused
        return Footer(
            counts=counts, exit=self.exit(counts), seconds=self.seconds(), stopped=self.stopped, unused=unused,
            unshown=self.judge.credit.unshown(),
        )  # fmt: skip

    def exit(self, counts: Mapping[str, int]) -> int:
        """The exit code for these counts."""
        if self.stopped == "interrupted":
            return INTERRUPTED
        if self.stopped == DECLINED or any(counts.get(outcome) for outcome in BROKEN):
            return DIFFERS
        return CONFORMS if counts.get("passed") or counts.get("known-failure") else NOTHING

    def seconds(self) -> float:
        return round(monotonic() - self.began, 3)

    def header(self, planner: Planner | None = None) -> Header:
        stated: Any = plain(read_yaml(spec_dir() / "version.yaml", "spec/version.yaml"))
        hello = None if planner is None else msgspec.json.decode(msgspec.json.encode(planner.hello))
        layers = ["vector", "record", *(["property"] if self.amount.tries else [])]
        return Header(
            format=FORMAT,
            time=datetime.now(UTC).isoformat(timespec="seconds"),
            spec=str(stated["spec"]),
            formats={**stated["formats"], "engine": planner.hello.protocol if planner else 1},
            level=self.options.level,
            seed=self.options.seed,
            command=self.options.command,
            rules=digest(spec_dir()),
            layers=(*layers, *(["table"] if self.amount.tables else []), "invariant"),
            only=self.options.selection.only,
            hello=hello,
            in_force=planner.in_force() if planner else (),
            elsewhere=planner.elsewhere() if planner else {},
            uncovered=planner.uncovered() if planner else {},
            untested=self.untested(planner) if planner else {},
            again=self.options.selection.ids is not None,
        )
