"""Amounts in texts of a graph: "24,8 kg" is 24.8 kg, whatever the notation.

The texts of a relation are read together, as those of tables are: one alone does not tell whether "1,090" is more
than a thousand.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from pyoxigraph import Literal as StoredLiteral
from pyoxigraph import NamedNode, Store

from triad.kg.profile import GraphProfile
from triad.rdf import NUMERIC, XSD, Literal
from triad.retrieval.tables.readings import AmountReading, AmountReadings, read_all

__all__ = ["AmountBounds", "Amounts", "amounts_of"]


@dataclass(frozen=True, slots=True)
class AmountBounds:
    """The least and the greatest amount of a relation, as they are shown."""

    least: str
    greatest: str


@dataclass(frozen=True)
class Amounts:
    """What the texts of relations hold."""

    forms: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """For each relation, the normalised forms of its texts, where they differ from them."""
    units: Mapping[str, str] = field(default_factory=dict)
    """The unit of a relation's plain numbers, where it is known."""
    bounds: Mapping[str, AmountBounds] = field(default_factory=dict)

    def normal(self, relation: str, literal: Literal) -> str:
        """Return the normalised form of a literal; empty where there is none, or where it is the text itself."""
        if literal.datatype in NUMERIC:
            unit = self.units.get(relation, "")
            return f"{literal.value} {unit}" if unit else ""
        forms = self.forms.get(relation)
        return forms.get(literal.value, "") if forms else ""


def amounts_of(store: Store, profile: GraphProfile | None, languages: Sequence[str] = ()) -> Amounts:
    """Read the texts of all relations of a store, one relation after the other."""
    if profile is None:
        return Amounts()
    forms: dict[str, Mapping[str, str]] = {}
    units: dict[str, str] = {}
    bounds: dict[str, AmountBounds] = {}
    for known in profile.relations:
        if len(known.units) == 1:
            units[known.iri] = known.units[0]
        if known.links == known.triples or not set(known.datatypes) & {XSD + "string"}:
            continue
        texts = _texts(store, known.iri)
        if not texts:
            continue
        found = read_all(texts, exact={text for text, plain in texts.items() if plain}, tags=languages)
        if not found.unit and not found.currencies:
            continue
        forms[known.iri] = dict(_forms(found))
        if len(found.currencies) <= 1:
            bounds[known.iri] = _bounds(found)
        if found.unit:
            units.setdefault(known.iri, found.unit)
    return Amounts(forms, units, bounds)


def _texts(store: Store, relation: str) -> dict[str, bool]:
    """Return the distinct texts of a relation, each with whether it is a number as XML Schema writes them.

    Nothing if there are too many, or if few of the first ones begin like an amount.
    """
    texts: dict[str, bool] = {}
    for quad in store.quads_for_pattern(None, NamedNode(relation), None, None):
        value = quad.object
        if not isinstance(value, StoredLiteral) or value.language:
            continue
        if len(value.value) <= 60:  # characters of a text that may be an amount
            texts[value.value] = value.datatype.value in NUMERIC
        # texts of a relation by which it is told whether to read all
        if len(texts) == 200 and 2 * sum(map(_may_be, texts)) < 200:
            return {}
        if len(texts) > 20_000:  # distinct texts of a relation up to which they are read
            return {}
    return texts if 2 * sum(map(_may_be, texts)) >= len(texts) else {}


def _may_be(text: str) -> bool:
    return any(map(str.isdigit, text[:8]))


def _forms(found: AmountReadings) -> Iterable[tuple[str, str]]:
    for text, reading in found.values.items():
        form = _shown(reading, found.unit)
        if form.replace(" ", "").casefold() != text.replace(" ", "").casefold():
            yield text, form


def _bounds(found: AmountReadings) -> AmountBounds:
    unit = found.unit or found.currencies[0]
    low = min(one.low for one in found.values.values())
    high = max(one.high for one in found.values.values())
    return AmountBounds(f"{_number(low)} {unit}", f"{_number(high)} {unit}")


def _shown(reading: AmountReading, unit: str) -> str:
    unit = reading.currency or unit
    if reading.low == reading.high:
        return f"{_number(reading.low)} {unit}"
    return f"{_number(reading.low)} to {_number(reading.high)} {unit}"


def _number(value: float) -> str:
    return f"{value:.12g}"
