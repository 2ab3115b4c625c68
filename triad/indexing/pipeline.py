"""From sources to a graph and a label index: files are fetched and read once, for all that is made of them.

The store, the label index and the graph's profile are each made by a `Consumer`. Every consumer gets every batch of
triples, so a further one needs no second pass.

Each step can be interrupted, by ``kill -9`` too. Downloads go on where they were. After each file, and every few pages
of an endpoint, all that was collected is written down together with a note of how far it goes; `run` with
``resume`` starts from the last note. As what is made depends on nothing but the files and their order, the index is
the same as if nothing had happened.
"""

import hashlib
import re
import shutil
import time
from collections import Counter
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, Final

import duckdb
import pyoxigraph
from pydantic import TypeAdapter

from triad.embedding import Embedder
from triad.errors import ConfigError, GraphError, need_extra
from triad.garbage import paused
from triad.indexing.cluster import Cluster, Reading, read_ahead
from triad.indexing.entries import Entries, Popularity
from triad.indexing.inference import classed, follows
from triad.indexing.layout import VERSION, Progress, downloads_folder
from triad.indexing.profiling.counting import count_profile
from triad.indexing.reading import Faults, Part, PartNotes, SkippedLine, cut, read
from triad.indexing.recipe import Endpoint, Recipe, Source, given, is_address
from triad.indexing.targets import Builder, FilledStore, open_builder
from triad.indexing.triples import Triples
from triad.kg.parsing import ParseLimits, Statements
from triad.kg.profile import GraphProfile
from triad.kg.stores import fingerprint
from triad.locks import lock_of, locked
from triad.log import logger
from triad.questions import Kind
from triad.rdf import RDF_TYPE
from triad.resources import refuse_links
from triad.search.base import Entry
from triad.text import without_secrets

_PAGES: Final = 10  # pages of an endpoint between two notes
_REPORTED: Final = 10_000  # entries between two reports of progress


@dataclass
class State:
    """How far a job has come; it is noted with the triples."""

    key: str
    """Stands for the recipe and its files."""
    overwrite: bool
    faults: Faults
    read: int = 0
    """Parts of files that were read."""
    triples: int = 0
    cursor: Mapping[str, Any] | None = None
    """How far the visit to an endpoint has come."""
    digests: list[str] = field(default_factory=list)
    """A digest of the content of each part that was read."""
    prefixes: dict[str, str] = field(default_factory=dict)
    """Namespaces by prefix, as the files declare them; of one that several declare, the first."""

    @property
    def fingerprint(self) -> str:
        """What changes when the content of the files does."""
        return hashlib.blake2b("".join(self.digests).encode(), digest_size=16).hexdigest()


_STATE: Final = TypeAdapter(State)


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


def run(
    recipe: Recipe,
    target: str | Path,
    *,
    downloads: str | Path | None = None,
    resume: bool = False,
    overwrite: bool = False,
    max_errors: int | None = None,
    progress: Progress = lambda *_: None,
    embedder: str | Embedder | None = None,
    limits: ParseLimits | None = None,
    keep_unfinished: bool = True,
    wait: bool = False,
    executor: str | None = None,
) -> IndexReport:
    """Carry out a recipe.

    >>> from triad.indexing.recipe import recipe_of
    >>> report = run(recipe_of(["books.ttl"]), "books")
    >>> report.target, report.entries["entity"]
    ('books', 63)

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
        executor: What reads the files: ``dask://`` and the address of a scheduler, or ``dask`` for processes of this
            machine; by default this process.

    Raises:
        ConfigError: The target exists and may not be replaced, is being made by another process, or cannot be
            written; or the machines of a cluster do not have what they need.
        DataError: A file cannot be fetched or read, or has too many malformed lines.
        ServiceError: The endpoint, the server of the index or the cluster failed.
    """
    if executor and not re.fullmatch(r"dask(://.+)?", executor, re.DOTALL):
        raise ConfigError(f"{executor!r} is no executor; 'dask' and 'dask://HOST:PORT' are")
    if executor and recipe.endpoint:
        raise ConfigError("an endpoint is visited by one machine, to be polite; --executor is for files")
    start = time.perf_counter()
    builder = open_builder(target, embedder, recipe.elasticsearch)
    folder = Path(downloads).expanduser() if downloads else downloads_folder()
    job = Job(recipe, builder, folder, progress, limits or recipe.parse_limits, executor)
    allowed = recipe.max_errors if max_errors is None else max_errors
    with locked(lock_of(builder.work), repr(builder.name), wait=wait):
        try:
            with paused():
                report = job.run(resume=resume, overwrite=overwrite, allowed=allowed, keep=keep_unfinished)
        except (OSError, duckdb.Error) as error:
            raise ConfigError(f"cannot build {builder.name!r}: {error}") from error
        finally:
            if not keep_unfinished:
                shutil.rmtree(builder.work, ignore_errors=True)
            elif Triples.are_in(builder.work):
                said = "what was made so far is kept in {!r}: --resume goes on with it, else the next run deletes it"
                logger.warning(said, str(builder.work))
    return IndexReport(builder.name, store=job.with_store, seconds=time.perf_counter() - start, **report)


@dataclass
class Job:
    """A recipe that is carried out once: for all of its target, or for the profile alone."""

    _recipe: Recipe
    _builder: Builder
    _downloads: Path
    _progress: Progress
    _limits: ParseLimits
    _executor: str | None = None

    def __post_init__(self) -> None:
        recipe = self._recipe
        self._work = self._builder.work
        self.with_store = recipe.store and self._builder.keeps_store and recipe.endpoint is None
        if recipe.infer and not self.with_store:
            raise ConfigError("what follows is kept in the store of a folder that is made of files; leave out --infer")
        was = self.with_store and "inferred" in self._builder.description()
        self._recipe = recipe.model_copy(update={"infer": was if recipe.infer is None else recipe.infer})
        if self._recipe.infer:
            need_extra("infer", "to infer takes", "clingo")  # before hours are spent

    def run(self, *, resume: bool, overwrite: bool, allowed: int, keep: bool) -> dict[str, Any]:
        """Make everything, and return what there is to report."""
        self._builder.check(overwrite=overwrite or resume)
        files = [self._fetch(source) for source in self._recipe.sources]
        parts = cut(self._recipe.sources, files)
        key = self._key(files, parts)
        if resume and not overwrite and self._builder.description().get("key") == key:
            logger.info("{!r} is complete; nothing is left to do", self._builder.name)
            shutil.rmtree(self._work, ignore_errors=True)
            description = self._builder.description()
            return {name: description[name] for name in ("triples", "entries", "skipped")}
        with ExitStack() as opened:
            triples = opened.enter_context(self._triples(resume=resume, keep=keep))
            noted = triples.noted()
            state = _STATE.validate_python(noted) if noted else State(key, overwrite, Faults(allowed))
            state.faults.allowed = allowed
            if resume:
                self._builder.check(overwrite=overwrite or state.overwrite)
            if state.key != key:
                raise ConfigError(
                    f"what was begun for {self._builder.name!r} had another recipe or other files; without --resume it "
                    "is begun again"
                )
            if state.read:
                logger.info("going on after {} of {} parts of files", state.read, len(parts))
            if not noted and keep:
                triples.note(asdict(state))
            store = opened.enter_context(closing(FilledStore(self._work, state.read))) if self.with_store else None
            cluster = opened.enter_context(Cluster(self._executor)) if self._executor else None
            beside = opened.enter_context(ThreadPoolExecutor(1, "profile"))
            self._read(cluster, files, parts, triples, store, state, keep=keep)
            if self._recipe.endpoint:
                self._visit(triples, state)
            inferred = self._infer(triples, store)
            popularity: Popularity = "links" if self._recipe.endpoint else self._recipe.popularity
            entries = Entries(triples, self._recipe.names, popularity=popularity)
            profile = beside.submit(self._profile, triples, entries.labels.all, state)
            kinds: Counter[Kind] = Counter()
            self._builder.add(self._counted(entries, kinds), state.key, resume=resume, cluster=cluster)
            count = store.finish() if store else state.triples
            report = {"triples": count, "entries": dict(kinds), "skipped": state.faults.count}
            found = {**inferred, "label_properties": entries.labels.as_json(), **report}
            folder = store.folder if store else None
            self._builder.finish(folder, {**self._description(state), **found}, profile.result())
        shutil.rmtree(self._work, ignore_errors=True)
        return {**report, "skipped_lines": tuple(state.faults.lines)}

    def _triples(self, *, resume: bool, keep: bool) -> Triples:
        """Open the triples of an interrupted run, or a new database."""
        if resume and Triples.are_in(self._work):
            refuse_links(self._work, *self._work.rglob("*"))
            try:
                return Triples(self._work, kept=True)
            except duckdb.Error as error:
                logger.warning("what was begun in {!r} cannot be read, and is begun again: {}", str(self._work), error)
        elif self._work.exists():
            logger.info("what an interrupted run left is deleted; --resume would have gone on with it")
        shutil.rmtree(self._work, ignore_errors=True)
        self._work.mkdir(parents=True)
        return Triples(self._work, kept=keep)

    def _fetch(self, source: Source) -> Path:
        if not is_address(source.address):
            return given(source)
        from triad.indexing.downloads import fetch  # a file that is here needs no client for HTTP

        return fetch(source, self._downloads, tell=partial(self._progress, f"fetch {source.name}"))

    def _read(
        self,
        cluster: Cluster | None,
        files: Sequence[Path],
        parts: Sequence[Part],
        triples: Triples,
        store: FilledStore | None,
        state: State,
        *,
        keep: bool,
    ) -> None:
        """Read the parts that are not read yet, here or on a cluster, and note each."""
        readings = [
            (self._recipe.sources[part.source], part, files[part.source].absolute(), state.faults.allowed, self._limits)
            for part in parts
        ]
        if cluster:
            cluster.check_files(list(dict.fromkeys(files)), self._work)
            statements = read_ahead(cluster, readings, self._work / "parts", state.read)
        else:
            statements = self._read_here(readings[state.read :], state.faults)
        for (source, *_), (notes, batches) in zip(readings[state.read :], statements, strict=True):
            with closing(batches):
                for batch in batches:
                    if source.use == "links":
                        triples.take_links(batch)
                        continue
                    if store:
                        store.take(batch)
                    triples.take(batch)
            state.faults.join(notes.faults)
            state.triples += 0 if source.use == "links" else notes.triples
            state.digests.append(notes.digest)
            state.prefixes |= {**notes.prefixes, **state.prefixes}  # what came first stays
            state.read += 1
            if keep:
                if store:
                    store.keep(state.read)
                triples.note(asdict(state))
            if cluster:
                self._progress("read parts", state.read, len(parts))

    def _read_here(self, parts: Sequence[Reading], faults: Faults) -> Iterator[tuple[PartNotes, Generator[Statements]]]:
        for source, part, path, _, limits in parts:
            notes = PartNotes()
            tell = partial(self._progress, f"read {source.name}")
            yield notes, read(source, path, faults, tell, notes=notes, limits=limits, part=part)

    def _key(self, files: Sequence[Path], parts: Sequence[Part]) -> str:
        versions = f"triad {VERSION}, pyoxigraph {pyoxigraph.__version__}"
        if len(parts) > len(files):
            versions += f", {len(parts)} parts"
        recipe = self._recipe.model_dump_json(
            exclude={"description", "elasticsearch", "max_errors", "parse_memory", "parse_timeout"}
        )
        return fingerprint(files, hashlib.sha256(f"{versions}\0{recipe}".encode()).hexdigest())

    def profile(self, labels: Sequence[str] | None, allowed: int) -> GraphProfile:
        """Make the profile alone, of what files or endpoint say now; raises as `run` does."""
        if self._recipe.endpoint:
            return self._survey(self._recipe.endpoint, labels)
        files = [self._fetch(source) for source in self._recipe.sources]
        state = State("", True, Faults(allowed))
        with Triples() as triples:
            self._read(None, files, cut(self._recipe.sources, files), triples, None, state, keep=False)
            self._infer(triples)
            return self._count(triples, labels, state)

    def _profile(self, triples: Triples, labels: Sequence[str], state: State) -> GraphProfile | None:
        """Make the profile; None if the recipe does without, or the endpoint does not answer what that takes."""
        if not self._recipe.profile or not (self._recipe.store or self._recipe.endpoint):
            return None  # files with names only do not describe a graph
        if self._recipe.endpoint is None:
            return self._count(triples, labels, state)
        try:
            return self._survey(self._recipe.endpoint, labels)
        except GraphError as error:
            logger.warning("{!r} has no profile: {}; 'triad index --profile' tries again", self._builder.name, error)
            return None

    def _count(self, triples: Triples, labels: Sequence[str] | None, state: State) -> GraphProfile:
        names = self._recipe.names
        return count_profile(triples, names, labels=labels, fingerprint=state.fingerprint, prefixes=state.prefixes)

    def _survey(self, endpoint: Endpoint, labels: Sequence[str] | None) -> GraphProfile:
        from triad.indexing.crawl import open_endpoint
        from triad.indexing.profiling.endpoint import survey

        with open_endpoint(endpoint) as graph:
            return survey(graph, endpoint, self._recipe.names, labels=labels, tell=partial(self._progress, "profile"))

    def _infer(self, triples: Triples, store: FilledStore | None = None) -> dict[str, int]:
        """Add what follows, after the last note: a run that goes on from there infers again."""

        def take(batch: Statements) -> int:
            if store:
                store.take(batch)
            triples.take(batch)
            return len(batch)

        if self.with_store and self._recipe.names.types == (RDF_TYPE,):  # a server would not have what this adds
            sum(map(take, classed(triples)))
        return {"inferred": sum(map(take, follows(triples, self._limits)))} if self._recipe.infer else {}

    def _visit(self, triples: Triples, state: State) -> None:
        from triad.indexing.crawl import Crawl, open_endpoint

        assert self._recipe.endpoint
        with open_endpoint(self._recipe.endpoint) as graph:
            crawl = Crawl(graph, self._recipe.endpoint, self._recipe.names, start=state.cursor)
            for number, page in enumerate(crawl, start=1):
                triples.take(page.quads)
                triples.count(page.degrees, page.uses)
                state.triples += len(page.quads)
                self._progress("visit", crawl.cursor["things"], None)
                if number % _PAGES == 0:
                    state.cursor = crawl.cursor
                    triples.note(asdict(state))

    def _counted(self, entries: Iterable[Entry], kinds: Counter[Kind]) -> Iterator[Entry]:
        done = 0
        for done, entry in enumerate(entries, start=1):
            kinds[entry.kind] += 1
            if done % _REPORTED == 0:
                self._progress("index", done, None)
            yield entry
        self._progress("index", done, done)

    def _description(self, state: State) -> dict[str, Any]:
        recipe = self._recipe
        endpoint = [without_secrets(recipe.endpoint.address)] if recipe.endpoint else []
        return {
            "version": VERSION,
            "recipe": recipe.description,
            "sources": [*(source.name for source in recipe.sources), *endpoint],
            "key": state.key,
            "fingerprint": state.fingerprint,
            "created": datetime.now(UTC).isoformat(timespec="seconds"),
            "prefixes": state.prefixes,
        }
