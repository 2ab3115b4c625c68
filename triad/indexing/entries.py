"""From the triples of a graph to the entries of a label index.

Names, types and counts of each resource are gathered by the database (`triad.indexing.triples`) once all triples are
there; what is a label property of the graph's own is known by then.

>>> from pyoxigraph import RdfFormat, parse
>>> with Triples() as triples:
...     triples.take(parse("<http://x.org/Ann> <http://x.org/worksFor> <http://x.org/ACME> .", RdfFormat.TURTLE))
...     sorted((entry.kind, entry.label) for entry in Entries(triples))
[('entity', 'ACME'), ('entity', 'Ann'), ('relation', 'works for')]
"""

import re
from collections.abc import Container, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, Final, Literal as OneOf, Self

from pydantic import field_validator

from triad.errors import ConfigError
from triad.indexing.triples import FAR, Triples, fill, rows
from triad.kg import labels as usual
from triad.kg.labels import Labels, SampledEntity, called_after, expanded, last_part, may_be_label, own_properties
from triad.language.normalize import local_name
from triad.questions import Kind
from triad.rdf import BUILT_IN, DECLARED_KINDS, RDF_TYPE
from triad.resources import statements
from triad.search.base import Entry
from triad.sparql.stated import FACT
from triad.strict import Strict

_DBO: Final = "http://dbpedia.org/ontology/"

_NO_TEXT: Final = re.compile(r"[\W\d_]*$|\d{4}-\d\d-\d\d|[^\s@]+@[^\s@.]+\.\S+$|[a-zA-Z][\w+.-]*://|www\.|mailto:|tel:")
"""Numbers, dates, e-mail addresses and addresses on the web."""

_QUALIFIED: Final = re.compile(r"(.*\S) \([^()]+\)$")
"""A name with what tells it from others of the same name: Easy Street (film)."""

# How a name counts, the lowest best: by the property it comes from; by its language, in steps; and by its place.
_LANGUAGE: Final = 1_000
_LABEL, _NAME, _ALIAS, _REDIRECTED = (at * 1_000_000 for at in range(4))
_OF_CLASS: Final = 10_000_000
"""Names by properties that are called as a class, which hold names of its instances only, until these are known: a
range of `_NAME` for each such property."""
_DIGITS: Final = 12  # of a number before the text of a name

Popularity = OneOf["degree", "links"]
"""The measure of popularity: the number of triples, or of links to the resource."""


class LabelProperties(Strict):
    """Which properties hold names and descriptions, and in which languages they are preferred."""

    labels: tuple[str, ...] = usual.WELL_KNOWN
    """Properties whose values may be the preferred name, the best first, as IRIs or with a well-known prefix. Where
    they are not named, the graph's own are found out, too."""
    aliases: tuple[str, ...] = usual.ALIASES
    """Properties whose values are other names."""
    local_names: tuple[str, ...] = usual.NAMES
    """What other properties that hold names are called in their own namespaces."""
    descriptions: tuple[str, ...] = tuple(usual.VOCABULARY["summaries"])
    """Properties whose values describe, the best first."""
    redirects: tuple[str, ...] = (_DBO + "wikiPageRedirects",)
    """Properties from a page that is but another name to the page that it stands for."""
    shared_names: tuple[str, ...] = ()
    """Properties from a resource to another with the same names and description: Wikidata's properties are described as
    entities."""
    types: tuple[str, ...] = (RDF_TYPE,)
    """Properties from a resource to its classes."""
    languages: tuple[str, ...] = ("en",)
    """Languages of preferred names, the best first; then come names without language, then all others."""
    literals: int = 200_000
    """How many distinct texts that relations take as values are indexed at most; 0 is none."""
    keep: tuple[str, ...] = ()
    """The beginnings of IRIs that are indexed; empty means all."""
    drop: tuple[str, ...] = ()
    """The beginnings of IRIs that are not indexed, even if `keep` has them."""

    @field_validator("labels", "aliases")
    @classmethod
    def _expanded(cls, names: tuple[str, ...]) -> tuple[str, ...]:
        try:
            return expanded(names)
        except ConfigError as error:
            raise ValueError(str(error)) from error

    @classmethod
    def of(cls, labels: Sequence[str]) -> Self:
        """Return the usual ones, or with labels by just some properties."""
        return cls(labels=tuple(labels), local_names=()) if labels else cls()

    def are_names_by(self, relation: str) -> bool:
        """Return whether a relation that is not named here is called as one that holds names."""
        return re.split(r"[/#:]", relation)[-1] in self.local_names


_WEIGHT: Final = {"p": "VARCHAR", "part": "VARCHAR", "weight": "BIGINT"}
"""What a property says of a resource, and how it counts among those that say the same."""
_SQL: Final = statements(
    __file__,
    far=FAR,
    alias=_ALIAS,
    redirected=_REDIRECTED,
    digits=_DIGITS,
    built_in=" OR ".join(f"starts_with(value, '{space}')" for space in BUILT_IN),
)


class Entries:
    """The entries of a graph's label index, in an order that depends on nothing but the triples."""

    def __init__(
        self, triples: Triples, properties: LabelProperties | None = None, *, popularity: Popularity = "degree"
    ) -> None:
        """Find out which properties hold names."""
        self._properties = properties or LabelProperties()
        self._popularity = popularity
        self._database = triples.database
        self._uses = dict(triples.number(self._properties.types))
        self._own: tuple[str, ...] = ()
        self._find()

    @property
    def labels(self) -> Labels:
        """The properties that the labels of the entries come from."""
        called = sorted(self._called, key=lambda iri: (-self._uses[iri], iri))
        return Labels(self._properties.labels, (*called, *self._own))

    def __iter__(self) -> Iterator[Entry]:
        """Return the entries of resources, then those of texts that relations take as values."""
        for iri, triples, instances, links, names, naming, description, types, declared, redirects in self._resources():
            if self._is_left_out(iri) or (redirects and triples <= naming + 1):
                continue
            if any(one.startswith(FACT) for one in types or ()):
                continue  # it states a fact, and is called nothing
            kind: Kind
            if iri in self._uses or declared == "relation":
                kind, popularity = "relation", self._uses.get(iri, 0)
            elif instances or declared == "class":
                kind, popularity = "class", instances
            else:
                kind, popularity = "entity", links if self._popularity == "links" else triples
            label, aliases = self._names(iri, kind, names or (), types or ())
            yield Entry(iri, kind, label, aliases, description, tuple(types or ()), popularity)
        texts = (row for row in rows(self._database.cursor().execute(_SQL["texts"])) if not _NO_TEXT.match(row[1]))
        for predicate, text, count in islice(texts, self._properties.literals):
            if not self._is_left_out(predicate):
                yield Entry(predicate, "literal", text, popularity=count)

    def _resources(self) -> Iterator[tuple[Any, ...]]:
        """Yield what is known of each resource, which is gathered of as many at once as memory has room for."""
        found = self._database.cursor()
        [[count]] = found.execute(f"{_SQL['things']} SELECT count(*) FROM made.thing").fetchall()
        step = max(1, _PARTS * _GATHERED // max(count, _GATHERED))
        for first in range(0, _PARTS, step):
            found.execute(_SQL["gathered"].replace("$first", str(first)).replace("$last", str(first + step)))
            yield from rows(found.execute(_SQL["entries"]))

    def _names(self, iri: str, kind: Kind, found: Sequence[str], types: Sequence[str]) -> tuple[str, tuple[str, ...]]:
        """Return the preferred name and the others."""
        ranked = sorted(found) if len(found) > 1 else found
        if ranked and ranked[-1] >= _BY_CLASS:
            ranked = sorted(filter(None, (self._placed(name, types) for name in ranked)))
        names = [name[_DIGITS:] for name in ranked]
        if not ranked or ranked[0] >= _OTHER_NAME:
            names.insert(0, local_name(iri))
        elif kind != "entity":
            # The names of vocabulary terms in their IRIs are words, and often other words than their labels.
            names.append(local_name(iri))
        if ranked and ranked[-1] >= _REDIRECTING:
            names = [local_name(name[1:]) if name[:1] == "\0" else name for name in names]
        if kind == "entity" and names[0].endswith(")") and (plain := _QUALIFIED.match(names[0])):
            names.append(plain[1])
        label, *aliases = dict.fromkeys(names) if len(names) > 1 else names
        return label, tuple(aliases)

    def _placed(self, name: str, types: Iterable[str]) -> str | None:
        """Return a name with what it counts, now that it is known whose it is; None if it is none."""
        if (weight := int(name[:_DIGITS])) < _OF_CLASS:
            return name
        at, weight = divmod(weight - _OF_CLASS, _NAME)
        if not called_after(self._own[at], types):
            return None
        return _numbered(_NAME + weight) + name[_DIGITS:]

    def _is_left_out(self, iri: str) -> bool:
        keep = self._properties.keep
        return iri.startswith((*BUILT_IN, FACT, *self._properties.drop)) or bool(keep and not iri.startswith(keep))

    def _find(self) -> None:
        """Make tables of what each property says, and find out which ones hold labels that nobody named."""
        properties, database = self._properties, self._database
        parts = dict.fromkeys(properties.types, ("type", 0))
        parts |= dict.fromkeys(properties.redirects, ("redirect", 0))
        parts |= dict.fromkeys(properties.shared_names, ("share", 0))
        parts |= {name: ("description", at) for at, name in enumerate(properties.descriptions)}
        parts |= dict.fromkeys(properties.aliases, ("name", _ALIAS))
        parts |= {name: ("name", _LABEL + at) for at, name in enumerate(properties.labels)}
        called = [iri for iri in self._uses if iri not in parts and properties.are_names_by(iri)]
        self._called = called if "local_names" in properties.model_fields_set else self._telling(called)
        parts |= dict.fromkeys(self._called, ("name", _NAME))
        numbers = {iri: at for at, iri in enumerate(self._uses)}
        types = [(numbers[name],) for name, (part, _) in parts.items() if part == "type" and name in numbers]
        fill(database, "made.types", {"p": "INTEGER"}, types)
        giving = ((name, part) for name, (part, _) in parts.items() if part in ("redirect", "share"))
        givers = [(numbers[name], part == "redirect") for name, part in giving if name in numbers]
        fill(database, "made.givers", {"p": "INTEGER", "redirects": "BOOLEAN"}, givers)
        fill(database, "made.declaration", {"iri": "VARCHAR", "kind": "VARCHAR"}, list(DECLARED_KINDS.items()))
        tags = database.execute("SELECT DISTINCT tag FROM triple WHERE tag[1] = '@'").fetchall()
        languages = [(tag, self._language_rank(tag[1:])) for (tag,) in tags]
        fill(database, "made.language", {"tag": "VARCHAR", "rank": "BIGINT"}, languages)
        fill(database, "made.weight", _WEIGHT, [(name, *what) for name, what in parts.items()])
        plain = {"plain": self._language_rank("")}
        database.execute(_SQL["macros"])
        database.execute(f"CREATE TABLE made.named AS {_SQL['named']}", {**plain, "part": "name"})
        database.execute(_SQL["described"], plain)
        database.execute(_SQL["typed"])
        if "labels" not in properties.model_fields_set and self._find_own(parts):
            database.execute(f"INSERT INTO made.named {_SQL['named']}", {**plain, "part": "own"})
            database.execute(f"INSERT INTO made.named {_SQL['named']}", {**plain, "part": "of class"})
        database.execute("CREATE TABLE made.redirecting AS SELECT DISTINCT giver FROM made.given WHERE redirects")
        if givers:
            database.execute(_SQL["given"])

    def _telling(self, relations: Sequence[str]) -> list[str]:
        """Return those of some relations that tell what has them apart: titles of books, and not those of people."""
        found = self._database.execute(_SQL["telling"], {"relations": list(relations)}).fetchall() if relations else []
        telling = {iri for (iri,) in found}
        return [iri for iri in relations if iri in telling]

    def _find_own(self, known: Container[str]) -> bool:
        """Find the label properties of the graph's own; return whether there are any."""
        classes = self._database.execute(
            "SELECT value FROM made.term JOIN (SELECT DISTINCT o AS id FROM made.typed) USING (id) WHERE NOT blank"
        ).fetchall()
        called = {last_part(iri) for (iri,) in classes}
        candidates = [iri for iri in self._uses if iri not in known and (may_be_label(iri) or last_part(iri) in called)]
        if not candidates:
            return False
        fill(self._database, "made.weight", _WEIGHT, [(iri, "candidate", 0) for iri in candidates], add=True)
        sample = [
            SampledEntity(tuple(classes), labelled, dict(zip(properties or (), texts or (), strict=True)), iri)
            for classes, labelled, properties, texts, iri in self._database.execute(_SQL["sampled"]).fetchall()
        ]
        self._own = own_properties(sample)
        weights = [
            (iri, "own", _NAME + 1 + at) if may_be_label(iri) else (iri, "of class", _OF_CLASS + at * _NAME + 1 + at)
            for at, iri in enumerate(self._own)
        ]
        fill(self._database, "made.weight", _WEIGHT, weights, add=True)
        return bool(self._own)

    def _language_rank(self, language: str) -> int:
        languages = (*self._properties.languages, "")
        known = language if language in languages else language.partition("-")[0]
        return _LANGUAGE * (1 + (languages.index(known) if known in languages else len(languages)))


def _numbered(weight: int) -> str:
    return f"{weight:0{_DIGITS}}"


_PARTS: Final = 64  # of all resources, by their checksums
_GATHERED: Final = 500_000  # resources of which about so many are gathered at once
_OTHER_NAME: Final = _numbered(_ALIAS)
_REDIRECTING: Final = _numbered(_REDIRECTED)
_BY_CLASS: Final = _numbered(_OF_CLASS)
