"""Amounts: the numbers of things without names, and bounds in another unit."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.lexical.composition.conftest import Reading

pytestmark = pytest.mark.slow(0.2)

SOUPS = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .

:Soup rdfs:label "soup" . :Root rdfs:label "root" . :part rdfs:label "part" . :of rdfs:label "of" .
:quantity rdfs:label "quantity" . :boilMinutes rdfs:label "boil minutes" .
:borscht a :Soup ; rdfs:label "Borscht" ; :boilMinutes 150 ;
  :part [ :of :beet ; :quantity 400 ] , [ :of :leek ; :quantity 2 ] .
:chowder a :Soup ; rdfs:label "Chowder" ; :boilMinutes 40 ; :part [ :of :leek ; :quantity 3 ] .
:grains rdfs:label "grains" . :borscht :grains 1234567 . :chowder :grains 1234570 .
:beet a :Root ; rdfs:label "beet" . :leek a :Root ; rdfs:label "leek" .
"""


@pytest.fixture(scope="module")
def soups(open_reading: Callable[[str, str], Reading]) -> Reading:
    return open_reading("soups.ttl", SOUPS)


@pytest.mark.parametrize(
    ("question", "amount"), [("How much beet is in the Borscht?", "400"), ("How much leek is in the Chowder?", "3")]
)
def test_how_much_of_a_thing_another_one_has_is_the_number_of_what_links_them(
    soups: Reading, question: str, amount: str
) -> None:
    assert soups.found(question) == {(amount,)}


def test_a_bound_is_in_the_unit_of_the_relation(soups: Reading) -> None:
    assert soups.found("Which soups boil for more than 2 hours?") == {("borscht",)}


def test_a_number_is_held_against_all_of_its_figures(soups: Reading) -> None:
    assert soups.found("Which soup has 1234567 grains?") == {("borscht",)}
