"""Breaches: words of a question that a query takes for something else than they say.

Films are asked for, and cinemas given; width is taken for length. A query with such words is a guess.
"""

import itertools
from collections.abc import Collection, Iterator, Sequence, Set
from typing import Final

from triad.language.analysis import Analysis
from triad.language.lexical_database import is_often, is_plural, is_verb_only, kinds, lemmas
from triad.language.normalize import fold
from triad.language.relatedness import are_sisters, is_kind_of, relatedness
from triad.lexical.composition.elements import Span, Thing
from triad.lexical.composition.evidence import FAR, FARTHEST, said_of_values, turned_steps
from triad.lexical.composition.names import Names
from triad.lexical.composition.partial_query import PartialQuery
from triad.lexical.composition.strays import strays
from triad.lexical.composition.tagging import Tagging
from triad.lexical.composition.ways import passed_by
from triad.lexical.composition.wording import Wording
from triad.lexical.contract import Contract, Cue
from triad.lexical.narrowing import is_said_of_asked, said_to_be
from triad.lexical.voice import done_by, is_deed, subject_at
from triad.rdf import RDF_TYPE

_SAID: Final = 0.75  # the score below which words say too little to tell whether something has it
_SITES: Final = ("location", "artifact", "geological formation", "body of water")  # where something may be


def breaches(partial: PartialQuery, missed: Sequence[int], tagging: Tagging, wording: Wording) -> Iterator[Cue]:
    """Yield the words that a query takes for something else than they say; ``missed`` it does not account for."""
    analysis, names = wording.analysis, wording.names
    yield from _other_things(partial, tagging, wording)
    yield from _far(partial, missed, tagging, wording)
    for find in (_other_words, _idle, _turned, _first, _owners, strays, _left_out):
        yield from find(partial, tagging, analysis, names)
    yield from _contradictions(partial, names) if all(one.kind != "or" for one in tagging.operators) else ()
    steps = {one.iri for one in tagging.spans if one.kind == "relation"}
    for thing in passed_by(partial, steps, names.schema) if not partial.ask else ():
        yield Cue("kind", min(thing.said), max(thing.said) + 1)
    yield from _doubled(partial) if not analysis.both else ()
    yield from _ungrouped(partial, tagging, analysis, wording.contract)
    for limit in partial.constraints if not partial.ask else ():
        if limit.than is not None and len(partial.thing(limit.than).terms) > 1:
            yield Cue("than", min(limit.said, default=0), max(limit.said, default=0) + 1)  # than which of that name?


def _contradictions(partial: PartialQuery, names: Names) -> Iterator[Cue]:
    """Yield the words for a second value of what has one: whom Ann taught but not Bob, for the name of one teacher."""
    known, single = names.schema.relations, [one for one in partial.constraints if len(one.options) == 1]
    single = [one for one in single if one.relation in known and known[one.relation].functional]
    for one, two in itertools.combinations(single, 2):
        if (one.thing, one.relation, one.negated) == (two.thing, two.relation, False) and one.options != two.options:
            yield Cue("kind", min(two.said), max(two.said) + 1)


def _ungrouped(partial: PartialQuery, tagging: Tagging, analysis: Analysis, contract: Contract) -> Iterator[Cue]:
    """Yield "per" and "for each" where a query gives nothing for each of what they stand before: donors per country."""
    given = set[int]().union(*(one.said | partial.thing(one.thing).said for one in partial.columns))
    made = partial.ask or partial.extremes or any(one.function or one.key for one in partial.columns)
    of, words = contract.pack.data.references.of.split()[0], analysis.words
    for cue in (one for one in contract.cues if one.kind == "each" and not made):
        noun = next((at for at in range(cue.end, len(words)) if not words[at].empty and at not in given), -1)
        named = any(cue.start in one.positions for one in tagging.spans)  # pages per minute
        whose = any(word.folded == of for word in words[max(0, cue.start - 1) : cue.end])  # the manager of each hotel
        whose |= contract.pack.forms["every"].end([words[cue.start].folded], 0) is not None  # as each one has
        if noun >= 0 and not (named or whose or words[noun].stem in contract.pack.units):
            yield cue


def _other_things(partial: PartialQuery, tagging: Tagging, wording: Wording) -> Iterator[Cue]:
    """Yield the words for a class that a query takes for less: it gives other things, or all of a broader class."""
    analysis, names, contract, known = wording.analysis, wording.names, wording.contract, wording.exact
    classes = (one for one in tagging.spans if one.kind == "class" and one.exact and names.have_names(one.iri))
    named = said_to_be(analysis, contract.pack).intersection(at for one in classes for at in one.positions)
    asked = analysis.asked or named.union(*(range(one.start, one.end) for one in contract.question_words))
    for is_other in _are_others(partial, analysis, names, named):
        yield from contract.question_words if is_other else ()
    yield from _others_given(partial, tagging, analysis)
    shown = (partial.thing(one.thing) for one in partial.columns if not (one.function or one.relation))
    facts = [one for one in shown if names.are_facts(one.cls)]
    for at in {at for one in facts for at in one.said} - known.terms["class"]:
        noun = analysis.words[at].folded
        done = is_often(noun, "v") and not is_often(noun, "n")  # what is collected is no collection
        if done or (names.means_people(noun, rarely=True) and not names.asks_for_names(noun)):
            yield Cue("kind", at, at + 1)  # the chair of a board is who has that role
    spoken = {at for span in tagging.spans for at in span.positions}
    ends = {one.end for one in contract.question_words} & known.terms["class"] & analysis.asked - spoken
    yield from (Cue("kind", at, at + 1) for at in (ends and ends - said_of_values(partial, analysis, names)))
    for span in tagging.spans:
        if span.kind == "name" and analysis.both and span.start - 1 in analysis.used:
            yield Cue("kind", span.start - 1, span.end)  # no query asks for the same name
        if asked.issuperset(span.positions) and _is_unasked(span, partial, analysis):
            yield Cue("kind", span.start, span.end)
        if span.end - 1 in known.terms["class"] and _is_renamed(span, partial, analysis, names, asked):
            yield Cue("kind", span.start, span.end)
        if span.kind == "class" and not span.part:
            of_asked = span.exact and not asked.isdisjoint(span.positions)
            broader = not of_asked and _is_broader(span, partial, tagging, analysis, names)
            if broader or (of_asked and not _is_given(span, partial, analysis, names, asked)):
                yield Cue("kind", span.start, span.end)


def _are_others(partial: PartialQuery, analysis: Analysis, names: Names, named: Set[int]) -> Iterator[object]:
    """Yield for each way to give what the question word does not ask for whether a query does so."""
    shown = [one for one in partial.columns if not one.function]
    things = [partial.thing(one.thing) for one in shown if not one.relation]
    who = analysis.expected and analysis.expected <= {"person", "organisation"}
    kinds_of = (partial.thing(one.thing) for one in shown if one.relation == RDF_TYPE)
    roles = [one for one in kinds_of if analysis.words[one.at - 1].empty and one.at > 2]  # who is *the* director
    plain = (one for one in things if not (analysis.either and len(one.terms) > 1))  # whom the question calls so
    meant = [*roles, *(one for one in plain if one.terms or named.isdisjoint(one.said))]
    yield who and meant and not any(_may_be_person(one.cls, names) for one in meant)
    stated = {one.relation for one in shown if one.relation}
    yield who and not things and any(map(names.schema.has_figures, stated))  # an address lives nowhere
    placed = "place" in analysis.expected and any(_is_placed(partial, one, names) for one in things)
    facts = [one for one in things if names.are_facts(one.cls)]
    dated = analysis.expected == {"date"} and len(things) == len(shown)
    yield placed or any(not one.typed or dated for one in facts)
    back = [(one.parent, one.way[0].reverse) for one in partial.things if one.way]
    # A relation leads to where a bus stops.
    led = {one.id for one in things if any(link.forward for link in one.way[-1:])}
    led |= {parent for parent, link in back if parent is not None and link.forward}
    doing = [one for one in things if one.id not in led] if analysis.expected - {"number"} else []
    yield any(is_deed(analysis, name.text) for thing in doing for name in names.of(thing.cls))


def _others_given(partial: PartialQuery, tagging: Tagging, analysis: Analysis) -> Iterator[Cue]:
    """Yield words for what is given beside what is asked for, or in its place, or that choose among nothing given."""
    words, given = analysis.words, [partial.thing(column.thing) for column in partial.columns]
    for thing in given[1:]:  # those who come from Munich, and not also the country where it is
        verb = 0 < len(thing.said) < 3 and thing.parent is not None and partial.thing(thing.parent).terms
        if verb and is_often(word := words[min(thing.said)].folded, "v") and not is_often(word, "n"):
            yield Cue("kind", min(thing.said), max(thing.said) + 1)
    pairs, asks = zip(given, partial.columns, strict=True), analysis.answer_type == "boolean"  # which of the two it is
    things = [one for one, column in pairs if not (column.relation or column.function or asks)]
    start = subject_at(words)
    subject = next((at for at in range(start, len(words)) if not words[at].empty), 0)
    does = subject and all(word.empty for word in words[: start - 1])
    by = {at + 1 for at, word in enumerate(words) if word.folded == "by"} if len(partial.columns) == 1 else set()
    if (does and any(subject in one.said for one in things)) or any(one.at in by for one in things):
        yield Cue("kind", 0, 1)  # what they eat is not they, nor is what was bought by them
    called = {at for span in tagging.spans if span.exact for at in span.positions}  # the first year: no choice
    if analysis.either and analysis.order and analysis.order.start not in called and given:  # nothing of one of them
        choices = [thing for thing in partial.things if len(thing.terms) > 1]
        if (choices and not any(thing in choices for thing in things)) if things else not analysis.expected:
            yield Cue("kind", analysis.order.start, analysis.order.end)


def _is_small(span: Span, analysis: Analysis) -> bool:
    """Return whether a thing is named by a common word: states are not the United States."""
    return span.kind == "thing" and analysis.words[span.end - 1].text.islower()


def _is_unasked(span: Span, partial: PartialQuery, analysis: Analysis) -> bool:
    """Return whether what is asked for is nothing of what a query gives: "which cruisers were launched" is no date."""
    own = (one for one in partial.things if not one.said.isdisjoint(span.positions))
    pairs = list(itertools.product(own, (partial.thing(one.thing) for one in partial.columns)))
    near = (one.id in (thing.id, thing.parent) or one.parent == thing.id for one, thing in pairs)
    return bool(partial.columns) and _is_small(span, analysis) and not any(near)


def _is_renamed(span: Span, partial: PartialQuery, analysis: Analysis, names: Names, asked: Set[int]) -> bool:
    """Return whether words that end with the very name of a class are taken for something that is not called so."""
    head, small = span.end - 1, _is_small(span, analysis)
    noun = small or head in analysis.asked or "v" not in kinds(analysis.words[head].text)
    if not noun or span.exact or span.part or not (small or span.kind == "class" or head in asked):
        return False
    given = {one.thing for one in partial.columns}
    said_of = [span.iri, *(one.cls for one in partial.things if head in one.said or one.id in given)]
    return (analysis.words[head].stem,) not in (name.stems[-1:] for cls in said_of for name in names.of(cls))


def _is_given(span: Span, partial: PartialQuery, analysis: Analysis, names: Names, asked: Set[int]) -> bool:
    """Return whether a query gives things of a class that is asked for, or values of them; or nothing at all."""
    values = [one for one in partial.columns if one.relation and not one.function]
    told = [one for one in values if _is_told_by_verb(span, {*asked, *one.said}, analysis)]
    among = [partial.thing(one.thing) for one in partial.columns if one not in told]
    # The price of a service is a value of it, whatever stands for the number.
    among += [partial.thing(one.parent) for one in among if one.cls in names.schema.amounts and one.parent is not None]
    own = [one for one in partial.things if not one.said.isdisjoint(span.positions)]
    meant = (one for one in among if one in own or one.typed or not own)
    return not partial.columns or any(names.schema.meet(one.cls, span.iri) for one in meant)


def _is_broader(span: Span, partial: PartialQuery, tagging: Tagging, analysis: Analysis, names: Names) -> bool:
    """Return whether English words say more than the class that they are taken for: performers that are conductors."""
    if span.exact or analysis.language != "en" or partial.said.isdisjoint(span.positions):
        return False
    same = any(one.exact and one.iri == span.iri for one in tagging.spans)
    said = " ".join(word.folded for word in analysis.words[span.start : span.end])
    broader = all(is_kind_of(said, fold(name.text)) for name in names.of(span.iri)) and bool(names.of(span.iri))
    return (same and is_said_of_asked(analysis, span.start, names.packs[0])) or broader


def _other_words(partial: PartialQuery, tagging: Tagging, analysis: Analysis, names: Names) -> Iterator[Cue]:
    """Yield the words that a query takes for another kind of the same (width for length), or counts dates for."""
    counted = {one.relation for one in partial.columns if one.function == "COUNT"}
    for span in tagging.spans:
        if span.exact or span.part or span.kind not in ("class", "relation") or partial.said.isdisjoint(span.positions):
            continue
        last = analysis.words[span.end - 1]
        noun = analysis.language == "en" and not last.empty and kinds(last.folded) == {"n"}
        called = [fold(name.text) for name in names.of(span.iri)] if noun else []
        said = any(_says(one, last.folded) for one in called)
        word, heads = last.folded, [(one.split()[-1], one) for one in called if not said]
        another = any(are_sisters(word, head) for head, _ in heads)  # width, of length; employee, of business person
        another |= any(head != one and is_kind_of(word, head) and not is_kind_of(word, one) for head, one in heads)
        if another or (span.iri in counted and names.schema.value_kind(span.iri) == "date"):
            yield Cue("kind", span.start, span.end)


def _first(partial: PartialQuery, _: Tagging, analysis: Analysis, names: Names) -> Iterator[Cue]:
    """Yield the ordinals that a query takes for the least of numbers that begin below 1: the first floor is no 0."""
    for one in partial.extremes:
        ranges = names.schema.relations[one.relation].ranges if one.relation else ()
        below = any(0 <= (bounds.least.number or 0) < 1 for bounds in ranges if bounds.kind == "number")
        said = {at: analysis.words[at].folded for at in one.said if below}
        yield from (Cue("kind", at, at + 1) for at, word in said.items() if names.packs[0].ordinals.get(word) == 1)


def _idle(partial: PartialQuery, tagging: Tagging, analysis: Analysis, names: Names) -> Iterator[Cue]:
    """Yield words for which a query only asks that something is known which is known of all things.

    All-female dorms are not those that have a gender, and state capitals no states that have a capital. Nor is a number
    that things have, or lack, what an adjective says.
    """
    schema, given = names.schema, {one.relation for one in partial.columns}
    steps = {(one.start, one.iri) for one in tagging.spans if one.kind == "relation"}
    for thing in partial.things if not partial.ask else ():
        compound = thing.parent is not None and thing.at == partial.thing(thing.parent).at + 1
        beside = [one for one in partial.things if one.parent == thing.parent and one.way == thing.way and one != thing]
        below = thing.parent is not None and partial.thing(thing.parent).parent is not None
        if thing.negated and below and beside and schema.is_single(thing.way[0]):
            yield Cue("kind", min(thing.said), max(thing.said) + 1)  # a stop in Rome is never one in Milan
        link = thing.way[0] if compound and len(thing.way) == 1 and partial.dangles(thing) else None
        if link and (thing.at, link.relation) in steps and link.share >= 1 and schema.is_single(link):
            yield Cue("kind", min(thing.said, default=0), max(thing.said, default=0) + 1)
    for span in tagging.spans:
        limits = [one for one in partial.constraints if one.relation == span.iri not in given]
        found = kinds(analysis.words[span.end - 1].text)
        numeric = bool(limits and span.iri) and schema.value_kind(span.iri) == "number" and "n" not in found
        unit = not span.exact and span.start < (analysis.each or 0) < span.end  # of prices per metre only "per metre"
        if not unit and ((span.exact and not numeric) or "a" not in found or "v" in found):
            continue
        if not all(one.is_idle or one.negated for one in limits):
            continue
        classes = [partial.thing(one.thing).cls for one in limits if not one.negated]
        if numeric or any(schema.count(one, span.iri) >= schema.instances(one) for one in classes):
            yield Cue("kind", span.start, span.end)


def _far(partial: PartialQuery, missed: Sequence[int], tagging: Tagging, wording: Wording) -> Iterator[Cue]:
    """Yield words of which a query heeds next to nothing: all writers, for those fired, or its maker, for a tailor."""
    analysis, names = wording.analysis, wording.names
    words = analysis.words
    limited = partial.constraints or partial.extremes or any(thing.terms for thing in partial.things)
    for at in missed[-1:] if not limited else ():
        if at == len(words) - 1 and words[at - 1].empty and is_verb_only(words[at].folded):
            yield Cue("kind", at, at + 1)  # the verb says which of them are meant
    starts, pack = {one.start for one in tagging.spans if one.kind == "thing"}, names.packs[0]
    for at in (at for at in missed if not starts.isdisjoint((at + 2, at + 3))):
        noun, of = (word.folded for word in words[at : at + 2])
        if of in pack.data.references.of.split():
            place = noun != "capital" and (noun in pack.names_of("places") or is_kind_of(noun, "country"))
            if names.means_people(noun) or (analysis.language == "en" and not place):  # the city of Oslo is Oslo
                yield Cue("kind", at, at + 1)
    said = [one for one in tagging.spans if one.kind != "thing" and not partial.said.isdisjoint(one.positions)]
    named = any(words[at].stem in names.stems_of(one.iri) for one in said for at in one.positions)
    has = partial.ask and any(one.is_idle for one in partial.constraints)
    least = _SAID if has else FARTHEST if limited else FAR
    if said and not named and all(one.score < least for one in said):
        yield Cue("kind", said[0].start, said[-1].end)  # no word of the name is said, and all mean something far


def _left_out(partial: PartialQuery, tagging: Tagging, analysis: Analysis, names: Names) -> Iterator[Cue]:
    """Yield words for what is to be given, too, and is not: the name *and* the service, authors *and the results*."""
    words, pack, given = analysis.words, names.packs[0], {one.relation for one in partial.columns}
    idle = {one.relation for one in partial.constraints if one.is_idle} - given
    loose = {at for one in partial.things if partial.dangles(one) for at in one.said}

    def joined(start: int, end: int) -> bool:
        """Return whether there is nothing but an "and" and words such as "the names of"."""
        between = [fold(word.text) for word in words[max(0, start) : end]]
        plain = all(word.empty or names.asks_for_names(word.text) for word in words[max(0, start) : end])
        verb = any(pack.forms["copula"].end(between, at) is not None for at in range(len(between)))
        return plain and not verb and any(pack.compare["and"].end(between, at) for at in range(len(between)))

    def is_loose(span: Span) -> bool:
        return (span.kind == "relation" and span.iri in idle) or not loose.isdisjoint(span.positions)

    spans = sorted((one for one in tagging.spans if one.kind != "name"), key=lambda one: one.start)
    starts = {one.start for one in spans}
    heads = [one for one in spans if one.end not in starts]  # results, of acceptance results
    for before, head in itertools.pairwise(heads):
        first = min((one.start for one in spans if one.start >= before.end), default=head.start)
        if joined(before.end, first) and is_loose(head) and not is_loose(before):
            yield Cue("kind", head.start, head.end)
    covered = {at for one in spans for at in one.positions}
    called = [at for at, word in enumerate(words) if at not in covered and names.asks_for_names(word.text)]
    ends = (at for at in called if any(at - 1 in one.said and at not in one.said for one in partial.extremes))
    yield from (Cue("kind", at - 1, at + 1) for at in ends)  # the longest name is not that of the longest
    for at in called if len(partial.columns) == 1 else ():
        if any(joined(start, end) for start, end in ((at + 1, at + 2), (at - 1, at), (at - 2, at))):
            yield Cue("kind", at, at + 1)
    things = [partial.thing(one.thing) for one in partial.columns if not one.relation]
    if called and any(names.named_by(one.cls) for one in things if not one.terms):
        yield Cue("kind", called[0], called[0] + 1)  # a role has no name, but who plays it does
    things += [partial.thing(one.parent) for one in things if one.parent is not None]  # whose name a role has
    for at in called:
        noun = next((one for one in range(at + 1, len(words)) if not words[one].empty), at)
        nouns = [] if at - 1 in covered or joined(at + 1, noun) else words[noun:]  # of party hosts, and not of parties
        wanted = [names.classes_called(one.stem) for one in itertools.takewhile(lambda word: not word.empty, nouns)]
        pairs = itertools.product((thing.cls for thing in things), itertools.chain(*wanted))
        if any(wanted[:1]) and not any(itertools.starmap(names.schema.meet, pairs)):
            yield Cue("kind", at, noun + 1)  # the names of stadiums are not those of swimmers; host names are of hosts


def _doubled(partial: PartialQuery) -> Iterator[Cue]:
    """Yield words for a thing reached by another one of a kind that is spoken of: films with somebody are *these*."""
    for thing in partial.things:
        if thing.parent is None or not thing.way or thing.negated or (thing.terms and len(thing.way) < 2):
            continue
        parent = partial.thing(thing.parent)
        others = [one for one in partial.things if one.parent == thing.parent and one != thing]
        known = [link for one in others for link in one.way[:1]] if len(thing.way) > 1 else []
        if parent.parent is not None and not partial.thing(parent.parent).terms:
            known += [link.reverse for link in parent.way[-1:]]
        if not parent.terms and thing.way[0] in known:
            yield Cue("kind", min(thing.said, default=0), max(thing.said, default=0) + 1)


def _turned(partial: PartialQuery, tagging: Tagging, analysis: Analysis, names: Names) -> Iterator[Cue]:
    """Yield the names beside verbs that a query takes the other way round, and words that turn a relation."""
    for one in turned_steps(partial, tagging.spans, analysis, names):
        own = is_verb_only(analysis.words[one.start].folded) and names.is_of(one.iri)  # belongs to
        if own or names.are_of_subject(one.iri, one.end, analysis) or names.is_itself(one.iri, one.start, analysis):
            yield Cue("kind", one.start, one.end)
    for span in tagging.spans:
        valued = [one.relation for one in partial.constraints if one.options and one.said.issuperset(span.positions)]
        if span.kind == "text" and any(names.is_other_end(one, span.start - 1, analysis) for one in valued):
            yield Cue("kind", span.start, span.end)
        thing = next((one for one in partial.things if len(one.terms) == 1 and one.at == span.start), None)
        if span.kind != "thing" or thing is None:
            continue
        below = [one for one in partial.things if one.parent == thing.id]
        steps = [(link.relation, not link.forward) for link in thing.way[-1:]]
        steps += [(link.relation, link.forward) for one in below for link in one.way[:1]]
        led = [link.relation for link in thing.way if link.forward]
        led += [link.relation for one in below for link in one.way if not link.forward]
        turned = any(names.is_turned(one, span.start, span.end, analysis, subject=whose) for one, whose in steps)
        if turned or any(names.is_other_end(one, span.start - 1, analysis) for one in led):
            yield Cue("kind", span.start, span.end)


def _owners(partial: PartialQuery, tagging: Tagging, analysis: Analysis, names: Names) -> Iterator[Cue]:
    """Yield the nouns asked for that are what a relation leads to, where a query gives those that have it."""
    for column in (one for one in partial.columns[:1] if not one.relation):
        ends = (one for one in partial.things if one.parent == column.thing and one.id not in partial.counted)
        owned = {link.relation for one in ends for link in one.way[:1] if link.forward}
        owned |= {link.relation for link in partial.thing(column.thing).way[-1:] if not link.forward}
        spans = (one for one in tagging.spans if one.kind == "relation" and analysis.asked.issuperset(one.positions))
        for span in (one for one in spans if one.iri in owned):
            noun, nouns = (word := analysis.words[span.end - 1]).folded, names.nouns_of(span.iri)
            # Teams are not those in a unit, nor is a population those who live there.
            other = nouns if is_plural(noun) else names.packs[0].measures.longest([word.stem], 0)
            if noun in nouns or (other and not (span.exact or names.is_converse(span.iri, span.end, analysis))):
                yield Cue("kind", span.start, span.end)


def _is_placed(partial: PartialQuery, thing: Thing, names: Names) -> bool:
    """Return whether a thing is no answer to where something is: at a place that a query names, somebody, no site."""
    steps = [one.way[0] for one in partial.things if one.parent == thing.id and one.terms and one.way]
    if thing.parent is not None and partial.thing(thing.parent).terms:
        steps += [link.reverse for link in thing.way[-1:]]
    if names.is_place(thing.cls) or not names.of(thing.cls):
        return any(one.forward and names.is_within(one) for one in steps)
    site = thing.said or any(is_kind_of(head, kind) for head in names.heads(thing.cls) for kind in _SITES)
    return any(one.forward for one in steps) or names.is_person(thing.cls) or not site


def _may_be_person(cls: str, names: Names) -> bool:
    """Return whether things of a class may be persons, animals, or groups of them, though not those of a place."""
    people = (names.schema.is_a(one, cls) for one in names.persons)
    if names.are_facts(cls):
        return False  # what has no name is no coach, but that somebody is one
    who = any(people) or any(done_by(one) or one == "animal" or is_kind_of(one, "animal") for one in names.heads(cls))
    return not names.is_place(cls) and (not names.of(cls) or who)


def _says(name: str, noun: str) -> bool:
    """Return whether a word of a name means what a noun does, its head not only more generally."""
    *modifiers, head = name.split()
    words = modifiers if modifiers and is_kind_of(noun, head) else [*modifiers, head]
    return any(relatedness(noun, word) > 0 and not are_sisters(noun, word) for word in words)


def _is_told_by_verb(span: Span, asked: Collection[int], analysis: Analysis) -> bool:
    """Return whether what is asked for is told by what it does: "which teacher joined" asks for no date."""
    if analysis.language != "en" or span.end not in asked or min(asked) not in span.positions:
        return False
    last, verb = analysis.words[span.end - 1].folded, analysis.words[span.end]
    found = frozenset[str]() if verb.empty else kinds(verb.text)
    several = last not in lemmas(last)  # what is part of a compound is in the singular: film titles
    return bool(found) and ("n" not in found or ("v" in found and several))
