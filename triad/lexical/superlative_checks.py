"""Yes/no questions with a superlative: whether one named thing is the greatest, held against all that it competes with.

"Is Psycho the longest film?" is answered by what "the longest film" gives: Psycho is one of these, or it is none though
it is ranked with the others, or could be. Of a thing that could not, nothing is said.
"""

from collections.abc import Sequence
from dataclasses import replace

from triad.language.analysis import Analysis
from triad.language.pack import Pack
from triad.language.tokens import Sentence
from triad.lexical.candidates import CandidateQuery
from triad.lexical.choice import Option
from triad.lexical.composition.elements import Column
from triad.lexical.mention_detection import LinkedMention
from triad.rdf import IRI
from triad.search.base import CLOSE
from triad.sparql.patterns import ClassPattern, Comparison, EdgePattern, Filter, Variable, substituted
from triad.sparql.query_graph import QueryGraph


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
    return sorted(before or [one for one in named if one.start >= order.end], key=lambda one: (-one.prior, one.start))


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


def ranking_of(option: Option) -> QueryGraph | None:
    """Return the query for the things of which one is found to be the greatest, and for their values, as two columns.

    None if a query finds no greatest, or gives something else.
    """
    if (partial := option.partial) is None or len(partial.extremes) != 1 or len(partial.columns) != 1:
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
    return pool if len(pool.columns) == 2 and isinstance(pool.columns[0], Variable) else None


def may_compete(ranking: QueryGraph, thing: LinkedMention) -> QueryGraph:
    """Return the query for whether a thing is of the class that is ranked and has a value, or else is one of these.

    It may compete without being among the things that are ranked, which may be limited: the highest in Germany.
    """
    (ranked, value), iri = ranking.variables, IRI(thing.candidate.iri)
    classes = [part for part in ranking.where if isinstance(part, ClassPattern) and part.instance == ranked]
    edges = [part for part in ranking.where if isinstance(part, EdgePattern)]
    values = [one for one in edges if (one.subject, one.object) == (ranked, value)]
    if ranking.is_aggregated and not (classes and values):
        return QueryGraph.whether(ranking, Filter(Comparison(ranked, "=", iri)))
    return QueryGraph.whether(*substituted((*classes, *values) if classes and values else ranking.where, {ranked: iri}))


def is_given(candidate: CandidateQuery, thing: LinkedMention) -> QueryGraph | None:
    """Return the query for whether a thing is what a query gives; None where that does not do all that is asked."""
    graph = candidate.graph
    if candidate.broken or len(graph.columns) != 1 or not isinstance(graph.columns[0], Variable):
        return None
    return QueryGraph.whether(graph.nested(), Filter(Comparison(graph.columns[0], "=", IRI(thing.candidate.iri))))
