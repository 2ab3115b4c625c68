"""Templates are tried, each told what the last one lacked; then the model's own knowledge is asked."""

from __future__ import annotations

from typing import Any

import pytest

from tests.phases.films import KUBRICK, NOTHING, UNKNOWN, Make, Script, chosen, make, world
from triad.errors import AnswerError, BudgetExceeded, ReplyError

__all__ = ["make", "world"]


def different(number: int) -> str:
    return f"SELECT ?f {{ ?f a <film> ; <release_date> ?d FILTER(YEAR(?d) > {2020 + number}) }}"


@pytest.mark.parametrize("tries", [1, 2, 3, 5])
def test_no_more_tries_are_made_than_the_card_says(make: Make, tries: int) -> None:
    script = Script(parsing=[different(number) for number in range(9)], answering=UNKNOWN)
    answer = make(script, advisor={"tries": tries}).ask("Which films came out after 2020?")
    assert script.asked == ["parsing"] * tries + ["answering"]
    assert answer.trace is not None
    assert answer.trace.attempts == tries
    assert answer.values == ()
    assert answer.text == "nothing found"
    assert answer.source == "graph"


def test_the_same_template_twice_ends_the_tries(make: Make) -> None:
    script = Script(parsing=[NOTHING, NOTHING.replace("?f", "?film").replace("?film", "?f")], answering=UNKNOWN)
    make(script).ask("Which films came out after 2020?")
    assert script.asked == ["parsing", "parsing", "answering"]


def test_a_second_try_can_find_what_the_first_did_not(make: Make) -> None:
    misspelt = "SELECT ?f { ?f a <film> ; <director> <Stan_Kubrik> }"
    script = Script(parsing=[misspelt, KUBRICK], entity_selection=chosen([]))
    answer = make(script).ask("Which films?")
    assert len(answer.values) == 2
    assert [step.attempt for step in answer.trace.steps if step.action == "parsing"] == [1, 2]  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("template", "learnt"),
    [
        ("SELECT ?f { ?f <director> <Qqqq> }", "No thing is called 'Qqqq'. Near names: none"),
        ("SELECT ?c { <Stanley_Kubrick> <birth_place> ?c . ?c <state> <England> }", "Without ?c <state> <England>: 1"),
        (NOTHING, "Without FILTER (YEAR(?d) > 2020): 4"),
        ("SELECT ?f { ?f a <spaceship> }", "No class is called 'spaceship'"),
        (
            "SELECT ?f { ?f <director> <Stanley_Kubrick> SERVICE <http://evil.example/> { ?f ?p ?o } }",
            "SERVICE <http://evil.example/> is not allowed",
        ),
    ],
)
def test_a_retry_brings_what_the_last_try_learnt(make: Make, template: str, learnt: str) -> None:
    script = Script(parsing=[template, KUBRICK])
    answer = make(script).ask("Which films?")
    assert len(answer.values) == 2
    first, second = script.prompts["parsing"]
    assert "An earlier template found nothing" not in first
    assert learnt in second
    assert first != second


def test_a_retry_after_a_misspelt_name_offers_near_names(make: Make) -> None:
    script = Script(parsing=["SELECT ?f { ?f <based_on> <Shining> }", KUBRICK], entity_selection=chosen([]))
    make(script).ask("Which films?")
    near = "The Shining (entity), The Shining (novel) (entity)"
    assert f"No thing is called 'Shining'. Near names: {near}" in script.prompts["parsing"][1]


def test_a_parser_error_is_told_within_the_same_try(make: Make) -> None:
    script = Script(parsing=["SELECT ?f { ?f <director> ", KUBRICK])
    answer = make(script).ask("Which films?")
    assert "not a SPARQL query" in script.prompts["parsing"][1]
    assert answer.trace is not None
    assert answer.trace.attempts == 1


# What else may be meant, and what the model knows -----------------------------------------------------------


def test_what_the_model_knows_itself_is_marked_as_such(make: Make) -> None:
    script = Script(parsing=NOTHING, answering={"known": True, "answer": "Barbie"})
    answer = make(script).ask("Which film came out in 2023?", min_confidence=0)
    assert (answer.text, answer.source, answer.query, answer.links) == ("Barbie", "model", None, {})


def lacking(*, general: bool) -> dict[str, Any]:
    return {"answer_type": "select", "sparql": "", "not_in_graph": "ratings of films", "general": general}


def test_what_the_graph_lacks_ends_the_search_after_one_call(make: Make) -> None:
    script = Script(parsing=lacking(general=False))
    with pytest.raises(AnswerError, match="this is not in the graph: ratings of films") as caught:
        make(script).ask("Which film is rated best?")
    assert script.asked == ["parsing"]
    assert caught.value.unknown is not None
    assert [(one.kind, one.words) for one in caught.value.unknown.reasons] == [("relation", "ratings of films")]


def test_what_the_graph_lacks_may_be_common_knowledge(make: Make) -> None:
    script = Script(parsing=lacking(general=True), answering={"known": True, "answer": "Odyssey"})
    answer = make(script).ask("Which film is rated best?", min_confidence=0)
    assert (answer.text, answer.source) == ("Odyssey", "model")
    with pytest.raises(AnswerError, match="not in the graph"):
        make(script, advisor={"own_knowledge": "none"}).ask("Which film is rated best?")


def test_readings_with_one_result_need_no_choice(make: Make) -> None:
    script = Script(parsing={"answer_type": "select", "sparql": KUBRICK, "other": [KUBRICK.replace("?f", "?g")]})
    assert len(make(script).ask("Which films did Stanley Kubrick direct?").values) == 2
    assert script.asked == ["parsing"]


def test_among_readings_with_different_results_the_model_chooses(make: Make) -> None:
    other = KUBRICK.replace("Stanley_Kubrick", "David_Lynch")
    parsing = {"answer_type": "select", "sparql": KUBRICK, "other": [other]}
    script = Script(parsing=parsing, query_selection={"query": 2})
    answer = make(script).ask("Which films?")
    assert {value.label for value in answer.values} == {"Dune", "The Alphabet"}
    assert script.asked == ["parsing", "query_selection"]
    [reading] = answer.readings
    assert (reading.taken, reading.text) == ("David Lynch", "Which films have Stanley Kubrick as their director?")
    assert sorted(reading.answer.split("; ")) == ["2001: A Space Odyssey", "The Shining"]


@pytest.mark.parametrize("allowed", ["none", "boolean"])
def test_the_models_own_knowledge_can_be_forbidden(make: Make, allowed: str) -> None:
    script = Script(parsing=NOTHING)
    answer = make(script, advisor={"own_knowledge": allowed}).ask("Which film came out in 2023?")
    assert answer.source == "graph"
    assert answer.values == ()
    assert "answering" not in script.asked


def test_without_any_query_and_knowledge_there_is_no_answer(make: Make) -> None:
    script = Script(parsing="SELECT ?f { ?f <director> <Qqqq> }", answering=UNKNOWN)
    with pytest.raises(AnswerError, match=r"(?s)no answer was reached for 'Which films\?'.*Qqqq") as caught:
        make(script).ask("Which films?")
    assert caught.value.trace is not None
    assert caught.value.trace.usage.calls == 3
    assert caught.value.trace.question.text == "Which films?"


# What goes wrong ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("limit", [1, 2])
def test_a_used_up_budget_ends_the_question_with_its_trace(make: Make, limit: int) -> None:
    script = Script(parsing=[different(number) for number in range(9)], answering=UNKNOWN)
    with pytest.raises(BudgetExceeded, match=f"budget of {limit} calls") as caught:
        make(script, budget={"calls": limit}).ask("Which films?")
    assert len(script.asked) == limit
    assert caught.value.trace is not None
    assert caught.value.trace.usage.calls == limit
    assert caught.value.trace.steps[-1].error


GARBAGE = [
    "",
    "   ",
    "I'm sorry, Dave.",
    "{",
    "[]",
    "null",
    "42",
    "[[[[[[[[[[",
    '{"triples": 3, "answer_type": "select", "sparql": 7}',
    '{"sparql": "SELECT ?x WHERE { ?x ?y ?z }"}',
    '{"triples": [], "answer_type": "select", "sparql": "' + "((" * 400 + '"}',
    '{"triples": [], "answer_type": "select", "sparql": "SELECT ?x { ?x <a> \\"\\"\\" }"}',
    '{"triples": [], "answer_type": "select", "sparql": "DROP ALL"}',
    '{"triples": [], "answer_type": "select", "sparql": "SELECT ?x { <a> <b> <\u0000> }"}',
    "```sparql\nSELECT ?x { ?x <director> ?y }\n```",
    "<think>" + "hm " * 500,
    "\u202e}{\ud83d\ude00",
]


@pytest.mark.parametrize("reply", GARBAGE, ids=ascii)
def test_garbage_ends_in_a_reply_error_with_trace(make: Make, reply: str) -> None:
    script = Script(parsing=reply, answering=reply)
    with pytest.raises(AnswerError) as caught:
        make(script, generalist={"checks": 1}, advisor={"checks": 0}).ask("Which films?")
    assert isinstance(caught.value, ReplyError)
    assert caught.value.trace is not None
    assert len(str(caught.value)) < 600


@pytest.mark.parametrize("reply", GARBAGE, ids=ascii)
def test_garbage_of_the_generalist_leaves_the_advisor(make: Make, reply: str) -> None:
    script = Script(parsing=reply, answering={"known": True, "answer": "The Shining"})
    answer = make(script, generalist={"checks": 0}).ask("Which films?", min_confidence=0)
    assert (answer.text, answer.source) == ("The Shining", "model")
