"""Vectors of passages, all compared with that of a question: exact, and quick enough for some hundred thousands.

They are kept as 16-bit floats in one file, which the system maps into memory. `benchmarks/passages.py` compares this
with graphs of neighbours, which are quicker to search, take minutes to build, and cannot be filtered.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from triad.answers import from_json, to_json
from triad.errors import SearchError, need_extra
from triad.retrieval.search.base import Passage

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_ROWS: Final = "vectors.f16"
_ABOUT: Final = "vectors.json"


def embedded_text(passage: Passage) -> str:
    """Return the text of a passage that its vector is made of."""
    return f"{passage.title}. {passage.text}"


@dataclass
class _Rows:
    embedder: str = ""  # the fingerprint of what made them
    width: int = 0
    ids: list[str] = field(default_factory=list)


class PassageVectors:
    """The vectors of the passages in a folder.

    Raises:
        ConfigError: The extra is not installed.
        SearchError: The vectors are damaged, or another embedder made them.
    """

    def __init__(self, folder: Path, embedder: str) -> None:
        need_extra("retrieval", "to search passages by vectors takes", "numpy", "usearch")
        import numpy
        from usearch.index import search

        self._numpy, self._search = numpy, search
        self._folder = folder
        self._rows = _Rows(embedder)
        self._array: NDArray[np.float16] = numpy.empty((0, 0), numpy.float16)
        if self.there(folder):
            self._load()
        if self._rows.embedder != embedder:
            raise SearchError(
                f"the vectors in {str(folder)!r} are those of {self._rows.embedder!r}, and not of {embedder!r}; name "
                "that embedder, or make the passages anew"
            )

    @staticmethod
    def there(folder: Path) -> bool:
        """Return whether a folder has vectors."""
        return (folder / _ABOUT).is_file()

    def _load(self) -> None:
        folder = self._folder
        try:
            rows = self._rows = from_json(_Rows, (folder / _ABOUT).read_bytes())
            if rows.ids:
                shape = (len(rows.ids), rows.width)
                self._array = self._numpy.memmap(folder / _ROWS, self._numpy.float16, "r", shape=shape)
        except (OSError, ValueError) as error:
            raise SearchError(f"the vectors in {str(folder)!r} are damaged ({error}); make them anew") from error

    def add(self, passages: Sequence[Passage], vectors: Sequence[Sequence[float]]) -> None:
        """Add the vectors of passages that have none; `keep` makes them lasting."""
        numpy, rows = self._numpy, self._rows
        array = numpy.array(vectors, numpy.float32)
        array /= numpy.maximum(numpy.linalg.norm(array, axis=1, keepdims=True), 1e-12)
        rows.width = array.shape[1]
        with (self._folder / _ROWS).open("ab") as out:
            out.write(array.astype(numpy.float16).tobytes())
        rows.ids += [passage.id for passage in passages]

    def remove(self, ids: Collection[str]) -> None:
        """Remove the vectors of passages; `keep` makes it lasting."""
        gone, rows = set(ids), self._rows
        if len(left := [at for at, one in enumerate(rows.ids) if one not in gone]) == len(rows.ids):
            return
        kept = self._numpy.array(self._array[left])
        draft = self._folder / f"{_ROWS}.draft"
        draft.write_bytes(kept.tobytes())
        draft.replace(self._folder / _ROWS)
        self._array = kept
        rows.ids = [rows.ids[at] for at in left]

    def keep(self) -> None:
        """Write down what was added and removed, and search that from now on."""
        (self._folder / _ABOUT).write_text(to_json(self._rows), encoding="utf-8")
        self._load()

    def rank(self, vector: Sequence[float], limit: int, among: Collection[str] | None = None) -> list[str]:
        """Return the ids of the passages nearest to a vector, the nearest first; with ``among``, of these ids alone."""
        numpy, rows = self._numpy, self._rows
        wanted_ids = among if among is None else set(among)
        chosen = [at for at, one in enumerate(rows.ids) if one in wanted_ids] if wanted_ids is not None else None
        array = self._array if chosen is None else self._array[chosen]
        if not len(array) or limit < 1:
            return []
        wanted = numpy.array(vector, numpy.float32)
        wanted = (wanted / max(float(numpy.linalg.norm(wanted)), 1e-12)).astype(numpy.float16)
        if wanted.shape != (rows.width,):
            raise SearchError(f"a vector of {len(wanted)} numbers is compared with vectors of {rows.width}")
        found: Any = self._search(array, wanted, min(limit, len(array)), "cos", exact=True)
        keys: Iterable[int] = found.keys.tolist()
        return [rows.ids[at if chosen is None else chosen[at]] for at in keys]
