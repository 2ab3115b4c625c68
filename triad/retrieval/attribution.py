"""Attribution: which of its evidence an answer rests on, found out counterfactually.

As in RAGonite's later system: pieces of evidence that say nearly the same make a cluster, each cluster is left out
once, the question is answered from the rest, and the farther that answer is from the given one, the more the answer
rests on the cluster. A softmax at a low temperature makes shares of the distances. Each cluster costs a call of the
model: how many there will be is known before the first one.
"""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Protocol

from triad.answers import Answer
from triad.citations import Attribution, Citation, ClusterShare
from triad.embedding.vectors import Vectors
from triad.errors import ConfigError
from triad.language.normalize import fold
from triad.phases.context import Context
from triad.questions import Question
from triad.retrieval.answering import Reply
from triad.retrieval.evidence import inputs, of_citation, shown
from triad.trace import estimate_tokens

_TEMPERATURE: Final = 0.1
_PIECE: Final = 3_000  # characters of a piece of evidence that is shown


@dataclass(frozen=True, slots=True)
class AttributionPlan:
    """What an attribution would ask, before anything is asked."""

    clusters: tuple[tuple[int, ...], ...]
    """The numbers of the citations of each cluster."""
    calls: int
    """Calls of the model."""
    tokens: int
    """About how many tokens all prompts have."""


def attribution_plan(answer: Answer, vectors: Vectors | None = None, most: int = 8) -> AttributionPlan:
    """Return what an attribution of an answer with citations would ask; this asks nothing of a language model.

    Texts are compared by vectors, or else by words; where there were more than so many clusters, the nearest are made
    one.

    Raises:
        ConfigError: The answer has no citations, or ``most`` is less than 1.
    """
    if not answer.citations:
        raise ConfigError("the answer cites no evidence, so there is nothing that it could be attributed to")
    if most < 1:
        raise ConfigError(f"an attribution takes at least one call, not {most}")
    clusters = _clusters(answer.citations, vectors, most)
    # Without the only cluster nothing is left to answer from, which no call has to find out.
    calls = len(clusters) if len(clusters) > 1 else 0
    size = sum(estimate_tokens(one.text[:_PIECE]) for one in answer.citations)
    return AttributionPlan(clusters, calls, calls * (size + 1_300))  # tokens of a prompt without its evidence, about


class Attributing(Protocol):
    """What begins questions: an agent."""

    def begin(self, question: Question) -> Context:
        """Return the context of a question."""


def attribute(agent: Attributing, answer: Answer, *, most: int = 8) -> Attribution:
    """Return which of its evidence an answer rests on, in so many calls of the model at most.

    Args:
        agent: The agent that gave the answer; the limits of a question hold for the attribution, too.
        answer: The answer, which has citations.
        most: Calls of the model at most, replies that fail their check aside.

    Raises:
        ConfigError: The answer has no citations, or there is no model.
        AnswerError: A reply failed its checks, or a limit was reached.
        ModelError: The model or the embedder failed.
    """
    context = agent.begin(answer.question).at("answering")
    if not context.models:
        raise ConfigError("an attribution asks a model what the answer were without some evidence, and there is none")
    plan = attribution_plan(answer, context.vectors, most)
    found = []
    for cluster in plan.clusters:
        titles = dict.fromkeys(one.title for one in answer.citations if one.number in cluster)
        rest = [one for one in answer.citations if one.number not in cluster]
        without = _answered(context, rest) if rest else ""
        # from 0 to 1; an answer that is gone is as far as can be
        likeness = _alike([answer.text, without], context.vectors)[0][1] if without else 0.0
        found.append(ClusterShare(cluster, tuple(titles), min(1.0, max(0.0, 1.0 - likeness)), 0.0, without))
    powers = [math.exp(one.distance / _TEMPERATURE) for one in found]
    shares = [
        replace(one, distance=round(one.distance, 4), share=round(power / sum(powers), 4))
        for one, power in zip(found, powers, strict=True)
    ]
    return Attribution(tuple(sorted(shares, key=lambda one: -one.share)), plan.calls)


def _answered(context: Context, citations: Sequence[Citation]) -> str:
    """Return the answer from some evidence alone; nothing where it does not tell."""
    words = context.question.text.split()
    pieces = [shown(of_citation(one), _PIECE, 100, words) for one in citations]
    given = inputs(context, evidence=[one for one in pieces if one is not None])

    def fault(reply: Reply) -> str | None:
        return None if reply.sentences or reply.missing.strip() else "give 'sentences', or say what is 'missing'"

    reply = context.call("advisor", "evidence", given, Reply, fault)
    return " ".join(one.text.strip() for one in reply.sentences)


# Likeness -------------------------------------------------------------------------------------------------


def _clusters(citations: Sequence[Citation], vectors: Vectors | None, most: int) -> tuple[tuple[int, ...], ...]:
    """Return the numbers of citations that say nearly the same together, in at most so many groups."""
    likeness = _alike([f"{one.title}\n{one.text}" for one in citations], vectors)
    groups = [[at] for at in range(len(citations))]
    while len(groups) > 1:
        pairs = [(one, other) for one in range(len(groups)) for other in range(one)]

        def near(pair: tuple[int, int]) -> float:
            return max(likeness[a][b] for a in groups[pair[0]] for b in groups[pair[1]])

        best = max(pairs, key=near)
        # the cosine of two pieces of evidence from which on they say the same
        if near(best) < 0.9 and len(groups) <= most:
            break
        groups[best[1]] += groups.pop(best[0])
    return tuple(tuple(sorted(citations[at].number for at in group)) for group in groups)


def _alike(texts: Sequence[str], vectors: Vectors | None) -> list[list[float]]:
    if vectors is not None:
        return [[float(cosine) for cosine in row] for row in vectors.alike(texts, texts)]
    bags = [Counter(fold(text).split()) for text in texts]
    return [[_cosine(one, other) for other in bags] for one in bags]


def _cosine(one: Counter[str], other: Counter[str]) -> float:
    product = sum(count * other[word] for word, count in one.items())
    lengths = math.sqrt(sum(n * n for n in one.values()) * sum(n * n for n in other.values()))
    return product / lengths if lengths else 0.0
