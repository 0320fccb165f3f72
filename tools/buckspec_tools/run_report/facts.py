"""What a run says in short, as entries of a label and a text; every report is made of these."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from buckspec.formats.wording import harmless
from buckspec_conformance.patience import DECLINED
from buckspec_conformance.readings import TAG
from buckspec_conformance.stream import BROKEN
from buckspec_conformance.table import PASSED, STALE, Group, Row, counts
from buckspec_tools.run_report.view import View

COLUMNS = (("vector", "vectors"), ("property", "properties"), ("table", "tables"), ("record", "own games"))
"""The layers that are columns of the table of clauses, and what the columns are called."""
_REASONS = 3
_SAID = {
    "failed": ("does not hold", "do not hold"),
    "other-reading": ("is read otherwise", "are read otherwise"),
    "known-failure": ("is known to fail", "are known to fail"),
    "in doubt": ("is in doubt, as its cases fail by others", "are in doubt, as their cases fail by others"),
    "unanswered": ("is in doubt, as its cases got no answer", "are in doubt, as their cases got no answer"),
    "passed": ("holds", "hold"),
    "not-covered": ("is not covered", "are not covered"),
}
_EARLY = {DECLINED: "all that was asked was declined in the same words"}
_NOWHERE = {
    STALE: "Known failures that are not true any more",
    "protocol-error": "Answers against the protocol",
    "crashed": "Crashed",
    "timeout": "No answer in time",
}
"""How the cases are headed that speak of no clause."""


def about(view: View) -> Iterator[tuple[str, str]]:
    """Who was tested, and how."""
    header, hello = view.run.header, view.run.header.hello or {}
    yield "engine", view.engine
    if hello:
        yield "plays", ", ".join(map(harmless, hello.get("profiles", ()))) or "no profile"
        yield "reports", ", ".join(map(harmless, hello.get("reports", ()))) or "nothing"
    only = f", only {', '.join(map(harmless, header.only))}" if header.only else ""
    only += ", only what had failed" if header.again else ""
    yield "asked", f"level {header.level}, seed {header.seed}, rule book {header.spec}{only}"


def readings(view: View) -> Iterator[tuple[str, str]]:
    """How the engine reads the open questions: those that it plays otherwise than it says, then the rest.

    With `verbose` every question is told; else only those that differ from the profile, and how many do not.
    """
    run, rules = view.run, view.rules
    if rules is None:
        return
    for one in run.readings:
        says = view.say.reading(rules.book.questions[one.question], one.reading, rules.parameters)
        explains = f"This explains {number(len(one.cases), 'failure')}"
        advice = f'if it is meant, say so in hello: "readings": {{"{one.question}": "{one.reading}"}}'
        yield one.question, f"plays {one.reading}, not {one.instead_of}: {says} {explains}; {advice}"
    otherwise = {one.question for one in run.readings}
    declared = (run.header.hello or {}).get("readings", {})
    passed = [case.tags for case in run.cases if case.outcome == PASSED and TAG in case.tags[:1]]
    asked = [(tags, name) for tags in passed for name in tags[1:2]]  # a case of a whole profile is of no one question
    shown = Counter(name for tags, name in asked if rules.readings.get(name) in tags)
    rest = [name for name in rules.book.questions if name not in otherwise]
    for name in rest:
        if name in declared or view.verbose:
            proof = f"shown by {number(shown[name], 'game')}" if shown[name] else "not shown by any game"
            yield name, f"{rules.readings[name]} ({'as it says, ' if name in declared else ''}{proof})"
    silent = [name for name in rest if name not in declared]
    if silent and not view.verbose:
        proven = sum(1 for name in silent if shown[name])
        profile = harmless(str((run.header.hello or {}).get("profiles", ["the profile"])[0]))
        which = "all others" if len(silent) < len(rules.book.questions) else "all"
        yield which, f"{number(len(silent), 'question')} as {profile} reads them; games show it of {proven}"


@dataclass(frozen=True)
class Standing:
    """How a clause stands: a word, and why it is so, where that needs saying."""

    word: str
    why: str = ""

    def __str__(self) -> str:
        return f"{self.word} ({self.why})" if self.why else self.word


def standing(view: View, row: Row) -> Standing:
    """How a clause stands, in words."""
    tested = sum(row.tested.values())
    match row.standing:
        case "passed":
            return Standing("passed")
        case "not-covered":
            return Standing("not covered", harmless(row.why or ""))
        case "failed" if row.clause in view.unanswered:
            return Standing("in doubt", f"{row.failed} of {number(tested, 'case')} got no answer")
        case "failed" if is_in_doubt(view, row):
            return Standing("in doubt", f"{row.failed} of {number(tested, 'case')} fail by other clauses")
        case "failed" if not tested:
            return Standing("FAILED", f"to blame in {number(row.blamed, 'case')}")
        case "failed":
            return Standing("FAILED", f"{row.failed} of {number(tested, 'case')}")
        case "other-reading":
            return Standing("other reading", "all its failures come from a reading that the engine plays otherwise")
        case "known-failure":
            return Standing("known failure", f"{row.failed} of {number(tested, 'case')}")
        case _:
            return Standing("not in force", row.why or "")


def is_in_doubt(view: View, row: Row) -> bool:
    """Its cases fail, but what fails in them goes back to another clause, as far as can be told, or to none."""
    is_elsewhere = bool(view.blamed) or row.clause in view.unanswered
    return row.standing == "failed" and row.clause not in view.blamed and is_elsewhere


def is_left_out(view: View, row: Row) -> bool:
    """Whether it is of no interest in a run that was to ask only some cases: none of them tells anything of it."""
    only, again = view.run.header.only, view.run.header.again
    return (
        bool(only or again)
        and row.standing == "not-covered"
        and not sum(row.tested.values())
        and row.clause not in only
    )


def heading(group: Group) -> str:
    """What failures have in common."""
    return group.clause or _NOWHERE.get(group.cases[0].outcome, "Without a clause to blame")


def advice(view: View, group: Group) -> str:
    """What to do about failures that speak of no clause; nothing where that is not known."""
    first = group.cases[0]
    outcome = "" if group.clause else first.outcome
    if outcome == "crashed" and first.found is not None and first.found.received:
        return "find out what the engine cannot do with the hands above; it lives on, and said so itself"
    if outcome == STALE:
        return "ask again with --update-baseline, which takes them out of the file"
    return f"buckspec doctor -- {view.command}" if outcome in ("protocol-error", "crashed", "timeout") else ""


def cells(row: Row) -> list[str]:
    """How many cases of each layer tested a clause."""
    return [str(row.tested.get(layer) or "") for layer, _ in COLUMNS]  # type: ignore[call-overload]


def outcomes(view: View) -> str:
    """How many cases came to what."""
    found = counts(view.run)
    if view.run.footer is not None and view.run.footer.stopped == DECLINED:
        return f"{number(sum(found.values()), 'case')} asked, and all declined in the same words"
    return ", ".join(f"{found[word]} {word}" for word in sorted(found, key=lambda word: (word != PASSED, word)))


def declined(view: View) -> Iterator[str]:
    """Why cases were not asked or declined: the most frequent reasons."""
    said = Counter(
        harmless(case.found.message) if case.found else "" for case in view.run.cases if case.outcome == "unsupported"
    )
    most = said.most_common(None if view.verbose else _REASONS)
    yield from (f"{count} unsupported: {reason}" for reason, count in most)
    rest = said.total() - sum(count for _, count in most)
    if rest:
        yield f"{rest} unsupported for other reasons"


def stale(view: View) -> Sequence[str]:
    """Entries of the file of known failures of which nothing was asked."""
    return view.run.footer.unused if view.run.footer else ()


def covered(view: View) -> tuple[int, int]:
    """How many clauses hold, and how many are in force."""
    rows = [row for row in view.rows if row.standing != "not-in-force"]
    return sum(1 for row in rows if row.standing == PASSED), len(rows)


def conclusion(view: View) -> str:
    """What it comes to, in one sentence."""
    footer, found = view.run.footer, counts(view.run)
    holds, all_of = covered(view)
    if footer is None:
        return "The run did not come to its end."
    if footer.stopped == "no hello":
        return "The engine did not answer hello: nothing was tested."
    early = f" The run was ended early ({_EARLY.get(footer.stopped, footer.stopped)})." if footer.stopped else ""
    if view.next_step is not None and not found.get(PASSED):
        return f"It does not conform: no case was answered.{early}"
    broken = {outcome for outcome in BROKEN if found.get(outcome)}
    if broken == {STALE}:
        many = number(found[STALE], "known failure is", "known failures are")
        return f"Nothing fails that is not known, but {many} not true any more.{early}"
    if broken:
        return f"It does not conform: {'; '.join(_shares(view))}.{early}"
    if not found.get(PASSED) and not found.get("known-failure"):
        return f"Nothing was tested.{early}"
    known = f", but for {number(found['known-failure'], 'known failure')}" if found.get("known-failure") else ""
    rest = all_of - holds
    open_ = f"; {rest} are not covered by this run" if rest and not known else ""
    said = "Nothing is wrong so far" if footer.stopped else "It conforms, as far as it was asked"
    return f"{said}{known}: {holds} of {all_of} clauses hold{open_}.{early}"


def _shares(view: View) -> Iterator[str]:
    """How many clauses stand how, what is wrong first."""
    rows = [row for row in view.rows if row.standing != "not-in-force"]
    doubt = {
        row.clause: "unanswered" if row.clause in view.unanswered else "in doubt"
        for row in rows
        if is_in_doubt(view, row)
    }
    found = Counter(doubt.get(row.clause, row.standing) for row in rows)
    if view.run.readings:
        yield f"{number(len(view.run.readings), 'open question')} read otherwise than it says"
    nowhere = sum(len(group.cases) for group in view.failures if group.clause is None)
    if nowhere and not found["failed"]:
        yield f"{number(nowhere, 'case')} of which no clause is to blame"
    for place, word in enumerate(word for word in _SAID if found[word]):
        count = found[word]
        yield f"{number(count, 'clause') if not place else count} {_SAID[word][count != 1]}"


def number(count: int, one: str, many: str = "") -> str:
    """So many of something."""
    return f"{count} {one}" if count == 1 else f"{count} {many or one + 's'}"
