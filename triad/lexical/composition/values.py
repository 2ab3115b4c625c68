"""Values: texts and bare numbers that relations have, and what is held against averages and other things."""

import itertools
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from triad.language.comparisons import Comparison
from triad.language.quantities import number_at, ordinal_at
from triad.lexical.composition.bounds import place_count
from triad.lexical.composition.elements import Constraint, Extreme, Span, Thing
from triad.lexical.composition.measuring import TURNED, counts_down, measured_relation
from triad.lexical.composition.parse import Parse
from triad.lexical.composition.tagging import bound_end
from triad.lexical.composition.wording import Wording
from triad.lexical.matching import LEAST_FIT
from triad.rdf import number
from triad.sparql.patterns import Call, Comparison as Comparing, Expression, Not, Variable


def place_texts(parse: Parse) -> None:
    """Make constraints of the texts that are values of relations."""
    for span in parse.tagged.spans:
        if span.kind != "text" or id(span) in parse.taken or id(span) in parse.asked:
            continue
        parse.taken.add(id(span))
        said = frozenset(span.positions)
        if (near := parse.adjacent_relation(span)) is not None and near.iri == span.iri:
            parse.taken.add(id(near))
            said |= frozenset(near.positions)
        before = parse.joined_before(span)
        joined = before if before is not None and before[0].iri == span.iri else None
        own = ((at, one.options) for at, one in enumerate(parse.constraints) if one.relation == span.iri)
        known = [at for at, texts in own if texts and (joined[0].text in texts if joined else _both(parse))]
        if known:  # of both: a player of gender "M" and a player of gender "F"
            one = parse.constraints[known[0]]
            both = _both(parse) or not parse.schema.relations[span.iri].functional
            every = both and (not joined or joined[1] != "or")
            options = (*one.options, span.text)
            parse.constraints[known[0]] = replace(one, options=options, said=one.said | said, every=every)
            continue
        thing = parse.owner(span.iri, span)
        parse.constraints.append(Constraint(thing.id, span.iri, options=(span.text,), said=said))


def _both(parse: Parse) -> bool:
    return any(one.kind == "both" for one in parse.tagged.operators)


def place_averages(parse: Parse) -> None:
    """Read what is held against an average: "older than average", "with a price above the average"."""
    for index, operator in enumerate(parse.tagged.operators):
        if operator.function != "AVG" or index in parse.used:
            continue
        if (beyond := parse.wording.beyond(operator)) is None:
            continue
        at, degree, greater = beyond
        said = frozenset(range(at, operator.end))
        near = parse.adjacent_relation(Span("text", at, operator.end, "", 1.0))
        relation = thing = None
        if near is not None and parse.schema.value_kind(near.iri) == "number":
            parse.taken.add(id(near))
            relation, thing = near.iri, parse.owner(near.iri, near)
            said |= frozenset(near.positions)
        elif degree is not None:
            for host in sorted((one for one in parse.things if one.at >= 0), key=lambda one: abs(one.at - at)):
                if (relation := measured_relation(parse, host, degree.measures)) is not None:
                    thing = host
                    break
        if relation is not None and thing is not None:
            turned = degree is not None and counts_down(parse, degree.measures, relation)
            parse.constraints.append(Constraint(thing.id, relation, above_average=greater != turned, said=said))
            parse.used.add(index)


def _opener(parse: Parse, at: int) -> str:
    """Return how words before a position compare with what follows: above, at least."""
    sentence = parse.wording.sentence
    for start in range(max(0, at - 3), at):
        for name, sign in (("at_least", ">="), ("at_most", "<="), ("greater", ">"), ("smaller", "<")):
            end = sentence.compare(name, start)
            if end is not None and all(parse.analysis.words[one].empty for one in range(end, at)):
                return sign
    return "="


def _joined_number(parse: Parse, said: frozenset[int], value: float) -> bool:
    """Read a number that is joined to the one before: "grade 9 or 10"; return whether it is."""
    for index in reversed(range(len(parse.constraints))):
        limit = parse.constraints[index]
        if not limit.choices or limit.sign != "=" or max(limit.said) >= min(said):
            continue
        if how := parse.wording.joined(max(limit.said) + 1, min(said)):
            choices = (*limit.choices, _held("=", value))
            every = how != "or" and _both(parse)
            parse.constraints[index] = replace(limit, choices=choices, every=every, said=limit.said | said)
        return bool(how)
    return False


def place_rivals(parse: Parse) -> None:
    """Read what is held against another thing: "more expensive than Metformin"."""
    for comparison in (*parse.analysis.comparisons, *own_comparisons(parse.tagged.spans, parse.wording)):
        if comparison.than is None or comparison.difference:
            continue
        behind = range(min(comparison.end, comparison.than), comparison.than + 2)  # "than The Storm"
        span = next((one for one in parse.tagged.spans if one.kind == "thing" and one.start in behind), None)
        if span is None or id(span) not in parse.of_span:
            _hold_against_own(parse, comparison)
            continue
        rival = parse.things[parse.of_span[id(span)]]
        host = next((one for one in parse.things if one.id != rival.id and parse.schema.meet(one.cls, rival.cls)), None)
        if host is None:
            continue
        said = frozenset(range(comparison.start, comparison.end))
        equal = comparison.operator == "="
        near = _compared(parse, comparison, host)
        if near is not None:
            relation: str | None = near.iri
            parse.taken.add(id(near))
            said |= frozenset(near.positions)
        else:
            relation = measured_relation(parse, host, comparison.measures)
        counted = next((one for one in parse.tagged.spans if comparison.start <= one.start < comparison.than), None)
        number = parse.thing_of(counted) if counted is not None and counted.kind == "class" else None
        if relation is None and not equal and number not in (None, host, rival) and len(host.terms) < 2:
            more = comparison.operator == ">"
            parse.extremes.append(Extreme(host.id, counted=number.id, descending=more, said=said, than=rival.id))
            parse.apart.add(rival.id)
        if relation is None:
            continue
        if equal:  # which cost as much as it: the cost is no answer
            for at, one in enumerate(parse.columns):
                parse.columns[at] = replace(one, relation="") if (one.relation, one.function) == (relation, "") else one
        sign = comparison.operator
        if counts_down(parse, comparison.measures, relation):
            sign = TURNED[sign]
        parse.constraints.append(Constraint(host.id, relation, than=rival.id, sign=sign, said=said | rival.said))
        parse.apart.add(rival.id)


def _compared(parse: Parse, comparison: Comparison, host: Thing) -> Span | None:
    """Return the words for what is compared, within the comparison or before it: *born* in the same year as."""
    equal, start, than = comparison.operator == "=", comparison.start, comparison.than or 0
    kinds = ("number", "date", "text") if equal else ("number", "date")
    spans = [one for one in parse.tagged.spans if one.end <= than]
    values = [one for one in spans if one.kind == "relation" and parse.schema.value_kind(one.iri) in kinds]
    if not equal:
        before = () if comparison.measures else (start,)
        return next((one for one in values if one.start >= start or one.end in before), None)
    values = [one for one in values if parse.schema.has(host.cls, one.iri)]
    said = any(one.start >= start for one in spans)
    words = [word for word in parse.analysis.words[start:than] if not word.empty]
    plain = not said and (parse.wording.asked_part or not words) and not comparison.measures
    if plain and words:
        values = [one for one in values if parse.schema.value_kind(one.iri) == "date"]
    return next((one for one in reversed(values) if one.start >= start or plain), None)


def place_lacking(parse: Parse) -> None:
    """Read words for what is not there: who is alive has no past date of death, and what is sold out a stock of 0."""
    pack, time = parse.wording.pack, parse.wording.names.time
    keys = [pack.key(word.text) for word in parse.analysis.words]
    hosts = [one for one in parse.things if not one.terms or parse.analysis.answer_type == "boolean"]
    said = {one.end for one in parse.tagged.spans if one.kind in ("text", "thing") or one.kind_by}  # open, a status
    for at, end, measures in pack.lacking.apart(keys) if hosts else ():
        host = min(hosts, key=lambda one: abs(one.at - at))
        able = [one for one in parse.schema.relations if end not in said and parse.can(host.cls, one)]
        best = max(able, key=lambda one: parse.wording.fit(one, measures), default=None)
        events = tuple(one - time or one for one in measures)  # a closing date is not any date
        if best is not None and min(parse.wording.fit(best, one) for one in (measures, events)) > LEAST_FIT:
            words = frozenset(range(at, end))
            # Who has a place of death is not alive, even if its date is not known.
            for one in able if (event := parse.wording.names.event_of(best)) else [best]:
                if one == best or event <= parse.wording.names.stems_of(one):
                    kind = parse.schema.value_kind(one)
                    tests = (is_none,) if kind == "number" else (is_past,) if kind == "date" else ()
                    made = Constraint(host.id, one, choices=tests, negated=kind != "number", said=words)
                    parse.constraints.append(made)


def own_comparisons(spans: Iterable[Span], wording: Wording) -> Iterator[Comparison]:
    """Yield where words hold something against a value of its own: sold above *their* high estimate."""
    sentence, forms = wording.sentence, wording.pack.references.possessives
    values = (one for one in spans if one.kind == "relation" and wording.schema.value_kind(one.iri) == "number")
    before = {sentence.words[one.start - 1] for one in values if one.start}
    ends = {word.start for word in before if any(form.match(sentence.text, word.start) for form, _ in forms)}
    known = {one.start for one in wording.analysis.comparisons}
    for at, name in itertools.product(range(len(sentence)) if ends else (), ("greater", "smaller")):
        end = sentence.compare(name, at) if at not in known else None
        if end and end < len(sentence) and sentence.words[end].start in ends:
            apart = any(sentence.compare("difference", one) for one in range(at))  # by how much
            yield Comparison(start=at, end=end, operator=">" if name == "greater" else "<", than=end, difference=apart)


def _hold_against_own(parse: Parse, comparison: Comparison) -> None:
    """Read a value that is held against another one of the same thing: more wins than losses."""
    assert comparison.than is not None
    numbers = [one for one in parse.tagged.spans if parse.is_value(one)]
    other = next((one for one in numbers if comparison.than <= one.start <= comparison.than + 1), None)
    before = [one for one in numbers if one.end <= comparison.than and one is not other]
    if other is None or not before:
        return
    own = max(before, key=lambda one: one.start)
    thing = parse.owner(own.iri, own)
    if not parse.schema.has(thing.cls, other.iri) or own.iri == other.iri:
        return
    parse.taken |= {id(own), id(other)}
    parse.columns = [one for one in parse.columns if one.relation not in (own.iri, other.iri) or one.function]
    said = frozenset((*range(comparison.start, comparison.end), *own.positions, *other.positions))
    parse.constraints.append(Constraint(thing.id, own.iri, against=other.iri, sign=comparison.operator, said=said))


def place_numbers(parse: Parse) -> None:
    """Read bare numbers beside a relation, "grade 10", "4 cylinders", and before what is counted: "two members"."""
    tagged = {at for span in parse.tagged.tagging.spans for at in span.positions}
    compared = {at for one in parse.analysis.comparisons for at in range(one.start, one.end)}
    tagged |= {at for one in parse.tagged.bounds for at in range(one[0].start, bound_end(parse.analysis, one))}
    tagged |= {at for one in parse.tagged.operators for at in range(one.start, one.end)}
    words, negations = parse.analysis.words, [one for one in parse.tagged.operators if one.kind == "not"]
    dated = (one for one in parse.analysis.comparisons if one.date is not None)
    tagged |= {at for one in dated for at in range(one.start + 1, one.end) if words[at - 1].empty}  # in 2021
    for at in range(len(words)):
        if at in tagged or at >= parse.sorted_from:
            continue
        read = number_at(parse.wording.sentence, at)
        if rank := ordinal_at(parse.wording.sentence, at):
            read = (float(rank), at + 1, None)  # on the third floor
        elif read is None or (read[0] >= 0 and (read[1] != at + 1 or (read[0] < 2 and not words[at].text.isdigit()))):
            continue  # "one" may stand for a thing, or be an article
        value, end, _ = read
        said = frozenset(range(at, end))
        tagged |= said  # minus five is not five
        plain = rank or any(c.isdigit() for c in words[end - 1].text)  # "twice as long" is no length of two
        start = next((one.start for one in negations if one.end == at), at)  # whose age is not 20
        near = parse.adjacent_relation(Span("text", start, end, "", 1.0), reach=1 if plain else 0)
        kind = parse.schema.value_kind(near.iri) if near is not None else "thing"
        after = next((span for span in parse.tagged.spans if span.start == end), None)
        definite = not rank and at > 0 and words[at - 1].folded in parse.wording.pack.data.references.definite
        if definite and after is not None and (thing := parse.thing_of(after)) is not None and after.kind == "class":
            parse.say(thing.id, at)  # how many the two cinemas are is known
            continue
        if after is not None and after.kind == "class" and value >= 1 and _asks_for_some(parse, at):
            parse.order = Extreme(-1, descending=False, count=int(value), said=said)  # name three rivers
            continue
        exactly = Comparison(start=at, end=end, operator="=", value=value)
        if kind == "thing" and not rank and at not in compared and place_count(parse, (exactly,), None, after):
            continue
        if near is None and parse.constraints and _joined_number(parse, said, value):
            continue
        if near is None or kind not in ("number", "text") or near.iri in parse.schema.truths:
            continue
        thing = parse.owner(near.iri, near)
        parse.taken.add(id(near))
        made = Constraint(thing.id, near.iri, said=said.union(near.positions))
        if kind == "text":
            made = replace(made, options=(words[at].text,))
        else:
            sign = _opener(parse, min(at, near.start))
            made = replace(made, sign=sign, choices=(_held(sign, value),))
        parse.constraints.append(made)


def _asks_for_some(parse: Parse, at: int) -> bool:
    """Return whether a question demands so many of something, whichever they are, and begins with that."""
    sentence, analysis = parse.wording.sentence, parse.analysis
    demands = [one for one in range(at) if sentence.form("ask", one)]
    opens = all(one in analysis.form or analysis.words[one].empty for one in range(at))
    chosen = any(sentence.form("which", one) for one in range(at)) or parse.order or parse.extremes
    return bool(demands) and opens and not chosen and analysis.answer_type == "select" and not parse.tagged.operators


def _held(sign: str, value: float) -> Callable[[Variable], Expression]:
    return lambda one: Comparing(one, sign, number(value))


def is_some(value: Variable) -> Expression:
    """Return the condition that a number is more than 0."""
    return Comparing(value, ">", number(0))


def is_none(value: Variable) -> Expression:
    """Return the condition that a number is not more than 0."""
    return Not(is_some(value))


def is_ahead(value: Variable) -> Expression:
    """Return the condition that a date is not before today."""
    today = Call("SUBSTR", (Call("STR", (Call("NOW", ()),)), number(1), number(10)))
    return Comparing(Call("STR", (value,)), ">=", today)


def is_past(value: Variable) -> Expression:
    """Return the condition that a date is not after today."""
    return Comparing(Call("STR", (value,)), "<=", Call("STR", (Call("NOW", ()),)))
