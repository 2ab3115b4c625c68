from __future__ import annotations

import math
import re
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.phases.films import BY_MODEL, EX, Script, World, chosen, entry, made, steps
from triad.errors import GraphError, ReplyError
from triad.kg.base import KnowledgeGraph
from triad.kg.guard import Policy
from triad.kg.local import LocalGraph
from triad.phases.attempts import BuiltQuery
from triad.phases.construction import choose, construct, execute
from triad.phases.context import Context
from triad.phases.diagnosis import diagnose
from triad.phases.linking import LinkOption, link
from triad.queries.path_names import best_first
from triad.queries.template import Template
from triad.questions import Candidate, Query
from triad.rdf import IRI, Literal, ResultSet
from triad.search.local import LocalIndex
from triad.sparql import parse


def values(query: Query | None) -> list[list[str]]:
    """The rows of a result, with local names in place of IRIs."""
    assert query is not None
    assert query.result is not None
    return [[str(term).removeprefix(EX) for term in row if term is not None] for row in query.result.rows]


def found(world: World, sparql: str, script: Script | None = None, **cards: Any) -> Query:
    context = world.context(script, phase="construction", **cards)
    template, _, queries = made(context, sparql)
    query = choose(context, execute(context, template, queries))
    assert query is not None
    return query


def built(sparql: str, **more: Any) -> BuiltQuery:
    return BuiltQuery(sparql, tree=parse("ASK {}"), **more)


def ran(*rows: Sequence[str], boolean: bool | None = None, score: float = 1.0, sparql: str = "ASK {}") -> BuiltQuery:
    names = tuple("abc"[: len(rows[0])]) if rows else ("a",)
    terms = tuple(tuple(IRI(EX + text) if text.isalpha() else Literal(text) for text in row) for row in rows)
    result = ResultSet(boolean=boolean) if boolean is not None else ResultSet(names, terms)
    return built(sparql, score=score, result=result)


# Questions of many shapes ---------------------------------------------------------------------------------

SHAPES = {
    "a class and a relation": (
        "SELECT DISTINCT ?f { ?f a <film> ; <director> <Stanley_Kubrick> } ORDER BY ?f",
        [["Odyssey"], ["Shining"]],
    ),
    "subclasses count as the class": (
        "SELECT DISTINCT ?f { ?f a <film> ; <director> <David_Lynch> } ORDER BY ?f",
        [["Alphabet"], ["DuneFilm"]],
    ),
    "two hops": ("SELECT ?c { <Stanley_Kubrick> <birth_place> ?p . ?p <state> ?c }", [["USA"]]),
    "a path": ("SELECT ?c { <The_Alphabet> <director>/<birth_place> ?c }", [["Missoula"]]),
    "an inverse path": ("SELECT ?f { <Stanley_Kubrick> ^<director> ?f } ORDER BY ?f", [["Odyssey"], ["Shining"]]),
    "a literal whose language tag the template lacks": ('SELECT ?f { ?f <genre> "horror" }', [["Shining"]]),
    "a literal without a tag in the graph": (
        'SELECT ?f { ?f <genre> "Science Fiction"@en } ORDER BY ?f',
        [["DuneFilm"], ["Odyssey"]],
    ),
    "several answer variables": (
        "SELECT ?f ?d { ?f <director> <Stanley_Kubrick> ; <release_date> ?d } ORDER BY ?d",
        [["Odyssey", "1968-04-02"], ["Shining", "1980-05-23"]],
    ),
    "a count": ("SELECT (COUNT(DISTINCT ?f) AS ?n) { ?f a <film> ; <director> ?d }", [["4"]]),
    "a superlative": ("SELECT ?c { ?c a <city> ; <population> ?n } ORDER BY DESC(?n) LIMIT 1", [["NewYork"]]),
    "groups with a condition": (
        "SELECT ?d (COUNT(?f) AS ?n) { ?f a <novel> ; <author> ?d } GROUP BY ?d HAVING (COUNT(?f) > 0) ORDER BY ?d",
        [["Herbert", "1"], ["King", "1"]],
    ),
    "a union": (
        "SELECT ?x { { <Stanley_Kubrick> <birth_place> ?x } UNION { <David_Lynch> <birth_place> ?x } } ORDER BY ?x",
        [["Missoula"], ["NewYork"]],
    ),
    "a sub-select": (
        "SELECT ?f { ?f <director> ?d { SELECT ?d { ?d <birth_place> ?c . ?c <population> ?n } "
        "ORDER BY ?n LIMIT 1 } } ORDER BY ?f",
        [["Alphabet"], ["DuneFilm"]],
    ),
    "a filter on dates": (
        'SELECT ?f { ?f a <film> ; <release_date> ?d FILTER(?d < "1969-06-01"^^xsd:date && YEAR(?d) > 1968) }',
        [["Alphabet"]],
    ),
    "a filter on part of a text": (
        'SELECT ?f { ?f a <film> ; rdfs:label ?l FILTER(CONTAINS(LCASE(STR(?l)), "space")) }',
        [["Odyssey"]],
    ),
    "a negation": ("SELECT ?f { ?f a <film> FILTER NOT EXISTS { ?f <genre> ?g } }", [["Alphabet"]]),
    "an optional part": (
        "SELECT ?f ?g { ?f a <film> ; <director> <David_Lynch> OPTIONAL { ?f <genre> ?g } } ORDER BY ?f",
        [["Alphabet"], ["DuneFilm", "science fiction"]],
    ),
    "lists with semicolons and commas": (
        'SELECT ?f { ?f a <film> ; <genre> "horror" ; <director> ?a , <Stanley_Kubrick> }',
        [["Shining"]],
    ),
    "an alias": ("SELECT ?c { ?c <state> <USA> } ORDER BY ?c", [["Missoula"], ["NewYork"], ["Tacoma"]]),
}


@pytest.mark.parametrize(("sparql", "rows"), SHAPES.values(), ids=SHAPES.keys())
def test_a_query_of_this_shape_is_answered_without_a_call(world: World, sparql: str, rows: list[list[str]]) -> None:
    assert values(found(world, sparql)) == rows


@pytest.mark.parametrize(
    ("sparql", "boolean"),
    [
        ("ASK { <Stanley_Kubrick> <birth_place> <New_York> }", True),
        ("ASK { <Stanley_Kubrick> <birth_place> <Missoula> }", False),
        ("ASK { <Stanley_Kubrick> <birth_place> ?p . ?p <population> ?n FILTER(?n > 1000000) }", True),
    ],
)
def test_a_yes_no_question_has_the_graphs_answer(world: World, sparql: str, boolean: bool) -> None:
    query = found(world, sparql)
    assert query.result is not None
    assert query.result.boolean is boolean


def test_a_reversed_relation_is_followed_the_other_way(world: World) -> None:
    query = found(
        world, "SELECT ?f { <Stanley_Kubrick> <director> ?f } ORDER BY ?f", Script(relation_selection=chosen([1]))
    )
    assert values(query) == [["Odyssey"], ["Shining"]]


# Candidates -----------------------------------------------------------------------------------------------


def test_one_mention_means_the_same_throughout_a_query(world: World) -> None:
    context = world.context(Script(entity_selection=chosen([1, 2])), phase="construction")
    _, _, queries = made(context, "SELECT ?d ?x { <Dune> <release_date> ?d . OPTIONAL { <Dune> <author> ?x } }")
    for query in queries:
        assert not ("DuneFilm" in query.sparql and "DuneNovel" in query.sparql)


def test_only_relations_that_the_chosen_entity_has_are_combined_with_it(world: World) -> None:
    script = Script(entity_selection=chosen([1, 2]), relation_selection=chosen([1, 2, 3, 4, 5, 6]))
    context = world.context(script, phase="construction", decision_maker={"relations": 6})
    _, _, queries = made(context, "SELECT ?x { <Dune> <maker> ?x }")
    assert {"DuneNovel" in query.sparql for query in queries if "author" in query.sparql} == {True}
    assert {"DuneFilm" in query.sparql for query in queries if "director" in query.sparql} == {True}


@pytest.mark.parametrize(("beam", "made_of_it"), [(1, 1), (3, 3), (20, 16)])
def test_no_more_candidates_are_made_than_the_beam_holds(world: World, beam: int, made_of_it: int) -> None:
    script = Script(entity_selection=chosen([1, 2]), relation_selection=chosen([1, 2, 3, 4], [1, 2, 3, 4]))
    context = world.context(script, phase="construction", decision_maker={"beam": beam, "relations": 4})
    template, _, queries = made(context, "SELECT ?x { <Dune> <thing> ?x . <Stanley_Kubrick> <other> ?y }")
    assert len(queries) == made_of_it
    executed = execute(context, template, queries)
    assert len(executed) <= beam


def test_candidates_come_in_the_order_of_their_scores(world: World) -> None:
    script = Script(entity_selection=chosen([2, 1]), relation_selection=chosen([1, 2]))
    context = world.context(script, phase="construction", decision_maker=BY_MODEL)
    _, _, queries = made(context, "SELECT ?x { <Dune> <release_date> ?x . <Stanley_Kubrick> <home> ?y }")
    scores = [query.score for query in queries]
    assert scores == sorted(scores, reverse=True)
    assert "DuneNovel" in queries[0].sparql


def test_every_combination_comes_once_best_product_first() -> None:
    choices = [
        [LinkOption(Candidate(str(s), "entity", ""), None, s) for s in row] for row in ([0.9, 0.5], [1.0, 0.8, 0.1])
    ]
    combinations = list(best_first(choices))
    products = [math.prod(option.score for option in options) for options in combinations]
    assert len(set(combinations)) == 6
    assert products == sorted(products, reverse=True)
    assert [tuple(o.score for o in options) for options in combinations][:2] == [(0.9, 1.0), (0.9, 0.8)]


def test_twelve_mentions_with_many_options_do_not_blow_up() -> None:
    options = [LinkOption(Candidate(str(rank), "entity", ""), None, 1 - rank / 20) for rank in range(10)]
    generator = best_first([options] * 12)
    assert len([next(generator) for _ in range(100)]) == 100


def test_a_mention_without_options_leaves_no_query(world: World) -> None:
    context = world.context(phase="construction")
    _, _, queries = made(context, "SELECT ?x { <Zzyzx> <release_date> ?x }")
    assert queries == []


def test_what_the_guard_rejects_is_not_executed_and_says_why(world: World) -> None:
    context = world.context(phase="construction")
    template, links, queries = made(
        context, "SELECT ?f { ?f <director> <Stanley_Kubrick> SERVICE <http://evil.example/> { ?f ?p ?o } }"
    )
    executed = execute(context, template, queries)
    assert [query.result for query in executed] == [None] * len(executed)
    assert not [step for step in steps(context, "graph") if step.action == "execute"]
    assert "SERVICE" in diagnose(context, template, links, executed)


def test_the_row_limit_of_the_policy_holds(world: World) -> None:
    context = world.context(phase="construction", policy=Policy(row_limit=1))
    _, _, queries = made(context, "SELECT ?f { ?f a <film> }")
    assert "LIMIT 2" in queries[0].sparql


# Execution ------------------------------------------------------------------------------------------------


def test_a_clear_winner_ends_the_execution(world: World) -> None:
    context = world.context(phase="construction")
    sparql = f"SELECT ?f {{ ?f <{EX}director> <{EX}Kubrick> }}"
    queries = [built(sparql, score=1.0), built(sparql, score=0.5), built(sparql, score=0.4)]
    assert len(execute(context, Template("SELECT * {}"), queries)) == 1
    queries = [built(sparql, score=1.0), built(sparql, score=0.99)]
    assert len(execute(context, Template("SELECT * {}"), queries)) == 2


def test_each_query_is_executed_once(world: World) -> None:
    context = world.context(phase="construction")
    template, _, queries = made(context, "SELECT ?f { ?f a <film> ; <director> <Stanley_Kubrick> }")
    choose(context, execute(context, template, queries))
    assert [step.action for step in steps(context, "graph")].count("execute") == len(queries) == 1


def test_a_query_that_fails_does_not_stop_the_others(world: World) -> None:
    context = world.context(phase="construction", graph=Failing(world.graph, "Dune"))
    good = f"SELECT ?f {{ ?f <{EX}director> <{EX}Kubrick> }}"
    bad = f"SELECT ?f {{ ?f <{EX}director> <{EX}Dune> }}"
    first, second = execute(context, Template("SELECT * {}"), [built(bad, score=1.0), built(good, score=0.9)])
    assert first.error == "the server is on fire"
    assert second.result is not None
    assert choose(context, [first, second]) is second


class Failing(KnowledgeGraph):
    """A graph that fails on queries with some words, and otherwise is another."""

    def __init__(self, graph: KnowledgeGraph, words: str) -> None:
        self.name, self.timeout, self.row_limit = graph.name, graph.timeout, graph.row_limit
        self.prefixes = graph.prefixes
        self.graph, self.words = graph, words

    def select(self, query: Any, *, timeout: float | None = None) -> ResultSet:
        if self.words in query:
            raise GraphError("the server is on fire")
        return self.graph.select(query, timeout=timeout)

    def ask(self, query: Any, *, timeout: float | None = None) -> bool:
        if self.words in query:
            raise GraphError("the server is on fire")
        return self.graph.ask(query, timeout=timeout)

    def lookup(self, query: str) -> ResultSet:
        return self.graph.lookup(query)


# Choice ---------------------------------------------------------------------------------------------------


@pytest.fixture
def quiet(world: World) -> Context:
    return world.context(phase="construction")  # a call would be an error


def test_one_result_needs_no_call(quiet: Context) -> None:
    queries = [ran(["Shining"]), ran(["Shining"], score=0.9)]
    assert choose(quiet, queries) is queries[0]


def test_results_that_differ_in_order_only_are_one(quiet: Context) -> None:
    queries = [ran(["Shining"], ["Odyssey"]), ran(["Odyssey"], ["Shining"])]
    assert choose(quiet, queries) is queries[0]


def test_nothing_found_gives_no_query(quiet: Context) -> None:
    assert choose(quiet, [ran(), built("ASK {}", error="no")]) is None
    assert choose(quiet, []) is None


@pytest.mark.parametrize("zero", ["0", "0.0"])
def test_a_count_of_zero_gives_way_to_a_better_candidate(quiet: Context, zero: str) -> None:
    queries = [ran([zero]), ran(["3"], score=0.8)]
    assert choose(quiet, queries) is queries[1]


def test_a_count_of_zero_is_the_answer_where_there_is_no_better(quiet: Context) -> None:
    queries = [ran(["0"]), ran(["0"], score=0.8)]
    assert choose(quiet, queries) is queries[0]


def test_where_candidates_count_differently_the_graph_decides_which_is_zero(world: World) -> None:
    script = Script()
    query = found(
        world, 'SELECT (COUNT(?d) AS ?n) { <Dune> <release_date> ?d FILTER(?d < "1980-01-01"^^xsd:date) }', script
    )
    assert values(query) == [["1"]]
    assert "DuneNovel" in query.sparql
    assert script.asked == []


def ambiguous(world: World, reply: Any, **cards: Any) -> tuple[Script, Query | None]:
    script = Script(query_selection=reply)
    context = world.context(script, "When did Dune come out?", phase="construction", **cards)
    template, _, queries = made(context, "SELECT ?d { <Dune> <release_date> ?d }")
    return script, choose(context, execute(context, template, queries))


def test_the_model_chooses_among_queries_that_find_different_things(world: World) -> None:
    script, query = ambiguous(world, {"query": 2})
    assert values(query) == [["1965-08-01"]]
    [prompt] = script.prompts["query_selection"]
    assert "Query 1:" in prompt
    assert "<Dune_(DuneFilm)> <release_date> ?d" in prompt
    assert '"Dune" – "novel" – "1965 novel by Frank Herbert"' in prompt
    assert '"1984-12-03"' in prompt
    assert EX not in prompt


def test_none_of_the_queries_may_be_chosen(world: World) -> None:
    assert ambiguous(world, {"query": 0})[1] is None


@pytest.mark.parametrize("number", [3, -1, 99])
def test_a_query_outside_the_list_is_refused_and_asked_for_again(world: World, number: int) -> None:
    script, query = ambiguous(world, [{"query": number}, {"query": 1}])
    assert values(query) == [["1984-12-03"]]
    assert "'query' must be from 0 to 2" in script.prompts["query_selection"][1]


def test_a_query_that_is_never_in_the_list_ends_in_a_reply_error(world: World) -> None:
    with pytest.raises(ReplyError, match="query_selection"):
        ambiguous(world, {"query": 9})


def test_without_the_model_the_best_score_is_chosen(world: World) -> None:
    script, query = ambiguous(world, {"query": 2}, decision_maker={"query_selection": "rank"})
    assert values(query) == [["1984-12-03"]]
    assert script.asked == []


def test_at_most_eight_queries_of_few_rows_are_shown(world: World) -> None:
    script = Script(query_selection={"query": 1})
    sparql = f"SELECT ?a {{ ?a <{EX}director> ?b }}"
    queries = [ran(*([f"{query}x{row}"] for row in range(50)), sparql=sparql) for query in range(30)]
    choose(world.context(script, phase="construction"), queries)
    [prompt] = script.prompts["query_selection"]
    assert prompt.count("Query ") == 8
    assert prompt.count("50 rows") == 8
    assert "x5" not in prompt


def executions(context: Any) -> int:
    return [step.action for step in steps(context, "graph")].count("execute")


def test_four_ambiguous_triples_do_not_cost_twenty_thousand_executions(world: World) -> None:
    several = chosen(*[[1, 2, 3]] * 4)
    context = world.context(Script(relation_selection=several), decision_maker={"relations": 3}, phase="construction")
    things = ("Stanley_Kubrick", "David_Lynch", "The_Shining", "Missoula")
    patterns = " . ".join(f"<{thing}> <unclear{n}> ?x{n}" for n, thing in enumerate(things))
    template = Template(f"SELECT * {{ {patterns} }}")
    links = link(context, template)
    assert [len(options) for slot, options in links.items() if "relation" in slot] == [3] * 4
    started = time.thread_time()
    queries = construct(context, template, links)
    execute(context, template, queries)
    assert len(queries) == 20
    assert executions(context) <= 20
    assert time.thread_time() - started < 10


def test_candidates_are_ranked_and_a_clear_one_ends_the_search(world: World) -> None:
    context = world.context(phase="construction")
    sparql = f"SELECT ?f {{ ?f <{EX}director> <{EX}Kubrick> }}"
    execute(context, Template(sparql), [built(sparql, score=score) for score in (0.9, 0.5, 0.4)])
    assert executions(context) == 1


def test_one_mention_does_not_mean_two_things_in_one_query(world: World) -> None:
    context = world.context(Script(entity_selection=chosen([1, 2])), phase="construction")
    patterns = "<Dune> <release_date> ?d . ?x <based_on> <Dune> . OPTIONAL { <dune> <author> ?a }"
    template = Template(f"SELECT * {{ {patterns} }}")
    for query in construct(context, template, link(context, template)):
        assert not {"DuneFilm", "DuneNovel"} <= set(re.findall("Dune[FN][a-z]+", query.sparql))


@pytest.mark.slow(0.1)
def test_booleans_do_not_flood_the_choice(world: World) -> None:
    sparql = f"ASK {{ <{EX}Dune> ?p ?o }}"
    queries = [built(sparql, result=ResultSet(boolean=number % 2 == 0)) for number in range(1_000)]
    script = Script(query_selection={"query": 1})
    choose(world.context(script, phase="construction"), queries)
    assert script.prompts["query_selection"][0].count("\nQuery ") <= 2


# Without a choice -----------------------------------------------------------------------------------------

TWICE = """
@prefix : <http://example.org/> . @prefix o: <http://other.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:a rdfs:label "Alpha" ; :maker :b ; o:maker :c , :b ; :size 3 ; o:size "three" .
:d rdfs:label "Delta" ; o:size "four" ; :maker "nobody" .
:b rdfs:label "Beta" . :c rdfs:label "Gamma" .
"""


@pytest.fixture
def twice(tmp_path: Path) -> Iterator[World]:
    file = tmp_path / "twice.ttl"
    file.write_text(TWICE)
    with LocalGraph.load(file, workers=1) as graph, LocalIndex() as index:
        index.add([entry("a", "entity", "Alpha"), entry("d", "entity", "Delta")])
        yield World(graph, index)


@pytest.mark.slow(0.2)
def test_relations_of_one_name_that_lead_to_things_are_alternatives(twice: World) -> None:
    query = found(twice, "SELECT DISTINCT ?x { <Alpha> <maker> ?x } ORDER BY ?x")
    assert values(query) == [["b"], ["c"]]
    assert "|" in query.sparql


@pytest.mark.slow(0.2)
def test_relations_of_one_name_are_alternatives_within_a_path(twice: World) -> None:
    assert values(found(twice, "SELECT ?x { <Alpha> <maker>+ ?x } ORDER BY ?x")) == [["b"], ["c"]]
    assert values(found(twice, "SELECT ?x { ?y ^<maker> <Alpha> . <Alpha> <maker> ?x } ORDER BY ?x"))


@pytest.mark.slow(0.2)
def test_values_of_one_name_stand_in_for_each_other(twice: World) -> None:
    assert values(found(twice, "SELECT ?x { <Alpha> <size> ?x }")) == [["3"]]
    assert values(found(twice, "SELECT ?x { <Delta> <size> ?x }")) == [["four"]]
    assert values(found(twice, "SELECT ?x { <Delta> <maker> ?x }")) == [["nobody"]]


def test_of_things_of_one_name_the_results_decide(world: World) -> None:
    by_results: Any = {"decision_maker": {"uri_selection": "results"}}
    assert values(found(world, "SELECT ?x { <Dune> <director> ?x }", **by_results)) == [["Lynch"]]
    script = Script(query_selection={"query": 2})
    query = found(world, "SELECT ?x { <Dune> <release_date> ?x }", script, **by_results)
    assert values(query) == [["1965-08-01"]]
    assert script.asked == ["query_selection"]


def test_queries_to_choose_from_never_look_the_same(world: World) -> None:
    script = Script(query_selection={"query": 1})
    found(world, "SELECT ?x { <Dune> <release_date> ?x }", script, decision_maker={"uri_selection": "results"})
    texts = re.findall(r"<Dune[^>]*>", script.prompts["query_selection"][0])
    assert texts == ["<Dune_(DuneFilm)>", "<Dune_(DuneNovel)>"]


def test_a_class_that_nothing_found_has_is_dropped_with_a_note(world: World) -> None:
    query = found(world, "SELECT ?p { ?p a <city> . <The_Shining> <director> ?p }")
    assert isinstance(query, BuiltQuery)
    assert values(query) == [["Kubrick"]]
    assert query.notes == ("what was found need not be a city, for nothing that is one was found",)
    assert query.score < 0.9


@pytest.mark.parametrize(
    "sparql",
    [
        "SELECT ?f { ?f a <film> ; <director> <Stanley_Kubrick> }",  # finds something
        "SELECT ?n { ?n a <novel> FILTER(1 = 2) }",  # says nothing without
    ],
)
def test_a_class_that_is_needed_or_fits_is_kept(world: World, sparql: str) -> None:
    context = world.context(phase="construction")
    template, _, queries = made(context, sparql)
    assert all(not query.notes for query in execute(context, template, queries))


def test_a_yes_no_question_keeps_its_class(world: World) -> None:
    query = found(world, "ASK { ?p a <city> . <The_Shining> <director> ?p }")
    assert query.result is not None
    assert query.result.boolean is False
