"""The lexical solver: answers without a language model.

In the line of QAnswer (Diefenbach et al., "Towards a Question Answering System over the Semantic Web", 2020): spot what
the question names, walk the graph from there along relations that its words may mean, read the form that the answer
shall have, and rank the queries that come of it. All that it knows of a language is data: `triad.lexical.lexicon`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
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
from triad.lexical.spotting import spot
from triad.lexical.walking import Walk
from triad.phases import answering
from triad.phases.construction import BuiltQuery
from triad.phases.context import Context
from triad.types import Answer, Candidate

__all__ = ["proposals", "solve"]

_VARIABLE: Final = re.compile(r'<[^<>\s]*>|"(?:[^"\\]|\\.)*"|\?(v\d+)\b')
"""An IRI, a string or a variable; what looks like a variable in the first two is none."""
_DOUBT: Final = 0.5  # the confidence below which words are compared by an embedder, too
_GUESSED: Final = 0.75  # how often what is then found is right, of the times that it would be if no word were a guess
_TRIED: Final = 8  # proposals that are executed until one gives an answer


def solve(context: Context) -> Answer:
    """Answer a question from its words alone.

    Raises:
        AnswerError: Nothing that the question names was found, or nothing that connects it.
        GraphError: The graph failed, or ran none of the queries.
        SearchError: The label index failed.
    """
    weights = load_weights()
    ranked = proposals(context, weights)
    at = context.at("construction")
    failures: list[GraphError] = []
    for place, proposal in enumerate(ranked[:_TRIED]):
        try:
            built = _execute(at, proposal, _sureness(ranked[place:], weights))
        except GraphError as error:
            failures.append(error)  # the next proposal may be cheaper
            continue
        if built is not None:
            return answering.answer(context.at("answering"), built, proposal.answer_type)
    if failures and len(failures) == len(ranked[:_TRIED]):
        raise failures[0]
    raise AnswerError(
        f"no answer was reached for {context.question.text!r}: nothing in the graph connects what the question names"
    )


def proposals(context: Context, weights: Weights) -> list[Proposal]:
    """Return the queries that may answer a question, the best first.

    Args:
        context: The question, and what may be used.
        weights: What the ranking has learned.

    Raises:
        GraphError: The graph failed.
        SearchError: The label index failed.
    """
    lexicon = load_lexicon(context.question.language)
    reading = read(context.question.text, lexicon)
    items, classes = spot(context.at("linking"), reading)

    def ranked(what: str, similar: Similar | None = None) -> list[Proposal]:
        walk = Walk(context.at("linking"), reading, Matcher(reading, lexicon, load_lexicon("en"), similar))
        with walk.context.look_around(what):
            nodes = walk.nodes(items, classes)
            return rank(walk, propose(walk, nodes, items, classes), weights)

    found = ranked("paths from what the question names")
    if context.vectors and _in_doubt(found, weights):
        what = "the same, and along relations whose names are like its words"
        found = ranked(what, Similar(reading, context.vectors)) or found
    return found


def _sureness(ranked: Sequence[Proposal], weights: Weights) -> float:
    """Return the confidence in the best proposal, which was learned without an embedder's guesses."""
    guessed = any(link.match.similar for link in ranked[0].node.links)
    return confidence(ranked, weights) * (_GUESSED if guessed else 1.0)


def _in_doubt(ranked: Sequence[Proposal], weights: Weights) -> bool:
    """Tell whether words are left that may mean something, and the answer without them is more likely wrong."""
    return not ranked or (not ranked[0].features["complete"] and confidence(ranked, weights) < _DOUBT)


def _readable(query: str) -> str:
    """Name the variables of a query as people would: ``?answer`` comes first, then ``?x``, ``?y``, ``?z``."""
    names = iter(("answer", "x", "y", "z", *(f"x{number}" for number in range(2, 100))))
    new = {old: next(names) for old in dict.fromkeys(_VARIABLE.findall(query)) if old}
    return _VARIABLE.sub(lambda match: "?" + new[match[1]] if match[1] else match[0], query)


def _execute(context: Context, proposal: Proposal, score: float) -> BuiltQuery | None:
    """Run a proposal's query; None if it finds nothing."""
    tree = sparql.parse(_readable(proposal.query))
    text = check(tree, context.policy)
    result = context.execute(text, ask=proposal.answer_type == "boolean")
    if result.is_empty:
        return None
    links = {item.candidate.matched or item.candidate.label: item.candidate for item in proposal.node.items}
    for link in proposal.node.links:
        links[link.label] = Candidate(link.relation, "relation", link.label, score=link.match.fit)
    return BuiltQuery(text, links, round(score, 4), result, tree=tree)
