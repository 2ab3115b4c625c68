from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from tests.cases import cases
from triad.answers import Answer
from triad.datasets import Item, load_dataset
from triad.evaluation.metrics.queries import failure_cause, linking_recall, shape
from triad.questions import Candidate, Question
from triad.rdf import IRI, ResultSet, Value
from triad.trace import Step, Trace

ASKED = Question("Who directed it?", id="1")
GOLD = "SELECT ?who { <http://e/Film> <http://e/director> ?who }"
WANTED = ResultSet(("who",), ((IRI("http://e/Ann"),),))


@pytest.mark.parametrize(("query", "form", "hops", "patterns"), cases(__file__, "test_the_shape_of_a_query"))
def test_the_shape_of_a_query(query: str, form: str, hops: int, patterns: int) -> None:
    found = shape(query)
    kind = form if form in ("boolean", "count") else "select"
    assert found == {"answer_type": kind, "shape": form, "hops": str(hops), "patterns": str(patterns)}


def test_a_query_that_is_not_standard_has_no_shape() -> None:
    assert shape("SELECT ?x { ?x bif:contains 'a' ; <broken }") == {}


@pytest.mark.slow(0.2)
@pytest.mark.parametrize("hops", ["1", "2", "3"])
def test_hops_are_those_that_metaqa_states(shared_data: Path, hops: str) -> None:
    items = load_dataset(shared_data / "metaqa" / f"{hops}-hop_dev.txt").items[::5]
    assert Counter(shape(item.gold_query or "")["hops"] for item in items) == {hops: 100}


def answer(query: str | None, *links: str, value: str = "http://e/Bob", trace: Trace | None = None) -> Answer:
    candidates = {iri: Candidate(iri, "entity", iri) for iri in links}
    rows = ((Value(IRI(value), value),),) if value else ()
    return Answer(ASKED, variables=("who",), rows=rows, query=query, links=candidates, trace=trace)


def test_linking_recall_counts_what_mentions_were_taken_for() -> None:
    query = "SELECT ?x { ?x a <http://e/C> ; <http://e/p>/<http://e/q> ?y FILTER(?y != <http://e/A>) }"
    found = linking_recall(Item(ASKED, None, query), answer(query, "http://e/C", "http://e/q", "http://e/other"))
    counted = {name: found[name] for name in found if not name.endswith("_proposed")}
    assert counted == {"entities_found": 1, "entities_wanted": 2, "relations_found": 1, "relations_wanted": 2}
    assert linking_recall(Item(ASKED, None, query), None)["entities_found"] == 0
    assert linking_recall(Item(ASKED, WANTED), answer(query)) == {}


def test_linking_recall_before_the_choice_counts_what_was_proposed() -> None:
    steps = (
        Step("linking", "index", "search", candidates=("http://e/A", "http://e/B")),
        Step("linking", "graph", "schema", candidates=("http://e/p",)),
        Step("linking", "index", "search", candidates=("http://e/C",), attempt=2),
    )
    query = "SELECT ?x { ?x a <http://e/C> ; <http://e/p>/<http://e/q> <http://e/A>, <http://e/D> }"
    proposed = {"entities_proposed": 2, "entities_wanted": 3, "relations_proposed": 1, "relations_wanted": 2}
    trace = Trace(ASKED, steps)
    found = linking_recall(Item(ASKED, None, query), answer(query, "http://e/A", trace=trace))
    assert found == proposed | {"entities_found": 1, "relations_found": 0}
    failed = linking_recall(Item(ASKED, None, query), None, trace)
    assert failed == proposed | {"entities_found": 0, "relations_found": 0}


FAILED = Trace(ASKED, (Step("construction", "graph", "execute", error="timed out"),))


@pytest.mark.parametrize(
    ("given", "cause"),
    [
        pytest.param(None, "execution", id="failed"),
        pytest.param(answer(None), "question understanding", id="no-query"),
        pytest.param(answer("ASK { <http://e/Film> <http://e/director> ?who }"), "question understanding", id="an-ask"),
        pytest.param(answer("SELECT ?who { <http://e/Other> <http://e/director> ?who }"), "entity", id="entity"),
        pytest.param(answer("SELECT ?who { <http://e/Film> <http://e/writer> ?who }"), "relation", id="relation"),
        pytest.param(answer("SELECT ?who { ?who <http://e/director> <http://e/Film> }"), "query", id="turned-round"),
        pytest.param(answer(GOLD, value=""), "execution", id="the-gold-query"),
        pytest.param(
            answer("SELECT ?w { <http://e/Film> <http://e/director> ?w }", value="", trace=FAILED),
            "execution",
            id="timed-out",
        ),
        pytest.param(answer("SELECT ?w {"), "query", id="not-a-query"),
        pytest.param(Answer(ASKED, boolean=True, query="ASK { ?s ?p ?o }"), "question understanding", id="a-boolean"),
    ],
)
def test_the_cause_of_a_failure_is_the_first_part_that_went_wrong(given: Answer | None, cause: str) -> None:
    assert failure_cause(Item(ASKED, WANTED, GOLD), given) == cause


def test_a_count_that_was_not_asked_for_is_a_misunderstanding() -> None:
    item = Item(ASKED, WANTED, "SELECT (COUNT(?x) AS ?n) { ?x <http://e/p> <http://e/A> }", "count")
    given = answer("SELECT ?x { ?x <http://e/p> <http://e/A> }")
    assert failure_cause(item, given) == "question understanding"


def test_without_a_gold_query_no_cause_is_told() -> None:
    assert failure_cause(Item(ASKED, WANTED), None) is None
