"""Embedders behind an OpenAI-compatible server: OpenAI itself, vLLM, Ollama, llama.cpp, text-embeddings-inference."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import openai
from openai.types import CreateEmbeddingResponse

from triad.embedding.base import Embedder
from triad.models.server import Server, utf8

__all__ = ["OpenAIEmbedder"]

_BATCH: Final = 256
"""Texts of a request at first."""


class OpenAIEmbedder(Embedder):
    """An embedder behind an OpenAI-compatible server.

    Servers differ in how many texts they take at once. A request that is refused is sent again in halves, and the
    embedder remembers the size.

    Args:
        name: The model's name on the server.
        base_url: The server's address, up to ``/v1``; if None, OPENAI_BASE_URL of the environment, else OpenAI's.
        api_key: The key; if None, the content of ``api_key_file``, else OPENAI_API_KEY of the environment. Servers
            other than OpenAI's can do without one.
        api_key_file: A file that holds nothing but the key.
        timeout: Seconds to wait for the server at most, for each try.
        retries: How often a call is tried again after a rate limit, a failure of the server or a timeout.

    Raises:
        ConfigError: An option makes no sense, or there is no key where one is needed.
    """

    def __init__(
        self,
        name: str,
        *,
        base_url: str | None = None,
        api_key: str | None = None,
        api_key_file: str | Path | None = None,
        timeout: float = 60.0,
        retries: int = 3,
    ) -> None:
        self._model = name
        self._server = Server(
            name,
            base_url=base_url,
            api_key=api_key,
            api_key_file=api_key_file,
            timeout=timeout,
            retries=retries,
            without="'fastembed:NAME' works",
        )
        self.name = f"openai:{name}@{self._server.address}"
        self._batch = _BATCH

    def __repr__(self) -> str:
        return f"OpenAIEmbedder({self._model!r}, base_url={self._server.address!r})"

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """Return a vector for each text.

        Raises:
            ModelError: The server cannot be reached, refused or failed, retries included. The message says what to do.
        """
        # Nothing at all has no vector.
        readable = [utf8(text) if text.strip() else "-" for text in texts]
        vectors: list[list[float]] = []
        while len(vectors) < len(readable):
            vectors += self._some(readable[len(vectors) : len(vectors) + self._batch])
        return vectors

    def close(self) -> None:
        """Close the connections to the server; the next call opens them again."""
        self._server.close()

    def _some(self, texts: list[str]) -> list[list[float]]:
        """Return the vectors of the first texts, of as many as the server takes."""
        with self._server.translated():
            while True:
                try:
                    answer = self._server.connect().embeddings.create(
                        model=self._model, input=texts, encoding_format="float"
                    )
                    break
                except openai.APIStatusError as error:
                    if error.status_code not in (400, 413, 422) or len(texts) == 1:
                        raise
                    texts = texts[: len(texts) // 2]
                    self._batch = len(texts)
            if not isinstance(answer, CreateEmbeddingResponse) or len(answer.data) != len(texts):
                raise self._server.error("did not answer with a vector for each text; is it a model for embeddings?")
            return [one.embedding for one in sorted(answer.data, key=lambda one: one.index)]
