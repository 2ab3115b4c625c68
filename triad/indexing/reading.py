"""A part of a graph's files, read by a machine of a cluster into a folder that all of them see.

The folder has what the collectors of names and of the profile made of the part, and its statements for the store. It
gets its name when all is in it, so that a part that has its folder is done. Put one after the other in their order,
parts come to what one machine makes of the files.
"""

from __future__ import annotations

import hashlib
import json
import pickle
import shutil
import sys
import uuid
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import zstandard
from pyoxigraph import NamedNode

from triad.indexing.dumps import Faults, SkippedLine, read
from triad.indexing.labels import LabelCollector
from triad.indexing.parts import Part
from triad.indexing.profiling.collector import ProfileCollector
from triad.indexing.recipe import Recipe
from triad.kg.parsing import ParseLimits, Statements

__all__ = ["ReadPart", "Reading", "collector_for", "count_links", "read_part"]

_FACTS: Final = "facts"
_NAMES: Final = "names"
_STATEMENTS: Final = "statements"
_STATE: Final = "part.json"


@dataclass(frozen=True, slots=True)
class Reading:
    """The work on a part, as a machine of a cluster is told it."""

    recipe: Recipe
    part: Part
    path: str
    """Where the file lies."""
    folder: str
    """Where the result comes to lie."""
    started: Mapping[str, Any]
    """What is known of label properties; empty if nothing is."""
    store: bool
    """Whether the statements are needed."""
    allowed: int
    """Statements that are not valid and may be left out."""
    limits: ParseLimits


@dataclass(frozen=True, slots=True)
class ReadPart:
    """What a folder has of a part."""

    folder: Path
    state: Mapping[str, Any]

    @classmethod
    def of(cls, folder: Path) -> ReadPart | None:
        """Open a folder; None if the part is not done."""
        try:
            return cls(folder, json.loads((folder / _STATE).read_text(encoding="utf-8")))
        except (OSError, ValueError):
            return None

    @property
    def names(self) -> Path:
        """The files of the collector of names."""
        return self.folder / _NAMES

    @property
    def facts(self) -> Path:
        """The files of the collector of the profile."""
        return self.folder / _FACTS

    @property
    def skipped_lines(self) -> list[SkippedLine]:
        """The first of the statements that were left out."""
        return [SkippedLine(**line) for line in self.state["skipped_lines"]]

    def statements(self) -> Iterator[Statements]:
        """Return the statements, if they were needed."""
        path = self.folder / _STATEMENTS
        if path.is_file():
            with path.open("rb") as file, zstandard.ZstdDecompressor().stream_reader(file) as stream:
                while True:
                    try:
                        content: Any = pickle.load(stream)
                    except EOFError:
                        return
                    yield Statements(content) if isinstance(content, bytes) else Statements(b"", content)


def collector_for(recipe: Recipe, folder: Path, *, part: bool = False) -> LabelCollector:
    """Return a collector of the names of a recipe's graph.

    Args:
        recipe: The recipe.
        folder: Where its files lie.
        part: Whether it is for a part, which does not know which of its texts are among the first ones.
    """
    names = recipe.names
    if part and names.literals:
        names = names.model_copy(update={"literals": sys.maxsize})
    by_links = recipe.popularity == "links" or recipe.endpoint is not None
    return LabelCollector(names, popularity="links" if by_links else "degree", folder=folder)


def count_links(batch: Statements, collector: LabelCollector) -> None:
    """Count how often resources are linked to, and nothing else."""
    for quad in batch:
        if isinstance(quad.object, NamedNode):
            collector.count(quad.object.value, 1)


def read_part(reading: Reading) -> None:
    """Read a part into its folder.

    Raises:
        DataError: The file cannot be read, or has too many faults.
    """
    recipe = reading.recipe
    source = recipe.sources[reading.part.source]
    folder = Path(reading.folder)
    draft = folder.with_name(f"{folder.name}-{uuid.uuid4().hex}")  # another machine may be at the same part
    draft.mkdir(parents=True)
    digest, prefixes = hashlib.blake2b(digest_size=16), dict[str, str]()
    faults, triples = Faults(reading.allowed), 0
    try:
        with ExitStack() as stack:
            collector = stack.enter_context(closing(collector_for(recipe, draft / _NAMES, part=True)))
            profiler = stack.enter_context(closing(ProfileCollector(recipe.names, folder=draft / _FACTS)))
            if reading.started:
                collector.go_on_from(reading.started)
            started = collector.found()
            batches = stack.enter_context(
                closing(
                    read(
                        source,
                        Path(reading.path),
                        faults,
                        digest=digest,
                        limits=reading.limits,
                        prefixes=prefixes,
                        part=reading.part,
                    )
                )
            )
            file = stack.enter_context((draft / _STATEMENTS).open("wb"))
            statements = stack.enter_context(zstandard.ZstdCompressor(1).stream_writer(file))
            for batch in batches:
                if source.use == "links":
                    count_links(batch, collector)
                    continue
                triples += len(batch)
                if reading.store:
                    statements.write(pickle.dumps(batch.text or list(batch), pickle.HIGHEST_PROTOCOL))
                if recipe.makes_profile:
                    profiler.take(batch)
                collector.take(batch)
            state = {
                "started": started,
                "names": collector.state(),
                "facts": profiler.state(),
                "triples": triples,
                "digest": digest.hexdigest(),
                "skipped": faults.count,
                "skipped_lines": [asdict(line) for line in faults.lines],
                "prefixes": prefixes,
            }
        if not reading.store:
            (draft / _STATEMENTS).unlink()
        (draft / _STATE).write_text(json.dumps(state), encoding="utf-8")
        draft.rename(folder)  # which fails where the part is done: it may be in use by now
    except OSError:
        if ReadPart.of(folder) is None:  # else another machine was faster
            raise
    finally:
        shutil.rmtree(draft, ignore_errors=True)
