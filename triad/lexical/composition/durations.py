"""Ages, durations and differences: how old, how long, how many years between, how much longer than.

Two dates are values of one thing (admitted and discharged, born and died), one value of two things, or one value
and today; two numbers are one value of two things.
"""

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, replace
from datetime import date
from typing import Final

from triad.language.lexical_database import kinds
from triad.language.normalize import fold, local_name
from triad.language.pack import Measures, Pack
from triad.language.tokens import Sentence
from triad.language.written import SPANS
from triad.lexical.composition.elements import Column, Span, Thing
from triad.lexical.composition.names import Names
from triad.lexical.composition.partial_query import PartialQuery
from triad.lexical.composition.schema_graph import NO_CLASS, SchemaGraph
from triad.lexical.composition.tagging import Tagging
from triad.lexical.composition.wording import NEAR, Wording
from triad.lexical.matching import LEAST_FIT
from triad.queries.comparisons import between, day_of
from triad.rdf import IRI, XSD
from triad.sparql import patterns
from triad.sparql.patterns import Arithmetic, Bind, Call, Comparison, Computed, EdgePattern, Part, Value, Variable
from triad.sparql.query_graph import QueryGraph

DURATIONS: Final = tuple(map(str.upper, SPANS))  # what a span is counted in, as the function of its column
_DIFFERENCE: Final = "DIFFERENCE"  # the function of a column that says how far two numbers are apart

_ENDS: Final = ("death date", "died", "end date", "closed", "closing date", "dissolution date", "dissolved")
"""Names of dates until which something lived or lasted."""
_BIRTH: Final = ("birth date", "birthday", "birth year", "born")
_BEGINS: Final = (*_BIRTH, "start date", "founding date", "founded", "opened", "built", "created", "date")
"""Names of dates from which on something has an age."""
_TELLING: Final = frozenset(word for name in (*_BEGINS, *_ENDS, "year") for word in name.split()) - {"date"}
"""Words of relations whose numbers are years."""
_DAYS: Final = frozenset({XSD + "date", XSD + "dateTime"})
_BEGIN, _END, _FIRST, _LAST, _EARLIER, _LATER = (Variable(f"v80{at}") for at in range(6))


@dataclass(frozen=True)
class Duration(PartialQuery):
    """How long it is from one date to another, or how far a number is from another."""

    begin: tuple[int, str] = (0, "")
    """The thing, and the relation that holds the date or the number."""
    end: tuple[int, str] | None = None
    """The same of the other one; None for today."""
    until_now: bool = False
    """True if it is until today where there is no other date."""
    years: frozenset[str] = frozenset()
    """The relations whose dates are years, which begin on their first day."""
    ahead: bool = False
    """True if the first date may lie ahead of today: how long there is a warranty."""

    def query(self) -> QueryGraph:
        """Return the query."""
        [column] = self.columns
        inner: list[Part] = []
        for thing in self.things:
            if len(thing.terms) > 1:
                inner.append(patterns.Values.of(thing.variable, *thing.terms))
            elif not thing.terms and thing.cls:
                inner.append(thing.class_pattern)
        inner.append(self._edge(self.begin, _BEGIN))
        if column.function == _DIFFERENCE and self.end is not None:
            apart = Call("ABS", (Arithmetic(_BEGIN, "-", _END),))
            return QueryGraph((Computed(apart, Variable("difference")),), (*inner, self._edge(self.end, _END)))
        first = day_of(_BEGIN, whole=self.begin[1] not in self.years)
        last: Value = Call("STR", (Call("NOW", ()),))
        if self.end is not None:
            edge = self._edge(self.end, _END)
            inner.append(patterns.OptionalPart((edge,)) if self.until_now else edge)
            until = Call("COALESCE", (_END, Call("NOW", ()))) if self.until_now else _END
            last = day_of(until, whole=self.end[1] not in self.years)
        inner += [Bind(first, _FIRST), Bind(last, _LAST)]
        begin, end = _FIRST, _LAST
        if self.ahead or (self.end is not None and not self.until_now):  # whichever is the earlier one
            begin, end = _EARLIER, _LATER
            turned = Comparison(_LAST, "<", _FIRST)
            inner += [Bind(Call("IF", (turned, _LAST, _FIRST)), begin), Bind(Call("IF", (turned, _FIRST, _LAST)), end)]
        value = between(begin, end, column.function)
        names = tuple(thing.variable for thing in self.things if len(thing.terms) != 1)
        span = Variable(column.function.lower())
        return QueryGraph((*names, span), (*inner, Bind(value, span)), distinct=True)

    def _edge(self, what: tuple[int, str], value: Variable) -> EdgePattern:
        return EdgePattern(self.thing(what[0]).term, IRI(what[1]), value)


# Reading ----------------------------------------------------------------------------------------------------


def durations(tagging: Tagging, wording: Wording) -> Iterator[PartialQuery]:
    """Yield the queries for a question about an age, a duration or a difference; none for any other question."""
    yield from _differences(tagging, wording)
    schema = wording.schema
    asked = _asked(wording.sentence)
    spoken = {at for span in tagging.spans for at in span.positions}
    dated = any(one.date and spoken.isdisjoint(range(one.start, one.end)) for one in wording.analysis.comparisons)
    if asked is None or tagging.bounds or dated:
        return
    words, unit, old = asked
    spans = [span for span in tagging.spans if span.kind != "name" and not words >= set(span.positions)]
    named = [span for span in spans if span.kind in ("thing", "class")]
    dates = [span for span in spans if span.kind == "relation" and is_date(wording.names, span.iri)]
    if not named or len(named) > 2 or len(dates) > 2 or len(named) + len(dates) < len(spans):
        return
    said = words | frozenset(at for span in spans for at in span.positions)
    said |= frozenset(at for one in tagging.operators for at in range(one.start, one.end) if one.kind == "count")
    first, *rest = (_thing(schema, at, span) for at, span in enumerate(named))
    things = (replace(first, said=said), *rest)
    if len(things) == 2 and (any(span.kind == "class" for span in named) or not dates):
        return
    further = {at: word.stem for at, word in enumerate(wording.analysis.words) if not (word.empty or at in said)}
    if old and any("n" in kinds(wording.analysis.words[at].folded) for at in wording.analysis.content(said)):
        return  # how old somebody's boss is
    for begin, end, strained in _ends(wording, things, dates, {*further.values()}, old=old):
        told = {word for name in wording.names.of(begin[1]) for word in fold(name.text).split()}
        if end is None and not told.isdisjoint(wording.pack.data.compare.until) and not schema.lies_ahead(begin[1]):
            continue  # how long it is valid, until a day that is past
        function = unit or _unit(schema, begin, end, old=old)
        said |= frozenset(at for at, stem in further.items() if stem in wording.names.stems_of(begin[1]))
        used = [one[1] for one in (begin, end) if one is not None]
        yield Duration(
            things,
            columns=(Column(begin[0], begin[1], function, said=said),),
            years=frozenset(one for one in used if not has_days(schema, one)),
            notes={"strained": strained},
            begin=begin,
            end=end,
            until_now=len(things) == 1 and len(dates) < (1 if old else 2) and end is not None,
            ahead=end is None and schema.lies_ahead(begin[1]),
        )


def _differences(tagging: Tagging, wording: Wording) -> Iterator[PartialQuery]:
    """Yield the queries for how far the values of two named things are apart: "how much longer is A than B"."""
    schema = wording.schema
    named = [span for span in tagging.spans if span.kind == "thing"]
    for comparison in (one for one in wording.analysis.comparisons if one.difference and len(named) == 2):
        said = frozenset(range(comparison.start, comparison.end)).union(*(span.positions for span in named))
        asking = said | wording.analysis.used
        spoken = {span.iri: span.score for span in tagging.spans if asking.isdisjoint(span.positions)}
        things = tuple(replace(_thing(schema, at, span), said=said) for at, span in enumerate(named))
        able = (one for one in schema.relations if schema.value_kind(one) in ("number", "date"))
        own = (one for one in able if all(schema.has(thing.cls, one) for thing in things))
        shared = ((spoken.get(one) or wording.fit(one, comparison.measures), one) for one in own)
        best, relation = max(shared, default=(0.0, ""))
        if best > LEAST_FIT:
            said |= {at for span in tagging.spans if span.iri == relation for at in span.positions}
            column = Column(0, relation, "YEARS" if is_date(wording.names, relation) else _DIFFERENCE, said=said)
            yield Duration(things, columns=(column,), begin=(0, relation), end=(1, relation))


def _thing(schema: SchemaGraph, at: int, span: Span) -> Thing:
    if span.kind == "class":
        thing = Thing(at, span.iri, schema.below(span.iri), at=span.start, typed=True)
    else:
        thing = Thing(at, span.classes[0] if span.classes else NO_CLASS, terms=span.terms, at=span.start)
    return replace(thing, said=frozenset(span.positions))


def is_date(names: Names, relation: str) -> bool:
    """Return whether the values of a relation are dates, or numbers that are years: founded in 1999, Baujahr 1999."""
    if names.schema.value_kind(relation) != "number" or not has_years(names.schema, relation):
        return names.schema.value_kind(relation) == "date"
    own = frozenset().union(*beginnings(names.packs[0])) if len(names.packs) > 1 else frozenset[str]()
    return not (own.isdisjoint(names.stems_of(relation)) and _TELLING.isdisjoint(local_name(relation).lower().split()))


def beginnings(pack: Pack) -> Measures:
    """Return the names of dates from which on something has an age, those of a language first."""
    return pack.measures_of((said for one in _BEGINS for said in pack.data.words.get(one, ())), _BEGINS)


def has_years(schema: SchemaGraph, relation: str) -> bool:
    """Return whether a relation's numbers may be years."""
    numbers = (one for one in schema.relations[relation].ranges if one.kind == "number")
    return any(float(one.least.value) >= 1000 and float(one.greatest.value) <= 2100 for one in numbers)


def has_days(schema: SchemaGraph, relation: str) -> bool:
    """Return whether the dates of a relation are whole."""
    known = schema.relations.get(relation)
    return known is not None and bool(known.datatypes) and known.datatypes.keys() <= _DAYS


def _asked(sentence: Sentence) -> tuple[frozenset[int], str, bool] | None:
    """Return the words that ask for a span, its unit if they say one, and whether an age is asked for."""
    pack = sentence.pack
    ages = {pack.stem("age"), pack.english.stem("age")}
    durations = {pack.english.stem("duration")}
    for at in range(len(sentence)):
        if degree := sentence.asked_degree(at):
            stems = frozenset().union(*degree[1].measures)
            if stems & ages or stems & durations:
                return frozenset(range(at, degree[0])), "", bool(stems & ages)
        count = sentence.form("count", at)
        measured = pack.unit_phrases.longest(sentence.stems, count) if count is not None else None
        if measured is not None and count is not None:
            size, known = pack.units[measured[1]], pack.english
            if unit := next((one for one in DURATIONS if known.units[known.stem(one.lower())] == size), ""):
                near = range(measured[0], min(len(sentence), measured[0] + NEAR))
                between = next((one for one in near if sentence.compare("between", one) is not None), measured[0] - 1)
                return frozenset(range(at, between + 1)), unit, False  # "how many years lie between"
        translated = pack.translations.get(sentence.stems[at], ())
        if sentence.content(at) and (sentence.stems[at] in ages or "age" in translated):
            return frozenset({at}), "", True
    return None


def _ends(
    wording: Wording, things: Sequence[Thing], dates: Sequence[Span], further: Set[str], *, old: bool
) -> Iterator[tuple[tuple[int, str], tuple[int, str] | None, float]]:
    """Yield the two dates, and what it strains to take them."""
    schema, pack, fit = wording.schema, wording.pack, wording.fit
    cls = things[0].cls
    if len(things) == 2:
        if all(schema.has(thing.cls, dates[0].iri) for thing in things):
            yield (0, dates[0].iri), (1, dates[-1].iri), 0.0
        return
    able = [one for one in schema.relations if is_date(wording.names, one) and schema.has(cls, one)]
    said = [span.iri for span in dates if span.iri in able]
    if len(said) < len(dates):
        return
    if len(said) == 2:
        first, second = sorted(said, key=lambda one: _least(schema, one))
        yield (0, first), (0, second), 0.0
        return
    if not old and not said:  # since when: "how long has she been a warden"
        said = [one for one in able if not further.isdisjoint(wording.names.stems_of(one))][:1]
    begins = beginnings(pack)
    ends = pack.english.measures_of([], _ENDS)
    last = max((one for one in able), key=lambda one: fit(one, ends), default=None)
    end = last if last is not None and fit(last, ends) > LEAST_FIT and fit(last, ends) > fit(last, begins) else None
    if said and said[0] != end and not old:
        others = [one for one in able if one != said[0] and _least(schema, one) >= _least(schema, said[0])]
        other = end if end in others else others[0] if len(others) == 1 else None
        yield (0, said[0]), (0, other) if other is not None else None, 0.0
        return
    if old and said:
        end = said[0]  # how old she was when she was hired
    firsts = [one for one in able if one != end and (not old or wording.tells_age(one, cls, begins))]
    firsts.sort(key=lambda one: (-fit(one, begins), one))
    lengths = pack.english.measures_of([], ("length", "duration"))
    numbers = (one for one in schema.relations if schema.value_kind(one) == "number" and schema.has(cls, one))
    if not old and (end is None or any(fit(one, lengths) > LEAST_FIT for one in numbers)):
        return  # no date says since when, or a number says how long it is
    if firsts and (len(firsts) == 1 or fit(firsts[0], begins) > LEAST_FIT):
        yield (0, firsts[0]), (0, end) if end is not None else None, float(len(firsts) > 1)


def _least(schema: SchemaGraph, relation: str) -> str:
    return next((bounds.least.value for bounds in schema.relations[relation].ranges), "")


def _unit(schema: SchemaGraph, begin: tuple[int, str], end: tuple[int, str] | None, *, old: bool) -> str:
    """Return what a span is counted in where the question does not say: in years, or in days if it has days."""
    known = [schema.relations[relation] for relation in (begin[1], *([end[1]] if end is not None else []))]
    by_day = all(has_days(schema, one.iri) for one in known)
    latest = max((int(bounds.greatest.value[:4]) for bounds in known[0].ranges), default=0)
    return "DAYS" if by_day and (end is not None or latest >= date.today().year - 1) and not old else "YEARS"
