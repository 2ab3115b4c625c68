"""Times: what was this year, what still lasts or has expired, and from where to where."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta

import pytest

from triad.agent import Agent
from triad.questions import Question

pytestmark = pytest.mark.slow(0.1)


def office(today: date) -> str:
    """Return what an office has of late; it is made when it is asked about, for a run may last over midnight."""
    ahead = today + timedelta(days=500)
    return f"""
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:Server rdfs:label "Server"@de, "server"@en . :Licence rdfs:label "Lizenz"@de, "licence"@en .
:Clerk rdfs:label "Mitarbeiter"@de . :Ticket rdfs:label "Störung"@de .
:warranty rdfs:label "Garantie bis"@de, "warranty until"@en . :expires rdfs:label "läuft ab am"@de, "expires on"@en .
:hired rdfs:label "eingestellt am"@de . :status rdfs:label "Status"@de . :price rdfs:label "Preis"@de .
:reported rdfs:label "gemeldet am"@de . :superior rdfs:label "Vorgesetzter"@de .
:s1 a :Server ; rdfs:label "SRV-A01" ; :warranty "{ahead}"^^xsd:date ; :price 4000 .
:s2 a :Server ; rdfs:label "SRV-B01" ; :warranty "2015-01-01"^^xsd:date ; :price 6000 .
:l1 a :Licence ; rdfs:label "Office" ; :expires "{ahead}"^^xsd:date .
:l2 a :Licence ; rdfs:label "GeoCAD" ; :expires "2019-06-30"^^xsd:date .
:k1 a :Car ; rdfs:label "KA 1" ; :rented "2019-06-30"^^xsd:date . :rented rdfs:label "rented until"@en .
:k2 a :Car ; rdfs:label "KA 2" ; :rented "{ahead}"^^xsd:date . :Car rdfs:label "car"@en .
:c1 a :Clerk ; rdfs:label "Jens Vogt" ; :hired "{today}"^^xsd:date .
:c2 a :Clerk ; rdfs:label "Anna Berg" ; :hired "{today.year - 1}-05-01"^^xsd:date ; :superior :c1 .
:t1 a :Ticket ; rdfs:label "Störung 1" ; :status "offen" ; :reported "2020-10-05T08:15:00"^^xsd:dateTime .
:t2 a :Ticket ; rdfs:label "Störung 2" ; :status "gelöst" ; :reported "2020-10-20T09:00:00"^^xsd:dateTime .
"""


AIRLINE = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:Flight rdfs:label "flight" . :Airport rdfs:label "airport" . :City rdfs:label "city" .
:departureAirport rdfs:label "departure airport" . :arrivalAirport rdfs:label "arrival airport" .
:departureTime rdfs:label "departure time" . :arrivalTime rdfs:label "arrival time" . :city rdfs:label "city" .
:delay rdfs:label "delay (minutes)" .
:oslo a :City ; rdfs:label "Oslo" . :ulm a :City ; rdfs:label "Ulm" . :bern a :City ; rdfs:label "Bern" .
:osl a :Airport ; rdfs:label "Gardermoen" ; :city :oslo . :ulx a :Airport ; rdfs:label "Donaufeld" ; :city :ulm .
:brn a :Airport ; rdfs:label "Belp" ; :city :bern .
:f1 a :Flight ; rdfs:label "NW 1" ; :departureAirport :osl ; :arrivalAirport :ulx ; :delay 0 ;
  :departureTime "2020-05-01T08:00:00"^^xsd:dateTime ; :arrivalTime "2020-05-01T10:30:00"^^xsd:dateTime .
:f2 a :Flight ; rdfs:label "NW 2" ; :departureAirport :ulx ; :arrivalAirport :osl ; :delay 25 ;
  :departureTime "2020-05-02T12:00:00"^^xsd:dateTime ; :arrivalTime "2020-05-02T14:30:00"^^xsd:dateTime .
:f3 a :Flight ; rdfs:label "NW 3" ; :departureAirport :osl ; :arrivalAirport :brn ;
  :departureTime "2020-06-03T16:00:00"^^xsd:dateTime ; :arrivalTime "2020-06-03T18:00:00"^^xsd:dateTime .
"""


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Wer wurde dieses Jahr eingestellt?", {"Jens Vogt"}),
        ("Wer wurde letztes Jahr eingestellt?", {"Anna Berg"}),
        ("Wer wurde heute eingestellt?", {"Jens Vogt"}),
        ("Welche Server haben noch Garantie?", {"SRV-A01"}),
        ("Which servers are still under warranty?", {"SRV-A01"}),
        ("Welche Lizenzen sind abgelaufen?", {"GeoCAD"}),
        ("Which licences have expired?", {"GeoCAD"}),
        ("Wie lange hat SRV-A01 noch Garantie?", {"500"}),
        ("Welche Störungen wurden zwischen dem 1. und dem 15. Oktober 2020 gemeldet?", {"Störung 1"}),
        ("offene Störungen", {"Störung 1"}),
        ("Gesamtpreis der Server", {"10000"}),
        ("Durchschnittspreis der Server", {"5000"}),
        ("Wer ist der Vorgesetzte von Anna Berg?", {"Jens Vogt"}),
        ("Which cars are rented?", {"KA 1", "KA 2"}),
    ],
)
def test_the_time_of_day_counts(open_text: Callable[[str], Agent], question: str, expected: set[str]) -> None:
    language = "en" if question.startswith("Which") else "de"
    found = open_text(office(date.today())).ask(Question(question, language))
    assert {value.label or str(value) for value in found.values} == expected
    assert found.confidence >= 0.5


@pytest.mark.parametrize(("server", "expected"), [("SRV-A01", True), ("SRV-B01", False)])
def test_a_warranty_that_is_over_is_none(open_text: Callable[[str], Agent], server: str, expected: bool) -> None:
    assert open_text(office(date.today())).ask(Question(f"Hat {server} noch Garantie?", "de")).boolean is expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Which flights from Oslo are there?", {"NW 1", "NW 3"}),
        ("Which flights go to Oslo?", {"NW 2"}),
        ("Which flights were delayed?", {"NW 2"}),
        ("Which flights were not delayed?", {"NW 1", "NW 3"}),
    ],
)
def test_a_way_has_two_ends(open_text: Callable[[str], Agent], question: str, expected: set[str]) -> None:
    assert {value.label for value in open_text(AIRLINE).ask(question).values} == expected


@pytest.mark.parametrize(
    ("start", "end", "expected"), [("Oslo", "Ulm", True), ("Oslo", "Bern", True), ("Ulm", "Bern", False)]
)
def test_two_ends_are_not_one_place(open_text: Callable[[str], Agent], start: str, end: str, expected: bool) -> None:
    assert open_text(AIRLINE).ask(f"Is there a flight from {start} to {end}?").boolean is expected


def test_what_takes_off_leaves(open_text: Callable[[str], Agent]) -> None:
    assert str(open_text(AIRLINE).ask("What time did NW 1 take off?").values[0]) == "2020-05-01T08:00:00"
