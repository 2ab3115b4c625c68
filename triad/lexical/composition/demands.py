"""Demands: where a question asks for something, besides at its beginning.

A last sentence may demand something ("Which …? List their names."), and so may a clause ("… and report its range"); and
a question may begin with what a row is wanted for each of ("For each hall, return its seats"). Where each of some
things has one value, an average for each of them is that of all.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from triad.language.analysis import Analysis, later_demands
from triad.language.operators import Operator
from triad.lexical.composition.elements import Column, Extreme, Span
from triad.lexical.composition.names import Names
from triad.lexical.composition.partial_query import PartialQuery
from triad.lexical.composition.schema_graph import SchemaGraph
from triad.lexical.composition.tagging import TaggedQuestion, Tagging
from triad.lexical.composition.wording import Wording
from triad.lexical.contract import Cue

_PAST: Final = frozenset(("did", "was", "were"))


def first_key(tagged: TaggedQuestion) -> Span | None:
    """Return what a question begins with that asks something for each of it: "for each hall, return its seats"."""
    each = next((one for one in tagged.operators if one.kind == "each"), None)
    before = filter(tagged.wording.sentence.content, range(each.start if each else 0))
    if each is None or not tagged.analysis.form.issuperset(before):
        return None
    key = tagged.operand(each)
    after = next((one for one in tagged.spans if key and one.start >= key.end), None)
    return key if key and after and after.start > key.end else None  # and not of each loan *type*


def ranks_each(wording: Wording, operators: Sequence[Operator]) -> bool:
    """Return whether the greatest of each is asked for: the oldest singer in each country; for each, the oldest one.

    Each of what the greatest has is none: each violin of the oldest violinist.
    """
    each = next((one for one in operators if one.kind == "each"), None)
    rank = next((one for one in operators if one.kind == "superlative"), None)
    if each is None or rank is None or rank.start < each.start:
        return each is not None and rank is not None
    between = range(each.end, rank.start)
    asks = any(wording.sentence.form(form, at) is not None for form in ("ask", "which") for at in between)
    return asks or "," in wording.gap(each.end, rank.start)


def loses_each(tagging: Tagging, operators: Sequence[Operator], wording: Wording) -> bool:
    """Return whether the greatest of all are taken for those of each, or several of each are asked for."""
    ranks = [one for one in tagging.operators if one.kind == "superlative"]
    named = {at for one in tagging.spans if one.kind == "relation" for at in one.positions}  # the cost per night
    each = any(one.kind == "each" and (one in tagging.operators or one.start in named) for one in operators)
    single = all((one.first, one.count) == (1, 1) for one in ranks)
    return bool(ranks) and ranks_each(wording, operators) and not (each and single)


def averaged_alone(partial: PartialQuery, wording: Wording) -> Iterator[Cue]:
    """Yield the words for each of some things of which each has one value, so that an average is that of all."""
    each = [one for one in wording.contract.cues if one.kind == "each"]
    more = {at for at, word in enumerate(wording.analysis.words) if not word.empty}
    averaged = [one for one in partial.columns if one.function == "AVG" and _is_single(one, wording.schema)]
    for said in (partial.thing(one.thing).said for one in averaged if each):
        if max(said, default=0) + 1 not in more - said:
            yield from (one for one in each if one.end in said)  # not for each product *type*


def sums_one_each(partial: PartialQuery, schema: SchemaGraph) -> bool:
    """Return whether a query averages or sums up, for each thing, the one value that this has."""
    single = {one.thing for one in partial.columns if one.function in ("AVG", "SUM") and _is_single(one, schema)}
    return any(one.thing in single and not (one.relation or one.function) for one in partial.columns)


def _is_single(column: Column, schema: SchemaGraph) -> bool:
    known = schema.relations.get(column.relation)
    return known is not None and known.functional


def last_demand(tagged: TaggedQuestion) -> int:
    """Return where a last sentence that demands begins: "Which … ? List their names."; 0 if there is none.

    One that asks for "the count" says again what is counted before.
    """
    words, text = tagged.analysis.words, tagged.analysis.text
    if counted_again(tagged) is not None:
        return 0
    for at in range(len(words) - 1, 0, -1):
        if any(sign in text[words[at - 1].end : words[at].start] for sign in ".?!;"):
            return at if tagged.wording.sentence.form("ask", at) is not None else 0
    return 0


def counted_again(tagged: TaggedQuestion) -> Operator | None:
    """Return the last words that count what was to be counted before: "Which … ? List the city and the count."."""
    counts = [one for one in tagged.operators if one.kind == "count"]
    return counts[-1] if counts and tagged.operand(counts[-1]) is None else None


def further_demands(tagged: TaggedQuestion) -> Iterator[int]:
    """Yield where further demands end before what they are for, besides the only ones: "… and report its range".

    To list things with two of what they have is to list these, too: "show directors with country and birth date".
    """
    yield from _listed_with(tagged)
    yield from _asked_again(tagged)
    sentence, last = tagged.wording.sentence, last_demand(tagged)
    begin = sentence.skip_empty(0, len(sentence))
    keyed = any(sentence.form("each", at) for at in range(begin))  # "for each party, return its theme"
    for at, end in list(later_demands(sentence, 0))[keyed:]:
        after = next((one.start for one in tagged.spans if one.start >= end), len(sentence))
        if at != last and not any(map(sentence.content, range(end, after))):
            yield end


def _asked_again(tagged: TaggedQuestion) -> Iterator[int]:
    """Yield where a question asks which for a second time: "which doctor works in which room", not a room in which."""
    sentence, pack, spans = tagged.wording.sentence, tagged.wording.pack, tagged.spans
    articles = {*pack.references.articles, *pack.data.numbers.one}
    verbs = {one.end for one in spans if one.kind == "relation" and sentence.folded[one.start - 1] not in articles}
    verbs |= {at + 1 for at in range(len(sentence)) if sentence.form("copula", at)}
    who = any(kind == "person" for _, kind in pack.expected.at(sentence.folded, 0))
    for at in (one.start for one in spans if one.kind != "thing" and one.start > 2):
        again = sentence.form("which", at - 1) == at and (who or sentence.stems[at - 1] in sentence.stems[:2])
        if again and not verbs.isdisjoint((at - 1, at - 2)):
            yield at


def _listed_with(tagged: TaggedQuestion) -> Iterator[int]:
    """Yield the end of a "with" in front of two relations or more, in a question that demands a list."""
    sentence, schema = tagged.wording.sentence, tagged.schema
    lists = any(sentence.form("ask", at) is not None for at in range(tagged.spans[0].start if tagged.spans else 0))
    withs = {said.split()[0] for said in tagged.wording.pack.data.forms.beside}
    for at in range(len(sentence)) if lists and not tagged.bounds else ():
        own = [one for one in tagged.spans if one.start > at and one.kind != "name"]
        plain = all(one.kind == "relation" and one.iri not in schema.truths for one in own) and len(own) > 1
        joined = all(tagged.wording.joined(one.end, other.start) for one, other in pairwise(own))
        opens = sentence.folded[at] in withs and sentence.compare("having", at) == at + 1
        if opens and plain and joined and own[0].start == at + 1:
            yield at + 1


def is_said_twice(extreme: Extreme, partial: PartialQuery, analysis: Analysis, names: Names) -> bool:
    """Return whether a relation of a named thing has the words of a superlative among its things: first ascent by."""
    said = {analysis.words[at].stem for at in extreme.said if not analysis.words[at].empty}
    if not said or not extreme.relation or extreme.thing < 0 or said <= names.stems_of(extreme.relation):
        return False
    thing = partial.thing(extreme.thing)
    owned = thing.way and thing.parent is not None and partial.thing(thing.parent).terms
    return bool(owned) and any(said <= names.stems_of(link.relation) for link in thing.way)


def is_of_several(tagged: TaggedQuestion, span: Span) -> bool:
    """Return whether numbers are those of what was done: how much was spent in 2024, and not how much it costs."""
    schema, pack, folded = tagged.schema, tagged.wording.pack, tagged.wording.sentence.folded
    much = schema.value_kind(span.iri) == "number" and any(kind == "number" for *_, kind in pack.expected.all(folded))
    named = [cls for one in tagged.spans if one.kind == "thing" for cls in one.classes]
    own = any(schema.meet(cls, owner) for cls in named for owner in schema.sources(span.iri))
    return much and not own and not _PAST.isdisjoint(folded)
