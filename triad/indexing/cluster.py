"""A Dask cluster that reads the parts of a graph's files, and sends entries to Elasticsearch.

Dask hands out the tasks, and those of a machine that dies once more. What a machine made of a part comes to lie in a
folder that all machines see under the same path, as they see the files, and that gets its name when all is in it. So
parts that are done are done, whatever becomes of the machines or of the one that puts them together; that one takes
their statements in order, so that what is made of them is what one machine makes.

Needs the extra ``dask``: ``pip install 'triad-kgqa[dask]'``.
"""

from __future__ import annotations

import importlib.metadata
import logging
import os
import shutil
import time
import uuid
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import ExitStack, contextmanager, nullcontext
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pyoxigraph
import zstandard

from triad.answers import from_json, to_json
from triad.closing import Closing
from triad.embedding import open_embedder
from triad.errors import ConfigError, ServiceError, TriadError, need_extra
from triad.indexing.reading import Faults, Part, PartNotes, read
from triad.indexing.recipe import Source
from triad.kg.parsing import ParseLimits, Statements
from triad.log import logger
from triad.search.base import Entry

if TYPE_CHECKING:
    from distributed import Client, Future, LocalCluster

CONNECTING: Final = 10.0
"""Seconds in which the scheduler must answer."""
ALONE: Final = 60.0
"""Seconds without any worker after which the cluster is given up."""
ENTRIES: Final = 20_000
"""Entries that are sent together: some seconds' work, so that little is done twice, and some megabytes."""
_LOOKING: Final = 2.0  # seconds between two looks at whether there are workers
_PACKAGES: Final = ("triad-kgqa", "pyoxigraph")
"""What must be of one version everywhere, for all parts to be read alike."""
_LOST: Final = "the Dask cluster failed: {}; what was made so far is kept, and --resume goes on with it"
_PATIENT: Final = "import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\n"
"""What processes of this machine begin with: Ctrl-C reaches all, and the one that has begun them ends them."""
_STATEMENTS: Final = "statements.nq.zst"
_NOTES: Final = "notes.json"
_CHUNK: Final = 8 << 20  # bytes of statements that are taken together

Reading = tuple[Source, Part, Path, int, ParseLimits]
"""The work on a part, as a machine is told it: with the path of its file, and the number of faults allowed."""


@contextmanager
def connected(executor: str) -> Iterator[Client]:
    """Connect to a cluster, and end it at last if it is of this machine.

    Raises:
        ConfigError: Dask is not installed.
        ServiceError: The cluster cannot be begun, or its scheduler not be reached.
    """
    need_extra("dask", "a cluster of Dask takes", "distributed")
    from distributed import Client

    address = executor.removeprefix("dask://")
    with _on_this_machine() if executor == "dask" else nullcontext(f"tcp://{address}") as scheduler:
        try:
            client = Client(scheduler, set_as_default=False, timeout=CONNECTING)
        except (OSError, TimeoutError, ValueError) as error:
            raise ServiceError(f"cannot reach the Dask scheduler at {address!r}: {error}") from error
        with client:
            yield client


def room(client: Client) -> int:
    """Return how many tasks to have under way: one for each thread of the cluster, and as many to follow."""
    threads: dict[str, int] = client.nthreads()
    return max(2, 2 * sum(threads.values()))


class Cluster(Closing):
    """A cluster that is connected to."""

    def __init__(self, executor: str) -> None:
        """Connect as `connected` does.

        Raises:
            ConfigError: Dask is not installed, or a machine has another version of what reads files.
            ServiceError: The cluster cannot be reached, or has no machine with Triad.
        """
        with ExitStack() as opened:
            self._client = opened.enter_context(connected(executor))
            self._check_versions()
            self._opened = opened.pop_all()

    def close(self) -> None:
        """Let go of the cluster; one that was begun for this ends."""
        self._opened.close()

    @property
    def places(self) -> int:
        """How many parts to have under way."""
        return room(self._client)

    def check_files(self, files: Sequence[Path], folder: Path) -> None:
        """Raise a `ConfigError` if a machine does not see the files, or the folder for what is made of them."""
        probe = folder / "seen"
        probe.touch()
        for path in (*files, probe):
            size = path.stat().st_size
            for worker, found in self._everywhere(os.path.getsize, str(path)).items():
                if found != size:
                    what = f"the folder {str(folder)!r}" if path == probe else f"the file {str(path)!r}"
                    raise ConfigError(
                        f"the worker {worker} does not see {what} as it is here; a cluster needs a disk that all its "
                        "machines have under the same path, for the files (--downloads) and for the folder that is made"
                    )
        probe.unlink()

    def begin(self, task: Callable[..., Any], *arguments: Any) -> Future[Any]:
        """Begin a task on the next machine that is free."""
        future: Future[Any] = self._client.submit(task, *arguments, pure=False)
        return future

    def result(self, future: Future[Any]) -> Any:
        """Wait for a task.

        Raises:
            TriadError: What the task raised.
            ServiceError: The cluster failed.
        """
        alone_since: float | None = None
        while True:
            try:
                return future.result(timeout=_LOOKING)
            except TriadError:
                raise
            except TimeoutError as error:
                if future.status == "error":  # the task's own, and not that of looking, in which it may have ended
                    raise ServiceError(_LOST.format(error)) from error
                if self._client.status != "running":
                    raise ServiceError(_LOST.format("the connection to the scheduler ended")) from None
                now = time.monotonic()
                alone_since = None if self._client.nthreads() else alone_since or now
                if alone_since is not None and now - alone_since > ALONE:
                    raise ServiceError(_LOST.format("it has no workers any more")) from None
            except (Exception, CancelledError) as error:
                raise ServiceError(_LOST.format(f"{type(error).__name__}: {error}")) from error

    def _check_versions(self) -> None:
        if not self._client.nthreads():
            logger.info("waiting for workers of the Dask cluster")
            try:
                self._client.wait_for_workers(1, timeout=ALONE)
            except TimeoutError as error:
                raise ServiceError(f"the Dask cluster has no workers, and got none in {ALONE:.0f} s") from error
        for package in _PACKAGES:
            here = importlib.metadata.version(package)
            for worker, found in self._everywhere(importlib.metadata.version, package).items():
                if isinstance(found, Exception):
                    raise ServiceError(f"the worker {worker} has no {package}: pip install 'triad-kgqa[dask]' there")
                if found != here:
                    raise ConfigError(
                        f"the worker {worker} has {package} {found}, and here it is {here}; all must have the same"
                    )

    def _everywhere(self, function: Callable[..., Any], *arguments: Any) -> dict[str, Any]:
        """Call a function of the standard library on all machines, and return what it returns or raises."""
        try:
            found: dict[str, Any] = self._client.run(function, *arguments, on_error="return")
        except (OSError, TimeoutError) as error:
            raise ServiceError(f"the Dask cluster failed: {error}") from error
        return dict(sorted(found.items()))


def _on_this_machine() -> LocalCluster:
    """Begin a process for each core of this machine; raises a `ServiceError` if they cannot be begun."""
    from distributed import LocalCluster

    try:
        return LocalCluster(
            threads_per_worker=1,
            dashboard_address=None,
            scheduler_kwargs={"dashboard_address": "127.0.0.1:0"},  # any port: another cluster may be here, too
            preload=[_PATIENT],
            silence_logs=logging.ERROR,
        )
    except (OSError, RuntimeError, ValueError) as error:
        raise ServiceError(f"cannot begin a Dask cluster on this machine: {error}") from error


def read_ahead(
    cluster: Cluster, readings: Sequence[Reading], folder: Path, first: int
) -> Iterator[tuple[PartNotes, Generator[Statements]]]:
    """Yield the parts from the first that is not taken yet, which the cluster reads ahead, each until the next one."""
    under_way: dict[int, Any] = {}
    begun = first

    def folder_of(number: int) -> Path:
        return (folder / f"{number:06}").absolute()

    for at in range(first, len(readings)):
        until = min(len(readings), at + cluster.places)
        for number in range(max(begun, at), until):
            if _notes_in(folder_of(number)) is None:
                shutil.rmtree(folder_of(number), ignore_errors=True)  # a machine may have been stopped deleting it
                under_way[number] = cluster.begin(read_part, readings[number], str(folder_of(number)))
        begun = max(begun, until)
        if at in under_way:
            cluster.result(under_way.pop(at))
        if (notes := _notes_in(folder_of(at))) is None:
            raise ConfigError(
                f"a worker has read a part into {str(folder_of(at))!r}, and it is not there; all machines of the "
                "cluster need one disk"
            )
        yield notes, _statements_in(folder_of(at))
        shutil.rmtree(folder_of(at), ignore_errors=True)


def read_part(reading: Reading, folder: str) -> None:
    """Read a part into a folder; a `DataError` if the file cannot be read, or has too many faults."""
    source, part, path, allowed, limits = reading
    target = Path(folder)
    draft = target.with_name(f"{target.name}-{uuid.uuid4().hex}")  # another machine may be at the same part
    draft.mkdir(parents=True)
    try:
        notes = PartNotes(faults=Faults(allowed))
        with (draft / _STATEMENTS).open("wb") as file, zstandard.ZstdCompressor(1).stream_writer(file) as statements:
            for batch in read(source, path, notes.faults, notes=notes, limits=limits, part=part):
                statements.write(batch.text or pyoxigraph.serialize(batch, format=pyoxigraph.RdfFormat.N_QUADS) or b"")
        (draft / _NOTES).write_text(to_json(notes), encoding="utf-8")
        draft.rename(target)  # which fails where the part is done: it may be in use by now
    except OSError:
        if _notes_in(target) is None:  # else another machine was faster
            raise
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def _notes_in(folder: Path) -> PartNotes | None:
    """Return what is noted of a part in its folder; None if it is not done."""
    try:
        return from_json(PartNotes, (folder / _NOTES).read_bytes())
    except (OSError, ValueError):
        return None


def _statements_in(folder: Path) -> Generator[Statements]:
    with (folder / _STATEMENTS).open("rb") as file, zstandard.ZstdDecompressor().stream_reader(file) as stream:
        rest = b""
        while chunk := stream.read(_CHUNK):
            whole, end, rest = (rest + chunk).rpartition(b"\n")
            if end:
                yield Statements(whole + end)


def send_all(
    cluster: Cluster, entries: Iterable[Entry], folder: Path, target: str, index: str, embedder: str | None
) -> None:
    """Send entries, those aside that had arrived when an earlier build of the same entries was interrupted.

    They are written to files that all machines see; one whose entries have arrived is replaced by a note.
    """
    folder.mkdir(parents=True, exist_ok=True)
    rest, under_way = iter(entries), deque[Any]()
    at = 0
    while part := list(islice(rest, ENTRIES)):
        file = folder.absolute() / f"{index}-{at:06}.entries"
        if not file.with_suffix(".sent").is_file():
            file.write_bytes(b"\n".join(entry.packed() for entry in part))
            under_way.append(cluster.begin(send_file, str(file), target, index, embedder))
        while len(under_way) > cluster.places:
            cluster.result(under_way.popleft())
        at += 1
    while under_way:
        cluster.result(under_way.popleft())


def send_file(path: str, target: str, index: str, embedder_name: str | None) -> None:
    """Send the entries of a file; nothing if a build that was interrupted meanwhile has sent them."""
    from triad.search.elastic.index import ElasticIndex

    file = Path(path)
    sent = file.with_suffix(".sent")
    try:
        entries = [Entry.unpacked(line) for line in file.read_bytes().splitlines()]
    except FileNotFoundError:
        if sent.is_file():
            return
        raise
    with (
        open_embedder(embedder_name) if embedder_name else nullcontext() as embedder,
        ElasticIndex(target, embedder=embedder) as elastic,
    ):
        elastic.store.load(entries, index)
    sent.touch()
    file.unlink(missing_ok=True)
