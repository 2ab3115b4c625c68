"""From named things along relations, and what paths have in common."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from tests.lexical.looking import EX, Look, Watched
from triad.agent import Agent
from triad.errors import GraphError
from triad.kg.schema import Schema
from triad.lexical.answer_types import AnswerTypes
from triad.lexical.nodes import Node
from triad.lexical.solver import candidates
from triad.lexical.weights import load_weights
from triad.questions import Question
from triad.rdf import IRI, XSD, BlankNode, Literal, Term, is_number, kind_of
from triad.sparql.patterns import Variable
from triad.sparql.writer import render_parts

LookAt = Callable[..., Look]
Open = Callable[[str], Agent]


def ends(node: Node) -> list[str]:
    return sorted(str(end).removeprefix(EX) for end in node.ends)


def where(node: Node) -> str:
    return render_parts(node.parts).replace(EX, "")


def watched(agent: Agent, text: str, graph: Watched) -> Look:
    """Follow a question with a graph that is watched."""
    look = Look(agent, text)
    look.context = replace(agent.begin(Question(text)).at("linking"), graph=graph, schema=Schema(graph))
    return look


# Steps ----------------------------------------------------------------------------------------------------


def test_a_step_goes_along_the_relation_that_the_question_names(look: LookAt) -> None:
    best = look("Who directed Dune?").nodes[0]
    assert where(best) == "<Dune> <director> ?v1 ."
    assert ends(best) == ["Lynch"]
    assert best.edges[0].forward
    assert best.complete


def test_a_step_goes_against_a_relation_too(look: LookAt) -> None:
    best = look("Which films did David Lynch direct?").nodes[0]
    assert where(best).endswith("<director> <Lynch> .")
    assert ends(best) == ["Dune"]
    assert not best.edges[0].forward


def test_a_second_step_goes_on_from_the_first(look: LookAt) -> None:
    best = look("Where was the director of Dune born?").nodes[0]
    assert [edge.label for edge in best.edges] == ["director", "birth place"]
    assert ends(best) == ["Missoula"]


def test_a_step_back_accounts_for_the_words_that_say_it_again(look: LookAt) -> None:
    best = look("Which films did the director direct who directed The Shining?").nodes[0]
    there, back = best.edges
    assert best.turns_back
    assert there.match.positions
    assert back.match.positions
    assert there.match.positions.isdisjoint(back.match.positions)


def test_what_two_named_things_have_in_common_is_joined(look: LookAt) -> None:
    nodes = look("Which country do Bern and the Rhine share?").nodes
    common = [node for node in nodes if len(node.mentions) == 2 and not node.of_named]
    assert ends(common[0]) == ["Switzerland"]
    assert where(common[0]).count("<country>") == 2


def test_a_named_thing_that_a_path_meets_is_put_into_it(look: LookAt) -> None:
    found = [node for node in look("Did David Lynch direct Dune?").nodes if node.of_named]
    assert {where(node) for node in found} == {"<Dune> <director> <Lynch> ."}
    assert all(edge.connects for node in found for edge in node.edges)


def test_who_asks_for_other_films_does_not_ask_for_that_film(look: LookAt) -> None:
    nodes = look("Which films are by the director of The Shining?").nodes
    back = next(node for node in nodes if node.turns_back)
    assert "FILTER(" in where(back)
    assert ends(back) == ["Odyssey"]


def test_a_class_that_is_named_leaves_other_things_out(look: LookAt) -> None:
    nodes = look("Which rivers are in Switzerland?").nodes
    best = next(node for node in nodes if node.restricted and node.mentions)
    assert ends(best) == ["Aare", "Rhine"]


def test_labels_and_comments_are_no_steps(look: LookAt) -> None:
    nodes = look("What is the label and comment of Dune?").nodes
    assert not any("rdf-schema" in where(node) for node in nodes)


def test_the_words_beside_a_name_say_which_of_two_things_is_meant(look: LookAt) -> None:
    question = look("When was the film The Shining released?")
    called = [mention for mention in question.mentions if question.words(mention.positions) == ["The", "Shining"]]
    film, novel = (
        question.walk._kinds_beside(next(mention for mention in called if mention.candidate.iri == EX + iri))
        for iri in ("Shining", "Novel")
    )
    assert question.words(film.positions) == ["film"]
    assert not novel.positions


def test_a_question_that_names_nothing_leads_nowhere(look: LookAt) -> None:
    assert look("").nodes == []
    assert look("?!").nodes == []
    assert look("longer than").nodes == []


# Values and names that are hard to write ------------------------------------------------------------------


@pytest.mark.parametrize(("motto", "town"), [("Ask ?v1 now", "Asken"), ('Say "yes" or \\no', "Quoten")])
def test_a_value_with_quotes_and_backslashes_is_a_beginning(look_odd: LookAt, motto: str, town: str) -> None:
    nodes = look_odd(f"Which town has the motto {motto}?").nodes
    assert ends(nodes[0]) == [town]


@pytest.mark.slow
def test_two_values_that_look_like_queries_can_be_joined(open_text: Open) -> None:
    agent = open_text(
        r"""
        @prefix : <http://example.org/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
        :motto rdfs:label "motto" . :cry rdfs:label "cry" .
        :Ann rdfs:label "Ann" ; :motto "Take ?v2 now" ; :cry "Give ?v1 back" .
        :Ben rdfs:label "Ben" ; :motto "Take ?v2 now" ; :cry "Give \"?v1 \" up" .
        """
    )
    look = Look(agent, "Whose motto is Take ?v2 now with the cry Give ?v1 back?")
    both = next(node for node in look.nodes if len(node.mentions) == 2 and not node.of_named)
    assert ends(both) == ["Ann"]
    assert '"Take ?v2 now"' in where(both)
    assert '"Give ?v1 back"' in where(both)


def test_a_thing_whose_iri_looks_like_a_variable_is_walked_from(look_odd: LookAt) -> None:
    assert ends(look_odd("Who directed Watch One?").nodes[0]) == ["Ida"]


def test_iris_that_sparql_cannot_write_are_no_things() -> None:
    terms: tuple[Term, ...] = (
        IRI("http://x/a b"),
        IRI("http://x/<y>"),
        IRI("http://x/ok"),
        BlankNode("b"),
        Literal("c"),
    )
    assert Node(Variable("v1"), ends=terms).things == ["http://x/ok"]


def test_iris_that_sparql_cannot_write_are_walked_round(agent: Agent) -> None:
    question = Look(agent, "Who directed Dune?")
    bad = replace(
        question.mentions[0], candidate=replace(question.mentions[0].candidate, types=(EX + "a b", EX + "<c>"))
    )
    assert ends(question.walk.nodes([bad], [])[0]) == ["Lynch"]


# Bounds ---------------------------------------------------------------------------------------------------


def hub(triples: int) -> Iterator[str]:
    """Yield a graph with a thing that thousands of others point to, and that has as many values."""
    yield "@prefix : <http://example.org/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> ."
    yield ':Hub rdfs:label "Hub" . :member rdfs:label "member" . :friend rdfs:label "friend" .'
    for at in range(triples):
        yield f":Hub :member :m{at} . :m{at} :friend :m{at + 1} ; :club :Hub ; :p{at % 50} {at} ."


@pytest.mark.slow
def test_a_thing_with_thousands_of_triples_costs_as_few_look_ups_as_a_small_one(open_text: Open) -> None:
    counts = []
    for triples in (60, 6_000):
        agent = open_text("\n".join(hub(triples)))
        graph = Watched(agent.graph)
        look = watched(agent, "Which friends do the members of Hub have?", graph)
        assert look.nodes
        assert max(len(node.ends) for node in look.nodes) <= 4_000
        counts.append(len(graph.asked))
    small, large = counts
    assert large <= 2 * small
    assert large < 150


@pytest.mark.slow
def test_what_was_cut_is_not_complete(open_text: Open) -> None:
    agent = open_text("\n".join(hub(6_000)))
    members = next(node for node in Look(agent, "members of Hub").nodes if node.edges)
    assert len(members.ends) == 4_000
    assert not members.complete


def test_what_is_known_is_not_looked_up_again(agent: Agent) -> None:
    graph = Watched(agent.graph)
    look = watched(agent, "Where was the director of Dune born?", graph)
    assert look.nodes
    first = len(graph.asked)
    again = Look(agent, look.text)
    again.context = look.context
    assert again.nodes
    assert len(graph.asked) - first < first / 2


def test_steps_are_the_same_taken_at_once_and_one_by_one(agent: Agent) -> None:
    text = "Which films by Stanley Kubrick were released before 1970?"
    one, several = Watched(agent.graph), Watched(agent.graph)
    several.concurrency = 4
    found = [{(len(node.parts), *ends(node)) for node in watched(agent, text, graph).nodes} for graph in (one, several)]
    assert found[0] == found[1]


@pytest.mark.parametrize("lookups", [0, 1, 3, 6, 10])
def test_a_graph_that_fails_on_the_way_is_told_of(agent: Agent, lookups: int) -> None:
    look = watched(agent, "Where was the director of Dune born?", Watched(agent.graph, lookups))
    with pytest.raises(GraphError, match="went away"):
        candidates(look.context, load_weights())


# Classes and values ---------------------------------------------------------------------------------------


def test_classes_in_a_circle_are_walked_once(look_odd: LookAt) -> None:
    question = look_odd("Which work did Ida Even direct?")
    kinds = question.walk.kinds
    assert kinds.above(EX + "Film") == (EX + "Work", EX + "Film")
    assert question.words(kinds.named([EX + "Film"], frozenset()).positions) == ["work"]
    assert ends(question.nodes[0]) == ["Delete", "Ignore", "watch?v1"]


@pytest.mark.slow
def test_a_class_with_many_above_it_is_not_followed_to_the_end(open_text: Open) -> None:
    lines = ["@prefix : <http://example.org/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> ."]
    lines += [f":C{at} rdfs:subClassOf :C{at + 1} ." for at in range(100)]
    kinds = Look(open_text("\n".join(lines)), "Who?").walk.kinds
    assert len(kinds.above(EX + "C0")) == 10


@pytest.mark.parametrize(
    ("question", "sample", "iri", "expected"),
    [
        ("Who directed Dune?", IRI(EX + "Lynch"), "Person", 1),
        ("Who directed Dune?", IRI(EX + "Bern"), "City", 0),
        ("Who directed Dune?", IRI(EX + "Dune"), "Film", 0.3),
        ("When was it?", IRI(EX + "Dune"), "Film", 0),
        ("When was it?", Literal("1984-12-03", XSD + "date"), None, 1),
        ("When was it?", Literal("soon"), None, 0),
        ("Which film is it?", IRI(EX + "Lynch"), "Person", 0.5),
    ],
)
def test_answers_fit_the_question_word(
    look: LookAt, question: str, sample: Term, iri: str | None, expected: float
) -> None:
    kinds: AnswerTypes = look(question).walk.kinds
    assert kinds.fits(sample, [EX + iri] if iri else []) == expected


@pytest.mark.parametrize(
    ("literal", "kind"),
    [
        (Literal("12", XSD + "integer"), "number"),
        (Literal("12", XSD + "unsignedLong"), "number"),
        (Literal("-1.5", "http://dbpedia.org/datatype/kilometre"), "number"),
        (Literal("1984", XSD + "gYear"), "date"),
        (Literal("1984"), "text"),
        (Literal(""), "text"),
        (Literal("1.2.3"), "text"),
        (Literal("twelve", language="en"), "text"),
    ],
)
def test_a_literal_is_a_number_a_date_or_a_text(literal: Literal, kind: str) -> None:
    assert kind_of(literal) == kind
    assert is_number(literal) == (kind == "number")
