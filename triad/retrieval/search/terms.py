"""A text as terms: folded, stemmed words that a text and a question about it share.

The terms are made here and not by the index, so that every index finds the same: the embedded one, and Elasticsearch
with whatever plug-ins it has.

>>> terms("Die Akkus wiegen 2,5 kg.", "de")
['die', 'akkus', 'wieg', '2.5', 'kg']
"""

import re
import threading
from collections.abc import Iterable
from functools import lru_cache
from itertools import pairwise
from typing import Any, Final

import Stemmer

from triad.language.detection import detect
from triad.language.normalize import fold
from triad.language.pack import load_pack

_SIGNS: Final = r"\u0300-\u036f\u064b-\u065f\u0900-\u0963\u200c"
"""Signs within words: accents, the vowels of Arabic and Hindi, the Persian non-joiner."""
_TOKEN: Final = re.compile(rf"\d+(?:[.,:'’]\d+)*|[^\W\d_][^\W\d_{_SIGNS}]*[{_SIGNS}\w]*(?:['’]\w+)*[+#]*")
_GROUPS: Final = re.compile(r"\d{1,3}([.,'’]\d{3})+")
_PARTS: Final = re.compile(r"\d+|[^\W\d_]+")
_UNSPACED: Final = re.compile(r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff]")
"""Letters of scripts that do not put spaces between words."""
_LONGEST: Final = 60  # characters of a term; what is longer is no word
_ASKED: Final = 200  # terms of a question that are looked for
_lock = threading.Lock()


def terms(text: str, language: str = "") -> list[str]:
    """Return the terms of a text in a language, in their order."""
    code = language.partition("-")[0].lower()
    return [term for word in _TOKEN.findall(text) for term in _terms(word, code)]


def question_terms(text: str, spoken: Iterable[str]) -> list[tuple[str, ...]]:
    """Return the terms of a question: for each word, what it is in each language of an index.

    Function words of the question's language are left out, unless there is nothing else.
    """
    codes = sorted({language.partition("-")[0].lower() for language in spoken} | {"en"})
    pack = load_pack(detect(text))
    words = _TOKEN.findall(text)
    telling = [word for word in words if not pack.is_idle(word)] or words
    found: dict[tuple[str, ...], None] = {}
    for word in telling:
        for same in zip(*(_terms(word, code) for code in codes), strict=False):
            found[tuple(dict.fromkeys(same))] = None
    return list(found)[:_ASKED]


@lru_cache(maxsize=100_000)
def _terms(word: str, language: str) -> tuple[str, ...]:
    """Return what stands for a word: itself, and its parts where letters and digits meet."""
    if word[0].isdigit():
        return (re.sub(r"[.,'’]", "", word) if _GROUPS.fullmatch(word) else re.sub(r"[,'’]", ".", word),)
    folded = fold(word)
    if len(folded) > _LONGEST:
        return ()
    if _UNSPACED.search(folded):
        return tuple(map("".join, pairwise(folded))) or (folded,)
    stem = _stem(folded, language)
    if not any(map(str.isdigit, folded)):
        return (stem,)
    return (stem, *(_stem(part, language) for part in _PARTS.findall(folded)))


def _stem(word: str, language: str) -> str:
    stemmer = _stemmer(language)
    if stemmer is None or not word.isalpha():
        return word
    with _lock:  # a stemmer keeps its state in itself
        return str(stemmer.stemWord(word))


@lru_cache
def _stemmer(language: str) -> Any:
    try:
        return Stemmer.Stemmer(language or "en")
    except KeyError:
        return None
