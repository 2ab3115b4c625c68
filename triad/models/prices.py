"""What model calls cost, by the price list ``prices.yaml`` beside this module.

>>> price("gpt-4.1-mini-2025-04-14", Usage(input_tokens=1_000_000, output_tokens=500_000))
1.2
"""

import re
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any

from pydantic import BaseModel, ConfigDict, NonNegativeFloat, TypeAdapter, ValidationError

from triad.errors import ConfigError
from triad.log import logger
from triad.trace import Usage

_DATE = re.compile(r"-(\d{4}-\d{2}-\d{2}|\d{8}|latest)$")  # what may follow the name of a model whose price is the same


class Price(BaseModel):
    """What a model costs."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    input: NonNegativeFloat
    """US dollars per million tokens sent."""
    output: NonNegativeFloat
    """US dollars per million tokens received."""


def price(model: str, usage: Usage, prices: Mapping[str, Price] | None = None) -> float:
    """Return what a call costs in US dollars, by the shipped price list or another one.

    The model's name is exact or dated; one that the list does not name costs 0.
    """
    found: Price | None = price_of(model, price_list() if prices is None else prices)
    if found is None:
        _report_unknown(model)
        return 0.0
    return (usage.input_tokens * found.input + usage.output_tokens * found.output) / 1_000_000


def price_of(model: str, prices: Mapping[str, Any]) -> Any:
    """Return what a list says of a model, whose name is exact or dated; None if it does not name it."""
    return prices.get(model) or prices.get(_DATE.sub("", model))


def price_list(added: Mapping[str, Any] | None = None) -> Mapping[str, Price]:
    """Return the shipped price list with a user's own prices added.

    Args:
        added: For each model ``input`` and ``output`` in US dollars per million tokens.

    Raises:
        ConfigError: A price is missing, negative or not a number.
    """
    if not added:
        return _shipped()
    try:
        return {**_shipped(), **TypeAdapter(dict[str, Price]).validate_python(added)}
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise ConfigError(
            f"price {place!r}: {first['msg']}; a price is written as {{input: 0.40, output: 1.60}}"
        ) from error


@cache
def _shipped() -> Mapping[str, Price]:
    import yaml  # for calls that are priced; to import the models needs none of it

    text = resources.files("triad.models").joinpath("prices.yaml").read_text(encoding="utf-8")
    return TypeAdapter(dict[str, Price]).validate_python(yaml.safe_load(text)["models"])


@cache
def _report_unknown(model: str) -> None:
    logger.debug("the price list does not name {!r}: its calls count as free", model)
