"""RDF terms and what queries return: frozen values, in the W3C's JSON format both ways."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Final, Literal as Choice, Self, TypeGuard
from urllib.parse import quote

from triad.errors import GraphError
from triad.text import remembered

RDF: Final = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
RDFS: Final = "http://www.w3.org/2000/01/rdf-schema#"
OWL: Final = "http://www.w3.org/2002/07/owl#"
XSD: Final = "http://www.w3.org/2001/XMLSchema#"
SHACL: Final = "http://www.w3.org/ns/shacl#"
SKOS: Final = "http://www.w3.org/2004/02/skos/core#"
DCTERMS: Final = "http://purl.org/dc/terms/"
SCHEMA: Final = "http://schema.org/"

BUILT_IN: Final = (RDF, RDFS, OWL, XSD, SHACL)
"""Namespaces of the languages that graphs and their shapes are written in; nobody asks about their terms."""
STANDARD: Final = (*BUILT_IN, SKOS)
"""Namespaces whose terms mean the same in every graph, so that a query may name them without a mention."""

RDF_TYPE: Final = RDF + "type"
RDF_LANG_STRING: Final = RDF + "langString"
INFERRED: Final = "urn:triad:inferred"
"""The named graph of the facts that no file states, and that follow from those."""

DECLARED_KINDS: Final[Mapping[str, Choice["class", "relation"]]] = {
    RDFS + "Class": "class",
    OWL + "Class": "class",
    RDF + "Property": "relation",
    OWL + "ObjectProperty": "relation",
    OWL + "DatatypeProperty": "relation",
}
"""What a graph declares an IRI to be, by the class that it gives it."""

NUMERIC: Final = frozenset(
    XSD + name
    for name in (
        "integer decimal double float int long short byte nonNegativeInteger positiveInteger unsignedInt "
        "nonPositiveInteger negativeInteger unsignedLong unsignedShort unsignedByte"
    ).split()
)
"""Datatypes of numbers."""
DATED: Final = frozenset(XSD + name for name in ("date", "dateTime", "gYear", "gYearMonth"))
"""Datatypes whose values begin with a year."""
SPANS: Final = frozenset({XSD + "duration", XSD + "dayTimeDuration"})
"""Datatypes of how long something lasts."""
_TEMPORAL: Final = DATED | {XSD + "gMonthDay", XSD + "time"}

LANGUAGE_TAG: Final = re.compile(r"[a-zA-Z]+(?:-[a-zA-Z0-9]+)*")
_FORBIDDEN: Final = r'<>"{}|^`\\\x00-\x20'
IN_IRI: Final = f"[^{_FORBIDDEN}]"
"""A character that an IRI may have, as a regular expression."""
_LOCAL: Final = re.compile(r"[\w%][\w%.-]*(?<!\.)")  # what may stand behind a prefix
NOT_IN_IRI: Final = re.compile(f"[{_FORBIDDEN}]+")
"""Characters that no IRI has. An IRI of a graph or an index that has some could end the IRI within a query."""
_NUMBER: Final = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?|[+-]?INF|NaN", re.IGNORECASE)
_DEPTH: Final = 32  # triple terms within one another
_COUNT: Final = re.compile(r"\+?[0-9]{1,18}")


@remembered(10_000)  # the same IRIs are written again and again
def writable(iri: str) -> bool:
    """Tell whether an IRI can be written into a query.

    >>> writable("http://example.org/Momo"), writable("http://example.org/> ?x <"), writable("")
    (True, False, False)
    """
    return bool(iri) and not NOT_IN_IRI.search(iri)


def compact(iri: str, prefixes: Mapping[str, str]) -> str:
    """Return an IRI as a prefixed name, by the longest namespace that fits; in angle brackets if there is none.

    >>> compact("http://example.org/Momo", {"ex": "http://example.org/"})
    'ex:Momo'
    """
    fitting = [
        (len(namespace), prefix)
        for prefix, namespace in prefixes.items()
        if iri.startswith(namespace) and _LOCAL.fullmatch(iri, len(namespace))
    ]
    if not fitting:
        return f"<{iri}>"
    length, prefix = max(fitting)
    return f"{prefix}:{iri[length:]}"


@dataclass(frozen=True, slots=True)
class IRI:
    """An IRI, absolute and without angle brackets."""

    value: str
    type: Choice["iri"] = field(default="iri", repr=False)

    def __hash__(self) -> int:
        return hash(self.value)

    def __str__(self) -> str:
        return self.value

    def n3(self) -> str:
        """Return the term as SPARQL and N-Triples write it, with escapes for what they cannot write in it."""
        return f"<{NOT_IN_IRI.sub(lambda found: quote(found[0]), self.value)}>"


@dataclass(frozen=True, slots=True)
class Literal:
    """A literal: its lexical form as the graph holds it, its datatype's IRI and its language tag."""

    value: str
    datatype: str = XSD + "string"
    language: str | None = None
    type: Choice["literal"] = field(default="literal", repr=False)

    def __hash__(self) -> int:
        return hash(self.value)

    def __str__(self) -> str:
        return self.value

    @property
    def number(self) -> float | None:
        """The number that it is, if any: a graph may say of any text that it is a number."""
        return float(self.value) if _NUMBER.fullmatch(self.value.strip()) else None

    def n3(self) -> str:
        """Return the term as SPARQL and N-Triples write it."""
        escaped = self.value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\r", "\\r")
        if self.language:
            return f'"{escaped}"@{self.language if LANGUAGE_TAG.fullmatch(self.language) else "und"}'
        if self.datatype == XSD + "string":
            return f'"{escaped}"'
        return f'"{escaped}"^^{IRI(self.datatype).n3()}'


@dataclass(frozen=True, slots=True)
class BlankNode:
    """A blank node; its name holds within one result only."""

    value: str
    type: Choice["blank"] = field(default="blank", repr=False)

    def __str__(self) -> str:
        return f"_:{self.value}"

    def n3(self) -> str:
        """Return the term as SPARQL and N-Triples write it."""
        return "_:" + re.sub(r"[^\w.-]", "_", self.value)


Term = IRI | Literal | BlankNode
Row = tuple[Term | None, ...]
"""One solution: a term for each variable, or None where the variable is unbound."""


@dataclass(frozen=True, slots=True)
class Value:
    """A term of the answer with the name that people know it by."""

    term: Term
    label: str
    """The name of an entity; of a literal its lexical form, as the graph has it."""
    text: str = field(default="", compare=False)
    """A date, a time or a number as people write it in the language of the question, with its unit as far as that is
    known; of a thing, what it is called where its label does not tell which it is, and the figure that it
    was compared by; empty where that is the label."""
    owner: str = field(default="", compare=False)
    """The name of the thing that the value of an only column is one of, where the question names it not: "What is the
    population of the largest cities?"."""

    @property
    def shown(self) -> str:
        """The text, or the label where there is none: what people read."""
        return self.text or self.label

    def __str__(self) -> str:
        return self.label


@dataclass(frozen=True, slots=True)
class Triple:
    """A fact of the graph."""

    subject: IRI | BlankNode
    predicate: IRI
    object: Term
    graphs: tuple[IRI | BlankNode, ...] = ()
    """The named graphs that it stands in, as far as they were looked up; the default graph has no name."""
    qualifiers: tuple[tuple[Value, Value], ...] = ()
    """What is said of the fact itself, relations with their values: since when it holds, who says so."""

    @property
    def inferred(self) -> bool:
        """Whether it was not stated, but follows from what was."""
        return IRI(INFERRED) in self.graphs

    @property
    def said(self) -> str:
        """The qualifiers in brackets; nothing if there are none."""
        said = ", ".join(f"{relation.shown} {value.shown}" for relation, value in self.qualifiers)
        return f"({said})" if said else ""

    def n3(self) -> str:
        """Return the fact as a line of N-Triples, without its graphs and its qualifiers."""
        return f"{self.subject.n3()} {self.predicate.n3()} {self.object.n3()} ."


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
            yield _Solution([(name, term) for name, term in zip(self.variables, row, strict=True) if term is not None])

    def column(self, variable: str) -> list[Term]:
        """Return the bound terms of one variable, row by row; a `GraphError` if the rows have no such variable."""
        if variable not in self.variables and self.rows:
            raise GraphError(f"the graph gave no values of ?{variable}; it gave {', '.join(self.variables) or 'none'}")
        at = self.variables.index(variable) if self.rows else 0
        return [term for row in self.rows if (term := row[at]) is not None]

    def to_sparql_json(self) -> dict[str, Any]:
        """Return the result in the W3C's SPARQL 1.1 Query Results JSON Format."""
        if self.boolean is not None:
            return {"head": {}, "boolean": self.boolean}
        bindings = [{name: _binding(term) for name, term in row.items()} for row in self]
        return {"head": {"vars": list(self.variables)}, "results": {"bindings": bindings}}

    @classmethod
    def from_sparql_json(cls, data: Mapping[str, Any]) -> Self:
        """Read the W3C's SPARQL 1.1 Query Results JSON Format, Virtuoso's ``typed-literal`` included.

        Raises:
            ValueError: The data are not in that format.
        """
        try:
            if "boolean" in data:
                return cls(boolean=bool(data["boolean"]))
            names = tuple(map(_text, data["head"].get("vars", ())))
            bindings = data["results"]["bindings"]
            rows = tuple(tuple(_term(row[name]) if name in row else None for name in names) for row in bindings)
        except (KeyError, TypeError, AttributeError) as error:
            raise ValueError(f"not a SPARQL JSON result: {error!r}") from error
        if any(bindings) and not names:
            raise ValueError("not a SPARQL JSON result: its head names no variables")
        return cls(names, rows)


class _Solution(dict[str, Term]):
    """The bound terms of a row, by variable."""

    def __missing__(self, name: str) -> Term:
        raise GraphError(f"the graph gave no value of ?{name} in a row that needs one")


def count_of(term: Term) -> int:
    """Return the number that a graph counted.

    >>> count_of(Literal("42", XSD + "integer"))
    42

    Raises:
        GraphError: It is none, negative, or larger than any graph.
    """
    text = str(term)
    if not _COUNT.fullmatch(text):
        raise GraphError(f"the graph gave {text[:100]!r} for a count")
    return int(text)


def _binding(term: Term) -> dict[str, str]:
    match term:
        case IRI(value):
            return {"type": "uri", "value": value}
        case BlankNode(value):
            return {"type": "bnode", "value": value}
        case Literal(value, datatype, language):
            more = {"datatype": datatype} if datatype != XSD + "string" else {}
            return {"type": "literal", "value": value, **({"xml:lang": language} if language else more)}


def _term(binding: Mapping[str, Any]) -> Term:
    match binding["type"]:
        case "uri":
            return IRI(_text(binding["value"]))
        case "bnode":
            return BlankNode(_text(binding["value"]).removeprefix("_:"))
        case "triple":  # which is a text, as it is of an embedded graph
            return Literal(_triple(binding))
        case _:
            value = binding["value"]
            language = binding.get("xml:lang") and _text(binding["xml:lang"])
            datatype = RDF_LANG_STRING if language else _text(binding.get("datatype") or XSD + "string")
            # Some servers write numbers as JSON does.
            return Literal(str(value) if isinstance(value, int | float) else _text(value), datatype, language or None)


def _triple(binding: Mapping[str, Any], depth: int = 0) -> str:
    """Return a triple term as text; those within it are no literals, whose quotes would double at each level."""
    if depth > _DEPTH:
        raise ValueError(f"triple terms are nested more than {_DEPTH} deep")
    parts = (binding["value"][part] for part in ("subject", "predicate", "object"))
    texts = (_triple(part, depth + 1) if part["type"] == "triple" else _term(part).n3() for part in parts)
    return f"<<( {' '.join(texts)} )>>"


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r:.100} is no text")
    return value


def kind_of(literal: Literal) -> Choice["number", "date", "text"]:
    """Return whether a literal is a number, a date or a text."""
    if literal.datatype in NUMERIC:
        return "number" if literal.number is not None else "text"
    if literal.datatype in _TEMPORAL:
        return "date"
    # Units of measurement are datatypes of their own, as DBpedia's kilometre. Four digits may be a year.
    text = literal.value.removeprefix("-").replace(".", "", 1)
    return "number" if text.isdecimal() and len(text) != 4 else "text"


def rounded(number: Decimal) -> Decimal:
    """Return a number without the digits that nobody reads: those of a long fraction, and zeros at its end.

    >>> print(rounded(Decimal("33.333333333333333333")), rounded(Decimal("0.00012345678")), rounded(Decimal("2.500")))
    33.33 0.000123 2.5

    The number is finite. Four digits of a fraction are all kept; a longer one comes from a division or a measurement.
    """
    exponent = number.normalize().as_tuple().exponent
    if isinstance(exponent, int) and -exponent > 4:
        # Two digits behind the point, or of a number below one the first three that are not zero.
        number = round(number, 2 if abs(number) >= 1 else 2 - number.adjusted())
    number = number.normalize()
    return number.quantize(Decimal(1)) if number == number.to_integral_value() else number


def number(value: float) -> Literal:
    """Return a number as a literal, without digits that only floating-point arithmetic adds.

    >>> number(400.0).value, number(25.9).value, number(1e20).value
    ('400', '25.9', '1e+20')
    """
    text = f"{value:.15g}"
    return Literal(text, XSD + ("double" if "e" in text else "decimal" if "." in text else "integer"))


def is_number(term: Term) -> TypeGuard[Literal]:
    """Tell whether a term is a literal that is a number."""
    return isinstance(term, Literal) and kind_of(term) == "number"
