"""Learning from a graph's own questions: the solver's weights, refitted, and what left-out questions say of them."""

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final, Self

from triad.agent import Agent
from triad.answers import Answer, to_json
from triad.datasets import Item
from triad.errors import DataError, GraphError, SearchError
from triad.evaluation import need_extra
from triad.evaluation.gold import gold_of
from triad.evaluation.metrics.calibration import bins, calibration_error
from triad.evaluation.metrics.scoring import score
from triad.evaluation.metrics.sets import mean
from triad.evaluation.report import HEADLINE
from triad.lexical.known import Judged, KnownQuestion, asked
from triad.lexical.weights import load_weights
from triad.log import logger
from triad.rdf import IRI, ResultSet, Value
from triad.resources import write
from triad.text import table

FEWEST: Final = 10
"""Questions with an answer that are learned from at least."""


@dataclass(frozen=True, slots=True)
class LearningFigures:
    """What is answered to some questions."""

    questions: int
    score: float
    """The mean score of questions that have an answer, whatever the confidence."""
    calibration_error: float | None
    """None without answers."""

    @classmethod
    def of(cls, told: Sequence[Judged]) -> Self:
        """Return the figures of what is answered."""
        answerable = [one.value for one in told if one.answerable]
        error = calibration_error(bins((one.confidence, one.value) for one in told if one.confidence))
        return cls(len(told), mean(answerable), error)


@dataclass(frozen=True, slots=True)
class LearnReport:
    """What was learned, and what it is worth on questions that were left out."""

    graph: str
    steps: tuple[str, ...]
    """What left-out questions are better with, of the ranking and the calibration; empty where nothing helped."""
    before: LearningFigures
    after: LearningFigures
    """Of questions that were left out, by the steps that they are better with."""
    tried: LearningFigures
    """The same by both steps."""
    folds: tuple[tuple[LearningFigures, LearningFigures], ...]
    """The same of each part of the questions."""
    unanswerable: int = 0
    """How many of the questions have no answer."""
    left_out: int = 0
    """Records of the file, and questions, that could not be used."""
    path: Path | None = None
    """The file that the weights were written to; None where they were not."""

    def to_json(self) -> str:
        """Return the report as JSON text."""
        return to_json(self, indent=2)

    def to_text(self) -> str:
        """Return the report as lines for a terminal."""
        rows = [("all", *_cells(self.before, self.after))]
        if len(self.steps) < 2:
            rows.append(("all, by all that could be learned", *_cells(self.before, self.tried)))
        rows += [(str(number), *_cells(*pair)) for number, pair in enumerate(self.folds, 1)]
        header = ("left-out part", "questions", f"{HEADLINE} before", "after", "calibration error before", "after")
        lines = [
            f"{self.before.questions:,} questions of {self.graph}"
            + (f", {self.unanswerable:,} of them without an answer" if self.unanswerable else "")
            + (f"; {self.left_out:,} could not be used" if self.left_out else ""),
            *table(header, rows),
        ]
        if not self.steps:
            lines.append("left-out questions are not answered better with what was learned")
        else:
            lines.append(f"better with what was learned: {' and '.join(self.steps)}")
        if self.path:
            lines.append(f"written to {self.path}; name it as 'weights' in a config")
        return "\n".join(lines) + "\n"


def _cells(before: LearningFigures, after: LearningFigures) -> tuple[str, ...]:
    errors = ("" if one is None else f"{one:.3f}" for one in (before.calibration_error, after.calibration_error))
    return f"{before.questions:,}", f"{before.score:.3f}", f"{after.score:.3f}", *errors


def learn_from(
    agent: Agent,
    items: Sequence[Item],
    path: Path,
    *,
    folds: int = 5,
    force: bool = False,
    left_out: int = 0,
    on_question: Callable[[int], object] = lambda _: None,
) -> LearnReport:
    """Refit the solver's weights to questions of an agent's graph, and write them if left-out questions are better.

    A question whose answers are none says that the graph has none. The agent's weights are those to start from; with
    ``force``, all that can be learned is written, though left-out questions are not better with it. ``left_out`` are
    records of the file that could not be used.

    Raises:
        ConfigError: numpy or scipy is not installed, or the file cannot be written.
        DataError: Too few questions can be learned from.
    """
    need_extra()
    from triad.lexical.learning import STEPS, applied, learn

    known: list[KnownQuestion] = []
    for number, item in enumerate(items, 1):
        try:
            known.append(_asked(agent, item))
        except (GraphError, SearchError) as error:
            logger.warning("{!r} is left out: {}", item.question.text, error)
        on_question(number)
    if (usable := sum(one.answerable for one in known)) < FEWEST:
        raise DataError(f"{usable} questions with an answer are too few to learn from: at least {FEWEST} are needed")
    start = load_weights(agent.weights)
    found = learn(known, start, folds)
    weights, steps = found.weights, found.steps
    if force and not steps:
        weights = applied(known, start, [step for step, _ in STEPS.values()])
    if steps or force:
        write(path, json.dumps(asdict(weights), indent=1) + "\n")

    def part(told: Sequence[Judged], number: int) -> LearningFigures:
        return LearningFigures.of([one for one, at in zip(told, found.folds, strict=True) if at == number])

    return LearnReport(
        agent.graph.name,
        steps,
        LearningFigures.of(found.before),
        LearningFigures.of(found.after),
        LearningFigures.of(found.tried),
        tuple((part(found.before, number), part(found.after, number)) for number in sorted(set(found.folds))),
        sum(not one.answerable for one in known),
        left_out + len(items) - len(known),
        path if steps or force else None,
    )


def _asked(agent: Agent, item: Item) -> KnownQuestion:
    gold = item.gold if item.gold is not None else gold_of(item.gold_query or "", agent.graph)
    context = agent.begin(item.question)

    def judge(result: ResultSet) -> float:
        names: dict[str, str] = {}
        if item.by_name:
            names = agent.schema.labels(term.value for row in result.rows for term in row if isinstance(term, IRI))
        rows = tuple(
            tuple(Value(term, names.get(term.value, "")) if term is not None else None for term in row)
            for row in result.rows
        )
        answer = Answer(item.question, variables=result.variables, rows=rows, boolean=result.boolean)
        return score(item, gold, answer)[HEADLINE] or 0.0

    return asked(context, judge, answerable=not gold.is_empty)
