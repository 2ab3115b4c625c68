"""Yes/no questions with a superlative: whether one named thing is the greatest, held against all that it competes with.

"Is Psycho the longest film?" is answered by what "the longest film" means: the things that are ranked, by which value.
Whether any of them has the place that is asked for says nothing; whether Psycho's value is that of the place does, and
things that share it all have it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from triad.language.analysis import Analysis
from triad.language.pack import Pack
from triad.language.tokens import Sentence
from triad.lexical.candidates import CandidateQuery
from triad.lexical.choice import Option
from triad.lexical.composition.elements import Column
from triad.lexical.mention_detection import LinkedMention
from triad.rdf import IRI
from triad.search.base import CLOSE
from triad.sparql.patterns import (
    ClassPattern,
    Comparison,
    EdgePattern,
    Filter,
    Part,
    Variable,
    substituted,
    terms,
)
from triad.sparql.query_graph import Order, QueryGraph


@dataclass(frozen=True, slots=True)
class Ranking:
    """The places that a superlative asks for, of some things that are ranked by a value."""

    pool: QueryGraph
    """The query for the things and their values, as two columns."""
    descending: bool
    first: int
    """The first of the places that are asked for."""
    count: int
    """How many they are."""

    def has_place(self, thing: LinkedMention) -> QueryGraph:
        """Return the query for whether a thing's value is that of one of the places."""
        _, value = self._columns
        names = {one: Variable(f"v900{at}") for at, one in enumerate(_variables(self.pool))}
        others = substituted(self.pool, names)
        places = replace(
            others,
            order=(Order(names[value], self.descending),),
            limit=self.count,
            offset=self.first - 1,
        )
        return QueryGraph.whether(*self._of(thing), places, Filter(Comparison(value, "=", names[value])))

    def has_value(self, thing: LinkedMention) -> QueryGraph:
        """Return the query for whether a thing is one of those that are ranked."""
        return QueryGraph.whether(*self._of(thing))

    def may_compete(self, thing: LinkedMention) -> QueryGraph | None:
        """Return the query for whether a thing is of the class that is ranked and has a value; None if none is told.

        It may do so without being among the things that are ranked, which may be limited: the highest in Germany.
        """
        ranked, value = self._columns
        where = self.pool.where
        classes = [part for part in where if isinstance(part, ClassPattern) and part.instance == ranked]
        ends = (ranked, value)
        values = [part for part in where if isinstance(part, EdgePattern) and (part.subject, part.object) == ends]
        if not classes or not values:
            return None
        return QueryGraph.whether(*substituted((*classes, *values), {ranked: IRI(thing.candidate.iri)}))

    @property
    def _columns(self) -> tuple[Variable, Variable]:
        ranked, value = self.pool.variables
        return ranked, value

    def _of(self, thing: LinkedMention) -> tuple[Part, ...]:
        ranked, iri = self._columns[0], IRI(thing.candidate.iri)
        if self.pool.is_aggregated:
            return self.pool, Filter(Comparison(ranked, "=", iri))
        return substituted(self.pool.where, {ranked: iri})


def asks_for_greatest(analysis: Analysis, mentions: Sequence[LinkedMention]) -> bool:
    """Return whether a yes/no question has a superlative that is not a part of a name."""
    order = analysis.order
    if analysis.answer_type != "boolean" or order is None:
        return False
    words = set(range(order.start, order.end))
    return not any(words <= one.positions and one.candidate.score >= CLOSE for one in mentions)


def compared_things(analysis: Analysis, mentions: Sequence[LinkedMention]) -> list[LinkedMention]:
    """Return what the question may say to be the greatest, the likeliest first: what is named before the superlative.

    Only where nothing is named before it, it may stand behind.
    """
    order = analysis.order
    assert order is not None
    named = [one for one in mentions if one.candidate.kind == "entity" and one.candidate.score >= CLOSE]
    named = [one for one in named if not any(other.positions > one.positions for other in named)]
    before = [one for one in named if one.end <= order.start]
    chosen = before or [one for one in named if one.start >= order.end]
    return sorted(chosen, key=lambda one: (-one.prior, one.start))


def without_thing(analysis: Analysis, thing: LinkedMention, pack: Pack) -> str:
    """Return what is left of a yes/no question without a thing: "the longest film" of "Is Psycho the longest film?"."""
    sentence = Sentence(analysis.text, pack)
    left_out = set(thing.positions)
    opening = [("boolean", 0), ("copula", thing.start - 1), ("copula", thing.end), ("boolean", thing.end)]
    opening += [("inversion", at) for at in range(len(sentence))]
    for name, at in opening:
        if 0 <= at < len(sentence) and (end := sentence.form(name, at)) is not None:
            left_out.update(range(at, end))
    words = analysis.words
    kept = [at for at in range(len(words)) if at not in left_out]
    return " ".join(analysis.text[words[at].start : words[at].end] for at in kept)


def ranking_of(option: Option) -> Ranking | None:
    """Return the ranking by which a query finds the greatest; None if it does not, or gives something else."""
    partial = option.partial
    if partial is None or len(partial.extremes) != 1 or len(partial.columns) != 1:
        return None
    [extreme], [column] = partial.extremes, partial.columns
    if column.relation or column.function or extreme.key is not None or extreme.aggregate:
        return None
    if extreme.counted is None and extreme.thing == column.thing:
        value = Column(extreme.thing, extreme.relation)
    elif extreme.counted is not None:
        value = Column(extreme.counted, "", "COUNT")
    else:
        return None
    pool = replace(partial, extremes=(), columns=(column, value)).query()
    told = len(pool.columns) == 2 and isinstance(pool.columns[0], Variable)
    return Ranking(pool, extreme.descending, extreme.first, extreme.count) if told else None


def is_given(candidate: CandidateQuery, analysis: Analysis, thing: LinkedMention) -> QueryGraph | None:
    """Return the query for whether a thing is what a query gives whose relation has the superlative in its name.

    "The largest city of Albania" may be a relation of Albania; None where it is not, or where the query does more.
    """
    order, graph = analysis.order, candidate.graph
    words = set(range(order.start, order.end)) if order else set()
    if not words or not any(words <= edge.match.positions for edge in candidate.node.edges):
        return None
    if len(graph.columns) != 1 or not isinstance(graph.columns[0], Variable) or graph.order or graph.is_aggregated:
        return None
    return QueryGraph.whether(*substituted(graph.where, {graph.columns[0]: IRI(thing.candidate.iri)}))


def _variables(graph: QueryGraph) -> Iterator[Variable]:
    return (term for term in dict.fromkeys(terms(graph)) if isinstance(term, Variable))
