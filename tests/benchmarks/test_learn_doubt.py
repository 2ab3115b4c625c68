"""Doubt is learned from right answers and from such as models get wrong."""

from __future__ import annotations

import json
import random
from dataclasses import asdict
from pathlib import Path

import corruption
import ladder
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
    made = list(corruption.corruptions(context, tree, random.Random(1)))
    assert {kind for kind, _ in made} >= {
        *("filter dropped", "order dropped", "order turned", "pattern dropped", "direction")
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


def test_the_answers_of_a_model_are_read_from_what_the_benchmark_kept(tmp_path: Path) -> None:
    said = [
        ladder.Said("solver", 0.6, 1.0),
        ladder.Said("template", 0.8, 1.0, {"bias": 1.0, "agree": 1.0}),
        ladder.Said("repair", 0.4, 0.9, {"bias": 1.0, "left_out": 1.0}),
    ]
    kept = ladder.Kept("qald9", "dbpedia", "Who?", answerable=True, said=said)
    file = tmp_path / "answers.jsonl"
    file.write_text(json.dumps(asdict(kept)) + "\n", encoding="utf-8")
    found = learn_doubt.recorded(file)
    assert [(one.set, one.kind, one.right) for one in found] == [("qald9", "model", True), ("qald9", "model", False)]
    assert found[1].features == {"bias": 1.0, "left_out": 1.0}


def test_the_answers_of_a_model_count_a_share_of_all_made_ones_and_their_set_tells_nothing() -> None:
    made = [learn_doubt.Judged(name, "?", "gold", name == "a", {"bias": 1.0}) for name in ("a", "a", "b")]
    kept = [learn_doubt.Judged(name, "?", learn_doubt.MODEL, name == "a", {"bias": 1.0}) for name in ("a", "b", "b")]
    shares = learn_doubt.shares([*made, *kept])
    whole = 2 * learn_doubt.OF_MODEL
    assert shares[3:].sum() == pytest.approx(whole)
    assert shares[4:].sum() == pytest.approx(whole * learn_doubt.WRONG)


def test_no_finding_counts_against_its_sign() -> None:
    answers = [
        learn_doubt.Judged("a", "?", "gold", True, {"bias": 1.0, "tie": 1.0}),
        learn_doubt.Judged("a", "?", "relation", False, {"bias": 1.0, "agree": 1.0}),
        learn_doubt.Judged("a", "?", "relation", False, {"bias": 1.0, "left_out": 1.0}),
    ]
    weights = learn_doubt.learn(answers)
    assert set(weights) == {"bias"} | set(learn_doubt.UNSEEN)
    assert weights["left_out"] < 0


def test_figures_weigh_each_answer() -> None:
    told, right = np.array([0.9, 0.9, 0.2]), np.array([1.0, 0.0, 0.0])
    assert learn_doubt.auroc(told, right, np.array([1.0, 1.0, 1.0])) == pytest.approx(0.75)
    assert learn_doubt.auroc(told, right, np.array([1.0, 0.0, 1.0])) == pytest.approx(1.0)
    assert learn_doubt.error(told, right, np.array([9.0, 1.0, 0.0])) == pytest.approx(0.0)
