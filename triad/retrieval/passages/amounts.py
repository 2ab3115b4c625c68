"""Amounts in texts of a graph: "24,8 kg" is 24.8 kg, whatever the notation.

The texts of a relation are read together, as those of tables are: one alone does not tell whether "1,090" is more
than a thousand.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import pyoxigraph
from pyoxigraph import NamedNode, Store

from triad.kg.profile import GraphProfile
from triad.rdf import NUMERIC, XSD, Literal
from triad.retrieval.tables.readings import read_all


@dataclass(frozen=True)
class Amounts:
    """What the texts of relations hold."""

    forms: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """For each relation, the normalised forms of its texts, where they differ from them."""
    units: Mapping[str, str] = field(default_factory=dict)
    """The unit of a relation's plain numbers, where it is known."""
    bounds: Mapping[str, str] = field(default_factory=dict)
    """The least and the greatest amount of a relation, in words."""

    def normal(self, relation: str, literal: Literal) -> str:
        """Return the normalised form of a literal; empty where there is none, or where it is the text itself."""
        if literal.datatype in NUMERIC:
            unit = self.units.get(relation, "")
            return f"{literal.value} {unit}" if unit else ""
        return self.forms.get(relation, {}).get(literal.value, "")


def amounts_of(store: Store, profile: GraphProfile, languages: Sequence[str] = ()) -> Amounts:
    """Read the texts of all relations of a store, one relation after the other."""
    forms: dict[str, Mapping[str, str]] = {}
    units: dict[str, str] = {}
    bounds: dict[str, str] = {}
    for known in profile.relations:
        if len(known.units) == 1:
            units[known.iri] = known.units[0]
        if known.links == known.triples or not set(known.datatypes) & {XSD + "string"}:
            continue
        texts = _texts(store, known.iri)
        found = read_all(texts, exact={text for text, plain in texts.items() if plain}, tags=languages)
        if not found.unit and not found.currencies:
            continue
        shown = {text: _shown(one.low, one.high, one.currency or found.unit) for text, one in found.values.items()}
        bare = {text: text.replace(" ", "").casefold() for text in (*shown, *shown.values())}
        forms[known.iri] = {text: form for text, form in shown.items() if bare[form] != bare[text]}
        if len(found.currencies) <= 1:
            unit = found.unit or found.currencies[0]
            low = min(one.low for one in found.values.values())
            high = max(one.high for one in found.values.values())
            bounds[known.iri] = f"from {_shown(low, low, unit)} to {_shown(high, high, unit)}"
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
        if not isinstance(value, pyoxigraph.Literal) or value.language:
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


def _shown(low: float, high: float, unit: str) -> str:
    return f"{low:.12g} {unit}" if low == high else f"{low:.12g} to {high:.12g} {unit}"
