from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from triad.errors import GraphError
from triad.kg.labels import LabelFinder, Labels
from triad.kg.languages import LabelLanguages, language_name
from triad.kg.local import LocalGraph
from triad.kg.profile import ClassProfile, GraphProfile
from triad.language.detection import detection
from triad.rdf import RDF_LANG_STRING, Literal

PLACES = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:capital rdfs:label "capital"@en , "Hauptstadt"@de , "capitale"@fr .
:river rdfs:label "river"@en , "Fluss"@de .
:Rome rdfs:label "Rome"@en , "Rom"@de , "Rome"@fr .
:Berlin rdfs:label "Berlin"@en , "Berlin"@de .
"""
TAGS = {"en": 4, "de": 4, "fr": 2}


@pytest.fixture
def graph(kept_file: Callable[[str, str], Path]) -> LocalGraph:
    return LocalGraph.load(kept_file("places.ttl", PLACES))


def labels_of(graph: LocalGraph, **known: object) -> LabelLanguages:
    profile = GraphProfile(languages=TAGS, **known) if known else None  # type: ignore[arg-type]
    return LabelLanguages(graph, LabelFinder(graph, Labels()), profile)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Hauptstadt Italiens?", "de"),
        ("hauptstadt Rom", "de"),
        ("capital Rome?", "en"),
        ("capitale Rome?", "fr"),
        ("Rome?", "en"),
        ("Berlin?", "en"),
        ("Xyzzy?", "en"),
    ],
)
def test_labels_resolve_the_doubt_about_a_short_question(graph: LocalGraph, text: str, language: str) -> None:
    with graph:
        assert labels_of(graph).resolved(text, detection(text)) == language


def test_the_words_of_classes_are_known_in_any_inflection(graph: LocalGraph) -> None:
    classes = (ClassProfile("http://example.org/River", (Literal("Fluss", RDF_LANG_STRING, "de"),)),)
    with graph:
        assert labels_of(graph, classes=classes).resolved("Flüsse Berlin", detection("Flüsse Berlin")) == "de"
        assert labels_of(graph).resolved("Flüsse Berlin", detection("Flüsse Berlin")) == "en"


def test_a_question_without_doubt_is_not_looked_up(graph: LocalGraph) -> None:
    graph.close()
    labels = labels_of(graph)
    found = detection("Wie viele Einwohner hat die Stadt Berlin?")
    assert labels.resolved("Wie viele Einwohner hat die Stadt Berlin?", found) == "de"


def test_a_graph_that_fails_leaves_the_doubt(graph: LocalGraph) -> None:
    graph.close()
    with pytest.raises(GraphError):
        graph.lookup("ASK {}")
    assert labels_of(graph).resolved("Hauptstadt Rom", detection("Hauptstadt Rom")) == "en"


def test_languages_that_the_graph_has_no_names_in_are_noted(graph: LocalGraph) -> None:
    with graph:
        labels = labels_of(graph, classes=())
        assert labels.note("es", ["es", "en"]) == "the graph has no Spanish names; English ones are shown"
        assert labels.note("de-AT", ["de-AT", "en"]) is None
        french = LabelLanguages(graph, LabelFinder(graph), GraphProfile(languages={"fr": 3, "it": 9}))
        assert french.note("de", ["de", "en"]) == "the graph has no German names; Italian ones are shown"


@pytest.mark.parametrize("tags", [{}, {"": 9}, {"": 9, "en": 3}])
def test_nothing_is_noted_where_most_names_do_not_say_their_language(graph: LocalGraph, tags: dict[str, int]) -> None:
    with graph:
        assert LabelLanguages(graph, LabelFinder(graph), GraphProfile(languages=tags)).note("de", ["de"]) is None


def test_languages_have_names() -> None:
    assert [language_name(tag) for tag in ("de", "pt-BR", "xx")] == ["German", "Portuguese", "xx"]
