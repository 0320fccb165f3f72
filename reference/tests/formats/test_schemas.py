"""The schemas are sound and closed, say what every field is, and fit what stands in the repository."""

import json
import re
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from buckspec.data import schema_dir, spec_dir
from buckspec.document import load_document, plain
from buckspec.formats.game_log import decode
from buckspec.formats.strict_json import parse
from buckspec.formats.validate import problems, schema

NAMES = sorted(file.name.removesuffix(".schema.json") for file in schema_dir().glob("*.schema.json"))
_NAMED = re.compile(r"# yaml-language-server: \$schema=(?P<path>\S+)")
RULE_FILES = [file for file in sorted(spec_dir().rglob("*.yaml")) if _NAMED.match(file.read_text(encoding="utf-8"))]


def parts(rule: Any, path: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Every schema in a schema, with its path; examples and constants are none."""
    if isinstance(rule, dict):
        yield path, rule
        for key, below in rule.items():
            if key in ("properties", "$defs", "patternProperties"):
                for name, part in below.items():
                    yield from parts(part, f"{path}/{key}/{name}")
            elif key in ("items", "additionalProperties", "propertyNames", "if", "then", "else", "contains", "not"):
                yield from parts(below, f"{path}/{key}")
            elif key in ("allOf", "anyOf", "oneOf", "prefixItems"):
                for place, part in enumerate(below):
                    yield from parts(part, f"{path}/{key}/{place}")


def target(name: str, rule: dict[str, Any]) -> dict[str, Any]:
    """What a $ref refers to, in this file or another of the folder."""
    file, _, pointer = rule["$ref"].partition("#")
    found = schema(file.removesuffix(".schema.json") or name)
    for step in filter(None, pointer.split("/")):
        found = found[step]
    return found


@pytest.mark.parametrize("name", NAMES)
def test_a_schema_is_one_and_is_named_like_its_file(name: str) -> None:
    rule = schema(name)
    Draft202012Validator.check_schema(rule)
    assert rule["$id"] == f"{name}.schema.json"
    assert rule["title"]
    assert rule["description"]
    for path, part in parts(rule):
        if "$ref" in part:
            assert target(name, part), path


@pytest.mark.parametrize("name", NAMES)
def test_every_object_is_closed_and_every_field_described(name: str) -> None:
    for path, part in parts(schema(name)):
        conditional = re.search(r"/(if|then|else|allOf/\d+|prefixItems/\d+)(/|$)", path)
        if part.get("type") == "object" and not conditional:
            # what is one of several closed objects is closed itself
            assert "additionalProperties" in part or "oneOf" in part, f"{path} is open"
        for key, field in part.get("properties", {}).items() if not conditional else ():
            described = field.get("description") or target(name, field).get("description")
            assert described, f"{path}/properties/{key} is not described"


@pytest.mark.parametrize("name", [name for name in NAMES if name != "common"])
def test_the_examples_of_a_schema_fit_it(name: str) -> None:
    for example in schema(name).get("examples", []):
        assert problems(example, name) == []


@pytest.mark.parametrize("name", ["game-log", "verdict", "profile", "chapter", "questions", "sources", "glossary"])
def test_what_people_write_has_an_example(name: str) -> None:
    assert schema(name)["examples"]


def test_the_rule_files_name_their_schema() -> None:
    assert {file.name for file in RULE_FILES} >= {"domains.yaml", "questions.yaml", "play.yaml", "ohio.yaml"}


@pytest.mark.parametrize("file", RULE_FILES, ids=lambda file: str(file.relative_to(spec_dir())))
def test_a_rule_file_fits_the_schema_that_it_names(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    named = _NAMED.match(text)
    assert named
    home = (file.parent / named["path"]).resolve()
    assert home == (schema_dir() / home.name).resolve()
    found = problems(plain(load_document(text, file.name)), home.name.removesuffix(".schema.json"))
    assert [str(problem) for problem in found] == []


def house_rules() -> dict[str, Any]:
    misers = {
        "asks": "What does a player add who takes no trick?",
        "readings": {"as-written": "The penalty.", "double": "The penalty twice."},
        "clauses": {
            "house.misers": {
                "instead-of": "score.set", "says": "Twice.", "under": "misers is double", "is": "penalty * 2",
            }
        },
    }  # fmt: skip
    stay = {"house.stay": {"says": "The first must stay.", "that": "dropped.size() > 0"}}
    return {
        "profile": "our-table", "title": "As we play it", "extends": "ohio", "parameters": {"penalty": 3},
        "questions": {"misers": misers}, "rules": [{"chapter": "house", "requires of drop": stay}],
    }  # fmt: skip


def test_a_profile_with_house_rules_fits() -> None:
    own = house_rules()
    assert problems(own, "profile") == []
    del own["questions"]["misers"]["clauses"]["house.misers"]["instead-of"]
    own["rules"][0]["evnts"] = {}
    keys = "title, means, domains, orders, state, events, define or invariants"
    assert [str(problem) for problem in problems(own, "profile")] == [
        f'rules[0].evnts: found the unknown key "evnts"; expected {keys}; did you mean events?',
        'questions.misers.clauses["house.misers"]: found no "instead-of"; expected the key "instead-of"',
    ]


def test_a_profile_of_its_own_says_everything_of_its_parameters() -> None:
    own: dict[str, Any] = {"profile": "new", "title": "New", "parameters": {"penalty": 3}}
    assert {str(problem) for problem in problems(own, "profile")} == {
        'found no "chapters"; expected the key "chapters"',
        "parameters.penalty: found 3; expected an object",
    }
    own |= {"chapters": ["cards"], "parameters": {"penalty": {"value": 3, "type": "int 0..9", "means": "It."}}}
    assert problems(own, "profile") == []


@pytest.mark.parametrize("file", ["log", "log-revoke", "log-wrong-claim", "verdict-revoke"])
def test_the_examples_of_the_contract_fit(file: str, cases: Path) -> None:
    raw = (cases / "contract" / f"{file}.json").read_bytes()
    assert problems(parse(raw), "verdict" if file.startswith("verdict") else "game-log") == []


def test_every_recorded_log_fits(recorded: list[bytes]) -> None:
    assert len(recorded) == 860
    for raw in recorded:
        assert decode(raw).hands
    for raw in recorded[::25]:  # the schema itself is slow; that both agree is shown on the mutants
        assert problems(json.loads(raw), "game-log") == []


def test_a_verdict_says_what_its_word_needs() -> None:
    short = {"format": "buckspec-verdict/1", "verdict": "unreadable", "source": {"file": "-"}}
    assert [problem.found for problem in problems(short, "verdict")] == ['no "problem"']
    assert problems({**short, "problem": {"message": "found 4", "line": 1, "column": 3}}, "verdict") == []
    assert {problem.found for problem in problems({**short, "verdict": "legal"}, "verdict")} >= {'no "totals"'}


def test_every_schema_is_told_of() -> None:
    told = (schema_dir() / "README.md").read_text()
    patterns = re.findall(r"^\| `([^`]*)`", told, re.MULTILINE)
    names = [path.name for path in schema_dir().glob("*.schema.json")]
    assert [name for name in names if not any(fnmatch(name, pattern) for pattern in patterns)] == []
    assert [pattern for pattern in patterns if not any(fnmatch(name, pattern) for name in names)] == []
