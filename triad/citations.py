"""Citations: the evidence that an answer rests on, each piece of which can be opened, and how much it rests on each."""

from dataclasses import dataclass
from typing import Literal as Choice

from triad.rdf import Triple

EvidenceSource = Choice["graph", "table", "passages", "documents"]
"""Where evidence comes from: a query to the graph, SQL on its tables, the graph in words, or documents beside it."""


@dataclass(frozen=True, slots=True)
class Citation:
    """One piece of evidence, under the number by which sentences refer to it."""

    number: int
    """From 1, in the order in which the evidence was shown."""
    source: EvidenceSource
    title: str
    """What it is about: the name of a thing, of a table, or of a document with its headings."""
    text: str
    """The evidence in words, as it was shown to the model."""
    things: tuple[str, ...] = ()
    """IRIs of the things that it is about."""
    triples: tuple[Triple, ...] = ()
    """The facts of the graph behind it."""
    query: str | None = None
    """The SPARQL or the SQL that it is the result of."""
    document: str | None = None
    """The path of the document below the folder of documents."""
    date: str | None = None
    """The date that the evidence bears, as ISO 8601."""


@dataclass(frozen=True, slots=True)
class CitedSentence:
    """A sentence of an answer with what it cites."""

    text: str
    cites: tuple[int, ...] = ()
    """Numbers of citations."""
    held: bool = True
    """False where the cited evidence does not hold a number or a name of the sentence."""
    missing: tuple[str, ...] = ()
    """The numbers and names that the cited evidence does not hold."""


@dataclass(frozen=True, slots=True)
class FoundPassage:
    """A passage that a search found for a question without an answer: what it says may answer it or not."""

    citation: Citation
    score: float
    """Higher is better, and only the order has a meaning."""


@dataclass(frozen=True, slots=True)
class ClusterShare:
    """How much an answer rests on a cluster of its evidence."""

    numbers: tuple[int, ...]
    """The numbers of its citations."""
    titles: tuple[str, ...]
    distance: float
    """From 0 to 1: how far the answer without it is from the answer; 1 where none is left."""
    share: float
    """Of all clusters; shares add up to 1."""
    without: str = ""
    """The answer without it; empty where the rest does not tell."""


@dataclass(frozen=True, slots=True)
class Attribution:
    """What an answer rests on."""

    shares: tuple[ClusterShare, ...]
    """The clusters, that which it rests on most first."""
    calls: int
    """Calls of the model that it took."""
