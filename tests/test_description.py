from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import triad
from triad.answers import Answer, from_json
from triad.cli.program import app
from triad.description import CLASSES, GraphDescription, NamedGraph, describe
from triad.errors import AnswerError, QueryTimeout
from triad.kg.base import KnowledgeGraph, SafeQuery
from triad.kg.local import LocalGraph
from triad.kg.schema import Schema
from triad.questions import Question
from triad.rdf import XSD, Literal, ResultSet, Value
from triad.suggestions import Suggestions

pytestmark = pytest.mark.slow(0.6)

EX = "http://x.org/"
BOOKS = f"""
@prefix : <{EX}> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:Novel rdfs:subClassOf :Book ; rdfs:label "novel"@en , "Roman"@de . :Book rdfs:label "book"@en , "Buch"@de .
:author rdfs:label "author"@en . :pages rdfs:label "number of pages"@en . :writtenIn rdfs:label "written in"@en .
:weight rdfs:label "weight (kg)"@en . :Sale rdfs:label "sale"@en .
:momo a :Novel ; rdfs:label "Momo"@de ; :author :ende ; :pages 304 ; :published "1973-02-01"^^xsd:date ;
    :writtenIn :rome .
:jim a :Novel ; rdfs:label "Jim Button"@en ; :author :ende ; :pages 260 ; :published "1960-08-09"^^xsd:date .
:atlas a :Book ; rdfs:label "Great Atlas"@en ; :pages 51200 ; :weight 2.5 ; :author :dahl .
:ende a :Writer ; rdfs:label "Michael Ende" . :dahl a :Writer ; rdfs:label "Roald Dahl" . :rome rdfs:label "Rome" .
:s1 a :Sale ; :book :momo ; :copies 7 . :s2 a :Sale ; :book :jim ; :copies 9 .
"""


@pytest.fixture(scope="module")
def books(kept_file: Callable[[str, str], Path]) -> Path:
    return kept_file("books.ttl", BOOKS)


@pytest.fixture(scope="module")
def described(books: Path) -> GraphDescription:
    with triad.Agent(books) as agent:
        return agent.describe()


def test_a_description_has_classes_and_what_their_instances_have(described: GraphDescription) -> None:
    assert (described.triples, described.things, described.short, described.more_classes) == (37, 8, False, 0)
    assert [(one.label, one.instances, one.statement) for one in described.classes] == [
        ("book", 3, False),
        ("novel", 2, False),
        ("sale", 2, True),
        ("Writer", 2, False),
    ]
    book, novel, _, writer = described.classes
    assert novel.above == ("book",)
    pages = next(one for one in book.relations if one.iri == EX + "pages")
    assert (pages.label, pages.share, pages.kind) == ("number of pages", 1.0, "numbers")
    assert (pages.least, pages.greatest, set(pages.samples)) == ("260", "51,200", {"260", "304", "51,200"})
    author = next(one for one in book.relations if one.iri == EX + "author")
    assert (author.kind, author.classes, author.samples) == ("entities", ("Writer",), ("Michael Ende", "Roald Dahl"))
    published = next(one for one in novel.relations if one.iri == EX + "published")
    assert (published.kind, published.least) == ("dates", "August 9, 1960")
    weight = next(one for one in book.relations if one.iri == EX + "weight")
    assert (weight.share, weight.units, weight.samples) == (0.3333, ("kg",), ("2.5 kg",))
    assert [(one.label, one.direction) for one in writer.relations] == [("author", "in")]
    assert described.languages == {"en": 9, "": 3, "de": 3}
    assert described.prefixes[""] == EX


def test_its_questions_are_answered_right_and_with_confidence(books: Path, described: GraphDescription) -> None:
    assert 4 <= len(described.questions) <= 10
    with triad.Agent(books) as agent:
        for sure in described.questions:
            answer = agent.ask(sure.question)
            assert (answer.text, answer.confidence) == (sure.answer, sure.confidence)
            assert answer.confidence >= 0.8
    asked = {sure.question: sure.answer for sure in described.questions}
    assert asked["How many novels are there?"] == "2"
    assert not any("written in" in question for question in asked)


def test_names_are_in_the_language_and_so_are_questions(books: Path) -> None:
    with triad.Agent(books, language="de") as agent:
        described = agent.describe()
    assert [one.label for one in described.classes[:2]] == ["Buch", "Roman"]
    assert all("Wie viele" in one.question or "von" in one.question for one in described.questions[:2])


def test_a_description_of_named_graphs_tells_what_is_in_them(tmp_path: Path) -> None:
    file = tmp_path / "books.trig"
    file.write_text("@prefix : <http://x.org/> . :old { :momo a :Novel ; :pages 304 . } :new { :momo :sold 7 . }")
    with triad.Agent(file) as agent:
        described = agent.describe(questions=0)
    assert described.graphs == (NamedGraph(EX + "old", 2, ("pages",)), NamedGraph(EX + "new", 1, ("sold",)))
    assert described.questions == ()


# Without a profile ------------------------------------------------------------------------------------------


class Bare(KnowledgeGraph):
    """A graph as an endpoint is: only its answers are known. Queries with some words take too long."""

    def __init__(self, graph: KnowledgeGraph, *slow: str) -> None:
        self.name, self.timeout, self.row_limit = "bare", graph.timeout, graph.row_limit
        self._graph = graph
        self._slow = slow

    def select(self, query: SafeQuery, *, timeout: float | None = None) -> ResultSet:
        return self._graph.select(query, timeout=timeout)

    def lookup(self, query: str) -> ResultSet:
        if any(word in query for word in self._slow):
            raise QueryTimeout("it takes too long")
        return self._graph.lookup(query)


def test_a_graph_without_a_profile_is_described_in_short(books: Path) -> None:
    with triad.Agent(Bare(LocalGraph.load(books))) as agent:
        assert agent.profile is None
        described = agent.describe(questions=2)
    assert described.short
    assert described.triples == 37
    assert {one.label: one.instances for one in described.classes} == {"novel": 2, "sale": 2, "Writer": 2, "book": 1}
    novel = next(one for one in described.classes if one.label == "novel")
    pages = next(one for one in novel.relations if one.iri == EX + "pages")
    assert (pages.label, pages.share, pages.kind, pages.direction) == ("number of pages", 1.0, "numbers", "out")
    assert len(described.questions) == 2


def test_what_a_slow_graph_does_not_tell_is_said(books: Path) -> None:
    graph = Bare(LocalGraph.load(books), "(COUNT(*) AS ?n) { ?s ?p ?o }", "(COUNT(*) AS ?n) { ?s <")
    found = describe(graph, Schema(graph), None, _never(graph), questions=0)
    assert found.triples is None
    assert len(found.classes) == 4
    assert found.partial == (
        "It is not known how many triples there are.",
        "The instances of classes are those in a sample of 10,000.",
    )
    hidden = Bare(LocalGraph.load(books), "COUNT(DISTINCT ?x)")
    found = describe(hidden, Schema(hidden), None, _never(hidden), questions=0)
    assert [text[:35] for text in found.partial] == ["It is not known what all instances "] * 4
    mute = Bare(LocalGraph.load(books), "GROUP BY ?c")
    found = describe(mute, Schema(mute), None, _never(mute), questions=0)
    assert found.partial == ("It is not known which classes there are.",)


def _never(graph: KnowledgeGraph) -> Suggestions:
    def ask(question: Question) -> Answer:
        raise AssertionError(question.text)

    return Suggestions(Schema(graph), None, ask, "en")


def test_a_small_graph_whose_profile_is_kept_nowhere_is_counted(books: Path) -> None:
    triad.Agent(books).close()
    with triad.Agent(LocalGraph.load(books)) as agent:
        assert agent.profile is not None
        assert agent.profile.triples == 37
        assert not agent.describe(questions=0).short


# Questions --------------------------------------------------------------------------------------------------


def test_an_answer_that_is_wrong_or_unsure_makes_no_question(books: Path) -> None:
    graph = LocalGraph.load(books)
    with triad.Agent(graph) as agent:
        schema, profile = agent.schema, agent.profile

        def wrong(question: Question) -> Answer:
            value = Value(Literal("12", XSD + "integer"), "12")
            return Answer(question, variables=("n",), rows=((value,),), confidence=0.99)

        def unsure(question: Question) -> Answer:
            value = Value(Literal("3", XSD + "integer"), "3")
            return Answer(question, variables=("n",), rows=((value,),), confidence=0.79)

        def none(question: Question) -> Answer:
            raise AnswerError("no answer was reached")

        for ask in (wrong, unsure, none):
            assert describe(graph, schema, profile, Suggestions(schema, profile, ask, "en")).questions == ()


def test_no_more_questions_are_tried_when_time_is_over(books: Path) -> None:
    with triad.Agent(books) as agent:
        assert agent.describe(seconds=0).questions == ()


def test_many_classes_are_counted_and_not_described(tmp_path: Path) -> None:
    file = tmp_path / "many.ttl"
    file.write_text("\n".join(f"<http://x.org/{at}> a <http://x.org/C{at}> ." for at in range(CLASSES + 3)))
    with triad.Agent(file) as agent:
        described = agent.describe(questions=0)
    assert (len(described.classes), described.more_classes) == (CLASSES, 3)


# On the command line ----------------------------------------------------------------------------------------


def run(*arguments: Any) -> Any:
    return CliRunner().invoke(app, ["describe", *map(str, arguments)])


def test_the_command_shows_tables(books: Path) -> None:
    result = run(books)
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert lines[0] == f"{books}: 37 triples, 8 things"
    assert "book  3  :Book" in lines
    assert "number of pages\t100%\tnumbers\t260\t51,200\t260; 304; 51,200" in lines
    assert "← author\t100%\tbook, novel\t\t\t" in lines or "← author\t100%\tnovel, book\t\t\t" in lines
    assert "you may ask\tanswer" in lines


def test_the_command_gives_json_that_can_be_read(books: Path) -> None:
    result = run(books, "--json", "--questions", 1)
    described = from_json(GraphDescription, result.stdout)
    assert len(described.questions) == 1
    assert json.loads(result.stdout)["classes"][0]["label"] == "book"


def test_a_config_is_described_too(books: Path, tmp_path: Path) -> None:
    config = tmp_path / "mine.yaml"
    config.write_text(f"graph: {books}\n")
    assert run(config, "--questions", 0).stdout.splitlines()[0].endswith("books.ttl: 37 triples, 8 things")
    assert run(books, "--graph", books).exit_code == 1


def test_numbers_that_are_none_are_described_as_texts(tmp_path: Path) -> None:
    rows = (
        f"e:r{at} a e:River ; rdfs:label 'River {at}' ; e:length '{length}'^^xsd:integer ."
        for at, length in enumerate("1?37")
    )
    (tmp_path / "graph.ttl").write_text(
        "@prefix e: <http://e/> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> . @prefix rdfs: "
        "<http://www.w3.org/2000/01/rdf-schema#> . e:River rdfs:label 'river' . e:length rdfs:label 'length' .\n"
        + "\n".join(rows),
        encoding="utf-8",
    )
    with triad.Agent(tmp_path / "graph.ttl", model="none") as agent:
        described = agent.describe(questions=6)
    assert any("length" in sure.question for sure in described.questions)
