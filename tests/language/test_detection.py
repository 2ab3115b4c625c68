from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest
from py3langid.langid import MODEL_FILE, LanguageIdentifier

from tests.cases import cases
from triad.language.detection import Detection, Identifier, detect, detection


@pytest.mark.parametrize(("text", "language"), cases(__file__, "test_the_language_of_a_question_is_told"))
def test_the_language_of_a_question_is_told(text: str, language: str) -> None:
    assert detect(text) == language


@pytest.mark.parametrize(("text", "language"), [("почему?", "ru"), ("क्यों?", "hi"), ("چرا؟", "fa"), ("Кто это?", "ru")])
def test_a_script_of_its_own_tells_a_language_from_one_word(text: str, language: str) -> None:
    assert detect(text, "en") == language


def test_a_name_in_another_script_changes_no_language() -> None:
    assert detect("Who is the author of Война и мир?", "en") == "en"
    assert detect("Кто основал корпорацию Intel?", "ru") == "ru"


@pytest.mark.parametrize("text", ["Wien?", "And Wien?", "the first three", "Was it in 'Die unendliche Geschichte'?"])
def test_a_short_question_or_a_foreign_name_changes_no_language(text: str) -> None:
    assert detect(text, "en") == "en"


@pytest.mark.parametrize("text", ["What is Jan van de Cappelle's nationality?", "Who taught Anders van der Berg?"])
def test_a_name_of_several_words_changes_no_language(text: str) -> None:
    assert detection(text, "en") == Detection("en")


def test_an_expected_tag_with_a_region_is_kept() -> None:
    assert detect("Wie viele Einwohner hat Wien?", "de-AT") == "de-AT"


@pytest.mark.slow
def test_the_languages_of_qald_are_told_apart(shared_data: Path) -> None:
    questions = json.loads((shared_data / "qald9" / "questions.json").read_text(encoding="utf-8"))["questions"]
    pairs = {
        (one["language"].lower()[:2], one["string"])
        for item in questions
        for one in item["question"]
        if one.get("string")
    }
    right = sum(detect(text, "en") == language for language, text in pairs)
    assert right / len(pairs) > 0.98
    assert sum(detect(text, language) == language for language, text in pairs) / len(pairs) > 0.99


def test_english_dialogues_stay_english(shared_data: Path) -> None:
    for path in sorted((shared_data / "dialogues").glob("*/dialogues.json")):
        for dialogue in json.loads(path.read_text(encoding="utf-8"))["dialogues"]:
            assert {detect(turn["question"]) for turn in dialogue["turns"]} == {"en"}


@pytest.mark.parametrize("text", ["Wien?", "Hauptstadt Italiens?"])
def test_a_short_question_is_in_doubt(text: str) -> None:
    found = detection(text)
    assert found.language == "en"
    assert "de" in found.others


@pytest.mark.parametrize("text", ["Wie viele Einwohner hat Wien?", "Which rivers flow through Austria?", "Кто это?"])
def test_function_words_leave_no_doubt(text: str) -> None:
    assert detection(text).others == ()


@pytest.mark.slow
def test_no_english_question_is_taken_for_another_language(shared_data: Path) -> None:
    for name in ("free", "spider", "lcquad"):
        for path in sorted((shared_data / name).rglob("questions.json")):
            content = json.loads(path.read_text(encoding="utf-8"))
            for record in content if isinstance(content, list) else content["questions"]:
                plain = isinstance(record["question"], str)
                texts = [(record["language"], record["question"])] if plain else [
                    (one["language"], one["string"]) for one in record["question"]
                ]  # fmt: skip
                assert all(detect(text) == language for language, text in texts)


LANGUAGES = ("de", "en", "fr", "hi", "ru")
TEXTS = (
    "Who founded Intel?",
    "Wie viele Einwohner hat Österreich?",
    "QUELLE EST LA CAPITALE DE L’ITALIE ?",
    "भारत की राजधानी क्या है?",
    "Кто написал «Войну и мир»?",
    "!?",
    "",
)


@pytest.mark.slow
def test_likelihoods_are_those_of_py3langid(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TRIAD_CACHE", str(tmp_path))
    plain: Any = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    plain.set_languages(list(LANGUAGES))
    made, read = Identifier(LANGUAGES), Identifier(LANGUAGES)
    for text in TEXTS:
        expected = {language: math.log(share) for language, share in plain.rank(text) if share > 1e-20}
        found = made.likelihoods(text)
        assert {language: found[language] for language in expected} == pytest.approx(expected, abs=1e-3)
        assert read.likelihoods(text) == found
    assert next(iter(made.likelihoods(TEXTS[1]))) == "de"
