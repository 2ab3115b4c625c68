"""Reranking: a slower model reads the question with each of the first passages, and puts them in its order.

No index does so by itself: `Reranked` is an index around another one.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from triad.errors import ConfigError, ModelError
from triad.retrieval.search.base import Filters, Hit, Passage, PassageIndex
from triad.retrieval.search.vectors import embedded_text

__all__ = ["FastReranker", "Reranked", "Reranker"]

_READ: Final = 30
"""Passages that are read for a question, at least."""


class Reranker(ABC):
    """Tells how well texts answer a question."""

    @abstractmethod
    def scores(self, question: str, texts: Sequence[str]) -> list[float]:
        """Return a number for each text, higher for those that answer better.

        Raises:
            ModelError: The model failed.
        """


class FastReranker(Reranker):
    """A cross-encoder that fastembed runs on this machine.

    Args:
        name: A model that fastembed knows, such as ``Xenova/ms-marco-MiniLM-L-6-v2``; it is downloaded once.
        folder: The folder of its files, where it need not be downloaded.

    Raises:
        ConfigError: fastembed is not installed, or does not know the model.
        ModelError: The model cannot be fetched or loaded.
    """

    def __init__(self, name: str, folder: str | Path | None = None) -> None:
        try:
            from fastembed.rerank.cross_encoder import TextCrossEncoder
        except ImportError as error:
            raise ConfigError("a reranker needs an extra: pip install 'triad-kgqa[dense]'") from error
        options: dict[str, Any] = {"specific_model_path": str(folder), "local_files_only": True} if folder else {}
        try:
            self._model = TextCrossEncoder(name, **options)
        except ValueError as error:
            raise ConfigError(f"fastembed has no reranker {name!r}: {error}") from error
        except Exception as error:
            raise ModelError(f"the reranker {name!r} cannot be loaded: {error}") from error

    def scores(self, question: str, texts: Sequence[str]) -> list[float]:
        """Return the model's numbers."""
        return [float(score) for score in self._model.rerank(question, list(texts))]


class Reranked(PassageIndex):
    """An index whose first passages a reranker puts in order.

    Args:
        index: The index.
        reranker: Reads the passages.
    """

    def __init__(self, index: PassageIndex, reranker: Reranker) -> None:
        self._index = index
        self._reranker = reranker

    def search(self, text: str, limit: int = 10, filters: Filters | None = None) -> list[Hit]:
        """Find passages, in the order of the reranker; its rank stands beside those of the index as ``reranker``."""
        hits = self._index.search(text, max(limit, _READ), filters) if limit > 0 else []
        scores = self._reranker.scores(text, [embedded_text(hit.passage) for hit in hits])
        ordered = sorted(zip(scores, hits, strict=True), key=lambda scored: -scored[0])
        return [replace(hit, ranks={**hit.ranks, "reranker": at}) for at, (_, hit) in enumerate(ordered, 1)][:limit]

    def add(self, passages: Iterable[Passage]) -> None:
        """Add passages to the index inside."""
        self._index.add(passages)

    def remove(self, ids: Collection[str]) -> None:
        """Remove passages from the index inside."""
        self._index.remove(ids)

    def get(self, ids: Collection[str]) -> list[Passage]:
        """Return passages of the index inside."""
        return self._index.get(ids)

    def __len__(self) -> int:
        return len(self._index)
