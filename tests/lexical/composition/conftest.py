"""Graphs small enough to check by eye, and what the best reading of a question finds in them."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from triad.agent import Agent
from triad.language.analysis import analyse
from triad.language.pack import load_pack
from triad.lexical.composition import Readings, find_readings
from triad.lexical.mention_detection import link_mentions
from triad.lexical.weights import load_weights
from triad.questions import Question
from triad.rdf import Literal

EX = "http://example.org/"

SHOPS = """
@prefix : <http://example.org/> .
@prefix g: <http://example.org/facts/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .

:Shop rdfs:label "shop" . :sold rdfs:label "sales" . :opened rdfs:label "opening date" . :price rdfs:label "price" .
g:registry {
  :ulm a :Shop ; rdfs:label "Shop of Ulm" ; :opened "2019-04-01"^^xsd:date .
  :bonn a :Shop ; rdfs:label "Shop of Bonn" ; :opened "2022-05-01"^^xsd:date .
  :kiel a :Shop ; rdfs:label "Shop of Kiel" ; :opened "2018-05-01"^^xsd:date .
}
g:y2022 { :ulm :sold 300 ; :price 9 . :bonn :sold 500 ; :price 8 . }
g:y2023 { :ulm :sold 400 ; :price 7 . :bonn :sold 200 ; :price 8 . :kiel :sold 100 . }
"""

LINES = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .

:Module rdfs:label "module" . :Person rdfs:label "person" .
:needs rdfs:label "needs" . :author rdfs:label "author" .
:core a :Module ; rdfs:label "Core" ; :author :ida .
:draw a :Module ; rdfs:label "Draw" ; :needs :core ; :author :ida .
:chart a :Module ; rdfs:label "Chart" ; :needs :draw ; :author :ray .
:report a :Module ; rdfs:label "Report" ; :needs :chart ; :author :ray .
:ida a :Person ; rdfs:label "Ida Even" . :ray a :Person ; rdfs:label "Ray Odd" .
"""


LESSONS = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .

:Lesson rdfs:label "lesson" . :Trip rdfs:label "trip" .
:starts rdfs:label "starts at" . :opens rdfs:label "opening time" .
:closes rdfs:label "closing time" . :on rdfs:label "date" .
:maths a :Lesson ; rdfs:label "Maths" ; :starts "08:00:00"^^xsd:time .
:music a :Lesson ; rdfs:label "Music" ; :starts "13:15:00"^^xsd:time .
:zoo a :Trip ; rdfs:label "Visit to the zoo" ; :on "2023-10-06"^^xsd:date ; :opens "08:30" ; :closes "17:30" .
:ida rdfs:label "Ida Even" ; :born "1971-05-12"^^xsd:date ; :atSchoolSince "2003-09-01"^^xsd:date .
:ray rdfs:label "Ray Odd" ; :born "1980-01-20"^^xsd:date ; :atSchoolSince "2010-09-01"^^xsd:date .
:ski a :Trip ; rdfs:label "Ski week" ; :on "2024-01-22"^^xsd:date ; :opens "10:00" ; :closes "20:00" .
"""


class Reading:
    """Reads questions about one graph."""

    def __init__(self, agent: Agent) -> None:
        self.agent = agent

    def read(self, question: str, language: str = "en") -> Readings:
        """Return the readings of a question."""
        context = self.agent.begin(Question(question, language)).at("linking")
        assert context.profile is not None
        analysis = analyse(question, load_pack(language))
        weights = load_weights()
        mentions, classes = link_mentions(context, analysis, weights)
        return find_readings(context, context.profile, analysis, mentions, classes, weights.composition)

    def found(self, question: str, language: str = "en") -> set[tuple[str, ...]] | bool:
        """Return what the best reading finds, in short."""
        best = self.read(question, language).ranked[0]
        if best.result.boolean is not None:
            return best.result.boolean
        return {
            tuple(term.value if isinstance(term, Literal) else str(term).removeprefix(EX) for term in row)
            for row in best.result.rows
        }

    def queries(self, question: str) -> list[str]:
        """Return the queries of all readings, the best first."""
        return [one.query for one in self.read(question).ranked]


@pytest.fixture(scope="module")
def open_reading(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str, str], Reading]]:
    """Read questions about a graph that is written in a text, which is opened once."""
    agents: list[Agent] = []

    @functools.cache
    def opened(name: str, text: str) -> Reading:
        file: Path = tmp_path_factory.mktemp("graph") / name
        file.write_text(text, encoding="utf-8")
        agents.append(Agent(file, model="none"))
        return Reading(agents[-1])

    yield opened
    for agent in agents:
        agent.close()


@pytest.fixture(scope="module")
def shops(open_reading: Callable[[str, str], Reading]) -> Reading:
    return open_reading("shops.trig", SHOPS)


@pytest.fixture(scope="module")
def modules(open_reading: Callable[[str, str], Reading]) -> Reading:
    return open_reading("modules.ttl", LINES)


@pytest.fixture(scope="module")
def lessons(open_reading: Callable[[str, str], Reading]) -> Reading:
    return open_reading("lessons.ttl", LESSONS)


def labels(agent: Agent, question: str, language: str) -> list[list[str]]:
    """Return the rows of an answer as the page shows them, in order."""
    rows = agent.ask(Question(text=question, language=language)).rows
    return sorted([value.label if value else "" for value in row] for row in rows)
