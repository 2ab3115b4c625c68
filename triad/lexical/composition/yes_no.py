"""Yes/no questions about classes: whether a thing is of a class, whether all of a class are so, whether there is none.

What a thing is said to be is a condition on it, not another thing. "All" asks whether none lacks the last condition of
the question, and "no" whether nothing meets them all. A name that nothing accounts for is never left out: the answer
would be about something else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, replace
from typing import Final

from triad.language.analysis import Analysis
from triad.language.mentions import is_capital
from triad.language.pack import Pack
from triad.language.tokens import Sentence
from triad.lexical.composition.covers import Cover
from triad.lexical.composition.draft import Draft
from triad.lexical.composition.elements import Limit, Thing
from triad.lexical.composition.marks import Mark
from triad.lexical.composition.schema_graph import SchemaGraph
from triad.sparql.patterns import NegatedPart, Part, Variable, substituted, terms
from triad.sparql.query_graph import QueryGraph

__all__ = ["ForAll", "Without", "as_question", "yes_no_drafts"]

Compose = Callable[[Cover], Iterator[Draft]]
"""Makes the drafts of a cover."""

_NEAR: Final = 3  # words between "all" and the class that it is about


@dataclass(frozen=True)
class ForAll(Draft):
    """Whether all things meet a condition, of which there is one at least."""

    subject: int = 0
    """The things of which all must meet it."""
    limit: Limit | None = None
    """The condition, if it is a limit."""
    child: int | None = None
    """The condition, if it is that there is another thing."""

    def query(self) -> QueryGraph:
        """Return the query: whether there is such a thing, and none that does not meet the condition."""
        subject = self.thing(self.subject)
        variable, kind = subject.variable, subject.class_pattern
        met = self._plain(self.things, self.limits)
        asked: tuple[Part, ...] = (kind,)
        if self.limit is not None:
            asked = self._plain(self.things, tuple(one for one in self.limits if one is not self.limit))
        elif self.child is not None:
            gone = {self.child}
            for thing in self.things:
                if thing.parent in gone:
                    gone.add(thing.id)
            kept = tuple(thing for thing in self.things if thing.id not in gone)
            asked = self._plain(kept, tuple(one for one in self.limits if one.thing not in gone))
        if subject.cls and kind not in asked:
            asked = (kind, *asked)
        lacking = NegatedPart(substituted(met, _names(met, "7", {variable: variable})))
        one = Variable("v8")
        some = QueryGraph((one,), substituted(asked, _names(asked, "8", {variable: one})), limit=1)
        return QueryGraph.whether(some, NegatedPart((*asked, lacking)))

    def _plain(self, things: tuple[Thing, ...], limits: tuple[Limit, ...]) -> tuple[Part, ...]:
        return Draft(things, limits, self.extremes, ask=True, apart=self.apart).query().where


@dataclass(frozen=True)
class Without(Draft):
    """Whether there is nothing that meets the conditions: are there no packages without a licence?"""

    def query(self) -> QueryGraph:
        """Return the query."""
        return QueryGraph.whether(NegatedPart(super().query().where))


def _names(parts: tuple[Part, ...], start: str, given: dict[Variable, Variable]) -> dict[Variable, Variable]:
    found = dict.fromkeys(term for term in terms(parts) if isinstance(term, Variable) and term not in given)
    return {**given, **{term: Variable(f"v{start}55{at}") for at, term in enumerate(found)}}


def yes_no_drafts(
    cover: Cover, analysis: Analysis, pack: Pack, schema: SchemaGraph, compose: Compose
) -> Iterator[Draft]:
    """Yield the drafts of a yes/no question.

    Args:
        cover: What its words stand for.
        analysis: The question.
        pack: The pack of its language.
        schema: The schema.
        compose: Makes the drafts of a cover.
    """
    sentence = Sentence(analysis.text, pack)
    opening, none = _opening_negations(sentence, cover)
    cover = replace(cover, operators=tuple(one for one in cover.operators if one.start not in opening | none))
    for changed, kind, place in _said_to_be(cover, analysis, schema, pack.endings):
        for draft in compose(changed):
            yield from _whole(
                _as_class(draft, kind, place, schema), sentence, cover, analysis, frozenset(opening | none), bool(none)
            )
    for draft in compose(cover):
        yield from _whole(draft, sentence, cover, analysis, frozenset(opening | none), bool(none))


def _whole(
    draft: Draft, sentence: Sentence, cover: Cover, analysis: Analysis, negations: frozenset[int], none: bool
) -> Iterator[Draft]:
    """Yield a draft as the whole question puts it; nothing if it leaves out a name."""
    pack = sentence.pack
    if not pack.data.capital_nouns and any(
        at and is_capital(word.text) and not word.empty and at not in draft.said and at not in analysis.used
        for at, word in enumerate(analysis.words)
    ):
        return
    root = draft.root
    draft = draft.changed(replace(root, said=root.said | negations))
    if none:
        yield _made(Without, draft)
        return
    universal = _for_all(draft, sentence, cover)
    yield draft if universal is None else universal


def _made(kind: type[Draft], draft: Draft, **further: object) -> Draft:
    return kind(**{one.name: getattr(draft, one.name) for one in fields(Draft)}, **further)  # type: ignore[arg-type]


def _opening_negations(sentence: Sentence, cover: Cover) -> tuple[set[int], set[int]]:
    """Return where a negation only opens the question (isn't it?), and where it says that there is nothing."""
    first = min((mark.start for mark in cover.marks), default=len(sentence))
    opening: set[int] = set()
    none: set[int] = set()
    for operator in cover.operators:
        if operator.kind == "not" and operator.start < first:
            if operator.start == 0 and sentence.form("boolean", 0) is not None:
                opening.add(operator.start)
            elif any(mark.kind == "class" and mark.start - operator.end <= _NEAR for mark in cover.marks):
                none.add(operator.start)
    return opening, none


def _said_to_be(
    cover: Cover, analysis: Analysis, schema: SchemaGraph, endings: frozenset[str]
) -> Iterator[tuple[Cover, str, Mark]]:
    """Yield the cover with a thing of the class that it is said to be of, the class, and the words for it."""
    solid = [mark for mark in cover.marks if mark.kind != "name"]
    for at, mark in enumerate(solid):
        if mark.kind != "thing" or any(one.kind not in ("thing", "text") for one in solid[:at]):
            continue
        place = next((one for one in solid[at + 1 :] if one.kind != "text"), None)
        if place is None or place.kind != "class":
            continue
        between = [one for one in range(mark.end, place.start) if not analysis.words[one].empty]
        texts = {one for text in solid[at + 1 :] if text.kind == "text" for one in text.positions}
        owner = any(word.text.lower() in endings for word in analysis.words[mark.end : place.start])
        if not texts.issuperset(between) or place.start == mark.end or owner:
            continue
        own = next((cls for cls in mark.classes if schema.is_a(cls, place.iri)), place.iri)
        marks = tuple(replace(one, classes=(own,)) if one is mark else one for one in cover.marks if one is not place)
        yield replace(cover, marks=marks), own, place


def _as_class(draft: Draft, kind: str, place: Mark, schema: SchemaGraph) -> Draft:
    thing = min((one for one in draft.things if one.terms), key=lambda one: one.at, default=None)
    if thing is None:
        return draft
    said = thing.said | frozenset(place.positions)
    return draft.changed(replace(thing, cls=kind, below=schema.below(kind), typed=True, said=said))


def _for_all(draft: Draft, sentence: Sentence, cover: Cover) -> Draft | None:
    """Return the draft that asks it of all things that the question asks it of; None if it asks it of some."""
    for at in range(len(sentence)):
        end = sentence.form("every", at)
        if end is None:
            continue
        place = next((mark for mark in cover.marks if mark.kind == "class" and mark.start >= end), None)
        if place is None:
            continue
        subject = next((one for one in draft.things if set(place.positions) <= one.said and not one.terms), None)
        if subject is None or subject.negated:
            continue
        above = {subject.id}
        at_top = subject
        while at_top.parent is not None:
            at_top = draft.thing(at_top.parent)
            above.add(at_top.id)
        conditions: list[tuple[int, Limit | None, int | None]] = [
            (max(limit.said), limit, None) for limit in draft.limits if limit.said
        ]
        conditions += [
            (max(thing.said), None, thing.id) for thing in draft.things if thing.id not in above and thing.said
        ]
        last = max(conditions, key=lambda one: one[0], default=None)
        if last is None and len(draft.things) == 1:
            continue
        _, limit, child = last or (0, None, None)
        asked = draft.changed(replace(subject, said=subject.said | frozenset(range(at, end))))
        return _made(ForAll, asked, subject=subject.id, limit=limit, child=child)
    return None


def as_question(draft: Draft, analysis: Analysis, pack: Pack) -> Draft:
    """Return a draft that only says something of named things as a question whether it is so: "Nimmt Anna Aspirin?"."""
    if analysis.expected or analysis.answer_type != "select" or not analysis.text.rstrip().endswith("?"):
        return draft
    named = all(
        not column.relation and not column.function and len(draft.thing(column.thing).terms) == 1
        for column in draft.columns
    )
    if not named or not draft.columns or any(len(thing.terms) != 1 for thing in draft.things):
        return draft
    if len(draft.things) + len(draft.limits) < 2:
        return draft
    sentence = Sentence(analysis.text, pack)
    forms = ("ask", "which", "count", "number", "how")
    if any(sentence.form(name, at) for name in forms for at in range(len(sentence))):
        return draft
    return replace(draft, columns=(), ask=True)
