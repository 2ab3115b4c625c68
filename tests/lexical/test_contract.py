"""The contract between question and query: what words ask for, a query does, or it is no answer."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

import pytest

from triad.agent import Agent
from triad.answers import Answer
from triad.errors import AnswerError
from triad.language.analysis import analyse
from triad.language.pack import load_pack
from triad.lexical.contract import Contract, Cue
from triad.lexical.narrowing import narrowing
from triad.rdf import IRI, XSD, Literal, ResultSet
from triad.sparql import parse

FILMS = "SELECT DISTINCT ?film { ?film a <http://x/Film> ; <http://x/runtime> ?runtime %s } %s"
NUMBER = Literal("76", XSD + "integer")
DATE = Literal("1955-04-18", XSD + "date")


def broken(question: str, query: str, *names: str, result: ResultSet | None = None) -> list[str]:
    """Return the words of a question that ask for what a query does not do."""
    analysis = analyse(question, load_pack("en"))
    found = Contract.of(analysis, load_pack("en")).broken(parse(query), names, result)
    words = analysis.words
    return [question[words[cue.start].start : words[cue.end - 1].end] for cue in found]


@pytest.mark.parametrize(
    ("question", "rest", "modifiers"),
    [
        ("Which film is the longest?", "", "ORDER BY DESC(?runtime) LIMIT 1"),
        ("Which films are there, longest first?", "", "ORDER BY DESC(?runtime)"),
        ("Which films are longer than 120 minutes?", "FILTER(?runtime > 120)", ""),
        ("Which films are not by Kubrick?", "FILTER NOT EXISTS { ?film <http://x/director> <http://x/Kubrick> }", ""),
    ],
)
def test_a_query_honours_a_cue_by_its_operator(question: str, rest: str, modifiers: str) -> None:
    assert not broken(question, FILMS % (rest, modifiers))
    assert broken(question, FILMS % ("", ""))


@pytest.mark.parametrize(
    ("value", "honoured"), [('"no"', True), ("false", True), ('"F"', False), ('"0"', False), ("0", False)]
)
def test_a_not_is_honoured_by_a_value_only_if_that_can_say_nothing_else(value: str, honoured: bool) -> None:
    query = FILMS % (f"; <http://x/for_women> {value}", "")
    assert (not broken("Which films are not for women?", query)) is honoured


def test_a_limit_is_none_if_it_only_says_what_is_equal() -> None:
    assert broken("Which films are longer than 120 minutes?", FILMS % ("FILTER(?runtime = 120)", ""))
    assert not broken("Which films are exactly 120 minutes long?", FILMS % ("FILTER(?runtime = 120)", ""))


@pytest.mark.parametrize(
    ("language", "question"),
    [
        ("en", "Were all the players born in Leeds?"),
        ("en", "Is Ada the only player from Leeds?"),
        ("de", "Ist Ada die einzige Spielerin aus Leeds?"),
        ("fr", "Ada est-elle la seule joueuse de Leeds ?"),
        ("es", "¿Es Ada la única jugadora de Leeds?"),
    ],
)
def test_what_holds_of_all_or_of_nothing_else_is_not_asked_of_some(language: str, question: str) -> None:
    pack = load_pack(language)
    contract = Contract.of(analyse(question, pack), pack)
    some = "?player <http://x/team> <http://x/Team> ; <http://x/born> ?city"
    assert contract.broken(parse(f"ASK {{ {some} }}"), ())
    assert not contract.broken(parse(f"ASK {{ FILTER NOT EXISTS {{ {some} }} }}"), ())


def test_the_greatest_value_of_one_named_thing_chooses_among_none() -> None:
    question = "Which city of Ohio has the largest population?"
    query = "SELECT ?city { ?city <http://x/in> <http://x/Ohio> . %s <http://x/people> ?n { SELECT (MAX(?m) AS ?top) "
    query += "{ %s <http://x/people> ?m } } FILTER(?n = ?top) }"
    assert broken(question, query % ("<http://x/Ohio>", "<http://x/Ohio>")) == ["largest"]
    assert not broken(question, query % ("?city", "?other"))
    assert not broken(
        "What is the highest score of Ada?", "SELECT (MAX(?n) AS ?top) { <http://x/Ada> <http://x/n> ?n }"
    )


def test_the_longest_and_the_shortest_are_two() -> None:
    query = FILMS % (
        "; <http://x/runtime> ?own FILTER(?own = ?top) { SELECT (MAX(?n) AS ?top) { ?f <http://x/r> ?n } }",
        "",
    )
    assert broken("Which film is the longest and which is the shortest?", query)
    assert not broken("Which film is the longest?", query)


def test_each_thing_that_is_compared_with_takes_a_comparison() -> None:
    question = "Which countries have more inhabitants than France but fewer than Germany?"
    query = "SELECT ?c { ?c <http://x/n> ?n . <http://x/fr> <http://x/n> ?f FILTER(?n > ?f) %s }"
    assert broken(question, query % "")
    assert not broken(question, query % "<http://x/de> <http://x/n> ?d FILTER(?n < ?d)")


def test_the_longest_alone_is_no_order() -> None:
    assert broken("Which films are there, longest first?", FILMS % ("", "ORDER BY DESC(?runtime) LIMIT 1"))


@pytest.mark.parametrize("question", ["List the films with their runtime", "Which films did he make, and when?"])
def test_a_further_column_is_given(question: str) -> None:
    assert broken(question, FILMS % ("", ""))
    assert not broken(question, "SELECT ?film ?runtime { ?film <http://x/runtime> ?runtime }")


def test_each_bound_takes_a_condition() -> None:
    question = "Which films are longer than 120 minutes and were released before 1990?"
    both = "; <http://x/year> ?year FILTER(?runtime > 120) FILTER(?year < 1990)"
    assert not broken(question, FILMS % (both, ""))
    assert broken(question, FILMS % ("FILTER(?runtime > 120)", ""))


def test_words_of_a_name_ask_for_nothing() -> None:
    query = "SELECT ?city { <http://x/Albania> <http://x/largestCity> ?city }"
    assert broken("What is the largest city of Albania?", query, "Albania")
    assert not broken("What is the largest city of Albania?", query, "Albania", "largest city")


def test_a_total_is_one_number_whatever_a_relation_is_called() -> None:
    query = "SELECT ?number { ?country <http://x/populationTotal> ?number }"
    one, two = (ResultSet(("number",), ((NUMBER,),) * size) for size in (1, 2))
    assert not broken("What is the total population?", query, "population total", result=one)
    assert broken("What is the total population?", query, "population total", result=two) == ["total"]


def test_a_question_word_is_answered_by_its_kind() -> None:
    query = "SELECT ?x { <http://x/Einstein> <http://x/y> ?x }"
    number, date, thing = (ResultSet(("x",), ((term,),)) for term in (NUMBER, DATE, IRI("http://x/Ulm")))
    assert not broken("How old was Einstein?", query, result=number)
    assert broken("How old was Einstein?", query, result=date)
    assert not broken("When did Einstein die?", query, result=date)
    assert broken("When did Einstein die?", query, result=thing)


@pytest.mark.parametrize(
    ("language", "question", "parts"),
    [
        ("en", "At what time was Apollo 11 launched?", {"moment", "time"}),
        ("de", "Um wie viel Uhr startete Apollo 11?", {"moment", "time"}),
        ("es", "¿A qué hora empieza la película?", {"moment", "time"}),
        ("fa", "فیلم ساعت چند شروع می‌شود؟", {"moment", "time"}),
        ("fr", "À quelle heure commence le film ?", {"moment", "time"}),
        ("hi", "फिल्म कितने बजे शुरू होती है?", {"moment", "time"}),
        ("it", "A che ora comincia il film?", {"moment", "time"}),
        ("nl", "Hoe laat begint de film?", {"moment", "time"}),
        ("pt", "A que horas começa o filme?", {"moment", "time"}),
        ("ro", "La ce oră începe filmul?", {"moment", "time"}),
        ("ru", "Во сколько начинается фильм?", {"moment", "time"}),
        ("en", "What day is the meeting?", {"date", "moment"}),
        ("en", "What day of the week is the meeting?", set()),
        ("en", "In which month was Ada born?", {"date", "moment"}),
        ("en", "In which year was Ada born?", {"date", "moment", "year"}),
    ],
)
def test_a_part_of_a_date_is_given_by_what_has_it(language: str, question: str, parts: set[str]) -> None:
    pack, query = load_pack(language), parse("SELECT ?x { <http://x/Ada> <http://x/y> ?x }")
    contract = Contract.of(analyse(question, pack), pack)
    found = {"date": DATE, "moment": Literal("1969-07-16T13:32:00", XSD + "dateTime")}
    found |= {"time": Literal("16:15:00", XSD + "time"), "year": Literal("1969", XSD + "gYear")}
    results = {name: ResultSet(("x",), ((term,),)) for name, term in found.items()}
    assert {name for name, result in results.items() if not contract.broken(query, (), result)} == parts


def test_a_day_of_the_week_is_no_time_of_day() -> None:
    query = "SELECT ?x { <http://x/Ada> <http://x/y> ?x }"
    thursday = ResultSet(("x",), ((Literal("Thursday"),),))
    assert not broken("On what day is the meeting?", query, result=thursday)
    assert broken("At what time is the meeting?", query, result=thursday)


def texts(answer: Answer) -> list[str]:
    """Return an answer's rows."""
    return [", ".join(map(str, row)) for row in answer.result.rows]


@pytest.mark.slow(0.1)
@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Which mountains are in the Alps, highest first?", ["Mont_Blanc", "Dufourspitze", "Matterhorn"]),
        ("Which cities are in California?", ["Los_Angeles"]),
        ("Who was on Apollo 11?", ["Neil_Armstrong", "Buzz_Aldrin"]),
        ("Which films are longer than three hours?", ["Schindler's_List"]),
        ("Which mountains are higher than 8 km?", ["Mount_Everest", "K2"]),
        ("Which authors are still alive?", ["Stephen_King"]),
        ("Which company was founded first, Nintendo or IBM?", ["Nintendo"]),
        ("Which of the two has more inhabitants, France or Italy?", ["France"]),
        ("Which people flew on more than one space mission?", ["Jim_Lovell", "Neil_Armstrong"]),
    ],
)
def test_all_words_of_a_question_are_heeded(demo_agent: Agent, question: str, expected: list[str]) -> None:
    values = [str(row[0]).rpartition("/")[2] for row in demo_agent.ask(question).result.rows]
    places = [values.index(one) for one in expected]
    assert places == sorted(places) if "first?" in question else places
    assert not demo_agent.ask(question).ignored


@pytest.mark.slow(0.1)
def test_what_is_asked_for_is_of_the_class_that_the_query_says_it_is(demo_agent: Agent) -> None:
    answer = demo_agent.ask("The Vltava flows into another river: into which sea does that one flow?", min_confidence=0)
    assert texts(answer) == ["http://dbpedia.org/resource/North_Sea"]  # the Elbe, into which it flows, is no sea


@pytest.mark.slow(0.2)
def test_a_limit_is_one_of_what_is_asked_for(demo_agent: Agent) -> None:
    answer = demo_agent.ask("Which films did Stanley Kubrick direct before 1970?")
    assert (
        answer.text == "2001: A Space Odyssey (April 3, 1968)"
    )  # he was born before it, as all of his films' director was


@pytest.mark.slow(0.2)
def test_a_comparison_is_of_its_own_things(demo_agent: Agent) -> None:
    assert demo_agent.ask("Is K2 higher than Annapurna and lower than Mount Everest?").boolean is True
    assert demo_agent.ask("Is the Rhine longer than the Elbe and shorter than the Danube?").boolean is True
    with pytest.raises(AnswerError):  # and not by the populations of where they were born
        demo_agent.ask("Who lived longer, Albert Einstein or Marie Curie?")
    rivers = demo_agent.ask("How many rivers have the same mouth?")
    assert rivers.text == "9"  # and not all, each of which has the same as itself


@pytest.mark.slow(0.1)
def test_a_relation_may_be_called_by_what_sounds_like_an_operator(demo_agent: Agent) -> None:
    answer = demo_agent.ask("Who climbed Mount Everest first?")
    assert answer.text == "Edmund Hillary; Tenzing Norgay"  # and not the older one of them


@pytest.mark.slow(0.2)
def test_a_second_column_is_that_of_what_is_asked_for(demo_agent: Agent) -> None:
    answer = demo_agent.ask("List all cities in Germany with their population")
    assert len(answer.result.rows) == 11  # also of those whose population is not known
    assert len({row[1] for row in answer.result.rows}) == 6  # not that of Germany
    titanic = demo_agent.ask("Who directed Titanic and when was it released?")
    assert [str(term) for term in titanic.result.rows[0]][1].startswith("1997")


@pytest.mark.slow(0.2)
def test_a_total_adds_up(demo_agent: Agent) -> None:
    [[total]] = demo_agent.ask("What is the total population of all countries in Africa?").result.rows
    assert total is not None
    assert int(total.value) > 300_000_000


@pytest.mark.slow(0.2)
@pytest.mark.parametrize(
    "question",
    [
        "Was Steven Spielberg born in Germany?",
        "How many children does Tom Hanks have?",
        "Which country is older, SAP or Intel?",
        "Is the Tiber the cleanest river of Italy?",
        "At what time was Apollo 11 launched?",
    ],
)
def test_what_cannot_be_compared_is_not_answered(demo_agent: Agent, question: str) -> None:
    with pytest.raises(AnswerError):
        demo_agent.ask(question)


@pytest.mark.parametrize(
    ("question", "missed", "expected"),
    [
        ("How many free beds does the ward have?", "free", True),
        ("What is the wholesale price of the book?", "wholesale", True),
        ("What is the population density of Egypt?", "density", True),
        ("How many beds are free in the ward?", "free", True),
        ("Which books are written in Latin?", "written", False),
        ("Was the book written by a woman?", "woman", True),
        ("Which book was written by Ada?", "written", False),
        ("Which hotels use gas?", "use", False),
        ("Was the book published in London?", "published", True),
        ("On average how long are spielbergs films?", "spielbergs", True),
        ("voice actors in the film", "voice", True),
        ("Does the river lie on two continents?", "two", True),
        ("How many Grammy Awards did the singer win?", "Grammy", True),
        ("How long is the river in miles?", "miles", True),
        ("Which river is the longest? Return its name.", "Return", False),
        ("Which countries border France and love pizza?", "love pizza", True),
        ("Which actor played the violin?", "played violin", True),
    ],
)
def test_words_that_say_which_things_are_meant_may_not_be_left_out(question: str, missed: str, expected: bool) -> None:
    pack = load_pack("en")
    analysis = analyse(question, pack)
    places = [at for at, word in enumerate(analysis.words) if word.text in missed.split()]
    assert bool(list(narrowing(analysis, places, pack))) == expected


@pytest.mark.parametrize(
    ("question", "missed", "expected"),
    [
        ("Wie ist die private Telefonnummer von Ann?", "private", True),
        ("Was ist das geplante Baujahr der Brücke?", "geplante", True),
        ("Wer ist der stellvertretende Leiter der Schule?", "stellvertretende", True),
        ("Welche besetzten Zimmer hat das Haus?", "besetzten", True),
        ("Welche Schulen besitzen Turnhallen?", "besitzen", False),
        ("Wann starb der junge Werther?", "junge", True),
    ],
)
def test_an_adjective_before_a_german_noun_may_not_be_left_out(question: str, missed: str, expected: bool) -> None:
    pack = load_pack("de")
    analysis = analyse(question, pack)
    places = [at for at, word in enumerate(analysis.words) if word.text in missed.split()]
    assert bool(list(narrowing(analysis, places, pack))) == expected
    named = [at + 1 for at in places]
    assert not (expected and any(narrowing(analysis, places, pack, named)))  # before a name it may be a title


LESSONS = """
    @prefix : <http://school.example/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
    @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
    :taughtBy rdfs:label "taught by" . :weekday rdfs:label "weekday" . :joined rdfs:label "joined" .
    :clara a :Teacher ; rdfs:label "Clara Webb" ; :joined "1998-09-01"^^xsd:date .
    :omar a :Teacher ; rdfs:label "Omar Said" ; :joined "2016-02-01"^^xsd:date .
    :l1 a :Lesson ; rdfs:label "lesson one" ; :taughtBy :clara ; :weekday "Monday" .
    :l2 a :Lesson ; rdfs:label "lesson two" ; :taughtBy :omar ; :weekday "Monday" .
    :l3 a :Lesson ; rdfs:label "lesson three" ; :taughtBy :omar ; :weekday "Thursday" .
    :made rdfs:label "bottles made" . :year rdfs:label "year" .
    :v1 a :Vintage ; rdfs:label "Steinberg 2020" ; :made 4100 ; :year 2020 .
    :v2 a :Vintage ; rdfs:label "Kirchberg 2020" ; :made 1500 ; :year 2020 .
    :v3 a :Vintage ; rdfs:label "Steinberg 2021" ; :made 3900 ; :year 2021 .
"""


@pytest.mark.slow(0.1)
@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Which lessons are on Monday?", "lesson one; lesson two"),  # a text of the graph, and no date of anything
        ("Which lessons does Omar teach on Monday?", "lesson two"),  # not all of his, for he has one on Monday
        ("Which teacher joined first?", "Clara Webb (September 1, 1998)"),  # and not when
        ("Who joined first, Clara or Omar?", "Clara Webb (September 1, 1998)"),
        ("How many bottles were made in 2020?", "5,600"),  # the relation's name stands in two places
    ],
)
def test_each_part_of_a_query_is_about_what_it_gives(
    question: str, expected: str, open_text: Callable[[str], Agent]
) -> None:
    assert sorted(open_text(LESSONS).ask(question).text.split("; ")) == expected.split("; ")


CLUB = """
    @prefix : <http://club.example/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
    @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
    :areaSqm rdfs:label "area (square metres)" . :capacity rdfs:label "capacity" . :length rdfs:label "length" .
    :born rdfs:label "date of birth" . :hired rdfs:label "hired" . :trains rdfs:label "trains" .
    :r1 a :Room ; rdfs:label "Hall" ; :areaSqm 100 ; :capacity 30 ; :length 20 .
    :r2 a :Room ; rdfs:label "Loft" ; :areaSqm 30 ; :capacity 50 ; :length 10 .
    :r3 a :Room ; rdfs:label "Attic" ; :areaSqm 45 ; :capacity 20 ; :length 12 .
    :ida a :Coach ; rdfs:label "Ida Wren" ; :born "1960-05-01"^^xsd:date ; :hired "1993-06-01"^^xsd:date .
    :tom a :Coach ; rdfs:label "Tom Hale" ; :born "1970-05-01"^^xsd:date ; :hired "2001-02-01"^^xsd:date .
"""


@pytest.mark.slow(0.1)
@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("rooms bigger than 40 square metres", {"Hall", "Attic"}),
        ("How old was Ida Wren when she was hired?", {"33"}),
        ("What is the width of the Hall?", None),
        ("What is the Hall about?", None),
        ("Which texan coaches are there?", None),
    ],
)
def test_a_word_that_the_graph_lacks_is_not_taken_for_another(
    open_text: Callable[[str], Agent], question: str, expected: set[str] | None
) -> None:
    agent = open_text(CLUB)
    if expected is None:
        with pytest.raises(AnswerError):
            agent.ask(question)
    else:
        assert {value.label for value in agent.ask(question).values} == expected


@pytest.mark.slow(0.1)
def test_the_cues_of_a_long_question_are_looked_at_once() -> None:
    contract = Contract.of(analyse("1990", load_pack("en")), load_pack("en"))
    many = replace(contract, stems=("1990",) * 5_000, cues=tuple(Cue("bound", at, at + 1) for at in range(5_000)))
    begun = time.process_time()
    assert len(many.broken(parse("SELECT * { ?s ?p ?o }"), ["river"])) == 5_000
    assert time.process_time() - begun < 1


@pytest.mark.slow(0.1)
@pytest.mark.parametrize(
    "question",
    [
        "How many employees does IBM have?",
        "What is the width of the Rhine?",
        "voice actors in Star Wars",
        "texan cities",
        "Tell me a joke",
        "Was Steven Spielberg born in Germany?",
    ],
)
def test_what_the_demo_lacks_is_a_guess(demo_agent: Agent, question: str) -> None:
    with pytest.raises(AnswerError):
        demo_agent.ask(question)


@pytest.mark.slow(0.1)
def test_what_a_class_is_called_may_be_said_of_its_things(demo_agent: Agent) -> None:
    assert demo_agent.ask("What is the chemical symbol of mercury?").text == "Hg"


@pytest.mark.slow(0.1)
@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Did Geoffrey Hinton win more than one Nobel Prize?", "no"),
        ("Did Marie Curie win more than one Nobel Prize?", "yes"),
        ("Which scientists won more than one Nobel Prize?", "Marie Curie; Linus Pauling"),
        ("How many Nobel Prizes did Linus Pauling win?", "2"),
        ("Which other films did the director of Inception make?", "Interstellar; Oppenheimer; The Dark Knight"),
        ("Is Miguel de Cervantes still alive?", "no"),
        ("How long is the Danube in kilometres?", "2,850 km"),
        ("How long is the Danube in miles?", "1,770.91"),
        ("What is the average runtime of films in hours?", "2.55"),
        (
            "Which rivers are longer than 6200 km, and how long are they?",
            "Nile, 6,650 km; Amazon River, 6,400 km; Yangtze, 6,300 km",
        ),
    ],
)
def test_each_word_of_a_question_does_something(demo_agent: Agent, question: str, expected: str) -> None:
    assert demo_agent.ask(question).text == expected


@pytest.mark.slow(0.1)
def test_words_shared_by_names_are_told_with_what_they_became(demo_agent: Agent) -> None:
    words = {one.words: one.became for one in demo_agent.ask("Did Marie Curie win more than one Nobel Prize?").words}
    assert words["Nobel Prize"] == "award: Nobel Prize"
    words = {one.words: one.became for one in demo_agent.ask("Which authors are still alive?").words}
    assert words["still alive"] == "number: death date, death place = 0"


PACKAGES = """
    @prefix : <http://packages.example/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
    :dependsOn rdfs:label "depends on" . :builtBy rdfs:label "built by" .
    :core a :Package ; rdfs:label "core" ; :builtBy :ida .
    :draw a :Package ; rdfs:label "draw" ; :dependsOn :core ; :builtBy :ray .
    :chart a :Package ; rdfs:label "chart" ; :dependsOn :draw ; :builtBy :ray .
    :ida a :Person ; rdfs:label "Ida Even" . :ray a :Person ; rdfs:label "Ray Odd" .
"""


@pytest.mark.slow(0.2)
@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What does draw depend on?", "core"),
        ("Which packages depend on draw?", "chart"),
        ("Does anything depend on chart?", "no"),
        ("Which packages were built by Ida Even?", "core"),
        ("Which packages did Ida Even build?", "core"),
    ],
)
def test_a_verb_says_who_does_what_to_whom(open_text: Callable[[str], Agent], question: str, expected: str) -> None:
    assert open_text(PACKAGES).ask(question).text == expected


@pytest.mark.slow(0.2)
@pytest.mark.parametrize("question", ["What does core depend on?", "Which packages depend on chart?"])
def test_the_other_way_round_is_no_answer(open_text: Callable[[str], Agent], question: str) -> None:
    with pytest.raises(AnswerError):
        open_text(PACKAGES).ask(question)


ROWERS = """
    @prefix : <http://club.example/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
    @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
    :coach rdfs:label "coach" . :opened rdfs:label "opened" . :shows rdfs:label "shows" . :place rdfs:label "place" .
    :ann a :Rower ; rdfs:label "Ann Lee" ; :coach :bea . :bea a :Rower ; rdfs:label "Bea Orr" ; :coach :cid .
    :cid a :Rower ; rdfs:label "Cid Fox" .
    :boathouse a :House ; rdfs:label "Boathouse" ; :opened "2009"^^xsd:gYear .
    :hall a :House ; rdfs:label "Town Hall" ; :opened "2011"^^xsd:gYear ; :place "Ulm" .
    :duel a :Film ; rdfs:label "Duel" . :s1 a :Screening ; :shows :duel ; :place "Ulm" .
"""


@pytest.mark.slow(0.2)
@pytest.mark.parametrize(
    ("question", "wrong"),
    [
        ("Who is the coach of Ann Lee's coach?", "Bea Orr"),
        ("opened in 2009, that house is called", "2009"),
        ("Which films are in Ulm?", "Town Hall"),
    ],
)
def test_what_the_words_do_not_say_is_no_answer(open_text: Callable[[str], Agent], question: str, wrong: str) -> None:
    try:
        answer = open_text(ROWERS).ask(question)
    except AnswerError:
        return
    assert answer.text != wrong
