"""`buckspec mutants`: how much would the suite notice?"""

from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from typing import TYPE_CHECKING

import click

from buckspec_tools import exits
from buckspec_tools.options import FORMATS, Number, Processes, output, suggestion
from buckspec_tools.output import put, put_json

if TYPE_CHECKING:
    from buckspec_conformance.mutants.score import Change, Fate

_HELP = """\
Change the rule book in one place at a time, and find out which published vector notices.

\b
  buckspec mutants --sample 50          some of the changes, in some seconds
  buckspec mutants --only play.follow   all changes of one clause
  buckspec mutants --jobs 2             all of them, in some minutes

A change is killed by a vector, refused by the loader, or proven by a solver to change no game (equivalent): what is
seen of every state, what is legal and what follows is the same. Whatever is left is open. What a single seat may see
of the others' cards is no part of an engine's answer, so that nothing here depends on it.

Exit code: 0 nothing is open, 1 something is, 2 no such place.
"""


@click.command(name="mutants", help=_HELP, short_help="Measure how much the vectors notice.")
@click.option("--sample", type=Number(min=1), metavar="NUMBER", help="Try only so many changes, always the same ones.")
@click.option("--only", metavar="CLAUSE", help="Only the changes in this clause, definition, event or parameter.")
@click.option("--jobs", type=Processes(), default=1, show_default=True, help="Processes that work.")
@output
def command(sample: int | None, only: str | None, jobs: int, shape: str) -> int:
    from buckspec_conformance.mutants.score import OPEN, changes, sampled

    try:
        wanted = changes(only)
    except LookupError:
        places = sorted({change.where for change in changes()})
        raise click.BadParameter(
            f"found {only}; expected a place in which something can be changed{suggestion(only or '', places)}",
            param_hint="--only",
        ) from None
    if sample is not None:
        wanted = sampled(wanted, sample)
    found = _found(wanted, jobs)
    if shape != FORMATS[0]:
        for fate in found:
            put_json({"where": fate.change.where, "kind": fate.change.kind, "change": str(fate.change),
                      "outcome": fate.outcome, "by": fate.by})  # fmt: skip
    else:
        put("\n".join(_told(found)))
    return exits.WRONG if any(fate.outcome == OPEN for fate in found) else exits.FINE


def _found(wanted: "list[Change]", jobs: int) -> "list[Fate]":
    """What became of the changes, in their order, whichever process found it out."""
    if jobs == 1:
        return _part(wanted)
    with ProcessPoolExecutor(jobs) as pool:
        parts = list(pool.map(_part, [wanted[at::jobs] for at in range(jobs)]))
    order = {change: place for place, change in enumerate(wanted)}
    return sorted((fate for part in parts for fate in part), key=lambda fate: order[fate.change])


def _part(wanted: "list[Change]") -> "list[Fate]":
    from buckspec_conformance.mutants.score import Trial

    with Trial() as trial:
        return list(trial.fates(wanted))


def _told(found: "list[Fate]") -> list[str]:
    from buckspec_conformance.mutants.score import EQUIVALENT, FATES, KILLED, OPEN, REFUSED

    counts = Counter((fate.change.kind, fate.outcome) for fate in found)
    kinds = sorted({fate.change.kind for fate in found})
    width = max(map(len, kinds))
    lines = [f"{len(found)} changes"]
    lines += [f"  {kind:{width}}  " + ", ".join(f"{counts[kind, one]} {one}" for one in FATES) for kind in kinds]
    lines += [f"{fate.outcome}: {fate.change} ({fate.by})" for fate in found if fate.outcome in (EQUIVALENT, OPEN)]
    total = Counter(fate.outcome for fate in found)
    mattering = len(found) - total[REFUSED]
    done = total[KILLED] + total[EQUIVALENT]
    share = f"{done} of {mattering} changes that the loader takes are killed or proven equivalent"
    return [*lines, f"{share} ({done / mattering:.1%}); {total[OPEN]} open" if mattering else "the loader takes none"]
