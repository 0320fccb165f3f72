"""The page on the rule language says what the code does: its examples stand in the rule book, no key is left out."""

import re
from collections.abc import Callable

import pytest

from buckspec.check import CheckError, Scope, check
from buckspec.data import spec_dir
from buckspec.document import load_document
from buckspec.symbols import Symbols
from buckspec.syntax import parse
from buckspec.types import Type

PAGE = (spec_dir() / "LANGUAGE.md").read_text()
EXAMPLES = re.findall(r"```yaml\n# (\S+)\n(.*?)```", PAGE, re.DOTALL)
GRAMMAR = PAGE.split("## Grammar")[1].split("```")[1]
Faults = Callable[..., list[str]]


@pytest.mark.parametrize(
    ("file", "example"), EXAMPLES, ids=[f"{file}-{number}" for number, (file, _) in enumerate(EXAMPLES)]
)
def test_an_example_stands_so_in_its_file(file: str, example: str) -> None:
    lines = [line.strip() for line in (spec_dir() / file).read_text().splitlines()]
    assert [line for line in example.splitlines() if line.strip() not in lines] == []
    load_document(example, "LANGUAGE.md")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("orders:", "nonsense: 1\norders:"),
        ("goal: {value: 2,", "goal: {nonsense: 1, value: 2,"),
        ("title: A card each, and the highest takes the point\n", "title: A\nnonsense: 1\n"),
        ("Suit: {all: suits,", "Suit: {nonsense: 1, all: suits,"),
        ("means: Who opens.", "nonsense: 1, means: Who opens."),
        ("    in: score\n", "    in: score\n    nonsense: 1\n"),
        ("turns.own: {says:", "turns.own: {nonsense: 1, says:"),
        ("turns.over: {says:", "turns.over: {nonsense: 1, says:"),
        ("turns.won: {says:", "turns.won: {nonsense: 1, says:"),
        ("  won -> bool: {means:", "  won -> bool: {nonsense: 1, means:"),
        ("keep.count: {says:", "keep.count: {nonsense: 1, says:"),
        ("points(seat) -> int: {means:", "points(seat) -> int: {nonsense: 1, means:"),
        ("    asks: Who shows first?\n", "    asks: Who shows first?\n    nonsense: 1\n"),
    ],
    ids=["chapter", "parameter", "profile", "domain", "variable", "event", "requirement", "effect", "case",
         "definition", "invariant", "observation", "question"],
)  # fmt: skip
def test_the_grammar_has_every_key(old: str, new: str, faults: Faults) -> None:
    fault = next(fault for fault in faults((old, new)) if "no such key; found nonsense" in fault)
    keys = re.split(r", | or ", fault.split("expected ")[1].split(";")[0])
    assert [key for key in keys if not re.search(rf"(?<![\w-]){key}[:?,]", GRAMMAR)] == []


def test_the_page_has_every_built_in(small_symbols: Symbols) -> None:
    """Each form in the table of built-ins is accepted, and no other method is known."""
    scope = Scope(small_symbols, {"s": Type("Seat", many=True), "x": Type("Seat"), "c": Type("bool"), "n": Type("int")})
    table = PAGE.split("| built-in |")[1].split("\n\n")[0]
    forms = [form for row in table.splitlines() for form in re.findall(r"`([^`]+)`", row.split("|")[1])]
    assert len(forms) == 12
    for form in forms:
        plain = form.replace("name", "points").replace("seat", "x")
        plain = re.sub(r"\((x), c\)", "(y, c)", plain)
        check_any(plain, scope)


def check_any(written: str, scope: Scope) -> None:
    for wanted in (Type("int"), Type("bool"), Type("Seat"), Type("Seat", many=True)):
        try:
            check(parse(written), scope, wanted)
        except CheckError:  # of another type
            continue
        return
    pytest.fail(f"not accepted: {written}")
