"""Which candidate is the best, and how sure that is."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest

from tests.lexical.looking import EX, Look
from triad.lexical.candidates import CandidateQuery
from triad.lexical.nodes import Node
from triad.lexical.ranking import CERTAINTY, certainty, confidence, describe, rank
from triad.lexical.weights import Weights, load_weights
from triad.rdf import IRI
from triad.sparql.patterns import EdgePattern, Variable
from triad.sparql.query_graph import QueryGraph

LookAt = Callable[..., Look]
QUESTIONS = [
    "Who directed Dune?",
    "Which films did Stanley Kubrick direct before 1970?",
    "How many rivers flow through Switzerland?",
    "How many rivers are in each country?",
    "Is the Rhine longer than the Aare?",
    "Did Stanley Kubrick direct Dune?",
    "What is the second longest river?",
    "How much longer is the Rhine than the Aare?",
    "Which rivers are not in Switzerland?",
    "What is the average length of rivers in Switzerland?",
    "Which films did Stanley Kubrick direct, and when were they released?",
    "capital Switzerland",
]


def ranked(look: Look, weights: Weights | None = None) -> list[CandidateQuery]:
    return rank(look.walk, look.candidates, weights or load_weights())


def candidate(score: float, *ends: str) -> CandidateQuery:
    things = tuple(IRI(EX + end) for end in ends)
    return CandidateQuery(QueryGraph(), "select", "list", Node(Variable("v1")), things, score=score)


# Features -------------------------------------------------------------------------------------------------


def test_every_number_that_the_confidence_is_computed_from_is_explained() -> None:
    assert set(load_weights().confidence) == set(CERTAINTY)
    assert all(sentence.endswith(".") for sentence in CERTAINTY.values())


@pytest.mark.parametrize("question", QUESTIONS)
def test_every_feature_has_a_weight_and_is_about_from_0_to_1(look: LookAt, question: str) -> None:
    looked = look(question)
    assert looked.candidates
    for each in looked.candidates:
        features = describe(looked.walk, each)
        assert set(features) <= set(load_weights().features)
        assert all(-1 <= value <= 2 and math.isfinite(value) for value in features.values())


def test_every_feature_that_has_a_weight_occurs(look: LookAt) -> None:
    questions = [look(question) for question in QUESTIONS]
    occurring = {
        name for question in questions for each in question.candidates for name in describe(question.walk, each)
    }
    assert set(load_weights().features) <= occurring


def test_what_accounts_for_all_words_is_complete(look: LookAt) -> None:
    question = look("Who directed Dune?")
    features = describe(question.walk, question.candidates[0])
    assert (features["coverage"], features["complete"], features["uncovered"]) == (1, 1, 0)
    question = look("Who directed Dune at breakfast?")
    features = describe(question.walk, question.candidates[0])
    assert features["coverage"] == pytest.approx(2 / 3)
    assert (features["complete"], features["uncovered"]) == (0, 0.2)


def test_who_is_answered_by_persons(look: LookAt) -> None:
    question = look("Who directed Dune?")
    person = next(each for each in question.candidates if each.ends == (IRI(EX + "Lynch"),))
    assert describe(question.walk, person)["type_fit"] == 1


@pytest.mark.parametrize(
    "question",
    [
        "Which rivers are longer than 400 km?",
        "What is the second longest river?",
        "Which films did Stanley Kubrick direct before 1970?",
        "Which rivers are not in Switzerland?",
        "What is the average length of rivers in Switzerland?",
        "Which films did Stanley Kubrick direct, and when were they released?",
    ],
)
def test_what_a_question_asks_for_by_its_form_is_missing_from_a_list(look: LookAt, question: str) -> None:
    looked = look(question)
    assert {describe(looked.walk, each)["missing"] for each in looked.candidates if each.form == "list"} == {1}
    assert not any(word.kind == "left_out" for word in looked.answer.words)


def test_a_number_that_is_part_of_a_name_is_no_comparison(look: LookAt) -> None:
    question = look("Who directed 2001: A Space Odyssey?")
    named = next(each for each in question.candidates if each.node.mentions and each.node.mentions[0].end > 3)
    assert describe(question.walk, named)["missing"] == 0


# Order and confidence -------------------------------------------------------------------------------------


def test_the_best_comes_first_and_each_query_once(look: LookAt) -> None:
    question = look("Which films are by the director of The Shining?")
    found = rank(question.walk, [*question.candidates, *question.candidates], load_weights())
    assert len(found) == len({each.query for each in found})
    assert [each.score for each in found] == sorted((each.score for each in found), reverse=True)


def test_only_features_with_a_weight_count(look: LookAt) -> None:
    [best, *_] = ranked(look("Who directed Dune?"), Weights({"least_fit": 2.0, "unheard": 5.0}))
    assert best.score == 2 * max(each.features["least_fit"] for each in ranked(look("Who directed Dune?")))


def test_the_order_does_not_depend_on_the_numbers_of_variables(look: LookAt) -> None:
    one, other = look("Which rivers are in Switzerland?"), look("Which rivers are in Switzerland?")
    for _ in range(95):
        other.walk.variable()
    assert [each.query for each in ranked(one)] == [each.query for each in ranked(other)]
    assert not any("?v" in each.query for each in ranked(one))


def test_a_query_that_sparql_cannot_write_is_left_out(look: LookAt) -> None:
    question = look("Who directed Dune?")
    [first, *others] = question.candidates
    bad = EdgePattern(Variable("v1"), IRI("http://example.org/a> ?p ?o . #"), Variable("v2"))
    first.graph = QueryGraph.of(Variable("v1"), bad)
    assert first not in rank(question.walk, [first, *others], load_weights())


def test_no_candidates_are_no_ranking(look: LookAt) -> None:
    assert ranked(look("?")) == []


def test_confidence_is_a_probability_however_far_apart_scores_are() -> None:
    weights = Weights(confidence={"margin": 1e9, "share": -1e9, "bias": 1e9})
    for scores in ([0.0], [1e6, -1e6], [-1e9, -1e9], [3.0, 3.0]):
        value = confidence([candidate(score) for score in scores], weights)
        assert 0 <= value <= 1


def test_one_that_finds_the_same_is_no_rival() -> None:
    far = certainty([candidate(5, "a"), candidate(4.9, "a"), candidate(0, "b")])
    assert far["margin"] == 1
    near = certainty([candidate(5, "a"), candidate(4.5, "b")])
    assert near["margin"] == pytest.approx(0.1)


def test_what_is_not_known_to_find_the_same_is_a_rival() -> None:
    assert certainty([candidate(5), candidate(4.5)])["margin"] == pytest.approx(0.1)


def test_a_candidate_alone_is_as_far_ahead_as_can_be() -> None:
    assert certainty([candidate(-7)]) == dict.fromkeys(CERTAINTY, 0.0) | {"bias": 1, "share": 1, "margin": 1}
