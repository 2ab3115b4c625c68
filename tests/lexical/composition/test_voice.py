"""Who does what to whom, between things of one kind."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from triad.agent import Agent
from triad.conversation import Conversation
from triad.errors import AnswerError

pytestmark = pytest.mark.slow(0.2)

CREW = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .

:Engineer rdfs:label "engineer" . :Nation rdfs:label "nation" . :supervisor rdfs:label "supervisor" .
:nation rdfs:label "nation" . :n a :Nation ; rdfs:label "Nordia" . :s a :Nation ; rdfs:label "Sudland" .
:a a :Engineer ; rdfs:label "Anselm Kell" ; :nation :n .
:b a :Engineer ; rdfs:label "Bede Marsh" ; :nation :s ; :supervisor :a .
:c a :Engineer ; rdfs:label "Colman Frey" ; :nation :n ; :supervisor :b .
:d a :Engineer ; rdfs:label "Duns Opitz" ; :nation :s ; :supervisor :b .
:e a :Engineer ; rdfs:label "Egbert Lohr" ; :nation :n ; :supervisor :c .

:Case rdfs:label "case" . :cites rdfs:label "cites" . :overruledBy rdfs:label "overruled by" .
:c1 a :Case ; rdfs:label "Acme v. Zed" . :c2 a :Case ; rdfs:label "Moss v. Quay" ; :cites :c1 .
:c3 a :Case ; rdfs:label "Quay v. Acme" ; :cites :c1 , :c2 .
:c4 a :Case ; rdfs:label "Zed v. Rowe" ; :overruledBy :c3 . :c5 a :Case ; rdfs:label "Rowe v. Lunt" .

:Taster rdfs:label "taster" . :Wine rdfs:label "wine" . :Tasting rdfs:label "tasting" . :Cellar rdfs:label "cellar" .
:tasted rdfs:label "tasted wine" . :tastedBy rdfs:label "taster" . :ownedBy rdfs:label "cellar of" .
:t1 a :Taster ; rdfs:label "Tom Reed" . :w1 a :Wine ; rdfs:label "Old Vine" . :w2 a :Wine ; rdfs:label "Red Hill" .
:g1 a :Tasting ; rdfs:label "first round" ; :tasted :w1 , :w2 ; :tastedBy :t1 .
:k1 a :Cellar ; rdfs:label "Deep Vault" ; :ownedBy :w1 . :mentor rdfs:label "mentor" . :b :mentor :a .
:Rest rdfs:label "rest" . :rests rdfs:label "rests at" . :k2 a :Rest ; rdfs:label "Deep Shelf" . :w1 :rests :k2 .
"""


@pytest.fixture(scope="module")
def crew(open_text: Callable[[str], Agent]) -> Agent:
    return open_text(CREW)


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("Who supervises Bede Marsh?", ["Anselm Kell"]),
        ("Who is Bede Marsh's supervisor?", ["Anselm Kell"]),
        ("Whom does Bede Marsh supervise?", ["Colman Frey", "Duns Opitz"]),
        ("Which engineers are supervised by Bede Marsh?", ["Colman Frey", "Duns Opitz"]),
        ("How many engineers does Bede Marsh supervise?", ["2"]),
        ("Which engineers supervise engineers from Nordia?", ["Bede Marsh", "Colman Frey"]),
        ("Which engineers are supervised by an engineer from Nordia?", ["Bede Marsh", "Egbert Lohr"]),
        ("Which engineers supervise more than one engineer?", ["Bede Marsh"]),
        ("Which engineers are not supervised?", ["Anselm Kell"]),
        ("Which engineers do not supervise anybody?", ["Duns Opitz", "Egbert Lohr"]),
    ],
)
def test_a_noun_for_who_does_it_is_followed_from_who_has_it_done(crew: Agent, question: str, found: list[str]) -> None:
    assert sorted(value.label for value in crew.ask(question).values) == found


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("Which case cites the most cases?", ["Quay v. Acme"]),
        ("Which case is cited most often?", ["Acme v. Zed"]),
        ("Which case is cited by the most cases?", ["Acme v. Zed"]),
        ("Which cases were cited?", ["Acme v. Zed", "Moss v. Quay"]),
        ("Which cases have never been cited?", ["Quay v. Acme", "Rowe v. Lunt", "Zed v. Rowe"]),
        ("Which case was overruled?", ["Zed v. Rowe"]),
        ("Which cases were not overruled?", ["Acme v. Zed", "Moss v. Quay", "Quay v. Acme", "Rowe v. Lunt"]),
        ("Which cases overruled another case?", ["Quay v. Acme"]),
    ],
)
def test_verbs_in_the_passive_ask_for_the_other_side(crew: Agent, question: str, found: list[str]) -> None:
    assert sorted(value.label for value in crew.ask(question).values) == found


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("Does Bede Marsh supervise Duns Opitz?", True),
        ("Does Duns Opitz supervise Bede Marsh?", False),
        ("Is Duns Opitz supervised by Bede Marsh?", True),
        ("Is Bede Marsh supervised by Duns Opitz?", False),
    ],
)
def test_whether_somebody_does_it_is_no_matter_of_the_noun(crew: Agent, question: str, found: bool) -> None:
    assert crew.ask(question).boolean is found


@pytest.mark.parametrize("question", ["Who tasted Old Vine?", "Where was Old Vine tasted?"])
def test_nobody_and_no_place_is_what_somebody_does(crew: Agent, question: str) -> None:
    try:
        found = [value.label for value in crew.ask(question).values]
    except AnswerError:
        found = []
    assert found in ([], ["Tom Reed"])


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("Does Bede Marsh have a mentor?", True),
        ("Does Anselm Kell have a mentor?", False),
        ("Does Quay v. Acme cite more cases than Moss v. Quay?", True),
        ("Does Moss v. Quay cite more cases than Quay v. Acme?", False),
    ],
)
def test_who_has_one_does_not_do_it_and_numbers_of_both_are_counted(crew: Agent, question: str, found: bool) -> None:
    assert crew.ask(question).boolean is found


def test_where_something_stops_is_no_deed(crew: Agent) -> None:
    assert [value.label for value in crew.ask("Where does Old Vine rest?").values] == ["Deep Shelf"]


FONTS = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .

:Font rdfs:label "font" . :Serif rdfs:label "serif font" ; rdfs:subClassOf :Font .
:Slab rdfs:label "slab font" ; rdfs:subClassOf :Font .
:Foundry rdfs:label "foundry" . :Licence rdfs:label "licence" . :Drawer rdfs:label "drawer" .
:basedOn rdfs:label "based on" . :publishedBy rdfs:label "published by" . :licence rdfs:label "licence" .
:worksFor rdfs:label "works for" . :glyphs rdfs:label "number of glyphs" . :width rdfs:label "reach" .
:open a :Licence ; rdfs:label "Open Licence" . :shop a :Licence ; rdfs:label "Shop Licence" .
:gift a :Licence ; rdfs:label "Gift Licence" .
:gray a :Foundry ; rdfs:label "Grayworks" . :hill a :Foundry ; rdfs:label "Hill & Sons" .
:lake a :Foundry ; rdfs:label "Lake Type" .
:f1 a :Serif ; rdfs:label "Alder" ; :publishedBy :gray ; :licence :shop ; :width 12 .
:f2 a :Slab ; rdfs:label "Birken" ; :publishedBy :gray ; :licence :gift ; :basedOn :f1 ; :width 31 .
:f3 a :Serif ; rdfs:label "Caxton" ; :publishedBy :hill ; :licence :shop ; :basedOn :f2 ; :width 25 .
:f4 a :Serif ; rdfs:label "Dunmore" ; :publishedBy :lake ; :licence :open ; :basedOn :f1 ; :width 18 .
:f5 a :Slab ; rdfs:label "Elmham" ; :publishedBy :lake ; :licence :open ; :width 40 .
:d1 a :Drawer ; rdfs:label "Ida Moor" ; :worksFor :gray . :d2 a :Drawer ; rdfs:label "Jon Fell" ; :worksFor :gray .
:d3 a :Drawer ; rdfs:label "Kim Rook" ; :worksFor :lake .
"""


@pytest.fixture(scope="module")
def fonts(open_text: Callable[[str], Agent]) -> Agent:
    return open_text(FONTS)


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("Which fonts are based on another font?", ["Birken", "Caxton", "Dunmore"]),
        ("Which fonts are not based on another font?", ["Alder", "Elmham"]),
        ("Which serif fonts are not based on any font?", ["Alder"]),
        ("How many fonts are not based on another font?", ["2"]),
        ("Which fonts are based on Alder?", ["Birken", "Dunmore"]),
        ("Which font is Caxton based on?", ["Birken"]),
    ],
)
def test_what_was_done_to_something_is_followed_as_it_is_called(fonts: Agent, question: str, found: list[str]) -> None:
    assert sorted(value.shown for value in fonts.ask(question).values) == found


@pytest.mark.parametrize(("question", "found"), [("Is Caxton not based on another font?", False)])
def test_whether_nothing_was_done_is_asked_of_the_same_side(fonts: Agent, question: str, found: bool) -> None:
    assert fonts.ask(question).boolean is found


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("Which foundries have no Gift Licence fonts?", ["Hill & Sons", "Lake Type"]),
        ("Which foundry has neither Gift Licence nor Open Licence fonts?", ["Hill & Sons"]),
        ("Which drawers have the same foundry as Ida Moor?", ["Jon Fell"]),
    ],
)
def test_a_name_before_a_class_is_denied_with_it_and_who_is_asked_for_is_given(
    fonts: Agent, question: str, found: list[str]
) -> None:
    assert sorted(value.shown for value in fonts.ask(question).values) == found


def test_a_value_behind_what_has_it_is_compared_and_not_asked_for(fonts: Agent) -> None:
    assert {row[0].label for row in fonts.ask("Which fonts reach more than Caxton?").rows if row[0]} == {
        "Birken",
        "Elmham",
    }


def test_a_share_is_no_list(fonts: Agent) -> None:
    with pytest.raises(AnswerError):
        fonts.ask("What share of the fonts is serif?")


def test_who_does_something_is_spoken_of_as_a_person(open_text: Callable[[str], Agent]) -> None:
    agent = open_text(
        "@prefix : <http://example.org/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> ."
        ':Keeper rdfs:label "lampkeeper" . :Lamp rdfs:label "lamp" . :keptBy rdfs:label "kept by" .'
        ':a a :Keeper ; rdfs:label "Ola Berg" . :b a :Keeper ; rdfs:label "Per Dahl" .'
        ':x a :Lamp ; rdfs:label "North Lamp" ; :keptBy :a . :y a :Lamp ; rdfs:label "South Lamp" ; :keptBy :a .'
        ':z a :Lamp ; rdfs:label "East Lamp" ; :keptBy :b .'
    )
    talk = Conversation(agent)
    replies = [talk.ask(text).reply for text in ("Who keeps North Lamp?", "Which other lamps does she keep?")]
    replies += [talk.ask(text).reply for text in ("Who keeps East Lamp?", "Which other lamps does he keep?")]
    assert replies == ["Ola Berg keeps North Lamp.", "South Lamp.", "Per Dahl keeps East Lamp.", "Nothing was found."]
