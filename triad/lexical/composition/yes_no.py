"""Yes/no questions about classes: whether a thing is of a class, whether all of a class are so, whether there is none.

What a thing is said to be is a condition on it, not another thing. "All" asks whether none lacks the last condition of
the question, "no" whether nothing meets them all, and "more … than" for two numbers of things. A name that nothing
accounts for is never left out: the answer would be about something else.
"""

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Final

from triad.language.lexical_database import is_verb_only
from triad.language.mentions import is_capital
from triad.language.normalize import fold
from triad.language.tokens import Sentence
from triad.language.units import comparative_at
from triad.lexical.composition.elements import Column, Constraint, Span, Thing
from triad.lexical.composition.partial_query import PartialQuery, made
from triad.lexical.composition.query_builder import told_apart
from triad.lexical.composition.schema_graph import NO_CLASS, SchemaGraph
from triad.lexical.composition.tagging import Tagging
from triad.lexical.composition.wording import NEAR, Wording
from triad.sparql.patterns import Comparison, Filter, NegatedPart, Variable, substituted
from triad.sparql.query_graph import QueryGraph

_BEEN: Final = frozenset({"been", "ete"})  # behind "has" and "a", which say then what something is

Compose = Callable[[Tagging], Iterator[PartialQuery]]
"""Makes the queries of a tagging."""


@dataclass(frozen=True)
class ForAll(PartialQuery):
    """Whether all things meet a condition, of which there is one at least."""

    subject: int = 0
    """The things of which all must meet it."""
    among: PartialQuery | None = None
    """Which things these are."""

    def query(self) -> QueryGraph:
        """Return the query: whether there is such a thing, and none that does not meet the condition."""
        assert self.among is not None
        variable, one = self.thing(self.subject).variable, Variable("v8")
        asked, met = (
            PartialQuery(of.things, of.constraints, of.extremes, ask=True, apart=self.apart).query().where
            for of in (self.among, self)
        )
        lacking = NegatedPart(told_apart(met, 7, (variable,)))
        some = QueryGraph((one,), substituted(told_apart(asked, 8, (variable,)), {variable: one}), limit=1)
        return QueryGraph.whether(some, NegatedPart((*asked, lacking)))


@dataclass(frozen=True)
class Without(PartialQuery):
    """Whether there is nothing that meets the conditions: are there no packages without a licence?"""

    def query(self) -> QueryGraph:
        """Return the query."""
        return QueryGraph.whether(NegatedPart(super().query().where))


@dataclass(frozen=True)
class Outnumbers(PartialQuery):
    """Whether there is more, or less, of something than of something else."""

    rival: PartialQuery | None = None
    """What the number of things is held against."""
    sign: str = ">"

    def query(self) -> QueryGraph:
        """Return the query."""
        assert self.rival is not None
        number, other = Variable("number"), Variable("other_number")
        many = super().query().showing(self.root.variable).counted(number)
        others = told_apart(self.rival.query().showing(self.rival.root.variable).counted(other), 1, (other,))
        return QueryGraph.whether(many.nested(), others.nested(), Filter(Comparison(number, self.sign, other)))


def yes_no_partials(tagging: Tagging, wording: Wording, compose: Compose) -> Iterator[PartialQuery]:
    """Yield the queries of a yes/no question."""
    analysis, sentence = wording.analysis, wording.sentence
    if compared := _outnumbers(tagging, sentence, compose):
        yield from compared
        return
    opening, none = _opening_negations(sentence, tagging)
    meant = list(sentence.all("everything", "anything"))
    meant = meant or [one for one in sentence.all("every") if all(span.kind != "class" for span in tagging.spans)]
    tagging = replace(tagging, operators=tuple(one for one in tagging.operators if one.start not in opening | none))
    whole, classed = list(compose(tagging)), []
    for changed, kind, place, has in _said_to_be(tagging, wording):
        near = (one for one in whole if has and all(len(thing.way) < 2 for thing in one.things))
        direct = [one for one in near if one.said.issuperset(place.positions)]
        if direct:  # by a step of its own, and not by what others have
            whole = direct
        elif not has:
            classed += [_as_class(partial, kind, place, wording.schema) for partial in compose(changed)]
    for partial in itertools.chain(classed, whole):
        if not wording.pack.data.capital_nouns and any(
            at and is_capital(word.text) and not word.empty and at not in partial.said and at not in analysis.used
            for at, word in enumerate(analysis.words)
        ):
            continue  # it leaves out a name
        asked = partial.changed(replace(partial.root, said=partial.root.said | opening | none))
        unsaid = [one for one in asked.things if not one.terms and (one.at < 0 or not one.typed)]
        for at, end in meant if len(meant) == len(unsaid) == 1 else ():
            asked = asked.changed(replace(unsaid[0], at=at, said=unsaid[0].said | set(range(at, end))))
        if not none and (which := which_of(asked, tagging)):
            yield which
        if none and asked.root.terms and len(asked.things) == 1 and not asked.constraints:
            continue
        yield made(Without, asked) if none else _for_all(asked, wording, tagging) or asked


def which_of(partial: PartialQuery, tagging: Tagging) -> PartialQuery | None:
    """Return the query for which of several it is, where a question asks that: is it a tablet or a capsule?"""
    ors = [one.start for one in tagging.operators if one.kind == "or"]
    parts: list[Thing | Constraint] = [one for one in partial.things if len(one.terms) > 1]
    parts += [one for one in partial.constraints if max(len(one.options), len(one.choices)) > 1]
    parts = [one for one in parts if any(min(one.said) < at < max(one.said) for at in ors)]
    if len(parts) != 1 or (one := parts[0]).every or one.negated or type(partial) is not PartialQuery:
        return None
    own = one.id if isinstance(one, Thing) else one.thing
    above = [head for head in partial.things if own in partial.reached_from(head.id)]
    if any(head.typed and not head.terms for head in above) or not partial.root.terms:
        return None  # whether there is a lake in Spain or Italy
    limits = tuple(replace(limit, shown=True) if limit is one else limit for limit in partial.constraints)
    column = Column(own, "" if isinstance(one, Thing) else one.relation)
    return replace(partial, constraints=limits, columns=(column,), ask=False)


def _outnumbers(tagging: Tagging, sentence: Sentence, compose: Compose) -> list[PartialQuery]:
    """Return the queries of two numbers of things: "are there more nurses than doctors", "more in A than in B"."""
    first = next((one for one in tagging.spans if one.kind != "name"), None)
    before = range(first.start if first else 0)
    more = next((found for at in before if (found := comparative_at(sentence, at))), None)
    last = tagging.spans[-1].start if tagging.spans else 0
    than = next((at for at in range(first.end, last) if sentence.compare("than", at)), None) if first and more else None
    if first is None or more is None or more[0] is not None or than is None or first.kind not in ("class", "text"):
        return []
    if more[1] != first.start or any(comparative_at(sentence, at) for at in range(first.end, than)):
        return []  # more than two doctors, and more doctors older than somebody
    sides = [tuple(one for one in tagging.spans if (one.start < than) is before) for before in (True, False)]
    if all(one.kind != "class" for one in sides[1]):  # more rivers in Germany than in Poland: rivers in Poland
        sides[1] = (*[one for one in sides[0] if one.kind == "class"][:1], *sides[1])
    values = {(one.kind, one.iri) for one in sides[1] if one.kind != "class"}
    if first.kind == "text" and values != {("text", first.iri)}:
        return []  # more tenors than basses, and not than British singers
    apart = [
        replace(tagging, spans=spans, operators=tuple(one for one in tagging.operators if (one.start < than) is before))
        for spans, before in zip(sides, (True, False), strict=True)
    ]
    ones, others = ([one.changed(replace(one.root, typed=True)) for one in compose(side) if one.ask] for side in apart)
    sign = ">" if more[2] else "<"
    both = itertools.product(ones, others)
    whole = ((one.changed(replace(one.root, said=one.root.said | other.said)), other) for one, other in both)
    return [made(Outnumbers, one, rival=other, sign=sign) for one, other in whole]


def _opening_negations(sentence: Sentence, tagging: Tagging) -> tuple[set[int], set[int]]:
    """Return where a negation only opens the question (isn't it?), and where it says that there is nothing."""
    first = min((span.start for span in tagging.spans), default=len(sentence))
    negations = [one for one in tagging.operators if one.kind == "not" and one.start < first]
    opening = {0} & {one.start for one in negations} if sentence.form("boolean", 0) is not None else set()
    classes = [span.start for span in tagging.spans if span.kind == "class"]
    none = [one.start for one in negations if any(start - one.end <= NEAR for start in classes)]
    return opening, {*none, *(one.start for one in negations if sentence.form("anything", one.start))} - opening


def _said_to_be(tagging: Tagging, wording: Wording) -> Iterator[tuple[Tagging, str, Span, bool]]:
    """Yield the tagging with a thing of the class that it is said to be of, the class, and the words for it.

    At the end is whether it may be said to have, or to be in, something of the class instead.
    """
    words = wording.analysis.words
    solid = [span for span in tagging.spans if span.kind != "name"]
    for at, span in enumerate(solid):
        if span.kind != "thing" or any(one.kind not in ("thing", "text") for one in solid[:at]):
            continue
        place = next((one for one in solid[at + 1 :] if one.kind != "text"), None)
        if place is None or place.kind != "class" or place.kind_by:
            continue
        between = range(span.end, place.start)
        content = [one for one in between if not words[one].empty]
        texts = {one for text in solid[at + 1 :] if text.kind == "text" for one in text.positions}
        owner = any(words[one].text.lower() in wording.pack.endings for one in between)
        if not texts.issuperset(content) or not between or owner:
            continue
        own = next((cls for cls in span.classes if wording.schema.is_a(cls, place.iri)), place.iri)
        spans = tuple(replace(one, classes=(own,)) if one is span else one for one in tagging.spans if one is not place)
        yield replace(tagging, spans=spans), own, place, _has_or_is_in(wording, span, place)


def _has_or_is_in(wording: Wording, span: Span, place: Span) -> bool:
    """Return whether a question asks for what a thing has, is in or went through: is it in a hive, was it restored?"""
    sentence, done = wording.sentence, wording.sentence.folded[place.end - 1]
    if is_verb_only(done) and not any(done in fold(name.text).split() for name in wording.names.of(place.iri)):
        return True
    verbs = (at for at in range(place.start) if sentence.form("copula", at) is not None)
    been = any(sentence.folded[at] in _BEEN for at in range(span.end, place.start))
    has = not been and any(sentence.compare("having", at) is not None for at in verbs)
    return has or any(sentence.compare("during", at) is not None for at in range(span.end, place.start))


def _as_class(partial: PartialQuery, kind: str, place: Span, schema: SchemaGraph) -> PartialQuery:
    thing = min((one for one in partial.things if one.terms), key=lambda one: one.at)
    said = thing.said | frozenset(place.positions)
    typed = replace(thing, cls=kind, below=schema.below(kind), typed=True, said=said, defined=place.defined)
    return partial.changed(typed)


def _for_all(partial: PartialQuery, wording: Wording, tagging: Tagging) -> PartialQuery | None:
    """Return the query that asks it of all things that the question asks it of; None if it asks it of some."""
    for at, end in wording.sentence.all("every", "everything"):
        spans = [one for one in tagging.spans if one.start >= end]
        place = next((set(one.positions) for one in spans if one.kind == "class"), {-1})
        place = {at} if (pronoun := any(one.at == at for one in partial.things)) else place
        subject = next((one for one in partial.things if place <= one.said and not one.terms), None)
        if subject is None or subject.negated:
            continue
        above = [one for one in partial.things if subject.id in partial.reached_from(one.id)]
        conditions: list[Constraint | Thing] = [one for one in partial.things if one not in above]
        conditions = [one for one in (*partial.constraints, *conditions) if one.said]
        last = max(conditions, key=lambda one: max(one.said), default=None)
        if last is None and len(partial.things) == 1:
            continue
        named = next((one.positions for one in spans if pronoun and one.kind == "thing"), range(0))
        ends = [one for one in (subject, last) if named and isinstance(one, Thing) and max(one.said) >= named.stop]
        hung = any(named.start in (one.at, *(up.at for up in above if up.id == one.parent)) for one in ends)
        if hung or (last and any(one.terms and max(one.said, default=at) < at for one in above)):
            return None  # what is in a sale and was sold, not what was sold in it; and all in it that somebody bought
        if pronoun and conditions and (len(conditions) > 1 or subject.parent is not None):
            subject = replace(subject, cls=NO_CLASS)  # everything in a sale
        elif pronoun and (way := subject.way[-1:]):
            targets = [one.target for one in wording.schema.links(way[0].source) if one.relation == way[0].relation]
            widest = wording.schema.above_all(targets) or subject.cls
            subject = replace(subject, cls=widest, below=wording.schema.below(widest))
        whole = partial.changed(replace(subject, said=subject.said | frozenset(range(at, end))))
        among = PartialQuery((replace(subject, typed=True, parent=None, way=()),))
        among = whole.changed(replace(subject, typed=True)).without(last) if last else among
        return made(ForAll, whole, subject=subject.id, among=among)
    return None


def as_question(partial: PartialQuery, wording: Wording) -> PartialQuery:
    """Return a query that only says something of named things as a question whether it is so: "Nimmt Anna Aspirin?"."""
    analysis, sentence = wording.analysis, wording.sentence
    if analysis.expected or analysis.answer_type != "select" or not analysis.text.rstrip().endswith("?"):
        return partial
    plain = bool(partial.columns) and not any(column.relation or column.function for column in partial.columns)
    named = plain and all(len(thing.terms) == 1 for thing in partial.things)
    said = len(partial.things) + len(partial.constraints)
    if not named or said < 2 or any(sentence.all("ask", "which", "count", "number", "how")):
        return partial
    return replace(partial, columns=(), ask=True)
