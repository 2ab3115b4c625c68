"""The port to an embedder: texts in, vectors out."""

from abc import ABC, abstractmethod
from collections.abc import Sequence

from triad.closing import Closing


class Embedder(Closing, ABC):
    """Turns texts into vectors, those of similar texts close together. Safe to use from several threads."""

    name: str
    """What the user called it, without secrets."""

    @property
    def fingerprint(self) -> str:
        """A text that changes when the vectors do, as far as that can be known."""
        return self.name

    @abstractmethod
    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """Return a vector for each text, all of the same length.

        Raises:
            ModelError: The server or the program that makes them failed.
        """
