"""Words of a question, and what of a graph they may name."""

from pathlib import Path

import pytest

import triad
from triad.language.analysis import analyse
from triad.language.pack import load_pack
from triad.lexical.composition.names import Names
from triad.lexical.composition.schema_graph import SchemaGraph
from triad.lexical.composition.spans import find_spans

GRAPH = """
@prefix : <http://shop.example/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:c1 a :Customer ; rdfs:label "Ada Bell" ; :deliveryAddress "Main Street 1" ; :subscription :s1 .
:c2 a :Customer ; rdfs:label "Carl Dorn" ; :deliveryAddress "Main Street 2" .
:i1 a :Invoice ; rdfs:label "I-1" ; :recipient :c1 ; :totalAmount 20 .
:s1 a :Subscription ; rdfs:label "Monthly box" .
"""


@pytest.fixture(scope="module")
def schema(tmp_path_factory: pytest.TempPathFactory) -> SchemaGraph:
    path: Path = tmp_path_factory.mktemp("shop") / "graph.ttl"
    path.write_text(GRAPH, encoding="utf-8")
    with triad.Agent(graph=path, model="none") as agent:
        assert agent.profile is not None
        return SchemaGraph(agent.profile)


@pytest.mark.parametrize(
    ("language", "text", "words", "term"),
    [
        ("de", "Welche Kunden gibt es?", "Kunden", "Customer"),
        ("de", "Wie ist die Lieferadresse von Ada Bell?", "Lieferadresse", "deliveryAddress"),
        ("fr", "Quelles factures y a-t-il ?", "factures", "Invoice"),
        ("es", "¿Qué clientes tienen una suscripción?", "suscripción", "Subscription"),
        ("it", "Qual è l'importo totale?", "importo totale", "totalAmount"),
        ("nl", "Welke klanten zijn er?", "klanten", "Customer"),
        ("pt", "Quantas faturas existem?", "faturas", "Invoice"),
    ],
)
def test_words_of_a_language_name_terms_that_have_english_names_only(
    schema: SchemaGraph, language: str, text: str, words: str, term: str
) -> None:
    analysis = analyse(text, load_pack(language))
    spans = find_spans(analysis, Names(schema, [load_pack(language), load_pack("en")]), [], [])
    said = {(" ".join(analysis.words[at].text for at in span.positions), span.iri.rpartition("/")[2]) for span in spans}
    assert (words, term) in said
