"""What a profile tells of a graph, as look-ups would give it; None where the graph has to be asked.

A profile of an endpoint that did not tell all knows less.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from typing import Final

from triad.caching import cached_property
from triad.kg.base import KnowledgeGraph
from triad.kg.cards import Direction, Hop
from triad.kg.labels import Labels, may_be_label
from triad.kg.profile import NAMES, GraphProfile, Use, reached
from triad.questions import Kind
from triad.rdf import BUILT_IN, DECLARED_KINDS, IRI, RDF_TYPE, BlankNode, Literal, writable

SUBCLASSES: Final = 50
"""Subclasses whose instances are looked at in one query, to see whether they have the class itself as a type, too."""
BELOW: Final = 1_000
"""Classes below a class that are asked for; queries list a few of them, or follow all of them in the graph."""
ABOVE: Final = 10
"""Classes right above a class that are looked at."""

_BLANK: Final = BlankNode("value")  # stands for a value that has no name


class ProfiledSchema:
    """What a profile tells; nothing if there is none.

    Labels by other properties than ``labels`` are not told.
    """

    def __init__(self, profile: GraphProfile | None = None, labels: Labels | None = None) -> None:
        self._profile = profile or GraphProfile()
        self._classed = self._profile.typed_by == (RDF_TYPE,)
        self._labelled = labels is not None and self._profile.named_by == labels.all
        # A label property that is called as a class holds names of some entities, and facts of others.
        self._labels_entities = self._labelled and labels is not None and all(map(may_be_label, labels.own))
        self._whole = not any(relation.sampled for relation in self._profile.relations)

    @cached_property
    def _names(self) -> dict[str, tuple[Literal, ...]]:
        names: dict[str, tuple[Literal, ...]] = {}
        if self._labels_entities:
            names |= {one.term.value: one.labels for one in self._profile.samples if isinstance(one.term, IRI)}
        if self._labelled:
            names |= {one.iri: one.labels for one in self._profile.classes}
            names |= {one.iri: one.labels for one in self._profile.relations}
        return names

    def names(self, iri: str) -> tuple[Literal, ...] | None:
        """Return the labels of a class, a relation or a sample in all languages, the preferred properties' first."""
        names = self._names.get(iri)
        if names is None or len(names) >= NAMES or (not names and self._profile.partial):
            return None
        return names

    def superclasses(self, iri: str) -> tuple[str, ...] | None:
        """Return the classes right above a class, those of OWL and RDFS aside."""
        found = self._profile.class_profile(iri)
        return None if found is None else telling(iri, found.superclasses)

    def kinds(self, iri: str) -> tuple[str, ...] | None:
        """Return a class and, where instances are told to be of these alone, the classes below it that have some."""
        found = self._profile.class_profile(iri)
        if found is None or not self._classed:
            return None
        if not found.subclasses:
            return (iri,)
        if found.instances > found.direct:
            return (iri, *self._below(iri))
        return None if self._profile.partial else (iri,)

    def _below(self, iri: str) -> list[str]:
        """Return the classes below a class that have instances of their own, as far as the profile tells."""
        known = self._profile.class_profile
        seen = reached([iri], lambda name: found.subclasses if (found := known(name)) else ())
        profiles = ((name, known(name)) for name in sorted(seen - {iri}))
        return [name for name, found in profiles if writable(name) and (found is None or found.direct)]

    def relation_ends(self, iri: str) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
        """Return the classes that a relation's subjects and objects have, the most frequent first."""
        found = self._profile.relation_profile(iri)
        if found is None or not self._classed:
            return None
        return self._classes(found.subject_classes), self._classes(found.object_classes)

    def has_card(self, iri: str) -> bool:
        """Return whether the schema card of a class is known."""
        found = self._profile.class_profile(iri)
        is_known = found is not None and bool(found.instances or not self._profile.partial)
        return is_known and self._classed and self._whole

    def card(self, iri: str, labels: Callable[[Iterable[str]], Mapping[str, str]], *, brief: bool) -> tuple[Hop, ...]:
        """Return the schema card of a class, if it is known."""
        found = self._profile.class_profile(iri)
        if found is None or not self.has_card(iri):
            return ()
        uses: list[tuple[Direction, Use]] = [("out", use) for use in chain(found.outgoing, found.naming)]
        uses += [("in", use) for use in found.incoming]
        uses = [(way, use) for way, use in uses if writable(use.relation) and use.relation != RDF_TYPE]
        uses.sort(key=lambda item: (-item[1].triples, item[0], item[1].relation))
        samples = [_BLANK if use.sample is None else self._profile.samples[use.sample].term for _, use in uses]
        shown = [sample.value for sample in samples if isinstance(sample, IRI) and not brief]
        names = labels([*(use.relation for _, use in uses), *shown])
        hops: list[Hop] = []
        for (way, use), sample in zip(uses, samples, strict=True):
            called = names.get(sample.value, "") if isinstance(sample, IRI) else sample.value
            classes, coverage = self._classes(use.ends), min(1.0, use.things / found.instances)
            hops.append(Hop(use.relation, names[use.relation], way, use.triples, sample, called, classes, coverage))
        return tuple(hops)

    def _classes(self, places: Sequence[int]) -> tuple[str, ...]:
        return tuple(self._profile.classes[at].iri for at in places)


def telling(iri: str, superclasses: Sequence[str]) -> tuple[str, ...]:
    """Return the classes above a class that tell something, of all in alphabetical order."""
    return tuple(name for name in superclasses[:ABOVE] if name != iri and not name.startswith(BUILT_IN))


def kind_of(graph: KnowledgeGraph, iri: str, profile: GraphProfile | None = None) -> Kind | None:
    """Return what an IRI stands for in a graph; None if the graph does not have it.

    What the profile knows is not looked up.

    Raises:
        GraphError: The graph failed.
    """
    if not writable(iri):
        return None
    if profile and profile.class_profile(iri):
        return "class"
    if profile and profile.relation_profile(iri):
        return "relation"
    term = IRI(iri).n3()
    if graph.lookup(f"ASK {{ ?thing <{RDF_TYPE}> {term} }}").boolean:
        return "class"
    if graph.lookup(f"ASK {{ ?thing {term} ?value }}").boolean:
        return "relation"
    declared = graph.lookup(f"SELECT ?class {{ {term} <{RDF_TYPE}> ?class }} LIMIT 50").column("class")
    if found := [DECLARED_KINDS[str(one)] for one in declared if str(one) in DECLARED_KINDS]:
        return found[0]
    occurs = graph.lookup(f"ASK {{ {{ {term} ?relation ?value }} UNION {{ ?s ?p {term} }} }}").boolean
    return "entity" if occurs else None
