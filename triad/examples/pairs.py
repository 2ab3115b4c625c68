"""Pairs of a question and its query, read from a file, and when two of them are the same."""

import os
from dataclasses import dataclass
from itertools import count
from typing import Any, Final, Self

from triad import sparql
from triad.datasets import Malformed, load_dataset
from triad.errors import DataError, QuerySyntaxError
from triad.language.normalize import fold
from triad.rdf import IRI, BlankNode, Literal
from triad.sparql import QueryGraph
from triad.sparql.patterns import Variable

_NEAR: Final = 0.8  # the share of common words from which on two questions count as the same


@dataclass(frozen=True, slots=True)
class Pair:
    """A question with the query that answers it."""

    question: str
    query: str
    key: str
    """What two queries have in common that are the same but for the names of variables."""
    form: str
    """What two queries have in common that are the same but for names of variables, IRIs and literals."""

    @classmethod
    def of(cls, question: str, query: str) -> Self:
        """Return the pair of a question and its query.

        Raises:
            QuerySyntaxError: The query is not SPARQL, or is no query of a graph's facts.
        """
        tree = sparql.parse(query)
        return cls(question, query, _key(tree), _form(tree))


@dataclass(frozen=True, slots=True)
class Pairs:
    """The pairs of a file, and what was left out of it."""

    pairs: tuple[Pair, ...]
    unparsed: tuple[Malformed, ...] = ()
    """Records whose query is not SPARQL, or is no query of a graph's facts."""
    without_query: int = 0
    """How many records have answers and no query."""
    malformed: tuple[Malformed, ...] = ()
    """Records that cannot be read."""

    @property
    def left_out(self) -> int:
        """How many records were left out."""
        return len(self.unparsed) + self.without_query + len(self.malformed)

    def __str__(self) -> str:
        """Tell how many pairs there are and how many records were left out, and why."""
        reasons = [
            (len(self.unparsed), "the query cannot be parsed"),
            (self.without_query, "no query"),
            (len(self.malformed), "malformed"),
        ]
        told = ", ".join(f"{number:,}: {why}" for number, why in reasons if number)
        return f"{len(self.pairs):,} pairs" + (f"; {self.left_out:,} records left out ({told})" if told else "")


def read_pairs(path: str | os.PathLike[str], *, language: str = "") -> Pairs:
    """Read the pairs of a file in a format of `triad.datasets`; what cannot be used is left out and counted.

    Questions are taken in one language from a set that has them in several.

    Raises:
        DataError: The file cannot be read, its format is unknown, or it has no pair that can be used.
    """
    data = load_dataset(path, language=language)
    pairs: list[Pair] = []
    unparsed: list[Malformed] = []
    without = 0
    for item in data.items:
        if item.gold_query is None:
            without += 1
            continue
        try:
            pairs.append(Pair.of(item.question.text, item.gold_query))
        except QuerySyntaxError as error:
            unparsed.append(Malformed(str(path), item.question.id or "", str(error)))
    found = Pairs(tuple(pairs), tuple(unparsed), without, data.malformed)
    if not pairs:
        first = next(iter([*found.unparsed, *found.malformed]), None)
        why = f", such as {first}" if first else ""
        raise DataError(f"the examples {str(path)!r} have no question with a query: {found}{why}")
    return found


def query_key(query: str) -> str:
    """Return what two queries have in common that are the same but for the names of variables.

    >>> query_key("SELECT ?a { ?a <p> <o> }") == query_key("SELECT ?b WHERE { ?b <p> <o> . }")
    True
    """
    try:
        return _key(sparql.parse(query))
    except QuerySyntaxError:
        return " ".join(query.split())


def near_duplicates(one: str, other: str) -> bool:
    """Return whether two questions are the same, or nearly so by their words.

    >>> near_duplicates("Who wrote Momo?", "who wrote MOMO"), near_duplicates("Who wrote Momo?", "Who wrote Emma?")
    (True, False)
    """
    words, others = set(fold(one).split()), set(fold(other).split())
    return len(words & others) >= _NEAR * len(words | others)


def _key(tree: QueryGraph) -> str:
    return sparql.write(_renamed(tree), {})


def _form(tree: QueryGraph) -> str:
    def masked(term: Any) -> Any:
        if isinstance(term, IRI):
            return IRI("x")
        return Literal("x") if isinstance(term, Literal) else term

    return sparql.write(sparql.substituted(_renamed(tree), masked), {})


def _renamed(tree: QueryGraph) -> QueryGraph:
    """Return a tree whose variables are named in the order in which its patterns have them."""
    names: dict[Any, Variable] = {}
    numbers = count(1)
    in_patterns = (term for pattern in sparql.triples(tree) for part in pattern for term in sparql.terms(part))
    for term in (*in_patterns, *sparql.terms(tree)):
        if isinstance(term, Variable | BlankNode) and term not in names:
            names[term] = Variable(f"v{next(numbers)}")
    return sparql.substituted(tree, names)
