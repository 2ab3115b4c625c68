"""From a graph and documents to an index of passages, which takes the place of an earlier one when it is complete.

What is made is described beside the index: of which graph, of which documents with their contents, and with which
embedder. If only documents have changed, only their passages are made anew.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path
from typing import Any

from triad.embedding import Embedder
from triad.errors import ConfigError
from triad.garbage import paused
from triad.kg import INDEX_MARKER
from triad.kg.labels import WELL_KNOWN, Labels
from triad.kg.profile import GraphProfile, read_profile
from triad.kg.stores import open_store, store_fingerprint
from triad.opening import PASSAGES
from triad.rdf import RDF_TYPE
from triad.resources import from_home
from triad.retrieval.documents.folder import DocumentFolder
from triad.retrieval.documents.mentions import Mentions
from triad.retrieval.passages.amounts import amounts_of
from triad.retrieval.passages.facts import StoreFacts
from triad.retrieval.passages.overviews import overviews
from triad.retrieval.passages.places import VERSION, Made, PassagePlace, place_of
from triad.retrieval.passages.wording import FactWording
from triad.retrieval.search.base import Passage, PassageIndex
from triad.search import open_index

__all__ = ["PassagesReport", "make_passages", "outdated"]


Tell = Callable[[str, int, int | None], None]


@dataclass(frozen=True, slots=True)
class PassagesReport:
    """What was made."""

    passages: int
    """All passages of the index."""
    graph: int
    """Those of the graph."""
    documents: int
    """Documents that have passages."""
    changed: int
    """Documents that were read, as they are new or have changed."""
    removed: int
    """Documents that are gone."""
    seconds: float


def make_passages(
    folder: str | Path,
    target: str | Path | None = None,
    *,
    documents: str | Path | None = None,
    embedder: Embedder | None = None,
    anew: bool = False,
    tell: Tell | None = None,
) -> PassagesReport:
    """Make the passages of the graph whose index a folder has, in the place of those that are there.

    Args:
        folder: The folder of ``triad index``, with a store.
        target: Where they are put: a folder, or ``elasticsearch:http://HOST:9200/INDEX``; by default the same folder.
        documents: A folder of documents that go with the graph.
        embedder: What makes vectors, to find passages by their sense, too.
        anew: Make all passages, also those that have not changed.
        tell: Is told the stage, how much of it is done and how much there is.

    Raises:
        ConfigError: There is no such index or folder, or another process writes there.
        DataError: The store or the profile cannot be read.
        ModelError: The embedder failed.
    """
    start = time.perf_counter()
    source = from_home(folder)
    graph = _Graph.read(source)
    place = place_of(target if target is not None else source / PASSAGES)
    beside = DocumentFolder(from_home(documents)) if documents is not None else None
    known = None if anew else _usable(place, graph, embedder)
    report: dict[str, int] = {}

    def work(index: PassageIndex) -> Made:
        made, counts = _fill(index, graph, known, beside, embedder, tell or _silent)
        report.update(counts)
        return made

    with paused():
        place.fill(embedder, keep=known is not None, work=work)
    return PassagesReport(**report, seconds=time.perf_counter() - start)


def outdated(
    place: str | Path,
    folder: str | Path | None = None,
    documents: str | Path | None = None,
) -> str:
    """Tell why passages are out of date; nothing if they are not, as far as can be told without reading all anew.

    Args:
        place: Where the passages are.
        folder: The folder of the graph's index, if it has one.
        documents: The folder of documents that should be among them.
    """
    made = place_of(place).made()
    if made is None:
        return "there are none, or of another version of Triad"
    if made.version != VERSION:
        return "they are of another version of Triad"
    if folder is not None and (Path(folder) / INDEX_MARKER).is_file() and _Graph.read(Path(folder)).key != made.graph:
        return "the graph has changed since"
    if (Path(documents).absolute() if documents is not None else None) != (
        Path(made.documents) if made.documents else None
    ):
        return f"they have the documents of {made.documents!r}" if made.documents else "they have no documents"
    if documents is not None:
        new, gone = DocumentFolder(documents).changed(made.files)
        if new or gone:
            return f"{len(new)} documents are new or have changed since, and {len(gone)} are gone"
    return ""


@dataclass(frozen=True, slots=True)
class _Graph:
    """The folder of a graph's index."""

    folder: Path
    store: Path
    key: str
    labels: Labels | None

    @classmethod
    def read(cls, folder: Path) -> _Graph:
        try:
            description: Any = json.loads((folder / INDEX_MARKER).read_text(encoding="utf-8"))
            store = folder / description["store"]
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise ConfigError(
                f"{str(folder)!r} is no folder of 'triad index' with a store, and passages are made of a store"
            ) from error
        key = description.get("fingerprint") or store_fingerprint(store)
        return cls(folder, store, str(key), Labels.from_json(description.get("label_properties")))


def _usable(place: PassagePlace, graph: _Graph, embedder: Embedder | None) -> Made | None:
    """Return what was made before, if only documents can have changed since."""
    made = place.made()
    same = made and (made.version, made.graph, made.embedder) == (VERSION, graph.key, embedder and embedder.fingerprint)
    return made if same else None


def _fill(
    index: PassageIndex,
    graph: _Graph,
    known: Made | None,
    beside: DocumentFolder | None,
    embedder: Embedder | None,
    tell: Tell,
) -> tuple[Made, dict[str, int]]:
    files = dict(known.files) if known else {}
    new, gone = beside.changed(files) if beside else ([], list(files))
    index.remove([id_ for path in (*new, *gone) if path in files for id_ in files[path].passages])
    for path in gone:
        del files[path]
    things = known.things if known else 0

    def of_graph() -> Iterator[Passage]:
        nonlocal things
        for passage in _graph_passages(graph):
            things += 1
            if not things % 500:  # passages between two reports of progress
                tell("passages", things, None)
            yield passage
        tell("passages", things, things)

    def of_documents() -> Iterator[Passage]:
        assert beside is not None
        with closing(open_index(graph.folder)) as labels:
            mentions = Mentions(labels)
            for done, path in enumerate(new, 1):
                files[path], passages = beside.read(path, mentions)
                tell("documents", done, len(new))
                yield from passages

    parts: list[Iterable[Passage]] = []
    if not known:
        parts.append(of_graph())
    if new:
        parts.append(of_documents())
    if parts:
        index.add(chain.from_iterable(parts))
    made = Made(
        graph.key,
        embedder.fingerprint if embedder else None,
        str(beside.folder.absolute()) if beside else None,
        files,
        things,
        datetime.now(UTC).isoformat(timespec="seconds"),
    )
    counts = {"passages": len(index), "graph": things, "documents": sum(1 for one in files.values() if one.passages)}
    return made, {**counts, "changed": len(new), "removed": len(gone)}


def _graph_passages(graph: _Graph) -> Iterator[Passage]:
    """Yield the passages of a graph's things and classes."""
    profile = read_profile(graph.folder)
    store = open_store(graph.store)
    naming = (graph.labels.all if graph.labels else ()) or (profile.named_by if profile else ()) or WELL_KNOWN
    if profile:  # names are looked for by each of these relations, so those that the graph does not have cost time
        naming = tuple(iri for iri in naming if profile.relation_profile(iri)) or naming
    facts = StoreFacts(store, naming, (profile.typed_by if profile else ()) or (RDF_TYPE,), on_disk=True)
    wording = FactWording(facts.name, profile, amounts_of(store, profile, _languages(profile)))
    for thing in facts:
        yield from wording.passages(thing)
    if profile:
        yield from overviews(wording, profile)


def _languages(profile: GraphProfile | None) -> Sequence[str]:
    """Return the languages of a graph's names, the three most frequent first."""
    counts = profile.languages if profile else {}
    return sorted(filter(None, counts), key=lambda tag: -counts[tag])[:3]


def _silent(stage: str, done: int, total: int | None) -> None:
    """Tell nobody."""
