"""Path search: from a topic along relations that the graph has, to paths whose steps are like those of a plan.

A plan is a reasoning path whose relations are words. For each step, the relations one hop from where a partial path
leads are compared with the words of the step, both ways; the paths most alike are followed. What has no name, such as
a node for an office with its holder and dates, is crossed for one more hop, which takes no step. The search asks the
graph for relations and never for entities, so that all paths it finds have matches, and their number does not grow with
the graph's.
"""

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, Self

from triad.caching import cached_property
from triad.deadline import Deadline
from triad.errors import ModelError
from triad.kg.cards import in_time
from triad.kg.schema import DOCUMENTATION, Hop, Schema
from triad.language.analysis import analyse
from triad.language.normalize import fold
from triad.language.relatedness import relatedness
from triad.language.similarity import Wording
from triad.log import logger
from triad.phases.context import Context
from triad.queries.path_text import mentioned
from triad.queries.paths import ReasoningPath, Step
from triad.rdf import IRI, RDF_TYPE, BlankNode, writable
from triad.search.base import CLOSE
from triad.sparql.patterns import ClassPattern, EdgePattern, Part, QueryTerm, Variable, substituted
from triad.sparql.writer import render_parts

_WIDTH: Final = 8  # relations that are followed for each step of a partial path: the paper's 2k, for k = 4
_BEAM: Final = 10  # partial paths that are kept for each step: the paper's m
_TURNED: Final = 0.9  # what a relation against the direction of the plan's step keeps
_ELSEWHERE: Final = 0.85  # what a likeness to another step of the plan counts
_CROSSED: Final = 0.97  # what a step across a nameless node keeps
_BACK: Final = 0.5  # what a step keeps that goes back along the one before it
_TOLD: Final = 0.7  # what a relation of names and documentation keeps, unless the words name it
_NOTHING: Final = 0.02  # what a step counts that has nothing in common with its relation
_RESEMBLES: Final = 0.75  # names that resemble each other less have letters in common, and no words
_BY_LETTERS: Final = 0.5  # what is left of such a resemblance
_BY_QUESTION: Final = 0.85  # what a likeness to words of the question counts, against one to the words of a step


class LookupBudget(Deadline):
    """The time and the look-ups that a repair may take, calls of the model not included."""

    def __init__(self, seconds: float, lookups: int) -> None:
        super().__init__(seconds)
        self._lookups = lookups

    def spend(self) -> bool:
        """Count a look-up; return whether it may be made."""
        self._lookups -= 1
        return self._lookups >= 0 and not self.expired


def with_subclasses(schema: Schema, parts: Iterable[Part]) -> tuple[Part, ...]:
    """Return patterns in which an instance of a class may be one of a subclass."""
    found: list[Part] = []
    for part in parts:
        if isinstance(part, EdgePattern) and part.relation == IRI(RDF_TYPE) and isinstance(part.object, IRI):
            kind = partial(Variable, f"kind{len(found)}")
            found.append(ClassPattern.of(part.subject, schema.kinds(part.object.value), kind))
        else:
            found.append(part)
    return tuple(found)


class StepLikeness:
    """Compares relations with the words of one question and of the steps that shall answer it.

    Words of steps may have been linked to relations before, with a score; names in the question are no relations.
    """

    def __init__(self, context: Context, meant: Mapping[str, Mapping[str, float]], without: Iterable[str] = ()) -> None:
        self._context = context
        self._meant = meant
        self._pack = context.pack
        self._without = {word for name in without for word in fold(name).split()}
        self._known: dict[tuple[str, str], float] = {}
        self._asked: dict[str, float] = {}

    def compare(self, words: str, relations: Mapping[str, str], taken: Collection[str] = ()) -> dict[str, float]:
        """Return how alike the words of a step and relations are, from 0 to 1.

        Words of the question do not speak once more for relations that other steps have taken already.
        """
        if new := {iri: label for iri, label in relations.items() if (words, iri) not in self._known}:
            meant = self._meant.get(words, {})
            by_meaning = self._cosines(words, list(new.values()))
            for iri, label in new.items():
                found = max(self._by_words(words, label, iri), by_meaning.get(label, 0.0), meant.get(iri, 0.0))
                self._known[words, iri] = 1.0 if iri in self._context.meaning(words) else found
        return {
            iri: max(self._known[words, iri], 0.0 if iri in taken else _BY_QUESTION * self._by_question(label, iri))
            for iri, label in relations.items()
        }

    def _cosines(self, words: str, labels: list[str]) -> dict[str, float]:
        if self._context.vectors is None or not words:
            return {}
        try:
            rows = self._context.vectors.alike(labels, [words]).tolist()
        except ModelError as error:
            logger.warning("steps are not compared by their meaning: {}", error)
            return {}
        return {label: max(0.0, row[0]) for label, row in zip(labels, rows, strict=True)}

    def _by_words(self, words: str, label: str, iri: str) -> float:
        if not words:
            return 0.0
        resembles = Wording(words).similarity(label, iri)
        found = resembles if resembles >= _RESEMBLES else _BY_LETTERS * resembles
        related = relatedness(words, label) if self._pack.language == "en" else 0.0
        return max(found, related, self._synonym(words, label))

    def _by_question(self, label: str, iri: str) -> float:
        if iri not in self._asked:
            spans = max((self._by_words(span, label, iri) for span in self._spans), default=0.0)
            self._asked[iri] = spans if spans >= _RESEMBLES else _BY_LETTERS * spans
        return self._asked[iri]

    @cached_property
    def _spans(self) -> tuple[str, ...]:
        """Short runs of words of the question that may name a relation."""
        text = self._context.question.text
        words = analyse(text, self._pack).words
        found: dict[str, None] = {}
        for start in range(len(words)):
            for end in range(start + 1, min(start + 3, len(words)) + 1):
                if words[start].empty or words[end - 1].empty:
                    continue
                span = text[words[start].start : words[end - 1].end]
                if not self._without.issuperset(fold(span).split()):
                    found[span] = None
        return tuple(found)

    def _synonym(self, words: str, label: str) -> float:
        """Return how well a synonym of the words, or of some of them, names a relation."""
        if not (stems := self._pack.stems(label)):
            return 0.0
        senses = (one for one in analyse(words, self._pack).senses if one.stems and one.stems <= stems)
        found = (one.weight * len(one.stems) / len(stems) for one in senses)
        return max(found, default=0.0)


@dataclass(frozen=True, slots=True)
class FoundPath:
    """A main path that the graph has."""

    path: ReasoningPath
    """The main path, without restrictions."""
    likeness: tuple[float, ...] = ()
    """How alike each of the plan's steps and its relation are."""
    ends: tuple[int, ...] = ()
    """For each step of the plan, the number of steps of the path that are done after it."""

    @property
    def score(self) -> float:
        """The mean likeness of its steps, geometric, so that each counts."""
        return math.prod(self.likeness) ** (1 / max(1, len(self.likeness)))

    def along(self, steps: Iterable[Step], fit: float) -> Self:
        """Return the path after another step of the plan, which some steps of the graph make."""
        path = ReasoningPath(self.path.topic, (*self.path.steps, *steps))
        return type(self)(path, (*self.likeness, max(fit, _NOTHING)), (*self.ends, len(path.steps)))


class PathSearch:
    """Searches one graph for the paths of one question."""

    def __init__(self, context: Context, likeness: StepLikeness, budget: LookupBudget) -> None:
        self.context = context
        self.budget = budget
        self._schema = context.schema
        self._likeness = likeness
        self._labelled: dict[str, bool] = {}

    def find(self, plan: ReasoningPath) -> list[FoundPath]:
        """Return the main paths of the graph that are most like a plan's, the best first."""
        beam = [FoundPath(ReasoningPath(plan.topic, ()))]
        for at in range(len(plan.steps)):
            grown = [one for partial in beam for one in self._grown(plan, partial, at)]
            different: dict[object, FoundPath] = {}
            for one in sorted(grown, key=lambda one: -one.score):
                different.setdefault(one.path.steps, one)
            beam = list(different.values())[:_BEAM]
        return beam

    def hops(self, path: ReasoningPath, node: Variable | None = None) -> list[Hop]:
        """Return the relations one hop from where a path leads, or from another of its nodes; none if time is up."""
        if not self.budget.spend():
            return []
        if path.steps or path.restrictions:
            # Cards have names of variables of their own.
            where = render_parts(with_subclasses(self._schema, substituted(path.graph().where, _apart)))
            here = _apart(node or path.answer)
            assert isinstance(here, Variable)
            return list(self._schema.pattern_card(here.name, where))
        if isinstance(path.topic, IRI):
            return list(self._schema.joint_card([path.topic.value], brief=True))
        return list(self._schema.pattern_card("here", f"VALUES ?here {{ {path.topic.n3()} }}"))

    def fits(
        self, step: Step, hops: Sequence[Hop], others: Sequence[Step] = (), taken: Collection[Step] = ()
    ) -> dict[Hop, float]:
        """Return how well hops fit a step of a plan.

        Words of other steps of the plan count a little less. For going the way of a step that is taken once more, only
        the step's own words speak.
        """
        labels = {hop.relation: hop.label for hop in hops}
        own, again = (self._compared(step, labels, without) for without in ((), labels))
        elsewhere = [self._compared(other, labels, ()) for other in others]
        found: dict[Hop, float] = {}
        for hop in hops:
            if step_of(hop) in taken:
                fit = again[hop.relation]
            else:
                fit = max([own[hop.relation], *(_ELSEWHERE * other[hop.relation] for other in elsewhere)])
            if fit < CLOSE and hop.relation.startswith(DOCUMENTATION):
                fit *= _TOLD
            found[hop] = fit if (hop.direction == "out") == step.forward else _TURNED * fit
        return found

    def _grown(self, plan: ReasoningPath, partial: FoundPath, at: int) -> Iterator[FoundPath]:
        """Yield a partial path with each of the relations that are most like the plan's next step."""
        step = plan.steps[at]
        if mentioned(step.relation) is None:  # a class and its instances
            yield partial.along([step], 1.0)
            return
        others = [other for place, other in enumerate(plan.steps) if place != at]
        taken = partial.path.steps
        fits = self.fits(step, self.hops(partial.path), others, taken)
        if at and partial.path.steps and step.relation != plan.steps[at - 1].relation:
            back = partial.path.steps[-1].turned
            fits |= {hop: _BACK * fit for hop, fit in fits.items() if step_of(hop) == back}
        yield from (partial.along([step_of(hop)], fit) for hop, fit in _best(fits, _WIDTH))
        for hop, fit in _best(self._nameless(fits), _WIDTH // 4):
            first = step_of(hop)
            further = self.fits(step, self.hops(partial.along([first], fit).path), others, taken)
            onward = {other: _CROSSED * max(value, fit) for other, value in further.items()}
            onward = {other: value for other, value in onward.items() if step_of(other) != first.turned}
            for other, value in _best(onward, _WIDTH // 2):
                yield partial.along([first, step_of(other)], value)

    def _compared(self, step: Step, labels: Mapping[str, str], taken: Collection[str]) -> dict[str, float]:
        if (words := mentioned(step.relation)) is None:
            return {iri: float(iri == step.relation.value) for iri in labels}
        return self._likeness.compare(words, labels, taken)

    def _nameless(self, fits: Mapping[Hop, float]) -> dict[Hop, float]:
        """Return the hops whose ends have no name: they are blank nodes, or have no label."""
        best = dict(_best(fits, 2 * _WIDTH))
        samples = {hop.sample.value for hop in best if isinstance(hop.sample, IRI) and writable(hop.sample.value)}
        if new := sorted(samples - self._labelled.keys()):
            self._labelled |= dict.fromkeys(new, True)
            if self.budget.spend():
                self._labelled |= dict.fromkeys(new, False) | dict.fromkeys(self._have_labels(new), True)
        iris = (hop for hop in best if isinstance(hop.sample, IRI) and not self._labelled.get(hop.sample.value, True))
        nameless = {*iris, *(hop for hop in best if isinstance(hop.sample, BlankNode))}
        return {hop: fit for hop, fit in best.items() if hop in nameless}

    def _have_labels(self, iris: Sequence[str]) -> list[str]:
        names = ", ".join(IRI(name).n3() for name in self._schema.label_properties)
        values = " ".join(f"<{iri}>" for iri in iris)
        query = f"SELECT DISTINCT ?s {{ VALUES ?s {{ {values} }} ?s ?p ?o FILTER(?p IN ({names})) }}"
        rows = in_time(self._schema.graph, query)
        return list(iris) if rows is None else [str(row["s"]) for row in rows]


def _apart(term: QueryTerm) -> QueryTerm:
    return Variable(f"node_{term.name}") if isinstance(term, Variable) else term


def step_of(hop: Hop) -> Step:
    """Return the step of a path that a hop makes."""
    return Step(IRI(hop.relation), hop.direction == "out")


def _best(fits: Mapping[Hop, float], count: int) -> list[tuple[Hop, float]]:
    return sorted(fits.items(), key=lambda one: (-one[1], -one[0].count, one[0].relation))[:count]
