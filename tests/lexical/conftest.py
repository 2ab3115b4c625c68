"""A graph small enough to check by eye, and a solver that answers from it."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.lexical.looking import ODD, Look
from triad.agent import Agent
from triad.answers import Answer

EX = "http://example.org/"

TURTLE = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .

:Film rdfs:label "film"@en, "Film"@de .
:Person rdfs:label "person"@en .
:City rdfs:label "city"@en .
:Country rdfs:label "country"@en .
:River rdfs:label "river"@en .
:director rdfs:label "director"@en .
:released rdfs:label "release date"@en .
:author rdfs:label "author"@en .
:birthPlace rdfs:label "birth place"@en .
:birthDate rdfs:label "birth date"@en .
:spouse rdfs:label "spouse"@en .
:population rdfs:label "population"@en .
:length rdfs:label "length (km)"@en .
:capital rdfs:label "capital"@en .
:country rdfs:label "country"@en .

:Shining a :Film ; rdfs:label "The Shining (film)"@en ; :director :Kubrick ; :released "1980-05-23"^^xsd:date .
:Odyssey a :Film ; rdfs:label "2001: A Space Odyssey"@en ; :director :Kubrick ; :released "1968-04-02"^^xsd:date .
:Dune a :Film ; rdfs:label "Dune"@en ; :director :Lynch ; :released "1984-12-03"^^xsd:date .
:Novel rdfs:label "The Shining (novel)"@en ; :author :King .

:Kubrick a :Person ; rdfs:label "Stanley Kubrick"@en ; :birthPlace :NewYork ; :birthDate "1928-07-26"^^xsd:date .
:Lynch a :Person ; rdfs:label "David Lynch"@en ; :birthPlace :Missoula ; :birthDate "1946-01-20"^^xsd:date .
:King a :Person ; rdfs:label "Stephen King"@en ; :spouse :Tabitha ; :birthPlace :Portland .
:Tabitha a :Person ; rdfs:label "Tabitha King"@en .

:NewYork a :City ; rdfs:label "New York City"@en ; :population 8804190 ; :country :USA .
:Missoula a :City ; rdfs:label "Missoula"@en ; :population 73489 ; :country :USA .
:Portland a :City ; rdfs:label "Portland"@en ; :population 68408 ; :country :USA .
:Bern a :City ; rdfs:label "Bern"@en ; :population 134591 ; :country :Switzerland .
:USA a :Country ; rdfs:label "United States"@en ; :capital :Washington .
:Switzerland a :Country ; rdfs:label "Switzerland"@en, "Schweiz"@de ; :capital :Bern .
:Washington a :City ; rdfs:label "Washington"@en ; :population 689545 ; :country :USA .

:Rhine a :River ; rdfs:label "Rhine"@en ; :length 1230 ; :country :Switzerland .
:Aare a :River ; rdfs:label "Aare"@en ; :length 295 ; :country :Switzerland .
:Hudson a :River ; rdfs:label "Hudson River"@en ; :length 507 ; :country :USA .
"""


Open = Callable[[str], Agent]


@pytest.fixture(scope="session")
def open_text(kept_file: Callable[[str, str], Path]) -> Iterator[Open]:
    """Open an agent without a model over a graph that is written in Turtle, one for each text."""
    opened: list[Agent] = []

    @functools.cache
    def open_(text: str) -> Agent:
        opened.append(Agent(kept_file("graph.ttl", text), model="none"))
        return opened[-1]

    yield open_
    for agent in opened:
        agent.close()


@pytest.fixture(scope="session")
def agent(open_text: Open) -> Agent:
    """An agent without a model over the small graph."""
    return open_text(TURTLE)


@pytest.fixture(scope="session")
def odd(open_text: Open) -> Agent:
    """An agent without a model over a graph of things that are hard to write."""
    return open_text(ODD)


@pytest.fixture
def ask(agent: Agent) -> Callable[[str], Answer]:
    """Ask the agent a question."""
    return agent.ask


@pytest.fixture
def look(agent: Agent) -> Callable[..., Look]:
    """Follow a question about the small graph through the parts of the solver."""
    return lambda text, language="en": Look(agent, text, language)


@pytest.fixture
def look_odd(odd: Agent) -> Callable[..., Look]:
    """Follow a question about the odd graph through the parts of the solver."""
    return lambda text, language="en": Look(odd, text, language)
