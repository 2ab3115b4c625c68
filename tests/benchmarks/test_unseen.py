"""Graphs that are left out: what is asked of them, how they are divided, and what is said of the answers."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from pathlib import Path

import pytest
import unseen
from unseen import FOREIGN, Asked, Found, Record, Told, auroc, error, foreign, records, with_replaced_words, worst

from triad.lexical.weights import Weights
from triad.rdf import ResultSet


def asked(graph: str = "free/shop", replaced: bool = False) -> Asked:
    return Asked("free", graph, "", answerable=True, replaced=replaced)


def told(confidence: float, value: float, graph: str = "free/shop") -> Told:
    return Told(asked(graph), confidence, value, composed=value, by_search=False)


def test_the_calibration_error_is_of_what_is_answered() -> None:
    assert error([told(0.9, 1.0), told(0.9, 0.5), told(0.0, 0.0)]) == pytest.approx(0.15)
    assert error([told(0.0, 0.0)]) is None


def test_the_worst_graph_is_the_one_with_the_greatest_error() -> None:
    assert worst([told(0.9, 0.9), told(0.8, 0.2, "free/zoo"), told(0.0, 0.0, "free/sea")]) == pytest.approx(0.6)
    assert worst([]) is None


def test_right_answers_are_held_against_wrong_ones_and_a_tie_counts_half() -> None:
    assert auroc([told(0.9, 1.0), told(0.4, 0.0)]) == 1
    assert auroc([told(0.5, 1.0), told(0.5, 0.0)]) == 0.5
    assert auroc([told(0.9, 1.0), told(0.6, 0.7), told(0.4, 0.0), told(0.95, 0.0)]) == 0.5  # 0.7 is neither
    assert auroc([told(0.9, 1.0)]) is None


def test_a_question_counts_less_in_a_larger_set_and_replaced_words_are_a_part_of_their_own() -> None:
    assert unseen.shares([asked()] * 4 + [asked(replaced=True)]) == [0.5, 0.5, 0.5, 0.5, 1.0]


def test_no_question_is_told_by_what_was_learned_from_its_graph(monkeypatch: pytest.MonkeyPatch) -> None:
    known: list[set[str]] = []

    def learn(part: Sequence[Asked]) -> Weights:
        known.append({one.graph for one in part})
        return Weights()

    def tell(one: Asked, weights: Weights) -> Told:
        assert one.graph not in known[-1]
        return Told(one, 1.0, 1.0, 1.0, by_search=False)

    monkeypatch.setattr(unseen, "learn", learn)
    monkeypatch.setattr(unseen, "told", tell)
    questions = [asked(f"{name}/{number}") for name in ("free", "spider") for number in range(7) for _ in range(2)]
    found = unseen.left_out(questions)
    assert len(known) == unseen.FOLDS
    assert sorted(map(id, (one.asked for one in found))) == sorted(map(id, questions))


def test_the_best_reading_is_the_first_that_found_something() -> None:
    one = asked()
    nothing, little, much = (
        Found(0.0, features={"score": score, "empty": empty}, result=ResultSet(("x",), ()))
        for score, empty in ((0.9, 1.0), (0.2, 0.0), (0.5, 0.0))
    )
    one.readings = [nothing, little, much]
    best = unseen.best_reading(one, {"score": 1.0})
    assert best is not None
    assert best.features == much.features
    one.readings = [nothing]
    assert unseen.best_reading(one, {"score": 1.0}) is None


def test_questions_of_both_forms_are_read(tmp_path: Path) -> None:
    plain = [{"question": "Who sails?", "language": "en", "kind": "list", "unanswerable": True}]
    qald = {"questions": [{"question": [{"language": "en", "string": "Who swims?"}], "type": "count"}]}
    for name, content in (("sea", plain), ("zoo", qald)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "questions.json").write_text(json.dumps(content), encoding="utf-8")
    by_graph = records(tmp_path)
    assert [(one.text, one.kind, one.answerable) for one in by_graph["sea"]] == [("Who sails?", "list", False)]
    assert [(one.text, one.kind, one.answerable) for one in by_graph["zoo"]] == [("Who swims?", "count", True)]


BY_GRAPH = {
    "shop": [Record(f"Which customers bought the lamp {number}?", "en", "list", {}) for number in range(40)],
    "sea": [Record(f"Which captain steers the vessel {number}?", "en", "list", {}) for number in range(40)],
}


def test_questions_of_other_graphs_have_no_answer() -> None:
    found = foreign("shop", BY_GRAPH)
    assert len(found) == FOREIGN
    assert all("captain" in one.text and not one.answerable for one in found)
    assert foreign("shop", BY_GRAPH) == found


def test_a_replaced_word_is_one_that_only_other_graphs_have() -> None:
    found = list(with_replaced_words("shop", BY_GRAPH))
    assert 0 < len(found) < 40
    for one in found:
        assert one.replaced
        assert not one.answerable
        assert {"captain", "steers", "vessel"} & set(one.text.split())


def test_a_replaced_word_keeps_its_place_and_a_question_without_content_is_left() -> None:
    chance = random.Random(1)
    assert unseen.replaced(Record("Who is it?", "en", "", {}), ["vessel"], chance) is None
    text = unseen.replaced(Record("Which customers are there?", "en", "", {}), ["vessel"], chance)
    assert text == "Which vessel are there?"
