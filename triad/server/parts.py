"""A part of a graph as a graph of its own: what stands in some named graphs, of the things of some classes.

What somebody may not see does not exist in the part, so that nothing need be held back from answers: labels, profile,
tables and passages are made of it, and queries, samples and errors know of nothing else. It is made once of each graph
in the cache, where all who see the same share it, and anew when the graph changes. At an endpoint a part is the dataset
of some named graphs, which goes with every request.

A thing exists that is of one of the classes, or of a subclass, unless it states a fact about things of which one does
not exist. Of what is said of it exist literals, things that exist,
and IRIs of which the graph says nothing; of its classes, the ones that are named and their subclasses. Of the classes
and relations in use exists what is said of them in literals, and what they are to each other. A named graph that is
called by a thing that does not exist has no name. What was inferred of the whole is inferred anew of what exists.
"""

import hashlib
from collections.abc import Iterator, Mapping
from contextlib import closing, suppress
from itertools import chain
from pathlib import Path
from typing import Any, Final
from uuid import uuid4

import pyoxigraph
from pyoxigraph import DefaultGraph, Literal, NamedNode, Quad, RdfFormat, Store, Triple

from triad.configs import Config
from triad.errors import ConfigError, need_extra
from triad.indexing import prepared
from triad.indexing.inference import AXIOMS, KINDS, follows
from triad.indexing.layout import VERSION
from triad.indexing.triples import Triples
from triad.kg.defining import has_terms, occurs
from triad.kg.endpoint import EndpointGraph
from triad.kg.local import LocalGraph
from triad.kg.profile import reached
from triad.kg.stores import open_store, store_fingerprint
from triad.language.definitions import iri_of
from triad.language.glossary import Glossary
from triad.locks import lock_of, locked
from triad.opening import PASSAGES, TABLES, Setup
from triad.rdf import INFERRED, OWL, RDF, RDF_TYPE, RDFS
from triad.resources import cache_folder, drafted, private_folder
from triad.server.settings import DEFAULT_GRAPH, ELSEWHERE, UNHEEDING, Reach
from triad.sparql.stated import WIKIBASE

_TYPE: Final = NamedNode(RDF_TYPE)
_INFERRED: Final = NamedNode(INFERRED)
_SUBCLASS: Final = NamedNode(RDFS + "subClassOf")
_SUBRELATION: Final = NamedNode(RDFS + "subPropertyOf")
_OPTIONS: Final = ("timeout", "row_limit", "byte_limit", "workers", "memory_limit")  # that tell nothing of the graph


def part_of(config: Config, reach: Reach) -> Config:
    """Return the config of what somebody sees of the graph of another one; the part is made if it is not there.

    Raises:
        ConfigError: The graph is at an endpoint that cannot be asked for the part, or the cache folder cannot be
            written.
        DataError: The graph cannot be read.
    """
    setup = Setup.of(config).prepared()
    with setup.open_graph() as graph:
        if isinstance(graph, LocalGraph):
            bounds = {key: value for key, value in setup.graph_options.items() if key in _OPTIONS}
            source, options = str(_made(setup, graph, reach)), {"name": graph.name, **bounds}
        elif isinstance(graph, EndpointGraph) and reach.holds_elsewhere:
            source, options = str(setup.graph), {**setup.graph_options, "only_graphs": reach.named_graphs}
            _check_heeds(config)
        else:
            raise ConfigError(ELSEWHERE.format(graph.name))
    part = config.model_copy(
        update={
            "graph": source,
            "graph_options": options,
            "infer": False,  # what follows is there already
            "index": None,
            "index_options": {},
            "documents": None,
            "passages": None,
            "examples": None,
            "questions": (),  # they may name what is not seen
            "words": {},
        }
    )
    return part.model_copy(update={"words": _words(config, part)})


def _check_heeds(config: Config) -> None:
    """Raise a `ConfigError` if an endpoint shows something though it is asked for a graph that nobody has."""
    for method in ("GET", "POST"):  # of which some heed what is in the address alone
        nothing = {"method": method, **config.graph_options, "only_graphs": (uuid4().urn,)}
        with Setup.of(config.model_copy(update={"graph_options": nothing})).open_graph() as graph:
            if graph.lookup("ASK { ?s ?p ?o }").boolean:
                raise ConfigError(UNHEEDING.format(graph.name))


def _made(setup: Setup, graph: LocalGraph, reach: Reach) -> Path:
    """Return the folder of a part, which is made if it is not there."""
    made_of = f"{VERSION} inferred anew {store_fingerprint(graph.folder)} {reach.part.model_dump_json()} {setup.labels}"
    file = cache_folder() / "parts" / f"{hashlib.sha256(made_of.encode()).hexdigest()[:32]}.trig"
    private_folder(file.parent)
    with locked(lock_of(file), repr(str(file)), wait=True):
        if not file.is_file():
            _write(_Part(open_store(graph.folder), reach), graph.prefixes, file)
        folder = prepared(file, labels=setup.labels)
        _make_sources(setup, folder)
    return folder


def _words(config: Config, part: Config) -> dict[str, Any]:
    """Return the words that fit a part: those of its terms, and what is defined by names that it has."""
    with closing(Setup.of(part).open()) as opened:
        profile = opened.profile()

        def known(words: Mapping[str, Any]) -> Glossary:
            return Setup.of(config.model_copy(update={"words": words})).glossary(opened.graph, profile)

        defined = Setup.of(config).definitions
        terms = known({word: one for word, one in config.words.items() if word not in defined}).words
        kept = {word: tuple(iri for iri in iris if occurs(opened.graph, iri)) for word, iris in terms.items()}
        found: dict[str, Any] = {word: iris for word, iris in kept.items() if iris}
        for word in [*defined] * len(defined) if profile else ():  # for those that build on others come after these
            with suppress(ConfigError):
                made = known({**found, word: defined[word]}).defined
                if has_terms(opened.graph, made[iri_of(word)], made):
                    found[word] = defined[word]
    return found


class _Part:
    """What of a store exists."""

    def __init__(self, store: Store, reach: Reach) -> None:
        self._store = store
        named = (DefaultGraph() if name == DEFAULT_GRAPH else NamedNode(name) for name in reach.named_graphs)
        self._graphs: list[Any] = [*named] or [None]
        wanted: Iterator[Any] = map(NamedNode, reach.only)
        self._classes = reached(wanted, lambda one: (quad.subject for quad in self._find(None, _SUBCLASS, one)))
        self._things = {quad.subject for one in self._classes for quad in self._find(None, _TYPE, one)}
        stating: list[Any] = [NamedNode(RDF + name) for name in ("subject", "object", "reifies")]
        self._stating = reached(stating, lambda one: (quad.subject for quad in self._find(None, _SUBRELATION, one)))
        self._stating |= {quad.object for quad in self._find(None, NamedNode(WIKIBASE + "statementProperty"))}
        while hidden := {one for one in self._things if self._states_hidden(one)}:
            self._things -= hidden
        self._names: set[Any] = set()  # of the classes and relations in use
        if self._classes:
            self._names = self._classes | {quad.predicate for quad in self._said()}
        self._inferred: list[Quad] = []
        infers = store.contains_named_graph(_INFERRED) and not {None, _INFERRED}.isdisjoint(self._graphs)
        while infers:  # until it names no further relations, of whose names more may follow
            self._inferred = [*filter(self._exists, self._following())]
            used = {quad.predicate for quad in self._inferred if self._classes}
            infers, self._names = not used <= self._names, self._names | used

    def __iter__(self) -> Iterator[Quad]:
        """Yield all that is said, and what follows from that."""
        return chain(self._said(), self._inferred)

    def _said(self) -> Iterator[Quad]:
        for name in chain(self._things, self._names - self._things) if self._classes else (None,):
            yield from map(self._placed, filter(self._exists, self._find(name)))

    def _following(self) -> Iterator[Quad]:
        """Yield what follows from what is said, by all axioms about classes and relations."""
        need_extra("infer", "to infer takes", "clingo")
        axioms = (self._find(None, NamedNode(name)) for name in AXIOMS if name != OWL + "sameAs")
        kinds = (self._find(None, _TYPE, NamedNode(name)) for name in KINDS)
        with Triples() as triples:
            triples.take_all(chain(self._said(), *axioms, *kinds))
            yield from chain.from_iterable(follows(triples))

    def _exists(self, quad: Quad) -> bool:
        """Tell whether what is said of a thing, a class or a relation names nothing that is not to be seen."""
        if not self._classes:
            return True
        if quad.subject not in self._things:
            return quad.subject in self._names and (isinstance(quad.object, Literal) or quad.object in self._names)
        if quad.predicate == _TYPE:
            return quad.object in self._classes
        if isinstance(quad.object, Literal):
            return True
        return not isinstance(quad.object, Triple) and self._is_seen(quad.object)

    def _is_seen(self, name: Any) -> bool:
        """Tell whether a thing exists, or nothing is said of it."""
        said = self._store.quads_for_pattern(name, None, None, None)
        return name in self._things or all(quad.graph_name == _INFERRED for quad in said)

    def _placed(self, quad: Quad) -> Quad:
        """Return what is said, in no named graph if that is called by what is not to be seen."""
        named = isinstance(quad.graph_name, DefaultGraph) or self._graphs != [None]
        return quad if named or self._is_seen(quad.graph_name) else Quad(*quad.triple)

    def _states_hidden(self, thing: Any) -> bool:
        """Tell whether a thing states a fact about what is not to be seen."""
        found = chain(self._find(thing), self._store.quads_for_pattern(thing, None, None, _INFERRED))
        said = [quad for quad in found if quad.predicate in self._stating]
        claims = self._find(None, None, thing) if said else ()
        return not all(map(self._exists, said)) or any(quad.subject not in self._things for quad in claims)

    def _find(self, *pattern: Any) -> Iterator[Quad]:
        subject, predicate, object = (*pattern, None, None, None)[:3]
        for graph in self._graphs:
            found = self._store.quads_for_pattern(subject, predicate, object, graph)
            yield from (quad for quad in found if quad.graph_name != _INFERRED)


def _write(part: _Part, prefixes: Mapping[str, str], file: Path) -> None:
    """Write a part, with the prefixes of the graph that it uses."""
    iris = (term.value for quad in part for term in quad if isinstance(term, NamedNode))
    spaces = {iri[: max(iri.rfind("/"), iri.rfind("#")) + 1] for iri in iris}
    used = {prefix: space for prefix, space in prefixes.items() if space in spaces}
    with drafted(file) as draft:
        pyoxigraph.serialize(part, str(draft), RdfFormat.TRIG, prefixes=used)


def _make_sources(setup: Setup, folder: Path) -> None:
    """Make the tables and the passages of a part where the graph has them; documents may tell of anything."""
    if setup.beside(TABLES) and not (folder / TABLES).is_dir():
        from triad.retrieval.tables.induction import induce

        induce(folder)
    if setup.has_passages and not (folder / PASSAGES).is_dir():
        from triad.retrieval.passages.building import make_passages_of

        make_passages_of(Setup(graph=str(folder), embedder=setup.embedder))
