"""Vectors kept on disk: a text that was embedded before costs neither time nor money."""

import struct
from base64 import b64decode, b64encode
from collections.abc import Sequence
from pathlib import Path

from triad.embedding.embedder import Embedder
from triad.resources import cache_folder
from triad.textcache import TextCache


class CachedEmbedder(Embedder):
    """An embedder that gives another's earlier vectors of texts it has seen.

    Not for building an index, of which each text is embedded once. A folder, by default the user's cache, keeps 1 GB of
    vectors; several processes may share it.
    """

    def __init__(self, embedder: Embedder, folder: str | Path | None = None) -> None:
        self.embedder = embedder
        self.name = embedder.name
        self._cache = TextCache(folder or cache_folder() / "vectors", "vectors")

    @property
    def fingerprint(self) -> str:
        """The fingerprint of the embedder inside."""
        return self.embedder.fingerprint

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """Return the vectors of the cache, and those of the embedder inside for the others; raises as that does."""
        found = [_vector(text) for text in self._cache.get_many([(self.fingerprint, text) for text in texts])]
        missing = list(dict.fromkeys(text for text, vector in zip(texts, found, strict=True) if vector is None))
        if missing:
            made = dict(zip(missing, self.embedder.embed(missing), strict=True))
            packed = ((text, struct.pack(f"<{len(vector)}f", *vector)) for text, vector in made.items())
            self._cache.set_many(((self.fingerprint, text), b64encode(data).decode()) for text, data in packed)
            found = [vector or made[text] for text, vector in zip(texts, found, strict=True)]
        return [vector for vector in found if vector is not None]

    def close(self) -> None:
        """Close the embedder inside."""
        self.embedder.close()


def _vector(text: str | None) -> list[float] | None:
    try:
        data = b64decode(text or "", validate=True)
        return list(struct.unpack(f"<{len(data) // 4}f", data)) or None
    except (ValueError, struct.error):
        return None
