"""A candidate query: a query that may answer the question, and what is known of it before it runs."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal as Choice

from triad.lexical.nodes import Node
from triad.queries.patterns import Variable
from triad.queries.query_graph import QueryGraph
from triad.queries.rendering import render_normalised
from triad.questions import AnswerType
from triad.rdf import Term

__all__ = ["CandidateQuery", "Form"]

Form = Choice[
    "list", "count", "number", "ask", "order", "filter", "group", "difference", "except", "columns", "aggregate"
]
"""What a query does with the things of its node; a ``number`` is a list of numbers that the graph holds, ``except``
leaves things out, ``columns`` gives something for each thing beside it, ``aggregate`` an average or a sum."""


@dataclass(slots=True)
class CandidateQuery:
    """A query that may answer the question."""

    graph: QueryGraph
    """The query."""
    answer_type: AnswerType
    """What the query gives."""
    form: Form
    """What it does with the things of the node."""
    node: Node
    """What it was made from."""
    ends: tuple[Term, ...] = ()
    """What it finds, as far as that is known before it runs."""
    measure: float = 0.0
    """How well what is compared fits the question's words."""
    holds: bool | None = None
    """For a yes/no question whether the graph says yes."""
    positions: frozenset[int] = frozenset()
    """Words that the form accounts for, the node's aside."""
    target: Variable | None = None
    """The variable whose values are the answer, if it is not the node's focus."""
    features: dict[str, float] = field(default_factory=dict)
    """What the ranking sees of it, as `triad.lexical.features` describes it."""
    score: float = 0.0
    """What the ranking makes of that; only differences mean anything."""

    @property
    def query(self) -> str:
        """The query as SPARQL, not yet guarded, with names for variables that the search only numbered.

        Two candidates are the same query if this is the same, for which numbers they have says nothing.
        """
        return render_normalised(self.graph)
