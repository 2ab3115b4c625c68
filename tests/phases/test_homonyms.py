"""Things of one name can be told apart in a prompt and in a template."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from triad.agent import Agent
from triad.models import ScriptedModel
from triad.route import Route

pytestmark = pytest.mark.slow

PREFIXES = "@prefix : <http://example.org/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n"
GRAPH = f"""{PREFIXES}
:a a :Film ; rdfs:label "Dune" ; :year 1984 . :b a :Novel ; rdfs:label "Dune" ; :year 1965 .
:p1 a :City ; rdfs:label "Paris" ; :country :fr . :p2 a :City ; rdfs:label "Paris" ; :country :us .
:fr rdfs:label "France" . :us rdfs:label "Texas" .
:o1 a :State ; rdfs:label "Ohio" ; :area 116 . :o2 a :River ; rdfs:label "Ohio" ; :length 1579 .
:o3 a :Point ; rdfs:label "Ohio River" .
"""


@pytest.mark.parametrize(
    ("question", "shown", "sparql", "found"),
    [
        ("Which year is Dune from?", '"Dune (Novel)"', "SELECT ?y { <Dune_(Novel)> <year> ?y }", "1965"),
        ("Where is Paris?", '"Paris (country Texas)"', "SELECT ?y { <Paris_(country_Texas)> <country> ?y }", "Texas"),
        ("How long is the river Ohio?", '"Ohio (River)"', "SELECT ?y { <Ohio_(River)> <length> ?y }", "1579"),
    ],
)
def test_a_name_with_what_tells_it_apart_is_shown_and_understood_without_a_call(
    kept_file: Callable[[str, str], Path], question: str, shown: str, sparql: str, found: str
) -> None:
    file = kept_file("graph.ttl", GRAPH)
    model = ScriptedModel([json.dumps({"answer_type": "select", "sparql": sparql})])
    with Agent(file, model=model, route=Route(rungs=("template",)), min_confidence=0) as agent:
        answer = agent.ask(question)
    assert shown in model.calls[0][-1].content
    assert answer.text == found
    assert len(model.calls) == 1


@pytest.mark.parametrize("name", ["Dune_(Novel)", "Dune_(entity)"])
def test_what_a_diagnosis_names_is_found_by_that_name_among_many(
    kept_file: Callable[[str, str], Path], name: str
) -> None:
    many = " ".join(f':c{at} a :Comic ; rdfs:label "Dune" .' for at in range(30))
    file = kept_file("many.ttl", GRAPH + many)
    sparql = f"SELECT ?y {{ <{name}> <year> ?y }}"
    model = ScriptedModel([json.dumps({"answer_type": "select", "sparql": sparql}), json.dumps({"query": 2})])
    with Agent(file, model=model, route=Route(rungs=("template",)), min_confidence=0) as agent:
        assert "1965" in agent.ask("Which year is Dune from?").text


def test_films_of_one_name_in_a_list_are_told_apart_by_their_years(tmp_path: Path) -> None:
    file = tmp_path / "graph.ttl"
    dated = "".join(
        f':f{year} a :Film ; rdfs:label "Dune" ; :made "{year}-03-04"^^<http://www.w3.org/2001/XMLSchema#date> .'
        for year in (1984, 2021)
    )
    file.write_text(PREFIXES + dated, encoding="utf-8")
    with Agent(file) as agent:
        found = agent.ask("List all films")
    assert sorted(value.shown for value in found.values) == ["Dune (1984)", "Dune (2021)"]
    assert {value.label for value in found.values} == {"Dune"}


def test_things_without_names_are_told_by_what_they_have(tmp_path: Path) -> None:
    file = tmp_path / "graph.ttl"
    named = ':bio a :Subject ; rdfs:label "Biology" . :b7 a :Group ; rdfs:label "7B" .'
    parts = (("l1", "Monday", "8:30"), ("l2", "Friday", "9:15"))
    lessons = "".join(
        f':{one} a :Lesson ; :of :bio ; :group :b7 ; :day "{day}" ; :start "{at}" .' for one, day, at in parts
    )
    file.write_text(PREFIXES + named + lessons, encoding="utf-8")
    with Agent(file) as agent:
        found = agent.ask("Which lessons are on Friday?")
    assert [set(value.shown.split(", ")) for value in found.values] == [{"Biology", "7B", "Friday", "9:15"}]


def test_what_is_called_by_its_kind_and_a_number_is_told_so_with_what_it_has(tmp_path: Path) -> None:
    file = tmp_path / "graph.ttl"
    orders = (("order_7", "Ada Lem", 40), ("order_8", "Bo Ek", 12))
    facts = "".join(f':{one} a :PurchaseOrder ; :buyer "{who}" ; :total {sum_} .' for one, who, sum_ in orders)
    file.write_text(f"{PREFIXES}{facts}", encoding="utf-8")
    with Agent(file) as agent:
        found = agent.ask("Which orders have a total above 30?")
    assert [value.shown for value in found.values] == ["order 7 (Ada Lem, 40) (40)"]


def test_what_has_but_a_number_is_told_by_what_it_has_and_what_has_a_word_by_that(tmp_path: Path) -> None:
    file = tmp_path / "graph.ttl"
    homes = '<http://e/home/17> a :Home ; :details "3 Mill Lane" . :Oak a :Home ; :details "9 High Street" .'
    people = (
        ':ann a :Person ; rdfs:label "Ann" ; :home <http://e/home/17> . :bo a :Person ; rdfs:label "Bo" ; :home :Oak .'
    )
    file.write_text(PREFIXES + homes + people, encoding="utf-8")
    with Agent(file) as agent:
        shown = [agent.ask(f"What is the home of {name}?").values[0].shown for name in ("Ann", "Bo")]
    assert shown == ["3 Mill Lane", "Oak"]
