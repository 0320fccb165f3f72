"""The statements of the sources: each has a status, and what carries it says so in return."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from buckspec.condition import condition_in
from buckspec.document import Scalar, Table
from buckspec.nodes import Collector
from buckspec.problem import Place, Problem, listed, nearest
from buckspec.rulebook import RuleBook
from buckspec.under import parse_under
from buckspec_tools.lint.english import EnglishTexts
from buckspec_tools.lint.folder import Folder, below, scalars, textual

NEEDS = {
    "rule": "clauses", "question": "question", "definition": "term", "theorem": "shows", "context": "because",
    "example": None, "later": None, "damaged": None,
}  # fmt: skip
"""By status of a statement: the key that says where it went."""
_CARRYING = ("rule", "question")
_ROWS = ("later", "damaged", "context")


@dataclass(frozen=True)
class Kind:
    """What statements go to: clauses, questions or terms, each with what it cites."""

    name: str
    cites: Mapping[str, list[Scalar]]
    places: Mapping[str, Place]


def check_citations(english: EnglishTexts, folder: Folder) -> Iterator[Problem]:
    """Statements without a status, or that do not agree with what cites them."""
    statements, sources = folder.part("sources.yaml", "statements"), folder.part("sources.yaml", "sources")
    clauses = _kind("clause", ((clause.id, clause.body, clause.place) for clause in english.clauses))
    questions = _kind("question", english.questions)
    held = folder.part("glossary.yaml", "terms")
    terms = _kind("term", ((term, below(body), held.keys[term]) for term, body in held.entries.items()))
    for id_, node in statements.entries.items():
        body = below(node)
        yield from _status(id_, body, statements.keys[id_])
        yield from _reasons(id_, body, statements, sources)
        for key, kind in (("clauses", clauses), ("question", questions), ("term", terms), ("shows", clauses)):
            yield from _named(id_, scalars(body.entries.get(key)), kind, is_mutual=key != "shows")
        yield from _source(id_, statements.keys[id_], sources)
    for kind, key, status in (
        (clauses, "clauses", "rule"),
        (questions, "question", "question"),
        (terms, "term", "definition"),
    ):
        yield from _unreturned(kind, key, status, statements)
    yield from _not_carrying(clauses, statements)


def _kind(name: str, parts: Iterable[tuple[str, Table, Place]]) -> Kind:
    held = list(parts)
    return Kind(
        name,
        {id_: scalars(body.entries.get("cites")) for id_, body, _ in held},
        {id_: place for id_, _, place in held},
    )


def _status(id_: str, body: Table, place: Place) -> Iterator[Problem]:
    status = body.entries.get("status")
    if status is None:
        yield Problem(place, "a statement has no status", id_, listed(tuple(NEEDS)))
        return
    word = textual(status)
    if word is None or word.text not in NEEDS:
        found = word.text if word else "no word"
        yield Problem(status.place, "unknown status of a statement", found, listed(tuple(NEEDS)), nearest(found, NEEDS))
        return
    needed = NEEDS[word.text]
    if needed is not None and needed not in body.entries:
        yield Problem(place, f"a statement of status {word.text} lacks a key", id_, f"{needed}:")
    if "through" in body.entries and word.text not in _ROWS:
        through = body.entries["through"]
        yield Problem(through.place, "a row of statements cannot have this status", word.text, listed(_ROWS))


def _reasons(id_: str, body: Table, statements: Table, sources: Table) -> Iterator[Problem]:
    """Statements that a reason names, such as one that is repeated, and the end of a row."""
    reason = textual(body.entries.get("because"))
    if reason is not None and sources.entries:
        for match in re.finditer(rf"\b(?:{'|'.join(sources)})\.[\w.-]*\w", str(reason.value)):
            if match[0] not in statements.entries:
                meant = nearest(match[0], statements.entries)
                yield Problem(reason.at(match.start()), "no source says this", match[0], meant=meant)
    through = textual(body.entries.get("through"))
    section = id_.rpartition(".")[0]
    if through is not None and through.text.rpartition(".")[0] != section:
        yield Problem(through.place, "a row of statements ends in its own section", through.text, f"{section}.…")


def _named(id_: str, names: Iterable[Scalar], kind: Kind, is_mutual: bool) -> Iterator[Problem]:
    for name in names:
        if name.text not in kind.cites:
            yield Problem(name.place, f"unknown {kind.name}", name.text, meant=nearest(name.text, kind.cites))
        elif is_mutual and id_ not in (cited.text for cited in kind.cites[name.text]):
            expected = f"{id_} among what it cites, in {kind.places[name.text]}"
            yield Problem(name.place, f"the {kind.name} does not cite the statement", name.text, expected)


def _source(id_: str, place: Place, sources: Table) -> Iterator[Problem]:
    source = id_.partition(".")[0]
    if source not in sources.entries:
        yield Problem(place, "a statement begins with its source", source, listed(tuple(sources) or ("a source",)))


def _unreturned(kind: Kind, key: str, status: str, statements: Table) -> Iterator[Problem]:
    """Citations of a statement that belongs to others of this kind."""
    for id_, cites in kind.cites.items():
        for cited in cites:
            body = below(statements, cited.text)
            named = [name.text for name in scalars(body.entries.get(key))]
            if _status_of(body) == status and id_ not in named:
                expected = f"{id_} among its {key}, in {body.place}"
                yield Problem(cited.place, f"the statement does not name the {kind.name}", cited.text, expected)


def _not_carrying(clauses: Kind, statements: Table) -> Iterator[Problem]:
    for cites in clauses.cites.values():
        for cited in cites:
            status = _status_of(below(statements, cited.text))
            if status in NEEDS and status not in _CARRYING:
                found = f"{cited.text}, which is of status {status}"
                yield Problem(
                    cited.place, "a clause cites what is no rule", found, f"a statement of status {listed(_CARRYING)}"
                )


def _status_of(body: Table) -> str | None:
    word = textual(body.entries.get("status"))
    return word.text if word else None


def check_theorems(folder: Folder, book: RuleBook) -> Iterator[Problem]:
    """What statements say about the state is a condition in the words of the book, under readings that it has."""
    collector = Collector()
    for node in folder.part("sources.yaml", "statements").entries.values():
        body = below(node)
        if "about" in body.entries:
            with collector.collecting():
                condition_in(book, body.entries["about"])
        with collector.collecting():
            parse_under(body.entries.get("under"), book.questions)
    yield from collector.problems
