"""Questions of other languages over a graph with English names, as people type them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.lexical.composition.conftest import Reading
from triad.agent import Agent
from triad.errors import AnswerError
from triad.questions import Question

LANDS = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .

:State rdfs:label "state" . :Country rdfs:label "country" . :River rdfs:label "river" . :Point rdfs:label "point" .
:population rdfs:label "population" . :area rdfs:label "area" . :country rdfs:label "country" .
:crosses rdfs:label "runs through" . :highestPoint rdfs:label "highest point" . :borders rdfs:label "borders" .
:oz a :Country ; rdfs:label "Oz" .
:gale a :State ; rdfs:label "Gale" ; :country :oz ; :population 900 ; :area 40 ; :highestPoint :mo ; :borders :dorn .
:dorn a :State ; rdfs:label "Dorn" ; :country :oz ; :population 300 ; :area 70 ; :highestPoint :ka ; :borders :gale .
:ulme a :River ; rdfs:label "Ulme" ; :crosses :gale , :dorn . :arve a :River ; rdfs:label "Arve" ; :crosses :dorn .
:mo a :Point ; rdfs:label "Mo" . :ka a :Point ; rdfs:label "Ka" .
"""

WINES = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .

:Wine rdfs:label "wine" . :Winery rdfs:label "winery" . :Grape rdfs:label "grape" . :Vintage rdfs:label "vintage" .
:Winemaker rdfs:label "winemaker" . :Region rdfs:label "region" . :Customer rdfs:label "customer" .
:makes rdfs:label "makes" . :madeFrom rdfs:label "made from" . :colour rdfs:label "colour" .
:price rdfs:label "price" . :vintageOf rdfs:label "vintage of" . :year rdfs:label "year" .
:founded rdfs:label "founded" .
:ownedBy rdfs:label "owned by" . :region rdfs:label "region" . :bought rdfs:label "bought" .
:alcohol rdfs:label "alcohol" .

:langhe a :Region ; rdfs:label "Langhe" . :mosel a :Region ; rdfs:label "Mosel" .
:nebbiolo a :Grape ; rdfs:label "Nebbiolo" . :riesling a :Grape ; rdfs:label "Riesling" .
:anna a :Winemaker ; rdfs:label "Anna Conti" ; :makes :barolo , :serra .
:jonas a :Winemaker ; rdfs:label "Jonas Weil" ; :makes :steil .
:barolo a :Wine ; rdfs:label "Barolo Conti" ; :madeFrom :nebbiolo ; :colour "red" ; :alcohol 14 .
:serra a :Wine ; rdfs:label "Serra" ; :madeFrom :nebbiolo ; :colour "red" ; :alcohol 13 .
:steil a :Wine ; rdfs:label "Steil" ; :madeFrom :riesling ; :colour "white" ; :alcohol 11 .
:conti a :Winery ; rdfs:label "Cantina Conti" ; :founded "1921"^^xsd:gYear ; :ownedBy :anna ; :region :langhe .
:weil a :Winery ; rdfs:label "Weilhof" ; :founded "1874"^^xsd:gYear ; :ownedBy :jonas ; :region :mosel .
:b16 a :Vintage ; rdfs:label "Barolo Conti 2016" ; :vintageOf :barolo ; :year 2016 ; :price 80 .
:b18 a :Vintage ; rdfs:label "Barolo Conti 2018" ; :vintageOf :barolo ; :year 2018 ; :price 60 .
:s19 a :Vintage ; rdfs:label "Steil 2019" ; :vintageOf :steil ; :year 2019 ; :price 25 .
:lena a :Customer ; rdfs:label "Lena Braun" ; :bought :b16 , :s19 .
:tom a :Customer ; rdfs:label "Tom Reis" ; :bought :b18 .
"""


@pytest.fixture(scope="module")
def lands(open_reading: Callable[[str, str], Reading]) -> Reading:
    return open_reading("lands.ttl", LANDS)


@pytest.fixture(scope="module")
def wines(open_text: Callable[[str], Agent]) -> Agent:
    return open_text(WINES)


@pytest.mark.slow(0.1)
@pytest.mark.parametrize(
    ("language", "question", "answers"),
    [
        ("en", "How large is the population of Gale?", {("900",)}),
        ("de", "wie gross ist die bevoelkerung von Gale", {("900",)}),
        ("de", "Wie groß ist Gale?", {("40",)}),
        ("de", "welche staaten gibt es", {("gale",), ("dorn",)}),
        ("de", "durch welche staaten fliesst die Ulme", {("gale",), ("dorn",)}),
        ("de", "was ist der hoechste punkt von Dorn", {("ka",)}),
        ("de", "wie lautet der groesste staat", {("dorn",)}),
        ("es", "cuales rios corren por Gale", {("ulme",)}),
        ("es", "que estados bordean a Gale", {("dorn",)}),
    ],
)
def test_words_of_a_language_mean_what_english_names_say(
    lands: Reading, language: str, question: str, answers: set[tuple[str, ...]]
) -> None:
    assert lands.found(question, language) == answers


@pytest.mark.slow(0.1)
@pytest.mark.parametrize(
    ("language", "question", "answer"),
    [
        ("de", "Welche Weine macht Anna?", "Barolo Conti; Serra"),
        ("de", "Welche Weine stellt Anna her?", "Barolo Conti; Serra"),
        ("de", "Welche Weine sind rot?", "Barolo Conti; Serra"),
        ("de", "Welcher Jahrgang ist der teuerste?", "Barolo Conti 2016 (80)"),
        ("de", "Wann wurde Weilhof gegründet?", "1874"),
        ("de", "Wem gehört die Cantina Conti?", "Anna Conti"),
        ("de", "Aus welcher Traube wird Serra gemacht?", "Nebbiolo"),
        ("de", "Welche Jahrgänge hat Lena Braun gekauft?", "Barolo Conti 2016; Steil 2019"),
        ("de", "Wie viele Winzer gibt es?", "2"),
        ("de", "Was kostet der Barolo Conti 2016?", "80"),
        ("fr", "Quels vins Anna fait-elle ?", "Barolo Conti; Serra"),
        ("fr", "Quels vins sont rouges ?", "Barolo Conti; Serra"),
        ("fr", "Quel millésime est le plus cher ?", "Barolo Conti 2016 (80)"),
        ("fr", "Quand la Cantina Conti a-t-elle été fondée ?", "1921"),
        ("fr", "Quels millésimes Lena Braun a-t-elle achetés ?", "Barolo Conti 2016; Steil 2019"),
        ("fr", "De quel cépage est fait le Serra ?", "Nebbiolo"),
        ("fr", "Dans quelle région se trouve Weilhof ?", "Mosel"),
        ("fr", "Combien de vignerons y a-t-il ?", "2"),
        ("fr", "Qui a acheté le Steil 2019 ?", "Lena Braun"),
        ("fr", "De quelle année est le Steil 2019 ?", "2019"),
        ("es", "¿Qué vinos hace Anna?", "Barolo Conti; Serra"),
        ("es", "¿Qué vinos elabora Anna?", "Barolo Conti; Serra"),
        ("es", "¿Qué vinos son tintos?", "Barolo Conti; Serra"),
        ("es", "¿Qué añada es la más cara?", "Barolo Conti 2016 (80)"),
        ("es", "¿Cuándo se fundó Weilhof?", "1874"),
        ("es", "¿Qué añadas compró Lena Braun?", "Barolo Conti 2016; Steil 2019"),
        ("es", "¿De qué uva está hecho Serra?", "Nebbiolo"),
        ("es", "¿En qué región está Weilhof?", "Mosel"),
        ("es", "¿Cuántos viticultores hay?", "2"),
        ("es", "¿Quién compró Steil 2019?", "Lena Braun"),
        ("it", "Quanti viticoltori ci sono?", "2"),
        ("nl", "Welke wijnen maakt Anna?", "Barolo Conti; Serra"),
        ("pt", "Que vinhos faz Anna?", "Barolo Conti; Serra"),
    ],
)
def test_questions_of_other_languages_are_answered_as_english_ones(
    wines: Agent, language: str, question: str, answer: str
) -> None:
    assert wines.ask(Question(question, language)).text == answer


@pytest.mark.parametrize(
    ("language", "question"),
    [
        ("de", "Wer hat die Cantina Conti verkauft?"),
        ("de", "Welche Weine trinkt Anna?"),
        ("de", "Welche Hunde hat Anna?"),
        ("fr", "Qui a vendu la Cantina Conti ?"),
        ("fr", "Quels vins Anna boit-elle ?"),
        ("fr", "Quels chiens a Anna ?"),
        ("es", "¿Quién vendió la Cantina Conti?"),
        ("es", "¿Qué vinos bebe Anna?"),
        ("es", "¿Qué perros tiene Anna?"),
    ],
)
def test_what_the_graph_does_not_say_is_declined_in_other_languages(wines: Agent, language: str, question: str) -> None:
    with pytest.raises(AnswerError):
        wines.ask(Question(question, language))
