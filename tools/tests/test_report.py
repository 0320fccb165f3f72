"""The parts of reports: columns, cards, the score sheet, excerpts of files."""

from io import StringIO
from pathlib import Path

import pytest

from buckspec.load import load_profile
from buckspec.problem import Place
from buckspec.sentences import load_sentences
from buckspec_tools.places import lines_of
from buckspec_tools.progress import Progress
from buckspec_tools.report.cards import Values, signs
from buckspec_tools.report.columns import aligned, indented, labelled, width, wrapped
from buckspec_tools.report.excerpt import excerpt
from buckspec_tools.report.sheet import Row, sheet

OHIO = load_profile("ohio")
ENGLISH = load_sentences("en")
NAMES = ("Ana", "Bo", "Cy", "Di")


def values(language: str = "en", players: tuple[str, ...] = NAMES, *, plain: bool = False) -> Values:
    return Values(OHIO, load_sentences(language), players, plain)


# ---------------------------------------------------------------------- columns


@pytest.mark.parametrize(("text", "places"), [("abc", 3), ("é", 1), ("e\u0301", 1), ("愛", 2), ("♥", 1), ("", 0)])
def test_width_is_what_a_terminal_needs(text: str, places: int) -> None:
    assert width(text) == places


def test_columns_stand_under_each_other_whatever_the_script() -> None:
    lines = aligned([["愛子", "x"], ["Ana", "y"], ["", "z"]])
    assert lines == ["愛子  x", "Ana   y", "      z"]
    assert [width(line) for line in lines] == [7, 7, 7]


def test_rows_may_be_short_and_columns_flush_right() -> None:
    assert aligned([["a", "10"], ["bb", "5"], ["c"]], right=[1]) == ["a   10", "bb   5", "c"]


def test_a_long_text_goes_on_below_itself_and_names_stay_whole() -> None:
    assert labelled([("one", "aa bb cc"), ("two", "")], 10) == ["one  aa bb", "     cc", "two"]
    assert wrapped("a-very-long-name is-whole", 12) == ["a-very-long-name", "is-whole"]


def test_empty_lines_are_not_indented() -> None:
    assert indented(["a", "", "b"]) == ["  a", "", "  b"]


# ---------------------------------------------------------------------- cards and other values


@pytest.mark.parametrize(
    ("language", "plain", "shown"),
    [("en", False, "10♥ J♦ ??"), ("pt-BR", False, "10♥ V♦ ??"), ("en", True, "TH JD ??")],
)
def test_cards_by_language_and_output(language: str, plain: bool, shown: str) -> None:
    found = values(language, plain=plain)
    assert " ".join(map(found.card, ["TH", "JD", "??"])) == shown


def test_a_hand_is_sorted_by_suit_and_from_the_highest() -> None:
    assert values().cards(["9H", "AS", "TC", "AH", "??"]) == "10♣ A♥ 9♥ A♠ ??"


def test_no_card_sign_is_lost() -> None:
    assert {"♣", "♦", "♥", "♠"} <= set(signs(OHIO))


@pytest.mark.parametrize(
    ("name", "value", "shown"),
    [
        ("led", "C", "♣"),
        ("trump", None, "nothing"),
        ("maker", None, "nobody"),
        ("maker", 2, "Cy"),
        ("actor", 0, "Ana"),
        ("card", "TH", "10♥"),
        ("hand(1)", ["9H", "AH"], "A♥ 9♥"),
        ("hand(1)", [], "nothing"),
        ("active", [0, 3], "Ana, Di"),
        ("active", [], "nobody"),
        ("contract", "no-trump", "no trumps"),
        ("passes", 3, "3"),
        ("passes", -3, "−3"),
        ("totals", [-3, 2], "−3, 2"),
        ("picked_up", True, "yes"),
        ("hands[1].dealer", 1, "Bo"),
        ("what nobody knows", "\x1b[1m", "\\x1b[1m"),
    ],
)
def test_values_are_shown_by_what_they_are(name: str, value: object, shown: str) -> None:
    assert values().named(name, value) == shown


def test_without_signs_a_suit_is_a_word() -> None:
    assert values("es", plain=True).named("led", "C") == "tréboles"


@pytest.mark.parametrize(
    ("players", "shown"),
    [
        ((), ["seat 0", "seat 1"]),
        (("Ana", "Ana"), ["Ana seat 0", "Ana seat 1"]),
        (("", "  "), ["seat 0", "seat 1"]),
        (("A\x1b[2J", "\u202eB"), ["A\\x1b[2J", "\\u202eB"]),
    ],
)
def test_players_are_told_apart_and_harmless(players: tuple[str, ...], shown: list[str]) -> None:
    found = values(players=players)
    assert [found.player(seat) for seat in (0, 1)] == shown


def test_a_player_with_and_without_a_name_at_a_seat() -> None:
    assert values().player_at(1) == "Bo (seat 1)"
    assert values(players=()).player_at(1) == "seat 1"


# ---------------------------------------------------------------------- the score sheet


def test_the_sheet_tells_tricks_points_and_totals() -> None:
    row = Row(1, 3, 1, "H", "ordered", [True, True, True, False], [1, 2, 2, 0], [-1, 5, 0, 0], [-1, 30, 25, 25])
    no_trump = Row(2, 0, None, None, "no-trump", [True] * 4, [1, 2, 2, 0], [-1, -2, -2, 5], [-2, 28, 23, 30])
    assert row.opening == [0, 25, 25, 25]
    assert sheet([row, no_trump], row.opening, values()) == [
        "hand          dealer  maker  trumps     Ana         Bo          Cy          Di",
        "at the start                            0           25          25          25",
        "1             Di      Bo     ♥          1: −1 → −1  2: +5 → 30  2: 0 → 25   dropped → 25",
        "2             Ana     −      no trumps  1: −1 → −2  2: −2 → 28  2: −2 → 23  0: +5 → 30",
        "tricks: points → total",
    ]
    plain = sheet([row], row.opening, values(plain=True))
    assert all(line.isascii() for line in plain)
    assert "1: -1 -> -1" in plain[2]


def test_without_a_whole_hand_the_sheet_tells_the_start_only() -> None:
    assert len(sheet([], [25] * 4, values())) == 2


# ---------------------------------------------------------------------- progress


class Terminal(StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("stream", "is_shown"), [(Terminal(), True), (StringIO(), False)])
def test_progress_is_shown_on_a_terminal_that_stays_silent(
    stream: StringIO, is_shown: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [0.0]
    monkeypatch.setattr("buckspec_tools.progress.time.monotonic", lambda: now[0])
    monkeypatch.setattr("sys.stderr", stream)
    with Progress("logs") as progress:
        progress.step()
        assert progress.status is None
        now[0] = 10.0
        progress.step()
        assert (progress.status is not None) is is_shown
        progress.make_way()  # the output of a test is no terminal
        assert (progress.status is not None) is is_shown
        progress.hide()
        assert progress.status is None
    assert ("2 logs" in stream.getvalue()) is is_shown


# ---------------------------------------------------------------------- excerpts


def test_an_excerpt_marks_the_column(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("one\n\t愛: two\nthree\n", encoding="utf-8")
    assert excerpt(Place("a.yaml", 2, 5), tmp_path) == ["  2 |  愛: two", "    |      ^"]
    assert excerpt(Place("a.yaml", 3), tmp_path) == ["  3 | three"]


@pytest.mark.parametrize("place", [Place("a.yaml"), Place("a.yaml", 9, 1), Place("none.yaml", 1, 1)])
def test_where_there_is_no_line_there_is_no_excerpt(place: Place, tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("one\n", encoding="utf-8")
    assert excerpt(place, tmp_path) == []


def test_lines_end_where_yaml_has_them_end(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_bytes("a\r\nb\rc\nd\x85e\u2028f\u2029g".encode())
    assert lines_of("a.yaml", tmp_path) == list("abcdefg")


def test_a_file_is_read_once_for_many_excerpts_and_anew_when_it_has_changed(tmp_path: Path) -> None:
    file = tmp_path / "a.yaml"
    file.write_text("one\n", encoding="utf-8")
    assert lines_of("a.yaml", tmp_path) is lines_of("a.yaml", tmp_path)
    file.write_text("other\n", encoding="utf-8")
    assert lines_of("a.yaml", tmp_path)[0] == "other"


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="needs a device without an end")
def test_there_is_no_excerpt_of_what_is_no_file() -> None:
    assert lines_of("/dev/zero", Path("/")) == []


def test_an_excerpt_of_a_long_line_is_cut_and_harmless(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("x" * 500 + "\x1b[2J" + "y" * 500, encoding="utf-8")
    line, mark = excerpt(Place("a.yaml", 1, 501), tmp_path)
    assert line[mark.index("^") :].startswith("\\x1b[2J")
    assert len(line) < 150
