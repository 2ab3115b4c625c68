from __future__ import annotations

from pathlib import Path

import pytest

from tests.retrieval.conftest import PREFIXES
from tests.retrieval.evidence_world import reply
from triad import Agent
from triad.errors import GraphError
from triad.indexing.build import build
from triad.models import ScriptedModel
from triad.retrieval.tables.database import Tables
from triad.retrieval.tables.induction import induce

pytestmark = pytest.mark.slow

PLACES = """
v:Town rdfs:label "Town" . v:Region rdfs:label "Region" . v:people rdfs:label "people" . v:area rdfs:label "area" .
v:status rdfs:label "status" . v:founded rdfs:label "founded" . v:region rdfs:label "region" .
v:free rdfs:label "free" .
ex:alba a v:Town ; v:free false ; rdfs:label "Alba" ; v:people 900 ; v:area 30 ; v:status "port" ; v:region ex:north ;
  v:founded "1250-10-01"^^xsd:date .
ex:brod a v:Town ; v:free true ; rdfs:label "Brod" ; v:people 400 ; v:area 10 ; v:status "spa" ; v:region ex:north ;
  v:founded "1900-09-30"^^xsd:date .
ex:cuma a v:Town ; rdfs:label "Cuma" ; v:people 50 ; v:status "port" ; v:region ex:north .
ex:north a v:Region ; rdfs:label "North" .
"""
WORDS = {
    "big town": {"of": "Town", "where": "people > 300", "description": "more than 300 people"},
    "harbour": {"of": "Town", "where": "status = 'port' and not (founded > 1500-01-01)"},
    "big harbour": {"of": "big town", "where": "?it a <harbour>"},
    "crowding": {"formula": "people / area", "unit": "per km2"},
    "founding year": {"starts": "10-01"},
    "free town": {"of": "Town", "where": "free = true"},
    "sly town": {"of": "Town", "where": '?it <people> ?n . FILTER(?n > "1) OR (1=1"^^xsd:integer)'},
    "northern town": {"of": "Town", "where": "?it <region> ?r . ?r a <Region>"},
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("towns")
    file = made / "towns.ttl"
    file.write_text(PREFIXES + PLACES, encoding="utf-8")
    build(file, made / "towns")
    induce(made / "towns")
    return made / "towns"


@pytest.fixture
def tables(folder: Path) -> Tables:
    with Agent(folder, model="none", words=WORDS) as agent:
        tables = Tables(folder)
        tables.define(agent.glossary.defined)
        return tables


@pytest.mark.parametrize(
    ("query", "rows"),
    [
        ("SELECT label FROM Town WHERE big_town ORDER BY 1", [["Alba"], ["Brod"]]),
        ("SELECT label FROM Town WHERE harbour", [["Alba"]]),
        ("SELECT label FROM Town WHERE free_town", [["Brod"]]),
        ("SELECT t.label FROM Town AS t WHERE t.big_harbour", [["Alba"]]),
        ("SELECT label, crowding FROM Town ORDER BY 1", [["Alba", 30.0], ["Brod", 40.0], ["Cuma", None]]),
        ("SELECT founding_year FROM Town WHERE label <> 'Cuma' ORDER BY 1", [[1251], [1900]]),
        ("WITH b AS (SELECT * FROM Town WHERE big_town) SELECT count(*) FROM b", [[2]]),
        ("SELECT big_town, count(*) FROM Town GROUP BY big_town ORDER BY 1", [[False, 1], [True, 2]]),
    ],
)
def test_sql_may_ask_for_what_is_defined(tables: Tables, query: str, rows: list[object]) -> None:
    with tables:
        assert tables.query(query).plain() == rows


def test_a_query_that_names_no_definition_runs_as_it_was_and_what_no_row_tells_has_no_column(tables: Tables) -> None:
    with tables:
        assert tables.query("SELECT label FROM Town").sql == "SELECT label FROM Town LIMIT 1001"
        assert "northern_town" not in tables.schema.text()
        with pytest.raises(GraphError):
            tables.query("SELECT label FROM Town WHERE sly_town")
        assert "crowding DOUBLE, -- people / area (per km2)" in tables.schema.text().replace('"', "")


def test_a_model_sees_a_defined_column_and_the_answer_says_what_it_is(folder: Path) -> None:
    replies = [
        reply(sql=["SELECT label FROM Town WHERE big_town"]),
        reply(sentences=[("Alba and Brod are big towns.", [1])]),
    ]
    model = ScriptedModel(replies)
    with Agent(folder, model=model, words=WORDS, route={"rungs": ["retrieval"]}, language="en") as agent:
        answer = agent.ask("Which big towns are there?")
    assert "big_town BOOLEAN = more than 300 people" in model.calls[0][-1].content
    assert "crowding DOUBLE" not in model.calls[0][-1].content
    assert [(one.words, one.became) for one in answer.words] == [("big town", "more than 300 people")]
