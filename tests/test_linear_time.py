"""Texts of strangers that a pattern or a loop could read in more ways than there is time for."""

import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

import triad
from triad.evaluation.metrics.sets import canonical
from triad.language.asking import Asking
from triad.language.pack import load_pack
from triad.language.text_quantities import numbers
from triad.queries.path_text import MalformedPath, parse_path
from triad.rdf import XSD, Literal
from triad.retrieval.documents.reading import read_document
from triad.server.routes.chat import ChatBody

TURNS = {
    "questions in a row": ("es", "¿Quién fundó Intel y " * 12),
    "more questions in a row": ("es", "¿Quién fundó Intel y " * 90),
    "quotes": ("ru", "'" * 2_000),
    "commas": ("en", "a, b, c, d, " * 150),
}
READ: dict[str, Callable[[Path], object]] = {
    "a number": lambda _: Literal("1" * 30_000 + "x", XSD + "integer").number,
    "numbers that are compared": lambda _: canonical("1" * 30_000 + "x"),
    "a number in words": lambda _: numbers("hundred " * 4_000, [load_pack("en")]),
    "a step of a path": lambda _: parse_path("Main Path:\n" + "a-[b]->" * 1_400 + "\\t"),
    "the language of a document": lambda folder: read_document(_written(folder, "aa" + "_a" * 40 + "!")),
    "the name of a relation": lambda _: Asking("en").form("a (" + " " * 30_000 + "x"),
}


@pytest.mark.parametrize("read", READ.values(), ids=READ.keys())
def test_a_text_is_read_in_linear_time(read: Callable[[Path], object], tmp_path: Path) -> None:
    begun = time.process_time()
    with suppress(MalformedPath):
        read(tmp_path)
    assert time.process_time() - begun < 10


@pytest.mark.slow
@pytest.mark.parametrize(("language", "text"), TURNS.values(), ids=TURNS.keys())
def test_so_is_a_turn(language: str, text: str) -> None:
    with triad.Agent.from_config("demo") as agent:
        conversation = triad.Conversation(agent, language=language)
        conversation.ask("Who founded Intel?")
        begun = time.process_time()
        conversation.ask(text)
        assert time.process_time() - begun < 8


@pytest.mark.parametrize("messages", [[{"role": "user", "content": [1] * 50_000}], [{"role": 1}] * 500])
def test_of_a_body_that_is_all_wrong_few_faults_are_told(messages: list[object]) -> None:
    with pytest.raises(ValueError, match="validation error") as caught:
        ChatBody.model_validate({"model": "demo", "messages": messages})
    assert len(str(caught.value)) < 100_000


@pytest.mark.parametrize("words", ["5 " + "million " * 60, "million " * 60, "5 " + "billion " * 900])
def test_a_number_beyond_all_numbers_is_none(words: str) -> None:
    assert not numbers(f"It has {words}workers.", [load_pack("en")])


def _written(folder: Path, language: str) -> Path:
    path = folder / "page.html"
    path.write_text(f'<html lang="{language}"><h1>A title</h1><p>What it says.', encoding="utf-8")
    return path
