"""From RDF files, publishers' dumps or an endpoint to a graph and a label index."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from triad.indexing.build import build, is_rdf, prepared

if TYPE_CHECKING:
    from triad.indexing.labels import LabelProperties
    from triad.indexing.pipeline import IndexReport, run
    from triad.indexing.reading import SkippedLine
    from triad.indexing.recipe import Recipe, load_recipe, recipe_of

__all__ = [
    "IndexReport",
    "LabelProperties",
    "Recipe",
    "SkippedLine",
    "build",
    "is_rdf",
    "load_recipe",
    "prepared",
    "recipe_of",
    "run",
]

_MODULES = {
    "IndexReport": "pipeline",
    "LabelProperties": "labels",
    "Recipe": "recipe",
    "SkippedLine": "reading",
    "load_recipe": "recipe",
    "recipe_of": "recipe",
    "run": "pipeline",
}


def __getattr__(name: str) -> Any:
    # Loaded when first used: whoever asks a graph that is there already needs none of it.
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_MODULES[name]}"), name)
