"""Evidence: what the ranking sees of a query, as a few numbers of about 0 to 1.

They say how much of the question a query accounts for, how well its words are named, what had to be assumed to put it
together, whether it gives what is asked for, and, once its query ran, what that found. Each is told beside it; what
does not apply is left out, which weighs as much as 0.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from triad.language.analysis import Analysis
from triad.language.lexical_database import lemmas
from triad.language.mentions import is_capital
from triad.language.normalize import fold
from triad.language.pack import Expected
from triad.lexical.composition.durations import DURATIONS, has_years
from triad.lexical.composition.elements import Column, Constraint, Span, Thing
from triad.lexical.composition.names import Names
from triad.lexical.composition.partial_query import PartialQuery
from triad.lexical.composition.schema_graph import SchemaGraph, link_cost
from triad.lexical.composition.tagging import Tagging
from triad.lexical.composition.wording import Wording
from triad.lexical.voice import subject_at
from triad.rdf import BlankNode, Literal, ResultSet, kind_of
from triad.sparql.stated import said_by

if TYPE_CHECKING:
    from triad.lexical.composition.readings import Reading

_NAMED: Final = ("thing", "text", "part")  # kinds of spans that names stand for
FAR: Final = math.sqrt(0.5)  # the score below which words say less than half of what they stand for
FARTHEST: Final = 0.6  # the score below which they say so little of it that they may mean something else
_VALUES: Final[Mapping[str, Collection[str]]] = {
    "date": ("date", "day", "time", "year"),
    "number": ("amount", "number", "quantity", "size", "value"),
    "text": ("category", "kind", "location", "number", "place", "sort", "type"),
}
"""Nouns beside the name of a relation that say only what kind of values it has: founding year, affiliation types."""
_BODIES: Final = frozenset(("crew", "faculty", "personnel", "staff"))
"""Nouns for many persons, of whom each is a member: the staff members are the staff."""


def unaccounted(partial: PartialQuery, analysis: Analysis, names: Names) -> list[int]:
    """Return the positions of the content words that a query does not account for.

    What the classes of its things are called is accounted for: "the chemical symbol" of a chemical element; so is a
    noun that says what values are: the founding *year*. Not so what is asked for: which designers work for the same
    foundry as a designer. Words that only connect are content words where the graph calls something so (which cars are
    *offered*), light verbs also where nothing else names the way to a named thing: who *uses* it. A verb may end the
    name of what is asked for: how much energy it *produces*.
    """
    known, pack = partial.said | analysis.form, names.packs[0]
    steps = sum(len(thing.way) for thing in partial.things)
    guessed = steps > partial.notes.get("named", 0.0) and any(thing.terms for thing in partial.things)
    words = [(at, word) for at, word in enumerate(analysis.words) if not (word.empty or at in known)]
    light = pack.data.light_verbs if guessed else ()
    idle = {at for at in analysis.asked if pack.is_idle(analysis.words[at].text)}  # which list, and no demand to list
    connect = ((at, one) for at, one in words if one.folded in pack.connecting or at in idle)
    heeded = {at for at, one in connect if one.stem in names.by_stem or one.text.lower() in light}
    amounts = (one for one in partial.columns if one.relation and analysis.form.issuperset(one.said))
    linked = any(partial.thing(one.thing).at < 0 for one in amounts)  # how much of one thing the other needs
    given = {at for at, one in words if linked and one.text.lower() in pack.data.light_verbs}
    missed = sorted({*analysis.content(known), *heeded} - given - said_of_values(partial, analysis, names))
    called = frozenset[str]().union(*(names.stems_of(thing.cls) for thing in partial.things if thing.terms))
    asked = analysis.asked if analysis.same else ()
    done = frozenset[str]().union(*(names.stems_of(one.relation) for one in partial.columns if one.said))
    verbs = range(subject_at(analysis.words), len(analysis.words))  # and the subject, whose names are known
    ended = {at for at in verbs if at not in analysis.asked and analysis.words[at].stem in done}
    return [at for at in missed if at in asked or (at not in ended and analysis.words[at].stem not in called)]


def said_of_values(partial: PartialQuery, analysis: Analysis, names: Names) -> set[int]:
    """Return the positions of nouns beside the names of relations that say only of what kind their values are."""
    pack, words = names.packs[0], analysis.words
    full = (at for at, word in enumerate(words[:-1]) if word.folded == "full")
    found = {at for at in full if names.asks_for_names(words[at + 1].text)}
    of_body = (at for at in range(1, len(words)) if words[at - 1].folded in _BODIES)
    members = {at for at in of_body if "member" in lemmas(words[at].folded)}
    found |= {at for at in members if words[at].stem not in names.by_stem}
    parts: list[Column | Constraint] = [*partial.columns, *partial.constraints]
    for one in parts:
        if (known := names.schema.relations.get(one.relation)) is None or not one.said:
            continue
        kind, dated = names.schema.value_kind(one.relation), has_years(names.schema, one.relation)
        nouns = {*_VALUES.get(kind, ()), *(_VALUES["date"] if dated else ())}
        ends = [bound.number for one in known.ranges for bound in (one.least, one.greatest)]
        nouns |= {"percentage"} if kind == "number" and ends and all(0 <= (end or 0) <= 100 for end in ends) else set()
        first, behind = min(one.said), max(one.said) + 1
        before = next((at for at in range(first - 1, -1, -1) if not words[at].empty), first)
        beside = [behind] if pack.data.head_last and behind < len(words) else []
        between = [word.folded for word in words[before + 1 : first]]
        beside += [before] if between and not pack.compare["and"].end(between, 0) else []
        for at in beside:  # founding year, year of the founding
            word = words[at].folded
            if at == behind and analysis.text[words[at - 1].end : words[at].start].strip(" -"):
                continue  # the dates, places and names
            meant = (each.english for each in pack.vocabulary.meanings([word], 0))
            other = kind == "text" and words[at].stem in names.by_stem  # it may call another relation
            if not other and not nouns.isdisjoint((*lemmas(word), *meant)):
                found.add(at)
        called = (part for name in names.of(one.relation) for part in fold(name.text).split())
        if kind == "number" and any(map(names.means_people, called)):
            found |= {at for at in analysis.asked if "person" in lemmas(words[at].folded)}  # how many people it employs
    return found


def describe(partial: PartialQuery, missed: Sequence[int], tagging: Tagging, wording: Wording) -> dict[str, float]:
    """Return what can be said of a query before it runs; ``missed`` are the words that it does not account for."""
    analysis, names, known = wording.analysis, wording.names, wording.exact
    content = max(1, sum(not word.empty for word in analysis.words))
    capital = sum(1 for at in missed if is_capital(analysis.words[at].text) and at)
    used = [span for span in tagging.spans if span.kind != "name" and not partial.said.isdisjoint(span.positions)]
    scores = [span.score for span in used]
    things = [span for span in used if span.kind == "thing"]
    links = [link for thing in partial.things for link in thing.way]
    steps = partial.notes.get("named", 0.0)
    gone = Counter(said_by(link.relation) for link in links)
    ends = (gone & Counter(one.iri for one in used if one.kind == "relation")).total() - partial.notes.get("hints", 0.0)
    shows_graph = partial.source is not None and partial.source.shown == "only"  # which asks for no value
    asks_when = analysis.expected == {"date"}
    gives_values = bool(partial.columns) and all(one.relation or one.function for one in partial.columns)
    walked = [(link.relation, link.forward) for link in links]
    called = {span.iri for span in used}
    counting = any(one.function == "COUNT" or one.function in DURATIONS for one in partial.columns)
    terms = {kind: frozenset(at for span in used if span.kind == kind for at in span.positions) for kind in known.terms}
    inexact = [one for one in used if not one.exact]
    renaming = [one for one in inexact if not known.terms.get(one.kind, frozenset()).isdisjoint(one.positions)]
    formed = partial.said.intersection(at for one in tagging.operators for at in range(one.start, one.end))
    grouped = len({bool(one.function) for one in partial.columns}) > 1
    fixed = {(one.thing, one.relation) for one in partial.constraints if len(one.options) == 1 and not one.negated}
    fits = (_column_fit(partial, one, analysis.expected, names) for one in partial.columns if not partial.ask)
    fit = max(fits, default=0.5) if analysis.expected else 0.5
    of_asked = sum(_is_of_asked(partial.thing(one.thing), tagging.spans, analysis, names) for one in partial.columns)
    return {
        "uncovered": len(missed) / 4,  # how many content words nothing accounts for, a fourth each
        "share": len(missed) / content,  # the share of the content words that nothing accounts for
        "uncovered_names": capital / 2,  # how many of them are written like names, a half each
        "complete": float(not missed),  # 1 if it accounts for all of them
        # how well its words name what they stand for, on average
        "score": sum(scores) / len(scores) if scores else 0.0,
        "least": min(scores, default=0.0),  # how well the worst of them does
        # how many are synonyms, misspelt or parts of names, a third each
        "inexact": len(inexact) / 3,
        "far": sum(span.score < FAR for span in used) / 2,  # how many are only near in meaning, a half each
        # how many are so though the same words are the very name of something else, a half each
        "renamed": len(renaming) / 2,
        # how many words that are the very name of a class are taken for none, a half each
        "unclassed": len(known.terms["class"] - known.things - terms["class"]) / 2,
        # how many that are the very name of a class or a relation are taken for neither
        "untermed": len(frozenset().union(*known.terms.values()).difference(known.things, formed, *terms.values())) / 2,
        # how many that are the very name of a relation are left out
        "unrelated": len(known.terms["relation"].intersection(missed)) / 2,
        # how many things are not called just what the question says, a half each
        "loose_names": sum(not span.exact for span in things) / 2,
        "inside": sum(span.inside for span in used) / 2,  # how many names are a part of a longer one, a half each
        "cost": sum(map(link_cost, links)) / 3,  # what its ways cost, a third
        "unnamed": max(0.0, len(links) - steps) / 3,  # how many steps no word names, a third each
        "named": steps / 3,  # how many steps words name, a third each
        # how many of these lead to the one thing of its kind, a half each: that of a capital has to be named
        "role": sum(one not in called and names.schema.relations[one].exclusive for one, _ in walked) / 2,
        # how much had to be guessed to put it together, a half each
        "strained": partial.notes.get("strained", 0.0) / 2,
        "things": len(partial.things) / 4,  # how many things and classes it has, a fourth each
        "implied": sum(thing.at < 0 for thing in partial.things) / 2,  # how many of them no word names, a half each
        # how many steps go against the order of the words: what depends on X, what X depends on
        "turned": (of_asked + sum(1 for _ in turned_steps(partial, tagging.spans, analysis, names))) / 2,
        # how many things words only say that there are: a package that depends on something, a half each
        "dangling": sum(partial.dangles(thing) for thing in partial.things) / 2,
        # 1 if it says yes or no to a step that no word names, not even as that to the end of a relation
        "loose": float(partial.ask and len(links) > steps + ends),
        # 1 if words ask for names beside other things, and it gives no names
        "unnamed_too": float(gives_values and any(span.kind == "name" for span in tagging.spans)),
        # how many values words only say that there are: flights that have a destination, a half each
        "idle": 0.0 if shows_graph else sum(limit.is_idle for limit in partial.constraints) / 2,
        # 1 if what is asked for of a named thing is not its own, but that of something that it is linked to
        "not_its": float(_is_not_its(partial, tagging.spans)),
        "repeated": float(len(set(walked)) < len(walked)),  # 1 if a relation is walked twice
        # how many words that are the very name of something it does not take as that, a half each
        "dropped": len(known.things.difference(*(span.positions for span in used if span.terms or span.kind in _NAMED)))
        / 2,
        # 1 if it leaves words out and limits nothing: all packages, for those that are deprecated
        "bare": float(bool(missed) and len(partial.things) == 1 and not partial.root.terms and not partial.constraints),
        "grouped": float(grouped),  # 1 if it counts or sums up for each value of another column
        "keyless": float(grouped and not any(one.key for one in partial.columns)),  # 1 if no word asks for that
        # 1 if it gives values that are all the one that the question says: the results of tests that are "fail"
        "given": float(any((one.thing, one.relation) in fixed for one in partial.columns)),
        "columns": max(0, len(partial.columns) - 1) / 2,  # how many columns it has after the first, a half each
        "type_fit": fit,  # how well what it gives fits the question word; 0.5 where that does not say
        "mistyped": float(fit == 0 and not asks_when),  # 1 if that is of another kind: no number for how many
        # 1 if the question counts and it does not, or the other way round
        "uncounted": float((analysis.answer_type == "count") != counting and not partial.ask),
    }


def describe_result(partial: PartialQuery, result: ResultSet, schema: SchemaGraph, support: int) -> dict[str, float]:
    """Return what can be said of what a query found, beside so many other queries that found the same."""
    if result.boolean is not None:
        return {"no": float(not result.boolean), "support": support / 5}
    rows = len(result.rows)
    nothing = not rows or all(term is None for row in result.rows for term in row)
    aggregated = any(one.function for one in partial.columns)
    zero = aggregated and rows == 1 and all(isinstance(t, Literal) and t.value == "0" for t in result.rows[0])
    counts = [term for row in result.rows for term, one in zip(row, partial.columns, strict=False) if one.function]
    named = {thing.terms[0] for thing in partial.things if len(thing.terms) == 1}  # others are chosen between
    root = partial.root
    limited = bool(partial.constraints or partial.extremes or len(partial.things) > 1)
    whole = bool(root.cls) and rows == schema.instances(root.cls) and limited and not aggregated
    return {
        "empty": float(nothing or zero),  # 1 if it found nothing
        "log_rows": min(1.0, math.log10(1 + rows) / 3),  # how many rows it found: the logarithm, 1 for a thousand
        "one": float(rows == 1),  # 1 if it found one row
        # 1 if it counts one for each of several
        "ones": float(rows > 1 and {str(term) for term in counts} == {"1"}),
        # 1 if it gives what it was asked about
        "echo": float(any(term in named for row in result.rows for term in row)),
        # 1 if it gives nodes without a name
        "nameless": float(rows > 0 and any(isinstance(term, BlankNode) for term in result.rows[0])),
        "all": float(whole),  # 1 if it found all things of a class, though the question limits them
        "support": min(1.0, support / 5),  # how many other partials found the same, a fifth each
    }


def turned_steps(partial: PartialQuery, spans: Sequence[Span], analysis: Analysis, names: Names) -> Iterator[Span]:
    """Yield the words for steps between things of one kind that a query goes against what they say."""
    for thing in partial.things:
        if thing.parent is None or len(thing.way) != 1:
            continue
        parent, link = partial.thing(thing.parent), thing.way[0]
        said = next((span for span in spans if span.kind == "relation" and span.iri == link.relation), None)
        ends = ((link.source, link.target), (parent.cls, thing.cls))  # of subclasses that share none, too
        called = said is not None and names.is_converse(said.iri, said.end, analysis)  # children are no mothers
        if said is None or not (called or any(names.schema.meet(*pair) for pair in ends)):
            continue
        if thing.at == said.start and names.are_of_subject(said.iri, said.end, analysis):
            if link.forward:
                yield said
            continue
        if not (places := [at for at in (parent.at, thing.at) if at >= 0 and at != said.start]):
            continue
        # Where only one of them is named, the other stands where the question word does.
        parent_first = (parent.at == places[0]) == (places[0] < said.start)
        if len(places) == 2:  # "what X depends on": the nearer one is the subject
            parent_first = (parent.at > thing.at) if max(places) < said.start else parent.at < thing.at
        if link.forward != (parent_first != names.is_reversed(said.iri, said.start, said.end, analysis)):
            yield said


def _is_of_asked(thing: Thing, spans: Sequence[Span], analysis: Analysis, names: Names) -> bool:
    """Return whether things are what has what a noun asks for, and not that itself."""
    if len(thing.way) != 1 or thing.way[0].forward:
        return False
    said = (one for one in spans if one.kind == "relation" and one.iri == thing.way[0].relation)
    nouns = names.nouns_of(thing.way[0].relation)
    return any(analysis.words[one.end - 1].folded in nouns for one in said)


def _is_not_its(partial: PartialQuery, spans: Sequence[Span]) -> bool:
    """Return whether what is asked for of a named thing is not the thing's own: Lena's license is a package's."""
    for column in partial.columns:
        span = next((one for one in spans if one.kind == "relation" and one.iri == column.relation), None)
        if not column.relation or span is None:
            continue
        near = [one for one in spans if one.kind == "thing" and 0 <= one.start - span.end <= 2]
        near += [one for one in spans if one.kind == "thing" and one.end == span.start]
        owner = partial.thing(column.thing)
        if near and not owner.terms and owner.at < 0:
            return True
    return False


def _column_fit(partial: PartialQuery, column: Column, expected: frozenset[Expected], names: Names) -> float:
    schema = names.schema
    if column.function == "COUNT" or column.function in DURATIONS:
        return float("number" in expected)
    if column.relation:
        kind = kind_of(schema.sample(column.relation)) if schema.is_literal(column.relation) else "thing"
        if kind != "text":
            return float(kind in expected)
        return 0.4 if expected & {"person", "place", "organisation"} else 0.0
    if expected <= {"number", "date"}:
        return 0.0
    cls = partial.thing(column.thing).cls
    return 0.4 if expected <= {"person", "organisation"} and cls and not names.is_person(cls) else 0.8


def tied(reading: Reading) -> int:
    """Return how many share the first place that a question asks for; 0 if one has it, or if none is asked for."""
    partial = reading.partial
    for extreme in partial.extremes:
        if partial.ask or extreme.first != 1 or extreme.count != 1 or any(one.function for one in partial.columns):
            continue
        for at, column in enumerate(partial.columns):
            own = column.thing == extreme.thing and not column.relation and extreme.key is None
            if own or (extreme.key is not None and column.relation == extreme.key.relation):
                places = {row[at] for row in reading.result.rows if at < len(row)}
                return len(places) if len(places) > 1 else 0
    return 0


def is_unanswered(reading: Reading) -> bool:
    """Return whether a reading asks what words say by the very names of the graph, and found nothing.

    It asks it of something that is named or limited, or asks what has none of something: all may have some.
    """
    whole = reading.is_empty and not (reading.broken or reading.missed or reading.features["inexact"])
    partial = reading.partial
    limited = not partial.negated and any(not limit.is_idle for limit in partial.constraints)
    return whole and (limited or any(thing.terms for thing in partial.things) is not partial.negated)


def find_strayed(readings: Sequence[Reading]) -> list[Reading]:
    """Return the readings that found something by a longer way than words say, the other way round, or with less said.

    That nothing is assigned to somebody is no reason to tell what is assigned to those whom that one reports to.
    """

    def strays(reading: Reading) -> float:
        return reading.features["unnamed"] + reading.features["turned"]

    empty = list(filter(is_unanswered, readings))
    least = min(map(strays, empty), default=math.inf)
    asked = [set(one.partial.relations) for one in empty]
    lacks = [bool(one.missed) and any(set(one.partial.relations) < whole for whole in asked) for one in readings]
    found = zip(readings, lacks, strict=True)
    return [one for one, less in found if not (one.is_empty or one.partial.ask) and (less or strays(one) > least)]
