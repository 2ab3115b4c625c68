from __future__ import annotations

from collections.abc import Callable

import pytest

from triad.conversation import Conversation
from triad.conversation.followups import Wish, recognise
from triad.conversation.words import load_words
from triad.kg.guard import check

Talk = Callable[..., Conversation]


@pytest.mark.parametrize(
    ("text", "wish"),
    [
        ("why?", Wish("why")),
        ("Why is that?", Wish("why")),
        ("How do you know?", Wish("why")),
        ("show the query", Wish("query")),
        ("Can you show me the SPARQL query?", Wish("query")),
        ("what is the query?", Wish("query")),
        ("how many are that?", Wish("count")),
        ("How many are there?", Wish("count")),
        ("how many?", Wish("count")),
        ("the first three", Wish("first", 3)),
        ("Show me the top 10", Wish("first", 10)),
        ("sort by population", Wish("sort", by="population")),
        ("Sort them by release date, descending", Wish("sort", by="release date", descending=True)),
        ("order by name", Wish("sort", by="name")),
        ("only those in Germany", Wish("only", what="in Germany")),
        ("just the ones that are in Germany", Wish("only", what="in Germany")),
        ("Which of them are in Germany?", Wish("only", what="in Germany")),
        ("and those born after 1950", Wish("only", what="born after 1950")),
    ],
)
def test_wishes_are_recognised(text: str, wish: Wish) -> None:
    assert recognise(load_words("en"), text) == wish


@pytest.mark.parametrize(
    "text",
    [
        "Who founded Intel?",
        "Why did Kubrick leave New York?",
        "How many films are there?",
        "How many competitors were there in it?",
        "What is the first film of Stanley Kubrick?",
        "the first film",
        "Which rivers are in Germany?",
        "Which film was released first?",
    ],
)
def test_questions_are_no_wishes(text: str) -> None:
    assert recognise(load_words("en"), text) is None


@pytest.mark.parametrize(
    ("language", "text", "kind"),
    [
        ("de", "warum?", "why"),
        ("de", "Zeig mir die Abfrage", "query"),
        ("de", "Wie viele sind das?", "count"),
        ("de", "die ersten drei", "first"),
        ("de", "sortiere nach Einwohnerzahl", "sort"),
        ("de", "nur die in Deutschland", "only"),
        ("fr", "Pourquoi ?", "why"),
        ("fr", "Combien y en a-t-il ?", "count"),
        ("fr", "seulement ceux en France", "only"),
        ("fr", "trie par population", "sort"),
        ("es", "¿Por qué?", "why"),
        ("es", "¿Cuántos son?", "count"),
        ("es", "solo los de España", "only"),
        ("it", "perché?", "why"),
        ("it", "quanti sono?", "count"),
        ("it", "solo quelli in Italia", "only"),
        ("pt", "Por quê?", "why"),
        ("pt", "quantos são?", "count"),
        ("pt", "só os de Portugal", "only"),
        ("nl", "waarom?", "why"),
        ("nl", "hoeveel zijn er?", "count"),
        ("nl", "alleen die in Nederland", "only"),
    ],
)
def test_wishes_are_recognised_in_other_languages(language: str, text: str, kind: str) -> None:
    wish = recognise(load_words(language), text)
    assert wish is not None
    assert wish.kind == kind


def labels(talk: Conversation, *wishes: str) -> list[str]:
    """Say what the answer is after some turns."""
    for wish in wishes:
        turn = talk.ask(wish)
    assert turn.answer is not None, turn.reply
    assert turn.kind == "follow_up"
    return [str(row[0]) for row in turn.answer.rows]


CITIES = "Which cities are there?"


def test_a_list_is_counted(talk: Talk) -> None:
    assert labels(talk(), CITIES, "how many are that?") == ["4"]


def test_a_list_is_sorted_by_a_relation_of_its_things(talk: Talk) -> None:
    wanted = ["New York", "Tacoma", "Missoula", "Childwickbury"]
    assert labels(talk(), CITIES, "sort by population") == wanted
    rising = labels(talk(), CITIES, "sort by population, ascending")
    assert [label for label in rising if label != "Childwickbury"] == wanted[2::-1]


def test_a_list_is_sorted_by_name(talk: Talk) -> None:
    assert labels(talk(), CITIES, "sort by name") == ["Childwickbury", "Missoula", "New York", "Tacoma"]


def test_a_list_is_cut_to_its_first_items_in_its_order(talk: Talk) -> None:
    assert labels(talk(), CITIES, "sort by population", "the first two") == ["New York", "Tacoma"]


def test_a_list_is_narrowed_by_a_thing(talk: Talk) -> None:
    assert sorted(labels(talk(), CITIES, "only those in the United States")) == ["Missoula", "New York", "Tacoma"]
    assert labels(talk(), CITIES, "only those in England") == ["Childwickbury"]


def test_a_list_is_narrowed_by_the_relation_that_the_words_name(talk: Talk) -> None:
    assert sorted(labels(talk(), "Which films are there?", "which of them are directed by David Lynch?")) == [
        "Dune",
        "The Alphabet",
    ]


def test_a_list_is_narrowed_over_one_thing_in_between(talk: Talk) -> None:
    assert labels(talk(), "Which films are there?", "only those of Frank Herbert") == ["Dune"]


def test_a_list_is_narrowed_by_a_number_and_by_a_year(talk: Talk) -> None:
    assert sorted(labels(talk(), CITIES, "only those with more than 200,000 people")) == ["New York", "Tacoma"]
    assert labels(talk(), CITIES, "only those with more than 1 million people") == ["New York"]
    assert sorted(labels(talk(), "Which films are there?", "only those released before 1970")) == [
        "2001: A Space Odyssey",
        "The Alphabet",
    ]


def test_a_list_is_narrowed_by_a_value(talk: Talk) -> None:
    assert labels(talk(), "Which films are there?", "only the horror ones") == ["The Shining"]


def test_wishes_go_on_from_wishes(talk: Talk) -> None:
    narrowed = ("sort by population", "only those in the United States", "the first two")
    assert labels(talk(), CITIES, *narrowed) == ["New York", "Tacoma"]
    assert labels(talk(), CITIES, *narrowed, "how many are there?") == ["2"]


def test_conditions_of_two_wishes_do_not_get_in_each_others_way(talk: Talk) -> None:
    wishes = ("only those released after 1960", "only those released before 1970", "only those directed by David Lynch")
    assert labels(talk(), "Which films are there?", *wishes) == ["The Alphabet"]
    more = ("only those with more than 100,000 people", "only those with less than 1 million people")
    assert labels(talk(), CITIES, *more) == ["Tacoma"]


def test_why_works_after_a_wish(talk: Talk) -> None:
    conversation = talk()
    for text in ("Which films did Stanley Kubrick direct?", "sort by release date"):
        conversation.ask(text)
    assert "2001: A Space Odyssey – director – Stanley Kubrick" in conversation.ask("why?").reply


def test_a_wish_that_nothing_fits_says_so_and_keeps_the_answer(talk: Talk) -> None:
    conversation = talk()
    before = conversation.ask(CITIES)
    after = conversation.ask("sort by favourite colour")
    assert after.error == after.reply
    assert "'favourite colour'" in after.reply
    assert after.answer is not None
    assert before.answer is not None
    assert after.answer.values == before.answer.values
    assert labels(conversation, "how many are there?") == ["4"]


def test_the_query_of_a_wish_passes_the_guard(talk: Talk) -> None:
    conversation = talk()
    conversation.ask(CITIES)
    answer = conversation.ask("sort by population").answer
    assert answer is not None
    assert answer.query is not None
    assert check(answer.query)


def test_a_yes_or_no_cannot_be_sorted(talk: Talk) -> None:
    conversation = talk()
    conversation.ask("Did Stanley Kubrick direct The Shining?")
    assert conversation.ask("sort by population").error


def test_why_gives_the_facts_and_the_query_the_query(talk: Talk) -> None:
    conversation = talk()
    conversation.ask("Who directed The Shining?")
    assert conversation.ask("why?").reply == "Because the graph says:\n- The Shining – director – Stanley Kubrick"
    assert conversation.ask("show the query").reply.startswith("SELECT DISTINCT")
    # The answer is still there to go on from.
    assert conversation.ask("Where was he born?").reply == "New York."
