"""From sources to a graph and a label index: files are fetched and read once, for all that is made of them.

The store, the label index and the graph's profile are each made by a `Consumer`. Every consumer gets every batch of
triples, so a further one needs no second pass.

Each step can be interrupted, by ``kill -9`` too. Downloads go on where they were. After each file, and every few pages
of an endpoint, all that was collected is written down together with a note of how far it goes; `run` with
``resume`` starts from the last note. As what is made depends on nothing but the files and their order, the index is
the same as if nothing had happened.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, Protocol, Self

import pyoxigraph
from pyoxigraph import Quad

from triad.embedding import Embedder
from triad.errors import ConfigError, GraphError
from triad.garbage import paused
from triad.indexing.crawl import Crawl, open_endpoint
from triad.indexing.dumps import Faults, SkippedLine, Tell, fetch, read
from triad.indexing.labels import LabelCollector
from triad.indexing.layout import VERSION, Progress
from triad.indexing.profiling import ProfileCollector, survey
from triad.indexing.recipe import Recipe, Source
from triad.indexing.targets import Builder, open_builder
from triad.kg.labels import Labels
from triad.kg.parsing import ParseLimits
from triad.kg.profile import GraphProfile
from triad.kg.stores import fingerprint
from triad.locks import lock_of, locked
from triad.log import logger
from triad.questions import Kind
from triad.resources import cache_folder
from triad.search.base import Entry

__all__ = ["Consumer", "IndexReport", "downloads_folder", "run"]

_STATE: Final = "state.json"
_PARTS: Final = "names"
_FACTS: Final = "facts"
_STORE: Final = "store"
_PAGES: Final = 10
"""Pages of an endpoint between two notes."""
_REPORTED: Final = 10_000
"""Entries between two reports of progress."""


class Consumer(Protocol):
    """A consumer of all triples of a graph."""

    def take(self, quads: Sequence[Quad], /) -> None:
        """Take a batch of triples; it is not changed by anybody."""


@dataclass(frozen=True, slots=True)
class IndexReport:
    """The results of a build."""

    target: str
    """The folder or the server's index."""
    triples: int
    """Distinct triples in the store; without a store, triples that were read."""
    entries: Mapping[Kind, int]
    """How many resources of each kind the index knows."""
    store: bool
    """Whether the target has a store, which can be asked as a graph."""
    seconds: float
    skipped: int = 0
    """How many invalid lines were left out."""
    skipped_lines: tuple[SkippedLine, ...] = field(default=(), repr=False)
    """The first of them."""


def downloads_folder() -> Path:
    """Return the folder for downloads, if none is named."""
    return cache_folder() / "downloads"


def run(
    recipe: Recipe,
    target: str | Path,
    *,
    downloads: str | Path | None = None,
    resume: bool = False,
    overwrite: bool = False,
    max_errors: int | None = None,
    progress: Progress | None = None,
    embedder: str | Embedder | None = None,
    limits: ParseLimits | None = None,
    keep_unfinished: bool = True,
    wait: bool = False,
) -> IndexReport:
    """Carry out a recipe.

    >>> from triad.indexing.recipe import recipe_of
    >>> report = run(recipe_of(["books.ttl"]), "books")
    >>> report.target, report.entries["entity"]
    ('books', 2)

    Args:
        recipe: What to make.
        target: A folder, or ``elasticsearch:https://HOST:9200/INDEX``.
        downloads: The folder for downloads.
        resume: Go on where an earlier run of the same recipe was interrupted.
        overwrite: Replace a folder that was made before.
        max_errors: How many malformed lines are left out, if not as many as the recipe says.
        progress: Is told the stage, how much of it is done and how much there is.
        embedder: What makes vectors of names, for an index in Elasticsearch.
        limits: What the parser of a file may take, if not as much as the recipe says.
        keep_unfinished: Keep what was made when something fails, for a later run with ``resume``.
        wait: Wait while another process makes the same target, instead of refusing at once.

    Raises:
        ConfigError: The target exists and may not be replaced, is being made by another process, or cannot be
            written.
        DataError: A file cannot be fetched or read, or has too many malformed lines.
        ServiceError: The endpoint or the server of the index failed.
    """
    start = time.perf_counter()
    builder = open_builder(target, embedder)
    folder = Path(downloads).expanduser() if downloads else downloads_folder()
    job = _Job(recipe, builder, folder, progress, limits or recipe.parse_limits)
    allowed = recipe.max_errors if max_errors is None else max_errors
    with locked(lock_of(builder.work), repr(builder.name), wait=wait):
        try:
            with paused():
                report = job.run(resume=resume, overwrite=overwrite, allowed=allowed)
        except OSError as error:
            raise ConfigError(f"cannot build {builder.name!r}: {error}") from error
        finally:
            _leave(builder.work, keep_unfinished)
    return IndexReport(builder.name, store=job.with_store, seconds=time.perf_counter() - start, **report)


def _leave(work: Path, keep_unfinished: bool) -> None:
    """Say that something unfinished is kept, or delete it."""
    if not keep_unfinished:
        shutil.rmtree(work, ignore_errors=True)
    elif (work / _STATE).is_file():
        logger.warning(
            "what was made so far is kept in {!r}: --resume goes on with it, else the next run deletes it", str(work)
        )


@dataclass
class _State:
    """How far a job has come."""

    key: str
    """Stands for the recipe and its files."""
    overwrite: bool
    read: int = 0
    """Sources that were read."""
    triples: int = 0
    cursor: Mapping[str, Any] | None = None
    """How far the visit to an endpoint has come."""
    digests: list[str] = field(default_factory=list)
    """A digest of the content of each source that was read."""
    skipped: int = 0
    skipped_lines: list[SkippedLine] = field(default_factory=list)
    names: Mapping[str, Any] | None = None
    """The state of the collector of names at this point."""
    facts: Mapping[str, Any] | None = None
    """The state of the collector of the profile at this point."""
    prefixes: dict[str, str] = field(default_factory=dict)
    """Namespaces by prefix, as the files declare them; of one that several declare, the first."""

    @classmethod
    def load(cls, folder: Path) -> Self | None:
        try:
            data = json.loads((folder / _STATE).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        data["skipped_lines"] = [SkippedLine(**line) for line in data["skipped_lines"]]
        return cls(**data)

    def save(self, folder: Path) -> None:
        """Write it in one step, so that there is always a whole one."""
        draft = folder / f"{_STATE}.draft"
        with draft.open("w", encoding="utf-8") as file:
            json.dump(vars(self), file, default=asdict)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(folder / _STATE)


class _Job:
    def __init__(
        self, recipe: Recipe, builder: Builder, downloads: Path, progress: Progress | None, limits: ParseLimits
    ) -> None:
        self._recipe = recipe
        self._limits = limits
        self._builder = builder
        self._downloads = downloads
        self._progress = progress
        self._work = builder.work
        self.with_store = recipe.store and builder.keeps_store and recipe.endpoint is None

    def run(self, *, resume: bool, overwrite: bool, allowed: int) -> dict[str, Any]:
        state = _State.load(self._work) if resume else None
        self._builder.check(overwrite=overwrite or resume)
        files = [self._fetch(source) for source in self._recipe.sources]
        key = self._key(files)
        if resume and not overwrite and self._builder.description().get("key") == key:
            return self._finished()
        if resume:
            self._builder.check(overwrite=overwrite or bool(state and state.overwrite))
        state = self._begin(state, key, overwrite)
        faults = Faults(allowed, state.skipped, state.skipped_lines)
        kinds: Counter[Kind] = Counter()
        with (
            closing(self._collector(state)) as collector,
            closing(self._profiler(state)) as profiler,
            _Store(self._work, state.read) if self.with_store else _NoStore() as store,
        ):
            for at, (source, path) in enumerate(zip(self._recipe.sources, files, strict=True)):
                if at >= state.read:
                    self._read(source, path, collector, profiler, faults, store, state)
                    state.read, state.skipped = at + 1, faults.count
                    self._note(state, collector, profiler, store)
            if self._recipe.endpoint:
                self._visit(collector, profiler, state)
            self._builder.add(self._counted(collector.entries(), kinds), key, resume=resume)
            triples = store.finish(state.triples)
            description = self._description(key, state)
            profile = self._profile(profiler, collector.labels, description)
        report = {"triples": triples, "entries": dict(kinds), "skipped": faults.count}
        labels = {"label_properties": collector.labels.as_json()}
        self._builder.finish(store.folder, {**description, **labels, **report}, profile)
        shutil.rmtree(self._work, ignore_errors=True)
        return {**report, "skipped_lines": tuple(faults.lines)}

    def _fetch(self, source: Source) -> Path:
        user_agent = self._recipe.endpoint.user_agent if self._recipe.endpoint else ""
        return fetch(source, self._downloads, tell=self._tell(f"fetch {source.name}"), user_agent=user_agent)

    def _key(self, files: Iterable[Path]) -> str:
        versions = f"triad {VERSION}, pyoxigraph {pyoxigraph.__version__}"
        recipe = self._recipe.model_dump_json(exclude={"description", "max_errors", "parse_memory", "parse_timeout"})
        return fingerprint(files, hashlib.sha256(f"{versions}\0{recipe}".encode()).hexdigest())

    def _finished(self) -> dict[str, Any]:
        logger.info("{!r} is complete; nothing is left to do", self._builder.name)
        shutil.rmtree(self._work, ignore_errors=True)
        description = self._builder.description()
        return {name: description[name] for name in ("triples", "entries", "skipped")}

    def _begin(self, state: _State | None, key: str, overwrite: bool) -> _State:
        """Return where to go on from, or start anew."""
        if state is not None and state.key != key:
            raise ConfigError(
                f"what was begun for {self._builder.name!r} had another recipe or other files; without --resume it is "
                "begun again"
            )
        if state is not None:
            logger.info("going on after {} of {} files", state.read, len(self._recipe.sources))
            return state
        if self._work.exists():
            logger.info("what an interrupted run left is deleted; --resume would have gone on with it")
            shutil.rmtree(self._work)
        self._work.mkdir(parents=True)
        state = _State(key, overwrite)
        state.save(self._work)
        return state

    def _collector(self, state: _State) -> LabelCollector:
        by_links = self._recipe.popularity == "links" or self._recipe.endpoint is not None
        collector = LabelCollector(
            self._recipe.names, popularity="links" if by_links else "degree", folder=self._work / _PARTS
        )
        if state.names is None:
            shutil.rmtree(self._work / _PARTS, ignore_errors=True)
        else:
            collector.restore(state.names)
        return collector

    def _profiler(self, state: _State) -> ProfileCollector:
        profiler = ProfileCollector(self._recipe.names, folder=self._work / _FACTS)
        if state.facts is None:
            shutil.rmtree(self._work / _FACTS, ignore_errors=True)
        else:
            profiler.restore(state.facts)
        return profiler

    def _profile(
        self, profiler: ProfileCollector, labels: Labels, description: Mapping[str, Any]
    ) -> GraphProfile | None:
        """Make the profile; None if the recipe does without, or the endpoint does not answer what it takes."""
        if not self._recipe.makes_profile:
            return None
        if not self._recipe.endpoint:
            return profiler.profile(
                labels=labels.all, fingerprint=description["fingerprint"], prefixes=description["prefixes"]
            )
        with open_endpoint(self._recipe.endpoint) as graph:
            try:
                tell = self._tell("profile")
                return survey(graph, self._recipe.endpoint, self._recipe.names, labels=labels.all, tell=tell)
            except GraphError as error:
                logger.warning(
                    "there is no profile of {!r}: {}; 'triad index --profile' tries again", graph.name, error
                )
                return None

    def _read(
        self,
        source: Source,
        path: Path,
        collector: LabelCollector,
        profiler: ProfileCollector,
        faults: Faults,
        store: _NoStore,
        state: _State,
    ) -> None:
        digest = hashlib.blake2b(digest_size=16)
        tell = self._tell(f"read {source.name}")
        batches = read(source, path, faults, tell, digest=digest, limits=self._limits, prefixes=state.prefixes)
        # The store first, as it works beside the others.
        consumers: list[Consumer] = [_Links(collector)] if source.use == "links" else [store, collector]
        if source.use != "links" and self._recipe.makes_profile:
            consumers.append(profiler)
        with closing(batches):
            for quads in batches:
                for consumer in consumers:
                    consumer.take(quads)
                state.triples += 0 if source.use == "links" else len(quads)
        store.complete()
        state.digests.append(digest.hexdigest())

    def _visit(self, collector: LabelCollector, profiler: ProfileCollector, state: _State) -> None:
        assert self._recipe.endpoint
        with open_endpoint(self._recipe.endpoint) as graph:
            crawl = Crawl(graph, self._recipe.endpoint, self._recipe.names, cursor=state.cursor)
            for number, page in enumerate(crawl, start=1):
                collector.take(page.quads)
                state.triples += len(page.quads)
                for iri, degree in page.degrees.items():
                    collector.count(iri, degree)
                for predicate, uses in page.uses.items():
                    collector.count_uses(predicate, uses)
                if self._progress:
                    self._progress("visit", crawl.cursor["things"], None)
                if number % _PAGES == 0:
                    state.cursor = crawl.cursor
                    self._note(state, collector, profiler, _NoStore())

    def _note(self, state: _State, collector: LabelCollector, profiler: ProfileCollector, store: _NoStore) -> None:
        """Write a checkpoint, which replaces the earlier one."""
        store.keep(state.read)
        state.names, state.facts = collector.state(), profiler.state()
        state.save(self._work)
        store.forget_before(state.read)

    def _counted(self, entries: Iterable[Entry], kinds: Counter[Kind]) -> Iterator[Entry]:
        done = 0
        for done, entry in enumerate(entries, start=1):
            kinds[entry.kind] += 1
            if self._progress and done % _REPORTED == 0:
                self._progress("index", done, None)
            yield entry
        if self._progress:
            self._progress("index", done, done)

    def _description(self, key: str, state: _State) -> dict[str, Any]:
        sources = [source.name for source in self._recipe.sources]
        if self._recipe.endpoint:
            sources.append(self._recipe.endpoint.address)
        return {
            "version": VERSION,
            "recipe": self._recipe.description,
            "sources": sources,
            "key": key,
            "fingerprint": hashlib.blake2b("".join(state.digests).encode(), digest_size=16).hexdigest(),
            "created": datetime.now(UTC).isoformat(timespec="seconds"),
            "prefixes": state.prefixes,
        }

    def _tell(self, stage: str) -> Tell | None:
        progress = self._progress
        return (lambda done, total: progress(stage, done, total)) if progress else None


class _Links:
    """Counts how often resources are linked to, and nothing else."""

    def __init__(self, collector: LabelCollector) -> None:
        self._collector = collector

    def take(self, quads: Sequence[Quad]) -> None:
        for quad in quads:
            if isinstance(quad.object, pyoxigraph.NamedNode):
                self._collector.count(quad.object.value, 1)


class _NoStore:
    """The consumer in place of a store where none is built."""

    folder: Path | None = None

    def take(self, quads: Sequence[Quad]) -> None:
        """Put triples into the store."""

    def complete(self) -> None:
        """Wait until all triples that were taken are in the store."""

    def keep(self, read: int) -> None:
        """Make a checkpoint of the store."""

    def forget_before(self, read: int) -> None:
        """Remove the files of earlier checkpoints."""

    def finish(self, triples: int) -> int:
        """Close the store and return how many triples it has."""
        return triples

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass


class _Store(_NoStore):
    """A store that is filled in parallel with the parsing, with a checkpoint after each source.

    A copy costs next to nothing: it shares the files of the store, which never change.
    """

    def __init__(self, work: Path, read: int) -> None:
        self.folder = work / _STORE
        self._work = work
        shutil.rmtree(self.folder, ignore_errors=True)
        for copy in work.glob(f"{_STORE}-*"):
            if copy != self._copy(read):
                shutil.rmtree(copy)
        if read:
            pyoxigraph.Store(str(self._copy(read))).backup(str(self.folder))
        self._store: pyoxigraph.Store | None = pyoxigraph.Store(str(self.folder))
        self._pool = ThreadPoolExecutor(1)
        self._loading: Future[None] | None = None

    def take(self, quads: Sequence[Quad]) -> None:
        self.complete()
        assert self._store is not None
        self._loading = self._pool.submit(self._store.bulk_extend, quads)

    def complete(self) -> None:
        if self._loading is not None:
            self._loading.result()
            self._loading = None

    def keep(self, read: int) -> None:
        assert self._store is not None
        shutil.rmtree(self._copy(read), ignore_errors=True)
        self._store.flush()
        self._store.backup(str(self._copy(read)))

    def forget_before(self, read: int) -> None:
        shutil.rmtree(self._copy(read - 1), ignore_errors=True)

    def finish(self, triples: int) -> int:
        assert self._store is not None
        self._store.flush()
        triples = len(self._store)
        self._store = None  # closes it, so that its folder can be renamed
        return triples

    def __exit__(self, *_: object) -> None:
        self._pool.shutdown()
        self._loading = None
        self._store = None  # or it would stay locked as long as an error is looked at

    def _copy(self, read: int) -> Path:
        return self._work / f"{_STORE}-{read}"
