"""What a diagnosis tells of a template that found nothing."""

from __future__ import annotations

from typing import Any

import pytest

from tests.doubles import Counting, Late
from tests.phases.films import BY_MODEL, ENTRIES, EX, NOTHING, Script, World, chosen, made
from triad.errors import QueryTimeout
from triad.kg.lookups import QuestionGraph
from triad.phases.construction import execute
from triad.phases.diagnosis import PROBE_SECONDS, diagnose
from triad.phases.linking import link
from triad.queries.template import Template
from triad.rdf import ResultSet
from triad.search.base import CLOSE
from triad.search.local import LocalIndex


def diagnosis(world: World, sparql: str, script: Script | None = None, **cards: Any) -> str:
    context = world.context(script, phase="construction", **cards)
    template, links, queries = made(context, sparql)
    executed = execute(context, template, queries)
    return diagnose(context, template, links, executed)


def test_a_thing_that_was_not_found_is_named_with_near_names(world: World) -> None:
    script = Script(entity_selection=chosen([]))
    text = diagnosis(world, "SELECT ?x { <Dune> <release_date> ?x }", script, decision_maker=BY_MODEL)
    assert "No thing is called 'Dune'. Near names: Dune (entity)" in text


def test_a_class_that_was_not_found_is_named(world: World) -> None:
    assert "No class is called 'spaceship'. Near names: none" in diagnosis(world, "SELECT ?x { ?x a <spaceship> }")


def test_a_pattern_without_a_match_is_named_with_what_there_is_instead(world: World) -> None:
    text = diagnosis(world, "SELECT ?x { <Stephen_King> <home> ?x }", Script(relation_selection=chosen([1])))
    assert text.startswith("SELECT ?x")
    text = diagnosis(world, "SELECT ?c { <Stanley_Kubrick> <birth_place> ?c . ?c <state> <England> }")
    assert "Its parts have no match together." in text
    assert 'Without <Stanley_Kubrick> <birth_place> ?c: 1, ?c such as "Childwickbury".' in text
    assert "Without ?c <state> <England>: 1, ?c such as \"New York\". Relations of 'England': <- state" in text


@pytest.mark.slow(0.1)
def test_what_leaves_nothing_is_told_with_what_there_is_without_it(world: World) -> None:
    text = diagnosis(world, "SELECT ?f { ?f a <film> ; <genre> ?g ; <release_date> ?d FILTER(YEAR(?d) > 2020) }")
    assert text.splitlines()[-1].startswith('Without FILTER (YEAR(?d) > 2020): 3, ?d such as "19')
    text = diagnosis(world, "SELECT ?c { ?c a <city> ; <population> ?p FILTER NOT EXISTS { ?c <state> ?s } }")
    assert text.splitlines()[-1] == 'Without FILTER (NOT EXISTS { ?c <state> ?s . }): 3, ?c such as "Missoula".'
    text = diagnosis(world, "SELECT ?n { ?n a <novel> ; <author> ?p ; <genre> ?g }")
    assert "Without ?n a <novel>" not in text
    assert "Without ?n <genre> ?g: 2" in text
    text = diagnosis(world, "SELECT ?n { ?n a <novel> ; <director> ?d FILTER NOT EXISTS { ?n <author> ?a } }")
    assert text.splitlines()[-1].startswith("Without ?n a <novel>: 4, ?n such as ")
    text = diagnosis(world, "SELECT ?p { ?f <director> ?p } GROUP BY ?p HAVING(COUNT(?f) > 9)")
    assert text.endswith("Its patterns and filters have matches; what is made of them leaves nothing.")


def test_a_text_that_the_graph_has_with_a_language_is_told(world: World) -> None:
    text = diagnosis(world, 'SELECT ?f { ?f a <film> ; <genre> ?g FILTER(?g = "horror") }')
    tagged = '"horror"@en (a text with a language: compare STR'
    assert text.endswith(f": 3, ?g such as {tagged}(?g)).")
    with LocalIndex() as index:
        index.add([one for one in ENTRIES if one.kind != "literal"])
        bare = World(world.graph, index)
        text = diagnosis(bare, 'SELECT ?f { ?f a <film> ; <genre> "Horror" }')
        assert f'<genre> "Horror" has no match. There is ?text such as {tagged}(?text)).' in text
        assert "has no match. There is ?text such as" in diagnosis(bare, 'SELECT ?f { ?f <genre> "comedy" }')


def test_alternatives_are_told_as_alternatives(world: World) -> None:
    dead = "SELECT ?c { <Stanley_Kubrick> <birth_place>|<death_place> ?c . ?c <state> <England> ; <population> ?p }"
    assert "Without <Stanley_Kubrick> <birth_place> | <death_place> ?c" not in diagnosis(world, dead)
    assert "Without ?c <population> ?p: 1" in diagnosis(world, dead)
    parts = '{ ?f <director> <David_Lynch> ; <genre> "horror" } UNION { ?f <author> <Stephen_King> ; <director> ?d }'
    assert "None of these alternatives has a match: { ?f <director> <David_Lynch> ." in diagnosis(
        world, f"SELECT ?f {{ {parts} }}"
    )


def test_what_is_not_known_of_parts_is_not_said(world: World) -> None:
    class Slow(Counting):
        def select(self, query: Any, *, timeout: float | None = None) -> ResultSet:
            if timeout == PROBE_SECONDS:
                raise QueryTimeout("too slow")
            return super().select(query, timeout=timeout)

    slow = World(Slow(world.graph), world.index)
    assert diagnosis(slow, NOTHING).endswith("It found nothing.")


@pytest.mark.parametrize("name", ["Dune (entity)", "Dune (novel)", "The Shining (novel)", "horror (literal)"])
def test_a_name_that_a_prompt_offers_is_one_that_a_template_may_have(world: World, name: str) -> None:
    template = Template(f"SELECT ?p {{ ?x ?p <{name}> }}")
    [options] = link(world.context(phase="construction"), template).values()
    assert options[0].score >= CLOSE


def test_a_relation_that_no_end_has_is_named(world: World) -> None:
    text = diagnosis(world, "SELECT ?x { <Stanley_Kubrick> <home> ?x }", Script(relation_selection=chosen([])))
    assert "No relation fits in <Stanley_Kubrick> <home> ?x" in text


def test_a_diagnosis_names_no_iri(world: World) -> None:
    text = diagnosis(world, "SELECT ?c { <Stanley_Kubrick> <birth_place> ?c . ?c <state> <England> }")
    assert EX not in text


def test_a_diagnosis_does_not_say_that_there_are_no_others_where_they_were_not_read(world: World) -> None:
    context = world.context(phase="construction")
    template, links, queries = made(context, "SELECT ?c { <Stanley_Kubrick> <birth_place> ?c . ?c <state> <England> }")
    executed = execute(context, template, queries)
    assert diagnose(context, template, links, executed).endswith(": <- state, label, and no others")
    late = world.context(phase="construction", graph=QuestionGraph(Late(world.graph, 100)))
    assert diagnose(late, template, links, executed).endswith(": none, and others that were not read")


def test_a_diagnosis_never_says_nothing_new(world: World) -> None:
    context = world.context(phase="construction")
    template, links, queries = made(context, NOTHING)
    executed = execute(context, template, queries)
    assert len(diagnose(context, template, links, executed).splitlines()) > len(template.words().splitlines())
