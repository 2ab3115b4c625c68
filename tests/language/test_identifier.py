"""The model that tells languages apart gives what py3langid gives, and is kept in the cache."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest
from py3langid.langid import MODEL_FILE, LanguageIdentifier

from triad.language.detection import Identifier

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
