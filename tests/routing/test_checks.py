"""What the query and the result of an answer say against it, beside the question."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tests.phases.films import EX, Script, World, world
from triad import sparql
from triad.answers import Answer, Doubt
from triad.errors import GraphError
from triad.kg.guard import check
from triad.phases import answering
from triad.phases.attempts import BuiltQuery
from triad.questions import Candidate, Query, Question
from triad.rdf import IRI, XSD, ResultSet
from triad.routing.doubt import confidence, features, findings, in_english, judged, load_weights

__all__ = ["world"]

PREFIX = f"PREFIX : <{EX}> "
KUBRICK = "SELECT ?f { ?f a :Film ; :director :Kubrick }"
DIRECTED = "Which films did Stanley Kubrick direct?"


def answer(world: World, question: str, query: str) -> Answer:
    context = world.context(Script(), question)
    tree = sparql.parse(PREFIX + query)
    ask = tree.ask
    result = context.execute(check(tree), ask=ask)
    built = BuiltQuery(sparql.write(tree), {}, 1.0, result, tree=tree)
    return answering.answer(context.at("answering"), built, "boolean" if ask else "select")


def found(world: World, question: str, query: str, *below: Answer) -> dict[str, str]:
    """What is found of an answer, with its text; what is 0 is not there."""
    given = answer(world, question, query)
    return {one.name: one.text for one in findings(world.context(Script(), question), given, below) if one.value}


AGAINST = {
    "the question asks for a date, and the answer is none": (
        "answer_type",
        "When was Dune released?",
        "SELECT ?d { :DuneFilm :director ?d }",
    ),
    "the question asks how many, and nothing is counted": (
        "count",
        "How many films did Stanley Kubrick direct?",
        KUBRICK,
    ),
    "the question asks how many, and the answer is no number": (
        "number",
        "How many films did Stanley Kubrick direct?",
        KUBRICK,
    ),
    "things are counted, which was not asked for": (
        "unasked_count",
        DIRECTED,
        "SELECT (COUNT(?f) AS ?n) { ?f a :Film ; :director :Kubrick }",
    ),
    "the question has a superlative, and the query does not order": (
        "superlative",
        "Which is the oldest film?",
        "SELECT ?f { ?f a :Film }",
    ),
    "a bound of the question is not in the query": (
        "bound",
        "Which films were released after 1970?",
        "SELECT ?f { ?f a :Film ; :released ?d }",
    ),
    "what the question leaves out is not left out": (
        "negation",
        "Which films were not directed by Stanley Kubrick?",
        KUBRICK,
    ),
    "values are missing in the answer": (
        "nulls",
        DIRECTED,
        "SELECT ?f ?g { ?f a :Film ; :director :Kubrick OPTIONAL { ?f :author ?g } }",
    ),
    "the graph does not say so, and may not know all": (
        "no",
        "Did David Lynch direct The Shining?",
        "ASK { :Shining :director :Lynch }",
    ),
    "the answer has what the question names": (
        "echo",
        "Which film is Dune based on?",
        "SELECT ?f { ?f :basedOn ?n FILTER(?f = :DuneFilm) }",
    ),
    "others share the last place that is given": (
        "tie",
        "Which is the newest genre?",
        "SELECT ?f { ?f :genre ?g } ORDER BY DESC(?g) LIMIT 1",
    ),
    "nothing in the query stands for Snorf, Bartle": (
        "uncovered_names",
        "Which films did Snorf Kubrick, Bartle and Zork direct?",
        KUBRICK,
    ),
}


@pytest.mark.parametrize("question", ["How many films did Stanley Kubrick direct?", "The number of Kubrick's films?"])
def test_however_it_is_asked_how_many_there_are_they_are_to_be_counted(world: World, question: str) -> None:
    assert {"count", "number"} <= found(world, question, KUBRICK).keys()


@pytest.mark.parametrize("text", AGAINST)
def test_a_check_tells_what_speaks_against_an_answer(world: World, text: str) -> None:
    name, question, query = AGAINST[text]
    assert found(world, question, query).get(name) == text


OLDEST, NOT_HIS = "Which is the oldest film?", "Which films were not directed by Stanley Kubrick?"


@pytest.mark.parametrize(
    ("question", "query"),
    [
        (DIRECTED, KUBRICK),
        (OLDEST, "SELECT ?f { ?f a :Film ; :released ?d } ORDER BY ?d LIMIT 1"),
        (OLDEST, "SELECT ?f { ?f a :Film ; :released ?d { SELECT (MIN(?e) AS ?d) { ?g a :Film ; :released ?e } } }"),
        ("How many films did Stanley Kubrick direct?", f"SELECT (COUNT(?f) AS ?n) {{ {{ {KUBRICK} }} }}"),
        (NOT_HIS, "SELECT ?f { ?f a :Film ; :director ?d FILTER(?d != :Kubrick) }"),
        (NOT_HIS, "SELECT ?f { ?f a :Film ; :director ?d FILTER(!(?d = :Kubrick)) }"),
        (NOT_HIS, "SELECT ?f { ?f a :Film ; :director ?d FILTER(?d NOT IN (:Kubrick)) }"),
        (NOT_HIS, "SELECT ?f { ?f a :Film MINUS { ?f :director :Kubrick } }"),
        (NOT_HIS, "SELECT ?f { ?f a :Film FILTER NOT EXISTS { ?f :director :Kubrick } }"),
        (NOT_HIS, "SELECT ?f { ?f a :Film OPTIONAL { ?f :director ?d FILTER(?d = :Kubrick) } FILTER(!BOUND(?d)) }"),
        ("Which films were released after 1970?", "SELECT ?f { ?f a :Film ; :released ?d FILTER(YEAR(?d) IN (1980)) }"),
    ],
)
def test_nothing_speaks_against_a_right_answer(world: World, question: str, query: str) -> None:
    told = found(world, question, query)
    assert not told.keys() & {*(name for name, _, _ in AGAINST.values()), "share"}, told


FOUND: list[tuple[str, str, dict[str, float]]] = [
    (DIRECTED, KUBRICK, {}),
    (
        "Which films did Stanley Kubrick direct after 1970 and before 1990?",
        "SELECT ?f { ?f a :Film ; :director :Kubrick ; :released ?d FILTER(YEAR(?d) > 1970) }",
        {"bound": 0.5},
    ),
    (
        "Which films did Stanley Kubrick direct after 1970 and before 1990?",
        "SELECT ?f { ?f a :Film ; :director :Kubrick ; :released ?d }",
        {"bound": 1.0},
    ),
    (
        "Which films were released on May 23, 1980?",
        f"SELECT ?f {{ ?f a :Film ; :released '1980-05-23'^^<{XSD}date> }}",
        {},
    ),
    (
        "Which films were released in 1980?",
        "SELECT ?f { VALUES ?d { '1980-05-23' } ?f a :Film ; :released ?e FILTER(STR(?e) = ?d) }",
        {},
    ),
    (OLDEST, "SELECT (MIN(?d) AS ?m) { ?f a :Film ; :released ?d }", {}),
    (OLDEST, "SELECT ?f { ?f a :Film ; :released ?d } ORDER BY ?d", {"superlative": 1.0}),
    (OLDEST, "SELECT ?f { ?f a :Film ; :released ?d } LIMIT 1", {"superlative": 1.0}),
    (
        OLDEST,
        "SELECT ?f { ?f a :Film ; :released ?d FILTER NOT EXISTS { ?g a :Film ; :released ?e FILTER(?e < ?d) } }",
        {},
    ),
    ("Which two films are the newest?", "SELECT ?f { ?f a :Film ; :released ?d } ORDER BY DESC(?d) LIMIT 2", {}),
    ("Which is the newest genre?", "SELECT ?f { ?f :genre ?g } ORDER BY DESC(?g) LIMIT 1", {"tie": 1.0}),
    ("Which is the newest genre?", "SELECT ?f { ?f :genre ?g } ORDER BY DESC(?g) LIMIT 2", {}),
    ("How many people live in Tacoma?", "SELECT ?n { :Tacoma :population ?n }", {"count": 1.0, "fitting": 0.5}),
    ("How many films are there?", "SELECT (COUNT(?f) AS ?n) { ?f a :Film }", {"fitting": 0.5}),
    (
        DIRECTED,
        "SELECT ?f (COUNT(?n) AS ?c) { ?f a :Film ; :director :Kubrick OPTIONAL { ?f :basedOn ?n } } GROUP BY ?f",
        {"unasked_count": 1.0},
    ),
    (
        "How many films did each director direct?",
        "SELECT ?d (COUNT(?f) AS ?n) { ?f a :Film ; :director ?d } GROUP BY ?d",
        {"fitting": 0.5},
    ),
    (DIRECTED, "SELECT ?f ?g { ?f a :Film ; :director :Kubrick OPTIONAL { ?f :author ?g } }", {"nulls": 0.5}),
    (NOT_HIS, "SELECT ?f { ?f a :Film ; :director ?d FILTER(?d != :Kubrick && BOUND(?d)) }", {}),
    (NOT_HIS, "ASK { :Shining :director :Kubrick }", {}),
    (
        NOT_HIS,
        "SELECT ?f { ?f a :Film ; :director ?d FILTER(?d = :Lynch) }",
        {"negation": 1.0, "share": 0.5, "uncovered_names": 1.0},
    ),
    ("Which films did Snorf Kubrick direct?", KUBRICK, {"share": 0.25, "uncovered_names": 0.5}),
    ("Who wrote the novel Dune?", "SELECT ?f { :DuneNovel :author ?f }", {"fitting": 0.5}),
    ("Who wrote the movie Dune?", "SELECT ?f { :DuneNovel :author ?f }", {"share": 1 / 3, "fitting": 0.5}),
    ("Which horror film is by Kubrick?", "SELECT ?f { ?f a :Film ; :director :Kubrick ; :genre 'horror'@en }", {}),
    (
        "How tall is Stanley Kubrick?",
        "SELECT ?n { :Kubrick :birthPlace ?n }",
        {"share": 1 / 3, "fitting": -0.5, "answer_type": 1.0},
    ),
    ("When was Dune released?", "SELECT ?d { :DuneFilm :released ?d }", {"fitting": 0.5}),
]


@pytest.mark.parametrize(("question", "query", "values"), FOUND)
def test_what_is_found_has_a_number(world: World, question: str, query: str, values: dict[str, float]) -> None:
    context = world.context(Script(), question)
    told = {one.name: one.value for one in findings(context, answer(world, question, query)) if one.value}
    assert told == pytest.approx(values)


@pytest.mark.parametrize("words", ["the names of ", "the movies and "])
def test_a_word_for_a_name_or_like_what_the_query_names_is_covered(world: World, words: str) -> None:
    question = f"What are {words}the films that Stanley Kubrick directed?"
    assert "share" not in found(world, question, KUBRICK)
    assert "share" in found(world, question.replace(words.split()[1], "kettles"), KUBRICK)


def test_one_of_the_things_to_choose_from_is_no_echo(world: World) -> None:
    either = "Which is older, The Shining or Dune?"
    query = "SELECT ?f { VALUES ?f { :Shining :DuneFilm } ?f :released ?d } ORDER BY ?d LIMIT 1"
    assert "echo" not in found(world, either, query)


def test_an_alias_is_a_name_as_good_as_the_label(world: World) -> None:
    question = "How many cities of the USA are there?"
    query = "SELECT (COUNT(?c) AS ?n) { ?c a :City ; :state :USA }"
    link = Candidate(f"{EX}USA", "entity", "United States", matched="USA", exact=True)
    context = world.context(Script(), question)
    given = replace(answer(world, question, query), links={"USA": link})
    assert not {one.name for one in findings(context, given) if one.value} & {"uncovered_names"}


def test_what_others_say_counts_for_or_against(world: World) -> None:
    same = replace(answer(world, DIRECTED, KUBRICK), confidence=0.8, rung="solver", method="lexical")
    other = replace(answer(world, DIRECTED, "SELECT ?f { ?f :director :Lynch }"), confidence=0.6, method="lexical")
    context = world.context(Script(), DIRECTED)
    given = answer(world, DIRECTED, KUBRICK)
    assert features(findings(context, given, [same]))["agree"] == 0.8
    assert features(findings(context, given, [other]))["other"] == 0.6
    agreed, contradicted = (judged(context, given, [one]) for one in (same, other))
    assert agreed.confidence >= 0.8 > contradicted.confidence or agreed.confidence > contradicted.confidence
    assert any("the solver, without the model, finds" in doubt.text for doubt in contradicted.doubts)


def test_other_readings_with_other_results_are_told(world: World) -> None:
    given = answer(world, DIRECTED, KUBRICK)
    reading = Query("", result=ResultSet(("f",), ((IRI(f"{EX}Dune"),),)))
    told = {one.name: one for one in findings(world.context(Script(), DIRECTED), given, (), (reading,))}
    assert told["readings"].text == "1 other readings of the question give other answers"
    assert told["readings"].value > 0


def test_what_the_model_said_before_is_no_second_opinion(world: World) -> None:
    given = answer(world, DIRECTED, KUBRICK)
    before = replace(given, confidence=0.8, rung="template")
    assert "agree" not in features(findings(world.context(Script(), DIRECTED), given, [before]))


def test_how_much_of_the_solvers_answer_is_in_it_counts(world: World) -> None:
    context, one = world.context(Script(), DIRECTED), KUBRICK + " LIMIT 1"
    both = replace(answer(world, DIRECTED, KUBRICK), confidence=0.8, method="lexical")
    known = features(findings(context, answer(world, DIRECTED, one), [both]))
    assert known["shared"] == 0.5


def test_what_says_little_of_whether_an_answer_is_right_is_no_doubt(world: World) -> None:
    told = found(
        world, "Which novels were snorfed?", "SELECT ?f { ?f a :Novel ; :released ?d FILTER(YEAR(?d) > 1000) }"
    )
    assert not {"class_removes", "idle_filter", "uncovered", "many"} & told.keys()


@pytest.mark.parametrize(
    ("query", "is_lacking"),
    [
        ("SELECT ?f { ?f a :Film ; :released ?d }", True),
        ('SELECT ?f { ?f a :Film ; :released ?d FILTER(STR(?d) > "1970-12-31") }', False),
        ("SELECT ?f { GRAPH <http://example.org/after1970> { ?f a :Film } }", False),
    ],
)
def test_a_bound_may_be_a_filter_or_a_named_graph(world: World, query: str, is_lacking: bool) -> None:
    question = "Which films were released after 1970?"
    told = findings(world.context(Script(), question), answer(world, question, query))
    assert ("bound" in {one.name for one in told if one.value}) == is_lacking


def test_a_word_with_a_capital_is_a_name_where_not_all_nouns_have_one(world: World) -> None:
    for language, expected in (("en", True), ("de", False)):
        context = world.context(Script(), DIRECTED)
        context = replace(context, question=Question("Filme von Kubrick im Gepolter", language))
        names = {one.name for one in findings(context, answer(world, DIRECTED, KUBRICK)) if one.value}
        assert ("uncovered_names" in names) == expected


def test_a_graph_that_fails_leaves_the_checks_that_need_none(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    question = "Who directed Dune in how many countries?"
    given = answer(world, question, "SELECT ?d { :DuneFilm :director ?d } ORDER BY ?d LIMIT 1")
    context = world.context(Script(), question)
    asked: list[str] = []

    def down(which: str) -> Any:
        def fail(*_: object, **__: object) -> Any:
            asked.append(which)
            raise GraphError("the graph is down")

        return fail

    monkeypatch.setattr(type(context.schema), "types", down("types"))
    monkeypatch.setattr(type(context), "execute", down("ties"))
    doubted = judged(context, given)
    assert {*asked} == {"types", "ties"}
    assert 0 < doubted.confidence < 1
    assert "count" in doubted.findings
    assert not {"fitting", "tie"} & doubted.findings.keys()


def test_two_ways_that_agree_are_no_less_sure_than_the_surer_one() -> None:
    assert confidence({"agree": 0.9}, {"agree": -5.0}) == 0.9


def test_a_repaired_path_is_worth_no_more_than_it_is_unless_another_way_found_the_same(world: World) -> None:
    context, given = world.context(Script(), DIRECTED), answer(world, DIRECTED, KUBRICK)
    same = replace(given, confidence=0.8, method="lexical")
    assert judged(context, given, most=0.3).confidence == 0.3
    assert judged(context, given, [same], most=0.3).confidence == 0.8


def test_what_was_left_out_is_told_as_it_was_noted(world: World) -> None:
    given = replace(answer(world, DIRECTED, KUBRICK), notes=("Left out: language Klingon.", "Read twice."))
    told = {one.name: one for one in findings(world.context(Script(), DIRECTED), given)}["left_out"]
    assert (told.value, told.text) == (1.0, "Left out: language Klingon")


def test_doubts_are_told_the_strongest_first(world: World) -> None:
    question = "Which films did Snorf Kubrick, Bartle and Zork direct after 1970 and before 1990?"
    doubted = judged(world.context(Script(), question), answer(world, question, KUBRICK))
    weights = load_weights()
    taken = [weights[one.kind] * doubted.findings[one.kind] for one in doubted.doubts]
    assert {one.kind for one in doubted.doubts} == {"bound", "uncovered_names"}
    assert taken == sorted(taken)
    told = [Doubt("left_out", "Nichts heißt Zork."), *doubted.doubts]
    assert in_english(told) == "; ".join(["it leaves out a part", *(one.text for one in doubted.doubts)])


def test_each_check_has_a_weight_and_each_weight_a_check(world: World) -> None:
    names = {one.name for one in findings(world.context(Script(), DIRECTED), answer(world, DIRECTED, KUBRICK))}
    assert load_weights().keys() == {*names, "bias"}
