"""What msgspec reads and what the schemas accept are the same, in both directions."""

import copy
import json
from collections.abc import Iterator
from itertools import islice
from typing import Any

import msgspec
import pytest
from msgspec import UNSET, Struct

from buckspec.data import spec_dir
from buckspec.document import load_document, plain
from buckspec.formats.validate import problems, schema
from buckspec_conformance import forms, messages
from buckspec_conformance.forms import PLAY, RECORD, Form, ProtocolError
from buckspec_conformance.messages import EngineError, PlayResponse, RecordResponse, Step, Unsupported
from buckspec_conformance.protocol import (
    Prepared,
    Reports,
    farewell,
    greeting,
    prepare,
    read_answer,
    read_request,
    read_response,
    read_together,
)

FORMS = {
    name: form for name, form in vars(forms).items() if isinstance(form, Form) and form is not forms.RECORD_RESPONSE
}
WHOLE_STEP = {
    **schema("engine-step")["examples"][0], "accepted": False, "reason": "no: not now", "clause": "play.follow",
    "also": [{"seat": 1, "do": "play", "card": "9C"}], "points": [0, 5, -1, 0], "ended": None,
    "trick_winners": [0, 0, 3],
}  # fmt: skip


def dump(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode()


def examples(form: Form[Any]) -> list[dict[str, Any]]:
    """The examples of the schema, and one that has every field."""
    found = [copy.deepcopy(one) for one in schema(f"engine-{form.name}")["examples"]]
    if form is forms.PLAY_RESPONSE:
        found.append({"id": 9, "hands": [{"steps": [{"turn": None}, WHOLE_STEP, {"error": "x"}]}]})
    if form is forms.PLAY_REQUEST:
        hand = found[0]["hands"][0]
        deck = hand["deck"]
        dealt = {"dealt": [deck[5 * seat : 5 * seat + 5] for seat in range(4)], "upcard": deck[20]}
        found.append({**found[0], "hands": [{**hand, **dealt}, {"deck": deck, "events": []}]})
    if form is forms.HELLO_RESPONSE:
        found.append({**found[0], "choices": {"all-pass": ["deal-passes"]}, "readings": {"a": "b"}, "deals": False})
    if form is forms.RECORD_REQUEST:
        found.append({**found[0], "parameters": {"penalty": 3}, "readings": {}})
    if form is forms.UNSUPPORTED:
        found = [one for one in found if "unsupported" in one]
    if form is forms.ENGINE_ERROR:
        found = [one for one in found if "error" in one]
    return found


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path of every value, of long lists only the first and the last few."""
    yield path
    if isinstance(value, dict):
        for key in value:
            yield from places(value[key], (*path, key))
    elif isinstance(value, list):
        for place in sorted({*range(min(len(value), 3)), len(value) - 1} - {-1}):
            yield from places(value[place], (*path, place))


def mutants(value: dict[str, Any]) -> Iterator[Any]:
    """The value with one thing changed somewhere."""
    others: list[Any] = [
        None, True, False, 0, -1, 1, 4, 10**7, 2**53, "", "C", "NT", "9C", "??", "x" * 300, "pass", [], [0], ["9C"], {},
        {"seat": 0}, {"a": 1},
    ]  # fmt: skip
    for path in places(value):
        for change in [*others, "drop", "twice", "more"]:
            mutant = copy.deepcopy(value)
            holder: Any = None
            held: Any = mutant
            for step in path:
                holder, held = held, held[step]
            if change == "more" and isinstance(held, dict):
                held["more"] = 1
            elif change == "twice" and isinstance(holder, list):
                holder.append(held)
            elif change == "drop" and holder is not None:
                del holder[path[-1]]
            elif change not in ("more", "twice", "drop") and holder is not None:
                holder[path[-1]] = change
            elif change not in ("more", "twice", "drop"):
                mutant = change
            else:
                continue
            yield mutant


@pytest.mark.parametrize("name", FORMS)
def test_both_accept_what_is_right(name: str) -> None:
    form = FORMS[name]
    for one in examples(form):
        assert problems(one, f"engine-{form.name}") == []
        message = form.quick(dump(one))
        assert message is not None
        assert json.loads(msgspec.json.encode(message)) == one, "nothing is lost or added"


def compare(form: Form[Any], each: int) -> None:
    """Hold both against every so many of the mutants."""
    verdicts: set[bool] = set()
    found = (mutant for one in examples(form) for mutant in mutants(one))
    for mutant in islice(found, 0, None, each):
        right = problems(mutant, f"engine-{form.name}") == []
        if form in (forms.UNSUPPORTED, forms.ENGINE_ERROR):  # two types, one schema
            right = right and ("error" in mutant) is (form is forms.ENGINE_ERROR)
        raw = dump(mutant)
        assert (form.quick(raw) is not None) is right, raw
        verdicts.add(right)
    assert verdicts == {True, False}


@pytest.mark.parametrize("name", FORMS)
def test_both_accept_and_refuse_the_same_mutants(name: str) -> None:
    compare(FORMS[name], 29 if name.startswith("PLAY") else 1)  # the schemas take their time over cards


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in FORMS if name.startswith("PLAY")])
def test_both_accept_and_refuse_all_the_same_mutants(name: str) -> None:
    compare(FORMS[name], 1)


def test_the_types_have_the_fields_of_the_schemas() -> None:
    for form in FORMS.values():
        fields = set(form.kind.__struct_fields__) | ({"op"} if form.name.endswith("request") else set())
        if form.name != "refusal-response":
            assert fields == set(schema(f"engine-{form.name}")["properties"]), form.name
    assert set(Step.__struct_fields__) == set(schema("engine-step")["properties"])
    parts: dict[str, type[Struct]] = {"play-request": messages.HandRequest, "play-response": messages.HandResponse}
    for name, kind in parts.items():
        assert set(kind.__struct_fields__) == set(schema(f"engine-{name}")["$defs"]["hand"]["properties"])


def test_a_step_can_hold_every_observation_of_the_rule_book() -> None:
    book: Any = plain(load_document((spec_dir() / "observations.yaml").read_text(encoding="utf-8"), "observations"))
    names = {head.partition(" ->")[0].partition("(")[0] for head in book["observations"]}
    assert names <= set(Step.__struct_fields__)
    assert names | {"turn", "legal", "clause"} == set(
        schema("engine-hello-response")["properties"]["reports"]["items"]["enum"]
    )


# ---------------------------------------------------------------------- what only the text shows

PLAIN = '{"id": 7, "hands": [{"steps": [{"turn": 1}, {"accepted": false, "reason": "no"}]}]}'


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ('"id": 7', '"id": 7, "id": 7', "not-json"),
        ('"turn": 1', '"turn": 1, "turn": 1', "not-json"),
        ('"reason": "no"', '"reason": "a", "reason": "\\u003a"', "not-json"),
        ('"turn": 1', '"turn": 1.0', "not-json"),
        ('"turn": 1', '"turn": 1e0', "not-json"),
        ('"turn": 1', '"turn": 01', "not-json"),
        ('"turn": 1', '"turn": NaN', "not-json"),
        ('"turn": 1', '"turn": 1,', "not-json"),
        ('"turn": 1', "'turn': 1", "not-json"),
        ('"no"', '"a\tb"', "not-json"),
        ('"no"', '"\\ud800"', "not-json"),
        ('"no"', '"\\x41"', "not-json"),
        ("}]}]}", "}]}]}}", "not-json"),
        ("}]}]}", "}]}]} {}", "not-json"),
        (PLAIN, "[" * 1000 + "]" * 1000, "not-json"),
        (PLAIN, "", "not-json"),
        (PLAIN, "null", "shape"),
        ('{"id"', '\ufeff{"id"', "encoding"),
        ('"id": 7', '"id": 7, "more": 1', "shape"),
    ],
)
def test_what_no_value_shows_is_refused_too(old: str, new: str, fault: str) -> None:
    raw = PLAIN.replace(old, new, 1).encode()
    assert raw != PLAIN.encode()
    with pytest.raises(ProtocolError) as caught:
        read_response(raw, PLAY)
    assert caught.value.fault == fault
    assert read_together([PLAIN.encode(), raw], 7, [Prepared(PLAY, b"", (1,))] * 2, Reports()) is None


def test_bytes_that_are_no_text_are_refused() -> None:
    for raw in (PLAIN.replace("no", "ni\xf1o").encode("latin-1"), PLAIN.encode("utf-16")):
        with pytest.raises(ProtocolError) as caught:
            read_response(raw, PLAY)
        assert caught.value.fault == "encoding"


def test_odd_but_right_texts_are_read() -> None:
    for new in ('"no: \\u003a \\" ✔"', '"\\u00e9\\ud83c\\udccf"', '""'):
        message = read_response(PLAIN.replace('"no"', new).encode() + b" \r", PLAY)
        assert isinstance(message, PlayResponse)
        assert message.hands[0].steps[1].reason == json.loads(new)


def test_events_of_an_answer_can_be_told_apart() -> None:
    legal = [{"seat": 0, "do": "pass"}, {"seat": 1, "do": "play", "card": "9C"}, {"seat": 1, "do": "name", "suit": "S"}]
    message = read_response(dump({"id": 1, "hands": [{"steps": [{"legal": legal}]}]}), PLAY)
    assert isinstance(message, PlayResponse)
    events = message.hands[0].steps[0].legal
    assert events is not UNSET
    assert [(one.seat, one.do, one.card, one.suit) for one in events] == [
        (0, "pass", None, None), (1, "play", "9C", None), (1, "name", None, "S"),
    ]  # fmt: skip
    assert len({*events, *events}) == 3


# ---------------------------------------------------------------------- requests


def test_a_request_is_written_once_and_numbered_often(sample: dict[str, Any]) -> None:
    prepared = prepare(sample)
    assert prepared.shape == (2,)
    assert json.loads(prepared.line(41)) == {**sample, "id": 41}
    assert prepared.line(41).endswith(b"}\n")
    assert json.loads(greeting().line(1)) == {"id": 1, "op": "hello", "protocol": 1}
    assert json.loads(farewell().line(5)) == {"id": 5, "op": "bye"}
    assert read_request(prepared.line(1)) == read_request(dump({**sample, "id": 1}))


def test_a_request_that_is_none_is_refused(sample: dict[str, Any]) -> None:
    hand = sample["hands"][0]
    for wrong in (
        {**sample, "hands": []}, {**sample, "hands": [{**hand, "deck": hand["deck"][:-1]}]}, {"op": "jump"}, {},
        {**sample, "hands": [hand, hand]}, {**sample, "hands": [{**hand, "deck": [*hand["deck"][:-1], "9C"]}]},
    ):  # fmt: skip
        with pytest.raises(ProtocolError):
            prepare(wrong)


# ---------------------------------------------------------------------- an answer and its request

REPORTS = Reports(("turn", "trump"), clause=True)
STATE = {"turn": 0, "trump": None}
REFUSED = {"accepted": False, "reason": "no", "clause": "play.follow", **STATE}


def answer(*steps: dict[str, Any], number: int = 7) -> bytes:
    return dump({"id": number, "hands": [{"steps": list(steps)}]})


@pytest.mark.parametrize(
    ("steps", "lacks"),
    [
        ([STATE, REFUSED, {"accepted": True, **STATE}], None),
        ([{"accepted": False, "reason": "the game is over"}], None),
        ([STATE, {"error": "x"}], None),
        ([STATE, {"error": "x"}, REFUSED], None),
        ([{"error": "x"}], None),
        ([STATE, REFUSED], "found 2 steps; expected 3"),
        ([STATE, REFUSED, REFUSED, REFUSED], "found 4 steps"),
        ([STATE, REFUSED, REFUSED, {"error": "x"}], "found 4 steps"),
        ([STATE, {**STATE, "accepted": False, "reason": "no"}, REFUSED], 'steps[1]: found no "clause"'),
        ([STATE, REFUSED, {"accepted": True, "turn": 0}], 'steps[2]: found no "trump"'),
        ([{}, REFUSED, REFUSED], 'steps[0]: found no "turn" and "trump"'),
    ],
)
def test_an_answer_has_the_steps_and_fields_that_it_should(steps: list[dict[str, Any]], lacks: str | None) -> None:
    request = Prepared(PLAY, b"", (2,))
    both = read_together([answer(*steps, number=6), answer(*steps)], 6, [request] * 2, REPORTS)
    if lacks is None:
        message = read_answer(answer(*steps), 7, request, REPORTS)
        assert isinstance(message, PlayResponse)
        assert both is not None
        assert both[1] == (message if steps[-1].get("accepted") else None)  # the others are looked at twice
    else:
        with pytest.raises(ProtocolError) as caught:
            read_answer(answer(*steps), 7, request, REPORTS)
        assert caught.value.fault == "missing"
        assert lacks in str(caught.value)
        assert both == [None, None]


def test_answers_that_come_together_are_read_as_each_by_itself() -> None:
    request = Prepared(PLAY, b"", (1,))
    lines = [answer(STATE, REFUSED, number=number) for number in range(3, 9)]
    each = [read_answer(line, number, request, REPORTS) for number, line in enumerate(lines, 3)]
    assert read_together(lines, 3, [request] * 6, REPORTS) == each
    odd = answer(STATE, {"error": "x"}, number=5)
    assert read_together([*lines[:2], odd, *lines[3:]], 3, [request] * 6, REPORTS) == [*each[:2], None, *each[3:]]
    for wrong in (
        lines[::-1], [*lines[:2], b"", *lines[3:]], [*lines[:2], lines[2] + b" " + lines[3], b"", *lines[4:]],
        [*lines[:2], lines[2] + lines[3], *lines[4:]], [lines[0][:20], lines[0][20:], *lines[1:5]], lines[:5],
    ):  # fmt: skip
        assert read_together(wrong, 3, [request] * 6, REPORTS) is None


def test_refusals_of_a_request_are_told_apart() -> None:
    request = Prepared(PLAY, b"", (1,))
    assert isinstance(read_answer(b'{"id":7,"unsupported":"no"}', 7, request, REPORTS), Unsupported)
    assert isinstance(read_answer(b'{"id":7,"error":"no"}', 7, request, REPORTS), EngineError)
    assert isinstance(read_answer(b'{"error":"no"}', 7, request, REPORTS), EngineError)
    for raw, fault in (
        (b'{"unsupported":"no"}', "no-id"), (b'{"id":6,"error":"no"}', "twice"), (b'{"id":9,"error":"no"}', "wrong-id"),
        (b'{"id":null,"error":"no"}', "wrong-id"), (b'{"id":true,"hands":[]}', "wrong-id"), (b"[]", "not-json"),
        (b'{"id":7,"error":"no","unsupported":"no"}', "shape"),
    ):  # fmt: skip
        with pytest.raises(ProtocolError) as caught:
            read_answer(raw, 7, request, REPORTS)
        assert caught.value.fault == fault, raw


def test_recorded_logs_are_game_logs() -> None:
    (example,) = schema("engine-record-response")["examples"]
    message = read_response(dump(example), RECORD)
    assert isinstance(message, RecordResponse)
    assert [log.profile for log in message.logs] == ["ohio"]
    log = example["logs"][0]
    deck = log["hands"][0]["deck"]
    dealt = {"dealt": [deck[:5]] * 4, "upcard": "??"}
    for wrong in ({**log, "profile": 1}, {**log, "hands": [{"dealer": 0, **dealt}]}, {**log, "more": 1}):
        with pytest.raises(ProtocolError) as caught:
            read_response(dump({"id": 4, "logs": [log, wrong]}), RECORD)
        assert caught.value.fault == "shape"
    with pytest.raises(ProtocolError):
        read_response(dump(example)[:-1] + b', "logs": []}', RECORD)
