"""How many things others have on average, nodes for facts of several parts, and things that are a number and a unit."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.lexical.composition.conftest import Reading

pytestmark = pytest.mark.slow(0.2)

SALES = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .

:Fair rdfs:label "fair" . :Stall rdfs:label "stall" . :Offer rdfs:label "offer" . :Dealer rdfs:label "dealer" .
:stallNumber rdfs:label "stall number" . :staff rdfs:label "number of helpers" . :at rdfs:label "at fair" .
:on rdfs:label "on stall" . :madeBy rdfs:label "made by" . :rentedBy rdfs:label "rented by" .
:spring a :Fair ; rdfs:label "Spring Days" ; :staff 10 . :autumn a :Fair ; rdfs:label "Autumn Days" ; :staff 30 .
:s1 a :Stall ; rdfs:label "Red Corner" ; :stallNumber 11 ; :at :spring ; :rentedBy :ann .
:s2 a :Stall ; rdfs:label "Blue Corner" ; :stallNumber 12 ; :at :spring ; :rentedBy :bob .
:s3 a :Stall ; rdfs:label "Old Gate" ; :stallNumber 13 ; :at :spring ; :rentedBy :ann .
:s4 a :Stall ; rdfs:label "New Gate" ; :stallNumber 14 ; :at :autumn ; :rentedBy :bob .
:ann a :Dealer ; rdfs:label "Ann Lee" . :bob a :Dealer ; rdfs:label "Bob Ray" .
:o1 a :Offer ; :on :s1 ; :madeBy :ann . :o2 a :Offer ; :on :s1 ; :madeBy :bob . :o3 a :Offer ; :on :s2 ; :madeBy :ann .
:o4 a :Offer ; :on :s3 ; :madeBy :bob . :o5 a :Offer ; :on :s4 ; :madeBy :ann . :o6 a :Offer ; :on :s4 ; :madeBy :bob .
"""


@pytest.fixture(scope="module")
def sales(open_reading: Callable[[str, str], Reading]) -> Reading:
    return open_reading("sales.ttl", SALES)


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("What is the average number of stalls per fair?", {("2",)}),
        ("What is the average number of offers per stall?", {("1.5",)}),
        ("How many stalls does a fair have on average?", {("2",)}),
        ("On average, how many offers does each stall have?", {("1.5",)}),
        ("What is the average number of helpers per fair?", {("20",)}),
        ("How many helpers does a fair have on average?", {("20",)}),
        ("What is the average stall number?", {("12.5",)}),
    ],
)
def test_an_average_number_of_things_is_that_of_how_many_there_are_for_each(
    sales: Reading, question: str, found: object
) -> None:
    assert sales.found(question) == found


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("Which offers were made on the Red Corner?", {("o1",), ("o2",)}),
        ("How many offers were made on the New Gate?", {("2",)}),
        ("Which offers were made by Ann Lee?", {("o1",), ("o3",), ("o5",)}),
        ("How many dealers had offers on the New Gate?", {("2",)}),
    ],
)
def test_what_was_done_to_a_thing_is_not_what_somebody_did_who_has_it(
    sales: Reading, question: str, found: object
) -> None:
    assert sales.found(question) == found


CLASHES = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .

:Paint rdfs:label "paint" . :Clash rdfs:label "paint clash" . :between rdfs:label "clash participant" .
:degree rdfs:label "degree" . :Degree rdfs:label "degree" . :pot rdfs:label "pot" . :Pot rdfs:label "pot" .
:ochre a :Paint ; rdfs:label "ochre" ; :pot :tin . :umber a :Paint ; rdfs:label "umber" ; :pot :tin .
:azure a :Paint ; rdfs:label "azure" ; :pot :jar . :tin a :Pot ; rdfs:label "tin pot" . :jar a :Pot ; rdfs:label "jar" .
:c1 a :Clash ; :between :ochre , :umber ; :degree "strong" .
:c2 a :Clash ; :between :azure , :ochre ; :degree "weak" .
:c3 a :Clash ; :between :azure , :scarlet ; :degree "strong" . :scarlet a :Paint ; rdfs:label "scarlet" .
"""


def test_a_value_of_what_links_two_things_is_that_of_one_node(open_reading: Callable[[str, str], Reading]) -> None:
    clashes = open_reading("clashes.ttl", CLASHES)
    assert clashes.found("What is the degree of the clash between ochre and umber?") == {("strong",)}
    asked = "What is the degree of the clash between umber and scarlet?"
    assert not any(one.result.rows and not one.broken for one in clashes.read(asked).ranked)


DOSES = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .

:Herb rdfs:label "herb" . :Unit rdfs:label "unit" . :dose rdfs:label "dose" . :weight rdfs:label "dry weight" .
:amount rdfs:label "amount" . :unit rdfs:label "unit" . :stove rdfs:label "dryer" . :note rdfs:label "note" .
:sage a :Herb ; rdfs:label "sage" ; :dose :n01 ; :weight [ :amount 7 ; :unit :gram ] ; :stove :D01 .
:mint a :Herb ; rdfs:label "mint" ; :dose :n02 ; :weight [ :amount 9 ; :unit :gram ] ; :stove :D01 .
:n01 :amount 30 ; :unit :drop . :n02 :amount 20 ; :unit :gram . :D01 :amount 3 ; :unit :drop .
:gram a :Unit ; rdfs:label "gram" . :drop a :Unit ; rdfs:label "drop" .
[] :note "wet" .
"""


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("What is the dose of sage?", {("30", "drop")}),
        ("What is the dry weight of mint?", {("9", "gram")}),
        ("What is the dryer of mint?", {("D01",)}),
    ],
)
def test_a_thing_that_is_a_number_and_a_unit_is_told_by_these(
    open_reading: Callable[[str, str], Reading], question: str, found: object
) -> None:
    assert open_reading("doses.ttl", DOSES).found(question) == found
