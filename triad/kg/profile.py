"""Graph profiles: the classes and relations of a graph, their counts, and how they are connected.

A profile is made once, while a graph is indexed, and answers questions that would otherwise be asked of the graph again
and again: which relations lead from a class and to which classes, how many of its instances have them, which values
they take. It is a value: it does not know the graph, and it is out of date when the graph has changed.

`triad.indexing.profiling` makes profiles.
"""

import gzip
import math
import zlib
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final, Literal as Choice, Self, TypeVar

from triad.answers import from_json, to_json
from triad.caching import cached_property
from triad.errors import DataError
from triad.kg.ontology import Notes, merged
from triad.rdf import INFERRED, IRI, Literal
from triad.resources import drafted
from triad.sparql.stated import Stated

T = TypeVar("T")

VERSION: Final = 2
"""Version of what a profile holds."""

PROFILE_FILE: Final = "profile.json.gz"
"""The name of the file in the folder of an index."""
_LARGEST: Final = 128 * 2**20  # bytes of JSON; that of DBpedia has 23 million, with a million commas
_COMMAS: Final = 4_000_000  # a byte may stand for a value of a hundred

NAMES: Final = 50
"""Labels of one term that a profile has at most."""

_ONE: Final = 1.1  # triples for each subject and each object up to which a relation leads from one thing to one

VALUES: Final = 50
"""Distinct values up to which a relation's profile lists all of them."""

_TRUTHS: Final = {"true": "false", "yes": "no", "t": "f", "y": "n", "1": "0"}
UNTRUE: Final = frozenset({"false", "no"})
"""Values that say by themselves that something is not so: F may be female, and 0 a number."""


@dataclass(frozen=True, slots=True)
class Use:
    """A relation that the instances of a class have, or that leads to them."""

    relation: str
    """Its IRI."""
    triples: int
    things: int
    """Instances of the class that have it at least once."""
    share: float
    """Their share of the class's instances, from 0 to 1: the completeness."""
    most: int
    """The greatest number of triples with it that one instance has."""
    ends: tuple[int, ...] = ()
    """The classes at the other end, the three most frequent first, by their places in `GraphProfile.classes`. All of an
    entity's classes count."""
    sample: int | None = None
    """One of its values, or of the subjects if it leads to the class, by its place in `GraphProfile.samples`; None if
    only blank nodes are there."""


@dataclass(frozen=True, slots=True)
class Sample:
    """An entity or a literal that stands for others."""

    term: IRI | Literal
    labels: tuple[Literal, ...] = ()
    """Its labels in all languages, if it is an entity."""


@dataclass(frozen=True, slots=True)
class ClassProfile:
    """A class and its instances."""

    iri: str
    labels: tuple[Literal, ...] = ()
    """Its labels, in all languages."""
    instances: int = 0
    """Entities that are of it or of a class below it."""
    direct: int = 0
    """Entities that the graph says are of this class itself."""
    superclasses: tuple[str, ...] = ()
    """IRIs of the classes right above it."""
    subclasses: tuple[str, ...] = ()
    """IRIs of the classes right below it."""
    named: int = 0
    """Instances that have a name."""
    blank: int = 0
    """Instances that are blank nodes."""
    name_relation: str | None = None
    """IRI of the relation that holds the names of most instances; None if they have none."""
    statement: bool = False
    """True if the instances are facts of several parts (n-ary relations) and not entities with names of their own."""
    graphs: Mapping[str, int] = field(default_factory=dict)
    """In how many triples each named graph says of an entity that it is of this class, by the graph's IRI; empty if the
    graph has no named graphs."""
    outgoing: tuple[Use, ...] = ()
    """Relations that its instances have, the most frequent first; names and classes are not among them."""
    incoming: tuple[Use, ...] = ()
    """Relations that lead to its instances, the most frequent first."""
    naming: tuple[Use, ...] = ()
    """Relations that hold names of its instances, the most frequent first."""


@dataclass(frozen=True, slots=True)
class End:
    """The classes that a relation connects, in some of its triples.

    Of an entity's classes, only the most specific ones count.
    """

    subject: str
    """IRI of a class of the subjects; empty if they have none."""
    object: str
    """IRI of a class of the objects, empty if they have none; or the IRI of a datatype."""
    literal: bool
    """Whether the objects are literals."""
    triples: int


@dataclass(frozen=True, slots=True)
class Range:
    """The least and the greatest of a relation's numbers, or of its dates."""

    kind: Choice["number", "date"]
    count: int
    """Triples with such a value."""
    least: Literal
    greatest: Literal
    long: bool = False
    """True if some of the numbers are whole or decimal ones of more digits than engines need to compute with."""


@dataclass(frozen=True, slots=True)
class ValueCount:
    """A value of a relation, and how many entities have it."""

    term: IRI | Literal
    count: int
    labels: tuple[Literal, ...] = ()
    """Its labels in all languages, if it is an entity."""


@dataclass(frozen=True, slots=True)
class RelationProfile:
    """A relation and its triples."""

    iri: str
    labels: tuple[Literal, ...] = ()
    """Its labels, in all languages."""
    triples: int = 0
    subjects: int = 0
    """Distinct subjects."""
    objects: int = 0
    """Distinct objects."""
    links: int = 0
    """Triples whose objects are entities, not literals."""
    most_per_subject: int = 0
    """Triples that one subject has at most."""
    most_per_object: int = 0
    """Triples that one object has at most."""
    ends: tuple[End, ...] = ()
    """The classes that it connects, the most frequent first."""
    subject_classes: tuple[int, ...] = ()
    """The classes of its subjects, the three most frequent first, by their places in `GraphProfile.classes`. All of an
    entity's classes count."""
    object_classes: tuple[int, ...] = ()
    """Those of its objects."""
    datatypes: Mapping[str, int] = field(default_factory=dict)
    """Triples by the datatype of their literal."""
    languages: Mapping[str, int] = field(default_factory=dict)
    """Triples by the language tag of their literal, for those that have one."""
    units: tuple[str, ...] = ()
    """Units that its numbers are in, as its datatypes, label or IRI tell."""
    ranges: tuple[Range, ...] = ()
    """The bounds of its numbers and of its dates."""
    values: tuple[ValueCount, ...] = ()
    """All values, the most frequent first, if there are at most `VALUES`; else the most frequent few. Blank nodes are
    left out, and long texts are cut."""
    graphs: Mapping[str, int] = field(default_factory=dict)
    """Its triples in each named graph, by the graph's IRI; the default graph's name is empty. Empty if the graph has no
    named graphs."""
    sampled: bool = False
    """True if the figures come from a part of its triples."""

    @property
    def is_key(self) -> bool:
        """True if each subject has one value, a literal that no other has."""
        return self.kind == "literals" and self.most_per_subject == self.most_per_object == 1

    @property
    def kind(self) -> Choice["entities", "literals", "both"]:
        """The kind of its objects."""
        return "entities" if self.links == self.triples else "both" if self.links else "literals"

    @property
    def strays(self) -> int:
        """Triples whose values cannot be compared with most of them, which are numbers or dates; 0 if most are not."""
        most = max((one.count for one in self.ranges), default=0)
        return self.triples - most if 2 * most > self.triples and not self.sampled else 0

    @property
    def truths(self) -> tuple[Literal, Literal] | None:
        """The values by which it says that something is so and that it is not, where it says the latter of things."""
        told = {one.term.value.lower(): one.term for one in self.values if isinstance(one.term, Literal)}
        if sum(one.count for one in self.values) < self.triples:
            return None
        pair = next(((yes, no) for yes, no in _TRUTHS.items() if no in told and told.keys() <= {yes, no}), None)
        return (told.get(pair[0], replace(told[pair[1]], value=pair[0])), told[pair[1]]) if pair else None

    @property
    def functional(self) -> bool:
        """Whether no subject has more than one value."""
        return self.most_per_subject == 1

    @property
    def exclusive(self) -> bool:
        """Whether things have one thing each by it, which has it with no other one: a capital."""
        return 0 < self.triples <= _ONE * min(self.subjects, self.objects)

    @property
    def lists_all_values(self) -> bool:
        """Whether `values` has each value that there is."""
        return not self.sampled and len(self.values) == self.objects


@dataclass(frozen=True, slots=True)
class NameRelation:
    """A relation that holds names."""

    iri: str
    things: int
    """Entities that have a name by it."""
    share: float
    """Their share of all entities, from 0 to 1."""


@dataclass(frozen=True)
class GraphProfile:
    """A graph's classes and relations with counts; terms that describe the vocabulary are among them."""

    fingerprint: str = ""
    """The graph's fingerprint when the profile was made; if it changes, the profile is out of date."""
    created: str = ""
    """When it was made, in ISO 8601."""
    triples: int = 0
    """Distinct triples; one in two named graphs counts once."""
    things: int = 0
    """Distinct subjects."""
    unclassed: int = 0
    """Entities of no class."""
    named: int = 0
    """Entities with a name."""
    blank: int = 0
    """Entities that are blank nodes."""
    classes: tuple[ClassProfile, ...] = ()
    """The class with most instances first."""
    relations: tuple[RelationProfile, ...] = ()
    """Relations, by number of triples; those that give entities their classes are left out."""
    names: tuple[NameRelation, ...] = ()
    """Relations that hold names, the most frequent first."""
    languages: Mapping[str, int] = field(default_factory=dict)
    """Names by their language tag, which is empty for those without one."""
    graphs: Mapping[str, int] = field(default_factory=dict)
    """Triples of each named graph, by its IRI; the default graph's name is empty."""
    prefixes: Mapping[str, str] = field(default_factory=dict)
    """Namespaces by prefix, as far as they are known."""
    samples: tuple[Sample, ...] = ()
    """Values and subjects that relations of classes name by their place here."""
    named_by: tuple[str, ...] = ()
    """The relations that labels were taken from, the preferred one first."""
    typed_by: tuple[str, ...] = ()
    """The relations that give entities their classes."""
    partial: tuple[str, ...] = ()
    """What was left out, in sentences; empty if the profile is complete."""
    notes: Mapping[str, Notes] = field(default_factory=dict)
    """What the ontology says of classes and relations, by IRI."""
    stated: tuple[Stated, ...] = ()
    """The relations whose facts are stated by nodes, the most frequent first; classes and relations are then those that
    stand for these (`triad.sparql.stated`)."""
    version: int = VERSION

    @cached_property
    def _classes(self) -> Mapping[str, ClassProfile]:
        return {profile.iri: profile for profile in self.classes}

    @cached_property
    def _relations(self) -> Mapping[str, RelationProfile]:
        return {profile.iri: profile for profile in self.relations}

    @property
    def sources(self) -> tuple[str, ...]:
        """The named graphs that people made, the largest first: not the one of what was inferred."""
        return tuple(iri for iri in self.graphs if iri and iri != INFERRED)

    @property
    def derived(self) -> dict[Any, Any]:
        """What others have made of the profile, by keys of theirs: it is kept as long as the profile is."""
        made: dict[Any, Any] = vars(self).setdefault("_derived", {})  # in one step, so that all threads have the same
        return made

    def class_profile(self, iri: str) -> ClassProfile | None:
        """Return the profile of a class; None if there is none."""
        return self._classes.get(iri)

    def relation_profile(self, iri: str) -> RelationProfile | None:
        """Return the profile of a relation; None if there is none."""
        return self._relations.get(iri)

    def noting(self, notes: Mapping[str, Notes]) -> Self:
        """Return the profile with what an ontology says of its classes and relations, too."""
        known = {iri: note for iri, note in notes.items() if iri in self._classes or iri in self._relations}
        if not known:
            return self

        def named(one: ClassProfile | RelationProfile) -> dict[str, Any]:
            return {"labels": tuple(dict.fromkeys((*one.labels, *known[one.iri].labels)))[:NAMES]}

        classes = tuple(replace(one, **named(one)) if one.iri in known else one for one in self.classes)
        own = {iri: one.units for iri, one in known.items()}
        relations = (replace(one, **named(one)) if one.iri in known else one for one in self.relations)
        units = tuple(replace(one, units=own.get(one.iri) or one.units) for one in relations)
        return replace(self, classes=classes, relations=units, notes=merged(known, self.notes))

    def to_json(self) -> str:
        """Return the profile as JSON text, which `from_json` reads."""
        return to_json(self)

    @classmethod
    def from_json(cls, text: str | bytes) -> Self:
        """Read a profile from JSON text.

        Raises:
            DataError: The text is no profile, or one of another version of Triad.
        """
        try:
            profile = from_json(cls, text)
        except ValueError as error:
            raise DataError(f"not a graph profile: {error}") from error
        if profile.version != VERSION:
            raise DataError(
                f"the graph profile is of version {profile.version}, and this release reads version {VERSION}; "
                "'triad index --profile' makes it anew"
            )
        return profile


def reached(starts: Iterable[T], further: Callable[[T], Iterable[T]], most: float = math.inf) -> set[T]:
    """Return what steps lead to from some starts, these included: classes above others, the nearest if it is much."""
    found: set[T] = set()
    ahead = deque(starts)
    while ahead and len(found) < most:
        if (one := ahead.popleft()) not in found:
            found.add(one)
            ahead += further(one)
    return found


def write_profile(profile: GraphProfile, folder: str | Path) -> None:
    """Write a profile into the folder of an index, in one step; a `ConfigError` if it cannot be written."""
    with drafted(Path(folder) / PROFILE_FILE) as draft:
        draft.write_bytes(gzip.compress(profile.to_json().encode(), 4, mtime=0))


def read_profile(folder: str | Path) -> GraphProfile | None:
    """Return the profile in the folder of an index; None if there is none.

    Raises:
        DataError: It cannot be read.
    """
    file = Path(folder) / PROFILE_FILE
    try:
        packed = file.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise DataError(f"cannot read {str(file)!r}: {error}") from error
    return unpacked(packed, repr(str(file)))


def unpacked(packed: bytes, name: str) -> GraphProfile:
    """Return the profile that was packed, as `write_profile` does it.

    Raises:
        DataError: It is damaged, or too large for one.
    """
    reader = zlib.decompressobj(zlib.MAX_WBITS | 16)
    try:
        text = reader.decompress(packed, _LARGEST)
    except zlib.error as error:
        raise DataError(f"cannot read {name}: {error}") from error
    if not reader.eof:
        fault = f"it has more than {_LARGEST // 2**20} MB" if len(text) == _LARGEST else "its end is missing"
        raise DataError(f"cannot read {name}: {fault}")
    if text.count(b",") > _COMMAS:
        raise DataError(f"cannot read {name}: it has more than {_COMMAS:,} values")
    return GraphProfile.from_json(text)
