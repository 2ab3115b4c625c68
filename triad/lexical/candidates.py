"""Candidate queries: what the question may ask of the entities of a node, which are they, how many, or whether any.

What else a question asks for, such as the greatest of them or those above a bound, is read over the schema
(`triad.lexical.composition`); a candidate without it breaks the contract, and is a guess at most.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal as Choice

from triad.kg.schema import Schema
from triad.lexical.contract import Cue
from triad.lexical.graph_search import Walk
from triad.lexical.mention_detection import LinkedMention, Mentions
from triad.lexical.nodes import Node
from triad.questions import AnswerType
from triad.rdf import IRI, XSD, Literal, ResultSet, Term, is_number
from triad.sparql.patterns import ClassPattern, Variable
from triad.sparql.query_graph import QueryGraph
from triad.sparql.writer import render_normalised

if TYPE_CHECKING:
    from triad.lexical.composition.elements import Span

Form = Choice["list", "count", "number", "ask"]
"""What a query does with the entities of its node: ``number`` lists numbers that the graph holds."""


@dataclass(slots=True)
class CandidateQuery:
    """A query that may answer the question, with what is known about it before it is executed."""

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
    holds: bool | None = None
    """For a yes/no question, whether the answer is yes."""
    positions: frozenset[int] = frozenset()
    """Words that the form accounts for, the node's aside."""
    features: dict[str, float] = field(default_factory=dict)
    """Its features for the ranking, as `triad.lexical.ranking` describes them."""
    score: float = 0.0
    """Its score from the ranking; only differences between scores have a meaning."""
    named: tuple[Span, ...] = ()
    """What names of classes and values were taken for, where the query was read over the schema."""
    broken: tuple[Cue, ...] = ()
    """What the question asks of it and it does not do."""
    result: ResultSet | None = None
    """What it found, if it was run."""

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


def candidate_queries(walk: Walk, nodes: Sequence[Node], mentions: Mentions, classes: Mentions) -> list[CandidateQuery]:
    """Return candidate queries for what the question asks of nodes: the entities, their number, or yes and no.

    Raises:
        GraphError: The graph failed.
    """
    nodes = [node for node in nodes if node.parts and not node.of_named and (node.edges or not node.mentions)]
    if walk.analysis.answer_type == "boolean":
        return list(_asks(walk, nodes, mentions, classes))
    return [*(_counts(nodes) if walk.analysis.answer_type == "count" else ()), *_lists(nodes)]


def _lists(nodes: Iterable[Node]) -> Iterator[CandidateQuery]:
    """Yield candidate queries for the entities themselves."""
    for node in nodes:
        if node.ends and not node.blank:
            form: Form = "number" if all(map(is_number, node.ends)) else "list"
            yield CandidateQuery(node.graph, "select", form, node, node.ends)


def _counts(nodes: Iterable[Node]) -> Iterator[CandidateQuery]:
    """Yield candidate queries that count the entities.

    Values that are numbers are the answer, and neither they nor those that are true or false are counted.
    """
    for node in nodes:
        told = (one.datatype == XSD + "boolean" or is_number(one) for one in node.ends if isinstance(one, Literal))
        if node.ends and not any(told):
            number = Literal(str(len(node.ends)), XSD + "integer")
            yield CandidateQuery(node.graph.counted(), "count", "count", node, (number,))


def _asks(walk: Walk, nodes: Sequence[Node], mentions: Mentions, classes: Mentions) -> Iterator[CandidateQuery]:
    """Yield candidate queries for yes/no questions about two named entities, about one, or about a class."""
    profile, entities = walk.context.profile, [one for one in mentions if one.candidate.kind == "entity"]
    by_iri = {mention.candidate.iri: mention for mention in entities}
    by_text = {mention.candidate.label: mention for mention in mentions if mention.candidate.kind == "literal"}
    for node in nodes:
        for end in node.ends:
            mention = by_iri.get(end.value) if isinstance(end, IRI) else by_text.get(end.value)
            if mention and node.mentions and _apart(mention, node):
                yield _ask(node, mention, end, holds=True)
        if len(node.edges) == 1 and node.mentions and node.things:
            for mention in entities:
                thing = IRI(mention.candidate.iri)
                if thing not in node.ends and _apart(mention, node) and _could_hold(walk, node, mention):
                    yield _ask(node, mention, thing, holds=False)
        last = node.edges[-1] if node.edges else None
        relation = profile.relation_profile(last.relation) if profile and last and last.forward else None
        truth = relation.truths[0] if relation and relation.truths else None
        asked = QueryGraph.whether(*node.parts_of(truth)) if truth else node.graph.asked()
        yield CandidateQuery(asked, "boolean", "list", node, node.ends, holds=truth is None or truth in node.ends)
    for mention in entities:
        for kind in classes:
            if not mention.overlaps(kind):
                yield _is_a(walk.context.schema, mention, kind)


def _could_hold(walk: Walk, node: Node, mention: LinkedMention) -> bool:
    """Return whether things of an entity's classes are where a step leads to; else to say no says nothing."""
    profile, [edge] = walk.context.profile, node.edges
    relation = profile.relation_profile(edge.relation) if profile else None
    types = mention.candidate.types
    if relation is None or not types:
        return True
    known = {end.object if edge.forward else end.subject for end in relation.ends if not end.literal}
    return "" in known or any(not set(types).isdisjoint(walk.context.schema.kinds(one)) for one in known)


def _apart(mention: LinkedMention, node: Node) -> bool:
    return not any(mention.overlaps(other) for other in node.mentions)


def _ask(node: Node, mention: LinkedMention, thing: Term, *, holds: bool) -> CandidateQuery:
    query, node = QueryGraph.whether(*node.parts_of(thing)), replace(node, mentions=(*node.mentions, mention))
    return CandidateQuery(query, "boolean", "ask", node, (thing,), holds=holds)


def _is_a(schema: Schema, mention: LinkedMention, kind: LinkedMention) -> CandidateQuery:
    """Return the candidate query that asks whether an entity is of a class."""
    kinds = schema.kinds(kind.candidate.iri)
    holds = any(iri in kinds for iri in mention.candidate.types)
    node = Node(IRI(mention.candidate.iri), mentions=(mention,))
    query = QueryGraph.whether(ClassPattern.of(node.focus, kinds, lambda: Variable("kind")))
    return CandidateQuery(query, "boolean", "ask", node, holds=holds, positions=kind.positions)
