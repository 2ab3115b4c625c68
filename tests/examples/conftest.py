"""What the tests of examples share: the films of the phases."""

from __future__ import annotations

from tests.phases.films import world

__all__ = ["world"]
