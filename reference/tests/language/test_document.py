"""YAML as accepted: every value knows its place, and whatever YAML would change or hide is refused."""

import tracemalloc

import pytest

from buckspec.document import Listing, Node, Scalar, Table, load_document, plain
from buckspec.problem import SpecError


def read(text: str) -> Table:
    found = load_document(text, "mine.yaml")
    assert isinstance(found, Table)
    return found


def refusal(text: str) -> str:
    with pytest.raises(SpecError) as caught:
        load_document(text, "mine.yaml")
    return str(caught.value)


def entry(text: str, *path: str) -> Scalar:
    node: Node = read(text)
    for key in path:
        assert isinstance(node, Table)
        node = node.entries[key]
    assert isinstance(node, Scalar)
    return node


# What is text and what is not


@pytest.mark.parametrize(
    "written",
    ["no", "yes", "on", "off", "Yes", "True", "TRUE", "NULL", "Null", "007", "+1", "1_000", "0x1F", "1.5", "1e3",
     "12:30:00", "2001-01-01", "=", ".inf", "99999999999999999999"],
)  # fmt: skip
def test_what_other_yaml_readers_convert_stays_text(written: str) -> None:
    assert plain(read(f"is: {written}")) == {"is": written}


@pytest.mark.parametrize(
    ("written", "value"),
    [("true", True), ("false", False), ("null", None), ("~", None), ("", None), ("-5", -5), ("0", 0)],
)
def test_only_these_are_anything_but_text(written: str, value: object) -> None:
    assert plain(read(f"is: {written}")) == {"is": value}


def test_quotes_make_text_of_anything() -> None:
    assert plain(read("""{one: "5", two: 'true', three: "#4"}""")) == {"one": "5", "two": "true", "three": "#4"}


def test_a_bare_truth_value_or_number_is_also_expression_text() -> None:
    assert [entry(f"is: {written}", "is").text for written in ("false", "true", "-5")] == ["false", "true", "-5"]


def test_lists_and_mappings_keep_their_order() -> None:
    found = read("b: [x, {z: 1, y: 2}]\na: 3\n")
    assert list(found) == ["b", "a"]
    assert isinstance(found.entries["b"], Listing)
    assert plain(found) == {"b": ["x", {"z": 1, "y": 2}], "a": 3}


# Places


def test_a_key_and_a_value_know_their_line_and_column() -> None:
    found = read("first: 1\nsecond:\n  third: here\n")
    inner = found.entries["second"]
    assert isinstance(inner, Table)
    assert str(inner.keys["third"]) == "mine.yaml:3:3"
    assert str(inner.entries["third"].place) == "mine.yaml:3:10"


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("when: a && wrong", "mine.yaml:1:12"),
        ("when: 'a && wrong'", "mine.yaml:1:13"),
        ('when: "a && wrong"', "mine.yaml:1:13"),
        ("when: |\n  a &&\n    wrong\n", "mine.yaml:3:5"),
        ("when: |\n\n  a\n\n  && wrong", "mine.yaml:5:6"),
        ("when: >-\n  a &&\n  wrong\n", "mine.yaml:3:3"),
        ("when: a\n  &&\n  wrong\n", "mine.yaml:3:3"),
        ("when: 'a\n\n  && wrong'\n", "mine.yaml:3:6"),
        ("{when: a && wrong}", "mine.yaml:1:13"),
    ],
    ids=["plain", "single quotes", "double quotes", "block", "block with empty lines", "folded block", "plain lines",
         "quoted lines", "between braces"],
)  # fmt: skip
def test_a_place_inside_a_text_is_the_place_in_the_file(text: str, place: str) -> None:
    written = entry(text, "when")
    assert str(written.at(written.text.index("wrong"))) == place


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("when: a &&", "mine.yaml:1:11"),
        ("when: 'a &&'", "mine.yaml:1:12"),
        ("when: |\n  a &&\nnext: 1", "mine.yaml:2:7"),
        ("when: |\n", "mine.yaml:1:8"),
    ],
)
def test_the_end_of_a_text_has_a_place_too(text: str, place: str) -> None:
    written = entry(text, "when")
    assert str(written.at(len(written.text.rstrip()))) == place


BREAKS = ["\n", "\r\n", "\r", "\x85", "\u2028", "\u2029"]


@pytest.mark.parametrize("end", BREAKS, ids=ascii)
def test_whatever_ends_a_line_in_yaml_counts_as_one(end: str) -> None:
    text = "# first\nis: 1\nwhen: |\n  a &&\n  wrong\nsays: here\n".replace("\n", end)
    written = entry(text, "when")
    assert str(written.at(written.text.index("wrong"))) == "mine.yaml:5:3"
    assert str(entry(text, "says").place) == "mine.yaml:6:7"
    assert refusal(text + "when: 3").startswith("mine.yaml:7:1: the same key twice")
    assert refusal(text + "why: a # b").startswith("mine.yaml:7:7: a comment cuts this text off; found # b")


@pytest.mark.parametrize("end", BREAKS, ids=ascii)
@pytest.mark.parametrize("other", BREAKS, ids=ascii)
def test_line_ends_may_be_mixed(end: str, other: str) -> None:
    text = f"a: 1{end}b:{other}{end}  c: 'x{other}{end}  y'{end}d: 2{other}"
    lines = text.replace("\r\n", "\n")
    for sign in BREAKS[2:]:
        lines = lines.replace(sign, "\n")
    place = 1 + lines[: lines.index("d: 2")].count("\n")
    assert str(entry(text, "d").place) == f"mine.yaml:{place}:4"


def test_a_document_takes_no_more_memory_than_its_nodes() -> None:
    """A list of the parser's events took 130 times the size of the text."""
    text = "- a\n" * 50_000
    tracemalloc.start()
    with pytest.raises(SpecError):
        load_document(text + "- *a\n", "mine.yaml")
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 80 * len(text)


# Traps, each refused with a reason and a way out


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("pass: 1\na: 2\npass: 3", "3:1: the same key twice; found pass; expected one entry; the first is in line 1"),
        ("1: a\n'1': b", "2:1: the same key twice; found 1; expected one entry; the first is in line 1"),
        ("is: &all seats", "1:5: an anchor is not allowed; found &all; expected no anchor, or quotes"),
        ("is: *all", "1:5: an alias is not allowed; found *all; expected the value itself, or quotes"),
        ("a: &a [x]\nb: &b [*a, *a]", "1:4: an anchor is not allowed; found &a; expected no anchor, or quotes"),
        ("when: !dealt", "1:7: a tag is not allowed; found !dealt; expected quotes around a text that begins with !"),
        ("is: !!int 5", "1:5: a tag is not allowed; found int; expected quotes around a text that begins with !"),
        ("<<: {a: 1}", "1:1: a merge key is not allowed; found <<; expected the entries themselves"),
        (
            "when: led != none # unless leading",
            ("1:18: a comment cuts this text off; found # unless leading; "
            "expected quotes around the text, or the comment on a line of its own"),
        ),
        ("[a]: 1", "1:1: a key must be a plain word"),
        ("a: " + "[" * 50 + "]" * 50, "1:44: nested more than 40 levels deep"),
        (
            "{says: All stay, but the maker., is: 1}",
            ("1:18: a key between braces has no value; found but the maker.; "
            "expected quotes around a text with a comma in it, or each key on a line of its own"),
        ),
    ],
    ids=["the same key twice", "the same key in two writings", "anchor", "alias", "alias bomb", "leading !", "tag",
         "merge key", "comment after text", "key that is no word", "deep nesting", "comma between braces"],
)  # fmt: skip
def test_what_loses_or_hides_text_is_refused(text: str, message: str) -> None:
    assert refusal(text) == f"mine.yaml:{message}"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "says: The order: ace first.",
            (
                "1:16: not YAML: mapping values are not allowed in this context; "
                "expected quotes around a text that has a colon and a blank in it"
            ),
        ),
        (
            "when: !clubs_automatic && a",
            (
                "1:25: not YAML: did not find expected alphabetic or numeric character; "
                "expected quotes around a text that begins with !, & or *"
            ),
        ),
        (
            "says: @all",
            (
                "1:7: not YAML: found character that cannot start any token; "
                "expected quotes around a text that begins with a sign"
            ),
        ),
        (
            "{is: a ? b : c}",
            (
                "1:12: not YAML: did not find expected ',' or '}'; "
                "expected quotes around a text with signs in it, or each key on a line of its own"
            ),
        ),
        ("a: [1, 2\nb: 3", "2:2: not YAML: did not find expected ',' or ']'"),
    ],
)
def test_what_is_no_yaml_is_refused_with_a_hint_where_there_is_one(text: str, message: str) -> None:
    assert refusal(text) == f"mine.yaml:{message}"


def test_a_sign_that_yaml_does_not_admit_is_refused() -> None:
    assert refusal("a: \x07").startswith("mine.yaml: not YAML: unacceptable character #x0007")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", ": the file is empty; expected one YAML document"),
        ("# nothing\n", ": the file is empty; expected one YAML document"),
        ("a: 1\n---\nb: 2\n", ":2:1: a second document begins here; expected one document in a file"),
    ],
)
def test_a_file_is_one_document(text: str, message: str) -> None:
    assert refusal(text) == f"mine.yaml{message}"


def test_a_comment_after_quotes_or_on_its_own_line_is_harmless() -> None:
    assert plain(read("# first\nwhen: 'led != none' # really\n# last\nis: 1 # one\n")) == {
        "when": "led != none",
        "is": 1,
    }
