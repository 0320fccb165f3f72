"""Sentences in the language asked, with number words, and in English wherever a translation is of another text."""

from dataclasses import replace
from pathlib import Path

import pytest

from buckspec.data import spec_dir
from buckspec.load import load_rulebook
from buckspec.problem import SpecError
from buckspec.rulebook import RuleBook
from buckspec.sentences import Sentences, fill, fingerprint, languages, load_sentences, placeholders
from buckspec.sources import find_profile


@pytest.fixture(scope="module")
def book() -> RuleBook:
    return load_rulebook(find_profile("ohio"))


@pytest.fixture(scope="module")
def parameters(book: RuleBook) -> dict[str, int]:
    return {name: parameter.value for name, parameter in book.parameters.items()}


@pytest.fixture(params=["en", "es", "pt-BR"])
def sentences(request: pytest.FixtureRequest) -> Sentences:
    return load_sentences(request.param)


def said(book: RuleBook, language: str, clause: str, parameters: dict[str, int]) -> str:
    return load_sentences(language).clause(book.clauses()[clause], parameters)


def test_the_languages_are_the_files() -> None:
    assert languages() == ["en", "es", "pt-BR"]
    assert [load_sentences(tag).name for tag in languages()] == ["English", "español", "português do Brasil"]


def test_an_unknown_language_is_refused_with_the_known_ones() -> None:
    with pytest.raises(SpecError) as caught:
        load_sentences("pt-PT")
    expected = "unknown language; found pt-PT; expected en, es or pt-BR; did you mean pt-BR?"
    assert str(caught.value) == f"the language chosen: {expected}"


def test_nothing_is_read_before_it_is_asked_for(tmp_path: Path) -> None:
    (tmp_path / "i18n").mkdir()
    (tmp_path / "i18n" / "es.yaml").write_text("language: [", encoding="utf-8")
    broken = load_sentences("es", tmp_path)
    with pytest.raises(SpecError, match="not YAML"):
        _ = broken.name


def test_english_is_what_the_rule_book_says(book: RuleBook, parameters: dict[str, int]) -> None:
    clause = book.clauses()["play.follow"]
    assert load_sentences("en").clause(clause, parameters) == clause.says


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("es", "Asiste al palo de salida si puedes. El bower izquierdo pertenece al triunfo."),
        ("pt-BR", "Acompanhe o naipe aberto se puder. O bower esquerdo pertence ao trunfo."),
    ],
)
def test_a_clause_is_translated(book: RuleBook, parameters: dict[str, int], language: str, sentence: str) -> None:
    assert said(book, language, "play.follow", parameters) == sentence


@pytest.mark.parametrize(
    ("language", "one", "two"),
    [
        ("es", "debe ganar una de las bazas.", "debe ganar dos de las bazas."),
        ("pt-BR", "deve fazer uma das vazas.", "deve fazer duas das vazas."),
    ],
)
def test_numbers_agree_with_what_they_count(
    book: RuleBook, parameters: dict[str, int], language: str, one: str, two: str
) -> None:
    assert said(book, language, "score.player-duty", {**parameters, "one_trick": 1}).endswith(one)
    assert said(book, language, "score.player-duty", {**parameters, "one_trick": 2}).endswith(two)


@pytest.mark.parametrize(
    ("language", "penalty", "words"),
    [
        ("en", 12, "adds twelve to the total"),
        ("en", 13, "adds 13 to the total"),
        ("es", 1, "suma uno a su total"),
        ("pt-BR", 2, "soma dois ao seu total"),
        ("pt-BR", 100, "soma 100 ao seu total"),
    ],
)
def test_numbers_are_words_up_to_twelve(
    book: RuleBook, parameters: dict[str, int], language: str, penalty: int, words: str
) -> None:
    assert words in said(book, language, "score.set", {**parameters, "penalty": penalty})


def test_every_sentence_has_words_for_all_its_parameters(
    book: RuleBook, parameters: dict[str, int], sentences: Sentences
) -> None:
    made = [sentences.clause(clause, parameters) for clause in book.clauses().values()]
    made += [sentences.question(question, parameters) for question in book.questions.values()]
    made += [sentences.reading(q, reading, parameters) for q in book.questions.values() for reading in q.readings]
    assert not [sentence for sentence in made if placeholders(sentence)]


@pytest.mark.parametrize("language", ["es", "pt-BR"])
def test_every_sentence_is_translated(book: RuleBook, parameters: dict[str, int], language: str) -> None:
    own = load_sentences(language)
    english = load_sentences("en")
    for clause in book.clauses().values():
        assert own.clause(clause, parameters) != english.clause(clause, parameters), clause.id
    for question in book.questions.values():
        assert own.question(question, parameters) != question.asks
        for reading in question.readings:
            assert own.reading(question, reading, parameters) != english.reading(question, reading, parameters)
    for chapter in book.chapters:
        assert own.chapter(chapter) != chapter.title
    assert own.profile(book.profile, book.title) != book.title


def test_a_house_rule_is_said_in_its_own_words(book: RuleBook, parameters: dict[str, int]) -> None:
    clause = replace(book.clauses()["play.follow"], id="house.follow", says="Follow if you like.")
    assert load_sentences("es").clause(clause, parameters) == "Follow if you like."


def test_a_sentence_that_has_changed_is_not_shown_in_its_old_translation(
    book: RuleBook, parameters: dict[str, int]
) -> None:
    clause = replace(book.clauses()["play.follow"], says="Follow suit, always.")
    assert load_sentences("es").clause(clause, parameters) == "Follow suit, always."


def test_terms_come_from_the_glossary_or_its_translation() -> None:
    english, spanish = load_sentences("en").term("left-bower"), load_sentences("es").term("left-bower")
    assert (english.name, english.plural) == ("left bower", "left bowers")
    assert (spanish.name, spanish.plural) == ("bower izquierdo", "bowers izquierdos")
    assert load_sentences("pt-BR").term("follow").plural is None


def test_every_term_can_be_shown(sentences: Sentences) -> None:
    assert all(sentences.term(term).means.endswith(".") for term in sentences.terms)
    with pytest.raises(KeyError):
        sentences.term("meld")


@pytest.mark.parametrize(
    ("language", "full", "short"),
    [
        ("en", "jack of hearts", "J♥"),
        ("es", "jota de corazones", "J♥"),
        ("pt-BR", "valete de copas", "V♥"),
    ],
)
def test_cards_in_full_and_in_short(book: RuleBook, language: str, full: str, short: str) -> None:
    cards = book.domains["Card"]
    card = cards.values[cards.by_code["JH"]]
    own = load_sentences(language)
    assert (own.card(card), own.sign(card, book.domains)) == (full, short)


def test_a_value_without_a_name_is_called_as_in_the_rules(sentences: Sentences) -> None:
    assert sentences.value("Wager", "double_or_nothing") == "double or nothing"


def test_events(sentences: Sentences) -> None:
    told = {"en": "Ana plays 9♣", "es": "Ana juega 9♣", "pt-BR": "Ana joga 9♣"}
    assert sentences.event("play", {"player": "Ana", "card": "9♣"}) == told[sentences.language]
    assert sentences.event("knock", {"player": "Ana"}) == "Ana knock"


def test_words_of_reports(sentences: Sentences) -> None:
    told = {"en": "hand 2, event 7", "es": "mano 2, acción 7", "pt-BR": "mão 2, ação 7"}
    assert sentences.report("place", hand="2", event="7") == told[sentences.language]
    with pytest.raises(KeyError):
        sentences.report("no such key")


def test_small_parts() -> None:
    assert fingerprint("The trick is taken.") == fingerprint("The trick is taken.")
    assert len(fingerprint("")) == 8
    assert fill("{a} and {b}", {"a": "one"}) == "one and {b}"
    assert placeholders("{a} and {b}") == {"a", "b"}
    assert (spec_dir() / "i18n" / "en.yaml").is_file()
