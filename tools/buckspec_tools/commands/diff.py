"""`buckspec diff`: how do two forms of the game differ, and in which hand does it matter?"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from buckspec_tools import exits
from buckspec_tools.forms import form
from buckspec_tools.options import FORMATS, Number, language, output
from buckspec_tools.output import put, put_json, shows

if TYPE_CHECKING:
    from buckspec.rules import Rules
    from buckspec.sentences import Sentences
    from buckspec_conformance.partings import Parting

_HELP = """\
Show how two forms of the game differ, and a hand in which they part.

\b
  buckspec diff ohio my-house.yaml
  buckspec diff ohio ohio-15
  buckspec diff ohio ohio+below-zero=cut          a reading of an open question
  buckspec diff ohio+sweep=maker my-house.yaml --format json

A form is a shipped profile, or a file or folder of your own, with further readings after `+`. Shown are the numbers,
the readings and the clauses that differ, and a short hand that both allow, up to where they say something else of it.
Both begin it with the same totals. Where no such hand is found it is tried to prove that there is none, from all that
can be seen at the table.

Exit code: 0 nobody can tell them apart, 1 they part, 2 no such form, 4 neither is known.
"""
FORMAT = "buckspec-diff/1"
_PATIENCE = 20.0
"""The seconds for each part of a proof."""
PART, SAME, UNDECIDED = "part", "same", "undecided"
_EXITS = {SAME: exits.FINE, PART: exits.WRONG, UNDECIDED: exits.UNDECIDED}
_PROVEN = "From the same totals, nothing that can be seen at the table tells them apart: that is proven."
_NOT_PROVEN = "From the same totals, no hand was found in which they part; that there is none is not proven."


@click.command(name="diff", help=_HELP, short_help="Show how two forms of the game differ, and where it matters.")
@click.argument("first", metavar="FORM")
@click.argument("second", metavar="FORM")
@click.option("--seed", type=Number(min=0), default=0, show_default=True, help="Another seed finds another hand.")
@language
@output
def command(first: str, second: str, seed: int, lang: str, shape: str) -> int:
    forms = Forms((first, second), form(first, "first FORM"), form(second, "second FORM"))
    answer = _answer(forms, seed)
    if shape == FORMATS[0]:
        put("\n".join(_told(forms, answer, lang)))
    else:
        put_json(_as_json(forms, answer))
    return _EXITS[answer.word]


@dataclass(frozen=True)
class Forms:
    """Two forms as they were called, and their rules."""

    names: tuple[str, str]
    one: "Rules"
    other: "Rules"

    @property
    def both(self) -> "tuple[Rules, Rules]":
        """The two rule books."""
        return self.one, self.other


@dataclass(frozen=True)
class Answer:
    """Whether two forms part; the hand in which they do, or why it is known without one."""

    word: str
    parting: "Parting | None" = None
    message: str = ""


def _answer(forms: Forms, seed: int) -> Answer:
    from buckspec_conformance.partings import FEW, comparable, never_part, openings, parting

    if not comparable(*forms.both):
        return Answer(PART, None, "They are played with other cards, or by another number of players.")
    found = parting(*forms.both, seed=seed, tries=FEW)
    proven = found is None and never_part(*forms.both, _PATIENCE)
    if found is None and not proven:
        found = parting(*forms.both, seed=seed)
    if found is not None:
        return Answer(PART, found)
    word, message = (SAME, _PROVEN) if proven else (UNDECIDED, _NOT_PROVEN)
    one, other = openings(*forms.both)
    if one != other:
        return Answer(PART, None, f"A game begins with the totals {_listed(one)} | {_listed(other)}. {message}")
    return Answer(word, None, message)


def _listed(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


# ---------------------------------------------------------------------- the answer


def _told(forms: Forms, answer: Answer, lang: str) -> Iterator[str]:
    from buckspec.sentences import load_sentences
    from buckspec_tools.report.columns import indented

    say = load_sentences(lang)
    for title, lines in _differences(forms):
        if lines:
            yield from (title, *indented(lines), "")
    if answer.parting is None:
        yield answer.message
    else:
        yield from _hand(forms, answer.parting, say)


def _hand(forms: Forms, parting: "Parting", say: "Sentences") -> Iterator[str]:
    from buckspec_conformance.partings import LEGAL
    from buckspec_tools.report.cards import Values, signs
    from buckspec_tools.report.columns import indented, labelled
    from buckspec_tools.report.hand import hand
    from buckspec_tools.report.parting import said

    plain = not shows(signs(forms.one))
    count = len(parting.events) - 1
    yield f"They part after {count} event{'' if count == 1 else 's'}:"
    yield from indented(hand(parting.before, parting.events, parting.after, say, plain=plain))
    values = Values(forms.one, say, plain=plain)
    rows = [(label or LEGAL, text) for label, text in said(parting, forms.names, values)]
    yield from indented(labelled([("", " | ".join(forms.names)), *rows]))


def _differences(forms: Forms) -> Iterator[tuple[str, list[str]]]:
    """Numbers, readings and clauses that differ, each kind with a title."""
    from buckspec_conformance.clauses import compared
    from buckspec_tools.report.columns import labelled

    for title, kind in (("numbers", "parameters"), ("readings", "readings")):
        yield title, labelled([(name, f"{one} | {other}") for name, (one, other) in _other(forms, kind).items()])
    first, second = (rules.book.clauses() for rules in forms.both)
    clauses = compared(*forms.both)
    yield f"clauses only in {forms.names[0]}", labelled([(name, first[name].says) for name in clauses.only_first])
    yield f"clauses only in {forms.names[1]}", labelled([(name, second[name].says) for name in clauses.only_second])
    says = {name: dict.fromkeys((first[name].says, second[name].says)) for name in clauses.other}
    yield "clauses that say something else", labelled([(name, " | ".join(texts)) for name, texts in says.items()])


def _other(forms: Forms, kind: str) -> dict[str, list[Any]]:
    """The numbers, or readings, that differ; `-` where one has none of this name."""
    one, other = (getattr(rules, kind) for rules in forms.both)
    names = dict.fromkeys((*one, *other))
    return {name: [one.get(name, "-"), other.get(name, "-")] for name in names if one.get(name) != other.get(name)}


def _as_json(forms: Forms, answer: Answer) -> dict[str, Any]:
    from buckspec_conformance.clauses import compared
    from buckspec_conformance.logs import log_of

    clauses = compared(*forms.both)
    told: dict[str, Any] = {
        "format": FORMAT, "forms": list(forms.names), "answer": answer.word,
        "parameters": _other(forms, "parameters"), "readings": _other(forms, "readings"),
        "clauses": {
            "first": list(clauses.only_first), "second": list(clauses.only_second), "other": list(clauses.other),
        },
    }  # fmt: skip
    if answer.parting is None:
        return {**told, "message": answer.message}
    said = {name: list(pair) for name, pair in answer.parting.said.items()}
    return {**told, "said": said, "log": log_of(answer.parting.game(), forms.one.name, {})}
