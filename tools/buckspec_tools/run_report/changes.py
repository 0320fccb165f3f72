"""What is different in a later run, in words."""

from collections.abc import Iterable, Iterator

from buckspec.formats.wording import harmless
from buckspec_conformance.table import PASSED, Change, Changes
from buckspec_tools.report.columns import aligned, indented

_WRONG = ("failed", "other-reading")
_ABSENT = "not in the run"


def lines(found: Changes) -> Iterator[str]:
    """The changes of clauses and cases, what got worse first."""
    for heading, changes in (("Clauses", found.clauses), ("Cases", found.cases)):
        kinds: dict[str, list[Change]] = {"worse": [], "better": [], "otherwise": []}
        for change in changes:
            kinds[_kind(change)].append(change)
        for word, told in kinds.items():
            if told:
                yield f"{heading}, {word}: {len(told)}"
                yield from indented(aligned(list(_rows(told))))
    for word, readings in (("no longer plays", found.readings_before), ("now plays", found.readings_after)):
        for one in readings:
            yield f"Readings: it {word} {one.question}: {one.reading}"
    if is_worse(found):
        yield "Something got worse."
    else:
        yield "Nothing got worse." if found.clauses or found.cases else "Nothing changed."


def is_worse(found: Changes) -> bool:
    """Whether anything is wrong, or not tested any more, that was right before."""
    return any(map(_worse, (*found.clauses, *found.cases)))


def _worse(change: Change) -> bool:
    """As `Change` has it for outcomes; for a clause too, whose standing may have another name for what is wrong."""
    return change.is_worse or (change.after in _WRONG and change.before not in _WRONG)


def _kind(change: Change) -> str:
    """In which list it is told. What is new and right makes nothing better that was there."""
    if _worse(change):
        return "worse"
    return "better" if change.after == PASSED and change.before is not None else "otherwise"


def _rows(changes: Iterable[Change]) -> Iterator[list[str]]:
    for change in changes:
        yield [harmless(change.id), change.before or _ABSENT, "→", change.after or _ABSENT]
