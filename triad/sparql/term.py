"""The terms at the leaves of a tree: strings that know what they are.

They are called and compared as rdflib's are, and take a tenth of the time; rdflib is imported only to parse text.

>>> URIRef("a") == URIRef("a"), URIRef("a") == Variable("a"), URIRef("a") == "a"
(True, False, False)
>>> Literal(5)
Literal('5', datatype=URIRef('http://www.w3.org/2001/XMLSchema#integer'))
"""

from __future__ import annotations

import re
from typing import Any, Final, Self

from triad.rdf import RDF, RDF_TYPE, XSD

__all__ = ["NIL", "TYPE", "BNode", "Identifier", "Literal", "URIRef", "Variable"]

_LANGUAGE: Final = re.compile(r"[a-zA-Z]+(?:-[a-zA-Z0-9]+)*")
_ESCAPES: Final = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r"}


class Identifier(str):
    """A term; two are equal if they are of one kind and of one text."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and str.__eq__(self, other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = str.__hash__

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str.__repr__(self)})"


class URIRef(Identifier):
    """An IRI."""

    __slots__ = ()

    def n3(self) -> str:
        """Return the term as SPARQL writes it."""
        return f"<{self}>"


class BNode(Identifier):
    """A blank node."""

    __slots__ = ()

    def n3(self) -> str:
        """Return the term as SPARQL writes it."""
        return f"_:{self}"


class Variable(Identifier):
    """A variable, without its question mark."""

    __slots__ = ()

    def n3(self) -> str:
        """Return the term as SPARQL writes it."""
        return f"?{self}"


class Literal(Identifier):
    """A literal: its lexical form as it was written, its datatype, and its language.

    Raises:
        ValueError: The language is no tag, and could end the literal within a query.
    """

    __slots__ = ("datatype", "language")
    datatype: URIRef | None
    language: str | None

    def __new__(cls, value: str | int, lang: str | None = None, datatype: str | None = None) -> Self:
        """Make a literal; a number of Python's is an integer."""
        if lang and not _LANGUAGE.fullmatch(lang):
            raise ValueError(f"{lang!r} is not a valid language tag!")
        self = super().__new__(cls, value)
        if isinstance(value, int):
            datatype = XSD + "integer"
        self.datatype = None if datatype is None else URIRef(datatype)
        self.language = lang or None
        return self

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Literal)
            and str.__eq__(self, other)
            and self.datatype == other.datatype
            and (self.language or "").lower() == (other.language or "").lower()
        )

    def __hash__(self) -> int:
        return hash((str(self), self.datatype))

    def __reduce__(self) -> tuple[Any, ...]:
        return Literal, (str(self), self.language, self.datatype)

    def __repr__(self) -> str:
        lang = f", lang={self.language!r}" if self.language else ""
        datatype = f", datatype={self.datatype!r}" if self.datatype else ""
        return f"Literal({str.__repr__(self)}{lang}{datatype})"

    def n3(self) -> str:
        """Return the term as SPARQL writes it."""
        quoted = '"' + re.sub(r'["\\\n\r]', lambda match: _ESCAPES[match[0]], self) + '"'
        if self.language:
            return f"{quoted}@{self.language}"
        return f"{quoted}^^{self.datatype.n3()}" if self.datatype else quoted


TYPE: Final = URIRef(RDF_TYPE)
NIL: Final = URIRef(RDF + "nil")
