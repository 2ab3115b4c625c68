"""The values that the phases pass on: frozen, comparable, and JSON both ways.

`to_json` and `from_json` work for every type of this module:

>>> from_json(Question, to_json(Question("Who founded Intel?")))
Question(text='Who founded Intel?', language='en', id=None)
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, TypeVar, cast
from typing import Literal as Choice

from pydantic import TypeAdapter

__all__ = [
    "IRI",
    "Answer",
    "AnswerType",
    "BlankNode",
    "Candidate",
    "Kind",
    "Literal",
    "Mention",
    "Message",
    "Method",
    "Phase",
    "Query",
    "QueryTemplate",
    "Question",
    "ResultSet",
    "Row",
    "Source",
    "Step",
    "Term",
    "Trace",
    "Triple",
    "TriplePattern",
    "Usage",
    "Value",
    "from_json",
    "to_json",
]

XSD = "http://www.w3.org/2001/XMLSchema#"
RDF_TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
RDF_LANG_STRING = "http://www.w3.org/1999/02/22-rdf-syntax-ns#langString"

Kind = Choice["entity", "relation", "class", "literal"]
"""What a mention or a candidate stands for. A ``literal`` is a text that a relation takes as its value."""

AnswerType = Choice["select", "count", "boolean"]
"""The three forms of an answer that the generalist tells apart."""

Phase = Choice["parsing", "linking", "construction", "answering"]
"""The four phases of answering a question."""

Source = Choice["graph", "model"]
"""Where an answer comes from: the knowledge graph, or the model's own knowledge."""

Method = Choice["model", "lexical"]
"""How an answer was found: by the phases with a language model, or by the lexical solver, which needs none."""

T = TypeVar("T")


# RDF terms and results ------------------------------------------------------------------------------------


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


# Questions, mentions, candidates, queries -----------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Question:
    """A question in plain language."""

    text: str
    language: str = "en"
    """A BCP 47 language tag."""
    id: str | None = None
    """Its name in the data set it comes from."""


@dataclass(frozen=True, slots=True)
class TriplePattern:
    """A statement of the question in the question's own words: mentions, and variables such as ``?city``."""

    subject: str
    relation: str
    object: str


@dataclass(frozen=True, slots=True)
class Mention:
    """Words of a query template that stand for something of the graph."""

    text: str
    kind: Kind


@dataclass(frozen=True, slots=True)
class Candidate:
    """An entity, relation, class or literal that a mention may stand for."""

    iri: str
    """The IRI; for a literal that of the relation whose value it is."""
    kind: Kind
    label: str
    """The preferred name; for a literal its text."""
    description: str = ""
    types: tuple[str, ...] = ()
    """IRIs of its classes."""
    popularity: int = 0
    """How many triples it takes part in."""
    score: float = 0.0
    """How well it fits what was looked up, from 0 to 1."""
    exact: bool = False
    """True if one of its names equals what was looked up, case, accents and punctuation aside."""
    matched: str = ""
    """The name of it that fits best: the label or an alias."""


@dataclass(frozen=True, slots=True)
class QueryTemplate:
    """A SPARQL query that has mentions, ``<Stanley_Kubrick>``, in place of IRIs."""

    sparql: str
    mentions: tuple[Mention, ...] = ()
    answer_type: AnswerType = "select"
    triples: tuple[TriplePattern, ...] = ()
    """The question's statements, as the generalist extracted them."""


@dataclass(frozen=True, slots=True)
class Query:
    """A SPARQL query with IRIs, and how it came about."""

    sparql: str
    links: Mapping[str, Candidate] = field(default_factory=dict)
    """For each mention of the template the candidate in its place."""
    score: float = 0.0
    """The linking score, from 0 to 1: how well the candidates fit the mentions."""
    result: ResultSet | None = None
    error: str | None = None
    """Why the query could not be executed."""


# Traces ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Message:
    """A message to or from a language model."""

    role: Choice["system", "user", "assistant"]
    content: str


@dataclass(frozen=True, slots=True)
class Usage:
    """What model calls cost."""

    calls: int = 0
    """Calls to a model, replies from the response cache not included."""
    cached: int = 0
    """Replies that the response cache gave instead."""
    input_tokens: int = 0
    output_tokens: int = 0
    money: float = 0.0
    """US dollars, by the price list; 0 for a model that the list does not name."""
    seconds: float = 0.0
    """Time spent waiting for the model."""

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.calls + other.calls,
            self.cached + other.cached,
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            self.money + other.money,
            self.seconds + other.seconds,
        )

    @classmethod
    def total(cls, usages: Iterable[Usage]) -> Usage:
        """Return the sum."""
        return sum(usages, cls())


@dataclass(frozen=True, slots=True)
class Step:
    """One call on the way to an answer: to the model, the graph or the label index."""

    phase: Phase
    service: Choice["model", "graph", "index"]
    action: str
    """The subtask of a model call, such as ``entity_selection``; else what was asked, such as ``execute``."""
    role: str | None = None
    """The role that the model played."""
    prompt: tuple[Message, ...] = ()
    """What the model was sent."""
    request: str = ""
    """What the graph or the index was sent."""
    reply: str = ""
    """What came back; of a graph or an index, a summary."""
    candidates: tuple[str, ...] = ()
    """IRIs of what linking found for its mentions, before any choice among them."""
    usage: Usage = Usage()
    seconds: float = 0.0
    attempt: int = 1
    """Which of the at most T tries the step belongs to."""
    error: str | None = None


@dataclass(frozen=True, slots=True)
class Trace:
    """All calls on the way to an answer, in order."""

    question: Question
    steps: tuple[Step, ...] = ()
    seconds: float = 0.0
    """Wall time from question to answer."""

    @property
    def usage(self) -> Usage:
        """What the model calls cost in all."""
        return Usage.total(step.usage for step in self.steps)

    @property
    def attempts(self) -> int:
        """How many of the at most T tries were made."""
        return max((step.attempt for step in self.steps), default=1)

    def usage_by(self, key: Choice["phase", "role", "action"]) -> dict[str, Usage]:
        """Return the cost of the model calls for each phase, role or subtask."""
        groups: defaultdict[str, list[Usage]] = defaultdict(list)
        for step in self.steps:
            if step.service == "model":
                groups[getattr(step, key)].append(step.usage)
        return {name: Usage.total(usages) for name, usages in groups.items()}

    def seconds_by_phase(self) -> dict[str, float]:
        """Return the time that the calls of each phase took, in seconds."""
        totals: defaultdict[str, float] = defaultdict(float)
        for step in self.steps:
            totals[step.phase] += step.seconds
        return dict(totals)


# Answers --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Value:
    """A term of the answer with the name that people know it by."""

    term: Term
    label: str

    def __str__(self) -> str:
        return self.label


@dataclass(frozen=True, slots=True)
class Answer:
    """What was found out, and how."""

    question: Question
    answer_type: AnswerType = "select"
    variables: tuple[str, ...] = ()
    rows: tuple[tuple[Value | None, ...], ...] = ()
    """A value for each variable, row by row."""
    boolean: bool | None = None
    """The answer to a yes/no question."""
    text: str = ""
    """A sentence, where one was asked for; else the values in a line."""
    query: str | None = None
    """The query that gave the answer, pretty-printed, with prefixes."""
    links: Mapping[str, Candidate] = field(default_factory=dict)
    """What each mention of the question was taken for."""
    provenance: tuple[Triple, ...] = ()
    """Facts of the graph that the answer rests on, the first hundred of them."""
    source: Source = "graph"
    method: Method = "model"
    confidence: float = 0.0
    """From 0 to 1. Of the lexical solver it is calibrated: about 80 % of the answers with 0.8 are right. Where a model
    answers, it is a rank among answers and not a probability."""
    truncated: bool = False
    """True if there were more rows than the cap allows."""
    trace: Trace | None = None

    @property
    def values(self) -> tuple[Value, ...]:
        """The distinct values of all rows, in order; for a yes/no question the boolean."""
        if self.boolean is not None:
            word = "true" if self.boolean else "false"
            return (Value(Literal(word, XSD + "boolean"), "yes" if self.boolean else "no"),)
        found = (value for value in itertools.chain.from_iterable(self.rows) if value is not None)
        return tuple(dict.fromkeys(found))

    def explain(self, *, markdown: bool = False) -> str:
        """Tell in words how the answer came about, as plain text or as Markdown."""
        from triad.explain import explain

        return explain(self, markdown=markdown)

    def to_json(self, *, indent: int | None = None) -> str:
        """Return the answer as JSON text, trace included; `from_json` reads it."""
        return to_json(self, indent=indent)

    @property
    def result(self) -> ResultSet:
        """The answer as a result set."""
        rows = tuple(tuple(value.term if value else None for value in row) for row in self.rows)
        return ResultSet(self.variables, rows, self.boolean, self.truncated)


# JSON -----------------------------------------------------------------------------------------------------


@cache
def _adapter(type_: Any) -> TypeAdapter[Any]:
    return TypeAdapter(type_)


def to_json(value: Any, *, indent: int | None = None) -> str:
    """Return a value of this module, or a sequence of them, as JSON text."""
    kind: Any = type(value)
    if isinstance(value, Sequence) and not isinstance(value, str):
        return _adapter(list[Any]).dump_json(list(value), indent=indent).decode()
    return _adapter(kind).dump_json(value, indent=indent).decode()


def from_json(kind: type[T], text: str | bytes) -> T:
    """Read a value of this module from JSON text.

    Raises:
        ValueError: The text is not JSON, or not of this type.
    """
    value: T = _adapter(cast(Any, kind)).validate_json(text)
    return value
