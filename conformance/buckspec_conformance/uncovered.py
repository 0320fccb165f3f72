"""Why a run does not cover a clause, though nothing speaks against it."""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from buckspec.problem import listed
from buckspec_conformance.select import Selectable
from buckspec_conformance.stream import CaseRecord, Run

_UNSEEN = "what its cases show of it is not among what the engine reports"
_UNMET = "no game of its properties came to it where the engine reports it"


def unreached(clauses: Iterable[str], cases: Iterable[Selectable], level: str) -> dict[str, str]:
    """Those of the clauses for which there is no case of a level, each with that as its reason."""
    left = dict.fromkeys(clauses)
    for case in cases:
        for clause in case.clauses:
            left.pop(clause, None)
        if not left:
            break
    return dict.fromkeys(left, f"no case of level {level} is for it")


def why(run: Run, clause: str, judged: Sequence[CaseRecord], declined: Sequence[CaseRecord]) -> str:
    """The reason, by the cases of the clause that were judged, none of which failed, and those that were declined."""
    if judged:
        return _unshown(run, clause, {case.layer for case in judged})
    if declined:
        return _declined(declined)
    questions = [one.question for one in run.readings if _is_for(clause, run, one.cases)]
    if questions:
        return f"all its cases come from another reading of {listed(questions)}"
    return run.header.untested.get(clause) or _unasked(run, clause)


def _is_for(clause: str, run: Run, ids: Collection[str]) -> bool:
    return any(clause in case.clauses for case in run.cases if case.id in ids)


def _unshown(run: Run, clause: str, layers: Collection[str]) -> str:
    fields = run.footer.unshown.get(clause) if run.footer else None
    if fields:
        return f"it shows only in {listed(fields)}, which the engine does not report"
    return _UNMET if set(layers) == {"property"} else _UNSEEN


def _declined(cases: Sequence[CaseRecord]) -> str:
    """The most frequent reason. A case that was asked has its request in the record."""
    found = Counter((case.found.message, case.found.request is not None) for case in cases if case.found)
    if not found:
        return "the engine was not asked, or declined"
    (message, was_asked), _ = found.most_common(1)[0]
    rest = "; and for other reasons" if len(found) > 1 else ""
    return (f"the engine declined: {message}" if was_asked else message) + rest


def _unasked(run: Run, clause: str) -> str:
    """Why no case of a clause was asked that has some."""
    header, footer = run.header, run.footer
    is_chosen = any(clause == word or clause.startswith(f"{word}.") for word in header.only)
    if header.again:
        return "not asked, as nothing that failed in the earlier run is for it"
    if header.only and not is_chosen:
        return f"not asked, as only {listed(header.only)} was asked for"
    if footer is None:
        return "not asked, as the run did not come to its end"
    return (
        f"not asked, as the run was ended early ({footer.stopped})"
        if footer.stopped
        else "no case of this run tests it"
    )
