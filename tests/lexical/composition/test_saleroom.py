"""Nouns for what values are, parts of names, numbers that are not, denials, and who did something to whom."""

from __future__ import annotations

import contextlib
from collections.abc import Callable

import pytest

from triad.agent import Agent
from triad.answers import Answer
from triad.conversation import Conversation
from triad.errors import AnswerError
from triad.questions import Question

pytestmark = pytest.mark.slow(0.2)

SALEROOM = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:Lot rdfs:label "lot" . :Bidder rdfs:label "bidder" . :Sale rdfs:label "sale" . :Substance rdfs:label "substance" .
:Condition rdfs:label "condition" . :firstName rdfs:label "first name" . :lastName rdfs:label "last name" .
:soldTo rdfs:label "sold to" . :madeBy rdfs:label "made by" . :medium rdfs:label "medium" .
:offered rdfs:label "offered in" . :founded rdfs:label "founded" . :affiliation rdfs:label "affiliation" .
:paddle rdfs:label "paddle number" . :rank rdfs:label "rank" . :seats rdfs:label "seats" .
:avoided rdfs:label "contraindicated in" . :treats rdfs:label "treats" .
:c1 a :Condition ; rdfs:label "pregnancy" . :c2 a :Condition ; rdfs:label "fever" .
:d1 a :Substance ; rdfs:label "warfarin" ; :avoided :c1 . :d2 a :Substance ; rdfs:label "ibuprofen" ; :treats :c2 .
:s1 a :Sale ; rdfs:label "Spring Jewels" ; :founded 1866 ; :affiliation "public" ; :seats 40 .
:s2 a :Sale ; rdfs:label "Winter Prints" ; :founded 1901 ; :affiliation "private" ; :seats 60 .
:s3 a :Sale ; rdfs:label "Old Clocks" ; :founded 1950 ; :affiliation "public" ; :seats 80 .
:b1 a :Bidder ; rdfs:label "Ann Lee" ; :firstName "Ann" ; :lastName "Lee" ; :rank "gold" ; :paddle 20 .
:b2 a :Bidder ; rdfs:label "Bo Ray" ; :firstName "Bo" ; :lastName "Ray" ; :rank "gold" ; :paddle 21 .
:b3 a :Bidder ; rdfs:label "Cy Fox" ; :firstName "Cy" ; :lastName "Fox" ; :rank "silver" ; :paddle 22 .
:m1 a :Maker ; rdfs:label "Maison Cartel" . :Maker rdfs:label "maker" .
:l1 a :Lot ; rdfs:label "Emerald Ring" ; :soldTo :b1 ; :madeBy :m1 ; :offered :s1 .
:l2 a :Lot ; rdfs:label "Longcase Clock" ; :soldTo :b2 ; :madeBy :m1 ; :offered :s3 ; :medium "oak" .
:l3 a :Lot ; rdfs:label "View of Kew" ; :soldTo :b2 ; :madeBy :m1 ; :offered :s2 ; :medium "oil on canvas" .
"""

GARDEN = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:Visita rdfs:label "visita guiada"@es . :Jardinero rdfs:label "jardinero"@es . :Planta rdfs:label "planta"@es .
:Casa rdfs:label "invernadero"@es . :cuida rdfs:label "cuidada por"@es . :guia rdfs:label "guiada por"@es .
:en rdfs:label "se encuentra en"@es . :organiza rdfs:label "organizado por"@es . :Fiesta rdfs:label "fiesta"@es .
:j1 a :Jardinero ; rdfs:label "Eva Ruiz" . :j2 a :Jardinero ; rdfs:label "Iker Sol" .
:v1 a :Visita ; rdfs:label "Visita 1" ; :guia :j1 . :v2 a :Visita ; rdfs:label "Visita 2" ; :guia :j2 .
:v3 a :Visita ; rdfs:label "Visita 3" ; :guia :j1 . :f1 a :Fiesta ; rdfs:label "Fiesta del Cerezo" ; :organiza :j1 .
:h1 a :Casa ; rdfs:label "Palmeral" . :h2 a :Casa ; rdfs:label "Umbral" .
:p1 a :Planta ; rdfs:label "Palmito" ; :cuida :j1 ; :en :h1 .
:p2 a :Planta ; rdfs:label "Encina" ; :cuida :j1 ; :en :h2 .
:p3 a :Planta ; rdfs:label "Romero" ; :cuida :j2 ; :en :h1 . :p4 a :Planta ; rdfs:label "Tilo" ; :cuida :j2 ; :en :h2 .
"""


def shown(answer: Answer | None) -> set[str]:
    return {value.label or str(value) for value in answer.values} if answer else set()


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What is the founding year of Winter Prints?", {"1901"}),
        ("What is the year of founding of Winter Prints?", {"1901"}),
        ("How many different affiliation types are there?", {"2"}),
        ("What is the total seat number of the sales?", {"180"}),
        ("How many different bidder ranks are there?", {"2"}),
        ("How many unique ranks are there?", {"2"}),
        ("Which bidders have a paddle number other than 20?", {"Bo Ray", "Cy Fox"}),
        ("Which are the bidders whose paddle number is not 20?", {"Bo Ray", "Cy Fox"}),
        ("What are the first and last names of the bidders?", {"Ann Lee", "Bo Ray", "Cy Fox"}),
        ("What are the first names of the bidders?", {"Ann", "Bo", "Cy"}),
        ("What is the Longcase Clock made of?", {"oak"}),
        ("Who bought the Emerald Ring?", {"Ann Lee"}),
        ("Who was the Emerald Ring sold to?", {"Ann Lee"}),
        ("Which substances are contraindicated in pregnancy?", {"warfarin"}),
    ],
)
def test_a_noun_beside_a_relation_may_say_what_its_values_are(
    open_text: Callable[[str], Agent], question: str, expected: set[str]
) -> None:
    assert shown(open_text(SALEROOM).ask(question)) == expected


@pytest.mark.parametrize(
    "question",
    [
        "Who sold the Emerald Ring?",
        "By whom was the Emerald Ring sold?",
        "What is the Emerald Ring made of?",
        "Which substances can be taken during pregnancy?",
        "Which substances must not be taken during pregnancy?",
        "Can ibuprofen be taken during pregnancy?",
    ],
)
def test_what_is_not_said_so_is_not_sure(open_text: Callable[[str], Agent], question: str) -> None:
    with contextlib.suppress(AnswerError):
        assert open_text(SALEROOM).ask(question).confidence < 0.75


@pytest.mark.parametrize(
    ("question", "expected"),
    [("¿Quién organiza la Fiesta del Cerezo?", {"Eva Ruiz"}), ("¿Quién guía la Visita 2?", {"Iker Sol"})],
)
def test_the_first_noun_of_a_name_is_its_head_in_spanish(
    open_text: Callable[[str], Agent], question: str, expected: set[str]
) -> None:
    assert shown(open_text(GARDEN).ask(Question(question, "es"))) == expected


@pytest.mark.parametrize(
    ("turns", "expected"),
    [
        (("¿Quién guía la Visita 2?", "¿Cuántas plantas cuida?"), {"2"}),
        (("¿Quién organiza la Fiesta del Cerezo?", "¿Qué visitas guía?"), {"Visita 1", "Visita 3"}),
        (("¿Quién organiza la Fiesta del Cerezo?", "¿Qué plantas hay?"), {"Palmito", "Encina", "Romero", "Tilo"}),
        (("¿Dónde se encuentra el Palmito?", "¿Qué plantas hay allí?"), {"Palmito", "Romero"}),
    ],
)
def test_a_verb_in_the_singular_behind_a_plural_has_its_subject_elsewhere(
    open_text: Callable[[str], Agent], turns: tuple[str, ...], expected: set[str]
) -> None:
    conversation = Conversation(open_text(GARDEN))
    *_, last = [conversation.ask(turn) for turn in turns]
    assert shown(last.answer) == expected
