"""A passage as bytes: its terms once, its sentences with the facts that they tell by number.

What a passage tells of one thing repeats its IRI and its relations; kept once, they are short.
"""

from dataclasses import fields
from typing import Any, Final

from pydantic_core import from_json, to_json

from triad.rdf import IRI, XSD, BlankNode, Literal, Term, Triple
from triad.retrieval.search.base import Passage, Sentence, day_number
from triad.retrieval.search.terms import terms

FIELDS: Final = ("title", "text")
"""The fields of a document that words are looked for in."""

_KEPT: Final = tuple(field.name for field in fields(Passage) if field.name != "sentences")
_STRING = XSD + "string"


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
