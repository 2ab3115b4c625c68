from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.phases.films import EX, Script, World, steps
from triad.examples.nearest import Examples, Pair, read_pairs
from triad.phases.parsing import parse
from triad.prompts import Prompt, load_prompt

PROMPT = load_prompt("parse_question")
PAIRS = {
    "Which films did David Lynch direct?": "SELECT ?film { ?film a :Film ; :director :Lynch }",
    "Which films did Stanley Kubrick direct?": "SELECT ?film { ?film a :Film ; :director :Kubrick }",
    "Which novels did Stephen King write?": "SELECT ?novel { ?novel a :Novel ; :author :King }",
    "How many films are there?": "SELECT (COUNT(DISTINCT ?film) AS ?n) { ?film a/rdfs:subClassOf* :Film }",
    "Which films were released after 1980?": (
        'SELECT ?film { ?film a :Film ; :released ?date . FILTER(?date > "1980-12-31"^^xsd:date) }'
    ),
    "Was Stanley Kubrick born in New York?": "ASK { :Kubrick :birthPlace :NewYork }",
    "Where was Frank Herbert born?": 'SELECT ?place { ?who rdfs:label "Frank Herbert"@en ; :birthPlace ?place }',
    "What is Dune called?": "SELECT ?name { :DuneFilm rdfs:label ?name }",
}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "pairs.jsonl"
    records = [{"question": text, "sparql": f"PREFIX : <{EX}> {query}"} for text, query in PAIRS.items()]
    path.write_text("\n".join(map(json.dumps, records)), encoding="utf-8")
    return path


@pytest.fixture
def examples(path: Path) -> Examples:
    return Examples.read(path)


def shown(world: World, examples: Examples, question: str, most: int = 3, prompt: Prompt = PROMPT) -> list[Any]:
    return examples.shown(prompt, question, world.context(Script()).schema, most)


def test_the_nearest_pair_stands_last_and_in_mentions(world: World, examples: Examples) -> None:
    *_, last = shown(world, examples, "Which films did David Lynch make?")
    assert last["question"] == "Which films did David Lynch direct?"
    assert last["reply"] == {
        "answer_type": "select",
        "sparql": "SELECT ?film WHERE { ?film a <film> . ?film <director> <David_Lynch> . }",
    }


@pytest.mark.slow(0.1)
def test_no_example_has_an_iri_or_a_prefix(world: World, examples: Examples) -> None:
    for question in PAIRS:
        for example in shown(world, examples, question, 7):
            assert "://" not in json.dumps(example)
            assert "PREFIX" not in example["reply"]["sparql"]


def test_a_class_is_stated_without_the_way_over_its_subclasses(world: World, examples: Examples) -> None:
    [example] = shown(world, examples, "How many films are there?", 1)
    assert example["reply"]["answer_type"] == "count"
    assert example["reply"]["sparql"] == "SELECT (COUNT(DISTINCT ?film) AS ?n) WHERE { ?film a <film> . }"


def test_a_date_keeps_its_datatype(world: World, examples: Examples) -> None:
    [example] = shown(world, examples, "Which films were released after 1990?", 1)
    assert '"1980-12-31"^^xsd:date' in example["reply"]["sparql"]


def test_what_is_found_by_its_label_is_a_mention(world: World, examples: Examples) -> None:
    [example] = shown(world, examples, "Where was Frank Herbert born?", 1)
    assert example["reply"]["sparql"] == "SELECT ?place WHERE { <Frank_Herbert> <birth_place> ?place . }"


def test_a_query_that_no_template_can_say_is_not_shown(world: World, examples: Examples) -> None:
    questions = {example["question"] for example in shown(world, examples, "What is Dune called?", 7)}
    assert "What is Dune called?" not in questions


@pytest.mark.parametrize("iri", ["p", "http://e/%zz", "http://[bad/p"])
def test_a_query_with_an_iri_that_the_graph_refuses_is_not_shown(world: World, examples: Examples, iri: str) -> None:
    bad = Pair.of("Which films did David Lynch make?", f"SELECT ?x {{ ?x <{iri}> <{EX}Lynch> }}")
    *_, last = shown(world, Examples([*examples.pairs, bad]), bad.question)
    assert last["question"] == "Which films did David Lynch direct?"


def test_at_most_half_of_the_examples_have_one_form(world: World, examples: Examples) -> None:
    found = shown(world, examples, "Which films did Stephen King direct or write?")
    assert len(found) == 3
    form = re.compile(r"SELECT \?(\w+) WHERE \{ \?\1 a <\w+> \. \?\1 <\w+> <\w+> \. \}")
    assert sum(bool(form.fullmatch(example["reply"]["sparql"])) for example in found) == 1  # of two pairs


def test_examples_of_one_form_are_shown_where_there_are_no_others(world: World, path: Path) -> None:
    examples = Examples(read_pairs(path).pairs[:3])
    assert len(shown(world, examples, "Which films did Frank Herbert write?")) == 3


def test_a_user_is_shown_the_asked_question_itself(world: World, examples: Examples) -> None:
    [example] = shown(world, examples, "which films did david lynch direct", 1)
    assert example["question"] == "Which films did David Lynch direct?"


def test_a_run_is_not_shown_the_asked_question_nor_its_query(world: World, examples: Examples) -> None:
    asked = "Which films did David Lynch direct?"
    guarded = examples.guarding([("Films of Lynch?", f"PREFIX : <{EX}> SELECT ?x {{ ?x a :Film ; :director :Lynch }}")])
    for question in (asked, "Films of Lynch?"):
        assert asked not in {example["question"] for example in shown(world, guarded, question, 7)}
    assert asked in {example["question"] for example in shown(world, guarded, "Which films are by Lynch?", 7)}


def test_a_prompt_is_shown_what_it_asks_for_in_its_own_form(world: World, examples: Examples) -> None:
    [example] = shown(world, examples, "Is it so that Kubrick was born in New York?", 1, load_prompt("write_template"))
    assert example["answer_type"] == "boolean"
    assert example["triples"] == [{"subject": "Stanley Kubrick", "relation": "birth place", "object": "New York"}]
    assert example["vocabulary"] == example["feedback"] == ""
    assert example["reply"] == {"sparql": "ASK WHERE { <Stanley_Kubrick> <birth_place> <New_York> . }"}


def test_a_prompt_with_other_fields_is_shown_what_is_known_of_them(
    world: World, examples: Examples, tmp_path: Path
) -> None:
    path = tmp_path / "readings.prompt"
    path.write_text(
        "---\nrole: generalist\ndescription: Reads.\ninputs: {question: asked, hints: some}\noutput: readings\n"
        "examples: [{question: a, hints: b, reply: {not_in_graph: no, readings: [{sparql: c, why: d}]}}]\n"
        "---\nuser:\n{{ question }} {{ hints }}\n",
        encoding="utf-8",
    )
    prompt = load_prompt(path)
    assert examples.fit(prompt)
    [example] = shown(world, examples, "Was Stanley Kubrick born in New York?", 1, prompt)
    assert example["hints"] == ""
    ask = {"sparql": "ASK WHERE { <Stanley_Kubrick> <birth_place> <New_York> . }"}
    assert example["reply"] == {"not_in_graph": False, "readings": [ask]}


def test_an_example_that_shows_what_no_pair_can_stays(world: World, examples: Examples, tmp_path: Path) -> None:
    path = tmp_path / "lacking.prompt"
    replies = ["{sparql: one, missing: null}", '{sparql: "", missing: siblings}', "{sparql: three, missing: null}"]
    own = "".join(f"  - {{question: Own {at}?, reply: {reply}}}\n" for at, reply in enumerate(replies, 1))
    path.write_text(
        "---\nrole: generalist\ndescription: Reads.\ninputs: {question: asked}\noutput: a template\n"
        f"examples:\n{own}---\nuser:\n{{{{ question }}}}\n",
        encoding="utf-8",
    )
    found = shown(world, examples, "Which films did David Lynch make?", 3, load_prompt(path))
    assert [example["question"] for example in found][::2] == ["Own 2?", "Which films did David Lynch direct?"]
    assert [example["reply"]["missing"] for example in found] == ["siblings", None, None]


def test_prompts_that_ask_for_something_else_keep_their_own_examples(examples: Examples) -> None:
    assert not examples.fit(load_prompt("select_query"))


def test_the_generalist_is_shown_the_nearest_in_place_of_its_own(world: World, path: Path) -> None:
    reply = {"answer_type": "select", "sparql": "SELECT ?film { ?film <director> <David_Lynch> }"}
    context = replace(
        world.context(Script(parsing=reply), "Which films did David Lynch make?"),
        examples=Examples(read_pairs(path).pairs[:2]),
    )
    parse(context)
    [call] = steps(context, "model")
    asked = [message.content for message in call.prompt if message.role == "user"]
    assert len(asked) == 4
    assert "Marie Curie" in asked[0]  # what a graph lacks is shown by no pair
    assert asked[2] == 'Question: "Which films did David Lynch direct?"'
