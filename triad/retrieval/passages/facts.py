"""Where the facts of a graph come from, thing by thing: from a store, in one walk over it.

What is held in memory is one thing with its facts, and the names of things that were named lately. A blank node is
told where it is linked; only one that nothing links to is a thing of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import groupby, islice
from operator import attrgetter
from typing import Final

import pyoxigraph
from pyoxigraph import NamedNode, Quad, Store

from triad.kg.labels import ALIASES
from triad.kg.local import read_term
from triad.language.normalize import local_name
from triad.rdf import IRI, RDF, RDF_TYPE, BlankNode, Literal, Term, Triple
from triad.retrieval.indexed import EVERYTHING

LISTED: Final = 50
"""Things that link to a thing by one relation up to which all are named; of the others, their number is told."""
_VALUES: Final = 10_000  # values of one relation that a thing has at most
_iri: Final = lru_cache(100_000)(IRI)  # facts name the same relations and things again and again
_Node = NamedNode | pyoxigraph.BlankNode | pyoxigraph.Triple
_REST: Final = RDF + "rest"
FIRST: Final = RDF + "first"
"""The relation from a cell of a list to its item."""


@dataclass(frozen=True, slots=True)
class FactValue:
    """A value of a relation, with the fact that it comes from."""

    triple: Triple
    inner: tuple[FactValue, ...] = ()
    """What the graph says of it, if it is a blank node; of a list, its items."""


@dataclass(slots=True)
class DescribedThing:
    """A thing with its facts."""

    iri: str
    names: list[Triple] = field(default_factory=list)
    """Facts that name it, the best one first."""
    types: list[Triple] = field(default_factory=list)
    outgoing: dict[str, list[FactValue]] = field(default_factory=dict)
    """Values by relation."""
    incoming: dict[str, list[Triple]] = field(default_factory=dict)
    """Facts that lead to it by relation, `LISTED` at most."""
    counts: dict[str, int] = field(default_factory=dict)
    """How many there are by relation: of `outgoing` and, behind a ``^``, of `incoming`."""

    @property
    def classes(self) -> tuple[str, ...]:
        """IRIs of its classes."""
        return tuple(str(triple.object) for triple in self.types)


class StoreFacts:
    """The things of a store, with the relations that hold names, the preferred one first, and those that give classes.

    A store on disk has all triples of a thing in one graph side by side.
    """

    def __init__(
        self, store: Store, named_by: Sequence[str], typed_by: Sequence[str] = (RDF_TYPE,), *, on_disk: bool = False
    ) -> None:
        self._store = store
        self._named = [NamedNode(iri) for iri in named_by]
        self._naming = frozenset(named_by) | frozenset(ALIASES)
        self._order = {iri: place for place, iri in enumerate(named_by)}
        self._typed = frozenset(typed_by)
        self._sorted = on_disk and next(iter(store.named_graphs()), None) is None
        self.name = lru_cache(100_000)(self._name)  # names of things that are kept in memory
        """Returns what the thing of an IRI is called; where the graph does not say, what its IRI ends in."""

    def __iter__(self) -> Iterator[DescribedThing]:
        """Walk over the store, which has most triples of a thing side by side."""
        for subject, quads in groupby(self._store.quads_for_pattern(None, None, None, None), attrgetter("subject")):
            if self._sorted:
                triples = self._converted(subject, quads)
            # met for the first time: the triples of a thing may be apart where there are named graphs
            elif next(iter(self._store.quads_for_pattern(subject, None, None, None)), None) == next(quads):
                triples = self._triples(subject)
            else:
                continue
            if thing := self._thing(subject, triples):
                yield thing

    def _thing(self, node: _Node, triples: Iterable[Triple]) -> DescribedThing | None:
        if isinstance(node, NamedNode):
            thing = DescribedThing(node.value)
        elif isinstance(node, pyoxigraph.BlankNode):
            if next(iter(self._store.quads_for_pattern(None, None, node)), None) is not None:
                return None
            thing = DescribedThing(f"urn:blank:{node.value}")
        else:
            return None
        for triple in triples:
            self._take(thing, triple)
        if len(thing.names) > 1:
            thing.names.sort(key=self._rank)
        for quad in self._store.quads_for_pattern(None, None, node, None):
            relation = quad.predicate.value
            count = thing.counts[f"^{relation}"] = thing.counts.get(f"^{relation}", 0) + 1
            if count <= LISTED and isinstance(subject := read_term(quad.subject), IRI | BlankNode):
                thing.incoming.setdefault(relation, []).append(Triple(subject, IRI(relation), read_term(node)))
        return thing

    def _take(self, thing: DescribedThing, triple: Triple) -> None:
        relation, value = triple.predicate.value, triple.object
        if relation in self._typed and isinstance(value, IRI):
            if value.value not in EVERYTHING:
                thing.types.append(triple)
            return
        if relation in self._naming and isinstance(value, Literal):
            thing.names.append(triple)
            return
        count = thing.counts[relation] = thing.counts.get(relation, 0) + 1
        if count <= _VALUES:
            thing.outgoing.setdefault(relation, []).append(self._value(triple, (triple.subject,)))

    def _value(self, triple: Triple, above: tuple[Term, ...]) -> FactValue:
        value = triple.object
        # how many blank nodes deep facts are told
        if not isinstance(value, BlankNode) or value in above or len(above) > 4:
            return FactValue(triple)
        below = list(self._triples(pyoxigraph.BlankNode(value.value)))
        if any(one.predicate.value == FIRST for one in below):
            below = list(islice(self._items(below), _VALUES))
        return FactValue(triple, tuple(self._value(one, (*above, value)) for one in below))

    def _items(self, cell: list[Triple]) -> Iterator[Triple]:
        """Yield the facts that give the items of a list, given what is said of its first cell."""
        seen: set[Term] = set()
        while cell:
            yield from (one for one in cell if one.predicate.value == FIRST)
            rest = next((one.object for one in cell if one.predicate.value == _REST), None)
            if not isinstance(rest, BlankNode) or rest in seen:
                return
            seen.add(rest)
            cell = list(self._triples(pyoxigraph.BlankNode(rest.value)))

    def _triples(self, node: _Node) -> Iterator[Triple]:
        """Yield what the store says of a node, each fact once."""
        yield from dict.fromkeys(self._converted(node, self._store.quads_for_pattern(node, None, None, None)))

    @staticmethod
    def _converted(node: _Node, quads: Iterable[Quad]) -> Iterator[Triple]:
        subject = read_term(node)
        if isinstance(subject, IRI | BlankNode):
            for quad in quads:
                yield Triple(subject, _iri(quad.predicate.value), read_term(quad.object))

    def _rank(self, triple: Triple) -> tuple[int, int, str]:
        language = _place(triple.object.language if isinstance(triple.object, Literal) else None)
        return self._order.get(triple.predicate.value, len(self._order)), language, str(triple.object)

    def _name(self, iri: str) -> str:
        try:
            node = NamedNode(iri)
        except ValueError:
            return local_name(iri)
        if next(iter(self._store.quads_for_pattern(node, None, None, None)), None) is None:
            return local_name(iri)
        for relation in self._named:
            quads = islice(self._store.quads_for_pattern(node, relation, None), 1_000)
            if found := [quad.object for quad in quads if isinstance(quad.object, pyoxigraph.Literal)]:
                return min(found, key=lambda one: (_place(one.language), one.value)).value
        return local_name(iri)


def _place(tag: str | None) -> int:
    """Return the place of a name's language: English first, then none."""
    return {"en": 0, "": 1}.get((tag or "").partition("-")[0].lower(), 2)
