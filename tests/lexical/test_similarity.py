"""Words that no pack knows, compared with names by their vectors."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from loguru import logger

from triad.agent import Agent
from triad.embedding import Embedder, open_embedder
from triad.embedding.vectors import Vectors
from triad.errors import ModelError
from triad.language.analysis import analyse
from triad.language.pack import load_pack
from triad.lexical.matching import Matcher
from triad.lexical.similarity import Similar

EX = "http://example.org/"
TURTLE = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:butler rdfs:label "butler" . :chef rdfs:label "chef" . :gardener rdfs:label "gardener" . :tailor rdfs:label "tailor" .
:Ann rdfs:label "Ann Example" ; :butler :Ben ; :chef :Cid ; :gardener :Dan ; :tailor :Eve .
:Ben rdfs:label "Ben" . :Cid rdfs:label "Cid" . :Dan rdfs:label "Dan" . :Eve rdfs:label "Eve" .
"""
MEANINGS = {"valet": "butler", "manservant": "butler", "hireling": "staff"}


class Meanings(Embedder):
    """Texts lie at 1, 0.8 or 0 from each other: the same word, words of one meaning, all others."""

    name = "meanings"

    def __init__(self) -> None:
        self.asked: list[list[str]] = []
        self.away = False

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        if self.away:
            raise ModelError("the embedder is away")
        self.asked.append(list(texts))
        words = ["butler", "chef", "gardener", "tailor", "staff", *MEANINGS]
        return [
            [0.5 * (word == text) + (word == MEANINGS.get(text, text)) for word in words] + [0.01] for text in texts
        ]


@pytest.fixture
def meanings() -> Meanings:
    return Meanings()


def similar(question: str, embedder: Embedder) -> Similar:
    return Similar(analyse(question, load_pack("en")), Vectors(embedder))


def matcher(question: str, embedder: Embedder) -> Matcher:
    pack = load_pack("en")
    return Matcher(analyse(question, pack), pack, pack, similar(question, embedder))


def relations(*labels: str) -> list[tuple[str, str]]:
    return [(label, EX + label) for label in labels]


def test_words_may_mean_a_name_that_they_are_like(meanings: Meanings) -> None:
    found = similar("Who is the valet of Ann?", meanings).among(["butler", "chef"], frozenset())
    assert set(found) == {"butler"}
    assert found["butler"].positions == {3}
    assert 0.3 <= found["butler"].weight <= 0.65


def test_words_that_are_left_out_mean_nothing(meanings: Meanings) -> None:
    assert not similar("Who is the valet of Ann?", meanings).among(["butler"], frozenset({3}))


def test_words_that_name_a_relation_outright_mean_no_other_one(meanings: Meanings) -> None:
    matched = matcher("Who is the valet of Ann?", meanings)
    assert set(matched.guesses(relations("butler", "chef"))) == {"butler"}
    assert not matched.guesses(relations("butler", "valet"))


def test_a_guess_weighs_less_than_the_word_itself_or_a_synonym(meanings: Meanings) -> None:
    guess = matcher("Who is the valet of Ann?", meanings).guesses(relations("butler"))["butler"]
    assert guess.similar
    assert guess.fit < matcher("Who is the butler of Ann?", meanings).relation("butler", EX + "butler").fit


def test_names_are_embedded_in_one_call_and_once(meanings: Meanings) -> None:
    compare = similar("Who is the valet of Ann?", meanings)
    compare.among(["butler", "chef"], frozenset())
    assert len(meanings.asked) == 1
    compare.among(["chef", "butler"], frozenset())
    assert len(meanings.asked) == 1
    compare.among(["chef", "tailor"], frozenset())
    assert meanings.asked[1:] == [["tailor"]]


def test_without_an_embedder_nothing_is_guessed() -> None:
    pack = load_pack("en")
    assert Matcher(analyse("Who is the valet of Ann?", pack), pack, pack).guesses(relations("butler")) == {}


# Questions ------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def real(minilm: Path) -> Embedder:
    """A real embedder."""
    return open_embedder(f"fastembed:{minilm}")


@pytest.fixture
def agent(kept_file: Callable[[str, str], Path]) -> Iterator[Callable[[Embedder | None], Agent]]:
    """Open an agent without a model and with an embedder."""
    opened: list[Agent] = []

    def make(embedder: Embedder | None) -> Agent:
        opened.append(Agent(kept_file("graph.ttl", TURTLE), model="none", embedder=embedder))
        return opened[-1]

    yield make
    for one in opened:
        one.close()


def test_a_question_whose_words_are_known_is_not_compared(
    agent: Callable[[Embedder], Agent], meanings: Meanings
) -> None:
    answer = agent(meanings).ask("Who is the butler of Ann Example?")
    assert list(map(str, answer.values)) == ["Ben"]
    assert meanings.asked == []


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Who is the valet of Ann Example?", "Ben"),
        ("Who is the landscaper of Ann Example?", "Dan"),
        ("Who is the seamstress of Ann Example?", "Eve"),
    ],
)
def test_a_question_in_words_that_no_pack_knows_is_answered(
    agent: Callable[[Embedder], Agent], real: Embedder, question: str, expected: str
) -> None:
    answer = agent(real).ask(question, min_confidence=0)
    assert list(map(str, answer.values)) == [expected]


def test_an_embedder_that_fails_is_said_and_done_without(
    agent: Callable[[Embedder], Agent], meanings: Meanings
) -> None:
    meanings.away = True
    lines: list[str] = []
    sink = logger.add(lines.append, level="WARNING", format="{message}")
    try:
        answer = agent(meanings).ask("Who is the valet of Ann Example?", min_confidence=0)
    finally:
        logger.remove(sink)
    assert answer.values
    assert lines == ["words are not compared by their meaning: the embedder is away\n"]
