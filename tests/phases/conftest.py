"""What the tests of the phases share: the films of ``films.py``."""

from __future__ import annotations

from tests.phases.films import world

__all__ = ["world"]
