"""The one way from a config, or from an agent's arguments, to what answers: graph, label index, embedder, models.

setup = Setup.of(load_config("demo"))
with setup.open() as parts:
parts.graph, parts.index, parts.schema
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Final, Self, cast

from triad import sparql
from triad.configs import Config
from triad.embedding import Embedder, open_embedder
from triad.errors import ConfigError
from triad.indexing import is_rdf, prepared
from triad.indexing.layout import Progress
from triad.indexing.profiling.kept import counted_profile, kept_profile
from triad.kg import open_graph
from triad.kg.base import KnowledgeGraph
from triad.kg.labels import LabelFinder, Labels, expanded
from triad.kg.parsing import ParseLimits
from triad.kg.profile import GraphProfile
from triad.kg.schema import Schema
from triad.language.glossary import Glossary
from triad.log import logger
from triad.models import Model
from triad.resources import found_at
from triad.roles import ROLES, Roles, all_or_none
from triad.search import open_index
from triad.search.base import LabelIndex
from triad.search.fallback import FallbackIndex

__all__ = ["PASSAGES", "TABLES", "Parts", "Setup", "open_models"]

PASSAGES: Final = "passages"
"""The folder of the passages in the folder of a graph's index."""
TABLES: Final = "tables"
"""The folder of the tables there."""


@dataclass(frozen=True, slots=True)
class Parts:
    """What a question is answered with, besides models."""

    graph: KnowledgeGraph
    index: LabelIndex
    schema: Schema
    embedder: Embedder | None
    sources: tuple[object, ...] = ()
    """What opened the graph and the index."""

    def profile(self) -> GraphProfile | None:
        """Return the profile of the graph that is kept with it or with its index; of a small one it is counted.

        None if there is none, and the graph is large or on a server.

        Raises:
            DataError: It cannot be read, or comes from another version of Triad.
            SearchError: The server of the index failed.
        """
        kept = kept_profile(*self.sources, index=self.index)
        return kept or counted_profile(self.graph, self.schema.label_properties)

    def close(self) -> None:
        """Free what the parts hold."""
        self.graph.close()
        self.index.close()
        if self.embedder:
            self.embedder.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """What is to be opened. Each step can be made by itself, so that what fails can be told."""

    graph: str | Path | Sequence[str | Path] | KnowledgeGraph
    """A graph, or what opens one: RDF files, a folder of ``triad index``, the address of an endpoint."""
    graph_options: Mapping[str, Any] = field(default_factory=dict)
    index: str | Path | LabelIndex | None = None
    """A label index, or what opens one; none takes the one that comes with the graph."""
    index_options: Mapping[str, Any] = field(default_factory=dict)
    fallback: str | LabelIndex | None = None
    """The index to link with while the other one fails."""
    embedder: str | Embedder | None = None
    lookup_hours: float = 24.0
    """How long lookups at an address are kept on disk; 0 keeps none."""
    language: str | None = None
    """The language of the questions; none has it told from each of them."""
    labels: Sequence[str] = ()
    """Properties that hold labels; none has them found out."""
    words: Mapping[str, str | Sequence[str]] = field(default_factory=dict)
    """A glossary: words of users with what they stand for, as IRIs or names with a prefix."""

    documents: str | Path | None = None
    """A folder of documents that go with the graph."""
    passages: str | Path | None = None
    """Where passages are; none takes those in the folder of the graph's index."""

    def __post_init__(self) -> None:
        for name in {"embedder", "finder", "graph"} & set(self.index_options):
            raise ConfigError(f"{name!r} is not an option of the index: name it beside them, as it serves other parts")

    @classmethod
    def of(cls, config: Config) -> Self:
        """Return what a config names."""
        return cls(
            graph=config.graph_source,
            graph_options=config.graph_arguments,
            index=config.index_source,
            index_options=config.index_arguments,
            fallback=config.fallback,
            embedder=config.embedder_source,
            lookup_hours=config.lookup_hours,
            language=config.language,
            labels=config.labels,
            words=config.words,
            documents=config.documents_source,
            passages=config.passages_source,
        )

    def arguments(self) -> dict[str, Any]:
        """Return all of it by name, as `triad.agent.Agent` takes it."""
        return {one.name: getattr(self, one.name) for one in fields(self)}

    def prepared(self, progress: Progress | None = None) -> Self:
        """Return what is to be opened in place of RDF files: the folder with store and index that is made of them.

        Args:
            progress: Is told how far the making is, where the folder is not there yet.

        Raises:
            DataError: A file is missing, of an unknown format, or not valid.
            ConfigError: The cache folder cannot be written.
        """
        if self.index is not None or not is_rdf(self.graph):
            return self
        files = cast("str | Path | Sequence[str | Path]", self.graph)
        name = str(files) if isinstance(files, str | Path) else ", ".join(map(str, files))
        options = {"name": name, **self.graph_options}
        folder = prepared(files, labels=self.labels, progress=progress, limits=ParseLimits.taken(options))
        return replace(self, graph=folder, index=folder, graph_options=options)

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
            if fallback := setup.open_fallback(lookups, finder):
                index = FallbackIndex(index, fallback)
            languages = tuple(dict.fromkeys([setup.language or "en", "en"]))
            parts = Parts(graph, index, Schema(lookups, languages, finder), embedder, (setup.graph, setup.index_source))
            opened.pop_all()
        return parts

    def open_graph(self) -> KnowledgeGraph:
        """Open the graph."""
        return open_graph(self.graph, **self.graph_options)

    def lookups(self, graph: KnowledgeGraph) -> KnowledgeGraph:
        """Return the graph for lookups of Triad's own; those at an address are kept on disk."""
        remote = isinstance(self.graph, str) and "://" in self.graph
        if not remote or not self.lookup_hours:
            return graph
        from triad.kg.cached_lookups import CachedLookups  # with the database behind the cache

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
    def index_source(self) -> str | Path | LabelIndex:
        """What opens the index: where none is named, the graph's folder, or lookups in the graph itself."""
        if self.index is not None:
            return self.index
        return (
            str(self.graph) if isinstance(self.graph, str | Path) and found_at(self.graph) == "folder" else "endpoint"
        )

    @property
    def passages_source(self) -> str | Path | None:
        """What opens the passages: where none is named, the folder of the graph's index; None if it has none."""
        if self.passages is not None:
            return self.passages
        folder = self.graph if isinstance(self.graph, str | Path) else None
        return Path(folder) / PASSAGES if folder is not None and found_at(folder) == "folder" else None

    @property
    def has_passages(self) -> bool:
        """Whether passages are named, or there are some in the folder of the graph's index."""
        source = self.passages_source
        return self.passages is not None or (source is not None and found_at(source) == "folder")

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

    def glossary(self, graph: KnowledgeGraph, profile: GraphProfile | None = None) -> Glossary:
        """Return the glossary, its names with the prefixes of the graph made IRIs.

        Raises:
            ConfigError: A prefix is not known, or what a word stands for is no IRI.
        """
        prefixes = {**sparql.PREFIXES, **(profile.prefixes if profile else {}), **graph.prefixes}
        return Glossary.of(self.words, prefixes)

    def open_fallback(self, graph: KnowledgeGraph | None, finder: LabelFinder | None = None) -> LabelIndex | None:
        """Open the index that links while the other one fails; None where none is named."""
        return None if self.fallback is None else open_index(self.fallback, graph=graph, finder=finder)


def open_models(config: Config, roles: Roles) -> dict[str, Model]:
    """Open the model of each role; nothing where questions are answered without one.

    Raises:
        ConfigError: A model cannot be opened, or one role has a model and another one has none.
    """
    shared = config.open_model()
    own = {role: roles.card(role).model for role in ROLES}
    return all_or_none({role: config.open_model(name) if name else shared for role, name in own.items()})
