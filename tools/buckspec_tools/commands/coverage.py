"""`buckspec coverage`: which vectors show what of each clause?"""

from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from typing import TYPE_CHECKING

import click
from click.shell_completion import CompletionItem

from buckspec_tools import exits
from buckspec_tools.options import FORMATS, Processes, ProfileName, output, suggestion
from buckspec_tools.output import put, put_json

if TYPE_CHECKING:
    from buckspec.rules import Rules
    from buckspec_conformance.coverage.table import Finding, Met, Row

_HELP = """\
Tell clause by clause what the published vectors show: that it holds, that it fails, and that each of its conditions
matters.

\b
  buckspec coverage                        a line for each clause, in some seconds
  buckspec coverage --clause play.follow   which vectors show what of one clause
  buckspec coverage --summary              what is open, and the totals

Counted are, under every reading, the outcomes of each condition and, for each part of it and each value, a state where
that part alone decides (masking MC/DC). Each of these objectives is covered by a vector; proven to be met in no game
(impossible); about what no answer of an engine depends on (unseen); or open.

With --format json there is a line for each objective, with every vector that meets it; with --summary, the totals.

Exit code: 0 nothing is open, 1 something is, 2 no such profile or clause.
"""
_SHOWN = 2
"""How many vectors are named for an objective, as text."""


def _complete(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    from buckspec_conformance.coverage.table import owners
    from buckspec_tools import names

    return [CompletionItem(name) for name in owners(names.usual().book) if name.startswith(incomplete)]


@click.command(name="coverage", help=_HELP, short_help="Tell which vectors show what of each clause.")
@click.argument("profile", metavar="[NAME]", required=False, type=ProfileName())
@click.option(
    "--clause", metavar="ID", shell_complete=_complete, help="Only this clause, or definition; with its vectors."
)
@click.option("--summary", is_flag=True, help="Show only what is open, and the totals.")
@click.option("--jobs", type=Processes(), default=1, show_default=True, help="Processes that work.")
@output
def command(profile: str | None, clause: str | None, summary: bool, jobs: int, shape: str) -> int:
    from buckspec_conformance.coverage.table import OPEN, Table

    rules = _rules(profile, clause)
    rows = list(Table(rules, _met(clause, jobs)).rows(clause and [clause]))
    if shape != FORMATS[0]:
        for line in _as_json(rules.name, rows, summary):
            put_json(line)
    else:
        put("\n".join(_told(rules, rows, summary) if clause is None else _of_clause(rules, rows[0], summary)))
    return exits.WRONG if any(row.count(OPEN) for row in rows) else exits.FINE


def _rules(asked: str | None, clause: str | None) -> "Rules":
    """The rules of a shipped profile, of which this is a clause."""
    from buckspec.load import load_profile
    from buckspec_conformance.coverage.table import owners
    from buckspec_tools import names

    profile, shipped = asked or names.USUAL, names.profiles()
    if profile not in shipped:
        raise click.BadParameter(
            f"found {profile}; expected a shipped profile, {' or '.join(shipped)}{suggestion(profile, shipped)}",
            param_hint="NAME",
        )
    rules = load_profile(profile)
    known = owners(rules.book)
    if clause is not None and clause not in known:
        raise click.BadParameter(
            f"found {clause}; expected a clause or definition that decides something{suggestion(clause, known)}",
            param_hint="--clause",
        )
    return rules


def _met(clause: str | None, jobs: int) -> "Met":
    """What the vectors meet, in their order, whichever process found it out."""
    if jobs == 1:
        return _part(0, 1, clause)
    from buckspec_conformance.vectors import vectors

    with ProcessPoolExecutor(jobs) as pool:
        parts = list(pool.map(_part, range(jobs), [jobs] * jobs, [clause] * jobs))
    order = {vector.id: place for place, vector in enumerate(vectors())}
    return {
        id_: tuple(sorted((one for part in parts for one in part.get(id_, ())), key=order.__getitem__))
        for id_ in {id_ for part in parts for id_ in part}
    }


def _part(first: int, step: int, clause: str | None) -> "Met":
    from buckspec_conformance.coverage.table import measured
    from buckspec_conformance.vectors import vectors

    return measured(vectors()[first::step], clause)


# ---------------------------------------------------------------------- as JSON


def _as_json(profile: str, rows: "list[Row]", summary: bool) -> Iterator[dict[str, object]]:
    from buckspec_conformance.coverage.table import FATES

    if summary:
        yield {"profile": profile, **{fate: sum(row.count(fate) for row in rows) for fate in FATES}}
        return
    for row in rows:
        for one in row.findings:
            yield {
                "objective": one.objective.id, "clause" if row.is_clause else "definition": row.owner,
                "kind": one.objective.kind, "fate": one.fate, "vectors": list(one.vectors),
                **({"because": one.because} if one.because else {}), **({"by": list(one.by)} if one.by else {}),
            }  # fmt: skip


# ---------------------------------------------------------------------- as text


def _told(rules: "Rules", rows: "list[Row]", summary: bool) -> Iterator[str]:
    """A line for each clause, what is open, and the totals."""
    from buckspec_conformance.coverage.table import OPEN

    if not summary:
        width = max(len(row.owner) for row in rows)
        yield f"{rules.name}, under all readings: the vectors that show a clause to hold and to fail; objectives met"
        yield f"{'':{width}}  {'holds':>10}  {'fails':>10}  covered"
        for row in rows:
            holds, fails = (_count(row.outcome(value)) for value in (True, False))
            yield f"{row.owner:{width}}  {holds:>10}  {fails:>10}  {_share(row)}"
    for row in rows:
        yield from (f"open: {one.objective.id}" for one in row.findings if one.fate == OPEN)
    yield from _totals(rows)


def _count(finding: "Finding | None") -> str:
    """How many vectors show an outcome, or why none does; a dash where there is no such outcome."""
    if finding is None:
        return "-"
    return str(len(finding.vectors)) if finding.vectors else finding.fate


def _share(row: "Row") -> str:
    from buckspec_conformance.coverage.table import COVERED, FATES

    others = [f"{row.count(fate)} {fate}" for fate in FATES if fate != COVERED and row.count(fate)]
    return ", ".join([f"{row.count(COVERED)} of {len(row.findings)}", *others])


def _totals(rows: "list[Row]") -> Iterator[str]:
    from buckspec_conformance.coverage.decisions import CONDITION, OUTCOME, USE
    from buckspec_conformance.coverage.table import COVERED, FATES, IMPOSSIBLE, UNSEEN

    fates = Counter((one.objective.kind, one.fate) for row in rows for one in row.findings)
    for kind, told in ((OUTCOME, "outcomes"), (CONDITION, "values of conditions that decide alone"), (USE, "uses")):
        counts = ", ".join(f"{fates[kind, fate]} {fate}" for fate in FATES if fates[kind, fate])
        yield f"{sum(fates[kind, fate] for fate in FATES)} {told}: {counts}"
    clauses = [row for row in rows if row.is_clause]
    shown = [
        row for row in clauses if all(one.fate == COVERED for one in row.findings if one.objective.kind != CONDITION)
    ]
    unseen = [row for row in clauses if row.count(UNSEEN)]
    yield f"{len(shown)} of {len(clauses)} clauses are shown with each outcome that they can have, {len(unseen)} unseen"
    total = sum(len(row.findings) for row in rows)
    done = sum(fates[kind, fate] for kind in (OUTCOME, CONDITION, USE) for fate in (COVERED, IMPOSSIBLE))
    hidden = sum(row.count(UNSEEN) for row in rows)
    share = f": {done / (total - hidden):.1%}" if total > hidden else ""
    yield f"{done} of {total - hidden} objectives that an answer depends on are covered or proven impossible{share}"


def _of_clause(rules: "Rules", row: "Row", summary: bool) -> Iterator[str]:
    """The objectives of a clause, with the vectors that meet them."""
    from buckspec_conformance.coverage.table import OPEN

    clause = rules.book.clauses().get(row.owner)
    yield row.owner
    yield f"  {clause.says if clause else rules.book.definitions[row.owner].means}"
    for finding in row.findings:
        if not summary or finding.fate == OPEN:
            yield f"  {finding.objective.id}"
            yield f"    {_met_by(finding)}"
    yield _share(row)


def _met_by(finding: "Finding") -> str:
    from buckspec_conformance.coverage.table import IMPOSSIBLE

    ids = finding.vectors
    if ids:
        more = f" and {len(ids) - _SHOWN} more" if len(ids) > _SHOWN else ""
        return f"{len(ids)} vectors: {', '.join(ids[:_SHOWN])}{more}"
    told = "proven impossible" if finding.fate == IMPOSSIBLE else finding.fate
    proven = f" (by {', '.join(finding.by)})" if finding.by else ""
    return f"{told}: {finding.because}{proven}" if finding.because else told
