"""The lexical solver: answers without a language model.

In the line of QAnswer (Diefenbach et al., "Towards a Question Answering System over the Semantic Web", 2020): detect
the mentions of the question, search the graph from there along relations that its words may mean, analyse the form of
the answer, and rank the candidate queries. Its knowledge of languages is data: `triad.language.pack`.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Final

from triad import sparql
from triad.answers import Answer
from triad.errors import AnswerError, GraphError
from triad.kg.guard import check
from triad.language.analysis import analyse
from triad.language.pack import load_pack
from triad.lexical.forms import CandidateQuery, candidate_queries
from triad.lexical.graph_search import Walk
from triad.lexical.matching import Matcher
from triad.lexical.mention_detection import spot
from triad.lexical.ranking import confidence, rank
from triad.lexical.similarity import Similar
from triad.lexical.weights import Weights, load_weights
from triad.phases import answering
from triad.phases.construction import BuiltQuery
from triad.phases.context import Context
from triad.questions import Candidate

__all__ = ["candidates", "solve"]

_DOUBT: Final = 0.5  # the confidence below which words are compared by an embedder, too
_GUESSED: Final = 0.75  # factor on the confidence of a candidate that an embedder's guess led to
_TRIED: Final = 8  # candidates that are executed until one gives an answer
_PATIENCE: Final = 60.0  # seconds of a question after which no more candidates are tried; half are to find some
_LEAST: Final = 5.0  # seconds that a candidate may take, however long it took to find


def solve(context: Context) -> Answer:
    """Answer a question from its words alone.

    Raises:
        AnswerError: Nothing that the question names was found, or nothing that connects it.
        GraphError: The graph failed, or ran none of the queries.
        SearchError: The label index failed.
    """
    weights = load_weights()
    started = time.monotonic()
    ranked = candidates(context, weights)
    at = context.at("construction")
    failures: list[GraphError] = []
    empty = not ranked
    for place, candidate in enumerate(ranked[:_TRIED]):
        left = max(_LEAST, _PATIENCE - (time.monotonic() - started))
        try:
            built = _execute(at, candidate, _sureness(ranked[place:], weights), min(left, context.graph.timeout))
        except GraphError as error:
            failures.append(error)  # the next candidate may be cheaper
            if time.monotonic() - started > _PATIENCE:
                break
            continue
        if built is not None:
            return answering.answer(context.at("answering"), built, candidate.answer_type)
        empty = True
    if failures and not empty:
        raise failures[0]
    raise AnswerError(
        f"no answer was reached for {context.question.text!r}: nothing in the graph connects what the question names"
    )


def candidates(context: Context, weights: Weights) -> list[CandidateQuery]:
    """Return the queries that may answer a question, the best first.

    Args:
        context: The question, and what may be used.
        weights: The learned weights of the ranking.

    Raises:
        GraphError: The graph failed, or was too slow to tell anything.
        SearchError: The label index failed.
    """
    pack = load_pack(context.question.language)
    analysis = analyse(context.question.text, pack)
    mentions, classes = spot(context.at("linking"), analysis, weights)
    deadline = time.monotonic() + _PATIENCE / 2

    def ranked(what: str, similar: Similar | None = None) -> list[CandidateQuery]:
        matcher = Matcher(analysis, pack, load_pack("en"), similar)
        walk = Walk(context.at("linking"), analysis, matcher, deadline)
        with walk.context.look_around(what):
            nodes = walk.nodes(mentions, classes)
            found = rank(walk, candidate_queries(walk, nodes, mentions, classes), weights)
            if walk.slow and not found:
                raise walk.slow[0]
        return found

    found = ranked("paths from what the question names")
    if context.vectors and _in_doubt(found, weights):
        what = "the same, and along relations whose names are like its words"
        found = ranked(what, Similar(analysis, context.vectors)) or found
    return found


def _sureness(ranked: Sequence[CandidateQuery], weights: Weights) -> float:
    """Return the confidence in the best candidate; the ranking learned it without an embedder."""
    guessed = any(edge.match.similar for edge in ranked[0].node.edges)
    return confidence(ranked, weights) * (_GUESSED if guessed else 1.0)


def _in_doubt(ranked: Sequence[CandidateQuery], weights: Weights) -> bool:
    """Tell whether some words are unexplained and the best candidate is more likely wrong than right."""
    return not ranked or (not ranked[0].features["complete"] and confidence(ranked, weights) < _DOUBT)


def _execute(context: Context, candidate: CandidateQuery, score: float, timeout: float) -> BuiltQuery | None:
    """Run a candidate query; None if it finds nothing."""
    tree = sparql.parse(candidate.query)
    text = check(tree, context.policy)
    result = context.execute(text, ask=candidate.answer_type == "boolean", timeout=timeout)
    if result.is_empty:
        return None
    links = {
        mention.candidate.matched or mention.candidate.label: mention.candidate for mention in candidate.node.mentions
    }
    for edge in candidate.node.edges:
        links[edge.label] = Candidate(edge.relation, "relation", edge.label, score=edge.match.fit)
    return BuiltQuery(text, links, round(score, 4), result, tree=tree)
