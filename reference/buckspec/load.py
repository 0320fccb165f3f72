"""Loads a rule book: reads the texts of `spec/`, checks every name and type, and reports all faults at once."""

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from buckspec.build import Builder
from buckspec.data import spec_dir
from buckspec.document import Node, Table
from buckspec.domains import build_domains
from buckspec.heads import REQUIRES_OF, read_heads
from buckspec.nodes import Collector, fields, listing, refuse, table, text, texts
from buckspec.observations import build_observations
from buckspec.profiles import Profile, read_profile
from buckspec.replace import replace_clauses
from buckspec.rulebook import Chapter, Exclusion, Question, RuleBook
from buckspec.rules import Rules, checked_reading, choose
from buckspec.soundness import check_soundness
from buckspec.sources import Sources, find_profile
from buckspec.under import parse_under

CHAPTER_KEYS = ("domains", "orders", "state", "events", "define")


def load_profile(
    name_or_path: str,
    parameters: Mapping[str, int] | None = None,
    readings: Mapping[str, str] | None = None,
    spec: Path | None = None,
) -> Rules:
    """The rules of a shipped profile, or of a user's own file or folder, with parameters and readings of your choice.

    `spec` is another copy of the rule book than the shipped one. Raises SpecError with every fault found.
    """
    sources = find_profile(name_or_path, spec)
    book = load_rulebook(sources) if sources.is_own or spec else _rulebook(sources)
    name = f"{book.profile}@{book.fingerprint}" if book.fingerprint else book.profile
    is_shipped = sources.spec == spec_dir() and not book.has_own_clauses
    return choose(book, name, parameters or {}, readings or {}, is_shipped)


@lru_cache
def _rulebook(sources: Sources) -> RuleBook:
    return load_rulebook(sources)


def load_rulebook(sources: Sources) -> RuleBook:
    """The rule book of a profile. Raises SpecError with every fault found."""
    profile = read_profile(sources)
    collector = Collector()
    names = [name for name, _ in profile.chapters]
    chapters = _chapters(sources, profile, collector)
    shared = {
        name: sources.read(sources.spec / f"{name}.yaml")
        for name in ("domains", "questions", "invariants", "observations")
    }
    questions, question_tables = _questions(shared["questions"], profile, collector)
    collector.finish()
    parameters = {name: parameter.value for name, parameter in profile.parameters.items()}
    symbols, orders = build_domains(shared["domains"], [node for _, node in chapters], parameters, collector)
    collector.finish()
    heads = read_heads([node for _, node in chapters], symbols, collector)
    limits = replace_clauses(question_tables, heads, questions, collector)
    collector.finish()
    builder = Builder(symbols, questions, limits, collector)
    exclusions = _exclusions([shared["questions"], *profile.excludes], questions, collector)
    book = RuleBook(
        profile=profile.id,
        title=profile.title,
        chapters=tuple(chapter for chapter, _ in chapters),
        domains=symbols.domains,
        tables={name: values for name, (_, values) in symbols.tables.items()},
        orders=orders,
        parameters=profile.parameters,
        readings=_readings(profile, questions, collector),
        questions=questions,
        exclusions=exclusions,
        variables=builder.variables(heads),
        definitions=builder.definitions(heads),
        events=builder.events(heads),
        invariants=builder.invariants(shared["invariants"], heads),
        observations=build_observations(shared["observations"], builder),
        symbols=symbols,
        has_own_clauses=bool(
            profile.inline
            or profile.questions
            or sources.own_chapters(names)
            or (sources.is_own and profile.chooses_chapters)
        ),
        fingerprint=sources.fingerprint(names),
    )
    collector.finish()
    check_soundness(book, collector)
    collector.finish()
    return book


def _chapters(sources: Sources, profile: Profile, collector: Collector) -> list[tuple[Chapter, Table]]:
    nodes: list[Node] = []
    found = []
    for name, place in profile.chapters:
        with collector.collecting():
            nodes.append(sources.read(sources.chapter(name, place)))
    for node in (*nodes, *profile.inline):
        with collector.collecting():
            extra = tuple(key for key in table(node, "a chapter") if key.startswith(REQUIRES_OF))
            held = fields(node, "a chapter", ("chapter",), ("title", *CHAPTER_KEYS, *extra))
            name = text(held.entries["chapter"], "chapter")
            title = text(held.entries["title"], "title") if "title" in held.entries else name
            found.append((Chapter(name, title, held.place), held))
    return found


def _questions(
    shared: Node, profile: Profile, collector: Collector
) -> tuple[dict[str, Question], list[tuple[str, Table]]]:
    held = fields(shared, "the questions", ("questions",), ("excludes",))
    questions: dict[str, Question] = {}
    tables: list[tuple[str, Table]] = []
    for group in (table(held.entries["questions"], "questions"), *profile.questions):
        for name, node in group.entries.items():
            with collector.collecting():
                if name in questions:
                    raise refuse(
                        group.keys[name],
                        "the question exists already",
                        name,
                        f"another name; see {questions[name].place}",
                    )
                entry = fields(node, "a question", ("asks", "readings"), ("cites", "because", "clauses"))
                readings = {
                    key: text(value, "a reading")
                    for key, value in table(entry.entries["readings"], "readings").entries.items()
                }
                if len(readings) < 2:
                    raise refuse(node.place, "a question has at least two readings", str(len(readings)))
                questions[name] = Question(
                    name,
                    text(entry.entries["asks"], "asks"),
                    texts(entry.entries.get("cites"), "cites"),
                    readings,
                    group.keys[name],
                )
                tables.append((name, entry))
    return questions, tables


def _readings(profile: Profile, questions: dict[str, Question], collector: Collector) -> dict[str, str]:
    """The reading that the profile chooses of every question; of its own questions the first is the usual one."""
    chosen = {name: next(iter(question.readings)) for name, question in questions.items()}
    for name, reading in profile.readings.items():
        with collector.collecting():
            chosen[name] = checked_reading(questions, name, reading, profile.reading_places[name])
    return chosen


def _exclusions(nodes: list[Node], questions: dict[str, Question], collector: Collector) -> tuple[Exclusion, ...]:
    shared, *own = nodes
    found = []
    for node in (*listing(table(shared, "the questions").entries.get("excludes")), *own):
        with collector.collecting():
            entry = fields(node, "an exclusion", ("under", "because"))
            found.append(
                Exclusion(parse_under(entry.entries["under"], questions), text(entry.entries["because"], "because"))
            )
    return tuple(found)
