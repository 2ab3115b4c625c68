"""A passage as bytes: its terms once, its sentences with the facts that they tell by number.

What a passage tells of one thing repeats its IRI and its relations; kept once, they are short.
"""

from __future__ import annotations

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
    sentences = [
        (sentence.text, [_numbered(triple, numbers) for triple in sentence.triples]) for sentence in passage.sentences
    ]
    return to_json([*(getattr(passage, name) for name in _KEPT), sentences, [_plain(one) for one in numbers]])


def unpacked(data: bytes) -> Passage:
    """Read what `packed` made."""
    *kept, sentences, plain = from_json(data)
    known: list[Any] = [_term(one) for one in plain]
    told = tuple(
        Sentence(text, tuple(Triple(*(known[at] for at in three)) for three in facts)) for text, facts in sentences
    )
    values = [tuple(value) if isinstance(value, list) else value for value in kept]
    given: dict[str, Any] = dict(zip(_KEPT, values, strict=True))
    return Passage(sentences=told, **given)


def _numbered(triple: Triple, numbers: dict[Term, int]) -> tuple[int, int, int]:
    def number(term: Term) -> int:
        return numbers.setdefault(term, len(numbers))

    return number(triple.subject), number(triple.predicate), number(triple.object)


def _plain(term: Term) -> str | list[str | None]:
    match term:
        case IRI(value):
            return value
        case BlankNode(value):
            return [value]
        case Literal(value, datatype, language):
            return [value, "" if datatype == _STRING else datatype, language]


def _term(plain: str | list[str | None]) -> Term:
    match plain:
        case str(value):
            return IRI(value)
        case [str(value)]:
            return BlankNode(value)
        case [str(value), str(datatype), language]:
            return Literal(value, datatype or _STRING, language)
    raise ValueError(f"not a term: {plain!r}")
