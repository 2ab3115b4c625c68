"""The graph that ships to try questions on: it is sound, and questions of many kinds have their answers in it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pyoxigraph
import pytest

import triad
from triad import resources

QUESTIONS = {
    "Who wrote Momo?": {"Michael Ende"},
    "When was Michael Ende born?": {"1929-11-12"},
    "Which publisher published Dune?": {"Chilton Books"},
    "How many books won the Hugo Award?": {"4"},
    "What is the longest book?": {"Wolf Hall"},
    "Is Wolf Hall longer than Dune?": {"yes"},
    "Which author has written the most books?": {"Ursula K. Le Guin"},
    "Which authors were born in the United States?": {
        "Frank Herbert",
        "Toni Morrison",
        "Ursula K. Le Guin",
        "William Gibson",
    },
    "In which country was Kazuo Ishiguro born?": {"Japan"},
    "Which books were published in 1984?": {"Neuromancer"},
    "Which books were published before 1940?": {"The Hobbit"},
    "How many books were published before 1970?": {"6"},
    "Was Neuromancer published after 1980?": {"yes"},
    "Is Dune longer than Neuromancer and shorter than Wolf Hall?": {"yes"},
    "Which authors were born in the same country?": {
        "Frank Herbert",
        "Toni Morrison",
        "Ursula K. Le Guin",
        "William Gibson",
    },
    "Which publishers have the same headquarters?": {
        "Ace Books",
        "Alfred A. Knopf",
        "Allen & Unwin",
        "Faber and Faber",
        "Fourth Estate",
        "Harper & Row",
    },
    "Which books were written by the author of Momo?": {"Momo", "The Neverending Story"},
    "Which books were published after 2000?": {"Bring Up the Bodies", "Never Let Me Go", "Wolf Hall"},
    "Which books by Hilary Mantel won the Booker Prize?": {"Bring Up the Bodies", "Wolf Hall"},
    "Did Toni Morrison win the Nobel Prize in Literature?": {"yes"},
    "What is the oldest publisher?": {"Thienemann"},
    "How many pages does Neuromancer have?": {"271"},
}


@pytest.fixture(scope="module")
def agent(cache_folder: Path) -> Iterator[triad.Agent]:
    with triad.Agent(graph=str(resources.find("graph", "books"))) as agent:
        yield agent


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_question_about_books_is_answered(agent: triad.Agent, question: str) -> None:
    answer = agent.ask(question)
    assert {value.label or value.text for value in answer.values} == QUESTIONS[question]
    assert answer.confidence >= 0.5


@pytest.mark.parametrize(
    "question",
    [
        "Which authors were born in the same city?",  # none were, and their books were not born
        "Which authors share a birth year?",
        "Which books have the same author as Dune?",  # which is not Frank Herbert
        "Which books were published on 5 May 1973?",  # of which the year is known
    ],
)
def test_what_the_graph_does_not_tell_is_no_more_than_a_guess(agent: triad.Agent, question: str) -> None:
    with pytest.raises(triad.AnswerError):
        agent.ask(question)


@pytest.mark.slow(0.1)
def test_everything_in_it_has_a_class_and_a_name() -> None:
    named, used = set(), set()
    for quad in pyoxigraph.parse(path=str(resources.find("graph", "books"))):
        if quad.predicate.value.endswith("#label"):
            named.add(quad.subject)
        used |= {part for part in quad if isinstance(part, pyoxigraph.NamedNode)}
    assert not [node for node in used - named if re.match("https://example.org/", node.value)]
