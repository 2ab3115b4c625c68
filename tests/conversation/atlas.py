"""Lands, rivers, people and books: a graph small enough to check by eye, for dialogues without a model."""

from __future__ import annotations

__all__ = ["ATLAS"]

ATLAS = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .

:Country rdfs:label "country"@en . :City rdfs:label "city"@en . :River rdfs:label "river"@en .
:Person rdfs:label "person"@en .
:Writer rdfs:label "writer"@en ; rdfs:subClassOf :Person . :Book rdfs:label "book"@en .
:Novel rdfs:label "novel"@en ; rdfs:subClassOf :Book .
:capital rdfs:label "capital"@en . :area rdfs:label "area"@en . :population rdfs:label "population"@en .
:borders rdfs:label "borders"@en .
:country rdfs:label "country"@en . :mayor rdfs:label "mayor"@en . :length rdfs:label "length"@en .
:through rdfs:label "flows through"@en .
:author rdfs:label "author"@en . :published rdfs:label "publication date"@en . :genre rdfs:label "genre"@en .
:pages rdfs:label "number of pages"@en .
:birthDate rdfs:label "birth date"@en . :birthPlace rdfs:label "birth place"@en . :gender rdfs:label "gender"@en .
:spouse rdfs:label "spouse"@en .

:de a :Country ; rdfs:label "Germany"@en ; :capital :berlin ; :area 357588 ; :population 83000000 ;
  :borders :fr, :at .
:fr a :Country ; rdfs:label "France"@en ; :capital :paris ; :area 643801 ; :population 68000000 ;
  :borders :de, :it, :es .
:it a :Country ; rdfs:label "Italy"@en ; :capital :rome ; :area 302073 ; :population 59000000 ; :borders :fr, :at .
:at a :Country ; rdfs:label "Austria"@en ; :capital :vienna ; :area 83879 ; :population 9000000 ; :borders :de, :it .
:es a :Country ; rdfs:label "Spain"@en ; :capital :madrid ; :area 505990 ; :population 48000000 ; :borders :fr .

:berlin a :City ; rdfs:label "Berlin"@en ; :country :de ; :population 3700000 ; :mayor :wegner .
:munich a :City ; rdfs:label "Munich"@en ; :country :de ; :population 1500000 .
:paris a :City ; rdfs:label "Paris"@en ; :country :fr ; :population 2100000 ; :mayor :hidalgo .
:rome a :City ; rdfs:label "Rome"@en ; :country :it ; :population 2750000 .
:vienna a :City ; rdfs:label "Vienna"@en ; :country :at ; :population 2000000 .
:madrid a :City ; rdfs:label "Madrid"@en ; :country :es ; :population 3300000 .
:linz a :City ; rdfs:label "Linz"@en ; :country :at .

:rhine a :River ; rdfs:label "Rhine"@en ; :through :de, :fr ; :length 1233 .
:danube a :River ; rdfs:label "Danube"@en ; :through :de, :at ; :length 2850 .
:elbe a :River ; rdfs:label "Elbe"@en ; :through :de ; :length 1094 .
:seine a :River ; rdfs:label "Seine"@en ; :through :fr ; :length 777 .
:po a :River ; rdfs:label "Po"@en ; :through :it ; :length 652 .

:wegner a :Person ; rdfs:label "Kai Wegner"@en ; :gender "male"@en ; :birthDate "1972-09-15"^^xsd:date ;
  :birthPlace :berlin .
:hidalgo a :Person ; rdfs:label "Anne Hidalgo"@en ; :gender "female"@en ; :birthDate "1959-06-19"^^xsd:date ;
  :birthPlace :madrid .
:zweig a :Writer ; rdfs:label "Stefan Zweig"@en ; :gender "male"@en ; :birthDate "1881-11-28"^^xsd:date ;
  :birthPlace :vienna ; :spouse :lotte .
:lotte a :Person ; rdfs:label "Lotte Altmann"@en ; :gender "female"@en ; :birthDate "1908-05-05"^^xsd:date .
:eco a :Writer ; rdfs:label "Umberto Eco"@en ; :gender "male"@en ; :birthDate "1932-01-05"^^xsd:date .
:sagan a :Writer ; rdfs:label "Françoise Sagan"@en ; :gender "female"@en ; :birthDate "1935-06-21"^^xsd:date .

:chess a :Novel ; rdfs:label "The Royal Game"@en ; :author :zweig ; :published "1942-01-01"^^xsd:date ;
  :genre "novella"@en ; :pages 100 .
:amok a :Novel ; rdfs:label "Amok"@en ; :author :zweig ; :published "1922-01-01"^^xsd:date ; :genre "novella"@en ;
  :pages 150 .
:yesterday a :Book ; rdfs:label "The World of Yesterday"@en ; :author :zweig ; :published "1942-06-01"^^xsd:date ;
  :genre "memoir"@en ; :pages 480 .
:rose a :Novel ; rdfs:label "The Name of the Rose"@en ; :author :eco ; :published "1980-09-01"^^xsd:date ;
  :genre "mystery"@en ; :pages 512 .
:pendulum a :Novel ; rdfs:label "Foucault's Pendulum"@en ; :author :eco ; :published "1988-10-01"^^xsd:date ;
  :genre "mystery"@en ; :pages 623 .
:bonjour a :Novel ; rdfs:label "Bonjour Tristesse"@en ; :author :sagan ; :published "1954-03-15"^^xsd:date ;
  :genre "romance"@en ; :pages 154 .
:georgia_state a :Country ; rdfs:label "Georgia"@en ; :area 69700 ; :population 3700000 ; :capital :tbilisi .
:georgia_city a :City ; rdfs:label "Georgia"@en ; :population 4300 .
:tbilisi a :City ; rdfs:label "Tbilisi"@en ; :population 1200000 .
"""
