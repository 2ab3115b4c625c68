"""From RDF files, publishers' dumps or an endpoint to a graph and a label index."""

from triad.indexing.build import build
from triad.indexing.dumps import SkippedLine
from triad.indexing.labels import LabelProperties
from triad.indexing.pipeline import IndexReport, run
from triad.indexing.prepared import is_rdf, prepared
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
