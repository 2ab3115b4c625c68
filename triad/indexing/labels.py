"""From triples to the entries of a label index.

A `LabelCollector` takes triples as they go by, so that a graph need not be searched for its names. It keeps for each
IRI its names, its types and counts; when these outgrow the memory that they may take, they are written to files,
divided by IRI, and put together again one division at a time.

>>> from pyoxigraph import RdfFormat, parse
>>> collector = LabelCollector()
>>> facts = "<http://x.org/Ann> <http://x.org/worksFor> <http://x.org/ACME> ."
>>> collector.take(parse(facts, RdfFormat.N_TRIPLES))
>>> [(entry.kind, entry.label) for entry in collector.entries()]
[('entity', 'Ann'), ('entity', 'ACME'), ('relation', 'works for')]
"""

from __future__ import annotations

import json
import re
import shutil
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeVar
from typing import Literal as OneOf

from pydantic import field_validator
from pyoxigraph import Literal, NamedNode, Quad

from triad.errors import ConfigError
from triad.indexing.spill import COUNT, Divisions, division_of
from triad.kg.labels import (
    ALIASES,
    WELL_KNOWN,
    Labels,
    SampledEntity,
    called_after,
    expanded,
    last_part,
    may_be_label,
    own_properties,
)
from triad.language.normalize import local_name
from triad.questions import Kind
from triad.rdf import BUILT_IN, DCTERMS, DECLARED_KINDS, RDF_TYPE, RDFS, SCHEMA, SCHEMA_HTTPS, SKOS, XSD
from triad.search.base import Entry
from triad.strict import Strict

__all__ = ["LabelCollector", "LabelProperties"]

_DBO: Final = "http://dbpedia.org/ontology/"
_STRING: Final = XSD + "string"

_NAME_LENGTH: Final = 500
"""Characters up to which a text is a name."""
_DESCRIPTION_LENGTH: Final = 300
"""Characters of a description that are kept."""
_LITERAL_LENGTH: Final = 60
"""Characters up to which a value may be asked for by its text."""
_THINGS_IN_MEMORY: Final = 100_000
"""IRIs whose facts are held at once, at about a kilobyte each."""

_NO_TEXT: Final = re.compile(r"[\W\d_]*$|\d{4}-\d\d-\d\d|\S+@\S+\.\S+$|[a-zA-Z][\w+.-]*://|www\.|mailto:|tel:")
"""Numbers, dates, e-mail addresses and addresses on the web."""

_QUALIFIED: Final = re.compile(r"(.*\S) \([^()]+\)$")
"""A name with what tells it from others of the same name: Easy Street (film)."""

# How a name counts, by the property it comes from; the language and the place among its like are added.
_LABEL: Final = 0
_NAME: Final = 1_000_000
_ALIAS: Final = 2_000_000
_REDIRECTED: Final = 3_000_000
_LANGUAGE: Final = 1_000

# Names by what may be a label property of the graph's own stand behind all others, a range for each such property,
# until it is known which ones are.
_TENTATIVE: Final = 10_000_000
_RANGE: Final = 1_000_000

_LOOKED_AT: Final = 100_000
"""Resources with a class that are looked at to find the label properties of a graph's own."""
_SAMPLE: Final = 5_000
"""How many of them are kept for that."""
_INSTANCES: Final = 100
"""How many of each class."""

_RECORDS: Final = "records"
_GIFTS: Final = "gifts"
_STATE: Final = "state.json"

_OTHER, _NAMES, _DESCRIBES, _TYPES, _REDIRECTS, _SHARES, _MAYBE = range(7)

Popularity = OneOf["degree", "links"]
"""The measure of popularity: the number of triples, or of links to the resource."""


class LabelProperties(Strict):
    """Which properties hold names and descriptions, and in which languages they are preferred."""

    labels: tuple[str, ...] = WELL_KNOWN
    """Properties whose values may be the preferred name, the best first, as IRIs or with a well-known prefix. Where
    they are not named, the graph's own are found out, too."""
    aliases: tuple[str, ...] = ALIASES
    """Properties whose values are other names."""
    local_names: tuple[str, ...] = ("label", "name", "title")
    """What other properties that hold names are called in their own namespaces."""
    descriptions: tuple[str, ...] = (
        DCTERMS + "description",
        SCHEMA + "description",
        SCHEMA_HTTPS + "description",
        SKOS + "definition",
        RDFS + "comment",
        _DBO + "abstract",
    )
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
    def of(cls, labels: Sequence[str]) -> LabelProperties:
        """Return the usual ones, or with labels by just some properties."""
        return cls(labels=tuple(labels), local_names=()) if labels else cls()


T = TypeVar("T")

_FEW: Final = 8
"""Values up to which a tuple is searched."""

_Distinct = tuple[T, ...] | dict[T, None]
"""Values in the order in which they came: a tuple, as most resources have none or one, or the keys of a dict."""


@dataclass(slots=True)
class _Facts:
    """The collected facts about one IRI."""

    triples: int = 0
    """In which it is subject or object."""
    instances: int = 0
    links: int = 0
    names: _Distinct[tuple[int, str]] = ()
    """How each name counts, the lowest best, and the name."""
    naming: int = 0
    """In how many triples it is given a name, the same one or another."""
    description: tuple[int, str] | None = None
    types: _Distinct[str] = ()
    declared: Kind | None = None
    redirects: bool = False
    gives: _Distinct[str] = ()
    """IRIs of resources that have its names, too."""

    def merge(self, other: _Facts) -> None:
        self.triples += other.triples
        self.instances += other.instances
        self.links += other.links
        self.names = _joined(self.names, other.names)
        self.naming += other.naming
        self.types = _joined(self.types, other.types)
        if other.description and (not self.description or other.description[0] < self.description[0]):
            self.description = other.description
        self.declared = self.declared or other.declared
        self.redirects |= other.redirects
        self.gives = _joined(self.gives, other.gives)

    def record(self, iri: str) -> tuple[Any, ...]:
        """Return them as a tuple, which takes less time to write than an object."""
        return (
            iri,
            self.triples,
            self.instances,
            self.links,
            self.names,
            self.naming,
            self.description,
            self.types,
            self.declared,
            self.redirects,
            self.gives,
        )

    def given(self, iri: str) -> _Facts:
        """Return what the resources that have the names of this one take over from it."""
        if not self.redirects:
            return _Facts(names=tuple(self.names), naming=self.naming, description=self.description)
        names = sorted(name for name in self.names if name[0] < _ALIAS)
        texts = [text for _, text in names] or [local_name(iri)]
        return _Facts(names=tuple((_REDIRECTED + at, text) for at, text in enumerate(texts)), naming=len(texts))


class LabelCollector:
    """Collects names, types and counts from triples, and makes entries of a label index of them."""

    def __init__(
        self,
        properties: LabelProperties | None = None,
        *,
        popularity: Popularity = "degree",
        memory: int = _THINGS_IN_MEMORY,
        folder: Path | None = None,
    ) -> None:
        """Start with nothing collected.

        Args:
            properties: Which properties hold names.
            popularity: What makes an entity popular.
            memory: How many IRIs may be held in memory.
            folder: Where the files lie to which the others are written. With one, what is collected can be kept
                by `state` and `restore`; without, the files are temporary.
        """
        self._properties = properties or LabelProperties()
        self._popularity = popularity
        self._memory = memory
        self._folder = folder
        self._things: dict[str, _Facts] = {}
        self._uses: Counter[str] = Counter()
        self._texts: dict[tuple[str, str], int] = {}
        self._spilled: Divisions | None = None
        self._roles = self._known_roles()
        self._candidates: list[str] = []
        self._called: set[str] = set()
        """What the classes are called, as in their IRIs and in small letters."""
        self._sample: list[SampledEntity] = []
        self._sampled: Counter[str] = Counter()
        self._looked = 0
        self._own: tuple[str, ...] | None = () if "labels" in self._properties.model_fields_set else None
        self._language_ranks: dict[str | None, int] = {}

    def state(self) -> dict[str, Any]:
        """Write all to files, and return what `restore` needs to come back to this point, as JSON can hold it."""
        self._spill()
        assert self._spilled is not None
        texts = [[predicate, text, count] for (predicate, text), count in self._texts.items()]
        return {"sizes": self._spilled.sizes(), "uses": self._uses, "texts": texts, "labels": self.found()}

    def found(self) -> dict[str, Any]:
        """Return what is found out so far about label properties, as JSON can hold it: it decides what is a name."""
        return {
            "candidates": list(self._candidates),
            "called": sorted(self._called),
            "own": None if self._own is None else list(self._own),
            "looked": self._looked,
            "sample": [
                {"classes": list(one.classes), "labelled": one.labelled, "names": dict(one.names)}
                for one in self._sample
            ],
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Come back to the point where the state was taken; the collector must be new, and its folder the same."""
        self._spilled = Divisions(self._folder)
        self._spilled.truncate(state["sizes"])
        self._uses.update(state["uses"])
        self._texts.update({(predicate, text): count for predicate, text, count in state["texts"]})
        self.go_on_from(state["labels"])
        self._know(state["uses"])

    @property
    def settled(self) -> bool:
        """Whether it is known which properties hold labels."""
        return self._own is not None

    def go_on_from(self, found: Mapping[str, Any]) -> None:
        """Take over what others found out about label properties."""
        self._looked = found["looked"]
        self._sample = [_sampled(one) for one in found["sample"]]
        self._sampled = Counter(class_ for entity in self._sample for class_ in entity.classes)
        self._called.update(found["called"])
        for iri in found["candidates"]:
            if iri not in self._candidates:
                self._tentative(iri)
        if found["own"] is not None:
            self._settle(tuple(found["own"]))

    def append(self, folder: Path, state: Mapping[str, Any], started: Mapping[str, Any]) -> bool:
        """Take what another collector took after this one.

        Args:
            folder: Its files.
            state: Its state.
            started: What it knew of label properties when it began.

        Returns:
            Whether it can be taken. Where this collector knows better by now which triples hold names, they must be
            collected again, beginning from what `found` tells.
        """
        theirs, change = state["labels"], None
        if started == self.found():
            self.go_on_from(theirs)
        elif self._agrees(theirs, state["uses"]):
            at = [self._candidate(iri) for iri in theirs["candidates"]]
            if at != list(range(len(at))):
                change = partial(_renumbered, at)
            self._called.update(theirs["called"])
            self._looked += theirs["looked"]
            for entity in map(_sampled, theirs["sample"]):
                self._keep_sample(entity)
        else:
            return False
        self._know(state["uses"])
        self._spill()
        assert self._spilled is not None
        self._spilled.append(folder, change)
        self._uses.update(state["uses"])
        for predicate, text, count in state["texts"]:
            if (predicate, text) in self._texts or len(self._texts) < self._properties.literals:
                self._texts[predicate, text] = self._texts.get((predicate, text), 0) + count
        return True

    def _know(self, uses: Iterable[str]) -> None:
        """Take the predicates of others' triples for what these were taken for."""
        for predicate in uses:
            self._roles.setdefault(predicate, (_NAMES, _NAME) if self._is_name(predicate) else (_OTHER, 0))

    def _agrees(self, found: Mapping[str, Any], uses: Iterable[str]) -> bool:
        """Tell whether one that knew nothing of label properties took its triples as this one would have."""
        if self._own is not None or found["own"] is not None or len(found["sample"]) >= _SAMPLE:
            return False
        if self._looked + found["looked"] >= _LOOKED_AT:
            return False
        candidates = set(found["candidates"])
        for predicate in uses:
            role = self._roles.get(predicate)
            if role is None:
                missed = predicate not in candidates and last_part(predicate) in self._called
                if missed and not self._is_name(predicate):
                    return False
            elif (role[0] == _MAYBE) != (predicate in candidates):
                return False
        return True

    def _candidate(self, iri: str) -> int:
        if iri not in self._candidates:
            self._tentative(iri)
        return self._candidates.index(iri)

    def close(self) -> None:
        """Close the files, and remove them if they are temporary."""
        if self._spilled is not None:
            self._spilled.close()

    def count(self, iri: str, links: int) -> None:
        """Add to the number of links to a resource."""
        facts = self._things.get(iri)
        if facts is None:
            if len(self._things) >= self._memory:
                self._spill()
            facts = self._things[iri] = _Facts()
        facts.links += links

    def count_uses(self, predicate: str, uses: int) -> None:
        """Add to the number of uses of a relation."""
        self._uses[predicate] += uses

    def take(self, quads: Iterable[Quad]) -> None:
        """Collect facts from triples."""
        if self._own is None:
            quads = list(quads)
            self._note_classes(quads)
        things, uses, roles, ranks = self._things, self._uses, self._roles, self._language_ranks
        classes: dict[str, tuple[str, ...]] = {}  # as types hold them: one string for all instances
        last, facts = "", _Facts()
        for quad in quads:
            subject, predicate, value = quad.subject, quad.predicate.value, quad.object
            uses[predicate] += 1
            role, weight = roles.get(predicate) or self._role(predicate)
            if type(subject) is NamedNode:
                iri = subject.value
                if iri != last:
                    if len(things) >= self._memory:
                        self._spill()
                    last = iri
                    facts = things.get(iri) or things.setdefault(iri, _Facts())
                facts.triples += 1
            else:
                # Names of blank nodes are not collected, as questions cannot name them.
                last, facts = "", _Facts()
            if type(value) is NamedNode:
                iri = value.value
                target = things.get(iri) or things.setdefault(iri, _Facts())
                target.triples += 1
                if role == _TYPES:
                    target.instances += 1
                    if iri not in classes:
                        classes[iri] = () if iri.startswith(BUILT_IN) else (iri,)
                    if classes[iri]:
                        facts.types = _joined(facts.types, classes[iri])
                    elif iri in DECLARED_KINDS:
                        facts.declared = facts.declared or DECLARED_KINDS[iri]
                elif role in (_REDIRECTS, _SHARES):
                    facts.redirects |= role == _REDIRECTS
                    facts.gives = _joined(facts.gives, (iri,))
            elif type(value) is Literal:
                if role == _NAMES:
                    text, language = value.value, value.language
                    if len(text) <= _NAME_LENGTH:
                        rank = weight + (ranks.get(language) or self._language_rank(language))
                        facts.names = _joined(facts.names, ((rank, text),))
                        facts.naming += 1
                elif role == _DESCRIBES:
                    language = value.language
                    rank = weight + (ranks.get(language) or self._language_rank(language))
                    if facts.description is None or rank < facts.description[0]:
                        facts.description = (rank, value.value[:_DESCRIPTION_LENGTH])
                elif role == _OTHER:
                    self._count_text(predicate, value)
                elif role == _MAYBE:
                    text, language = value.value, value.language
                    if len(text) <= _NAME_LENGTH and (language or value.datatype.value == _STRING):
                        rank = weight + (ranks.get(language) or self._language_rank(language))
                        facts.names = _joined(facts.names, ((rank, text),))
                    self._count_text(predicate, value)

    def _note_classes(self, quads: Iterable[Quad]) -> None:
        """Note what classes are called: a property that is called so may hold names of their instances."""
        for quad in quads:
            if quad.predicate.value in self._properties.types and type(quad.object) is NamedNode:
                self._called.add(last_part(quad.object.value))

    def settle(self) -> None:
        """Find out which properties hold labels, now that all triples were taken."""
        self._look()
        if self._own is None:
            self._settle(own_properties(self._sample))

    def entries(self) -> Iterator[Entry]:
        """Return what was collected as entries, in an order that depends on nothing but the triples."""
        self.settle()
        for predicate in self._uses:
            self._things.setdefault(predicate, _Facts())
        for things in self._complete():
            yield from self._entries_of(things)
        yield from self.text_entries()

    def text_entries(self) -> Iterator[Entry]:
        """Return the entries of texts that relations take as values, which come last."""
        own = set(self._own or ())
        for (predicate, text), count in self._texts.items():
            if not (predicate in own and may_be_label(predicate)) and not self._is_left_out(predicate):
                yield Entry(predicate, "literal", text, popularity=count)

    def divide(self, folder: Path) -> None:
        """Write all but texts to a folder that stays as it is, for others to make entries of by `entries_in`."""
        self.settle()
        for predicate in self._uses:
            self._things.setdefault(predicate, _Facts())
        self._spill()
        assert self._spilled is not None
        assert self._folder is not None
        draft = folder.with_name(folder.name + ".draft")
        shutil.rmtree(draft, ignore_errors=True)
        names, gifts = Divisions(draft / _RECORDS), Divisions(draft / _GIFTS)
        self._spilled.sizes()  # all is in the files then
        names.append(self._folder)
        names.close()
        self._give(gifts).close()
        state = {"uses": self._uses, "texts": [], "labels": self.found()}
        (draft / _STATE).write_text(json.dumps(state), encoding="utf-8")
        draft.replace(folder)

    @classmethod
    def entries_in(
        cls, folder: Path, division: int, properties: LabelProperties, popularity: Popularity
    ) -> Iterator[Entry]:
        """Return the entries of a division, of a folder that `divide` wrote."""
        state = json.loads((folder / _STATE).read_text(encoding="utf-8"))
        with (
            closing(cls(properties, popularity=popularity, folder=folder / _RECORDS)) as collector,
            closing(Divisions(folder / _GIFTS)) as gifts,
        ):
            collector.restore({**state, "sizes": []})
            assert collector._spilled is not None
            for records in collector._spilled.read(gifts, only=[division]):
                yield from collector._entries_of(_merged(records))

    def _entries_of(self, things: Mapping[str, _Facts]) -> Iterator[Entry]:
        for iri, facts in things.items():
            if not self._is_left_out(iri) and not _is_bare_redirect(facts):
                yield self._entry(iri, facts)

    def _is_left_out(self, iri: str) -> bool:
        keep = self._properties.keep
        return iri.startswith((*BUILT_IN, *self._properties.drop)) or bool(keep and not iri.startswith(keep))

    def _entry(self, iri: str, facts: _Facts) -> Entry:
        kind: Kind
        if iri in self._uses or facts.declared == "relation":
            kind, popularity = "relation", self._uses[iri]
        elif facts.instances or facts.declared == "class":
            kind, popularity = "class", facts.instances
        else:
            kind, popularity = "entity", facts.links if self._popularity == "links" else facts.triples
        ranked = self._ranked(facts.names, facts.types)
        names = [name for _, name in ranked]
        if not ranked or ranked[0][0] >= _ALIAS:
            names.insert(0, local_name(iri))
        elif kind != "entity":
            # The names of vocabulary terms in their IRIs are words, and often other words than their labels.
            names.append(local_name(iri))
        if kind == "entity" and names[0].endswith(")") and (plain := _QUALIFIED.match(names[0])):
            names.append(plain[1])
        label, *aliases = dict.fromkeys(names) if len(names) > 1 else names
        description = facts.description[1] if facts.description else ""
        return Entry(iri, kind, label, tuple(aliases), description, tuple(facts.types), popularity)

    @property
    def labels(self) -> Labels:
        """The properties that the labels of the entries come from."""
        called = {iri for iri, role in self._roles.items() if role == (_NAMES, _NAME) and self._uses[iri]}
        called -= set(self._own or ())
        return Labels(
            self._properties.labels, (*sorted(called, key=lambda iri: (-self._uses[iri], iri)), *(self._own or ()))
        )

    def _ranked(self, names: _Distinct[tuple[int, str]], types: Iterable[str]) -> list[tuple[int, str]]:
        """Return names, the best first, without those by properties that turned out to hold none."""
        if any(weight >= _TENTATIVE for weight, _ in names):
            places = {iri: at for at, iri in enumerate(self._own or ())}
            settled = []
            for weight, text in names:
                if weight >= _TENTATIVE:
                    at, weight = divmod(weight - _TENTATIVE, _RANGE)
                    iri = self._candidates[at]
                    if iri not in places or not (may_be_label(iri) or called_after(iri, types)):
                        continue
                    weight += _NAME + 1 + places[iri]
                settled.append((weight, text))
            return sorted(settled)
        return sorted(names)

    def _look(self) -> None:
        """Look at some of the resources in memory, for what may be label properties of the graph's own."""
        if self._own is not None or not self._candidates:
            return
        for facts in self._things.values():
            if facts.types:
                self._looked += 1
                if self._wants_sample(facts.types):
                    names = {
                        self._candidates[(weight - _TENTATIVE) // _RANGE]: text
                        for weight, text in facts.names
                        if weight >= _TENTATIVE
                    }
                    labelled = any(weight < _ALIAS for weight, _ in facts.names)
                    self._keep_sample(SampledEntity(tuple(facts.types), labelled, names))
        if self._looked >= _LOOKED_AT:
            self._settle(own_properties(self._sample))

    def _wants_sample(self, classes: Iterable[str]) -> bool:
        return len(self._sample) < _SAMPLE and any(self._sampled[one] < _INSTANCES for one in classes)

    def _keep_sample(self, entity: SampledEntity) -> None:
        if self._wants_sample(entity.classes):
            self._sampled.update(entity.classes)
            self._sample.append(entity)

    def _settle(self, own: tuple[str, ...]) -> None:
        self._own = own
        for at, iri in enumerate(own):
            if may_be_label(iri):  # any other holds names of some resources only
                self._roles[iri] = (_NAMES, _NAME + 1 + at)
        for iri in self._candidates:
            if iri not in own:
                self._roles[iri] = (_OTHER, 0)

    def _count_text(self, predicate: str, literal: Literal) -> None:
        key = (predicate, literal.value)
        if key in self._texts:
            self._texts[key] += 1
        elif (
            len(self._texts) < self._properties.literals
            and len(literal.value) <= _LITERAL_LENGTH
            and (literal.language or literal.datatype.value == _STRING)
            and not _NO_TEXT.match(literal.value)
        ):
            self._texts[key] = 1

    def _language_rank(self, language: str | None) -> int:
        languages = (*self._properties.languages, "")
        tag = language or ""
        known = tag if tag in languages else tag.partition("-")[0]
        rank = self._language_ranks[language] = _LANGUAGE * (
            1 + (languages.index(known) if known in languages else len(languages))
        )
        return rank

    def _known_roles(self) -> dict[str, tuple[int, int]]:
        properties = self._properties
        roles = dict.fromkeys(properties.types, (_TYPES, 0))
        roles |= dict.fromkeys(properties.redirects, (_REDIRECTS, 0))
        roles |= dict.fromkeys(properties.shared_names, (_SHARES, 0))
        roles |= {name: (_DESCRIBES, at) for at, name in enumerate(properties.descriptions)}
        roles |= dict.fromkeys(properties.aliases, (_NAMES, _ALIAS))
        roles |= {name: (_NAMES, _LABEL + at) for at, name in enumerate(properties.labels)}
        return roles

    def _role(self, predicate: str) -> tuple[int, int]:
        if self._is_name(predicate):
            role = (_NAMES, _NAME)
        elif self._own is None and (may_be_label(predicate) or last_part(predicate) in self._called):
            return self._tentative(predicate)
        else:
            role = (_OTHER, 0)
        self._roles[predicate] = role
        return role

    def _is_name(self, predicate: str) -> bool:
        return re.split(r"[/#:]", predicate)[-1] in self._properties.local_names

    def _tentative(self, predicate: str) -> tuple[int, int]:
        role = self._roles[predicate] = (_MAYBE, _TENTATIVE + _RANGE * len(self._candidates))
        self._candidates.append(predicate)
        return role

    def _spill(self) -> None:
        self._look()
        if self._spilled is None:
            self._spilled = Divisions(self._folder)
        self._spilled.add(facts.record(iri) for iri, facts in self._things.items())
        self._things.clear()

    def _complete(self) -> Iterator[dict[str, _Facts]]:
        """Return all resources, a part of them at a time, with the names that others give them."""
        if self._spilled is None:
            for target, given in list(_gifts(self._things)):
                self._things[target].merge(given)
            yield from [self._things] if self._folder is None else _as_divided(self._things)
            return
        self._spill()
        gifts = self._give(Divisions())
        try:
            for records in self._spilled.read(gifts):
                yield _merged(records)
        finally:
            gifts.close()
            self.close()

    def _give(self, gifts: Divisions) -> Divisions:
        """Write down the names that resources have from others."""
        assert self._spilled is not None
        for records in self._spilled.read():
            gifts.add(given.record(target) for target, given in _gifts(_merged(records)))
        return gifts


def _sampled(entity: Mapping[str, Any]) -> SampledEntity:
    return SampledEntity(tuple(entity["classes"]), entity["labelled"], entity["names"])


def _renumbered(places: Sequence[int], record: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the record of a resource with other numbers for what may be label properties."""
    facts = _Facts(*record[1:])
    names: _Distinct[tuple[int, str]] = ()
    for weight, text in facts.names:
        if weight >= _TENTATIVE:
            at, rest = divmod(weight - _TENTATIVE, _RANGE)
            weight = _TENTATIVE + _RANGE * places[at] + rest
        names = _joined(names, ((weight, text),))
    facts.names = names
    return facts.record(record[0])


def _as_divided(things: Mapping[str, _Facts]) -> Iterator[dict[str, _Facts]]:
    """Return resources in the order in which they would come from files."""
    parts: list[dict[str, _Facts]] = [{} for _ in range(COUNT)]
    for iri, facts in things.items():
        parts[division_of(iri)][iri] = facts
    yield from parts


def _merged(records: Iterable[tuple[Any, ...]]) -> dict[str, _Facts]:
    things: dict[str, _Facts] = {}
    for iri, *values in records:
        facts = _Facts(*values)
        if iri in things:
            things[iri].merge(facts)
        else:
            things[iri] = facts
    return things


def _gifts(things: Mapping[str, _Facts]) -> Iterator[tuple[str, _Facts]]:
    for iri, facts in things.items():
        for target in facts.gives:
            yield target, facts.given(iri)


def _is_bare_redirect(facts: _Facts) -> bool:
    return facts.redirects and facts.triples <= facts.naming + 1


def _joined(values: _Distinct[T], others: _Distinct[T]) -> _Distinct[T]:
    """Return the values with those of the others that are not among them."""
    if not values and isinstance(others, tuple):
        return others
    for value in others:
        if isinstance(values, dict):
            values[value] = None
        elif value not in values:
            values = (*values, value)
            if len(values) > _FEW:
                values = dict.fromkeys(values)
    return values
