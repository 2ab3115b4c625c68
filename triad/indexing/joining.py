"""Puts the parts of a graph's files one after the other, wherever they are read.

What is made of the files depends on nothing but the files and their order, so it is the same whether this process reads
them or a cluster does.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final, Protocol, Self

from triad.errors import ConfigError
from triad.indexing.cluster import Cluster
from triad.indexing.dumps import Faults, SkippedLine, Tell, read
from triad.indexing.labels import LabelCollector
from triad.indexing.parts import Part
from triad.indexing.profiling.beside import ProfileBeside
from triad.indexing.reading import Reading, ReadPart, count_links, read_part
from triad.indexing.recipe import Recipe
from triad.indexing.storing import FilledStore, NoStore
from triad.kg.parsing import ParseLimits, Statements

__all__ = ["Ahead", "Consumer", "Reader", "State"]

_STATE: Final = "state.json"


class Consumer(Protocol):
    """A consumer of all triples of a graph."""

    def take(self, batch: Statements, /) -> None:
        """Take a batch of triples; it is not changed by anybody."""


@dataclass
class State:
    """How far a job has come."""

    key: str
    """Stands for the recipe and its files."""
    overwrite: bool
    read: int = 0
    """Parts of files that were read."""
    triples: int = 0
    cursor: Mapping[str, Any] | None = None
    """How far the visit to an endpoint has come."""
    digests: list[str] = field(default_factory=list)
    """A digest of the content of each part that was read."""
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
        """Read it from the folder of a job; None if there is none."""
        try:
            data = json.loads((folder / _STATE).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        data["skipped_lines"] = [SkippedLine(**line) for line in data["skipped_lines"]]
        return cls(**data)

    @staticmethod
    def is_in(folder: Path) -> bool:
        """Tell whether a folder has the state of a job."""
        return (folder / _STATE).is_file()

    def save(self, folder: Path) -> None:
        """Write it in one step, so that there is always a whole one."""
        draft = folder / f"{_STATE}.draft"
        with draft.open("w", encoding="utf-8") as file:
            json.dump(vars(self), file, default=asdict)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(folder / _STATE)


class Reader:
    """Reads parts of files for all that is made of them."""

    def __init__(
        self,
        recipe: Recipe,
        collector: LabelCollector,
        profiler: ProfileBeside,
        store: NoStore,
        faults: Faults,
        state: State,
    ) -> None:
        self.recipe = recipe
        self.collector = collector
        self.profiler = profiler
        self.store = store
        self.faults = faults
        self.state = state

    def read(self, part: Part, path: Path, limits: ParseLimits, tell: Tell | None) -> None:
        """Read a part here."""
        source = self.recipe.sources[part.source]
        digest = hashlib.blake2b(digest_size=16)
        batches = read(
            source, path, self.faults, tell, digest=digest, limits=limits, prefixes=self.state.prefixes, part=part
        )
        # The last one works here, beside the others.
        consumers: list[Consumer] = [
            self.store,
            *([self.profiler] if self.recipe.makes_profile else []),
            self.collector,
        ]
        with closing(batches):
            for batch in batches:
                if source.use == "links":
                    count_links(batch, self.collector)
                    continue
                for consumer in consumers:
                    consumer.take(batch)
                self.state.triples += len(batch)
        self.state.digests.append(digest.hexdigest())

    def put(self, part: ReadPart) -> bool:
        """Put a part after those before it; False if it must be read again, knowing what `collector` knows by now."""
        found = part.state
        if not self.collector.append(part.names, found["names"], found["started"]):
            return False
        if self.recipe.makes_profile:
            self.profiler.append(part.facts, found["facts"])
        for batch in part.statements():
            self.store.take(batch)
        self.faults.join(found["skipped"], part.skipped_lines)
        self.state.triples += found["triples"]
        self.state.digests.append(found["digest"])
        for prefix, namespace in found["prefixes"].items():
            self.state.prefixes.setdefault(prefix, namespace)
        return True


class Ahead:
    """Parts that a cluster reads ahead of their being put one after the other."""

    def __init__(
        self,
        cluster: Cluster,
        reader: Reader,
        files: Sequence[Path],
        parts: Sequence[Part],
        folder: Path,
        limits: ParseLimits,
    ) -> None:
        self._cluster = cluster
        self._reader = reader
        self._files = files
        self._parts = parts
        self._folder = folder
        self._limits = limits
        self._under_way: dict[int, Any] = {}
        self._next = reader.state.read

    def put(self, at: int) -> None:
        """Wait for a part, and put it after those before it."""
        self._begin_more(at)
        under_way = self._under_way.pop(at, None)
        if under_way is not None:
            self._cluster.result(under_way)
        read = ReadPart.of(self._at(at))
        if read is None or not self._reader.put(read):
            self._cluster.result(self._begin(at, self._reader.collector.found()))
            read = ReadPart.of(self._at(at))
            if read is None or not self._reader.put(read):
                raise ConfigError(
                    f"a worker has read a part into {str(self._at(at))!r}, and it is not there; all machines of the "
                    "cluster need one disk"
                )

    def forget(self, at: int) -> None:
        """Delete what is no longer needed of a part."""
        shutil.rmtree(self._at(at), ignore_errors=True)

    def _begin_more(self, at: int) -> None:
        collector = self._reader.collector
        known = collector.found() if collector.settled else {}
        until = min(len(self._parts), at + self._cluster.places)
        for number in range(max(self._next, at), until):
            if ReadPart.of(self._at(number)) is None:
                self._under_way[number] = self._begin(number, known)
        self._next = max(self._next, until)

    def _begin(self, at: int, started: Mapping[str, Any]) -> Any:
        self.forget(at)  # where a machine was stopped while it deleted this
        part, reader = self._parts[at], self._reader
        reading = Reading(
            reader.recipe,
            part,
            str(self._files[part.source].absolute()),
            str(self._at(at)),
            started,
            isinstance(reader.store, FilledStore),
            reader.faults.allowed,
            self._limits,
        )
        return self._cluster.begin(read_part, reading)

    def _at(self, at: int) -> Path:
        return (self._folder / f"{at:06}").absolute()
