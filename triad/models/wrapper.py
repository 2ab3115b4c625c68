"""A model around a model: the base of those that cache, limit, slow down or record another."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from triad.models.model import Completion, Model
from triad.trace import Message

__all__ = ["Wrapper", "fingerprint"]


def fingerprint(model: Model) -> str:
    """Return what tells a model's replies from those of a namesake: its server and settings, if it has any."""
    return str(getattr(model, "fingerprint", ""))


class Wrapper(Model):
    """A model that passes its calls on to another and goes by the other's name; it raises as the other does."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.name = model.name

    @property
    def fingerprint(self) -> str:
        """The fingerprint of the model inside."""
        return fingerprint(self.model)

    def complete(self, messages: Sequence[Message], schema: Mapping[str, Any] | None = None) -> Completion:
        """Return the reply of the model inside."""
        [completion] = self._pass_on(messages, lambda: [self.model.complete(messages, schema)])
        return completion

    def complete_many(self, messages: Sequence[Message], count: int) -> list[Completion]:
        """Return replies of the model inside, by one call."""
        return self._pass_on(messages, lambda: self.model.complete_many(messages, count))

    def _pass_on(self, messages: Sequence[Message], call: Callable[[], list[Completion]]) -> list[Completion]:
        """Call the model inside, with what this one does before and after a call."""
        return call()

    def close(self) -> None:
        """Close the model inside."""
        self.model.close()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.model!r})"
