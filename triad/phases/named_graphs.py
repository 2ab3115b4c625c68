"""Sources: the named graphs that facts stand in, by the names that templates have for them.

A named graph is called by its label, else by the last part of its IRI; `y2022` is called by its year alone.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from triad.kg.schema import DOCUMENTATION
from triad.language.normalize import fold
from triad.phases.context import Context
from triad.rdf import writable

__all__ = ["facts_of_sources", "find_sources"]

_MANY: Final = 12  # named graphs above which they are no parts that people name
_YEAR: Final = re.compile(r"[^\W\d_]+ ?(?P<year>1\d{3}|20\d{2})")


def find_sources(context: Context) -> Mapping[str, str]:
    """Return the IRIs of the named graphs by name; none where there are many, or names do not tell them apart."""
    profile = context.profile
    iris = [iri for iri in (profile.graphs if profile else ()) if iri and writable(iri)]
    if not 2 <= len(iris) <= _MANY:
        return {}
    labels = context.schema.labels(iris)
    years = {iri: match["year"] for iri in iris if (match := _YEAR.fullmatch(labels[iri]))}
    if len(set(years.values())) < len(years):
        years = {}
    names = {" ".join(re.sub(r"[<>]", " ", years.get(iri, labels[iri])).split()): iri for iri in iris}
    apart = len({fold(name) for name in names}) == len(iris)
    return names if apart and all(0 < len(name) <= 40 for name in names) else {}


def facts_of_sources(context: Context) -> dict[str, tuple[str, ...]]:
    """Return the names of the relations that stand in each named graph, the most frequent first."""
    profile = context.profile
    assert profile is not None
    found: dict[str, tuple[str, ...]] = {}
    for name, iri in find_sources(context).items():
        held = [one for one in profile.relations if one.graphs.get(iri) and not one.iri.startswith(DOCUMENTATION)]
        held.sort(key=lambda one: (-one.graphs[iri], one.iri))
        labels = context.schema.labels(one.iri for one in held)
        found[name] = tuple(dict.fromkeys(labels[one.iri] for one in held))
    return found
