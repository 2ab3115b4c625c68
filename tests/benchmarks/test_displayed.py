"""Scores of what is displayed: what counts as the same row, and as the right answer."""

from __future__ import annotations

from typing import Any

import pytest
from displayed import Cell, is_right, rows_f1

from triad.rdf import Literal, ResultSet

ULM: Cell = ("http://example.org/Ulm", "Ulm")
BONN: Cell = ("http://example.org/Bonn", "Bonn")


def found(*rows: tuple[Cell, ...]) -> ResultSet:
    return ResultSet(tuple("ab"[: len(rows[0])]), tuple(tuple(Literal(cell[0]) for cell in row) for row in rows))


@pytest.mark.parametrize(
    ("gold", "shown", "f1"),
    [
        pytest.param([["Ulm"], ["Bonn"]], [(BONN,), (ULM,)], 1.0, id="rows in any order"),
        pytest.param([["Ulm", "2"]], [(("2",), ULM)], 1.0, id="columns in any order"),
        pytest.param([["12,000"]], [(("12000.4",),)], 1.0, id="numbers to four digits"),
        pytest.param([["ulm"]], [(ULM,)], 1.0, id="case apart"),
        pytest.param([["http://example.org/Ulm"]], [(ULM,)], 1.0, id="the value in place of the name"),
        pytest.param([[""]], [((),)], 1.0, id="an unbound cell"),
        pytest.param([["Ulm"]], [(ULM,), (ULM,)], 1.0, id="a row twice"),
        pytest.param([["Ulm"], ["Bonn"]], [(ULM,)], 2 / 3, id="a row too few"),
        pytest.param([["Ulm"]], [(ULM, ("2",))], 0.0, id="a column too many"),
        pytest.param([], [], 0.0, id="nothing"),
    ],
)
def test_rows_are_the_same_whatever_their_order(
    gold: list[list[str]], shown: list[tuple[Cell, ...]], f1: float
) -> None:
    assert rows_f1(gold, shown) == pytest.approx(f1)


@pytest.mark.parametrize(
    ("record", "shown", "right"),
    [
        pytest.param({"answers": ["Ulm", "Bonn"]}, [(BONN,), (ULM,)], True, id="in any order"),
        pytest.param({"answers": ["Ulm"]}, [(ULM,), (BONN,)], False, id="one too many"),
        pytest.param({"answers": ["Ulm", "Bonn"]}, [(ULM,)], False, id="one too few"),
        pytest.param(
            {"answers": ["City of Ulm"], "forms": {"City of Ulm": ["Ulm"]}}, [(ULM,)], True, id="another name"
        ),
        pytest.param({"answers": ["Ulm"], "accept": [["Bonn"]]}, [(BONN,)], True, id="another answer"),
        pytest.param({"rows": [["Ulm", "2"]]}, [(ULM, ("2.0",))], True, id="a row"),
        pytest.param({"rows": [["Ulm", "2"]]}, [(ULM,)], False, id="a row with a column too few"),
        pytest.param({"rows": [["Ulm", "2"], ["Bonn", "1"]]}, [(ULM, ("2",))], False, id="a row too few"),
        pytest.param({"answers": ["Zoë"]}, [(("zoe",),)], True, id="accents apart"),
        pytest.param({"answers": ["1960-08-09"]}, [(("1960-08-09T00:00:00Z",),)], True, id="midnight is a date"),
        pytest.param({"answers": ["07:30"]}, [(("07:30:00",),)], True, id="a time to the minute"),
        pytest.param({"answers": ["01067"]}, [(("1067",),)], False, id="a post code is no number"),
        pytest.param({"answers": ["https://ulm.de/"]}, [(("http://ulm.de",),)], True, id="an address"),
    ],
)
def test_an_answer_is_right_if_all_of_it_and_nothing_else_is_displayed(
    record: dict[str, Any], shown: list[tuple[Cell, ...]], right: bool
) -> None:
    assert is_right(record, found(*shown), shown) is right


def test_yes_is_right_only_for_yes() -> None:
    yes = ResultSet(boolean=True)
    assert is_right({"boolean": True}, yes, [])
    assert not is_right({"boolean": False}, yes, [])
    assert not is_right({"answers": ["Ulm"]}, yes, [])
    assert not is_right({"boolean": True}, found((ULM,)), [(ULM,)])
