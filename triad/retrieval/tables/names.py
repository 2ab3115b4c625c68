"""Names of tables and columns: what the graph calls its classes and relations, or what their IRIs end in."""

import re
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import unquote

from triad.kg.profile import ClassProfile, RelationProfile

_WORD: Final = re.compile(r"[^\W\d_]?[^\W\d_A-Z]+|[A-Z]+(?![a-z])|\d+|[^\W_]")
_LENGTH: Final = 50


def best_label(known: ClassProfile | RelationProfile | None) -> str:
    """Return the label in English, or else the first one; empty if there is none."""
    labels = sorted(known.labels, key=lambda one: (one.language or "en").partition("-")[0] != "en") if known else []
    return labels[0].value if labels else ""


def words_of(iri: str) -> list[str]:
    """Return the words that an IRI ends in.

    >>> words_of("http://example.org/v#frameSize"), words_of("http://example.org/GDPPerCapita/")
    (['frame', 'Size'], ['GDP', 'Per', 'Capita'])
    """
    return _WORD.findall(_last(iri)) or ["unnamed"]


def column_name(iri: str, label: str = "") -> str:
    """Return what a column is called that has the values of a relation."""
    return "_".join(re.findall(r"\w+", label) or words_of(iri)).lower()[:_LENGTH]


def table_name(iri: str, label: str = "") -> str:
    """Return what a table is called that has the things of a class."""
    return "_".join(re.findall(r"\w+", label) or re.findall(r"\w+", _last(iri)) or ["unnamed"])[:_LENGTH]


def _last(iri: str) -> str:
    return unquote(re.split(r"[/#:]", iri.rstrip("/#:"))[-1])


@dataclass
class TakenNames:
    """Names that are taken; capital and small letters are the same to SQL."""

    taken: set[str] = field(default_factory=set)

    def take(self, *wanted: str) -> str:
        """Return the first of some names that is free, or the last with a number, and take it."""
        numbered = (f"{wanted[-1]}_{number}" for number in range(2, len(self.taken) + 3))
        name = next(one for one in (*wanted, *numbered) if one.casefold() not in self.taken)
        self.taken.add(name.casefold())
        return name
