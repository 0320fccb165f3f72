"""`buckspec mutants`: how much would the suite notice?"""

from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from typing import TYPE_CHECKING

import click

from buckspec_tools import exits
from buckspec_tools.options import FORMATS, Number, Processes, output, suggestion
from buckspec_tools.output import put, put_json

if TYPE_CHECKING:
    from buckspec_conformance.mutants.mutant import Mutant
    from buckspec_conformance.mutants.score import Fate

_HELP = """\
Change the rule book in one place at a time, and find out which published vector notices.

\b
  buckspec mutants --sample 50          some of the changes, in some seconds
  buckspec mutants --only play.follow   all changes of one clause
  buckspec mutants --jobs 2             all of them, in some minutes

A change is killed by a vector, refused by the loader, or proven by a solver to change no game (equivalent): in every
state that the invariants admit, the same is seen, legal and done, under every reading and with the numbers of the
profile. Whatever is left is open. What a single seat may see of the others' cards is no part of an engine's answer, so
that nothing here depends on it.

With --format json there is a line for each change: the vector that killed it, or how it was proven and why it is so.

Exit code: 0 nothing is open, 1 something is, 2 no such place.
"""


@click.command(name="mutants", help=_HELP, short_help="Measure how much the vectors notice.")
@click.option("--sample", type=Number(min=1), metavar="NUMBER", help="Try only so many changes, always the same ones.")
@click.option("--only", metavar="CLAUSE", help="Only the changes in this clause, definition, variable or parameter.")
@click.option("--jobs", type=Processes(), default=1, show_default=True, help="Processes that work.")
@output
def command(sample: int | None, only: str | None, jobs: int, shape: str) -> int:
    from buckspec_conformance.mutants.generate import mutants, sampled
    from buckspec_conformance.mutants.score import OPEN

    try:
        wanted = mutants(only)
    except LookupError:
        places = sorted({mutant.spot.where for mutant in mutants()})
        raise click.BadParameter(
            f"found {only}; expected a place in which something can be changed{suggestion(only or '', places)}",
            param_hint="--only",
        ) from None
    if sample is not None:
        wanted = sampled(wanted, sample)
    found = _found(wanted, jobs)
    if shape != FORMATS[0]:
        for fate in found:
            put_json(_as_json(fate))
    else:
        put("\n".join(_told(found)))
    return exits.WRONG if any(fate.outcome == OPEN for fate in found) else exits.FINE


def _found(wanted: "list[Mutant]", jobs: int) -> "list[Fate]":
    """What became of the mutants, in their order, whichever process found it out."""
    if jobs == 1:
        return _part(wanted)
    with ProcessPoolExecutor(jobs) as pool:
        parts = list(pool.map(_part, [wanted[at::jobs] for at in range(jobs)]))
    order = {mutant.id: place for place, mutant in enumerate(wanted)}
    return sorted((fate for part in parts for fate in part), key=lambda fate: order[fate.mutant.id])


def _part(wanted: "list[Mutant]") -> "list[Fate]":
    from buckspec_conformance.mutants.score import fates

    return list(fates(wanted))


def _as_json(fate: "Fate") -> dict[str, object]:
    mutant = fate.mutant
    held: dict[str, object] = {
        "change": mutant.id, "operator": mutant.operator, "where": mutant.spot.where, "file": mutant.spot.file,
        "outcome": fate.outcome, "by": fate.by,
    }  # fmt: skip
    if fate.because:
        held["because"] = fate.because
    return held


def _told(found: "list[Fate]") -> Iterator[str]:
    """Counts by operator, what is left and why, and the score."""
    from buckspec_conformance.mutants.operators import OPERATORS
    from buckspec_conformance.mutants.score import EQUIVALENT, FATES, OPEN

    counts = Counter((fate.mutant.operator, fate.outcome) for fate in found)
    operators = [name for name in OPERATORS if any(counts[name, one] for one in FATES)]
    width = max(map(len, operators))
    yield f"{len(found)} changes"
    for name in operators:
        yield f"  {name:{width}}  " + ", ".join(f"{counts[name, one]} {one}" for one in FATES)
    for fate in (one for one in found if one.outcome == EQUIVALENT):
        yield f"equivalent: {fate.mutant.id}"
        yield f"  {fate.because or fate.by}"
    for fate in (one for one in found if one.outcome == OPEN):
        yield f"open: {fate.mutant.id}"
        yield f"  {fate.by}"
        if fate.against is not None:
            yield "  in: " + "; ".join(f"{name} = {value}" for name, value in fate.against.state)
    yield from _score(Counter(fate.outcome for fate in found))


def _score(total: Counter[str]) -> Iterator[str]:
    from buckspec_conformance.mutants.score import EQUIVALENT, FATES, KILLED, OPEN

    yield ", ".join(f"{total[one]} {one}" for one in FATES)
    done = total[KILLED] + total[EQUIVALENT]
    taken = done + total[OPEN]
    if taken:
        yield f"{done} of {taken} changes that the loader takes are killed or proven equivalent: {done / taken:.1%}"
    else:
        yield "the loader takes none of them"
