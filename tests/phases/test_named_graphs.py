"""Named graphs: how the vocabulary and templates speak of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.phases.films import Script
from triad.agent import Agent
from triad.errors import AnswerError
from triad.models import ScriptedModel
from triad.phases.grounding import vocabulary
from triad.phases.homonyms import find_sources
from triad.questions import Question

PLANTS = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:Plant rdfs:label "power plant" . :output rdfs:label "output (GWh)" . :fuel rdfs:label "fuel" .
:static { :a a :Plant ; rdfs:label "Millbrook" ; :fuel "gas" . :b a :Plant ; rdfs:label "Gale Point" ; :fuel "wind" }
:y2022 { :a :output 200 . :b :output 100 }
:y2023 { :a :output 150 . :b :output 300 }
"""
EX = "http://example.org/"
RULE = (
    "Facts stand in named graphs (write GRAPH <name> { … } around the facts of one, and only around those; "
    "classes stand outside): "
)
MOST = "Which plant had the most output in 2022?"

Make = Callable[..., Agent]


@pytest.fixture
def make(kept_file: Callable[[str, str], Path]) -> Iterator[Make]:
    opened: list[Agent] = []

    def make(text: str = PLANTS, script: Script | None = None) -> Agent:
        model = ScriptedModel(script) if script else "none"
        opened.append(Agent(kept_file("plants.trig", text), model=model, route="phases"))
        return opened[-1]

    yield make
    for agent in opened:
        agent.close()


def sources(agent: Agent) -> dict[str, str]:
    return {name: iri.removeprefix(EX) for name, iri in find_sources(agent.begin(Question("?", "en"))).items()}


def lines(agent: Agent, question: str) -> list[str]:
    return vocabulary(agent.begin(Question(question, "en")), 900)


def asked(make: Make, template: str) -> list[str]:
    agent = make(script=Script(parsing=template))
    return [row[0].value.removeprefix(EX) for row in agent.ask(MOST, min_confidence=0).result.rows if row[0]]


@pytest.mark.slow
def test_a_named_graph_is_called_by_its_year_its_label_or_the_end_of_its_iri(make: Make) -> None:
    labelled = PLANTS.replace(":static {", ":static rdfs:label 'basics' . :static {")
    assert sources(make()) == {"static": "static", "2022": "y2022", "2023": "y2023"}
    assert set(sources(make(labelled))) == {"basics", "2022", "2023"}


@pytest.mark.slow(0.4)
def test_the_vocabulary_tells_what_stands_in_which_named_graph(make: Make) -> None:
    assert lines(make(), MOST)[0] == f"{RULE}<static> with fuel; <2022>, <2023> with output (GWh)"


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        PLANTS.replace(":y2022 {", "{").replace(":y2023 {", "{").replace(":static {", "{"),
        PLANTS.replace(":y2023", ":static").replace(":y2022", ":static"),
        PLANTS + "\n".join(f":part{number} {{ :a :fuel {number} }}" for number in range(20)),
    ],
    ids=["none", "one", "many"],
)
def test_where_named_graphs_are_no_parts_that_people_name_there_is_no_line(make: Make, text: str) -> None:
    agent = make(text)
    assert sources(agent) == {}
    assert not any("GRAPH" in line for line in lines(agent, MOST))


@pytest.mark.slow(0.6)
def test_without_a_profile_no_named_graph_is_known(make: Make) -> None:
    assert find_sources(replace(make().begin(Question(MOST, "en")), profile=None)) == {}


@pytest.mark.slow(0.2)
@pytest.mark.parametrize("name", ["2022", "y2022", "Y2022"])
def test_a_template_asks_a_named_graph_by_its_name(make: Make, name: str) -> None:
    template = (
        f"SELECT ?p {{ ?p a <power_plant> . GRAPH <{name}> {{ ?p <output_(GWh)> ?o }} }} ORDER BY DESC(?o) LIMIT 1"
    )
    assert asked(make, template) == ["a"]


@pytest.mark.slow(0.1)
def test_named_graphs_may_be_values_of_a_variable(make: Make) -> None:
    template = (
        "SELECT ?g { VALUES ?g { <2022> <2023> } GRAPH ?g { ?p <output_(GWh)> ?o } } "
        "GROUP BY ?g ORDER BY DESC(SUM(?o)) LIMIT 1"
    )
    assert asked(make, template) == ["y2023"]


@pytest.mark.slow(0.1)
def test_a_named_graph_that_there_is_not_is_told_with_those_that_there_are(make: Make) -> None:
    script = Script(
        parsing="SELECT ?p { GRAPH <2021> { ?p <output_(GWh)> ?o } }", answering={"known": False, "answer": ""}
    )
    with pytest.raises(AnswerError, match=r"No named graph is called '2021'\. There are: static, 2022, 2023"):
        make(script=script).ask(MOST, min_confidence=0)
