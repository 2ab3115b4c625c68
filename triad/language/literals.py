"""Literals by what they are for a question: numbers, dates and texts."""

from __future__ import annotations

from typing import Final, TypeGuard
from typing import Literal as Choice

from triad.rdf import DATED, NUMERIC, XSD, Literal, Term

__all__ = ["is_number", "kind_of"]

_TEMPORAL: Final = DATED | {XSD + "gMonthDay", XSD + "time"}


def kind_of(literal: Literal) -> Choice["number", "date", "text"]:
    """Return whether a literal is a number, a date or a text."""
    if literal.datatype in NUMERIC:
        return "number"
    if literal.datatype in _TEMPORAL:
        return "date"
    # Units of measurement are datatypes of their own, as DBpedia's kilometre. Four digits may be a year.
    text = literal.value.removeprefix("-").replace(".", "", 1)
    return "number" if text.isdecimal() and len(text) != 4 else "text"


def is_number(term: Term) -> TypeGuard[Literal]:
    """Tell whether a term is a literal that is a number."""
    return isinstance(term, Literal) and kind_of(term) == "number"
