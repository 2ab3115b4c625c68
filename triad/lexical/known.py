"""Questions with known answers: what the solver's two ways make of them, and what each is worth.

All that the solver weighs is kept, so that an answer can be told by other weights without asking the graph again.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from triad.errors import GraphError
from triad.kg.guard import check
from triad.language.pack import load_pack
from triad.lexical import choice
from triad.lexical.candidates import CandidateQuery
from triad.lexical.choice import TRIAL, TRIED, Tried, behind_best, composed_evidence, decided, found_at, result_key
from triad.lexical.contract import gives_time
from triad.lexical.mention_detection import LinkedQuestion
from triad.lexical.nodes import Node
from triad.lexical.ranking import confidence
from triad.lexical.solver import candidates, schema_readings
from triad.lexical.weights import Weights, load_weights, weighted
from triad.lexical.word_uses import ignored_words
from triad.phases.context import Context
from triad.rdf import Literal, ResultSet
from triad.sparql.patterns import Variable

Judge = Callable[[ResultSet], float]
"""Tells what a result is worth, from 0 to 1."""

_KEPT: Final = 20  # candidates of the search that are run and learned from


@dataclass(slots=True)
class Read(Tried):
    """A reading over the schema, with a digest of what it found."""

    value: float
    """What that is worth."""


@dataclass(frozen=True, slots=True)
class Searched:
    """A candidate of the search, which was run."""

    candidate: CandidateQuery
    """With its features, but without what it was made from; for its answers, as far as they are known, a digest."""
    result: ResultSet
    value: float
    missed: tuple[str, ...] = ()
    """Words that it leaves out."""
    is_empty: bool = False
    timely: bool | None = None
    """Whether it gives a time; None if the question does not ask when."""


@dataclass(frozen=True, slots=True)
class Judged:
    """What is answered, by some weights."""

    confidence: float
    """0 if nothing is answered."""
    value: float
    answerable: bool = True


@dataclass(frozen=True, slots=True)
class _Way:
    """The best query of one way."""

    result: ResultSet
    evidence: choice.Evidence
    value: float
    tied: int = 0


@dataclass(frozen=True, slots=True)
class KnownQuestion:
    """A question with known answers, and what the two ways make of it."""

    question: str
    answerable: bool = True
    """False if the graph has no answer, so that any is wrong."""
    readings: tuple[Read, ...] = ()
    setting: Mapping[str, float] = field(default_factory=dict)
    """What is known of the question and the graph; empty where the schema is not read."""
    searched: tuple[Searched, ...] = ()

    def told(self, weights: Weights) -> Judged:
        """Return what the solver answers by some weights."""
        scored = [replace(one, score=weighted(weights.composition, one.features)) for one in self.readings]
        ranked = sorted(scored, key=lambda one: -one.score)
        place = found_at(ranked)
        composed = None
        if place is not None:
            evidence = composed_evidence(ranked, place, weights.composition)
            composed = _Way(ranked[place].result, evidence, ranked[place].value)
        found = decided(composed, lambda: self._searched(weights, ranked), self.setting, weights)
        way, likely = next(iter(found), (None, 0.0))
        return Judged(likely, way.value if way else 0.0, self.answerable)

    def _searched(self, weights: Weights, readings: Sequence[Read]) -> _Way | None:
        """Return the best candidate of the search that found something."""
        scored = [(weights.score(one.candidate.features), one) for one in self.searched]
        ordered = sorted(scored, key=lambda pair: -pair[0])
        ranked = [replace(one.candidate, score=score) for score, one in ordered]
        for place, (_, one) in enumerate(ordered[:TRIED]):
            if not one.is_empty:
                sure = confidence(ranked[place:], weights)
                evidence = choice.searched_evidence(ranked, place, sure, one.missed, one.timely)
                return _Way(one.result, evidence | behind_best(one.result, readings), one.value)
        return None


def asked(context: Context, judge: Judge, *, answerable: bool = True) -> KnownQuestion:
    """Read a question in both ways, run what they find, and judge it.

    Raises:
        GraphError: The graph failed.
        SearchError: The label index failed.
    """
    weights = load_weights(context.weights)
    pack = load_pack(context.question.language)
    linked = LinkedQuestion.of(context, context.question.text, weights)
    analysis, read = linked.analysis, schema_readings(linked)
    readings = tuple(Read(judge(one.result), features=one.features, result=_digest(one.result)) for one in read.ranked)
    setting = choice.question_evidence(read.strange, context.profile.things) if context.profile and read.tried else {}
    asks_when = analysis.expected == {"date"}
    searched = []
    for candidate in candidates(context, weights)[:_KEPT]:
        result = _run(context, candidate)
        missed = tuple(word for words in ignored_words(analysis, candidate) for word in words.split())
        value = judge(result) if result is not None else 0.0
        empty = result is None or result.is_empty
        found = _digest(result) if result is not None else ResultSet()
        timely = gives_time(result, pack) if asks_when and result is not None else None
        ends = (Literal(str(hash(frozenset(candidate.ends)))),) if candidate.ends else ()  # a digest is enough
        bare = replace(candidate, node=Node(Variable(""), mentions=candidate.node.mentions[:1]), ends=ends)
        searched.append(Searched(bare, found, value, missed, empty, timely))
    return KnownQuestion(context.question.text, answerable, readings, setting, tuple(searched))


def _run(context: Context, candidate: CandidateQuery) -> ResultSet | None:
    try:
        query = check(candidate.query, context.policy)
        if candidate.answer_type == "boolean":
            return ResultSet(boolean=context.graph.ask(query, timeout=TRIAL))
        return context.graph.select(query, timeout=TRIAL)
    except GraphError:
        return None  # too slow, as it would be for a user


def _digest(result: ResultSet) -> ResultSet:
    if result.boolean is not None:
        return ResultSet(boolean=result.boolean)
    return ResultSet(("found",), ((Literal(str(hash(result_key(result)))),),))
