"""A graph small enough to check by eye, an index of its names, and a model that replies by subtask."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from triad.agent import Agent
from triad.errors import ModelError
from triad.kg.base import KnowledgeGraph
from triad.kg.guard import Policy
from triad.kg.local import LocalGraph
from triad.kg.schema import Schema
from triad.models import ScriptedModel
from triad.phases.attempts import BuiltQuery
from triad.phases.construction import construct
from triad.phases.context import Context, Recorder
from triad.phases.linking import LinkOption, Links, link
from triad.queries.template import Template
from triad.questions import Question
from triad.roles import ROLES, Roles, load_roles
from triad.search.base import Entry, LabelIndex
from triad.search.local import LocalIndex
from triad.trace import Message, Step

EX = "http://example.org/"

TURTLE = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .

:Film rdfs:label "film"@en .
:Short rdfs:label "short film"@en ; rdfs:subClassOf :Film .
:Novel rdfs:label "novel"@en .
:Person rdfs:label "person"@en .
:City rdfs:label "city"@en .
:Country rdfs:label "country"@en .

:director rdfs:label "director"@en .
:released rdfs:label "release date"@en .
:genre rdfs:label "genre"@en .
:basedOn rdfs:label "based on"@en .
:author rdfs:label "author"@en .
:birthPlace rdfs:label "birth place"@en .
:deathPlace rdfs:label "death place"@en .
:state rdfs:label "state"@en .
:population rdfs:label "population"@en ; rdfs:comment "number of inhabitants"@en .

:Shining a :Film ; rdfs:label "The Shining"@en ; :director :Kubrick ; :released "1980-05-23"^^xsd:date ;
  :genre "horror"@en ; :basedOn :ShiningNovel .
:Odyssey a :Film ; rdfs:label "2001: A Space Odyssey"@en ; :director :Kubrick ; :released "1968-04-02"^^xsd:date ;
  :genre "science fiction" .
:DuneFilm a :Film ; rdfs:label "Dune"@en ; :director :Lynch ; :released "1984-12-03"^^xsd:date ;
  :genre "science fiction" ; :basedOn :DuneNovel .
:Alphabet a :Short ; rdfs:label "The Alphabet"@en ; :director :Lynch ; :released "1969-01-01"^^xsd:date .
:DuneNovel a :Novel ; rdfs:label "Dune"@en ; :author :Herbert ; :released "1965-08-01"^^xsd:date .
:ShiningNovel a :Novel ; rdfs:label "The Shining (novel)"@en ; :author :King ; :released "1977-01-28"^^xsd:date .

:Kubrick a :Person ; rdfs:label "Stanley Kubrick"@en ; :birthPlace :NewYork ; :deathPlace :Childwickbury .
:Lynch a :Person ; rdfs:label "David Lynch"@en ; :birthPlace :Missoula .
:Herbert a :Person ; rdfs:label "Frank Herbert"@en ; :birthPlace :Tacoma .
:King a :Person ; rdfs:label "Stephen King"@en .

:NewYork a :City ; rdfs:label "New York"@en ; :state :USA ; :population 8804190 .
:Missoula a :City ; rdfs:label "Missoula"@en ; :state :USA ; :population 73489 .
:Tacoma a :City ; rdfs:label "Tacoma"@en ; :state :USA ; :population 219346 .
:Childwickbury a :City ; rdfs:label "Childwickbury"@en ; :state :England .
:USA a :Country ; rdfs:label "United States"@en .
:England a :Country ; rdfs:label "England"@en .
"""


def entry(name: str, kind: Any, label: str, types: Sequence[str] = (), **more: Any) -> Entry:
    return Entry(EX + name, kind, label, types=tuple(EX + type_ for type_ in types), **more)


ENTRIES = [
    entry("Film", "class", "film"),
    entry("Short", "class", "short film"),
    entry("Novel", "class", "novel"),
    entry("Person", "class", "person"),
    entry("City", "class", "city"),
    entry("Country", "class", "country"),
    *(
        entry(name, "relation", label)
        for name, label in {
            "director": "director",
            "released": "release date",
            "genre": "genre",
            "basedOn": "based on",
            "author": "author",
            "birthPlace": "birth place",
            "deathPlace": "death place",
            "state": "state",
            "population": "population",
        }.items()
    ),
    entry("Shining", "entity", "The Shining", ["Film"], description="1980 film"),
    entry("Odyssey", "entity", "2001: A Space Odyssey", ["Film"]),
    entry("DuneFilm", "entity", "Dune", ["Film"], description="1984 film by David Lynch", popularity=9),
    entry("DuneNovel", "entity", "Dune", ["Novel"], description="1965 novel by Frank Herbert", popularity=5),
    entry("Alphabet", "entity", "The Alphabet", ["Short"]),
    entry("ShiningNovel", "entity", "The Shining (novel)", ["Novel"]),
    entry("Kubrick", "entity", "Stanley Kubrick", ["Person"]),
    entry("Lynch", "entity", "David Lynch", ["Person"]),
    entry("Herbert", "entity", "Frank Herbert", ["Person"]),
    entry("King", "entity", "Stephen King", ["Person"]),
    entry("NewYork", "entity", "New York", ["City"]),
    entry("Missoula", "entity", "Missoula", ["City"]),
    entry("Tacoma", "entity", "Tacoma", ["City"]),
    entry("Childwickbury", "entity", "Childwickbury", ["City"]),
    entry("USA", "entity", "United States", ["Country"], aliases=("USA",)),
    entry("England", "entity", "England", ["Country"]),
    entry("genre", "literal", "horror"),
    entry("genre", "literal", "science fiction"),
]

BY_MODEL: dict[str, Any] = {"uri_selection": "model"}
"""The decision-maker's card where the model chooses among things of one name."""

NOTHING = "SELECT ?f { ?f a <film> ; <release_date> ?d FILTER(YEAR(?d) > 2020) }"
"""A query that finds nothing."""

SUBTASKS = {
    frozenset(["answer_type", "sparql", "other", "not_in_graph", "general"]): "parsing",
    frozenset(["triples"]): "triplet_extraction",
    frozenset(["answer_type"]): "answer_type_classification",
    frozenset(["sparql"]): "template_generation",
    frozenset(["query"]): "query_selection",
    frozenset(["known", "answer"]): "answering",
    frozenset(["sentence"]): "sentence",
    frozenset(["sentences", "values", "sql", "search", "graph", "missing"]): "evidence",
    frozenset(["kind", "question", "things"]): "rephrasing",
    frozenset(["steps"]): "step_planning",
    frozenset(["path"]): "path_selection",
    frozenset(["action", "text", "thing", "other", "sparql"]): "exploration",
    frozenset(["steps"]): "step_planning",
    frozenset(["path"]): "path_selection",
}


def subtask(messages: Sequence[Message], schema: Mapping[str, Any]) -> str:
    """Tell what a call is for, from what it may reply."""
    fields = frozenset(schema["properties"])
    if fields == {"choices"}:
        asked = [message.content for message in messages if message.role == "user"]
        return "entity_selection" if any("\nMention 1: " in text for text in asked) else "relation_selection"
    return SUBTASKS[fields]


class Script:
    """Replies by subtask: texts or values in their order, the last of which is said again; a subtask without is a bug.

    A text for ``parsing`` that is SPARQL is a template, with the rest of the reply put around it.
    """

    def __init__(self, **replies: Any) -> None:
        self.replies = {name: list(given) if isinstance(given, list) else [given] for name, given in replies.items()}
        self.asked: list[str] = []
        self.prompts: dict[str, list[str]] = {}

    def __call__(self, messages: Sequence[Message], schema: Mapping[str, Any] | None) -> str:
        assert schema is not None
        name = subtask(messages, schema)
        self.asked.append(name)
        self.prompts.setdefault(name, []).append(messages[-1].content)
        if name not in self.replies:
            raise ModelError(f"the script has no reply for {name}: {messages[-1].content}")
        given = self.replies[name]
        reply = given.pop(0) if len(given) > 1 else given[0]
        if isinstance(reply, str) and name == "parsing" and reply.startswith(("SELECT", "ASK")):
            kind = "boolean" if reply.startswith("ASK") else "count" if reply.startswith("SELECT (COUNT") else "select"
            reply = {"answer_type": kind, "sparql": reply}
        return reply if isinstance(reply, str) else json.dumps(reply)


def chosen(*candidates: Sequence[int]) -> dict[str, Any]:
    """A reply that chooses candidates by number, item by item."""
    return {"choices": [{"item": item, "candidates": list(numbers)} for item, numbers in enumerate(candidates, 1)]}


@dataclass
class World:
    """The graph and its index, and what makes the context of a question over them."""

    graph: KnowledgeGraph
    index: LabelIndex

    def context(
        self,
        script: Script | None = None,
        question: str = "?",
        *,
        phase: Any = "parsing",
        policy: Policy | None = None,
        graph: KnowledgeGraph | None = None,
        index: LabelIndex | None = None,
        **cards: Mapping[str, Any],
    ) -> Context:
        asked = Question(question)
        roles: Roles = load_roles(cards)
        model = ScriptedModel(script or Script())
        graph = graph or self.graph
        return Context(
            asked,
            graph,
            self.index if index is None else index,
            Schema(graph),
            dict.fromkeys(ROLES, model),
            roles,
            Recorder(asked),
            policy or Policy(row_limit=graph.row_limit),
            phase,
        )


def made(context: Context, sparql: str) -> tuple[Template, Links, list[BuiltQuery]]:
    """A template, what it is linked to, and its queries."""
    template = Template(sparql)
    links = link(context, template)
    return template, links, construct(context, template, links)


def steps(context: Context, service: str | None = None) -> list[Step]:
    """What a context recorded, of one service or all."""
    return [step for step in context.recorder.trace().steps if service in (None, step.service)]


def names(options: Sequence[LinkOption]) -> list[str]:
    """The local names of what options stand for."""
    return [option.candidate.iri.removeprefix(EX) for option in options]


@pytest.fixture(scope="session")
def world(kept_file: Callable[[str, str], Path]) -> Iterator[World]:
    with LocalGraph.load(kept_file("world.ttl", TURTLE), workers=1) as graph, LocalIndex() as index:
        index.add(ENTRIES)
        yield World(graph, index)


KUBRICK = "SELECT DISTINCT ?f { ?f a <film> ; <director> <Stanley_Kubrick> } ORDER BY ?f"
UNKNOWN = {"known": False, "answer": ""}

Make = Callable[..., Agent]


@pytest.fixture
def make(world: World) -> Make:
    """Make an agent over the films with a script and changes to the role cards."""

    def make(
        script: Script,
        graph: KnowledgeGraph | None = None,
        index: Any = None,
        budget: dict[str, float] | None = None,
        **cards: Any,
    ) -> Agent:
        return Agent(
            graph or world.graph,
            world.index if index is None else index,
            ScriptedModel(script),
            roles=load_roles(cards),
            budget=budget,
            route="phases",
        )

    return make
