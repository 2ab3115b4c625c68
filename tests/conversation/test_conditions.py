"""Conditions on the things of an answer, by names, numbers, dates, classes, values and words of a glossary."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.phases.films import EX
from triad.agent import Agent
from triad.conversation import Conversation
from triad.conversation.conditions import relations_of
from triad.questions import Question
from triad.rdf import XSD, Literal

SHOP = """
@prefix ex: <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
ex:Party rdfs:label "party" . ex:Town rdfs:label "town" .
ex:revenue rdfs:label "revenue" . ex:debt rdfs:label "debt" . ex:seat rdfs:label "seat" . ex:since rdfs:label "since" .
ex:Acme a ex:Party ; rdfs:label "Acme" ; ex:revenue 100 ; ex:debt 70 ; ex:seat ex:Bonn .
ex:Bolt a ex:Party ; rdfs:label "Bolt" ; ex:revenue 300 ; ex:debt 50 ; ex:seat ex:Bonn .
ex:Coil a ex:Party ; rdfs:label "Coil" ; ex:revenue 200 ; ex:debt 190 ; ex:seat ex:Kiel .
ex:Bonn a ex:Town ; rdfs:label "Bonn" . ex:Kiel a ex:Town ; rdfs:label "Kiel" .
ex:Port rdfs:subClassOf ex:Town ; rdfs:label "harbour town" . ex:Kiel a ex:Port .
"""
WORDS = {"debtor": {"of": "party", "where": "debt > 60"}, "margin": {"formula": "revenue - debt"}}


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Agent]:
    path = tmp_path_factory.mktemp("shop") / "shop.ttl"
    path.write_text(SHOP, encoding="utf-8")
    with Agent(path, model="none", words=WORDS, graph_options={"prefixes": {"ex": EX}}) as agent:
        yield agent


def labels(agent: Agent, *texts: str) -> list[list[str]]:
    conversation = Conversation(agent, language="en")
    turn = [conversation.ask(text) for text in texts][-1]
    assert turn.answer is not None, turn.reply
    return [[value.label for value in row if value] for row in turn.answer.rows]


def test_the_relations_of_things_are_theirs_and_the_formulas_of_their_class(shop: Agent) -> None:
    context = shop.begin(Question("?"))
    hops = {hop.label: hop for hop in relations_of(context, [EX + "Acme", EX + "Bolt"])}
    assert set(hops) == {"label", "revenue", "debt", "seat", "margin"}
    margin = hops["margin"]
    assert (margin.direction, margin.count, margin.sample) == ("out", 1, Literal("1", XSD + "decimal"))
    assert [hop.label for hop in relations_of(context, [EX + "Bonn"])] == ["label"]
    assert relations_of(context, []) == []


@pytest.mark.slow(0.1)
def test_a_class_is_called_without_the_noun_of_the_list(shop: Agent) -> None:
    assert labels(shop, "Which towns are there?", "only the harbour ones") == [["Kiel"]]


@pytest.mark.slow(0.2)
def test_rows_are_sorted_by_the_number_that_each_has(shop: Agent) -> None:
    wanted = [["Kiel", "1"], ["Bonn", "2"]]
    assert (
        labels(shop, "How many parties does each town have?", "order them by the count of parties, ascending") == wanted
    )


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("only the debtors", [["Acme"], ["Coil"]]),
        ("not the debtors", [["Bolt"]]),
        ("only those with a margin of more than 20", [["Acme"], ["Bolt"]]),
        ("only those with a debt of less than 60", [["Bolt"]]),
        ("sort by margin", [["Acme", "30"], ["Bolt", "250"], ["Coil", "10"]]),
        ("with their margin", [["Acme", "30"], ["Bolt", "250"], ["Coil", "10"]]),
        ("only those in Bonn", [["Acme"], ["Bolt"]]),
        ("except those in Bonn", [["Coil"]]),
    ],
)
def test_words_of_a_glossary_are_conditions_and_columns_as_the_graphs_own_are(
    shop: Agent, text: str, wanted: list[list[str]]
) -> None:
    assert sorted(labels(shop, "Which parties are there?", text)) == wanted
