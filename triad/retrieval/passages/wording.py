"""Things in words: what each is, its values by relation, what links to it, each sentence with its facts; and classes.

Numbers and texts stay as the graph has them; what a text says in a known unit stands in brackets behind it: "24,8 kg"
is 24.8 kg, whatever the notation. For that the texts of a relation are read together, as those of tables are: one alone
does not tell whether "1,090" is more than a thousand.

What is told of a class comes from the graph's profile, so that a question about a class as a whole finds one passage
in place of a thousand.
"""

import html
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import pyoxigraph
from pyoxigraph import NamedNode, Store

from triad.kg.profile import ClassProfile, GraphProfile, RelationProfile, Use
from triad.language.normalize import local_name
from triad.rdf import NUMERIC, RDF_TYPE, XSD, BlankNode, Literal, Term, Triple
from triad.retrieval.passages.facts import FIRST, DescribedThing, FactValue
from triad.retrieval.search.base import SIZE, Passage, Sentence, cut_text, gathered, side_by_side
from triad.retrieval.tables.names import best_label
from triad.retrieval.tables.readings import read_all
from triad.text import clean, shortened

_TITLE: Final = 120  # characters of a title
_MARKUP: Final = re.compile(r"</[a-zA-Z][^<>]*>|<(?:br|hr|img)\b[^<>]*>", re.IGNORECASE)
_TAG: Final = re.compile(r"</?[a-zA-Z][^<>]*>|<!--(?:(?!<!--).)*?-->|&#\d{9,};?")
_UNSAID: Final = frozenset({RDF_TYPE, FIRST})  # relations of blank nodes of which only the value is told
_NAMED: Final = 8  # values and classes that are listed
_RELATIONS: Final = 60  # relations of a class that are told of

Values = Mapping[str, tuple[str, ...]]
"""What is told of the values of each relation."""


# Amounts in texts -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Amounts:
    """What the texts of relations hold."""

    forms: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """For each relation, the normalised forms of its texts, where they differ from them."""
    units: Mapping[str, str] = field(default_factory=dict)
    """The unit of a relation's plain numbers, where it is known."""
    bounds: Mapping[str, str] = field(default_factory=dict)
    """The least and the greatest amount of a relation, in words."""

    def normal(self, relation: str, literal: Literal) -> str:
        """Return the normalised form of a literal; empty where there is none, or where it is the text itself."""
        if literal.datatype in NUMERIC:
            unit = self.units.get(relation, "")
            return f"{literal.value} {unit}" if unit else ""
        return self.forms.get(relation, {}).get(literal.value, "")


def amounts_of(store: Store, profile: GraphProfile, languages: Sequence[str] = ()) -> Amounts:
    """Read the texts of all relations of a store, one relation after the other."""
    forms: dict[str, Mapping[str, str]] = {}
    units: dict[str, str] = {}
    bounds: dict[str, str] = {}
    for known in profile.relations:
        if len(known.units) == 1:
            units[known.iri] = known.units[0]
        if known.links == known.triples or not set(known.datatypes) & {XSD + "string"}:
            continue
        texts = _texts(store, known.iri)
        found = read_all(texts, exact={text for text, plain in texts.items() if plain}, tags=languages)
        if not found.unit and not found.currencies:
            continue
        shown = {text: _shown(one.low, one.high, one.currency or found.unit) for text, one in found.values.items()}
        bare = {text: text.replace(" ", "").casefold() for text in (*shown, *shown.values())}
        forms[known.iri] = {text: form for text, form in shown.items() if bare[form] != bare[text]}
        if len(found.currencies) <= 1:
            unit = found.unit or found.currencies[0]
            low = min(one.low for one in found.values.values())
            high = max(one.high for one in found.values.values())
            bounds[known.iri] = f"from {_shown(low, low, unit)} to {_shown(high, high, unit)}"
        if found.unit:
            units.setdefault(known.iri, found.unit)
    return Amounts(forms, units, bounds)


def _texts(store: Store, relation: str) -> dict[str, bool]:
    """Return the distinct texts of a relation, each with whether it is a number as XML Schema writes them.

    Nothing if there are too many, or if few of the first ones begin like an amount.
    """
    texts: dict[str, bool] = {}
    for quad in store.quads_for_pattern(None, NamedNode(relation), None, None):
        value = quad.object
        if not isinstance(value, pyoxigraph.Literal) or value.language:
            continue
        if len(value.value) <= 60:  # characters of a text that may be an amount
            texts[value.value] = value.datatype.value in NUMERIC
        # texts of a relation by which it is told whether to read all
        if len(texts) == 200 and 2 * sum(map(_may_be, texts)) < 200:
            return {}
        if len(texts) > 20_000:  # distinct texts of a relation up to which they are read
            return {}
    return texts if 2 * sum(map(_may_be, texts)) >= len(texts) else {}


def _may_be(text: str) -> bool:
    return any(map(str.isdigit, text[:8]))


def _shown(low: float, high: float, unit: str) -> str:
    return f"{low:.12g} {unit}" if low == high else f"{low:.12g} to {high:.12g} {unit}"


# A thing in words -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class FactWording:
    """How things are told."""

    name: Callable[[str], str]
    """Returns the name of a thing by its IRI."""
    profile: GraphProfile = field(default_factory=GraphProfile)
    amounts: Amounts = field(default_factory=Amounts)
    _relations: dict[str, str] = field(default_factory=dict, init=False, repr=False)

    def passages(self, thing: DescribedThing) -> Iterator[Passage]:
        """Yield the passages of a thing, cut into parts where it has many facts."""
        title = self._title(thing)
        first = self._first(title, thing)
        own = gathered(([one] for one in self._sentences(title, thing)), [first])
        links = gathered(([one] for one in self._links(title, thing)), [first])
        parts = [*own, *(part for part in links if len(part) > 1)]
        yield from numbered(thing.iri, title, parts, thing.classes, self._language(thing))

    def relation(self, iri: str) -> str:
        """Return what a relation is called."""
        if (said := self._relations.get(iri)) is None:
            said = self._relations[iri] = _label(self.profile.relation_profile(iri)) or local_name(iri)
        return said

    def class_name(self, iri: str) -> str:
        """Return what a class is called."""
        return _label(self.profile.class_profile(iri)) or self.name(iri)

    def _title(self, thing: DescribedThing) -> str:
        if thing.names:
            return shortened(plain_text(str(thing.names[0].object)), _TITLE) or local_name(thing.iri)
        if thing.iri.startswith("urn:blank:"):
            return self.class_name(thing.classes[0]) if thing.types else "Something without a name"
        return shortened(local_name(thing.iri), _TITLE)

    def _first(self, title: str, thing: DescribedThing) -> Sentence:
        facts = (*thing.types, *thing.names[:1])
        if not thing.types:
            return Sentence(f"{title}.", facts)
        classes = [self.class_name(iri) for iri in thing.classes]
        article = "an" if classes[0][:1].lower() in "aeiou" else "a"
        return Sentence(f"{title} is {article} {', '.join(classes)}.", facts)

    def _sentences(self, title: str, thing: DescribedThing) -> Iterator[Sentence]:
        names = [(text, (triple,)) for triple in thing.names[1:] if (text := self._literal(triple)) != title]
        yield from _listed(f"{title} is also called", names, 0)
        for relation in sorted(thing.outgoing, key=lambda iri: (self._place(iri), iri)):
            values = thing.outgoing[relation]
            said = self.relation(relation)
            head = said[:1].upper() + said[1:]
            short = []
            for value in (item for one in values for item in _items(one)):
                text, facts = self._said(value)
                if len(text) <= 200:  # characters from which on a value is told in sentences of its own
                    short.append((text, facts))
                    continue
                for piece in cut_text(text, SIZE // 2):
                    yield Sentence(f"{head}: {piece}", facts)
            yield from _listed(f"{head}:", short, thing.counts[relation] - len(values))

    def _links(self, title: str, thing: DescribedThing) -> Iterator[Sentence]:
        """Yield what links to a thing, apart from what it says itself: lists of names would drown that."""
        for relation, triples in sorted(thing.incoming.items()):
            links = [(self._named(triple.subject), (triple,)) for triple in triples]
            more = thing.counts[f"^{relation}"] - len(triples)
            yield from _listed(f"What has {title} as {self.relation(relation)}:", links, more)

    def _place(self, relation: str) -> int:
        """Return the place of a relation: what many things have comes first."""
        known = self.profile.relation_profile(relation)
        return -known.subjects if known else 0

    def _said(self, value: FactValue) -> tuple[str, tuple[Triple, ...]]:
        """Return a value in words with the facts that tell it; of a blank node all that is said of it."""
        triple = value.triple
        if not value.inner:
            if isinstance(triple.object, Literal):
                return self._literal(triple), (triple,)
            return self._named(triple.object), (triple,)
        said, kept = [], [triple]
        for one in value.inner:
            text, facts = self._said(one)
            kept += facts
            relation = one.triple.predicate.value
            said.append(text if relation in _UNSAID else f"{self.relation(relation)} {text}")
        return f"({'; '.join(said)})", tuple(kept)

    def _literal(self, triple: Triple) -> str:
        literal = triple.object
        assert isinstance(literal, Literal)
        # characters of a text that are told; the fact that the sentence keeps has it whole
        text = shortened(plain_text(literal.value), 20_000)
        if amount := self.amounts.normal(triple.predicate.value, literal):
            return f"{text} ({amount})"
        if literal.language and literal.language.partition("-")[0].lower() != "en":
            return f"{text} ({literal.language})"
        return text

    def _named(self, term: Term) -> str:
        if isinstance(term, BlankNode):
            return "something without a name"
        return shortened(plain_text(self.name(term.value)), _TITLE)

    @staticmethod
    def _language(thing: DescribedThing) -> str:
        """Return the language of the texts of a thing, if they are in one other than English alone."""
        objects = (value.triple.object for values in thing.outgoing.values() for value in values)
        tags = {one.language.partition("-")[0].lower() for one in objects if isinstance(one, Literal) and one.language}
        return tags.pop() if len(tags) == 1 else "en"


def _items(value: FactValue) -> Sequence[FactValue]:
    """Return a value; in place of a list its items, the first of which brings the fact that leads to the list."""
    return value.inner if value.inner and all(one.triple.predicate.value == FIRST for one in value.inner) else (value,)


def numbered(
    id_: str, title: str, parts: Iterable[tuple[Sentence, ...]], classes: tuple[str, ...] = (), language: str = "en"
) -> Iterator[Passage]:
    """Yield the parts of what is told of a thing, whose id begins with its IRI, or of a class."""
    about = (id_.partition(" ")[0],)
    numbered = enumerate(parts, 1)
    texts = [Passage(f"{id_} {at}", title, one, "passages", about, classes, language) for at, one in numbered]
    yield from side_by_side(texts)


def _label(known: ClassProfile | RelationProfile | None) -> str:
    return plain_text(best_label(known))[:_TITLE]


def plain_text(text: str) -> str:
    """Return a text on one line without characters that steer, and without HTML if it has some.

    >>> plain_text("<p>Light &amp; quick</p>"), plain_text("a < b")
    ('Light & quick', 'a < b')
    """
    if "<" in text and _MARKUP.search(text):
        text = html.unescape(_TAG.sub(" ", text))
    return " ".join(clean(text).split())


def _listed(head: str, items: Sequence[tuple[str, Sequence[Triple]]], more: int) -> Iterator[Sentence]:
    """Yield sentences that list items, as many as it takes; the last one tells how many more there are."""
    part: list[str] = []
    facts: list[Triple] = []
    length = 0
    separator = "; " if any(", " in text for text, _ in items) else ", "
    for text, triples in items:
        if part and length + len(text) > SIZE // 2:
            yield Sentence(f"{head} {separator.join(part)}.", tuple(facts))
            part, facts, length = [], [], 0
        part.append(text)
        facts += triples
        length += len(text) + 2
    if part:
        rest = f" and {more:,} more" if more > 0 else ""
        text = f"{head} {separator.join(part)}{rest}"
        yield Sentence(text if text.endswith((".", "!", "?")) else f"{text}.", tuple(facts))


# A class in words ---------------------------------------------------------------------------------------


def overviews(wording: FactWording) -> Iterator[Passage]:
    """Yield the passages about each class that has instances."""
    values = {relation.iri: tuple(_values(wording, relation)) for relation in wording.profile.relations}
    for known in wording.profile.classes:
        if not known.instances:
            continue
        title = wording.class_name(known.iri)
        things = "1 thing" if known.instances == 1 else f"{known.instances:,} things"
        first = Sentence(f"{title} is a class with {things}.")
        parts = gathered(([one] for one in _about(wording, values, known)), [first])
        yield from numbered(f"{known.iri} class", f"{title} (class)", parts)


def _about(wording: FactWording, values: Values, known: ClassProfile) -> Iterator[Sentence]:
    for said, iris in (("Every one is also a", known.superclasses), ("Its kinds are", known.subclasses)):
        if iris:
            yield Sentence(f"{said} {_first_of(wording.class_name(iri) for iri in iris)}.")
    yield from (Sentence(_relation(wording, values, known, use)) for use in known.outgoing[:_RELATIONS])
    for use in known.incoming[:_RELATIONS]:
        ends = [wording.class_name(wording.profile.classes[at].iri) for at in use.ends]
        whose = f" of {_first_of(ends)}" if ends else ""
        said = f"are the {wording.relation(use.relation)}{whose}"
        yield Sentence(f"{_share(use, known)} of them {said}, {use.triples:,} times in all.")


def _relation(wording: FactWording, values: Values, known: ClassProfile, use: Use) -> str:
    said = f"{_share(use, known)} of them have {wording.relation(use.relation)}"
    if use.most > 1:
        said += f", up to {use.most:,} each"
    if ends := [wording.class_name(wording.profile.classes[at].iri) for at in use.ends]:
        said += f", which is {_first_of(ends)}"
    relation = wording.profile.relation_profile(use.relation)
    details = values.get(use.relation, ())
    if relation is None or not details:
        return f"{said}."
    whole = "" if relation.triples == use.triples else "in the whole graph "
    return f"{said}: {whole}{'; '.join(details)}."


def _values(wording: FactWording, relation: RelationProfile) -> Iterator[str]:
    if bounds := wording.amounts.bounds.get(relation.iri):
        yield bounds
    else:
        unit = wording.amounts.units.get(relation.iri, "")
        for bound in relation.ranges:
            yield f"from {bound.least.value} to {bound.greatest.value} {unit}".rstrip()
    counts: Counter[str] = Counter()
    for one in relation.values:
        text = one.term.value if isinstance(one.term, Literal) else wording.name(one.term.value)
        counts[plain_text(text)] += one.count
    shown = [
        f"{text} ({count:,})"
        for text, count in counts.most_common(_NAMED)
        if len(text) <= 60 and (count > 1 or relation.lists_all_values)  # characters of a value that is listed
    ]
    if shown:
        every = relation.lists_all_values and len(shown) == len(counts)
        yield f"{'' if every else 'most often '}{'; '.join(shown)}"


def _share(use: Use, known: ClassProfile) -> str:
    return "All" if use.things == known.instances else f"{use.things:,}"


def _first_of(names: Iterable[str]) -> str:
    found = list(names)
    more = f" and {len(found) - _NAMED} more" if len(found) > _NAMED else ""
    return ", ".join(found[:_NAMED]) + more
