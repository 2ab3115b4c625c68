"""Units of a question: those that its bounds and its answer are in, against those of the numbers that a query holds."""

from collections.abc import Collection, Iterator, Sequence
from typing import Final

from triad.kg.profile import GraphProfile, RelationProfile
from triad.language.analysis import Analysis, Comparison
from triad.language.lexical_database import derived, kinds, lemmas, synonyms
from triad.language.normalize import fold, local_name
from triad.language.pack import Pack
from triad.language.units import measures_alike
from triad.language.written import SHARE
from triad.lexical.contract import Cue
from triad.rdf import IRI, Literal, is_number
from triad.sparql import patterns
from triad.sparql.patterns import EdgePattern, nodes
from triad.sparql.query_graph import QueryGraph

_A_DAY: Final = 86_400  # seconds; numbers of days, months and years tell dates
_SIZES: Final = frozenset(("length", "area", "volume", "mass", "money", "speed", "power", "temperature"))
_EACH: Final = frozenset(("per", "a", "an", "each", "every"))  # before what something is counted for


def measured_in(name: str, pack: Pack) -> Iterator[str]:
    """Yield what numbers called by a unit alone measure, or what they are called besides: an area, in square km."""
    words = name.split()
    for at in range(len(words)):
        dimension, size = pack.units.get(" ".join(pack.stem_list(" ".join(words[at:]))), ("", 0.0))
        if at and dimension in _SIZES:
            yield " ".join(words[: at - (at > 1 and pack.key(words[at - 1]) in pack.empty)])
            return
        if not at and (dimension in ("length", "mass") or (dimension == "time" and size < _A_DAY)):
            yield from pack.english.data.numbers.dimensions[dimension][:1]


def foreign_bounds(graph: QueryGraph, analysis: Analysis, profile: GraphProfile, pack: Pack) -> Iterator[Cue]:
    """Yield the bounds that a query holds against values in units of something else, or in nobody knows what.

    A bound that lies among values whose unit is not known is taken to be in it: "longer than 90 minutes".
    """
    if not (said := [one for one in analysis.comparisons if one.unit in pack.units and one.value is not None]):
        return
    # An age is computed, and is in years, whatever its date is in.
    tests = (one for one in nodes(graph, patterns.Comparison) if not isinstance(one.left, patterns.Arithmetic))
    compared = {float(one.value) for test in tests for one in nodes(test, Literal) if is_number(one)}
    held = _measured(graph, profile)
    for bound in said:
        if bound.value in compared and held and not any(_may_be_in(one, bound, pack) for one in held):
            yield Cue("bound", bound.start, bound.end)


def unknown_units(
    graph: QueryGraph, analysis: Analysis, profile: GraphProfile, pack: Pack
) -> Iterator[tuple[int, int, str]]:
    """Yield the words for units that the numbers of a query are held to be in, or asked for in, though none is told.

    With each comes the relation, the only one with numbers.
    """
    limits = (one for one in analysis.comparisons if one.unit and one.value is not None)
    held = {at for one in limits for at in range(one.start, one.end)}
    phrases = pack.unit_phrases.apart([word.stem for word in analysis.words])
    said = [*asked_units(analysis, (), pack), *(one for one in phrases if held.issuperset(range(*one[:2])))]
    numbers = _measured(graph, profile) if said else []
    for one in numbers if len(numbers) == 1 else ():
        note = profile.notes.get(one.iri)
        texts = (*one.labels, *(note.descriptions if note else ()))
        known = (*one.units, local_name(one.iri), *(text.value for text in texts))
        if not any(any(pack.unit_phrases.apart(pack.stem_list(text))) for text in known):
            yield from ((start, end, one.iri) for start, end, _ in said)


def asked_units(analysis: Analysis, used: Collection[int], pack: Pack) -> Iterator[tuple[int, int, str]]:
    """Yield the units that numbers are asked for in, by words that say nothing else: "in miles", "how many feet"."""
    words = analysis.words
    taken = {at for one in analysis.comparisons for at in range(one.start, one.end)}.union(used)
    for start, end, unit in pack.unit_phrases.apart([word.stem for word in words]):
        if start and words[start - 1].empty and taken.isdisjoint(range(start, end)):
            yield start, end, unit


def foreign_rates(graph: QueryGraph, analysis: Analysis, profile: GraphProfile, pack: Pack) -> Iterator[Cue]:
    """Yield the words for another time than the one for which a query's numbers are: a year, of a monthly salary."""
    measured = _measured(graph, profile) if analysis.language == "en" else []
    said = list(_rates([word.folded for word in analysis.words], pack)) if measured else []
    for one in measured if said else ():
        names = (local_name(one.iri), *(label.value for label in one.labels))
        known = {unit for name in names for _, unit in _rates(fold(name).split(), pack)}
        yield from (Cue("kind", at, at + 1) for at, unit in said if known and unit not in known)


def absolute_shares(graph: QueryGraph, analysis: Analysis, profile: GraphProfile, pack: Pack) -> Iterator[Cue]:
    """Yield the words that ask how many of a hundred, where a query gives what is told of no hundred: all bottles."""
    shares = {*pack.data.forms.share, *pack.english.data.forms.share, "%"}
    keys = [pack.key(word.text) for word in analysis.words]
    asked = (range(start, end) for start, end, _ in pack.forms["count"].all(keys))
    said = [at for one in asked for at in one if pack.forms["share"].longest(keys, at)]
    if not said or any(one.name == SHARE for one in graph.variables):
        return
    known = (
        (*one.units, local_name(one.iri), *(text.value for text in one.labels)) for one in _measured(graph, profile)
    )
    if shares.isdisjoint(word.strip("()") for texts in known for text in texts for word in fold(text).split()):
        yield from (Cue("kind", at, at + 1) for at in said)


def _rates(words: Sequence[str], pack: Pack) -> Iterator[tuple[int, str]]:
    """Yield where words say for what time something is, and the unit of that: monthly, per year."""
    for at, word in enumerate(words):
        alike = (word, *synonyms(word)) if "a" in kinds(word) else ()
        each = at > 0 and words[at - 1] in _EACH
        units = map(pack.stem, lemmas(word) if each else (base for one in alike for base in derived(one)))
        yield from ((at, unit) for unit in units if pack.units.get(unit, ("", 0.0))[0] == "time")


def _measured(graph: QueryGraph, profile: GraphProfile) -> list[RelationProfile]:
    """Return the relations with numbers that a query has."""
    edges = {edge.relation.value for edge in nodes(graph, EdgePattern) if isinstance(edge.relation, IRI)}
    known = filter(None, map(profile.relation_profile, sorted(edges)))
    return [one for one in known if any(values.kind == "number" for values in one.ranges)]


def _may_be_in(relation: RelationProfile, bound: Comparison, pack: Pack) -> bool:
    """Return whether the values of a relation may be in the unit of a bound."""
    if (alike := measures_alike(bound.unit, relation.units, pack)) is not None or bound.value is None:
        return alike is not False
    ranges = (one for one in relation.ranges if one.kind == "number")
    return any(float(one.least.value) <= bound.value <= float(one.greatest.value) for one in ranges)
