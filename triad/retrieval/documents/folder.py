"""The documents of a folder as passages, and what has changed since they were made."""

from __future__ import annotations

import hashlib
import os
import re
import stat
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from triad.errors import ConfigError, DataError
from triad.log import logger
from triad.retrieval.cutting import cut_text, gathered
from triad.retrieval.documents.reading import SUFFIXES, Document, read_document
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
    """A folder of documents, with the folders in it; names that begin with a point are left out.

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
        seen: set[tuple[int, int]] = set()
        for name, folders, files in os.walk(self.folder, followlinks=True, onerror=_left_out):
            here = Path(name).stat()
            if (here.st_dev, here.st_ino) in seen:  # links may lead to a folder again and again
                folders.clear()
                continue
            seen.add((here.st_dev, here.st_ino))
            folders[:] = sorted(one for one in folders if not one.startswith("."))
            for path in (Path(name, file) for file in files if not file.startswith(".")):
                try:
                    known = path.stat()
                except OSError as error:
                    _left_out(error)
                    continue
                if path.suffix.lower() in SUFFIXES and stat.S_ISREG(known.st_mode):
                    found[path.relative_to(self.folder).as_posix()] = known
        return dict(sorted(found.items()))

    def changed(self, known: Mapping[str, DocumentState]) -> tuple[list[str], list[str]]:
        """Return which documents are new or have another content, and which are gone."""
        files = self.files()
        new = [
            path
            for path, now in files.items()
            if (old := known.get(path)) is None
            or ((now.st_size, now.st_mtime_ns) != (old.size, old.changed) and self._content(path) != old.content)
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
        state = DocumentState(0, 0, "")
        found: list[Passage] = []
        try:
            known = file.stat()
            state = DocumentState(known.st_size, known.st_mtime_ns, self._content(path))
            if known.st_size > _LARGEST:
                raise DataError(f"{str(file)!r} is larger than {_LARGEST // 2**20} MB")
            found = list(pieces(path, read_document(file), things))
        except (DataError, OSError) as error:
            _left_out(error)
        return replace(state, passages=tuple(one.id for one in found)), found

    def _content(self, path: str) -> str:
        try:
            with (self.folder / path).open("rb") as stream:
                return hashlib.file_digest(stream, "sha256").hexdigest()[:32]
        except OSError:
            return ""


def _left_out(error: Exception) -> None:
    logger.warning("left out: {}", error)


def pieces(path: str, document: Document, things: Callable[[str], tuple[str, ...]] | None = None) -> Iterator[Passage]:
    """Yield the passages of a document, section by section, each with the ids of its neighbours."""
    counts: Counter[str] = Counter()
    parts = []
    for section in document.sections:
        place = f"{path}#{' / '.join(section.headings)}" if section.headings else path
        for part in gathered(map(_sentences, section.blocks)):
            counts[place] += 1
            parts.append((f"{place} {counts[place]}", section, part))
    ids = [None, *(id_ for id_, _, _ in parts), None]
    for at, (id_, section, part) in enumerate(parts):
        headings = tuple(text for text in section.headings if text != document.title)
        title = " – ".join([document.title, *headings])
        text = " ".join(sentence.text for sentence in part)
        yield Passage(
            id_,
            title,
            part,
            "documents",
            things(f"{title}\n{text}") if things else (),
            language=document.language,
            date=document.date,
            document=path,
            headings=section.headings,
            before=ids[at],
            after=ids[at + 2],
        )


def _sentences(block: str) -> list[Sentence]:
    return [Sentence(piece) for text in _SENTENCE.split(block) for piece in cut_text(text)]
