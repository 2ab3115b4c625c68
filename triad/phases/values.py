"""The values of an answer as people read them: names of things, numbers in their units, and whose a value is.

A thing that was compared has the figure beside it by which it was; rows with numbers come with the largest first.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from types import MappingProxyType
from typing import Any, Final, Self

from triad import sparql
from triad.grouping import grouped
from triad.kg.profile import GraphProfile, RelationProfile
from triad.language.definitions import Defined
from triad.language.pack import load_pack
from triad.language.text_quantities import numbers
from triad.language.tokens import Sentence
from triad.language.written import SHARE, SPANS, currency, is_amount, unit_of, written
from triad.phases.context import Context
from triad.phases.homonyms import names_apart, told
from triad.rdf import DATED, IRI, Literal, ResultSet, Row, Term, Triple, Value, is_number, kind_of
from triad.sparql import QueryGraph
from triad.sparql.patterns import Aggregate, Bind, Comparison, Computed, EdgePattern, Filter, QueryTerm, Variable

_KEEPING_UNITS: Final = ("AVG", "MAX", "MIN", "SUM")  # a count has no unit
_WAY: Final = 2  # relations from a thing to what it is compared by: a price, and its amount

Figures = tuple[str, Mapping[str, Literal]]
"""The variable by which things are compared, and its value by their IRIs."""


def values_of(
    context: Context,
    tree: QueryGraph,
    result: ResultSet,
    names: Mapping[str, str],
    owners: Mapping[Term, str] = MappingProxyType({}),
    figures: Figures = ("", {}),
) -> tuple[tuple[Value | None, ...], ...]:
    """Return the rows of a result with names of things, and literals as people write them, in their units.

    Beside things stand the figures by which they were compared.
    """
    columns = [_Numbers.of(context, tree, name) for name in result.variables]
    language, pack = context.question.language, context.pack
    by_year = len(result.variables) == 1 and any(
        part == "year" for *_, part in pack.moments.all(Sentence(context.question.text, pack).folded)
    )
    iris = {str(term) for row in result.rows for term in row if isinstance(term, IRI)}
    things = {iri: name for iri, name in names.items() if iri in iris}
    told_by = {**names_apart(context, things), **told(context, things)}
    compared = _Numbers.of(context, tree, figures[0])
    for iri, figure in figures[1].items():
        told_by[iri] = f"{told_by.get(iri, names.get(iri, iri))} ({compared.written(figure, language)})"

    @cache  # the same values occur in many rows
    def value(term: Term | None, numbers: _Numbers) -> Value | None:
        if isinstance(term, Literal):
            year = term.value.partition("-")[0] if by_year and term.datatype in DATED else ""
            text = year or numbers.written(term, language)
            return Value(term, term.value, "" if text == term.value else text, owners.get(term, ""))
        return None if term is None else Value(term, names.get(str(term), str(term)), told_by.get(str(term), ""))

    return tuple(tuple(map(value, row, columns)) for row in result.rows)


def owners_of(context: Context, tree: QueryGraph, result: ResultSet, facts: Iterable[Triple]) -> Mapping[Term, str]:
    """Return the names of what the values of an only column belong to, if each belongs to one thing not named."""
    edges = [one for one in sparql.nodes(tree, EdgePattern) if (one.object,) == tree.columns]
    relations = {one.relation for one in edges if isinstance(one.subject, Variable)}
    owners: dict[Term, set[str]] = {}
    for fact in facts:
        if fact.predicate in relations and isinstance(fact.subject, IRI) and isinstance(fact.object, Literal):
            owners.setdefault(fact.object, set()).add(str(fact.subject))
    shared = any(len(owners.get(row[0], ())) != 1 for row in result.rows if row and row[0])
    if shared or not all(isinstance(one.subject, Variable) for one in edges):
        return {}
    names = context.schema.labels(iri for found in owners.values() for iri in found)
    packs = (context.pack, load_pack("en"))

    def says(name: str, value: Term) -> bool:  # a price called 778,15 EUR is its amount
        return isinstance(value, Literal) and any(value.number in dict(one.ways) for one in numbers(name, packs))

    return {value: names[iri] for value, found in owners.items() for iri in found if not says(names[iri], value)}


@dataclass(frozen=True, slots=True)
class _Numbers:
    """How the numbers of a column are written."""

    units: tuple[str, ...]
    amounts: bool  # whether they are surely no years
    average: bool

    @classmethod
    def of(cls, context: Context, tree: QueryGraph, name: str) -> Self:
        functions = {function for function, _ in _aggregates(tree, name)}
        ranges = [one for relation in _relations_of(context, tree, name) for one in relation.ranges]
        bounds = [bound for one in ranges if one.kind == "number" for bound in (one.least, one.greatest)]
        amounts = not functions.isdisjoint(("COUNT", "SUM")) or any(map(is_amount, bounds))
        is_span = name in SPANS and any(one.variable.name == name for one in sparql.nodes(tree, Bind))
        is_share = name == SHARE and any(one.variable.name == name for one in sparql.nodes(tree, Computed))
        units = (name,) if is_span else ("%",) if is_share else units_of(context, tree, name)
        return cls(units, amounts, "AVG" in functions)

    def written(self, literal: Literal, language: str) -> str:
        unit = unit_of(literal, self.units)
        return written(literal, language, unit, amount=self.amounts, average=self.average) or literal.value


def figures_of(tree: QueryGraph, edges: Sequence[EdgePattern], result: ResultSet, facts: Iterable[Triple]) -> Figures:
    """Return the variable by which the things of an only column are compared, and what it is for each of them.

    There are none unless the facts behind the answer tell one of each thing.
    """
    if len(tree.columns) != 1 or not isinstance(tree.columns[0], Variable):
        return "", {}
    ways: dict[QueryTerm, tuple[IRI, ...]] = {tree.columns[0]: ()}
    for _ in range(_WAY):
        for edge in edges:
            if edge.subject in ways and isinstance(edge.object, Variable) and isinstance(edge.relation, IRI):
                ways.setdefault(edge.object, (*ways[edge.subject], edge.relation))
    tests = tuple(one for one in tree.where if isinstance(one, Filter) and isinstance(one.expression, Comparison))
    tested = sparql.terms((tests, tree.order))
    compared = [one for one in ways if isinstance(one, Variable) and ways[one] and one in tested]
    values: Mapping[object, Iterable[Term]] = grouped(((fact.subject, fact.predicate), fact.object) for fact in facts)
    figures: dict[str, Literal] = {}
    for thing, *_ in result.rows if len(compared) == 1 else ():
        ends = {thing} if thing else set()
        for relation in ways[compared[0]]:
            ends = {value for end in ends for value in values.get((end, relation), ())}
        match [*ends]:
            case [Literal() as figure] if kind_of(figure) != "text":
                figures[str(thing)] = figure
    return (compared[0].name, figures) if len(figures) == len(result.rows) > 0 else ("", {})


def largest_first(result: ResultSet, figures: Mapping[str, Literal]) -> ResultSet:
    """Return rows that are in no order by the number that each has, or that its thing is compared by."""
    sized: list[tuple[float, Row]] = []
    for row in result.rows:
        said = [figures.get(str(one), one) for one in row if one is not None]
        sized += [(one.number or 0.0, row) for one in said if is_number(one)][:1]
    if len(sized) < len(result.rows):
        return result
    return replace(result, rows=tuple(row for _, row in sorted(sized, key=lambda one: -one[0])))


def _aggregates(tree: QueryGraph, name: str) -> list[tuple[str, str]]:
    """Return the functions that compute a variable, and the variables that they are of."""
    return [
        (one.expression.function, one.expression.of.name if isinstance(one.expression.of, Variable) else "")
        for one in sparql.nodes(tree, Computed)
        if isinstance(one.expression, Aggregate) and one.variable.name == name
    ]


def _relations_of(context: Context, tree: QueryGraph, name: str) -> list[RelationProfile]:
    """Return the relations that a variable, or what an aggregate keeps of it, is a value of."""
    names = {name, *(of for function, of in _aggregates(tree, name) if function in _KEEPING_UNITS)}
    edges = (one for one in sparql.triples(tree) if isinstance(one[2], Variable) and one[2].name in names)
    iris = dict.fromkeys(str(one) for _, predicate, _ in edges for one in sparql.terms(predicate))
    return [one for iri in iris if context.profile and (one := context.profile.relation_profile(iri))]


def units_of(context: Context, tree: QueryGraph, name: str) -> tuple[str, ...]:
    """Return the units that a variable's numbers are in, as definitions and the graph's profile tell."""
    variables = {name, *(of for function, of in _aggregates(tree, name) if function in _KEEPING_UNITS)}
    found = {one.unit: None for made, one in formulas(context, tree).items() if made in variables}
    for one in _relations_of(context, tree, name):
        found |= dict.fromkeys(one.units or (_currencies(context.profile, one) if context.profile else ()))
    return tuple(found)


def _currencies(profile: GraphProfile, relation: RelationProfile) -> Iterator[str]:
    """Yield the currency of the only number that things of a class have, where all have the same one beside it."""
    for at in relation.subject_classes[:1]:
        uses = (profile.relation_profile(use.relation) for use in profile.classes[at].outgoing)
        beside = [one for one in uses if one and one.kind == "literals"]
        if [one for one in beside if any(bounds.kind == "number" for bounds in one.ranges)] == [relation]:
            yield from (currency(one.values[0].term.value) or "" for one in beside if one.objects == 1 and one.values)


def formulas(context: Context, tree: QueryGraph) -> dict[str, Defined]:
    """Return the definitions whose formulas give variables of a query their values, whatever is in them called."""

    def shape(expression: Any) -> Any:
        return sparql.substituted(expression, lambda term: Variable("it") if isinstance(term, Variable) else term)

    known = {shape(one.value): one for one in context.glossary.defined.values() if one.value is not None}
    made = ((one.variable.name, shape(one.expression)) for one in sparql.nodes(tree, Bind) if known)
    return {name: known[one] for name, one in made if one in known}
