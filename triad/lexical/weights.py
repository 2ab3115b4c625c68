"""Weights: what the lexical solver has learned from questions with known answers, a file beside this module.

`benchmarks/learn.py` and `benchmarks/unseen.py` write it; ``triad learn`` writes one for a graph. They are small linear
models: how likely words of the question mean a thing; which candidate query of the search, and which reading over the
schema, is the best; how sure each is.
"""

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Final

from pydantic import TypeAdapter, ValidationError

from triad.errors import ConfigError

WEIGHTS: Final = Path(__file__).with_name("weights.json")
"""The file of the weights that come with Triad."""
STEEP: Final = 30.0
"""A sum further from 0, or from another one, than this is as sure as can be: e to its power is still a plain number."""
AHEAD: Final = 5.0
"""The lead in score from which on a greater one makes nothing surer: e^5 is 148 to 1."""


@dataclass(frozen=True, slots=True)
class Weights:
    """The weights of the three models; what has no weight counts nothing."""

    features: Mapping[str, float] = field(default_factory=dict)
    """The weight of each feature in the score of a candidate query."""
    confidence: Mapping[str, float] = field(default_factory=dict)
    """The weights by which what is known of the best candidate query becomes a probability."""
    mentions: Mapping[str, float] = field(default_factory=dict)
    """The weights by which what is known of a mention and a thing becomes a probability."""

    composition: Mapping[str, float] = field(default_factory=dict)
    """The weight of each of a reading's features in its score."""
    composed: Mapping[str, float] = field(default_factory=dict)
    """The weights by which what is known of the best reading becomes a probability."""
    searched: Mapping[str, float] = field(default_factory=dict)
    """The weights by which what is known of the best candidate of the search becomes a probability."""

    def score(self, features: Mapping[str, float]) -> float:
        """Return the score of a candidate query; only differences mean anything."""
        return weighted(self.features, features)


@cache
def load_weights(path: Path | None = None) -> Weights:
    """Return the weights that come with Triad, changed by those that a file of ``triad learn`` has.

    Raises:
        ConfigError: The file cannot be read, or holds something else.
    """
    shipped = Weights(**json.loads(WEIGHTS.read_text(encoding="utf-8")))
    if path is None:
        return shipped
    try:
        found = TypeAdapter(dict[str, dict[str, float]]).validate_json(path.read_bytes(), strict=True)
    except OSError as error:
        raise ConfigError(f"the weights {str(path)!r} cannot be read: {error.strerror or error}") from error
    except ValidationError as error:
        raise ConfigError(f"{str(path)!r} holds no weights of the solver, as 'triad learn' writes them") from error
    if unknown := sorted(found.keys() - asdict(shipped).keys()):
        known = ", ".join(asdict(shipped))
        raise ConfigError(f"the weights {str(path)!r} are of an unknown model {unknown[0]!r}; known: {known}")
    return replace(shipped, **found)


def weighted(weights: Mapping[str, float], values: Mapping[str, float]) -> float:
    """Return the sum of the values, each times its weight."""
    return sum(weights.get(name, 0.0) * value for name, value in values.items())


def probability(weights: Mapping[str, float], values: Mapping[str, float]) -> float:
    """Return what a logistic regression makes of some values, from 0 to 1."""
    return 1 / (1 + math.exp(-max(-STEEP, min(STEEP, weighted(weights, values)))))
