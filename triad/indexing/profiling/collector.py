"""A profile from triples that come in any order, with bounded memory.

The figures of a relation depend on the classes of both ends of each triple, and these may be told anywhere in the
files. So triples are gathered by subject first; then each subject is complete, with its classes and its names. Its
links are gathered by object, where they meet the classes of the object. Whatever is gathered lies in files as soon
as it outgrows memory (`triad.indexing.spill`).

Classes are not counted one by one on the way but as they occur together, as the shapes of resources: there are few of
these even where resources have many classes.

>>> from pyoxigraph import RdfFormat, parse
>>> collector = ProfileCollector()
>>> facts = "<http://x.org/Ann> a <http://x.org/Person> ; <http://x.org/knows> <http://x.org/Bob> ."
>>> collector.take(parse(facts, RdfFormat.TURTLE))
>>> [(use.relation, use.share) for use in collector.profile().classes[0].outgoing]
[('http://x.org/knows', 1.0)]
"""

from __future__ import annotations

import hashlib
import heapq
import zlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from itertools import chain, product
from pathlib import Path
from typing import Any, Final, NamedTuple, cast

from pyoxigraph import BlankNode, DefaultGraph, NamedNode, Quad
from pyoxigraph import Literal as Text

from triad.indexing.labels import LabelProperties
from triad.indexing.profiling.bounds import Bounds
from triad.indexing.profiling.figures import (
    SUBCLASS,
    Cell,
    ClassFigures,
    Figures,
    Naming,
    RelationFigures,
    SampleTerm,
    closure,
    numbered,
    profile_of,
    sample_of,
    term_of,
)
from triad.indexing.spill import Gathering
from triad.kg.labels import called_after, last_part, may_be_label
from triad.kg.profile import VALUES, GraphProfile
from triad.rdf import IRI, OWL, RDF, RDF_LANG_STRING, RDFS, Literal

__all__ = ["ProfileCollector"]

_MEMORY: Final = 1_000_000
"""Triples that are held at once, at about a quarter of a kilobyte each."""
_RUN: Final = 10_000
"""Triples of one subject that are in one record."""
_SAMPLES: Final = 5
"""Values that a relation's profile shows if it does not list all."""
_LONG: Final = 200
"""Characters up to which a literal is kept whole."""
_SHAPES: Final = 100_000
"""Combinations of classes that are counted separately."""
_GRAPHS: Final = 10_000
"""Named graphs that are counted."""
_COMBINATIONS: Final = 200
"""Combinations of classes at the other end of a class's relation that are looked at, the most frequent ones."""
_PLACES: Final = 200_000
"""Pairs of a named graph and a relation or a class that are counted."""

_CLASSES: Final = frozenset((OWL + "Class", RDFS + "Class"))
_STRUCTURE: Final = (OWL, RDFS, RDF + "first", RDF + "rest")
"""Relations of blank nodes that are lists, or descriptions of classes."""

_INDIVIDUALS: Final = (OWL + "Thing", OWL + "NamedIndividual")

_Object = str | tuple[str, ...]
"""The IRI of a resource, or ``_:`` and the name of a blank node; of a literal its value, its datatype or ``@`` and its
language, and where the value is cut, a checksum of the whole."""
_Fact = tuple[str, _Object, str]
"""Relation, object and named graph."""
_End = tuple[str, str | None, str, int, int, str]
"""An object, with the datatype or language if it is a literal; a relation that leads to it from a shape of resources,
how often, and from which of them, for example. Or a subject; then the relation is empty, and the shape its own."""


class _Shape(NamedTuple):
    """What a resource is, as far as its relations are counted with those of others."""

    classes: tuple[str, ...]
    blank: bool
    named: bool
    bundle: bool
    """Whether it has no name and several relations, as facts that are nodes have."""
    term: bool
    """Whether it is a term of the vocabulary: a class or a relation."""


_LEAF: Final = 0
"""The shape of resources that are the subject of no triple."""
_BLANK: Final = 1
"""The shape of blank nodes that are the subject of no triple."""


@dataclass(slots=True)
class _Values:
    """The values of a relation, the objects of its triples."""

    distinct: int = 0
    most: int = 0
    all: dict[tuple[str, str | None], int] | None = field(default_factory=dict)
    """Each value with its count; None if there are too many."""
    best: list[tuple[int, int, str, str]] = field(default_factory=list)
    """A heap of the most frequent ones; of equally frequent ones any, but always the same."""

    def add(self, value: str, tag: str | None, count: int) -> None:
        self.distinct += 1
        if count > self.most:
            self.most = count
        if tag is None and value.startswith("_:"):
            return
        if self.all is not None:
            if len(self.all) < VALUES:
                self.all[value, tag] = count
                return
            for (name, other), number in self.all.items():
                self._rank(name, other, number)
            self.all = None
        self._rank(value, tag, count)

    def _rank(self, value: str, tag: str | None, count: int) -> None:
        if len(self.best) == _SAMPLES and count < self.best[0][0]:
            return
        item = (count, zlib.crc32(value.encode(errors="surrogatepass")), value, tag or "")
        if len(self.best) < _SAMPLES:
            heapq.heappush(self.best, item)
        else:
            heapq.heappushpop(self.best, item)

    def listed(self) -> list[tuple[IRI | Literal, int]]:
        if self.all is not None:
            found = sorted(self.all.items(), key=lambda item: (-item[1], item[0][0], item[0][1] or ""))
            return [(_term(value, tag), count) for (value, tag), count in found]
        best = sorted(self.best, key=lambda item: (-item[0], item[1:]))
        return [(_term(value, tag or None), count) for count, _, value, tag in best]


class ProfileCollector:
    """Collects the figures of a profile from triples."""

    def __init__(
        self, properties: LabelProperties | None = None, *, memory: int = _MEMORY, folder: Path | None = None
    ) -> None:
        """Start with nothing collected.

        Args:
            properties: Which properties hold names, and which classes.
            memory: How many triples may be held in memory.
            folder: Where the files lie to which the others are written. With one, what is collected can be kept
                by `state` and `restore`; without, the files are temporary.
        """
        self._properties = properties or LabelProperties()
        self._memory = memory
        self._facts = Gathering(memory, folder)
        self._terms: set[str] = set()
        """Relations and classes."""
        self._types = frozenset(self._properties.types)
        self._texts: dict[str, str] = {}
        """One string for all uses of a relation, a class, a datatype or a graph."""

    def state(self) -> dict[str, Any]:
        """Write all to files, and return the state for `restore` in a form that JSON can hold."""
        return {"sizes": self._facts.sizes(), "terms": sorted(self._terms)}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Come back to the point where the state was taken; the collector must be new, and its folder the same."""
        self._facts.restore(state["sizes"])
        self._terms.update(state["terms"])

    def append(self, folder: Path, state: Mapping[str, Any]) -> None:
        """Take what another collector took after this one: the files of its folder, and its state."""
        self._facts.append(folder)
        self._terms.update(state["terms"])

    def close(self) -> None:
        """Close the files, and remove them if they are temporary."""
        self._facts.close()

    def take(self, quads: Iterable[Quad], /) -> None:
        """Take a batch of triples."""
        texts, terms, types = self._texts, self._terms, self._types
        subject, facts = "", list[_Fact]()
        for quad in quads:
            node, predicate, value, graph = quad
            if type(node) is NamedNode:
                key = node.value
            elif type(node) is BlankNode:
                key = f"_:{node.value}"
            else:
                continue  # a triple about a triple
            relation = predicate.value
            if relation not in texts:
                terms.add(relation)
            relation = texts.setdefault(relation, relation)
            target: _Object
            if type(value) is NamedNode:
                target = value.value
                if relation in types:
                    if target not in texts:
                        terms.add(target)
                    target = texts.setdefault(target, target)
            elif type(value) is Text:
                target = _literal(value, texts)
            elif type(value) is BlankNode:
                target = f"_:{value.value}"
            else:
                continue
            if type(graph) is DefaultGraph:
                name = ""
            else:
                name = graph.value if type(graph) is NamedNode else str(graph)
                name = texts.setdefault(name, name)
            if key != subject or len(facts) >= _RUN:
                if facts:
                    self._facts.add((subject, facts), len(facts))
                subject, facts = key, []
            facts.append((relation, target, name))
        if facts:
            self._facts.add((subject, facts), len(facts))

    def profile(
        self,
        *,
        labels: Sequence[str] | None = None,
        fingerprint: str = "",
        prefixes: Mapping[str, str] | None = None,
    ) -> GraphProfile:
        """Make a profile of all that was collected; more can be collected afterwards.

        Args:
            labels: The relations that hold names, the preferred one first, if they are known better than by what the
                properties say.
            fingerprint: Of the graph.
            prefixes: Namespaces by prefix.
        """
        naming = Naming(self._properties, labels)
        with closing(_Count(self._properties, naming, self._memory, self._terms)) as count:
            for records in self._facts.read():
                for subject, facts in _grouped(records):
                    count.subject(subject, facts)
            figures = count.figures()
        figures.labels = self._labels(figures.terms(), naming)
        types = self._properties.types
        return profile_of(figures, naming, types=types, fingerprint=fingerprint, prefixes=prefixes)

    def _labels(self, wanted: set[str], naming: Naming) -> dict[str, list[Literal]]:
        """Return the names of resources, the preferred ones first."""
        found: dict[str, set[tuple[int, str, str, str]]] = {}
        for records in self._facts.read():
            for subject, facts in records:
                if subject in wanted:
                    for relation, target, _ in facts:
                        if type(target) is tuple and naming[relation]:
                            name = (naming.rank(relation), relation, target[1], target[0])
                            found.setdefault(subject, set()).add(name)
        return {
            subject: list(dict.fromkeys(cast(Literal, term_of(value, tag)) for _, _, tag, value in sorted(names)))
            for subject, names in found.items()
        }


class _Count:
    """Counts complete subjects, and then their objects."""

    def __init__(self, properties: LabelProperties, naming: Naming, memory: int, terms: set[str]) -> None:
        self._types = properties.types
        self._memory = memory
        self._terms = terms
        self._naming = naming
        called = {last_part(term) for term in terms if term not in naming.order}
        self._of_class = frozenset(
            name for name in naming.order if not may_be_label(name) and last_part(name) in called
        )
        """Relations that hold names of the instances of the class that they are called as, and of no others."""
        self._describing = _Describing()
        self._shapes: dict[tuple[tuple[str, ...], bool, bool, bool, bool], int] = {
            _Shape((), False, False, False, False): _LEAF,
            _Shape((), True, False, False, False): _BLANK,
        }
        self._things: Counter[int] = Counter()
        self._out: dict[tuple[str, int], Cell] = {}
        self._in: dict[tuple[str, int], Cell] = {}
        self._literals: dict[tuple[str, int, str], int] = {}
        self._links: Counter[tuple[str, int, int]] = Counter()
        self._bounds: dict[str, Bounds] = {}
        self._values: dict[str, _Values] = {}
        self._above: dict[str, set[str]] = {}
        self._declared: set[str] = set()
        self._graphs: Counter[str] = Counter()
        self._in_default_graph = 0
        self._places: Counter[tuple[str, str]] = Counter()
        """Of subjects with triples in named graphs: triples by graph and relation; for classes by graph and class."""
        self._placed: Counter[str] = Counter()
        """Their distinct triples by relation or class; all others are in the default graph."""
        self._triples = 0
        self._partial: dict[str, None] = {}
        self._subjects: list[_End] = []
        self._held: dict[tuple[str, str | None, str, int], tuple[int, SampleTerm]] = {}
        self._ends = Gathering(memory)

    def close(self) -> None:
        self._ends.close()

    def subject(self, key: str, facts: list[_Fact]) -> None:
        """Count the triples of a subject."""
        targets_of: dict[str, list[_Object]] = {}
        in_graphs = False
        for relation, target, graph in facts:
            if graph:
                in_graphs = True
            if relation in targets_of:
                targets_of[relation].append(target)
            else:
                targets_of[relation] = [target]
        triples = 0
        for relation, targets in targets_of.items():
            if len(targets) > 1:
                targets_of[relation] = targets = list(dict.fromkeys(targets))
            triples += len(targets)
        self._triples += triples
        if in_graphs:
            distinct = set(facts)
            for _, _, graph in distinct:
                if graph:
                    self._count_graph(graph)
                else:
                    self._in_default_graph += 1
            self._count_places(distinct, targets_of)
        else:
            self._in_default_graph += triples
        shape = self._shape(key, targets_of)
        self._things[shape] += 1
        self._subjects.append((key, None, "", shape, 1, ""))
        out, held, literals = self._out, self._held, self._literals
        own = sample_of(key)
        for relation, targets in targets_of.items():
            cell = out.get((relation, shape)) or out.setdefault((relation, shape), Cell())
            cell.add(len(targets), 1, len(targets))
            for target in targets:
                if type(target) is str:
                    link: tuple[str, str | None, str, int] = (target, None, relation, shape)
                    known = held.get(link)
                    if known is None and target[:2] != "_:":  # else the cell has seen it
                        cell.show_value(target)
                else:
                    tag = target[1]
                    literals[relation, shape, tag] = literals.get((relation, shape, tag), 0) + 1
                    link = (target[0], tag if len(target) == 2 else " ".join(target[1:]), relation, _LEAF)
                    known = held.get(link)
                    cell.show_value(target[0], tag)
                if known is None:
                    held[link] = (1, own)
                else:
                    count, other = known
                    held[link] = (count + 1, own if own < other else other)
        if len(held) + len(self._subjects) >= self._memory:
            self._release()
        if SUBCLASS in targets_of and not key.startswith("_:"):
            parents = {name for name in targets_of[SUBCLASS] if type(name) is str and not name.startswith("_:")}
            self._above[key] = parents - {key}

    def _count_graph(self, graph: str) -> None:
        if graph in self._graphs or len(self._graphs) < _GRAPHS:
            self._graphs[graph] += 1
        else:
            self._partial[f"Only {_GRAPHS:,} named graphs are counted."] = None

    def _count_places(self, facts: Iterable[_Fact], targets_of: Mapping[str, Sequence[_Object]]) -> None:
        """Count where the relations and the classes of a subject are."""
        for relation, target, graph in facts:
            term = target if relation in self._types else relation
            if type(term) is not str or term.startswith("_:"):
                continue
            if (graph, term) in self._places or len(self._places) < _PLACES:
                self._places[graph, term] += 1
            else:
                self._partial["The named graphs of some relations and classes are not known."] = None
        for relation, targets in targets_of.items():
            if relation in self._types:
                self._placed.update(target for target in targets if type(target) is str)
            else:
                self._placed[relation] += len(targets)

    def _shape(self, key: str, targets_of: dict[str, list[_Object]]) -> int:
        """Take the classes of a subject from its relations, and return what its shape is called here."""
        classes: tuple[str, ...] = ()
        for relation in self._types:
            if relation in targets_of:
                found = targets_of.pop(relation)
                if len(found) > 1 or classes:
                    found = sorted({*classes, *found}, key=str)
                classes = tuple(name for name in found if type(name) is str and name[:2] != "_:")
        named = False
        for relation in targets_of:
            if self._names(relation, classes):
                named = True
                break
        blank = key.startswith("_:")
        bundle = not named and (blank or numbered(key)) and _is_bundle(targets_of)
        term = key in self._terms or self._describing[classes]
        if not _CLASSES.isdisjoint(classes):
            self._declared.add(key)
        shape = (classes, blank, named, bundle, term)
        at = self._shapes.get(shape)
        if at is None:
            if len(self._shapes) >= _SHAPES and len(classes) > 1:
                self._partial["There are many combinations of classes; some things count as of one class only."] = None
                shape = (classes[:1], blank, named, bundle, term)
            at = self._shapes.setdefault(shape, len(self._shapes))
        return at

    def _names(self, relation: str, classes: Iterable[str]) -> bool:
        return self._naming[relation] and (relation not in self._of_class or called_after(relation, classes))

    def _release(self) -> None:
        self._ends.extend(self._subjects)
        self._ends.extend((*record, count, subject) for record, (count, (_, subject, _)) in self._held.items())
        self._subjects.clear()
        self._held.clear()

    def _join(self) -> None:
        """Bring links and the shapes of what they lead to together."""
        self._release()
        for records in self._ends.read():
            shapes: dict[str, int] = {}
            links: list[_End] = []
            targets: dict[tuple[str, str | None, str], int] = {}
            for key, tag, relation, shape, count, subject in records:
                if not relation:
                    shapes[key] = shape
                    continue
                target = (key, tag, relation)
                targets[target] = targets.get(target, 0) + count
                if tag is None:
                    links.append((key, tag, relation, shape, count, subject))
            for key, _, relation, shape, count, subject in links:
                other = shapes.get(key, _BLANK if key.startswith("_:") else _LEAF)
                self._links[relation, shape, other] += count
                if subject[:2] != "_:":
                    cell = self._in.get((relation, other)) or self._in.setdefault((relation, other), Cell())
                    cell.show_value(subject)
            for (key, tag, relation), count in targets.items():
                if relation not in self._values:
                    self._values[relation], self._bounds[relation] = _Values(), Bounds()
                self._values[relation].add(key, tag, count)
                if tag is None:
                    other = shapes.get(key, _BLANK if key.startswith("_:") else _LEAF)
                    cell = self._in.get((relation, other)) or self._in.setdefault((relation, other), Cell())
                    cell.add(count, 1, count)
                elif not tag.startswith("@"):
                    self._bounds[relation].add(key, tag.partition(" ")[0], count)

    def figures(self) -> Figures:
        """Return the figures, by class and relation."""
        self._join()
        if self._in_default_graph:
            self._graphs[""] = self._in_default_graph
        figures = Figures(triples=self._triples, graphs=self._graphs, above=self._above, partial=list(self._partial))
        shapes = [_Shape(*shape) for shape in self._shapes]
        hierarchy = _Hierarchy(self._above)
        all_classes = [hierarchy.closed(shape.classes) for shape in shapes]
        own_classes = [hierarchy.specific(shape.classes) for shape in shapes]
        terms = {*self._declared, *self._above, *chain.from_iterable(self._above.values())}
        classes = figures.classes = {name: ClassFigures() for name in terms if not name.startswith("_:")}
        for at, count in self._things.items():
            shape = shapes[at]
            if not shape.term:
                figures.things += count
                figures.unclassed += count * (not shape.classes)
                figures.named += count * shape.named
                figures.blank += count * shape.blank
            direct = frozenset(shape.classes)  # one thing may have thousands
            for name in all_classes[at]:
                found = classes.get(name) or classes.setdefault(name, ClassFigures())
                found.instances += count
                found.direct += count * (name in direct)
                found.named += count * shape.named
                found.blank += count * shape.blank
                found.bundles += count * shape.bundle
        for (relation, at), cell in self._out.items():
            total = figures.relations.get(relation) or figures.relations.setdefault(relation, RelationFigures())
            total.triples += cell.triples
            total.subjects += cell.things
            total.most_per_subject = max(total.most_per_subject, cell.most)
            if not shapes[at].term and self._names(relation, shapes[at].classes):
                figures.named_by[relation] += cell.things
            for name in all_classes[at]:
                uses = classes[name].outgoing
                (uses.get(relation) or uses.setdefault(relation, Cell())).add_cell(cell)
            for name in shapes[at].classes:
                total.subject_classes[name] += cell.triples
        for (relation, at), cell in self._in.items():
            for name in all_classes[at]:
                uses = classes[name].incoming
                (uses.get(relation) or uses.setdefault(relation, Cell())).add_cell(cell)
            for name in shapes[at].classes:
                figures.relations[relation].object_classes[name] += cell.triples
        for (relation, subject, tag), count in self._literals.items():
            total = figures.relations[relation]
            datatype = RDF_LANG_STRING if tag.startswith("@") else tag
            total.datatypes[datatype] += count
            if tag.startswith("@"):
                total.languages[tag[1:]] += count
            for name in own_classes[subject]:
                total.ends[name, datatype, True] += count
        for (relation, subject, at), count in self._links.items():
            total, shape = figures.relations[relation], shapes[at]
            total.links += count
            if shape.bundle and (shape.blank or any(classes[name].statement for name in shape.classes)):
                total.statements += count
            for name, other in product(own_classes[subject], own_classes[at]):
                total.ends[name, other, False] += count
        self._lead(classes, shapes, all_classes)
        for relation, values in self._values.items():
            total = figures.relations[relation]
            total.objects, total.most_per_object = values.distinct, values.most
            total.values, total.bounds = values.listed(), self._bounds[relation]
        if any(self._graphs):
            for (graph, term), count in self._places.items():
                for found_in in (figures.relations.get(term), classes.get(term)):
                    if found_in is not None:
                        found_in.graphs[graph] += count
            counts = [(found.graphs, found.triples - self._placed[name]) for name, found in figures.relations.items()]
            counts += [(found.graphs, found.direct - self._placed[name]) for name, found in classes.items()]
            for graphs, count in counts:
                if count > 0:
                    graphs[""] += count
        return figures

    def _lead(
        self, classes: Mapping[str, ClassFigures], shapes: Sequence[_Shape], all_classes: Sequence[Iterable[str]]
    ) -> None:
        """Count the classes at the other end of each class's relations."""
        # The most frequent combinations of classes tell which classes are the most frequent.
        taken: dict[int, int] = {}
        for (relation, subject, at), count in sorted(self._links.items(), key=lambda item: (-item[1], item[0])):
            if not shapes[at].blank:
                for name in all_classes[subject]:
                    _lead_to(classes[name].outgoing[relation], shapes[at].classes, count, taken)
            if not shapes[subject].blank:
                for name in all_classes[at]:
                    _lead_to(classes[name].incoming[relation], shapes[subject].classes, count, taken)


def _lead_to(cell: Cell, classes: Iterable[str], count: int, taken: dict[int, int]) -> None:
    number = taken.get(id(cell), 0)
    if number < _COMBINATIONS:
        taken[id(cell)] = number + 1
        cell.lead(classes, count)


class _Describing(dict[tuple[str, ...], bool]):
    """Whether resources of some classes are terms of a vocabulary, worked out once each."""

    def __missing__(self, classes: tuple[str, ...]) -> bool:
        self[classes] = bool(classes) and all(
            name.startswith((OWL, RDFS, RDF + "Property")) and name not in _INDIVIDUALS for name in classes
        )
        return self[classes]


class _Hierarchy:
    """Classes and those above them."""

    def __init__(self, above: Mapping[str, Iterable[str]]) -> None:
        self._above = above
        self._known: dict[str, set[str]] = {}

    def _closure(self, name: str) -> set[str]:
        if name not in self._known:
            self._known[name] = closure(self._above, [name])
        return self._known[name]

    def closed(self, names: Iterable[str]) -> set[str]:
        """Return classes and all that are above them."""
        return set().union(*map(self._closure, names))

    def specific(self, names: tuple[str, ...]) -> tuple[str, ...]:
        """Return the classes that have none of the others below them; one without a name if there are none."""
        known = set(names)
        above = {
            name
            for other in names
            for name in self._closure(other) & known
            if name != other and other not in self._closure(name)
        }
        return tuple(name for name in names if name not in above) or ("",)


def _is_bundle(relations: Iterable[str]) -> bool:
    return sum(not relation.startswith(_STRUCTURE) for relation in relations) > 1


def _grouped(records: Iterable[tuple[Any, ...]]) -> Iterable[tuple[str, list[_Fact]]]:
    """Bring the triples of each subject together."""
    found: dict[str, list[_Fact]] = {}
    for subject, facts in records:
        if subject in found:
            found[subject] = found[subject] + facts
        else:
            found[subject] = facts
    return found.items()


def _literal(value: Text, terms: dict[str, str]) -> tuple[str, ...]:
    text, language = value.value, value.language
    tag = f"@{language}" if language else value.datatype.value
    tag = terms.setdefault(tag, tag)
    if len(text) <= _LONG:
        return text, tag
    digest = hashlib.blake2b(text.encode(errors="surrogatepass"), digest_size=8).hexdigest()
    return f"{text[:_LONG]}…", tag, digest


def _term(value: str, tag: str | None) -> IRI | Literal:
    return term_of(value, tag.partition(" ")[0] if tag else "")
