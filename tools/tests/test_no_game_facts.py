"""No game fact in Python: cards, suits, phases, events, clauses and numbers above two stand in spec/ alone.

The words are read from spec/, our three packages are parsed, and a literal that is such a word is a finding,
told as file and line. What cannot be avoided stands in game_facts_allowed.yaml, each with its reason.
"""

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import pytest
import yaml

TOP = Path(__file__).resolve().parents[2]
PACKAGES = ("reference/buckspec", "conformance/buckspec_conformance", "tools/buckspec_tools")
ALLOWED = Path(__file__).with_name("game_facts_allowed.yaml")
COUNTABLE = 2  # none, one, both: more than that is a fact about something

Words = dict[str, set[str]]  # a word of the game -> what it is there, e.g. {"an event", "a phase"}


# ---------------------------------------------------------------------- the words of the game


def words_of_the_game(spec: Path) -> Words:
    """Every value of a domain with its codes, every card, event and clause of any chapter or profile."""
    words: Words = {}
    codes: dict[str, dict[str, list[str]]] = {}  # domain -> value -> how it is written
    pairs: list[dict[str, Any]] = []

    def note(what: str, found: Iterable[str]) -> None:
        for word in found:
            words.setdefault(word, set()).add(what)

    for file in sorted(spec.rglob("*.yaml")):
        book = yaml.safe_load(file.read_text(encoding="utf-8"))
        if not isinstance(book, dict):
            continue
        note("an event", book.get("events", {}))
        note("how a log writes an event", logged(book))
        note("a clause", clauses(book))
        for domain, text in book.get("domains", {}).items():
            for value, forms in named(text.get("values", {})).items():
                codes.setdefault(domain.lower(), {}).setdefault(value, []).extend(written(forms))
            if "each" in text:
                pairs.append(text["each"])
    for domain, values in codes.items():
        note(f"a {domain}", values)
        note(f"how a {domain} is written", (form for forms in values.values() for form in forms))
    for pair in pairs:
        note("a card", cards(pair, codes))
    return words


def named(values: Any) -> dict[str, dict[str, Any]]:
    """The values of a domain, listed as names alone or with their codes."""
    if isinstance(values, list):
        return {str(value): {} for value in values}
    return {str(value): forms or {} for value, forms in values.items()}


def written(forms: dict[str, Any]) -> list[str]:
    alone = [forms[key] for key in ("code", "symbol") if key in forms]
    return [str(form) for form in (*alone, *forms.get("reads", []))]


def cards(pair: dict[str, Any], codes: dict[str, dict[str, list[str]]]) -> Iterator[str]:
    """Every card in every writing, for a domain that makes one of each rank and suit."""
    ranks = [form for rank in pair["rank"] for form in codes["rank"][rank]]
    suits = [form for forms in codes["suit"].values() for form in forms]
    return (rank + suit for rank, suit in product(ranks, suits))


def clauses(node: Any) -> Iterator[str]:
    """The ids below every heading that holds clauses, at any depth."""
    if isinstance(node, dict):
        for key, below in node.items():
            if re.fullmatch("requires|does|exactly one of|invariants|requires of .*", str(key)):
                yield from (str(name) for name in below)
            yield from clauses(below)
    elif isinstance(node, list):
        for below in node:
            yield from clauses(below)


def logged(book: dict[str, Any]) -> Iterator[str]:
    for event in book.get("events", {}).values():
        form = event.get("logged", {})
        yield from (str(word) for word in (form.values() if isinstance(form, dict) else [form]))


# ---------------------------------------------------------------------- the literals of the code


@dataclass(frozen=True)
class Finding:
    file: str
    line: int
    value: str | int
    what: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.value!r} is {self.what}"


def findings(source: str, file: str, words: Words) -> Iterator[Finding]:
    """What in this source is a fact of the game; docstrings and the layout of f-strings are not."""
    tree = ast.parse(source, file)
    silent = set(not_meant(tree))
    for node in ast.walk(tree):
        match node:
            case ast.Constant(value=str(text)) if node not in silent:
                if what := fact(text, words):
                    yield Finding(file, node.lineno, text, what)
            case ast.Constant(value=bool()):
                pass
            case ast.Constant(value=int(number)) if node not in silent and number > COUNTABLE:
                yield Finding(file, node.lineno, number, f"a number above {COUNTABLE}")
    for line, name in identifiers(tree):
        for what in words.get(name.lower(), set()) & {"a suit", "a rank"}:
            yield Finding(file, line, name, f"the name of {what}")


def fact(text: str, words: Words) -> str | None:
    """What this text is in the game, if it is a word of the game or a row of such words."""
    if text in words:
        return " and ".join(sorted(words[text]))
    row = re.split(r"[\s,|/]+", text.strip())
    if len(row) > 1 and all(word in words for word in row):
        return "a row of words of the game"
    for what in ("how a suit is written", "how a rank is written"):
        if len(text) > COUNTABLE and all(what in words.get(sign, ()) for sign in text):
            return "a row of codes"
    return None


def not_meant(tree: ast.AST) -> Iterator[ast.AST]:
    for node in ast.walk(tree):
        match node:
            case ast.Expr(value=ast.Constant(value=str()) as text):
                yield text
            case ast.FormattedValue(format_spec=ast.JoinedStr() as layout):
                yield from ast.walk(layout)


def identifiers(tree: ast.AST) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name):
                yield node.lineno, name
            case ast.keyword(arg=str(name)):
                yield node.lineno, name
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield node.lineno, name


# ---------------------------------------------------------------------- the check


def check(found: list[Finding], allowed: dict[str, dict[str | int, str]]) -> list[str]:
    """Complaints, in words: facts that are not allowed, and allowances without a fact or without a reason."""
    complaints = [str(one) for one in found if one.value not in allowed.get(one.file, {})]
    seen = {(one.file, one.value) for one in found}
    for file, entries in allowed.items():
        for value, reason in entries.items():
            if not isinstance(reason, str) or not reason.strip():
                complaints.append(f"{ALLOWED.name}: {value!r} in {file} has no reason")
            if (file, value) not in seen:
                complaints.append(f"{ALLOWED.name}: {value!r} no longer stands in {file}; take the entry out")
    return complaints


@pytest.fixture(scope="module")
def words() -> Words:
    return words_of_the_game(TOP / "spec")


def test_the_words_are_really_read_from_the_rule_book(words: Words) -> None:
    for word, what in {
        "hearts": "a suit", "H": "how a suit is written", "♥": "how a suit is written", "queen": "a rank",
        "QH": "a card", "T♠": "a card", "deal": "an event", "play": "an event", "play.follow": "a clause",
        "keep.one-place": "a clause", "stay": "an event", "second_round": "a phase", "no_trump": "a contract",
    }.items():  # fmt: skip
        assert what in words.get(word, ()), word


def test_no_fact_of_the_game_stands_in_python(words: Words) -> None:
    files = [file for package in PACKAGES for file in sorted((TOP / package).rglob("*.py"))]
    found = [
        one
        for file in files
        for one in findings(file.read_text(encoding="utf-8"), file.relative_to(TOP).as_posix(), words)
    ]
    allowed = yaml.safe_load(ALLOWED.read_text(encoding="utf-8")) or {}
    complaints = check(found, allowed)
    assert not complaints, (
        "\n".join(complaints)
        + f"\n{len(complaints)} to mend: read it from spec/, or give the reason in tools/tests/{ALLOWED.name}"
    )


# ---------------------------------------------------------------------- the check, checked

GAME: Words = {
    "clubs": {"a suit"},
    **{sign: {"how a suit is written"} for sign in "CDHS"},
    "nine": {"a rank"},
    "9": {"how a rank is written"},
    "9C": {"a card"},
    "order": {"an event"},
    "discard": {"an event", "a phase"},
    "play.follow": {"a clause"},
}


@pytest.mark.parametrize(
    ("planted", "told"),
    [
        ('x = "9C"', "'9C' is a card"),
        ("x = 'clubs'", "'clubs' is a suit"),
        ('if x == "order": pass', "'order' is an event"),
        ('x: Literal["discard"]', "'discard' is a phase and an event"),
        ('x = {"play.follow": 1}', "'play.follow' is a clause"),
        ('x = f"{rank}C"', "'C' is how a suit is written"),
        ('x = "clubs nine".split()', "'clubs nine' is a row of words of the game"),
        ('x = "CDH"', "'CDH' is a row of codes"),
        ("x = 25", "25 is a number above 2"),
        ("x = -5", "5 is a number above 2"),
        ("def f(n=4): ...", "4 is a number above 2"),
        ("class Suit(Enum):\n    CLUBS = auto()", "'CLUBS' is the name of a suit"),
        ("x = Rank.nine", "'nine' is the name of a rank"),
    ],
)
def test_a_planted_fact_is_found(planted: str, told: str) -> None:
    line = planted.count("\n") + 1
    assert [str(one) for one in findings(planted, "a.py", GAME)] == [f"a.py:{line}: {told}"]


@pytest.mark.parametrize(
    "innocent",
    [
        '"""order"""\nx = 0',
        'def f():\n    "clubs"\n    return 2',
        'x = f"{n:9}"',
        'x = "in order of clubs"',
        'x = "DC"',
        "x = True",
        "x = 2",
        "order = name",
    ],
)
def test_what_is_no_fact_is_left_alone(innocent: str) -> None:
    assert list(findings(innocent, "a.py", GAME)) == []


def test_an_allowance_needs_a_reason_and_a_use() -> None:
    found = [Finding("a.py", 7, "order", "an event"), Finding("a.py", 8, 4, "a number above 2")]
    told = ALLOWED.name
    assert check(found, {"a.py": {"order": "a key of YAML", 4: "spaces of indentation"}}) == []
    assert check(found, {"a.py": {"order": "", 4: "spaces"}}) == [f"{told}: 'order' in a.py has no reason"]
    assert check(found, {"a.py": {"order": "a key"}}) == ["a.py:8: 4 is a number above 2"]
    assert check([], {"a.py": {4: "x"}}) == [f"{told}: 4 no longer stands in a.py; take the entry out"]
