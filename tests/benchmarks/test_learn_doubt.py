"""Doubt is learned from right answers and from such as models get wrong."""

from __future__ import annotations

import random

import learn_doubt
import numpy as np
import pytest

from tests.phases.films import EX, Script, World, world
from triad import sparql

__all__ = ["world"]


def test_a_right_query_is_corrupted_as_models_err(world: World) -> None:
    query = (
        f"PREFIX : <{EX}> SELECT ?f {{ ?f a :Film ; :director :Kubrick ; :released ?d FILTER(YEAR(?d) > 1970) }} "
        "ORDER BY DESC(?d) LIMIT 1"
    )
    context = world.context(Script(), "?").at("construction")
    tree = sparql.parse(query)
    before = sparql.write(tree)
    made = list(learn_doubt.corruptions(context, tree, random.Random(1)))
    assert {kind for kind, _ in made} >= {
        *("filter dropped", "order dropped", "order turned", "pattern dropped", "direction"),
    }
    assert sparql.write(tree) == before
    for _, other in made:
        assert sparql.write(other) != before


def test_wrong_answers_count_as_seldom_as_models_err() -> None:
    answers = [
        learn_doubt.Judged("a", "?", kind, kind == "gold", {"bias": 1.0})
        for kind in ("gold", "filter dropped", "filter dropped", "relation")
    ]
    shares = learn_doubt.shares(answers)
    assert shares[0] == pytest.approx(1 - learn_doubt.WRONG)
    assert shares[1:].sum() == pytest.approx(learn_doubt.WRONG)


def test_figures_weigh_each_answer() -> None:
    told, right = np.array([0.9, 0.9, 0.2]), np.array([1.0, 0.0, 0.0])
    assert learn_doubt.auroc(told, right, np.array([1.0, 1.0, 1.0])) == pytest.approx(0.75)
    assert learn_doubt.auroc(told, right, np.array([1.0, 0.0, 1.0])) == pytest.approx(1.0)
    assert learn_doubt.error(told, right, np.array([9.0, 1.0, 0.0])) == pytest.approx(0.0)
