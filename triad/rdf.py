"""RDF terms and what queries return: frozen values, in the W3C's JSON format both ways."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any
from typing import Literal as Choice

__all__ = [
    "IRI",
    "RDF_LANG_STRING",
    "RDF_TYPE",
    "XSD",
    "BlankNode",
    "Literal",
    "ResultSet",
    "Row",
    "Term",
    "Triple",
    "Value",
]

XSD = "http://www.w3.org/2001/XMLSchema#"
RDF_TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
RDF_LANG_STRING = "http://www.w3.org/1999/02/22-rdf-syntax-ns#langString"


@dataclass(frozen=True, slots=True)
class IRI:
    """An IRI, absolute and without angle brackets."""

    value: str
    type: Choice["iri"] = field(default="iri", repr=False)

    def __str__(self) -> str:
        return self.value

    def n3(self) -> str:
        """Return the term as SPARQL and N-Triples write it."""
        return f"<{self.value}>"


@dataclass(frozen=True, slots=True)
class Literal:
    """A literal: its lexical form as the graph holds it, its datatype's IRI and its language tag."""

    value: str
    datatype: str = XSD + "string"
    language: str | None = None
    type: Choice["literal"] = field(default="literal", repr=False)

    def __str__(self) -> str:
        return self.value

    def n3(self) -> str:
        """Return the term as SPARQL and N-Triples write it."""
        escaped = self.value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\r", "\\r")
        if self.language:
            return f'"{escaped}"@{self.language}'
        if self.datatype == XSD + "string":
            return f'"{escaped}"'
        return f'"{escaped}"^^<{self.datatype}>'


@dataclass(frozen=True, slots=True)
class BlankNode:
    """A blank node; its name holds within one result only."""

    value: str
    type: Choice["blank"] = field(default="blank", repr=False)

    def __str__(self) -> str:
        return f"_:{self.value}"

    def n3(self) -> str:
        """Return the term as SPARQL and N-Triples write it."""
        return f"_:{self.value}"


Term = IRI | Literal | BlankNode
Row = tuple[Term | None, ...]
"""One solution: a term for each variable, or None where the variable is unbound."""


@dataclass(frozen=True, slots=True)
class Triple:
    """A fact of the graph."""

    subject: IRI | BlankNode
    predicate: IRI
    object: Term

    def n3(self) -> str:
        """Return the fact as a line of N-Triples."""
        return f"{self.subject.n3()} {self.predicate.n3()} {self.object.n3()} ."


@dataclass(frozen=True, slots=True)
class Value:
    """A term of the answer with the name that people know it by."""

    term: Term
    label: str

    def __str__(self) -> str:
        return self.label


@dataclass(frozen=True, slots=True)
class ResultSet:
    """What a query returned: rows of a SELECT, or the boolean of an ASK."""

    variables: tuple[str, ...] = ()
    """Names without question mark, in the order of the projection."""
    rows: tuple[Row, ...] = ()
    boolean: bool | None = None
    """The answer of an ASK; None for a SELECT."""
    truncated: bool = False
    """True if a row or byte cap, ours or the server's, cut the rows."""

    @property
    def is_empty(self) -> bool:
        """True for a SELECT without a single bound value; an ASK is never empty."""
        return self.boolean is None and not any(term is not None for row in self.rows for term in row)

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[dict[str, Term]]:
        for row in self.rows:
            yield {name: term for name, term in zip(self.variables, row, strict=True) if term is not None}

    def column(self, variable: str) -> list[Term]:
        """Return the bound terms of one variable, row by row."""
        at = self.variables.index(variable)
        return [term for row in self.rows if (term := row[at]) is not None]

    def to_sparql_json(self) -> dict[str, Any]:
        """Return the result in the W3C's SPARQL 1.1 Query Results JSON Format."""
        if self.boolean is not None:
            return {"head": {}, "boolean": self.boolean}
        bindings = [{name: _binding(term) for name, term in row.items()} for row in self]
        return {"head": {"vars": list(self.variables)}, "results": {"bindings": bindings}}

    @classmethod
    def from_sparql_json(cls, data: Mapping[str, Any], *, truncated: bool = False) -> ResultSet:
        """Read the W3C's SPARQL 1.1 Query Results JSON Format, Virtuoso's ``typed-literal`` included.

        Raises:
            ValueError: The data are not in that format.
        """
        try:
            if "boolean" in data:
                return cls(boolean=bool(data["boolean"]))
            names = tuple(data["head"].get("vars", ()))
            rows = tuple(
                tuple(_term(row[name]) if name in row else None for name in names)
                for row in data["results"]["bindings"]
            )
        except (KeyError, TypeError, AttributeError) as error:
            raise ValueError(f"not a SPARQL JSON result: {error!r}") from error
        return cls(names, rows, truncated=truncated)


def _binding(term: Term) -> dict[str, str]:
    match term:
        case IRI(value):
            return {"type": "uri", "value": value}
        case BlankNode(value):
            return {"type": "bnode", "value": value}
        case Literal(value, datatype, language):
            binding = {"type": "literal", "value": value}
            if language:
                binding["xml:lang"] = language
            elif datatype != XSD + "string":
                binding["datatype"] = datatype
            return binding


def _term(binding: Mapping[str, Any]) -> Term:
    match binding["type"]:
        case "uri":
            return IRI(binding["value"])
        case "bnode":
            return BlankNode(binding["value"].removeprefix("_:"))
        case _:
            language = binding.get("xml:lang") or None
            datatype = RDF_LANG_STRING if language else binding.get("datatype") or XSD + "string"
            return Literal(str(binding["value"]), datatype, language)
