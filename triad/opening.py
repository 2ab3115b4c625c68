"""The one way from a config, or from an agent's arguments, to what answers: graph, label index, embedder, models.

setup = Setup.of(load_config("demo"))
with setup.open() as parts:
parts.graph, parts.index, parts.schema
"""

from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Self

from triad import sparql
from triad.closing import Closing
from triad.configs import Options
from triad.embedding import Embedder, open_embedder
from triad.errors import ConfigError
from triad.indexing import is_rdf, prepared
from triad.indexing.layout import Progress
from triad.indexing.profiling.kept import counted_profile, kept_profile
from triad.kg import open_graph
from triad.kg.base import KnowledgeGraph
from triad.kg.defining import defined, read
from triad.kg.labels import LabelFinder, Labels, expanded
from triad.kg.lookups import CachedLookups
from triad.kg.ontology import Notes, ask_notes, read_notes
from triad.kg.parsing import ParseLimits
from triad.kg.profile import GraphProfile
from triad.kg.schema import Schema
from triad.language.definitions import Definition
from triad.language.glossary import Glossary, whole_iri
from triad.log import logger
from triad.models import Model
from triad.resources import found_at, from_home
from triad.roles import ROLES, Roles, all_or_none
from triad.search import open_index
from triad.search.base import LabelIndex

PASSAGES: Final = "passages"
"""The folder of the passages in the folder of a graph's index."""
ONTOLOGY: Final = "ontology"
"""The folder of the files of an ontology there."""
TABLES: Final = "tables"
"""The folder of the tables there."""


@dataclass(frozen=True, slots=True)
class Parts(Closing):
    """What a question is answered with, besides models."""

    graph: KnowledgeGraph
    index: LabelIndex
    schema: Schema
    embedder: Embedder | None
    sources: tuple[object, ...] = ()
    """What opened the graph and the index."""
    notes: Mapping[str, Notes] = field(default_factory=dict)
    """What an ontology beside the graph says of its terms."""
    hints: tuple[str, ...] = ()
    """Properties of the graph that say what its terms mean."""

    def profile(self) -> GraphProfile | None:
        """Return the profile of the graph that is kept with it or with its index; of a small one it is counted.

        None if there is none, and the graph is large or on a server.

        Raises:
            DataError: It cannot be read, or comes from another version of Triad.
            SearchError: The server of the index failed.
        """
        kept = kept_profile(*self.sources, index=self.index)
        if (found := kept or counted_profile(self.graph, self.schema.label_properties)) is None:
            return None
        if not (found.triples or found.partial):
            logger.warning("the graph {!r} is empty: there is not one triple in it", self.graph.name)
        if self.hints:
            terms = [*(one.iri for one in found.classes), *(one.iri for one in found.relations)]
            found = found.noting(ask_notes(self.schema.graph.lookup, terms, self.hints))
        return found.noting(self.notes)

    def close(self) -> None:
        """Free what the parts hold."""
        self.graph.close()
        self.index.close()
        if self.embedder:
            self.embedder.close()


class Setup(Options):
    """Options of an agent, to be opened. Each step can be made by itself, so that what fails can be told."""

    @classmethod
    def of(cls, options: Options) -> Self:
        """Return options with the variables of the environment filled in; one that is not set is a `ConfigError`."""
        return cls(**options.arguments())

    def prepared(self, progress: Progress = lambda *_: None) -> Self:
        """Return what is to be opened in place of RDF files: the folder with store and index that is made of them.

        Progress is told how far the making is, where the folder is not there yet.

        Raises:
            DataError: A file is missing, of an unknown format, or not valid.
            ConfigError: The cache folder cannot be written, or nothing can be inferred of what is no files.
        """
        if self.index is not None or isinstance(self.graph, KnowledgeGraph) or not is_rdf(self.graph):
            if self.infer:
                raise ConfigError("'infer' is for RDF files without 'index'; 'triad index --infer' makes a folder so")
            return self
        files = self.graph
        name = files if isinstance(files, str) else ", ".join(files)
        options = {"name": name, **self.graph_options}
        limits = ParseLimits.taken(options)
        folder = prepared(files, labels=self.labels, infer=self.infer, progress=progress, limits=limits)
        made = {"graph": str(folder), "index": str(folder), "infer": False}
        return self.model_copy(update={**made, "graph_options": options})

    def open(self) -> Parts:
        """Open all parts; if one cannot be opened, those that were opened before are closed.

        Raises:
            ConfigError: Something named cannot be used.
            ServiceError: The graph or the index cannot be reached.
        """
        setup = self.prepared()
        with ExitStack() as opened:
            graph = setup.open_graph()
            if graph is not setup.graph:
                opened.callback(graph.close)
            embedder = setup.open_embedder()
            if embedder and embedder is not setup.embedder:
                opened.callback(embedder.close)
            lookups = setup.lookups(graph)
            finder = setup.finder(lookups)
            index = setup.open_index(lookups, embedder, finder)
            if index is not setup.index:
                opened.callback(index.close)
            finder = setup.finder(lookups, index)
            languages = tuple(dict.fromkeys([setup.language or "en", "en"]))
            hints = tuple(whole_iri(name, {**sparql.PREFIXES, **graph.prefixes}, "'hints'") for name in setup.hints)
            notes = read_notes(files, hints) if (files := setup.ontology_files) else {}
            schema = Schema(lookups, languages, finder, notes, hints)
            parts = Parts(graph, index, schema, embedder, (setup.graph, setup.index_source), notes, hints)
            opened.pop_all()
        return parts

    def open_graph(self) -> KnowledgeGraph:
        """Open the graph."""
        return open_graph(self.graph, **self.graph_options)

    def lookups(self, graph: KnowledgeGraph) -> KnowledgeGraph:
        """Return the graph for lookups of Triad's own; those at an address are kept on disk."""
        if not isinstance(self.graph, str) or "://" not in self.graph or not self.lookup_hours:
            return graph
        return CachedLookups(graph, self.lookup_hours)

    def open_embedder(self, *, cached: bool = True) -> Embedder | None:
        """Open the embedder; None where none is named. Its vectors are kept on disk, unless told otherwise."""
        if not isinstance(self.embedder, str):
            return self.embedder
        embedder = open_embedder(self.embedder)
        if not cached:
            return embedder
        from triad.embedding.cache import CachedEmbedder  # with the database behind the cache

        return CachedEmbedder(embedder)

    @property
    def index_source(self) -> str | LabelIndex:
        """What opens the index: where none is named, the graph's folder, or lookups in the graph itself."""
        return self.index if self.index is not None else str(self.index_folder or "endpoint")

    @property
    def index_folder(self) -> Path | None:
        """The folder of the graph with its index; None where the graph is no folder."""
        folder = from_home(self.graph) if isinstance(self.graph, str) else None
        return folder if folder and found_at(folder) == "folder" else None

    def beside(self, name: str) -> Path | None:
        """Return a folder in that of the graph's index, such as that of its tables; None if it is not there."""
        folder = self.index_folder and self.index_folder / name
        return folder if folder and found_at(folder) == "folder" else None

    @property
    def ontology_files(self) -> list[str]:
        """The files of the ontology: those that are named, and those in the folder of the graph's index."""
        kept = self.beside(ONTOLOGY)
        return [*self.ontology, *(sorted(map(str, kept.iterdir())) if kept else [])]

    @property
    def passages_source(self) -> str | Path | None:
        """What opens the passages: where none is named, the folder of the graph's index; None if it has none."""
        return self.passages if self.passages is not None else self.index_folder and self.index_folder / PASSAGES

    @property
    def has_passages(self) -> bool:
        """Whether passages are named, or there are some in the folder of the graph's index."""
        return self.passages is not None or self.beside(PASSAGES) is not None

    def finder(self, graph: KnowledgeGraph, index: LabelIndex | None = None) -> LabelFinder:
        """Return which properties hold labels: what is named, what the index knows, or what the graph shows."""
        if not self.labels:
            return LabelFinder(graph, index.labels if index else None)
        named = Labels(expanded(self.labels))
        if index and index.labels and index.labels != named:
            logger.warning(
                "the index {!r} has labels by {}; to have those of {}, build it anew",
                index.name,
                ", ".join(index.labels.all),
                ", ".join(self.labels),
            )
        return LabelFinder(graph, named)

    def open_index(
        self, graph: KnowledgeGraph | None, embedder: Embedder | None, finder: LabelFinder | None = None
    ) -> LabelIndex:
        """Open the label index."""
        return open_index(self.index_source, graph=graph, embedder=embedder, finder=finder, **self.index_options)

    @property
    def definitions(self) -> dict[str, Definition]:
        """What words are defined as; the others stand for terms of the graph."""
        meant = {word: read(one) if isinstance(one, str) else one for word, one in self.words.items()}
        return {word: one for word, one in meant.items() if isinstance(one, Definition)}

    def glossary(self, graph: KnowledgeGraph, profile: GraphProfile | None = None) -> Glossary:
        """Return the glossary in the terms of the graph; a `ConfigError` if a word stands for nothing that it has."""
        prefixes = {**sparql.PREFIXES, **(profile.prefixes if profile else {}), **graph.prefixes}
        definitions = self.definitions
        rest = ((word, one) for word, one in self.words.items() if word not in definitions)
        terms = {word: one for word, one in rest if not isinstance(one, Definition)}
        made = defined(definitions, profile, prefixes, self.language or "en") if definitions else None
        return Glossary.of(terms, prefixes, made)


def open_models(options: Options, roles: Roles, opened: Mapping[str, Model | None] | None = None) -> dict[str, Model]:
    """Open the model of each role; nothing where questions are answered without one.

    Models that some roles have open already are taken as they are.

    Raises:
        ConfigError: A model cannot be opened, or one role has a model and another one has none.
    """
    models = {role: model for role, model in (opened or {}).items() if model is not None}
    lacking = [role for role in ROLES if role not in models]
    shared = options.open_model() if lacking else None
    for role in lacking:
        own = roles.card(role).model
        if model := options.open_model(own) if own else shared:
            models[role] = model
    return all_or_none({role: models.get(role) for role in ROLES})
