"""Numbers of things held against each other, what named things have in common, and what is so or is not."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from triad.agent import Agent
from triad.errors import AnswerError

pytestmark = pytest.mark.slow(0.2)

SCHOOL = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .

:Painter rdfs:label "painter" . :Town rdfs:label "town" . :Picture rdfs:label "picture" . :Bus rdfs:label "tram" .
:studentOf rdfs:label "student of" . :bornIn rdfs:label "born in" . :height rdfs:label "height" .
:painter rdfs:label "painter" . :framed rdfs:label "framed" . :member rdfs:label "member" .
:stopsIn rdfs:label "stops at" . :Station rdfs:label "station" . :inTown rdfs:label "located in" .
:owner rdfs:label "owner" . :teaches rdfs:label "teaches" . :shown rdfs:label "showing date" .
:a a :Painter ; rdfs:label "Ada Ash" ; :bornIn :ulm ; :height 170 ; :member true .
:b a :Painter ; rdfs:label "Bea Birch" ; :bornIn :kiel ; :height 180 ; :studentOf :a ; :member true .
:c a :Painter ; rdfs:label "Cia Cedar" ; :bornIn :ulm ; :height 170 ; :studentOf :a ; :member false .
:d a :Painter ; rdfs:label "Dea Dogwood" ; :bornIn :kiel ; :studentOf :b ; :member true .
:ulm a :Town ; rdfs:label "Ulm" . :kiel a :Town ; rdfs:label "Kiel" .
:p1 a :Picture ; rdfs:label "Dawn" ; :shown "1901-02-03"^^xsd:date ; :painter :a ; :framed true ; :owner :b .
:p2 a :Picture ; rdfs:label "Dusk" ; :shown "1900-02-03"^^xsd:date ; :painter :b ; :framed false ; :owner :b .
:p3 a :Picture ; rdfs:label "Noon" ; :painter :c ; :framed true ; :owner :a .
:s1 a :Station ; rdfs:label "Main Street" ; :inTown :ulm . :s2 a :Station ; rdfs:label "Harbour" ; :inTown :kiel .
:a :teaches :b . :b :teaches :d .
:x a :Bus ; rdfs:label "Line One" ; :stopsIn :s1 , :s2 . :y a :Bus ; rdfs:label "Line Two" ; :stopsIn :s1 .
:z a :Bus ; rdfs:label "Line Three" . :Operator rdfs:label "operator" . :parent rdfs:label "parent company" .
:o a :Operator ; rdfs:label "Trams United" ; :parent :q . :q a :Operator ; rdfs:label "Rail Group" .
:operatedBy rdfs:label "operated by" . :x :operatedBy :q . :y :operatedBy :o . :z :operatedBy :o .
"""


@pytest.fixture(scope="module")
def school(open_text: Callable[[str], Agent]) -> Agent:
    return open_text(SCHOOL)


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("Are there more painters than towns?", True),
        ("Are there more towns than painters?", False),
        ("Is Ada Ash as tall as Cia Cedar?", True),
        ("Is Ada Ash as tall as Bea Birch?", False),
        ("Does Line One have stations?", True),
        ("Does Line Three have stations?", False),
        ("Is Main Street in a town?", True),
        ("Is Main Street a town?", False),
        ("Is Main Street a station?", True),
        ("Are there fewer towns than painters?", True),
        ("Are there more painters than pictures?", True),
        ("Are there fewer painters than pictures?", False),
        ("Are there more trams in Ulm than in Kiel?", True),
        ("Are there more trams in Kiel than in Ulm?", False),
        ("Were Ada Ash and Cia Cedar born in the same town?", True),
        ("Were Ada Ash and Bea Birch born in the same town?", False),
        ("Do Ada Ash and Cia Cedar have the same height?", True),
        ("Do Ada Ash and Bea Birch have the same height?", False),
        ("Do Line One and Line Two have the same operator?", False),
        ("Do Line Two and Line Three have the same operator?", True),
        ("Are more than two painters students?", True),
        ("Is Dea Dogwood a student?", True),
        ("Is Ada Ash a student?", False),
        ("Is Bea Birch the student of Ada Ash?", True),
        ("Is Ada Ash the student of Bea Birch?", False),
        ("Is Bea Birch a student of Ada Ash?", True),
        ("Is Ada Ash a student of Bea Birch?", False),
        ("Is Bea Birch Dea Dogwood's student?", False),
        ("Is Dea Dogwood Bea Birch's student?", True),
    ],
)
def test_what_is_held_against_each_other(school: Agent, question: str, found: bool) -> None:
    assert school.ask(question).boolean is found


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("Which painters had no students?", ["Cia Cedar", "Dea Dogwood"]),
        ("Which painter had the most students?", ["Ada Ash"]),
        ("How many students did Ada Ash have?", ["2"]),
        ("Whose student is Bea Birch?", ["Ada Ash"]),
        ("Which painters are as tall as Ada Ash?", ["Cia Cedar"]),
        ("Whose student was Dea Dogwood?", ["Bea Birch"]),
        ("Which painters are not taught?", ["Ada Ash", "Cia Cedar"]),
        ("Which painters are taught?", ["Bea Birch", "Dea Dogwood"]),
        ("Who is not taught?", ["Ada Ash", "Cia Cedar"]),
        ("Which picture was shown first?", ["Dusk"]),
        ("Which picture was shown last?", ["Dawn"]),
        ("Which painters are students?", ["Bea Birch", "Cia Cedar", "Dea Dogwood"]),
        ("Which painters are students of a student of Ada Ash?", ["Dea Dogwood"]),
        ("Which pictures have a student of Ada Ash as painter?", ["Dusk", "Noon"]),
        ("Who is Bea Birch's student?", ["Dea Dogwood"]),
        ("Who was Bea Birch a student of?", ["Ada Ash"]),
        ("Who are Ada Ash's students?", ["Bea Birch", "Cia Cedar"]),
        ("How many framed pictures are there?", ["2"]),
        ("List all framed pictures.", ["Dawn", "Noon"]),
        ("How many members are there?", ["3"]),
        ("Which trams stop in Ulm but not in Kiel?", ["Line Two"]),
        ("Which tram stops at more stations?", ["Line One"]),
        ("Which tram stops at fewer stations?", ["Line Two"]),
        ("Which painter is taller?", ["Bea Birch"]),
        ("Which trams stop at more stations than Line Two?", ["Line One"]),
    ],
)
def test_what_is_so_and_what_is_not(school: Agent, question: str, found: list[str]) -> None:
    assert sorted(value.label for value in school.ask(question).values) == found


MASTERS = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:Potter rdfs:label "potter" . :apprenticeOf rdfs:label "apprentice of" . :joined rdfs:label "joined on" .
:a a :Potter ; rdfs:label "Ann Alder" ; :joined "1998-04-12"^^<http://www.w3.org/2001/XMLSchema#date> .
:b a :Potter ; rdfs:label "Ben Birch" ; :apprenticeOf :a . :c a :Potter ; rdfs:label "Cid Cedar" ; :apprenticeOf :a .
"""


@pytest.mark.parametrize("question", ["Whose apprentice is Ann Alder?", "How old is Ann Alder?"])
def test_what_has_no_answer_is_not_answered_by_the_other_end_or_another_date(
    open_text: Callable[[str], Agent], question: str
) -> None:
    with pytest.raises(AnswerError):
        open_text(MASTERS).ask(question)


def test_that_all_have_some_is_no_reason_for_a_longer_way(school: Agent) -> None:
    with pytest.raises(AnswerError):  # all have a painter who was born there, and not all somebody who owns a picture
        school.ask("Which towns have no painters?")


TRAINS = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:Train rdfs:label "train" . :Station rdfs:label "station" . :callsAt rdfs:label "calls at" . :isle rdfs:label "isle" .
:a a :Train ; rdfs:label "Alma" ; :callsAt :p , :q . :b a :Train ; rdfs:label "Bera" ; :callsAt :p .
:p a :Station ; rdfs:label "Old Pier" ; :isle "Skye" . :q a :Station ; rdfs:label "New Pier" ; :isle "Mull" .
:r a :Station ; rdfs:label "Last Pier" ; :isle "Mull" .
"""


@pytest.mark.parametrize(
    ("question", "count"), [("How many train stations are there?", "3"), ("How many train stations are in Mull?", "2")]
)
def test_a_noun_that_says_the_kind_of_things_asks_for_no_others(
    open_text: Callable[[str], Agent], question: str, count: str
) -> None:
    assert list(map(str, open_text(TRAINS).ask(question).values)) == [count]


PARKS = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:Tree rdfs:label "tree" . :wood rdfs:label "wood" . :park rdfs:label "park" .
:a a :Tree ; rdfs:label "A1" ; :wood "oak" ; :park "Hill Park" . :b a :Tree ; rdfs:label "A2" ; :wood "oak" .
:c a :Tree ; rdfs:label "A3" ; :wood "oak" ; :park "Lake Park" . :d a :Tree ; rdfs:label "A4" ; :wood "oak" .
:e a :Tree ; rdfs:label "B1" ; :wood "birch" ; :park "Hill Park" . :f a :Tree ; rdfs:label "B2" ; :wood "birch" .
:g a :Tree ; rdfs:label "B3" ; :wood "birch" ; :park "Hill Park" . :h a :Tree ; rdfs:label "B4" ; :wood "birch" .
:i a :Tree ; rdfs:label "B5" ; :wood "birch" ; :park "Hill Park" .
"""


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("Are there more oaks than birches?", False),
        ("Are there more birches than oaks?", True),
        ("Are there fewer oaks than birches?", True),
        ("Are there more oak trees than birch trees?", False),
        ("Are there more trees in Hill Park than in Lake Park?", True),
        ("Are there more trees in Lake Park than in Hill Park?", False),
    ],
)
def test_numbers_of_things_that_values_name_are_held_against_each_other(
    open_text: Callable[[str], Agent], question: str, found: bool
) -> None:
    answer = open_text(PARKS).ask(question)
    assert (answer.boolean, (answer.query or "").count("COUNT")) == (found, 2)
