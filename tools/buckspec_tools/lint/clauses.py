"""What clauses, questions and readings say, and that each of them rests on something."""

from collections.abc import Iterable, Iterator, Mapping

from buckspec.document import Scalar
from buckspec.problem import Place, Problem, nearest
from buckspec_tools.lint.english import ENGLISH_FILE, EnglishTexts
from buckspec_tools.lint.folder import Folder, below, scalars, textual
from buckspec_tools.lint.forms import check_placeholders, check_sentence, check_words, style

_PLAYER = "player"
_SPOKEN = ("clauses", "questions", "readings")
_WRITTEN = ("terms", "chapters", "profiles")


def check_sentences(english: EnglishTexts, folder: Folder, shipped: Folder | None = None) -> Iterator[Problem]:
    """The form of all English sentences. `shipped` is what rules of a user's own are added to."""
    own_style = style((shipped or folder).part("glossary.yaml", "terms"))
    names = list(dict.fromkeys([*(EnglishTexts(shipped).parameters if shipped else ()), *english.parameters]))
    for entry in english.entries:
        for text in entry.texts.values():
            if entry.section in _SPOKEN:
                yield from check_sentence(text, own_style, names, is_question=entry.section == "questions")
            elif entry.section in _WRITTEN:
                yield from check_words(text, own_style)
            elif entry.section == "moves" and entry.id in english.takes:
                yield from check_placeholders(text, [_PLAYER, *english.takes[entry.id]])
    yield from _twice(english)
    if not folder.is_own:
        yield from _without_name(english, folder)


def _twice(english: EnglishTexts) -> Iterator[Problem]:
    """Two clauses, two questions, or two readings of one question, in the same words."""
    seen: dict[tuple[str, ...], tuple[str, Scalar]] = {}
    for entry in english.entries:
        if entry.section in _SPOKEN:
            (text,) = entry.texts.values()
            home = entry.id.split(".")[0] if entry.section == "readings" else ""
            key = (entry.section, home, " ".join(str(text.value).split()))
            if key in seen:
                other, first = seen[key]
                found = f"{other} says so too, see {first.place}"
                yield Problem(text.place, "the same sentence twice", found, "two sentences, as for two rules")
            else:
                seen[key] = (entry.id, text)


def _without_name(english: EnglishTexts, folder: Folder) -> Iterator[Problem]:
    """Values and events that have no words for people, and words for what does not exist."""
    words = folder.named(ENGLISH_FILE)
    values, moves = below(words, "values"), below(words, "moves")
    top = Place(words.place.file, 1, 1)
    place = words.keys.get("values", top)
    known = {f"{domain}.{value}": values.keys.get(domain, place) for domain, value, _ in english.values}
    named = {
        f"{domain}.{value}": below(names).keys[value]
        for domain, names in values.entries.items()
        for value in below(names)
    }
    yield from _differ("a value", known, named)
    yield from _differ("an event", dict.fromkeys(english.takes, words.keys.get("moves", top)), moves.keys)


def _differ(what: str, known: Mapping[str, Place], named: Mapping[str, Place]) -> Iterator[Problem]:
    for name, place in known.items():
        if name not in named:
            yield Problem(place, f"no words for {what}", expected=name)
    for name, place in named.items():
        if name not in known:
            yield Problem(place, f"words for {what} that does not exist", name, meant=nearest(name, known))


def check_origins(english: EnglishTexts, shipped: EnglishTexts | None = None) -> Iterator[Problem]:
    """Clauses and questions that cite nothing and give no reason, and citations of what no source says."""
    statements = (shipped or english).folder.part("sources.yaml", "statements").entries
    what = "a clause cites a source or says why it is there"
    for clause in english.clauses:
        if not clause.is_invariant and not {"cites", "because"} & set(clause.body):
            yield Problem(clause.place, what, clause.id, "cites: or because:")
        yield from _unknown(scalars(clause.body.entries.get("cites")), statements)
        reason = textual(clause.body.entries.get("because"))
        if reason is not None and not str(reason.value).strip():
            yield Problem(reason.place, "a reason is empty", clause.id, "why the clause is there")
    for question, body, place in english.questions:
        if not {"cites", "because"} & set(body):
            yield Problem(place, "a question cites a source or says why it is asked", question, "cites: or because:")
        yield from _unknown(scalars(body.entries.get("cites")), statements)
    for term in english.folder.part("glossary.yaml", "terms").entries.values():
        yield from _unknown(scalars(below(term).entries.get("cites")), statements)


def _unknown(cites: Iterable[Scalar], statements: Iterable[str]) -> Iterator[Problem]:
    known = list(statements)
    for cited in cites:
        if cited.text not in known:
            yield Problem(
                cited.place,
                "no source says this",
                cited.text,
                "a statement of sources.yaml",
                nearest(cited.text, known),
            )
