"""The documents of a folder as passages, and what has changed since they were made."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from triad.errors import ConfigError, DataError
from triad.log import logger
from triad.retrieval.cutting import SIZE, cut_text
from triad.retrieval.documents.reading import SUFFIXES, Document, Section, read_document
from triad.retrieval.search.base import Passage, Sentence

__all__ = ["DocumentFolder", "DocumentState", "pieces"]

_LARGEST: Final = 64 * 2**20
"""Bytes of a file that is read."""
_SENTENCE: Final = re.compile(r"(?<=[.!?。؟।])[\"'”’)\]]*\s+(?=[^\s\d\W]|[\"'“„«(¿¡]|\d)")


@dataclass(frozen=True, slots=True)
class DocumentState:
    """A file as it was when its passages were made."""

    size: int
    changed: int
    """The time of its last change, in nanoseconds."""
    content: str
    """A hash of its bytes."""
    passages: tuple[str, ...] = ()
    """The ids of its passages; none if it could not be read."""


class DocumentFolder:
    """A folder of documents, with the folders in it.

    Args:
        folder: The folder; names in it that begin with a point are left out.

    Raises:
        ConfigError: There is no such folder.
    """

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        if not self.folder.is_dir():
            raise ConfigError(f"there is no folder of documents {str(folder)!r}")

    def files(self) -> dict[str, os.stat_result]:
        """Return the documents by their paths below the folder, in their order."""
        found: dict[str, os.stat_result] = {}
        for path in self._walk(self.folder, set()):
            if path.suffix.lower() in SUFFIXES:
                try:
                    found[path.relative_to(self.folder).as_posix()] = path.stat()
                except OSError as error:
                    logger.warning("left out: {!r}: {}", str(path), error)
        return dict(sorted(found.items()))

    def _walk(self, folder: Path, seen: set[tuple[int, int]]) -> Iterator[Path]:
        """Yield all files, each folder once, however often links lead to it."""
        try:
            known = folder.stat()
            if (known.st_dev, known.st_ino) in seen:
                return
            seen.add((known.st_dev, known.st_ino))
            entries = sorted(folder.iterdir())
        except OSError as error:
            logger.warning("left out: {!r}: {}", str(folder), error)
            return
        for entry in entries:
            if entry.name.startswith("."):
                continue
            if entry.is_dir():
                yield from self._walk(entry, seen)
            elif entry.is_file():
                yield entry
            elif entry.is_symlink():
                logger.warning("left out: the link {!r} leads nowhere", str(entry))

    def changed(self, known: Mapping[str, DocumentState]) -> tuple[list[str], list[str]]:
        """Return which documents are new or have another content, and which are gone."""
        files = self.files()
        new = [
            path
            for path, stat in files.items()
            if (old := known.get(path)) is None
            or ((stat.st_size, stat.st_mtime_ns) != (old.size, old.changed) and self._content(path) != old.content)
        ]
        return new, [path for path in known if path not in files]

    def read(
        self, path: str, things: Callable[[str], tuple[str, ...]] | None = None
    ) -> tuple[DocumentState, list[Passage]]:
        """Return the passages of a document; none, with a warning, if it cannot be read.

        Args:
            path: Its path below the folder.
            things: Returns the IRIs of the things that a text names.
        """
        file = self.folder / path
        try:
            stat = file.stat()
            if stat.st_size > _LARGEST:
                raise DataError(f"{str(file)!r} is larger than {_LARGEST // 2**20} MB")
            content = self._content(path)
            found = list(pieces(path, read_document(file), things))
        except (DataError, OSError) as error:
            logger.warning("left out: {}", error)
            try:
                stat = file.stat()
                return DocumentState(stat.st_size, stat.st_mtime_ns, self._content(path)), []
            except OSError:
                return DocumentState(0, 0, ""), []
        return DocumentState(stat.st_size, stat.st_mtime_ns, content, tuple(one.id for one in found)), found

    def _content(self, path: str) -> str:
        digest = hashlib.sha256()
        try:
            with (self.folder / path).open("rb") as stream:
                while block := stream.read(2**20):
                    digest.update(block)
        except OSError:
            return ""
        return digest.hexdigest()[:32]


def pieces(path: str, document: Document, things: Callable[[str], tuple[str, ...]] | None = None) -> Iterator[Passage]:
    """Yield the passages of a document, section by section, each with the ids of its neighbours.

    Args:
        path: Its path below its folder.
        document: The document.
        things: Returns the IRIs of the things that a text names.
    """
    parts = [(section, part) for section in document.sections for part in _parts(section)]
    ids = list(_ids(path, (section for section, _ in parts)))
    for at, (section, part) in enumerate(parts):
        headings = tuple(text for text in section.headings if text != document.title)
        title = " – ".join([document.title, *headings])
        text = " ".join(sentence.text for sentence in part)
        yield Passage(
            ids[at],
            title,
            part,
            "documents",
            things(f"{title}\n{text}") if things else (),
            language=document.language,
            date=document.date,
            document=path,
            headings=section.headings,
            before=ids[at - 1] if at else None,
            after=ids[at + 1] if at + 1 < len(ids) else None,
        )


def _ids(path: str, sections: Iterable[Section]) -> Iterator[str]:
    """Yield the id of each piece: its document, its headings and its number below them."""
    counts: dict[str, int] = {}
    for section in sections:
        place = f"{path}#{' / '.join(section.headings)}" if section.headings else path
        counts[place] = counts.get(place, 0) + 1
        yield f"{place} {counts[place]}"


def _parts(section: Section) -> Iterator[tuple[Sentence, ...]]:
    """Yield the passages of a section: as many paragraphs as fit, and of a long one as many sentences."""
    part: list[Sentence] = []
    length = 0
    for block in section.blocks:
        sentences = [Sentence(piece) for text in _SENTENCE.split(block) for piece in cut_text(text)]
        whole = sum(len(one.text) + 1 for one in sentences)
        if part and length + whole > SIZE:
            yield tuple(part)
            part, length = [], 0
        for sentence in sentences:
            if part and length + len(sentence.text) > SIZE:
                yield tuple(part)
                part, length = [], 0
            part.append(sentence)
            length += len(sentence.text) + 1
    if part:
        yield tuple(part)
