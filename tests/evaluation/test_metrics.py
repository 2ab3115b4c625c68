from __future__ import annotations

import math
from collections.abc import Sequence

import pytest

from triad.answers import Answer
from triad.datasets import Item
from triad.evaluation.metrics.definitions import METRICS
from triad.evaluation.metrics.scoring import aggregate, score
from triad.evaluation.metrics.sets import challenge_f, challenge_ndcg, mean, set_f
from triad.questions import Candidate, Question
from triad.rdf import IRI, Literal, ResultSet, Term, Value

ASKED = Question("?", id="1")


def term(text: str) -> Term:
    return IRI(text) if text.startswith("http") else Literal(text)


def gold(*rows: str | Sequence[str], columns: int = 1) -> ResultSet:
    cells = [(row,) if isinstance(row, str) else tuple(row) for row in rows]
    names = tuple(f"v{at}" for at in range(len(cells[0]) if cells else columns))
    return ResultSet(names, tuple(tuple(map(term, row)) for row in cells))


def answer(*rows: str | Sequence[str], boolean: bool | None = None) -> Answer:
    result = gold(*rows)
    shown = tuple(tuple(Value(cell, f"label of {cell}") for cell in row if cell is not None) for row in result.rows)
    return Answer(ASKED, variables=result.variables, rows=shown, boolean=boolean)


def measured(wanted: ResultSet, given: Answer | None, **item: object) -> dict[str, float | None]:
    return dict(score(Item(ASKED, wanted, **item), wanted, given))  # type: ignore[arg-type]


TRUE, FALSE, NOTHING = ResultSet(boolean=True), ResultSet(boolean=False), gold()


# TEXT2SPARQL ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("gold", "answered", "challenge", "corrected"),
    [
        pytest.param({"a", "b"}, {"a", "b"}, 1.0, 1.0, id="equal"),
        pytest.param({"a", "b"}, {"a"}, 2 / 3, 2 / 3, id="one-missing"),
        pytest.param({"a"}, {"a", "label of a"}, 2 / 3, 2 / 3, id="an-extra-column"),
        pytest.param({"a"}, {"b"}, 0.0, 0.0, id="different"),
        pytest.param({"a"}, set(), 0.0, 0.0, id="unanswered"),
        pytest.param(set(), set(), None, 1.0, id="both-empty"),
        pytest.param(set(), {"a"}, None, 0.0, id="gold-empty"),
        pytest.param({"true"}, {"true"}, 1.0, 1.0, id="true-true"),
        pytest.param({"true"}, {"false"}, 1.0, 0.0, id="true-false"),
        pytest.param({"false"}, {"false"}, 0.0, 1.0, id="false-false"),
        pytest.param({"true"}, set(), 0.0, 0.0, id="true-unanswered"),
        pytest.param({"5.90"}, {"5.9"}, 0.0, 1.0, id="equal-numbers"),
        pytest.param({"-0"}, {"0.0"}, 0.0, 1.0, id="two-zeros"),
        pytest.param({"9783161484100"}, {"9783161484117"}, 0.0, 0.0, id="long-numbers"),
        pytest.param({"12345678901"}, {"1.2345678901E10"}, 0.0, 1.0, id="long-equal-numbers"),
        pytest.param({"1_000"}, {"1000"}, 0.0, 0.0, id="no-number"),
        pytest.param({"00123"}, {"123"}, 0.0, 0.0, id="leading-zeros-are-no-number"),
    ],
)
def test_both_definitions_give_what_a_hand_computes(
    gold: set[str], answered: set[str], challenge: float | None, corrected: float
) -> None:
    assert challenge_f(gold, answered) == pytest.approx(challenge)
    assert set_f(gold, answered) == pytest.approx(corrected)


def test_the_values_of_all_variables_count_once() -> None:
    intel, year = Value(IRI("http://e/Intel"), "Intel"), Value(Literal("1968"), "1968")
    answer = Answer(Question("?"), variables=("a", "b"), rows=((intel, year), (intel, None)))
    assert {one.term.value for one in answer} == {"http://e/Intel", "1968"}
    assert {one.term.value for one in Answer(Question("?"), boolean=False)} == {"false"}


def test_the_challenge_ranks_values_by_their_text() -> None:
    # Ranked c, b, a: gains 1 for c and 1 / log2(4) for a, of at most 1 + 1 / log2(3).
    assert challenge_ndcg({"a", "c"}, {"a", "b", "c"}) == pytest.approx((1 + 1 / 2) / (1 + 1 / math.log2(3)))
    assert challenge_ndcg({"a"}, set()) == 0
    assert challenge_ndcg(set(), {"a"}) is None


def test_dropped_questions_are_not_in_the_mean() -> None:
    assert mean([1.0, None, 0.5]) == 0.75
    assert mean([None]) == 0.0


# One question ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wanted", "given", "gerbil", "qald_precision", "triad", "grasp"),
    [
        pytest.param(gold("a", "b"), answer("b", "a"), 1, 1, 1, 1, id="equal"),
        pytest.param(gold("a", "b"), answer("a"), 2 / 3, 1, 2 / 3, 2 / 3, id="one-missing"),
        pytest.param(gold("a"), answer("a", "b"), 2 / 3, 1 / 2, 2 / 3, 2 / 3, id="one-too-many"),
        pytest.param(gold("a", "a", "b"), answer("a", "b"), 1, 1, 0.8, 0.8, id="a-duplicate-in-gold"),
        pytest.param(gold("a"), answer("a", "a"), 1, 1, 2 / 3, 2 / 3, id="a-duplicate-in-the-answer"),
        pytest.param(gold("a"), answer(("a", "l")), 2 / 3, 1 / 2, 2 / 3, 1, id="an-extra-column"),
        pytest.param(gold(("a", "1")), answer("a"), 2 / 3, 1, 2 / 3, 2 / 3, id="a-column-missing"),
        pytest.param(NOTHING, answer(), 1, 1, 0, None, id="both-empty"),
        pytest.param(NOTHING, answer("a"), 0, 0, 0, None, id="gold-empty"),
        pytest.param(gold("a"), answer(), 0, 1, 0, 0, id="nothing-found"),
        pytest.param(gold("a"), None, 0, 1, 0, 0, id="unanswered"),
        pytest.param(TRUE, answer(boolean=True), 1, 1, 1, 1, id="true-true"),
        pytest.param(TRUE, answer(boolean=False), 0, 0, 0, 0, id="true-false"),
        pytest.param(FALSE, answer(boolean=False), 1, 1, 1, 1, id="false-false"),
        pytest.param(FALSE, None, 0, 1, 0, 0, id="false-unanswered"),
        pytest.param(TRUE, answer("a"), 0, 0, 0, 1, id="true-rows"),
        pytest.param(gold("a"), answer(boolean=True), 0, 0, 0, 0, id="rows-true"),
    ],
)
def test_each_definition_gives_what_a_hand_computes(
    wanted: ResultSet, given: Answer | None, gerbil: float, qald_precision: float, triad: float, grasp: float | None
) -> None:
    values = measured(wanted, given)
    assert values["macro_f1_gerbil"] == pytest.approx(gerbil)
    assert values["macro_precision_qald"] == pytest.approx(qald_precision)
    assert values["triad_f1"] == pytest.approx(triad)
    assert values["grasp_f1"] == pytest.approx(grasp)


@pytest.mark.parametrize(
    ("wanted", "given", "first", "anywhere", "reciprocal", "fifth"),
    [
        pytest.param(gold("a"), answer("a", "b"), 1, 1, 1, 1, id="first"),
        pytest.param(gold("a"), answer("b", "b", "c", "a"), 0, 1, 1 / 3, 1, id="third-of-the-distinct"),
        pytest.param(gold("f"), answer(*"abcdef"), 0, 1, 1 / 6, 0, id="sixth"),
        pytest.param(gold("a"), answer("b"), 0, 0, 0, 0, id="nowhere"),
        pytest.param(gold("a"), None, 0, 0, 0, 0, id="unanswered"),
        pytest.param(gold("2.50"), answer("2.5"), 1, 1, 1, 1, id="equal-numbers"),
        pytest.param(FALSE, answer(boolean=False), 1, 1, 1, 1, id="false-false"),
        pytest.param(NOTHING, answer(), None, None, None, None, id="gold-empty"),
    ],
)
def test_ranks_count_distinct_values(
    wanted: ResultSet,
    given: Answer | None,
    first: float | None,
    anywhere: float | None,
    reciprocal: float | None,
    fifth: float | None,
) -> None:
    values = measured(wanted, given)
    assert (values["hits_at_1"], values["p_at_1"], values["hit"]) == (first, first, anywhere)
    assert values["mrr"] == pytest.approx(reciprocal)
    assert values["hit_at_5"] == fifth


def test_order_counts_only_where_it_matters() -> None:
    wanted, turned = gold("a", "b"), answer("b", "a")
    assert measured(wanted, turned)["exact_match"] == 1
    assert measured(wanted, turned, order_matters=True)["exact_match"] == 0
    assert measured(wanted, answer("a", "b"), order_matters=True)["exact_match"] == 1
    assert measured(wanted, turned)["ndcg_challenge"] is None
    assert measured(wanted, turned, order_matters=True)["ndcg_challenge"] == 1
    assert measured(NOTHING, answer())["exact_match"] == 1


def test_labels_count_only_where_gold_is_names() -> None:
    wanted = gold("label of http://e/a")
    assert measured(wanted, answer("http://e/a"))["macro_f1_gerbil"] == 0
    assert measured(wanted, answer("http://e/a"), by_name=True)["macro_f1_gerbil"] == 1
    assert measured(wanted, answer("http://e/b"), by_name=True)["macro_f1_gerbil"] == 0


def test_a_bag_of_several_variables_has_no_rows_to_match() -> None:
    bag = gold("a", "1")
    assert measured(bag, answer(("a", "1")), gold_query="SELECT ?x ?n { ?x ?p ?n }")["grasp_f1"] is None
    assert measured(bag, answer("a", "1"), gold_query="SELECT ?x { ?x ?p ?n }")["grasp_f1"] == 1


# A run ----------------------------------------------------------------------------------------------------


def test_macro_and_micro_and_qald_averages() -> None:
    pairs = [(gold("a"), answer("a")), (gold("a", "b", "c"), answer("a", "x")), (gold("a"), None), (NOTHING, answer())]
    numbers = aggregate([score(Item(ASKED, wanted), wanted, given) for wanted, given in pairs])
    # Precisions 1, 1/2, 0, 1 and recalls 1, 1/3, 0, 1; QALD's third precision is 1.
    assert numbers["macro_precision_gerbil"] == pytest.approx((1 + 1 / 2 + 0 + 1) / 4)
    assert numbers["macro_recall_gerbil"] == pytest.approx((1 + 1 / 3 + 0 + 1) / 4)
    assert numbers["macro_f1_gerbil"] == pytest.approx((1 + 2 / 5 + 0 + 1) / 4)
    precision, recall = (1 + 1 / 2 + 1 + 1) / 4, (1 + 1 / 3 + 0 + 1) / 4
    assert numbers["macro_f1_qald"] == pytest.approx(2 * precision * recall / (precision + recall))
    # 2 right of 3 answered and 5 wanted.
    assert numbers["micro_precision_gerbil"] == pytest.approx(2 / 3)
    assert numbers["micro_recall_gerbil"] == pytest.approx(2 / 5)
    assert numbers["micro_f1_gerbil"] == pytest.approx(1 / 2)
    # The challenge drops the fourth; the paper gives it 0.
    assert numbers["set_f_challenge"] == pytest.approx((1 + 2 / 5 + 0) / 3)
    assert numbers["set_f"] == pytest.approx((1 + 2 / 5 + 0 + 1) / 4)
    assert numbers["triad_f1"] == pytest.approx((1 + 2 / 5 + 0 + 0) / 4)
    assert numbers["hits_at_1"] == pytest.approx(2 / 3)
    assert numbers["exact_match"] == pytest.approx(2 / 4)
    linking = {f"{kind}_recall{when}" for kind in ("entity", "relation") for when in ("", "_before")}
    assert numbers.keys() == METRICS.keys() - {"ndcg_challenge"} - linking


def test_a_run_that_is_right_to_find_nothing_is_perfect_by_gerbil() -> None:
    numbers = aggregate([score(Item(ASKED, NOTHING), NOTHING, None)])
    assert (numbers["macro_f1_gerbil"], numbers["micro_f1_gerbil"], numbers["macro_f1_qald"]) == (1, 1, 1)
    assert (numbers["set_f_challenge"], numbers["triad_f1"]) == (0, 0)


def test_linking_is_counted_over_all_iris() -> None:
    one = Item(ASKED, None, "SELECT ?x { ?x <http://e/p> <http://e/A> ; <http://e/q> <http://e/B> }")
    two = Item(ASKED, None, "SELECT ?x { ?x <http://e/p> <http://e/C> }")
    links = {name: Candidate(f"http://e/{name}", "entity", name) for name in ("A", "p")}
    linked = Answer(ASKED, links=links)
    numbers = aggregate([score(one, gold("a"), linked), score(two, gold("a"), None)])
    assert numbers["entity_recall"] == pytest.approx(1 / 3)
    assert numbers["relation_recall"] == pytest.approx(1 / 3)


def test_a_run_without_questions_has_numbers() -> None:
    assert set(aggregate([]).values()) == {0.0}


def test_every_number_has_its_definition() -> None:
    ordered = Item(ASKED, None, "SELECT ?x { ?x <http://e/p> <http://e/A> }", order_matters=True)
    scored = score(ordered, gold("a"), answer("a"))
    numbers = aggregate([scored])
    assert list(numbers) == list(METRICS)
    linking = {name for name in METRICS if name.startswith(("entity", "relation"))}
    assert {name for name, one in numbers.items() if one != 1} == linking, "what is right has the best of all"
    counts = {f"{what}_{how}" for what in ("entities", "relations") for how in ("proposed", "found", "wanted")}
    assert set(scored) - set(METRICS) == {"true_positives", "answered", "wanted", *counts}
    assert all(text and "\n" not in text for text in METRICS.values())


def test_a_row_that_is_twice_in_the_gold_costs_nothing() -> None:
    assert set_f(["a", "a", "b"], ["a", "b"]) == 1.0
    assert set_f(["a", "b"], ["a", "b", "b"]) == 1.0
    assert challenge_f(["a", "a", "b"], ["b", "a"]) == 1.0


def test_nothing_answered_where_there_is_nothing_is_right() -> None:
    assert set_f([], []) == 1.0
    assert set_f(["a"], []) == set_f([], ["a"]) == 0.0


def test_booleans_are_compared_by_what_they_say() -> None:
    assert set_f(["true"], ["true"]) == set_f(["false"], ["false"]) == 1.0
    assert set_f(["true"], ["false"]) == set_f(["false"], ["true"]) == 0.0


def test_scores_are_exact() -> None:
    assert set_f(["a", "b", "c", "d"], ["a", "b", "x"]) == 2 * 2 / 7
    assert mean([1.0, 0.5, None]) == 0.75
