"""Bounds: "before 1890", "at least two concerts", "longer than 90 minutes" limit values and numbers of things."""

import itertools
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from triad.language.comparisons import Comparison
from triad.language.normalize import fold
from triad.language.operators import Bound
from triad.language.pack import Measures
from triad.language.recurring import is_recurring
from triad.language.units import degree_at
from triad.lexical.composition.durations import beginnings, has_days, has_years, is_date
from triad.lexical.composition.elements import Constraint, Span, Thing
from triad.lexical.composition.measuring import TURNED, counts_down, measured_near
from triad.lexical.composition.parse import Parse
from triad.lexical.composition.tagging import bound_end
from triad.lexical.composition.value_spans import is_of_past
from triad.lexical.composition.wording import NEAR
from triad.lexical.matching import LEAST_FIT
from triad.queries.comparisons import between, day_of, has_part, held_against_date, held_against_number
from triad.rdf import XSD, number
from triad.sparql import patterns
from triad.sparql.patterns import Call, Expression, Logic, Variable

_YEAR: Final = len("2001")


def place_bounds(parse: Parse) -> None:
    """Make constraints of the bounds; of those that are joined, one limit with choices."""
    previous: tuple[Bound, int] | None = None
    made: list[tuple[Bound, int]] = []
    for bound in parse.tagged.bounds:
        if bound[0].start >= parse.sorted_from:
            continue
        if previous is not None and (how := _joined_bounds(parse, previous[0], bound)):
            at = previous[1]
            one = parse.constraints[at]
            if one.choices:
                said = frozenset(range(bound[0].start, bound_end(parse.analysis, bound)))
                near = range(previous[0][0].start - 1, bound[0].end)  # a bound may have "both" among its words
                both = any(parse.wording.sentence.form("both", at) for at in near)
                choices = (*one.choices, _condition(parse, bound, one.relation))
                parse.constraints[at] = replace(one, choices=choices, said=one.said | said, every=how != "or" and both)
                previous = (bound, at)
                continue
        known = len(parse.constraints)
        _bound(parse, bound)
        previous = (bound, known) if len(parse.constraints) > known else None
        if previous is not None:
            made.append(previous)
    _merge_contradictions(parse, made)


def _merge_contradictions(parse: Parse, made: Sequence[tuple[Bound, int]]) -> None:
    """Make one limit of two that nothing can meet: "founded before 1890 and founded after 1900", or one of which."""
    for (one, at), (other, later) in itertools.pairwise(made):
        first, second = parse.constraints[at], parse.constraints[later]
        same = first.thing == second.thing and first.relation == second.relation
        pair = (_turned(parse, limit[0], first.relation) for limit in (one, other))
        if same and first.choices and second.choices and _contradict(*pair):
            choices, said = (*first.choices, *second.choices), first.said | second.said
            every = parse.wording.joined(bound_end(parse.analysis, one), other[0].start) != "or"
            parse.constraints[at] = replace(first, choices=choices, said=said, every=every)
            del parse.constraints[later]
            return


def _joined_bounds(parse: Parse, one: Bound, other: Bound) -> str:
    """Return how two bounds of one kind are joined; nothing if they are not."""
    if (one[0].date is None) != (other[0].date is None) or one[0].operator != "=" or other[0].operator != "=":
        return ""
    return parse.wording.joined(bound_end(parse.analysis, one), other[0].start)


def _bound(parse: Parse, bound: Bound) -> None:
    """Make the limit of one bound: of a number of things, of a relation that words name, or of one that fits."""
    core = range(bound[0].start, bound_end(parse.analysis, bound))
    spans = parse.tagged.spans
    after = next((span for span in spans if span.start >= core.stop), None)
    before = next((span for span in reversed(spans) if span.end <= core.start), None)
    gap = range(core.stop, after.start) if after is not None else range(0)
    far = len(gap) > NEAR or (len(gap) > 1 and not all(parse.analysis.words[at].empty for at in gap))
    if after is None or far or parse.wording.joined(core.stop, after.start):  # "more than two of the films"
        after = None
    before = before if before is not None and core.start - before.end <= 2 else None
    if bound[0].value is not None and place_count(parse, bound, before, after):
        return
    kinds = ("date", "number") if bound[0].date is not None else ("number",)
    hinted = [span for span in spans if id(span) not in parse.asked and abs(span.start - core.start) <= 4]
    units, words = parse.wording.pack.units, parse.analysis.words
    gone = [one for one in spans if core.start < one.start <= core.stop and words[one.start].stem in units]
    gone = [one for one in gone if not any(parse.schema.has(thing.cls, one.iri) for thing in parse.things)]
    known = len(parse.constraints)
    for span in (*(one for one in (before, after, *hinted) if one and one not in gone), None, *gone):
        relation = parse.schema.amounts.get(span.iri, span.iri) if span else ""
        if span is None:  # 2000 metres are not those of the length of something else before a height of its own
            _fitting(parse, bound, kinds)
        elif len(parse.constraints) > known:
            parse.taken.add(id(span))
        elif span.kind == "relation" and _may_hold(parse, relation, bound[0]):
            owner = parse.owner(span.iri, span)
            thing = owner if relation == span.iri else parse.end(owner, span.iri, span)
            parse.taken.add(id(span))
            _value_limit(parse, bound, thing, relation, frozenset(core).union(span.positions))
            return


def place_count(parse: Parse, bound: Bound, before: Span | None, after: Span | None) -> bool:
    """Make a constraint of a number of things, "at least two concerts"; return whether the bound is about one."""
    first = bound[0]
    said = frozenset(range(first.start, bound_end(parse.analysis, bound)))
    older = degree_at(parse.wording.sentence, first.start)[0] is not None
    if after is not None and not older and first.value is not None and first.value == int(first.value):
        counted = parse.thing_of(after) if after.kind == "class" else None
        if after.kind == "text":  # more than three professors, whose rank that is
            holders = (parse.things[one.thing] for one in parse.constraints if one.said.issuperset(after.positions))
            counted = next(holders, None)
        if counted is not None and _count_limit(parse, bound, counted, said):
            return True
        if after.kind == "relation" and parse.schema.is_counted(after.iri):
            thing, said = parse.owner(after.iri, after), said | parse.take(after)
            _count_limit(parse, bound, parse.end(thing, after.iri, after), said)
            return True
    if before is not None and before.kind == "class" and not first.measures:
        counted = parse.things[parse.of_span[id(before)]]
        if _age(parse, counted, first):
            return False
        asked = bool(parse.columns) and counted.id == parse.columns[0].thing and not parse.columns[0].relation
        return not asked and _count_limit(parse, bound, counted, said)
    return False


def _fitting(parse: Parse, bound: Bound, kinds: Sequence[str]) -> None:
    """Constraint the relation that fits what is compared, of the nearest things that have one."""
    first = bound[0]
    core = range(first.start, bound_end(parse.analysis, bound))
    called = {one.id: _dates(parse, one, first, range(max(0, core.start - NEAR), core.start)) for one in parse.things}
    asked = {one.thing for one in parse.columns if one.relation}
    hosts = sorted(
        # What is known of one thing limits nothing: "the output of the plant in 2019".
        (one for one in parse.things if (one.at >= 0 or one.id in asked) and not (one.terms and parse.columns)),
        key=lambda one: (
            not any(called[one.id].values()),
            one.parent is not None,  # what was done in 2020 is dated, and not who did it
            abs(one.at - core.start) + (2 if one.at > core.start else 0),
        ),
    )
    for host in hosts or parse.things[:1]:
        own = parse.wording.names.stems_of(host.cls)  # hosts older than 50, buyers over 40
        measures = tuple(one for one in first.measures if not one <= own)
        bare = first.date is None and host.at < core.start and (not first.measures or first.measures[0] <= own)
        if births := _births(parse, host, first, measures, bare=bare):
            _limit_ages(parse, bound, host, births, measures)
            return
        found = measured_near(parse, host, measures, kinds, first.unit) if measures else None
        high = first.unit is None and parse.wording.names.packs[-1].stems("height") in first.measures
        if found is None and (bare or high):
            amount = (_age(parse, host, first) if bare else None) or _amount(parse, host)
            found = (host, amount) if amount else None
        if found is not None:
            _value_limit(parse, bound, found[0], found[1], frozenset((*core, *range(first.start, first.end))))
            return
        if dates := called[host.id]:
            best = max(dates, key=lambda one: len(dates[one]))
            parse.strained += 0 if dates[best] else len(dates) - (host.parent is None)
            _value_limit(parse, bound, host, best, dates[best].union(core))
            return
    for host in hosts[:2] if first.date is not None else ():
        if found := _reached_date(parse, host, first):
            _value_limit(parse, bound, found[0], found[1], frozenset(core))
            return


def _births(parse: Parse, host: Thing, bound: Comparison, measures: Measures, *, bare: bool) -> str | None:
    """Return the relation with the dates of an age that is compared; None if it is no age, or things have ages.

    Words compare ages ("30 years old") or births ("older"); a bare number is the age of a person: singers over 40.
    """
    wording, schema, pack = parse.wording, parse.schema, parse.wording.pack
    born = wording.is_time(measures) and any(measure <= wording.ages for measure in measures)
    told = born or bool(measures and measures[0] <= wording.ages)
    person = (bare or bound.unit is not None) and wording.names.is_person(host.cls)
    has = pack.analytic and bound.unit is not None  # elle a plus de 30 ans
    told |= person and not wording.is_time(measures) and (has or _is_bare(parse, bound))
    aged = any(wording.is_age(one) and schema.has(host.cls, one) for one in schema.relations)
    year = pack.english.units[pack.english.stem("year")]
    if bound.date is not None or not told or aged or (bound.unit is not None and pack.units.get(bound.unit) != year):
        return None
    begins = beginnings(pack)
    dates = [one for one in schema.relations if is_date(wording.names, one) and schema.has(host.cls, one)]
    fits = {one: wording.fit(one, begins) for one in dates if wording.tells_age(one, host.cls, begins)}
    return max((one for one in fits if fits[one] > LEAST_FIT), key=fits.__getitem__, default=None)


def _limit_ages(parse: Parse, bound: Bound, host: Thing, relation: str, measures: Measures) -> None:
    """Limit the ages of things by their dates; who is older was born earlier, and is more years old."""
    turns = parse.wording.is_time(measures) and not measures[0] <= parse.wording.ages

    def condition(value: Variable) -> Expression:
        whole, today = has_days(parse.schema, relation), Call("STR", (Call("NOW", ()),))
        age = between(day_of(value, whole=whole), today, "YEARS")
        signs = [TURNED[one.operator] if turns else one.operator for one in bound]
        ends = [number(one.value or 0) for one in bound]
        tests = [patterns.Comparison(age, sign, end) for sign, end in zip(signs, ends, strict=True)]
        return tests[0] if len(tests) == 1 else Logic(tuple(tests))

    words = frozenset((*range(bound[0].start, bound_end(parse.analysis, bound)), *range(bound[0].start, bound[0].end)))
    parse.constraints.append(Constraint(host.id, relation, choices=(condition,), said=words))


def _is_bare(parse: Parse, bound: Comparison) -> bool:
    """Return whether a number may be an age: those with more than 40, and more than 40, are none."""
    sentence = parse.wording.sentence
    counts = any(sentence.compare(word, bound.start) for word in ("more", "less"))
    return not counts and not (bound.start and sentence.compare("having", bound.start - 1) is not None)


def _age(parse: Parse, thing: Thing, bound: Comparison) -> str | None:
    """Return the relation that holds the ages of things, which a bare number compares: singers over 40."""
    wording = parse.wording
    if not _is_bare(parse, bound):
        return None
    own = (one for one in parse.schema.relations if parse.schema.has(thing.cls, one))
    return min(filter(wording.is_age, own), key=lambda one: len(wording.names.stems_of(one)), default=None)


def _amount(parse: Parse, thing: Thing) -> str | None:
    """Return the only number called after the things that have it: fines over 500, whose fine amount that is."""
    schema, names = parse.schema, parse.wording.names
    own, uncounted = {name.stems for name in names.of(thing.cls)}, names.packs[-1].data.naming.uncounted
    having = (one for one in schema.relations if schema.has(thing.cls, one) and schema.value_kind(one) == "number")
    found = [one for one in having if any(name.stems[:-1] in own for name in names.of(one))]
    return found[0] if len(found) == 1 and names.heads(found[0])[0] not in uncounted else None


def _dates(parse: Parse, thing: Thing, bound: Comparison, within: range) -> dict[str, frozenset[int]]:
    """Return the dates of a thing, with the words that are a part of their names: *open*, and opening time.

    A word that stands for a step to something else may say when, too: "founded in 1975, and by whom".
    """
    literal, names = parse.schema.is_literal, parse.wording.names
    taken = {at for one in parse.tagged.spans if one.kind != "relation" or literal(one.iri) for at in one.positions}
    steps = [one for one in parse.tagged.spans if one.kind == "relation" and not literal(one.iri)]
    meant = {at: names.stems_of(one.iri) for one in steps for at in one.positions}
    found = {}
    for relation in parse.schema.relations if bound.date is not None else ():
        if parse.schema.has(thing.cls, relation) and _is_dated(parse, relation, bound):
            stems, words = names.stems_of(relation), parse.analysis.words
            free = [at for at in within if at not in taken]
            said = frozenset(at for at in free if stems & meant.get(at, {words[at].stem}))
            if any(words[at].stem in stems and is_of_past(relation, at, parse.analysis, names) for at in within):
                continue
            other = parse.wording.is_other_birth(relation, (frozenset({"date"}),))  # who started then
            if said or not (other and any(not words[at].empty for at in free)):
                found[relation] = said
    return found


def _may_hold(parse: Parse, relation: str, bound: Comparison) -> bool:
    """Return whether the values of a relation may be held against what a bound says."""
    if is_recurring(bound.date):
        return _is_dated(parse, relation, bound)
    if bound.date is None:
        return parse.schema.value_kind(relation) == "number"
    return _is_dated(parse, relation, bound) or (has_years(parse.schema, relation) and len(bound.date) <= _YEAR)


def _is_dated(parse: Parse, relation: str, bound: Comparison) -> bool:
    """Return whether a relation has dates, or what comes again as the date of a bound does."""
    if is_recurring(bound.date):
        return parse.schema.is_literal(relation) and has_part(parse.schema.sample(relation), bound.date or "")
    dated = parse.schema.value_kind(relation) == "date"
    dated &= parse.schema.relations[relation].datatypes.keys() != {XSD + "time"}
    if bound.operator == "=" and bound.date and len(bound.date) > _YEAR:  # no year tells the month of anything
        return dated and not parse.schema.relations[relation].datatypes.keys() <= {XSD + "gYear"}
    called = any("year" in fold(name.text) for name in parse.wording.names.of(relation))
    return dated or (called and has_years(parse.schema, relation))


def _reached_date(parse: Parse, host: Thing, bound: Comparison) -> tuple[Thing, str] | None:
    """Return the first date of things that one step leads to, as to what states a fact."""
    for relation in parse.schema.relations:
        ways = parse.schema.ways_to_relation(host.cls, relation) if _is_dated(parse, relation, bound) else ()
        if ways and len(ways[0]) == 1:
            parse.strained += 1
            return parse.change(replace(parse.add(ways[0][-1].target), parent=host.id, way=ways[0])), relation
    return None


def _count_limit(parse: Parse, bound: Bound, counted: Thing, said: frozenset[int]) -> bool:
    """Constraint how many things there are for each of what is asked for; return whether there is such a thing."""
    key = next((one for one in parse.columns if one.thing == counted.id and one.relation and not one.function), None)
    relation = key.relation if key is not None and len(bound) == 1 else ""
    shown = (parse.things[one.thing] for one in parse.columns if one.thing != counted.id and not one.function)
    before = (one for one in parse.things if one.id != counted.id and not one.terms and 0 <= one.at < counted.at)
    owner = counted if relation else next(itertools.chain(shown, before), None)
    if owner is None and parse.analysis.answer_type == "boolean":  # of a named thing, or how many there are at all
        owner = next((one for one in parse.things if one.id != counted.id and len(one.terms) == 1), counted)
    if owner is None:
        return False
    for one in bound:
        assert one.value is not None
        limit = Constraint(owner.id, relation, counted=counted.id, sign=one.operator, bound=one.value, said=said)
        parse.constraints.append(limit)
    return True


def _value_limit(parse: Parse, bound: Bound, thing: Thing, relation: str, said: frozenset[int]) -> None:
    if all(one.date is not None and len(one.date) <= _YEAR for one in bound):
        relation = parse.wording.names.year_of(relation, thing.cls) or relation
    if all(_in_unit(parse, one, relation) is not None for one in bound):
        said |= frozenset(range(bound[0].start, bound[0].end))
    parse.constraints.append(Constraint(thing.id, relation, choices=(_condition(parse, bound, relation),), said=said))


def _condition(parse: Parse, bound: Bound, relation: str) -> Callable[[Variable], Expression]:
    """Return what makes the condition of a bound from the variable of the value."""
    sample = parse.schema.sample(relation)

    def condition(value: Variable) -> Expression:
        tests: list[Expression] = []
        for one in (_turned(parse, limit, relation) for limit in bound):
            if one.date is not None:
                tests.append(held_against_date(value, one.operator, one.date, sample))
            else:
                assert one.value is not None
                size = _in_unit(parse, one, relation)
                tests.append(held_against_number(value, one.operator, one.value if size is None else size))
        return tests[0] if len(tests) == 1 else Logic(tuple(tests))

    return condition


def _turned(parse: Parse, bound: Comparison, relation: str) -> Comparison:
    """Return a bound put the other way round where a relation holds the ages that it compares as dates."""
    turns = bound.date is None and counts_down(parse, bound.measures, relation)
    return replace(bound, operator=TURNED[bound.operator]) if turns else bound


def _in_unit(parse: Parse, bound: Comparison, relation: str) -> float | None:
    """Return a bound in the unit of a relation's numbers; None where they, or the bound, have none."""
    return None if bound.value is None else parse.wording.in_unit(bound.value, bound.unit, relation)


def _contradict(one: Comparison, other: Comparison) -> bool:
    """Return whether nothing is within two bounds."""
    low, high = (one, other) if one.operator.startswith(">") else (other, one)
    if not low.operator.startswith(">") or not high.operator.startswith("<"):
        return False
    if low.date is not None and high.date is not None:
        return low.date >= high.date
    return low.value is not None and high.value is not None and low.value >= high.value
