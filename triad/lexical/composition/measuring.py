"""Measuring: the relation whose values a comparison or a superlative is about, and which values count as what."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from triad.kg.profile import UNTRUE
from triad.language.pack import Measures
from triad.language.units import Operator, measures_alike
from triad.lexical.asked_units import asked_units
from triad.lexical.composition.durations import has_days, has_years
from triad.lexical.composition.elements import Thing
from triad.lexical.composition.names import Names
from triad.lexical.composition.parse import Parse
from triad.lexical.composition.partial_query import PartialQuery
from triad.lexical.composition.schema_graph import SchemaGraph
from triad.lexical.composition.wording import Wording
from triad.lexical.matching import LEAST_FIT
from triad.queries.comparisons import seconds_of
from triad.rdf import IRI, SPANS, XSD, number
from triad.sparql import patterns
from triad.sparql.patterns import Aggregate, Bind, Call, Comparison, EdgePattern, Filter, Variable, nodes, rewritten
from triad.sparql.query_graph import Order, QueryGraph

TURNED: Final[Mapping[Operator, Operator]] = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "=": "="}
"""Comparisons with what an adjective compares put the other way round: who is older was born earlier."""

_FAR: Final = 100_000.0  # times as large a unit is for other things: no age is told in minutes
_RANKS: Final = "rank", "ranking", "placement", "finishing position"  # of which the first is the best
_OF_NUMBERS: Final = frozenset({"MAX", "MIN", "SUM", "AVG"})


def measured_relation(
    parse: Parse, thing: Thing, measures: Measures, kinds: Sequence[str] = ("number", "date"), unit: str | None = None
) -> str | None:
    """Return the relation of a thing that fits what is measured best, and has no values in units of something else."""
    own = [one for one in _able(parse, kinds, unit) if parse.schema.has(thing.cls, one)]
    if any(measure <= parse.wording.ages for measure in measures):
        own = [one for one in own if parse.wording.tells_age(one, thing.cls, measures)]
    if parse.wording.is_time(measures):  # a sentence of three years is no time
        numbers = {one for one in own if parse.schema.value_kind(one) == "number" and not has_years(parse.schema, one)}
        spans = {one for one in numbers if parse.wording.in_unit(1.0, "day", one) and not parse.wording.is_age(one)}
        own = [one for one in own if one not in spans]
    else:
        own = [one for one in own if parse.schema.value_kind(one) != "date"]  # the longest is not the last
    best = max(own, key=lambda one: parse.wording.fit(one, measures), default=None)
    if best is not None and (fit := parse.wording.fit(best, measures)) > LEAST_FIT:
        parse.strained += 1 - fit
        return best
    dates = [one for one in own if parse.schema.value_kind(one) == "date"]
    dates = [one for one in dates if not parse.wording.is_other_birth(one, measures)]
    if dates and parse.wording.is_time(measures):
        parse.strained += len(dates)
        return dates[0]
    return None


def _able(parse: Parse, kinds: Sequence[str], unit: str | None) -> Iterator[str]:
    """Yield the relations with values of some kinds that are not in units of something else, or of another size."""
    for relation, known in parse.schema.relations.items():
        alike = measures_alike(unit, known.units, parse.wording.pack)
        size = parse.wording.in_unit(1.0, unit, relation) if unit else None
        if parse.schema.value_kind(relation) in kinds and alike is not False and (size is None or size < _FAR):
            yield relation


def measured_near(
    parse: Parse, thing: Thing, measures: Measures, kinds: Sequence[str] = ("number", "date"), unit: str | None = None
) -> tuple[Thing, str] | None:
    """Return the relation that fits what is measured, of a thing itself or of one that a step leads to."""
    if (own := measured_relation(parse, thing, measures, kinds, unit)) is not None:
        return thing, own
    best, found = 0.6, None
    for relation in _able(parse, kinds, unit):
        called = (relation, *(iri for iri, amount in parse.schema.amounts.items() if amount == relation))
        if (fit := max(parse.wording.fit(one, measures) for one in called)) > best:
            ways = parse.schema.ways_to_relation(thing.cls, relation)
            if ways and len(ways[0]) == 1:
                best, found = fit, (ways[0], relation)
    if found is None:
        return None
    way, relation = found
    parse.strained += 1
    other = next((one for one in parse.things if one.id != thing.id and parse.schema.has(one.cls, relation)), None)
    if other is None:
        other = parse.change(replace(parse.add(way[-1].target), parent=thing.id, way=way))
    return other, relation


def counts_down(parse: Parse, measures: Measures, relation: str) -> bool:
    """Return whether a relation holds ages where an adjective compares dates: what is old has an early date.

    Words that compare ages themselves measure these first: "at least 30 years old". So it is with depths where an
    adjective compares heights, too: what lies "tief" is low, or has a great depth. And the best has the least rank.
    """
    wording, pack, stems = parse.wording, parse.wording.pack, parse.wording.names.stems_of(relation)
    depths, ranks = (pack.measures_of(pack.data.words.get(one[0], ()), one) for one in (("depth",), _RANKS))
    if pack.english.stems("height") in measures and measures[0] in depths:
        return any(one <= stems for one in depths)
    if pack.english.stems("rating") in measures:
        return any(one <= stems for one in ranks)
    return wording.is_age(relation) and wording.is_time(measures) and not measures[0] <= wording.ages


def in_unit(partial: PartialQuery, wording: Wording) -> PartialQuery:
    """Return a query whose numbers are in the unit that is asked for, if theirs is known: how long it is in miles."""
    asked = next(asked_units(wording.analysis, partial.said, wording.pack), None)
    functions = [one.function for one in partial.columns]  # what is grouped by is no number that is asked for
    numbers = (at for at, one in enumerate(functions) if one != "COUNT" and bool(one) == any(functions))
    at = next((at for at in numbers if partial.columns[at].relation), None)
    if asked is None or at is None or partial.order is not None:
        return partial
    column, (start, end, unit) = partial.columns[at], asked
    per = wording.in_unit(1.0, unit, column.relation)
    counted = any(one.function == "COUNT" and start - 1 in one.said for one in partial.columns)  # how many hours
    if per is None or counted or wording.schema.value_kind(column.relation) != "number":
        return partial
    column = replace(column, per=per, said=column.said.union(range(start, end)))
    return replace(partial, columns=(*partial.columns[:at], column, *partial.columns[at + 1 :]))


def of_numbers(graph: QueryGraph, schema: SchemaGraph) -> QueryGraph:
    """Return a query in which only numbers and dates are ranked, compared and summed up: those that texts are, too."""
    edges = (one for one in nodes(graph, EdgePattern) if isinstance(one.object, Variable)) if schema.worded else ()
    worded = {one.object: schema.worded[one.relation] for one in edges if one.relation in schema.worded}

    def read(value: Any) -> Any:
        text, kind = Call("STR", (value,)), worded.get(value)
        return value if kind is None else seconds_of(text) if kind.value in SPANS else Call(kind, (text,))

    def reading(part: object) -> object:
        match part:
            case Aggregate(function, of) if function in _OF_NUMBERS and of in worded:
                return replace(part, of=read(of))
            case Comparison(left, _, right) | patterns.Arithmetic(left, _, right) if left in worded or right in worded:
                return replace(part, left=read(left), right=read(right))
            case Order(key) if key in worded:
                return replace(part, key=read(key))
        return part

    def tests_of(value: Any, relation: str) -> Iterator[Any]:
        is_date = schema.value_kind(relation) == "date"
        yield Call("isNUMERIC", (Call("YEAR", (value,)) if is_date else value,))
        if not is_date and schema.relations[relation].datatypes.keys() & {XSD + "double", XSD + "float"}:
            yield Comparison(Call("ABS", (value,)), "<", number(1e300))  # NaN and INF are numbers, too

    def change(part: object) -> object:
        if not isinstance(part, QueryGraph):
            return part
        made = [one.expression for one in part.columns if isinstance(one, patterns.Computed)]
        used = {one.of for one in made if isinstance(one, Aggregate) and one.function in _OF_NUMBERS}
        used |= {one.key for one in part.order if part.limit is not None}
        edges = nodes(part.where, EdgePattern) if used else ()
        mixed = {one.object: str(one.relation) for one in edges if one.object in used and one.relation in schema.mixed}
        tests = tuple(Filter(one) for value, relation in mixed.items() for one in tests_of(read(value), relation))
        return replace(part, where=(*part.where, *tests)) if tests else part

    graph = rewritten(graph, change) if schema.mixed else graph
    return rewritten(graph, reading) if worded else graph


def of_parts(graph: QueryGraph, wording: Wording) -> QueryGraph:
    """Return a query in which dates to group by, or to be equal, are the years or months that words ask for."""
    size, kind = wording.asked_part, {4: "gYear", 7: "gYearMonth"}
    within = graph if size else ()
    grouped: set[Any] = {key for part in nodes(within, QueryGraph) for key in part.groups}
    grouped.update(side for one in nodes(within, Comparison) if one.sign == "=" for side in (one.left, one.right))

    def parts(within: Sequence[Any]) -> Iterator[Any]:
        known: set[object] = {key for one in within if isinstance(one, QueryGraph) for key in one.groups}
        for part in within:
            match part:
                case EdgePattern(_, IRI(of), Variable(name) as key) if key in grouped and has_days(wording.schema, of):
                    date = Variable(f"{name}5")
                    text = Call("SUBSTR", (Call("STR", (date,)), number(1), number(size)))
                    year = Call("STRDT", (text, IRI(XSD + kind[size])))
                    yield replace(part, object=date)
                    yield Filter(Comparison(year, "=", key)) if key in known else Bind(year, key)
                    known.add(key)
                case _:
                    yield rewritten(part, change)

    def change(part: Any) -> Any:
        return replace(part, where=tuple(parts(part.where))) if isinstance(part, QueryGraph) else part

    return rewritten(graph, change) if grouped else graph


def of_truths(graph: QueryGraph, names: Names) -> QueryGraph:
    """Return a query in which what has a value that is true or false, of which nothing else is asked, is said to be so.

    So is what has a number of something said to have more than 0.

    Those that are accessible, or not, are no more those that have, or lack, something by the relation "accessible". Of
    what the graph does not say whether it is so, it does not say that it is not.
    """
    schema, telling = names.schema, names.schema.truths.keys() | names.counted
    told = (one for one in nodes(graph, EdgePattern) if isinstance(one.relation, IRI) and one.relation.value in telling)
    edges = Counter(told)  # some say the same, of what is given and of what it is chosen among
    used = Counter(patterns.terms(graph)) if edges else Counter[patterns.QueryTerm]()

    def so(part: Any, place: int = 0) -> Any:
        match part:
            case EdgePattern(_, IRI(relation), Variable() as value) if relation in telling:
                if used[value] == edges[part]:
                    some = (part, Filter(Comparison(value, ">", number(0))))
                    return replace(part, object=schema.truths[relation][place]) if relation in schema.truths else some
        return part

    def change(part: object) -> object:
        match part:
            case patterns.NegatedPart((EdgePattern(subject, IRI(one)) as edge,)) if one in schema.truths and (
                used[subject] > 1 or isinstance(subject, IRI)
            ):
                said = so(edge, 1)
                is_told = said is not edge and str(said.object).lower() in UNTRUE
                return said if is_told else replace(part, parts=(so(edge),))
            case patterns.NegatedPart(parts):
                return replace(part, parts=rewritten(parts, so))
        return so(part)

    return rewritten(graph, change) if used else graph
