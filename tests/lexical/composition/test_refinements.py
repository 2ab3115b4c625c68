"""What named graphs and repeated steps make of a query, seen by what the best reading of a question finds."""

from __future__ import annotations

import pytest

from tests.lexical.composition.conftest import EX, Reading
from triad.language.operators import Operator
from triad.lexical.composition.elements import Column, Thing
from triad.lexical.composition.partial_query import Either, PartialQuery
from triad.lexical.composition.refinements import alternatives
from triad.lexical.composition.schema_graph import Link
from triad.rdf import IRI


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("What were the sales of the Shop of Ulm in 2022?", {("300",)}),
        ("Which shop had the highest sales in 2022?", {("bonn",)}),
        ("Which shop had the highest sales in 2023?", {("ulm",)}),
        ("What were the total sales in 2023?", {("700",)}),
        ("Which shops had sales over 350 in 2023?", {("ulm",)}),
        ("How many shops have sales in 2022?", {("2",)}),
        ("Which shops had no sales in 2022?", {("kiel",)}),
    ],
)
def test_facts_are_those_of_the_named_graph_that_words_name(shops: Reading, question: str, found: object) -> None:
    assert shops.found(question) == found


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("Which shops had higher sales in 2023 than in 2022?", {("ulm",)}),
        ("Which shops had lower sales in 2023 than in 2022?", {("bonn",)}),
        ("Did the Shop of Bonn have higher sales in 2023 than in 2022?", False),
    ],
)
def test_values_of_two_named_graphs_are_compared(shops: Reading, question: str, found: object) -> None:
    assert shops.found(question) == found


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("In which year were the sales of the Shop of Ulm highest?", {("facts/y2023",)}),
        ("In which year did the Shop of Bonn have the highest sales?", {("facts/y2022",)}),
        ("Which years have sales of the Shop of Kiel?", {("facts/y2023",)}),
    ],
)
def test_a_question_may_ask_for_the_named_graph_itself(shops: Reading, question: str, found: object) -> None:
    assert shops.found(question) == found


@pytest.mark.slow(0.1)
def test_values_of_several_named_graphs_are_told_apart(shops: Reading) -> None:
    values = {("300", "facts/y2022"), ("400", "facts/y2023")}
    assert shops.found("What were the sales of the Shop of Ulm in 2022 and 2023?") == values
    assert shops.found("What were the sales of the Shop of Ulm since 2022?") == values


def test_equal_values_of_two_named_graphs_are_both_summed_up(shops: Reading) -> None:
    assert shops.found("What is the total price of the Shop of Bonn in 2022 and 2023?") == {("16",)}


def test_a_year_names_a_named_graph_rather_than_a_date_that_is_not_spoken_of(shops: Reading) -> None:
    assert shops.found("What was the price of the Shop of Bonn in 2022?") == {("8",)}
    assert shops.found("What were the sales of the Shop of Bonn in 2022?") == {("500",)}


def test_a_year_is_no_named_graph_where_the_facts_have_dates(shops: Reading) -> None:
    assert shops.found("Which shops were opened in 2022?") == {("bonn",)}
    assert shops.found("Which shops were opened before 2022?") == {("ulm",), ("kiel",)}


def test_a_relation_that_a_named_graph_lacks_is_not_looked_for_there(shops: Reading) -> None:
    assert not any("GRAPH" in query for query in shops.queries("What is the opening date of the Shop of Ulm in 2023?"))


@pytest.mark.slow(0.1)
@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("Which modules does Report need directly or indirectly?", {("chart",), ("draw",), ("core",)}),
        ("Which modules need Core, directly or through others?", {("draw",), ("chart",), ("report",)}),
        ("How many modules need Core directly or indirectly?", {("3",)}),
        ("Which modules are by Ida Even and need Core directly or indirectly?", {("draw",)}),
        ("Which modules need Core?", {("draw",)}),
    ],
)
def test_a_relation_is_followed_again_and_again_where_words_ask_for_it(
    modules: Reading, question: str, found: object
) -> None:
    assert modules.found(question) == found


@pytest.mark.slow(0.3)
def test_whether_a_relation_leads_to_something_in_several_steps_can_be_asked(modules: Reading) -> None:
    asked = modules.queries("Does Report need Core directly or indirectly?")
    assert f"ASK {{ <{EX}report> <{EX}needs>+ <{EX}core> . }}" in asked


@pytest.mark.slow(0.2)
def test_a_relation_between_things_of_two_kinds_is_not_followed_again(modules: Reading) -> None:
    assert not any("+" in query for query in modules.queries("Who is the author of Chart, directly or indirectly?"))


def test_one_of_two_conditions_is_enough_only_where_each_may_go_alone() -> None:
    way, terms = (Link("http://x/in", "http://x/A", "http://x/B", True, 1.0),), (IRI("http://x/a"),)
    root, first = Thing(0), Thing(1, parent=0, said=frozenset({1}), terms=terms, way=way)
    beside, behind = (Thing(2, parent=at, said=frozenset({3}), terms=terms, way=way) for at in (0, 1))
    either = [Operator("or", 2, 3)]
    of_root, of_last = (Column(0),), (Column(3),)
    assert isinstance(alternatives(PartialQuery((root, first, beside), columns=of_root), either), Either)
    assert not isinstance(alternatives(PartialQuery((root, first, behind), columns=of_root), either), Either)
    shown = Thing(3, parent=1, way=first.way)
    assert not isinstance(alternatives(PartialQuery((root, first, beside, shown), columns=of_last), either), Either)
