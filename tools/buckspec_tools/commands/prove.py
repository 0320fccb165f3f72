"""`buckspec prove`: do the rules have a hole, or contradict themselves?"""

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from buckspec_tools import exits
from buckspec_tools.options import FORMATS, Choice, ProfileName, Seconds, output
from buckspec_tools.output import put, put_json

if TYPE_CHECKING:
    from buckspec.rules import Rules
    from buckspec_conformance.solver.prover import Result

_HELP = """\
Prove, obligation by obligation, that the rules have no hole and no contradiction.

\b
  buckspec prove                        all shipped profiles, with all readings left open
  buckspec prove ohio                   one profile, with the readings that it chooses
  buckspec prove ohio --readings any    the same with all readings left open
  buckspec prove my-table.yaml          a house rule of your own

What is not proven is shown with a state that speaks against it, and the clauses that clash there. A proof that
takes too long is said to be undecided; that is never taken for a proof.

Exit code: 0 all proven, 1 something is refuted or undecided, 2 nothing that can be proven.
"""
FORMAT = "buckspec-proof/1"
_OWN, _ANY = "own", "any"


@click.command(name="prove", help=_HELP, short_help="Prove that the rules have no hole and no contradiction.")
@click.argument("wanted", metavar="[NAME|FILE]", required=False, type=ProfileName())
@click.option(
    "--readings",
    "which",
    type=Choice((_OWN, _ANY)),
    help="The readings of the profile (default with a NAME), or all that can be chosen.",
)
@click.option("--summary", is_flag=True, help="Show only what is not proven, and the totals.")
@click.option(
    "--timeout", type=Seconds(), default=60.0, show_default=True,
    help="Time for each part of an obligation.",
)  # fmt: skip
@output
def command(wanted: str | None, which: str | None, summary: bool, timeout: float, shape: str) -> int:
    from buckspec.load import load_profile
    from buckspec_conformance.solver.prove import prove
    from buckspec_conformance.solver.prover import PROVEN
    from buckspec_conformance.solver.telling import told
    from buckspec_tools.names import profiles

    every = which == _ANY or (which is None and wanted is None)
    is_text = shape == FORMATS[0]
    results: list[Result] = []
    for name in [wanted] if wanted else profiles():
        rules = load_profile(name)
        if is_text:
            put("\n".join(_head(rules, every)))
        for result in prove(rules, every, patience=timeout):
            results.append(result)
            if summary and result.outcome == PROVEN:
                continue
            if is_text:
                put("\n".join(told(result)))
            else:
                readings = _ANY if every else _OWN
                put_json({"format": FORMAT, "profile": rules.name, "readings": readings, **_as_json(result)})
    if is_text:
        put("\n".join(_totals(results)))
    return exits.FINE if all(result.outcome == PROVEN for result in results) else exits.WRONG


def _head(rules: "Rules", every: bool) -> list[str]:
    """Which rules are proven, and the readings that are not tried together."""
    if not every:
        return [f"{rules.name}, with its own readings"]
    lines = [f"{rules.name}, with all readings left open, but for those that contradict each other:"]
    return lines + [f"  {exclusion.under}: {exclusion.because}" for exclusion in rules.book.exclusions]


def _as_json(result: "Result") -> dict[str, Any]:
    held = {key: value for key, value in asdict(result).items() if value not in ("", None)}
    held["seconds"] = float(f"{result.seconds:.2f}")
    if result.against is not None:
        against = {key: value for key, value in asdict(result.against).items() if value != ""}
        held["against"] = {**against, "readings": dict(against["readings"]), "state": dict(against["state"])}
    return held


def _totals(results: "list[Result]") -> list[str]:
    from buckspec_conformance.solver.prover import PROVEN, REFUTED, UNDECIDED

    kinds = dict.fromkeys(result.kind for result in results)
    counts = {outcome: sum(result.outcome == outcome for result in results) for outcome in (PROVEN, REFUTED, UNDECIDED)}
    slowest = max(results, key=lambda result: result.seconds)
    return [
        f"{len(results)} obligations in {sum(result.goals for result in results)} parts",
        *(f"  {kind}: {sum(result.kind == kind for result in results)}" for kind in kinds),
        ", ".join(f"{count} {outcome}" for outcome, count in counts.items()),
        f"{sum(result.seconds for result in results):.1f} s; the longest: {slowest.id}, {slowest.seconds:.1f} s",
    ]
