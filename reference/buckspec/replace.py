"""House rules: clauses of a question that stand `instead-of` another clause.

Nothing is edited and nothing is ordered. The new clause joins the family of the one that it replaces, takes over
what it does not say itself, and belongs to its reading; the replaced clause then belongs to the other readings.
"""

from collections.abc import Iterable, Mapping

from buckspec.document import Scalar, Table
from buckspec.heads import Clauses, Heads, add_clause
from buckspec.nodes import Collector, refuse, table, text
from buckspec.problem import Place, nearest
from buckspec.rulebook import Question, Under
from buckspec.under import both, parse_under

_INSTEAD = "instead-of"
_OWN = ("says", "under", "cites", "because", _INSTEAD)
Limits = dict[str, Under]
"""By clause: the readings to which its replacements leave it."""


def replace_clauses(
    tables: Iterable[tuple[str, Table]], heads: Heads, questions: Mapping[str, Question], collector: Collector
) -> Limits:
    """Add the clauses that questions bring with them. Returns what is left to the clauses that they replace."""
    limits: Limits = {}
    for _, question in tables:
        clauses = table(question.entries.get("clauses"), "clauses")
        for key, node in clauses.entries.items():
            with collector.collecting():
                _replace(key, table(node, f"the clause {key}"), clauses.keys[key], heads, questions, limits)
    return limits


def _replace(
    key: str, clause: Table, place: Place, heads: Heads, questions: Mapping[str, Question], limits: Limits
) -> None:
    if _INSTEAD not in clause.entries:
        raise refuse(place, "a clause of a question says which clause it replaces", expected=f"{_INSTEAD}: clause")
    old = text(clause.entries[_INSTEAD], _INSTEAD)
    family = _family(old, clause.entries[_INSTEAD].place, heads)
    under = parse_under(clause.entries.get("under"), questions)
    if len(under.choices) != 1:
        raise refuse(
            place, "a clause that replaces another belongs to readings of one question", str(under) or "no under"
        )
    (question, readings), *_ = under.choices
    others = frozenset(questions[question].readings) - readings
    if not others:
        raise refuse(place, "no reading is left to the clause that is replaced", old)
    limits[old] = both(limits.get(old, Under()), Under(((question, others),)))
    replaced = family[old][0]
    inherited = {
        name: node for name, node in replaced.entries.items() if name not in _OWN and name not in clause.entries
    }
    own = {name: node for name, node in clause.entries.items() if name != _INSTEAD}
    if "under" in replaced.entries:
        own["under"] = _joined(clause, replaced)
    keys = {**replaced.keys, **clause.keys}
    add_clause(key, Table({**inherited, **own}, keys, clause.place), place, family, heads)


def _joined(clause: Table, replaced: Table) -> Scalar:
    written = [text(held.entries["under"], "under") for held in (clause, replaced)]
    return Scalar(" and ".join(written), clause.entries["under"].place)


def _family(clause: str, place: Place, heads: Heads) -> Clauses:
    for family in heads.families():
        if clause in family:
            return family
    raise refuse(place, "unknown clause", clause, meant=nearest(clause, heads.clauses))
