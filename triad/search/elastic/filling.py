"""An index in Elasticsearch behind an alias, filled so that searches never see half of it.

Documents go into an index with a name of its own, through an alias of its own: ``dbpedia-20260131-1f2e3d4c.loading``.
That alias is the mark of an unfinished index, and keeps the server from creating an index of that name if someone
deletes it meanwhile. At the end one request takes the mark off, moves the alias ``dbpedia`` over and deletes what it
stood for before.

The id of a document follows from its content. So after a broken connection, all documents in doubt are sent again as
often as needed: none is lost, and none is there twice. What the documents are is said by a `Content`: of names
(`triad.search.elastic.layout`) or of passages (`triad.retrieval.search.elastic`).
"""

import secrets
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any, Final, Generic, TypeVar

import tenacity
from pydantic_core import to_json

from triad.embedding import Embedder
from triad.errors import SearchError
from triad.log import logger
from triad.resources import read
from triad.search.elastic.client import ElasticError, IndexClient, fault_in
from triad.strict import load_yaml

Progress = Callable[[int], None]
"""A function that is called with the number of documents that have arrived."""

T = TypeVar("T")
R = TypeVar("R")

_LOADING: Final = ".loading"
# The sizes of requests were chosen by `benchmarks/elastic.py`: the server stays busy, and larger ones gain nothing.
_CHUNK: Final = 2_000  # documents in a request at most
_CHUNK_BYTES: Final = 8_000_000
_UNDERWAY: Final = 2  # requests that are under way while the next one is made
_MARKED: Final = 50_000
"""Documents between two notes, in the index, of how many have arrived; so many are sent again at most."""
_TIMEOUT: Final = 120.0  # seconds that a request of a build may take: a server that merges segments answers late
_PATIENCE: Final = 600.0
"""Seconds that a build waits for a server that is unreachable or overloaded; one that is started anew takes minutes."""
_FIRST_DELAY: Final = 0.5  # seconds between the first two tries at most; they double


class Content(ABC, Generic[T]):
    """What an index holds: its mapping, and the documents of things."""

    @abstractmethod
    def mapping(self) -> dict[str, Any]:
        """Return the mapping of a new index."""

    @abstractmethod
    def check(self, index: str, mapping: Mapping[str, Any]) -> None:
        """Check by its mapping that an index has such content.

        Raises:
            SearchError: It has other content, or that of a newer version.
        """

    @abstractmethod
    def documents(self, things: list[T]) -> Iterable[tuple[str, dict[str, Any]]]:
        """Return an id and a document for each thing."""


def read_mapping(path: Path, about: Mapping[str, Any], embedder: Embedder | None) -> dict[str, Any]:
    """Return the mapping that a file holds, with what is kept of the index, and with vectors of an embedder."""
    made = load_yaml(read(path), str(path))
    made["_meta"] = about
    if embedder:
        size = len(embedder.embed(["dimensions"])[0])
        made["properties"]["vector"] = {"type": "dense_vector", "dims": size, "index": True, "similarity": "cosine"}
    return made


class ElasticStore(Generic[T]):
    """Writes documents into the index that an alias stands for, or a new one."""

    def __init__(self, client: IndexClient, alias: str, content: Content[T]) -> None:
        self._client = client.options(max_retries=0, request_timeout=_TIMEOUT)
        self._alias = alias
        self._content = content

    def add(self, things: Iterable[T], index: str | None = None) -> int:
        """Add things to an index that was begun, or to the one in use, which is made if there is none.

        Returns how many there were, once they can be found.
        """
        if index is not None:
            count = self.load(things, index)
        else:
            if not self._client.indices.exists(index=self._alias):
                self._create(self._new_name(), {"auto_expand_replicas": "0-1"}, {self._alias: {}})
            for name, found in self._client.indices.get_mapping(index=self._alias).items():
                self._content.check(name, found["mappings"])
            count = self._load(things, self._alias)
        self._patiently(lambda: self._client.indices.refresh(index=index or self._alias))
        return count

    def load(self, things: Iterable[T], index: str) -> int:
        """Send things to an index that was begun, and return how many."""
        return self._load(things, index + _LOADING)

    def remove(self, ids: Collection[str], index: str) -> None:
        """Remove documents from an index; they are not found any more when it returns."""
        lines = iter([b'{"delete":{"_id":%b}}\n' % to_json(one) for one in ids])
        while chunk := list(islice(lines, _CHUNK)):
            self._send(chunk, index)
        self._patiently(lambda: self._client.indices.refresh(index=index))

    def build(
        self,
        things: Iterable[T],
        *,
        resume: bool = False,
        fingerprint: str = "",
        shards: int = 1,
        replicas: int | None = None,
        progress: Progress = lambda _: None,
    ) -> int:
        """Make a new index of all things, put it in the place of the one in use, and return how many there were.

        The new index has a name of its own, such as ``dbpedia-20260131-1f2e3d4c``, until the last document is in it;
        then ``dbpedia`` becomes its alias, and the old one is deleted, in one step. A build that fails leaves what it
        has under that name. Either the next one goes on with it, or it deletes it; so an index must not be built twice
        at the same time.

        Args:
            things: All of them, those included that had arrived before.
            resume: Go on with an unfinished index if there is one with the same fingerprint.
            fingerprint: Stands for the things and their order, as a checksum of their source does. With one, `resume`
                leaves out the things that had arrived; without one, all of them are sent again, and those that were
                there are replaced.
            shards: Parts of the index; one is right for up to some ten million documents.
            replicas: Copies of each part; by default one where there is a second machine. They are made when all
                documents are there.
            progress: Is told how many documents have arrived.
        """
        index, before = self.begin(resume=resume, fingerprint=fingerprint, shards=shards)
        marked = before

        def arrived(count: int) -> None:
            nonlocal marked
            if fingerprint and before + count - marked >= _MARKED:
                marked = before + count
                self._mark(index, fingerprint, marked)
            progress(before + count)

        try:
            count = before + self._load(islice(iter(things), before, None), index + _LOADING, arrived)
            self.finish(index, replicas)
        except BaseException:
            logger.warning(
                "the index {} is left unfinished: a build that resumes goes on with it, any other deletes it", index
            )
            raise
        return count

    def begin(self, *, resume: bool = False, fingerprint: str = "", shards: int = 1) -> tuple[str, int]:
        """Return an index to load, a new one or an unfinished one, and how many of the things it has."""
        self._in_use()
        index, before = self._resumed(fingerprint) if resume else ("", 0)
        return index or self._started(fingerprint, shards), before

    def finish(self, index: str, replicas: int | None = None) -> None:
        """Put an index that has all its documents in the place of the one in use."""
        self._patiently(lambda: self._finish(index, replicas))
        self._patiently(lambda: self._swap(index))

    def unfinished(self) -> list[str]:
        """Return the names of unfinished indices, the newest last."""
        if not (found := self._client.indices.get_alias(name=f"{self._alias}-*{_LOADING}", expand_wildcards="all")):
            return []
        created = self._client.indices.get_settings(index=list(found))
        return sorted(found, key=lambda index: int(created[index]["settings"]["index"]["creation_date"]))

    def abandon(self, index: str) -> None:
        """Delete an index that was begun and not finished."""
        self._client.indices.delete(index=index, ignore_unavailable=True)

    def _in_use(self) -> list[str]:
        """Return the indices that the alias stands for; a `SearchError` if Triad did not build them."""
        found = self._client.options(ignore_status=404).indices.get_mapping(index=self._alias)
        if found.meta.status == 404:
            return []
        if self._alias in found:
            raise SearchError(
                f"{self._alias!r} is the name of an index itself, and cannot become an alias of a new one; name another"
            )
        for index, properties in found.items():
            self._content.check(index, properties["mappings"])
        return list(found)

    def _new_name(self) -> str:
        return f"{self._alias}-{datetime.now(UTC):%Y%m%d}-{secrets.token_hex(4)}"

    def _create(self, index: str, settings: dict[str, Any], aliases: dict[str, dict[str, Any]]) -> None:
        self._client.indices.create(index=index, mappings=self._content.mapping(), settings=settings, aliases=aliases)

    def _resumed(self, fingerprint: str) -> tuple[str, int]:
        """Return the newest unfinished index of the same entries, and how many of them it has."""
        version = self._content.mapping()["_meta"].get("triad", {}).get("version")
        for index in reversed(self.unfinished()):
            about = self._client.indices.get_mapping(index=index)[index]["mappings"]["_meta"].get("triad", {})
            if about.get("version") == version and about.get("fingerprint", "") == fingerprint:
                count = about.get("arrived", 0)
                logger.info("going on with the index {}, where {} entries have arrived", index, count)
                return index, count
        return "", 0

    def _started(self, fingerprint: str, shards: int) -> str:
        if leftovers := self.unfinished():
            self._client.indices.delete(index=leftovers, ignore_unavailable=True)
            logger.info("deleted what earlier builds left unfinished: {}", ", ".join(leftovers))
        index = self._new_name()
        settings = {
            "number_of_shards": shards,
            "number_of_replicas": 0,
            "auto_expand_replicas": False,
            "refresh_interval": "-1",
        }
        self._create(index, settings, {index + _LOADING: {"is_hidden": True}})
        if fingerprint:
            self._mark(index, fingerprint, 0)
        return index

    def _mark(self, index: str, fingerprint: str, arrived: int) -> None:
        meta = self._content.mapping()["_meta"]
        meta["triad"] = {**meta.get("triad", {}), "fingerprint": fingerprint, "arrived": arrived}
        self._patiently(lambda: self._client.indices.put_mapping(index=index, meta=meta))

    def _finish(self, index: str, replicas: int | None) -> None:
        """Make all that was loaded searchable, and have it copied: to another node where there is one, or so often."""
        self._client.indices.refresh(index=index)
        copies: dict[str, Any] = {"auto_expand_replicas": "0-1"}
        if replicas is not None:
            copies = {"auto_expand_replicas": False, "number_of_replicas": replicas}
        self._client.indices.put_settings(index=index, settings={"refresh_interval": None, **copies})
        self._client.cluster.health(index=index, wait_for_status="yellow", timeout="60s")

    def _swap(self, index: str) -> None:
        in_use = self._in_use()
        if in_use == [index]:
            return  # an earlier try succeeded, but its answer was lost
        self._client.indices.update_aliases(
            actions=[
                {"remove": {"index": index, "alias": index + _LOADING, "must_exist": False}},
                {"add": {"index": index, "alias": self._alias}},
                *({"remove_index": {"index": old}} for old in in_use),
            ]
        )

    # Loading ----------------------------------------------------------------------------------------------

    def _load(self, things: Iterable[T], target: str, arrived: Progress = lambda _: None) -> int:
        """Send things, telling how many have arrived; return how many there were."""
        count = 0
        underway: deque[tuple[int, Future[None]]] = deque()

        def wait() -> None:
            nonlocal count
            size, future = underway.popleft()
            future.result()
            count += size
            arrived(count)

        with ThreadPoolExecutor(_UNDERWAY) as pool:
            try:
                for chunk in self._chunks(things):
                    if len(underway) == _UNDERWAY:
                        wait()
                    underway.append((len(chunk), pool.submit(self._send, chunk, target)))
                while underway:
                    wait()
            finally:
                for _, future in underway:
                    future.cancel()
        return count

    def _chunks(self, things: Iterable[T]) -> Iterator[list[bytes]]:
        rest = iter(things)
        lines: list[bytes] = []
        size = 0
        while batch := list(islice(rest, _CHUNK)):
            for id_, document in self._content.documents(batch):
                line = b'{"index":{"_id":%b}}\n%b\n' % (to_json(id_), to_json(document))
                if lines and (len(lines) == _CHUNK or size + len(line) > _CHUNK_BYTES):
                    yield lines
                    lines, size = [], 0
                lines.append(line)
                size += len(line)
        if lines:
            yield lines

    def _send(self, lines: list[bytes], target: str) -> None:
        """Send documents until all have arrived; what is being loaded has an alias, which must be there."""
        loading = target.endswith(_LOADING)

        def send() -> None:
            nonlocal lines
            made: list[Any] = list(lines)  # which the client passes on as they are
            answer = self._client.bulk(
                operations=made, index=target, require_alias=loading, filter_path="errors,items.*.error,items.*.status"
            )
            if not answer["errors"]:
                return
            results = [next(iter(item.values())) for item in answer["items"]]
            faults = [fault_in(result, result["status"]) if "error" in result else None for result in results]
            for line, fault in zip(lines, faults, strict=True):
                if fault and not fault.passing:
                    raise ElasticError.of(self._client.index_name, fault, f" (document: {line[:200]!r})")
            lines = [line for line, fault in zip(lines, faults, strict=True) if fault]
            raise ElasticError.of(self._client.index_name, next(filter(None, faults)))

        self._patiently(send)

    def _patiently(self, call: Callable[[], R]) -> R:
        """Call until it succeeds, with longer and longer pauses; a `SearchError` if it fails for good, or too long."""
        tries = tenacity.Retrying(
            retry=tenacity.retry_if_exception(lambda error: isinstance(error, ElasticError) and error.fault.passing),
            wait=tenacity.wait_random_exponential(multiplier=_FIRST_DELAY, max=30.0),
            stop=tenacity.stop_before_delay(_PATIENCE),
            before_sleep=_tell,
            reraise=True,
        )
        return tries(call)


def _tell(state: tenacity.RetryCallState) -> None:
    error = state.outcome.exception() if state.outcome else None
    if state.attempt_number == 1:
        logger.warning("{}; trying again for {:.0f} s", error, _PATIENCE)
