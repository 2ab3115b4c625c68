"""The lexical solver: answers without a language model.

In the line of QAnswer (Diefenbach et al., "Towards a Question Answering System over the Semantic Web", 2020): spot what
the question names, walk the graph from there along relations that its words may mean, read the form that the answer
shall have, and rank the queries that come of it. All that it knows of a language is data: `triad.lexical.lexicon`.
"""

from __future__ import annotations

import re
from typing import Final

from triad import sparql
from triad.errors import AnswerError, GraphError
from triad.kg.guard import check
from triad.lexical.forms import Proposal, propose
from triad.lexical.lexicon import load_lexicon
from triad.lexical.matching import Matcher
from triad.lexical.ranking import Weights, confidence, load_weights, rank
from triad.lexical.reading import read
from triad.lexical.similarity import Similar
from triad.lexical.spotting import named, spot
from triad.lexical.walking import Walk
from triad.phases import answering
from triad.phases.construction import BuiltQuery
from triad.phases.context import Context
from triad.types import Answer, Candidate

__all__ = ["proposals", "solve"]

_VARIABLE: Final = re.compile(r"\?(v\d+)\b")
_TRIED: Final = 8  # proposals that are executed until one gives an answer


def solve(context: Context) -> Answer:
    """Answer a question from its words alone.

    Raises:
        AnswerError: Nothing that the question names was found, or nothing that connects it.
        GraphError: The graph failed.
        SearchError: The label index failed.
    """
    weights = load_weights()
    ranked = proposals(context, weights)
    at = context.at("construction")
    for rank_, proposal in enumerate(ranked[:_TRIED]):
        built = _execute(at, proposal, confidence(ranked[rank_:], weights))
        if built is not None:
            return answering.answer(context.at("answering"), built, proposal.answer_type)
    raise AnswerError(
        f"no answer was reached for {context.question.text!r}: nothing in the graph connects what the question names"
    )


def proposals(context: Context, weights: Weights) -> list[Proposal]:
    """Return the queries that may answer a question, the best first."""
    lexicon = load_lexicon(context.question.language)
    reading = read(context.question.text, lexicon)
    items, classes = spot(context.at("linking"), reading)
    similar = Similar(reading, context.vectors, named(reading, items)) if context.vectors else None
    walk = Walk(context.at("linking"), reading, Matcher(reading, lexicon, load_lexicon("en"), similar))
    with walk.context.look_around("paths from what the question names"):
        nodes = walk.nodes(items, classes)
        return rank(walk, propose(walk, nodes, items, classes), weights)


def _readable(query: str) -> str:
    """Name the variables of a query as people would: ``?answer`` comes first, then ``?x``, ``?y``, ``?z``."""
    names = iter(("answer", "x", "y", "z", *(f"x{number}" for number in range(2, 100))))
    found = dict.fromkeys(_VARIABLE.findall(query))
    new = {old: next(names) for old in found}
    return _VARIABLE.sub(lambda match: "?" + new[match[1]], query)


def _execute(context: Context, proposal: Proposal, score: float) -> BuiltQuery | None:
    tree = sparql.parse(_readable(proposal.query))
    try:
        text = check(tree, context.policy)
        result = context.execute(text, ask=proposal.answer_type == "boolean")
    except GraphError:
        return None  # the next proposal may be cheaper
    if result.is_empty:
        return None
    links: dict[str, Candidate] = {}
    words = context.question.text.split()
    for item in proposal.node.items:
        links[item.candidate.matched or " ".join(words[item.start : item.end])] = item.candidate
    for link in proposal.node.links:
        links[link.label] = Candidate(link.relation, "relation", link.label, score=link.match.fit)
    return BuiltQuery(text, links, round(score, 4), result, tree=tree)
