from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.doubles import Counting
from tests.phases.films import EX, Script, World, chosen
from tests.phases.linking.linked import linked
from triad.agent import Agent
from triad.errors import AnswerError
from triad.kg.schema import Schema
from triad.models import ScriptedModel
from triad.phases.linking import link
from triad.queries.template import Template
from triad.route import Route


def test_a_relation_that_the_graph_has_in_the_other_direction_is_reversed(world: World) -> None:
    assert linked(world, "SELECT ?f { <Stanley_Kubrick> <director> ?f }")["director"] == ["^director"]


@pytest.fixture
def packages(kept_file: Callable[[str, str], Path]) -> Path:
    """Packages, of which ``base`` depends on none and none depends on ``app``."""
    return kept_file(
        "packages.ttl",
        "@prefix : <http://example.org/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n"
        + "".join(f':{name} a :Package ; rdfs:label "{name}" .\n' for name in ("app", "tool", "base"))
        + ":app :dependsOn :tool . :tool :dependsOn :base .",
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("sparql", "found"),
    [
        ("SELECT ?x { <base> <depends_on> ?x }", []),
        ("SELECT ?x { ?x a <Package> ; <depends_on> <app> }", []),
        ("SELECT ?x { <tool> <depends_on> ?x }", ["base"]),
        ("SELECT ?x { <tool> <depends_on>|^<depends_on> ?x }", ["app", "base"]),
    ],
)
def test_a_relation_is_not_turned_where_things_of_the_class_have_it_as_the_template_says(
    packages: Path, sparql: str, found: list[str]
) -> None:
    reply = json.dumps({"answer_type": "select", "sparql": sparql})
    route = Route(rungs=("template",))
    with Agent(packages, model=ScriptedModel([reply]), route=route, min_confidence=0) as agent:
        try:
            values = agent.ask("What are they?").values
        except AnswerError:
            values = ()
    assert sorted(value.label for value in values) == found


def test_a_reversed_relation_is_shown_as_such(world: World) -> None:
    script = Script(relation_selection=chosen([1]))
    linked(world, "SELECT ?f { <Stanley_Kubrick> <directed_films> ?f }", script)
    assert '"director", reversed, e.g. "' in script.prompts["relation_selection"][0]


def test_a_relation_in_the_middle_is_found_from_what_is_reached(world: World) -> None:
    found = linked(world, "SELECT ?c { <Stanley_Kubrick> <birth_place> ?p . ?p <state> ?c }")
    assert found["birth place"] == ["birthPlace"]
    assert found["state"] == ["state"]


def test_the_order_of_the_patterns_does_not_matter(world: World) -> None:
    found = linked(world, "SELECT ?c { ?p <state> ?c . ?x <birth_place> ?p . ?f <director> ?x . ?f a <short_film> }")
    assert [found[words] for words in ("state", "birth place", "director")] == [["state"], ["birthPlace"], ["director"]]


def test_the_steps_of_a_path_are_linked_one_by_one(world: World) -> None:
    found = linked(world, "SELECT ?c { <The_Alphabet> <director>/<birth_place>/<state> ?c }")
    assert [found[words] for words in ("director", "birth place", "state")] == [["director"], ["birthPlace"], ["state"]]


def test_only_relations_that_the_ends_have_are_proposed(world: World) -> None:
    script = Script(relation_selection=chosen([1]))
    linked(world, "SELECT ?x { <Stanley_Kubrick> <home> ?x }", script)
    [prompt] = script.prompts["relation_selection"]
    assert {line.split('"')[1] for line in prompt.splitlines() if line[:1].isdigit()} == {
        "birth place",
        "death place",
        "director",
        "label",
    }
    assert "Pattern 1: <Stanley_Kubrick> <home> ?x" in prompt
    assert '"director", reversed' in prompt
    assert EX not in prompt


def test_one_call_settles_all_ambiguous_relations(world: World) -> None:
    script = Script(relation_selection=chosen([1], [1]))
    linked(world, "SELECT ?x { <Stanley_Kubrick> <home> ?x . <David_Lynch> <cradle> ?y }", script)
    assert script.asked == ["relation_selection"]
    assert "Pattern 2: <David_Lynch> <cradle> ?y" in script.prompts["relation_selection"][0]


def test_the_relation_phrase_is_shown_and_ranks_the_candidates(world: World) -> None:
    script = Script(relation_selection=chosen([1]))
    found = linked(world, "SELECT ?x { <Stanley_Kubrick> <place_of_birth> ?x }", script)
    assert found["place of birth"] == ["birthPlace"]
    assert "<place_of_birth>" in script.prompts["relation_selection"][0]


@pytest.mark.parametrize(("keep", "kept"), [(1, 1), (2, 2), (3, 3)])
def test_a_pattern_keeps_as_many_relations_as_the_card_says(world: World, keep: int, kept: int) -> None:
    script = Script(relation_selection=chosen([3, 1, 2]))
    found = linked(world, "SELECT ?x { <Stanley_Kubrick> <home> ?x }", script, decision_maker={"relations": keep})
    assert len(found["home"]) == kept


def test_a_relation_outside_the_list_is_refused_and_asked_for_again(world: World) -> None:
    script = Script(relation_selection=[chosen([99]), chosen([1])])
    linked(world, "SELECT ?x { <Stanley_Kubrick> <home> ?x }", script)
    assert "got 99" in script.prompts["relation_selection"][1]


def test_without_any_linked_end_relations_are_found_by_name(world: World) -> None:
    assert linked(world, "SELECT ?x ?y { ?x <author> ?y }")["author"] == ["author"]


def test_a_relation_between_variables_scans_no_graph(world: World) -> None:
    context = world.context(Script(), phase="linking")
    context.schema.graph = looked = Counting(world.graph)
    link(context, Template("SELECT ?x ?y { ?x <author> ?y . ?y <birth_place> ?z }"))
    assert not [query for query in looked.asked if "VALUES" not in query and "<http" not in query]


def test_a_long_chain_of_unknown_relations_stays_small(world: World) -> None:
    path = "/".join(f"<unknown_{n}>" for n in range(12))
    script = Script(relation_selection=chosen(*[[1]] * 12))
    context = world.context(script, phase="linking")
    context.schema.graph = looked = Counting(world.graph)
    link(context, Template(f"SELECT ?y {{ <Stanley_Kubrick> {path} ?y }}"))
    assert max(map(len, looked.asked)) < 30_000


def test_a_relation_that_a_sample_does_not_show_is_found_by_its_name(world: World, monkeypatch: Any) -> None:
    monkeypatch.setattr(Schema, "class_card", lambda *_: ())
    assert linked(world, "SELECT ?d { ?f a <film> ; <release_date> ?d }")["release date"] == ["released"]


def test_the_relation_phrase_is_not_ignored(world: World) -> None:
    script = Script(relation_selection=chosen([1], [1]))
    linked(world, "SELECT ?x { <Stanley_Kubrick> <place_of_birth> ?x . <Stanley_Kubrick> <died_in> ?y }", script)
    first, second = script.prompts["relation_selection"][0].split("Pattern 2: ")
    assert "<place_of_birth>" in first
    assert "<died_in>" in second
    assert '\n1. "birth place"' in first


def test_a_pattern_of_two_variables_costs_no_scan_and_no_product(world: World) -> None:
    graph = Counting(world.graph)
    sparql = "SELECT ?c { ?f <director> ?d . ?d <birth_place> ?p . ?p <state> ?c . ?f a <film> }"
    linked(world, sparql, graph=graph)
    assert len(graph.asked) < 40
    assert not [query for query in graph.asked if not re.search(r"<http|VALUES", query)]


def test_both_directions_are_not_two_questions(world: World) -> None:
    script = Script(relation_selection=chosen([1]))
    linked(world, "SELECT ?x { <Stanley_Kubrick> <home> ?x }", script)
    [prompt] = script.prompts["relation_selection"]
    assert '"birth place"' in prompt
    assert '"director", reversed' in prompt


def test_of_a_choice_of_paths_the_parts_that_fit_remain_without_a_call(world: World) -> None:
    template = "SELECT ?f { ?f <director>|<made_by>|<birth_place> <Stanley_Kubrick> }"
    assert linked(world, template)["director"] == ["director"]
    assert linked(world, template)["made by"] == [""]
    assert linked(world, template)["birth place"] == [""]


def test_of_a_choice_of_paths_that_fit_nothing_one_is_chosen(world: World) -> None:
    script = Script(relation_selection={"choices": [{"item": 1, "candidates": [1]}]})
    linked(world, "SELECT ?f { ?f <shot_by>|<made_by> <Stanley_Kubrick> }", script)
    [prompt] = script.prompts["relation_selection"]
    assert "Pattern 1: ?f <shot_by> <Stanley_Kubrick>" in prompt
    assert "Pattern 2" not in prompt
