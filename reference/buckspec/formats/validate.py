"""A value against a schema, and what is wrong with it in words that name the fault and not the schema's
machinery.

The only module that needs jsonschema, and only when it is called.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Any

from buckspec.data import schema_dir
from buckspec.formats.checks import INNER, counted, remembered, within_bounds
from buckspec.formats.wording import Step, harmless, one_of, shown, written
from buckspec.problem import nearest

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError
    from jsonschema.protocols import Validator
    from referencing import Registry

MOST = 100
"""How many problems of a value are looked for."""

_SUFFIX = ".schema.json"
_KINDS = {
    "object": "an object", "array": "a list", "string": "text", "integer": "a whole number",
    "boolean": "true or false", "null": "null",
}  # fmt: skip
_BOUNDS = (("minItems", "minLength", "minProperties"), ("maxItems", "maxLength", "maxProperties"))
# Which fault to name first, where several stand side by side: the wrong format, a slip of the pen, what is
# missing.
_FORMAT, _SLIP, _MISSING, _OTHER = range(-2, 2)


@dataclass(frozen=True)
class Problem:
    """One thing wrong with a value: where, what was found, what was expected, and what may have been meant."""

    at: tuple[Step, ...]
    found: str
    expected: str
    meant: str | None = None
    rank: int = _OTHER

    @property
    def path(self) -> str:
        """Where it is, such as `hands[0].events[3].seat`; empty for the value as a whole."""
        return written(self.at)

    @property
    def message(self) -> str:
        """What is wrong, without the place."""
        meant = f"; did you mean {self.meant}?" if self.meant else ""
        return f"found {self.found}; expected {self.expected}{meant}"

    def __str__(self) -> str:
        return f"{self.path}: {self.message}" if self.at else self.message


def misfit(at: tuple[Step, ...], found: object, expected: str, known: Iterable[object] = ()) -> Problem:
    """A Problem with a value, and with the nearest of the `known` words if the value looks like one."""
    words = [word for word in known if isinstance(word, str)]
    return Problem(at, shown(found), expected, nearest(found, words) if isinstance(found, str) else None)


def problems(value: object, schema_name: str) -> list[Problem]:
    """What is wrong with `value` by the schema of that name, such as "game-log".

    What is best told first comes first. Of many, the first MOST are enough, so that the answer comes quickly whatever
    is given. Raises FileNotFoundError if there is no such schema.
    """
    instance: Any = value
    errors = _validator(schema_name).iter_errors(instance)
    found = dict.fromkeys(islice((problem for error in errors for problem in _told(error)), MOST))
    return sorted(found, key=_order)


@lru_cache
def _validator(schema_name: str) -> "Validator":
    from jsonschema import Draft202012Validator, validators

    extend: Callable[..., Any] = validators.extend  # which has no types
    checks = {word: within_bounds(check) for word, check in Draft202012Validator.VALIDATORS.items() if word in INNER}
    checks |= {"$ref": remembered(checks["$ref"]), "contains": counted(checks["contains"])}
    quick: Validator = extend(Draft202012Validator, checks)(schema(schema_name), registry=_registry())
    return quick


@lru_cache
def _registry() -> "Registry[Any]":
    """Every schema of the folder, by file name, which is its $id."""
    from referencing import Registry, Resource

    names = sorted(file.name.removesuffix(_SUFFIX) for file in schema_dir().glob(f"*{_SUFFIX}"))
    return Registry().with_resources((name + _SUFFIX, Resource.from_contents(schema(name))) for name in names)


@lru_cache
def schema(schema_name: str) -> dict[str, Any]:
    """The schema of that name. Raises FileNotFoundError if there is none."""
    text = (schema_dir() / f"{schema_name}{_SUFFIX}").read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text)
    return found


def _order(problem: Problem) -> tuple[int, int, list[tuple[bool, Step]]]:
    """Faults near the top first, for they make others; of the same depth, by rank and then by place."""
    depth = len(problem.at) - (problem.rank != _MISSING)
    return depth, problem.rank, [(isinstance(step, str), step) for step in problem.at]


def _told(error: "ValidationError") -> Iterator[Problem]:
    """The problems that one error stands for."""
    at = tuple(error.absolute_path)
    held: Any = error.instance
    limit: Any = error.validator_value
    rule: Any = error.schema
    if "propertyNames" in error.absolute_schema_path:
        yield Problem((*at, str(held)), f"the key {shown(held)}", _wanted(rule, held))
        return
    match error.validator:
        case "oneOf" | "anyOf":
            yield from _branches(error, at)
        case "additionalProperties":
            yield from _extra(at, held, rule)
        case "required":
            yield from (_missing(at, key) for key in limit if key not in held)
        case "dependentRequired":
            for key, needs in limit.items():
                absent = [needed for needed in needs if key in held and needed not in held]
                yield from (
                    Problem(at, f"{key} without {other}", "both or neither", None, _MISSING) for other in absent
                )
        case "const":
            rank = _FORMAT if len(at) == 1 else _OTHER
            yield Problem(at, shown(held), shown(limit), None, rank)
        case "enum":
            yield misfit(at, held, _choices(rule), limit)
        case "maxContains":
            yield _twice(at, held, rule["contains"]["const"])
        case "uniqueItems":
            yield _twice(at, held, next(item for place, item in enumerate(held) if item in held[:place]))
        case _:
            yield Problem(at, _measure(held, str(error.validator)), _wanted(rule, held))


def _missing(at: tuple[Step, ...], key: str) -> Problem:
    return Problem(at, f"no {shown(key)}", f"the key {shown(key)}", None, _MISSING)


def _twice(at: tuple[Step, ...], items: Sequence[object], item: object) -> Problem:
    """An item that may stand once stands again; the place is that of the second."""
    first, second = [place for place, other in enumerate(items) if other == item][:2]
    return Problem((*at, second), f"{shown(item)} again", f"it once; the first is {written((*at, first))}")


def _extra(at: tuple[Step, ...], held: Mapping[str, object], rule: Mapping[str, Any]) -> Iterator[Problem]:
    """A problem for every key that the schema does not name."""
    known = list(rule.get("properties", {}))
    patterns = list(rule.get("patternProperties", {}))
    absent = [key for key in known if key not in held]
    for key in held:
        if key in known or any(re.search(pattern, key) for pattern in patterns):
            continue
        meant = nearest(key, absent)
        # without a likely meaning, it says most to name what could stand there instead, or that nothing could
        expected = one_of(absent) if absent else f"no other key than {one_of(known)}"
        rank = _SLIP if meant else _OTHER
        yield Problem((*at, key), f"the unknown key {shown(key)}", expected, meant, rank)


def _branches(error: "ValidationError", at: tuple[Step, ...]) -> Iterator[Problem]:
    """The fault of the branch that was meant, which its constants tell, such as the word of an event."""
    branches: dict[Step, list[ValidationError]] = {}
    for child in error.context or ():
        branches.setdefault(child.schema_path[0], []).append(child)
    options: Any = error.validator_value
    if all(list(option) == ["required"] for option in options):
        yield _choice(at, error.instance, [key for option in options for key in option["required"]])
        return
    meant = [errors for errors in branches.values() if not _constants(errors)]
    if meant:
        for child in min(meant, key=len):
            yield from _told(child)
    elif branches:
        constants = [child for errors in branches.values() for child in _constants(errors)]
        words = list(dict.fromkeys(child.validator_value for child in constants))
        yield misfit(tuple(constants[0].absolute_path), constants[0].instance, one_of(words), words)
    else:
        yield Problem(at, f"{shown(error.instance)}, which can be read in several ways", "one of them")


def _choice(at: tuple[Step, ...], held: Any, keys: list[str]) -> Problem:
    """Of these keys, exactly one must stand there."""
    if not isinstance(held, dict):
        return Problem(at, shown(held), f"an object with exactly one of {one_of(keys)}")
    there = [key for key in keys if key in held]
    found = " and ".join(shown(key) for key in there) or "none of them"
    return Problem(at, found, f"exactly one of {one_of(keys)}", None, _MISSING)


def _constants(errors: Iterable["ValidationError"]) -> list["ValidationError"]:
    return [error for error in errors if error.validator == "const"]


def _choices(rule: Mapping[str, Any]) -> str:
    """The words of a choice; of a choice too long to list, what they have in common."""
    text = one_of(rule["enum"])
    about = str(rule.get("description", text)).partition(". ")[0].rstrip(".")
    return text if text.endswith(shown(rule["enum"][-1]).strip('"')) else about[:1].lower() + about[1:]


def _measure(held: object, validator: str) -> str:
    """What was found, by what is wrong with it: for a length, the length."""
    if isinstance(held, list | dict) and validator != "type":
        return f"{len(held)} of them" if held else "none"
    if isinstance(held, str) and validator.endswith("Length"):
        return f"{len(held)} characters"
    return shown(held)


def _wanted(rule: Mapping[str, Any], held: object) -> str:
    """What the schema asks for, in words."""
    kinds = rule.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else kinds
    text = one_of([_KINDS.get(kind, kind) for kind in kinds])
    low, high = rule.get("minimum"), rule.get("maximum")
    if low is not None or high is not None:
        text += f" {'' if None in (low, high) else 'from '}{_between(low, high)}"
    fewest, most = (next((rule[key] for key in _BOUNDS[end] if key in rule), None) for end in (0, 1))
    if isinstance(held, list | dict | str) and (fewest is not None or most is not None):
        unit = " characters" if isinstance(held, str) else ""
        text += f" of {f'exactly {fewest}' if fewest == most else _between(fewest, most)}{unit}"
    if isinstance(held, str) and "pattern" in rule and "description" in rule:
        text += f": {str(rule['description']).rstrip('.')}"
    return harmless(text) or "something else"


def _between(low: object, high: object) -> str:
    if low is None or high is None:
        return f"at least {low}" if high is None else f"at most {high}"
    return f"{low} to {high}"
