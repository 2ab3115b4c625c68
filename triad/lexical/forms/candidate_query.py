"""A candidate query: a query that may answer the question, with what is known about it before it is executed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from typing import Literal as Choice

from triad.lexical.contract import Cue
from triad.lexical.nodes import Node
from triad.questions import AnswerType
from triad.rdf import Term
from triad.sparql.patterns import Variable
from triad.sparql.query_graph import QueryGraph
from triad.sparql.writer import render_normalised

if TYPE_CHECKING:
    from triad.lexical.composition.spans import Span

__all__ = ["CandidateQuery", "Form"]

Form = Choice[
    "list", "count", "number", "ask", "order", "filter", "group", "difference", "except", "columns", "aggregate"
]
"""What a query does with the entities of its node: ``number`` lists numbers that the graph holds, ``except`` leaves
entities out, ``columns`` adds a value for each entity, ``aggregate`` computes an average or a sum."""


@dataclass(slots=True)
class CandidateQuery:
    """A query that may answer the question."""

    graph: QueryGraph
    """The query."""
    answer_type: AnswerType
    """What the query gives."""
    form: Form
    """What it does with the entities of the node."""
    node: Node
    """The node that it was made from."""
    ends: tuple[Term, ...] = ()
    """Its results, as far as they are known before it is executed."""
    measure: float = 0.0
    """How well the compared measure fits the question's words."""
    holds: bool | None = None
    """For a yes/no question, whether the answer is yes."""
    positions: frozenset[int] = frozenset()
    """Words that the form accounts for, the node's aside."""
    target: Variable | None = None
    """The variable whose values are the answer, if it is not the node's focus."""
    features: dict[str, float] = field(default_factory=dict)
    """Its features for the ranking, as `triad.lexical.features` describes them."""
    score: float = 0.0
    """Its score from the ranking; only differences between scores have a meaning."""
    named: tuple[Span, ...] = ()
    """What names of classes and values were taken for, where the query was read over the schema."""
    broken: tuple[Cue, ...] = ()
    """What the question asks of it and it does not do."""

    @property
    def names(self) -> Iterator[str]:
        """What the entities, texts and relations are called that it uses."""
        for mention in self.node.mentions:
            yield mention.candidate.matched or mention.candidate.label
        for edge in self.node.edges:
            if edge.match.positions:
                yield edge.label

    @property
    def query(self) -> str:
        """The query as SPARQL, not yet guarded, with names for variables that the search only numbered.

        Two candidates with the same text are the same query; the numbers of their variables do not matter.
        """
        return render_normalised(self.graph)
