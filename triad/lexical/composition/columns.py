"""Columns: whose the asked for things and values are, and what stands at the root."""

from dataclasses import replace
from itertools import pairwise
from math import inf
from typing import Final

from triad.language.lexical_database import is_often, is_plural, is_verb_only, kinds
from triad.language.normalize import local_name
from triad.language.relatedness import is_kind_of
from triad.lexical.composition.durations import has_years
from triad.lexical.composition.elements import Column, Constraint, Span, Thing
from triad.lexical.composition.measuring import counts_down, measured_relation
from triad.lexical.composition.parse import Parse
from triad.lexical.composition.partial_query import PartialQuery
from triad.lexical.composition.projections import Projection
from triad.lexical.composition.schema_graph import NO_CLASS
from triad.lexical.composition.wording import Wording
from triad.lexical.matching import LEAST_FIT

_VALUES: Final = 6  # of what has no name that are given
_NAME_PARTS: Final = frozenset(("first name", "given name", "forename", "last name", "family name", "surname"))


def place_columns(parse: Parse) -> Thing | None:
    """Find whose the asked for things and values are; return the root."""
    root: Thing | None = None
    pending: list[tuple[Projection, Span]] = []
    for projection in parse.projections:
        if (span := projection.span) is not None and span.kind in ("relation", "text", "name"):
            pending.append((projection, span))
        elif thing := parse.thing_of(span):
            parse.say(thing.id, *projection.said)
            counted = parse.analysis.answer_type == "count" and thing.terms and len(parse.projections) == 1
            if counted and (holder := _place_amount(parse)):
                return holder  # how many screws a desk has
            _show(parse, thing.id, projection)
            if root is None or (root.terms and not thing.terms):
                root = parse.things[thing.id]
    if not pending and not parse.columns:
        return _implied_root(parse)
    places = len(parse.columns)
    for projection, span in pending:
        parse.taken.add(id(span))
        if span.kind == "name":
            continue
        first = parse.things[parse.columns[0].thing] if projection.further and parse.columns else None
        owner = first if first and parse.can(first.cls, span.iri) else parse.owner(span.iri, span, asked=True)
        _place_value(parse, projection, span, owner)
        root = root or parse.things[owner.id]
    for projection, span in pending:
        if span.kind == "name" and (named := _named_by(parse, span, root, beside=places > 0)):
            root = root or named
            if not any(column.thing == named.id and not column.relation for column in parse.columns):
                _show(parse, named.id, projection)
    if places and pending:
        parse.columns.sort(key=lambda column: min(column.said, default=0))
    return None if root is None else _root_of(parse, root)


def _root_of(parse: Parse, thing: Thing) -> Thing:
    root = parse.things[thing.id]
    while root.parent is not None:
        root = parse.things[root.parent]
    return root


def place_names(parse: Parse, root: Thing) -> None:
    """Give what things without names of their own belong to where words ask for names or persons: who has a role."""
    names, words = parse.wording.names, parse.analysis.words
    called = any(span.kind == "name" for span in parse.tagged.spans)
    texts = [span for span in parse.tagged.spans if span.kind == "text" and id(span) in parse.asked]
    persons = any(names.means_people(words[span.end - 1].folded, rarely=True) for span in texts)
    persons |= bool(texts and parse.analysis.expected & {"person", "organisation"})  # who chairs it
    known = {one.cls for one in parse.things if one.terms}
    for at, column in enumerate(parse.columns) if called or persons else ():
        thing = parse.things[column.thing]
        itself = column.relation or (column.function and not persons) or thing.terms
        holder = None if itself else names.named_by(thing.cls, among_others=persons, known=known)
        if holder is not None:
            loose = [one for one in parse.things if one.parent is thing.parent is None and one.id != root.id]
            same = [one for one in loose if one.cls == holder.target and not one.terms]
            place = min(column.said, default=-1) if persons else -1
            named = same[0] if same else replace(parse.add(holder.target), at=place)
            named = replace(named, parent=thing.id, way=(holder,))
            parse.columns[at] = replace(column, thing=parse.change(named).id)


def spelt_out(partial: PartialQuery, wording: Wording) -> PartialQuery:
    """Return a query that gives the values of what has no name: of an address its street, of a dose its unit, too."""
    match partial.columns:
        case (Column(thing=at, relation="", function="") as column,) if wording.analysis.answer_type == "select":
            thing = partial.thing(at)
            values = wording.values_of(thing.cls, thing.way[-1].relation if thing.way and thing.way[-1].forward else "")
            if values and not thing.terms:
                shown = (replace(column, relation=one, optional=len(values) > 1) for one in values[:_VALUES])
                return replace(partial, columns=tuple(shown))
    return partial


def by_whole_name(partial: PartialQuery, wording: Wording) -> PartialQuery:
    """Return a query that gives things by their names where their first and last names are asked for."""
    for thing in (one for one in partial.things if not one.terms and wording.schema.name_of(one.cls)):
        own = {local_name(one.relation).lower(): one for one in partial.columns if one.thing == thing.id}
        fixed = [one.key for one in partial.extremes]
        parts = [one for name, one in own.items() if name in _NAME_PARTS and not one.function and one not in fixed]
        if len(parts) == 2 and wording.schema.name_of(thing.cls) not in {one.relation for one in parts}:
            whole = Column(thing.id, key=any(one.key for one in parts), said=parts[0].said | parts[1].said)
            shown = (whole if one is parts[0] else one for one in partial.columns if one is not parts[1])
            partial = replace(partial, columns=tuple(shown))
    return partial


def _show(parse: Parse, thing: int, projection: Projection, *, optional: bool = False) -> None:
    amount = parse.wording.names.tallies.get(parse.things[thing].cls, "")
    for function in projection.functions or ("",):
        relation, made = (amount, "SUM") if amount and function == "COUNT" else ("", function)
        parse.columns.append(Column(thing, relation, made, projection.key, projection.said, optional and not made))


def _is_so(parse: Parse, span: Span) -> bool:
    """Return whether words are for a relation that is true or false, and say themselves of which it is: organic."""
    last = parse.analysis.words[span.end - 1].folded
    is_noun = "n" in kinds(last) and not is_often(last, "a")
    return span.iri in parse.schema.truths and (not is_noun or parse.wording.names.means_people(last))


def _place_value(parse: Parse, projection: Projection, span: Span, owner: Thing) -> None:
    """Add the columns of a relation: its values, the things that it leads to, or those that have a value."""
    so = _is_so(parse, span)
    others = (one.span for one in parse.projections if one.span not in (None, span) and one.span.kind != "class")
    alone = projection.functions == ("COUNT",) or all(_is_so(parse, one) for one in others)
    dated = parse.schema.value_kind(span.iri) == "date" or has_years(parse.schema, span.iri)  # what was opened in 2016
    done = any(is_verb_only(parse.analysis.words[at].folded) for at in span.positions)
    so |= bool(parse.tagged.bounds) and dated and done and "date" not in parse.analysis.expected
    if (so and not owner.terms and alone) or span.kind == "text":
        options = (span.text,) if span.kind == "text" else ()
        parse.constraints.append(Constraint(owner.id, span.iri, options=options, said=frozenset(span.positions)))
        _show(parse, owner.id, projection)
        return
    if not parse.schema.is_literal(span.iri):
        end, amount = parse.end(owner, span.iri, span), parse.schema.amounts.get(span.iri)
        if amount is None or not projection.functions or "COUNT" in projection.functions:
            _show(parse, end.id, projection, optional=projection.further)
        else:
            parse.columns += [Column(end.id, amount, one, said=projection.said) for one in projection.functions]
        return
    functions = _functions(parse, projection, span, owner)
    asking = (one for one in parse.tagged.operators if projection.said.issuperset(range(one.start, one.end)))
    if any(counts_down(parse, one.measures, span.iri) for one in asking):
        functions = tuple({"MAX": "MIN", "MIN": "MAX"}.get(one, one) for one in functions)
    for function in functions:
        optional = projection.further and not function
        parse.columns.append(Column(owner.id, span.iri, function, projection.key, projection.said, optional))


def _named_by(parse: Parse, span: Span, root: Thing | None, *, beside: bool) -> Thing | None:
    """Return the things whose names are asked for: the next ones, or those that other columns are of.

    Those of which one row is wanted for each are, and those that are told with "of": the names and checking balances of
    accounts. Beside other things, the next ones are: the names and votes of players, and their coaches.
    """
    if key := next((parse.thing_of(one.span) for one in parse.projections if one.key), None):
        return key
    pairs = pairwise(one for one in parse.tagged.spans if one.start >= span.start)
    owners = (other for one, other in pairs if id(one) in parse.asked and parse.tagged.is_of(one, other))
    placed = (parse.thing_of(one) for one in owners if one.kind == "class")
    owner = next((one for one in placed if one and parse.wording.names.have_names(one.cls)), None)
    if owner is not None:
        return owner
    if root is not None and not beside:
        return root
    after = (parse.thing_of(one) for one in parse.tagged.spans if one.start >= span.end)
    return next(filter(None, after), None) or root or next(iter(parse.things), None)


def _functions(parse: Parse, projection: Projection, span: Span, owner: Thing) -> tuple[str, ...]:
    """Return the aggregates of a value; numbers of many things are added up: goals. Classrooms are counted."""
    if not projection.functions:
        return ("",)
    names, word = parse.wording.names, parse.analysis.words[span.end - 1].folded
    called = parse.analysis.answer_type == "count" and span.exact and is_plural(word) and not owner.terms
    called = called and not (names.is_several(span.iri) or names.means_people(word))  # each has a classroom
    numeric = parse.schema.value_kind(span.iri) == "number" and not called
    if projection.functions == ("COUNT",) and numeric:
        return ("",) if owner.terms else ("SUM",)
    return tuple(one for one in projection.functions if not (one == "COUNT" and numeric)) or ("",)


def _implied_root(parse: Parse) -> Thing | None:
    """Return the things asked for where no word names them: who, or those that a yes/no question is about."""
    if parse.analysis.answer_type == "boolean":
        span = next((one for one in parse.tagged.spans if one.kind in ("relation", "text")), None)
        return parse.things[0] if parse.things else parse.owner(span.iri, span) if span is not None else None
    expected = parse.analysis.expected
    if "number" in expected and (holder := _place_amount(parse)):
        return holder
    if expected == {"date"} and (dated := _dated(parse)):
        parse.columns.append(Column(dated[0].id, dated[1], said=parse.analysis.form))
        return _root_of(parse, dated[0])
    candidates: list[tuple[float, bool, str]] = []  # somebody rather than some group
    for cls in parse.wording.names.persons if expected & {"person", "organisation"} else parse.schema.classes:
        costs = [parse.distance(cls, thing.cls) for thing in parse.things]
        if costs and max(costs) < inf:
            one = any(head == "person" or is_kind_of(head, "person") for head in parse.wording.names.heads(cls))
            candidates.append((sum(costs), not one, cls))
    relations = [span for span in parse.tagged.spans if span.kind in ("relation", "text")]
    if not candidates and not parse.things and relations:
        owner = parse.owner(relations[0].iri, relations[0])
        parse.columns.append(Column(owner.id))
        return owner
    if len(parse.things) == 1 and any(one.than is not None for one in parse.analysis.comparisons):
        able = [parse.things[0].cls]  # what something is held against is of its class: who is taller than Ann
    else:
        able = [min(candidates)[2]] if candidates else [] if parse.things else _able_classes(parse, expected)
    if able:
        parse.strained += 2  # the class, and that it is asked for
    elif len(parse.things) != 1 or expected:
        return None
    root = parse.add(able[0], typed=True) if able else parse.things[0]
    parse.columns.append(Column(root.id))
    return root


def _dated(parse: Parse) -> tuple[Thing, str] | None:
    """Return the things that "when" asks for, with their only dates, or those by which one is the first or the last."""
    schema, operators = parse.schema, [one for one in parse.tagged.operators if one.kind == "superlative"]
    named = {parse.of_span.get(id(span)) for span in parse.tagged.spans if span.exact}
    spoken = parse.analysis.form.union(*(span.positions for span in parse.tagged.spans))
    more = parse.analysis.content(spoken.union(*(range(one.start, one.end) for one in operators)))
    ends = {one.end for one in operators}  # with the largest *audience*
    more += [one.start for one in parse.tagged.spans if one.kind == "relation" and one.start not in ends]
    for thing in (one for one in parse.things if one.id in named):
        for one in (operator.measures for operator in operators if not thing.terms):
            if parse.wording.is_time(one) and (relation := measured_relation(parse, thing, one, ("date",))):
                return thing, relation
        dates = [one for one in schema.relations if schema.value_kind(one) == "date" and schema.has(thing.cls, one)]
        if len(dates) == 1 and not more and not parse.wording.is_other_birth(dates[0], (frozenset({"date"}),)):
            parse.strained += 1
            return thing, dates[0]
    for span in (one for one in parse.tagged.spans if one.kind == "relation" and not schema.is_literal(one.iri)):
        deed = schema.above_all(schema.sources(span.iri) or [NO_CLASS])
        dates = [one for one in schema.relations if schema.value_kind(one) == "date" and schema.has(deed or "", one)]
        if deed and len(dates) == 1 and deed not in {one.cls for one in parse.things}:
            return parse.add(deed), dates[0]  # when Bella was treated, by a treatment
    return None


def _able_classes(parse: Parse, expected: frozenset[str]) -> list[str]:
    """Return the classes whose things have what the question compares, the largest first."""
    dated = any(bound[0].date is not None for bound in parse.tagged.bounds)
    measured = [one.measures for one in parse.tagged.operators if one.kind == "superlative" and one.measures]
    measured += [one.measures for one, *_ in parse.tagged.bounds if one.date is None and one.measures]

    def able(cls: str) -> bool:
        relations = [relation for relation in parse.schema.relations if parse.schema.has(cls, relation)]
        dates = any(parse.schema.value_kind(relation) == "date" for relation in relations)
        return (dates or not dated) and all(
            any(parse.wording.fit(relation, one) > LEAST_FIT for relation in relations)
            or (dates and parse.wording.is_time(one))
            for one in measured
        )

    if not dated and not measured:
        return []
    classes = parse.wording.names.persons if expected & {"person", "organisation"} else parse.schema.classes
    return sorted(filter(able, classes), key=lambda cls: (-parse.schema.instances(cls), cls))


def _place_amount(parse: Parse) -> Thing | None:
    """Ask for the one number of the things without names that link all things; return these: how much of it."""
    schema = parse.schema
    if len(parse.things) < 2:
        return None
    near = [{link.target for link in schema.links(thing.cls)} for thing in parse.things]
    for cls in sorted(set.intersection(*near)):
        known = schema.classes.get(cls)
        nameless = known.named == 0 if known else cls == NO_CLASS and schema.profile.blank > 0
        numbers = [one for one in schema.relations if schema.value_kind(one) == "number" and schema.has(cls, one)]
        if nameless and len(numbers) == 1:
            holder = parse.add(cls)
            parse.columns.append(Column(holder.id, numbers[0], said=parse.analysis.form))
            return holder
    return None
