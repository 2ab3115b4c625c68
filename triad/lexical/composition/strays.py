"""Strays: what a query says of something else than the words do, which it reaches over things that no word names."""

import itertools
import re
from collections.abc import Iterable, Iterator
from typing import Final

from triad.language.analysis import Analysis
from triad.language.lexical_database import derived, is_often, is_plural, lemmas
from triad.language.normalize import fold
from triad.language.relatedness import is_kind_of
from triad.lexical.composition.durations import beginnings
from triad.lexical.composition.elements import Column, Constraint, Extreme, Thing
from triad.lexical.composition.evidence import FAR
from triad.lexical.composition.names import Names
from triad.lexical.composition.partial_query import PartialQuery
from triad.lexical.composition.tagging import Tagging
from triad.lexical.contract import Cue
from triad.lexical.voice import subject_at

_DENIAL: Final = re.compile(r"(not|non|never|without|against)$|contra|forbid|prohibit|exclud|reject|refus|avoid")
_MODALS: Final = frozenset(("can", "could", "cannot", "may", "might", "must", "should", "shall"))
_ENDS: Final = ("to", "for", "from")  # what relations are called by that lead to whom or what something is done for
_AGREED: Final = ("agreement", "transaction", "possession")  # whose values are those of what they link: leases


def strays(partial: PartialQuery, tagging: Tagging, analysis: Analysis, names: Names) -> Iterator[Cue]:
    """Yield the words that a query takes for something of other things than they say."""
    yield from _astray(partial, tagging, analysis, names)
    yield from _of_another(partial, tagging, analysis, names)
    yield from _of_linked(partial, tagging, analysis, names)
    yield from _of_names_alone(partial)
    yield from _unsaid(partial, tagging, analysis, names)
    yield from _denied(partial, tagging, analysis, names)
    yield from begun((one.relation for one in partial.columns if not one.function), analysis, names)
    yield from _given_to(partial, tagging, analysis, names) if analysis.language == "en" else ()


def _astray(partial: PartialQuery, tagging: Tagging, analysis: Analysis, names: Names) -> Iterator[Cue]:
    """Yield words for things that a query reaches by way of something else than they say.

    What is in the state of a city is not in the city; what a neighbour has is not what something touches.
    """
    schema = names.schema
    steps = [one for one in tagging.spans if one.kind == "relation" and not one.exact]
    far = {at for one in steps if one.score < FAR for at in one.positions}
    exact = {one.iri for one in tagging.spans if one.exact}
    verbs = [one for one in steps if is_often(analysis.words[one.start].folded, "v")]
    measures: tuple[Extreme | Constraint, ...] = (*partial.extremes, *partial.constraints)
    compared = {one.thing: one.relation for one in measures if one.said and one.relation not in exact}
    for thing in partial.things:
        parent = partial.thing(thing.parent) if thing.parent is not None else None
        if parent is None or not thing.way:
            continue
        between = analysis.words[max(parent.said, default=-1) + 1 : max(0, thing.at)]
        through = not parent.typed and not parent.terms and all(word.empty for word in between)
        way = (*parent.way[-1:], *thing.way) if through else thing.way
        climbs = [names.is_within(link.reverse) and schema.is_single(link.reverse) for link in way]
        places = names.is_place(way[-1].source) and names.is_place(way[-1].target)
        astray = bool(thing.terms) and places and len(way) > 1 and not all(climbs) and not names.is_within(way[-1])
        unsaid = len(way) > 1 and way[-1].relation not in {one.iri for one in tagging.spans}
        astray |= unsaid and not parent.typed and not far.isdisjoint(parent.said)
        for verb in verbs if parent.said and thing.said else ():
            subject = max(parent, thing, key=lambda one: (one.at < verb.start, one.at))
            first, *rest = (link.relation for link in thing.way[:: 1 if subject is parent else -1])
            astray |= first != verb.iri and verb.iri in rest
        measured = compared.get(thing.id) and way[-1].relation not in schema.amounts
        # The size of a lighthouse is not that of the island where it stands.
        apart = measured and names.have_names(thing.cls, parent.cls) and not _is_agreed(thing, names)
        astray |= thing.id in compared and not thing.said and (len(parent.terms) > 1 or bool(apart))
        astray |= any(schema.meet(link.target, thing.way[0].source) for link in thing.way[:-1])
        pairs = itertools.pairwise(way if not thing.terms else ())
        back = (one for one, other in pairs if other.forward and one.source == other.target != one.target)
        back = (one for one in back if one.forward or way[-1].relation not in exact)  # a wife has a husband
        astray |= any(schema.relations[one.relation].exclusive for one in back)
        if astray:
            yield Cue("kind", min(thing.said, default=0), max(thing.said, default=0) + 1)


def _of_another(partial: PartialQuery, tagging: Tagging, analysis: Analysis, names: Names) -> Iterator[Cue]:
    """Yield words that only nearly say what a query gives, where this is of nothing that words name.

    The nationality of a player is not the city of the club, nor is what a part costs the cost of a visit.
    """
    words, how = [word.folded for word in analysis.words], names.packs[0].forms["how"]
    things = {one.start for one in tagging.spans if one.kind == "thing"}
    subject, given = subject_at(analysis.words), {one.thing for one in partial.columns if not one.relation}
    said_of = {one.end for one in tagging.spans if one.kind == "thing" and subject <= one.start < subject + 3}
    for span in tagging.spans if any(one.terms for one in partial.things) or partial.constraints else ():
        holders = [one.thing for one in partial.columns if one.relation == span.iri]
        holders += [one.thing for one in partial.constraints if one.relation == span.iri and one.thing not in given]
        steps = [one for one in partial.things if one.way and one.way[0].relation == span.iri]
        holders += [one.parent for one in steps if one.parent is not None]
        named = span.exact or names.stems_of(span.iri).intersection(analysis.words[at].stem for at in span.positions)
        own = span.start in said_of or how.end(words, span.start) is not None
        summed = any(one.function for one in partial.columns if one.relation == span.iri)
        # The population of Norway is not that of its cities, whose total may be meant.
        of = not summed and words[span.end : span.end + 1] == ["of"] and span.end + 1 in things
        whose = not summed and span.start > 0 and analysis.words[span.start - 1].text[0] in "'’"
        for owner in map(partial.thing, holders) if span.kind == "relation" else ():
            ends = ((owner, one) if owner.parent == one.id else (one, owner) for one in partial.things if one.terms)
            linked = any(child.parent == parent.id and len(child.way) == 1 for child, parent in ends)
            agreed = named and of and linked and _is_agreed(owner, names)
            ways = (one.way[:-1] for one in partial.things if owner.id in (one.id, one.parent))
            through = (link.target for way in ways for link in way)  # the contact of an employer
            astray = (own or of or not named) and names.have_names(owner.cls)
            astray |= (own or of or whose or not named) and any(map(names.have_names, through))
            if astray and not (owner.said or owner.terms or agreed):
                yield Cue("kind", span.start, span.end)


def _of_linked(partial: PartialQuery, tagging: Tagging, analysis: Analysis, names: Names) -> Iterator[Cue]:
    """Yield names of things of which a query says what holds of several: whether a keeper is male, as animals are."""
    said, schema, pack = {one.iri for one in tagging.spans}, names.schema, names.packs[0]
    kinds_by = {one.start for one in tagging.spans if one.kind_by}  # what is open, whatever that may be
    for one in (one for one in partial.things if one.terms and one.said):
        before = [word.folded for word in analysis.words[: one.at] if word.folded not in pack.data.references.definite]
        asked = partial.ask or not pack.be.isdisjoint(before[-1:])
        for other in partial.things if asked else ():
            led = (other.terms or (other.said and not partial.ask)) and all(map(schema.is_single, one.way))
            way = other.way if other.parent == one.id else ()
            way = tuple(link.reverse for link in reversed(one.way)) if one.parent == other.id and not led else way
            named = other.terms or (other.said and (len(way) == 1 or other.at not in kinds_by))
            unsaid = way[:-1] if named else way
            silent = (link for link in unsaid if link.relation not in said and not schema.is_single(link))
            if any(names.have_names(link.target) and not names.is_within(link.reverse) for link in silent):
                yield Cue("kind", min(one.said), max(one.said) + 1)


def _of_names_alone(partial: PartialQuery) -> Iterator[Cue]:
    """Yield the names of which a query says what is so whatever is asked for, but for places: Springfield, Illinois."""
    for thing in partial.things:
        above = None if thing.parent is None else partial.thing(thing.parent)
        if above and above.parent is not None and thing.said and len(thing.terms) == len(above.terms) == 1:
            yield Cue("kind", min(thing.said), max(thing.said) + 1)


def _unsaid(partial: PartialQuery, tagging: Tagging, analysis: Analysis, names: Names) -> Iterator[Cue]:
    """Yield words for things of steps that no word speaks of and none can mean: to what only shares something, to one.

    The customers of a company do not live in the city of its office, and its officers are not its head alone.
    """
    said = {one.iri for one in tagging.spans if one.kind == "relation"}
    columns = {one.thing: one.function for one in partial.columns if not one.relation}
    for thing in (one for one in partial.things if one.parent is not None):
        pair = (partial.thing(thing.parent or 0), thing)
        astray = not analysis.same and any(one.forward > other.forward for one, other in itertools.pairwise(thing.way))
        for end, owner, ahead in ((*pair, False), (*pair[::-1], True)):
            single = all(one.forward is ahead and names.schema.relations[one.relation].functional for one in thing.way)
            several = columns.get(end.id) == "COUNT" or (end.said and is_plural(analysis.words[max(end.said)].folded))
            astray |= single and len(owner.terms) == 1 and end.id in columns and bool(several) and not end.terms
        if astray and said.isdisjoint(link.relation for link in thing.way) and not analysis.both:
            yield Cue("kind", min(thing.said, default=0), max(thing.said, default=0) + 1)


def _denied(partial: PartialQuery, tagging: Tagging, analysis: Analysis, names: Names) -> Iterator[Cue]:
    """Yield the words for steps and values that are told of by a denial which no word says, or that say what may be.

    What can be taken during pregnancy is not what is contraindicated, nor what treats it.
    """
    said = {one.iri: range(one.start, one.end) for one in tagging.spans}
    words, stem = analysis.words, names.packs[0].stem
    modal = next((at for at, word in enumerate(words) if analysis.language == "en" and word.folded in _MODALS), None)
    for thing in partial.things if modal is not None else ():
        ends = {*thing.said, *(partial.thing(thing.parent).said if thing.parent is not None else ())}
        verbs = (at for at in range(modal or 0, max(ends, default=0)) if words[at].folded in names.packs[0].connecting)
        if thing.terms and said.keys().isdisjoint(link.relation for link in thing.way):
            yield from (Cue("kind", at, at + 1) for at in verbs if at not in partial.said)
    used: list[Constraint | Column] = [*partial.constraints, *partial.columns]
    steps = [(link.relation, thing.said) for thing in partial.things for link in thing.way]
    for relation, positions in (*steps, *((one.relation, one.said) for one in used)):
        called = (word for name in names.of(relation) for word in fold(name.text).split())
        denial = {stem(one) for one in called if _DENIAL.match(one)}
        if denial and denial.isdisjoint(stem(words[at].folded) for at in said.get(relation, ())):
            yield Cue("kind", min(positions, default=0), max(positions, default=0) + 1)


def begun(relations: Iterable[str], analysis: Analysis, names: Names) -> Iterator[Cue]:
    """Yield "until" where a relation tells since when something is: until when it is open, not when it was opened."""
    until = names.packs[0].compare["until"].end([word.folded for word in analysis.words], 0)
    begins = [one - names.time for one in beginnings(names.packs[0])] if until and "date" in analysis.expected else []
    stems = [names.stems_of(one) for one in relations]
    yield from (Cue("kind", 0, 1) for begin in begins if begin and any(map(begin.issubset, stems)))


def _given_to(partial: PartialQuery, tagging: Tagging, analysis: Analysis, names: Names) -> Iterator[Cue]:
    """Yield the words for a deed where a query tells to whom it was done, or for whom, and no word asks for that.

    Who sold something is not whom it was sold to, nor is the seller; and what it was made of is not by whom.
    """
    words, things = analysis.words, [one for one in tagging.spans if one.kind in ("thing", "text")]
    named = {at for one in things for at in range(one.start - 1, one.end)}  # sold *to* Ann, by somebody
    spoken = {word.folded for at, word in enumerate(words) if at not in named}
    asked = {one.thing for one in partial.columns}
    steps = [(link, one) for one in partial.things for link in one.way]
    given = {link.relation for link, one in steps if (one.id if link.forward else one.parent) in asked}
    for span in tagging.spans if not analysis.expected & {"place", "date"} else ():
        called = [fold(name.text).split() for name in names.of(span.iri)] if span.iri in given else []
        ends = [(one[0], one[-1]) for one in called if one[-1] in _ENDS]
        folded = [words[at].folded for at in span.positions]
        said = {base for word in folded for base in (*lemmas(word), *derived(word))}
        other = not any(end in spoken for _, end in ends)
        after, last = [word.folded for word in words[span.end : span.end + 1]], {one[-1] for one in called}
        of = after in (["of"], ["from"]) and "by" in last  # what it is made of has not made it
        of |= after == ["by"] and not last.isdisjoint(("at", "in", "on", *_ENDS))
        if of or (other and any(not said.isdisjoint(lemmas(deed)) for deed, _ in ends)):
            yield Cue("kind", span.start, span.end)


def _is_agreed(thing: Thing, names: Names) -> bool:
    """Return whether things of a class are agreed on: leases."""
    return any(is_kind_of(head, kind) for head in names.heads(thing.cls) for kind in _AGREED)
