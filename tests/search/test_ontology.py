from __future__ import annotations

from pathlib import Path

import pytest

from tests.doubles import Counting
from triad.kg.local import LocalGraph
from triad.kg.profile import ClassProfile, GraphProfile, RelationProfile
from triad.kg.profiled import kind_of
from triad.kg.schema import Schema
from triad.language.glossary import Glossary
from triad.language.pack import load_pack
from triad.search.base import Entry, Lookup
from triad.search.local import LocalIndex
from triad.search.wrapped import KnownFirst, term_lookup

pytestmark = pytest.mark.slow(0.1)

EX = "http://example.org/"
SHOP = """
@prefix : <http://example.org/> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:Acme a :Party ; rdfs:label "Acme" ; :revenue 100 ; :seat :Bonn . :Bonn a :City , :Capital .
:Order a owl:Class . :discount a owl:DatatypeProperty .
"""


@pytest.fixture
def graph(tmp_path: Path, cache_folder: Path) -> LocalGraph:
    file = tmp_path / "shop.ttl"
    file.write_text(SHOP, encoding="utf-8")
    return LocalGraph.load(file)


def test_what_a_term_is_is_looked_up(graph: LocalGraph) -> None:
    names = ("Party", "revenue", "Bonn", "Order", "discount", "Nothing", "bad iri>")
    with graph:
        kinds = [kind_of(graph, EX + name) for name in names]
    assert kinds == ["class", "relation", "entity", "class", "relation", None, None]


def test_what_the_profile_knows_is_not_looked_up(graph: LocalGraph) -> None:
    graph.close()
    profile = GraphProfile(
        classes=(ClassProfile(EX + "Party"),), relations=(RelationProfile(EX + "revenue", triples=3),)
    )
    assert [kind_of(graph, EX + name, profile) for name in ("Party", "revenue")] == ["class", "relation"]


def test_a_term_is_looked_up_once(graph: LocalGraph) -> None:
    counting = Counting(graph)
    with graph:
        terms = term_lookup(Schema(counting))
        bonn, asked = terms(EX + "Bonn"), len(counting.asked)
        assert bonn is not None
        assert (bonn.kind, bonn.label, bonn.types) == ("entity", "Bonn", (EX + "Capital", EX + "City"))
        assert terms(EX + "Bonn") is bonn
        assert terms(EX + "Nothing") is None
        assert len(counting.asked) > asked > 0


def test_the_words_of_a_glossary_come_before_the_names_of_the_index(graph: LocalGraph) -> None:
    inner = LocalIndex()
    inner.add([Entry(EX + "Customer", "class", "customer"), Entry(EX + "Ann", "entity", "Ann")])
    glossary = Glossary({"customer": [EX + "Party", EX + "Nothing"], "turnover": [EX + "revenue"]})
    with graph:
        terms = term_lookup(Schema(graph))
        index = KnownFirst(inner, lambda text: filter(None, map(terms, glossary.meaning(text, load_pack("en")))))
        lookups = [
            Lookup("customers"), Lookup("Ann"), Lookup("the turnover", ("relation",)), Lookup("turnover", ("class",)),
            Lookup("customer", ("class",), 1, exact=True),
        ]  # fmt: skip
        found = [[candidate.iri.removeprefix(EX) for candidate in each] for each in index.search_many(lookups)]
    assert found == [["Party"], ["Ann"], ["revenue"], [], ["Party"]]
    assert (index.name, index.labels) == (inner.name, inner.labels)
