"""The documents of a folder as passages, what has changed since they were made, and the things that they name."""

import hashlib
import os
import re
import stat
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from triad.errors import ConfigError, DataError, GraphError, QueryTimeout, TriadError
from triad.log import logger
from triad.retrieval.documents import worker
from triad.retrieval.documents.reading import SUFFIXES, Document
from triad.retrieval.search.base import Passage, Sentence, cut_text, gathered, side_by_side
from triad.search.base import LabelIndex, Lookup
from triad.worker.pool import WorkerPool

_LARGEST: Final = 64 * 2**20  # bytes of a file that is read
_SECONDS: Final = 120.0  # that a file may take to be read
_MEMORY: Final = 2 * 2**30  # bytes
_SENTENCE: Final = re.compile(r"(?<=[.!?。؟।])[\"'”’)\]]*\s+(?=[^\s\d\W]|[\"'“„«(¿¡]|\d)")
_WORD: Final = re.compile(r"\w[\w'’]*")


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
    """A folder of documents, with the folders in it, to be closed once it was read.

    Names that begin with a point and links that lead out of the folder are left out. Each file may take some seconds.

    Raises:
        ConfigError: There is no such folder.
    """

    def __init__(self, folder: str | Path, seconds: float = _SECONDS) -> None:
        self.folder = Path(folder)
        self._seconds = seconds
        self._workers: WorkerPool | None = None
        if not self.folder.is_dir():
            raise ConfigError(f"there is no folder of documents {str(folder)!r}")

    def close(self) -> None:
        """End the process that reads its files."""
        if self._workers is not None:
            self._workers.close()

    def files(self) -> dict[str, os.stat_result]:
        """Return the documents by their paths below the folder, in their order."""
        found: dict[str, os.stat_result] = {}
        seen: set[tuple[int, int]] = set()
        root = self.folder.resolve()
        for name, folders, files in os.walk(self.folder, followlinks=True, onerror=_left_out):
            here = Path(name).stat()
            if (here.st_dev, here.st_ino) in seen:  # links may lead to a folder again and again
                folders.clear()
                continue
            seen.add((here.st_dev, here.st_ino))
            folders[:] = sorted(one for one in folders if not one.startswith(".") and _is_within(Path(name, one), root))
            for path in (Path(name, file) for file in files if not file.startswith(".")):
                try:
                    known = path.stat()
                except OSError as error:
                    _left_out(error)
                    continue
                if path.suffix.lower() in SUFFIXES and stat.S_ISREG(known.st_mode) and _is_within(path, root):
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
        """Return the passages of a document, with the things they name; none, with a warning, if it is unreadable."""
        file = self.folder / path
        state = DocumentState(0, 0, "")
        found: list[Passage] = []
        try:
            known = file.stat()
            state = DocumentState(known.st_size, known.st_mtime_ns, self._content(path))
            if known.st_size > _LARGEST:
                raise DataError(f"{str(file)!r} is larger than {_LARGEST // 2**20} MB")
            found = list(pieces(path, self._read(file), things))
        except (DataError, OSError) as error:
            _left_out(error)
        return replace(state, passages=tuple(one.id for one in found)), found

    def _read(self, file: Path) -> Document:
        """Read a document in a process that ends if it takes too much; raises as `read_document` does."""
        if self._workers is None:
            root = str(Path(__file__).parents[3])
            self._workers = WorkerPool(worker.__file__, [root, str(_MEMORY)], workers=1, memory_limit=_MEMORY)
        try:
            found = self._workers.run(str(file), self._seconds)
        except QueryTimeout as error:
            raise DataError(f"{str(file)!r} takes longer than {self._seconds:g} seconds to read") from error
        except GraphError as error:
            raise DataError(f"{str(file)!r} takes too much memory to read, or breaks what reads it") from error
        if isinstance(found, TriadError):
            raise found
        document: Document = found
        return document

    def _content(self, path: str) -> str:
        """Return a hash of a document's bytes; none if it is too large to be read, as is a file with holes."""
        try:
            with (self.folder / path).open("rb") as stream:
                large = os.fstat(stream.fileno()).st_size > _LARGEST
                return "" if large else hashlib.file_digest(stream, "sha256").hexdigest()[:32]
        except OSError:
            return ""


def _is_within(path: Path, root: Path) -> bool:
    if path.is_symlink() and path.exists() and not path.resolve().is_relative_to(root):
        _left_out(DataError(f"{str(path)!r} is a link that leads out of the folder"))
        return False
    return True


def _left_out(error: Exception) -> None:
    logger.warning("left out: {}", error)


def pieces(path: str, document: Document, things: Callable[[str], tuple[str, ...]] | None = None) -> Iterator[Passage]:
    """Yield the passages of a document, section by section, each with the ids of its neighbours."""
    counts: Counter[str] = Counter()
    found = []
    for section in document.sections:
        place = f"{path}#{' / '.join(section.headings)}" if section.headings else path
        title = " – ".join([document.title, *(text for text in section.headings if text != document.title)])
        pieces = ((piece for text in _SENTENCE.split(block) for piece in cut_text(text)) for block in section.blocks)
        for part in gathered(list(map(Sentence, block)) for block in pieces):
            counts[place] += 1
            about = things(f"{title}\n{' '.join(one.text for one in part)}") if things else ()
            passage = Passage(f"{place} {counts[place]}", title, part, "documents", about, language=document.language)
            found.append(replace(passage, date=document.date, document=path, headings=section.headings))
    yield from side_by_side(found)


def mentioned(index: LabelIndex, text: str) -> tuple[str, ...]:
    """Return the IRIs of the things that a text names, in their order; of names in each other, the longest."""
    spans = list(_spans(text))
    lookups = [Lookup(span, ("entity",), limit=5, exact=True) for _, _, span in spans]
    found: dict[str, None] = {}
    taken = 0
    for (start, end, span), candidates in zip(spans, index.search_many(lookups), strict=True):
        named = [one.iri for one in candidates if one.exact and one.matched == span]
        if start >= taken and named:
            found |= dict.fromkeys(named)
            taken = end
    return tuple(found)[:50]  # things of one text at most


def _spans(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield what may be names, from left to right, the longest first."""
    words = [(match.start(), match.end()) for match in _WORD.finditer(text)]
    for at, (start, _) in enumerate(words):
        for _, end in reversed(words[at : at + 8]):  # words of a label at most
            if end - start >= 3:  # characters of a label at least
                yield start, end, text[start:end]
