"""Common nouns that are a word of a name or of an address, and people who are counted."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.lexical.composition.conftest import Reading

pytestmark = pytest.mark.slow(0.2)

PARK = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .

:Shrub rdfs:label "shrub"@en , "arbusto"@es . :Bed rdfs:label "bed"@en . :Keeper rdfs:label "keeper"@en .
:grows rdfs:label "grows in" . :mail rdfs:label "e-mail" . :lead rdfs:label "run by" .
:Nursery rdfs:label "nursery" . :staff rdfs:label "number of employees" . :owner rdfs:label "owner" .
:Licence rdfs:label "licence" . :of rdfs:label "licence of" . :Person rdfs:label "person" .
:b1 a :Bed ; rdfs:label "Garden of Scents" ; :lead :ann . :b2 a :Bed ; rdfs:label "Jardín de Aromas" ; :lead :bob .
:s1 a :Shrub ; rdfs:label "lilac" ; :grows :b1 . :s2 a :Shrub ; rdfs:label "jasmine" ; :grows :b2 .
:ann a :Keeper ; rdfs:label "Ann Lee" ; :mail "ann@harley-auctions.example" .
:bob a :Keeper ; rdfs:label "Bob Ray" ; :mail "bob@harley-auctions.example" .
:n1 a :Nursery ; rdfs:label "Greenleaf" ; :staff 40 ; :owner :eve . :eve a :Person ; rdfs:label "Eve Orr" .
:n2 a :Nursery ; rdfs:label "Redroot" ; :staff 70 ; :owner :eve .
:l1 a :Licence ; rdfs:label "City licence of Greenleaf" ; :of :n1 .
:l2 a :Licence ; rdfs:label "State licence of Greenleaf" ; :of :n1 .
"""


@pytest.fixture(scope="module")
def park(open_reading: Callable[[str, str], Reading]) -> Reading:
    return open_reading("park.ttl", PARK)


def is_sure(park: Reading, question: str, language: str = "en") -> bool:
    """Return whether any reading accounts for all words."""
    ranked = park.read(question, language).ranked
    return any(not (one.broken or one.missed or one.result.is_empty) for one in ranked)


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("How many shrubs are there in the garden?", "en"),
        ("¿Cuántos arbustos hay en el jardín?", "es"),
        ("How many auctions are there?", "en"),
        ("What is Greenleaf used for?", "en"),
    ],
)
def test_a_common_noun_is_not_what_only_has_it_in_its_name(park: Reading, question: str, language: str) -> None:
    assert not is_sure(park, question, language)


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("How many shrubs are there in the Garden of Scents?", {("1",)}),
        ("How many people does Greenleaf employ?", {("40",)}),
        ("How many people are employed at Redroot?", {("70",)}),
        ("Which nursery employs 70 people?", {("n2",)}),
    ],
)
def test_whole_names_and_values_with_their_class_are_meant_and_employees_are_people(
    park: Reading, question: str, found: object
) -> None:
    assert park.found(question) == found
