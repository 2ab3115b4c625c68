"""Doubt as a number: how likely an answer of a model is right, from what the checks found.

A logistic regression weighs the findings; its weights are a file beside this module that
``benchmarks/learn_doubt.py`` writes. The findings that count against an answer are told to the user as `Doubt`.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Final

from triad.answers import Answer, Doubt
from triad.errors import GraphError, SearchError
from triad.lexical.weights import probability
from triad.phases.context import Context
from triad.questions import Query
from triad.routing.checks import Examined, Feature, check_others, check_result, check_words
from triad.routing.form_checks import check_form, check_ties, check_units

_FILE: Final = Path(__file__).with_name("doubt.json")
_TELLING: Final = -0.25  # what a finding must take from the odds, as a logarithm, to be told


@cache
def load_weights() -> Mapping[str, float]:
    """Return the weights that come with Triad."""
    weights: dict[str, float] = json.loads(_FILE.read_text(encoding="utf-8"))
    return weights


def findings(
    context: Context, answer: Answer, below: Sequence[Answer] = (), readings: Sequence[Query] = ()
) -> tuple[Feature, ...]:
    """Return what the checks find of an answer of the graph; what the graph does not tell in time is left out.

    Args:
        context: The ports, and the question.
        answer: The answer, with its query.
        below: What the rungs below said.
        readings: The queries of what else the question can mean.
    """
    examined = Examined(context, answer)
    found: list[Feature] = []
    for check in (check_form, check_words, check_result, check_units, check_ties):
        with suppress(GraphError, SearchError), context.look_around(f"checks of the answer: {check.__name__}"):
            found.extend(check(examined))  # what came before it failed stays
    return (*found, *check_others(examined, below, readings))


def in_english(doubts: Iterable[Doubt]) -> str:
    """Return doubts as a prompt tells them: what was left out is told to users in their language."""
    return "; ".join("it leaves out a part" if doubt.kind == "left_out" else doubt.text for doubt in doubts)


def features(found: Iterable[Feature]) -> dict[str, float]:
    """Return findings as the features of the regression."""
    return {"bias": 1.0} | {one.name: one.value for one in found if one.value}


def confidence(known: Mapping[str, float], weights: Mapping[str, float]) -> float:
    """Return how likely an answer is right: where two ways find the same, no less than the surer one of them says."""
    return max(probability(weights, known), known.get("agree", 0.0))


def judged(
    context: Context, answer: Answer, below: Sequence[Answer] = (), readings: Sequence[Query] = (), most: float = 1.0
) -> Answer:
    """Return an answer of the graph with its confidence, and with what speaks against it.

    The arguments are those of `findings`, and the confidence at most, if no other way found the same: what a repaired
    path is worth.
    """
    found = findings(context, answer, below, readings)
    weights = load_weights()
    counted = sorted((weights.get(one.name, 0.0) * one.value, place) for place, one in enumerate(found))
    told = [found[place] for weight, place in counted if weight <= _TELLING and found[place].text]
    known = features(found)
    sure = max(min(confidence(known, weights), most), known.get("agree", 0.0))
    doubts = tuple(Doubt(one.name, one.text) for one in told)
    return replace(answer, confidence=round(sure, 4), doubts=doubts, findings=known)
