"""Under which readings of the open questions a log is legal and its claims are right."""

from collections.abc import Callable, Iterator, Mapping
from itertools import combinations

from buckspec.problem import SpecError
from buckspec.rules import Rules
from buckspec.verdict import CLAIMS_DIFFER, ILLEGAL, IMPOSSIBLE, At, Under, Verdict

_AGAINST = {ILLEGAL, IMPOSSIBLE, CLAIMS_DIFFER}


def under_others(rules: Rules, judge: Callable[[Mapping[str, str]], Verdict]) -> tuple[Under, ...]:
    """The verdict under each reading of each question, the others as they are chosen.

    `judge` gives the verdict where some readings are chosen otherwise. Where no single one will do, each two together
    that will are added. Choices that contradict each other are left out.
    """
    single = [{question: reading} for question, found in rules.book.questions.items() for reading in found.readings]
    found = list(_judged(single, judge))
    if all(one.word in _AGAINST for one in found):
        changed = [choice for choice in single if rules.readings.items().isdisjoint(choice.items())]
        pairs = [{**one, **other} for one, other in combinations(changed, 2) if one.keys() != other.keys()]
        found += [one for one in _judged(pairs, judge) if one.word not in _AGAINST]
    return tuple(found)


def _judged(choices: list[dict[str, str]], judge: Callable[[Mapping[str, str]], Verdict]) -> Iterator[Under]:
    for choice in choices:
        try:
            verdict = judge(choice)
        except SpecError:
            continue
        yield Under(choice, verdict.word, because(verdict))


def because(verdict: Verdict) -> str | None:
    """The event or claim that is against the rules, as its path in the log, and the clause or what would be right."""
    if verdict.word == ILLEGAL and verdict.at is not None:
        return f"{path(verdict.at)}: {', '.join(broken.clause for broken in verdict.violations)}"
    if verdict.word == IMPOSSIBLE:
        return ", ".join(path(at) for at in verdict.conflict) or None
    if verdict.word == CLAIMS_DIFFER:
        return ", ".join(f"{claim.path}: {claim.claimed} != {claim.computed}" for claim in verdict.claims)
    return None


def path(at: At) -> str:
    """A place as a path in the log."""
    return f"hands[{at.hand}]" + ("" if at.event is None else f".events[{at.event}]")
