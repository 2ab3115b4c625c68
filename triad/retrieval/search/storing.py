"""A passage as an index keeps it: as terms, which a question about it shares, and whole, as bytes.

Terms are folded, stemmed words. They are made here and not by the index, so that every index finds the same: the
embedded one, and Elasticsearch with whatever plug-ins it has.

>>> terms("Die Akkus wiegen 2,5 kg.", "de")
['die', 'akkus', 'wieg', '2.5', 'kg']

As bytes, a passage has its sentences with the facts that they tell by number. What it tells of one thing repeats its
IRI and its relations; kept once, they are short.
"""

import re
import threading
from collections.abc import Iterable
from dataclasses import fields
from functools import lru_cache
from itertools import pairwise
from typing import Any, Final

import Stemmer
from pydantic_core import from_json, to_json

from triad.language.detection import detect
from triad.language.normalize import fold
from triad.language.pack import load_pack
from triad.rdf import IRI, XSD, BlankNode, Literal, Term, Triple
from triad.retrieval.search.base import Passage, Sentence, day_number

FIELDS: Final = ("title", "text")
"""The fields of a document that words are looked for in."""

_KEPT: Final = tuple(field.name for field in fields(Passage) if field.name != "sentences")
_STRING = XSD + "string"

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


def document(passage: Passage) -> dict[str, Any]:
    """Return a passage as the fields of a document, the same in every index."""
    return {
        "id": passage.id,
        "title": " ".join(terms(passage.title, passage.language)),
        "text": " ".join(terms(passage.text, passage.language)),
        "class": list(passage.classes),
        "thing": list(passage.things),
        "language": passage.language,
        "source": passage.source,
        "date": day_number(passage.date or ""),
        "passage": packed(passage),
    }


def packed(passage: Passage) -> bytes:
    """Return a passage as JSON."""
    numbers: dict[Term, int] = {}

    def numbered(triple: Triple) -> list[int]:
        three = (triple.subject, triple.predicate, triple.object)
        return [numbers.setdefault(term, len(numbers)) for term in three]

    sentences = [(sentence.text, list(map(numbered, sentence.triples))) for sentence in passage.sentences]
    return to_json([*(getattr(passage, name) for name in _KEPT), sentences, list(map(_plain, numbers))])


def unpacked(data: bytes) -> Passage:
    """Read what `packed` made."""
    *kept, sentences, plain = from_json(data)
    known: list[Any] = [IRI(one) if isinstance(one, str) else _term(*one) for one in plain]
    told = tuple(
        Sentence(text, tuple(Triple(*(known[at] for at in three)) for three in facts)) for text, facts in sentences
    )
    values = [tuple(value) if isinstance(value, list) else value for value in kept]
    given: dict[str, Any] = dict(zip(_KEPT, values, strict=True))
    return Passage(sentences=told, **given)


def _plain(term: Term) -> str | list[str | None]:
    if isinstance(term, Literal):
        return [term.value, "" if term.datatype == _STRING else term.datatype, term.language]
    return term.value if isinstance(term, IRI) else [term.value]


def _term(value: str, datatype: str | None = None, language: str | None = None) -> Term:
    return BlankNode(value) if datatype is None else Literal(value, datatype or _STRING, language)


# Terms ----------------------------------------------------------------------------------------------------


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
    if len(folded := fold(word)) > _LONGEST:
        return ()
    if _UNSPACED.search(folded):
        return tuple(map("".join, pairwise(folded))) or (folded,)
    stem = _stem(folded, language)
    if not any(map(str.isdigit, folded)):
        return (stem,)
    return (stem, *(_stem(part, language) for part in _PARTS.findall(folded)))


def _stem(word: str, language: str) -> str:
    if (stemmer := _stemmer(language)) is None or not word.isalpha():
        return word
    with _lock:  # a stemmer keeps its state in itself
        return str(stemmer.stemWord(word))


@lru_cache
def _stemmer(language: str) -> Any:
    try:
        return Stemmer.Stemmer(language or "en")
    except KeyError:
        return None
