from __future__ import annotations

import datetime
from collections.abc import Mapping
from importlib import resources
from typing import Any

import pytest
import yaml
from loguru import logger

from triad.errors import ConfigError
from triad.models.prices import price, price_list
from triad.trace import Usage

MILLION = Usage(calls=1, input_tokens=1_000_000, output_tokens=1_000_000)


@pytest.mark.parametrize(
    ("model", "dollars"),
    [
        ("gpt-4.1", 10.00),
        ("gpt-4.1-mini", 2.00),
        ("gpt-4.1-2025-04-14", 10.00),
        ("gpt-4.1-mini-2025-04-14", 2.00),
        ("o3", 10.00),
        ("gpt-4o-latest", 12.50),
    ],
)
def test_a_call_costs_what_the_list_says_for_the_name_without_its_date(model: Any, dollars: float) -> None:
    assert price(model, MILLION) == pytest.approx(dollars)


@pytest.mark.parametrize("model", ["llama3.1", "gpt-5-pro", "gpt-4.1-mini-own", "gpt", ""])
def test_a_model_that_the_list_does_not_name_is_free(model: Any) -> None:
    assert price(model, MILLION) == 0


def test_an_unknown_model_is_reported_once() -> None:
    lines: list[str] = []
    sink = logger.add(lines.append, level="DEBUG", format="{message}")
    price("nobody-knows-it", MILLION)
    price("nobody-knows-it", MILLION)
    logger.remove(sink)
    assert lines == ["the price list does not name 'nobody-knows-it': its calls count as free\n"]


def test_a_user_adds_and_replaces_prices() -> None:
    prices = price_list({"own": {"input": 1, "output": 2}, "o3": {"input": 0, "output": 0}})
    assert price("own", MILLION, prices) == 3
    assert price("o3", MILLION, prices) == 0
    assert price("gpt-4.1", MILLION, prices) == 10
    assert price("o3", MILLION) == 10


@pytest.mark.parametrize(
    ("added", "words"),
    [
        ({"m": {"input": -1, "output": 0}}, "price 'm.input': .*greater than or equal to 0"),
        ({"m": {"input": 1}}, "price 'm.output': Field required; a price is written as"),
        ({"m": {"input": 1, "output": 1, "ouput": 1}}, "price 'm.ouput'"),
        ({"m": 3}, "price 'm'"),
    ],
)
def test_a_price_that_makes_no_sense_is_named(added: Mapping[str, Any], words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        price_list(added)


def test_the_list_says_where_it_comes_from() -> None:
    data = yaml.safe_load(resources.files("triad.models").joinpath("prices.yaml").read_text())
    assert data["source"].startswith("https://")
    assert isinstance(data["as_of"], datetime.date)
    assert set(data["models"]) == set(price_list())
