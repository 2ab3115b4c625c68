"""Candidate queries, as those who construct them hand them on to those who answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from triad import sparql
from triad.questions import Query

__all__ = ["BuiltQuery"]


@dataclass(frozen=True, slots=True, kw_only=True)
class BuiltQuery(Query):
    """A candidate query with its tree, as it was before the guard."""

    tree: sparql.Node = field(repr=False, compare=False)
    terms: Mapping[str, Any] = field(default_factory=dict, repr=False, compare=False)
    """What the slots of the template were filled with."""
    stands_in: bool = False
    """True if it is only for where others find nothing."""
    notes: tuple[str, ...] = ()
    """Sentences on what differs from the template."""
