"""The operators of a question, with their places."""

from __future__ import annotations

import pytest

from triad.language.analysis import analyse
from triad.language.detection import LANGUAGES
from triad.language.operators import find_bounds, find_operators
from triad.language.pack import load_pack


@pytest.mark.parametrize(
    ("language", "text", "words"),
    [
        ("en", "What does Ulm import from directly or indirectly?", "directly or indirectly"),
        ("en", "all transitive dependencies of Ulm", "transitive"),
        ("en", "Which towns lead to Ulm, directly or through others?", "directly or through others"),
        ("de", "Wovon hängt Ulm direkt oder indirekt ab?", "direkt oder indirekt"),
        ("fr", "De quoi dépend Ulm directement ou par d'autres ?", "directement ou par d'autres"),
        ("fa", "اولم بی‌واسطه یا با واسطه به چه وابسته است؟", "بی‌واسطه یا با واسطه"),
    ],
)
def test_words_ask_for_what_a_relation_leads_to_in_one_step_or_more(language: str, text: str, words: str) -> None:
    pack = load_pack(language)
    found = analyse(text, pack)
    assert [
        text[found.words[one.start].start : found.words[one.end - 1].end]
        for one in find_operators(text, pack)
        if one.kind == "transitive"
    ] == [words]
    assert not found.either, "the or of these words chooses between nothing"


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("Which customers ordered Red Rum?", []),
        ("Which vintage was ordered last?", []),
        ("countries ordered by area", ["sort"]),
        ("countries ordered alphabetically", ["sort", "sort"]),
        ("countries ordered largest first", ["sort", "order"]),
        ("the countries, sorted", ["sort"]),
    ],
)
def test_what_somebody_orders_is_not_sorted(text: str, kinds: list[str]) -> None:
    found = find_operators(text, load_pack("en"))
    assert [one.kind for one in found if one.kind in ("sort", "order")] == kinds


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("How long did Game 3 last?", []),
        ("How long did the war last?", []),
        ("Which shop was opened last?", ["last"]),
        ("Which shop opened first?", ["first"]),
        ("List the last 3 games.", ["last 3"]),
    ],
)
def test_last_is_a_verb_and_a_place(text: str, said: list[str]) -> None:
    pack = load_pack("en")
    found = [one for one in find_operators(text, pack) if one.kind == "superlative"]
    assert [analyse(text, pack).said(one.start, one.end) for one in found] == said


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_language_can_ask_for_one_step_or_more(language: str) -> None:
    pack = load_pack(language)
    for phrase in pack.data.forms.transitive:
        assert [one.kind for one in find_operators(phrase, pack)] == ["transitive"], phrase


@pytest.mark.parametrize(
    ("language", "text", "first", "count"),
    [
        ("de", "Was ist der zweitlängste Fluss?", 2, 1),
        ("en", "the 6th to 10th most expensive products", 6, 5),
        ("en", "Which three countries have the most official languages?", 1, 3),
        ("en", "the names of the 5 users followed by the most people", 1, 5),
        ("en", "Which of the three largest cities is a port?", 1, 3),
        ("en", "Which of these three is the oldest?", 1, 1),
        ("en", "Which volumes spent more than 2 weeks on top?", 1, 1),
        ("fr", "Lequel des deux est le plus long ?", 1, 1),
    ],
)
def test_the_ranks_that_are_asked_for_are_known_to_the_form_and_to_the_operators(
    language: str, text: str, first: int, count: int
) -> None:
    pack = load_pack(language)
    [superlative, *_] = [one for one in find_operators(text, pack) if one.kind == "superlative"]
    order = analyse(text, pack).order
    assert order is not None
    assert (superlative.first, superlative.count) == (order.first, order.count) == (first, count)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Wie hoch ist der Everest?", []),
        ("wie tief ist der see", []),
        ("wie gross ist die flaeche von texas", []),
        ("Was ist der höchste Berg?", ["höchste"]),
        ("welches ist der laengste fluss", ["laengste"]),
        ("welcher see ist am tiefsten", ["tiefsten"]),
        ("welches ist der tiefstgelegene punkt", ["tiefstgelegene"]),
    ],
)
def test_german_superlatives_are_told_from_adjectives_and_nouns_however_they_are_typed(
    text: str, words: list[str]
) -> None:
    pack = load_pack("de")
    found = [one for one in find_operators(text, pack) if one.kind == "superlative"]
    assert [analyse(text, pack).words[one.start].text for one in found] == words


def test_or_less_before_than_begins_a_bound_of_its_own() -> None:
    bounds = find_bounds("Who has a height greater than 200 or less than 190?", load_pack("en"), boolean=False)
    assert [(one.operator, one.value) for bound in bounds for one in bound] == [(">", 200), ("<", 190)]
    bounds = find_bounds("Which rooms have 20 or less seats?", load_pack("en"), boolean=False)
    assert [(one.operator, one.value) for bound in bounds for one in bound] == [("<=", 20)]


@pytest.mark.parametrize(
    ("text", "date", "value"),
    [
        ("How many concerts were only in 2014?", "2014", None),
        ("Who left exactly on 5 May 2014?", "2014-05-05", None),
        ("Which halls have exactly 2014 seats?", None, 2014),
    ],
)
def test_only_before_a_date_is_no_number(text: str, date: str | None, value: float | None) -> None:
    ((bound,),) = find_bounds(text, load_pack("en"), boolean=False)
    assert (bound.operator, bound.date, bound.value) == ("=", date, value)


@pytest.mark.parametrize(
    ("language", "text", "said"),
    [
        ("fr", "Quels plats sont plus chers que le beurre ?", []),
        ("fr", "Quel est le plat le plus cher ?", ["le plus cher", "le plus"]),
        ("es", "¿Qué platos son más caros que la sopa?", []),
        ("es", "¿Cuál es el río más largo que pasa por la ciudad?", ["más largo", "más"]),
        ("it", "Quali piatti sono più cari del burro?", []),
        ("it", "Qual è il fiume più lungo della regione?", ["più lungo", "più"]),
        ("pt", "Quais pratos são mais caros do que o leite?", []),
    ],
)
def test_a_comparison_with_a_noun_is_no_superlative(language: str, text: str, said: list[str]) -> None:
    pack = load_pack(language)
    words = analyse(text, pack).words
    found = [one for one in find_operators(text, pack) if one.kind == "superlative"]
    assert [text[words[one.start].start : words[one.end - 1].end] for one in found] == said


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("fr", "la population totale des régions"),
        ("fr", "la somme des prix"),
        ("it", "la somma dei prezzi"),
        ("es", "la suma de los precios"),
        ("nl", "de som van de prijzen"),
        ("ro", "populația totală"),
        ("ru", "общую площадь"),
    ],
)
def test_totals_are_asked_for_in_all_their_forms(language: str, text: str) -> None:
    assert "SUM" in [one.function for one in find_operators(text, load_pack(language))]
