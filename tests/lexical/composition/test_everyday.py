"""What people ask of a company's data every day, over a graph whose IRIs are its only names."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from triad.agent import Agent
from triad.errors import AnswerError

pytestmark = pytest.mark.slow(0.1)

BREWERY = """
@prefix : <http://example.org/> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:pale_moon a :Beer ; :price_eur 1.80 ; :isOrganic true ; :seasonal false ;
  :uses_hop :Citra, :Saaz ; :brewer :ann_lee .
:dark_tide a :Beer ; :price_eur 2.50 ; :isOrganic false ; :seasonal true ;
  :uses_hop :Saaz ; :brewer :ann_lee .
:winter_oak a :Beer ; :price_eur 2.90 ; :isOrganic true ; :seasonal true ; :uses_hop :Citra ; :brewer :bo_falk .
:plain_hill a :Beer ; :price_eur 1.50 ; :isOrganic false ; :seasonal false ; :brewer :bo_falk .
:Citra a :Hop ; :grown_in "USA" ; :units_in_stock 0 . :Saaz a :Hop ; :grown_in "Czechia" ; :units_in_stock 45 .
:Nelson a :Hop ; :grown_in "New Zealand" ; :units_in_stock 12 .
:ann_lee a :Employee ; :job_title "brewer" ; :salary_eur 43000 ; :speaks "German", "English" ; :works_for :Oak_Brewery .
:bo_falk a :Employee ; :job_title "head brewer" ; :salary_eur 61000 ; :speaks "German" ; :works_for :Oak_Brewery .
:cy_dent a :Employee ; :job_title "driver" ; :salary_eur 33000 ; :speaks "German", "English", "Polish" ;
  :works_for :Hill_Pub .
:dee_orr a :Employee ; :job_title "driver" ; :salary_eur 35000 ; :works_for :Hill_Pub .
:Oak_Brewery a :Brewery ; :founded_on "1999-01-01"^^xsd:date .
:Lake_Inn a :Brewery ; :founded_on "2021-03-01"^^xsd:date ; :closing_date "2999-12-31"^^xsd:date ; :elevation_m 0 .
:Hill_Pub a :Brewery ; :elevation_m 300 ; :founded_on "2004-05-01"^^xsd:date ; :closing_date "2020-03-01"^^xsd:date .
"""


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Who works for Hill Pub?", {"cy dent", "dee orr"}),
        ("Who is the head brewer?", {"bo falk"}),
        ("Who has the highest salary?", {"bo falk"}),
        ("Who has the lowest salary?", {"cy dent"}),
        ("What is the highest salary?", {"61000"}),
        ("What has the lowest price?", {"plain hill"}),
        ("Who speaks the most languages?", {"cy dent"}),
        ("Which employees speak more than one language?", {"ann lee", "cy dent"}),
        ("Which employees speak at least three languages?", {"cy dent"}),
        ("Which beers are seasonal and organic?", {"winter oak"}),
        ("Which beers are seasonal or organic?", {"pale moon", "dark tide", "winter oak"}),
        ("Which organic and seasonal beers are there?", {"winter oak"}),
        ("Which beers are organic but not seasonal?", {"pale moon"}),
        ("Which hops are in stock?", {"Saaz", "Nelson"}),
        ("Which hops are out of stock?", {"Citra"}),
        ("Which breweries are still open?", {"Oak Brewery", "Lake Inn"}),
        ("Which breweries have an elevation?", {"Lake Inn", "Hill Pub"}),
        ("no. of employees", {"4"}),
        ("Who brewed Dark Tide?", {"ann lee"}),
        ("Which beers did Bo Falk brew?", {"winter oak", "plain hill"}),
        ("Who earns more, Ann Lee or Bo Falk?", {"bo falk"}),
        ("Who earns the least, Ann Lee or Bo Falk?", {"ann lee"}),
        ("How much more does Bo Falk earn than Ann Lee?", {"18000"}),
        ("What is the difference in salary between Bo Falk and Ann Lee?", {"18000"}),
        ("What is the salary difference between Ann Lee and Cy Dent?", {"10000"}),
        ("How much less does Cy Dent earn than Ann Lee?", {"10000"}),
    ],
)
def test_ordinary_questions_are_answered(open_text: Callable[[str], Agent], question: str, expected: set[str]) -> None:
    found = open_text(BREWERY).ask(question)
    assert {value.label for value in found.values} == expected
    assert found.confidence >= 0.5


@pytest.mark.parametrize("order", ["by salary descending", "by salary, highest first", "by salary, best paid first"])
def test_things_stand_in_the_order_of_what_stands_behind_by(open_text: Callable[[str], Agent], order: str) -> None:
    found = open_text(BREWERY).ask(f"List employees {order}.")
    assert [str(row[0]) for row in found.rows] == ["bo falk", "ann lee", "dee orr", "cy dent"]


def test_the_most_expensive_stand_first(open_text: Callable[[str], Agent]) -> None:
    found = open_text(BREWERY).ask("List beers by price, most expensive first")
    assert [str(row[0]) for row in found.rows] == ["winter oak", "dark tide", "pale moon", "plain hill"]


@pytest.mark.parametrize(("question", "expected"), [("Is Citra in stock?", False), ("Is Saaz in stock?", True)])
def test_what_there_is_none_of_is_not_there(open_text: Callable[[str], Agent], question: str, expected: bool) -> None:
    assert open_text(BREWERY).ask(question).boolean is expected


@pytest.mark.parametrize("question", ["Who is the tailor of Pale Moon?", "How many children does Ann Lee have?"])
def test_what_a_word_hardly_means_is_a_guess(open_text: Callable[[str], Agent], question: str) -> None:
    with pytest.raises(AnswerError):
        open_text(BREWERY).ask(question)
