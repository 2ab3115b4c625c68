"""What was done, by whom and when, and what something is."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from triad.agent import Agent
from triad.conversation import Conversation
from triad.errors import AnswerError

pytestmark = pytest.mark.slow(0.1)

SHOP = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .

:Machine rdfs:label "machine" . :Server rdfs:label "server" ; rdfs:subClassOf :Machine .
:Program rdfs:label "program" . :Order rdfs:label "order" . :Customer rdfs:label "customer" .
:Season rdfs:label "season" . :Club rdfs:label "club" .
:runs rdfs:label "runs on" . :system rdfs:label "operating system" . :price rdfs:label "price" .
:placed rdfs:label "placed by" . :day rdfs:label "order date" . :since rdfs:label "customer since" .
:sponsor rdfs:label "sponsor" . :champion rdfs:label "champion" . :winner rdfs:label "winner" .
:solved rdfs:label "resolved" . :stock rdfs:label "pieces in stock" . :title rdfs:label "title" .

:oak a :Server ; rdfs:label "oak" ; :system "Debian 12" ; :price 900 ; :stock 3 .
:elm a :Server ; rdfs:label "elm" ; :system "Ubuntu 24" ; :price 700 ; :stock 8 .
:fir a :Machine ; rdfs:label "fir" ; :system "Debian 12" ; :price 200 ; :stock 5 .
:mail a :Program ; rdfs:label "Mail" ; :runs :oak . :shop a :Program ; rdfs:label "Till" ; :runs :oak , :elm .
:ann a :Customer ; rdfs:label "Ann Oakes" ; :since "2021-04-01"^^xsd:date ; :title "Director" .
:ben a :Customer ; rdfs:label "Ben Elms" ; :since "2023-02-01"^^xsd:date ; :title "Director" .
:cat a :Customer ; rdfs:label "Cat Firs" ; :since "2022-02-01"^^xsd:date ; :title "Director" .
:dan a :Customer ; rdfs:label "Dan Yews" ; :since "2020-02-01"^^xsd:date .
:o1 a :Order ; rdfs:label "Order 1" ; :placed :ann ; :day "2023-05-01"^^xsd:date ; :solved "2023-05-02"^^xsd:date .
:o2 a :Order ; rdfs:label "Order 2" ; :placed :ann ; :day "2023-06-01"^^xsd:date ; :solved "2023-06-09"^^xsd:date .
:o3 a :Order ; rdfs:label "Order 3" ; :placed :ben ; :day "2024-05-01"^^xsd:date ; :solved "2024-05-02"^^xsd:date .
:rooks a :Club ; rdfs:label "Rooks" ; :captain :ann . :pawns a :Club ; rdfs:label "Pawns" ; :captain :ben .
:captain rdfs:label "captain" . :home rdfs:label "lives in" . :City rdfs:label "city" .
:ulm a :City ; rdfs:label "Ulm" . :bonn a :City ; rdfs:label "Bonn" .
:ann :home :ulm . :ben :home :bonn . :dan :home :ulm .
:s21 a :Season ; rdfs:label "Season 2021" ; :champion :rooks .
:s22 a :Season ; rdfs:label "Season 2022" ; :champion :rooks ; :sponsor :cat .
:m1 a :Match ; rdfs:label "Match 1" ; :winner :pawns . :m2 a :Match ; rdfs:label "Match 2" ; :winner :rooks .
:Match rdfs:label "match" .
:hall a :Hall ; rdfs:label "Great Hall" ; :seats 900 ; :architect "Ida Even" .
:barn a :Hall ; rdfs:label "Old Barn" ; :code "NAM" ; :seats 200 ; :architect "Ray Odd" .
:dome a :Hall ; rdfs:label "Dome" ; :seats 600 ; :architect "Ida Even" .
:shed a :Shed ; rdfs:label "Shed" ; :seats 200 . :hut a :Shed ; rdfs:label "Hut" ; :seats 200 .
:Shed rdfs:label "shed" . :tent a :Shed ; rdfs:label "Tent" ; :seats 300 .
:code rdfs:label "code" . :hall :code "GRE" .
:t101 a :Lesson ; rdfs:label "Logic" ; :classRoom 101 ; :total 12 .
:t102 a :Lesson ; rdfs:label "Music" ; :classRoom 202 ; :total 30 . :Lesson rdfs:label "lesson" .
:Hall rdfs:label "hall" . :seats rdfs:label "seats" . :architect rdfs:label "architect" .
"""


@pytest.fixture(scope="module")
def shop(open_text: Callable[[str], Agent]) -> Agent:
    return open_text(SHOP)


def shown(agent: Agent, question: str) -> set[str]:
    return {value.shown for value in agent.ask(question).values}


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("How many orders were placed in 2023?", {"2"}),
        ("Which orders were placed in 2024?", {"Order 3 (May 1, 2024)"}),
        ("Which customers placed orders in 2024?", {"Ben Elms"}),
    ],
)
def test_a_date_is_of_what_was_done_and_not_of_who_did_it(shop: Agent, question: str, expected: set[str]) -> None:
    assert shown(shop, question) == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("How many of our machines are servers?", {"2"}),
        ("Which machines are servers?", {"oak", "elm"}),
        ("machines that are servers", {"oak", "elm"}),
    ],
)
def test_a_class_says_which_things_of_another_one_are_meant(shop: Agent, question: str, expected: set[str]) -> None:
    assert shown(shop, question) == expected


def test_a_class_behind_a_name_says_what_it_is(shop: Agent) -> None:
    assert shown(shop, "Who sponsored the 2022 season?") == {"Cat Firs"}
    assert shown(shop, "Who was champion of the 2021 season?") == {"Rooks"}
    with pytest.raises(AnswerError):  # nobody; and not who sponsored another season of its champion
        shop.ask("Who sponsored the 2021 season?")


@pytest.mark.parametrize(("club", "expected"), [("Rooks", True), ("Pawns", False)])
def test_a_no_by_the_very_word_is_surer_than_a_yes_by_another(shop: Agent, club: str, expected: bool) -> None:
    assert shop.ask(f"Has {club} ever been champion?").boolean is expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("How many directors are there?", {"3"}),
        ("Which customers have the title Director?", {"Ann Oakes", "Ben Elms", "Cat Firs"}),
        ("Which customers have no title?", {"Dan Yews"}),
    ],
)
def test_a_title_that_many_share_is_no_name(shop: Agent, question: str, expected: set[str]) -> None:
    assert shown(shop, question) == expected


def test_a_noun_asks_for_what_it_names_and_not_for_what_has_it(shop: Agent) -> None:
    assert shown(shop, "Which captains live in Ulm?") == {"Ann Oakes"}
    assert shown(shop, "Which clubs have a captain from Bonn?") == {"Pawns"}


def test_the_longest_is_by_no_date(shop: Agent) -> None:
    assert shown(shop, "Which order was resolved last?") == {"Order 3 (May 2, 2024)"}
    with pytest.raises(AnswerError):
        shop.ask("Which order took the longest to be resolved?")


def test_the_cheapest_in_stock_is_so_by_its_price(shop: Agent) -> None:
    assert shown(shop, "What is the cheapest machine in stock?") == {"fir (200)"}


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What are the two highest numbers of seats of halls?", {"900", "600"}),
        ("What are the top 2 seats of halls?", {"900", "600"}),
        ("What is the second highest number of seats of a hall?", {"600"}),
        ("What is the highest number of seats of a hall?", {"900"}),
    ],
)
def test_as_many_values_are_given_as_are_asked_for(shop: Agent, question: str, expected: set[str]) -> None:
    assert shown(shop, question) == expected


def test_the_names_of_what_texts_name_are_these(shop: Agent) -> None:
    assert shown(shop, "What are the names of the architects of halls with more than 500 seats?") == {"Ida Even"}


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What are the average and the highest price of machines for each operating system?", 2),
        ("What are the name and the price of each machine?", 3),
        ("Show the names and operating systems of machines, sorted by price.", 3),
        ("What is the highest number of seats of halls for the different architects?", 2),
        ("What is the name of each hall?", 3),
        ("What is the price of each machine?", 3),
    ],
)
def test_each_and_all_columns_are_given(shop: Agent, question: str, expected: int) -> None:
    answer = shop.ask(question)
    assert len(answer.rows) == expected
    assert {len(row) for row in answer.rows} <= ({2, 3} if " and " in question or "different" in question else {1})


@pytest.mark.parametrize(
    "question",
    [
        "List the customers and the winners of their matches.",
        "What are the names of the programs that some customers from Ulm have been to?",
    ],
)
def test_a_column_that_is_not_given_makes_a_guess(shop: Agent, question: str) -> None:
    answer = shop.ask(question, min_confidence=0)
    assert len(answer.rows[0]) == 1
    assert answer.confidence < 0.5


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Show the names of programs and the names of their machines, please.", ["Mail oak", "Till elm", "Till oak"]),
        (
            "Show the names and stocks of machines and names of their programs.",
            ["elm 8 Till", "oak 3 Mail", "oak 3 Till"],
        ),
        ("Show the seats of halls and the architects.", ["200 Ray Odd", "600 Ida Even", "900 Ida Even"]),
        ("For each hall, return its seats and the architect.", ["200 Ray Odd", "600 Ida Even", "900 Ida Even"]),
        ("For each hall, return its architect.", ["Dome Ida Even", "Great Hall Ida Even", "Old Barn Ray Odd"]),
        ("For each club, list the seasons.", ["Rooks Season 2021", "Rooks Season 2022"]),
        ("For each architect, how many halls are there?", ["Ida Even 2", "Ray Odd 1"]),
        ("Find the hall with 600 seats, and report its architect.", ["Dome Ida Even"]),
        ("What are the average price and pieces in stock of the machines?", ["600 5.333"]),
        ("What is the average and maximum machine price?", ["600 900"]),
        ("Which lesson is in classroom 101?", ["Logic (101)"]),
        ("Which lesson is in class room 202?", ["Music (202)"]),
        ("Which lessons have a total score above 20?", ["Music (30)"]),
        ("What is the average hall seats?", ["566.7"]),
        ("List the machines with price and pieces in stock.", ["elm 700 8", "fir 200 5", "oak 900 3"]),
        ("Show halls with code and seats.", ["Dome 600", "Great Hall GRE 900", "Old Barn NAM 200"]),
    ],
)
def test_all_that_words_ask_for_is_given(shop: Agent, question: str, expected: list[str]) -> None:
    assert sorted(" ".join(value.shown for value in row if value) for row in shop.ask(question).rows) == expected


def test_the_most_common_number_is_not_the_highest(shop: Agent) -> None:
    assert shown(shop, "What is the most common number of seats of sheds?") == {"200"}


ROLES = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .

:Person rdfs:label "person" . :Trainer rdfs:label "trainer" .
:who rdfs:label "person" . :height rdfs:label "height" . :sport rdfs:label "sport" .
:ann a :Person ; rdfs:label "Ann Oakes" ; :height 180 . :ben a :Person ; rdfs:label "Ben Elms" ; :height 190 .
:dan a :Person ; rdfs:label "Dan Yews" ; :height 195 .
:t1 a :Trainer ; :who :ann ; :sport "chess" . :t2 a :Trainer ; :who :ben ; :sport "rowing" .
"""


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What is the name of the trainer with the greatest height?", {"Ben Elms (190)"}),
        ("What are the names of the trainers whose sport is not rowing?", {"Ann Oakes"}),
    ],
)
def test_the_name_of_a_role_is_that_of_who_plays_it(
    open_text: Callable[[str], Agent], question: str, expected: set[str]
) -> None:
    assert shown(open_text(ROLES), question) == expected


CREW = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .

:Sailor rdfs:label "sailor" . :Boat rdfs:label "boat" . :Post rdfs:label "post" . :Inspection rdfs:label "inspection" .
:holder rdfs:label "post holder" . :on rdfs:label "on boat" . :role rdfs:label "role" . :inspected rdfs:label "of" .
:ann a :Sailor ; rdfs:label "Ann Oakes" . :ben a :Sailor ; rdfs:label "Ben Elms" .
:gull a :Boat ; rdfs:label "Gull" . :tern a :Boat ; rdfs:label "Tern" .
:p1 a :Post ; :holder :ann ; :on :gull ; :role "engineer" . :p2 a :Post ; :holder :ann ; :on :tern ; :role "engineer" .
:p3 a :Post ; :holder :ben ; :on :tern ; :role "pilot" . :i1 a :Inspection ; :inspected :gull .
"""


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("List the engineers.", {"Ann Oakes"}),
        ("How many engineers are there?", {"1"}),
        ("Has the Gull been inspected?", {"yes"}),
        ("Has the Tern been inspected?", {"no"}),
    ],
)
def test_roles_are_those_of_persons_and_what_was_done_is_not_what_it_was_done_to(
    open_text: Callable[[str], Agent], question: str, expected: set[str]
) -> None:
    assert shown(open_text(CREW), question) == expected


def test_of_a_class_and_its_noun_the_noun_is_counted(shop: Agent) -> None:
    assert shown(shop, "How many different hall architects are there?") == {"2"}


BOARDS = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .

:Person rdfs:label "person" . :Board rdfs:label "board" . :Seat rdfs:label "seat" . :since rdfs:label "since" .
:holder rdfs:label "holder" . :on rdfs:label "on" . :role rdfs:label "role" .
:ann a :Person ; rdfs:label "Ann Oak" . :ben a :Person ; rdfs:label "Ben Elm" . :cem a :Person ; rdfs:label "Cem Fir" .
:arts a :Board ; rdfs:label "Arts Board" . :park a :Board ; rdfs:label "Park Board" .
:s1 a :Seat ; :holder :ann ; :on :arts ; :role "chair" ; :since 2019 .
:s2 a :Seat ; :holder :ben ; :on :arts ; :role "deputy" ; :since 2020 .
:s3 a :Seat ; :holder :cem ; :on :park ; :role "chair" ; :since 2021 .
"""


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Who chairs the Arts Board?", {"Ann Oak"}),
        ("Who chaired the Park Board?", {"Cem Fir"}),
        ("Who is the chair of the Park Board?", {"Cem Fir"}),
        ("chair of the Arts Board", {"Ann Oak"}),
        ("deputy of the Arts Board", {"Ben Elm"}),
    ],
)
def test_who_has_a_role_is_asked_for_by_the_noun_for_it_and_by_its_verb(
    open_text: Callable[[str], Agent], question: str, expected: set[str]
) -> None:
    assert shown(open_text(BOARDS), question) == expected


BIDS = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .

:Buyer rdfs:label "buyer" . :Lot rdfs:label "lot" . :Bid rdfs:label "bid" . :town rdfs:label "town" .
:number rdfs:label "bid number" . :by rdfs:label "bid by" . :on rdfs:label "lot" . :sum rdfs:label "sum" .
:ann a :Buyer ; rdfs:label "Ann Oak" ; :town "Ulm" . :ben a :Buyer ; rdfs:label "Ben Elm" ; :town "York" .
:vase a :Lot ; rdfs:label "Blue Vase" . :lamp a :Lot ; rdfs:label "Old Lamp" .
:B11 a :Bid ; :number "B11" ; :by :ann ; :on :vase ; :sum 40 .
:B12 a :Bid ; :number "B12" ; :by :ann ; :on :lamp ; :sum 9 .
:B13 a :Bid ; :number "B13" ; :by :ben ; :on :vase ; :sum 50 .
"""


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Who placed bid B13?", {"Ben Elm"}),  # and not York
        ("Which bids did Ann Oak place?", {"B11", "B12"}),
        ("How many bids has Ann Oak made?", {"2"}),
        ("Which bids were placed by Ben Elm?", {"B13"}),
        ("Which bids are from Ben Elm?", {"B13"}),
        ("bids of Ann Oak", {"B11", "B12"}),
    ],
)
def test_a_deed_is_placed_or_made_by_who_did_it(
    open_text: Callable[[str], Agent], question: str, expected: set[str]
) -> None:
    assert {one.partition(" (")[0] for one in shown(open_text(BIDS), question)} == expected


ORDERS = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .

:a a :Customer ; rdfs:label "Ann Oak" . :b a :Customer ; rdfs:label "Ben Elm" .
:c a :Customer ; rdfs:label "Cem Fir" . :d a :Customer ; rdfs:label "Dan Yew" .
:O1001 a :Order ; :orderedBy :a ; :orderDate "2024-01-10"^^xsd:date ; :deliveryDate "2024-03-01"^^xsd:date .
:O1002 a :Order ; :orderedBy :b ; :orderDate "2024-01-22"^^xsd:date ; :deliveryDate "2024-02-09"^^xsd:date .
:O1003 a :Order ; :orderedBy :c ; :orderDate "2024-02-14"^^xsd:date ; :deliveryDate "2024-03-20"^^xsd:date .
:O1004 a :Order ; :orderedBy :d ; :orderDate "2024-03-03"^^xsd:date ; :deliveryDate "2024-04-15"^^xsd:date .
:O1005 a :Order ; :orderedBy :b ; :orderDate "2024-03-25"^^xsd:date .
:O1006 a :Order ; :orderedBy :d ; :orderDate "2024-05-17"^^xsd:date ; :deliveryDate "2024-07-22"^^xsd:date .
"""


def test_deeds_are_no_answer_to_when_the_most_of_them_were_done(open_text: Callable[[str], Agent]) -> None:
    with pytest.raises(AnswerError):
        open_text(ORDERS).ask("In which month were the most orders placed?")


HUTS = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .

:Hut rdfs:label "hut" . :Part rdfs:label "part" . :Line rdfs:label "line" . :valley rdfs:label "valley" .
:hut rdfs:label "of hut" . :part rdfs:label "has part" . :amount rdfs:label "amount" .
:kea a :Hut ; rdfs:label "Kea Hut" ; :valley "Long Dale" . :tui a :Hut ; rdfs:label "Tui Hut" ; :valley "Red Glen" .
:bolt a :Part ; rdfs:label "steel bolt" . :rung a :Part ; rdfs:label "rung" .
:l1 a :Line ; :hut :kea ; :part :bolt ; :amount 40 . :l2 a :Line ; :hut :kea ; :part :rung ; :amount 12 .
:l3 a :Line ; :hut :tui ; :part :bolt ; :amount 30 .
"""


def test_a_follow_up_takes_a_name_in_the_plural_and_asks_for_a_noun_behind_a_preposition(
    open_text: Callable[[str], Agent],
) -> None:
    talk = Conversation(open_text(HUTS))
    asked = ["How many steel bolts does the Kea Hut need?", "And rungs?", "In which valley?"]
    turns = list(map(talk.ask, asked))
    assert [[one.label for one in turn.answer.values] if turn.answer else None for turn in turns] == [
        ["40"],
        ["12"],
        ["Long Dale"],
    ]
    assert not any("rungss" in turn.standalone for turn in turns)
