"""Checks of the form of a query: what the question's form asks for, units, ties, and relations that were turned.

A relation between things of two kinds can be read in one way only, and models err in its direction, so that turning it
repairs a query. One between things of one kind, such as "depends on", says something else when it is turned, unless it
holds both ways, as "is married to" does.
"""

from collections.abc import Iterator
from dataclasses import replace

from triad import sparql
from triad.errors import GraphError
from triad.kg.guard import check
from triad.language.normalize import fold
from triad.language.operators import find_operators
from triad.language.pack import load_pack
from triad.language.written import unit_of
from triad.phases.context import Context
from triad.phases.diagnosis import PROBE_SECONDS
from triad.phases.values import units_of
from triad.rdf import IRI, NUMERIC, XSD, Literal, is_number
from triad.routing.checks import SAMPLE, Examined, Feature
from triad.sparql import patterns

_NUMBERS = NUMERIC - {XSD + "decimal"}


def check_form(examined: Examined) -> Iterator[Feature]:
    """Check whether the query does what the question's form asks for: a bound, a number, the greatest, not."""
    analysis, tree = examined.analysis, examined.tree
    graphs = [*sparql.nodes(tree, sparql.QueryGraph)]
    functions = {one.function for one in sparql.nodes(tree, patterns.Aggregate)}
    compared = [*sparql.nodes(tree, patterns.Comparison, patterns.OneOf)]
    differing = [one for one in compared if getattr(one, "negated", False) or getattr(one, "sign", "") == "!="]
    denied = any(one.negated for one in sparql.nodes(tree, patterns.Exists))
    negated = [*sparql.nodes(tree, patterns.NegatedPart)]

    told = (one for one in analysis.comparisons if one.value is not None or one.date is not None)
    bounds = [one for one in told if examined.is_free(one.start, one.end)]
    met = len(compared) - len(differing) + sum(1 for _, _, end in examined.triples if isinstance(end, Literal))
    met += sum(one.is_sliced for one in graphs) + sum(1 for _ in sparql.nodes(tree, patterns.Values))
    met += sum(isinstance(one.graph, IRI) for one in sparql.nodes(tree, patterns.GraphPart))  # such as that of a year
    yield Feature("bound", min(1.0, max(0, len(bounds) - met) / 2), "a bound of the question is not in the query")

    taken = frozenset(at for one in bounds for at in range(one.start, one.end))
    free = (one for one in find_operators(analysis.text, examined.pack) if examined.is_free(one.start, one.end))
    kinds = {one.kind for one in free if taken.isdisjoint(range(one.start, one.end))}
    greatest = (bool(tree.order) and tree.is_sliced) or functions & {"MAX", "MIN"} or len(graphs) > 1
    greatest = greatest or denied or any(not one.minus for one in negated)
    text = "the question has a superlative, and the query does not order"
    yield Feature("superlative", float("superlative" in kinds and not greatest), text)

    counting = analysis.answer_type == "count" or "count" in kinds
    uncounted = counting and functions.isdisjoint(("COUNT", "SUM", "AVG", "MAX", "MIN"))
    numeric = any(is_number(term) for row in examined.result.rows[:SAMPLE] for term in row if term is not None)
    yield Feature("count", float(uncounted), "the question asks how many, and nothing is counted")
    yield Feature("number", float(uncounted and not numeric), "the question asks how many, and the answer is no number")
    columns = [one.expression for one in tree.columns if isinstance(one, patterns.Computed)]
    counts = any(isinstance(one, patterns.Aggregate) and one.function == "COUNT" for one in columns)
    wanted = counting or analysis.each is not None or bool(tree.order) or "number" in analysis.expected
    yield Feature("unasked_count", float(counts and not wanted), "things are counted, which was not asked for")
    excluded = bool(negated or differing) or denied or any(sparql.nodes(tree, patterns.Not, patterns.OptionalPart))
    excluded = excluded or any(one.function == "BOUND" for one in sparql.nodes(tree, patterns.Call))
    left_in = analysis.negated and not (excluded or tree.ask)
    yield Feature("negation", float(left_in), "what the question leaves out is not left out")


def check_units(examined: Examined) -> Iterator[Feature]:
    """Check whether the values are in the unit that is asked for, and what they are compared with is in theirs."""
    asked, kept = _asked(examined), _answered(examined)
    measured = {unit: _measure(unit) for unit in kept}
    other = {words: measure for words, measure in asked.items() if measure not in measured.values()}
    known = [(unit, measure[0]) for unit, measure in measured.items() if measure is not None]
    wrong = [(words, unit) for words, (dimension, _) in other.items() for unit, its in known if its == dimension]
    text = f"the question asks for {wrong[0][0]}, and the values are in {wrong[0][1]}" if wrong else ""
    yield Feature("unit", float(bool(wrong)), text)
    bounds = [*_unconverted(examined)]
    text = f"a bound is held as it stands against values in {bounds[0]}" if bounds else ""
    yield Feature("bound_unit", float(bool(bounds)), text)


def _asked(examined: Examined) -> dict[str, tuple[str, float]]:
    """Return the units that the question names beside its names and bounds, with what they measure."""
    pack, words = examined.pack, examined.analysis.words
    stems = [word.stem for word in words]
    bounds = {at for one in examined.analysis.comparisons for at in range(one.start, one.end)}
    found: dict[str, tuple[str, float]] = {}
    for at in range(len(words)):
        phrase = pack.unit_phrases.longest(stems, at)
        if phrase and examined.is_free(at, phrase[0]) and bounds.isdisjoint(range(at, phrase[0])):
            found.setdefault(" ".join(word.text for word in words[at : phrase[0]]), pack.units[phrase[1]])
    return found


def _answered(examined: Examined) -> list[str]:
    """Return the units that numbers of the answer are in, as far as they are known."""
    found: dict[str, None] = {}
    for column, name in enumerate(examined.result.variables):
        known = units_of(examined.context, examined.tree, name)
        for row in examined.result.rows[:SAMPLE]:
            if isinstance(term := row[column], Literal) and (unit := unit_of(term, known)):
                found[unit] = None
    return list(found)


def _measure(unit: str) -> tuple[str, float] | None:
    """Return what a unit of the graph measures, and how many of the base unit it is; None for an unknown one."""
    pack = load_pack("en")
    return pack.units.get(" ".join(pack.stem_list(fold(unit))))


def _unconverted(examined: Examined) -> Iterator[str]:
    """Yield the units of values that a bound in another unit is held against as it stands."""
    limits = (one for one in examined.analysis.comparisons if one.value is not None)
    said = {one.value: examined.pack.units[one.unit] for one in limits if one.unit in examined.pack.units}
    if not said:
        return
    for condition in sparql.nodes(examined.tree, patterns.Comparison, patterns.OneOf):
        if any(sparql.nodes(condition, patterns.Arithmetic)):
            continue  # it converts
        names = [term.name for term in sparql.nodes(condition, patterns.Variable)]
        units = [unit for name in names for unit in units_of(examined.context, examined.tree, name) if unit]
        literals = [term for term in sparql.nodes(condition, Literal) if term.datatype in _NUMBERS]
        for number in [value for one in literals if (value := one.number) is not None]:
            if len(set(units)) == 1 and number in said and (measure := _measure(units[0])):
                dimension, factor = said[number]
                if measure[0] == dimension and measure[1] != factor:
                    yield units[0]


def check_ties(examined: Examined) -> Iterator[Feature]:
    """Check whether the first row that the limit leaves out has the same key as the last one that it lets in."""
    tree, limit, tied = examined.tree, examined.tree.limit, False
    if tree.order and tree.columns and limit is not None and len(examined.result.rows) >= limit <= 20:
        shown = patterns.Computed(tree.order[0].key, patterns.Variable("key_of_order"))
        keyed = check(replace(tree, columns=(*tree.columns, shown), limit=limit + 1), examined.context.policy)
        rows = examined.context.execute(keyed, ask=False, timeout=PROBE_SECONDS).rows
        tied = len(rows) > limit and rows[limit - 1][-1] == rows[limit][-1]
    yield Feature("tie", float(tied), "others share the last place that is given")


def is_turned(context: Context, query: str, wanted: sparql.QueryGraph) -> bool:
    """Return whether a query reads a relation of a named thing the other way round than is wanted, and so differently.

    Without a profile, nobody knows what a relation joins.
    """
    asked, said = set(_facts(wanted)), set(_facts(sparql.parse(query)))
    turned = {(end, relation, subject) for subject, relation, end in asked} - asked
    return any(_joins_alike(context, relation) for _, relation, _ in said & turned)


def _facts(tree: sparql.QueryGraph) -> Iterator[tuple[str, str, str]]:
    """Yield the patterns of a query that say something of a named thing; its variables are all alike."""
    for subject, path, end in sparql.triples(tree):
        if isinstance(subject, IRI) != isinstance(end, IRI):
            ends = [str(one) if isinstance(one, IRI) else "" for one in (subject, end)]
            yield from ((ends[0], str(relation), ends[1]) for relation in sparql.terms(path))


def _joins_alike(context: Context, relation: str) -> bool:
    """Return whether a relation joins things of one kind, and never both ways."""
    known = context.profile.relation_profile(relation) if context.profile else None
    if known is None or not any(one.subject and one.subject == one.object for one in known.ends):
        return False
    try:
        both = check(f"ASK {{ ?one <{relation}> ?other . ?other <{relation}> ?one }}", context.policy)
        mutual = context.execute(both, ask=True, timeout=PROBE_SECONDS)
    except GraphError:
        return False
    return not mutual.boolean
