"""Forms of whole questions, on a graph that is small enough to check by eye."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from triad.agent import Agent
from triad.language.analysis import analyse
from triad.language.pack import languages, load_pack
from triad.lexical.composition import find_readings
from triad.lexical.mention_detection import link_mentions
from triad.lexical.weights import load_weights
from triad.questions import Question

TURTLE = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .

:Sculpture rdfs:label "sculpture" . :Artist rdfs:label "artist" . :Museum rdfs:label "museum" .
:s1 a :Sculpture ; rdfs:label "Falling Rain" ; :material "bronze" ; :creator :a1 ; :museum :m1 .
:s2 a :Sculpture ; rdfs:label "Standing Rain" ; :material "bronze" ; :creator :a1 ; :museum :m2 .
:s3 a :Sculpture ; rdfs:label "Old Wall" ; :material "marble" ; :creator :a2 ; :museum :m1 .
:a1 a :Artist ; rdfs:label "Vera Holm" ; :birthDate "1950-01-15"^^xsd:date ; :deathDate "2010-03-01"^^xsd:date .
:a2 a :Artist ; rdfs:label "Otto Kern" ; :birthDate "1970-06-30"^^xsd:date .
:m1 a :Museum ; rdfs:label "City Museum" ; :city "Lund" ;
    :opened "1900-01-01"^^xsd:date ; :closed "1999-06-30"^^xsd:date ;
    rdfs:comment "A museum of sculptures."@en, "Ein Museum für Skulpturen."@de .
:m2 a :Museum ; rdfs:label "Harbour Hall" ; :city "Malmö" ; :opened "1950-03-01"^^xsd:date .
"""

Found = bool | list[str]
Ask = Callable[[str, str], Found]


@pytest.fixture(scope="module")
def ask(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ask]:
    """Return what asks for what the best reading finds that leaves no word out."""
    path: Path = tmp_path_factory.mktemp("sculptures") / "graph.ttl"
    path.write_text(TURTLE)
    with Agent(graph=str(path), model="none") as agent:
        assert agent.profile is not None

        def found(question: str, language: str) -> Found:
            analysis, context = analyse(question, load_pack(language)), agent.begin(Question(question, language))
            weights = load_weights()
            named = link_mentions(context.at("linking"), analysis, weights)
            assert context.profile is not None
            at = context.at("construction")
            ranked = find_readings(at, context.profile, analysis, *named, weights.composition).ranked
            best = next((one for one in ranked if not one.is_empty and not one.missed), None)
            if best is None or best.result.boolean is not None:
                return bool(best.result.boolean) if best else []
            terms = [term for row in best.result.rows for term in row if term]
            return sorted(term.value.removeprefix("http://example.org/") for term in terms)

        yield found


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Is Old Wall a sculpture?", True),
        ("Is Old Wall a museum?", False),
        ("Is Otto Kern an artist?", True),
        ("Is Old Wall a bronze sculpture?", False),
        ("Is Old Wall a marble sculpture?", True),
        ("Is there a bronze sculpture by Otto Kern?", False),
        ("Are there any marble sculptures?", True),
        ("Are there no marble sculptures?", False),
        ("Are all sculptures bronze?", False),
        ("Is every sculpture bronze?", False),
        ("Are all bronze sculptures by Vera Holm?", True),
        ("Are all of Vera Holm's sculptures bronze?", True),
        ("Are all sculptures by Otto Kern bronze?", False),
        ("Do all sculptures have a museum?", True),
    ],
)
def test_yes_no_questions_about_classes_account_for_every_word(question: str, expected: bool, ask: Ask) -> None:
    assert ask(question, "en") is expected


def test_a_yes_no_question_is_not_answered_without_the_name_in_it(ask: Ask) -> None:
    assert ask("Is there a sculpture by Wakanda?", "en") == []


@pytest.mark.parametrize(
    ("question", "language", "expected"),
    [
        ("What is City Museum?", "en", ["A museum of sculptures."]),
        ("Tell me about City Museum", "en", ["A museum of sculptures."]),
        ("describe City Museum", "en", ["A museum of sculptures."]),
        ("Was ist City Museum?", "de", ["Ein Museum für Skulpturen."]),
        ("Qué es City Museum?", "es", ["A museum of sculptures.", "Ein Museum für Skulpturen."]),
        ("Who is Otto Kern?", "en", ["Artist"]),
    ],
)
def test_a_description_is_given_in_the_language_of_the_question_or_else_the_class(
    question: str, language: str, expected: list[str], ask: Ask
) -> None:
    assert ask(question, language) == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Which sculptures have 'Rain' in their names?", ["s1", "s2"]),
        ("Which sculptures have the word Rain in their names?", ["s1", "s2"]),
        ("sculptures whose name contains Rain", ["s1", "s2"]),
        ('Which sculptures have a name that contains the English word "Rain"?', ["s1", "s2"]),
        ("sculptures whose name starts with Fall", ["s1"]),
        ("Which museums have a name ending in Hall?", ["m2"]),
        ("museums whose city contains 'alm'", ["m2"]),
        ("all Rain sculptures", ["s1", "s2"]),
    ],
)
def test_texts_limit_the_names_or_the_relation_that_is_named_beside_them(
    question: str, expected: list[str], ask: Ask
) -> None:
    assert ask(question, "en") == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Which sculptures are marble or by Vera Holm?", ["s1", "s2", "s3"]),
        ("Which museums were opened before 1920 or have the city Malmö?", ["m1", "m2"]),
        ("How many museums were opened before 1920 or have the city Malmö?", ["2"]),
    ],
)
def test_of_two_conditions_joined_by_or_one_is_enough(question: str, expected: list[str], ask: Ask) -> None:
    assert ask(question, "en") == expected


DAYS = (date(1999, 6, 30) - date(1900, 1, 1)).days
BETWEEN = (date(1950, 3, 1) - date(1900, 1, 1)).days


@pytest.mark.parametrize(
    ("question", "language", "expected"),
    [
        ("How old was Vera Holm?", "en", 60),
        ("What is the age of Vera Holm?", "en", 60),
        ("Wie alt war Vera Holm?", "de", 60),
        ("Cuántos años tiene Vera Holm?", "es", 60),
        ("How long was City Museum open?", "en", DAYS),
        ("How many years was City Museum open?", "en", 99),
        ("How many months was City Museum open?", "en", 99 * 12 + 5),
        ("How many weeks was City Museum open?", "en", DAYS // 7),
        ("How many days are there between the opening of City Museum and Harbour Hall?", "en", BETWEEN),
        ("How many years lie between the birth date and the death date of Vera Holm?", "en", 60),
        ("How many years are between the births of Otto Kern and Vera Holm?", "en", 20),
    ],
)
def test_ages_and_durations_are_differences_of_dates(question: str, language: str, expected: int, ask: Ask) -> None:
    assert ask(question, language) == [str(expected)]


def test_an_age_is_counted_until_today_while_there_is_no_other_date(ask: Ask) -> None:
    now = datetime.now(UTC)
    age = now.year - 1970 - ((now.month, now.day) < (6, 30))

    assert ask("How old is Otto Kern?", "en") == [str(age)]


@pytest.mark.parametrize("language", languages())
def test_each_language_has_words_for_these_forms(language: str) -> None:
    data = load_pack(language).data

    assert data.forms.describe
    assert data.forms.every
    assert data.compare.containing
    assert data.compare.starting
    assert data.compare.ending
    assert data.compare.wording
    assert data.kinds.descriptions
