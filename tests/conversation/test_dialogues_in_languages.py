"""A dialogue in each of the eleven languages, over a graph that has labels in all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import pytest
import yaml

from triad.agent import Agent
from triad.conversation import Conversation, Turn
from triad.conversation.turns import named_answers
from triad.language.detection import LANGUAGES

TURTLE = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:Germany a :Country ; :capital :Berlin . :France a :Country ; :capital :Paris . :Italy a :Country ; :capital :Rome .
:Berlin a :City ; :population 3700000 . :Paris a :City ; :population 2100000 . :Rome a :City ; :population 2750000 .
:Rhine a :River ; :through :Germany, :France ; :length 1233 . :Danube a :River ; :through :Germany ; :length 2850 .
:Elbe a :River ; :through :Germany ; :length 1094 . :Weser a :River ; :through :Germany ; :length 452 .
:Seine a :River ; :through :France ; :length 777 . :Po a :River ; :through :Italy ; :length 652 .
"""

DATA: Final[dict[str, Any]] = yaml.safe_load(Path(__file__).with_suffix(".yaml").read_text(encoding="utf-8"))
LABELS: Final[dict[str, dict[str, str]]] = DATA["labels"]

GIVEN: Final[dict[str, list[str]]] = {
    "rivers": ["Danube", "Elbe", "Rhine", "Weser"],
    "long": ["Danube", "Elbe", "Rhine"],
    "count": ["3"],
    "sort": ["Danube", "Rhine", "Elbe"],
    "second": ["Rhine"],
    "length": ["1233"],
    "without": ["Danube", "Elbe"],
    "longer": ["Danube"],
    "undo": ["Danube", "Elbe"],
    "capital": ["Berlin"],
    "italy": ["Rome"],
    "population": ["2750000"],
    "meant": ["2100000"],
    "back": ["Danube", "Elbe"],
    # The further dialogues
    "all": ["Danube", "Elbe", "Rhine", "Weser"],
    "shorter": ["Elbe", "Weser"],
    "so_many": ["2"],
    "longest": ["Elbe"],
    "its": ["1094"],
    "danube": ["2850"],
    "of_two": ["Danube"],
    "countries": ["France", "Germany"],
    "capitals": ["Berlin", "Paris"],
    "again": ["Elbe", "Weser"],
}
"""What the turns give; the others look nothing up."""

KINDS: Final = {
    "hello": "social",
    "undo": "undo",
    "anew": "start_over",
    "thanks": "social",
    "morning": "social",
    "never_mind": "social",
    "bye": "social",
}


@pytest.fixture(scope="module")
def agent(kept_file: Callable[[str, str], Path]) -> Iterator[Agent]:
    labels = [
        f':{name} rdfs:label "{label}"@{language} .\n'
        for name, texts in LABELS.items()
        for language, label in texts.items()
    ]
    # What is understood is tested, not how sure the solver is, which it is least of participles in Hindi.
    with Agent(kept_file("rivers.ttl", TURTLE + "".join(labels)), model="none", min_confidence=0.2) as agent:
        yield agent


def test_all_of_them_are_tried() -> None:
    assert tuple(sorted(DATA["dialogues"])) == LANGUAGES


def given(turn: Turn) -> list[str]:
    """What a turn gives: its entities, of several columns the last ones; its values where there are none."""
    assert turn.answer is not None
    columns = named_answers(turn)
    return [value.label for value in (columns[-1] if columns else turn.answer.values)]


@pytest.mark.slow
@pytest.mark.parametrize("language", DATA["dialogues"])
@pytest.mark.parametrize("which", ["dialogues", "further"])
def test_a_dialogue_holds_in_its_language(agent: Agent, which: str, language: str) -> None:
    said: dict[str, str] = DATA[which][language]
    names = {texts[language]: name for name, texts in LABELS.items()}
    conversation = Conversation(agent)
    turns = {name: conversation.ask(text) for name, text in said.items()}
    found = {name: [names.get(one, one) for one in given(turn)] for name, turn in turns.items() if turn.answer}
    unordered = {name: values if name == "sort" else sorted(values) for name, values in found.items()}
    assert unordered == {name: GIVEN[name] for name in said if name in GIVEN}
    assert {name: turns[name].kind for name in said if name in KINDS} == {
        name: kind for name, kind in KINDS.items() if name in said
    }
    assert {turn.language for turn in turns.values()} == {language}
