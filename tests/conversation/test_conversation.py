from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.phases.films import EX, Script, World
from triad.agent import Agent
from triad.answers import Answer, Reading, Unknown, WordUse
from triad.conversation import Conversation, Store
from triad.conversation.replies import guessed, in_a_sentence
from triad.errors import BudgetExceeded, ConfigError, ModelError
from triad.language.pack import load_pack
from triad.models import ScriptedModel
from triad.questions import Candidate, Question
from triad.rdf import IRI, Literal, Value
from triad.trace import Step

Talk = Callable[..., Conversation]

SHINING = "SELECT DISTINCT ?who { <The_Shining> <director> ?who }"
NOTHING = "SELECT ?x { <The_Shining> <colour> ?x }"
BORN = "SELECT DISTINCT ?where { <Stanley_Kubrick> <birth_place> ?where }"
DUNE = "SELECT DISTINCT ?who { <Dune> <director> ?who }"
PEOPLE = "SELECT DISTINCT ?who { ?film a <film> ; <director> ?who }"
UNKNOWN = {"known": False, "answer": ""}
NONE = {"choices": [{"item": 1, "candidates": []}]}


# With a model ---------------------------------------------------------------------------------------------


@pytest.mark.slow(0.6)
def test_a_first_question_costs_no_extra_call(talk: Talk) -> None:
    script = Script(parsing=SHINING)
    turn = talk(script).ask("Who directed The Shining?")
    assert turn.reply == "Stanley Kubrick directed The Shining."
    assert script.asked == ["parsing"]
    assert (turn.understanding, turn.usage.calls) == (0, 1)
    assert turn.trace is not None


@pytest.mark.slow(0.1)
def test_a_pronoun_with_one_meaning_costs_none_either(talk: Talk) -> None:
    script = Script(parsing=[SHINING, "SELECT ?d { <The_Shining> <release_date> ?d }"])
    conversation = talk(script)
    conversation.ask("Who directed The Shining?")
    turn = conversation.ask("When was it released?")
    assert turn.standalone == "When was The Shining released?"
    assert turn.dependent
    assert script.asked == ["parsing", "parsing"]


@pytest.mark.slow
def test_the_model_is_asked_where_the_words_leave_a_doubt(talk: Talk) -> None:
    rephrased = {"kind": "dependent", "question": "Where was Stanley Kubrick born?", "things": [2]}
    script = Script(parsing=[PEOPLE, BORN], rephrasing=rephrased)
    conversation = talk(script)
    conversation.ask("Did David Lynch or Stanley Kubrick direct more films?")
    turn = conversation.ask("Where was the one with more films born?")
    assert turn.reply == "Stanley Kubrick was born in New York."
    assert (turn.understanding, turn.usage.calls) == (1, 2)


def test_what_it_refers_to_is_linked_without_another_search(talk: Talk) -> None:
    script = Script(parsing=[DUNE, "SELECT ?d { <Dune> <release_date> ?d }"])
    conversation = talk(script)
    first = conversation.ask("Who directed Dune?")
    second = conversation.ask("When was it released?")
    assert first.things["Dune"].iri == EX + "DuneFilm"
    assert second.answer is not None
    assert second.answer.links["Dune"].iri == EX + "DuneFilm"
    assert second.reply == "Dune was released on December 3, 1984."
    assert set(script.asked) == {"parsing"}


def test_a_swapped_name_is_put_into_the_last_query_without_a_call(talk: Talk) -> None:
    script = Script(parsing=SHINING)
    conversation = talk(script)
    conversation.ask("Who directed The Shining?")
    turn = conversation.ask("And 2001: A Space Odyssey?")
    assert (turn.kind, turn.reply) == ("follow_up", "Stanley Kubrick.")
    assert script.asked == ["parsing"]


@pytest.mark.slow(0.1)
def test_a_question_about_an_answers_things_costs_no_call(talk: Talk) -> None:
    script = Script(parsing="SELECT DISTINCT ?film { ?film a <film> ; <director> <Stanley_Kubrick> }")
    conversation = talk(script)
    conversation.ask("Which films did Stanley Kubrick direct?")
    turn = conversation.ask("which of them was released in 1980?")
    assert (turn.kind, turn.usage.calls, turn.reply) == (
        "follow_up",
        0,
        "The Shining (May 23, 1980) was released in 1980.",
    )


def test_a_question_without_an_answer_ends_after_one_try(talk: Talk) -> None:
    script = Script(parsing=[SHINING, NOTHING], relation_selection=NONE)
    conversation = talk(script)
    conversation.ask("Who directed The Shining?")
    turn = conversation.ask("What colour is it?")
    assert turn.reply.startswith("I don't know")
    assert script.asked[1:] == ["parsing", "relation_selection"]


def test_a_model_is_asked_no_question_twice_in_a_turn(talk: Talk) -> None:
    script = Script(
        parsing=[SHINING, NOTHING],
        rephrasing={"kind": "dependent", "question": "Who directed The Ring?", "things": []},
        relation_selection=NONE,
    )
    conversation = talk(script)
    conversation.ask("Who directed The Shining?")
    conversation.ask("no, I meant The Ring")
    assert script.asked.count("parsing") <= 3


GEORGIAS = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:Country rdfs:label "country"@en .
:State rdfs:label "state"@en .
:population rdfs:label "population"@en .
:Georgia a :Country ; rdfs:label "Georgia"@en ; :population 3700000 .
:GeorgiaState a :State ; rdfs:label "Georgia"@en ; :population 11000000 .
"""


@pytest.mark.slow
def test_things_of_one_name_are_asked_about_without_a_call(tmp_path: Path) -> None:
    (tmp_path / "georgias.ttl").write_text(GEORGIAS, encoding="utf-8")
    script = Script(parsing="SELECT ?n { <Georgia> <population> ?n }")
    with Agent(tmp_path / "georgias.ttl", model=ScriptedModel(script), route="phases") as agent:
        conversation = Conversation(agent, language="en")
        turn = conversation.ask("What is the population of Georgia?")
        assert (turn.kind, len(turn.options), turn.usage.calls) == ("clarification", 2, 0)
        assert "11,000,000" in conversation.ask("the state").reply
        told = Conversation(agent, language="en").ask("What is the population of the state of Georgia?")
    assert "11,000,000" in told.reply
    assert script.asked == ["parsing", "parsing"]


def test_which_thing_of_a_name_is_meant_a_relation_or_a_class_may_tell(talk: Talk) -> None:
    script = Script(parsing=DUNE)
    for text in ("Who directed Dune?", "Who made the film Dune?"):
        turn = talk(script).ask(text)
        assert turn.things["Dune"].iri == EX + "DuneFilm"
    assert set(script.asked) == {"parsing"}


@pytest.mark.slow(0.1)
def test_a_model_that_fails_its_checks_leaves_the_words(talk: Talk) -> None:
    script = Script(parsing=[PEOPLE, BORN], rephrasing={"kind": "dependent", "question": "", "things": []})
    conversation = talk(script, {"generalist": {"checks": 1}})
    conversation.ask("Did David Lynch or Stanley Kubrick direct more films?")
    turn = conversation.ask("Where was he born?")
    assert turn.kind == "clarification"
    assert script.asked.count("rephrasing") == 2


def test_a_wish_that_only_the_model_recognises_works_on_the_last_query(talk: Talk) -> None:
    script = Script(parsing=PEOPLE, rephrasing={"kind": "count", "question": "", "things": []})
    conversation = talk(script)
    conversation.ask("Who directed films?")
    turn = conversation.ask("What number does this come to?")
    assert (turn.kind, turn.reply) == ("follow_up", "This comes to 2.")


@pytest.mark.slow(0.2)
@pytest.mark.parametrize(
    ("kind", "text", "reply"),
    [
        ("first", "I have room for 1 on my page", "Stanley Kubrick."),
        ("only", "those with birth place Missoula please", "David Lynch."),
        ("why", "I have my doubts about this", "Because the graph says:\n- "),
        ("query", "I would write it in another way", "SELECT DISTINCT ?who"),
    ],
)
def test_the_model_names_a_wish_whose_words_say_the_rest(talk: Talk, kind: str, text: str, reply: str) -> None:
    script = Script(
        parsing=[f"{PEOPLE} ORDER BY ?who", NOTHING], rephrasing={"kind": kind, "question": "", "things": []}
    )
    conversation = talk(script)
    conversation.ask("Who directed films?")
    turn = conversation.ask(text)
    assert (turn.kind, turn.error) == ("follow_up", None)
    assert reply in turn.reply


@pytest.mark.slow(0.1)
def test_a_wish_that_the_query_cannot_take_is_asked_as_a_question(talk: Talk) -> None:
    rephrased = {"kind": "dependent", "question": "Who directed films with a favourite colour?", "things": []}
    script = Script(parsing=[PEOPLE, SHINING], rephrasing=rephrased)
    conversation = talk(script)
    conversation.ask("Who directed films?")
    turn = conversation.ask("only those with a favourite colour")
    assert (turn.kind, turn.standalone) == ("question", "Who directed films with a favourite colour?")


def test_a_sentence_is_the_models_where_it_is_wished(talk: Talk) -> None:
    script = Script(parsing=SHINING, sentence={"sentence": "Stanley Kubrick directed it."})
    assert talk(script, sentence=True).ask("Who directed The Shining?").reply == "Stanley Kubrick directed it."


def test_the_models_own_knowledge_is_said_to_be_that(talk: Talk) -> None:
    script = Script(
        parsing="SELECT ?x { <The_Shining> <colour> ?x }",
        answering={"known": True, "answer": "red"},
        relation_selection=NONE,
    )
    turn = talk(script, {"advisor": {"turn_knowledge": "all"}}).ask("What colour is The Shining?")
    assert turn.reply == "Perhaps: The Shining is red. (from the model's own knowledge, not from the graph)"


def test_i_dont_know_is_said_as_such(talk: Talk) -> None:
    script = Script(parsing="SELECT ?x { <The_Shining> <colour> ?x }", relation_selection=NONE)
    turn = talk(script).ask("What colour is The Shining?")
    assert turn.reply.startswith("I don't know")
    assert not turn.answer or not turn.answer.values


@pytest.mark.slow(0.1)
def test_a_question_in_another_language_is_answered_in_it(talk: Talk) -> None:
    script = Script(parsing=SHINING)
    reply = talk(script, language="de").ask("Wer hat bei The Shining Regie geführt?").reply
    assert reply == "Stanley Kubrick hat bei The Shining Regie geführt."
    assert script.asked == ["parsing"]


def test_a_limit_and_a_service_that_fails_leave_the_conversation_as_it_was(world: World) -> None:
    agent = Agent(world.graph, world.index, ScriptedModel(Script(parsing=SHINING)), budget={"calls": 0}, route="phases")
    conversation = Conversation(agent)
    with pytest.raises(BudgetExceeded):
        conversation.ask("Who directed The Shining?")
    asleep = Conversation(Agent(world.graph, world.index, ScriptedModel([]), route="phases"))
    with pytest.raises(ModelError):
        asleep.ask("Who directed The Shining?")
    assert conversation.turns == asleep.turns == []


# Without a model ------------------------------------------------------------------------------------------


@pytest.mark.slow(0.1)
def test_a_conversation_goes_on_without_a_model(talk: Talk) -> None:
    conversation = talk()
    replies = [
        conversation.ask(text).reply
        for text in ("Who directed The Shining?", "Where was he born?", "What is its population?")
    ]
    assert replies == [
        "Stanley Kubrick directed The Shining.",
        "Stanley Kubrick was born in New York.",
        "New York's population is 8,804,190.",
    ]
    assert [turn.dependent for turn in conversation.turns] == [False, True, True]
    assert all(turn.usage.calls == 0 for turn in conversation.turns)


def test_a_list_is_asked_about_thing_by_thing(talk: Talk) -> None:
    conversation = talk()
    conversation.ask("Which films did Stanley Kubrick direct?")
    turn = conversation.ask("When were they released?")
    assert turn.reply == "2001: A Space Odyssey: April 2, 1968 and The Shining: May 23, 1980."


@pytest.mark.slow(0.1)
def test_one_of_a_list_is_meant_by_its_place(talk: Talk) -> None:
    conversation = talk()
    conversation.ask("Which films did Stanley Kubrick direct?")
    assert conversation.ask("When was the second one released?").standalone == "When was The Shining released?"
    conversation.ask("Which films did Stanley Kubrick direct?")
    first = conversation.ask("When was the first film released?")
    assert first.reply == "2001: A Space Odyssey: April 2, 1968."


@pytest.mark.slow(0.1)
def test_two_equally_good_readings_are_asked_back(talk: Talk) -> None:
    conversation = talk()
    conversation.ask("Did Stanley Kubrick or David Lynch direct The Shining?")
    turn = conversation.ask("Where was he born?")
    assert turn.kind == "clarification"
    assert turn.reply == "Which one do you mean?\n1. Stanley Kubrick\n2. David Lynch"
    assert turn.answer is None


@pytest.mark.slow
@pytest.mark.parametrize(
    ("choice", "who"),
    [("2", "David Lynch"), ("the second", "David Lynch"), ("David Lynch", "David Lynch"), ("lynch", "David Lynch"),
     ("1", "Stanley Kubrick"), ("the first one", "Stanley Kubrick"), ("the last", "David Lynch")],
)  # fmt: skip
def test_a_choice_is_a_number_a_place_or_a_name(talk: Talk, choice: str, who: str) -> None:
    conversation = talk()
    conversation.ask("Did Stanley Kubrick or David Lynch direct The Shining?")
    conversation.ask("Where was he born?")
    turn = conversation.ask(choice)
    where = {"David Lynch": "Missoula", "Stanley Kubrick": "New York"}[who]
    assert (turn.reply, turn.dependent) == (f"{who} was born in {where}.", True)


@pytest.mark.slow(0.1)
def test_another_question_after_a_clarification_is_a_question(talk: Talk) -> None:
    conversation = talk()
    conversation.ask("Did Stanley Kubrick or David Lynch direct The Shining?")
    conversation.ask("Where was he born?")
    assert conversation.ask("Who directed Dune?").reply == "David Lynch directed Dune."


@pytest.mark.slow(0.1)
def test_not_that_one_takes_the_next_reading(talk: Talk) -> None:
    conversation = talk()
    conversation.ask("Did Stanley Kubrick or David Lynch direct The Shining?")
    conversation.ask("Where was he born?")
    assert conversation.ask("1").reply == "Stanley Kubrick was born in New York."
    assert conversation.ask("not that one").reply == "David Lynch was born in Missoula."


def test_an_answer_that_nothing_speaks_for_is_said_with_doubt(talk: Talk) -> None:
    answer = Answer(Question("?"), variables=("x",), rows=((Value(Literal("1980"), "1980"),),), confidence=0.3)
    assert guessed(load_pack("en"), "?", answer, Unknown(answer.question)) == "Perhaps: 1980."
    assert in_a_sentence(load_pack("en"), "?", replace(answer, method="lexical")) == "1980."


def test_a_sentence_is_made_only_of_what_the_question_names(talk: Talk) -> None:
    link = Candidate(EX + "population", "relation", "population", score=0.0)
    rows = ((Value(Literal("8804190"), "8804190"),),)
    guess = Answer(Question("?"), variables=("x",), rows=rows, confidence=0.9, method="lexical", links={"x": link})
    said = "What is the colour of New York?"
    assert in_a_sentence(load_pack("en"), said, guess) == "8804190."
    named = replace(guess, links={"x": replace(link, score=1.0)})
    assert in_a_sentence(load_pack("en"), said, named) == "The colour of New York is 8804190."


def test_an_answer_that_leaves_out_words_or_may_be_another_one_is_no_sentence(talk: Talk) -> None:
    rows = ((Value(IRI(EX + "rossi"), "Elena Rossi"),),)
    answer = Answer(Question("?"), variables=("x",), rows=rows, confidence=0.7, method="lexical")
    said = "Who runs the Children's Ward?"
    sentence = "Elena Rossi runs the Children's Ward."
    assert in_a_sentence(load_pack("en"), said, answer) == sentence
    left_out = replace(answer, words=(WordUse("runs", "left_out"),))
    assert in_a_sentence(load_pack("en"), said, left_out) == "Elena Rossi."
    doubtful = replace(answer, readings=(Reading("Who founded the Children's Ward?"),))
    assert in_a_sentence(load_pack("en"), said, doubtful) == "Elena Rossi."
    assert in_a_sentence(load_pack("en"), said, replace(doubtful, confidence=0.9)) == sentence
    guessed_from = Candidate(EX + "ward", "relation", "ward", score=0.7)
    runs = WordUse("runs", "relation", "ward")
    assert in_a_sentence(load_pack("en"), said, replace(answer, words=(runs,), links={"ward": guessed_from})) == (
        "Elena Rossi."
    )


@pytest.mark.slow(0.1)
def test_a_question_asked_of_a_list_says_of_which(talk: Talk) -> None:
    conversation = talk()
    conversation.ask("Which films did Stanley Kubrick direct?")
    turn = conversation.ask("When were they released?")
    assert turn.answer is not None
    assert [[value.label for value in row if value] for row in turn.answer.rows] == [
        ["2001: A Space Odyssey", "1968-04-02"],
        ["The Shining", "1980-05-23"],
    ]
    assert turn.about is not None
    assert conversation.ask("Who directed them?").reply == "Stanley Kubrick directed them."


@pytest.mark.slow(0.1)
def test_nothing_is_asked_back_where_that_is_not_wished(talk: Talk) -> None:
    conversation = talk(ask_back=False)
    conversation.ask("Did Stanley Kubrick or David Lynch direct The Shining?")
    assert conversation.ask("Where was he born?").reply == "Stanley Kubrick was born in New York."


@pytest.mark.slow(0.1)
def test_a_question_without_an_answer_can_be_gone_on_from(talk: Talk) -> None:
    conversation = talk()
    first = conversation.ask("What is the favourite colour of Stanley Kubrick?")
    assert "Stanley Kubrick" in first.things
    assert conversation.ask("Where was he born?").reply == "Stanley Kubrick was born in New York."


def test_replies_are_in_the_language_of_the_question(talk: Talk) -> None:
    conversation = talk(language=None)
    assert (
        conversation.ask("Did Stanley Kubrick direct The Shining?").reply
        == "Yes, Stanley Kubrick directed The Shining."
    )
    turn = conversation.ask("Hat Stanley Kubrick bei The Shining die Regie geführt, und wenn ja, warum?")
    assert turn.language == "de"
    assert conversation.ask("The Shining?").language == "de"


def test_steps_are_told_of(talk: Talk) -> None:
    seen: list[Step] = []
    turn = talk().ask("Who directed The Shining?", seen.append)
    assert turn.trace is not None
    assert tuple(seen) == turn.trace.steps


@pytest.mark.parametrize("text", ["", "  ", "\n"])
def test_an_empty_question_is_refused(talk: Talk, text: str) -> None:
    with pytest.raises(ConfigError, match="empty"):
        talk().ask(text)


def test_a_question_much_too_long_is_refused(talk: Talk) -> None:
    with pytest.raises(ConfigError, match="at most 2,000"):
        talk().ask("x" * 100_000)


def test_bytes_that_are_no_characters_do_no_harm(talk: Talk) -> None:
    assert talk().ask("Who directed The Shining?\udce9").reply == "Stanley Kubrick directed The Shining."


def test_a_sentence_needs_a_model(talk: Talk) -> None:
    with pytest.raises(ConfigError, match="the agent has none"):
        talk(sentence=True)


def test_going_on_needs_a_store(talk: Talk) -> None:
    with pytest.raises(ConfigError, match="name the store"):
        talk(id="abc")


# Readings -------------------------------------------------------------------------------------------------

LANDS = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:Country rdfs:label "country"@en .
:area rdfs:label "area"@en . :people rdfs:label "population"@en . :capital rdfs:label "capital"@en .
:ru a :Country ; rdfs:label "Russia"@en ; :area 17098246 ; :people 146000000 ; :capital :moscow .
:in a :Country ; rdfs:label "India"@en ; :area 3287263 ; :people 1428000000 ; :capital :delhi .
:moscow rdfs:label "Moscow"@en . :delhi rdfs:label "Delhi"@en .
"""
LARGEST = "What is the largest country?"


@pytest.fixture(scope="module")
def lands(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Agent]:
    path = tmp_path_factory.mktemp("lands") / "lands.ttl"
    path.write_text(LANDS, encoding="utf-8")
    with Agent(path, model="none") as agent:
        yield agent


@pytest.mark.slow(0.1)
@pytest.mark.parametrize(
    "choice",
    ["by population instead", "by population", "no, by population", "I meant the population", "the other one", "1",
     "the first one", "Which country has the largest population?"],
)  # fmt: skip
def test_another_reading_is_chosen_by_its_place_or_its_words(lands: Agent, choice: str) -> None:
    conversation = Conversation(lands, language="en")
    first = conversation.ask(LARGEST)
    assert [(one.taken, str(one)) for one in first.readings] == [
        ("area", "Which country has the largest population? India")
    ]
    turn = conversation.ask(choice)
    assert (turn.reply, turn.standalone, turn.corrects) == (
        "India (1,428,000,000) has the largest population.",
        "Which country has the largest population?",
        True,
    )
    assert turn.answer is not None
    assert turn.answer.query == first.readings[0].query
    assert conversation.ask("What is its capital?").reply == "India's capital is Delhi."


def test_a_reading_is_offered_where_an_answer_was_wrong(lands: Agent) -> None:
    conversation = Conversation(lands, language="en")
    conversation.ask(LARGEST)
    assert "1. Which country has the largest population?" in conversation.ask("that's wrong").reply
    assert conversation.ask("1").reply == "India (1,428,000,000) has the largest population."


@pytest.mark.parametrize(
    ("asked", "reply"),
    [("and its population?", "146,000,000."), ("What is its capital?", "Russia's capital is Moscow.")],
)
def test_a_follow_up_on_an_answer_with_readings_chooses_none(lands: Agent, asked: str, reply: str) -> None:
    conversation = Conversation(lands, language="en")
    conversation.ask(LARGEST)
    assert conversation.ask(asked).reply == reply


def test_a_reading_that_was_chosen_is_kept_and_gone_on_from(lands: Agent) -> None:
    with Store(":memory:") as store:
        conversation = Conversation(lands, store=store, language="en")
        conversation.ask(LARGEST)
        again = Conversation(lands, store=store, id=conversation.id)
        assert again.ask("by population").reply == "India (1,428,000,000) has the largest population."


@pytest.mark.slow(0.1)
def test_what_was_asked_back_once_is_not_asked_back_again(talk: Talk) -> None:
    conversation = talk()
    conversation.ask("Did Stanley Kubrick or David Lynch direct The Shining?")
    assert conversation.ask("Where was he born?").kind == "clarification"
    turn = conversation.ask("so where was he born?")
    assert turn.kind == "question"
    assert turn.reply == "Stanley Kubrick was born in New York."


@pytest.mark.slow
def test_a_model_is_asked_and_not_the_user_where_the_words_tell_that_all_answers_are_the_same(tmp_path: Path) -> None:
    (tmp_path / "georgias.ttl").write_text(GEORGIAS.replace("11000000", "3700000"), encoding="utf-8")
    script = Script(parsing="SELECT ?n { <Georgia> <population> ?n }")
    with Agent(tmp_path / "georgias.ttl", model=ScriptedModel(script), route="phases") as agent:
        turn = Conversation(agent, language="en").ask("What is the population of Georgia?")
    assert (turn.kind, script.asked) == ("question", ["parsing"])
    assert "3,700,000" in turn.reply
