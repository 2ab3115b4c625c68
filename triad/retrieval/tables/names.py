"""Names of tables and columns: what the graph calls its classes and relations, or what their IRIs end in."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import unquote

from triad.kg.profile import GraphProfile
from triad.rdf import Literal

__all__ = ["TakenNames", "column_name", "table_name", "words_of"]

_WORD: Final = re.compile(r"[^\W\d_]?[^\W\d_A-Z]+|[A-Z]+(?![a-z])|\d+|[^\W_]")
_LENGTH: Final = 50


def words_of(iri: str) -> list[str]:
    """Return the words that an IRI ends in.

    >>> words_of("http://example.org/v#frameSize"), words_of("http://example.org/GDPPerCapita/")
    (['frame', 'Size'], ['GDP', 'Per', 'Capita'])
    """
    return _WORD.findall(_last(iri)) or ["unnamed"]


def column_name(iri: str, labels: Iterable[Literal] = ()) -> str:
    """Return what a column is called that has the values of a relation."""
    return "_".join(_labelled(labels) or words_of(iri)).lower()[:_LENGTH]


def table_name(iri: str, labels: Iterable[Literal] = ()) -> str:
    """Return what a table is called that has the things of a class."""
    return "_".join(_labelled(labels) or re.findall(r"\w+", _last(iri)) or ["unnamed"])[:_LENGTH]


def _last(iri: str) -> str:
    return unquote(re.split(r"[/#:]", iri.rstrip("/#:"))[-1])


def _labelled(labels: Iterable[Literal]) -> list[str]:
    """Return the words of a label in English, or else of the first one."""
    given = sorted(labels, key=lambda label: (label.language or "en").partition("-")[0] != "en")
    return re.findall(r"\w+", given[0].value) if given else []


@dataclass
class TakenNames:
    """Names that are taken; capital and small letters are the same to SQL."""

    taken: set[str] = field(default_factory=set)

    def take(self, *wanted: str) -> str:
        """Return the first of some names that is free, or the last with a number, and take it."""
        for name in wanted:
            if name.casefold() not in self.taken:
                break
        else:
            number = 2
            while f"{wanted[-1]}_{number}".casefold() in self.taken:
                number += 1
            name = f"{wanted[-1]}_{number}"
        self.taken.add(name.casefold())
        return name


def class_labels(profile: GraphProfile | None, iri: str) -> tuple[Literal, ...]:
    """Return the labels of a class, as far as they are known."""
    known = profile.class_profile(iri) if profile else None
    return known.labels if known else ()


def relation_labels(profile: GraphProfile | None, iri: str) -> tuple[Literal, ...]:
    """Return the labels of a relation, as far as they are known."""
    known = profile.relation_profile(iri) if profile else None
    return known.labels if known else ()
