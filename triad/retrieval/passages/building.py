"""From a graph and documents to an index of passages, which takes the place of an earlier one when it is complete.

A note beside the index tells what is in it: which graph, which documents with their contents, and vectors of which
embedder. If only documents have changed, only their passages are made anew.
"""

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, nullcontext
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Final

from pydantic import TypeAdapter

from triad.embedding import Embedder
from triad.garbage import paused
from triad.indexing.layout import Progress
from triad.kg import INDEX_MARKER
from triad.kg.stores import open_store, store_fingerprint
from triad.locks import replacing
from triad.opening import PASSAGES, Setup
from triad.resources import from_home
from triad.retrieval.documents.folder import DocumentFolder, DocumentState, mentioned
from triad.retrieval.indexed import IndexedGraph
from triad.retrieval.passages.facts import StoreFacts
from triad.retrieval.passages.wording import FactWording, amounts_of, overviews
from triad.retrieval.search.base import Passage, PassageIndex
from triad.retrieval.search.embedded import LocalPassages
from triad.search import open_index

VERSION: Final = 1
"""Version of how passages are made."""
_NOTE: Final = "passages.json"


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


@dataclass(frozen=True, slots=True)
class Made:
    """What passages were made of: the note beside an index."""

    graph: str
    """The fingerprint of the graph."""
    embedder: str | None = None
    """The fingerprint of the embedder."""
    documents: str | None = None
    """The folder of documents."""
    files: dict[str, DocumentState] = field(default_factory=dict)
    """The documents by their paths."""
    things: int = 0
    """Passages of the graph."""
    created: str = ""
    """When they were made, in ISO 8601."""
    version: int = VERSION


_ADAPTER: Final = TypeAdapter(Made)


def make_passages(
    folder: str | Path,
    target: str | Path | None = None,
    *,
    documents: str | Path | None = None,
    embedder: Embedder | None = None,
    anew: bool = False,
    tell: Progress = lambda *_: None,
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
    graph = IndexedGraph.read(folder, "passages")
    place = target if target is not None else graph.folder / PASSAGES
    beside = DocumentFolder(from_home(documents)) if documents is not None else None
    by = embedder.fingerprint if embedder else None
    known = None if anew else _made(place)
    if known and (known.version, known.graph, known.embedder) != (VERSION, _key(graph), by):
        known = None
    files = dict(known.files) if known else {}
    new, gone = beside.changed(files) if beside else ([], list(files))
    things = known.things if known else 0

    def of_graph() -> Iterator[Passage]:
        nonlocal things
        for things, passage in enumerate(_graph_passages(graph), 1):
            if not things % 500:  # passages between two reports of progress
                tell("passages", things, None)
            yield passage
        tell("passages", things, things)

    def of_documents() -> Iterator[Passage]:
        assert beside is not None
        with closing(open_index(graph.folder)) as labels, closing(beside):
            for done, path in enumerate(new, 1):
                files[path], passages = beside.read(path, partial(mentioned, labels))
                tell("documents", done, len(new))
                yield from passages

    def work(index: PassageIndex) -> Made:
        index.remove([id_ for path in (*new, *gone) if path in files for id_ in files[path].passages])
        for path in gone:
            del files[path]
        parts: list[Iterable[Passage]] = [*([] if known else [of_graph()]), *([of_documents()] if new else [])]
        if parts:
            index.add(chain.from_iterable(parts))
        created = datetime.now(UTC).isoformat(timespec="seconds")
        return Made(_key(graph), by, str(beside.folder.absolute()) if beside else None, files, things, created)

    with paused():
        _fill(place, embedder, keep=known is not None, work=work)
    counts = [len(one.passages) for one in files.values() if one.passages]
    return PassagesReport(things + sum(counts), things, len(counts), len(new), len(gone), time.perf_counter() - start)


def make_passages_of(setup: Setup, tell: Progress = lambda *_: None) -> PassagesReport:
    """Make the passages of the graph and the documents that a setup names; raises as `make_passages` does."""
    ready = setup.prepared(tell)
    embedder = ready.open_embedder(cached=False)
    try:
        return make_passages(str(ready.graph), ready.passages, documents=ready.documents, embedder=embedder, tell=tell)
    finally:
        if embedder and embedder is not setup.embedder:
            embedder.close()


def why_outdated(setup: Setup) -> str:
    """Return why the passages of a setup are out of date; empty if they are not, or cannot be looked into."""
    if (source := setup.passages_source) is None or _on_server(source):
        return ""
    return outdated(source, setup.index_folder, setup.documents)


def outdated(place: str | Path, folder: str | Path | None = None, documents: str | Path | None = None) -> str:
    """Return why passages are out of date; empty if they are not, as far as can be told without reading all anew."""
    if (made := _made(place)) is None or made.version != VERSION:
        return "there are none, or of another version of Triad"
    has_index = folder is not None and (Path(folder) / INDEX_MARKER).is_file()
    if folder is not None and has_index and _key(IndexedGraph.read(folder, "passages")) != made.graph:
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


def _key(graph: IndexedGraph) -> str:
    return str(graph.description.get("fingerprint") or store_fingerprint(graph.store))


# Places: a folder or a server -----------------------------------------------------------------------------


def _on_server(place: str | Path) -> bool:
    return str(place).startswith("elasticsearch:")


def _made(place: str | Path) -> Made | None:
    """Return what the passages of a place were made of; None if there are none that can be used."""
    try:
        if _on_server(place):
            from triad.retrieval.search.elastic import ElasticPassages

            with closing(ElasticPassages(str(place))) as index:
                return _ADAPTER.validate_python(index.about().get("made"))
        return _ADAPTER.validate_json((from_home(place) / _NOTE).read_bytes())
    except (OSError, ValueError):
        return None


def _fill(place: str | Path, embedder: Embedder | None, *, keep: bool, work: Callable[[PassageIndex], Made]) -> None:
    """Have an index filled, and put it with its note in the place of the one that is there.

    The index has the passages that are there, if they are to be kept; else it is empty.
    """
    if not _on_server(place):
        with replacing(from_home(place), f"the passages of {str(place)!r}", keep=keep) as draft:
            (draft / _NOTE).write_bytes(_ADAPTER.dump_json(work(LocalPassages(draft, embedder)), indent=1))
        return
    from triad.retrieval.search.elastic import ElasticPassages

    with closing(ElasticPassages(str(place), embedder)) as index, nullcontext() if keep else index.replaced():
        index.describe(made=_ADAPTER.dump_python(work(index), mode="json"))


def _graph_passages(graph: IndexedGraph) -> Iterator[Passage]:
    """Yield the passages of a graph's things and classes."""
    profile = graph.profile
    store = open_store(graph.store)
    # Names are looked for by each of these relations, so those that the graph does not have cost time.
    naming = tuple(iri for iri in graph.named_by if profile.relation_profile(iri)) or graph.named_by
    facts = StoreFacts(store, naming, graph.typed_by, on_disk=True)
    # the languages of names, the three most frequent first
    languages = sorted(filter(None, profile.languages), key=lambda tag: -profile.languages[tag])[:3]
    wording = FactWording(facts.name, profile, amounts_of(store, profile, languages))
    for thing in facts:
        yield from wording.passages(thing)
    yield from overviews(wording)
