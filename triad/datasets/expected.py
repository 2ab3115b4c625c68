"""What an answer in words is held against: values with units and tolerances, or nuggets, and the evidence for them."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Literal as Choice

from pydantic import Field

ExpectedKind = Choice["exact", "nuggets", "unanswerable"]
"""How an answer is judged: by values, by what it should mention, or by whether it says that the data does not tell."""


@dataclass(frozen=True, slots=True)
class ExpectedValue:
    """A value that an answer has to give."""

    value: Annotated[str, Field(min_length=1)] | float | bool
    unit: str = ""
    """The unit of a number, such as ``kg`` or ``EUR/Wh``; empty for a count."""
    tolerance: Annotated[float, Field(ge=0)] = 0.0
    """How far a number may lie from the value."""
    label: str = ""
    """What the value is."""
    iri: str | None = None
    accept: tuple[str, ...] = ()
    """Other names of the same thing."""
    optional: bool = False
    """True if it supports the answer, but need not be stated."""

    def __str__(self) -> str:
        tolerance = f"(± {self.tolerance:g})" if self.tolerance else ""
        optional = "(optional)" if self.optional else ""
        return " ".join(part for part in (str(self.value), self.unit, tolerance, optional) if part)


@dataclass(frozen=True, slots=True)
class Nugget:
    """A piece of information that an answer should contain."""

    text: str
    keys: tuple[str, ...] = ()
    """Regular expressions, all of which a text must match that contains it; case does not matter."""
    required: bool = False
    """True if an answer without it is wrong."""
    things: tuple[str, ...] = ()
    """IRIs of the triples that say it."""
    passages: tuple[str, ...] = ()
    """Ids of the passages that say it."""

    def __post_init__(self) -> None:
        if not self.keys:
            raise ValueError(f"the nugget {self.text!r} has no keys")
        for key in self.keys:
            try:
                re.compile(key)
            except re.error as error:
                raise ValueError(f"the key {key!r} is no regular expression: {error}") from error


@dataclass(frozen=True, slots=True)
class Supports:
    """The evidence that an answer rests on."""

    entities: tuple[str, ...] = ()
    """IRIs that retrieval must return."""
    passages: tuple[str, ...] = ()
    """Ids of passages that retrieval must return: the names of their files without extension."""
    alternatives: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Passages that serve just as well, by the one that they replace."""
    aggregated: tuple[str, ...] = ()
    """IRIs of what a value is computed over; retrieval need not return them."""


@dataclass(frozen=True, slots=True)
class Expected:
    """The gold of a question that is answered in words."""

    kind: ExpectedKind
    values: tuple[ExpectedValue, ...] = ()
    ordered: bool = False
    """True if the values have to come in their order."""
    nuggets: tuple[Nugget, ...] = ()
    least: int = 0
    """How many nuggets an answer has to contain."""
    why: str = ""
    """Why a question has no answer in the data."""
    supports: Supports = Supports()
    asked: str = ""
    """The question in the form that stands alone."""
    before: tuple[ExpectedValue, ...] = ()
    """The values of the turns before, which an answer may repeat."""

    def told(self) -> list[str]:
        """Return it as a reader sees it, line by line."""
        if self.kind == "unanswerable":
            return [f"not in the data: {self.why}"]
        if self.kind == "nuggets":
            lines = [f"{'required: ' if one.required else ''}{one.text}" for one in self.nuggets]
            return [f"at least {self.least} of:", *lines]
        return list(map(str, self.values))
