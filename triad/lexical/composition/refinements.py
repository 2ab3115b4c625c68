"""Refinements: what is said of a query as a whole, once it is put together: its named graphs, and steps gone again.

A reader composes a question without these words, and the queries are refined by them afterwards. A query to which such
words cannot apply is left as it is, or dropped.
"""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import replace

from triad.language.analysis import Analysis
from triad.language.operators import Operator
from triad.lexical.composition.elements import Constraint, Extreme, Span, Thing
from triad.lexical.composition.names import Names
from triad.lexical.composition.partial_query import Either, PartialQuery, made
from triad.lexical.composition.schema_graph import SchemaGraph
from triad.lexical.composition.sources import Source, SourceSpan
from triad.rdf import IRI, number
from triad.sparql.patterns import Aggregate, Comparison, EdgePattern, Variable, nodes, substituted
from triad.sparql.query_graph import QueryGraph


def by_year(partial: PartialQuery, names: Names) -> Iterator[PartialQuery]:
    """Yield a query by what all things that are compared have: by years where dates of some are not known.

    Of named things, the dates may be known: then they tell more than the years.
    """
    years = dates = partial
    compared: list[Extreme | Constraint] = [one for one in partial.extremes if not one.aggregate]
    for one in (*compared, *(limit for limit in partial.constraints if limit.than is not None)):
        if pair := names.dated(one.relation, partial.thing(one.thing).cls):
            dates, years = (_by(each, one, relation) for each, relation in zip((dates, years), pair, strict=True))
            if partial.thing(one.thing).terms:
                yield dates
    yield years


def _by(partial: PartialQuery, compared: Extreme | Constraint, relation: str) -> PartialQuery:
    extremes = (replace(one, relation=relation) if one is compared else one for one in partial.extremes)
    constraints = (replace(one, relation=relation) if one is compared else one for one in partial.constraints)
    return replace(partial, extremes=tuple(extremes), constraints=tuple(constraints))


def repeated(partial: PartialQuery, operators: Iterable[Operator], schema: SchemaGraph) -> PartialQuery:
    """Return a query with steps that may be gone again and again, where words ask for that.

    Each of the words applies to the nearest step between things of one kind.
    """
    for operator in operators:
        if operator.kind != "transitive":
            continue
        able = [one for one in partial.things if len(one.way) == 1 and not one.way[0].again]
        if not (able := [one for one in able if schema.meet(one.way[0].source, one.way[0].target)]):
            continue
        words = {one: one.said or (partial.thing(one.parent).said if one.parent is not None else ()) for one in able}
        gaps = {one: min((abs(at - operator.start) for at in words[one]), default=99) for one in able}
        nearest = min(able, key=gaps.__getitem__)
        said = nearest.said | frozenset(range(operator.start, operator.end))
        partial = partial.changed(replace(nearest, way=(replace(nearest.way[0], again=True),), said=said))
    return partial


def alternatives(partial: PartialQuery, operators: Iterable[Operator], truths: Container[str] = ()) -> PartialQuery:
    """Return a query that needs one of its conditions beside "or"; ``truths`` are what is said to be true or false."""
    plain = not (partial.extremes or partial.order or partial.by_key) and len(partial.columns) <= 1
    if not plain or any(column.function not in ("", "COUNT") for column in partial.columns):
        return partial
    shown = {column.thing for column in partial.columns}
    told = (one for one in partial.constraints if one.relation in truths or not one.is_idle)
    conditions: list[Constraint | Thing] = [one for one in told if one.said]
    conditions += [one for one in partial.things if one.parent is not None and one.terms and one.id not in shown]
    for operator in operators:
        before = [one for one in conditions if max(one.said) < operator.start]
        after = [one for one in conditions if min(one.said) >= operator.end]
        if operator.kind == "or" and before and after and len(before) + len(after) == len(conditions):
            one, other = max(before, key=lambda one: max(one.said)), min(after, key=lambda one: min(one.said))
            if _stays(partial.without(other), shown, one) and _stays(partial.without(one), shown, other):
                return made(Either, partial, conditions=(one, other))
    return partial


def _stays(partial: PartialQuery, shown: Set[int], one: Constraint | Thing) -> bool:
    """Return whether a query still has a condition, and what is asked for."""
    return one in (*partial.things, *partial.constraints) and shown <= {thing.id for thing in partial.things}


def in_common(partial: PartialQuery, analysis: Analysis) -> PartialQuery:
    """Return a query in which named things have one of something, where words ask that: born in the *same* city."""
    if not partial.ask or not analysis.same or not any(one.every and len(one.terms) > 1 for one in partial.things):
        return partial
    parts: list[Thing | Constraint] = [one for one in partial.things if not one.terms]
    parts += [one for one in partial.constraints if one.is_idle]
    behind = [one for one in parts if one.said and max(one.said) >= analysis.same[0]]
    return replace(partial, same=min(behind, key=lambda one: max(one.said), default=None))


def asks_for_others(partial: PartialQuery, analysis: Analysis) -> Sequence[int]:
    """Return the ends of words that stand before what things have the same of, where nobody is named with whom."""
    return () if partial.ask or any(thing.terms for thing in partial.things) else analysis.same


def with_others(
    graph: QueryGraph, partial: PartialQuery, behind: Sequence[int], spans: Iterable[Span]
) -> QueryGraph | None:
    """Return the query for what has the same as something else of its kind: authors who were born in the same city.

    What is the same is named behind some positions; None if that is nothing of the query.
    """
    counted = [one.of for one in nodes(graph.columns, Aggregate)]
    asked = next((one for one in (*counted, *graph.columns) if isinstance(one, Variable)), None)
    known = {*nodes(graph.where, Variable)} - {asked}
    values: list[Variable] = []
    for at in behind if asked and not (graph.groups or graph.is_sliced) else ():
        what = min((one for one in spans if one.start >= at), key=lambda one: one.start, default=None)
        steps = [one for one in nodes(graph.where, EdgePattern) if what and one.relation == IRI(what.iri)]
        meant = [one.subject if one.object == asked else one.object for one in steps]
        meant += [one.variable for one in partial.things if what and not one.said.isdisjoint(what.positions)]
        values += [one for one in meant if one in known][:1]
    if asked is None or not values or len(values) < len(behind):
        return None
    others = {one: Variable(f"other_{one.name}") for one in (asked, *known) if one not in values}
    several = Comparison(Aggregate("COUNT", others[asked], distinct=True), ">", number(1))
    shared = QueryGraph((*values,), substituted(graph.where, others), groups=(*values,), having=(several,))
    return replace(graph, where=(*graph.where, shared.nested()))


def within_sources(
    partial: PartialQuery, spans: Sequence[SourceSpan], operators: Iterable[Operator], schema: SchemaGraph
) -> PartialQuery | None:
    """Return a query whose facts are those of the named graphs that words mean; None if none stand there."""
    by_role = {role: [span for span in spans if span.role == role] for role in ("in", "than", "more", "less", "which")}
    said = frozenset(at for span in spans for at in span.positions)
    if by_role["which"]:
        if by_role["than"] or by_role["in"] or len(by_role["which"]) > 1:
            return None
        return _asking(partial, by_role["which"][0], operators, schema, said)
    if by_role["than"] or by_role["more"] or by_role["less"]:
        signs, rivals = [*by_role["more"], *by_role["less"]], by_role["than"]
        if len(signs) != 1 or len(rivals) != 1 or len(rivals[0].graphs) != 1:
            return None
        if (compared := _compared(partial, signs[0], rivals[0].graphs[0], schema)) is None:
            return None
        partial = compared
    graphs = _meant(by_role["in"])
    if not (terms := _standing(partial, graphs, schema)):
        return None
    valued = any(column.relation and not column.function for column in partial.columns)
    return replace(partial, source=Source(graphs, terms, "last" if valued and len(graphs) > 1 else "", said))


def _meant(spans: Sequence[SourceSpan]) -> tuple[str, ...]:
    """Return the graphs that words mean together: those that all of them may mean, or else those of each."""
    if not spans:
        return ()
    common = [iri for iri in spans[0].graphs if all(iri in span.graphs for span in spans)]
    return tuple(common or dict.fromkeys(iri for span in spans for iri in span.graphs))


def _standing(partial: PartialQuery, graphs: Iterable[str], schema: SchemaGraph) -> frozenset[str]:
    wanted, classes = set(graphs), (thing.cls for thing in partial.things if thing.typed and thing.cls)
    return frozenset(iri for iri in (*partial.relations, *classes) if not wanted.isdisjoint(_graphs_of(iri, schema)))


def _graphs_of(iri: str, schema: SchemaGraph) -> Mapping[str, int]:
    known = schema.relations.get(iri) or schema.classes.get(iri)
    return known.graphs if known else {}


def _compared(partial: PartialQuery, span: SourceSpan, rival: str, schema: SchemaGraph) -> PartialQuery | None:
    """Return a query whose value is held against the one of another named graph."""
    sign = ">" if span.role == "more" else "<"
    places = ((one.thing, one.relation) for one in partial.parts if one.relation)
    known = (place for place in places if rival in _graphs_of(place[1], schema))
    found = next((place for place in known if schema.value_kind(place[1]) in ("number", "date")), None)
    if found is None:
        return None
    thing, relation = found
    if not partial.thing(thing).terms:  # not the values are asked for, but the things whose values compare so
        shown = (
            replace(one, relation="") if (one.thing, one.relation, one.function) == (*found, "") else one
            for one in partial.columns
        )
        partial = replace(partial, columns=tuple(shown))
    constraints = tuple(one for one in partial.constraints if one != Constraint(thing, relation, said=one.said))
    spoken = frozenset(at for one in partial.constraints if one not in constraints for at in one.said)
    limit = Constraint(thing, relation, sign=sign, rival=rival, said=spoken | frozenset(span.positions))
    return replace(partial, constraints=(*constraints, limit))


def _asking(
    partial: PartialQuery, asked: SourceSpan, operators: Iterable[Operator], schema: SchemaGraph, said: frozenset[int]
) -> PartialQuery | None:
    """Return a query that asks for the named graph itself: the year in which something had its greatest value."""
    if partial.ask or any(thing.every for thing in partial.things):
        return None
    constraints = list(partial.constraints)
    extremes = [one for one in partial.extremes if one.key is None]
    heeded = said.union(*(one.said for one in partial.things), *(one.said for one in constraints))
    heeded = heeded.union(*(one.said for one in extremes))
    best = [one for one in operators if one.kind == "superlative" and heeded.isdisjoint(range(one.start, one.end))]
    for column in partial.columns:
        if column.function and column.function not in ("MAX", "MIN"):
            return None
        if not column.relation:
            said |= column.said
        elif best and schema.value_kind(column.relation) in ("number", "date"):
            operator = best.pop(0)
            words = column.said | frozenset(range(operator.start, operator.end))
            extremes.append(Extreme(column.thing, column.relation, descending=operator.descending, said=words))
        else:
            constraints.append(Constraint(column.thing, column.relation, said=column.said))
    partial = replace(partial, constraints=tuple(constraints), extremes=tuple(extremes), columns=())
    terms = _standing(partial, asked.graphs, schema)
    graphs = tuple(iri for iri in asked.graphs if any(iri in _graphs_of(term, schema) for term in terms))
    return replace(partial, source=Source(graphs, terms, "only", said)) if graphs else None
