"""The figures of a graph, by class and relation, from which a profile is made."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final, Self

from triad.grouping import grouped
from triad.indexing.entries import LabelProperties
from triad.indexing.profiling.bounds import Bounds
from triad.kg import profile
from triad.kg.labels import called_after, may_be_label
from triad.kg.ontology import Notes, units_of
from triad.rdf import IRI, RDF_LANG_STRING, RDFS, Literal

SUBCLASS: Final = RDFS + "subClassOf"

_CLASSES: Final = 10_000  # classes that a profile has at most
_ABOVE: Final = 500  # classes above others that are counted
_RELATIONS: Final = 10_000  # relations that a profile has at most
_USES: Final = 100  # relations of a class in each direction that a profile has at most
_ALL_USES: Final = 200_000  # and those of all classes, as a profile that has many more is too large to be read
FREQUENT: Final = 3
"""Classes at an end that a profile tells at most."""
ENDS: Final = 50
"""Pairs of ends of a relation that a profile has at most."""
_GRAPHS: Final = 1_000  # named graphs that a profile has at most
PLACES: Final = 100
"""Named graphs of one relation or class that a profile has at most."""

_NAMELESS: Final = 0.1  # share of a class's instances with names below which they do not have names
_BUNDLED: Final = 0.5  # share of a class's instances from which they are statement nodes

_NUMBERED: Final = re.compile(r"\d[^/#]*$")

SampleTerm = tuple[int, str, str]
"""A term in a form that can be compared: a checksum, its value, and its datatype or ``@`` and its language if it is a
literal."""


def term_of(value: str, tag: str = "") -> IRI | Literal:
    """Return the term of a value and its datatype, or ``@`` and its language; an entity has neither."""
    if not tag:
        return IRI(value)
    return Literal(value, RDF_LANG_STRING, tag[1:]) if tag.startswith("@") else Literal(value, tag)


@dataclass(slots=True)
class Cell:
    """How a relation is used by the instances of a class."""

    triples: int = 0
    things: int = 0
    most: int = 0
    ends: Counter[str] | None = None
    """How often the entities at the other end are of a class."""
    sample: SampleTerm | None = None
    """A term at the other end."""

    def lead(self, name: str, count: int) -> None:
        """Count entities at the other end that are of a class; those of none have an empty name."""
        if name:
            self.ends = self.ends or Counter()
            self.ends[name] += count

    def join(self, other: Self) -> None:
        """Take in the triples of other resources; of several samples any stays, but always the same."""
        self.triples += other.triples
        self.things += other.things
        self.most = max(self.most, other.most)
        self.sample = min(filter(None, (self.sample, other.sample)), default=None)
        if other.ends:
            self.ends = (self.ends or Counter()) + other.ends


def added(parts: Iterable[Mapping[str, Cell]], share: float) -> dict[str, Cell]:
    """Return the uses of several classes together, as if each resource was in this share of those that count it."""
    found: dict[str, Cell] = {}
    for uses in parts:
        for iri, cell in uses.items():
            found.setdefault(iri, Cell()).join(cell)
    for cell in found.values():
        cell.triples, cell.things = round(cell.triples * share), round(cell.things * share)
    return found


@dataclass(slots=True)
class ClassFigures:
    """The figures of a class."""

    instances: int = 0
    direct: int = 0
    named: int = 0
    blank: int = 0
    bundles: int = 0
    """Instances without a name that have several relations."""
    graphs: Counter[str] = field(default_factory=Counter)
    outgoing: dict[str, Cell] = field(default_factory=dict)
    incoming: dict[str, Cell] = field(default_factory=dict)

    @property
    def statement(self) -> bool:
        """Whether the instances are statement nodes."""
        return bool(self.instances) and (
            self.named < _NAMELESS * self.instances and self.bundles >= _BUNDLED * self.instances
        )


@dataclass(slots=True)
class RelationFigures:
    """What is counted of a relation; as in `triad.kg.profile.RelationProfile`."""

    triples: int = 0
    subjects: int = 0
    objects: int = 0
    links: int = 0
    most_per_subject: int = 0
    most_per_object: int = 0
    ends: Counter[tuple[str, str, bool]] = field(default_factory=Counter)
    subject_classes: Counter[str] = field(default_factory=Counter)
    object_classes: Counter[str] = field(default_factory=Counter)
    datatypes: Counter[str] = field(default_factory=Counter)
    languages: Counter[str] = field(default_factory=Counter)
    bounds: Bounds = field(default_factory=Bounds)
    graphs: Counter[str] = field(default_factory=Counter)
    values: list[tuple[IRI | Literal, int]] = field(default_factory=list)
    sampled: bool = False


@dataclass(slots=True)
class Figures:
    """The figures of a graph."""

    triples: int = 0
    things: int = 0
    unclassed: int = 0
    named: int = 0
    blank: int = 0
    classes: dict[str, ClassFigures] = field(default_factory=dict)
    relations: dict[str, RelationFigures] = field(default_factory=dict)
    above: Mapping[str, Iterable[str]] = field(default_factory=dict)
    """The classes right above each class."""
    named_by: Counter[str] = field(default_factory=Counter)
    """How many resources have a name by each relation that holds names."""
    graphs: Counter[str] = field(default_factory=Counter)
    labels: Mapping[str, Sequence[Literal]] = field(default_factory=dict)
    """The names of classes, relations and values."""
    notes: Mapping[str, Notes] = field(default_factory=dict)
    """What the ontology says of classes and relations."""
    partial: list[str] = field(default_factory=list)

    def terms(self) -> set[str]:
        """Return the IRIs of all classes, relations and values."""
        terms = (term for figures in self.relations.values() for term, _ in figures.values)
        values = (term.value for term in terms if isinstance(term, IRI))
        cells = (
            cell for kind in self.classes.values() for uses in (kind.outgoing, kind.incoming) for cell in uses.values()
        )
        samples = (cell.sample[1] for cell in cells if cell.sample and not cell.sample[2])
        return {*self.classes, *self.relations, *values, *samples}


class Naming(dict[str, bool]):
    """Which relations hold names, worked out once each."""

    def __init__(self, properties: LabelProperties, labels: Sequence[str] | None = None) -> None:
        """Set the properties that hold names.

        ``labels`` are all relations that hold names, if they are known; the preferred one is the first.
        """
        super().__init__()
        known = properties if labels is None else properties.model_copy(update={"labels": labels, "local_names": ()})
        self._order = {name: at for at, name in enumerate(known.labels)}
        self._are_names_by = known.are_names_by
        self.is_exact = not known.local_names
        """Whether no other relations hold names than those in `order`."""

    def __missing__(self, relation: str) -> bool:
        """Work it out."""
        self[relation] = relation in self._order or self._are_names_by(relation)
        return self[relation]

    def rank(self, relation: str) -> int:
        """Return the place of a relation among those that hold names; the preferred one has the lowest."""
        return self._order.get(relation, len(self._order))

    @property
    def order(self) -> tuple[str, ...]:
        """Those that are known by their IRIs, the preferred one first."""
        return tuple(self._order)


def numbered(iri: str) -> bool:
    """Return whether an IRI ends in a number or a code, rather than in a name."""
    return bool(_NUMBERED.search(iri))


def closure(above: Mapping[str, Iterable[str]], classes: Iterable[str]) -> set[str]:
    """Return classes and what is above them, the nearest if that is more than a graph has that is not made up."""
    return profile.reached(classes, lambda name: above.get(name, ()), _ABOVE)


def shown_classes(figures: Figures, partial: list[str] | None = None) -> list[str]:
    """Return the classes that a profile has, the largest first, and note how many are left out."""
    counts = {iri: found.instances for iri, found in figures.classes.items()}
    return _largest(counts, _CLASSES, "classes", [] if partial is None else partial)


def profile_of(
    figures: Figures, naming: Naming, *, types: Iterable[str], prefixes: Mapping[str, str] | None, fingerprint: str = ""
) -> profile.GraphProfile:
    """Make a profile from figures."""
    partial = list(figures.partial)
    classes = shown_classes(figures, partial)
    sizes = {iri: found.triples for iri, found in figures.relations.items()}
    relations = _largest(sizes, _RELATIONS, "relations", partial)
    graphs = _largest(figures.graphs, _GRAPHS, "named graphs", partial)
    named = tuple(
        profile.NameRelation(iri, count, _share(count, figures.things))
        for iri, count in largest_first(figures.named_by).items()
        if figures.relations[iri].links < figures.relations[iri].triples
    )
    shown = _Shown(classes, _most_uses(figures.classes[iri] for iri in classes))
    below = grouped((parent, name) for name, parents in figures.above.items() for parent in parents)
    languages: Counter[str] = Counter()
    for naming_relation in named:
        found = figures.relations[naming_relation.iri]
        languages += found.languages
        if untagged := found.triples - found.links - sum(found.languages.values()):
            languages[""] += untagged
    return profile.GraphProfile(
        fingerprint=fingerprint,
        created=datetime.now(UTC).isoformat(timespec="seconds"),
        triples=figures.triples,
        things=figures.things,
        unclassed=figures.unclassed,
        named=figures.named,
        blank=figures.blank,
        classes=tuple(_class(iri, figures, naming, below.get(iri, ()), shown) for iri in classes),
        relations=tuple(_relation(iri, figures, shown) for iri in relations),
        names=named,
        languages=largest_first(languages),
        graphs={iri: figures.graphs[iri] for iri in graphs},
        prefixes=dict(prefixes or {}),
        samples=shown.samples(figures),
        named_by=naming.order if naming.is_exact else (),
        typed_by=tuple(types),
        partial=tuple(partial),
    ).noting(figures.notes)


class _Shown:
    """The places of classes and of samples in a profile, and how many relations of a class it has."""

    def __init__(self, classes: Iterable[str], uses: int) -> None:
        self.uses = uses
        self._classes = {iri: at for at, iri in enumerate(classes)}
        self._samples: dict[SampleTerm, int] = {}

    def most_frequent(self, counts: Counter[str] | None) -> tuple[int, ...]:
        known = {iri: count for iri, count in (counts or {}).items() if iri in self._classes}
        return tuple(self._classes[iri] for iri in largest_first(known, FREQUENT))

    def sample(self, sample: SampleTerm | None) -> int | None:
        return None if sample is None else self._samples.setdefault(sample, len(self._samples))

    def samples(self, figures: Figures) -> tuple[profile.Sample, ...]:
        terms = (term_of(value, tag) for _, value, tag in self._samples)
        return tuple(profile.Sample(term, _value_labels(term, figures)) for term in terms)


def _most_uses(classes: Iterable[ClassFigures]) -> int:
    """Return how many relations of a class a profile has in each direction, so that all have not too many."""
    sizes = [len(cells) for one in classes for cells in (one.outgoing, one.incoming)]
    fitting = (most for most in range(_USES, 1, -1) if sum(min(size, most) for size in sizes) <= _ALL_USES)
    return next(fitting, 1)


def _largest(counts: Mapping[str, int], limit: int, what: str, partial: list[str]) -> list[str]:
    """Return the names with the largest counts, and note how many are left out."""
    if len(counts) > limit:
        partial.append(f"{len(counts) - limit:,} of {len(counts):,} {what} are left out, the least used ones.")
    return list(largest_first(counts, limit))


def largest_first(counts: Mapping[Any, int], most: int | None = None) -> dict[Any, int]:
    """Return counts, the largest first, so many at most."""
    return dict(sorted(counts.items(), key=lambda one: (-one[1], one[0]))[:most])


def _share(part: int, whole: int) -> float:
    return round(min(1.0, part / whole), 4) if whole else 0.0


def _class(iri: str, figures: Figures, naming: Naming, below: Iterable[str], shown: _Shown) -> profile.ClassProfile:
    found = figures.classes[iri]
    own = ((name, cell.things) for name, cell in found.outgoing.items() if naming[name])
    names = {name: things for name, things in own if names_instances(name, iri, figures)}
    best = min(names, key=lambda name: (-names[name], naming.rank(name), name), default=None)
    return profile.ClassProfile(
        iri,
        tuple(figures.labels.get(iri, ())[: profile.NAMES]),
        found.instances,
        found.direct,
        tuple(sorted(figures.above.get(iri, ()))),
        tuple(sorted(below)),
        found.named,
        found.blank,
        best,
        found.statement,
        largest_first(found.graphs, PLACES),
        _uses({name: cell for name, cell in found.outgoing.items() if name not in names}, found.instances, shown),
        _uses(found.incoming, found.instances, shown),
        _uses({name: found.outgoing[name] for name in names}, found.instances, shown),
    )


def names_instances(relation: str, class_: str, figures: Figures) -> bool:
    """Return whether a relation holds names of a class; one that is called as a class does so for it alone."""
    if may_be_label(relation) or not called_after(relation, figures.classes):
        return True
    return called_after(relation, closure(figures.above, [class_]))


def _uses(cells: Mapping[str, Cell], instances: int, shown: _Shown) -> tuple[profile.Use, ...]:
    uses = []
    for iri, cell in sorted(cells.items(), key=lambda item: (-item[1].triples, item[0]))[: shown.uses]:
        share, ends = _share(cell.things, instances), shown.most_frequent(cell.ends)
        uses.append(profile.Use(iri, cell.triples, cell.things, share, cell.most, ends, shown.sample(cell.sample)))
    return tuple(uses)


def _relation(iri: str, figures: Figures, shown: _Shown) -> profile.RelationProfile:
    found = figures.relations[iri]
    labels = tuple(figures.labels.get(iri, ())[: profile.NAMES])
    ranges = found.bounds.ranges()
    ends = largest_first(found.ends, ENDS)
    has_numbers = any(bounds.kind == "number" for bounds in ranges)
    return profile.RelationProfile(
        iri,
        labels,
        found.triples,
        found.subjects,
        found.objects,
        found.links,
        found.most_per_subject,
        found.most_per_object,
        tuple(profile.End(subject, object_, literal, count) for (subject, object_, literal), count in ends.items()),
        shown.most_frequent(found.subject_classes),
        shown.most_frequent(found.object_classes),
        largest_first(found.datatypes),
        largest_first(found.languages),
        units_of(iri, labels, found.datatypes) if has_numbers else (),
        ranges,
        tuple(profile.ValueCount(term, count, _value_labels(term, figures)) for term, count in found.values),
        largest_first(found.graphs, PLACES),
        found.sampled,
    )


def _value_labels(term: IRI | Literal, figures: Figures) -> tuple[Literal, ...]:
    return tuple(figures.labels.get(term.value, ())[: profile.NAMES]) if isinstance(term, IRI) else ()
