"""Everyday questions in French and Spanish over graphs with names in these languages."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

import pytest

from tests.lexical.composition.conftest import labels
from triad.agent import Agent

pytestmark = pytest.mark.slow(0.2)

THIS_YEAR = date.today().year

LEAGUE = f"""
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:Joueuse rdfs:label "joueuse"@fr . :Match rdfs:label "match"@fr . :Arbitre rdfs:label "arbitre"@fr .
:Pays rdfs:label "pays"@fr . :nationalite rdfs:label "nationalité"@fr . :taille rdfs:label "taille"@fr .
:buts rdfs:label "buts"@fr . :naissance rdfs:label "date de naissance"@fr . :arbitre rdfs:label "arbitre"@fr .
:poste rdfs:label "poste"@fr .
:no a :Pays ; rdfs:label "Norvège"@fr . :dk a :Pays ; rdfs:label "Danemark"@fr .
:mette a :Joueuse ; rdfs:label "Mette Hansen"@fr ; :nationalite :dk ; :taille 178 ; :buts 40 ; :poste "pivot" ;
  :naissance "{THIS_YEAR - 35}-01-01"^^xsd:date .
:nora a :Joueuse ; rdfs:label "Nora Berge"@fr ; :nationalite :no ; :taille 170 ; :buts 25 ; :poste "ailière" ;
  :naissance "{THIS_YEAR - 22}-01-01"^^xsd:date .
:lea a :Joueuse ; rdfs:label "Léa Moreau"@fr ; :taille 168 ; :buts 55 ; :poste "ailière" ;
  :naissance "{THIS_YEAR - 26}-01-01"^^xsd:date .
:claire a :Arbitre ; rdfs:label "Claire Bonnet"@fr . :paul a :Arbitre ; rdfs:label "Paul Vidal"@fr .
:m1 a :Match ; rdfs:label "Metz - Brest"@fr ; :arbitre :claire .
:m2 a :Match ; rdfs:label "Nice - Metz"@fr ; :arbitre :claire .
:m3 a :Match ; rdfs:label "Brest - Nice"@fr ; :arbitre :paul .
"""

STABLE = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:Vaca rdfs:label "vaca"@es . :Granja rdfs:label "granja"@es . :peso rdfs:label "peso"@es .
:vive rdfs:label "vive en"@es .
:norte a :Granja ; rdfs:label "Granja Norte"@es . :sur a :Granja ; rdfs:label "Granja Sur"@es .
:luna a :Vaca ; rdfs:label "Luna"@es ; :peso 500 ; :vive :norte .
:perla a :Vaca ; rdfs:label "Perla"@es ; :peso 600 ; :vive :norte .
:rosa a :Vaca ; rdfs:label "Rosa"@es ; :peso 700 ; :vive :sur .
"""


@pytest.fixture(scope="module")
def league(open_text: Callable[[str], Agent]) -> Agent:
    return open_text(LEAGUE)


@pytest.fixture(scope="module")
def stable(open_text: Callable[[str], Agent]) -> Agent:
    return open_text(STABLE)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("Quelles joueuses sont plus petites que Mette Hansen ?", [["Léa Moreau"], ["Nora Berge"]]),
        ("Quelles joueuses ont marqué plus de buts que Nora Berge ?", [["Léa Moreau"], ["Mette Hansen"]]),
        ("Quelle est la plus grande joueuse ?", [["Mette Hansen"]]),
        ("Quelle est la taille moyenne des joueuses ?", [["172"]]),
        ("nombre moyen de buts", [["40"]]),
        ("Quel âge a Nora Berge ?", [["22"]]),
        ("Quelles joueuses ont plus de 30 ans ?", [["Mette Hansen"]]),
        ("Quelles joueuses ont moins de 25 ans ?", [["Nora Berge"]]),
        ("Quelles joueuses sont norvégiennes ?", [["Nora Berge"]]),
        ("les joueuses danoises", [["Mette Hansen"]]),
        ("matchs par arbitre", [["Claire Bonnet", "2"], ["Paul Vidal", "1"]]),
        ("joueuses par poste", [["1", "pivot"], ["2", "ailière"]]),
        ("Quels matchs ont été arbitrés par Paul Vidal ?", [["Brest - Nice"]]),
    ],
)
def test_french(league: Agent, question: str, rows: list[list[str]]) -> None:
    assert labels(league, question, "fr") == rows


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("¿Qué vacas pesan más que Luna?", [["Perla"], ["Rosa"]]),
        ("¿Cuál es la vaca más pesada?", [["Rosa"]]),
        ("¿Cuál es el peso medio de las vacas?", [["600"]]),
        ("vacas por granja", [["Granja Norte", "2"], ["Granja Sur", "1"]]),
    ],
)
def test_spanish(stable: Agent, question: str, rows: list[list[str]]) -> None:
    assert labels(stable, question, "es") == rows
