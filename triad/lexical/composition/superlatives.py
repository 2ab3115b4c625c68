"""Superlatives: the greatest and the least, by a value, by an aggregate or by how many there are."""

from collections.abc import Sequence
from dataclasses import replace

from triad.language.operators import Operator, is_of_frequency
from triad.language.pack import Measures
from triad.language.quantities import number_at
from triad.lexical.composition.demands import counted_again
from triad.lexical.composition.elements import Column, Extreme, Span, Thing
from triad.lexical.composition.measuring import counts_down, measured_near
from triad.lexical.composition.parse import Parse
from triad.lexical.composition.wording import NEAR
from triad.lexical.matching import LEAST_FIT
from triad.phases.construction import CLEAR
from triad.rdf import IRI


def place_superlatives(parse: Parse) -> None:
    """Make extremes of the superlatives that ask for no value themselves."""
    for index, operator in enumerate(parse.tagged.operators):
        if operator.kind != "superlative" or index in parse.used or operator.start >= parse.sorted_from:
            continue
        if any(bound[0].start <= operator.start < bound[0].end for bound in parse.tagged.bounds):
            continue
        _superlative(parse, _several(parse, operator))
    for span in parse.tagged.spans:
        if (thing := parse.thing_of(span)) is not None and span.kind in ("class", "relation"):
            _of_all(parse, span, thing)


def _of_all(parse: Parse, span: Span, thing: Thing) -> None:
    """Read the superlative that a name has in it: the highest point of many states is the highest of their points."""
    inside = (one for one in parse.wording.superlatives if span.start <= one.start and one.end <= span.end)
    operator = next(inside, None)
    if operator is None or thing.terms or (thing.parent is not None and parse.things[thing.parent].terms):
        return
    if found := measured_near(parse, thing, operator.measures):
        _value_extreme(parse, operator, *found, _words(operator))


def _several(parse: Parse, operator: Operator) -> Operator:
    """Return a superlative with the number that stands before what it chooses from: "the five cities with the most"."""
    first = next((one for one in parse.tagged.spans if one.kind in ("class", "relation", "name")), None)
    if first is None or first.start == 0 or first.start > operator.start or (operator.first, operator.count) != (1, 1):
        return operator
    number = number_at(parse.wording.sentence, first.start - 1)
    if number is None or number[1] != first.start or number[2] or not 2 <= number[0] <= 1000:
        return operator
    return replace(operator, count=int(number[0]))


def place_order(parse: Parse) -> None:
    """Sort what is given as words say: by a value, by how many things there are, or by what is given itself."""
    last = (one for one in parse.tagged.operators if one.start >= parse.sorted_from)
    sorting = [one for one in last if one.kind in ("sort", "order")]
    if _by_value(parse, sorting) or not sorting:
        return
    said = frozenset(at for one in sorting for at in range(one.start, one.end))
    direction = next((one for one in sorting if one.kind == "order"), sorting[0])
    first = sorting[0].end
    key = next((one for one in parse.tagged.spans if one.start >= first and one.kind in ("relation", "class")), None)
    owner = next((parse.things[one.thing] for one in parse.columns if not one.relation), None)
    if key is not None and key.kind == "class" and owner is not None:
        counted = parse.add(key.iri, key, typed=True)
        parse.order = Extreme(owner.id, "", counted.id, None, direction.descending, 1, 0, said)
        return
    found: tuple[Thing, str] | None = None
    if key is not None and key.kind == "relation":
        thing = parse.owner(key.iri, key)
        if parse.schema.is_literal(key.iri):
            found = thing, key.iri
    elif (measures := direction.measures or _said_measure(parse, first)) and (host := _host(parse, direction, None)):
        found = measured_near(parse, host, measures)
        if found is None and not direction.measures:
            return
    if found is None:
        plain = owner if not any(one.function for one in parse.columns) else None
        name = parse.schema.name_of(plain.cls) if plain else None
        parse.order = Extreme(-1, descending=direction.descending, count=0, said=said)
        if plain and name:
            parse.order = replace(parse.order, thing=plain.id, relation=name)
        return
    thing, relation = found
    parse.order = Extreme(thing.id, relation, None, None, _turned(parse, direction, relation), 1, 0, said)


def _said_measure(parse: Parse, at: int) -> Measures:
    """Return the quantity that stands at a position: sorted by weight."""
    sentence = parse.wording.sentence
    at = sentence.skip_empty(at, 2)
    noun = sentence.pack.measures.longest(sentence.stems, at)
    return sentence.names(at, noun[0]) if noun else ()


def _by_value(parse: Parse, sorting: Sequence[Operator]) -> bool:
    """Sort by the value behind "by", and show it where no direction follows; return whether there is such a value."""
    key = parse.tagged.spans[-1] if parse.tagged.spans else None
    plain = not parse.extremes and len(parse.tagged.operators) == sum(one.kind == "order" for one in sorting)
    columns = parse.columns[:1] if plain else []
    if key is None or not columns or columns[0].relation or columns[0].function or not parse.is_value(key):
        return False
    end = min((one.start for one in sorting), default=len(parse.analysis.words))
    by = parse.wording.sentence.compare("by", key.start - 1) == key.start
    if id(key) in parse.asked or key.end != end or not by:
        return False
    thing = parse.owner(key.iri, key)
    if thing.id != columns[0].thing:
        return False
    parse.taken.add(id(key))
    said = frozenset(key.positions).union(*(range(one.start, one.end) for one in sorting))
    if not sorting:
        parse.columns.append(Column(thing.id, key.iri, said=said, optional=True))
    parse.order = Extreme(thing.id, key.iri, None, None, any(one.descending for one in sorting), 1, 0, said)
    return True


def _superlative(parse: Parse, operator: Operator) -> None:
    """Make the extreme of one superlative."""
    operand = parse.tagged.operand(operator)
    if operand is not None and is_of_frequency(operator, parse.wording.pack) and parse.is_value(operand):
        _commonest(parse, operator, parse.things[0])
        return
    if operator.counted and operand is not None:
        if operand.kind == "class" and (counted := parse.thing_of(operand)):
            if any(one.thing == counted.id and not one.relation for one in parse.columns):  # which case cites most
                others = (one for one in parse.things if one.id != counted.id and not one.terms)
                counted = next((one for one in others if parse.schema.meet(one.cls, counted.cls)), counted)
            _count_extreme(parse, operator, counted, _words(operator))
            return
        if operand.kind == "relation" and parse.schema.value_kind(operand.iri) != "date":
            _named_extreme(parse, operator, operand)
            return
    if operand is not None and operand.kind == "class":  # the lowest savings *balance*
        behind = (one for one in parse.tagged.spans if one.start == operand.end and _is_measure(parse, one, operator))
        operand = next((one for one in behind if parse.schema.has(operand.iri, one.iri)), operand)
    if operand is not None and _is_measure(parse, operand, operator):
        between = (one for one in parse.tagged.operators if operator.end <= one.start and one.end <= operand.start)
        aggregate = next((one.function for one in between if one.kind == "aggregate"), "")
        _named_extreme(parse, operator, operand, aggregate)
        return
    last = next((span for span in reversed(parse.tagged.spans) if span.end <= operator.start), None)
    free = operand is None or operand.kind == "thing" or bool(operator.measures)
    if free and last is not None and operator.start - last.end <= 1:
        if _is_measure(parse, last, operator):
            _named_extreme(parse, operator, last)
            return
        if _tells_other_age(parse, last, operator):
            return  # who died youngest is neither who died last nor who was born last
    if operand is not None and operand.iri in parse.schema.amounts and not operator.counted:
        _amount_extreme(parse, operator, operand)
        return
    if (host := _host(parse, operator, operand)) is None:
        return
    if (ranked_by := _ranked_by(parse, operator, host)) is not None:
        parse.taken.add(id(ranked_by))
        _value_extreme(parse, operator, host, ranked_by.iri, _words(operator, ranked_by))
        return
    if found := measured_near(parse, host, operator.measures):
        thing, relation = found
        _value_extreme(parse, operator, thing, relation, _words(operator))
        parse.extremes[-1] = replace(parse.extremes[-1], alike=_as_well(parse, operator, thing, relation))
        return
    _commonest(parse, operator, host)


def _words(operator: Operator, span: Span | None = None) -> frozenset[int]:
    return frozenset(range(operator.start, operator.end)).union(span.positions if span is not None else ())


def _is_measure(parse: Parse, span: Span, operator: Operator) -> bool:
    """Return whether a superlative may be of a value: the latest is of a date, and the longest of none."""
    is_one = (operator.first, operator.count) == (1, 1)  # of "the three highest prices" it is, and they are asked for
    if (is_one and id(span) in parse.asked) or not parse.is_value(span):
        return False
    is_date = parse.schema.value_kind(span.iri) == "date"
    if is_date and _tells_other_age(parse, span, operator):
        return False
    return not is_date or not (operator.measures or operator.counted) or parse.wording.is_time(operator.measures)


def _tells_other_age(parse: Parse, span: Span, operator: Operator) -> bool:
    """Return whether a superlative compares ages, and words stand for another date than that of a birth."""
    wording, measures = parse.wording, operator.measures
    if not (parse.is_value(span) and any(measure <= wording.ages for measure in measures)):
        return False
    return not all(wording.tells_age(span.iri, one, measures) for one in parse.schema.sources(span.iri))


def _named_extreme(parse: Parse, operator: Operator, span: Span, aggregate: str = "") -> None:
    """Read the greatest of a relation: its highest value, the most things that it leads to, or the most in all."""
    said = _words(operator) | parse.take(span)
    thing = parse.owner(span.iri, span, several=True)
    if parse.schema.is_counted(span.iri):
        _count_extreme(parse, operator, parse.end(thing, span.iri, span), said)
    elif parse.is_value(span):
        owner = next((parse.things[one.thing].cls for one in parse.columns if not one.relation), thing.cls)
        way = next(iter(parse.schema.ways_to_relation(owner, span.iri)), ())
        own = thing.at < 0 and way and all(parse.schema.is_single(link.reverse) for link in way)
        if operator.counted and own and parse.wording.names.is_several(span.iri):
            aggregate = "SUM"  # the show with the most listeners is that of all its episodes
        _value_extreme(parse, operator, thing, span.iri, said, aggregate)


def _amount_extreme(parse: Parse, operator: Operator, span: Span) -> None:
    """Read the greatest of things that stand for a number, among those of what has them: the lowest price."""
    parse.taken.add(id(span))
    thing = parse.thing_of(span) or parse.end(parse.owner(span.iri, span, several=True), span.iri, span)
    _value_extreme(parse, operator, thing, parse.schema.amounts[span.iri], _words(operator, span))
    asked = next((one.thing for one in parse.columns if one.thing != thing.id), thing.parent)
    if asked is not None:
        parse.extremes[-1] = replace(parse.extremes[-1], host=asked)


def _host(parse: Parse, operator: Operator, operand: Span | None) -> Thing | None:
    """Return the things of which one is the greatest: those that the superlative stands before, else the last ones."""
    thing = parse.thing_of(operand)
    if operand is not None and thing is not None and (operand.kind == "class" or thing.parent is not None):
        return thing
    several = [thing for thing in parse.things if len(thing.terms) != 1]
    before = [thing for thing in several if 0 <= thing.at <= operator.start]
    return max(before, key=lambda thing: thing.at, default=None) or next(iter(several), None)


def _commonest(parse: Parse, operator: Operator, host: Thing) -> None:
    """Read a superlative that no value fits: the rarest, the most common."""
    other = next((one for one in parse.things if one.id != host.id and not one.terms), None)
    if parse.columns and all(one.thing != host.id for one in parse.columns):
        other = host  # the most common nationality among players
    values = (parse.schema.relations[one.relation] for one in parse.columns if one.relation)
    if is_of_frequency(operator, parse.wording.pack) and all(one.is_key for one in values):
        links = sorted(parse.schema.links(host.cls), key=lambda link: (link.forward, -link.share))
        if other is None and links:
            other = parse.change(replace(parse.add(links[0].target), parent=host.id, way=(links[0],)))
        if other is not None:
            _count_extreme(parse, operator, other, _words(operator))
            return
    key = next((one for one in parse.columns if one.relation and not one.function), None)
    common = operator.counted or is_of_frequency(operator, parse.wording.pack)
    if key is not None and common:  # "the most common location" is that of most things
        parse.strained += 1
        said = _words(operator)
        made = Extreme(key.thing, "", key.thing, key, operator.descending, operator.first, operator.count, said)
        parse.extremes.append(made)
        if (count := counted_again(parse.tagged)) is not None:  # "and how many are there?"
            parse.columns.append(Column(key.thing, "", "COUNT", said=frozenset(range(count.start, count.end))))


def _ranked_by(parse: Parse, operator: Operator, host: Thing) -> Span | None:
    """Return what things are ranked by: "the largest by population", or in it, and not "the cheapest in stock"."""
    own = (one for one in parse.schema.relations if parse.schema.has(host.cls, one))
    is_measured = any(parse.wording.fit(one, operator.measures) > LEAST_FIT for one in own)
    for span in parse.tagged.spans:
        if span.start > operator.end and span.kind == "relation":
            between = range(max(operator.end, span.start - NEAR), span.start)
            by = any(parse.wording.sentence.compare("by", at) is not None for at in between)
            fits = not is_measured or parse.wording.fit(span.iri, operator.measures) > LEAST_FIT
            near = bool(between) and not any(map(parse.wording.sentence.content, between))
            if (by or (near and fits)) and _is_measure(parse, span, operator):
                return span
    return None


def _turned(parse: Parse, operator: Operator, relation: str) -> bool:
    """Return whether the greatest value is asked for: the oldest has the greatest age, but the least year."""
    if operator.counted:
        return operator.descending
    return operator.descending != counts_down(parse, operator.measures, relation)


def _as_well(parse: Parse, operator: Operator, thing: Thing, relation: str) -> tuple[str, ...]:
    """Return the relations of a thing that a superlative means as well as the one that is taken, the best first."""
    kind, falls = parse.schema.value_kind(relation), _turned(parse, operator, relation)
    own = (one for one in parse.schema.relations if parse.schema.has(thing.cls, one))
    alike = (one for one in own if parse.schema.value_kind(one) == kind and IRI(one) not in parse.schema.mixed)
    fits = {one: parse.wording.fit(one, operator.measures) for one in alike}
    near = [one for one, fit in fits.items() if one != relation and fit >= CLEAR * fits.get(relation, 1.0)]
    return tuple(sorted((one for one in near if _turned(parse, operator, one) == falls), key=lambda one: -fits[one]))


def _value_extreme(
    parse: Parse, operator: Operator, thing: Thing, relation: str, said: frozenset[int], aggregate: str = ""
) -> None:
    """Make the extreme of a value, or of an aggregate of the values of each."""
    made = Extreme(thing.id, relation, None, None, _turned(parse, operator, relation), operator.first, operator.count)
    made = replace(made, said=said, host=_among(parse, operator, thing).id)
    owner = next((column.thing for column in parse.columns if column.thing != thing.id), None)
    if aggregate and owner is not None:
        made = replace(made, thing=owner, counted=thing.id, host=None, aggregate=aggregate)
    parse.extremes.append(made)


def _among(parse: Parse, operator: Operator, thing: Thing) -> Thing:
    """Return the things that words choose among by a value of some things: these, or what they are things of."""
    if thing.at < 0 and thing.parent is None:
        return _host(parse, operator, None) or thing
    if thing.parent is not None and not 0 <= parse.things[thing.parent].at < thing.at:
        return parse.things[thing.parent]
    return thing


def _count_extreme(parse: Parse, operator: Operator, counted: Thing, said: frozenset[int]) -> None:
    """Make the extreme of how many things there are, for each of what is asked for."""
    if amount := parse.wording.names.tallies.get(counted.cls):
        _value_extreme(parse, operator, counted, amount, said | counted.said, "SUM")
        return
    others = (one for one in parse.columns if one.thing != counted.id and (one.relation or not one.key))
    owner = next((parse.things[column.thing] for column in others), None) or next(
        (thing for thing in parse.things if thing.id != counted.id and not thing.terms), None
    )
    key = next((column for column in parse.columns if column.thing == counted.id and column.relation), None)
    if owner is None and key is None:
        return
    of = owner.id if owner is not None and key is None else counted.id
    said |= counted.said
    parse.extremes.append(Extreme(of, "", counted.id, key, operator.descending, operator.first, operator.count, said))
