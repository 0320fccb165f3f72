"""The score sheet: what each hand brought, and how the totals stand, all recomputed."""

from collections.abc import Sequence
from dataclasses import dataclass, fields

from buckspec.observe import observed
from buckspec.state import State
from buckspec_tools.report.cards import Values
from buckspec_tools.report.columns import aligned

_ARROWS = {False: "→", True: "->"}


@dataclass(frozen=True)
class Row:
    """One hand that was played to its end: its number from 1, and observations by their names."""

    number: int
    dealer: int
    maker: int | None
    trump: str | None
    contract: str | None
    active: Sequence[bool]
    tricks: Sequence[int]
    points: Sequence[int]
    totals: Sequence[int]

    @property
    def opening(self) -> list[int]:
        """The totals before the hand."""
        return [total - points for total, points in zip(self.totals, self.points, strict=True)]


def rows(ended: Sequence[State]) -> list[Row]:
    """A row for each state in which a hand had ended, in order. Raises RuleError where the rules fail."""
    return [_row(number, state) for number, state in enumerate(ended, 1)]


def _row(number: int, state: State) -> Row:
    names = [one.name for one in fields(Row)][1:]
    return Row(number, **{name: observed(state, name) for name in names})  # type: ignore[arg-type]


def sheet(found: Sequence[Row], opening: Sequence[int], values: Values) -> list[str]:
    """The sheet as lines: a head, the totals at the start, and each hand."""
    report, seats = values.say.report, range(len(opening))
    head = [report("hand"), report("dealer"), report("maker"), report("trumps"), *map(values.player, seats)]
    start = [report("at-start"), "", "", "", *(values.number(total) for total in opening)]
    table = [head, start, *(_cells(row, values) for row in found)]
    legend = f"{report('tricks')}: {report('points')} {_ARROWS[values.plain]} {report('total')}"
    return [*aligned(table), *([legend] if found else [])]


def _cells(row: Row, values: Values) -> list[str]:
    trumps = values.named(*(("trump", row.trump) if row.trump else ("contract", row.contract)))
    maker = values.minus if row.maker is None else values.player(row.maker)
    scores = [_score(row, seat, values) for seat in range(len(row.totals))]
    return [str(row.number), values.player(row.dealer), maker, trumps, *scores]


def _score(row: Row, seat: int, values: Values) -> str:
    arrow, total = _ARROWS[values.plain], values.number(row.totals[seat])
    if not row.active[seat]:
        return f"{values.say.report('dropped')} {arrow} {total}"
    return f"{row.tricks[seat]}: {values.number(row.points[seat], signed=True)} {arrow} {total}"
