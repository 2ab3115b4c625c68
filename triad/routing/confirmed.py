"""Queries that people confirmed: each answers its question, just as it was asked before, and costs no call."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from triad import sparql
from triad.answers import Answer
from triad.errors import GraphError
from triad.kg.guard import check
from triad.language.normalize import fold
from triad.log import logger
from triad.phases import answering
from triad.phases.attempts import BuiltQuery
from triad.phases.context import Context
from triad.questions import Candidate, Kind
from triad.rdf import BUILT_IN, IRI, RDF_TYPE
from triad.text import quoted

if TYPE_CHECKING:
    from triad.examples.nearest import Pair  # with the readers of all data sets

CONFIDENCE: Final = 0.98
"""The confidence of an answer to a query that a person confirmed."""
_NOTE: Final = "A person confirmed the query of this question."


class ConfirmedQueries:
    """Questions whose queries people confirmed.

    Of several queries of one question, the last one holds.
    """

    def __init__(self, pairs: Iterable[Pair] = ()) -> None:
        self._queries = {fold(pair.question): pair.query for pair in pairs}

    def __contains__(self, question: str) -> bool:
        return fold(question) in self._queries

    def answer(self, context: Context) -> Answer | None:
        """Return the answer to the question of a context; None if its query is not known, or fails now."""
        if (query := self._queries.get(fold(context.question.text))) is None:
            return None
        try:
            answer = answer_by(context, query)
        except GraphError as error:
            logger.warning("a query that was confirmed fails: {}", quoted(str(error)))
            return None
        return replace(answer, notes=(*answer.notes, _NOTE))


def answer_by(context: Context, query: str) -> Answer:
    """Return the answer by a query that a person chose.

    Raises:
        GraphError: The query is not allowed, or the graph failed.
    """
    safe, tree = check(query, context.policy), sparql.parse(query)
    result = context.at("construction").execute(safe, ask=tree.ask)
    built = BuiltQuery(safe, _links(context, tree), score=1.0, result=result, tree=tree)
    answer = answering.answer(context.at("answering"), built, "boolean" if tree.ask else "select")
    return replace(answer, query=query, method="lexical", confidence=CONFIDENCE)


def _links(context: Context, tree: sparql.QueryGraph) -> dict[str, Candidate]:
    """Return what a query names, by the labels: to this, a follow-up points back."""
    kinds: dict[str, Kind] = {}
    for _, predicate, value in sparql.triples(tree):
        relations = list(map(str, sparql.nodes(predicate, IRI)))
        kinds |= dict.fromkeys(relations, "relation")
        if RDF_TYPE in relations and isinstance(value, IRI):
            kinds[str(value)] = "class"
    shown = [iri for iri in dict.fromkeys(map(str, sparql.nodes(tree, IRI))) if not iri.startswith(BUILT_IN)]
    labels = context.schema.labels(shown)
    return {labels[iri]: Candidate(iri, kinds.get(iri, "entity"), labels[iri], score=1.0, exact=True) for iri in shown}
