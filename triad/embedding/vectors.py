"""Vectors of texts at hand, to compare them: each text is embedded once, as long as it is asked for now and then."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from triad.embedding.embedder import Embedder
from triad.errors import need_extra

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_KEPT: Final = 20_000  # vectors in memory; 1.5 kB each where they have 384 numbers


class Vectors:
    """Unit vectors of texts, of which the last ones used are kept in memory. Safe to use from several threads.

    Raises:
        ConfigError: numpy is not installed.
    """

    def __init__(self, embedder: Embedder, kept: int = _KEPT) -> None:
        need_extra("dense", "to compare vectors takes", "numpy")
        import numpy

        self._numpy = numpy
        self.embedder = embedder
        self._kept = kept
        self._known: OrderedDict[str, NDArray[np.float32]] = OrderedDict()
        self._lock = threading.Lock()

    def of(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return an array with a row of length 1 for each text; what is not known is embedded in one call."""
        found: dict[str, NDArray[np.float32]] = {}
        with self._lock:
            for text in dict.fromkeys(texts):
                if (vector := self._known.get(text)) is not None:
                    found[text] = vector
                    self._known.move_to_end(text)
        if missing := [text for text in dict.fromkeys(texts) if text not in found]:
            found |= zip(missing, self._embed(missing), strict=True)
            with self._lock:
                self._known |= {text: found[text] for text in missing}
                while len(self._known) > self._kept:
                    self._known.popitem(last=False)
        return self._numpy.array([found[text] for text in texts], dtype=self._numpy.float32)

    def alike(self, texts: Sequence[str], others: Sequence[str]) -> NDArray[np.float32]:
        """Return the cosines of texts: a row for each text, a column for each other."""
        both = self.of([*texts, *others])
        cosines: NDArray[np.float32] = both[: len(texts)] @ both[len(texts) :].T
        return cosines

    def _embed(self, texts: list[str]) -> NDArray[np.float32]:
        array = self._numpy.array(self.embedder.embed(texts), dtype=self._numpy.float32)
        lengths = self._numpy.linalg.norm(array, axis=1, keepdims=True)
        rows: NDArray[np.float32] = array / self._numpy.maximum(lengths, 1e-12)
        return rows
