"""Questions, and what linking finds for them: mentions, candidates and queries."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal as Choice

from triad.errors import ConfigError
from triad.rdf import ResultSet

Kind = Choice["entity", "relation", "class", "literal"]
"""What a mention or a candidate stands for. A ``literal`` is a text that a relation takes as its value."""

AnswerType = Choice["select", "count", "boolean"]
"""The three forms of an answer that the generalist tells apart."""

LONGEST: Final = 10_000
"""Characters that a question may have: some pages; what understands it takes time for each."""


def check_length(question: str, most: int = LONGEST) -> None:
    """Raise a `ConfigError` if a question has more characters than can be understood."""
    if len(question) > most:
        raise ConfigError(f"the question has {len(question):,} characters; at most {most:,} are read")


@dataclass(frozen=True, slots=True)
class Question:
    """A question in plain language."""

    text: str
    language: str = ""
    """A BCP 47 language tag; empty if it is not said, and is then told from the words."""
    id: str | None = None
    """Its name in the data set it comes from."""


@dataclass(frozen=True, slots=True)
class AnswerSet:
    """The entities of an earlier answer, of which a question asks: "which of these …"."""

    cls: str
    """IRI of the class that they have in common, by whose name the question calls them."""
    query: str
    """The query that gave them."""
    variable: str
    """The name of the variable that they are the values of."""


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
