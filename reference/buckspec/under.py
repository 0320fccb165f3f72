"""The language of `under:` — “question is reading or reading and question is …”."""

import re
from collections.abc import Mapping

from buckspec.document import Node
from buckspec.nodes import refuse, text
from buckspec.problem import nearest
from buckspec.rulebook import Question, Under

_CHOICE = re.compile(r"([a-z0-9-]+) is ([a-z0-9-]+(?: or [a-z0-9-]+)*)")


def parse_under(node: Node | None, questions: Mapping[str, Question]) -> Under:
    """The readings that `under:` names. A slip here would silently switch a clause off, so each name must exist."""
    if node is None:
        return Under()
    choices: list[tuple[str, frozenset[str]]] = []
    for part in re.split(r" and (?=[a-z0-9-]+ is )", " ".join(text(node, "under").split())):
        match = _CHOICE.fullmatch(part)
        if match is None:
            raise refuse(node.place, "“under” does not name readings", part, "question is reading, joined by or, and")
        question, readings = match[1], match[2].split(" or ")
        if question not in questions:
            raise refuse(node.place, "unknown question", question, meant=nearest(question, questions))
        known = questions[question].readings
        for reading in readings:
            if reading not in known:
                raise refuse(node.place, f"unknown reading of {question}", reading, meant=nearest(reading, known))
        if any(question == chosen for chosen, _ in choices):
            raise refuse(node.place, "the same question twice", question, "its readings joined by or")
        choices.append((question, frozenset(readings)))
    return Under(tuple(choices))


def both(one: Under, other: Under) -> Under:
    """The readings under which both hold."""
    merged = dict(one.choices)
    for question, readings in other.choices:
        merged[question] = merged.get(question, readings) & readings
    return Under(tuple(merged.items()))


def compatible(one: Under, other: Under, exclusions: tuple[Under, ...] = ()) -> bool:
    """Whether some choice of readings includes both, and is not excluded."""
    joined = dict(both(one, other).choices)
    if not all(joined.values()):
        return False
    return not any(
        all(question in joined and joined[question] <= readings for question, readings in excluded.choices)
        for excluded in exclusions
    )
