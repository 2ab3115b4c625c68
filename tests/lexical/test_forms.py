"""What the question asks of the things that were found."""

from __future__ import annotations

from collections.abc import Callable
from typing import get_args

import pytest

from tests.cases import cases
from tests.lexical.looking import EX, Look
from triad import sparql
from triad.agent import Agent
from triad.errors import AnswerError
from triad.lexical.candidates import Form
from triad.lexical.mention_detection import LinkedMention
from triad.lexical.nodes import Node
from triad.questions import Candidate
from triad.rdf import IRI, Literal
from triad.sparql.patterns import EdgePattern, Variable
from triad.sparql.writer import render_parts

LookAt = Callable[..., Look]


@pytest.mark.parametrize(
    ("question", "form", "expected"), cases(__file__, "test_the_form_that_the_words_ask_for_is_among_the_proposals")
)
def test_the_form_that_the_words_ask_for_is_given(look: LookAt, question: str, form: str, expected: list[str]) -> None:
    looked = look(question)
    assert looked.given == expected
    assert form not in get_args(Form) or expected in looked.found(form)


def test_a_number_for_each_has_its_group_beside_it(look: LookAt) -> None:
    assert look("How many rivers are in each country?").rows == {("Switzerland", "2"), ("USA", "1")}


@pytest.mark.parametrize(
    ("question", "row"),
    [
        ("Which films were directed by Stanley Kubrick, and when were they released?", ("Odyssey", "1968-04-02")),
        ("Which films were released before 1970, and who directed them?", ("Odyssey", "Kubrick")),
        ("What are the population and the country of Missoula?", ("73489", "USA")),
    ],
)
def test_a_second_clause_is_a_second_column(look: LookAt, question: str, row: tuple[str, str]) -> None:
    assert row in look(question).rows


@pytest.mark.slow
def test_who_is_still_alive_has_no_death_date(open_text: Callable[[str], Agent]) -> None:
    agent = open_text(
        """@prefix : <http://example.org/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
        @prefix xsd: <http://www.w3.org/2001/XMLSchema#> . :Painter rdfs:label "painter" .
        :a a :Painter ; rdfs:label "Ann" . :deathDate rdfs:label "death date" .
        :b a :Painter ; rdfs:label "Bob" ; :deathDate "1990-01-01"^^xsd:date ."""
    )
    assert Look(agent, "Which painters are still alive?").given == ["a"]


def test_a_thing_with_several_numbers_is_no_quantity(look: LookAt) -> None:
    assert all(
        "/<" not in candidate.query for candidate in look("Which countries have more than three cities?").candidates
    )


def test_every_query_can_be_run_and_finds_what_it_says(look: LookAt) -> None:
    for text in ("Which films did Stanley Kubrick direct?", "Which rivers are in Switzerland?", "capital Switzerland"):
        question = look(text)
        for candidate in question.candidates:
            if candidate.ends and candidate.answer_type == "select":
                assert {row[0] for row in question.agent.graph.lookup(candidate.query).rows} == set(candidate.ends)


# Hostile ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("question", ["", "?", "than", "longer than", "more", "How many?", "Which is the longest?"])
def test_a_form_without_things_proposes_nothing(look: LookAt, question: str) -> None:
    assert look(question).candidates == []


@pytest.mark.parametrize("question", ["Is the Rhine longer than?", "Is the Rhine longer than the Xyzzy?"])
def test_yes_or_no_is_not_said_of_half_a_comparison(look: LookAt, question: str) -> None:
    with pytest.raises(AnswerError):
        look(question).agent.ask(question)


def test_a_factor_is_no_value_of_what_is_compared(demo_agent: Agent) -> None:
    with pytest.raises(AnswerError, match="twice"):
        demo_agent.ask("Is the Nile twice as long as the Rhine?")


def test_than_at_the_end_compares_with_nothing(look: LookAt) -> None:
    question = look("Which rivers are longer than?")
    assert question.given == ["Aare", "Hudson", "Rhine"]


def test_a_number_in_an_unknown_unit_is_taken_as_it_is(look: LookAt) -> None:
    question = look("Which rivers are longer than 400 parsnips?")
    assert question.given == ["Hudson", "Rhine"]


def test_a_unit_of_another_dimension_is_no_bound(look: LookAt) -> None:
    question = look("Which rivers are longer than 400 kilograms?")
    assert question.answer.confidence < 0.5


@pytest.mark.slow(0.1)
@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Which towns have an area of more than 20 square kilometres?", ["Quoten"]),
        ("Which towns have an area of more than 10 square miles?", ["Quoten"]),  # 25.9 square kilometres
        ("Which towns have an area of more than 20 square miles?", []),  # 51.8 square kilometres
        ("Which towns have an area of more than 2000 hectares?", ["Quoten"]),
    ],
)
def test_a_unit_of_two_words_in_a_comment_is_converted_to(look_odd: LookAt, question: str, expected: list[str]) -> None:
    looked = look_odd(question)
    assert looked.given == expected or (not expected and looked.answer.confidence < 0.5)


@pytest.mark.parametrize(
    ("question", "expected"), cases(__file__, "test_days_and_months_are_held_against_points_in_time")
)
def test_days_and_months_are_held_against_points_in_time(look_odd: LookAt, question: str, expected: list[str]) -> None:
    assert look_odd(question).given == expected


def test_a_date_that_is_a_thing_is_compared_by_its_year(look_odd: LookAt) -> None:
    for text, expected in (("Which person is older than 1940?", ["Ray"]), ("Who was born 1946?", None)):
        assert expected is None or look_odd(text).given == expected


def test_a_value_is_no_thing_to_compare_with_or_to_choose_from(look_odd: LookAt) -> None:
    for text in (
        "Which towns have a larger area than Ask ?v1 now?",
        'Which towns have the motto Ask ?v1 now or Say "yes" or \\no?',
    ):
        question = look_odd(text)
        assert question.candidates
        assert not any(
            f"<{EX}motto> <" in candidate.query or "VALUES" in candidate.query for candidate in question.candidates
        )


def test_asking_for_a_value_does_not_break_out_of_another_one(look_odd: LookAt) -> None:
    question = look_odd('Is Ask ?v1 now the motto of the town with the motto Say "yes" or \\no?')
    for candidate in question.candidates:
        question.agent.graph.lookup(candidate.query)  # each can be parsed


def test_a_yes_no_question_about_a_value_replaces_the_variable_only(look: LookAt) -> None:
    mention = LinkedMention(0, 1, Candidate(EX + "motto", "literal", "Ask ?v1 now"), 1.0)
    motto = EdgePattern(Variable("v1"), IRI(EX + "motto"), Literal("Ask ?v1 now"))
    node = Node(Variable("v1"), (motto,), (mention,))
    assert render_parts(node.parts_of(IRI(EX + "Asken"))) == f'<{EX}Asken> <{EX}motto> "Ask ?v1 now" .'


@pytest.mark.parametrize("digits", ["9" * 400, "9" * 5_000, "hundred " * 300, "1" + " 000" * 200])
def test_a_number_that_no_float_holds_is_no_bound(look: LookAt, digits: str) -> None:
    question = look(f"Which cities have more than {digits} inhabitants?")
    assert not any("inf" in candidate.query for candidate in question.candidates)
    for candidate in question.candidates:
        question.agent.graph.lookup(candidate.query)


@pytest.mark.parametrize("rank", ["9" * 30 + "th", "9" * 5_000 + "th", "0th", "\u1369th"])
def test_a_rank_beyond_all_things_breaks_nothing(look: LookAt, rank: str) -> None:
    question = look(f"What is the {rank} longest river?")
    for candidate in question.candidates:
        question.agent.graph.lookup(candidate.query)


def test_a_question_in_a_language_without_pack_lists_what_it_names(look: LookAt) -> None:
    assert ["Lynch"] in look("director Dune", "pl").found("list")


@pytest.mark.parametrize(
    "question",
    [
        "How many rivers are in each country?",
        "Which is the longest river in Germany?",
        "Which cities have more than a million inhabitants?",
        "Is the Rhine in Germany?",
        "Which rivers are not in Germany?",
    ],
)
def test_the_tree_of_a_candidate_is_the_one_that_its_text_is_read_as(look: LookAt, question: str) -> None:
    found = {candidate.query: candidate for candidate in look(question).candidates}
    assert found
    for query, candidate in found.items():
        assert sparql.write(candidate.graph.normalised()) == sparql.write(sparql.parse(query))
