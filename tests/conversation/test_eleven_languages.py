"""A conversation in each language of QALD-9: labels of that language first, and replies in it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.phases.films import Script
from triad.agent import Agent
from triad.conversation import Conversation
from triad.language.detection import LANGUAGES
from triad.language.pack import load_pack
from triad.models import ScriptedModel

pytestmark = pytest.mark.slow(0.2)

TURTLE = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:City rdfs:label "city"@en . :Country rdfs:label "country"@en .
:Italy a :Country ; :capital :Rome . :France a :Country ; :capital :Paris .
:Rome a :City ; :population 2750000 . :Paris a :City ; :population 2100000 .
"""

LABELS = {
    "capital": "en:capital de:Hauptstadt fr:capitale es:capital it:capitale nl:hoofdstad pt:capital ro:capitală "
    "ru:столица hi:राजधानी fa:پایتخت",
    "population": "en:population de:Einwohnerzahl fr:population es:población it:popolazione nl:inwonertal pt:população "
    "ro:populație ru:население hi:जनसंख्या fa:جمعیت",
    "Italy": "en:Italy de:Italien fr:Italie es:Italia it:Italia nl:Italië pt:Itália ro:Italia ru:Италия "
    "hi:इटली fa:ایتالیا",
    "France": "en:France de:Frankreich fr:France es:Francia it:Francia nl:Frankrijk pt:França ro:Franța ru:Франция "
    "hi:फ़्रान्स fa:فرانسه",
    "Rome": "en:Rome de:Rom fr:Rome es:Roma it:Roma nl:Rome pt:Roma ro:Roma ru:Рим hi:रोम fa:رم",
    "Paris": "en:Paris de:Paris fr:Paris es:París it:Parigi nl:Parijs pt:Paris ro:Paris ru:Париж hi:पेरिस fa:پاریس",
}


@dataclass(frozen=True)
class Talk:
    """Four turns: a question, a pronoun, a part of a question, and the wish to know why."""

    capital: str
    its: str
    paris: str
    why: str
    rome: str
    """What is said of the first question."""


TALKS = {
    "en": Talk("What is the capital of Italy?", "What is its population?", "And of Paris?", "why?",
               "The capital of Italy is Rome."),
    "de": Talk("Was ist die Hauptstadt von Italien?", "Was ist ihre Einwohnerzahl?", "Und von Paris?", "warum?",
               "Die Hauptstadt von Italien ist Rom."),
    "fr": Talk("Quelle est la capitale de l'Italie ?", "Quelle est sa population ?", "Et de Paris ?", "pourquoi ?",
               "La capitale de l'Italie est Rome."),
    "es": Talk("¿Cuál es la capital de Italia?", "¿Cuál es su población?", "¿Y de París?", "¿por qué?",
               "La capital de Italia es Roma."),
    "it": Talk("Qual è la capitale d'Italia?", "Qual è la sua popolazione?", "E di Parigi?", "perché?",
               "La capitale d'Italia è Roma."),
    "nl": Talk("Wat is de hoofdstad van Italië?", "Wat is haar inwonertal?", "En van Parijs?", "waarom?",
               "De hoofdstad van Italië is Rome."),
    "pt": Talk("Qual é a capital da Itália?", "Qual é a sua população?", "E de Paris?", "por quê?",
               "A capital da Itália é Roma."),
    "ro": Talk("Care este capitala Italia?", "Care este populația sa?", "Și Paris?", "de ce?",
               "Capitala Italia este Roma."),
    "ru": Talk("Какая столица Италия?", "Какое её население?", "А Париж?", "почему?", "Рим."),
    "hi": Talk("इटली की राजधानी क्या है?", "उसकी जनसंख्या क्या है?", "और पेरिस की?", "क्यों?", "इटली की राजधानी रोम है।"),
    "fa": Talk("پایتخت ایتالیا چیست؟", "جمعیت آن چقدر است؟", "و پاریس؟", "چرا؟", "پایتخت ایتالیا رم است."),
}  # fmt: skip


@pytest.fixture(scope="module")
def graph(cache_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    path = tmp_path_factory.mktemp("eleven") / "eleven.ttl"
    labels = [
        f':{name} rdfs:label "{label}"@{language} .\n'
        for name, texts in LABELS.items()
        for language, _, label in (text.partition(":") for text in texts.split())
    ]
    path.write_text(TURTLE + "".join(labels), encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TRIAD_CACHE", str(cache_folder))
        yield path


def test_all_of_them_are_tried() -> None:
    assert tuple(sorted(TALKS)) == LANGUAGES


@pytest.mark.slow
@pytest.mark.parametrize("language", TALKS)
def test_a_conversation_goes_on_in_its_language(graph: Path, language: str) -> None:
    said, words = TALKS[language], load_pack(language)
    with Agent(graph, model="none") as agent:
        conversation = Conversation(agent)
        first, its, paris, why, unknown = (
            conversation.ask(text) for text in (said.capital, said.its, said.paris, said.why, "Xyzzy Qwert?")
        )
    assert first.reply == said.rome
    assert its.answer is not None
    assert [value.label for value in its.answer.values] == ["2750000"]
    assert its.dependent
    assert paris.answer is not None
    assert [value.label for value in paris.answer.values] == ["2100000"]
    assert why.reply.startswith(words.replies["why_facts"])
    assert unknown.reply == words.no_answer([words.replies["no_name"].format(name="Xyzzy Qwert")])
    assert {turn.language for turn in conversation.turns} == {language}


@pytest.mark.parametrize("language", TALKS)
def test_yes_and_no_are_said_in_the_language(graph: Path, language: str) -> None:
    words = load_pack(language)
    template = {"triples": [], "answer_type": "boolean"}
    script = Script(
        parsing=[
            {**template, "sparql": "ASK { <Italy> <capital> <Rome> }"},
            {**template, "sparql": "ASK { <France> <capital> <Rome> }"},
        ]
    )
    with Agent(graph, model=ScriptedModel(script)) as agent:
        conversation = Conversation(agent, language=language)
        assert conversation.ask("?").reply == words.replies["yes"]
        assert conversation.ask("Rome?").reply == words.replies["no"]
