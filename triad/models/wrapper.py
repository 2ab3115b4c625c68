"""A model around a model: the base of those that cache, limit, slow down or record another."""

from __future__ import annotations

from triad.models.model import Model

__all__ = ["Wrapper", "fingerprint"]


def fingerprint(model: Model) -> str:
    """Return what tells a model's replies from those of a namesake: its server and settings, if it has any."""
    return str(getattr(model, "fingerprint", ""))


class Wrapper(Model):
    """A model that passes its calls on to another and goes by the other's name."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.name = model.name

    @property
    def fingerprint(self) -> str:
        """The fingerprint of the model inside."""
        return fingerprint(self.model)

    def close(self) -> None:
        """Close the model inside."""
        self.model.close()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.model!r})"
