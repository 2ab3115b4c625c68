"""Words that connect and say no more, words that do say more, and words that nothing is connected by."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from triad.agent import Agent
from triad.errors import AnswerError
from triad.language.analysis import analyse
from triad.language.pack import load_pack
from triad.lexical.narrowing import dangling

pytestmark = pytest.mark.slow(0.3)

CAMPS = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .

:Dig rdfs:label "dig" . :Person rdfs:label "person" . :Member rdfs:label "member" . :Duty rdfs:label "duty" .
:Site rdfs:label "site" . :Tool rdfs:label "tool" . :Canyon rdfs:label "canyon" . :Crate rdfs:label "crate" .
:dig rdfs:label "dig" . :who rdfs:label "person" . :role rdfs:label "role" . :days rdfs:label "length in days" .
:hired rdfs:label "hire date" . :birthday rdfs:label "birthday" . :joined rdfs:label "joined" .
:site rdfs:label "site" . :tool rdfs:label "tool" . :place rdfs:label "place" . :offered rdfs:label "offered price" .
:price rdfs:label "price" . :title rdfs:label "title" . :town rdfs:label "town" . :born rdfs:label "born on" .

:d1 a :Dig ; rdfs:label "Dig 1" ; :days 12 ; :place :deep ; :tool :pick , :rake .
:d2 a :Dig ; rdfs:label "Dig 2" ; :days 5 ; :place :deep ; :tool :pick .
:d3 a :Dig ; rdfs:label "Dig 3" ; :days 30 ; :place :long ; :tool :rake .
:deep a :Canyon ; rdfs:label "Deep Canyon" . :long a :Canyon ; rdfs:label "Long Canyon" .
:pick a :Tool ; rdfs:label "pick" . :rake a :Tool ; rdfs:label "rake" . :sieve a :Tool ; rdfs:label "sieve" .
:ann a :Person ; rdfs:label "Ann Birch" ; :hired "2014-06-02"^^xsd:date ; :title "Chief Field Officer" ; :site :ulm .
:bob a :Person ; rdfs:label "Bob Alder" ; :hired "2019-02-18"^^xsd:date ; :title "Surveyor" ; :site :bonn .
:ulm a :Site ; rdfs:label "Ulm Site" ; :town :ulmtown . :bonn a :Site ; rdfs:label "Bonn Site" ; :town :bonntown .
:Town rdfs:label "town" . :ulmtown a :Town ; rdfs:label "Ulm" . :bonntown a :Town ; rdfs:label "Bonn" .
:cid a :Member ; rdfs:label "Cid Ash" ; :birthday "2010-03-01"^^xsd:date ; :joined 2021 .
:dora a :Member ; rdfs:label "Dora Elm" ; :birthday "1985-03-01"^^xsd:date ; :joined 2012 .
:emil a :Member ; rdfs:label "Emil Oak" ; :birthday "1990-07-01"^^xsd:date ; :joined 2015 .
:u1 a :Duty ; :dig :d1 ; :who :ann ; :role "leader" . :u2 a :Duty ; :dig :d1 ; :who :bob ; :role "pilot" .
:u3 a :Duty ; :dig :d2 ; :who :bob ; :role "leader" . :u4 a :Duty ; :dig :d3 ; :who :ann ; :role "leader" .
:c1 a :Crate ; rdfs:label "Crate One" ; :price 50 ; :offered 40 . :c2 a :Crate ; rdfs:label "Crate Two" ; :price 70 .
"""


@pytest.fixture(scope="module")
def camps(open_text: Callable[[str], Agent]) -> Agent:
    return open_text(CAMPS)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Who participated in Dig 1?", {"Ann Birch", "Bob Alder"}),
        ("Who was involved in Dig 1?", {"Ann Birch", "Bob Alder"}),
        ("Which tools were used in Dig 2?", {"pick"}),
        ("Which tools does Dig 2 use?", {"pick"}),
        ("Which crates were offered?", {"Crate One"}),  # the graph calls something so
        ("Who led Dig 2?", {"Bob Alder"}),
        ("Which digs did Ann Birch lead?", {"Dig 1", "Dig 3"}),
        ("How long did Dig 3 last?", {"30 days"}),
        ("Who joined between 2010 and 2016?", {"Dora Elm", "Emil Oak"}),
        ("How many joined in 2021?", {"1"}),
        ("Which member is the oldest?", {"Dora Elm (March 1, 1985)"}),
        ("List all members in the alphabetical order.", {"Cid Ash", "Dora Elm", "Emil Oak"}),
    ],
)
def test_what_only_connects_is_no_condition_but_what_says_more_is(
    camps: Agent, question: str, expected: set[str]
) -> None:
    assert {value.shown for value in camps.ask(question).values} == expected


@pytest.mark.parametrize(
    "question",
    [
        "How old is Ann Birch?",  # that she was hired some day makes her of no age
        "Who is the oldest person?",
        "Who is the chief financial officer?",
        "Who uses Dig 1?",  # no word says how
        "Which tools are used in all digs?",
        "What do all digs need?",
        "Was Ann Birch born in Ulm?",
        "Does Ann Birch live in Ulm?",
        "Did Ann Birch thank Bob Alder?",
        "How long is it?",
        "Who led it?",
        "How many tools does it have?",
    ],
)
def test_words_that_nothing_is_connected_by_make_a_guess(camps: Agent, question: str) -> None:
    with pytest.raises(AnswerError):
        camps.ask(question)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("How much does it cost?", "it"),
        ("How many rooms does it have?", "it"),
        ("Who wrote it?", "it"),
        ("What is her rating?", "her"),
        ("Who is her coach?", "her"),
        ("Which of them are open?", "them"),
        ("Wie viele Einwohner hat sie?", "sie"),
        ("Which films did Lynch direct, and when were they released?", ""),
        ("Which countries have their own currency?", ""),
        ("Which director made her first film in 1999?", ""),
        ("Dune, who directed it?", ""),
        ("Is it Ann who leads the team?", ""),
        ("How long does it take to cook the soup?", ""),
        ("Which shops are there in Ulm?", ""),
        ("Quels vins Anna fait-elle ?", ""),
    ],
)
def test_a_pronoun_dangles_where_nothing_is_named_that_it_could_stand_for(question: str, expected: str) -> None:
    pack = load_pack("de" if "Wie" in question else "fr" if "Quels" in question else "en")
    analysis = analyse(question, pack)
    assert " ".join(analysis.words[at].text for at in dangling(analysis, pack)) == expected


CAMPS_IN_LANGUAGES = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .

:Dig rdfs:label "dig"@en , "Grabung"@de , "excavación"@es , "fouille"@fr , "scavo"@it .
:Tool rdfs:label "tool"@en , "Werkzeug"@de , "herramienta"@es , "outil"@fr , "strumento"@it .
:Person rdfs:label "person"@en , "Person"@de , "persona"@es , "personne"@fr , "persona"@it .
:dig rdfs:label "dig"@en , "Grabung"@de , "excavación"@es , "fouille"@fr , "scavo"@it .
:tool rdfs:label "tool"@en , "Werkzeug"@de , "herramienta"@es , "outil"@fr , "strumento"@it .
:person rdfs:label "person"@en , "Person"@de , "persona"@es , "personne"@fr , "persona"@it .

:d1 a :Dig ; rdfs:label "Ulm" ; :tool :t1 , :t2 . :d2 a :Dig ; rdfs:label "Bonn" ; :tool :t1 .
:t1 a :Tool ; rdfs:label "Brenta" . :t2 a :Tool ; rdfs:label "Kelto" .
:x1 :dig :d1 ; :person :p1 . :x2 :dig :d2 ; :person :p2 .
:p1 a :Person ; rdfs:label "Ann Birch" . :p2 a :Person ; rdfs:label "Bob Alder" .
"""


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Welche Werkzeuge werden in Ulm verwendet?", {"Brenta", "Kelto"}),
        ("Welche Personen haben an Ulm teilgenommen?", {"Ann Birch"}),
        ("¿Qué personas participaron en Ulm?", {"Ann Birch"}),
        ("Quelles personnes ont participé à Ulm ?", {"Ann Birch"}),
        ("Quali persone hanno partecipato a Ulm?", {"Ann Birch"}),
    ],
)
def test_other_languages_have_words_that_only_connect(
    open_text: Callable[[str], Agent], question: str, expected: set[str]
) -> None:
    assert {value.shown for value in open_text(CAMPS_IN_LANGUAGES).ask(question).values} == expected
