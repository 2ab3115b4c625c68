from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from tests.cases import cases
from tests.conversation.conftest import Said
from tests.conversation.talks import DUNE, SHINING
from tests.phases.films import World
from triad.agent import Agent
from triad.answers import Answer
from triad.conversation import Conversation, operations
from triad.kg.guard import check
from triad.language.follow_ups import FollowUp, recognise
from triad.language.pack import load_pack
from triad.questions import Question

Talk = Callable[..., Conversation]

CITIES = "Which cities are there?"
FILMS = "Which films are there?"


@pytest.mark.parametrize(
    ("text", "follow_up"),
    [
        ("why?", FollowUp("why")),
        ("Why is that?", FollowUp("why")),
        ("How do you know?", FollowUp("why")),
        ("show the query", FollowUp("query")),
        ("Can you show me the SPARQL query?", FollowUp("query")),
        ("what is the query?", FollowUp("query")),
        ("how many are that?", FollowUp("count")),
        ("How many are there?", FollowUp("count")),
        ("how many?", FollowUp("count")),
        ("the first three", FollowUp("first", 3)),
        ("Show me the top 10", FollowUp("first", 10, descending=True)),
        ("sort by population", FollowUp("sort", by="population")),
        ("Sort them by release date, descending", FollowUp("sort", by="release date", descending=True)),
        ("order by name", FollowUp("sort", by="name")),
        ("only those in Germany", FollowUp("only", what="in Germany")),
        ("just the ones that are in Germany", FollowUp("only", what="in Germany")),
        ("Which of them are in Germany?", FollowUp("only", what="in Germany")),
        ("and those born after 1950", FollowUp("only", what="born after 1950")),
        ("the first one", FollowUp("first", 1)),
        ("the second one", FollowUp("first", 1, place=2)),
        ("the last of them", FollowUp("first", 1, place=-1)),
        ("which of them is the largest?", FollowUp("only", what="largest")),
        ("Which of these two is older?", FollowUp("only", what="older")),
        ("and the second largest?", FollowUp("only", what="second largest")),
        ("not that one", FollowUp("except")),
        ("the others", FollowUp("except")),
        ("except the Danube", FollowUp("except", what="the Danube")),
        ("all but the Danube", FollowUp("except", what="the Danube")),
        ("not those in Germany", FollowUp("except", what="in Germany")),
    ],
)
def test_wishes_are_recognised(text: str, follow_up: FollowUp) -> None:
    assert recognise(text, load_pack("en")) == follow_up


@pytest.mark.parametrize("text", cases(__file__, "test_questions_are_no_wishes"))
def test_questions_are_no_wishes(text: str) -> None:
    assert recognise(text, load_pack("en")) is None


@pytest.mark.parametrize(("language", "text", "kind"), cases(__file__, "test_wishes_are_recognised_in_other_languages"))
def test_wishes_are_recognised_in_other_languages(language: str, text: str, kind: str) -> None:
    follow_up = recognise(text, load_pack(language))
    assert follow_up is not None
    assert follow_up.kind == kind


def labels(said: Said, *texts: str) -> list[str]:
    """Say what the answer is after some turns."""
    answer, turn = asked(said, *texts), said(*texts)[-1]
    assert turn.kind == "follow_up"
    return [str(row[0]) for row in answer.rows]


def asked(said: Said, *texts: str) -> Answer:
    turn = said(*texts)[-1]
    assert turn.answer is not None, turn.reply
    return turn.answer


@pytest.mark.slow(0.1)
def test_a_list_is_counted(said: Said) -> None:
    assert labels(said, CITIES, "how many are that?") == ["4"]


def test_of_what_has_the_most_is_asked_how_many_these_are(said: Said) -> None:
    assert labels(said, "Which city has the largest population?", "How many?") == ["8804190"]


def test_a_list_is_sorted_by_a_relation_of_its_things(said: Said) -> None:
    wanted = ["New York", "Tacoma", "Missoula", "Childwickbury"]
    assert labels(said, CITIES, "sort by population") == wanted
    assert labels(said, CITIES, "sort by population, ascending")[:3] == wanted[2::-1]


@pytest.mark.slow(0.1)
def test_numbers_of_a_column_fall_and_dates_rise_where_no_order_is_said(said: Said) -> None:
    assert labels(said, CITIES, "with their population", "sort by population")[:2] == ["New York", "Tacoma"]
    assert labels(said, FILMS, "with their release date", "sort by release date")[0] == "2001: A Space Odyssey"


def test_a_list_is_sorted_by_name(said: Said) -> None:
    assert labels(said, CITIES, "sort by name") == ["Childwickbury", "Missoula", "New York", "Tacoma"]


def test_a_list_is_cut_to_its_first_items_in_its_order(said: Said) -> None:
    assert labels(said, CITIES, "sort by population", "the first two") == ["New York", "Tacoma"]


def narrowed(said: Said, *turns: str) -> list[str]:
    return sorted(labels(said, *turns))


@pytest.mark.slow(0.1)
def test_a_list_is_narrowed_by_a_thing(said: Said) -> None:
    assert narrowed(said, CITIES, "only those in the United States") == ["Missoula", "New York", "Tacoma"]
    assert narrowed(said, CITIES, "only those in England") == ["Childwickbury"]


def test_a_list_is_narrowed_by_the_relation_that_the_words_name(said: Said) -> None:
    assert narrowed(said, FILMS, "which of them are directed by David Lynch?") == ["Dune", "The Alphabet"]


def test_a_list_is_narrowed_over_one_thing_in_between(said: Said) -> None:
    assert narrowed(said, FILMS, "only those of Frank Herbert") == ["Dune"]


@pytest.mark.slow(0.1)
def test_a_list_is_narrowed_by_a_number_and_by_a_year(said: Said) -> None:
    assert narrowed(said, CITIES, "only those with more than 200,000 people") == ["New York", "Tacoma"]
    assert narrowed(said, CITIES, "only those with more than 1 million people") == ["New York"]
    assert narrowed(said, FILMS, "only those released before 1970") == ["2001: A Space Odyssey", "The Alphabet"]


@pytest.mark.slow(0.1)
def test_a_number_means_the_same_in_a_wish_and_in_a_question(said: Said) -> None:
    assert labels(said, CITIES, "only those with more than 0.5 million people") == ["New York"]
    assert labels(said, CITIES, "only those with less than 100,000 people") == ["Missoula"]
    assert labels(said, CITIES, "only those with a population of less than 100.000") == []  # a hundred
    assert labels(said, CITIES, "only those with between 100,000 and 500,000 people") == ["Tacoma"]


@pytest.mark.slow(0.1)
def test_a_list_is_narrowed_to_a_span_of_years(said: Said) -> None:
    assert labels(said, FILMS, "only those released in the 1980s") == labels(
        said, FILMS, "only those released between 1980 and 1989"
    )


def test_a_list_is_narrowed_by_a_value(said: Said) -> None:
    assert narrowed(said, FILMS, "only the horror ones") == ["The Shining"]


@pytest.mark.slow(0.1)
def test_wishes_go_on_from_wishes(said: Said) -> None:
    narrowed = ("sort by population", "only those in the United States", "the first two")
    assert labels(said, CITIES, *narrowed) == ["New York", "Tacoma"]
    assert labels(said, CITIES, *narrowed, "how many are there?") == ["2"]


@pytest.mark.slow
def test_conditions_of_two_wishes_do_not_get_in_each_others_way(said: Said) -> None:
    wishes = ("only those released after 1960", "only those released before 1970", "only those directed by David Lynch")
    assert labels(said, "Which films are there?", *wishes) == ["The Alphabet"]
    more = ("only those with more than 100,000 people", "only those with less than 1 million people")
    assert labels(said, CITIES, *more) == ["Tacoma"]


@pytest.mark.slow(0.1)
@pytest.mark.parametrize(
    ("follow_up", "wanted"),
    [
        ("which of them is the largest?", ["New York"]),
        ("the second largest", ["Tacoma"]),
        ("which is the smallest?", ["Missoula"]),
    ],
)
def test_a_superlative_is_of_the_list(said: Said, follow_up: str, wanted: list[str]) -> None:
    assert labels(said, CITIES, follow_up) == wanted


@pytest.mark.slow(0.1)
def test_the_second_largest_comes_after_the_largest(said: Said) -> None:
    assert labels(said, CITIES, "which of them is the largest?", "and the second largest?") == ["Tacoma"]


def test_of_two_things_that_were_named_one_is_larger(said: Said) -> None:
    both = "Is New York or Missoula in England?"
    assert labels(said, both, "which of these two is larger?") == ["New York"]
    assert labels(said, both, "which of these two is smaller?") == ["Missoula"]


@pytest.mark.slow(0.1)
def test_things_are_left_out_of_a_list(said: Said) -> None:
    assert sorted(labels(said, CITIES, "except Tacoma")) == ["Childwickbury", "Missoula", "New York"]
    assert labels(said, CITIES, "not those in the United States") == ["Childwickbury"]
    assert labels(said, CITIES, "sort by population", "all but New York", "the first one") == ["Tacoma"]


def test_not_that_one_leaves_the_last_answer_out_of_its_list(said: Said) -> None:
    largest = (CITIES, "which of them is the largest?")
    assert sorted(labels(said, *largest, "not that one")) == ["Childwickbury", "Missoula", "Tacoma"]


def test_places_of_a_list_are_picked(said: Said) -> None:
    assert labels(said, CITIES, "sort by population", "the second one") == ["Tacoma"]
    assert labels(said, CITIES, "sort by name", "the last one") == ["Tacoma"]


def test_the_last_of_a_list_that_is_known_in_part_is_the_last_of_all(said: Said, talk: Talk) -> None:
    turn = said(CITIES, "sort by name")[-1]
    assert turn.answer
    cut = replace(turn, answer=replace(turn.answer, rows=turn.answer.rows[:2], truncated=True))
    for text, value in (("the last one", "Tacoma"), ("how many are there?", "4")):
        answer = talk(turns=[cut]).ask(text).answer
        assert answer is not None
        assert [str(row[0]) for row in answer.rows] == [value]


def test_things_without_a_value_come_last(said: Said) -> None:
    assert labels(said, CITIES, "sort by population, ascending")[-1] == "Childwickbury"


def test_a_wish_before_any_answer_is_no_question(talk: Talk) -> None:
    for follow_up in ("why?", "show the query", "the first three", "sort by population", "not that one"):
        turn = talk().ask(follow_up)
        assert (turn.kind, turn.answer) == ("follow_up", None)
        assert turn.reply == "There is no answer yet to go on from."


@pytest.mark.slow(0.1)
def test_nothing_left_is_said_as_such(said: Said) -> None:
    assert said(CITIES, "only those with more than 1 billion people")[-1].reply == "Nothing was found."


@pytest.mark.slow
def test_wishes_upon_wishes_stay_short(talk: Talk) -> None:
    conversation = talk()
    conversation.ask(CITIES)
    for _ in range(10):
        conversation.ask("sort by population")
        conversation.ask("except Tacoma")
        turn = conversation.ask("the first three")
    assert turn.answer is not None
    assert [str(row[0]) for row in turn.answer.rows] == ["New York", "Missoula", "Childwickbury"]
    assert turn.answer.query is not None
    assert len(turn.answer.query) < 5_000
    assert len(turn.standalone) < 500


def test_a_query_that_is_too_long_is_replaced_by_its_few_rows(world: World, said: Said) -> None:
    context = Agent(world.graph, world.index).begin(Question("?"))
    answer = asked(said, CITIES, "sort by population")
    assert answer.query is not None
    long = replace(answer, query=answer.query + " " * 3_000)
    by_name, whole = (
        operations.apply(context, load_pack("en"), one, FollowUp("sort", by="name")) for one in (long, answer)
    )
    assert by_name.rows == whole.rows
    assert by_name.query is not None
    assert "VALUES" in by_name.query
    assert "VALUES" not in (whole.query or "")
    cut = operations.apply(context, load_pack("en"), replace(long, truncated=True), FollowUp("sort", by="name"))
    assert "VALUES" not in (cut.query or "")  # the other rows are not known


def test_why_works_after_a_wish(said: Said) -> None:
    turn = said("Which films did Stanley Kubrick direct?", "sort by release date", "why?")[-1]
    assert "2001: A Space Odyssey – director – Stanley Kubrick" in turn.reply


def test_a_wish_that_nothing_fits_says_so_and_keeps_the_answer(said: Said) -> None:
    before, after, counted = said(CITIES, "sort by favourite colour", "how many are there?")
    assert after.error == after.reply
    assert "'favourite colour'" in after.reply
    assert after.answer is not None
    assert before.answer is not None
    assert after.answer.values == before.answer.values
    assert counted.answer is not None
    assert [str(one) for one in counted.answer.values] == ["4"]


def test_the_query_of_a_wish_passes_the_guard(said: Said) -> None:
    answer = asked(said, CITIES, "sort by population")
    assert answer.query is not None
    assert check(answer.query)


def test_a_yes_or_no_cannot_be_sorted(said: Said) -> None:
    assert said("Did Stanley Kubrick direct The Shining?", "sort by population")[-1].error


@pytest.mark.slow(0.1)
def test_why_gives_the_facts_and_the_query_the_query(said: Said) -> None:
    turns = said("Who directed The Shining?", "why?", "show the query", "Where was he born?")
    assert turns[1].reply == "Because the graph says:\n- The Shining – director – Stanley Kubrick"
    assert turns[2].reply.startswith("SELECT DISTINCT")
    # The answer is still there to go on from.
    assert turns[3].reply == "Stanley Kubrick was born in New York."


# What cannot be made of answers ---------------------------------------------------------------------------


def test_values_are_held_against_each_other_where_both_are_one_column(world: World, said: Said) -> None:
    context = Agent(world.graph, world.index).begin(Question("?"))
    york, tacoma = (asked(said, f"What is the population of {name}?") for name in ("New York", "Tacoma"))
    more, less = (operations.held(context, york, sign, tacoma) for sign in "><")
    assert more is not None
    assert less is not None
    assert (more.boolean, less.boolean) == (True, False)
    assert more.confidence == min(york.confidence, tacoma.confidence)
    assert set(more.links) == {*york.links, *tacoma.links}
    columns = asked(said, CITIES, "sort by population")
    truth = asked(said, "Did Stanley Kubrick direct The Shining?")
    for other in (columns, truth, replace(tacoma, query=None)):
        assert operations.held(context, york, ">", other) is None
        assert operations.held(context, other, ">", york) is None


def test_what_is_asked_of_each_needs_a_query_about_the_first(world: World, said: Said) -> None:
    context = Agent(world.graph, world.index).begin(Question("?"))
    answer = asked(said, "When was Dune released?")
    both = operations.for_each(context, answer, [DUNE, SHINING])
    assert both is not None
    assert [[value.label for value in row if value] for row in both.rows] == [
        ["Dune", "1984-12-03"],
        ["The Shining", "1980-05-23"],
    ]
    assert operations.for_each(context, answer, [DUNE]) is None
    assert operations.for_each(context, answer, [DUNE] * 51) is None
    assert operations.for_each(context, answer, [SHINING, DUNE]) is None  # it is not about the first
    assert operations.for_each(context, replace(answer, query=None), [DUNE, SHINING]) is None


def test_another_thing_takes_the_place_of_one_that_the_query_has(world: World, said: Said) -> None:
    context = Agent(world.graph, world.index).begin(Question("?"))
    answer = asked(said, "Who directed Dune?")
    other = operations.swapped(context, answer, DUNE, SHINING)
    assert other is not None
    assert [value.label for value in other.values] == ["Stanley Kubrick"]
    assert DUNE.iri not in {one.iri for one in other.links.values()}
    assert other.links["The Shining"] == SHINING
    assert operations.swapped(context, answer, SHINING, DUNE) is None
    assert DUNE.iri in operations.entities_in(answer)
    assert operations.entities_in(replace(answer, query=None)) == []


def test_some_things_are_left_out_if_others_are_left(world: World, said: Said) -> None:
    context = Agent(world.graph, world.index).begin(Question("?"))
    answer = asked(said, "Which films did Stanley Kubrick direct?")
    left = operations.without_entities(context, answer, {SHINING.iri})
    assert left is not None
    assert [value.label for value in left.values] == ["2001: A Space Odyssey"]
    assert left.answer_type == "select"
    assert operations.without_entities(context, answer, {DUNE.iri}) is None
    assert operations.without_entities(context, answer, {str(one.term.value) for one in answer.values}) is None
    assert operations.without_entities(context, replace(answer, query=None), {SHINING.iri}) is None


def test_lists_of_one_class_are_united_and_others_are_not(world: World, said: Said) -> None:
    context = Agent(world.graph, world.index).begin(Question("?"))
    kubrick, lynch = (asked(said, f"Which films did {name} direct?") for name in ("Stanley Kubrick", "David Lynch"))
    both = operations.united(context, kubrick, lynch)
    assert both is not None
    assert {value.label for value in both.values} == {"The Shining", "2001: A Space Odyssey", "Dune", "The Alphabet"}
    assert both.confidence == min(kubrick.confidence, lynch.confidence)
    dated = asked(said, "Which films did David Lynch direct?", "sort by release date, descending")
    alone = operations.united(context, kubrick, dated)
    assert alone is not None
    assert len(alone.variables) == 1
    cities, year = asked(said, CITIES), asked(said, "When was Dune released?")
    for other in (cities, year, replace(lynch, query=None)):
        assert operations.united(context, kubrick, other) is None
        assert operations.united(context, other, kubrick) is None


def test_what_was_counted_or_ranked_is_behind_an_answer(world: World, said: Said) -> None:
    context = Agent(world.graph, world.index).begin(Question("?"))
    count = asked(said, "How many films did Stanley Kubrick direct?")
    films = operations.behind(context, count)
    assert films is not None
    assert {value.label for value in films.values} == {"The Shining", "2001: A Space Odyssey"}
    largest = asked(said, CITIES, "which of them is the largest?")
    assert operations.behind(context, largest) is None
    cities = operations.behind(context, largest, ranked=True)
    assert cities is not None
    assert len(cities.values) > 1
    assert operations.behind(context, asked(said, CITIES), ranked=True) is None
