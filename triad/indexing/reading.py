"""The parts of a graph's files, read here or ahead by the machines of a cluster.

A machine of a cluster parses a part, and writes its statements to a folder that all of them see, which gets its name
when all is in it: a part that has its folder is done. Whoever put the job together takes the statements of all parts in
their order, so that what is made of them is what one machine makes.
"""

from __future__ import annotations

import hashlib
import json
import pickle
import shutil
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

import zstandard

from triad.errors import ConfigError
from triad.indexing.cluster import Cluster
from triad.indexing.dumps import Faults, SkippedLine, read
from triad.indexing.layout import Tell
from triad.indexing.parts import Part
from triad.indexing.recipe import Source
from triad.kg.parsing import ParseLimits, Statements

__all__ = ["Ahead", "PartNotes", "Reading", "read_part"]

_STATEMENTS: Final = "statements"
_NOTES: Final = "part.json"

Take = Callable[[Statements], None]
"""Takes a batch of statements."""


@dataclass
class PartNotes:
    """What is noted of a part while it is read."""

    triples: int = 0
    digest: str = ""
    """Of the bytes of the part."""
    skipped: int = 0
    """Statements that a machine of a cluster left out."""
    skipped_lines: list[SkippedLine] = field(default_factory=list)
    """The first of them."""
    prefixes: dict[str, str] = field(default_factory=dict)
    """Namespaces by prefix, as the part declares them."""


@dataclass(frozen=True, slots=True)
class Reading:
    """The work on a part, as a machine of a cluster is told it."""

    source: Source
    part: Part
    path: str
    """Where the file lies."""
    allowed: int
    """Statements that are not valid and may be left out."""
    limits: ParseLimits

    def read(self, take: Take, faults: Faults, tell: Tell | None = None) -> PartNotes:
        """Read the part.

        Args:
            take: Takes each batch of statements.
            faults: Takes what is not valid.
            tell: Is told how many were read.

        Raises:
            DataError: The file cannot be read, or has too many faults.
        """
        notes, digest = PartNotes(), hashlib.blake2b(digest_size=16)
        batches = read(
            self.source,
            Path(self.path),
            faults,
            tell,
            digest=digest,
            limits=self.limits,
            prefixes=notes.prefixes,
            part=self.part,
        )
        with closing(batches):
            for batch in batches:
                take(batch)
                notes.triples += len(batch)
        notes.digest = digest.hexdigest()
        return notes


def read_part(reading: Reading, folder: str) -> None:
    """Read a part into a folder.

    Raises:
        DataError: The file cannot be read, or has too many faults.
    """
    target = Path(folder)
    draft = target.with_name(f"{target.name}-{uuid.uuid4().hex}")  # another machine may be at the same part
    draft.mkdir(parents=True)
    try:
        with ExitStack() as stack:
            file = stack.enter_context((draft / _STATEMENTS).open("wb"))
            statements = stack.enter_context(zstandard.ZstdCompressor(1).stream_writer(file))

            def take(batch: Statements) -> None:
                statements.write(pickle.dumps(batch.text or list(batch), pickle.HIGHEST_PROTOCOL))

            faults = Faults(reading.allowed)
            notes = reading.read(take, faults)
            notes.skipped, notes.skipped_lines = faults.count, faults.lines
        (draft / _NOTES).write_text(json.dumps(asdict(notes)), encoding="utf-8")
        draft.rename(target)  # which fails where the part is done: it may be in use by now
    except OSError:
        if _notes_in(target) is None:  # else another machine was faster
            raise
    finally:
        shutil.rmtree(draft, ignore_errors=True)


class Ahead:
    """Parts that a cluster reads ahead of their being taken one after the other."""

    def __init__(self, cluster: Cluster, readings: Sequence[Reading], folder: Path, first: int) -> None:
        """Begin with the first part that is not taken yet."""
        self._cluster = cluster
        self._readings = readings
        self._folder = folder
        self._under_way: dict[int, Any] = {}
        self._next = first

    def take(self, at: int, take: Take) -> PartNotes:
        """Wait for a part, and take its statements."""
        until = min(len(self._readings), at + self._cluster.places)
        for number in range(max(self._next, at), until):
            if _notes_in(self._at(number)) is None:
                shutil.rmtree(self._at(number), ignore_errors=True)  # a machine may have been stopped deleting it
                self._under_way[number] = self._cluster.begin(read_part, self._readings[number], str(self._at(number)))
        self._next = max(self._next, until)
        if at in self._under_way:
            self._cluster.result(self._under_way.pop(at))
        notes = _notes_in(self._at(at))
        if notes is None:
            raise ConfigError(
                f"a worker has read a part into {str(self._at(at))!r}, and it is not there; all machines of the "
                "cluster need one disk"
            )
        for batch in _statements_in(self._at(at)):
            take(batch)
        return notes

    def forget(self, at: int) -> None:
        """Delete a part that was taken."""
        shutil.rmtree(self._at(at), ignore_errors=True)

    def _at(self, at: int) -> Path:
        return (self._folder / f"{at:06}").absolute()


def _notes_in(folder: Path) -> PartNotes | None:
    """Return what is noted of a part in its folder; None if it is not done."""
    try:
        found = json.loads((folder / _NOTES).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    lines = [SkippedLine(**line) for line in found.pop("skipped_lines")]
    return PartNotes(**found, skipped_lines=lines)


def _statements_in(folder: Path) -> Iterator[Statements]:
    with (folder / _STATEMENTS).open("rb") as file, zstandard.ZstdDecompressor().stream_reader(file) as stream:
        while True:
            try:
                content: Any = pickle.load(stream)
            except EOFError:
                return
            yield Statements(content) if isinstance(content, bytes) else Statements(b"", content)
