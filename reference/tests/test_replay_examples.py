"""The examples of the rule book: each is judged as its README says, and shows what it is there for."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from buckspec.data import spec_dir
from buckspec.formats.reader import Readable, read_path
from buckspec.replay import replay, rules_for
from buckspec.verdict import Source, Verdict

EXAMPLES = spec_dir() / "examples"
FILES = sorted(EXAMPLES.glob("*.json"))
README = (EXAMPLES / "README.md").read_text(encoding="utf-8")


def verdict_on(name: str) -> Verdict:
    (read,) = read_path(EXAMPLES / f"{name}.json")
    assert isinstance(read, Readable)
    return replay(read.log, rules_for(read.log), Source(read.file, read.line, read.log.id))


def log(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((EXAMPLES / f"{name}.json").read_text(encoding="utf-8"))
    return found


def plays(name: str) -> list[str]:
    return [event["card"] for event in log(name)["hands"][0]["events"] if event["do"] == "play"]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_an_example_is_judged_as_its_readme_says(path: Path) -> None:
    (row,) = re.findall(rf"^\| `{re.escape(path.name)}` \| .+ \| (.+) \|$", README, re.MULTILINE)
    word, _, clause = row.partition(": ")
    verdict = verdict_on(path.stem)
    assert verdict.word == word
    assert [f"`{broken.clause}`" for broken in verdict.violations] == ([clause] if clause else [])
    assert log(path.stem)["id"] == path.stem


def test_the_readme_lists_nothing_else() -> None:
    assert re.findall(r"^\| `(.+?)`", README, re.MULTILINE) == sorted(
        (path.name for path in FILES), key=lambda name: README.index(f"`{name}`")
    )


def test_the_left_bower_takes_the_trick() -> None:
    """Source 000, 08: hearts are trumps, all followed; the second of these cards takes the trick."""
    hand = log("left-bower-wins")["hands"][0]
    assert plays("left-bower-wins")[:4] == ["KH", "JD", "AH", "TH"]
    assert (hand["claims"]["trump"], hand["claims"]["active"]) == ("H", [True] * 4)
    second = [event["seat"] for event in hand["events"] if event["do"] == "play"][1]
    assert hand["claims"]["trick_winners"][0] == second


def test_a_maker_who_is_set_takes_nothing_off() -> None:
    """Source 000, 08: two tricks for the maker, two, one and none for the others, from 25 each."""
    claims = log("maker-set")["hands"][0]["claims"]
    assert claims["tricks"][claims["maker"]] == 2
    assert (claims["tricks"], claims["totals"]) == ([2, 2, 1, 0], [30, 23, 24, 30])
    assert verdict_on("maker-set").totals == (30, 23, 24, 30)


@pytest.mark.parametrize(
    ("twin", "led", "legal"),
    [("left-bower-on-diamonds", "D", ["KD"]), ("left-bower-kept-back", "H", ["JD"])],
)
def test_the_left_bower_follows_trumps_only(twin: str, led: str, legal: list[str]) -> None:
    """Source 000, 04; the twins differ from the legal hand in their last card."""
    verdict = verdict_on(twin)
    assert verdict.at is not None
    assert verdict.at.event is not None
    assert verdict.violations[0].found["led"] == led
    assert [event["card"] for event in verdict.legal] == legal
    events, whole = log(twin)["hands"][0]["events"], log("left-bower-follows")["hands"][0]["events"]
    assert len(events) == verdict.at.event + 1
    assert events[:-1] == whole[: len(events) - 1]
    assert events[-1] | {"card": ""} == whole[len(events) - 1] | {"card": ""}
    assert [whole[len(events) - 1]["card"]] == legal


def test_the_whole_game_has_some_of_everything() -> None:
    game = log("whole-game")
    claims = [hand["claims"] for hand in game["hands"]]
    assert {claim["contract"] for claim in claims} == {"ordered", "named", "automatic", "no-trump"}
    assert any(not all(claim["active"]) for claim in claims)
    assert any(claim["maker"] is not None and claim["points"][claim["maker"]] == 5 for claim in claims)
    verdict = verdict_on("whole-game")
    assert (verdict.winners, verdict.ended) == ((3,), "zero")
