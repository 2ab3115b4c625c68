from __future__ import annotations

from collections.abc import Iterator

import pytest

from triad import sparql
from triad.agent import Agent
from triad.datasets import load_dataset
from triad.kg.local import LocalGraph
from triad.kg.schema import Schema
from triad.queries.path_names import PathNames, unresolved
from triad.queries.path_text import MalformedPath, parse_path
from triad.queries.paths import NotAPath, from_graph
from triad.search.base import Entry
from triad.search.local import LocalIndex
from triad.sparql.writer import render

NS = "http://rdf.freebase.com/ns/"
FREEBASE = f"""
@prefix : <{NS}> .
:m.01 :sports.sports_team.team_mascot :m.02 ; :sports.sports_team.championships :m.03 .
:m.03 :time.event.start_date "2014-10-21" .
"""


@pytest.fixture
def names(demo_agent: Agent) -> PathNames:
    return PathNames(demo_agent.schema, demo_agent.index)


@pytest.fixture(scope="module")
def freebase(kept_file: object) -> Iterator[PathNames]:
    index = LocalIndex()
    championships = Entry(NS + "sports.sports_team.championships", "relation", "sports sports team championships")
    index.add([Entry(NS + "m.02", "entity", "Lou Seal"), championships])
    with LocalGraph.load(kept_file("freebase.ttl", FREEBASE), workers=1) as graph, index:  # type: ignore[operator]
        yield PathNames(Schema(graph), index)


@pytest.mark.slow(0.1)
def test_gold_queries_of_the_demo_survive_their_names(names: PathNames) -> None:
    tried = 0
    for item in load_dataset("configs/demo/questions.json", language="en").items:
        try:
            path = from_graph(sparql.parse(item.gold_query or "").explicit())
        except NotAPath:
            continue
        tried += 1
        text = names.write(path)
        assert parse_path(text)
        assert from_graph(names.query(text)) == path, text
    assert tried > 30


def test_relations_of_freebase_are_words_with_commas(freebase: PathNames) -> None:
    text = "Main Path:\n Lou Seal -[R[sports , sports team , team mascot]]-> ?y\n"
    text += " ?y -[sports , sports team , championships]-> ?x"
    query = freebase.query(text)
    assert render(query) == (
        f"SELECT DISTINCT ?x {{ ?y <{NS}sports.sports_team.team_mascot> <{NS}m.02> . "
        f"?y <{NS}sports.sports_team.championships> ?x . }}"
    )
    written = freebase.write(from_graph(query))
    assert "?y -[sports , sports team , championships]-> ?x" in written
    assert f"-[R[<{NS}sports.sports_team.team_mascot>]]-> ?y" in written  # no name in the index leads to it


def test_names_that_the_graph_has_are_found_with_a_good_score(names: PathNames) -> None:
    [best, *_] = names.resolve(parse_path("Main Path:\n Switzerland -[capital]-> ?x"))
    assert not unresolved(best.path)
    assert best.score > 0.9


def test_what_nothing_is_called_stays_words(names: PathNames) -> None:
    text = "Main Path:\n Xyzzy Plugh Qwertz -[capital]-> ?x"
    assert unresolved(next(names.resolve(parse_path(text))).path) == ("Xyzzy Plugh Qwertz",)
    with pytest.raises(MalformedPath, match="nothing in the graph is called 'Xyzzy Plugh Qwertz'"):
        names.query(text)
