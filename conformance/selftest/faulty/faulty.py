"""Runs the suite on faulty engines: the JavaScript engine with one fault each, of conformance/engines/mutants.

What `conform` asks at the level `standard` is asked in the same order, but only until enough differs to say which
clause is to blame. Writes conformance/FAULTY-ENGINES.md:

    python conformance/selftest/faulty/faulty.py [--jobs N] [ID …]
"""

import argparse
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import yaml

from buckspec_conformance.asking import Failure
from buckspec_conformance.blame import blame_all
from buckspec_conformance.case import Case, Result
from buckspec_conformance.compare import Difference
from buckspec_conformance.judging import Judge
from buckspec_conformance.piped import Piped
from buckspec_conformance.plan import Plan, Planner
from buckspec_conformance.recorded import record_cases
from buckspec_conformance.stream import CaseRecord
from buckspec_conformance.suite import AMOUNTS, shipped

TOP = Path(__file__).resolve().parents[3]
ENGINE = TOP / "conformance/engines/javascript"
MUTANTS = TOP / "conformance/engines/mutants"
SETS = ("mutants", "held-out")
TABLE = TOP / "conformance/FAULTY-ENGINES.md"
ENOUGH = 12  # differences from which the blame is found
ASKED_TOGETHER = 64
MOST_BLAMED = 3


@dataclass(frozen=True)
class Faulty:
    """One faulty engine: its fault, and the clauses that a referee would name, the best first."""

    id: str
    kind: str
    fault: str
    edits: tuple[tuple[str, str, str], ...]
    clauses: tuple[str, ...]


@dataclass(frozen=True)
class Caught:
    """What the suite finds of a faulty engine. `asked` is how many cases it took."""

    id: str
    outcome: str
    blamed: tuple[str, ...]
    asked: int


def faulty_engines(name: str) -> tuple[Faulty, ...]:
    """All of a set, as they were written."""
    found = []
    for entry in yaml.safe_load((MUTANTS / f"{name}.yaml").read_text(encoding="utf-8")):
        edits = entry.get("edits") or [entry]
        parts = tuple((edit["file"], edit["find"], edit["replace"]) for edit in edits)
        found.append(Faulty(entry["id"], entry["kind"], entry["fault"], parts, tuple(entry["clauses"])))
    return tuple(found)


def written(faulty: Faulty, folder: Path) -> Path:
    """The adapter of the faulty engine, in a folder of its own."""
    target = folder / faulty.id
    shutil.copytree(ENGINE, target)
    for name, old, new in faulty.edits:
        text = (target / name).read_text(encoding="utf-8")
        assert text.count(old) == 1, f"{faulty.id}: the text to replace stands {text.count(old)} times in {name}"
        (target / name).write_text(text.replace(old, new), encoding="utf-8")
    return target / "adapter.js"


def cases(planner: Planner, judge: Judge) -> Iterator[Case]:
    """What `standard` asks that is no search: the vectors and the engine's own games."""
    yield from shipped().vectors(AMOUNTS["standard"].rotations)
    yield from record_cases(planner, 0, AMOUNTS["standard"].games)


def caught(faulty: Faulty) -> Caught:
    """Ask the faulty engine until enough differs, or everything was asked."""
    with tempfile.TemporaryDirectory() as folder:
        command = ["node", str(written(faulty, Path(folder)))]
        transport = Piped(command)
        with closing(transport):
            hello = transport.start()
            if isinstance(hello, Failure):
                return Caught(faulty.id, hello.kind, (), 0)
            planner = Planner(hello)
            judge = Judge(planner, lambda: Piped(command), 0, "")
            with closing(judge):
                return _asked(faulty, transport, planner, judge)


def _asked(faulty: Faulty, transport: Piped, planner: Planner, judge: Judge) -> Caught:
    wrong: list[tuple[CaseRecord, Result]] = []
    asked = 0
    plans = (plan for plan in map(planner.plan, cases(planner, judge)) if isinstance(plan, Plan))
    while chunk := list(islice(plans, ASKED_TOGETHER)):
        answers = transport.ask_all([plan.prepared for plan in chunk])
        for plan, answer in zip(chunk, answers, strict=True):
            asked += 1
            record, result = judge.both(plan, answer)
            if result.outcome not in ("passed", "unsupported"):
                wrong.append((record, result))
        if len(wrong) >= ENOUGH:
            break
    if not wrong:
        return _searched(faulty, transport, planner, judge, asked)
    return Caught(faulty.id, wrong[0][0].outcome, blamed(wrong), asked)


def _searched(faulty: Faulty, transport: Piped, planner: Planner, judge: Judge, asked: int) -> Caught:
    """What the properties of `standard` find."""

    def ask(case: Case) -> Result:
        nonlocal asked
        asked += 1
        plan = planner.plan(case)
        if not isinstance(plan, Plan):
            return Result(case, "unsupported")
        return judge.both(plan, transport.ask(plan.prepared))[1]

    for one in shipped().properties(judge.rules):
        found = one.search(ask, 0, AMOUNTS["standard"].tries)
        if found is not None:
            return Caught(faulty.id, found.outcome, blamed([(None, found)]), asked)
    return Caught(faulty.id, "survived", (), asked)


def blamed(wrong: Sequence[tuple[CaseRecord | None, Result]]) -> tuple[str, ...]:
    """The clauses to look at: those that are blamed most often come first."""
    differences: list[Difference] = [result.difference for _, result in wrong if result.difference][:ENOUGH]
    told = [record.blame for record, result in wrong if record is not None and not result.difference]
    votes: Counter[str] = Counter()
    for clauses in (*(blame.clauses for blame in blame_all(differences)), *told):
        for place, clause in enumerate(clauses[:MOST_BLAMED]):
            votes[clause] += MOST_BLAMED - place
    return tuple(clause for clause, _ in votes.most_common(MOST_BLAMED))


def is_right(faulty: Faulty, found: Caught) -> bool:
    """Whether the suite points at the fault: its first clause is one of those named, or the best named is among its."""
    return bool(found.blamed) and (found.blamed[0] in faulty.clauses or faulty.clauses[0] in found.blamed)


_HEAD = """\
# Faulty engines

What the suite finds of the JavaScript engine with one fault each. The faults are in
[engines/mutants](engines/mutants); both sets were written by somebody who had not seen the suite. This page is made
by `python conformance/selftest/faulty/faulty.py`.

Right means: the first clause blamed is one that the author named, or the author's first is among the three blamed.

The way in which clauses are blamed was worked out while looking at the first set, so its share is not that of faults
never met. The second set was held out: it was written later and blame was not fitted to it. In its first run 92 of its
94 engines were caught and 78 blamed rightly (83%). The two that went through, `k11-suit-named-again` and
`k11-unfinished-hand-given-up`, showed what the suite did not try; it does so now. Its numbers below are from the run
after that, and after a change of blame that the first set gave cause for.
"""


def table(title: str, engines: Sequence[Faulty], found: Sequence[Caught]) -> str:
    """A section of the page: what was found of one set."""
    right = sum(is_right(faulty, one) for faulty, one in zip(engines, found, strict=True))
    survivors = [one.id for one in found if one.outcome == "survived"]
    lines = [
        f"## {title}",
        "",
        f"{len(found)} faulty engines, {len(found) - len(survivors)} caught,",
        f"{right} blamed on a clause that a referee would name ({right / len(found):.0%}).",
        f"Survivors: {', '.join(survivors) or 'none'}.",
        "",
        "| engine | fault | outcome | cases asked | blamed | right |",
        "|---|---|---|---|---|---|",
    ]
    for faulty, one in zip(engines, found, strict=True):
        mark = "yes" if is_right(faulty, one) else f"no: {', '.join(faulty.clauses)}"
        names = ", ".join(one.blamed) or "–"
        lines.append(
            f"| {one.id} | {faulty.fault.replace('|', '/')} | {one.outcome} | {one.asked} | {names} | {mark} |"
        )
    return "\n".join([*lines, ""])


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(description="Run the suite on faulty engines.")
    parser.add_argument("ids", nargs="*", help="only these engines; all of them write the page")
    parser.add_argument("--jobs", type=int, default=2)
    asked: Any = parser.parse_args(words)
    sections = [_HEAD]
    with ProcessPoolExecutor(asked.jobs) as pool:
        for name in SETS:
            engines = [faulty for faulty in faulty_engines(name) if not asked.ids or faulty.id in asked.ids]
            found = []
            for faulty, one in zip(engines, pool.map(caught, engines), strict=True):
                found.append(one)
                told = "ok" if is_right(faulty, one) else f"NO, {', '.join(faulty.clauses)}"
                sys.stdout.write(f"{one.id}: {one.outcome}, {', '.join(one.blamed)} ({told})\n")
                sys.stdout.flush()
            if found:
                sections.append(table(name, engines, found))
    sys.stdout.write("\n".join(line for part in sections[1:] for line in part.splitlines()[:5]) + "\n")
    if not asked.ids:
        TABLE.write_text("\n".join(sections), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
