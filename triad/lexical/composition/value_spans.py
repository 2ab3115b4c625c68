"""Spans that words tell without naming them: adjectives in other forms, dates by years, things by their kind."""

from collections.abc import Collection, Iterator
from dataclasses import replace
from itertools import chain
from typing import Final

from triad.language.analysis import Analysis
from triad.language.lexical_database import derived, is_noun_only, kinds, lemmas
from triad.language.mentions import is_capital
from triad.language.normalize import fold
from triad.language.pack import Pack
from triad.language.relatedness import is_kind_of
from triad.lexical.composition.elements import INDIRECT, NEARLY, Span
from triad.lexical.composition.names import Names
from triad.lexical.composition.schema_graph import Link
from triad.rdf import IRI

_DAY: Final = len("2001-12-31")
_KINDS: Final = ("kind", "category", "variety", "taxonomic group")  # a species is one, and a model


def dated(analysis: Analysis, names: Names) -> Iterator[Span]:
    """Yield the dates for whose years or months rows are wanted, and years of what was done: hired each year, made."""
    pack, said = names.packs[0], {word.stem for word in analysis.words}
    literal = (iri for iri in names.schema.relations if analysis.expected == {"date"} and names.schema.is_literal(iri))
    dates = names.packs[-1].stems("date year")
    for name in (name for iri in literal for name in names.of(iri)):
        told = set(name.stems) - dates  # the year made, where there is no date
        score = NEARLY if "date" in name.stems else INDIRECT
        for place, word in enumerate(analysis.words) if len(told) == 1 < len(name.stems) else ():
            if word.stem in told:
                yield Span("relation", place, place + 1, name.iri, score, exact=False, text=name.text)
    times = {pack.english.units[pack.english.stem(name)] for name in ("year", "month")}
    if (at := analysis.each) is None:
        return
    unit = pack.unit_phrases.longest([word.stem for word in analysis.words], at)
    if unit is None or pack.units[unit[1]] not in times:
        return
    spoken = [cls for cls in names.schema.classes if not said.isdisjoint(map(pack.stem, names.heads(cls)))]
    for iri in (iri for iri in names.schema.relations if names.schema.value_kind(iri) == "date"):
        if (event := names.event_of(iri) & said) or any(names.schema.has(cls, iri) for cls in spoken):
            text = next((name.text for name in names.of(iri)), "")
            yield Span("relation", at, unit[0], iri, NEARLY if event else INDIRECT, exact=False, text=text)


def is_of_past(relation: str, at: int, analysis: Analysis, names: Names) -> bool:
    """Return whether an English word says what is done, and a relation dates what was: when it opens, by "opened"."""
    verb, told = analysis.words[at].folded, names.packs[-1].data.naming.auxiliaries
    if analysis.language != "en" or names.schema.value_kind(relation) != "date" or names.schema.lies_ahead(relation):
        return False
    past = {"had", *told["past"], *told["did"], *told["has"]}.intersection(word.folded for word in analysis.words)
    dated = any(one.date and one.date[0].isdigit() and len(one.date) < _DAY for one in analysis.comparisons)
    noun = any(word.stem in names.time for word in analysis.words[at + 1 : at + 2])  # the create time
    does = "v" in kinds(verb) and not noun and any(verb in (base, f"{base}s") for base in lemmas(verb)[:1])
    forms = (names.asking.form(name.text) for name in names.of(relation)) if does and not (past or dated) else ()
    return any((form.kind, form.tense) == ("participle", "past") for form in forms if form)


def infinitive(analysis: Analysis) -> int | None:
    """Return the position of the English verb that ends a question, behind "do" and a name: did Ann *win*?"""
    if analysis.language != "en" or not any("do" in lemmas(word.folded) for word in analysis.words[:-2]):
        return None
    before, last = analysis.words[-2:]
    named = is_capital(before.text) or is_noun_only(before.folded)
    verb = last.folded in lemmas(last.folded) and "v" in kinds(last.folded)
    return len(analysis.words) - 1 if named and verb else None


def inflected(analysis: Analysis, names: Names, sure: Collection[int]) -> Iterator[Span]:
    """Yield the values that relations list, by a word in another form: offene, which are "offen"; failed: a failure.

    The word is none that surely says something else, nor an English noun.
    """
    pack = names.packs[0]
    others = [one for one in enumerate(analysis.words) if not one[1].empty and one[0] not in sure]
    verb, english = infinitive(analysis), pack is pack.english
    words = [one for one in others if not english or one[0] == verb or "n" not in kinds(one[1].folded)]
    said = [(at, word, derived(word.folded) if english else ()) for at, word in words]
    listed = (one for one in names.schema.listed.items() if one[0] not in names.schema.names)
    spans = (Span("text", 0, 0, iri, NEARLY, text=value) for iri, values in listed for value in values)
    for one in chain(spans, () if english else _listed_things(names)) if said else ():
        own, stems = fold(one.text), pack.stem_list(one.text)
        for at, word, forms in said:
            same = own in lemmas(word.folded) and "a" in kinds(own)  # what opened in 1960 is not open
            small = one.kind == "text" or word.text.islower()
            if small and ([word.stem] == stems or own in forms) and word.folded != own and not same:
                yield replace(one, start=at, end=at + 1)


def _listed_things(names: Names) -> Iterator[Span]:
    """Yield the things that a relation lists, all of them, and that are called by a word in small letters: easy."""
    for known in (one for one in names.schema.relations.values() if one.links and one.lists_all_values):
        classes = tuple(sorted({end.object for end in known.ends} & names.schema.classes.keys()))
        for term, labels in ((one.term, one.labels) for one in known.values if isinstance(one.term, IRI)):
            for label in (label.value for label in labels if label.value.islower()):
                yield Span("thing", 0, 0, term.value, NEARLY, text=label, classes=classes, terms=(term,))


def is_form(said: str, name: str, pack: Pack) -> bool:
    """Return whether words are a common noun in some form: cargo ships, a Cargo ship, Kräne, a Kran."""
    common = said.split()[-1].islower() or (pack.data.capital_nouns and said != name)
    return common and pack.stem_list(said) == pack.stem_list(name)


def of_kind(thing: Span, analysis: Analysis, names: Names) -> Iterator[Span]:
    """Yield the classes whose things have one kind each, by the common noun for a kind: ferries, a ferry."""
    said = analysis.said(thing.start, thing.end)
    several = thing.end - thing.start == 1 or fold(said) != fold(thing.text)  # and not the united states
    noun = analysis.language == "en" and "n" in kinds(said.split()[-1])
    noun = thing.text.islower() or (several and (noun or names.packs[0].data.capital_nouns))
    if noun and is_form(said, thing.text, names.packs[0]):
        for step in _kinds_by(thing.classes, names):
            yield replace(thing, kind="class", iri=step.source, exact=True, kind_by=step)


def _kinds_by(classes: Collection[str], names: Names) -> Iterator[Link]:
    """Yield the steps by which other things with names have one thing of some classes each, which may be a kind.

    A kind has no numbers and no dates of its own, as a spare part has, but for what is called a species or a model.
    """
    heads = {head for cls in classes for head in names.heads(cls)}
    plain = names.schema.measured.isdisjoint(classes)
    plain |= any(head == kind or is_kind_of(head, kind) for head in heads for kind in _KINDS)
    for link in (link for cls in classes if plain for link in names.schema.links(cls)):
        other = not link.forward and link.target not in classes and names.have_names(link.target)
        if other and names.schema.is_single(link.reverse):
            yield link.reverse
